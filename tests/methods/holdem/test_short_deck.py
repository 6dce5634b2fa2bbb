"""Short deck by every method, against goldens and brute force of another design."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest
from short_deck_oracle import DECK, equities

from gpuodds.backends.operations.against_random import AgainstRandom
from gpuodds.backends.operations.heads_up_matrix import HeadsUpMatrix
from gpuodds.backends.operations.ranks import RankCombos
from gpuodds.backends.operations.three_way import ThreeWay
from gpuodds.cards import parse_cards
from gpuodds.games.game import Game
from gpuodds.games.short_deck.game import SHORT_DECK, SHORT_DECK_TRIPS
from gpuodds.methods.answering import answer
from gpuodds.methods.batches.batch import answer_batch
from gpuodds.methods.boards.board_equities import board_equities
from gpuodds.methods.boards.board_reports import report_boards
from gpuodds.methods.options import Options
from gpuodds.methods.sampling.engine import Sampling
from gpuodds.spots.ranges.range import Range
from gpuodds.spots.spot import Spot

GAMES = (SHORT_DECK, SHORT_DECK_TRIPS)
EXACT = Options(method="exact", backend="cpu")
RANGES = ("TT+,AK", "66,77,98s,A9", "A6s+,KQ:0.5,JTs", "random", "88-66,T9", "AsKs,QhQd,9c8c")


def hand(text: str) -> Any:
    return parse_cards(text)


def outcomes(spot: Spot) -> list[tuple[int, ...]]:
    found = answer(spot, EXACT)
    assert found.exact and found.backend == "cpu"
    return [(player.win_outcomes, *player.tie_outcomes) for player in found.players]


@pytest.mark.parametrize(
    ("game", "board", "hands", "expected", "boards"),
    [
        (SHORT_DECK, "", ("AsKs", "QhQd"), (108_298, 91_071, 2_007), 201_376),
        (SHORT_DECK_TRIPS, "", ("AsKs", "QhQd"), (102_726, 96_917, 1_733), 201_376),
        (SHORT_DECK, "6s9hTd", ("AsAh", "7c8c"), (28, 369, 9), 406),
    ],
)
def test_goldens(game: Game, board: str, hands: Any, expected: Any, boards: int) -> None:
    known = Spot(tuple(map(hand, hands)), 0, hand(board), game=game)
    as_ranges = Spot(tuple(map(Range, hands)), 0, hand(board), game=game)
    win, lose, tie = expected
    assert win + lose + tie == boards == known.outcomes
    assert outcomes(known) == outcomes(as_ranges) == [(win, tie), (lose, tie)]


def drawn_spot(number: int) -> Spot:
    """Draw a spot with few cards left, so that every deal can be listed."""
    random = Random(number)
    deck = random.sample(DECK, len(DECK))
    game, kind = GAMES[number % 2], number // 2 % 6
    size = random.choice((3, 4, 4, 5, 5)) if kind else random.choice((3, 4, 5))
    board = tuple(deck.pop() for _ in range(size))
    if random.random() < 0.5:  # a board on which flushes count
        suit = [card for card in deck if card % 4 == board[0] % 4]
        board = (board[0], *random.sample(suit, 2), *board[3:])
        board = tuple(dict.fromkeys(board))
    deck = [card for card in deck if card not in board]

    def known() -> Any:
        return deck.pop(), deck.pop()

    def held() -> Any:
        return Range(random.choice(RANGES))

    opponents = 0
    folded: tuple[Any, ...] = ()
    if kind == 0:
        hands: tuple[Any, ...] = tuple(known() for _ in range(random.choice((2, 3, 4))))
    elif kind == 1:
        hands, opponents = (known(),), random.choice((1, 2, 3))
    elif kind == 2:
        hands, opponents = (known(), known()), 1
    elif kind == 3:
        hands, opponents = (held(), random.choice((known, held))()), random.choice((0, 0, 1))
    elif kind == 4:
        hands = (held(), held(), known())
    else:
        hands, folded = (held(), known()), (held(),)
    left = {0: 20, 1: (0, 14, 10, 9)[opponents], 2: 13}.get(kind, 10)
    dead = tuple(card for card in deck[left:])
    return Spot(hands, opponents, board, dead, game=game, folded=folded)


def check(number: int) -> None:
    try:
        spot = drawn_spot(number)
        expected = equities(spot)
    except (ValueError, ZeroDivisionError):
        return  # the drawn ranges cannot be dealt
    options = Options(method="exact", backend="cpu", table=False)
    found = answer(spot, options)
    for player, (win, equity) in zip(found.players, expected, strict=True):
        if spot.has_integer_weights:
            whole = Fraction(found.outcomes)
            assert Fraction(player.win_outcomes) / whole == win, spot
            assert player.equity_exact == equity, spot
        else:
            assert player.equity == pytest.approx(float(equity), abs=1e-12), spot


@pytest.mark.slow
@pytest.mark.parametrize(
    "first", [0, 24, 48, *(pytest.param(n, marks=pytest.mark.weekly) for n in range(60, 600, 12))]
)
def test_brute_force(first: int) -> None:
    for number in range(first, first + 12):
        check(number)


def starting_hands() -> list[tuple[tuple[int, int], int]]:
    """List one hand of each of the 81 starting hands, and how many combos each has."""
    found = []
    for high in range(4, 13):
        found.append(((4 * high, 4 * high + 1), 6))
        for low in range(4, high):
            found += [((4 * high, 4 * low), 4), ((4 * high, 4 * low + 1), 12)]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_all_starting_hands_together_have_an_equal_share(game: Game) -> None:
    hands = starting_hands()
    cards = np.array([pair for pair, _ in hands], np.uint8)
    assert len(hands) == 81
    batch = answer_batch(cards, np.zeros((81, 0), np.uint8), 3, "cpu", game=game)
    for opponents in (1, 2, 3):
        whole = Fraction(0)
        for row, (pair, combos) in enumerate(hands):
            shares = batch.counts(row, opponents)
            equity = sum(Fraction(count, ties + 1) for ties, count in enumerate(shares))
            whole += Fraction(combos, 630) * equity / batch.outcomes[opponents - 1]
            if row % 27 == 0:  # as one spot, by another path
                spot = Spot((pair,), opponents, game=game)
                assert outcomes(spot) == [tuple(shares)]
        assert whole == Fraction(1, opponents + 1)


def test_the_largest_number_of_opponents() -> None:
    spot = Spot((hand("AsKs"),), 14, game=SHORT_DECK)
    found = answer(spot, EXACT)
    batch = answer_batch([hand("AsKs")], None, 14, "cpu", game=SHORT_DECK)
    assert batch.counts(0, 14) == list(outcomes(spot)[0])
    assert found.outcomes == 1_722_483_484_847_495_370_000


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("board", ["6s9hTd", "As8s7s6h", "9c9d9hTcTd"])
def test_board_equities(game: Game, board: str) -> None:
    cards = hand(board)
    one = board_equities(cards, 1, backend="cpu", game=game).equity
    two = board_equities(cards, 2, backend="cpu", game=game).equity
    live = game.combo_masks() & sum(1 << card for card in (*cards, *game.missing)) == 0
    assert not one[~live].any() and not two[~live].any()
    assert one[live].mean() == pytest.approx(1 / 2, abs=1e-12)
    assert two[live, 1].mean() == pytest.approx(1 / 3, abs=1e-12)
    assert np.allclose(one[:, 0], two[:, 0], atol=1e-12)


def test_ranges_before_the_flop_are_the_sum_of_their_hands() -> None:
    first, second = Range("AKs,66"), Range("QQ,T9s:0.5")
    spot = Spot((first, second), 0, game=SHORT_DECK)
    found = answer(spot, Options(method="exact", backend="cpu", by_hand=True, made_hands=True))
    cards = SHORT_DECK.combo_cards().tolist()
    wins = ties = whole = 0.0
    for one in np.flatnonzero(first.weights).tolist():
        for two in np.flatnonzero(second.weights).tolist():
            if {*cards[one]} & {*cards[two]}:
                continue
            pair = Spot((tuple(cards[one]), tuple(cards[two])), 0, game=SHORT_DECK)
            (win, tie), _ = outcomes(pair)
            weight = second.weights[two]
            wins, ties, whole = wins + weight * win, ties + weight * tie, whole + weight * pair.boards
    player = found.players[0]
    counts = player.win_outcomes, player.tie_outcomes[0], found.outcomes
    assert counts == pytest.approx((wins, ties, whole), rel=1e-12)
    assert found.made_hands is not None
    assert [*found.made_hands[0]] == [
        name for name in SHORT_DECK.categories if name in found.made_hands[0]
    ]


def test_two_random_hands_before_the_flop() -> None:
    spot = Spot((Range("random"), Range("random")), 0, game=SHORT_DECK_TRIPS)
    found = answer(spot, EXACT)
    assert found.players[0].equity_exact == Fraction(1, 2)
    assert found.outcomes == 630 * 561 * 201_376


@pytest.mark.parametrize(
    "spot",
    [
        Spot((hand("AsKs"),), 2, hand("QsJs6d"), game=SHORT_DECK),
        Spot((hand("6s6h"), Range("AK,TT+")), 0, game=SHORT_DECK_TRIPS),
        Spot((hand("As9s"), hand("7c7d")), 1, (), hand("AcAd"), game=SHORT_DECK),
    ],
)
def test_samples_are_near_the_exact_answer(spot: Spot) -> None:
    exact = answer(spot, EXACT)
    found = Sampling.of(spot, seed=7, backend="cpu").run(samples=200_000)
    for player, true in zip(found.players, exact.players, strict=True):
        assert player.standard_error is not None
        assert abs(player.equity - true.equity) < 5 * player.standard_error


def test_a_flop_report_sums_to_the_answer_before_the_flop() -> None:
    spot = Spot((hand("AsKs"), hand("QhQd")), 0, game=SHORT_DECK)
    report = report_boards(spot, "cpu")
    assert report.players[0].win_outcomes == 108_298 * 10
    assert not any(card < 16 for row in report.rows for card in row.cards)


def test_pairs_of_the_matrix() -> None:
    from gpuodds.games.shared.combos import combo_index

    wins, ties = HeadsUpMatrix(SHORT_DECK, hand("6s9hTd"), ()).on_cpu()
    one, two = combo_index(*hand("AsAh")), combo_index(*hand("7c8c"))
    assert (wins[one, two], wins[two, one], ties[one, two]) == (28, 369, 9)
    missing = [
        combo for combo, cards in enumerate(SHORT_DECK.combo_cards().tolist()) if min(cards) < 16
    ]
    assert not wins[missing].any() and not ties[:, missing].any()
    ranks = RankCombos(SHORT_DECK, np.array([hand("6s9hTdJcAs")], np.uint8)).on_cpu()
    assert not ranks[0, missing].any() and ranks.max() <= 1404
    assert np.count_nonzero(ranks) == len(list(combinations(range(31), 2)))


def test_what_counts_with_the_full_deck_is_refused() -> None:
    from gpuodds.errors import InputError

    with pytest.raises(InputError, match="short-deck: three-way counts"):
        ThreeWay(SHORT_DECK, 0).on_cpu()
    with pytest.raises(InputError, match="short-deck: histograms of equity"):
        AgainstRandom(SHORT_DECK, np.array([hand("6s9hTd")], np.uint8), True).on_cpu()
