"""How much to bet on a hand, and why: Kelly's bet on the exact odds of a spot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import floor, isfinite
from numbers import Real
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from gpuodds.arguments import as_seed, one_of, shown
from gpuodds.backends.choice import check_name
from gpuodds.betting.amounts import Number, read_amount, read_fraction, read_whole
from gpuodds.betting.cassandra import cassandra_fraction
from gpuodds.betting.kelly import Wager
from gpuodds.betting.odds import Odds
from gpuodds.betting.pots import Joint, SidePot, Stakes, read_stakes
from gpuodds.betting.showdown import Spot, against_any, against_ranges, as_cassandra
from gpuodds.betting.sizes import best_bet, draw_bet, least_bet, whole_chips
from gpuodds.cards import format_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.spots.players import Player, read_players
from gpuodds.spots.spot import Cards, read_cards
from gpuodds.spots.spot import Spot as SpotToDeal

if TYPE_CHECKING:
    from gpuodds.betting.dealt import Deals
    from gpuodds.spots.ranges import Range

SCHEMA = "gpuodds.kelly/1"
MODELS = ("exact", "cassandra")
USUAL_SAMPLES = 400_000


@dataclass(frozen=True)
class Option:
    """Something that can be done: fold, check, call, bet or raise.

    ``chips`` is what it puts in, a call included, and ``fraction`` the share of the bankroll, of all
    wealth, that this is.
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
    there is, the bet or raise at the size, of those that can be made, that grows the bankroll most;
    ``advised`` is the one to take, ``bet_chips`` its whole chips: rounded down, and above Kelly's only
    where the least bet is. ``exact`` is False where odds were estimated or
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
        """All that the player owns, in chips."""
        return self.stakes.bankroll

    @property
    def stack(self) -> Fraction:
        """What the player has on the table, so what can be bet."""
        return self.stakes.stack

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
            InputError: It is less than the call, or more than the stack.
        """
        amount, stakes = read_amount("bet", chips), self.stakes
        if not stakes.call <= amount <= stakes.stack:
            least, most = float(stakes.call), float(stakes.stack)
            raise InputError(f"bet {shown(chips)}: expected {least:g} to {most:g}")
        more = (amount - stakes.call) / stakes.bankroll
        return _bet(stakes, self.wager, more) if more else _stay(stakes, self.stay)

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
            "stack": float(self.stack),
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
    stack: Number | None = None,
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
    time_limit: float | None = None,
    backend: str = "auto",
    progress: Callable[[float], None] | None = None,
) -> Advice:
    """Return what to do with a hand, and how much to bet, so that the bankroll grows most.

    Against opponents with any cards all is exact, side pots and folds included. Against ranges the odds
    are those of :func:`gpuodds.equity`; where several ranges meet different stacks, side pots or folds,
    deals are drawn, and the answer has its standard error.

    Args:
        hand: Two cards.
        opponents: How many there are, with any cards, or a hand or range for each; 1 to 22.
        bankroll: All the player's wealth in chips. Its mean logarithm is to grow.
        stack: The part of the bankroll that lies on the table: no bet is larger. Default: all of it.
        pot: Chips that are won beside what is bet from now on. It holds the bet that is faced, and what
            each opponent has put in, or will put in, to match it.
        board: 0 to 5 cards.
        dead: Cards out of play.
        to_call: The bet that is faced, in chips; then folding, calling and raising are compared.
        side_pots: Chips beside the pot, the number of opponents who can win them, those with the
            deepest stacks, and how much of a call goes there, if any does.
        stacks: Chips that each opponent can add, 0 if all in, None if as many as the player.
        fold: The chance that an opponent with chips folds to a bet or raise, one for all or one each.
            It depends neither on cards nor on the size of the bet.
        callers: In place of ``fold``, how many go on: a number, or the chances of 0, 1, 2, ... callers.
        model: "exact", or "cassandra", which estimates the odds and bets as the program of that name.
        multiple: The share of Kelly's bet, or raise, to make, 0 to 1: half of it grows three quarters
            as fast and swings half as much.
        minimum: The least bet or raise in chips; to be all in for less is allowed. Where Kelly bets
            less, it is made if it grows the bankroll more than no bet.
        spread: Draw the bet from the smaller ones that give up at most this share of the growth, so
            that it tells less about the hand.
        samples: How many deals to draw, where they must be.
        seed: Makes what is drawn repeatable.
        time_limit: Seconds that counting ranges may take; beyond it the odds are sampled.
        backend: "auto", "cpu" or "cuda".
        progress: Called with the fraction done, 0 to 1; what it raises ends the computation.

    Returns:
        The advice: every action that can be taken with its growth, and the one to take.

    Raises:
        InputError: A card, an amount or the model makes no sense, or SciPy is not installed.

    Example:
        >>> advice = kelly_bet("QdQs", board="2s7d9h", opponents=2, bankroll=5000, pot=100)
        >>> round(advice.fraction, 8), advice.bet_chips
        (0.50290334, 2514)
        >>> facing = kelly_bet("8s7s", opponents=1, bankroll=1000, pot=150, to_call=100, board="AhKd2s")
        >>> [(option.action, round(option.expected_value, 1)) for option in facing.options]
        [('fold', 0.0), ('call', -28.5)]
        >>> shove = kelly_bet("AhAd", opponents=1, bankroll=20_000, stack=1000, pot=1050, to_call=1000)
        >>> shove.action, round(shove.growth, 4)
        ('call', 0.036)
    """
    check_model(model)
    check_name(backend)
    part = read_multiple(multiple)
    spread = _read_spread(spread)
    samples, seed = read_whole("samples", samples, 1), as_seed(seed)
    ranges: list[tuple[int, int] | Range] = []
    if opponents is None or isinstance(opponents, int | Real | Decimal):
        number = read_whole("opponents", opponents, 1)
    else:
        ranges = read_players(opponents)
        number = len(ranges)
    board, dead = read_cards(board), read_cards(dead)
    cards = _read_hand(hand)
    SpotToDeal((cards, *ranges), number - len(ranges), board, dead)  # checked as a whole
    stakes, order = read_stakes(
        number,
        bankroll=bankroll,
        stack=stack,
        pot=pot,
        side_pots=side_pots,
        to_call=to_call,
        stacks=stacks,
        fold=fold,
        callers=callers,
        alike=len(ranges) < 2,
    )
    least = read_amount("minimum", minimum)
    spot = Spot(cards, board, dead, backend, time_limit, progress)
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
    if model == "exact":
        best = best_bet(stakes, wager, least)
    else:
        best = _as_cassandra_bets(stakes, odds, least)
    options = [_stay(stakes, stay)]
    if stakes.to_call:
        options.insert(0, Option("fold", 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    passive = max(options, key=lambda option: option.growth)
    advised, bet_chips = passive, floor(passive.chips)
    if best:
        options.append(_bet(stakes, wager, best))
    if best and part:
        smallest = least_bet(stakes, least)
        more = max(part * best, smallest)
        if wager.growth(more) > passive.growth or model == "cassandra":
            if spread:
                more = draw_bet(wager, more, smallest, passive.growth, spread, seed)
            advised, bet_chips = _bet(stakes, wager, more), whole_chips(stakes, more)
    error = _errors(stakes, batches, best, least) if batches else None
    return Advice(
        hand=format_cards(cards),
        board=format_cards(spot.board),
        dead=format_cards(spot.dead),
        against=tuple(
            format_cards(player) if isinstance(player, tuple) else player.name for player in ranges
        ),
        model=model,
        multiple=float(part),
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
    one_of("model", model, MODELS)


def read_multiple(multiple: Number) -> Fraction:
    """Return the share of Kelly's bet that is to be bet.

    Raises:
        InputError: It is not a number from 0 to 1.
    """
    part = read_fraction("multiple", multiple, "0 to 1")
    if not 0 <= part <= 1:
        raise InputError(f"multiple {shown(multiple)}: expected 0 to 1")
    return part


def _read_spread(spread: float) -> float:
    expected = "at least 0 and less than 1"
    share = read_fraction("spread", spread, expected)
    if not 0 <= share < 1:
        raise InputError(f"spread {shown(spread)}: expected {expected}")
    return float(share)


def _read_hand(hand: Cards) -> tuple[int, int]:
    try:
        cards = read_cards(hand)
    except InputError:
        if isinstance(hand, str) and _is_range(hand):
            raise InputError(
                f"hand {excerpt(hand)}: a range; expected the two cards that are bet on, such as AsKs"
            ) from None
        raise
    if len(cards) != 2:
        raise InputError(f"hand {format_cards(cards)}: a hand has two cards, found {len(cards)}")
    return cards[0], cards[1]


def _is_range(text: str) -> bool:
    from gpuodds.spots.ranges import Range

    try:
        return bool(Range(text).weights.any())
    except InputError:
        return False


def _stay(stakes: Stakes, stay: Wager) -> Option:
    return _option(stakes, "call" if stakes.to_call else "check", stay, Fraction(0))


def _bet(stakes: Stakes, wager: Wager, more: Fraction) -> Option:
    return _option(stakes, "raise" if stakes.to_call else "bet", wager, more)


def _option(stakes: Stakes, action: str, wager: Wager, more: Fraction) -> Option:
    """Return what a check, a call, or a bet of this share of the bankroll beyond the call does."""
    chips = stakes.call + more * stakes.bankroll
    # What is bet beyond the deepest stack comes back.
    matched = min(more, wager.most) * stakes.bankroll
    pot = stakes.whole_pot + stakes.call + matched
    pot += sum((matched if s is None else min(matched, s) for s in stakes.stacks), Fraction(0))
    return Option(
        action,
        float(chips),
        float(chips / stakes.bankroll),
        wager.growth(more),
        wager.value(more) * float(stakes.bankroll),
        wager.loss(more),
        float((stakes.call + matched) / pot) if pot else 0.0,
    )


def _as_cassandra_bets(stakes: Stakes, odds: Odds, least: Fraction) -> Fraction:
    """Return the bet by Cassandra, of what lies on the table at most; 0 where it is no bet."""
    found = cassandra_fraction(odds, float(stakes.pot / stakes.bankroll))
    share = min(Fraction(str(found)), stakes.room / stakes.bankroll)
    return share if share >= least_bet(stakes, least) else Fraction(0)


def _deal(spot: Spot, ranges: Sequence[Any], samples: int, seed: int | None) -> list[Deals]:
    from gpuodds.betting.dealt import deal_batches

    return deal_batches(spot.hand, ranges, spot.board, spot.dead, samples, seed or 0, spot.progress)


def _errors(stakes: Stakes, batches: list[Deals], best: Fraction, least: Fraction) -> dict[str, float]:
    """Return standard errors of the best fraction and of its growth, from batch to batch."""
    wagers = [stakes.bet(batch.joint) for batch in batches]
    fractions = [float(best_bet(stakes, wager, least)) for wager in wagers]
    grown = [wager.growth(best) for wager in wagers]
    return {
        name: stdev(values) / len(values) ** 0.5 if fmean(values) > float("-inf") else float("nan")
        for name, values in (("fraction", fractions), ("growth", grown))
    }
