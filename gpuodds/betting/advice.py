"""How much to bet on a hand, and why: Kelly's bet on the exact odds of a spot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor, isfinite
from random import Random
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from gpuodds.betting.cassandra import cassandra_fraction
from gpuodds.betting.kelly import Wager
from gpuodds.betting.odds import Odds
from gpuodds.betting.pots import Joint, Number, SidePot, Stakes, read_amount, read_stakes
from gpuodds.betting.showdown import Spot, against_any, against_ranges, as_cassandra
from gpuodds.cards import format_cards
from gpuodds.engine import Player, read_players
from gpuodds.errors import InputError, excerpt
from gpuodds.spot import Cards, read_cards

if TYPE_CHECKING:
    from gpuodds.betting.dealt import Deals

SCHEMA = "gpuodds.kelly/1"
MODELS = ("exact", "cassandra")
USUAL_SAMPLES = 400_000


@dataclass(frozen=True)
class Option:
    """Something that can be done: fold, check, call, bet or raise.

    ``chips`` is what it puts in, a call included, and ``fraction`` the share of the bankroll.
    ``growth`` is the mean logarithm of what it makes of the bankroll, ``expected_value`` what it gains
    on average, in chips and with the pot, ``loss`` the chance that the bankroll gets smaller, and
    ``pot_odds`` the equity at which it breaks even if all call.
    """

    action: str
    chips: float
    fraction: float
    growth: float
    expected_value: float
    loss: float
    pot_odds: float

    def to_dict(self) -> dict[str, Any]:
        """Return the option's part of the JSON object; a growth of minus infinity is None."""
        return {**vars(self), "growth": _finite(self.growth)}


@dataclass(frozen=True)
class Advice:
    """What to do, and what speaks for it.

    ``odds`` are those of a showdown with all opponents, by the ``model``. ``options`` has every action
    there is, the bet or raise at the size that grows the bankroll most; ``advised`` is the one to take,
    ``bet_chips`` its whole chips, never above Kelly's. ``exact`` is False where odds were estimated or
    deals sampled; then ``standard_error`` holds those of the best fraction and its growth.
    """

    hand: str
    board: str
    dead: str
    against: tuple[str, ...]
    model: str
    multiple: float
    stakes: Stakes = field(repr=False)
    odds: Odds = field(repr=False)
    stay: Wager = field(repr=False)
    wager: Wager = field(repr=False)
    options: tuple[Option, ...]
    advised: Option
    bet_chips: int
    exact: bool
    method: str
    backend: str
    standard_error: dict[str, float] | None = None

    @property
    def opponents(self) -> int:
        """How many opponents there are."""
        return len(self.stakes.stacks)

    @property
    def bankroll(self) -> Fraction:
        """What can be bet."""
        return self.stakes.bankroll

    @property
    def action(self) -> str:
        """What to do: fold, check, call, bet or raise."""
        return self.advised.action

    @property
    def fraction(self) -> float:
        """The share of the bankroll to put in, a call included."""
        return self.advised.fraction

    @property
    def bet(self) -> float:
        """The chips to put in, a call included, before they are rounded."""
        return self.advised.chips

    @property
    def growth(self) -> float:
        """The mean logarithm of what the advice makes of the bankroll."""
        return self.advised.growth

    @property
    def expected_value(self) -> float:
        """What the advice gains on average, in chips."""
        return self.advised.expected_value

    def option(self, chips: Number) -> Option:
        """Return what putting in so many chips, a call included, would do.

        Raises:
            InputError: It is less than the call, or more than the bankroll.
        """
        amount, stakes = read_amount("bet", chips), self.stakes
        if not stakes.call <= amount <= stakes.bankroll:
            least, most = float(stakes.call), float(stakes.bankroll)
            raise InputError(f"bet {chips}: expected {least:g} to {most:g}")
        more = (amount - stakes.call) / stakes.bankroll
        return _bet(stakes, self.wager, float(more)) if more else _stay(stakes, self.stay)

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``gpuodds kelly --json`` prints."""
        stakes, advised = self.stakes, self.advised
        return {
            "schema": SCHEMA,
            "model": self.model,
            "hand": self.hand,
            "board": self.board,
            "dead": self.dead,
            "opponents": self.opponents,
            "against": list(self.against),
            "bankroll": float(self.bankroll),
            "pot": float(stakes.pot),
            "side_pots": [
                [float(amount), count, float(part)] for amount, count, part in stakes.side_pots
            ],
            "to_call": float(stakes.to_call),
            "stacks": [None if stack is None else float(stack) for stack in stakes.stacks],
            "fold": [float(chance) for chance in stakes.folds],
            "callers": None if stakes.callers is None else [float(p) for p in stakes.callers],
            "multiple": self.multiple,
            "action": advised.action,
            "fraction": advised.fraction,
            "bet": advised.chips,
            "bet_chips": self.bet_chips,
            "win": float(self.odds.win),
            "split": [float(chance) for chance in self.odds.split[1:]],
            "lose": float(self.odds.lose),
            "equity": float(self.odds.equity),
            "pot_odds": advised.pot_odds,
            "expected_value": advised.expected_value,
            "growth": _finite(advised.growth),
            "loss": advised.loss,
            "options": [option.to_dict() for option in self.options],
            "exact": self.exact,
            "method": self.method,
            "backend": self.backend,
            "standard_error": self.standard_error
            and {name: _finite(value) for name, value in self.standard_error.items()},
        }


def kelly_bet(
    hand: Cards,
    *,
    opponents: int | Sequence[Player],
    bankroll: Number,
    pot: Number = 0,
    board: Cards = "",
    dead: Cards = "",
    to_call: Number = 0,
    side_pots: Sequence[SidePot] = (),
    stacks: Sequence[Number | None] | None = None,
    fold: Number | Sequence[Number] = 0,
    callers: int | Sequence[Number] | None = None,
    model: str = "exact",
    multiple: float = 1.0,
    minimum: Number = 0,
    spread: float = 0.0,
    samples: int = USUAL_SAMPLES,
    seed: int | None = None,
    backend: str = "auto",
) -> Advice:
    """Find what to do with a hand, and how much to bet, so that the bankroll grows most.

    ``opponents`` is how many there are, with any cards, or a hand or range for each. ``bankroll`` are
    the chips that can be bet, ``pot`` those that are won beside what is bet from now on. Where there is
    a bet ``to_call``, the pot holds it, and what each opponent has put in or will put in to match it;
    folding, calling and raising are compared. ``side_pots`` are amounts beside the pot, each with the
    number of opponents who can win it, those with the deepest stacks, and how much of a call goes
    there, if any does.

    ``stacks`` say what each opponent can add, 0 if all in, None if as much as the player. To a bet or
    raise, each opponent who has chips folds with the chance ``fold``, a number for all or one each; or
    exactly ``callers`` of them go on, a number or the chances of 0, 1, 2, ... callers. Folding depends
    neither on cards nor on the size of the bet.

    ``multiple`` of Kelly's bet (or raise) is advised, 0 to 1: half of it grows three quarters as fast
    and swings half as much. ``minimum`` is the least bet or raise there is. With a ``spread`` the bet
    is drawn, by ``seed``, from the bets below Kelly's that give up at most that share of what it grows,
    so that it tells less about the hand. The model "cassandra" estimates the odds and finds the bet as
    the program of that name did.

    Against opponents with any cards all is exact, side pots and folds included. Against ranges the odds
    are those of :func:`gpuodds.equity`; where several ranges meet different stacks, side pots or folds,
    ``samples`` deals are drawn, by ``seed``, and the answer has its standard error.

    Raises:
        InputError: A card, an amount or the model makes no sense, or SciPy is not installed.

    >>> advice = kelly_bet("QdQs", board="2s7d9h", opponents=2, bankroll=5000, pot=100)
    >>> round(advice.fraction, 8), advice.bet_chips
    (0.50290334, 2514)
    >>> facing = kelly_bet("8s7s", opponents=1, bankroll=1000, pot=150, to_call=100, board="AhKd2s")
    >>> [(option.action, round(option.expected_value, 1)) for option in facing.options]
    [('fold', 0.0), ('call', -28.5)]
    """
    check_model(model)
    if not 0 <= multiple <= 1:
        raise InputError(f"multiple {multiple}: expected 0 to 1")
    if not 0 <= spread < 1:
        raise InputError(f"spread {spread}: expected at least 0 and less than 1")
    if samples < 1:
        raise InputError(f"samples {samples}: expected more than 0")
    ranges = [] if isinstance(opponents, int) else read_players(opponents)
    number = opponents if isinstance(opponents, int) else len(ranges)
    if number < 1:
        raise InputError(f"opponents {number}: expected at least 1, somebody to bet with")
    stakes, order = read_stakes(
        number,
        bankroll=bankroll,
        pot=pot,
        side_pots=side_pots,
        to_call=to_call,
        stacks=stacks,
        fold=fold,
        callers=callers,
        alike=len(ranges) < 2,
    )
    least = read_amount("minimum", minimum)
    cards = _read_hand(hand)
    spot = Spot(cards, read_cards(board), read_cards(dead), backend)
    one_pot = stakes.is_one_pot
    batches: list[Deals] = []
    joint: Joint
    if model == "cassandra":
        if ranges or not one_pot or to_call:
            raise InputError(
                "model cassandra: expected no ranges, folds, stacks or side pots, and no bet to call"
            )
        found = as_cassandra(spot, number)
    elif ranges and (one_pot or number == 1):
        found = against_ranges(spot, ranges)
    elif ranges:
        batches = _deal(spot, [ranges[seat] for seat in order], samples, seed)
    else:
        found = against_any(spot, number, fewer=not one_pot)
    if batches:
        from gpuodds.betting.dealt import together

        deals = together(batches)
        joint, odds = deals.joint, deals.odds()
        exact, method, on = False, "monte-carlo", "cpu"
    else:
        joint, odds = found.joint, found.odds[-1]
        exact, method, on = found.exact, found.method, found.backend

    stay, wager = stakes.stay(joint), stakes.bet(joint)
    share = float(stakes.pot / stakes.bankroll)
    best = _best(stakes, wager, least) if model == "exact" else cassandra_fraction(odds, share)
    options = [_stay(stakes, stay)]
    if stakes.to_call:
        options.insert(0, Option("fold", 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    passive = max(options, key=lambda option: option.growth)
    advised, bet_chips = passive, floor(passive.chips)
    if best:
        options.append(_bet(stakes, wager, best))
        if options[-1].growth > passive.growth or model == "cassandra":
            more = multiple * best
            if stakes.some_fold:
                more = max(more, float(_floor_of(stakes, least)))
            if spread:
                more = _drawn(wager, more, passive.growth, spread, seed)
            chips = _whole_chips(stakes, wager, more, least)
            if chips > stakes.call:
                advised, bet_chips = _bet(stakes, wager, more), chips
    error = _errors(stakes, batches, best, least) if batches else None
    return Advice(
        hand=format_cards(cards),
        board=format_cards(spot.board),
        dead=format_cards(spot.dead),
        against=tuple(
            format_cards(player) if isinstance(player, tuple) else player.name for player in ranges
        ),
        model=model,
        multiple=multiple,
        stakes=stakes,
        odds=odds,
        stay=stay,
        wager=wager,
        options=tuple(options),
        advised=advised,
        bet_chips=bet_chips,
        exact=exact,
        method=method,
        backend=on,
        standard_error=error,
    )


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def check_model(model: str) -> None:
    """Refuse a model that is none.

    Raises:
        InputError: It is neither "exact" nor "cassandra".
    """
    if model not in MODELS:
        raise InputError(f"model {excerpt(model)}: expected one of {', '.join(MODELS)}")


def _read_hand(hand: Cards) -> tuple[int, int]:
    cards = read_cards(hand)
    if len(cards) != 2:
        raise InputError(f"hand {format_cards(cards)}: a hand has two cards, found {len(cards)}")
    return cards[0], cards[1]


def _stay(stakes: Stakes, stay: Wager) -> Option:
    return _option(stakes, "call" if stakes.to_call else "check", stay, 0.0)


def _bet(stakes: Stakes, wager: Wager, more: float) -> Option:
    return _option(stakes, "raise" if stakes.to_call else "bet", wager, more)


def _option(stakes: Stakes, action: str, wager: Wager, more: float) -> Option:
    """Return what a check, a call, or a bet of this share of the bankroll beyond the call does."""
    bankroll, call = float(stakes.bankroll), float(stakes.call)
    chips = call + more * bankroll
    matched = [more * bankroll if s is None else min(more * bankroll, float(s)) for s in stakes.stacks]
    pot = float(stakes.whole_pot) + chips + sum(matched)
    return Option(
        action,
        chips,
        call / bankroll + more,
        wager.growth(more),
        wager.value(more) * bankroll,
        wager.loss(more),
        chips / pot if pot else 0.0,
    )


def _floor_of(stakes: Stakes, least: Fraction) -> Fraction:
    """Return the least bet as a share of the bankroll: a chip, if the rules say nothing, or all in."""
    return min(max(least, Fraction(1)), stakes.room) / stakes.bankroll


def _best(stakes: Stakes, wager: Wager, least: Fraction) -> float:
    # Where a bet may be folded to, even the smallest does more than a check.
    return wager.best(_floor_of(stakes, least) if stakes.some_fold else Fraction(0))


def _drawn(wager: Wager, most: float, without: float, spread: float, seed: int | None) -> float:
    enough = without + (1 - spread) * (wager.growth(most) - without)
    return Random(seed).uniform(wager.as_good_from(most, enough), most)


def _whole_chips(stakes: Stakes, wager: Wager, more: float, least: Fraction) -> int:
    """Return the whole chips of a bet, call included; the call alone if they are too few for a bet."""
    exact = Fraction(more) * stakes.bankroll
    for edge in wager.edges:  # an end of a stretch, rounded, is not to fall below itself
        if float(edge) == more:
            exact = edge * stakes.bankroll
    whole = floor(stakes.call + exact)
    if whole - stakes.call >= least or exact == stakes.room:
        return whole
    return floor(stakes.call)


def _deal(spot: Spot, ranges: Sequence[Any], samples: int, seed: int | None) -> list[Deals]:
    from gpuodds.betting.dealt import deal_batches
    from gpuodds.ranges import Range

    held = [Range.of_holdings([r]) if isinstance(r, tuple) else r for r in ranges]
    names = [r.name for r in held]
    weights = [r.weights for r in held]
    return deal_batches(spot.hand, names, weights, spot.board, spot.dead, samples, seed or 0)


def _errors(stakes: Stakes, batches: list[Deals], best: float, least: Fraction) -> dict[str, float]:
    """Return standard errors of the best fraction and of its growth, from batch to batch."""
    wagers = [stakes.bet(batch.joint) for batch in batches]
    fractions = [_best(stakes, wager, least) for wager in wagers]
    grown = [wager.growth(best) for wager in wagers]
    return {
        name: stdev(values) / len(values) ** 0.5 if fmean(values) > float("-inf") else float("nan")
        for name, values in (("fraction", fractions), ("growth", grown))
    }
