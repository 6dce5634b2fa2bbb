"""``gpuodds play``: hold'em bots, their matches, and a table at the terminal."""

from __future__ import annotations

from gpuodds.cli.app import App
from gpuodds.cli.play_acpc import acpc
from gpuodds.cli.play_match import match
from gpuodds.cli.play_table import table
from gpuodds.cli.play_tournament import tournament

app = App(help="No-limit hold'em: bots, matches, tournaments.")
app.command()(match)
app.command()(tournament)
app.command()(acpc)
app.command()(table)
