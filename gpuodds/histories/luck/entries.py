"""The entries of many hands: equities are counted in batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice

from gpuodds.basics.present import present
from gpuodds.histories.hand import Hand, Skipped
from gpuodds.histories.luck.all_ins import AllIn, Options, find_all_in, settle, settle_plain
from gpuodds.histories.luck.entry import Entry

BATCH = 5000  # hands
SHOWN_HANDS = Options()


def ledger_entries(
    hands: Iterable[Hand | Skipped], options: Options = SHOWN_HANDS, batch: int = BATCH
) -> Iterator[Entry | Skipped]:
    """Yield the entry of each hand, in order, and what was skipped.

    Args:
        hands: What :func:`gpuodds.histories.read` yields.
        options: How hands that are not shown count.
        batch: How many hands are read before their equities are counted together.

    Yields:
        An :class:`Entry` for each hand; what was skipped, as it came.
    """
    rest = iter(hands)
    while some := list(islice(rest, batch)):
        yield from _settle_all(some, options)


def _settle_all(hands: list[Hand | Skipped], options: Options) -> Iterator[Entry | Skipped]:
    found = [hand if isinstance(hand, Skipped) else find_all_in(hand, options) for hand in hands]
    spots = [list(one.spots(options)) for one in found if isinstance(one, AllIn)]
    answers = iter(_shares([spot for some in spots for spot in some]))
    counts = iter(map(len, spots))
    for hand, one in zip(hands, found, strict=True):
        if isinstance(hand, Skipped):
            yield hand
        elif isinstance(one, AllIn):
            shares = list(islice(answers, next(counts)))
            failed = next((share for share in shares if isinstance(share, str)), None)
            if failed is None:
                yield settle(one, shares)  # type: ignore[arg-type]
            else:
                yield settle_plain(hand, failed)
        else:
            yield settle_plain(hand, one)  # type: ignore[arg-type]


def _shares(spots: list[dict[str, object]]) -> Iterator[tuple[Fraction, ...] | str]:
    """Yield the players' exact equities of each spot, or why there are none."""
    if not spots:
        return
    from gpuodds.api import equities

    answers = equities(spots, method="exact", errors="column")
    for row in range(len(spots)):
        problem = answers.errors.get(row)
        if problem is not None:
            yield str(problem)
        else:
            yield tuple(present(player.equity_exact) for player in answers[row].players)
