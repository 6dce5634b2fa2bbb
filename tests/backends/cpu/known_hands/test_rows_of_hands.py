"""Rows of known hands, together and against a random one, by brute force: every board is ranked."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.backends.cpu.known_hands.hands_together import count_hands, count_spot
from gpuodds.backends.cpu.known_hands.rows import count_one_opponent
from gpuodds.backends.operations.known_hands import HandsVersusHands, UnbeatenDeals
from gpuodds.games.holdem.game import HOLDEM, Holdem
from gpuodds.games.short_deck.game import SHORT_DECK
from gpuodds.methods.hands.evaluate import rank_combos, rank_hands

GAMES = pytest.mark.parametrize("game", [HOLDEM, SHORT_DECK], ids=str)
SUITED = [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48]  # clubs


def draw(rows: int, players: int, on_board: int, dead: int, game: Holdem) -> tuple[Any, Any, Any]:
    """Draw rows, every third with the clubs first: most of these hands may have flushes."""
    drawn = np.random.default_rng(rows + 7 * players + 100 * on_board)
    cards = [card for card in range(52) if card not in game.missing]
    decks = np.array([drawn.permutation(cards) for _ in range(rows)], np.uint8)
    size = 2 * players + on_board + dead
    for row in range(0, rows, 3):
        clubs = [card for card in SUITED if card in cards]
        some = drawn.permutation([*drawn.permutation(clubs)[:6], *decks[row][decks[row] % 4 > 0]])
        decks[row, :size] = some[:size] if row % 2 else drawn.permutation(some[:size])
    hands, board, out = np.split(decks[:, :size], [2 * players, 2 * players + on_board], axis=1)
    return hands.reshape(rows, players, 2).copy(), board.copy(), out.copy()


def winners_by_brute_force(hands: Any, board: Any, dead: Any, game: Holdem) -> dict[int, int]:
    """Count the boards of a spot by the set of hands that win."""
    gone = {*hands.ravel().tolist(), *board.tolist(), *dead.tolist(), *game.missing}
    deck = [card for card in range(52) if card not in gone]
    more = list(combinations(deck, 5 - len(board)))
    boards = np.hstack(
        [np.tile(board, (len(more), 1)), np.array(more, np.uint8).reshape(len(more), -1)]
    )
    ranks = []
    for hand in hands:
        cards = np.hstack([np.tile(hand, (len(boards), 1)), boards]).astype(np.uint8)
        ranks.append(rank_hands(cards, game=game))
    best = np.max(ranks, axis=0)
    masks = sum((rank == best).astype(np.int64) << player for player, rank in enumerate(ranks))
    found, counts = np.unique(masks, return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))


@GAMES
@pytest.mark.parametrize("players", [1, 2, 3, 4, 6])
@pytest.mark.parametrize(("on_board", "dead"), [(3, 0), (3, 2), (4, 1), (5, 0), (2, 1)])
def test_hands_together(players: int, on_board: int, dead: int, game: Holdem) -> None:
    rows = draw(3 if on_board == 2 else 40, players, on_board, dead, game)
    found = count_hands(*rows, game)
    assert found.shape == (len(rows[0]), 2**players - 1) and found.dtype == np.int32
    for row, (hands, board, out) in enumerate(zip(*rows, strict=True)):
        expected = winners_by_brute_force(hands, board, out, game)
        by_mask = {mask: n for mask, n in enumerate(found[row].tolist(), 1) if n}
        assert by_mask == expected
        assert count_spot(hands.tolist(), board.tolist(), out.tolist(), game) == expected


@pytest.mark.parametrize("players", [10, 11, 16, 17, 21])
def test_many_hands_of_one_spot(players: int) -> None:
    """Of more than ten hands the sets that win are listed; of more than sixteen a mask has 32 bits."""
    for hands, board, out in zip(*draw(6, players, 3, 0, HOLDEM), strict=True):
        found = count_spot(hands.tolist(), board.tolist(), out.tolist(), HOLDEM)
        assert found == winners_by_brute_force(hands, board, out, HOLDEM)


def test_three_hands_before_the_flop() -> None:
    """Two hands win a board together with a third hand only if they do where its cards are dead."""
    hands = [(51, 47), (42, 41)]
    assert sum(count_spot(hands, (), (), HOLDEM).values()) == comb(48, 5)
    thirds = [pair for pair in combinations(range(52), 2) if not {*pair} & {51, 47, 42, 41}]
    rows = np.array([[*hands, pair] for pair in thirds[::40]], np.uint8)
    nothing = np.zeros((len(rows), 0), np.uint8)
    counts = HandsVersusHands(HOLDEM, rows, nothing, nothing).on_cpu()
    assert (counts.sum(axis=1) == comb(46, 5)).all()
    dead = HandsVersusHands(HOLDEM, rows[:, :2], nothing, rows[:, 2]).on_cpu()
    first, second, both = (counts[:, [mask - 1, (mask | 4) - 1]].sum(axis=1) for mask in (1, 2, 3))
    assert (dead.sum(axis=1) == comb(46, 5)).all()
    # With the third hand's cards dead, one of the two is best or the third one beats them all.
    beaten = counts[:, 3]
    assert ((first + second + both + beaten) == comb(46, 5)).all()
    assert (dead[:, 0] >= first).all() and (dead[:, 1] >= second).all() and (dead[:, 2] >= both).all()


@GAMES
@pytest.mark.parametrize("on_board", [3, 4, 5])
def test_against_a_random_hand(on_board: int, game: Holdem) -> None:
    hands, boards, _ = draw(12, 1, on_board, 0, game)
    found = count_one_opponent(hands[:, 0], boards, game)
    for row, (hand, board) in enumerate(zip(hands[:, 0], boards, strict=True)):
        gone = {*hand.tolist(), *board.tolist(), *game.missing}
        deck = [card for card in range(52) if card not in gone]
        more = np.array(list(combinations(deck, 5 - on_board)), np.uint8)
        full = np.hstack([np.tile(board, (len(more), 1)), more.reshape(len(more), -1)]).astype(np.uint8)
        high, low = max(hand.tolist()), min(hand.tolist())
        ranks = rank_combos(full, game=game).astype(int)
        own = ranks[:, high * (high - 1) // 2 + low]
        others = [b * (b - 1) // 2 + a for a, b in combinations(range(52), 2) if not {a, b} & gone]
        theirs = ranks[:, others]
        beat, tie = (theirs > own[:, None]).sum(), ((theirs == own[:, None]) & (theirs > 0)).sum()
        assert found[row].tolist() == [len(full), beat, tie]


@pytest.mark.parametrize("on_board", [0, 3, 4, 5])
def test_a_row_is_as_its_spot_alone(on_board: int) -> None:
    hands, boards, _ = draw(2 if on_board == 0 else 50, 1, on_board, 0, HOLDEM)
    counts = UnbeatenDeals(HOLDEM, hands[:, 0], boards, 1).on_cpu()
    answers = gpuodds.equities(hands, boards=boards, opponents=1)
    for row, (hand, board) in enumerate(zip(hands[:, 0].tolist(), boards.tolist(), strict=True)):
        alone = gpuodds.equity([tuple(hand)], board=board, opponents=1, table=False).players[0]
        win, tie = counts[row, 0, :, 0].tolist()
        assert (win, tie) == (alone.win_outcomes, alone.tie_outcomes[0])
        assert answers[row].players[0].equity_exact == alone.equity_exact


def test_no_rows() -> None:
    nothing = np.zeros((0, 3), np.uint8)
    assert count_hands(np.zeros((0, 3, 2), np.uint8), nothing, nothing, HOLDEM).shape == (0, 7)
    assert count_one_opponent(np.zeros((0, 2), np.uint8), nothing, HOLDEM).shape == (0, 3)
