"""Ranges by name: those that ship, files in the same format, and one line for a file that is wrong."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import needs
import numpy as np
import pytest
from paths import ROOT

from gpuodds import InputError, Range, RangePreset, range_presets, table
from gpuodds.games.catalog import GAMES
from gpuodds.games.holdem.starting_hands import combos_by_starting_hand, starting_hands
from gpuodds.games.shared.combos import combo_cards

DEFENCE = "Big blind against a raise of the button"
EQUILIBRIUM = "All-in or fold, heads-up"
OWN = """
[[sets]]
title = "Live"
game = "PLO"
ranges = { Aces = "AA", "10 %" = "10%" }
[[sets]]
title = "Live"
game = "holdem"
note = "Tight"
[sets.ranges]
late = '''
QQ+,AK;
JJ:0.5
'''
early = "AA"
"""


def shipped(title: str) -> dict[str, RangePreset]:
    return {one.name: one for one in range_presets() if one.title == title}


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "own.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_each_game_has_its_presets() -> None:
    every = range_presets(None)
    for game in GAMES:
        assert range_presets(game) == tuple(one for one in every if one.game == game.name)
    assert {one.game for one in every} == {
        *("holdem", "short-deck", "short-deck-trips", "omaha", "omaha-hi-lo")
    }
    for one in every:
        found = Range(one.text, game=one.game)
        assert one.percent == found.percent > 0
        assert one.game != "holdem" or found.notes == ()


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Opening raises, 6 players", "UTG HJ CO BTN SB"),
        ("Opening raises, 9 players", "UTG UTG+1 UTG+2 LJ HJ CO BTN SB"),
    ],
)
def test_later_positions_open_more(title: str, names: str) -> None:
    found = shipped(title)
    assert list(found) == names.split()
    in_turn = [one for name, one in found.items() if name != "SB"]  # acts first after the flop
    for earlier, later in pairwise(in_turn):
        assert earlier.percent < later.percent
        assert Range(earlier.text) & Range(later.text) == Range(earlier.text)
    assert found["CO"].percent < found["SB"].percent < found["BTN"].percent


def test_positions_with_as_many_players_to_come_open_alike() -> None:
    six, nine = shipped("Opening raises, 6 players"), shipped("Opening raises, 9 players")
    assert six["UTG"].text == nine["LJ"].text
    assert all(six[name].text == nine[name].text for name in ("HJ", "CO", "BTN", "SB"))
    (heads_up,) = shipped("Opening raise, heads-up").values()
    assert Range(six["BTN"].text) & Range(heads_up.text) == Range(six["BTN"].text)


def test_the_big_blind_raises_or_calls() -> None:
    raised, called = (Range(one.text) for one in shipped(DEFENCE).values())
    assert not raised & called
    assert 38 < (raised | called).percent < 42


def by_hand() -> list[list[int]]:
    """Return the combos of each starting hand."""
    return [combos_by_starting_hand()[name] for name in starting_hands()]


@pytest.fixture(scope="module")
def margins() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One combo of each starting hand against all: win minus loss, who is disjoint, how many it is."""
    cards, groups = combo_cards().astype(int), by_hand()
    ours = cards[[group[0] for group in groups]]
    disjoint = ~(ours[:, None, :, None] == cards[None, :, None, :]).any((2, 3))
    row, column = np.nonzero(disjoint)
    counts = table("preflop-heads-up").take(
        np.stack([ours[row], cards[column]], 1), columns=["win_a", "win_b", "tie"]
    )
    margin = np.zeros(disjoint.shape)
    margin[row, column] = (counts["win_a"] - counts["win_b"]) / sum(counts.values())
    return margin, disjoint, np.array([len(group) for group in groups])


@pytest.mark.parametrize("stack", [20, 15, 10, 5])
def test_neither_player_gains_by_leaving_the_equilibrium(
    stack: int, margins: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> None:
    margin, disjoint, sizes = margins
    first = [group[0] for group in by_hand()]
    button, blind = (
        Range(shipped(EQUILIBRIUM)[f"{stack} big blinds, {what}"].text).weights
        for what in ("all in", "call")
    )
    deals = sizes @ disjoint.sum(1)
    # Chips won by each starting hand, in big blinds, summed over the other player's combos.
    all_in = disjoint @ (1 - blind) + stack * margin @ blind
    call, passed = stack * margin @ button, -(disjoint @ button)
    for chosen, one, other in (
        (button[first], all_in, -0.5 * disjoint.sum(1)),
        (blind[first], call, passed),
    ):
        lost = np.maximum(one, other) - chosen * one - (1 - chosen) * other
        assert 0 <= sizes @ lost / deals < 1e-6


def test_a_file_takes_the_place_of_those_that_ship(tmp_path: Path) -> None:
    path = written(tmp_path, b"\xef\xbb\xbf" + OWN.encode())
    assert range_presets(path=path) == (
        RangePreset("holdem", "Live", "Tight", "late", "QQ+,AK,JJ:0.5", Range("QQ+,AK,JJ:0.5").percent),
        RangePreset("holdem", "Live", "Tight", "early", "AA", Range("AA").percent),
    )
    aces, best = range_presets("omaha", str(path))
    assert (aces.name, aces.note, best.text) == ("Aces", "", "10%")
    assert range_presets("short-deck", path) == ()
    assert len(range_presets(None, path)) == 4


def test_the_example_of_the_docs_is_a_file(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "ranges.md").read_text("utf-8")
    (text,) = re.findall(r"^```toml\n(.*?)^```", page, re.M | re.S)
    assert [one.name for one in range_presets(path=written(tmp_path, text))] == ["UTG", "Uncle Bob"]


SET = '[[sets]]\ntitle = "A"\ngame = "holdem"\n'
BAD = [
    ("", "expected sets of ranges, each under [[sets]]"),
    ("sets = 3", "expected sets of ranges"),
    ("sets = [3]", "expected sets of ranges"),
    ("set = [3]", "key set: expected sets"),
    ("a =", "expected TOML: Invalid value (at "),
    ("a = " + "9" * 5000, "expected TOML: "),
    ("a = " + "[" * 5000, "expected TOML"),
    (b"#\n\xff", "line 2: expected text in UTF-8, found \\xff"),
    (b"#" * 1_000_001, "expected presets of at most 1,000,000 bytes"),
    ("[[sets]]", "set 1: title: expected a line of 1 to 300 characters"),
    (f"{SET}[sets.ranges]\nx='AA'\n[[sets]]\ntitle=2", "set 2: title 2: expected a line"),
    ('[[sets]]\ntitle = "A"\n', "set A: game: expected a line"),
    ('[[sets]]\ntitle = "A"\ngame = "chess"', "set A: game chess: expected one of holdem, "),
    ('[[sets]]\ntitle = "A\\u001b"\n', "set A\\x1b: title A\\x1b: expected a line"),
    (f"{SET}note = 1\n", "set A: note 1: expected a line"),
    (f"{SET}colour = 1\n", "set A: key colour: expected title, game, note, ranges"),
    (SET, "set A: expected ranges by name under [sets.ranges]"),
    (f"{SET}[sets.ranges]\n", "set A: expected ranges by name"),
    (f"{SET}[sets.ranges]\nUTG = 15\n", "set A: range UTG: 15: expected a text, such as 'QQ+,AK'"),
    (f"{SET}[sets.ranges]\n' ' = 'AA'\n", "set A: name  : expected a line"),
    (f"{SET}[sets.ranges]\nx = 'AA'\n'x ' = 'KK'\n", "set A: range x: expected one range of this name"),
    (f"{SET}[sets.ranges]\nx = 'AA'\nx = 'KK'\n", "expected TOML: Cannot overwrite a value"),
    (
        f"{SET}[sets.ranges]\nUTG = 'AKx'\n",
        "set A: range UTG: AKx: column 3: expected s, o, + or the end of the hand, found 'x'",
    ),
    (f"{SET}[sets.ranges]\nUTG = ''\n", "set A: range UTG: '': column 1: expected a hand"),
    (f"{SET}[sets.ranges]\nx='AA'\n" * 2, "set A: expected one set of this title in holdem"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_a_wrong_file_is_refused_in_one_line(tmp_path: Path, text: str | bytes, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        range_presets(None, path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert len(str(caught.value).splitlines()) == 1 and str(caught.value).isprintable()


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path, message in (
        (tmp_path / "none.toml", "none.toml: cannot be read: No such file"),
        (tmp_path, f"{tmp_path.name}: cannot be read: {needs.IS_A_DIRECTORY}"),
        ("a\0b", "a\\x00b: cannot be read: embedded null"),
        (3, "path 3: expected the name of a file"),
    ):
        with pytest.raises(InputError, match=message.replace("\\", r"\\")):
            range_presets(path=path)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="game chess: expected one of"):
        range_presets("chess")  # type: ignore[arg-type]
