"""The advisor's session: Cassandra's examples, drawn hands, and invalid answers."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from gpuodds.betting.advice import kelly_bet
from gpuodds.betting.advisor.conversation import Conversation
from gpuodds.betting.advisor.session import KEPT, Session
from gpuodds.errors import InputError

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"


def begin(*answers: str, **options: object) -> Conversation:
    session = Session(backend="cpu", **options)  # type: ignore[arg-type]
    found = Conversation(session.talk)
    for answer in answers:
        found.answer(answer)
    return found


def suggestions(found: Conversation) -> list[int]:
    return [int(line.split(": ")[1]) for line in found.lines if line.startswith("You should bet: ")]


@pytest.mark.parametrize("number", range(1, 7))
def test_examples_of_cassandra(number: int) -> None:
    found = begin(model="cassandra", pot_mode="cassandra")
    text = (TRANSCRIPTS / f"example-{number}.txt").read_text()
    assert found.follow(text, KEPT) == []
    if number == 6:
        assert suggestions(found) == [1538, 1555, 2151]
        assert found.lines[-2:] == ["Pot: 450", "==Turn=="] and found.question.prompt == "Input card"
    if number == 2:
        assert "Pot: 30x3" in found.lines


@pytest.mark.parametrize(
    ("pot_mode", "bets"), [("cassandra", [1650, 1633, 2064]), ("full", [1650, 1650, 2083])]
)
def test_exact_bets_in_example_6(pot_mode: str, bets: list[int]) -> None:
    found = begin(pot_mode=pot_mode)
    text = (TRANSCRIPTS / "example-6.txt").read_text()
    differences = found.follow(text, KEPT)
    assert suggestions(found) == bets and len(differences) == 3
    assert differences[0] == "line 14: You should bet 1538 then, 1650 now"
    assert found.lines[-2] == "Pot: 450"


def test_a_round_ends_by_itself() -> None:
    # Heads-up: blinds 5 and 10, a call, a check, and so to a showdown; then the next hand.
    found = begin("995", "5/10", "As", "Ks", "5", "x")
    assert found.lines[-2:] == ["Pot: 20", "==Flop=="]
    for answer in ["2s7d9h", "x", "y", "x", "Tc", "40", "c", "3c", "x", "", "100", "c"]:
        found.answer(answer)
    assert found.lines[-1] == "Pot: 300" and found.question.prompt == "Won"
    found.answer("150")
    assert found.lines[-2:] == ["You have: 1000", "==Next Hand=="]
    assert found.question.prompt == "Bankroll" and found.question.default == "1000"
    found.answer("")
    assert found.question.prompt == "Pot"


def test_folds() -> None:
    found = begin("990", "10/0 5", "QhQd", "90", "0", "f")
    assert found.lines[-3:] == ["  You win.", "You have: 1005", "==Next Hand=="]
    found = begin("1000", "0/10 20+5", "7c2d", "0", "n", "f", "y")
    assert found.lines[-3:] == ["Pot: 35", "You have: 1000", "==Next Hand=="]


def test_the_amount_to_call_follows_from_the_bets() -> None:
    found = begin("5000", "15/0 30 60+15", "QdQs")
    assert "45 to call" in found.lines[-1]
    found.answer("c")
    found.answer("60")
    with pytest.raises(InputError, match="check: 30 are to call"):
        found.answer("x")
    found.answer("c")
    found.answer("0")
    assert found.lines[-2:] == ["Pot: 255", "==Flop=="]


def test_not_your_turn_yet() -> None:
    found = begin("1000", "10/10 10", "QdQs", "x", "", "x", "x", "2s7d9h")
    # The first opponent acts after the player, the second before.
    for answer in ["-", "-", "60"]:
        found.answer(answer)
    assert "60 to call" in found.lines[-1]
    for answer in ["c", "c"]:
        found.answer(answer)
    assert found.lines[-2:] == ["Pot: 210", "==Turn=="]


def test_all_in_makes_a_side_pot() -> None:
    found = begin("1000", "0/0 0", "AhKh", "100", "c", "40a")
    assert "  Player #1 is all in." in found.lines and found.lines[-2:] == ["Pot: 240", "==Flop=="]
    found.answer("Qh7h2c")
    # 120 with both, 120 with one: compared with the same question asked directly.
    same = kelly_bet(
        "AhKh",
        opponents=2,
        board="Qh7h2c",
        bankroll=900,
        pot=120,
        side_pots=[(120, 1)],
        stacks=[0, None],
    )
    assert suggestions(found)[-1] == same.bet_chips
    for answer in ["200", "f"]:
        found.answer(answer)
    # Nobody is left to bet with: the bet comes back, and cards alone, to the end.
    assert found.lines[-3:] == ["  Uncalled: 200 back to you.", "Pot: 240", "==Turn=="]
    found.answer("2d")
    found.answer("3d")
    assert found.question.prompt == "Won"


@pytest.mark.parametrize(
    ("answers", "uncalled", "pot"),
    [
        # The player covers: of 1000 the opponent's 300 are called.
        (["990", "10/20", "AsKs", "990", "280a"], "700 back to you", 600),
        # The opponent covers: 100 are all that the player has.
        (["100", "0/0", "AsKs", "-", "300a", "c"], "200 back to Player #1", 200),
        (["100", "0/0", "AsKs", "-", "300", "c"], "200 back to Player #1", 200),
        (["100", "0/0", "AsKs", "100", "300"], "200 back to Player #1", 200),
        # Two all in for less, in either order; the larger makes a side pot.
        (["1000", "0/0 0", "AsKs", "500", "100a", "300a"], "200 back to you", 700),
        (["1000", "0/0 0", "AsKs", "500", "300a", "100a"], "200 back to you", 700),
        # The player is all in for less than both: the second of them is matched by the first.
        (["50", "0/0 0", "AsKs", "-", "300a", "200a", "c"], "100 back to Player #2", 450),
        # Chips of who folded stay, and match what they can.
        (["900", "100/100 100", "AsKs", "200", "400", "f", "700", "f"], "500 back to you", 1100),
        # All fold, or the player does and one or two go on.
        (["990", "10/5 20", "AsKs", "190", "f", "f"], "180 back to you", 45),
        (["990", "10/0+20", "AsKs", "190", "f"], "180 back to you", 40),
        (["990", "10/110", "7c2d", "f", "y"], "100 back to Player #1", 20),
        (["990", "10/110 0", "7c2d", "f", "y"], "", 120),
        # A pot alone is given: what is put in later is the same for all if nothing was to call.
        (["1000", "30", "AsKs", "1", "0", "970", "200a", "0"], "770 back to you", 430),
        (["1000", "30", "AsKs", "1", "20", "970", "200a", "0"], "", 1200),
        # Who has chips left may still call.
        (["1000", "30", "AsKs", "1", "0", "970", "200", "0"], "", 1200),
    ],
)
def test_an_uncalled_bet_is_not_in_the_pot(answers: list[str], uncalled: str, pot: int) -> None:
    found = begin(*answers)
    expected = [line for line in found.lines if line.startswith("  Uncalled: ")]
    assert expected == ([f"  Uncalled: {uncalled}."] if uncalled else [])
    assert [line for line in found.lines if line.startswith("Pot: ")][-1] == f"Pot: {pot}"
    again = begin()
    assert again.follow("\n".join(found.lines), KEPT) == [] and again.lines == found.lines
    if found.question.prompt == "Input card":
        for answer in ("2c7d9h", "Jc", "3d"):
            if found.question.prompt == "Input card":
                found.answer(answer)
        if found.question.prompt == "Won":
            with pytest.raises(InputError, match=f"expected {pot} at most"):
                found.answer(str(pot + 1))


@pytest.mark.parametrize(
    ("answers", "same"),
    [
        # 100 at the table against 300: no more than 100 of them can be won.
        (["-", "300a"], {"pot": 100, "to_call": 100, "stacks": [0]}),
        (["-", "300"], {"pot": 100, "to_call": 100}),
        # Two all in beyond the player's chips: one pot of 100 from each.
        (["-", "200a", "300a"], {"pot": 200, "to_call": 100, "stacks": [0, 0]}),
        # One all in for 40, one beyond: 40 from each, and 60 in a side pot.
        (
            ["-", "40a", "300a"],
            {"pot": 80, "to_call": 100, "side_pots": [(60, 1, 60)], "stacks": [0, 0]},
        ),
        # What was bet beyond the player's chips and folded cannot be won either.
        (["-", "250", "600", "-", "f"], {"pot": 200, "to_call": 100}),
    ],
)
def test_chips_that_cannot_be_won_are_not_advised_on(answers: list[str], same: dict[str, Any]) -> None:
    opponents = sum(answer[0].isdecimal() for answer in answers)
    bets = " ".join("0" * opponents)
    for hand in ("7c2d", "9c8c", "AhKh"):
        found = begin("10000", "100", f"0/{bets}", hand, *answers, stack=100)
        alone = kelly_bet(
            hand,
            opponents=opponents - answers.count("f"),
            bankroll=10_000,
            stack=100,
            backend="cpu",
            **same,
        )
        assert suggestions(found)[-1] == alone.bet_chips
        assert found.lines[-1].startswith(f"  {alone.action}, 100 to call")


def test_a_call_that_goes_into_two_pots() -> None:
    # One is all in for 40, another bets 100: of the call 40 go into the main pot, 60 into the side pot.
    found = begin("1000", "0/0 0", "AhKh", "-", "40a", "100")
    same = kelly_bet(
        "AhKh",
        opponents=2,
        bankroll=1000,
        pot=80,
        to_call=100,
        side_pots=[(60, 1, 60)],
        stacks=[0, None],
    )
    assert suggestions(found)[-1] == same.bet_chips and same.option(100).chips == 100


def test_undo_takes_back_every_answer() -> None:
    answers = ["995", "5/10", "As", "Ks", "5", "x", "2s7d9h", "x", "y", "30", "c", "Tc"]
    states = []
    found = begin()
    for answer in answers:
        states.append((list(found.lines), found.question))
        found.answer(answer)
    for lines, question in reversed(states):
        assert found.undo()
        assert (found.lines, found.question) == (lines, question)
    assert not found.undo()


def play(seed: int) -> Conversation:
    """Play a hand at random, and count the chips independently of the session."""
    draw = random.Random(seed)
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    draw.shuffle(deck)
    blinds = [draw.choice([0, 10, 20]) for _ in range(draw.randint(1, 4))]
    own = draw.choice([0, 10, 20])
    found = begin(str(500 - own), f"{own}/{' '.join(map(str, blinds))}")
    bankroll, pot = 500 - own, own + sum(blinds)
    for _ in range(500):
        prompt, before = found.question.prompt, len(found.lines)
        if prompt == "Input card":
            answer = deck.pop()
        elif prompt == "Bet Amount":
            answer = draw.choice(["0", "10", "20", "30", "60", str(bankroll), "x", "9999"])
        elif prompt.startswith("Player #"):
            answer = draw.choice(["0", "10", "20", "30", "60", "f", "20a", "-", "no"])
        elif prompt.endswith("[Y/n]"):
            answer = draw.choice(["y", "y", ""])
        else:
            assert prompt == "Won"
            answer = str(draw.choice([0, pot]))
            bankroll += int(answer)
        try:
            lines = found.answer(answer)
        except InputError:
            assert found.question.prompt == prompt and len(found.lines) == before
            continue
        chips = int(answer.rstrip("a")) if answer.rstrip("a").isdecimal() else 0
        if prompt == "Bet Amount":
            bankroll -= chips
        if prompt == "Bet Amount" or prompt.startswith("Player #"):
            pot += chips
        for line in lines:
            if line.startswith("  Uncalled: "):
                back = int(line.split()[1])
                assert 0 < back < pot
                pot -= back
                bankroll += back if line.endswith("back to you.") else 0
        if "  You win." in lines:
            bankroll += pot
        assert all(line == f"Pot: {pot}" for line in lines if line.startswith("Pot: "))
        if "==Next Hand==" in lines:
            assert f"You have: {bankroll}" in lines
            return found
    raise AssertionError("a hand without an end")


@pytest.mark.parametrize("seed", range(25))
def test_hands_drawn_at_random(seed: int) -> None:
    found = play(seed)
    again = begin()
    assert again.follow("\n".join(found.lines), KEPT) == []
    assert again.lines == found.lines and again.question == found.question
    found.undo()
    again.undo()
    assert again.lines == found.lines


@pytest.mark.parametrize(
    ("answers", "wrong", "message"),
    [
        ([], "x", "x: expected a whole number"),
        ([], "0", "0: expected more than 0"),
        ([], "", "expected a whole number"),
        (["100"], "10/", "expected the opponents' bets after the slash"),
        (["100"], "x", "pot x: expected chips, or 30x3"),
        (["100", "0"], "AsAs", "As"),
        (["100", "0"], "AsKsQs", "expected 2 at most, found 3"),
        (["100", "0", "As"], "As", "As: has been dealt already"),
        (["100", "0", "AsKs"], "23", "23: expected 0 to 22"),
        (["100", "0/10", "AsKs"], "5", "5: 10 are to call"),
        (["100", "0/10", "AsKs"], "101", "101: expected 100 at most"),
        (["100", "0/10", "AsKs", "0"], "maybe", "maybe: expected y or n"),
        (["100", "0/10", "AsKs", "20"], "-5", "-5: expected a whole number"),
    ],
)
def test_wrong_answers_are_asked_again(answers: list[str], wrong: str, message: str) -> None:
    found = begin(*answers)
    before, question = list(found.lines), found.question
    with pytest.raises(InputError) as caught:
        found.answer(wrong)
    assert message in str(caught.value)
    assert found.lines == before and found.question == question


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Bankroll: x", "line 1, Bankroll: x: expected a whole number"),
        ("Bankroll: 5\nPot: 0/10\nInput card: AsKs\nInput card: 2c", "line 4: Input card is not asked"),
    ],
)
def test_transcripts_that_do_not_fit(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        begin().follow(text, KEPT)
    assert message in str(caught.value)


def test_chips_behind_those_at_the_table() -> None:
    found = begin("10000", stack=500)
    assert found.question.prompt == "Stack" and found.question.default == "500"
    with pytest.raises(InputError, match="10001: expected 10000 at most"):
        found.answer("10001")
    for answer in ["", "0/0", "AsAh"]:
        found.answer(answer)
    whole = kelly_bet("AsAh", opponents=1, bankroll=10_000, stack=500, backend="cpu")
    assert suggestions(found) == [whole.bet_chips] == [500]
    with pytest.raises(InputError, match="501: expected 500 at most"):
        found.answer("501")
    for answer in ["500", "500a", "2c3c4d", "9h", "Tc", "1000"]:
        found.answer(answer)
    assert "You have: 10500" in found.lines
    # What was won stays at the table; a broke player buys in again.
    assert found.question.default == "10500"
    found.answer("")
    assert found.question.prompt == "Stack" and found.question.default == "1000"
    for answer in ["", "0/0", "7c2d", "1000", "1000a", "AsAh3d", "9h", "Tc", "0"]:
        found.answer(answer)
    assert "You have: 9500" in found.lines
    found.answer("")
    assert found.question.default == "500"
    # A short bankroll is all there is to sit down with.
    assert begin("300", stack=500).question.default == "300"


def test_an_all_in_is_called_with_wealth_behind() -> None:
    answers = ["0/500", "AsAh"]
    alone = begin("500", *answers)
    behind = begin("10000", "500", *answers, stack=500)
    assert suggestions(alone) == [0] and suggestions(behind) == [500]
    assert "call, 500 to call" in behind.lines[-1]


def test_a_refused_answer_is_asked_again() -> None:
    found = begin("1000", "30", "AsKs", "2")
    before, question = list(found.lines), found.question
    assert question.prompt == "To Call"
    with pytest.raises(InputError, match="to_call 50: more than the pot 30"):
        found.answer("50")
    assert found.lines == before and found.question == question
    found.answer("20")
    assert suggestions(found) == suggestions(begin("1000", "30", "AsKs", "2", "20")) == [268]


def test_options() -> None:
    for options in ({"minimum": -1}, {"multiple": float("nan")}, {"stack": 0}, {"stack": 10**400}):
        with pytest.raises(InputError, match="expected"):
            Session(**options)
    with pytest.raises(InputError, match="pot mode hers: expected one of full, cassandra"):
        Session(pot_mode="hers")
    half = begin("1000", "0/0", "AsAh", multiple=0.5)
    whole = begin("1000", "0/0", "AsAh")
    assert suggestions(half)[0] == pytest.approx(suggestions(whole)[0] / 2, abs=1)
