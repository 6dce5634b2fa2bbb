"""Faults in the range text of Omaha, named with their place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuodds.errors import InputError
from gpuodds.spots.ranges.range import Range


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "",
            "'': column 1: expected a hand, such as AAKK, AxAyxy or AsKh*, or a range, such as 15%, "
            "found the end",
        ),
        (
            "AA:0.5",
            "AA:0.5: column 4: expected a hand after :, which means and; a weight is written @50"
            ", found '0'",
        ),
        ("!AA", "!AA: column 1: expected a hand before !, such as *!AA, found '!'"),
        ("AKx?", "AKx?: column 4: expected -, +, :, !, @ or a comma, found '?'"),
        ("AA,KKQQJ", "AA,KKQQJ: column 8: expected at most 4 cards, found 'J'"),
        ("AsAs", "AsAs: column 1: expected different cards, found 'As'"),
        ("AAds", "AAds: column 3: two readings: write AA:$ds, or AdsA for Ad, a spade and A"),
        ("AK,QJss", "AK,QJss: column 6: two readings: write QJ:$ss, or JssQ for Js, a spade and Q"),
        (
            "KT+",
            "KT+: column 1: two readings: some programs move all ranks, others the lower ones; "
            "write both ends of KT+, as in KT-KQ or KT-AJ",
        ),
        ("KK-AQ", "KK-AQ: column 4: expected ranks as far apart as those of KK, found 'AQ'"),
        ("KK-9", "KK-9: column 4: expected 2 cards, as in KK, found '9'"),
        ("KK-", None),
        ("AsKs-AhQh", "AsKs-AhQh: column 6: expected the suits of AsKs, found 'Ah'"),
        ("R-Q", "R-Q: column 1: expected ranks in the run R, found 'R'"),
        (
            "[KQ]x",
            "[KQ]x: column 5: two readings: write x[KQ] for two cards; for one, a list with a "
            "comma, as in Ax,Kx",
        ),
        ("[KQ", "[KQ: column 1: expected a list that ends with ], such as [A-T], found '['"),
        (
            "A[KQ+]",
            "A[KQ+]: column 3: expected a rank, a card or a suit, or ranks such as A-T, T+ or "
            "AKQ, found 'KQ+'",
        ),
        (
            "AA:$foo",
            "AA:$foo: column 4: expected one of $ds, $dts, $ms, $np, $nt, $op, $qs, $rb, $ss, "
            "$tp, $ts, or $R, $B, $N, $F, $M, $Z, $W as a card, found '$'",
        ),
        (
            "AA:$dts",
            "AA:$dts: column 4: expected a name for 4 cards: $ds, $ss, $ts, $rb, $ms, $np, "
            "$op, $tp, $nt, found '$dts'",
        ),
        ("AA$ds", "AA$ds: column 3: expected -, +, :, !, @ or a comma, found '$'"),
        ("AA@150", "AA@150: column 4: expected a weight of 0 to 100, found '150'"),
        ("AA@", "AA@: column 4: expected a weight in percent, such as 50, found the end"),
        (
            "(AA@5,KK):ss",
            "(AA@5,KK):ss: column 4: expected hands without weights before or after : and !, found '@'",
        ),
        ("any", "any: column 1: two readings: write random for every hand, or NyA"),
        ("XXXX", "XXXX: column 1: two readings: write random, or xxxx for one suit"),
        ("AsAh KsKh", "AsAh KsKh: column 6: expected -, +, :, !, @ or a comma, found 'K'"),
        ("101%", "101%: column 1: expected a percentage of 0% to 100%, found '101%'"),
        ("AA)", "AA): column 3: expected the end, found ')'"),
        (
            "(" * 30 + "AA",
            "((((((((((((((((((((((((((((((AA: column 21: expected at most 20 levels of brackets",
        ),
        (
            "#UTG#",
            "#UTG#: column 1: expected a hand: only the command reads named ranges (#UTG#) and "
            "files (@FILE), found '#'",
        ),
    ],
)
def test_faults_are_named_with_their_place(text: str, message: str | None) -> None:
    if message is None:
        assert Range(text, game="omaha") == Range("KK,QQ,JJ,TT,99,88,77,66,55,44,33,22", game="omaha")
        return
    with pytest.raises(InputError) as caught:
        Range(text, game="omaha")
    assert str(caught.value) == message


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="AKT92asdhcwxyRO*[]()-+:!,@%$np 150", max_size=12))
def test_any_text_is_a_range_or_a_named_fault(text: str) -> None:
    try:
        found = Range(text, game="omaha")
    except InputError as error:
        assert "\n" not in str(error) and len(str(error)) < 300
    else:
        assert found.weights.shape == (270725,)
