"""The fast reader of PHH against pokerkit's, and documents that are written otherwise."""

import io
import random
from typing import Any

import pytest

from gpuodds.games.omaha.game import OMAHA_HI_LO
from gpuodds.histories import PARTS, Hand, Skipped, read_text
from gpuodds.histories.pots import split_pots

pokerkit = pytest.importorskip("pokerkit")

AUTOMATIC = tuple(
    getattr(pokerkit.Automation, name)
    for name in (
        "ANTE_POSTING",
        "BET_COLLECTION",
        "BLIND_OR_STRADDLE_POSTING",
        "CARD_BURNING",
        "HOLE_DEALING",
        "BOARD_DEALING",
        "HOLE_CARDS_SHOWING_OR_MUCKING",
        "HAND_KILLING",
        "CHIPS_PUSHING",
        "CHIPS_PULLING",
    )
)


def one(text: str) -> Hand:
    (hand,) = read_text(text, "a.phh")
    assert isinstance(hand, Hand), hand
    return hand


def skipped(text: str) -> str:
    (found,) = read_text(text, "a.phh")
    assert isinstance(found, Skipped), found
    return found.reason


def play(draw: random.Random, code: str, trims: bool) -> tuple[str, Any]:
    players = draw.randint(2, 6 if code == "NS" else 9)
    stacks = [draw.choice([draw.randint(2, 30), draw.randint(20, 400)]) for _ in range(players)]
    antes = 1 if code == "NS" else draw.choice([0, 1, 3])
    if code == "NS":
        game = pokerkit.NoLimitShortDeckHoldem(AUTOMATIC, trims, antes, {-1: 2}, 2)
    elif code == "PO":
        game = pokerkit.PotLimitOmahaHoldem(AUTOMATIC, trims, antes, (1, 2), 2)
    elif code == "FO/8":
        game = pokerkit.FixedLimitOmahaHoldemHighLowSplitEightOrBetter(
            AUTOMATIC, trims, antes, (1, 2), 2, 4
        )
    else:
        game = pokerkit.NoLimitTexasHoldem(AUTOMATIC, trims, antes, (1, 2), 2)
    state = game(tuple(stacks), players)
    while state.status:
        move = draw.random()
        if state.can_fold() and move < 0.12:
            state.fold()
        elif state.can_complete_bet_or_raise_to() and move < 0.45:
            low, high = (
                state.min_completion_betting_or_raising_to_amount,
                state.max_completion_betting_or_raising_to_amount,
            )
            state.complete_bet_or_raise_to(draw.choice([low, high, draw.randint(low, high)]))
        else:
            state.check_or_call()
    history = pokerkit.HandHistory.from_game_state(game, state)
    history.ante_trimming_status = trims
    text = io.BytesIO()
    history.dump(text)
    return text.getvalue().decode(), state


def low_is_lost(hand: Hand) -> bool:
    """Whether pokerkit splits the low half of a side pot among players none of whom has a low."""
    if not hand.boards or len(hand.boards[0]) < 5:
        return False
    lows = [OMAHA_HI_LO.low_rank(cards, hand.boards[0]) for cards in hand.cards if cards]
    up = [place for place, gone in enumerate(hand.folded) if not gone]
    pots = split_pots(hand.live, hand.dead, hand.folded)
    return any(lows[place] for place in up) and any(
        not any(lows[place] for place in pot.players) for pot in pots
    )


@pytest.mark.parametrize("code", ["NT", "PO", "NS", "FO/8"])
def test_results_are_pokerkits_payoffs(code: str) -> None:
    draw = random.Random(code)
    compared = 0
    while compared < 15:
        try:
            text, state = play(draw, code, draw.random() < 0.5)
        except (ValueError, IndexError, AssertionError):  # pokerkit's own, with short stacks
            continue
        hand = one(text)
        if code == "FO/8" and low_is_lost(hand):
            continue
        assert [won // PARTS for won in hand.results()] == list(state.payoffs), text
        compared += 1


DOCUMENT = """\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.5, 1, 0]
min_bet = 1
starting_stacks = [100, 50.25, 80]
actions = ['d dh p1 AsAh', 'd dh p2 ????', 'd dh p3 KcKd', 'p3 cbr 3', 'p1 cbr 9', 'p2 f', 'p3 f']
"""


def test_amounts_are_exact() -> None:
    hand = one(DOCUMENT)
    assert hand.live == [3 * PARTS, PARTS, 3 * PARTS] and hand.stacks[1] == 5025 * PARTS // 100
    assert hand.results() == [4 * PARTS, -PARTS, -3 * PARTS]
    assert hand.positions == ["SB", "BB", "BTN"] and hand.big_blind == PARTS


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("', '", "',\n    '").replace("['", "[\n    '"),
        lambda text: text.replace("'", '"'),
        lambda text: "# a comment\n" + text.replace("min_bet = 1", "min_bet = 1  # a comment"),
        lambda text: text.replace(" = ", "="),
        lambda text: "[1]\n" + text,
        lambda text: text + "_note = '''\nseveral\nlines\n'''\n",
        lambda text: text.replace("\n", "\r\n"),
    ],
)
def test_any_toml_is_read(change) -> None:
    assert one(change(DOCUMENT)).results() == one(DOCUMENT).results()


def test_what_was_won_is_taken_from_the_document() -> None:
    shown = DOCUMENT.replace(
        "'p2 f', 'p3 f'",
        "'p2 f', 'p3 cc', 'd db 2c3c4c', 'p1 cc', 'p3 cc', 'd db 5h', "
        "'p1 cc', 'p3 cc', 'd db 9h', 'p1 cc', 'p3 cc', 'p1 sm', 'p3 sm'",
    )
    assert one(shown).results()[0] == 10 * PARTS  # aces win
    assert one(shown + "winnings = [0, 0, 18]\n").rake == PARTS
    assert one(shown + "finishing_stacks = [91, 49.25, 89.75]\n").rake == PARTS // 4


def test_a_hand_that_is_shown_to_be_unknown_has_lost() -> None:
    text = DOCUMENT.replace(
        "'p2 f', 'p3 f'",
        "'p2 f', 'p3 cc', 'd db 2c3c4c', 'p1 cc', 'p3 cc', 'd db 5h', "
        "'p1 cc', 'p3 cc', 'd db 9h', 'p1 cc', 'p3 cc', 'p1 sm AsAh', 'p3 sm ????'",
    )
    hand = one(text.replace("'d dh p3 KcKd'", "'d dh p3 ????'").replace("d dh p1 AsAh", "d dh p1 ????"))
    assert hand.results() == [10 * PARTS, -PARTS, -9 * PARTS] and hand.cards[2] is None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("'NT'", "'FB'"), "variant 'FB' is not a game of gpuodds"),
        (("variant = 'NT'\n", ""), "no variant"),
        (("'p2 f', 'p3 f'", "'p2 f', 'p9 f'"), "'p9 f' is of no player: there are 3"),
        (("'p3 f'", "'p3 x'"), "'p3 x' is not an action"),
        (("'p3 cbr 3'", "'p3 cbr 300'"), "p3 bets 300 with 80 left"),
        (("KcKd", "AsKd"), "a card is dealt twice"),
        (("KcKd", "KcKd2c"), "p3 has 3 hole cards"),
        (("'p2 f', 'p3 f'", "'p2 f'"), "the hand ends before it is decided"),
        (("[0, 0, 0]", "[0, 0]"), "antes has 2 amounts for 3 players"),
        (("[100, 50.25, 80]", "[100, 'x', 80]"), "starting_stacks has an amount that is no number"),
        (("actions = [", "actions = "), "not a TOML document"),
        (("actions = ", "moves = "), "no list of actions"),
    ],
)
def test_what_cannot_be_read_has_a_reason(change: tuple[str, str], reason: str) -> None:
    assert skipped(DOCUMENT.replace(*change)).startswith(reason)
