"""Range text in every dialect, faults with their place, percentages and rankings."""

from __future__ import annotations

import copy
from decimal import Decimal

import pytest

from gpuodds.errors import InputError, excerpt
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.starting_hands import (
    combinations,
    grid_name,
    starting_hands,
)
from gpuodds.games.shared.combos import COMBOS
from gpuodds.spots.notation.holdem import text as range_text
from gpuodds.spots.ranges.range import DIALECTS, Range
from gpuodds.spots.ranges.rankings import equity_ranking, register_ranking

COMBO_COUNTS = [
    ("AA", 6),
    ("AK", 16),
    ("KA", 16),
    ("AKs", 4),
    ("aKO", 12),
    ("22+", 78),
    ("TT+", 30),
    ("ATs+", 16),
    ("ATo+", 48),
    ("A9+", 80),
    ("KTs+", 12),
    ("QQ-88", 30),
    ("88-QQ", 30),
    ("22-77", 36),
    ("A9s-A6s", 16),
    ("A6s-A9s", 16),
    ("AK-AT", 64),
    ("JTs-67s", 20),
    ("67s-JTs", 20),
    ("J9o-97o", 36),
    ("1010", 6),
    ("109s", 4),
    ("AsKh", 1),
    ("1s13h", 1),
    ("A\u2660K\u2665", 1),
    ("random", COMBOS),
    ("ANY", COMBOS),
    ("**", COMBOS),
    ("XxXx", COMBOS),
    ("100%", COMBOS),
    ("AA,KK;QQ JJ", 24),
    (" AA ,, KK;\n", 12),
    ("22+,-(KK,AA)", 66),
    ("22+ !AA", 72),
    ("AK,!AKs", 12),
    ("random,-(22+, AsKs)", COMBOS - 79),
    ("AK:0.5", 8),
    ("AK@50", 8),
    ("[50]AK[/50]", 8),
    ("[50]AK,QQ[/]", 11),
    ("0.5(AK,QQ)", 11),
    ("(AK,QQ):0.5", 11),
    ("0.5(AK,QQ:0.5)", 9.5),
    ("AKs:0.5", 2),
    ("AK:0", 0),
    ("AA,AA:0.5", 3),
    ("AA:0.5,AA", 6),
    ("AsAh:.25", 0.25),
    ("AA+", 6),
    ("AKs-QJs", 12),
    ("AK-32", 12 * 16),
    ("KA-TA", 64),
    ("13h1s", 1),
    ("A\u2660\ufe0fK\u2665\ufe0f", 1),
    ("AA\u00a0KK", 12),
    ("22+,!(KK,AA)", 66),
    ("22+,!15%", 18),
    ("random,-(22+,!AA)", COMBOS - 72),
    ("AA,-(-(AA))", 6),
    ("AA,-(AA:0)", 6),
    ("[50]AK,[25]QQ[/25][/50]", 8.75),
    ("AA@12.5", 0.75),
    ("0.5((AA):0.25)", 0.75),
    ("(" * 20 + "AA" + ")" * 20, 6),
    ("AA," * 30_000, 6),
]

DIALECTS_OF_OTHERS = [  # a text, and what it means in plain words
    ("80%(AKs)", "AKs:0.8"),
    ("40%(ATs+, AJo)", "ATs+:0.4,AJo:0.4"),
    ("0.6(AA, AK)", "AA:0.6,AK:0.6"),
    ("50%(AA,50%(KK))", "AA:0.5,KK:0.25"),
    ("66-", "66,55,44,33,22"),
    ("22-", "22"),
    ("AA-", "22+"),
    ("A5s-", "A5s,A4s,A3s,A2s"),
    ("A5o-", "A5o,A4o,A3o,A2o"),
    ("A5-", "A5,A4,A3,A2"),
    ("5AS-", "A5s,A4s,A3s,A2s"),
    ("Q8s-,66-", "Q8s,Q7s,Q6s,Q5s,Q4s,Q3s,Q2s,66,55,44,33,22"),
    ("32s-", "32s"),
    ("66-:0.5", "66:0.5,55:0.5,44:0.5,33:0.5,22:0.5"),
    ("!66-,!A5s-,AA", "AA"),
    ("22+,!66-", "77+"),
    ("(66-)", "66-22"),
    ("AX", "A2+"),
    ("AXs", "A2s+"),
    ("Axs", "A2s+"),
    ("AXo", "A2o+"),
    ("axo", "A2o+"),
    ("KX", "K2+"),
    ("10Xs", "T2s+"),
    ("3X", "32"),
    ("AX@25", "A2+:0.25"),
    ("XX", "random"),
    ("XX:0.5", "random:0.5"),
    ("XX,!AX", "random,!A2+"),
    ("8s8h+", "8s8h,9s9h,TsTh,JsJh,QsQh,KsKh,AsAh"),
    ("8h8s+:.67", "(8s8h,9s9h,TsTh,JsJh,QsQh,KsKh,AsAh):0.67"),
    ("8s8h-", "8s8h,7s7h,6s6h,5s5h,4s4h,3s3h,2s2h"),
    ("AsTs+", "AsTs,AsJs,AsQs,AsKs"),
    ("AsTh+", "AsTh,AsJh,AsQh,AsKh"),
    ("AsKs+", "AsKs"),
    ("As4h-", "As4h,As3h,As2h"),
    ("9d8d-6d5d", "9d8d,8d7d,7d6d,6d5d"),
    ("6d5d-9d8d", "9d8d,8d7d,7d6d,6d5d"),
    ("8d9d-6d5d", "9d8d,8d7d,7d6d,6d5d"),
    ("9d8d-6d5d:0.25", "(9d8d,8d7d,7d6d,6d5d):0.25"),
    ("AhAs-QhQs,JJ", "JJ,AhAs,KhKs,QhQs"),
    ("AsKs-AsTs", "AsKs,AsQs,AsJs,AsTs"),
    ("1s13s-1s10s", "AsKs,AsQs,AsJs,AsTs"),
    ("A\u2660K\u2660-A\u2660T\u2660", "AsKs,AsQs,AsJs,AsTs"),
    ("98s - 65s", "98s,87s,76s,65s"),
    ("98s -65s", "98s,87s,76s,65s"),
    ("98s - 65s : 0.25", "(98s,87s,76s,65s):0.25"),
    ("K9s: .67", "K9s:0.67"),
    ("AA :0.5, KK\t:\t0.25", "AA:0.5,KK:0.25"),
    ("AK @ 50", "AK:0.5"),
    ("16% - 50%", "16%-50%"),
    ("22+ -(AA)", "22+,!AA"),
    ("88+:1.", "88+"),
    ("AA:0.", "AA:0"),
    ("K9s:.67", "K9s:0.67"),
    ("{AA,KK}", "AA,KK"),
    ("{ 22+, A2s+ }", "22+,A2s+"),
    ("{AA}:0.5,{KK}@25", "AA:0.5,KK:0.25"),
    ("0.5(AA,{KK})", "AA:0.5,KK:0.5"),
    ("AA(0.5)", "AA:0.5"),
    ("AA(50%),KK(0.25)", "AA:0.5,KK:0.25"),
    ("66(0.5),A5s(25%)", "66:0.5,A5s:0.25"),
    ("66-(0.5)", "66-22:0.5"),
    ("AsKs(1)", "AsKs"),
    ("set_range_oop AA,KK:0.5", "AA,KK:0.5"),
    ("set_range_ip QQ:0.5,JJ:0.75,TT,AKo:0.25", "QQ:0.5,JJ:0.75,TT,AKo:0.25"),
    ("  SET_RANGE_OOP\tAA\n", "AA"),
    ("set_range OOP QQ+", "QQ+"),
]


@pytest.mark.parametrize(("text", "combos"), COMBO_COUNTS)
def test_every_way_to_write_a_range(text: str, combos: float) -> None:
    assert Range(text).weight == combos


@pytest.mark.parametrize(("text", "plain"), DIALECTS_OF_OTHERS)
def test_texts_of_other_programs_keep_their_meaning(text: str, plain: str) -> None:
    found = Range(text)
    assert found == Range(plain) and found.notes == ()
    for dialect in DIALECTS:
        assert Range(found.to_string(dialect)) == found


def test_a_line_of_piosolver_has_its_order_of_hands() -> None:
    # show_hand_order begins 2d2c 2h2c 2h2d 2s2c 2s2d 2s2h 3c2c and ends AsAh.
    numbers = ["0"] * COMBOS
    for place, number in ((0, "1"), (1, "0.5"), (2, ".25"), (6, "1e-1"), (COMBOS - 1, "1.")):
        numbers[place] = number
    found = Range(f"set_range OOP {' '.join(numbers)}\n")
    assert found == Range("2d2c,2h2c:0.5,2h2d:0.25,3c2c:0.1,AsAh")
    with pytest.raises(InputError, match="expected 1,326 weights, found 1,325"):
        Range(f"set_range IP {' '.join(numbers[1:])}")
    numbers[1000] = "1.5"
    with pytest.raises(InputError, match=r"column 2021: expected a weight of 0 to 1, found '1\.5'"):
        Range(f"set_range IP {' '.join(numbers)}")


@pytest.mark.parametrize("text", ["76s+", "98s+", "T9o+", "KQ+", "32s+", "109s+", "(76s+):0.5"])
def test_a_connector_with_a_plus_is_itself_and_a_note_names_the_other_reading(text: str) -> None:
    plain = text.replace("+", "")
    found = Range(text)
    assert found == Range(plain) and Range(plain).notes == ()
    (note,) = found.notes
    hand = plain.removeprefix("(").partition(")")[0]
    suits = hand[-1] if hand[-1] in "so" else ""
    assert f"{hand} alone" in note and f"{hand}-AK{suits}" in note
    assert Range(f"{hand}-AK{suits}").notes == ()
    assert copy.deepcopy(found).notes == found.notes == Range(found).notes
    assert found.to_dict()["notes"] == [note] and "notes" not in Range(plain).to_dict()


def test_each_note_appears_once_in_order_where_readings_differ() -> None:
    assert [note[:4] for note in Range("T9o+,76s+,T9o+").notes] == ["T9o+", "76s+"]
    for text in ("AKs+", "AK+", "22+", "ATs+", "T8s+", "76s"):
        assert Range(text).notes == ()


A_HAND = "expected a hand, such as AKs, or a range, such as QQ+"
COMMAND_ALONE = "expected a hand: only the command reads named ranges (#UTG#) and files (@FILE)"
SCRIPT_LINE = "expected one line of a solver's script, such as set_range_oop AA,KK"
FAULTS = [
    ("AKx+", "column 3: expected s, o, + or the end of the hand, found 'x'"),
    ("AA KKs", "column 6: expected a pair without s or o, found 's'"),
    ("QQx", "column 3: expected +, - or the end of the hand, found 'x'"),
    ("", f"column 1: {A_HAND}, found the end"),
    (",", f"column 2: {A_HAND}, found the end"),
    ("hello", f"column 1: {A_HAND}, found 'h'"),
    ("Ay", "column 2: expected a second rank or a suit, found 'y'"),
    (
        "10",
        "column 3: expected a second rank or a suit, found the end; "
        "write 10% for the best 10 % of hands",
    ),
    ("AsK", "column 4: expected a suit (c, d, h or s), found the end"),
    ("As Kh", "column 3: expected a second card, such as Kh, found ' '"),
    ("AsKhQd", "column 5: expected +, -, :, @ or the end of the item, found 'Q'"),
    ("AAKK", "column 3: expected +, - or the end of the hand, found 'K'"),
    ("AKs-QTs", "column 5: expected a hand with A or with ranks as far apart as AKs, found 'QTs'"),
    ("A9s-x", "column 5: expected the other end of the run, such as A6s, found 'x'"),
    ("9d8d-65s", "column 6: expected the other end of the run, such as 6d5d, found '6'"),
    ("9d8d-6d", "column 8: expected a second card, such as Kh, found the end"),
    ("9d8d-6d5h", "column 6: expected the suits of 9d8d, found '6d5h'"),
    ("8s8h-QhQd", "column 6: expected the suits of 8s8h, found 'QhQd'"),
    ("9d8d-6d4d", "column 6: expected a hand with 9 or with ranks as far apart as 9d8d, found '6d4d'"),
    ("AsAs+", "column 1: expected two different cards, found 'AsAs'"),
    ("100.5%", "column 1: expected a percentage of 0% to 100%, found '100.5%'"),
    ("20%-120%", "column 5: expected a percentage of 0% to 100%, found '120%'"),
    ("87o-JTs", "column 5: expected an offsuit hand, found 'JTs'"),
    ("AKs-9d8d", "column 5: expected the other end of the run, such as A6s, found '9'"),
    ("akx", "column 3: expected s, o, + or the end of the hand, found 'x'"),
    ("SET_POT 10", f"column 1: {SCRIPT_LINE}, found 'S'"),
    ("2X", "column 1: expected a rank that has a lower one, found '2X'"),
    ("QX+", "column 3: expected :, @ or the end of the item, found '+'"),
    ("AA-(KK)", "column 5: expected a weight, or a comma before -(, found 'K'"),
    ("{AA", "column 4: expected }, found the end"),
    ("{AA)", "column 4: expected }, found ')'"),
    ("AA(0.5", "column 7: expected ), found the end"),
    ("AA(50)", "column 4: expected a weight of 0 to 1, found '50'"),
    ("AA(150%)", "column 4: expected a weight of 0 to 100, found '150'"),
    ("AA()", "column 4: expected a percentage or a weight, found ')'"),
    ("120%(AA)", "column 1: expected a weight of 0 to 100, found '120'"),
    ("{" * 30 + "AA", "column 21: expected at most 20 levels of brackets"),
    (
        "AA,#UTG#",
        f"column 4: {COMMAND_ALONE}, found '#'",
    ),
    (
        "@utg.txt",
        f"column 1: {COMMAND_ALONE}, found '@'",
    ),
    ("set_range_oop AAx", "column 17: expected +, - or the end of the hand, found 'x'"),
    (
        "set_range_oop",
        f"column 1: {SCRIPT_LINE}, found 's'",
    ),
    (
        "set_range_oop AA\nset_range_ip KK",
        f"column 18: {SCRIPT_LINE}, found 's'",
    ),
    (
        "set_pot 10",
        f"column 1: {SCRIPT_LINE}, found 's'",
    ),
    # Two readings: each names both.
    (
        "AsKs QhQd",
        "two readings: write AsKs,QhQd for a range of combos, or give AsKs and QhQd as two players",
    ),
    (
        " 1s13s\tQhQd\n2c2d ",
        "two readings: write 1s13s,QhQd,2c2d for a range of combos, or give 1s13s and QhQd "
        "as two players",
    ),
    ("87-JTs", "column 4: two readings: write 87s-JTs, or 87-JT, found 'JTs'"),
    ("87o-JT", "column 5: two readings: write 87o-JTo, or 87-JT, found 'JT'"),
    ("AKs-AJ", "column 5: two readings: write AKs-AJs, or AK-AJ, found 'AJ'"),
    ("87s-JTo", "column 5: expected a suited hand, found 'JTo'"),
    ("76s-", "column 1: two readings: write 76s-72s, or 76s-32s"),
    ("AA,T9-", "column 4: two readings: write T9-T2, or T9-32"),
    ("9s8s+", "column 1: two readings: write 9s8s, or 9s8s-AsKs"),
    ("9s8h-", "column 1: two readings: write 9s8h-9s2h, or 9s8h-3s2h"),
    ("66- 22", "column 1: two readings: write 66-22 for a run, or 66-,22"),
    ("AA A5s-  KQs", "column 4: two readings: write A5s-KQs for a run, or A5s-,KQs"),
    (
        "80% (AKs)",
        "column 1: two readings: write 80%(...) for a weight, or 80%,(...) for the best 80% and more",
    ),
    ("Ax", "column 1: two readings: write A2+, or A2+,AA, found 'Ax'"),
    ("Qx", "column 1: two readings: write Q2+, or Q2+,QQ,KQ,AQ, found 'Qx'"),
    ("xx", "column 1: two readings: XX is any hand, to some xx is two suited cards"),
    ("A9s-AsKh", "column 5: expected the other end of the run, such as A6s, found 'A'"),
    ("16%-50", "column 5: expected a percentage, found '5'"),
    ("15%+", "column 4: expected -, :, @ or the end of the item, found '+'"),
    ("15", f"column 1: {A_HAND}, found '1'; write 15% for the best 15 % of hands"),
    (
        "AK:25",
        "column 4: expected a weight of 0 to 1, found '25'; "
        "write AK@25 for a weight of 25 %, or AK:0.25",
    ),
    ("A-K", "column 2: expected a second rank or a suit, found '-'; write AK"),
    (
        "AK suited",
        "column 4: expected a hand, such as AKs, or a range, such as QQ+, found 's'; write AKs",
    ),
    ("pairs", f"column 1: {A_HAND}, found 'p'; write 22+"),
    ("UTGG", f"column 1: {A_HAND}, found 'U'; is UTG meant? gpuodds range --presets lists names"),
    ("22+-AA", "column 4: expected :, @ or the end of the item, found '-'"),
    ("AK:0,5", "column 7: expected a second rank or a suit, found the end"),
    ("(AA:0.5:0.5)", "column 8: expected ) or the end of the item, found ':'"),
    ("AK:0.5:0.5", "column 7: expected the end of the item, found ':'"),
    (
        "AK:50%",
        "column 6: expected the end of the item, found '%'; "
        "write AK@50 for a weight of 50 %, or AK:0.5",
    ),
    ("AA:1." + "0" * 40 + "1", "column 4: expected a weight of 0 to 1, found '1.0000000000...'"),
    ("AA:nan", "column 4: expected a weight, found 'n'"),
    ("AK,-(AK:0.5)", "column 4: expected hands without weights to leave out"),
    ("!AA:0.5", "column 4: expected the end of the item, found ':'"),
    ("()", f"column 2: {A_HAND}, found ')'"),
    ("AK\u017f", "column 3: expected s, o, + or the end of the hand, found '\u017f'"),  # a long s
    ("A\u212as", "column 2: expected a second rank or a suit, found '\u212a'"),  # a kelvin
    ("As\u212ah", "column 3: expected a second card, such as Kh, found '\u212a'"),
    ("AA:\u0660.\u0665", "column 4: expected a weight, found '\u0660'"),  # an Arabic-Indic 0.5
    ("[50]" * 5_000 + "AA" + "[/50]" * 5_000, "column 81: expected at most 20 levels of brackets"),
    ("A2s-K2s", "column 5: expected a hand with A or with ranks as far apart as A2s, found 'K2s'"),
    ("QQ-AK", "column 4: expected a pair, found 'AK'"),
    ("AK-QQ", "column 4: expected no pair, found 'QQ'"),
    ("AK:1.5", "column 4: expected a weight of 0 to 1, found '1.5'"),
    ("AK:", "column 4: expected a weight, found the end"),
    ("AK:-1", "column 4: expected a weight, found '-'"),
    ("AK@101", "column 4: expected a weight of 0 to 100, found '101'"),
    ("2(AA)", "column 1: expected a weight of 0 to 1, found '2'"),
    ("[150]AA[/150]", "column 1: expected a weight of 0 to 100, found '150'"),
    ("[50]AA[/40]", "column 7: expected [/50], found '[/40]'"),
    ("[50]AA", "column 7: expected [/...], found the end"),
    ("(AA", "column 4: expected ), found the end"),
    ("AA)", "column 3: expected the end of the item, found ')'"),
    ("-(AA", "column 5: expected ), found the end"),
    ("AA,!", f"column 5: {A_HAND}, found the end"),
    ("120%", "column 1: expected a percentage of 0% to 100%, found '120%'"),
    ("AsAs", "column 1: expected two different cards, found 'AsAs'"),
    ("AA\x1b[31m", "column 3: expected +, - or the end of the hand, found '\\x1b'"),
    ("-(101%)", "column 3: expected a percentage of 0% to 100%, found '101%'"),
    ("(101%):0.5", "column 2: expected a percentage of 0% to 100%, found '101%'"),
    ("0.5(AA,101%)", "column 8: expected a percentage of 0% to 100%, found '101%'"),
    ("[50]101%[/50]", "column 5: expected a percentage of 0% to 100%, found '101%'"),
    ("(AA,101%)(0.5)", "column 5: expected a percentage of 0% to 100%, found '101%'"),
    ("(AA,KK)(2)", "column 9: expected a weight of 0 to 1, found '2'"),
    ("(AA)," + "(" * 21 + "KK", "column 26: expected at most 20 levels of brackets"),
    ("(" * 30 + "AA", "column 21: expected at most 20 levels of brackets"),
    ("A" * 200_000, "200000 characters: expected at most 100000"),
]


@pytest.mark.parametrize(("text", "message"), FAULTS)
def test_faults_are_named_with_their_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Range(text)
    assert str(caught.value) == f"{excerpt(text)}: {message}" and str(caught.value).isprintable()


@pytest.mark.parametrize(
    "text",
    [
        "1" * 99_999,
        "1" * 99_999 + "%",
        "[" + "5" * 99_999,
        "AA:" + "9" * 99_990,
        "!" * 99_999,
        " " * 99_999,
        "As Ks " * 16_000,
        "AsKs " * 20_000,
        "1 " * 50_000,
        "set_range OOP " + "1 " * 40_000,
    ],
)
def test_long_texts_are_refused_in_short(text: str) -> None:
    with pytest.raises(InputError) as caught:
        Range(text)
    assert len(str(caught.value)) < 200


Weights = dict[frozenset[str], Decimal]


def test_written_text_is_short() -> None:
    assert str(Range("AK,AQs,QQ,AA,KK")) == "QQ+,AK,AQs"
    assert str(Range("88,99,TT,A5s,A4s,A3s")) == "TT-88,A5s-A3s"
    assert str(Range("random")) == "random"
    assert str(Range("2c2d,AA,AsKh,7s2s")) == "AA,AsKh,7s2s,2d2c"
    assert [Range("AA:0").to_string(d) for d in DIALECTS] == ["0%", "AA:0", "[0.0]AA[/0.0]"]
    assert str(Range("AA:0.0000001")) == "AA:0.0000001"
    assert Range("AA:0.0000001").to_string("gto+") == "[0.00001]AA[/0.00001]"
    assert Range("AA@25").to_string("gto+") == "[25.0]AA[/25.0]"
    assert Range("QQ+:0.5,AK").to_string("gto+") == "AK,[50.0]QQ+[/50.0]"
    assert Range("QQ+:0.5,AKs").to_string("pio") == "AKs,AA:0.5,KK:0.5,QQ:0.5"
    assert repr(Range("AsKh")) == "Range('AsKh')"
    with pytest.raises(InputError, match="expected one of plain, pio"):
        Range("AA").to_string("latin")


@pytest.mark.slow
def test_percentages_follow_exact_equity() -> None:
    ranking = equity_ranking()
    assert ranking[:5] == ("AA", "KK", "QQ", "JJ", "TT") and ranking[-1] == "32o"
    assert len(set(ranking)) == 169
    for percent in (1, 5, 15, 42.5, 99, 100):
        found = Range(f"{percent}%")
        best = [name for name in ranking if found.grid()[_cell(name)]]
        assert best == list(ranking[: len(best)])
        held = sum(combinations(name) for name in best)
        assert held == found.weight >= percent * 13.26 - 1e-6
        assert held - combinations(best[-1]) < percent * 13.26
    assert Range("16%-50%") | Range("16%") == Range("50%")
    assert not Range("16%-50%") & Range("16%")
    assert Range("50%-16%") == Range("16%-50%")
    assert Range("0%").weight == 0
    assert Range("15%").weight == 200  # whole starting hands: 15.08 %, not 198.9 combos
    for name in starting_hands():
        at = ranking.index(name)
        held = sum(combinations(better) for better in ranking[: at + 1])
        assert Range(f"{100 * held / COMBOS!r}%").weight == held


def _cell(name: str) -> tuple[int, int]:
    return next((r, c) for r in range(13) for c in range(13) if grid_name(r, c) == name)


def test_register_ranking_adds_an_order() -> None:
    register_ranking("backwards", equity_ranking()[::-1])
    assert Range("0.5%", ranking="backwards") == Range("32o")
    with pytest.raises(InputError, match="ranking unknown: expected one of backwards, equity"):
        Range("5%", ranking="unknown")
    with pytest.raises(InputError, match="ranking equity: this ranking is built in"):
        register_ranking("equity", equity_ranking())
    with pytest.raises(InputError, match="expected the 169 starting hands"):
        register_ranking("short", ["AA"])


@pytest.mark.parametrize(
    "text",
    [
        "QQ+,AK,76s+,54s-32s,AsKh,22",
        "AKo,AKo, ATs+ ,QQ-88,65s+",
        "77-TT,AKs",
        "AhAd,AA",
        "QQ+,AAs",
        "QQ+,AsAs",
        "AKs,87-JTs",
        "AKs,",
        "AA,qq",
    ],
)
def test_a_list_read_item_by_item_is_what_the_parser_reads(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read() -> tuple[bytes, tuple[str, ...]] | str:
        range_text.parse_range.cache_clear()
        range_text._plain_item.cache_clear()
        try:
            weights, notes = range_text.parse_range(text, equity_ranking(), HOLDEM)
        except InputError as error:
            return str(error)
        return weights.tobytes(), notes

    found = read()
    monkeypatch.setattr(range_text, "_plain_list", lambda text: None)
    assert found == read()


def test_a_text_that_is_read_again_is_the_same_range_unless_its_ranking_changed() -> None:
    order = equity_ranking()
    register_ranking("changing", order)
    first = Range("10%", ranking="changing")
    assert Range("10%", ranking="changing") == first == Range("10%")
    register_ranking("changing", order[::-1])
    assert Range("10%", ranking="changing") != first
    assert Range("76s+").notes and Range("76s+").notes == Range("76s+").notes
