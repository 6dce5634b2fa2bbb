"""Two boards against brute force in integers; samples against counts; what is refused."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuodds import Range, double_board, equity
from gpuodds.basics.choices import GameName
from gpuodds.cards import format_cards, parse_cards
from gpuodds.errors import ImpossibleDeal, InputError
from gpuodds.games.catalog import find_game
from gpuodds.results.double_board import DoubleBoardResult

DECK = range(52)


def brute_force(
    game: GameName,
    hands: Sequence[dict[tuple[int, ...], Any]],
    boards: Sequence[Sequence[int]],
    dead: set[int],
) -> list[Counter[tuple[int, int]]]:
    """Return each player's outcomes by how many win each board with it, from every deal of both boards.

    Args:
        game: The game.
        hands: Each player's hands and their weights.
        boards: The cards on each board.
        dead: Cards out of play.
    """
    played = find_game(game)
    found = [Counter[tuple[int, int]]() for _ in hands]

    def deal(players: list[tuple[int, ...]], weight: Any) -> None:
        if len(players) < len(hands):
            for hand, own in hands[len(players)].items():
                if not {*hand} & {card for player in players for card in player}:
                    deal([*players, hand], weight * own)
            return
        known = {*dead, *boards[0], *boards[1], *(c for hand in players for c in hand), *played.missing}
        deck = [card for card in DECK if card not in known]
        for first in combinations(deck, 5 - len(boards[0])):
            one = winners(players, [*boards[0], *first])
            rest = [card for card in deck if card not in first]
            for second in combinations(rest, 5 - len(boards[1])):
                other = winners(players, [*boards[1], *second])
                for place in range(len(hands)):
                    key = len(one) * (place in one), len(other) * (place in other)
                    found[place][key] += weight

    def winners(players: list[tuple[int, ...]], board: list[int]) -> list[int]:
        ranks = [played.rank_hand(hand, board) for hand in players]
        return [place for place, rank in enumerate(ranks) if rank == max(ranks)]

    deal([], 1)
    return found


def dead_but(cards: str, known: str) -> list[int]:
    """Return the cards that are out of play so that only some cards are left to come."""
    alive = {*parse_cards(cards), *parse_cards(known)}
    return [card for card in DECK if card not in alive]


def check(result: DoubleBoardResult, wanted: list[Counter[tuple[int, int]]]) -> None:
    for player, counts in zip(result.players, wanted, strict=True):
        assert dict(player.shared) == {key: n for key, n in counts.items() if n}
        assert player.outcomes == sum(counts.values())
        shares = sum(
            (Fraction(n) * sum(Fraction(1, 2 * of) for of in key if of) for key, n in counts.items()),
            Fraction(0),
        )
        assert player.equity_exact == shares / player.outcomes
        assert player.equity == float(player.equity_exact)
        assert player.scoop == float(Fraction(counts[1, 1], player.outcomes))
        assert player.scoop + player.part + player.lose == pytest.approx(1, abs=1e-12)
    assert result.exact and result.method == "exact"


@pytest.mark.parametrize(
    ("game", "hands", "boards", "left"),
    [
        ("holdem", "AsKs QhQd", ("", ""), "2s7d9hKcTd3c4s5sJh8c"),
        ("holdem", "AsKs QhQd 7c7h", ("2s7d9h", "KcTd3c"), "4s5sJh8cAh6d2c"),
        ("holdem", "AsKs AhKh AdKd AcKc", ("2s7d", "Tc3c4d9s"), "4s5sJh8c6d2cQh"),
        ("holdem", "2s3s 2h3h", ("AsKd", ""), "QsJsTsQh9c9d4s8d"),
        ("holdem", "AsKs QhQd", ("2s7d9hKcTd", "3c4s5sJh8c"), "2c"),
        ("short-deck", "AsKs QhQd", ("6s7d9h", "KcTd8c"), "7s8sJh9cAh6dTh"),
        ("omaha", "AsKsQhJh 7c7d8c9d", ("2s7h9h", "KcTd3c"), "4s5sJs8h6d2c"),
        ("omaha5", "AsKsQhJh2d 7c7d8c9d2h", ("3s7h9h", "KcTd3c6c"), "4s5sJs8h6d2c"),
        ("omaha6", "AsKsQhJh2d3d 7c7d8c9d2h3h", ("", "KcTd3c"), "4s5sJs8h6d2c9c4h"),
    ],
)
def test_known_hands(game: GameName, hands: str, boards: tuple[str, str], left: str) -> None:
    known = "".join([hands, *boards]).replace(" ", "")
    dead = [card for card in dead_but(left, known) if card not in find_game(game).missing]
    result = double_board(hands, board=boards[0], board2=boards[1], dead=dead, game=game, backend="cpu")
    players = [{tuple(parse_cards(hand)): 1} for hand in hands.split()]
    wanted = brute_force(game, players, [parse_cards(board) for board in boards], {*dead})
    check(result, wanted)


@pytest.mark.parametrize(
    ("game", "texts", "boards", "left"),
    [
        ("holdem", ("AA,KQs", "QQ,AKo"), ("2s7d9h", "KcTd3c"), "4s5sJhAcAdAhKhKdQhQdQc"),
        ("holdem", ("AA:0.5,KQs", "QQ,AKo:0.25"), ("2s7d9h4h", "KcTd3c4c"), "4s5sAcAdAhKhKdQhQdQc"),
        ("holdem", ("AA,KQs", "AQ,AK"), ("2s7d9h4h5d", "KcTd3c4cQs"), "AcAdAhKhKdQhQdQc"),
        ("holdem", ("AsKs", "QQ,JJ:0.5"), ("2s7d", "3c4s5s"), "QcQdQhJcJd2h9h9c"),
        ("short-deck", ("AA", "KK,QJs"), ("6s7d9h", "6cTd8c"), "AcAdAhKhKdQhJhQs"),
        ("omaha", ("AAKK", "QQJJ"), ("2s7d9h", "6cTd3c"), "AcAdAhKhKdKcQhQdQsJhJs4h"),
    ],
)
def test_two_ranges(game: GameName, texts: tuple[str, str], boards: tuple[str, str], left: str) -> None:
    missing = find_game(game).missing
    known = "".join([*boards, *(text for text in texts if text == "AsKs")])
    dead = [card for card in dead_but(left, known) if card not in missing]
    ranges = [Range(text, game=game) for text in texts]
    played, out = find_game(game), {*dead, *parse_cards("".join(boards))}
    players: list[dict[tuple[int, ...], Any]] = []
    for held in ranges:
        numbers = held.weights.nonzero()[0]
        rows = played.cards_of(numbers).tolist()
        weights = [Fraction(float(weight)) for weight in held.weights[numbers]]
        players.append(
            {tuple(row): weight for row, weight in zip(rows, weights, strict=True) if not {*row} & out}
        )
    result = double_board(
        list(texts), board=boards[0], board2=boards[1], dead=dead, game=game, backend="cpu"
    )
    wanted = brute_force(game, players, [parse_cards(board) for board in boards], {*dead})
    if all(isinstance(player.outcomes, int) for player in result.players):
        check(result, wanted)
        return
    for player, counts in zip(result.players, wanted, strict=True):
        assert {*player.shared} == {key for key, n in counts.items() if n}
        for key, count in player.shared.items():
            assert count == pytest.approx(float(counts[key]), rel=1e-12)
        assert player.equity_exact is None


def test_before_the_flop() -> None:
    # C(48, 5) C(43, 5) deals; what each board has alone is the equity of one board.
    result = double_board(["AsKs", "QhQd"], backend="cpu")
    alone = equity(["AsKs", "QhQd"], backend="cpu")
    for player, one in zip(result.players, alone.players, strict=True):
        assert player.outcomes == 1712304 * 962598
        assert player.equity_exact == one.equity_exact
        wins = sum(n for key, n in player.shared.items() if key[0] == 1)
        assert wins == one.win_outcomes * 962598
    mirrored = {(b, a): n for (a, b), n in result.players[0].shared.items()}
    assert mirrored == result.players[0].shared  # both boards are alike


@pytest.mark.slow
def test_ranges_before_the_flop_are_their_pairs_of_hands() -> None:
    result = double_board(["AsKs", "99"], backend="cpu")
    whole: Counter[tuple[int, int]] = Counter()
    for pair in combinations("9s9h9d9c".replace("9", " 9").split(), 2):
        whole.update(double_board(["AsKs", "".join(pair)], backend="cpu").players[0].shared)
    assert result.exact and dict(result.players[0].shared) == dict(whole)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.permutations(range(4)))
def test_suits_and_the_order_of_boards_and_players(seed: int, suits: list[int]) -> None:
    draw = Random(seed)
    size = draw.choice([3, 4, 5])
    cards = draw.sample(DECK, 6 + 2 * size)
    hands = [cards[:2], cards[2:4], cards[4:6]]
    boards = [cards[6 : 6 + size], cards[6 + size :]]

    def renamed(row: list[int]) -> list[int]:
        return [4 * (card >> 2) + suits[card & 3] for card in row]

    one = double_board(hands, board=boards[0], board2=boards[1], backend="cpu")
    other = double_board(
        [renamed(hand) for hand in hands[::-1]],
        board=renamed(boards[1])[::-1],
        board2=renamed(boards[0]),
        backend="cpu",
    )
    for player, same in zip(one.players, other.players[::-1], strict=True):
        assert {(b, a): n for (a, b), n in same.shared.items()} == dict(player.shared)
    assert sum(player.equity_exact or 0 for player in one.players) == 1


@pytest.mark.parametrize(
    ("hands", "boards"),
    [(["AsKs", "QhQd", "7c8c"], ("2s7d9h", "KcTd3c")), (["20%", "AA,KQ"], ("", ""))],
)
def test_samples_are_near_the_counts(hands: list[str], boards: tuple[str, str]) -> None:
    given: Any = {"board": boards[0], "board2": boards[1], "backend": "cpu"}
    drawn = double_board(hands, method="monte-carlo", samples=60_000, seed=3, **given)
    again = double_board(hands, method="monte-carlo", samples=60_000, seed=3, **given)
    assert not drawn.exact and drawn.to_dict() | {"seconds": 0} == again.to_dict() | {"seconds": 0}
    counted = double_board(hands, samples=60_000, seed=4, **given)
    assert counted.has_exact_equities
    for player, wanted in zip(drawn.players, counted.players, strict=True):
        assert player.outcomes == 60_000 and player.standard_error is not None
        assert abs(player.equity - wanted.equity) < 5 * player.standard_error
        errors = (player.scoop_error or 0) + (wanted.scoop_error or 0)
        assert abs(player.scoop - wanted.scoop) < 5 * errors


@pytest.mark.parametrize(
    ("hands", "options", "message"),
    [
        (["AsKs"], {}, "two boards: expected 2 to 6 hands, found 1"),
        (["AA", "KK", "QQ"], {}, "two boards: expected two players where one has a range, found 3"),
        (["AsKs", "QhQd"], {"board": "2s7d", "board2": "2s"}, "2s: on both boards"),
        (["AsKs", "QhQd"], {"board2": "Qh"}, "Qh: in QhQd and on the second board"),
        (["AsKs", "QhQd"], {"board2": "2c", "dead": "2c"}, "2c: on the second board and dead"),
        (["AsKs", "QhQd"], {"board2": "2c3c4c5c6c7c"}, "board 2c3c4c5c6c7c: expected at most 5 cards"),
        (["AsKs", "AsQd"], {}, "As"),
        (["AsKsQsJs", "AhKhQhJh"], {"game": "omaha-hi-lo"}, "expected a game without low hands"),
        (
            ["50%", "60%"],
            {"method": "exact"},
            "method exact: two boards of ranges are counted",
        ),
        (["AA", "KK"], {"seed": 1, "time_limit": 1}, "seed and time_limit"),
    ],
)
def test_bad_input(hands: list[str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        double_board(hands, **options)


def test_too_few_cards() -> None:
    dead = dead_but("2s3s4s5s6s7s8s9s", "AsKsQhQd")
    with pytest.raises(InputError, match="two boards: 10 cards are to be dealt, 8 are left"):
        double_board(["AsKs", "QhQd"], dead=dead)


@pytest.mark.parametrize("method", ["auto", "exact", "monte-carlo"])
@pytest.mark.parametrize("board", ["", "2h3h4h"])
def test_ranges_that_leave_one_another_no_card(method: Any, board: str) -> None:
    with pytest.raises(ImpossibleDeal):
        double_board(["AsKs,AsQs", "AsJs,AsTs"], board=board, method=method)


def test_json() -> None:
    answer = double_board(["AsKs", "QhQd"], board="2s7d9h", board2="KcTd3c", backend="cpu").to_dict()
    assert json.loads(json.dumps(answer)) == answer
    assert answer["schema"] == "gpuodds.double-board/1" and answer["boards"] == ["2s7d9h", "KcTd3c"]
    assert answer["players"][0]["pot_shares"] == {"1/1": "157538", "1/2": "458684", "0/1": "55358"}
    assert format_cards(parse_cards(answer["boards"][0])) == "2s7d9h"
