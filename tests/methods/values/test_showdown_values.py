"""Showdown and fold values: against brute force over pairs and triples of hands, and equities."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuodds
from gpuodds import InputError, Range, fold_values, showdown_values
from gpuodds.basics.choices import GameName
from gpuodds.cards import parse_cards
from gpuodds.games import combo_index
from gpuodds.numbering import combo_cards

CARDS = combo_cards().astype(np.int64)
MASKS = (np.int64(1) << CARDS).sum(axis=1)
APART = MASKS[:, None] & MASKS == 0
# Nothing special, a pair, four of a suit, a full house, a straight flush that all share, low cards.
BOARDS = ["2c7d9h3d4s", "2c2d9hTs4s", "2s7s9sTsKd", "KcKdKh7s7d", "TsJsQsKsAs", "2c3c4d5d7h"]
boards = st.permutations(range(52)).map(lambda deck: tuple(deck[:5]))


def ranks_on(board: Any, game: GameName = "holdem") -> Any:
    """Return the rank of every combo, 0 for those that meet the board: by another way of counting."""
    cards = parse_cards(board) if isinstance(board, str) else board
    return gpuodds.rank_combos(np.array([cards]), game=game)[0].astype(np.int64)


def brute_force(reach: Any, ranks: Any, heroes: Any, showdown: bool, folded: int | None = None) -> Any:
    """Return the values of some hands, shape (players, heroes), by going through all others' hands."""
    players, values = len(reach), np.zeros((len(reach), len(heroes)))
    weights = np.where(ranks > 0, reach, 0)
    for place, hero in enumerate(heroes):
        if ranks[hero] == 0:
            continue
        won, tied = (ranks < ranks[hero]).astype(float), (ranks == ranks[hero]).astype(float)
        if players == 2:
            shares = won + tied / 2
            factors = np.where(APART[hero], 2 * shares - 1 if showdown else 1, 0)
            values[0, place], values[1, place] = factors @ weights[1], factors @ weights[0]
            continue
        ties = np.multiply.outer(won, tied)
        shares = np.multiply.outer(won, won) + (ties + ties.T) / 2 + np.multiply.outer(tied, tied) / 3
        dealt = APART & APART[hero][:, None] & APART[hero]
        factors = np.where(dealt, np.rint(6 * shares - 2) / 2 if showdown else 1, 0)
        against_one = np.where(dealt, 3 * (won + tied / 2)[:, None] - 1, 0)
        for player in range(3):
            one, other = ((player + step) % 3 for step in (1, 2))
            of = factors
            if folded is not None:
                of = -1.0 * dealt if player == folded else against_one
                of = of.T if one == folded else of
            values[player, place] = weights[one] @ of @ weights[other]
    return values


def whole(players: int, *batch: int, dtype: Any = np.float64, seed: int = 0) -> Any:
    """Return whole numbers as weights, a quarter of them 0."""
    return np.random.default_rng(seed).integers(0, 4, (*batch, players, 1326)).astype(dtype)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("players", [2, 3])
def test_brute_force(board: str, players: int) -> None:
    reach, ranks = whole(players), ranks_on(board)
    heroes = np.random.default_rng(1).permutation(1326)[: 1326 if players == 2 else 12]
    expected = brute_force(reach, ranks, heroes, True)
    assert np.array_equal(showdown_values(board, reach)[:, heroes], expected)
    expected = brute_force(reach, ranks, heroes, False)
    assert np.array_equal(fold_values(reach, board)[:, heroes], expected)


@pytest.mark.parametrize("folded", [0, 1, 2])
@pytest.mark.parametrize("board", BOARDS[::2])
def test_one_of_three_has_folded(board: str, folded: int) -> None:
    reach, ranks = whole(3), ranks_on(board)
    heroes = np.random.default_rng(folded).permutation(1326)[:12]
    expected = brute_force(reach, ranks, heroes, True, folded)
    assert np.array_equal(showdown_values(board, reach, folded=folded)[:, heroes], expected)


@pytest.mark.parametrize(("players", "folded"), [(2, 0), (3, 3), (3, -1)])
def test_wrong_folded_players(players: int, folded: int) -> None:
    with pytest.raises(
        InputError, match=f"folded {folded}: expected the place of one of three players"
    ):
        showdown_values(BOARDS[0], whole(players), folded=folded)


@given(boards, st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_any_board(board: tuple[int, ...], seed: int) -> None:
    reach = whole(2, seed=seed)
    expected = brute_force(reach, ranks_on(board), np.arange(1326), True)
    assert np.array_equal(showdown_values(board, reach), expected)


@given(boards, st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_what_is_won_is_lost(board: tuple[int, ...], seed: int) -> None:
    for players in (2, 3):
        reach = whole(players, seed=seed)
        assert (reach * showdown_values(board, reach)).sum() == 0
        dealt = (reach * fold_values(reach, board)).sum(axis=1)
        assert len({*dealt.tolist()}) == 1  # the weight of all deals, whoever is asked


@given(boards, st.permutations(range(4)), st.sampled_from([2, 3]))
@settings(max_examples=15, deadline=None)
def test_suits_renamed(board: tuple[int, ...], names: list[int], players: int) -> None:
    reach = whole(players)
    new = np.array([4 * (card >> 2) + names[card & 3] for card in range(52)])
    renamed = [combo_index(*map(int, pair)) for pair in new[CARDS]]
    moved = np.empty_like(reach)
    moved[:, renamed] = reach
    values = showdown_values([int(new[card]) for card in board], moved)
    assert np.array_equal(values[:, renamed], showdown_values(board, reach))


@pytest.mark.parametrize("order", [*permutations(range(3))][1:])
def test_players_permuted(order: tuple[int, ...]) -> None:
    reach = whole(3)
    assert np.array_equal(
        showdown_values(BOARDS[0], reach[[*order]]), showdown_values(BOARDS[0], reach)[[*order]]
    )


def exact(player: gpuodds.PlayerEquity) -> Fraction:
    assert player.equity_exact is not None
    return player.equity_exact


@pytest.mark.parametrize("texts", [("QQ+,AK", "22+,A2s+"), ("random", "random"), ("AA", "KK")])
def test_equities(texts: tuple[str, str]) -> None:
    reach = np.array([Range(text).weights for text in texts])
    answer = gpuodds.equity([*texts], board="2c7d9h3d4s")
    won = (reach[0] * showdown_values("2c7d9h3d4s", reach)[0]).sum()
    dealt = (reach[0] * fold_values(reach, "2c7d9h3d4s")[0]).sum()
    assert dealt == answer.outcomes
    assert won == (2 * exact(answer.players[0]) - 1) * dealt


def test_equities_of_three() -> None:
    texts = ["QQ+,AK", "77,98s,A2s", "random"]
    reach = np.array([Range(text).weights for text in texts])
    answer = gpuodds.equity(texts, board="2c7d9h3d4s")
    values, folds = showdown_values("2c7d9h3d4s", reach), fold_values(reach, "2c7d9h3d4s")
    for player in range(3):
        won, dealt = ((reach[player] * of[player]).sum() for of in (values, folds))
        assert dealt == answer.outcomes
        assert won == (3 * exact(answer.players[player]) - 1) * dealt


@pytest.mark.parametrize("game", ["short-deck", "short-deck-trips"])
def test_short_deck(game: GameName) -> None:
    reach, board = whole(2), "6c7d9hTdJs"
    ranks = ranks_on(board, game)
    expected = brute_force(reach, ranks, np.arange(1326), True)
    assert np.array_equal(showdown_values(board, reach, game=game), expected)
    in_deck = CARDS[:, 0] >= 16
    expected = brute_force(reach * in_deck, in_deck.astype(int), np.arange(1326), False)
    assert np.array_equal(fold_values(reach, game=game), expected)
    with pytest.raises(InputError, match=r"2c: short-deck.* has cards from 6 to A"):
        showdown_values("2c7d9hTdJs", reach, game=game)


@pytest.mark.parametrize("players", [2, 3])
def test_batches(players: int) -> None:
    reach = whole(players, 7, dtype=np.float32)
    one_by_one = [showdown_values(BOARDS[0], item) for item in reach]
    assert np.array_equal(showdown_values(BOARDS[0], reach), one_by_one)
    texts = [BOARDS[place] for place in (3, 0, 3, 1, 0, 0, 5)]
    one_by_one = [showdown_values(board, item) for board, item in zip(texts, reach, strict=True)]
    assert np.array_equal(showdown_values(texts, reach), one_by_one)
    numbers = np.array([parse_cards(text)[::-1] for text in texts])
    assert np.array_equal(showdown_values(numbers, reach), one_by_one)
    assert np.array_equal(showdown_values(numbers.tolist(), reach), one_by_one)
    folds = [fold_values(item, "2c7d9h") for item in reach]
    assert np.array_equal(fold_values(reach, "2c7d9h"), folds)


@pytest.mark.parametrize("threads", ["1", "2", "5"])
def test_threads(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reach = np.random.default_rng(0).random((1000, 2, 1326))
    expected = showdown_values(BOARDS[0], reach)
    monkeypatch.setenv("GPUODDS_THREADS", threads)
    assert np.array_equal(showdown_values(BOARDS[0], reach), expected)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_out(players: int, dtype: Any) -> None:
    reach = whole(players, 3, dtype=dtype)
    for function in (lambda x, **to: showdown_values(BOARDS[1], x, **to), fold_values):
        expected = function(reach)
        assert expected.dtype == dtype and expected.shape == reach.shape
        out = np.full_like(reach, np.nan)
        assert function(reach, out=out) is out
        assert np.array_equal(out, expected)
        same = reach.copy()
        assert np.array_equal(function(same, out=same), expected)
        memory = np.zeros(reach.size + 1326, dtype)
        memory[: reach.size] = reach.ravel()
        moved = memory[1326:].reshape(reach.shape)
        function(memory[: reach.size].reshape(reach.shape), out=moved)
        assert np.array_equal(moved, expected)


def test_strided_arrays_and_lists() -> None:
    reach = whole(2)
    values = showdown_values(BOARDS[0], reach)
    assert np.array_equal(showdown_values(BOARDS[0], np.asfortranarray(reach)), values)
    assert np.array_equal(showdown_values(BOARDS[0], np.repeat(reach, 2, axis=1)[:, ::2]), values)
    assert np.array_equal(showdown_values(BOARDS[0], reach.tolist()), values)


class Tensor:
    """An array of another library, which speaks DLPack and nothing else."""

    def __init__(self, array: Any, device: int = 1) -> None:
        self.array, self.device = array, device
        self.shape = array.shape

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device, 0


def test_dlpack() -> None:
    reach, out = whole(2), np.empty((2, 1326))
    values = showdown_values(BOARDS[0], Tensor(reach))
    assert isinstance(values, np.ndarray)
    assert np.array_equal(values, showdown_values(BOARDS[0], reach))
    tensor = Tensor(out)
    assert showdown_values(BOARDS[0], Tensor(reach), out=tensor) is tensor
    assert np.array_equal(out, values)
    with pytest.raises(InputError, match="in the memory of the CPU or of an NVIDIA GPU"):
        showdown_values(BOARDS[0], Tensor(reach, device=10))


@pytest.mark.parametrize("players", [2, 3])
def test_few_hands(players: int) -> None:
    nothing = np.zeros((players, 1326))
    assert not showdown_values(BOARDS[0], nothing).any() and not fold_values(nothing).any()
    one = nothing.copy()
    one[:, combo_index(*parse_cards("AsAh"))] = 1  # all hold the same hand: no deal
    assert not (one * showdown_values(BOARDS[0], one)).any()
    assert not (one * fold_values(one)).any()
    dead = nothing.copy()
    dead[:, [combo_index(*parse_cards(hand)) for hand in ("2cAs", "7d9h")]] = 5  # on the board
    assert not showdown_values(BOARDS[0], dead).any() and not fold_values(dead, BOARDS[0]).any()


def test_three_who_tie() -> None:
    reach = np.zeros((3, 1326))
    hands = [combo_index(*parse_cards(hand)) for hand in ("AcKc", "AdKd", "AhKh", "2c3d")]
    reach[0, hands[0]], reach[1, hands[1]], reach[2, hands[2:]] = 1, 2, [3, 5]
    values = showdown_values("QsJd9h7c5s", reach)
    # Shares are 1/3 with two alike, 1/2 with one of them: 3/2 - 1 of a pot of one unit a player.
    assert values[0, hands[0]] == 0.5 * 2 * 5 and values[1, hands[1]] == 0.5 * 5
    assert values[2, hands[2]] == 0 and values[2, hands[3]] == -1 * 2


def test_kuhn_poker() -> None:
    """Three cards, J, Q and K, as hands of 1,326: the game's value and equilibrium come out.

    Kuhn (1950): the first player bets jacks with the chance a, kings with 3 a, and calls with queens
    with the chance a + 1/3; the second bets jacks and calls with queens with the chance 1/3. The game
    is worth -1/18.
    """
    board = "2c2d7h8s9c"
    jack, queen, king = (combo_index(*parse_cards(cards)) for cards in ("JcJd", "QcQd", "KcKd"))
    hands = [jack, queen, king]
    for a in (0.0, 0.2, 1 / 3):
        bet, call = np.array([a, 0, 3 * a]), np.array([0, a + 1 / 3, 1])
        raised, called = np.array([1 / 3, 0, 1]), np.array([0, 1 / 3, 1])

        def weighed(first: Any, second: Any, values: Any) -> float:
            reach = np.zeros((2, 1326))
            reach[0, hands], reach[1, hands] = first, second
            return float((reach[0] * values(reach)[0]).sum())

        def showdown(first: Any, second: Any) -> float:
            return weighed(first, second, lambda reach: showdown_values(board, reach))

        def fold(first: Any, second: Any) -> float:
            return weighed(first, second, lambda reach: fold_values(reach, board))

        ones = np.ones(3)
        value = 2 * showdown(bet, called) + fold(bet, ones - called)
        value += showdown(ones - bet, ones - raised)
        value += 2 * showdown((ones - bet) * call, raised) - fold((ones - bet) * (1 - call), raised)
        assert value / 6 == pytest.approx(-1 / 18, abs=1e-12)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.zeros((2, 1326), int), "reach: expected float32 or float64, found int64"),
        (np.zeros((4, 1326)), r"reach: expected the shape \(players, 1326\) or .* found \(4, 1326\)"),
        (np.zeros((2, 1225)), r"found \(2, 1225\)"),
        (np.zeros(1326), r"found \(1326,\)"),
        ("AA", "reach: expected float32 or float64"),
        ([[1.0], [1.0, 2.0]], "reach: expected an array of numbers"),
    ],
)
def test_wrong_reach(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        showdown_values(BOARDS[0], given)
    with pytest.raises(InputError, match=message):
        fold_values(given)


@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf, -np.inf, -1e-300])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_wrong_weights(wrong: float, dtype: Any) -> None:
    reach = whole(2, 3, dtype=np.float64)
    reach[2, 1, 17] = wrong
    reach = reach.astype(dtype)
    if dtype == np.float32 and wrong == -1e-300:
        showdown_values(BOARDS[0], reach)  # -0.0
        return
    with pytest.raises(
        InputError, match="reach: player 1, combo 17 of item 2: expected a weight from 0"
    ):
        showdown_values(BOARDS[0], reach)
    with pytest.raises(InputError, match="reach: player 1, combo 17: expected a weight from 0"):
        fold_values(reach[2])


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ("2c7d9h", "board 2c7d9h: expected five cards"),
        ("2c7d9h3d2c", "2c"),
        ("2c7d9h3d4s5s", "expected at most 5 cards"),
        ("2c7d9h3dXx", "Xx"),
        (["2c7d9h3d4s"] * 2, "2 boards and 3 items of reach: expected a board for each"),
        (np.zeros((3, 5), int), "board: row 0: a hand cannot hold a card twice"),
        (np.full((3, 5), 52), "board: row 0: expected card numbers from 0 to 51, found 52"),
        (np.zeros((3, 4), int), r"board: expected an array of shape \(n, 5\)"),
    ],
)
def test_wrong_boards(board: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        showdown_values(board, whole(2, 3))


@pytest.mark.parametrize(
    "out", [np.empty((2, 1326), np.float32), np.empty((1, 2, 1326)), np.empty((2, 2652))[:, ::2]]
)
def test_wrong_out(out: Any) -> None:
    with pytest.raises(InputError, match="out: expected a"):
        showdown_values(BOARDS[0], whole(2), out=out)


def test_out_that_cannot_be_written() -> None:
    out = np.empty((2, 1326))
    out.flags.writeable = False
    with pytest.raises(InputError, match="out: expected a contiguous array that can be written to"):
        fold_values(whole(2), out=out)


def test_games_with_more_hole_cards() -> None:
    with pytest.raises(InputError, match="game omaha: expected a game with two hole cards"):
        showdown_values(BOARDS[0], whole(2), game="omaha")
