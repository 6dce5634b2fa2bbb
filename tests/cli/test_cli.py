"""The command as a user runs it: answers on stdout, one line on stderr for bad input."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys

import pytest

import gpuodds
from gpuodds.cli.main import run

SEED_QUESTION = ["equity", "1s", "13s", "--opponents", "3"]


def python(folder, *words):
    """Run Python away from the checkout, so that the installed package runs."""
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, check=False, cwd=folder
    )


def test_a_person_sees_a_table(capsys):
    assert run(SEED_QUESTION) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for figure in ("41.4280 %", "40.5329 %", "19.5240 %", "104,924,135,261,847", "exact (from"):
        assert figure in out
    assert "\x1b" not in out


def test_large_counts_are_never_cut(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["equity", "7c2d", "7h2s", "9c8d", "6h5c", "-k", "12", "--board", "2c3c4d"]) == 0
    out = capsys.readouterr().out
    assert "\u2026" not in out
    expected = gpuodds.equity(["7c2d", "7h2s", "9c8d", "6h5c"], opponents=12, board="2c3c4d")
    for player in expected.players:
        assert f"{player.win_outcomes:,}" in out


def test_both_notations_give_the_same_answer(capsys):
    answers = []
    for words in (SEED_QUESTION, ["equity", "AsKs", "-k", "3"]):
        assert run([*words, "--json"]) == 0
        answers.append(json.loads(capsys.readouterr().out))
        answers[-1].pop("seconds")
    assert answers[0] == answers[1]
    assert answers[0]["method"] == "table"


def test_no_table_computes_the_same_integers(capsys):
    run([*SEED_QUESTION, "--json"])
    looked_up = json.loads(capsys.readouterr().out)
    run([*SEED_QUESTION, "--json", "--no-table"])
    computed = json.loads(capsys.readouterr().out)
    assert computed["method"] == "exact"
    assert computed["players"] == looked_up["players"]


def test_limits_of_sampling_leave_an_exact_answer_exact(capsys):
    words = ["--samples", "10", "--standard-error", "0.1"]
    for last in (["--time-limit", "0.001"], ["--seed", "1"]):
        assert run(["equity", "AsKs", "QhQd", *words, *last, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["players"][0]["win_outcomes"] == "787966"


def test_single_cards_pair_up(capsys):
    assert run(["equity", "1s", "13s", "12h", "12d", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["hands"] == ["AsKs", "QhQd"]
    assert answer["winners"] == {"A": "787966", "B": "917606", "AB": "6732"}


def test_csv_has_a_line_a_player(capsys):
    assert run(["equity", "AsKs", "QhQd", "-k", "1", "--board", "2s7d9h", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["hand"] for row in rows] == ["AsKs", "QhQd"]
    expected = gpuodds.equity(["AsKs", "QhQd"], opponents=1, board="2s7d9h").to_dict()
    for row, player in zip(rows, expected["players"], strict=True):
        assert row["win_outcomes"] == player["win_outcomes"]
        assert [row["tie_1"], row["tie_2"]] == player["tie_outcomes"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["1s", "1s"], "As"),
        (["14s"], "14s: column 1: expected a rank"),
        (["As"], "As: a hand has two cards"),
        (["AsKsQs"], "AsKsQs: a hand has two cards, found 3"),
        (["AsKs", "--board", "2c3c4c5c6c7c"], "expected at most 5 cards, found 6"),
        (["AsKs", "--board", "As2c3c"], "As: the same card is in AsKs and the board"),
        (["AsKs", "--board", "2c3c3c"], "3c"),
        (["AsKs", "--opponents", "23"], "a deck has cards for 23"),
        (["AsKs", "--opponents", "-1"], "expected 0 to 22"),
        (["AsKs", "--opponents", "x"], "--opponents x: expected a whole number"),
        (["AsKs", "--opponents", "1e3"], "--opponents 1e3: expected a whole number"),
        ([""], "a hand has two cards"),
        (["A\u00e9"], "\u00e9"),
        (["A\u0455K\u0455"], "column 2"),
        (["AKx"], "column 3"),
        (["QQ+", "AsKs,As"], "column"),
        (["AsKs", "--method", "monte-carlo", "--by-hand"], "counted, not sampled"),
        (["AsAh", "AsKs,AsQs"], "cannot be dealt together"),
        (["AA", "--board", "AsAhAd"], "AA: every hand of the range has a card of the board"),
        (["AsKs", "--opponents"], "--opponents"),
        (["AsKs", "--nonsense"], "--nonsense"),
        ([], "HANDS"),
        (["AsKs", "--json", "--csv"], "expected one of them"),
        (["AsKs", "--samples", "-5"], "samples -5: expected more than 0"),
        (["AsKs", "--standard-error", "x"], "--standard-error"),
        (["AsKs", "--method", "sorcery"], "expected one of"),
        (["AsKs", "--backend", "gpu"], "expected auto, cpu, cuda"),
        (["AsKs", "--backend", "cuda:x"], "cuda:0,2"),
        (["AsKs\x1b[31m"], "AsKs"),
    ],
)
def test_bad_input_is_one_line_and_code_2(words, message, capsys):
    assert run(["equity", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("gpuodds: ")
    assert message in err
    assert "\x1b" not in err


def test_bad_input_leaves_no_traceback_in_a_real_process(tmp_path):
    answer = python(tmp_path, "-m", "gpuodds", "equity", "1s", "1s")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("gpuodds: ")
    assert "Traceback" not in answer.stderr


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        (["KsKdKh2c2d"], "full house, kings over twos"),
        (["As", "Ks", "Qs", "Js", "Ts", "2d", "2c"], "royal flush (rank 7462 of 7462)"),
        (["7c5d4h3s2c"], "(rank 1 of 7462)"),
    ],
)
def test_rank_names_the_hand(cards, message, capsys):
    assert run(["rank", *cards]) == 0
    assert message in capsys.readouterr().out


def test_rank_requires_five_to_seven_cards(capsys):
    assert run(["rank", "AsKs"]) == 2
    assert "expected a hand of five to seven cards, found 2" in capsys.readouterr().err


def test_rank_json(capsys):
    assert run(["rank", "KsKdKh2c2d", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["name"] == "full house, kings over twos"
    assert answer["cards"] == "KsKdKh2c2d"


def test_doctor_reports_backends_and_reasons(capsys):
    assert run(["doctor", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["gpuodds"] == gpuodds.__version__
    assert report["backends"]["cpu"] == "ready"
    assert report["backends"]["cuda"].startswith("not usable: ")
    assert report["devices"] == {}
    rows = {
        name: said.partition(" rows, checksum right, ")[0] for name, said in report["tables"].items()
    }
    assert rows == {
        "preflop-random": "3718",
        "preflop-heads-up": "47008",
        "omaha-preflop-random": "16432",
        "short-deck-preflop-random": "1134",
        "short-deck-trips-preflop-random": "1134",
    }
    assert report["cpu threads"] >= 1
    assert run(["doctor"]) == 0
    assert "preflop-random" in capsys.readouterr().out


def test_doctor_names_the_extra_that_is_missing(capsys, monkeypatch):
    from gpuodds.backends.cuda.shared import device

    device.why_no_device.cache_clear()
    monkeypatch.setattr(device, "find_spec", lambda name: None)
    assert run(["doctor"]) == 0
    assert "pip install 'gpuodds[cuda13]'" in capsys.readouterr().out
    device.why_no_device.cache_clear()


def test_doctor_describes_devices(cuda, capsys):
    assert run(["doctor", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["backends"]["cuda"].startswith("ready (driver for CUDA ")
    assert "compute capability" in report["devices"]["cuda:0"]
    assert "compiled" in report["caches"]["compiled kernels"]


def test_version(capsys):
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"gpuodds {gpuodds.__version__}\n"


@pytest.mark.parametrize("words", [["--help"], SEED_QUESTION, ["equity", "1s", "1s"]])
def test_light_answers_import_nothing_heavy(words, tmp_path):
    script = (
        "import sys\n"
        "from gpuodds.cli.main import run\n"
        f"run({words!r})\n"
        "heavy = {'numba', 'numpy', 'cupy', 'pyarrow', 'scipy', 'pydantic'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    answer = python(tmp_path, "-c", script)
    assert answer.returncode == 0, answer.stderr


def test_a_command_imports_no_other(tmp_path):
    script = (
        "import sys\n"
        "from gpuodds.cli.main import COMMANDS, run\n"
        f"run({SEED_QUESTION!r})\n"
        "print(*(name for name in COMMANDS if f'gpuodds.cli.{name}' in sys.modules), file=sys.stderr)\n"
    )
    assert python(tmp_path, "-c", script).stderr.split() == ["equity"]


def test_values_are_read_alike_with_and_without_typers_coercion(capsys):
    words = ["equity", "AsKs", "22+", "--board", "2s7d9h", "--method", "monte-carlo", "--json"]
    assert run([*words, "--samples", "500", "--seed", "3"]) == 0  # whole numbers go through typer
    assert '"outcomes": "500"' in capsys.readouterr().out
    assert run([*words, "--samples", "many"]) == 2
    assert "--samples" in capsys.readouterr().err


def test_the_shell_completes_commands(monkeypatch, tmp_path):
    monkeypatch.setenv("_GPUODDS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "gpuodds eq")
    monkeypatch.setenv("COMP_CWORD", "1")
    script = "import sys; sys.argv[0] = 'gpuodds'; import gpuodds.cli.main as m; m.main()"
    assert python(tmp_path, "-c", script).stdout.split() == ["equity"]
