"""How ``gpuodds equity`` prints an answer: tables on a terminal, JSON, CSV."""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gpuodds.basics.durations import format_duration
from gpuodds.cards import RANKS, SUITS
from gpuodds.cli.equity.blockers import mean_blockers, print_blockers, print_blockers_csv
from gpuodds.cli.equity.call import HandsAbove, print_above, print_above_csv, print_call
from gpuodds.cli.output import AS_NEEDED, console, fold, new_table, print_grid, print_table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from gpuodds.results.blockers import HandBlockers
    from gpuodds.results.equity_graph import EquityGraph
    from gpuodds.results.explanation import Explanation
    from gpuodds.results.player_equity import HandEquity, PlayerEquity
    from gpuodds.results.result import EquityResult

MOST_HANDS = 30  # of a range in a list
MAX_COUNTS_WIDTH = 240  # columns; wider counts are printed player by player


class Details(NamedTuple):
    """What was asked for beside the answer."""

    after: Mapping[str, EquityResult] | None
    """The answers after each next card, by card; None if they were not asked for."""
    graphs: tuple[EquityGraph, ...]
    """The equity graph of each player; empty if they were not asked for."""
    by_combo: bool
    """Whether hands are combos, not starting hands."""
    above: HandsAbove | None
    """The first player's hands with at least an equity; None if they were not asked for."""
    blockers: Sequence[HandBlockers] | None
    """What the first player's hands block; None if it was not asked for."""


def to_json(result: EquityResult, details: Details) -> dict[str, Any]:
    """Return the answer as one JSON object."""
    answer = result.to_dict()
    if details.graphs:
        from gpuodds.results.equity_graph import add_graphs

        add_graphs(answer, details.graphs)
    if details.after is not None:
        answer["by_next_card"] = [
            _next_card_json(card, result_after) for card, result_after in details.after.items()
        ]
    if details.above is not None:
        answer["above"] = details.above.to_dict()
    if details.blockers is not None:
        answer["players"][0]["blockers"] = [hand.to_dict() for hand in details.blockers]
    return answer


def _next_card_json(card: str, result: EquityResult) -> dict[str, Any]:
    answer = {"card": card, "equities": [player.equity for player in result.players]}
    if not result.exact:
        answer["standard_errors"] = [player.standard_error for player in result.players]
    return answer


def print_csv(result: EquityResult, details: Details) -> None:
    """Print rows of CSV: a row per next card, per hand, per step of a graph, or else per player.

    The hands above an equity are one row. An explanation goes to stderr.
    """
    if details.above is not None:
        print_above_csv(details.above)
    elif details.after is not None:
        _print_next_cards_csv(details.after)
    elif result.by_hand:
        _print_hands_csv(result, details)
    elif details.blockers is not None:
        print_blockers_csv(details.blockers)
    elif details.graphs:
        _print_graphs_csv(result, details.graphs)
    else:
        _print_players_csv(result)
    if result.explanation is not None:
        print_explanation(console(stderr=True), result.explanation)


def _print_players_csv(result: EquityResult) -> None:
    answer = result.to_dict()
    shared = {key: answer[key] for key in ("opponents", "board", "dead")}
    if "folded" in answer:
        shared["folded"] = " ".join(answer["folded"])
    shared |= {key: answer[key] for key in ("method", "exact", "backend")}
    rows = []
    price = _price_columns(result)
    for place, player in enumerate(answer["players"]):
        ties = player.pop("tie_outcomes") or [None] * (result.spot.players - 1)
        if result.exact:
            player.pop("standard_error")
        row = {"hand": player.pop("hand"), **shared, "outcomes": answer["outcomes"], **player}
        row |= {f"tie_{others}": count for others, count in enumerate(ties, 1)}
        rows.append(row | (dict.fromkeys(price) if place else price))
    writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _price_columns(result: EquityResult) -> dict[str, Any]:
    """Return what a call is worth to the first player, as columns."""
    if result.call is None:
        return {}
    columns = result.call.to_dict()
    error = columns.pop("standard_error")
    return columns if result.exact else columns | {"expected_value_error": error}


def _print_hands_csv(result: EquityResult, details: Details) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    has_blockers = details.blockers is not None
    more = ["blocked", "share", "left_equity", "change"] * has_blockers
    writer.writerow(["player", "hand", "weight", "equity", "win", "tie", *more])
    blocked = mean_blockers(result, details.blockers or (), details.by_combo)
    nothing = [None] * len(more)
    for place, player in enumerate(result.players):
        hands = (result.by_hand or ())[place] if details.by_combo else result.by_starting_hand(place)
        for hand in hands:
            columns = nothing if place else blocked.get(hand.hand, nothing)
            writer.writerow([player.hand, *hand.to_dict().values(), *columns])


def _print_graphs_csv(result: EquityResult, graphs: tuple[EquityGraph, ...]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["player", "share", "equity"])
    for player, graph in zip(result.players, graphs, strict=True):
        writer.writerows([player.hand, *step] for step in graph.to_list())


def _print_next_cards_csv(after: Mapping[str, EquityResult]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    sampled = any(not result.exact for result in after.values())
    writer.writerow(["card", "player", "equity", *["standard_error"] * sampled])
    for card, result in after.items():
        for player in result.players:
            errors = [player.standard_error] * sampled
            writer.writerow([card, player.hand, player.equity, *errors])


def print_tables(result: EquityResult, details: Details) -> None:
    """Print the answer as tables: equities, counts, and the details that were asked for."""
    out = console()
    _print_equities(out, result)
    _print_counts(out, result)
    whose = "built" if result.spot.folded else "shipped"
    how = {
        "table": f"from the {whose} table",
        "symmetry": "by symmetry: all players are alike",
    }.get(result.method, f"computed, {result.backend}")
    kind = f"exact ({how})" if result.exact else f"sampled, {result.backend}; +/- is one standard error"
    out.print(f"{kind}, {format_duration(result.seconds)}")
    if result.call is not None:
        print_call(result.call)
    if result.by_hand:
        _print_hands(out, result, details.by_combo)
    if details.blockers is not None:
        print_blockers(result, details.blockers)
    if details.graphs:
        _print_graphs(out, result, details.graphs)
    if result.made_hands is not None:
        _print_made_hands(out, result)
    if details.after is not None:
        _print_next_cards(out, details.after)
    if details.above is not None:
        print_above(details.above)
    if result.explanation is not None:
        print_explanation(out, result.explanation)


def _print_equities(out: Console, result: EquityResult) -> None:
    spot, answer = result.spot, result.to_dict()
    known = [f"{name} {answer[name]}" for name in ("board", "dead") if answer[name]]
    known += [f"folded {name}" for name in answer.get("folded", [])]
    if known:
        out.print(", ".join(known))
    sampled = not result.exact
    halves = ("scoop", "part", "lose") if spot.game.has_low else ("win", "tie", "lose")
    shares = new_table("hand", "equity", *["+/-"] * sampled, *halves)
    for player in result.players:
        figures = [player.equity, player.win, player.tie, player.lose]
        if player.standard_error is not None:
            figures.insert(1, player.standard_error)
        shares.add_row(player.hand, *(_percent(share) for share in figures))
    if result.random_equity is not None:
        who = "random opponent" if spot.opponents == 1 else f"each of {spot.opponents} random"
        shares.add_row(who, f"{100 * result.random_equity:.4f} %", *[""] * (3 + sampled))
    print_table(out, shares, keep=("hand", "equity"), wrap=0)


def _percent(share: float) -> str:
    """Return a share in percent; nothing for one that is not known."""
    return f"{100 * share:.4f} %" if share == share else ""


def _print_counts(out: Console, result: EquityResult) -> None:
    """Print the counts of all players side by side, or one table per player if that is too wide."""
    counted = tuple(player for player in result.players if player.win_outcomes is not None)
    if not counted:
        return
    counts = _counts_table(result, counted)
    width = out.measure(counts, options=out.options.update(max_width=AS_NEEDED)).maximum
    if width <= min(out.width, MAX_COUNTS_WIDTH):
        print_table(out, counts)
        return
    for player in counted:
        out.print(fold(player.hand, out.width))
        print_table(out, _counts_table(result, (player,)))


def _counts_table(result: EquityResult, players: tuple[PlayerEquity, ...]) -> Table:
    what, names = "outcomes" if result.exact else "samples", [player.hand for player in players]
    is_alone = len(names) == 1 < sum(player.win_outcomes is not None for player in result.players)
    counts = new_table(what, *([""] if is_alone else names))
    for name, row in _count_rows(result, players):
        counts.add_row(name, *(f"{count:,}" for count in row))
    counts.add_row("all", *(f"{result.outcomes:,}" for _ in players))
    return counts


def _count_rows(result: EquityResult, players: tuple[PlayerEquity, ...]) -> list[tuple[str, list[Any]]]:
    """Return the name and the players' counts of each row; splits that never happen are left out."""
    has_low = result.spot.game.has_low
    rows = [("scoop" if has_low else "win", [player.win_outcomes for player in players])]
    columns = {"split with": [(0, *player.tie_outcomes) for player in players]}
    if has_low:
        halves: list[Any] = list(players)
        columns["best high"] = [player.high_outcomes for player in halves]
        columns["best low"] = [player.low_outcomes for player in halves]
    for name, counts in columns.items():
        for others, row in enumerate(zip(*counts, strict=True)):
            if any(row):
                shared = f"{name} {others}" if name == "split with" else f"{name} with {others}"
                rows.append((shared if others else name, list(row)))
    return rows


def _print_hands(out: Console, result: EquityResult, by_combo: bool) -> None:
    """Print each range as a 13 x 13 grid of the mean equity of its starting hands, or as a list."""
    for place, player in enumerate(result.players):
        if by_combo:
            _print_list(out, f"{player.hand}: equity by combo, %", (result.by_hand or ())[place])
            continue
        if not result.spot.game.grid_ranks:
            title = f"{player.hand}: equity by ranks and suits, %"
            _print_list(out, title, result.by_starting_hand(place))
            continue
        figures = {}
        for name, share in result.equity_grid(place).items():
            shade = "red" if share < 0.4 else "green" if share > 0.6 else "yellow"
            figures[name] = f"{100 * share:5.1f}", shade
        out.print(fold(f"{player.hand}: equity by starting hand, %", out.width))
        print_grid(out, figures, " ", result.spot.game.grid_ranks)


def _print_list(out: Console, title: str, hands: Sequence[HandEquity]) -> None:
    """Print the best hands: combos or starting hands, their weight and mean equity."""
    out.print(fold(title, out.width))
    table = new_table("hands", "combos", "equity")
    for hand in hands[:MOST_HANDS]:
        table.add_row(hand.hand, f"{hand.weight:g}", f"{100 * hand.equity:.2f}")
    print_table(out, table)
    if len(hands) > MOST_HANDS:
        out.print(f"and {len(hands) - MOST_HANDS:,} more; --json and --csv have every hand")


def _print_graphs(out: Console, result: EquityResult, graphs: tuple[EquityGraph, ...]) -> None:
    """Print the players' equities at each tenth of their ranges."""
    from gpuodds.results.equity_graph import DECILES

    out.print("equity at a share of the range, best hands first, %")
    table = new_table("share", *(player.hand for player in result.players))
    for share in DECILES:
        cells = (f"{100 * graph.equity_at(share):.2f}" for graph in graphs)
        table.add_row(f"{100 * share:.0f}", *cells)
    print_table(out, table)


def _print_made_hands(out: Console, result: EquityResult) -> None:
    won = "of high halves won" if result.spot.game.has_low else "of those won"
    for player, made in zip(result.players, result.made_hands or (), strict=True):
        if not made:
            continue
        out.print(f"{player.hand}: final hands, % of all outcomes, {won}, of those split")
        table = new_table("hand", "all", "win", "tie")
        for name in result.spot.game.categories[::-1]:
            if name in made:
                hand = made[name]
                table.add_row(name, *(f"{100 * share:.4f}" for share in (hand.all, hand.win, hand.tie)))
        print_table(out, table, keep=("hand", "all"))


def print_explanation(out: Console, explanation: Explanation) -> None:
    """Print the methods that could have answered, and a line for each thing that was assumed."""
    table = new_table("", "method", "about", "why")
    for way in explanation.methods:
        seconds = "-" if way.seconds is None else format_duration(way.seconds)
        table.add_row("*" if way.chosen else "", way.method, seconds, way.reason)
    table.columns[1].justify = table.columns[3].justify = "left"
    out.print("methods, with about how long each takes")
    print_table(out, table, keep=("method", "about"), wrap=3)
    for line in explanation.assumed:
        out.print(fold(line, out.width))


def _print_next_cards(out: Console, after: Mapping[str, EquityResult]) -> None:
    """Print the equities after each next card: a table per player, a row per rank."""
    players = next(iter(after.values())).players
    for place, player in enumerate(players):
        out.print(f"{player.hand}: equity after the next card, %")
        table = new_table("", *SUITS[::-1])
        for rank in RANKS[::-1]:
            cells = []
            for suit in SUITS[::-1]:
                result = after.get(rank + suit)
                cells.append("" if result is None else f"{100 * result.players[place].equity:.2f}")
            table.add_row(rank, *cells)
        print_table(out, table)
    errors = [p.standard_error or 0.0 for result in after.values() for p in result.players]
    if any(errors):
        out.print(f"sampled: one standard error is at most {100 * max(errors):.4f} %")
