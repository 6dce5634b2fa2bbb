"""Made hands and draws on boards: by hand, against a plain oracle, and under other names of suits."""

from __future__ import annotations

import random
from itertools import permutations

import hits_oracle
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuodds.cards import parse_cards
from gpuodds.games.catalog import two_card_game
from gpuodds.games.holdem.game import as_holdem
from gpuodds.games.holdem.hits import hit_codes
from gpuodds.games.shared.combos import combo_cards, combo_index, combo_masks
from gpuodds.games.shared.hit_names import CODES, DRAW_BITS, DRAWS, MADE, draw_table, made_names

GAMES = ("holdem", "short-deck", "short-deck-trips")
SHORT = {
    "FD": "flush draw",
    "NFD": "nut flush draw",
    "OE": "open-ended straight draw",
    "GS": "gutshot",
    "BD": "backdoor flush draw",
    "OC": "overcards",
    "FD+OE": "flush draw + open-ended",
    "FD+GS": "flush draw + gutshot",
    "FD+P": "flush draw + pair",
    "OE+P": "open-ended + pair",
    "GS+P": "gutshot + pair",
}
EXAMPLES = """
AsKs 2s7s9h      | ace high              | FD NFD OC
KsQs 2s7s9h      | no made hand          | FD OC
AsKs QsJs2h      | ace high              | FD NFD GS OC FD+GS
AhTh Kh8c2d      | ace high              | BD
AsKs QsJsTs      | straight flush        |
AsKs QsJhTh      | straight              |
AsKs 9s7s2s      | flush                 |
AsKs AhKh2d      | two pair              |
AsKs AhAd2d      | trips                 |
AsAh 2d7d9c      | overpair              |
AsAh Ad7d9c      | set                   |
AsAh AdAc9c      | four of a kind        |
AsAh Ad9d9c      | full house            |
9s7s 7d7c2h      | trips                 |
As9s 9d7d7c      | top pair              |
KsKh 9d7d7c      | overpair              |
8s8h 9d7d7c      | pocket pair below top |
2s2h 9d7d7c      | weak pair             |
9s8h 9d8d7c7h    | two pair              |
As7s 9d9c7h      | middle pair           |
As2s 9d7c2h      | weak pair             |
5s5h 9d7c2h      | weak pair             |
As9s 7d7c7h      | ace high              | OC
KsQs 7d7c7h      | no made hand          | OC
2s2h 7d7c7h      | full house            |
KsQs JdJcThTs    | no made hand          | OE OC
JsTs 8d7cTh      | top pair              | GS GS+P
TsJs 9d8c2h      | no made hand          | OE OC
QsJs Td8c2h      | no made hand          | GS OC
Ts8h QdJc9d      | straight              |
JsTh 8d7c3h      | no made hand          | GS OC
9h7h JdTc6h8d    | straight              |
9h7h JdTh5h2c    | no made hand          | FD GS FD+GS
9h5h 7d6c3s      | no made hand          | OE
AsQh KdJc2h      | ace high              | GS
As2h 3d4cKh      | ace high              | GS
5s4h 3d2cKh      | no made hand          | OE
AsKh QdJcTh9h8d  | straight              |
2s3d AhKdQcJsTh  | straight              |
2h3d AsKsQs9s4s  | flush                 |
6s2h JdTc9h8d    | no made hand          |
7s2h JdTc9h8d    | straight              |
Qs2h JdTc9h7d    | no made hand          | OE
6h6s 9h8h7h      | weak pair             | FD OE FD+OE FD+P OE+P
AsKd 9s8s7s2h    | ace high              | FD NFD OC
2c3d 9s8s7s6s    | no made hand          |
"""
EXAMPLES_OF_GAMES = """
short-deck       | AsKh 6s7d8c     | ace high     | GS OC
short-deck       | 9s8h 7d6cKh     | no made hand | OE
short-deck       | 9s8h AdKcQh7h6s | straight     |
holdem           | 8s6h 8d8c9h7s   | trips        | OE
short-deck       | 8s6h 8d8c9h7s   | trips        | OE
short-deck-trips | 8s6h 8d8c9h7s   | trips        |
short-deck-trips | 8s6h 8d8c9h7sTd | trips        |
short-deck       | 8s6h 8d8c9h7sTd | straight     |
short-deck-trips | 8s8h 8d9c7h6sTd | set          |
short-deck       | 8s8h 8d9c7h6sTd | straight     |
short-deck-trips | TsJh 7d7c7h8s9d | no made hand |
short-deck       | TsJh 7d7c7h8s9d | straight     |
short-deck       | 8c9c 7d7sJd7h   | no made hand | GS
short-deck-trips | 8c9c 7d7sJd7h   | no made hand |
short-deck       | ThAh Qh8cKdJh   | straight     |
short-deck-trips | ThAh Qh8cKdJh   | straight     | FD NFD
short-deck-trips | QcKc 9dTcJc     | straight     | FD
short-deck-trips | 7c9c Td8cJs     | straight     | BD
short-deck-trips | 9c9d Tc9h8cJc   | set          | FD
"""


def names_of(code: int) -> tuple[str, set[str]]:
    has = draw_table(two_card_game("holdem"))[:, code]
    return MADE[code >> DRAW_BITS], {name for name, one in zip(DRAWS, has, strict=True) if one}


def hits(hand: str, board: str, game: str = "holdem", dead: str = "") -> tuple[str, set[str]]:
    combo = np.array([combo_index(*parse_cards(hand))])
    boards = np.array([parse_cards(board)], np.uint8)
    return names_of(
        int(hit_codes(boards, combo, as_holdem(two_card_game(game)), parse_cards(dead))[0, 0])
    )


def parts(text: str) -> list[list[str]]:
    return [[part.strip() for part in line.split("|")] for line in text.strip().splitlines()]


@pytest.mark.parametrize(("cards", "made", "draws"), parts(EXAMPLES))
def test_examples(cards: str, made: str, draws: str) -> None:
    hand, board = cards.split()
    assert hits(hand, board) == (made, {SHORT[name] for name in draws.split()})


@pytest.mark.parametrize(("game", "cards", "made", "draws"), parts(EXAMPLES_OF_GAMES))
def test_examples_of_games(game: str, cards: str, made: str, draws: str) -> None:
    hand, board = cards.split()
    assert hits(hand, board, game) == (made, {SHORT[name] for name in draws.split()})


def test_dead_cards_are_no_nuts() -> None:
    assert "nut flush draw" in hits("KsQs", "2s7s9h", dead="As")[1]
    assert "nut flush draw" not in hits("KsQs", "2s7s9h", dead="Ah")[1]


def test_names_are_in_the_order_of_the_game() -> None:
    orders = [made_names(as_holdem(two_card_game(game)))[:7] for game in GAMES]
    assert orders[0] == MADE[:7]
    assert orders[1][2:5] == ("flush", "full house", "straight")
    assert orders[2][2:] == ("flush", "full house", "set", "trips", "straight")


@pytest.mark.slow
@pytest.mark.parametrize("size", [3, 4, 5])
@pytest.mark.parametrize("game", GAMES)
def test_all_names_are_those_of_the_definitions(game: str, size: int) -> None:
    played, chance = as_holdem(two_card_game(game)), random.Random(f"{game} {size}")
    deck = [card for card in range(52) if card not in played.missing]
    cards = combo_cards().tolist()
    seen: set[str] = set()
    for turn in range(24):
        # Of few ranks, of few suits, or of all cards: rare hands come up, too.
        ranks, suits = chance.sample(range(13), 6), chance.sample(range(4), 2)
        kinds = (
            [card for card in deck if card >> 2 in ranks],
            [card for card in deck if card & 3 in suits],
            deck,
        )
        boards = [chance.sample(deck, size)]
        for few in kinds:
            boards += [chance.sample(few, size)] if len(few) >= size else []
        dead = chance.sample([c for c in deck if all(c not in board for board in boards)], turn % 3)
        combos = np.array(chance.sample(range(1326), 30))
        found = hit_codes(np.array(boards, np.uint8), combos, played, dead)
        for board, row in zip(boards, found.tolist(), strict=True):
            for combo, code in zip(combos.tolist(), row, strict=True):
                hand = cards[combo]
                if {*hand} & {*board}:
                    assert code == CODES
                elif not {*hand} & {*played.missing}:
                    made, drawn = names_of(code)
                    assert made == hits_oracle.made_hand(hand, board, game), (hand, board)
                    assert drawn == hits_oracle.draws(hand, board, dead, game), (hand, board)
                    seen |= {made, *drawn}
    rare = {"straight flush", "four of a kind", *DRAWS[6:]}
    never = {5: {*DRAWS}, 4: {"backdoor flush draw"}, 3: set()}[size]
    assert {*MADE, *DRAWS} - seen <= rare | never


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_suits_have_no_names(data: st.DataObject) -> None:
    game = as_holdem(two_card_game(data.draw(st.sampled_from(GAMES))))
    deck = [card for card in range(52) if card not in game.missing]
    size = data.draw(st.integers(3, 5))
    dealt = data.draw(st.lists(st.sampled_from(deck), min_size=size, max_size=size + 2, unique=True))
    order = data.draw(st.sampled_from([*permutations(range(4))]))
    renamed = [card >> 2 << 2 | order[card & 3] for card in dealt]
    cards = combo_cards().astype(int)
    other = np.sort(cards >> 2 << 2 | np.array(order)[cards & 3], axis=1)
    places = other[:, 1] * (other[:, 1] - 1) // 2 + other[:, 0]
    every = np.arange(1326)
    first = hit_codes(np.array([dealt[:size]], np.uint8), every, game, dealt[size:])[0]
    second = hit_codes(np.array([renamed[:size]], np.uint8), every, game, renamed[size:])[0]
    known = (combo_masks() & sum(1 << card for card in game.missing)) == 0
    assert (first[known] == second[places][known]).all()
