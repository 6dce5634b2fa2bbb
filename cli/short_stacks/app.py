"""``gpuodds push-fold``: a hand, or a whole tournament."""

from __future__ import annotations

from gpuodds.cli.app import App, GroupWithDefault
from gpuodds.cli.short_stacks.push_fold import hand
from gpuodds.cli.short_stacks.tournament import tournament

app = App(
    cls=GroupWithDefault,
    help="Solve all-in or fold before the flop: charts, prizes, bounties, with a certificate.",
)
app.command()(hand)
app.command()(tournament)
