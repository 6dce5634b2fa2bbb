"""Short deck on the CUDA backend: the integers of the CPU backend."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.operation import Counts, Operation
from gpuodds.backends.operations.against_random import AgainstRandom
from gpuodds.backends.operations.heads_up_matrix import HeadsUpMatrix
from gpuodds.backends.operations.known_hands import ThreatMatchings, UnbeatenDeals
from gpuodds.backends.operations.range_showdowns import RangeShowdowns
from gpuodds.backends.operations.ranks import RankCards, RankCombos
from gpuodds.backends.operations.samples import SampleDeals, SamplePairs
from gpuodds.cards import parse_cards
from gpuodds.errors import InputError
from gpuodds.games.game import Game
from gpuodds.games.shared.draws import plan_draws
from gpuodds.games.shared.symmetry import weighted_boards
from gpuodds.games.short_deck.game import SHORT_DECK, SHORT_DECK_TRIPS
from gpuodds.spots.ranges.range import Range
from gpuodds.spots.spot import Spot

GAMES = pytest.mark.parametrize("game", (SHORT_DECK, SHORT_DECK_TRIPS))
FLOP = np.array([parse_cards("6s9hTd"), parse_cards("As8s7s")], np.uint8)


def hand(text: str) -> Any:
    return parse_cards(text)


def both(operation: Operation[Counts]) -> tuple[Counts, Counts]:
    ours = CudaBackend().count(operation)
    assert ours.backend == "cuda"
    return ours.counts, operation.on_cpu()


def without_zeros(counts: Any, most: int) -> Any:
    return {
        winners: {key: ways for key, ways in sums.items() if ways and key[1] <= most}
        for winners, sums in counts.items()
    }


@GAMES
@pytest.mark.parametrize(
    ("hands", "board", "opponents"),
    [(["AsKs"], "6s9hTd", 1), (["As9s"], "8s7s6s", 3), (["AhAd", "9c8c"], "6s9hTdTc", 2)],
)
def test_matchings(cuda: Any, game: Game, hands: list[str], board: str, opponents: int) -> None:
    known: Any = tuple(map(parse_cards, hands))
    spot = Spot(known, opponents, parse_cards(board), game=game)
    (ours,), (theirs,) = both(ThreatMatchings([spot], opponents))
    assert without_zeros(ours, opponents) == without_zeros(theirs, opponents)


@GAMES
def test_deals_of_many_hands(cuda: Any, game: Game) -> None:
    hands = np.array([parse_cards("AsKs"), parse_cards("7c6d")], np.uint8)
    ours, theirs = both(UnbeatenDeals(game, hands, FLOP, 3))
    assert np.array_equal(ours, theirs)


@GAMES
def test_ranks(cuda: Any, game: Game) -> None:
    cards = np.array([parse_cards("AsKs6h7d8c9cJd"), parse_cards("AsAhAd6h7d8c9c")], np.uint8)
    ours, theirs = both(RankCards(game, cards))
    assert np.array_equal(ours, theirs)
    ours, theirs = both(RankCombos(game, cards[:, 2:].copy()))
    assert np.array_equal(ours, theirs)


@GAMES
def test_pairs_of_combos(cuda: Any, game: Game) -> None:
    board = [*FLOP[0].tolist(), 20]
    for ours, theirs in zip(*both(HeadsUpMatrix(game, board, ())), strict=True):
        assert np.array_equal(ours, theirs)


@GAMES
@pytest.mark.parametrize("players", [2, 3])
def test_showdowns(cuda: Any, game: Game, players: int) -> None:
    ranges = (Range("TT+,AK"), Range("66,77,98s,A9"), Range("A6s+,KQ"))[:players]
    spot = Spot(ranges, 0, parse_cards("6s9hTd8s"), game=game)
    boards, times = weighted_boards(spot.board, spot.removed, spot.suit_group)
    given = spot.all_weights, boards, times, range(players), True
    ours, theirs = both(RangeShowdowns(game, *given))
    assert np.array_equal(ours.by_winners, theirs.by_winners)
    assert ours.by_category is not None and theirs.by_category is not None
    assert np.array_equal(ours.by_category, theirs.by_category)


@GAMES
def test_samples(cuda: Any, game: Game) -> None:
    spot = Spot((Range("TT+,AK"), hand("6s6h")), 1, game=game)
    given = plan_draws(spot.weights), 1, (), (), 3, 0, 200
    ours, theirs = both(SampleDeals(game, *given))
    assert np.array_equal(ours[0], theirs[0]) and ours[1] == theirs[1]
    known = plan_draws(Spot((hand("AsKs"),), 2, game=game).weights), 2, (), (), 3, 0, 200
    ours_in_pairs, theirs_in_pairs = both(SamplePairs(game, *known))
    assert np.array_equal(ours_in_pairs, theirs_in_pairs)


@GAMES
@pytest.mark.parametrize("board", ["6s9hTd", "As8s7sTd", "As8s7sTd9h"])
def test_every_combo_against_a_random_one(cuda: Any, game: Any, board: str) -> None:
    ours, theirs = both(AgainstRandom(game, np.array([hand(board)], np.uint8), False))
    for one, other in zip(ours, theirs, strict=True):
        assert np.array_equal(one, other)
    with pytest.raises(InputError, match="expected a game of 52 cards"):
        CudaBackend().count(AgainstRandom(game, FLOP, True))
