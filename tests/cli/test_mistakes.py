"""The commonest mistakes at the command line: each gets one line that has the nearest right command."""

from __future__ import annotations

import shlex

import pytest

from gpuodds.cli.main import run

MISTAKES = [  # what is written after gpuodds, and what the line says
    # no command
    ("AsKs", "is this meant? gpuodds equity AsKs"),
    ("AKs QQ", "is this meant? gpuodds equity AKs QQ"),
    ("As Ks --board 2s7d9h", "is this meant? gpuodds equity As Ks --board 2s7d9h"),
    ("UTG BTN", "is this meant? gpuodds equity UTG BTN"),
    ("15% QQ+", "is this meant? gpuodds equity 15% QQ+"),
    ("AsAhKsKh", "is this meant? gpuodds equity AsAhKsKh --game omaha"),
    ("odds AsKs", "is this meant? gpuodds equity AsKs"),
    ("calc AsKs QhQd", "is this meant? gpuodds equity AsKs QhQd"),
    ("equit AsKs", "is this meant? gpuodds equity AsKs"),
    ("presets", "is this meant? gpuodds range --presets"),
    # options of other programs
    ("equity AsKs --flop 2s7d9h", "is this meant? gpuodds equity AsKs --board 2s7d9h"),
    ("equity AsKs --flop 2s7d9h --turn Tc", "is this meant? gpuodds equity AsKs --board 2s7d9hTc"),
    ("equity AsKs -board 2s7d9h", "is this meant? gpuodds equity AsKs --board 2s7d9h"),
    ("equity AsKs --players 4", "is this meant? gpuodds equity AsKs --opponents 3"),
    ("equity AsKs --opponent 3", "is this meant? gpuodds equity AsKs --opponents 3"),
    ("equity AsKs --oponents 3", "is this meant? gpuodds equity AsKs --opponents 3"),
    ("equity AsKs -n 3", "is this meant? gpuodds equity AsKs --opponents 3"),
    ("equity AsKs --opponents three", "is this meant? gpuodds equity AsKs --opponents 3"),
    ("equity AsKs --vs QQ+", "is this meant? gpuodds equity AsKs QQ+"),
    ("equity --hand AsKs --range QQ+", "is this meant? gpuodds equity AsKs QQ+"),
    ("equity AsKs --exclude 2s", "is this meant? gpuodds equity AsKs --dead 2s"),
    ("equity AsKs QQ --fold 22+", "is this meant? gpuodds equity AsKs QQ --folded 22+"),
    ("equity AsKs --iterations 100000", "is this meant? gpuodds equity AsKs --samples 100000"),
    (
        "equity AsKs --samples 1M",
        "is this meant? gpuodds equity AsKs --samples 1000000",
    ),
    ("equity AsKs --samples=1e6", "is this meant? gpuodds equity AsKs --samples=1000000"),
    (
        "equity AsKs --time-limit 5s",
        "is this meant? gpuodds equity AsKs --time-limit 5",
    ),
    ("equity AsKs --method mc", "is this meant? gpuodds equity AsKs --method monte-carlo"),
    ("equity AsKs --exact", "is this meant? gpuodds equity AsKs --method exact"),
    ("equity AsKs --backend gpu", "is this meant? gpuodds equity AsKs --backend cuda"),
    ("equity AsKs --gpu", "is this meant? gpuodds equity AsKs --backend cuda"),
    ("equity AsKs --game nlhe", "is this meant? gpuodds equity AsKs --game holdem"),
    ("equity AsAhKsKh --omaha", "is this meant? gpuodds equity AsAhKsKh --game omaha"),
    ("kelly AsKs -k 1 --bank 100", "is this meant? gpuodds kelly AsKs -k 1 --bankroll 100"),
    # cards
    ("equity", "expected HANDS, such as AsKs or AKs QQ+, or --batch FILE"),
    ("equity AsKs --board 2s 7d 9h", "--board 2s7d9h"),
    ("equity AsK", "AsK: column 4: expected a suit (c, d, h or s), found the end"),
    ("equity Ah-Kh", "; write AhKh"),
    ("equity AhKhQhJh QQ", "a hand has two cards, found 4, as omaha has"),
    ("equity AsKs AsQd", "As: the same card is in AsKs and AsQd"),
    ("equity AsKs --opponents 23", "24 players (1 known, 23 random): a deck has cards for 23"),
    # ranges
    ("equity AKs 15", "; write 15% for the best 15 % of hands"),
    ("equity AKs 0.15", "; write 15% for the best 15 % of hands"),
    ("equity AKs 'top 15%'", "; write 15% for the best 15 % of hands"),
    ("equity AKs 15pct", "; write 15% for the best 15 % of hands"),
    ("equity AKs QQ-99:50%", "; write QQ-99@50 for a weight of 50 %, or QQ-99:0.5"),
    ("equity AKs:25 QQ", "; write AKs@25 for a weight of 25 %, or AKs:0.25"),
    ("equity 'AK suited' QQ", "; write AKs"),
    ("equity AKss QQ", "; write AKs"),
    ("equity AAs QQ", "; write AA for the pair"),
    ("equity A-K QQ", "; write AK"),
    ("equity AKs QQ++", "; write QQ+"),
    ("equity AKs 'pocket pairs'", "; write 22+"),
    ("equity AKs 'suited aces'", "; write A2s+"),
    ("equity AKs broadways", "; write [A-T][A-T]"),
    ("equity AKs 'any two'", "; write random"),
    ("equity AKs Ax", "two readings: write A2+, or A2+"),
    ("equity AKs UTGG", "; is UTG meant? gpuodds range --presets lists names"),
    ("equity AKs UTG/7", "; is UTG/9 meant? gpuodds range --presets lists names"),
    ("equity AKs BTN@17bb", "; is BTN@15bb meant? gpuodds range --presets lists names"),
    ("range 'AKs vs QQ'", "2 players: expected one hand or range"),
]


@pytest.mark.parametrize(("written", "expected"), MISTAKES)
def test_a_mistake_gets_one_line_with_what_is_meant(
    written: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(shlex.split(written)) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and expected in err, err


MEANT = [message.partition("is this meant? gpuodds ")[2] for _, message in MISTAKES]


@pytest.mark.parametrize("command", sorted({*MEANT} - {""}))
def test_what_is_meant_is_a_command(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(command)
    if "cuda" in words:
        pytest.skip("needs a GPU")
    assert run(words) == 0
    assert "equity" in capsys.readouterr().out or words[0] in ("range", "kelly")


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("equity AKs vs QQ", "equity AKs QQ"),
        ("equity 'AKs vs QQ'", "equity AKs QQ"),
        ("equity AKs '15 %'", "equity AKs 15%"),
        ("equity AKs A5s\u2013A2s", "equity AKs A5s-A2s"),
        ("equity A\u2660K\u2660 QQ", "equity AsKs QQ"),
        ("equity AxKx QQ", "equity AKs QQ"),
    ],
)
def test_what_has_one_meaning_is_answered(
    written: str, right: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = []
    for command in (written, right):
        assert run([*shlex.split(command), "--csv"]) == 0
        rows = capsys.readouterr().out.splitlines()[1:]
        answers.append([row.partition(",0,")[2] for row in rows])
    assert answers[0] == answers[1]


def test_a_board_of_two_cards_is_noted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["equity", "AsKs", "--board", "AhKd"]) == 0
    assert "board AhKd: a flop has three cards" in capsys.readouterr().err
    assert run(["equity", "AsKs", "--board", "AhKd2c"]) == 0
    assert capsys.readouterr().err == ""


def test_a_percentage_that_is_written_right_gets_no_advice(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["range", "50%", "--game", "omaha6"]) == 2  # no ranking of omaha6 ships
    assert capsys.readouterr().err.rstrip().endswith("found '50%'")
