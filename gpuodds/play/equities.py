"""The source of the bots' equities: the engine of this process, or a running server.

Both return the same doubles, each an exact count rounded once. So bots make the same moves.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from gpuodds.basics.present import present
from gpuodds.betting.pots import Stakes
from gpuodds.betting.question import BetOptions, read_spot
from gpuodds.cards import format_cards, parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.combos import COMBOS, combo_index
from gpuodds.play import strength

if TYPE_CHECKING:
    from gpuodds.client import Client

Floats = npt.NDArray[np.float64]
Action = Literal["fold", "check", "call", "bet", "raise"]
OPTIONS = BetOptions(backend="cpu")


class Equities:
    """Equities from the engine of this process."""

    def against_random(self, board: tuple[int, ...]) -> Floats:
        """Return each combo's equity against any hand.

        Args:
            board: Three to five cards.

        Returns:
            Shape (1326,), 0 where a card of the combo is on the board.

        Example:
            >>> Equities().against_random((0, 21, 30)).shape
            (1326,)
        """
        return strength.against_random(board)

    def villain_equity(self, hand: tuple[int, int], board: tuple[int, ...]) -> Floats:
        """Return each combo's equity against one hand.

        Args:
            hand: The hand that the combos meet.
            board: No card, or three to five.

        Returns:
            Shape (1326,), 0 where a card of the combo is known.
        """
        return strength.villain_equity(hand, board)

    def against_range(self, board: tuple[int, ...], weights: Floats) -> Floats:
        """Return each combo's equity against a range.

        Args:
            board: Three to five cards.
            weights: The weights of the range, shape (1326,). Only their ratios count, in thousandths of
                the largest.

        Returns:
            Shape (1326,), 0 where a card of the combo is on the board, or the range has no combo that
            can meet it.
        """
        return strength.against_range(board, weights)

    def equity_of(self, hand: tuple[int, int], board: tuple[int, ...], opponents: int) -> float:
        """Return a hand's equity against opponents with any cards.

        Args:
            hand: Two card numbers.
            board: No card, or three to five.
            opponents: Their number, 1 or more.

        Example:
            >>> round(Equities().equity_of((51, 50), (), 1), 4)
            0.852
        """
        return strength.equity_of(hand, board, opponents)

    def bet(
        self,
        hand: tuple[int, int],
        board: tuple[int, ...],
        stakes: Stakes,
        options: BetOptions = OPTIONS,
    ) -> tuple[Action, int]:
        """Return what the Kelly advisor advises, and the whole chips to put in.

        Args:
            hand: Two cards.
            board: No card, or three to five.
            stakes: The chips that the bet is about; all opponents hold any cards.
            options: The share of the bet to make, and how far its size may vary.
        """
        from gpuodds.betting.advice import advise

        advice = advise(read_spot(hand, len(stakes.stacks), board, (), HOLDEM), stakes, options)
        return advice.action, advice.bet_chips  # type: ignore[return-value]


class ServerEquities(Equities):
    """Equities from a running server (``gpuodds serve``), cached for boards that occur again.

    A copy in another process opens its own connections.

    Args:
        address: The server's address, such as ``"http://127.0.0.1:8000"``.
        token: The server's token, if it has one.

    Raises:
        InputError: httpx is not installed, or the address is not http:// or https://.
    """

    def __init__(self, address: str, *, token: str | None = None) -> None:
        """Take the server's address, and its token, if any."""
        from gpuodds.client import Client

        self._address, self._token = address, token
        self._client: Client = Client(address, token=token)
        keep: Callable[[Any], Any] = lru_cache(strength.BOARDS)
        self._against_random = keep(self._ask_against_random)
        self._villain_equity = keep(self._ask_villain_equity)
        self._equity_of = keep(self._ask_equity_of)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy only the address and the token."""
        return _connect, (self._address, self._token)

    def check(self) -> None:
        """Send a small request, so that a match does not begin without the server.

        Raises:
            ServerError: It does not answer, or refuses the token.
        """
        self._client.tables()

    def against_random(self, board: tuple[int, ...]) -> Floats:
        """Return each combo's equity against any hand, shape (1326,), float64, 0 to 1.

        Args:
            board: Three to five card numbers.
        """
        equities: Floats = self._against_random(board)
        return equities

    def villain_equity(self, hand: tuple[int, int], board: tuple[int, ...]) -> Floats:
        """Return each combo's equity against one hand, shape (1326,), float64, 0 to 1.

        Args:
            hand: Two card numbers.
            board: No card, or three to five.
        """
        equities: Floats = self._villain_equity(hand, board)
        return equities

    def against_range(self, board: tuple[int, ...], weights: Floats) -> Floats:
        """Return each combo's equity against a range, shape (1326,), float64, 0 to 1.

        Args:
            board: Three to five card numbers.
            weights: The weights of the range, shape (1326,).
        """
        held = str(strength.range_of(board, weights))
        answer = self._client.equity(["random", held], board=format_cards(board), by_hand=True)
        return _by_combo({other.hand: other.equity for other in present(answer.by_hand)[0]})

    def equity_of(self, hand: tuple[int, int], board: tuple[int, ...], opponents: int) -> float:
        """Return a hand's equity against opponents with any cards, 0 to 1.

        Args:
            hand: Two card numbers.
            board: No card, or three to five.
            opponents: Their number, 1 or more.
        """
        return float(self._equity_of(hand, board, opponents))

    def bet(
        self,
        hand: tuple[int, int],
        board: tuple[int, ...],
        stakes: Stakes,
        options: BetOptions = OPTIONS,
    ) -> tuple[Action, int]:
        """Return what the Kelly advisor advises, and the whole chips to put in.

        Args:
            hand: Two card numbers.
            board: No card, or three to five.
            stakes: The chips that the bet is about; all opponents hold any cards.
            options: The share of the bet to make, and how far its size may vary.
        """
        answer = self._client.kelly(
            format_cards(hand),
            board=format_cards(board),
            opponents=len(stakes.stacks),
            bankroll=float(stakes.bankroll),
            stack=float(stakes.stack),
            pot=float(stakes.pot),
            to_call=float(stakes.to_call),
            stacks=[None if stack is None else float(stack) for stack in stakes.stacks],
            minimum=float(stakes.minimum),
            multiple=float(options.multiple),
            spread=options.spread,
            seed=options.seed,
        )
        return answer["action"], answer["bet_chips"]

    def _ask_against_random(self, board: tuple[int, ...]) -> Floats:
        return _by_combo(self._client.equities(format_cards(board))["equities"])

    def _ask_villain_equity(self, hand: tuple[int, int], board: tuple[int, ...]) -> Floats:
        # Equities by hand are looked up or counted, never sampled.
        answer = self._client.equity(
            [format_cards(hand), "random"], board=format_cards(board), by_hand=True
        )
        return _by_combo({other.hand: other.equity for other in present(answer.by_hand)[1]})

    def _ask_equity_of(self, hand: tuple[int, int], board: tuple[int, ...], opponents: int) -> float:
        answer = self._client.equity(
            format_cards(hand), opponents=opponents, board=format_cards(board), method="exact"
        )
        return answer.equity


def _connect(address: str, token: str | None) -> ServerEquities:
    return ServerEquities(address, token=token)


def _by_combo(equities: dict[str, float]) -> Floats:
    by_combo = np.zeros(COMBOS)
    for combo, value in equities.items():
        low, high = parse_cards(combo)
        by_combo[combo_index(low, high)] = value
    return by_combo


ENGINE = Equities()
