"""Four to six ranges: against every deal, against listing, and by what must not change a count."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.range_deals import count_deals

from gpuodds import Range
from gpuodds.backends.counts import wanted_sets
from gpuodds.backends.cpu.ranges.combo_lists import Lists
from gpuodds.backends.cpu.ranges.three_opponents.closed_form import (
    count_three,
    count_two,
    find_three,
)
from gpuodds.backends.cpu.ranges.three_opponents.count import WALKS, count_against_three
from gpuodds.backends.cpu.ranges.three_opponents.matchups import arrange_matchups
from gpuodds.backends.cpu.ranges.three_opponents.sums import WHOLE_DECK, clear, new_opponent_sums
from gpuodds.backends.cpu.ranges.three_opponents.taken_out import take_out, take_out_of_three
from gpuodds.backends.cpu.ranges.three_opponents.tied_combos import (
    add_level,
    close_level,
    find_steps,
    open_level,
)
from gpuodds.backends.cpu.shared.showdown_sums import new_sums
from gpuodds.backends.operations.range_showdowns import RangeShowdowns
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.combos import COMBOS, combo_cards, combo_index

CARDS = combo_cards()
PAIRS = [tuple(pair) for pair in CARDS.tolist()]
# Straight on the board, royal flush, quads, full houses, two pairs with an ace, no pair.
BOARDS = ["2s3s4s5sAd", "TsJsQsKsAs", "2c2d2h2s3c", "7h7d7cKcKd", "KsKd7h7cAd", "2s7d9hTcJc"]
DECK = [int(card) for card in parse_cards("2c3d4h5s6c7d8h9sTcJdQhKs")]  # twelve cards
ALL_CARDS = range(52)


def lists_of(rows: list[list[tuple[int, int]]]) -> Lists:
    """List combos of each player, all tied ones."""
    longest = max(len(row) for row in rows)
    combos = np.zeros((len(rows), longest + 1), np.int64)
    for place, row in enumerate(rows):
        combos[place, : len(row)] = [low | high << 6 for low, high in row]
    ends = np.array([len(row) for row in rows], np.int64)
    return Lists(combos, np.zeros(len(rows), np.int64), ends)


def sums_of(weights: Any, order: np.random.Generator) -> tuple[Any, Any]:
    """Add the combos of a hero and three opponents, up to five of a player at a time, in any order."""
    every = np.arange(COMBOS)
    matchups = arrange_matchups(weights, CARDS.astype(np.int64), [0], 4, np.ones((1, 8), bool))
    sums = new_opponent_sums(matchups)
    clear(matchups, sums)
    left = {player: order.permutation(every[weights[player] != 0]).tolist() for player in range(1, 4)}
    while any(left.values()):
        rows: list[list[tuple[int, int]]] = [[] for _ in range(4)]
        for player in order.permutation(4)[: order.integers(1, 4)].tolist():
            if player:
                count = int(order.integers(1, 6))
                rows[player] = [PAIRS[h] for h in left[player][:count]]
                del left[player][:count]
        lists = lists_of(rows)
        open_level(False, lists, matchups, sums)
        find_steps(WHOLE_DECK, matchups, sums)
        add_level(0b1111, 1, WHOLE_DECK, lists, matchups, sums)
        close_level(False, lists, sums)
    return matchups, sums


def disjoint(weights: Any, players: list[int], out: tuple[int, ...]) -> int:
    """Count disjoint combos of some players without some cards by going through all."""
    rows = [
        [(PAIRS[h], int(weights[player, h])) for h in np.flatnonzero(weights[player])]
        for player in players
    ]
    rows = [[entry for entry in row if not {*entry[0]} & {*out}] for row in rows]
    whole = 0
    for choice in product(*rows):
        if len({card for pair, _ in choice for card in pair}) == 2 * len(players):
            whole += int(np.prod([weight for _, weight in choice]))
    return whole


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, 9], ids=["whole", "weights"])
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.weekly) for n in (1, 2, 3))])
def test_closed_form_equals_all_triples_on_twelve_cards(most: int, seed: int) -> None:
    """With no card out, two, four and six: in integers, the sums built combo by combo."""
    rng = np.random.default_rng(seed)
    weights = np.zeros((4, COMBOS))
    weights[0, 0] = 1  # a hero is needed, his combos are not
    for low, high in combinations(sorted(DECK), 2):
        weights[1:, combo_index(low, high)] = rng.integers(0, most + 1, 3)
    matchups, sums = sums_of(weights, rng)
    assert sums.rows.dtype == (np.int16 if most == 1 else np.float64)
    others = np.array([1, 2, 3])
    # Two cards that the deck of twelve has not: none is out.
    absent = [card for card in ALL_CARDS if card not in DECK]
    whole = count_three(absent[0], absent[1], find_three(0, 0, matchups, sums), sums)
    assert whole == disjoint(weights, [1, 2, 3], ())
    for _ in range(6):
        out = tuple(int(card) for card in rng.permutation(DECK)[:6])
        for stage in range(3):
            u, v = out[2 * stage : 2 * stage + 2]
            gone = out[: 2 * stage + 2]
            ours = count_three(u, v, find_three(stage, 0, matchups, sums), sums)
            assert ours == disjoint(weights, [1, 2, 3], gone)
            assert count_two(u, v, stage, 1, 3, matchups, sums) == disjoint(weights, [1, 3], gone)
            if stage == 2 or sums.cards.shape[0] == stage + 1:
                break
            take_out(u, v, stage, others, False, matchups, sums)
            take_out_of_three(u, v, stage, 0, (1 << 52) - 1, matchups, sums)


@pytest.mark.parametrize("factor", [1.0, 2.0], ids=["whole", "weights"])
def test_sums_are_what_their_definitions_say(factor: float) -> None:
    """After each of a walk's steps, in which combos are added and taken away again."""
    rng = np.random.default_rng(1)
    weights = np.where(rng.random((4, COMBOS)) < 0.3, factor, 0.0)
    matchups, sums = sums_of(weights, rng)
    more = [[], *([PAIRS[h] for h in np.flatnonzero(row == 0)[:40]] for row in weights[1:])]
    lists, others = lists_of(more), weights.copy()
    for player in range(1, 4):
        others[player, [combo_index(*pair) for pair in more[player]]] = factor
    # The weights of the tied combos are looked up by cards.
    matchups = arrange_matchups(others, CARDS.astype(np.int64), [0], 4, np.ones((1, 8), bool))
    begun = sum({1 << card for row in more for pair in row for card in pair})
    rows = [card for card in range(52) if begun >> card & 1]
    open_level(False, lists, matchups, sums)
    find_steps(begun, matchups, sums)
    walk, included = WALKS[3], 0
    while walk:
        player = walk & 7
        walk >>= 3
        add_level(1 << player, -1 if included >> player & 1 else 1, begun, lists, matchups, sums)
        included ^= 1 << player
        now = [(others if included >> x & 1 else weights)[x] for x in range(4)]
        w = np.zeros((4, 52, 52))
        for x, row in enumerate(now[1:], 1):
            w[x, CARDS[:, 0], CARDS[:, 1]] = w[x, CARDS[:, 1], CARDS[:, 0]] = row
        d = w.sum(axis=2)
        assert np.array_equal(sums.rows[1:4, :, :52], w[1:])
        assert np.array_equal(sums.cards[0, 1:4, :52], d[1:])
        assert np.array_equal(sums.totals[0, 1:4], d[1:].sum(axis=1) / 2)
        for number, (i, j) in enumerate(matchups.arcs.tolist()):
            assert np.array_equal(sums.steps[number, rows, :52], (w[i] @ w[j])[rows])
            assert np.array_equal(sums.reached[number, :52], w[j] @ d[i])
        for i, j in combinations(range(1, 4), 2):
            pair = matchups.pair_of[i, j]
            assert np.array_equal(sums.both[0, pair, :52], np.diag(w[i] @ w[j]))
            assert sums.both_totals[0, pair] == np.trace(w[i] @ w[j]) / 2
        assert np.array_equal(sums.all_three[0, :52], (w[1] * w[2] * w[3]).sum(axis=1))
        assert sums.all_totals[0] == (w[1] * w[2] * w[3]).sum() / 2
        assert sums.triangles[0] == np.trace(w[1] @ w[2] @ w[3])
    assert included == 0b1110
    close_level(False, lists, sums)
    for array in (sums.rows[4:], sums.partners[4:], sums.held, sums.cards[0, 4:], sums.totals[0, 4:]):
        assert not array.any()


@pytest.mark.parametrize("size", range(5))
def test_walk_visits_every_set_and_ends_with_the_whole(size: int) -> None:
    walk, now, seen = WALKS[size], 0, {0}
    while walk:
        now ^= 1 << (walk & 7) - 1
        walk >>= 3
        seen.add(now)
    assert len(seen) == 1 << size and now == (1 << size) - 1


def drawn(players: int, size: int, seed: int, values: tuple[int, ...] = (1,)) -> Any:
    """Draw overlapping ranges from a pool of combos, which share cards."""
    rng = np.random.default_rng(seed)
    pool = rng.permutation(COMBOS)[: 2 * size]
    rows = np.zeros((players, COMBOS))
    for row in rows:
        chosen = rng.permutation(pool)[:size]
        row[chosen] = rng.choice(values, size)
    return rows


def expected(weights: Any, folded: Any, boards: Any, times: Any, values: type = int) -> Any:
    """Count as the operation does, by the oracle."""
    players = len(weights)
    counts = np.zeros((players, COMBOS, 1 << players - 1), object)
    tables = [
        [{PAIRS[h]: values(row[h]) for h in np.flatnonzero(row)} for row in rows]
        for rows in (weights, folded)
    ]
    for board, factor in zip(boards.tolist(), times.tolist(), strict=True):
        for (player, pair, winners), deals in count_deals(tables[0], tables[1], board).items():
            others = [other for other in range(players) if other != player]
            mask = sum(1 << bit for bit, other in enumerate(others) if winners >> other & 1)
            counts[player, combo_index(*pair), mask] += factor * deals
    return counts


def winners_of(hero: int, mask: int, players: int) -> frozenset[int]:
    """Return the players of a hero and of a mask of his opponents."""
    others = [other for other in range(players) if other != hero]
    return frozenset({hero, *(other for bit, other in enumerate(others) if mask >> bit & 1)})


def boards_of(texts: list[str]) -> Any:
    return np.array([parse_cards(text) for text in texts], np.uint8)


NONE = np.zeros((0, COMBOS))


@pytest.mark.parametrize("values", [(1,), (1, 2, 3)], ids=["whole", "weights"])
@pytest.mark.parametrize(
    ("players", "folded", "size"), [(4, 0, 16), (5, 0, 8), (6, 0, 5), (3, 1, 16), (2, 2, 14), (2, 4, 5)]
)
def test_counts_equal_every_deal(players: int, folded: int, size: int, values: tuple[int, ...]) -> None:
    rows = drawn(players + folded, size, players + size, values)
    weights, out = rows[:players], rows[players:]
    boards, times = boards_of(BOARDS), np.arange(1, 1 + len(BOARDS))
    heroes = list(range(players))
    found = RangeShowdowns(HOLDEM, weights, boards, times, heroes, True, out).on_cpu()
    ours = expected(weights, out, boards, times)
    assert found.by_winners.dtype == (np.int64 if values == (1,) else np.float64)
    assert np.array_equal(found.by_winners, ours)
    assert found.by_category is not None
    by_set = (weights[:, :, None] * ours).sum(axis=1)
    assert np.array_equal(found.by_category[:, :, :-1].sum(axis=1), by_set)
    # All deals, in the last column, are those of any player, each counted with his own weight.
    whole = {float(row) for row in found.by_category[:, :, -1].sum(axis=1)}
    winners = {
        frozenset(
            {hero, *(o for bit, o in enumerate(x for x in heroes if x != hero) if s >> bit & 1)}
        ): n
        for hero in heroes
        for s, n in enumerate(by_set[hero])
    }
    assert whole == {float(sum(winners.values()))}


@pytest.mark.parametrize(
    ("texts", "folded"),
    [
        (["12%", "9%", "10%", "11%"], []),
        (["6%", "5%", "7%", "5%", "6%"], []),
        (["2%", "3%", "2%", "3%", "2%", "2%"], []),
        (["12%", "9%", "10%"], ["14%"]),
        (["12%", "15%"], ["40%", "10%"]),
        (["8%", "8%"], ["9%", "12%", "7%"]),
    ],
    ids=str,
)
@pytest.mark.parametrize("factor", [1.0, 2.0], ids=["whole", "weights"])
def test_three_at_once_equal_listing(texts: list[str], folded: list[str], factor: float) -> None:
    """Wide ranges on boards on which many tie, so that tied combos are listed, or added for a while."""
    players = len(texts)
    rows = factor * np.stack([Range(text).weights for text in (*texts, *folded)])
    combos = np.flatnonzero(rows.any(axis=0))
    pairs, boards = CARDS[combos].astype(np.int64), boards_of(BOARDS)
    tables, times = HOLDEM.hand_rank_tables, np.arange(1, 1 + len(BOARDS))
    heroes = list(range(players))

    def count(by_three: bool, wanted: Any, parts: int = 1) -> Any:
        ranges = np.ascontiguousarray(rows[:, combos])
        matchups = arrange_matchups(ranges, pairs, heroes, players, wanted, by_three)
        counts: Any = 0
        for part in range(parts):
            sums = new_sums(
                players, len(combos), 1 << players - 1, factor == 1.0, False, tables.category_ends
            )
            given = boards, times, 0, len(boards), pairs, tables, matchups, sums
            count_against_three(*given, part, parts)
            counts = counts + (sums.exact if factor == 1.0 else sums.sums + sums.errors)
        return counts

    every, once = (wanted_sets(players, heroes, whole) for whole in (True, False))
    listed = count(False, every)
    assert listed.any() and np.array_equal(count(True, every), listed)
    assert np.array_equal(count(True, once), listed * once[:, None, :])
    assert np.array_equal(count(True, every, parts=3), listed)


def test_counts_that_could_pass_63_bits_are_refused() -> None:
    board, times = boards_of(BOARDS[:1]), np.full(1, 1 << 12)
    operation = RangeShowdowns(HOLDEM, np.ones((6, COMBOS)), board, times, [0], False)
    with pytest.raises(OverflowError, match="63 bits"):
        operation.on_cpu()


@pytest.mark.parametrize("texts", [["80%", "85%", "90%", "95%"], ["30%", "28%", "32%", "60%", "45%"]])
def test_sets_of_winners_add_up_to_all_deals(texts: list[str]) -> None:
    """A set of winners has the same deals for each of its players; all sets are all deals."""
    weights = np.stack([Range(text).weights for text in texts])
    boards, times = boards_of(BOARDS[3:]), np.ones(3, np.int64)
    players = len(texts)
    heroes = list(range(players))
    counts = RangeShowdowns(HOLDEM, weights, boards, times, heroes, False).on_cpu().by_winners
    by_set: dict[frozenset[int], set[int]] = {}
    for hero in heroes:
        for mask in range(1 << players - 1):
            deals = int((weights[hero].astype(np.int64) * counts[hero, :, mask]).sum())
            by_set.setdefault(winners_of(hero, mask, players), set()).add(deals)
    assert all(len(deals) == 1 for deals in by_set.values())
    whole = 0
    for board in boards:
        left = np.where(np.isin(CARDS, board).any(axis=1), 0.0, weights)
        nothing = np.zeros((1, 0), np.uint8), np.ones(1, np.int64)
        tied = RangeShowdowns(HOLDEM, left, *nothing, [0], False).on_cpu().by_winners[0, :, -1]
        whole += int((left[0].astype(np.int64) * tied).sum())
    assert sum(deals.pop() for deals in by_set.values()) == whole > 0


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.integers(4, 6), data=st.data())
def test_order_of_players_and_suits_change_nothing(seed: int, players: int, data: Any) -> None:
    rows = drawn(players, 30 if players == 4 else 9, seed)
    board = boards_of([data.draw(st.sampled_from(BOARDS))])
    order = data.draw(st.permutations(range(players)))
    suits = np.array(data.draw(st.permutations(range(4))))
    renamed = np.arange(52) // 4 * 4 + suits[np.arange(52) % 4]
    moved = [combo_index(*sorted(pair)) for pair in renamed[CARDS].tolist()]
    other = np.zeros_like(rows)
    other[:, moved] = rows[order]
    once = np.ones(1, np.int64)
    heroes = list(range(players))
    ours = RangeShowdowns(HOLDEM, rows, board, once, heroes, False).on_cpu().by_winners
    theirs = RangeShowdowns(
        HOLDEM, other, renamed[board].astype(np.uint8), once, heroes, False
    ).on_cpu()
    for place, hero in enumerate(order):
        left, right = ([x for x in heroes if x != skip] for skip in (place, hero))
        for mask in range(1 << players - 1):
            same = sum(1 << right.index(order[x]) for bit, x in enumerate(left) if mask >> bit & 1)
            assert np.array_equal(theirs.by_winners[place, moved, mask], ours[hero, :, same])
