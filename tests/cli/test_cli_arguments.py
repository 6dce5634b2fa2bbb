"""Words that stand for more than their text: loose cards, files of ranges, named ranges."""

from __future__ import annotations

import json
from pathlib import Path

import needs
import pytest

import gpuodds
from gpuodds.cli.main import run
from gpuodds.spots.ranges.names import MAX_BYTES

ONE_PIECE = ': expected the cards in one word: {0} "{1}" or {0} {2} (and a hand after it in one piece'


def _fails(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert run(words) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.startswith("gpuodds: ")
    return err


@pytest.mark.parametrize(
    ("words", "option", "loose"),
    [
        (["equity", "AsKs", "--board", "2s", "7d", "9h"], "--board", "2s 7d 9h"),
        (["equity", "--board", "2s", "7d", "9h", "AsKs"], "--board", "2s 7d 9h"),
        (["equity", "AsKs", "--board=2s7d9h", "Tc"], "--board", "2s7d9h Tc"),
        (["equity", "AsKs", "--dead", "2s", "10h", "-k", "2"], "--dead", "2s 10h"),
        (["kelly", "QdQs", "-k", "2", "--bankroll", "9", "--board", "2s", "7d", "9h"], "--board", ""),
        (["kelly", "QdQs", "-k", "2", "--bankroll", "9", "--dead", "2s", "7d"], "--dead", "2s 7d"),
        (["five", "odds", "KsKh7d4c2c", "--seen", "As", "Ah"], "--seen", "As Ah"),
        (["five", "draw", "KsKh7d4c2c", "--seen", "As", "Ah"], "--seen", "As Ah"),
        (["table", "show", "river-random", "--board", "2s", "7d", "9h", "Tc", "Jc"], "--board", ""),
        (["table", "plot", "flop-random", "AsKs", "--board", "2s", "7d", "9h"], "--board", "2s 7d 9h"),
    ],
)
def test_a_loose_card_after_an_option_of_cards_gets_the_hint(
    words: list[str], option: str, loose: str, capsys: pytest.CaptureFixture[str]
) -> None:
    err = _fails(words, capsys)
    if loose:
        assert option + " " + loose + ONE_PIECE.format(option, loose, loose.replace(" ", "")) in err
    assert f"{option} 2s" in err or loose


def test_cards_in_one_word_and_hands_in_one_piece_are_taken(capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    for words in (
        ["AsKs", "QhQd", "--board", "2s 7d 9h"],
        ["--board", "2s7d9h", "AsKs", "QhQd"],
        ["As", "Ks", "Qh", "Qd", "--board", "2s7d9h"],
        ["--board", "2s7d9h", "--", "As", "Ks", "Qh", "Qd"],
        ["AsKs QhQd", "--board=2s7d9h"],
    ):
        assert run(["equity", "--json", *words]) == 0
        answers.append(json.loads(capsys.readouterr().out))
        answers[-1].pop("seconds")
    assert answers[0]["board"] == "2s7d9h" and answers[0]["hands"] == ["AsKs", "QhQd"]
    assert all(answer == answers[0] for answer in answers)


def test_one_argument_of_whole_hands_is_several_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["equity", "AsKs QhQd", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["winners"] == {"A": "787966", "B": "917606", "AB": "6732"}


@pytest.mark.parametrize(
    "words",
    [
        ["equity", "AsKs QhQd", "22"],
        ["range", "AsKs QhQd"],
        ["range", "AsKs", "QhQd"],
        ["kelly", "2c2d", "--bankroll", "100", "--against", "AsKs QhQd"],
    ],
)
def test_whole_hands_for_one_player_name_both_readings(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    err = _fails(words, capsys)
    assert "AsKs QhQd: two readings: write AsKs,QhQd for a range of combos, or give AsKs and" in err


@pytest.mark.parametrize(
    "words",
    [
        ["equity", "AsKs QQ"],
        ["equity", "AsKs QQ", "22"],
        ["equity", "22", "33", "--folded", "AsKs QQ"],
        ["range", "AsKs QQ"],
        ["range", "AsKs", "QQ"],
        ["hits", "AsKs QQ", "--board", "2s7d9h"],
        ["flops", "AsKs QQ", "22"],
        ["kelly", "2c2d", "--bankroll", "100", "--against", "AsKs QQ"],
    ],
)
def test_a_hand_and_a_range_for_one_player_name_both_readings(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    err = _fails(words, capsys)
    assert "AsKs QQ: two readings: write AsKs,QQ for a range, or give AsKs and QQ as two players" in err


def test_a_batch_has_both_readings_in_its_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    batch = tmp_path / "spots.csv"
    batch.write_text("hand_1,hand_2,board\nAsKs QQ,22,4s7d9h\nQQ+ AK,22,4s7d9h\n")
    assert run(["equity", "--batch", str(batch), "--json"]) == 3
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert "hand_1: AsKs QQ: two readings: write AsKs,QQ for a range" in first["error"]
    assert second["players"][0]["hand"] == "QQ+ AK"


def test_lines_of_a_file_are_one_range(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = tmp_path / "range.txt"
    listed.write_text("AsKs\nQQ+ JTs\n\n22\n")
    assert run(["range", f"@{listed}", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["combos"] == 1 + 18 + 4 + 6
    listed.write_text("AsKs QQ\n")
    assert "AsKs QQ: two readings" in _fails(["range", f"@{listed}"], capsys)


def test_a_connector_with_a_plus_gives_one_note_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    message = "76s+ is read as 76s alone; some solvers and charts mean 76s-AKs: write 76s or 76s-AKs"
    assert run(["range", "76s+"]) == 0
    assert capsys.readouterr().err == f"gpuodds: {message}\n"
    assert run(["equity", "76s+", "76s+,22", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == f"gpuodds: {message}\n" and json.loads(out)["notes"] == [message]
    assert run(["equity", "76s", "22", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == "" and "notes" not in json.loads(out)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    ranges = tmp_path / "ranges"
    ranges.mkdir()
    monkeypatch.setenv("GPUODDS_RANGES", str(ranges))
    (ranges / "UTG.txt").write_text("\ufeffAA\r\nKK:0.5\n\n AsKs \nAsQs\n", encoding="utf-8")
    (ranges / "BB-3bet+").write_text("set_range_oop QQ+", encoding="utf-8")
    (ranges / "pairs").write_text("22+", encoding="utf-8")
    (tmp_path / "secret").write_text("AA", encoding="utf-8")
    return ranges


def _combos(words: list[str], capsys: pytest.CaptureFixture[str]) -> float:
    assert run(["range", *words, "--json"]) == 0
    combos: float = json.loads(capsys.readouterr().out)["combos"]
    return combos


def test_files_and_names_stand_for_their_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _combos(["#UTG#"], capsys) == _combos([f"@{folder / 'UTG.txt'}"], capsys) == 11
    assert _combos(["#BB-3bet+#"], capsys) == 18
    assert _combos(["#UTG#:0.5,QQ"], capsys) == 11.5
    assert _combos(["0.5(#UTG#),-(#pairs#),QQ"], capsys) == 7
    for words in (["#UTG#", "22+"], [f"@{folder / 'UTG.txt'}", "22+"]):
        assert run(["equity", *words, "--json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        expected = gpuodds.equity(["AA,KK:0.5,AsKs,AsQs", "22+"])
        assert answer["players"][0]["equity"] == expected.equity
    assert run(["kelly", "QdQs", "--bankroll", "100", "--against", "#UTG#", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["against"] == ["AA,KK:0.5,AsKs,AsQs"]


def test_a_file_or_name_that_is_not_there_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "long.txt").write_bytes(b"AA," * (MAX_BYTES // 3 + 1))
    (folder / "bytes.txt").write_bytes(b"\xff\xfe\x00A")
    (folder / "empty.txt").write_bytes(b" \n")
    for word, message in (
        (f"@{folder}/none.txt", "No such file or directory"),
        (f"@{folder}", needs.IS_A_DIRECTORY),
        ("@", needs.IS_A_DIRECTORY),
        (f"@{folder}/long.txt", "expected a range of at most 400,000 bytes"),
        (f"@{folder}/bytes.txt", "expected text in UTF-8"),
        (f"@{folder}/empty.txt", "the file is empty"),
        ("#COO#", "#COO#: expected a name that gpuodds range --presets lists"),
        ("#empty#", "empty.txt: the file is empty"),
        ("#../secret#", "#../secret#: expected a name"),
        ("#..#", "#..#: expected a name"),
        (f"#{folder.parent}/secret#", ": expected a name"),
        ("#UTG", "only the command reads named ranges"),
    ):
        for command in (["range"], ["equity", "22"]):
            assert message in _fails([*command, word], capsys)
    monkeypatch.delenv("GPUODDS_RANGES")
    assert "#pairs#: expected a name" in _fails(["range", "#pairs#"], capsys)


def test_the_library_reads_no_files(folder: Path) -> None:
    for text in ("#UTG#", f"@{folder / 'UTG.txt'}", "AA,#UTG#"):
        for read in (gpuodds.Range, lambda text: gpuodds.equity([text, "22"])):
            with pytest.raises(gpuodds.InputError, match="only the command reads named ranges"):
                read(text)
