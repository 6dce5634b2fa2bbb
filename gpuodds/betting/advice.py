"""How much to bet on a hand: Kelly's bet on the exact odds of a spot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import floor
from typing import Any

from gpuodds.backends.counts import Progress
from gpuodds.basics.amounts import Number
from gpuodds.basics.choices import BackendName, GameName
from gpuodds.betting.cassandra import cassandra_fraction
from gpuodds.betting.folding import FoldCurve
from gpuodds.betting.kelly import Wager
from gpuodds.betting.odds import Odds
from gpuodds.betting.pots import Stakes
from gpuodds.betting.question import (
    DEFAULT_SAMPLES,
    BetOptions,
    are_alike,
    count_opponents,
    read_options,
    read_spot,
)
from gpuodds.betting.result import Advice, Option, bet_option, passive_options
from gpuodds.betting.sizes import best_bet, draw_bet, least_bet, whole_chips
from gpuodds.betting.stakes import GivenSidePot, read_stakes
from gpuodds.betting.standings.outcomes import find_outcomes
from gpuodds.betting.standings.uncertainty import find_errors
from gpuodds.cards import format_cards
from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.spots.hands import Cards
from gpuodds.spots.players import Player
from gpuodds.spots.spot import Spot


def kelly_bet(
    hand: Player,
    *,
    opponents: int | Sequence[Player],
    bankroll: Number,
    stack: Number | None = None,
    pot: Number = 0,
    board: Cards = "",
    dead: Cards = "",
    game: GameName | Game = HOLDEM,
    to_call: Number = 0,
    side_pots: Sequence[GivenSidePot] = (),
    stacks: Sequence[Number | None] | None = None,
    fold: Number | Sequence[Number] = 0,
    callers: int | Sequence[Number] | None = None,
    fold_curve: Sequence[float] | FoldCurve | None = None,
    model: str = "exact",
    multiple: float = 1.0,
    minimum: Number = 0,
    spread: float = 0.0,
    samples: int = DEFAULT_SAMPLES,
    seed: int | None = None,
    time_limit: float | None = None,
    backend: BackendName = "auto",
    explain: bool = False,
    progress: Progress | None = None,
) -> Advice:
    """Return what to do with a hand, and how much to bet, so that the bankroll grows most.

    Against opponents with any cards the answer is exact, side pots and folds included; in Omaha it is
    exact against one and sampled against several. Against ranges the odds are those of
    :func:`gpuodds.equity`; where several ranges, or in Omaha several opponents with any cards, meet
    different stacks, side pots or folds, all their deals are counted, or some drawn where counting
    takes more than two seconds. Where odds are sampled or deals drawn, the answer has standard errors,
    and says whether the advice would be another within two of them.

    Args:
        hand: Two cards, or as many as the game has hole cards; or a range, all of which bets alike.
        opponents: How many there are, with any cards, or a hand or range for each; 1 to 22.
        bankroll: All the player's wealth in chips. Its mean logarithm is to grow.
        stack: The player's chips at the table, a part of the bankroll: no bet is larger. Default: all
            of it.
        pot: Chips that can be won besides what is bet from now on. It holds the bet that is faced, and
            what each opponent has put in, or will put in, to match it.
        board: 0 to 5 cards.
        dead: Cards out of play.
        game: The game, or its name: any in which the best high hand takes the whole pot.
        to_call: The bet that is faced, in chips; then folding, calling and raising are compared.
        side_pots: Chips, the number of opponents who can win them, those with the deepest stacks, and
            how much of a call goes there, if any does.
        stacks: Chips that each opponent can add, 0 if all in, None if at least as many as the player.
        fold: The chance that an opponent with chips folds to a bet or raise, one for all or one each.
            It depends neither on cards nor on the size of the bet.
        callers: In place of ``fold``, how many go on: a number, or the chances of 0, 1, 2, ... callers.
        fold_curve: In place of both, A and B of the chance that an opponent folds, by the price that
            the bet gives: see :class:`gpuodds.betting.FoldCurve`. The best bet is then searched.
        model: "exact", or "cassandra", which estimates the odds and bets as the program of that name.
        multiple: The share of Kelly's bet, or raise, to make, 0 to 1: half of it grows three quarters
            as fast and swings half as much.
        minimum: The least bet or raise in chips; to be all in for less is allowed. Where Kelly bets
            less, it is made if it grows the bankroll more than no bet.
        spread: Draw the bet from the smaller ones that give up at most this share of the growth, so
            that its size reveals less about the hand.
        samples: How many deals to draw, where deals are drawn.
        seed: Makes what is drawn repeatable.
        time_limit: Seconds that counting ranges may take; beyond it the odds are sampled. Counting
            deals for several pots may take two seconds, or the limit if that is less.
        backend: "auto", "cpu" or "cuda".
        explain: Whether to add how the odds were found, and what other methods would have cost.
        progress: Called with the fraction done, 0 to 1; an exception it raises ends the computation.

    Returns:
        Every possible action with its growth, and the one to take.

    Raises:
        InputError: A card, an amount or the model makes no sense, or SciPy is not installed.
        NotEnoughSamples: Too few deals were drawn in time to bet on.

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
    options = read_options(
        model=model,
        multiple=multiple,
        spread=spread,
        samples=samples,
        seed=seed,
        time_limit=time_limit,
        backend=backend,
        explain=explain,
        progress=progress,
    )
    spot = read_spot(hand, opponents, board, dead, game)
    stakes = read_stakes(
        count_opponents(spot),
        bankroll=bankroll,
        stack=stack,
        pot=pot,
        side_pots=side_pots,
        to_call=to_call,
        stacks=stacks,
        fold=fold,
        callers=callers,
        fold_curve=fold_curve,
        minimum=minimum,
        alike=are_alike(spot),
    )
    return advise(spot, stakes, options)


def advise(spot: Spot, stakes: Stakes, options: BetOptions) -> Advice:
    """Return what to do with a hand, and how much to bet: :func:`kelly_bet` on what was read.

    Raises:
        InputError: The model cannot answer, the ranges leave one another no cards, or SciPy is not
            installed.
    """
    outcomes = find_outcomes(spot, stakes, options)
    stay, wager = stakes.stay(outcomes.joint), stakes.bet(outcomes.joint)
    if options.model == "exact":
        best = best_bet(stakes, wager)
    else:
        best = _cassandra_bet(stakes, outcomes.odds)
    actions = passive_options(stakes, stay)
    passive = _best_of(actions)
    more = _choose(passive, stakes, wager, best, options)
    advised = bet_option(stakes, wager, more) if more else passive
    if best:
        actions.append(bet_option(stakes, wager, best))
    errors: dict[str, Any] | None = None
    other_actions: tuple[str, ...] = ()
    if outcomes.mixture is not None:
        decide = partial(_decide, stakes, replace(options, spread=0.0))
        errors, other_actions = find_errors(stakes, outcomes.mixture, advised.action, more, decide)
    return Advice(
        hand=spot.names[0],
        board=format_cards(spot.board),
        dead=format_cards(spot.dead),
        game=spot.game,
        against=spot.names[1:],
        model=options.model,
        multiple=float(options.multiple),
        stakes=stakes,
        odds=outcomes.odds,
        stay=stay,
        wager=wager,
        options=tuple(actions),
        advised=advised,
        bet_chips=whole_chips(stakes, more) if more else floor(passive.chips),
        exact=outcomes.exact,
        method=outcomes.method,
        backend=outcomes.backend,
        standard_error=errors,
        other_actions=other_actions,
        explanation=outcomes.explanation,
    )


def _best_of(options: Sequence[Option]) -> Option:
    return max(options, key=lambda option: option.growth)


def _choose(
    passive: Option, stakes: Stakes, wager: Wager, best: Fraction, options: BetOptions
) -> Fraction:
    """Return the bet or raise to make beyond a call, 0 for the best action without one.

    Args:
        passive: The best action without a bet.
        stakes: The chips that the bet is about.
        wager: The outcomes of a bet of any size.
        best: The bet that grows the bankroll most, 0 for none.
        options: The share of it to make, and how far its size may vary.
    """
    if best and options.multiple:
        smallest = least_bet(stakes)
        more = max(options.multiple * best, smallest)
        if wager.growth(more) > passive.growth or options.model == "cassandra":
            if options.spread:
                more = draw_bet(wager, more, smallest, passive.growth, options.spread, options.seed)
            return more
    return Fraction(0)


def _decide(stakes: Stakes, options: BetOptions, stay: Wager, wager: Wager) -> tuple[str, Fraction]:
    """Return the action to take by other odds, and the bet that grows the bankroll most by them."""
    passive, best = _best_of(passive_options(stakes, stay)), best_bet(stakes, wager)
    more = _choose(passive, stakes, wager, best, options)
    return bet_option(stakes, wager, more).action if more else passive.action, best


def _cassandra_bet(stakes: Stakes, odds: Odds) -> Fraction:
    """Return the bet by Cassandra, at most the stack; 0 where it is less than the least bet."""
    fraction = cassandra_fraction(odds, float(stakes.pot / stakes.bankroll))
    share = min(Fraction(str(fraction)), stakes.left / stakes.bankroll)
    return share if share >= least_bet(stakes) else Fraction(0)
