"""Bets in other games: the odds are those of the game, and deals agree with what is counted."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import gpuodds
from gpuodds.basics.choices import GameName
from gpuodds.betting import kelly_bet
from gpuodds.betting.question import BetOptions, read_spot
from gpuodds.betting.standings.dealt import deal_batches, together
from gpuodds.errors import InputError

CHIPS: dict[str, Any] = {"bankroll": 1000, "pot": 100, "backend": "cpu"}


@pytest.mark.parametrize(
    ("hand", "opponents", "board", "game"),
    [
        ("AsAhKsKh", 1, "2s7d9h", "omaha"),
        ("AsAhKsKh", ["7c8c9dTd", "QcQdJcJh"], "2s7d9h", "omaha"),
        ("AsAhKsKhQd2h", ["7c8c9dTdJd3c"], "2s7d9h", "omaha6"),
        ("AsAh", 3, "6s9hTd", "short-deck"),
        ("AsAh", ["7c8c"], "6s9hTd", "short-deck-trips"),
    ],
)
def test_odds_are_the_equity_of_the_game(hand: str, opponents: Any, board: str, game: GameName) -> None:
    found = kelly_bet(hand, opponents=opponents, board=board, game=game, **CHIPS)
    number = opponents if isinstance(opponents, int) else 0
    others = [] if number else opponents
    exact = gpuodds.equity(
        [hand, *others], opponents=number, board=board, game=game, backend="cpu"
    ).players[0]
    assert found.exact and found.odds.equity == exact.equity_exact
    assert found.odds.win == Fraction(exact.win_outcomes, exact.outcomes)
    assert found.to_dict()["game"] == game


@pytest.mark.slow
def test_several_pots_are_dealt_where_nothing_counts_them() -> None:
    """Two thirds of both opponents fold, or one is all in: the chances of each pot come from deals."""
    options: dict[str, Any] = {"board": "2s7d9hTc3c", "game": "omaha", "seed": 1, **CHIPS}
    found = kelly_bet("AsAhKsKh", opponents=2, stacks=[0, None], **options)
    assert not found.exact and found.standard_error is not None
    again = kelly_bet("AsAhKsKh", opponents=2, stacks=[0, None], **options)
    assert again.to_dict() == found.to_dict()
    one = kelly_bet("AsAhKsKh", opponents=1, fold=0.5, **options)
    assert one.exact


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hand", "opponents", "board", "game"),
    [("QdQs", 2, "2s7d9h", "holdem"), ("QdQs", 5, "", "holdem"), ("AsAhKsKh", 1, "2s7d9h", "omaha")],
)
def test_dealt_cards_agree_with_counted_ones(
    hand: str, opponents: int, board: str, game: GameName
) -> None:
    spot = read_spot(hand, opponents, board, "3c", game)
    deals = together(deal_batches(spot, range(opponents), BetOptions(samples=200_000, seed=1)))
    exact = gpuodds.equity(
        hand, opponents=opponents, board=board, dead="3c", game=game, backend="cpu"
    ).players[0]
    assert sum(deals.states.values()) == 200_000
    for dealt, counted in ((deals.odds().win, exact.win), (deals.odds().equity, exact.equity)):
        assert abs(float(dealt) - counted) < 5 * (0.25 / 200_000) ** 0.5


def test_halves_of_a_pot_are_refused() -> None:
    with pytest.raises(InputError, match=r"^game omaha-hi-lo: bets are found where the best high hand"):
        kelly_bet("AsAh2c3h", opponents=1, game="plo8", **CHIPS)
