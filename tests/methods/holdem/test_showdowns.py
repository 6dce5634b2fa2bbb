"""Ranges against ranges: both methods against enumeration of every deal, and golden counts."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from oracle import score

import gpuodds
from gpuodds.cards import format_cards, parse_cards
from gpuodds.errors import ImpossibleDeal, InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.starting_hands import starting_hand
from gpuodds.games.shared.boards import full_boards
from gpuodds.games.shared.combos import COMBOS, combo_cards, combo_index
from gpuodds.methods.holdem.listed_hands import count_listed_hands
from gpuodds.methods.holdem.showdowns import count_showdowns
from gpuodds.methods.options import Options
from gpuodds.results.range_counts import RangeCounts
from gpuodds.spots.ranges.range import Range
from gpuodds.spots.spot import Spot

CARDS = combo_cards().tolist()
NAMES = [starting_hand((low, high)) for low, high in CARDS]


def classes(*names: str) -> Any:
    return np.array([float(name in names) for name in NAMES])


def hand(text: str) -> Any:
    weights = np.zeros(COMBOS)
    weights[combo_index(*parse_cards(text))] = 1.0
    return weights


def ask(weights: list[Any], opponents: int = 0, board: str = "", dead: str = "") -> Spot:
    ranges = tuple(Range.of(row) for row in weights)
    return Spot(ranges, opponents, parse_cards(board), parse_cards(dead), game=HOLDEM)


def answer(spot: Spot, count: Any = count_showdowns, by_hand: bool = False) -> Any:
    # Typed loosely: the counts by hand are None unless requested.
    return count(spot, Options(by_hand=by_hand, backend="cpu"))[0]


def enumerate_deals(spot: Spot) -> tuple[dict[int, Any], Any, Any]:
    """List every deal: outcomes by winners; wins by combo and number of ties; all deals by combo."""
    weights = spot.all_weights
    players = len(weights)
    winners: dict[int, Any] = {}
    held = np.zeros((players, COMBOS, players), object)
    dealt = np.zeros((players, COMBOS), object)
    for board in full_boards(spot.board, spot.dead).tolist():
        ranks = {
            h: score(np.array([*CARDS[h], *board]))
            for h in np.flatnonzero(weights.any(axis=0)).tolist()
            if not set(CARDS[h]) & set(board)
        }
        lists = [[h for h in ranks if row[h]] for row in weights]

        def deal(hands: list[int], used: set[int], lists: Any = lists, ranks: Any = ranks) -> None:
            if len(hands) < players:
                for h in lists[len(hands)]:
                    if not used & set(CARDS[h]):
                        deal([*hands, h], used | set(CARDS[h]))
                return
            best = max(ranks[h] for h in hands)
            mask = sum(1 << p for p, h in enumerate(hands) if ranks[h] == best)
            parts = [Fraction(float(weights[p, h])) for p, h in enumerate(hands)]
            whole = Fraction(1)
            for part in parts:
                whole *= part
            winners[mask] = winners.get(mask, 0) + whole
            for p, h in enumerate(hands):
                dealt[p, h] += whole / parts[p]
                if mask >> p & 1:
                    held[p, h, mask.bit_count() - 1] += whole / parts[p]

        deal([], set())
    return dict(sorted(winners.items())), held, dealt


def draw(players: int, size: int, seed: int, values: tuple[float, ...] = (1.0,)) -> list[Any]:
    """Draw overlapping ranges: each some combos of a common pool of twice as many."""
    rng = np.random.default_rng(seed)
    pool = rng.permutation(COMBOS)[: 2 * size]
    rows = np.zeros((players, COMBOS))
    for row in rows:
        chosen = rng.permutation(pool)[:size]
        row[chosen] = rng.choice(values, size)
    return list(rows)


BOARDS = ["2s7d9hTcJc", "2s7s9sKsAs", "8s8c8d8h3c", "AsKsQsJsTs", "As2d3h4c9s", "KcKd7h7s2c"]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(("players", "size"), [(2, 60), (3, 14), (4, 8), (5, 5), (6, 3)])
def test_rivers_equal_enumeration(board: str, players: int, size: int) -> None:
    spot = ask(draw(players, size, players + len(board)), board=board)
    winners, held, dealt = enumerate_deals(spot)
    found = answer(spot, by_hand=True)
    assert found.winners == winners
    assert found.outcomes == sum(winners.values())
    own = spot.weights > 0
    assert np.array_equal(found.by_combo[own], held[own])
    assert np.array_equal(found.dealt[own], dealt[own])
    assert answer(spot) == RangeCounts(found.outcomes, found.shared, found.winners)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    ("players", "size"), [(2, 30), (2, 3), (3, 9), (3, 2), (4, 5), (4, 1), (5, 4), (6, 3)]
)
def test_drawn_rivers_equal_enumeration(players: int, size: int, seed: int) -> None:
    rng = np.random.default_rng(100 * seed + 10 * players + size)
    for _ in range(5):
        deck = rng.permutation(52).tolist()
        board, dead = format_cards(deck[:5]), format_cards(deck[5 : 5 + seed % 3])
        weights = draw(players, size, int(rng.integers(1 << 30)))
        try:
            spot = ask(weights, board=board, dead=dead)
        except ImpossibleDeal:
            continue  # a small range may have no hand left
        winners, held, _ = enumerate_deals(spot)
        found = answer(spot, by_hand=True)
        own = spot.weights > 0
        assert found.winners == winners and found.outcomes == sum(winners.values())
        assert np.array_equal(found.by_combo[own], held[own])


@pytest.mark.parametrize(("players", "size"), [(2, 20), (3, 6), (4, 4)])
@pytest.mark.parametrize("board", ["2s7d9hTc", "2s7s9s3s"])
def test_turns_equal_enumeration(board: str, players: int, size: int) -> None:
    spot = ask(draw(players, size, 3 * players), board=board, dead="3c")
    winners, held, _ = enumerate_deals(spot)
    found = answer(spot, by_hand=True)
    own = spot.weights > 0
    assert found.winners == winners and np.array_equal(found.by_combo[own], held[own])


@pytest.mark.parametrize(
    ("players", "size"), [(2, 40), pytest.param(3, 12, marks=pytest.mark.weekly), (4, 7), (5, 4)]
)
def test_weights_are_exact_to_twelve_digits(players: int, size: int) -> None:
    weights = draw(players, size, players, (1.0, 0.5, 0.3, 0.0137))
    spot = ask(weights, board="KcKd7h7s2c")
    winners, held, dealt = enumerate_deals(spot)
    found = answer(spot, by_hand=True)
    assert found.winners is not None
    for mask, exact in winners.items():
        assert abs(found.winners[mask] - exact) <= 1e-12 * sum(winners.values())
    own = spot.weights > 0
    assert np.allclose(found.by_combo[own], held[own].astype(float), rtol=1e-12, atol=1e-12)
    assert np.allclose(found.dealt[own], dealt[own].astype(float), rtol=1e-12)


GOLDEN = [
    ([("AA",), ("KK",)], {1: 50371344, 2: 10986372, 3: 285228}),
    (
        [("AA", "KK"), ("KK", "QQ"), ("QQ", "AA")],
        {1: 348272820, 2: 119882736, 3: 37653912, 4: 303253020, 5: 74015280, 6: 1266624, 7: 3904200},
    ),
]


@pytest.mark.parametrize(("ranges", "winners"), GOLDEN)
def test_golden_counts_before_the_flop(ranges: list[tuple[str, ...]], winners: Any) -> None:
    assert answer(ask([classes(*names) for names in ranges])).winners == winners


def test_golden_counts_on_two_board_cards() -> None:
    spot = ask([classes("AKs", "AKo"), np.ones(COMBOS)], board="2c3c")
    assert answer(spot).winners == {1: 159167583, 2: 108567320, 3: 6233737}


@pytest.mark.parametrize("board", ["2s7d9h", "2s7s9s", "2s7d9hTc"])
@pytest.mark.parametrize("opponents", [1, 2])
def test_both_methods_agree(board: str, opponents: int) -> None:
    spot = ask([classes("AA", "KQs"), hand("7c7h")], opponents, board=board, dead="3d")
    showdowns = answer(spot, count_showdowns, by_hand=True)
    hands = answer(spot, count_listed_hands, by_hand=True)
    assert (hands.outcomes, hands.shared) == (showdowns.outcomes, showdowns.shared)
    own = spot.weights > 0
    assert np.array_equal(hands.by_combo[own], showdowns.by_combo[own])
    assert np.array_equal(hands.dealt[own], showdowns.dealt[own])


def test_both_methods_agree_on_weights() -> None:
    weights = [0.5 * classes("AA") + 0.25 * classes("KQs"), classes("77", "88")]
    spot = ask(weights, 1, board="2s7d9h")
    showdowns, hands = answer(spot, count_showdowns), answer(spot, count_listed_hands)
    assert hands.outcomes == pytest.approx(showdowns.outcomes, rel=1e-12)
    for one, other in zip(hands.shared, showdowns.shared, strict=True):
        assert one == pytest.approx(other, rel=1e-12)


def test_seats_do_not_matter() -> None:
    weights = draw(4, 30, 5)
    board = "2s7d9hTc"
    first = answer(ask(weights, board=board))
    assert first.winners is not None
    for seats in list(permutations(range(4)))[1::7]:
        found = answer(ask([weights[seat] for seat in seats], board=board))
        assert found.winners is not None and found.outcomes == first.outcomes
        for mask, outcomes in first.winners.items():
            moved = sum(1 << place for place, seat in enumerate(seats) if mask >> seat & 1)
            assert found.winners[moved] == outcomes


def test_two_weighted_halves_are_the_whole() -> None:
    range_, other = classes("AA", "AKs", "76s"), classes("KK", "QJs")
    board = "2s7d9hTc"
    whole = answer(ask([range_, other], board=board)).winners
    parts = [answer(ask([part * range_, other], board=board)).winners for part in (0.25, 0.75)]
    assert whole is not None
    for mask, outcomes in whole.items():
        assert sum(part[mask] for part in parts if part) == pytest.approx(outcomes, rel=1e-13)


@pytest.mark.parametrize("opponents", [1, 2])
def test_random_ranges_are_random_opponents(opponents: int) -> None:
    spot = ask([classes("AKs", "99")], opponents, board="2s7d9hTc")
    as_ranges = ask([classes("AKs", "99"), *[np.ones(COMBOS)] * opponents], board="2s7d9hTc")
    found, ranges = answer(spot), answer(as_ranges)
    orders = 1 if opponents == 1 else 2
    assert [orders * n for n in found.shared[0]] == ranges.shared[0]
    assert orders * found.outcomes == ranges.outcomes


def test_ranges_that_exclude_each_other_cannot_be_dealt() -> None:
    spot = ask([hand("AsAh"), hand("AsKs")], 1, board="2s7d9hTc")
    with pytest.raises(InputError, match="cannot be dealt together"):
        answer(spot, count_listed_hands)
    assert answer(spot).outcomes == 0


@pytest.mark.parametrize(
    ("hands", "options"),
    [
        (["60%", "61%", "62%", "63%"], {"board": "5c8h9s"}),
        (["20%", "21%", "22%", "23%", "24%"], {"board": "5c8h9sTd"}),
        (["30%:0.5", "30%", "20%", "25%"], {"board": "5c8h9s"}),
        (["50%", "51%"], {"board": "5c8h9sTd", "folded": ["30%", "20%", "10%"]}),
    ],
)
def test_a_long_count_is_stopped_after_a_small_part(hands: list[str], options: dict[str, Any]) -> None:
    """So Ctrl-C ends it, and a server's worker need not be killed to stop it."""

    class Stop(Exception):
        pass

    shares: list[float] = []

    def stop(share: float) -> None:
        shares.append(share)
        raise Stop

    with pytest.raises(Stop):
        gpuodds.equity(hands, **options, method="exact", backend="cpu", progress=stop)
    assert shares[0] < 0.03
