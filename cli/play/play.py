"""``gpuodds play``: hold'em bots, their matches, and a table at the terminal."""

from __future__ import annotations

from gpuodds.cli.app import App
from gpuodds.cli.play.acpc import acpc
from gpuodds.cli.play.match import match
from gpuodds.cli.play.table import table
from gpuodds.cli.play.tournament import tournament

app = App(help="No-limit hold'em: bots, matches, tournaments.")
app.command()(match)
app.command()(tournament)
app.command()(acpc)
app.command()(table)
