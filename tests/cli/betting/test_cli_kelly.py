"""``gpuodds kelly``: a bet for people, for programs, and as a plot."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gpuodds.betting.advice import kelly_bet
from gpuodds.cli.main import run
from gpuodds.errors import InputError

SPOT = ["QdQs", "--opponents", "2", "--bankroll", "5000", "--pot", "100", "--board", "2s7d9h"]


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    capsys.readouterr()
    assert run(["kelly", *arguments]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of(capsys, *SPOT)
    assert text.startswith("QdQs on 2s7d9h against 2 opponents: bet 2,514 chips\n")
    for line in ("of the bankroll", "50.2903 %", "win", "66.9624 %", "lose", "equity that breaks even"):
        assert line in text


def test_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(output_of(capsys, *SPOT, "--json"))
    assert found["schema"] == "gpuodds.kelly/1" and found["model"] == "exact" and found["exact"]
    assert found["fraction"] == pytest.approx(0.50290334, abs=1e-8)
    assert found["bet"] == pytest.approx(2514.5167, abs=1e-4) and found["bet_chips"] == 2514
    assert found["win"] == pytest.approx(323556233 / 483190785)
    assert found["split"] == [pytest.approx(705702 / 483190785), 0.0]
    assert found["win"] + sum(found["split"]) + found["lose"] == pytest.approx(1)
    # A third of the pot that all make is what breaks even, a little less for the chips in the pot.
    assert found["pot_odds"] == pytest.approx(2514.5167 / (3 * 2514.5167 + 100), abs=1e-6)
    value = found["equity"] * (3 * found["bet"] + 100) - found["bet"]
    assert found["expected_value"] == pytest.approx(value) and found["growth"] > 0


def test_cassandra(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["1c", "1s", "--board", "4h7h8s", "--bankroll", "5000", "--pot", "100"]
    for opponents, bet in [("3", 1538), ("2", 2110)]:
        found = output_of(capsys, *arguments, "-k", opponents, "--model", "cassandra", "--json")
        assert json.loads(found)["bet_chips"] == bet
    assert "estimated as Cassandra did" in output_of(
        capsys, *arguments, "-k", "3", "--model", "cassandra"
    )


def test_less_than_kelly_and_the_least_bet() -> None:
    options = {"opponents": 2, "bankroll": 5000, "pot": 100, "board": "2s7d9h", "backend": "cpu"}
    whole, half = kelly_bet("QdQs", **options), kelly_bet("QdQs", multiple=0.5, **options)  # type: ignore[arg-type]
    assert half.fraction == whole.fraction / 2 and half.bet_chips == 1257
    assert 0 < half.growth < whole.growth
    assert kelly_bet("QdQs", minimum=2515, **options).bet_chips == 2515  # type: ignore[arg-type]
    assert kelly_bet("QdQs", minimum=2514, **options).bet_chips == 2514  # type: ignore[arg-type]


def test_bets_scale_with_the_chips() -> None:
    options = {"opponents": 3, "board": "Qh7h2c", "backend": "cpu"}
    small = kelly_bet("AhKh", bankroll=2000, pot=300, **options)  # type: ignore[arg-type]
    large = kelly_bet("AhKh", bankroll=200_000, pot=30_000, **options)  # type: ignore[arg-type]
    assert small.fraction == large.fraction and large.bet == pytest.approx(100 * small.bet)


def test_bets_to_call_with_stacks_and_side_pots(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--to-call", "100", "--stacks", "0,500,-", "--side-pot", "100:2", "--fold", "0.3"]
    spot = ["AhKh", "-k", "3", "--bankroll", "2000", "--pot", "300", "--board", "Qh7h2c"]
    text = output_of(capsys, *spot, *options, "--bet", "400")
    assert text.startswith("AhKh on Qh7h2c against 3 opponents: raise 874 chips\n")
    for line in ("fold", "call", "raise", "yours", "chance of a loss"):
        assert f"\n {line} " in text
    found = json.loads(output_of(capsys, *spot, *options, "--bet", "400", "--simulate", "20", "--json"))
    assert found["stacks"] == [0.0, 500.0, None] and found["side_pots"] == [[100.0, 2, 0.0]]
    assert found["fold"] == [0.3] * 3 and found["to_call"] == 100 and found["callers"] is None
    assert [option["action"] for option in found["options"]] == ["fold", "call", "raise"]
    assert found["judged"]["chips"] == 400 and found["action"] == "raise"
    assert {run["name"] for run in found["simulated"]} > {"the best bet"}
    found = json.loads(output_of(capsys, *spot, "--callers", "0.5,0.5,0,0", "--json"))
    assert found["callers"] == [0.5, 0.5, 0, 0] and found["exact"]
    found = json.loads(output_of(capsys, *spot, "--callers", "2", "--json"))
    assert found["callers"] == [0, 0, 1, 0]


def test_wealth_behind_the_stack(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    spot = ["AhAd", "-k", "1", "--pot", "1050", "--to-call", "1000"]
    assert output_of(capsys, *spot, "--bankroll", "1000").startswith(
        "AhAd before the flop against 1 opponent: fold"
    )
    behind = [*spot, "--bankroll", "20000", "--stack", "1000"]
    found = json.loads(output_of(capsys, *behind, "--simulate", "50", "--seed", "1", "--json"))
    assert (found["action"], found["bet_chips"], found["fraction"]) == ("call", 1000, 0.05)
    assert (found["bankroll"], found["stack"]) == (20000, 1000)
    (run_,) = found["simulated"]
    assert run_["name"] == "call" and run_["fraction"] == 0.05 and run_["ruined"] == 0
    out = tmp_path / "growth.svg"
    output_of(capsys, *SPOT, "--stack", "300", "--plot", str(out))
    assert "all in" in out.read_text() and "ruin" not in out.read_text()


def test_json_has_no_infinity(capsys: pytest.CaptureFixture[str]) -> None:
    # A call that is all in can ruin: its growth is minus infinity, which JSON has no word for.
    spot = ["7c2d", "-k", "1", "--bankroll", "100", "--pot", "150", "--to-call", "100", "--json"]
    found = json.loads(output_of(capsys, *spot), parse_constant=lambda word: pytest.fail(word))
    assert found["options"][1]["action"] == "call" and found["options"][1]["growth"] is None


def test_against_ranges(capsys: pytest.CaptureFixture[str]) -> None:
    spot = [
        "AhKh",
        "--against",
        "QQ+,AK",
        "--against",
        "22+",
        "--bankroll",
        "2000",
        "--board",
        "Qh7h2c",
    ]
    assert "against QQ+,AK, 22+: " in output_of(capsys, *spot)
    stacks = ["--stacks", "100,-", "--samples", "20000", "--seed", "1"]
    counted = output_of(capsys, *spot, *stacks)
    assert "sampled" not in counted and "±" not in counted
    before_the_flop = [*spot[:-2], *stacks]
    text = output_of(capsys, *before_the_flop)
    found = json.loads(output_of(capsys, *before_the_flop, "--json"))
    error = found["standard_error"]
    for name in ("win", "lose", "equity"):
        assert re.search(rf"^ {name} .* % +± {100 * error[name]:.4f} %", text, re.MULTILINE)
    assert re.search(rf"^ split with 1 .* % +± {100 * error['split'][0]:.4f} %", text, re.MULTILINE)
    growth = f"growth ± {error['growth']:.6f} (one standard error)"
    assert f"sampled: fraction ± {100 * error['fraction']:.4f} %, {growth}\n" in text
    assert "within two standard errors the advice is the same\n" in text
    assert found["advice_changes"] is False
    assert text == output_of(capsys, *before_the_flop)


def test_advice_that_may_be_another(capsys: pytest.CaptureFixture[str]) -> None:
    # A call all in for as much as the sampled equity is worth, with wealth behind it.
    ranges = ["--against", "60%", "--against", "70%", "--against", "50%"]
    chips = ["--bankroll", "1e12", "--stack", "1000", "--to-call", "1000", "--stacks", "0,-,-"]
    spot = ["6c5c", *ranges, "--board", "2s7d9h", *chips, "--samples", "2000", "--pot"]
    equity = json.loads(output_of(capsys, *spot, "3000", "--json"))["equity"]
    pot = str(round(1000 * (1 - equity) / equity))
    text = output_of(capsys, *spot, pot)
    found = json.loads(output_of(capsys, *spot, pot, "--json"))
    (other,) = found["other_actions"]
    assert {found["action"], other} == {"fold", "call"} and found["advice_changes"] is True
    assert f"within two standard errors the advice may be another: {other}\n" in text


def test_the_equity_that_a_call_needs_before_a_fold(capsys: pytest.CaptureFixture[str]) -> None:
    spot = ["7s2h", "--against", "QQ+", "--bankroll", "10000", "--pot", "1100", "--to-call", "1000"]
    text = output_of(capsys, *spot)
    assert text.splitlines()[0].endswith(": fold")
    assert re.search(r"^ equity a call needs +47\.6190 %", text, re.MULTILINE)
    assert "breaks even" not in text
    found = json.loads(output_of(capsys, *spot, "--json"))
    assert found["action"] == "fold" and found["pot_odds"] == pytest.approx(1000 / 2100)
    fold, call = found["options"]
    assert (fold["pot_odds"], call["pot_odds"]) == (0, found["pot_odds"])


def test_pots_of_blinds(capsys: pytest.CaptureFixture[str]) -> None:
    spot = ["12d", "3h", "-k", "3", "--bankroll", "4970", "--pot", "30x3", "--json"]
    assert json.loads(output_of(capsys, *spot))["pot"] == 120
    assert json.loads(output_of(capsys, *spot, "--pot-mode", "cassandra"))["pot"] == 90


def test_the_long_run(capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of(capsys, *SPOT, "--simulate", "50", "--seed", "1")
    for line in ("after 50 bets", "half of the best", "the best bet", "twice the best", "lost half"):
        assert line in text


@pytest.mark.parametrize(
    ("options", "marks"),
    [
        ([], ["bet 2,514 chips, 50.3 %", "ruin", "no growth from"]),
        (["--multiple", "0.5"], ["best: bet", "bet 1,257 chips, 25.1 %"]),
        (["--to-call", "20"], ["raise 2,521 chips", "ruin"]),
    ],
)
def test_the_plot_marks_the_best_bet(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: list[str], marks: list[str]
) -> None:
    out = tmp_path / "growth.svg"
    output_of(capsys, *SPOT, *options, "--plot", str(out))
    text = out.read_text()
    for mark in ["QdQs on 2s7d9h against 2", "bet, % of the bankroll", *marks]:
        assert mark in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["QdQs", "-k", "0", "--bankroll", "5"], "opponents 0: expected at least 1"),
        (["QdQs", "-k", "2", "--bankroll", "0"], "bankroll 0: expected more than 0"),
        (["QdQs", "-k", "2", "--bankroll", "x"], "--bankroll x: expected a number of chips"),
        (["QdQs", "-k", "2", "--bankroll", "1/2"], "--bankroll 1/2: expected a number of chips"),
        (["QdQs", "-k", "2", "--bankroll", "5", "--pot", "-1"], "pot -1: expected chips, or 30x3"),
        (
            ["QdQs", "-k", "2", "--bankroll", "5", "--model", "hers"],
            "model hers: expected one of exact",
        ),
        (["QdQs", "-k", "2", "--bankroll", "5", "--multiple", "2"], "multiple 2.0: expected 0 to 1"),
        (["QdQs", "--bankroll", "5"], "expected --opponents N, or --against RANGE"),
        ([*SPOT, "--against", "AA"], "expected --opponents N, or --against RANGE"),
        ([*SPOT, "--fold", "x"], "--fold x: expected a chance, 0 to 1"),
        ([*SPOT, "--stacks", "5,x"], "--stacks x: expected a number of chips"),
        ([*SPOT, "--side-pot", "5"], "--side-pot 5: expected CHIPS:N, such as 200:2"),
        ([*SPOT, "--callers", "x"], "--callers x: expected a whole number"),
        ([*SPOT, "--bet", "5001"], "bet 5001: expected 0 to 5000"),
        ([*SPOT, "--simulate", "0"], "hands 0: expected 1 to 100,000"),
        ([*SPOT, "--pot-mode", "hers"], "pot mode hers: expected one of full, cassandra"),
        ([*SPOT, "--stack", "6000"], "stack 6000: more than the bankroll 5000"),
        ([*SPOT, "--stack", "0,300"], "--stack 0,300: expected your own chips; those of opponents are"),
        ([*SPOT, "--to-call", "101"], "to_call 101: more than the pot 100, which holds the bet"),
        ([*SPOT, "--simulate", "5", "--seed", "-1"], "seed -1: expected 0 or more"),
        (["QdQs", "-k", "999999999", "--bankroll", "5"], "1000000000 players"),
        (["QdQd", "-k", "2", "--bankroll", "5"], "Qd"),
        (["QdQs", "-k", "30", "--bankroll", "5"], "31 players"),
        ([*SPOT, "--plot", "x.bmp"], "x.bmp: expected a file that ends in"),
    ],
)
def test_bad_input(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    # A line before the last gives the reason why there is no GPU.
    assert message in output_of(capsys, *arguments, code=2).splitlines()[-1]


HUGE = ["1e400", "1e999999999", "nan", "inf", "-inf", "9" * 5000, "1" * 400 + "e9"]
CHIPS = ["--bankroll", "--stack", "--pot", "--to-call", "--minimum", "--bet", "--stacks", "--side-pot"]
SHARES = ["--fold", "--callers", "--multiple", "--spread"]
COUNTS = ["--opponents", "--simulate", "--samples", "--seed"]


@pytest.mark.parametrize("option", [*CHIPS, *SHARES, *COUNTS])
def test_extreme_numbers_are_refused(capsys: pytest.CaptureFixture[str], option: str) -> None:
    defaults = {"--bankroll": "1000", "--opponents": "2"}
    for number in HUGE:
        given = {**defaults, option: number + (":1" if option == "--side-pot" else "")}
        words = [f"{name}={value}" for name, value in given.items()]
        (line,) = [
            line
            for line in output_of(capsys, "QdQs", *words, code=2).splitlines()
            if "CuPy" not in line
        ]
        assert "expected" in line and len(line) < 160


def test_invalid_amounts_are_refused() -> None:
    with pytest.raises(InputError, match="bankroll nan: expected a number of chips"):
        kelly_bet("QdQs", opponents=1, bankroll=float("nan"))


BANK = ["--bankroll", "5000"]
OMAHA = ["AsAhKsKh", "-k", "1", "--board", "2s7d9h", "--game", "omaha", *BANK]


def test_a_bet_of_another_game(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(output_of(capsys, *OMAHA, "--json"))
    expected = kelly_bet(
        "AsAhKsKh", opponents=1, board="2s7d9h", game="omaha", bankroll=5000, backend="cpu"
    )
    assert found["game"] == "omaha" and found["exact"]
    assert found["equity"] == expected.to_dict()["equity"]
    text = output_of(capsys, *OMAHA)
    assert text.startswith("Omaha: AsAhKsKh on 2s7d9h against 1 opponent: bet ")
    assert "sampled" not in text
    assert "sampled: fraction ±" in output_of(capsys, *OMAHA, "-k", "3")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("AsK! -k 1 --game omaha", "AsK!: column 5: expected"),
        ("AsKsQhQd2c -k 1 --game omaha", "a hand of omaha has four cards, found 5"),
        ("AsAh2c3h -k 1 --game omaha8", "game omaha-hi-lo: bets are found where the best high hand"),
        ("AsAh -k 1 --game razz", "game razz: expected one of holdem, "),
        ("2s2h -k 1 --game short-deck", "2s: short-deck has cards from 6 to A"),
        (
            "AsAh2c3h -k 1 --game omaha --model cassandra",
            "the model cassandra is of hold'em",
        ),
    ],
)
def test_what_a_game_refuses(capsys: pytest.CaptureFixture[str], arguments: str, message: str) -> None:
    found = output_of(capsys, *arguments.split(), *BANK, code=2)
    assert message in found and len(found.splitlines()) == 1
