"""Ranges by name: positions and presets, a user's own, what a name is not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import gpuodds
from gpuodds import InputError, Range

OWN = """
[[sets]]
title = "Home game"
game = "holdem"
ranges = { UTG = "QQ+", "Uncle Bob" = "22+,AX", AA = "KK" }
short = { bob = "Uncle Bob" }
[[sets]]
title = "Home game"
game = "omaha"
ranges = { bob = "AA:$ds" }
"""


def presets(title: str) -> dict[str, str]:
    return {one.name: one.text for one in gpuodds.range_presets() if one.title == title}


@pytest.mark.parametrize(
    ("names", "title", "name"),
    [
        ("UTG utg Utg UTG/6 utg/6", "Opening raises, 6 players", "UTG"),
        ("BTN BU button BTN/6", "Opening raises, 6 players", "BTN"),
        ("UTG/9", "Opening raises, 9 players", "UTG"),
        ("UTG+1 UTG1 UTG+1/9", "Opening raises, 9 players", "UTG+1"),
        ("BTN/2 SB/2", "Opening raise, heads-up", "BTN"),
        ("BTN@15bb SB@15bb btn@15BB", "All-in or fold, heads-up", "15 big blinds, all in"),
        ("BB@10bb", "All-in or fold, heads-up", "10 big blinds, call"),
        ("BB_call bbcall BB-call", "Big blind against a raise of the button", "call"),
        ("BB_3-bet bb3bet", "Big blind against a raise of the button", "3-bet"),
    ],
)
def test_names_stand_for_presets(names: str, title: str, name: str) -> None:
    text = presets(title)[name]
    for written in names.split():
        found = Range(written)
        assert found == Range(text) and found.name == written
        assert "".join(Range(written.replace("_", " ")).to_string()) == Range(text).to_string()
        (note,) = found.notes
        assert f" is read as {text[:100]}" in note and title in note


def test_every_short_name_is_read_as_its_preset() -> None:
    for one in gpuodds.range_presets(None):
        for short in one.short:
            assert Range(short, game=one.game) == Range(one.text, game=one.game)


def test_a_name_is_a_player_wherever_a_range_is() -> None:
    text = presets("Opening raises, 6 players")["CO"]
    expected = gpuodds.equity(["AKs", text], board="2s7d9h", folded=text)
    answer = gpuodds.equity(["AKs", "CO"], board="2s7d9h", folded="CO")
    assert answer.players[0].equity_exact == expected.players[0].equity_exact
    assert answer.players[1].hand == "CO" and any("CO is read as" in note for note in answer.notes)
    rows = gpuodds.equities([{"hands": ["AKs", "CO"], "board": "2s7d9h"}])
    assert rows.columns["equity_1"][0] == gpuodds.equity(["AKs", text], board="2s7d9h").equity
    report = gpuodds.range_hits("CO", board="2s7d9h")
    assert report.combos == gpuodds.range_hits(text, board="2s7d9h").combos


def test_a_users_file_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = tmp_path / "gpuodds"
    settings.mkdir()
    (settings / "ranges.toml").write_text(OWN)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert str(Range("UTG")) == "QQ+" and Range("UTG").notes == ("UTG is read as QQ+ (Home game)",)
    assert Range("bob") == Range("uncle bob") == Range("22+,AX")
    assert Range("bob", game="omaha") == Range("AA:$ds", game="omaha")
    assert str(Range("AA")) == "AA"  # a text that is a range is no name
    assert Range("CO") == Range(presets("Opening raises, 6 players")["CO"])
    assert [one.title for one in gpuodds.range_presets()][:3] == ["Home game"] * 3
    own = settings / "ranges.toml"
    own.write_text(OWN.replace("QQ+", "KK+"))
    os.utime(own, ns=(1, 1))
    assert str(Range("UTG")) == "KK+"
    own.write_text("[[sets]]\ntitle = 3")
    with pytest.raises(InputError, match=r"ranges\.toml: set 1: title 3: expected a line"):
        Range("UTG")
    assert str(Range("QQ+")) == "QQ+"  # needs no names


def test_the_environment_names_a_file_or_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.toml"
    own.write_text(OWN)
    monkeypatch.setenv("GPUODDS_RANGES", str(own))
    assert str(Range("UTG")) == "QQ+"
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "UTG.txt").write_text("AA\nKK:0.5\n")
    (folder / "UTG").write_text("22")
    (folder / "3bet").write_text("JJ+")
    (folder / "nothing.txt").write_text("\n")
    monkeypatch.setenv("GPUODDS_RANGES", str(folder))
    assert Range("utg").weight == 9 and str(Range("3bet")) == "JJ+"
    assert Range("CO") == Range(presets("Opening raises, 6 players")["CO"])
    with pytest.raises(InputError, match=r"nothing\.txt: the file is empty"):
        Range("nothing")
    for text in ("../own", "folder/UTG", str(folder / "UTG.txt")):
        with pytest.raises(InputError):
            Range(text)
    monkeypatch.setenv("GPUODDS_RANGES", str(tmp_path / "none.toml"))
    with pytest.raises(InputError, match=r"none\.toml: cannot be read: "):
        Range("UTG")


@pytest.mark.parametrize(
    ("text", "name"),
    [("UTGG", "UTG"), ("UTG/8", "UTG/9"), ("BTN@12bb", "BTN@20bb"), ("BB cal", "BB call")],
)
def test_what_is_nearly_a_name_gets_the_nearest(text: str, name: str) -> None:
    for read in (Range, lambda text: gpuodds.equity(["AKs", text])):
        with pytest.raises(InputError, match=f"; is {name} meant") as caught:
            read(text)
        assert "\n" not in str(caught.value)
