"""The ledger against dealing every board: drawn hands with all-ins on every street and side pots."""

import random
from fractions import Fraction

import dealing
import pytest

from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.omaha.game import OMAHA, OMAHA_HI_LO
from gpuodds.histories import PARTS, Options, Skipped, ledger_entries, read_text
from gpuodds.histories.luck.entry import Entry
from gpuodds.histories.luck.prizes import prizes_of
from gpuodds.histories.luck.sums import DENOMINATOR
from gpuodds.short_stacks.icm import icm

SHOWN = Options()


def rank(hole, board):
    return HOLDEM.rank_hand(parse_cards("".join(hole)), parse_cards("".join(board)))


def entries(text: str, options: Options = SHOWN) -> list[Entry]:
    found = list(ledger_entries(read_text(text), options))
    assert not [one for one in found if isinstance(one, Skipped)], found
    return found  # type: ignore[return-value]


def drawn(seed: int, number: int, **how) -> list[dealing.Dealt]:
    draw = random.Random(seed)
    return [dealing.deal(draw, rank=rank, **how) for _ in range(number)]


def test_results_and_expected_results_are_those_of_every_board() -> None:
    hands = [hand for hand in drawn(1, 300, wild=0.45) if hand.seen >= 3][:36]
    names = [f"name {place}" for place in range(9)]
    phh = "".join(
        f"[{at}]\n{dealing.to_phh(hand, names=names[: hand.players])}" for at, hand in enumerate(hands)
    )
    stars = "".join(dealing.to_stars(hand, number=at + 1, names=names) for at, hand in enumerate(hands))
    adjusted = side_pots = 0
    for text in (phh, stars):
        for hand, entry in zip(hands, entries(text), strict=True):
            odd = 0 if text is stars else 9  # PHH does not tell who got the chips that cannot be split
            off = [one // PARTS - won for one, won in zip(entry.result, hand.results, strict=True)]
            assert max(map(abs, off)) <= odd
            expected = dealing.expected(hand, rank)
            if expected is None:
                assert entry.luck is None and entry.ev == entry.result
                continue
            assert [Fraction(one) / PARTS for one in entry.ev] == expected
            adjusted += 1
            side_pots += sum(pot.contested for pot in entry.pots) > 1
    assert adjusted > 16 and side_pots > 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_all_in_before_the_flop_is_that_of_every_board(players: int) -> None:
    draw = random.Random(players)
    while True:
        hand = dealing.deal(draw, players=players, rank=rank, wild=0.9, tight=0.02, shove=0.9)
        contest = [place for place in range(players) if not hand.folded[place]]
        if hand.seen == 0 and len(contest) == players and hand.dealt == 5:
            break
    entry = entries(dealing.to_phh(hand))[0]
    known = {card for place in contest for card in hand.cards[place]}
    deck = [card for card in dealing.DECK if card not in known]
    draws = random.Random(7)  # a test of every board takes minutes: the exact figures are tested above
    totals = [0.0] * players
    for _ in range(4000):
        board = draws.sample(deck, 5)
        ranks = {place: rank(hand.cards[place], board) for place in contest}
        for size, some in dealing.pots_of(hand):
            best = [place for place in some if ranks[place] == max(ranks[one] for one in some)]
            for place in best:
                totals[place] += size / len(best) / 4000
    size = sum(hand.live) + sum(hand.antes)
    for place in range(players):
        assert abs(totals[place] - hand.put[place] - float(entry.ev[place]) / PARTS) < 0.05 * size


def test_luck_sums_to_result_less_expected_result() -> None:
    text = "".join(
        dealing.to_stars(hand, number=at + 1, names=[f"n{place}" for place in range(9)])
        for at, hand in enumerate(drawn(3, 200, wild=0.5))
    )
    lucky = 0
    for entry in entries(text):
        assert sum(entry.result) == 0 and sum(entry.ev) == 0
        for result, ev, luck in zip(
            entry.result, entry.ev, entry.luck or [None] * len(entry.ev), strict=True
        ):
            assert result - ev == sum(luck or ())
            lucky += any(luck or ())
    assert lucky > 100


def test_a_street_that_was_dealt_before_the_last_decision_has_no_luck() -> None:
    checked = 0
    for hand in drawn(4, 150, wild=0.5):
        entry = entries(dealing.to_phh(hand))[0]
        if entry.luck is None:
            continue
        before = {0: 0, 3: 1, 4: 2}[hand.seen]
        for luck in entry.luck:
            assert not any((luck or ())[:before])
        checked += hand.seen > 0
    assert checked > 8


def test_later_cards_do_not_change_what_was_expected() -> None:
    """The board after the last decision may be any: a future card that leaks changes the figure."""
    draw = random.Random(5)
    checked = 0
    for hand in drawn(6, 120, wild=0.5):
        entry = entries(dealing.to_phh(hand))[0]
        if entry.luck is None:
            continue
        known = {card for cards in hand.cards for card in cards} | set(hand.board[: hand.seen])
        others = [card for card in dealing.DECK if card not in known]
        hand.board[hand.seen :] = draw.sample(others, 5 - hand.seen)
        again = entries(dealing.to_phh(hand))[0]
        assert again.ev == entry.ev
        checked += again.result != entry.result
    assert checked > 8


def test_order_of_players_and_suits_do_not_matter() -> None:
    suits = str.maketrans("cdhs", "hscd")
    for hand in drawn(8, 60, wild=0.5, players=3):
        entry = entries(dealing.to_phh(hand))[0]
        hand.cards = [[card[0] + card[1].translate(suits) for card in cards] for cards in hand.cards]
        hand.board = [card[0] + card[1].translate(suits) for card in hand.board]
        assert entries(dealing.to_phh(hand))[0].ev == entry.ev


ALL_IN = """\
PokerStars Hand #7:  Hold'em No Limit ($1/$2 USD) - 2024/03/01 20:15:00 ET
Table 'Luck' 6-max Seat #1 is the button
Seat 1: Ann ($50 in chips)
Seat 2: Bob ($100 in chips)
Seat 3: Cem ($200 in chips)
Bob: posts small blind $1
Cem: posts big blind $2
*** HOLE CARDS ***
Ann: raises $48 to $50 and is all-in
Bob: raises $50 to $100 and is all-in
Cem: calls $98
*** FLOP *** [2c 7d Jh]
*** TURN *** [2c 7d Jh] [Qs]
*** RIVER *** [2c 7d Jh Qs] [3c]
*** SHOW DOWN ***
Bob: shows [Kc Kd] (a pair of Kings)
Cem: shows [Th Ts] (a pair of Tens)
Bob collected $97.50 from side pot
Ann: shows [As Ad] (a pair of Aces)
Ann collected $145 from main pot
*** SUMMARY ***
Total pot $250 Main pot $150. Side pot $100. | Rake $7.50
Board [2c 7d Jh Qs 3c]
"""


def test_rake_is_spread_over_pots_in_proportion() -> None:
    (entry,) = entries(ALL_IN)
    assert [pot.size * 100 // PARTS for pot in entry.pots] == [14550, 9700]
    main, side = entry.pots
    assert sum(entry.ev) == -entry.hand.rake == -7.5 * PARTS
    names = entry.hand.names
    ann, bob = names.index("Ann"), names.index("Bob")
    assert main.equity and side.equity
    assert entry.ev[ann] == main.equity[main.players.index(ann)] * main.size - 50 * PARTS
    # Ann's aces are dead in the side pot, where kings meet tens.
    assert Fraction(79, 100) < side.equity[side.players.index(bob)] < Fraction(80, 100)


def test_a_hand_that_was_mucked_leaves_its_pots_as_they_were_paid() -> None:
    mucked = ALL_IN.replace("Cem: shows [Th Ts] (a pair of Tens)", "Cem: mucks hand")
    (entry,) = entries(mucked)
    assert entry.why == "a hand is not known" and entry.luck is None and entry.ev == entry.result
    mucked = ALL_IN.replace("Ann: shows [As Ad] (a pair of Aces)", "Ann: mucks hand")
    (entry,) = entries(mucked)  # the side pot is known: its two players are adjusted in it alone
    assert entry.why == "a hand is not known"
    ann = entry.hand.names.index("Ann")
    assert entry.luck is not None and entry.luck[ann] is None and entry.ev[ann] == entry.result[ann]
    assert sum(entry.ev) == sum(entry.result)


@pytest.mark.slow
def test_a_range_fills_in_what_was_mucked() -> None:
    mucked = ALL_IN.replace("Cem: shows [Th Ts] (a pair of Tens)", "Cem: mucks hand")
    (known,), (filled,) = entries(ALL_IN), entries(mucked, Options(unknown="TT"))
    assert filled.why == "" and filled.luck is not None
    bob = filled.hand.names.index("Bob")
    assert abs(float(filled.ev[bob] - known.ev[bob])) < PARTS
    (exact,) = entries(mucked, Options(unknown="ThTs"))
    assert exact.ev == known.ev


def test_known_folded_cards_are_dead_on_request_only() -> None:
    dealt = ALL_IN.replace(
        "Seat 3: Cem ($200 in chips)", "Seat 3: Cem ($200 in chips)\nSeat 4: Hero ($90 in chips)"
    )
    dealt = dealt.replace(
        "*** HOLE CARDS ***", "*** HOLE CARDS ***\nDealt to Hero [Ks Kh]\nHero: folds"
    )
    (plain,), (dead,) = entries(dealt), entries(dealt, Options(dead_folds=True))
    bob = plain.hand.names.index("Bob")
    assert plain.ev[bob] > dead.ev[bob]


TWICE = """\
PokerStars Hand #8:  Hold'em No Limit ($1/$2 USD) - 2024/03/01 20:16:00 ET
Table 'Luck' 6-max Seat #1 is the button
Seat 1: Ann ($50 in chips)
Seat 2: Bob ($50 in chips)
Ann: posts small blind $1
Bob: posts big blind $2
*** HOLE CARDS ***
Ann: raises $2 to $4
Bob: calls $2
*** FLOP *** [2c 7d Jh]
Bob: bets $46 and is all-in
Ann: calls $46 and is all-in
*** FIRST TURN *** [2c 7d Jh] [Qs]
*** FIRST RIVER *** [2c 7d Jh Qs] [3c]
*** SECOND TURN *** [2c 7d Jh] [Kh]
*** SECOND RIVER *** [2c 7d Jh Kh] [4c]
*** FIRST SHOW DOWN ***
Bob: shows [Kc Kd] (a pair of Kings)
Ann: shows [As Ad] (a pair of Aces)
Ann collected $50 from pot
*** SECOND SHOW DOWN ***
Bob: shows [Kc Kd] (three of a kind, Kings)
Ann: shows [As Ad] (a pair of Aces)
Bob collected $50 from pot
*** SUMMARY ***
Total pot $100 | Rake $0
Hand was run twice
FIRST Board [2c 7d Jh Qs 3c]
SECOND Board [2c 7d Jh Kh 4c]
"""


def test_each_board_of_a_hand_that_is_run_twice_has_its_own_luck() -> None:
    (entry,) = entries(TWICE)
    ann = entry.hand.names.index("Ann")
    assert entry.result[ann] == 0 and len(entry.hand.boards) == 2
    once = [
        entries(ONCE.format(turn=turn, river=river, winner=winner))[0]
        for turn, river, winner in (
            ("Qs", "3c", "Ann"),
            ("Kh", "4c", "Bob"),
        )
    ]
    for street in range(3):
        both = [one.luck[ann][street] for one in once]  # type: ignore[index]
        assert entry.luck[ann][street] == Fraction(sum(both)) / 2  # type: ignore[index]
    assert entry.ev[ann] == once[0].ev[ann] == once[1].ev[ann]


ONCE = (
    TWICE.split("*** FIRST TURN")[0].replace("#8", "#9")
    + "*** TURN *** [2c 7d Jh] [{turn}]\n*** RIVER *** [2c 7d Jh {turn}] [{river}]\n*** SHOW DOWN ***\n"
    "Bob: shows [Kc Kd] (a hand)\nAnn: shows [As Ad] (a hand)\n{winner} collected $100 from pot\n"
    "*** SUMMARY ***\nTotal pot $100 | Rake $0\n"
)


@pytest.mark.parametrize(
    ("variant", "game", "hole_cards"), [("PO", OMAHA, 4), ("FO/8", OMAHA_HI_LO, 4)]
)
def test_omaha_and_its_low(variant: str, game, hole_cards: int) -> None:
    draw = random.Random(11)
    checked = 0
    while checked < 2:
        hand = dealing.deal(
            draw, players=2, hole_cards=hole_cards, rank=lambda hole, board: 0, wild=0.6, shove=0.8
        )
        if hand.seen not in (3, 4) or dealing.expected(hand, lambda hole, board: 0) is None:
            continue
        entry = entries(dealing.to_phh(hand, variant=variant))[0]
        expected = [Fraction(-put) for put in hand.put]
        known = {card for cards in hand.cards for card in cards} | set(hand.board[: hand.seen])
        deck = [card for card in dealing.DECK if card not in known]
        boards = (
            [[card] for card in deck]
            if hand.seen == 4
            else [[a, b] for at, a in enumerate(deck) for b in deck[at + 1 :]]
        )
        for more in boards:
            board = parse_cards("".join([*hand.board[: hand.seen], *more]))
            hands = [parse_cards("".join(cards)) for cards in hand.cards]
            ranks = [[game.rank_hand(hole, board) for hole in hands]]
            lows = [game.low_rank(hole, board) for hole in hands] if game.has_low else [0, 0]
            if any(lows):
                ranks.append(lows)
            for some in ranks:
                winners = [place for place in (0, 1) if some[place] == max(some)]
                for place in winners:
                    expected[place] += Fraction(sum(hand.put), len(winners) * len(ranks) * len(boards))
        assert [Fraction(one) / PARTS for one in entry.ev] == expected
        checked += 1


def test_sums_are_exact() -> None:
    for one in (Fraction(1, 1712304 * 6), Fraction(1, 903 * 3), Fraction(1, 1370754 * 12)):
        assert DENOMINATOR % one.denominator == 0


def test_one_prize_is_worth_a_share_of_the_chips() -> None:
    """With one prize the chip model is linear: prize money follows from chips, side pots and all."""
    checked = 0
    for hand in drawn(9, 80, wild=0.5, players=4):
        (entry,) = entries(dealing.to_phh(hand))
        if entry.luck is None:
            continue
        prizes = prizes_of(entry, [Fraction(1000)])
        total = Fraction(sum(entry.hand.stacks), 1000)
        for prize, result, ev in zip(prizes or (), entry.result, entry.ev, strict=True):
            assert abs(prize.result - float(result / total)) < 1e-9
            assert abs(prize.ev - float(ev / total)) < 0.02  # chips that cannot be split are luck
        checked += 1
        if checked == 6:
            return
    raise AssertionError


def test_places_of_players_who_are_out_together_go_by_their_chips() -> None:
    (entry,) = entries(ALL_IN.replace("($1/$2 USD)", "($1/$2)"))
    hand = entry.hand
    hand.tournament = "1"
    prizes = prizes_of(entry, [Fraction(60), Fraction(30), Fraction(10)])
    before = icm([one // PARTS for one in hand.stacks], [60, 30, 10])
    bob = hand.names.index("Bob")
    assert prizes is not None and hand.names[bob] == "Bob"
    assert abs(sum(prize.result for prize in prizes)) < 1e-9 > abs(sum(prize.ev for prize in prizes))
    # Bob won the side pot and has 97.5 chips, Cem 100, Ann 145.5: three are left.
    after = icm(["145", "97.5", "100"], [60, 30, 10])
    assert abs(prizes[bob].result - float(after[1] - before[bob])) < 0.05
