"""Deals of two boards by chance, where counting takes too long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from time import monotonic

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.errors import ImpossibleDeal
from gpuodds.methods.double_boards.ranks import card_sets, rank_rows
from gpuodds.methods.options import DEFAULT_ERROR, DEFAULT_SECONDS, SamplingOptions
from gpuodds.results.player_equity import PlayerEquity
from gpuodds.results.result import split_boards
from gpuodds.spots.double_board import DoubleBoardSpot
from gpuodds.spots.spot import HeldHands

UInt8s = npt.NDArray[np.uint8]

BATCH = 100_000


@dataclass(frozen=True)
class DoubleBoardSamples:
    """Sampled deals.

    Attributes:
        winners: Deals by the winners on each board, masks of the players.
        samples: The number of deals.
        backend: The backend that ranked the hands.
    """

    winners: Mapping[tuple[int, int], int]
    samples: int
    backend: str

    def boards(self, names: tuple[str, ...]) -> tuple[tuple[PlayerEquity, ...], ...]:
        """Return each player's counts on each board alone.

        Args:
            names: The players' names.
        """
        answers = []
        for place in range(2):
            masks: Counter[int] = Counter()
            for key, count in self.winners.items():
                masks[key[place]] += count
            answers.append(tuple(map(self._with_error, split_boards(names, masks))))
        return tuple(answers)

    def _with_error(self, player: PlayerEquity) -> PlayerEquity:
        squares = player.win_outcomes + sum(
            count / (others + 1) ** 2 for others, count in enumerate(player.tie_outcomes, 1)
        )
        variance = max(squares / self.samples - player.equity**2, 0.0)
        error = sqrt(variance / self.samples)
        return PlayerEquity(player.hand, self.samples, player.win_outcomes, player.tie_outcomes, error)


def sample_deals(
    spot: DoubleBoardSpot, options: SamplingOptions, backend: str, progress: Progress | None
) -> DoubleBoardSamples:
    """Draw deals until the first limit is met.

    Args:
        spot: The spot.
        options: The limits, and the seed.
        backend: The backend that ranks the hands.
        progress: Called with the fraction done, 0 to 1.

    Raises:
        ImpossibleDeal: No hand of one range leaves the other one a hand.
    """
    _check_ranges(spot.single[0].held)
    draw = np.random.default_rng(options.seed)
    begun, winners, samples, name = monotonic(), Counter[tuple[int, int]](), 0, "cpu"
    most, seconds, error = options.samples, options.time_limit, options.standard_error
    if not options.is_limited:
        error = DEFAULT_ERROR
        seconds = DEFAULT_SECONDS if options.seed is None else None
    done = 0.0
    while done < 1:
        batch = BATCH if most is None else min(BATCH, most - samples)
        drawn, name = _draw(spot, batch, draw, backend)
        winners.update(drawn)
        samples += sum(drawn.values())
        shares = [0.0]
        if most is not None:
            shares.append(samples / most)
        if seconds is not None:
            shares.append((monotonic() - begun) / seconds)
        if error is not None:
            shares.append((error / max(_error(winners, samples, len(spot.hands)), 1e-9)) ** 2)
        done = max(shares)
        if progress is not None:
            progress(min(done, 1.0))
    return DoubleBoardSamples(dict(sorted(winners.items())), samples, name)


def _check_ranges(held: tuple[HeldHands, ...]) -> None:
    """Refuse two ranges of which each hand blocks all of the other one's."""
    first, second = (card_sets(player.cards) for player in held[:2])
    if not any(bool(((second & hand) == 0).any()) for hand in first):
        raise ImpossibleDeal


def _error(winners: Mapping[tuple[int, int], int], samples: int, players: int) -> float:
    """Return the largest standard error of a player's scoop."""
    shares = [winners.get((1 << place, 1 << place), 0) / samples for place in range(players)]
    return max(sqrt(max(share * (1 - share), 1 / samples) / samples) for share in shares)


def _draw(
    spot: DoubleBoardSpot, batch: int, draw: np.random.Generator, backend: str
) -> tuple[Counter[tuple[int, int]], str]:
    """Return the winners of about ``batch`` deals, and the backend that ranked the hands."""
    hands = _draw_hands(spot.single[0].held, batch, draw)
    deck = np.array(spot.deck(), np.uint8)
    first, second = spot.to_come
    # The places of each deal's cards come in random order; those of hands last.
    keys = draw.random((len(hands), len(deck)))
    held = (hands.reshape(len(hands), -1)[:, :, None] == deck).any(axis=1)
    keys[held] = 2.0
    order = np.argsort(keys, axis=1)[:, : first + second]
    dealt = deck[order]
    masks, name = [], "cpu"
    for board, cards in zip(spot.boards, (dealt[:, :first], dealt[:, first:]), strict=True):
        known = np.broadcast_to(np.array(board, np.uint8), (len(hands), len(board)))
        full = np.concatenate([known, cards], axis=1)
        ranked = [
            rank_rows(spot.game, hands[:, place], full, backend) for place in range(hands.shape[1])
        ]
        ranks, name = np.stack([ranks for ranks, _ in ranked]), ranked[0][1]
        bits = np.int64(1) << np.arange(len(ranks))
        masks.append(((ranks == ranks.max(axis=0)) * bits[:, None]).sum(axis=0))
    width = 1 << hands.shape[1]
    keys_of, counts = np.unique(masks[0] * width + masks[1], return_counts=True)
    return Counter(
        {divmod(int(key), width): int(n) for key, n in zip(keys_of, counts, strict=True)}
    ), name


def _draw_hands(held: tuple[HeldHands, ...], batch: int, draw: np.random.Generator) -> UInt8s:
    """Return disjoint hands of all players by their weights, shape (n, players, hole cards)."""
    found: list[UInt8s] = []
    missing = batch
    while missing > 0:
        rows = [
            player.cards[
                draw.choice(len(player.numbers), missing, p=player.weights / player.weights.sum())
            ]
            if len(player.numbers) > 1
            else np.broadcast_to(player.cards, (missing, player.cards.shape[1]))
            for player in held
        ]
        hands = np.stack(rows, axis=1)
        cards = np.sort(hands.reshape(len(hands), -1), axis=1)
        apart = hands[(cards[:, 1:] != cards[:, :-1]).all(axis=1)]
        found.append(apart)
        missing -= len(apart)
    return np.concatenate(found)
