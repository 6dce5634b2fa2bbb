"""Answers that a server has found: results whose figures are read from the JSON object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import nan
from typing import TYPE_CHECKING, Any

from gpuodds.basics.lazy import cached_property
from gpuodds.results.player_equity import Count, HandEquity, MadeHand, PlayerEquity
from gpuodds.results.result import EquityResult

if TYPE_CHECKING:
    from gpuodds.results.blockers import HandBlockers
    from gpuodds.results.call_value import CallValue
    from gpuodds.results.equity_graph import EquityGraph
    from gpuodds.results.explanation import Explanation
    from gpuodds.spots.spot import Spot

JsonObject = dict[str, Any]


class ServedEquity(PlayerEquity):
    """A player's figures as a server found them.

    In hi-lo games it has ``high_outcomes``, ``low_outcomes`` and ``scoop`` besides, as
    :class:`gpuodds.results.HiLoEquity` has.

    Args:
        player: The player's part of the JSON object.
    """

    def __init__(self, player: Mapping[str, Any], outcomes: Count) -> None:
        """Read the figures."""
        ties = player["tie_outcomes"]
        super().__init__(
            player["hand"],
            outcomes,
            _count(player["win_outcomes"]),
            None if ties is None else tuple(map(_count, ties)),  # type: ignore[arg-type]
            player["standard_error"],
        )
        vars(self)["_player"] = player
        if "scoop" in player:
            for name in ("high_outcomes", "low_outcomes"):
                counts = player[name]
                vars(self)[name] = None if counts is None else tuple(map(_count, counts))
            vars(self)["scoop"] = _share(player["scoop"])

    @cached_property
    def _share(self) -> tuple[Any, Any]:
        exact = vars(self)["_player"]["equity_exact"]
        return (self.equity, 1) if exact is None else Fraction(exact).as_integer_ratio()

    @property
    def equity_exact(self) -> Fraction | None:
        """The expected share of the pot, reduced; None if weighted, sampled or without outcomes."""
        exact = vars(self)["_player"]["equity_exact"]
        return None if exact is None else Fraction(exact)

    @property
    def equity(self) -> float:
        """The expected share of the pot, 0 to 1."""
        return _share(vars(self)["_player"]["equity"])

    @property
    def win(self) -> float:
        """The share of outcomes that the player wins alone, 0 to 1."""
        return _share(vars(self)["_player"]["win"])

    @property
    def tie(self) -> float:
        """The share of outcomes split with at least one other player, 0 to 1."""
        return _share(vars(self)["_player"]["tie"])

    @property
    def lose(self) -> float:
        """The share of outcomes in which another player has a better hand, 0 to 1."""
        return _share(vars(self)["_player"]["lose"])

    def to_dict(self) -> JsonObject:
        """Return the player's part of the JSON object."""
        return dict(vars(self)["_player"])


class ServedResult(EquityResult):
    """A server's answer to a spot, of which each part is read when it is asked for.

    Args:
        answer: The JSON object ``gpuodds.equity/1``.
        read_spot: Reads the spot: its texts are those of the request.
    """

    def __init__(self, answer: JsonObject, read_spot: Callable[[], Spot]) -> None:
        """Keep the answer."""
        vars(self).update(_answer=answer, _read_spot=read_spot)

    @property
    def _json(self) -> JsonObject:
        answer: JsonObject = vars(self)["_answer"]
        return answer

    @cached_property
    def spot(self) -> Spot:
        """The spot that was answered, read here: a name that only the server knows is an InputError."""
        spot: Spot = vars(self)["_read_spot"]()
        return spot

    @cached_property
    def players(self) -> tuple[PlayerEquity, ...]:
        """The figures of each named player."""
        outcomes = _count(self._json["outcomes"])
        return tuple(ServedEquity(player, outcomes) for player in self._json["players"])

    @cached_property
    def method(self) -> str:
        """``"table"``, ``"exact"``, ``"symmetry"`` or ``"monte-carlo"``."""
        return str(self._json["method"])

    @cached_property
    def backend(self) -> str:
        """The name of the backend that counted or sampled."""
        return str(self._json["backend"])

    @cached_property
    def seconds(self) -> float:
        """The time that the server took."""
        return float(self._json["seconds"])

    @cached_property
    def exact(self) -> bool:
        """False if the answer was sampled."""
        return bool(self._json["exact"])

    @cached_property
    def winners(self) -> Mapping[str, Count] | None:
        """Outcomes by the set of winners; None if they are not known."""
        return _counts(self._json.get("winners"))

    @cached_property
    def low_winners(self) -> Mapping[str, Count] | None:
        """In hi-lo games, outcomes by the set of players who win the low half."""
        return _counts(self._json.get("low_winners"))

    @cached_property
    def by_hand(self) -> tuple[tuple[HandEquity, ...], ...] | None:
        """The hands of each player's range, best first; None unless requested."""
        if not all("by_hand" in player for player in self._json["players"]):
            return None
        players = self._json["players"]
        return tuple(tuple(HandEquity(**hand) for hand in player["by_hand"]) for player in players)

    @cached_property
    def made_hands(self) -> tuple[dict[str, MadeHand], ...] | None:
        """The categories of each player's final hands; None unless requested."""
        if not all("made_hands" in player for player in self._json["players"]):
            return None
        found = (player["made_hands"] or {} for player in self._json["players"])
        return tuple({name: MadeHand(**made) for name, made in each.items()} for each in found)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What the answer costs, and what other programs read differently."""
        return tuple(self._json.get("notes", ()))

    @cached_property
    def explanation(self) -> Explanation | None:
        """The methods that could have answered, and what was assumed; None unless requested."""
        from gpuodds.results.explanation import Considered, Explanation

        if "explanation" not in self._json:
            return None
        methods = tuple(Considered(**method) for method in self._json["explanation"])
        return Explanation(methods, tuple(self._json["assumed"]))

    @cached_property
    def call(self) -> CallValue | None:
        """What a call is worth to the first player; None unless its price was given."""
        from gpuodds.results.call_value import CallValue
        from gpuodds.spots.price import Price

        call = self._json.get("call")
        if call is None:
            return None
        price = Price.read(call["pot"], call["to_call"])
        return None if price is None else CallValue.of(price, self.players[0])

    @property
    def random_equity(self) -> float | None:
        """The equity of each random opponent, an equal part of what the named players leave."""
        share: float | None = self._json["random_equity"]
        return share

    def equity_graph(self, place: int) -> EquityGraph:
        """Return the hands of a player's range sorted by equity, best first.

        Args:
            place: The player's place among the named players, from 0. The request asked for
                ``equity_graph`` or ``by_hand``.
        """
        from gpuodds.results.equity_graph import EquityGraph

        steps = self._json["players"][place].get("equity_graph")
        if steps is None:
            return super().equity_graph(place)
        return EquityGraph(*zip(*steps, strict=True))

    def blockers(self, place: int = 0) -> tuple[HandBlockers, ...]:
        """Return what each hand of a player takes out of the opponent's range.

        Args:
            place: The player's place, 0 or 1. The request asked for ``blockers`` or ``by_hand``.
        """
        from gpuodds.results.blockers import HandBlockers

        hands = self._json["players"][place].get("blockers")
        if hands is None:
            return super().blockers(place)
        return tuple(
            HandBlockers(**{**hand, "equity": _share(hand["equity"]), "change": _share(hand["change"])})
            for hand in hands
        )

    def to_dict(self) -> JsonObject:
        """Return the answer as the server sent it: the JSON object ``gpuodds.equity/1``."""
        return dict(self._json)


def _count(count: Any) -> Count:
    """Return a count of JSON: large integers are decimal texts."""
    return int(count) if isinstance(count, str) else count


def _counts(counts: Mapping[str, Any] | None) -> dict[str, Count] | None:
    return None if counts is None else {who: _count(count) for who, count in counts.items()}


def _share(share: float | None) -> float:
    return nan if share is None else share
