"""Count the made hands and draws of a range, by street."""

from __future__ import annotations

from math import comb

import numpy as np
import numpy.typing as npt

from gpuodds.basics.choices import GameName
from gpuodds.cards import format_cards
from gpuodds.errors import InputError
from gpuodds.games.catalog import find_game
from gpuodds.games.game import OMAHA_FAMILY, Game
from gpuodds.games.holdem.game import HOLDEM, Holdem, as_holdem
from gpuodds.games.holdem.hits import FLOP, hit_codes
from gpuodds.games.omaha.hits import omaha_hit_codes
from gpuodds.games.shared.combos import suit_relabellings
from gpuodds.games.shared.hit_names import CODES
from gpuodds.games.shared.symmetry import renamings_of_cards, weighted_boards
from gpuodds.results.reports.range_hits import RangeHits, StreetHits
from gpuodds.spots.hands import Cards, check_cards, read_cards
from gpuodds.spots.players import Player, read_players
from gpuodds.spots.ranges.range import Range

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

AT_ONCE = 1 << 19  # boards times combos that are classified at once


def range_hits(
    hands: Player, *, board: Cards = "", dead: Cards = "", game: GameName | Game = HOLDEM
) -> RangeHits:
    """Return the made hands and draws of a range, by street.

    Combos with a board or dead card are left out, on every street.

    Args:
        hands: A range (``"QQ+,AK"`` or a :class:`gpuodds.Range`), or a hand.
        board: No cards, for all flops, or three to five cards in order: the flop, the turn, the river.
            In Omaha a board is needed.
        dead: Cards out of play.
        game: The game, or its name.

    Returns:
        The combos and shares of each made hand and draw, on each street that the board reaches.
        Without a board, exactly over all flops: each combo counts once for each flop that leaves it.

    Raises:
        InputError: A text cannot be read, there is more than one hand or range, a card is repeated, the
            board has one or two cards, or in Omaha none.

    Example:
        >>> turn = range_hits("15%", board="2s7dKhTh").streets[1]
        >>> turn.made["top pair"].combos, turn.draws["flush draw"].combos
        (39, 8)
    """
    played = find_game(game)
    dealt, out = read_streets(board, played), read_cards(dead)
    check_cards(played, dealt, out)
    hand_range = _read_range(hands, played)
    removed = sum(1 << card for card in (*dealt, *out))
    numbers = np.flatnonzero(np.where(played.combo_masks() & removed == 0, hand_range.weights, 0.0))
    weights = hand_range.weights[numbers]
    if dealt:
        ends = range(FLOP, len(dealt) + 1)
        streets = tuple(_one_board(played, dealt[:end], out, numbers, weights) for end in ends)
    else:
        streets = (_all_flops(as_holdem(played), out, numbers, weights),)
    (combos,) = _exact(np.array([weights.sum()]), weights).tolist()
    return RangeHits(hand_range.name, played, dealt, out, combos, streets)


def read_streets(board: Cards, game: Game) -> tuple[int, ...]:
    """Return the cards of a board on which hits are counted: a flop, turn or river, or no card.

    Raises:
        InputError: A card cannot be read, or there are one or two, or in Omaha none.
    """
    dealt = read_cards(board)
    if game.family == OMAHA_FAMILY and not dealt:
        raise InputError(
            f"made hands and draws in {game.name}: expected a board of three to five cards"
        )
    if 0 < len(dealt) < FLOP:
        raise InputError(
            f"board {format_cards(dealt)}: expected no cards, or three to five, found {len(dealt)}"
        )
    return dealt


def _read_range(hands: Player, game: Game) -> Range:
    players = read_players(hands, game, "range")
    if len(players) > 1:
        raise InputError(f"{len(players)} hands or ranges: expected one")
    (player,) = players
    return Range.of_combos([player], game=game) if isinstance(player, tuple) else player


def _one_board(
    game: Game, board: tuple[int, ...], dead: tuple[int, ...], numbers: Ints, weights: Floats
) -> StreetHits:
    if game.family == OMAHA_FAMILY:
        codes = omaha_hit_codes(board, numbers, game, dead)
    else:
        codes = hit_codes(np.array([board], np.uint8), numbers, as_holdem(game), dead)[0]
    sums: Floats = np.bincount(codes, weights, CODES).astype(np.float64)  # of no combos: integers
    return StreetHits.of(game, board, 1, _exact(sums, weights), (numbers, weights, codes))


def _all_flops(game: Holdem, dead: tuple[int, ...], numbers: Ints, weights: Floats) -> StreetHits:
    """Count on one flop of each class under the renamings of the suits that keep the dead cards.

    What a combo has on another flop of the class, the renamed combo has on the one that is visited: so
    each combo counts with the sum of the weights of its renamings, divided by their number.
    """
    gone = (*dead, *game.missing)
    group = renamings_of_cards(gone)
    flops, sizes = weighted_boards((), gone, group, FLOP)
    by_combo = np.zeros(game.combos)
    by_combo[numbers] = weights
    renamed = by_combo[suit_relabellings()[group]].sum(axis=0)
    combos = np.flatnonzero(renamed)
    sums = np.zeros(CODES + 1)  # the last is for combos with a card of the flop
    step = max(1, AT_ONCE // max(1, len(combos)))
    for begin in range(0, len(flops), step):
        codes = hit_codes(flops[begin : begin + step], combos, game, dead)
        each = sizes[begin : begin + step, None] * renamed[combos]
        sums += np.bincount(codes.ravel(), each.ravel(), CODES + 1)
    sums /= len(group)  # integers below 2^53 stay exact
    flops_left = comb(game.deck_size - len(dead) - game.hole_cards, FLOP)
    return StreetHits.of(game, (), flops_left, _exact(sums[:CODES], weights), (numbers, weights, None))


def _exact(sums: Floats, weights: Floats) -> Ints | Floats:
    """Return sums of weights as integers if all weights are 1: below 2^53 they are exact."""
    return sums.astype(np.int64) if bool((weights == 1.0).all()) else sums
