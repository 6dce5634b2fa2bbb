"""Many spots: rows of known hands that are alike are counted together, the others in threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from gpuodds.backends.choice import goes_to_gpu, run_rows, thread_count
from gpuodds.backends.counts import Progress, part_of, rising
from gpuodds.basics.arguments import as_seed
from gpuodds.basics.present import present
from gpuodds.errors import InputError
from gpuodds.games.game import Game
from gpuodds.methods.answering import answer
from gpuodds.methods.batches.hand_arrays import HandRows, find_count
from gpuodds.methods.batches.inputs import Columns, inputs_of_arrays, inputs_of_rows
from gpuodds.methods.batches.range_rows import count_range_rows, is_range_row
from gpuodds.methods.options import Options
from gpuodds.methods.planner import Plan, make_plan
from gpuodds.methods.sampling.costs import sampling_seconds
from gpuodds.results.batches.equities import AnsweredRows, Answers, Equities
from gpuodds.results.result import EquityResult
from gpuodds.spots.batches.row_names import NOTHING, Keep
from gpuodds.spots.batches.rows import Row, read_boards, read_hand_arrays, read_spots
from gpuodds.spots.ranges.range import Range
from gpuodds.spots.spot import Spot

LONG = 0.05  # seconds: an answer that takes longer has all threads to itself
KEPT = 1 << 12  # answers kept for rows that repeat them: 20 KB each, if they have ranges


class ManySpots:
    """Answers rows, each as if it were alone, piece by piece.

    Args:
        options: The options of each answer. Row n of all is sampled with the seed plus n.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._rows = 0
        self._kept: dict[Any, EquityResult] = {}

    def skip(self, rows: int) -> None:
        """Count rows that were answered before, which have their seeds."""
        self._rows += rows

    def answer(
        self,
        rows: Sequence[Row | InputError],
        progress: Progress | None = None,
        kept: Mapping[str, Sequence[Any]] | None = None,
        inputs: Callable[[], Columns] = dict,
    ) -> Equities:
        """Answer the next rows.

        Args:
            rows: The rows, and what is wrong with those that could not be read.
            progress: Called with the fraction of these rows done, 0 to 1.
            kept: Columns that go with the answers.
            inputs: Returns the columns of what was asked.

        Returns:
            The answers, and the errors of rows that cannot be answered.
        """
        progress = rising(progress)
        errors = {place: row for place, row in enumerate(rows) if isinstance(row, InputError)}
        parts: list[Answers] = []
        alone: list[int] = []
        done = len(errors)
        for places in _alike(rows):
            group = _as_arrays(places, rows)
            if group is None or find_count(group, self._options) is None:
                alone += places
                continue
            share = part_of(progress, done / len(rows), len(places) / len(rows))
            parts += self._count_group(group, errors, share)
            done += len(places)
            if progress is not None:
                progress(done / len(rows))
        if alone:
            share = part_of(progress, done / len(rows), len(alone) / len(rows))
            left = {n: row for n in sorted(alone) if isinstance(row := rows[n], Row)}
            parts += self._answer_others(left, errors, share)
        if progress is not None:
            progress(1.0)
        self._rows += len(rows)
        prices = {n: row.price for n, row in enumerate(rows) if isinstance(row, Row) and row.price}
        return Equities(len(rows), parts, errors, kept, prices, inputs)

    def answer_arrays(
        self,
        group: HandRows,
        progress: Progress | None = None,
        inputs: Callable[[], Columns] = dict,
    ) -> Equities:
        """Answer rows of known hands, given as arrays; ``inputs`` returns their columns."""
        errors: dict[int, InputError] = {}
        if find_count(group, self._options) is None:
            rows = [group.row(row) for row in range(len(group.places))]
            return self.answer(rows, progress, inputs=inputs)
        parts = self._count_group(group, errors, progress)
        return Equities(len(group.places), parts, errors, inputs=inputs)

    def _count_group(
        self, group: HandRows, errors: dict[int, InputError], progress: Progress | None
    ) -> list[Answers]:
        """Count rows of known hands that are alike; enter the impossible ones into ``errors``."""
        good = group.are_possible()
        for row in np.flatnonzero(~good).tolist():
            try:
                group.row(row).spot()
            except InputError as error:
                errors[int(group.places[row])] = error
        if not good.all():
            group = group.take(good)
        count = present(find_count(group, self._options))
        return [count(group, self._options, progress)] if len(group.places) else []

    def _answer_others(
        self, rows: Mapping[int, Row], errors: dict[int, InputError], progress: Progress | None
    ) -> list[Answers]:
        """Answer rows that are no arrays: pairs of ranges by their boards, the others one by one."""
        parts: list[Answers] = []
        ranges = {n: row for n, row in rows.items() if is_range_row(row, self._options)}
        share = len(ranges) / len(rows)
        if ranges:
            counted = count_range_rows(ranges, self._options, part_of(progress, 0.0, share))
            done = {*counted.places.tolist()}
            rows = {n: row for n, row in rows.items() if n not in done}
            parts.append(counted)
        if rows:
            parts.append(self._answer_alone(rows, errors, part_of(progress, share, 1 - share)))
        return parts

    def _answer_alone(
        self, rows: Mapping[int, Row], errors: dict[int, InputError], progress: Progress | None
    ) -> AnsweredRows:
        """Answer rows one by one, and equal ones once, if the seed leaves them equal."""
        keys = {place: _key(row) for place, row in rows.items()}
        by_key: dict[Any, EquityResult | InputError] = dict(self._kept)
        once = sorted({key: place for place, key in reversed(keys.items())}.values())
        new = [place for place in once if keys[place] not in by_key]
        answers = self._run({place: rows[place] for place in new}, progress)
        by_key |= {keys[place]: answer for place, answer in answers.items()}
        if self._options.sampling.seed is not None:  # an answer that was sampled is this row's alone
            repeated = {
                place: row
                for place, row in rows.items()
                if place not in answers and _is_sampled(by_key[keys[place]])
            }
            answers |= self._run(repeated, progress)
        for place, key in keys.items():
            answers.setdefault(place, by_key[key])
        good: dict[int, EquityResult] = {}
        for place in rows:
            answer = answers[place]
            if isinstance(answer, InputError):
                errors[place] = answer
            else:
                good[place] = answer
        self._keep({keys[n]: answer for n, answer in good.items() if answer.exact})
        return AnsweredRows(np.array(list(good), np.int64), list(good.values()))

    def _keep(self, answers: dict[Any, EquityResult]) -> None:
        if len(self._kept) + len(answers) > KEPT:
            self._kept.clear()
        self._kept |= dict(list(answers.items())[:KEPT])

    def _run(
        self, rows: Mapping[int, Row], progress: Progress | None
    ) -> dict[int, EquityResult | InputError]:
        """Answer rows: short ones in threads, then long ones with all threads each."""
        places = list(rows)
        answers: dict[int, EquityResult | InputError] = {}
        long: list[tuple[int, Spot, Plan]] = []
        on_gpu = goes_to_gpu(self._options.backend, 0.0)

        def begin(number: int) -> None:
            place = places[number]
            try:
                spot = rows[place].spot()
                plan = make_plan(spot, self._options)
            except InputError as error:
                answers[place] = error
                return
            if on_gpu or _seconds(plan, self._options) > LONG:
                _forget(spot, plan)
                long.append((place, spot, plan))
            else:
                answers[place] = self._answer_one(place, spot, plan, None)

        run_rows(begin, len(places), progress if not on_gpu else None)
        for done, (place, spot, plan) in enumerate(sorted(long, key=lambda item: item[0])):
            share = part_of(progress, 1 - (len(long) - done) / len(places), 1 / len(places))
            answers[place] = self._answer_one(place, spot, plan, share)
        return answers

    def _answer_one(
        self, place: int, spot: Spot, plan: Plan, progress: Progress | None
    ) -> EquityResult | InputError:
        options, seed = self._options, self._options.sampling.seed
        try:
            if seed is not None:
                own = replace(options.sampling, seed=as_seed(seed + self._rows + place))
                options = replace(options, sampling=own)
            return answer(spot, options, plan=plan, progress=progress)
        except InputError as error:
            return error
        finally:
            _forget(spot, plan)


def answer_spots(
    spots: Any,
    boards: Any,
    opponents: Any,
    options: Options,
    game: Game,
    keep: Keep = NOTHING,
    progress: Progress | None = None,
) -> Equities:
    """Answer many spots: see :func:`gpuodds.equities`."""
    many = ManySpots(options)
    if boards is None and not (hasattr(spots, "ndim") and hasattr(spots, "dtype")):
        if opponents is not None:
            raise InputError("opponents: expected in each row; the argument goes with boards or arrays")
        rows, kept, given = read_spots(spots, game, keep)
        inputs = partial(inputs_of_rows, rows) if given is None else partial(dict, given)
        return many.answer(rows, progress, kept, inputs)
    if keep.names:
        raise InputError("keep: expected with rows, which have columns; not with boards or arrays")
    named = (str, Mapping, Range)
    players = spots if isinstance(spots, (list, tuple)) else [spots]
    if any(isinstance(player, named) for player in players):
        rows = read_boards(spots, boards, opponents, game)
        return many.answer(rows, progress, inputs=partial(inputs_of_rows, rows))
    hands, on_board, random = read_hand_arrays(spots, boards, opponents, game)
    places, dead = np.arange(len(hands)), on_board[:, :0]
    group = HandRows(places, hands, on_board, dead, random, game)
    return many.answer_arrays(group, progress, partial(inputs_of_arrays, group))


def _alike(rows: Sequence[Row | InputError]) -> list[list[int]]:
    """Return the places of rows alike in their numbers of cards and opponents, and in having folds."""
    groups: dict[Any, list[int]] = {}
    for place, row in enumerate(rows):
        if isinstance(row, Row):
            sizes = len(row.board), len(row.dead)
            kinds = tuple(map(type, row.players)), bool(row.folded)
            key = kinds, row.opponents, sizes, row.game
            groups.setdefault(key, []).append(place)
    return list(groups.values())


def _as_arrays(places: Sequence[int], rows: Sequence[Any]) -> HandRows | None:
    """Return rows that are alike as arrays; None if they have ranges or folded players."""
    first_row: Row = rows[places[0]]
    if first_row.folded or not all(isinstance(player, tuple) for player in first_row.players):
        return None

    def cards(values: Any, *shape: int) -> Any:
        return np.array(values, np.uint8).reshape(len(places), *shape)

    size = first_row.game.hole_cards
    hands = cards([rows[place].players for place in places], len(first_row.players), size)
    boards = cards([rows[place].board for place in places], len(first_row.board))
    dead = cards([rows[place].dead for place in places], len(first_row.dead))
    return HandRows(np.array(places), hands, boards, dead, first_row.opponents, first_row.game)


def _key(row: Row) -> Any:
    """Return what equal rows share. Ranges of equal weights differ if their names do."""
    players, folded = (
        tuple(hand if isinstance(hand, tuple) else (hand.name, hand) for hand in group)
        for group in (row.players, row.folded)
    )
    return players, row.opponents, row.board, row.dead, row.game, folded


def _forget(spot: Spot, plan: Plan) -> None:
    """Drop what can be computed again, of a spot and of what is counted in its place."""
    spot.forget()
    plan.form.spot.forget()


def _is_sampled(answer: EquityResult | InputError) -> bool:
    return isinstance(answer, EquityResult) and not answer.exact


def _seconds(plan: Plan, options: Options) -> float:
    if not plan.is_sampled:
        return plan.cpu_seconds
    # All threads draw more samples in a time limit than one.
    if options.sampling.time_limit:
        return LONG + 1
    return sampling_seconds(plan.form.spot, options.sampling, thread_count())
