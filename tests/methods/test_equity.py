"""``equity`` against golden integers, and invariants for any cards."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuodds
from gpuodds.cards import format_cards, parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.multiway import deals
from gpuodds.spots.spot import Spot


def counts(result):
    return [(player.win_outcomes, player.tie_outcomes) for player in result.players]


def test_the_example_of_the_readme():
    result = gpuodds.equity("1s13s", opponents=3)
    assert result.method == "table"
    assert result.outcomes == 258861409884000
    assert result.players[0].equity_exact == Fraction(2042685976013, 4930693521600)
    assert result.random_equity == pytest.approx(0.19524011736790103, abs=1e-15)


@pytest.mark.parametrize("hand", ["AsKs", "AsKd", "7c7h", "7c2h"])
def test_computing_gives_the_integers_of_the_table(hand):
    computed = gpuodds.equities_by_opponents(hand, opponents=5)
    for opponents, result in enumerate(computed, 1):
        looked_up = gpuodds.equity(hand, opponents=opponents)
        assert (looked_up.method, result.method) == ("table", "exact")
        assert counts(result) == counts(looked_up)


@pytest.mark.weekly
@pytest.mark.parametrize("hand", ["AsKs", "7c2h"])
def test_computing_gives_the_integers_of_the_table_up_to_a_full_deck(hand):
    for result in gpuodds.equities_by_opponents(hand, opponents=22):
        assert counts(result) == counts(gpuodds.equity(hand, opponents=result.spot.opponents))


def test_known_hands_by_winners(golden_equity):
    for case in golden_equity["known_hands"]:
        result = gpuodds.equity(case["hands"], board=case["board"], dead=case["dead"])
        letters = "ABCDEF"[: len(case["hands"])]
        masks = {
            "".join(letter for i, letter in enumerate(letters) if mask >> i & 1): count
            for mask, count in enumerate(case["wins_by_mask_from_1"], 1)
        }
        assert result.outcomes == case["total"]
        assert result.winners == {who: count for who, count in masks.items() if count}
        for letter, player in zip(letters, result.players, strict=True):
            assert player.win_outcomes == masks[letter]


def test_multiway_spots_of_the_seeds(golden_equity):
    for case in golden_equity["against_random"]:
        result = gpuodds.equity(
            case["hands"], opponents=case["opponents"], board=case["board"], table=False
        )
        player = result.players[0]
        ours = [player.win_outcomes, *player.tie_outcomes]
        assert result.outcomes == case["total"], case["source"]
        assert ours[: len(case["win_and_ties"])] == case["win_and_ties"], case["source"]
        assert not any(ours[len(case["win_and_ties"]) :])


def test_win_or_draw_is_as_published(golden_equity):
    case = golden_equity["seed_001_spot"]
    for result in gpuodds.equities_by_opponents(case["hand"], opponents=8, board=case["board"]):
        player = result.players[0]
        unbeaten = player.win_outcomes + sum(player.tie_outcomes)
        assert unbeaten == case["win_or_draw"][result.spot.opponents - 1]


def test_the_board_plays_for_everyone():
    for result in gpuodds.equities_by_opponents("2c7d", opponents=20, board="AsKsQdJhTc"):
        opponents = result.spot.opponents
        assert result.players[0].equity_exact == Fraction(1, opponents + 1)
        assert result.players[0].tie_outcomes[-1] == result.outcomes == deals(45, opponents)


def test_drawing_dead_against_the_nuts():
    dead = gpuodds.equity(["2c2d", "AsKs"], board="QsJsTs", opponents=3)
    assert dead.players[0].equity_exact == 0
    assert dead.players[1].equity_exact == 1
    assert dead.random_equity == 0.0


def test_dead_cards_that_leave_exactly_enough():
    spot = Spot.of(["AsKs"], opponents=2, board="2c3d4h")
    dead = [card for card in range(52) if card not in spot.known][: spot.unseen - 6]
    result = gpuodds.equity("AsKs", opponents=2, board="2c3d4h", dead=dead)
    assert result.outcomes == 15 * 3


def random_spot(draw, max_opponents=3):
    deck = list(range(52))
    draw.shuffle(deck)
    hands = draw.randint(1, 3)
    hole = [(deck.pop(), deck.pop()) for _ in range(hands)]
    board = tuple(deck.pop() for _ in range(draw.choice([3, 4, 5, 5])))
    dead = tuple(deck.pop() for _ in range(draw.choice([0, 0, 2, 9])))
    return Spot(
        tuple(hole), draw.randint(1 if hands == 1 else 0, max_opponents), board, dead, game=HOLDEM
    )


def ask(spot, **options):
    return gpuodds.equity(
        spot.hands, opponents=spot.opponents, board=spot.board, dead=spot.dead, **options
    )


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.permutations(range(4)))
def test_relabelled_suits_and_reordered_cards_change_nothing(seed, suits):
    spot = random_spot(random.Random(seed))

    def moved(cards):
        return tuple(4 * (card // 4) + suits[card % 4] for card in reversed(cards))

    other = replace(
        spot,
        hands=tuple(moved(hand) for hand in spot.hands),
        board=moved(spot.board),
        dead=moved(spot.dead),
    )
    assert counts(ask(spot)) == counts(ask(other))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_players_may_sit_in_any_order(seed):
    spot = random_spot(random.Random(seed))
    turned = replace(spot, hands=spot.hands[::-1])
    assert counts(ask(spot)) == counts(ask(turned))[::-1]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_a_street_is_the_sum_over_its_next_cards(seed):
    spot = random_spot(random.Random(seed))
    spot = replace(spot, board=spot.board[:4])
    if len(spot.board) < 4:
        spot = replace(spot, board=spot.board + tuple(set(range(52)) - spot.known)[:1])
    whole = counts(ask(spot))
    rivers = [
        counts(ask(replace(spot, board=(*spot.board, card))))
        for card in sorted(set(range(52)) - spot.known)
    ]
    for number, (wins, ties) in enumerate(whole):
        assert wins == sum(river[number][0] for river in rivers)
        summed = [sum(column) for column in zip(*(river[number][1] for river in rivers), strict=True)]
        assert list(ties) == summed


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_all_numbers_of_opponents_from_one_pass(seed):
    spot = random_spot(random.Random(seed), max_opponents=6)
    for result in gpuodds.equities_by_opponents(
        spot.hands, opponents=spot.opponents, board=spot.board, dead=spot.dead
    ):
        assert counts(result) == counts(ask(result.spot))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_shares_add_up(seed):
    result = ask(random_spot(random.Random(seed)))
    total = sum(player.equity_exact or 0 for player in result.players)
    rest = result.random_equity or 0.0
    assert float(total) + rest * result.spot.opponents == pytest.approx(1.0, abs=1e-12)
    for player in result.players:
        assert player.win + player.tie + player.lose == pytest.approx(1.0, abs=1e-12)
        assert len(player.tie_outcomes) == result.spot.players - 1


def test_the_same_question_again_gives_the_same_answer_among_others():
    draw = random.Random(7)
    spots = [random_spot(draw) for _ in range(30)]
    first = [counts(ask(spot)) for spot in spots]
    order = draw.sample(range(30), 30)
    assert all(counts(ask(spots[i])) == first[i] for i in order)


@pytest.mark.parametrize("threads", ["1", "2", "3", "7"])
def test_threads_do_not_show(threads, monkeypatch):
    monkeypatch.setenv("GPUODDS_THREADS", threads)
    assert counts(gpuodds.equity("AsKd", opponents=3, table=False)) == counts(
        gpuodds.equity("AsKd", opponents=3)
    )


def test_twenty_three_players():
    hands = [parse_cards(f"{rank}s{rank}h") for rank in "23456789TJQKA"]
    result = gpuodds.equity(hands, opponents=10, board="2c3c4d")
    assert result.spot.players == 23
    total = sum(player.equity_exact or 0 for player in result.players)
    assert float(total) + 10 * (result.random_equity or 0.0) == pytest.approx(1.0, abs=1e-12)


def test_the_json_object_is_the_documented_one():
    answer = gpuodds.equity(["AsKs", "QhQd"], board="2s7d9h", dead="3c").to_dict()
    assert list(answer) == [
        "schema", "game", "hands", "opponents", "board", "dead", "method", "exact", "backend",
        "outcomes", "players", "random_equity", "seconds", "winners",
    ]  # fmt: skip
    assert answer["schema"] == "gpuodds.equity/1"
    assert (answer["board"], answer["dead"]) == ("2s7d9h", "3c")
    assert set(answer["players"][0]) == {
        "hand", "equity", "equity_exact", "win", "tie", "lose", "win_outcomes", "tie_outcomes",
        "standard_error",
    }  # fmt: skip
    assert sum(map(int, answer["winners"].values())) == int(answer["outcomes"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "guess"}, "expected one of auto, exact, monte-carlo"),
        ({"samples": 0}, "samples 0: expected more than 0"),
        ({"time_limit": float("nan")}, "time_limit nan: expected a number"),
        ({"seed": -1}, "seed -1: expected 0 or more"),
        ({"backend": "tpu"}, "expected auto, cpu, cuda"),
        ({"backend": "cuda:"}, "expected auto, cpu, cuda"),
    ],
)
def test_unknown_ways_are_refused(options, message):
    with pytest.raises(gpuodds.InputError, match=message):
        gpuodds.equity("AsKs", **options)


def test_progress_ends_at_one():
    seen = []
    gpuodds.equity("9c9d", opponents=4, table=False, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_notebooks_show_a_table():
    html = gpuodds.equity("AsKs")._repr_html_()
    assert html.startswith("<table>")
    assert format_cards(parse_cards("AsKs")) in html
    river = gpuodds.equity(["AsKs", "QhQd"], board="2s7d9hTc3c", backend="cpu")
    assert "<caption>1 outcome, exact, cpu</caption>" in river._repr_html_()
