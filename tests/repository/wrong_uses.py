"""Wrong uses of the public functions, which a type checker finds: each has a comment with a part of why."""

# mypy: ignore-errors
# ruff: noqa

import gpuodds
from gpuodds.betting import kelly_bet
from gpuodds.play import Move, Observation, play_match

gpuodds.equity("AsKs", method="exacct")  # wrong: exacct
gpuodds.equity("AsKs", backend="gpu")  # wrong: gpu
gpuodds.equity("AsKs", game="hold'em")  # wrong: hold
gpuodds.equity("AsKs", oponents=3)  # wrong: No parameter named "oponents"
gpuodds.equity("AsKs", opponents="3")  # wrong: "opponents"
gpuodds.equity("AsKs", 3)  # wrong: Expected 1 positional argument
gpuodds.equity()  # wrong: "hands"
gpuodds.equity("AsKs").equities  # wrong: "equities"
gpuodds.equity("AsKs").players[0].ev  # wrong: "ev"
gpuodds.equity("AsKs").call.expected_value  # wrong: "expected_value"
gpuodds.equity("AsKs")["equity"]  # wrong: __getitem__
gpuodds.equities([{"hands": "AsKs"}], method="mc")  # wrong: mc
gpuodds.flop_report(["AA", "KK"], backend="cuda0")  # wrong: cuda0
gpuodds.rank_hands("AsKsQsJsTs", game="stud")  # wrong: overload
gpuodds.Range("AA", game="plo9")  # wrong: plo9
gpuodds.Range("AA") + gpuodds.Range("KK")  # wrong: Operator "+" not supported
gpuodds.Range("AA").weights = []  # wrong: "weights"
gpuodds.tabel("preflop-random")  # wrong: "tabel"
kelly_bet("AsKs", opponents=1)  # wrong: "bankroll"
kelly_bet("AsKs", opponents=1, bankroll=1000, backend="GPU")  # wrong: GPU
play_match("tight", hands="100")  # wrong: "hands"
Move("bet")  # wrong: bet
with gpuodds.Client() as client:
    client.equity("AsKs")["exact"]  # wrong: __getitem__
    client.equity("AsKs").exakt  # wrong: "exakt"
    for event in client.stream("AsKs"):
        if event[0] == "progress":
            event[1].equity  # wrong: "equity"


class Bot:
    def act(self, seen: Observation) -> Move:
        return seen.raise_too(100)  # wrong: "raise_too"
