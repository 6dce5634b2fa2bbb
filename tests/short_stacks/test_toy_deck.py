"""Games on a small deck, listed deal by deal: counts, certificates, values, derivatives."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations
from math import prod
from typing import Any

import numpy as np
import pytest
from toy_deck import Combo, ToyDeck

from gpuodds.short_stacks.certificate import ONE, certify, in_millionths
from gpuodds.short_stacks.games.deals import ThreeHands, TwoHands
from gpuodds.short_stacks.games.many_handed import ManyChances, ManyHanded
from gpuodds.short_stacks.games.rows import Rows
from gpuodds.short_stacks.games.three_handed import ThreeChances, ThreeHanded
from gpuodds.short_stacks.games.two_handed import TwoHanded
from gpuodds.short_stacks.outcomes import Outcomes
from gpuodds.short_stacks.search.solver import gain_of
from gpuodds.short_stacks.settling import Settling, normal_order, orders
from gpuodds.short_stacks.spot import PushFoldSpot, read_spot

SMALL, MIDDLE, LARGE = ToyDeck(4), ToyDeck(5), ToyDeck(6)
SPOTS: dict[str, dict[str, Any]] = {
    "chips": {"stacks": [5, 5, 5]},
    "side pots": {"stacks": [3, 8, 5], "ante": "0.25"},
    "prizes": {"stacks": [9, 4, 6], "payouts": [5, 3, 2], "bb_ante": 1},
    "bounties": {"stacks": [4, 9, 4], "payouts": [6, 4], "bounties": [2, 1, 3], "progressive": True},
    "forced": {"stacks": [6, "0.4", 3], "payouts": [5, 3, 2], "bounties": [1, 1, 1]},
    "forced big blind": {"stacks": [6, 5, "0.75"]},
}


@cache
def two(deck: ToyDeck) -> TwoHands:
    return deck.two_hands()


@cache
def three(deck: ToyDeck) -> ThreeHands:
    return deck.three_hands()


def spot_of(name: str, players: int) -> PushFoldSpot:
    given = dict(SPOTS[name])
    for key in ("stacks", "bounties"):
        if key in given:
            given[key] = given[key][-players:]
    if "payouts" in given:
        given["payouts"] = given["payouts"][:players]
    return read_spot(**given)


def drawn_strategy(rows: int, hands: int, seed: int = 0) -> Any:
    """Probabilities in tenths, some of them 0 and 1."""
    return np.clip(np.random.default_rng(seed).integers(-3, 14, (rows, hands)) / 10, 0, 1)


def listed_deals(deck: ToyDeck, players: int) -> Any:
    """Yield the combos of all players with the order on each board, and how often."""
    for hands in permutations(deck.combos, players):
        if len({card for hand in hands for card in hand}) == 2 * players:
            for board in deck.boards(*hands):
                yield tuple(deck.number(hand) for hand in hands), deck.order(hands, board)


def listed_certificate(
    deck: ToyDeck, spot: PushFoldSpot, strategy: Any
) -> tuple[Fraction, list[Fraction]]:
    """Return what best responses gain, and the players' values, deal by deal, in fractions."""
    rows, settling, players = Rows(spot), Settling(spot), spot.players
    tenths = [[round(10 * value) for value in row] for row in strategy.tolist()]
    counted: dict[tuple[Any, ...], int] = {}
    deals = 0
    for deal in listed_deals(deck, players):
        counted[deal] = counted.get(deal, 0) + 1
        deals += 1
    values = [Fraction(0)] * players
    worth: dict[tuple[int, int, bool], Fraction] = {}
    settled: dict[Any, tuple[Fraction, ...]] = {}
    for (hands, order), times in counted.items():
        reached = 0
        for end in rows.ends:
            pot = end or (players - 1,)
            of_pot = normal_order([order[player] for player in pot])
            if (pot, of_pot) not in settled:
                settled[pot, of_pot] = settling.values(pot, of_pot)
            turns = [rows.turn_in(end, player) for player in range(players)]
            chances = [
                10 if row is None else tenths[row][hand] if is_in else 10 - tenths[row][hand]
                for (row, is_in), hand in zip(turns, hands, strict=True)
            ]
            reached += prod(chances)
            for player, value in enumerate(settled[pot, of_pot]):
                others = times
                for other, chance in enumerate(chances):
                    others *= chance if other != player else 1
                values[player] += value * others * chances[player]
                row, is_in = turns[player]
                if row is not None:
                    key = row, hands[player], is_in
                    worth[key] = worth.get(key, Fraction(0)) + value * others
        assert reached == 10**players  # each deal ends in one way
    gain = Fraction(0)
    for row, hand, _ in {(row, hand, True) for row, hand, _ in worth}:
        all_in, fold = (
            worth.get((row, hand, True), Fraction(0)),
            worth.get((row, hand, False), Fraction(0)),
        )
        chance = tenths[row][hand]
        gain += 10 * max(all_in, fold) - chance * all_in - (10 - chance) * fold
    whole = deals * 10**players
    return gain / whole, [value / whole for value in values]


@pytest.mark.parametrize("deck", [SMALL, pytest.param(LARGE, marks=pytest.mark.weekly)], ids=str)
def test_all_orders_of_three_hands(deck: ToyDeck) -> None:
    counts = three(deck)
    expected: dict[Any, Any] = {order: np.zeros_like(counts.total) for order in orders(3)}
    for hands, order in listed_deals(deck, 3):
        expected[order][hands] += 1
    for order in orders(3):
        assert np.array_equal(counts.count(order), expected[order]), order
    assert np.array_equal(sum(expected.values()), counts.total)


@pytest.mark.parametrize("players", [2, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", SPOTS)
@pytest.mark.parametrize("deck", [SMALL, pytest.param(LARGE, marks=pytest.mark.weekly)], ids=str)
def test_certificates_are_those_of_listed_deals(deck: ToyDeck, name: str, players: int) -> None:
    spot = spot_of(name, players)
    rows, deals = Rows(spot), two(deck) if players == 2 else three(deck)
    strategy = drawn_strategy(len(rows.histories), deals.hands)
    free = np.ones(len(rows.histories), bool)
    certificate = certify(spot, deals, in_millionths(strategy), free)
    gain, values = listed_certificate(deck, spot, strategy)
    assert certificate.gain == gain and list(certificate.values) == values
    game: Any = (
        TwoHanded(spot, two(deck), Outcomes(spot))
        if players == 2
        else ThreeHanded(spot, ThreeChances.of(three(deck)), Outcomes(spot))
    )
    assert gain_of(game, strategy) == pytest.approx(float(gain), rel=1e-9, abs=1e-12)


def test_locked_rows_have_no_part_in_the_gain() -> None:
    spot = spot_of("prizes", 3)
    rows = Rows(spot)
    strategy = in_millionths(drawn_strategy(len(rows.histories), three(SMALL).hands))
    whole = certify(spot, three(SMALL), strategy, np.ones(len(rows.histories), bool)).gain
    parts = [
        certify(spot, three(SMALL), strategy, np.arange(len(rows.histories)) == row).gain
        for row in range(len(rows.histories))
    ]
    assert sum(parts) == whole and all(part > 0 for part in parts)
    assert strategy.max() <= ONE


@pytest.mark.parametrize("name", ["chips", "side pots", "prizes", "bounties"])
def test_slopes_are_derivatives(name: str) -> None:
    for players in (2, 3):
        spot = spot_of(name, players)
        game: Any = (
            TwoHanded(spot, two(SMALL), Outcomes(spot))
            if players == 2
            else ThreeHanded(spot, ThreeChances.of(three(SMALL)), Outcomes(spot))
        )
        rng = np.random.default_rng(3)
        at, to = rng.random(game.shape), rng.random(game.shape)

        def advantages(strategy: Any, game: Any = game) -> Any:
            return np.vstack([game.advantages(strategy, turn) for turn in range(len(game.turns))])

        change = advantages(at + 1e-4 * (to - at)) - advantages(at - 1e-4 * (to - at))
        found = game.slopes(at) @ (to - at).ravel()
        assert found == pytest.approx(change.ravel() / 2e-4, abs=1e-9)


@pytest.mark.slow
def test_a_player_without_chips_leaves_a_game_of_two() -> None:
    """The core takes a stack of zero: he is in every pot, and has no part in any."""
    one, other = read_spot([7, 4]), read_spot([1, 7, 4])
    without = PushFoldSpot((Fraction(0), *one.stacks), other.small_blind, other.big_blind)
    pair, trio = Rows(one), Rows(without)
    assert len(trio.histories) == len(pair.histories)
    strategy = drawn_strategy(2, two(MIDDLE).hands)
    free = np.ones(2, bool)
    in_pair = certify(one, two(MIDDLE), in_millionths(strategy), free)
    in_trio = certify(without, three(MIDDLE), in_millionths(strategy), free)
    assert in_trio.gain == in_pair.gain
    assert in_trio.values == (0, *in_pair.values)


@cache
def combos_of(deck: ToyDeck, hands: tuple[int, ...]) -> list[tuple[Combo, ...]]:
    """All ways to deal some starting hands."""
    found: list[tuple[Combo, ...]] = [()]
    for hand in hands:
        combos = [combo for combo in deck.combos if deck.number(combo) == hand]
        found = [
            (*dealt, combo)
            for dealt in found
            for combo in combos
            if not {*combo} & {card for other in dealt for card in other}
        ]
    return found


@cache
def dealt_after(deck: ToyDeck, hands: tuple[int, ...]) -> dict[int, int]:
    """How often each starting hand is dealt beside some."""
    found: dict[int, int] = {}
    for dealt in combos_of(deck, hands):
        taken = {card for combo in dealt for card in combo}
        for combo in deck.combos:
            if not taken & {*combo}:
                number = deck.number(combo)
                found[number] = found.get(number, 0) + 1
    return found


@cache
def orders_of(deck: ToyDeck, hands: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """How often some starting hands end in each order."""
    found: dict[tuple[int, ...], int] = {}
    for dealt in combos_of(deck, hands):
        for board in deck.boards(*dealt):
            order = deck.order(dealt, board)
            found[order] = found.get(order, 0) + 1
    return found


class Model:
    """The stated model of four players and more, by itself."""

    def __init__(self, deck: ToyDeck, spot: PushFoldSpot, samples: Any, strategy: Any) -> None:
        self.deck, self.spot, self.samples = deck, spot, samples
        self.settling, self.strategy = Settling(spot), strategy
        self.row_of = {place: row for row, place in enumerate(spot.histories)}
        self.seen: dict[Any, Any] = {}
        hands = [deck.number(combo) for combo in deck.combos]
        self.prior = np.bincount(hands) / len(hands)

    def chance(self, player: int, history: tuple[int, ...], hand: int) -> float:
        if not history and player == self.spot.players - 1:
            return 0.0
        row = self.row_of.get((player, history))
        return 1.0 if row is None else float(self.strategy[row, hand])

    def worth(self, pot: tuple[int, ...], order: Any) -> Any:
        key = pot, tuple(order)
        if key not in self.seen:
            self.seen[key] = np.array([float(value) for value in self.settling.values(pot, key[1])])
        return self.seen[key]

    def after(self, player: int, history: tuple[int, ...], hands: tuple[int, ...]) -> Any:
        """What the hand is worth to all from a player's turn on, with up to three hands all-in."""
        if player == self.spot.players or len(hands) == 3:
            pot = history or (self.spot.players - 1,)
            if len(pot) == 1:
                return self.worth(pot, (0,))
            listed = orders_of(self.deck, hands)
            whole = sum(listed.values())
            return sum(self.worth(pot, order) * times for order, times in listed.items()) / whole
        key = player, history, hands
        if key not in self.seen:
            total, fold = 0.0, 0.0
            dealt = dealt_after(self.deck, hands)
            for hand, times in dealt.items():
                chance = self.chance(player, history, hand)
                fold += times * (1 - chance)
                if chance:
                    after = self.after(player + 1, (*history, player), (*hands, hand))
                    total = total + times * chance * after
            if fold:
                total = total + fold * self.after(player + 1, history, hands)
            self.seen[key] = total / sum(dealt.values())
        return self.seen[key]

    def values(self) -> Any:
        total = self.after(0, (), ()).copy()
        everyone = range(self.spot.players)
        for size, sample in self.samples.items():
            for bits in range(1 << self.spot.players):
                end = tuple(player for player in everyone if bits >> player & 1)
                if len(end) != size:
                    continue
                outside = 1.0
                for player in everyone:
                    if player not in end:
                        history = tuple(other for other in end if other < player)
                        chances = [
                            self.chance(player, history, hand) for hand in range(len(self.prior))
                        ]
                        outside *= float(self.prior @ (1 - np.array(chances)))
                for dealt, weight, boards in zip(
                    sample.hands.tolist(), sample.weights.tolist(), sample.boards.tolist(), strict=True
                ):
                    inside = weight * outside
                    for place, player in enumerate(end):
                        inside *= self.chance(player, end[:place], dealt[place])
                    for board in boards:
                        order = sample.orders[board].tolist()
                        change = self.worth(end, order) - self.worth(end[:3], normal_order(order[:3]))
                        total += inside * change / len(boards)
        return total


FOUR: dict[str, Any] = {"stacks": [10, 3, 7, 5], "payouts": [5, 3, 2], "bounties": [1, 2, 1, 3]}
FIVE: dict[str, Any] = {"stacks": [4, 9, 6, "0.4", 8], "ante": "0.1", "payouts": [5, 3, 2]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deck", "given"),
    [
        (MIDDLE, FOUR),
        (MIDDLE, {"stacks": [4, "0.5", 6, 3], "ante": "0.5"}),
        pytest.param(LARGE, FIVE, marks=pytest.mark.weekly),
    ],
    ids=["four", "forced", "five"],
)
def test_four_players_and_more_in_their_model(deck: ToyDeck, given: dict[str, Any]) -> None:
    spot = read_spot(**given)
    samples = deck.samples(spot.players, rows=40)
    chances = ManyChances.of(two(deck), three(deck), samples)
    object.__setattr__(chances, "three", chances.three.astype(np.float64))
    game = ManyHanded(spot, chances, Outcomes(spot))
    strategy = drawn_strategy(*game.shape)
    strategy *= (
        np.random.default_rng(4).random(game.shape) < 0.3
    )  # most hands fold: fewer deals to list
    found = game.evaluate(strategy, precise=True)
    assert found.values == pytest.approx(Model(deck, spot, samples, strategy).values(), abs=2e-6)


def test_every_derivative_of_many_players() -> None:
    spot = read_spot(**FOUR)
    chances = ManyChances.of(two(MIDDLE), three(MIDDLE), MIDDLE.samples(4))
    game = ManyHanded(spot, chances, Outcomes(spot))
    strategy = np.random.default_rng(2).random(game.shape)
    found = game.evaluate(strategy).advantages
    for row, (player, _) in enumerate(spot.histories):
        more, less = strategy.copy(), strategy.copy()
        more[row], less[row] = 1, 0
        change = game.evaluate(more).values[player] - game.evaluate(less).values[player]
        assert found[row].sum() == pytest.approx(change, abs=3e-6)
