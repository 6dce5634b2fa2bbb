"""Hands as sites print them: what each line adds up to."""

import pytest
from history_texts import STARS

from gpuodds.histories import PARTS, Entry, Hand, Skipped, ledger_entries, read_text


def one(text: str) -> Hand:
    found = list(read_text(text))
    assert len(found) == 1 and isinstance(found[0], Hand), found
    return found[0]


def results(hand: Hand) -> dict[str, float]:
    return {name: won / PARTS for name, won in zip(hand.names, hand.results(), strict=True)}


def test_pokerstars() -> None:
    hand = one(STARS)
    assert (hand.site, hand.number, hand.table, hand.currency) == ("PokerStars", "123", "Luck II", "$")
    assert hand.time is not None and hand.time.isoformat() == "2024-03-01T20:15:00"
    assert results(hand) == {"Cem and is all-in": -0.25, "Eve": 6, "Ann": -4.75, "Bob: the 2nd": -1.5}
    assert hand.rake == PARTS // 2 and hand.big_blind == PARTS // 2
    places = dict(zip(hand.names, hand.positions, strict=True))
    assert places == {"Cem and is all-in": "SB", "Eve": "BB", "Ann": "CO", "Bob: the 2nd": "BTN"}
    assert hand.dead[hand.names.index("Ann")] == PARTS // 4  # the small blind that was missed
    assert hand.cards[hand.names.index("Cem and is all-in")] is not None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("Ann: bets $3", "Ann: bets $4"), "the chips do not add up: 12 were put in, the pot is 11"),
        (
            ("Rake $0.50", "Rake $0.40"),
            "the chips do not add up: 11 were put in, 10.5 were won and 0.4",
        ),
        (("[2s 9h Jd]\nEve", "[2s 9h As]\nEve"), "a card is dealt twice"),
        (("[2s 9h Jd]\nEve", "[2s 9h Xd]\nEve"), "'Xd' is not a card"),
        (("Hold'em No Limit", "5 Card Draw"), "'5 Card Draw' is not a game of gpuodds"),
        (("Eve collected $10.50 from pot\n", ""), "the hand ends before a pot is won"),
        (("Seat 6: Eve", "Seat 6: Ann"), "two players are called 'Ann'"),
        (("($50 in chips)", "($4 in chips)"), "the chips do not add up: Ann has 4 and puts in 4.75"),
        (("*** SUMMARY", "Hand cancelled\n*** SUMMARY"), "the hand was cancelled"),
    ],
)
def test_what_does_not_add_up_has_a_reason(change: tuple[str, str], reason: str) -> None:
    (found,) = read_text(STARS.replace(*change), "hands.txt")
    assert isinstance(found, Skipped) and found.reason.startswith(reason), found
    assert str(found).startswith("hands.txt: line 1: ")


def test_half_a_hand_at_the_end_of_a_file_is_named() -> None:
    half = STARS[: STARS.index("*** FLOP")].replace("#123", "#124")
    found = list(read_text(f"{STARS}\n\n\n{half}"))
    assert isinstance(found[0], Hand) and isinstance(found[1], Skipped)
    assert found[1].line == STARS.count("\n") + 4 and "ends before" in found[1].reason


GG = """\
Poker Hand #SD1: ShortDeck No Limit ($0.02) - 2021/03/02 18:21:18
Table 'SDWhite20' 5-max Seat #1 is the button
Seat 1: Ann ($2.48 in chips)
Seat 2: Bob ($2.33 in chips)
Ann: posts the ante $0.02
Bob: posts the ante $0.02
Ann: posts button blind $0.02
Bob: straddle $0.04
Bob: straddle $0.08
Cash Drop to Pot : total $0.5
*** HOLE CARDS ***
Dealt to Ann [Ac Tc]
Dealt to Bob
Ann: raises $2.38 to $2.46 and is all-in
Bob: calls $2.23 and is all-in
Uncalled bet ($0.15) returned to Ann
Ann: shows [Ac Tc]
Bob: shows [Kd Kh]
Ann: Chooses to EV Cashout
Ann: Pays Cashout Risk ($0.3)
*** FLOP *** [Qh 8s 9d]
*** TURN *** [Qh 8s 9d] [Ah]
*** RIVER *** [Qh 8s 9d Ah] [6c]
*** SHOWDOWN ***
Ann collected $4.96 from pot
*** SUMMARY ***
Total pot $5.16 | Rake $0.1 | Jackpot $0.1 | Bingo $0
Board [Qh 8s 9d Ah 6c]
"""


def test_ggpoker() -> None:
    hand = one(GG)
    assert hand.game.name == "short-deck" and hand.site == "GGPoker"
    assert results(hand) == {"Bob": -2.33, "Ann": 2.63}
    assert hand.rake == PARTS // 5 and hand.added == PARTS // 2
    assert [(one.what, one.player, one.amount / PARTS) for one in hand.apart] == [
        ("cash-out", "Ann", -0.3)
    ]


WINAMAX = """\
Winamax Poker - CashGame - HandId: #1-2-3 - Omaha5 pot limit (0.02€/0.05€) - 2011/02/21 20:12:00 UTC
Table: 'Nice 05' 9-max (real money) Seat #4 is the button
Seat 1: Ann (1.60€)
Seat 3: Bob bets (4.51€)
Seat 4: Cem (4.54€)
*** ANTE/BLINDS ***
Ann posts small blind 0.02€
Bob bets posts big blind 0.05€
Dealt to Ann [Kd Kh 2c 3c 4c]
*** PRE-FLOP ***
Cem raises 0.10€ to 0.15€
Ann raises 0.30€ to 0.45€
Bob bets folds
Cem raises 4.09€ to 4.54€ and is all-in
Ann calls 1.15€ and is all-in
*** FLOP *** [Qc 5d Qh]
*** TURN *** [Qc 5d Qh][Ks]
*** RIVER *** [Qc 5d Qh Ks][5h]
*** SHOW DOWN ***
Ann shows [Kd Kh 2c 3c 4c] (Full of Kings and Queens)
Cem shows [As Ad Tc 9c 8c] (Two pairs : Aces and Queens)
Ann collected 3.09€ from main pot
Cem collected 2.94€ from side pot 1
*** SUMMARY ***
Total pot 6.03€ | Rake 0.16€
Board: [Qc 5d Qh Ks 5h]
"""


def test_winamax_counts_an_uncalled_bet_as_won() -> None:
    hand = one(WINAMAX)
    assert hand.game.name == "omaha5" and hand.currency == "€"
    assert results(hand) == {"Ann": 1.49, "Bob bets": -0.05, "Cem": -1.6}
    assert hand.rake == 16 * PARTS // 100


PACIFIC = """\
#Game No : 99
***** 888poker Hand History for Game 99 *****
$1/$2 Blinds No Limit Holdem - *** 01 03 2024 20:15:00
Table Luck 6 Max (Real Money)
Seat 2 is the button
Total number of players : 3
Seat 1: Ann ( $1.250,50 )
Seat 2: Bob folds ( $1,200 )
Seat 5: Cem ( $51.5 )
Cem posts small blind [$1]
Ann posts big blind [$2]
Bob folds posts dead blind [$1 + $2]
** Dealing down cards **
Dealt to Ann [ As, 10d ]
Bob folds raises [$4]
Cem raises [$50.50]
Ann folds
Bob folds calls [$45.50]
** Dealing flop ** [ 2s, 9h, Jd ]
** Dealing turn ** [ 3c ]
** Dealing river ** [ 4c ]
** Summary **
Cem shows [ Kc, Kd ]
Bob folds mucks [ Qc, Qd ]
Cem collected [ $103 ]
"""


def test_888poker() -> None:
    hand = one(PACIFIC)
    assert (hand.site, hand.number, hand.table) == ("888poker", "99", "Luck 6 Max")
    assert hand.stacks[hand.names.index("Ann")] == 125050 * PARTS // 100
    assert results(hand) == {"Cem": 51.5, "Ann": -2, "Bob folds": -52.5}
    assert hand.rake == 3 * PARTS and hand.cards[hand.names.index("Ann")] == (51, 33)


@pytest.mark.parametrize(
    "encoded",
    [
        WINAMAX.encode("utf-16"),
        WINAMAX.encode("utf-16-le"),
        WINAMAX.encode("utf-16-be"),
        WINAMAX.encode("utf-8-sig"),
        WINAMAX.encode("cp1252"),
        WINAMAX.replace("\n", "\r\n").encode(),
        WINAMAX.replace("\n", "\r").encode(),
        ("\n\n  " + WINAMAX.replace("\n", "\n  ")).encode(),
    ],
)
def test_every_encoding_and_line_end(encoded: bytes) -> None:
    (found,) = read_text(encoded)
    assert isinstance(found, Hand), found
    assert (found.currency, results(found)["Ann"]) == ("€", 1.49)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"PK\x03\x04\0\0", "a zip archive: extract it first"),
        (b"\x89PNG\r\n\0\0\0\x0dIHDR", "a binary file"),
        (b"dear diary\n", "not a hand history: 'dear diary'"),
        (
            b"Full Tilt Poker Game #1: Table X\n",
            "not a site that is read: 'Full Tilt Poker Game #1: Table X'",
        ),
    ],
)
def test_what_is_no_hand_history(content: bytes, reason: str) -> None:
    (found,) = read_text(content)
    assert isinstance(found, Skipped) and found.reason == reason


def test_a_line_of_a_hundred_megabytes_is_named_and_the_next_hand_read() -> None:
    found = list(read_text(f"{'x' * 30_000_000}\n{STARS}"))
    assert isinstance(found[0], Skipped) and "without the start of a hand" in found[0].reason
    assert isinstance(found[-1], Hand) and found[-1].line == 2 and len(found) == 2


def test_sites_in_one_file() -> None:
    found = list(read_text("\n\n".join([PACIFIC, STARS, WINAMAX, GG])))
    assert [one.site for one in found if isinstance(one, Hand)] == [
        "888poker", "PokerStars", "Winamax", "GGPoker",
    ]  # fmt: skip


def test_a_blind_ante_for_the_table_is_dead_money() -> None:
    text = STARS.replace("Ann: posts small & big blinds $0.75\n", "Eve: posts the ante $0.50\n")
    text = text.replace("Ann: checks\n", "").replace("Ann: calls $1\n", "Ann: calls $1.50\n")
    hand = one(text.replace("$10.50 from", "$10.75 from").replace("pot $11 ", "pot $11.25 "))
    assert hand.dead[hand.names.index("Eve")] == PARTS // 2


def test_all_in_for_part_of_the_ante_contests_as_much_of_each() -> None:
    text = """\
PokerStars Hand #5: Tournament #9, $1+$0.10 USD Hold'em No Limit - Level I (10/20) - 2024/03/01 20:15 ET
Table '9 1' 9-max Seat #3 is the button
Seat 1: Ann (2 in chips)
Seat 2: Bob (1000 in chips)
Seat 3: Cem (1000 in chips)
Ann: posts the ante 2 and is all-in
Bob: posts the ante 5
Cem: posts the ante 5
Bob: posts big blind 20
*** HOLE CARDS ***
Cem: calls 20
Bob: checks
*** FLOP *** [2s 9h Jd]
Bob: bets 40
Cem: folds
Uncalled bet (40) returned to Bob
*** TURN *** [2s 9h Jd] [3c]
*** RIVER *** [2s 9h Jd 3c] [4c]
*** SHOW DOWN ***
Bob: shows [9s Kd] (a pair of Nines)
Bob collected 46 from side pot
Ann: shows [As Kc] (high card Ace)
Bob collected 6 from main pot
*** SUMMARY ***
Total pot 52 Main pot 6. Side pot 46. | Rake 0
"""
    (entry,) = ledger_entries([one(text)])
    assert isinstance(entry, Entry)
    assert [pot.size // PARTS for pot in entry.pots] == [6, 46]
    assert entry.hand.tournament == "9" and entry.hand.currency == ""
    assert entry.luck is not None and entry.ev[entry.hand.names.index("Ann")] > -2 * PARTS
