"""Hands, bots and matches: pots are paid by the rules, histories replay, bots see no hidden cards."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gpuodds.cards import format_cards, parse_cards
from gpuodds.cli.play.person import Left, Person, hint
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.methods.hands.evaluate import rank_hand
from gpuodds.play.bots.adaptive import Adaptive, bucket, standing
from gpuodds.play.bots.caller import Caller
from gpuodds.play.bots.kelly import Kelly, KellySettings, stakes_of
from gpuodds.play.bots.pokerbot import Pokerbot, Tracker
from gpuodds.play.bots.random import RandomBot
from gpuodds.play.game import Deal, Ended, HandResult, Player, play_hand
from gpuodds.play.history import payoffs, read_histories, write_histories
from gpuodds.play.match import BOTS, play_match
from gpuodds.play.strength import against_random, place_of, possible, villain_equity
from gpuodds.play.turns import Move, Observation, Played, Rules

pytest.importorskip("pokerkit")


class Watched:
    """Plays as another player does, and checks each observation."""

    def __init__(self, inner: object) -> None:
        self.inner = inner
        self.seen: list[Observation] = []
        self.ended: list[Ended] = []

    def act(self, seen: Observation) -> Move:
        seat = seen.seat
        assert seen.playing[seat] and seen.stacks[seat] > 0
        assert len(seen.board) == (0, 3, 4, 5)[seen.street]
        assert not set(seen.hand) & set(seen.board)
        assert 0 <= seen.to_call <= max(seen.bets) - seen.bets[seat]
        assert (
            seen.max_raise == 0
            or seen.min_raise <= seen.max_raise == seen.stacks[seat] + seen.bets[seat]
        )
        assert seen.pot + sum(seen.stacks) <= seen.rules.stack * seen.rules.seats
        self.seen.append(seen)
        return self.inner.act(seen)  # type: ignore[attr-defined]

    def end(self, hand: Ended) -> None:
        self.ended.append(hand)


def chips_put_in(rules: Rules, moves: Sequence[Played]) -> list[int]:
    """Return the chips that each seat put in, from its moves; all stacks cover ante and blind."""
    small, big = (1, 0) if rules.seats == 2 else (0, 1)
    before, bets = [rules.ante] * rules.seats, [0] * rules.seats
    bets[small], bets[big] = rules.small_blind, rules.big_blind
    street = 0
    for move in moves:
        if move.street != street:
            before = [chips + bet for chips, bet in zip(before, bets, strict=True)]
            bets, street = [0] * rules.seats, move.street
        if move.kind == "call":
            bets[move.seat] += move.to_call
        elif move.kind == "raise":
            bets[move.seat] = move.to
    return [chips + bet for chips, bet in zip(before, bets, strict=True)]


def settle(put: list[int], ranks: dict[int, int]) -> list[Fraction]:
    """Return the chips won by seat: pot by side pot, shared by the best ranks of those who paid it."""
    won = [Fraction(-chips) for chips in put]
    for low, high in pairwise([0, *sorted({put[seat] for seat in ranks})]):
        pot = sum(min(max(chips - low, 0), high - low) for chips in put)
        paid = {seat: rank for seat, rank in ranks.items() if put[seat] >= high}
        winners = [seat for seat, rank in paid.items() if rank == max(paid.values())]
        for seat in winners:
            won[seat] += Fraction(pot, len(winners))
    return won


@pytest.mark.parametrize("seats", [2, 3, 6, 10])
def test_pots_are_paid_to_the_best_hands(seats: int) -> None:
    draw = Random(seats)
    rules = Rules(seats, ante=draw.choice([0, 10]), stack=2000)
    players = [Watched(RandomBot(draw)) for _ in range(seats)]
    showdowns = 0
    for _ in range(200 // seats):
        deal = Deal.drawn(seats, draw)
        stacks = [draw.choice([150, 700, 2000]) for _ in range(seats)]
        result = play_hand(players, rules, deal, stacks=stacks)
        assert all(player.ended[-1].won == result.won for player in players)
        folded = {move.seat for move in result.moves if move.kind == "fold"}
        ranks = {
            seat: rank_hand([*deal.hands[seat], *deal.board], HOLDEM)
            for seat in range(seats)
            if seat not in folded
        }
        put = chips_put_in(rules, result.moves)
        showdowns += len(ranks) > 1
        assert sum(result.won) == 0
        for stack, chips, won, expected in zip(
            stacks, put, result.won, settle(put, ranks), strict=True
        ):
            assert chips <= stack and -chips <= won
            # Chips that do not divide among the winners go to some of them.
            odd = 0 if expected.denominator == 1 and len(set(ranks.values())) == len(ranks) else seats
            assert abs(won - expected) <= odd
    assert showdowns > 5


@pytest.mark.weekly
def test_chips_are_kept_over_many_hands() -> None:
    draw = Random(1)
    for number in range(100_000):
        seats = 2 + number % 3
        result = play_hand([RandomBot(draw)] * seats, Rules(seats), Deal.drawn(seats, draw))
        assert sum(result.won) == 0


def test_the_best_hand_wins() -> None:
    hands: Any = parse_cards("AsKs"), parse_cards("QhQd")
    deal = Deal(hands, parse_cards("2s7d9h3cKd"))
    result = play_hand([Caller(Random(1)), Caller(Random(1))], Rules(), deal)
    assert result.won == (100, -100) and result.shown[0] == deal.hands[0]
    split = replace(deal, board=parse_cards("AhKhQcJdTc"))
    assert play_hand([Caller(Random(1)), Caller(Random(1))], Rules(), split).won == (0, 0)


def test_an_illegal_move_becomes_the_nearest_legal_one() -> None:
    class Wild(Caller):
        def act(self, seen: Observation) -> Move:
            return Move("fold") if not seen.to_call else Move("raise", 10**9)

    result = play_hand([Caller(Random(1)), Wild(Random(1))], Rules(), Deal.drawn(2, Random(1)))
    assert result.moves[0].kind == "raise" and result.moves[0].to == 20_000
    assert abs(result.won[0]) in (0, 20_000)


def test_histories_replay(tmp_path: Path) -> None:
    draw, hands, won = Random(4), [], []
    for seats in (2, 3, 5):
        for _ in range(5):
            players = [RandomBot(draw) for _ in range(seats)]
            result = play_hand(players, Rules(seats, ante=5), Deal.drawn(seats, draw))
            hands.append(result.history)
            won.append(result.won)
    path = tmp_path / "hands.phhs"
    write_histories(path, hands)
    assert [payoffs(hand) for hand in read_histories(path)] == won
    single = tmp_path / "hand.phh"
    single.write_text(hands[0].dumps())
    assert payoffs(read_histories(single)[0]) == won[0]
    (tmp_path / "bad.phhs").write_text("no = [history")
    with pytest.raises(InputError, match="expected hand histories in the PHH format"):
        read_histories(tmp_path / "bad.phhs")
    with pytest.raises(InputError, match="No such file"):
        read_histories(tmp_path / "none.phhs")


@pytest.mark.parametrize("name", sorted(BOTS))
def test_bots_see_no_hidden_card(name: str) -> None:
    # The same board and own cards, other hidden cards: the same moves, as long as the other makes
    # the same ones.
    def moves(theirs: str) -> list[Move]:
        bot = Watched(BOTS[name](Random(3)))
        made: list[Move] = []

        class Script:
            def act(self, seen: Observation) -> Move:
                return (
                    Move("raise", seen.min_raise)
                    if seen.min_raise and seen.street < 2
                    else Move("call")
                )

            def end(self, hand: Ended) -> None:
                pass

        hands: Any = (parse_cards(theirs), parse_cards("JsTs"))
        deal = Deal(hands, parse_cards("9s8s2d3cKh"))
        result = play_hand([Script(), bot], Rules(), deal)
        made = [Move(move.kind, move.to) for move in result.moves if move.seat == 1]
        for seen in bot.seen:
            visible = repr(replace(seen, hand=(0, 0), board=()))
            assert not any(word in visible for word in (theirs[:2], theirs[2:], str(hands[0])))
        return made

    assert moves("AhAd") == moves("4h4d") != []


@pytest.mark.parametrize("name", sorted(BOTS))
def test_every_bot_plays_on_any_table(name: str) -> None:
    names = [name, "random", "caller", "tight"]
    result = play_match(names, hands=6, seed=2, rules=Rules(4, stack=3000))
    assert all(sum(won) == 0 for won in result.won) and result.rotations == 4


def test_matches_follow_from_their_seed() -> None:
    one = play_match(["pokerbot", "random"], hands=15, seed=3)
    assert one.won == play_match(["pokerbot", "random"], hands=15, seed=3).won
    assert one.won != play_match(["pokerbot", "random"], hands=15, seed=4).won
    plain = play_match(["pokerbot", "random"], hands=15, seed=3, duplicate=False)
    assert plain.rotations == 1 and plain.to_dict()["hands"] == 15
    # Equal players and duplicate deals: both win the same from the same seat.
    assert all(won == (0, 0) for won in play_match(["caller", "caller"], hands=20).won)
    json.dumps(one.to_dict())


@pytest.mark.slow
def test_thinking_bots_beat_simple_ones() -> None:
    assert play_match(["pokerbot", "caller"], hands=40, seed=1).interval(0)[0] > 0
    assert play_match(["adaptive", "caller"], hands=30, seed=1).interval(0)[0] > 0


def test_strengths() -> None:
    board = parse_cards("2s7d9h")
    shares = against_random(board)
    fits = possible(board) > 0
    assert shares[fits].mean() == pytest.approx(0.5, abs=1e-9) and (shares[~fits] == 0).all()
    hand = parse_cards("AsKs")
    against = villain_equity((hand[0], hand[1]), board)
    fits = possible((*hand, *board)) > 0
    import gpuodds

    exact = gpuodds.equity("AsKs", opponents=1, board="2s7d9h", backend="cpu").equity
    assert 1 - against[fits].mean() == pytest.approx(exact, abs=1e-12)
    before = villain_equity((hand[0], hand[1]), ())
    exact = gpuodds.equity("AsKs", opponents=1).equity
    assert 1 - before[possible(hand) > 0].mean() == pytest.approx(exact, abs=1e-12)
    assert place_of((51, 50)) < 0.01 < 0.9 < place_of((0, 21))
    places = standing(board)[possible(board) > 0]
    assert places.min() < 0.001 and places.max() > 0.999


def seen_before_the_flop(hand: str, bets: tuple[int, int], moves: int = 0) -> Observation:
    """Return what the big blind sees after a raise, or what the button sees at first."""
    cards = parse_cards(hand)
    found: list[Observation] = []

    class Probe(Caller):
        def act(self, seen: Observation) -> Move:
            found.append(seen)
            return Move("call")

    class Opener(Caller):
        def act(self, seen: Observation) -> Move:
            return Move("raise", bets[1]) if not seen.moves else Move("call")

    others = [card for card in range(52) if card not in cards][:2]
    board = tuple(card for card in range(51, -1, -1) if card not in {*cards, *others})[:5]
    deal = Deal(((cards[0], cards[1]), (others[0], others[1])), board)
    play_hand([Probe(Random(1)), Opener(Random(1))], Rules(), deal)
    return found[0]


@pytest.mark.parametrize(
    ("hand", "raised", "kind"),
    [
        ("AsAh", 300, "raise"),
        ("JsTs", 300, "call"),
        ("7c2d", 300, "fold"),
        # A larger raise narrows its range, a smaller one widens it.
        ("JsTs", 2000, "fold"),
        ("9c3d", 300, "fold"),
        ("Jc4d", 200, "call"),
    ],
)
def test_pokerbot_in_the_big_blind(hand: str, raised: int, kind: str) -> None:
    seen = seen_before_the_flop(hand, (100, raised))
    move = Pokerbot(Random(1)).act(seen)
    assert move.kind == kind
    if kind == "raise":
        assert move.to == 1000


def test_pokerbot_opens_with_most_hands() -> None:
    class Folder(Caller):
        def act(self, seen: Observation) -> Move:
            return Move("fold")

    draw, raised, folded = Random(1), 0, 0
    for _ in range(300):
        result = play_hand([Folder(draw), Pokerbot(draw)], Rules(), Deal.drawn(2, draw))
        first = result.moves[0]
        raised += first.kind == "raise" and first.to == 300
        folded += first.kind == "fold"
    assert raised + folded == 300 and 0.72 < raised / 300 < 0.88


def test_pokerbot_learns_ranges() -> None:
    tracker = Tracker(0.1)
    for _ in range(100):
        tracker.learn(0, "raise")
        tracker.learn(1, "fold")
    assert tracker.share(0, "raise")[1] > 0.95
    assert tracker.share(1, "call")[1] < 0.1


def test_adaptive_learns_to_bluff_and_not_to() -> None:
    def after(kind: str) -> Adaptive:
        bot = Adaptive(Random(1))
        for _ in range(200):
            for street in (0, 1, 2, 3):
                for size in range(1, 6):
                    bot.habits.learn((street, size), {"fold": 0, "call": 1}[kind])
        return bot

    seen = seen_before_the_flop("7c2d", (100, 300))
    gains = {kind: after(kind).gains(seen) for kind in ("fold", "call")}
    best = {kind: max(gains[kind], key=lambda move: gains[kind][move]) for kind in gains}
    assert best["fold"].kind == "raise" and best["call"].kind == "fold"
    assert [bucket(size) for size in (0, 0.3, 0.5, 1, 2, 9)] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("names", "options", "message"),
    [
        (["pokerbot", "me"], {}, "bot me: expected one of pokerbot, adaptive, simulating"),
        (["caller"], {}, "seats 1: expected 2 to 10"),
        (["caller"] * 11, {}, "seats 11: expected 2 to 10"),
        (["caller"] * 2, {"hands": 0}, "hands 0: expected 1 to 10,000,000"),
        (["caller"] * 2, {"rules": Rules(3)}, "2 bots: expected 3, one for each seat"),
    ],
)
def test_bad_input(names: list[str], options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        play_match(names, **{"hands": 1, **options})  # type: ignore[arg-type]
    assert message in str(caught.value)
    with pytest.raises(InputError, match="blinds 100/50"):
        Rules(2, 100, 50)
    with pytest.raises(InputError, match="stacks"):
        play_hand([Caller(Random(1))] * 2, Rules(), Deal.drawn(2, Random(1)), stacks=[0, 5])


def facing_a_shove(hand: str) -> Observation:
    return seen_before_the_flop(hand, (100, 20_000))


def test_kelly_calls_a_shove_with_aces_and_not_with_rags() -> None:
    bot = Kelly(Random(1))
    assert bot.act(facing_a_shove("AhAd")).kind == "call"
    assert bot.act(facing_a_shove("7c2d")).kind == "fold"
    # With nothing behind the stack an all-in can ruin, and ruin is worth nothing.
    alone = Kelly(Random(1), KellySettings(buy_ins=1))
    assert alone.act(facing_a_shove("AhAd")).kind == "fold"


def test_all_in_is_all_in() -> None:
    result = play_hand(
        [BOTS["all-in"](Random(1)), Caller(Random(1))], Rules(), Deal.drawn(2, Random(1))
    )
    assert sorted(result.won) in ([-20_000, 20_000], [0, 0])


def test_kelly_beats_a_bot_that_is_always_all_in() -> None:
    # It used to fold every hand to a shove: 5 big blinds a hand were lost.
    found = play_match(["kelly", "all-in"], hands=150, seed=1)
    assert found.actions[0]["call"] > 0 and found.rate(0) > 0


def test_a_short_stack_plays_for_what_it_can_win(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # 300 in all against a bet of 20,000: 100 are in, 200 to call, and 400 to be won.
    found: list[Observation] = []

    class Short(Caller):
        def act(self, seen: Observation) -> Move:
            found.append(seen)
            return Move("call")

    deal = Deal(((51, 50), (0, 4)), (8, 12, 21, 30, 39))
    shover = BOTS["all-in"](Random(1))
    result = play_hand([Short(Random(1)), shover], Rules(), deal, stacks=[300, 20_000])
    (seen,) = found
    assert (seen.pot, seen.to_call, seen.winnable) == (20_100, 200, 400)
    assert hint(seen).startswith("pot odds 33.33 %")
    assert sorted(result.won) == [-300, 300]
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    person = Person(["me", "all-in"], hints=False, behind=0)
    with pytest.raises(Left):
        person.act(seen)
    assert "pot 400, to call 200, your chips 200" in capsys.readouterr().out
    # At odds of 1 to 100 it would call with anything.
    worse = replace(seen, hand=(47, 5), street=3, board=deal.board)
    assert BOTS["tight"](Random(1)).act(worse).kind == "fold"


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_kelly_plays_with_stacks_that_differ(seats: int) -> None:
    draw = Random(seats)
    rules = Rules(seats, stack=2000)
    players: list[Player] = [Kelly(draw), *[RandomBot(draw) for _ in range(seats - 1)]]
    for _ in range(15):
        stacks = [draw.choice([60, 150, 700, 2000, 9000]) for _ in range(seats)]
        result = play_hand(players, rules, Deal.drawn(seats, draw), stacks=stacks)
        assert sum(result.won) == 0


def test_kelly_counts_on_no_more_than_it_can_win() -> None:
    # A shove of 5,000 against 900 chips, 100 of them bet: 4,100 go back.
    seen = seen_before_the_flop("AhAd", (100, 5000))
    stakes = stakes_of(replace(seen, stacks=(800, 0), to_call=800, min_raise=0, max_raise=0), 10_000)
    assert stakes.pot == 1000 and stakes.to_call == stakes.stack == 800
    assert stakes.bankroll == 10_800


def test_cards_are_ours() -> None:
    result: HandResult = play_hand(
        [Caller(Random(1)), Caller(Random(1))], Rules(), Deal.drawn(2, Random(9))
    )
    deal = Deal.drawn(2, Random(9))
    assert format_cards(deal.board[:3]) in result.history.dumps()
