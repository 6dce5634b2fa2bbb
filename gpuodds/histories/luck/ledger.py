"""The ledger of files of hand histories: totals by player, and a row for each hand on its way past."""

from __future__ import annotations

import gc
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

from gpuodds.backends.counts import Progress
from gpuodds.basics.amounts import Chips
from gpuodds.basics.arguments import one_of
from gpuodds.histories.hand import Hand, Skipped
from gpuodds.histories.luck.all_ins import Options
from gpuodds.histories.luck.entries import BATCH, SHOWN_HANDS, ledger_entries
from gpuodds.histories.luck.row import GROUPS, Row, group_of, to_row
from gpuodds.histories.luck.totals import Totals
from gpuodds.histories.reading.pieces import Piece
from gpuodds.histories.reading.reader import find_files, pieces_of, read_piece
from gpuodds.histories.reading.seen import SeenNumbers
from gpuodds.machine.processes import Stop, map_in_order
from gpuodds.machine.system import core_count
from gpuodds.short_stacks.icm import read_payouts

MAX_SKIPPED = 10_000  # that are kept; further ones are counted
SMALL = 4_000_000  # bytes that one process reads before others would have started


@dataclass
class Ledger:
    """Totals over hand histories.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from gpuodds.histories import EXAMPLE_HAND, ledger
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder) / "hand.phh"
        ...     _ = path.write_text(EXAMPLE_HAND)
        ...     found = ledger(path)
        >>> [(one.player, one.result // 10**8, round(float(one.ev) / 10**8, 2)) for one in found.totals]
        [('Ann', -60, 44.12), ('Bob', 66, -38.12), ('Cem', -6, -6.0)]
    """

    hands: int = 0
    """Hands that were read."""

    skipped: list[Skipped] = field(default_factory=list)
    """What could not be read, the first 10,000."""

    reasons: Counter[str] = field(default_factory=Counter)
    """How many pieces of the files were skipped, by reason."""

    again: int = 0
    """Hands whose number had been read before."""

    not_adjusted: Counter[str] = field(default_factory=Counter)
    """How many hands with an all-in are not adjusted, or not in all pots, by reason."""

    stopped: bool = False
    """Whether it ended before the files did."""

    apart: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """Money outside the pots, in parts, by what it was, player and currency."""

    _by_key: dict[tuple[str, str, str], Totals] = field(default_factory=dict)

    @property
    def totals(self) -> list[Totals]:
        """The players' totals, most hands first: by currency, and by group if asked for."""
        return sorted(self._by_key.values(), key=lambda one: (-one.hands, one.player, one.group))

    def add(self, row: Row, player: str | None = None, by: str | None = None) -> None:
        """Add a hand."""
        self.hands += 1
        if row.why:
            self.not_adjusted[row.why] += 1
        currency = row.currency
        for place, name in enumerate(row.names):
            if player is not None and name != player:
                continue
            key = (name, currency, group_of(row, by, place))
            totals = self._by_key.get(key)
            if totals is None:
                totals = self._by_key[key] = Totals(*key)
            luck = row.luck[place] if row.luck else None
            why = row.why if row.contest[place] else ""
            totals.add(row.result[place], row.ev[place], row.big_blind, luck, why)
            if row.prizes is not None:
                totals.add_prize(*row.prizes[place])
        for what, name, amount in row.apart:
            if player is None or name == player:
                self.apart[what, name, currency] += amount

    def skip(self, skipped: Skipped) -> None:
        """Note what could not be read."""
        self.reasons[skipped.reason] += 1
        if len(self.skipped) < MAX_SKIPPED:
            self.skipped.append(skipped)


def ledger(
    paths: str | Path | Iterable[str | Path],
    *,
    player: str | None = None,
    by: str | None = None,
    unknown: str | None = None,
    dead_folds: bool = False,
    payouts: Sequence[Chips] = (),
    workers: int | None = None,
    each: Callable[[Row], None] | None = None,
    as_json: bool = False,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Ledger:
    """Read hand histories, and return what players won and what they could expect.

    Memory does not grow with the number of hands, but by eight bytes for the number of each.

    Args:
        paths: Files, folders and patterns, as for :func:`gpuodds.histories.read`.
        player: Add up this player's hands alone.
        by: Split totals by ``"day"``, ``"table"``, ``"stakes"``, ``"position"``, ``"hand"``, ``"game"``
            or ``"site"``.
        unknown: A range for hands that were mucked at a showdown. Losers muck: it overstates them.
        dead_folds: Whether known cards of players who folded are out of the deck.
        payouts: Prizes from the first place on: hands of tournaments count in prize money, too, by the
            independent chip model; the players dealt in are taken for all who are left.
        workers: Processes; by default one for each core where there is enough to read.
        each: Called with the row of each hand, in order.
        as_json: Whether rows have their line of JSON.
        progress: Called with the share of the bytes read, 0 to 1.
        stop: Ends it once it returns True; what was counted is returned.

    Raises:
        InputError: A file does not exist, or an argument cannot be read.
    """
    if by is not None:
        one_of("by", by, GROUPS)
    options = Options(_checked_range(unknown), dead_folds)
    files = find_files(paths)
    sizes = [file.stat().st_size if file.is_file() else 0 for file in files]
    if workers is None:
        workers = core_count() if sum(sizes) > SMALL else 1
    reading = _Reading(files, sizes)

    def tell(done: tuple[str, int]) -> None:
        if progress is not None:
            progress(reading.share(done))

    prizes = tuple(read_payouts(payouts, len(payouts))) if payouts else ()
    counting = Counting(options, prizes, workers, as_json)
    return add_up(reading.pieces(), counting, player=player, by=by, each=each, tell=tell, stop=stop)


@dataclass(frozen=True)
class Counting:
    """How hands are counted, and in how many processes."""

    options: Options = SHOWN_HANDS
    payouts: tuple[Fraction, ...] = ()
    workers: int = 1
    as_json: bool = False


def add_up(
    pieces: Iterator[Piece | Skipped],
    counting: Counting,
    *,
    player: str | None = None,
    by: str | None = None,
    each: Callable[[Row], None] | None = None,
    tell: Callable[[tuple[str, int]], None] | None = None,
    stop: Stop | None = None,
) -> Ledger:
    """Return the ledger of pieces of files; see :func:`ledger`.

    Args:
        pieces: The texts of hands.
        counting: How they are counted.
        player: Add up this player's hands alone.
        by: What totals are split by.
        each: Called with the row of each hand.
        tell: Called with a file and the bytes of it that are done.
        stop: Ends it once it returns True.
    """
    found, seen = Ledger(), SeenNumbers()
    jobs = ((some, counting) for some in _batches(pieces))
    for rows, done in map_in_order(_settle, jobs, counting.workers):
        for row in rows:
            if isinstance(row, Skipped):
                found.skip(row)
            elif row.key and not seen.add(row.key):
                found.again += 1
            else:
                found.add(row, player, by)
                if each is not None:
                    each(row)
        if tell is not None:
            tell(done)
        if stop is not None and stop():
            found.stopped = True
            break
    return found


def ledger_columns(paths: str | Path | Iterable[str | Path], **options: Any) -> dict[str, list[Any]]:
    """Return a row for each hand and player as columns, for a data frame.

    Args:
        paths: As for :func:`ledger`.
        options: ``player``, ``unknown``, ``dead_folds``, ``workers``, ``progress`` and ``stop`` of it.

    Returns:
        Columns of equal length: the hand, its place and stakes, the player, and in chips the result,
        the expected result and the luck of the streets, as floats.
    """
    from gpuodds.histories.luck.files import COLUMNS, cells

    rows: list[tuple[Any, ...]] = []
    player = options.get("player")
    ledger(paths, **options, each=lambda row: rows.extend(cells(row, player)))
    return {name: [cell[at] for cell in rows] for at, name in enumerate(COLUMNS)}


class _Reading:
    """How far files are read."""

    def __init__(self, files: list[Path], sizes: list[int]) -> None:
        self.files, self.sizes = files, sizes
        self.before: dict[str, int] = {}
        self.total = max(sum(sizes), 1)

    def pieces(self) -> Iterator[Piece | Skipped]:
        before = 0
        for file, size in zip(self.files, self.sizes, strict=True):
            self.before[str(file)] = before
            yield from pieces_of(file)
            before += size

    def share(self, done: tuple[str, int]) -> float:
        """Return the share of the bytes up to a place in a file."""
        file, end = done
        return min((self.before.get(file, 0) + end) / self.total, 1.0)


def _batches(pieces: Iterator[Piece | Skipped]) -> Iterator[list[Piece | Skipped]]:
    some = list(islice(pieces, BATCH // 10))  # the first answers come soon
    while some:
        yield some
        some = list(islice(pieces, BATCH))


def _settle(
    pieces: list[Piece | Skipped], counting: Counting
) -> tuple[list[Row | Skipped], tuple[str, int]]:
    """Return the rows of some pieces, and up to where they go."""
    collects = gc.isenabled()
    gc.disable()  # no hand refers to itself, and looking for such takes a tenth of the time
    try:
        return _rows_of(pieces, counting)
    finally:
        if collects:
            gc.enable()


def _rows_of(
    pieces: list[Piece | Skipped], counting: Counting
) -> tuple[list[Row | Skipped], tuple[str, int]]:
    options, payouts = counting.options, counting.payouts
    keys: list[str] = []
    last = ("", 0)

    def read() -> Iterator[Hand | Skipped]:
        nonlocal last
        for piece in pieces:
            if isinstance(piece, Skipped):
                yield piece
                continue
            last = (piece.file, piece.end)
            hand = read_piece(piece)
            if isinstance(hand, Hand):
                keys.append(hand_key(hand, piece.text))
            yield hand

    rows: list[Row | Skipped] = []
    at = 0
    for entry in ledger_entries(read(), options):
        if isinstance(entry, Skipped):
            rows.append(entry)
            continue
        prizes = None
        if payouts:
            from gpuodds.histories.luck.prizes import prizes_of

            prizes = prizes_of(entry, payouts, dead_folds=options.dead_folds)
        text = json.dumps(entry.to_dict(prizes), ensure_ascii=False) if counting.as_json else ""
        rows.append(to_row(entry, keys[at], prizes, text))
        at += 1
    return rows, last


def hand_key(hand: Hand, text: str) -> str:
    """Return what tells a hand from others: site and number, without a site its text, or nothing."""
    if not hand.number:
        return ""
    if hand.site:
        return f"{hand.site} {hand.number}"
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def _checked_range(unknown: str | None) -> str | None:
    """Return the range of unknown hands, once it is known to be one."""
    if unknown is not None:
        from gpuodds.spots.ranges.range import Range

        Range(unknown)
    return unknown
