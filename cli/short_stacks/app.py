"""``gpuodds push-fold``: a hand, or a whole tournament."""

from __future__ import annotations

from gpuodds.cli.app import App, GroupWithDefault
from gpuodds.cli.short_stacks.push_fold import hand

app = App(cls=GroupWithDefault, help="All-in or fold before the flop: a hand, a tournament.")
app.command()(hand)
