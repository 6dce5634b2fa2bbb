"""Two starting hands and a folded one from the built table: what counting gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from toy_tables import make_known

import gpuodds
from gpuodds.table_building.build import build
from gpuodds.table_building.kinds.preflop_heads_up_folded import PreflopHeadsUpFolded
from gpuodds.tables.files.locate import VARIABLE
from gpuodds.tables.layouts.preflop_heads_up_folded import PreflopHeadsUpFoldedLayout


class AcesLayout(PreflopHeadsUpFoldedLayout):
    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:1]


class Aces(PreflopHeadsUpFolded):
    """Pocket aces against every hand."""

    layout = AcesLayout()


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the table of pocket aces."""
    folder = tmp_path_factory.mktemp("tables")
    build(Aces(), folder / "preflop-heads-up-folded", 0, backend="cpu")
    return folder


@pytest.fixture
def built(tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch.setattr, Aces())
    monkeypatch.setenv(VARIABLE, str(tables))


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize(
    ("hands", "folded"),
    [
        (["AA", "QQ"], "A5s"),
        (["T9s", "AA"], "A5o,KK"),
        (["AA", "15%"], "20%"),
        (["22+:0.3,A2s+:0.7", "AA:0.5"], "K2s+:0.1,Q2+:0.9"),
        (["AA", "AA,AKs"], "KK"),
    ],
)
def test_a_look_up_gives_what_is_counted(hands: list[str], folded: str) -> None:
    found = gpuodds.equity(hands, folded=[folded])
    counted = gpuodds.equity(hands, folded=[folded], table=False)
    if hands[0] != "22+:0.3,A2s+:0.7":
        assert found.method == "table" and counted.method == "exact"
        assert found.winners == counted.winners and found.players == counted.players
    else:
        ours, theirs = ([player.equity for player in result.players] for result in (found, counted))
        assert ours == pytest.approx(theirs, rel=1e-12)


def reason(*hands: str, folded: Any = "A5s", **options: Any) -> str:
    explained = gpuodds.equity(list(hands), folded=[folded], explain=True, **options).explanation
    assert explained is not None
    return {way.method: way.reason for way in explained.methods}["table"]


@pytest.mark.usefixtures("built")
def test_what_the_table_does_not_answer() -> None:
    assert reason("AA", "QQ") == "taken from the built table preflop-heads-up-folded"
    assert reason("AA", "QsQh,QdQc,JJ").endswith("has whole starting hands, all combos alike")
    assert reason("AA", "QQ", dead="As") == "no table has boards or dead cards"
    assert reason("AA", "QQ", board="2s3s4s") == "no table has boards or dead cards"
    assert reason("AA", "QQ", "JJ").startswith("no table has these players")
    assert reason("AA", "QQ", by_hand=True).startswith("no table has equities by hand")
    assert reason("AA", "QQ", table=False) == "tables may not answer"


def test_a_table_that_is_not_built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert reason("AA", "QQ") == "not built: gpuodds table build preflop-heads-up-folded"
