"""``gpuodds.equities`` gives what each spot gives alone, in order, with errors in their places."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.cards import format_cards, parse_cards
from gpuodds.errors import InputError
from gpuodds.methods.batches import many_spots
from gpuodds.methods.options import Options
from gpuodds.methods.planner import Plan, make_plan
from gpuodds.spots.spot import Spot

FIGURES = ("equity", "win", "tie")


@pytest.fixture(autouse=True)
def on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUODDS_BACKEND", "cpu")


def deal_rows(number: int, seed: int) -> list[dict[str, Any]]:
    """Return rows of every kind: one to three hands or ranges, boards, dead cards, opponents."""
    draw = random.Random(seed)
    rows = []
    for place in range(number):
        board, players = draw.choice([3, 4, 5]), draw.choice([1, 2, 2, 3])
        cards = draw.sample(range(52), board + 2 * players + 1)
        hands = [format_cards(cards[2 * n : 2 * n + 2]) for n in range(players)]
        if place % 4 == 0:
            hands[-1] = draw.choice(["QQ+,AK", "22+", "AKs:0.5,QQ", "8%"])
        rows.append(
            {
                "hands": hands,
                "board": format_cards(cards[2 * players : 2 * players + board]),
                "dead": format_cards(cards[-1:]) if place % 3 == 0 else "",
                "opponents": draw.choice([1, 2]) if players == 1 else 0,
            }
        )
    return rows


def compare(answers: gpuodds.Equities, rows: list[dict[str, Any]], **options: Any) -> None:
    assert len(answers) == len(rows)
    for place, row in enumerate(rows):
        try:
            alone = gpuodds.equity(**row, **options)
        except InputError as error:
            assert str(error) in answers.columns["error"][place]
            assert answers.columns["method"][place] is None
            assert np.isnan(answers.columns["equity_1"][place])
            continue
        found = answers[place]
        assert found.to_dict() | {"seconds": 0} == alone.to_dict() | {"seconds": 0}
        assert answers.columns["outcomes"][place] == alone.outcomes
        assert answers.columns["error"][place] is None
        for number, player in enumerate(alone.players, 1):
            for name in FIGURES:
                assert answers.columns[f"{name}_{number}"][place] == getattr(player, name)


def test_rows_give_what_each_gives_alone() -> None:
    rows = deal_rows(80, seed=1)
    rows += [rows[0], rows[7], rows[4]]
    rows += [
        {"hands": ["AsKs"]},
        {"hands": "AsKs", "opponents": 22},
        {"hands": ["AsKs"], "opponents": 9, "board": "2s7d9h"},
        {"hands": ["AsKs", "QQ"], "board": "2s7d9hTc"},
        {"hands": ["AsKs", "AsQs"]},
        {"hands": ["AsKs", "QhQd"], "board": "Qh7d2c"},
        {"hands": ["AA", "AA"], "board": "AsAh9h"},
        {"hands": ["AA", "KK"], "board": "2s7d9x"},
        {"hands": ["AsKs"], "opponents": 23},
    ]
    shares: list[float] = []
    answers = gpuodds.equities(rows, errors="column", progress=shares.append)
    compare(answers, rows)
    assert sorted(answers.errors) == list(range(len(rows) - 5, len(rows)))
    assert shares and shares == sorted(shares) and shares[0] >= 0 and abs(shares[-1] - 1) < 1e-9


@pytest.mark.parametrize("board", ["4s6s9c", "4s6s9cJh", "4s6s9cJh6c"])
def test_ranges_hold_no_dead_cards(board: str) -> None:
    players = ["77,J7s,Q9o,AhKh", "25%"], ["7d7c", "30%,AhKh"], ["40%", "60%"]
    rows = [{"hands": hands, "board": board, "dead": "5hAc"} for hands in players]
    compare(gpuodds.equities(rows), rows)


def test_two_hands_before_the_flop_come_from_the_table() -> None:
    (found,) = gpuodds.equities([{"hands": ["AsKs", "QhQd"]}])
    assert found.method == "table" and found.winners == {"A": 787966, "B": 917606, "AB": 6732}
    (counted,) = gpuodds.equities([{"hands": ["AsKs", "QhQd"]}], table=False)
    assert counted.method == "exact" and counted.players == found.players


def test_an_error_names_its_row() -> None:
    rows = [{"hands": ["AsKs"], "board": "2s7d9h"}, {"hands": ["AsKs"], "board": "2s7d9x"}]
    with pytest.raises(InputError, match=r"^row 1: board: 2s7d9x: column 6: expected a suit"):
        gpuodds.equities(rows)
    answers = gpuodds.equities(rows, errors="column")
    with pytest.raises(InputError, match="2s7d9x"):
        answers[1]
    with pytest.raises(IndexError):
        answers[2]
    assert answers[-2].equity == answers[0].equity
    for wrong, error in [
        ({"hand": "AsKs"}, "key hand: not known: did you mean hands?"),
        ({"hands": []}, "no hand given"),
        ({"hand_1": "", "hand_2": "AsKs"}, "hand_1: empty, but hand_2 is not"),
        ({"hand_2": "AsKs"}, "column hand_1 is missing"),
        ({"hands": ["AsKs"], "hand_1": "QhQd"}, "hands and hand_1: expected the players in hands, or"),
        ({"hands": ["AsKs"], "game": "stud"}, "game: stud: expected one of holdem, short-deck"),
        ({"hands": ["AsKs"], "opponents": "two"}, "opponents: two: expected a whole number"),
        ("AsKs", "expected a dict"),
    ]:
        with pytest.raises(InputError, match=rf"^row 0: .*{error}"):
            gpuodds.equities([wrong])


def test_hands_and_hand_1_are_not_both_given() -> None:
    columns = {"hands": [["AsKs"], None, ["AsKs"]], "hand_1": ["", "QhQd", "QhQd"]}
    answers = gpuodds.equities(columns, errors="column")
    assert answers[0].players == gpuodds.equity("AsKs").players
    assert answers[1].players == gpuodds.equity("QhQd").players
    assert str(answers.errors[2]).startswith("hands and hand_1: expected")


def test_equal_rows_are_answered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def plan(spot: Spot, options: Options) -> Plan:
        asked.append(spot)
        return make_plan(spot, options)

    monkeypatch.setattr(many_spots, "make_plan", plan)
    row = {"hands": ["QQ+", "22+", "AsKs"], "board": "2c7d9h3d"}
    answers = gpuodds.equities([row, {**row, "board": "2c7d9hQc"}, row, row])
    assert len(asked) == 2 and answers[0] is answers[2] is answers[3]
    assert answers[0].players != answers[1].players


def test_a_seed_is_each_rows_own() -> None:
    row: dict[str, Any] = {"hands": ["QQ+", "22+"], "board": "2c7d9h"}
    sampled: dict[str, Any] = {"method": "monte-carlo", "samples": 2000}
    answers = gpuodds.equities([row, {"hands": "AsKs", "board": "2c"}, row], seed=5, **sampled)
    for place in (0, 2):
        assert answers[place].players == gpuodds.equity(**row, seed=5 + place, **sampled).players
    assert answers[0].players != answers[2].players
    same = gpuodds.equities([row, row], **sampled)
    assert same[0].players == same[1].players == gpuodds.equity(**row, **sampled).players
    with pytest.raises(InputError, match="seed and time_limit"):
        gpuodds.equities([row], seed=1, time_limit=1)


def test_arrays_of_hands_give_what_texts_give() -> None:
    rows = [row for row in deal_rows(60, seed=2) if len(row["hands"]) == 2 and len(row["board"]) == 6]
    rows = [{"hands": r["hands"], "board": r["board"]} for r in rows if all(map(_is_hand, r["hands"]))]
    hands = [[parse_cards(hand) for hand in row["hands"]] for row in rows]
    boards = np.array([parse_cards(row["board"]) for row in rows])
    compare(gpuodds.equities(np.array(hands), boards), rows)
    compare(gpuodds.equities(hands, boards.tolist()), rows)
    alone = np.array(hands)[:, 0]
    batch = gpuodds.equity_batch(alone, boards, opponents=3)
    answers = gpuodds.equities(alone, boards, opponents=3)
    assert [[p.win_outcomes, *p.tie_outcomes] for p in (answer.players[0] for answer in answers)] == [
        batch.counts(row, 3) for row in range(len(alone))
    ]
    named = gpuodds.equities(hands, boards, opponents=1)
    compare(named, [row | {"opponents": 1} for row in rows])


def _is_hand(text: str) -> bool:
    return len(text) == 4 and text[1] in "cdhs"


def test_two_players_on_many_boards() -> None:
    boards = ["2s7d9h", "AsAh9h", "2s2d2h", "KsQsJs"]
    for players in (["QQ+,AK", "22+,A2s+"], ["AA:0.5,KK", "AhKh"], ["AsKs", "QhQd"]):
        rows = [{"hands": players, "board": board} for board in boards]
        compare(gpuodds.equities(players, boards, errors="column"), rows)
        cards = np.array([parse_cards(board) for board in boards], np.uint8)
        compare(gpuodds.equities(players, cards, errors="column"), rows)
    with pytest.raises(InputError, match="boards: row 0: expected card numbers"):
        gpuodds.equities(["AA", "KK"], [[1, 2, 99]])


@pytest.mark.parametrize(
    ("hands", "boards", "error"),
    [
        (np.zeros((2, 3)), None, r"shape \(n, 2\) or \(n, players, 2\), found \(2, 3\)"),
        (np.array([[0, 1]]), np.zeros((2, 3), int), "1 hands and 2 boards"),
        (np.array([[0, 60]]), None, "row 0: expected card numbers from 0 to 51, found 60"),
        (np.array([[0, 0]]), None, "row 0: 2c: the same card is twice"),
        (np.array([[0, 1]]), np.array([[1, 2, 3]]), "row 0: 2d: the same card is in"),
        (5, None, "spots 5: expected a list of dicts"),
        (5, [[1, 2, 3]], r"shape \(n, 2\) or \(n, players, 2\), found \(\)"),
    ],
)
def test_arrays_are_checked(hands: Any, boards: Any, error: str) -> None:
    with pytest.raises(InputError, match=error):
        gpuodds.equities(hands, boards)


def test_a_gpu_gives_the_same(cuda: Any) -> None:
    rows = [
        {"hands": ["AsKs", "QhQd"], "board": "2s7d9h"},
        {"hands": ["AsKs"], "board": "2s7d9hTc", "opponents": 2},
        {"hands": ["QQ+", "AKs"], "board": "2s7d9hTc"},
        {"hands": ["QQ+", "AKs", "JJ"], "board": "2s7d9hTc3c"},
        {"hands": ["QQ+", "AKx"]},
    ]
    answers = gpuodds.equities(rows, errors="column", backend="cuda")
    on_cpu = gpuodds.equities(rows, errors="column", backend="cpu")
    assert [answers[n].players for n in range(4)] == [on_cpu[n].players for n in range(4)]
    assert answers.columns["backend"].tolist() == ["cuda", "cuda", "cuda", "cuda", None]


def test_no_rows() -> None:
    for none in ([], {"hand_1": []}, np.zeros((0, 2, 2), int)):
        answers = gpuodds.equities(none)
        assert len(answers) == 0 and list(answers) == []
        assert all(len(column) == 0 for column in answers.columns.values())


COLUMNS = {
    "id": [1, 2, 3],
    "hand_2": ["QhQd", "22+", None],
    "hand_1": ["AsKs", "QQ+", "AsKs"],
    "board": ["2s7d9h", None, ""],
    "opponents": [None, 0.0, 2.0],
}
ROWS: list[dict[str, Any]] = [
    {"hands": ["AsKs", "QhQd"], "board": "2s7d9h"},
    {"hands": ["QQ+", "22+"]},
    {"hands": ["AsKs"], "opponents": 2},
]


@pytest.mark.parametrize("kind", ["dict", "pandas", "polars", "pyarrow", "stream"])
def test_data_frames(kind: str) -> None:
    frame: Any = COLUMNS
    if kind == "stream":
        pa = pytest.importorskip("pyarrow")

        class Stream:
            def __arrow_c_stream__(self, schema: object = None) -> object:
                return pa.table(COLUMNS).__arrow_c_stream__(schema)

        frame = Stream()
    elif kind != "dict":
        library = pytest.importorskip(kind)
        frame = (library.table if kind == "pyarrow" else library.DataFrame)(COLUMNS)
    answers = gpuodds.equities(frame, keep="id")
    compare(answers, ROWS)
    assert answers.columns["id"].tolist() == [1, 2, 3]


def test_results_become_data_frames() -> None:
    pa, pandas, polars = map(pytest.importorskip, ("pyarrow", "pandas", "polars"))
    answers = gpuodds.equities([*ROWS, {"hands": "AsKx"}], errors="column")
    table = answers.to_arrow()
    assert table.schema.field("outcomes").type == pa.int64()
    assert table["equity_2"].null_count == 2 and table["exact"].to_pylist() == [True, True, True, None]
    assert table.to_pydict() == answers.to_dict() == polars.DataFrame(answers).to_dict(as_series=False)
    frame = pandas.DataFrame(answers.columns)
    assert frame["equity_1"].tolist()[:3] == [
        answer.equity for answer in map(answers.__getitem__, range(3))
    ]
    many = gpuodds.equities([{"hands": "AsKs", "opponents": 22}]).to_arrow()
    assert int(many["outcomes"][0].as_py()) == gpuodds.equity("AsKs", opponents=22).outcomes
    weighted = gpuodds.equities([{"hands": ["AA:0.5", "KK"]}]).to_arrow()
    assert weighted.schema.field("outcomes").type == pa.float64()


def test_answers_are_pickled() -> None:
    players = {"hands": ["QQ+", "22+"], "board": "2s7d9h"}, {"hands": ["AsKs", "QhQd"], "board": "2s"}
    answers = gpuodds.equities([*players, {"hands": "AsKs", "opponents": 2, "board": "2s7d9hTc"}])
    again = pickle.loads(pickle.dumps(answers))
    assert [answer.players for answer in again] == [answer.players for answer in answers]


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"hands": ["As2s", "QhQd"]}, "2s: short-deck has cards from 6 to A"),
        ({"hands": ["AsKs", "QhQd"], "board": "2c7d9h"}, "2c: short-deck has cards from 6 to A"),
        ({"hands": ["AsKs", "QhQd"], "dead": "2c"}, "2c: short-deck has cards from 6 to A"),
        ({"hands": "As2s", "opponents": 2}, "2s: short-deck has cards from 6 to A"),
        (
            {
                "hands": ["AsKs", "QhQd"],
                "dead": "6c6d6h6s7c7d7h7s8c8d8h8s9c9d9h9sTcTdThTsJcJdJhJsKcKdKhAc",
            },
            "4 cards are left in the deck: 5 are needed for the board and 0 random opponents",
        ),
    ],
)
def test_cards_that_a_game_lacks_are_errors_of_their_rows(row: dict[str, Any], error: str) -> None:
    rows = [row, {"hands": ["AsKs", "QhQd"]}]
    answers = gpuodds.equities(rows, game="short-deck", errors="column", backend="cpu")
    assert {place: str(found) for place, found in answers.errors.items()} == {0: error}
    assert answers[1].winners == {"A": 108_298, "B": 91_071, "AB": 2_007}


@pytest.mark.parametrize(
    "players", [["QQ+,AK", "22+,A2s+"], ["QQ+,AsKs", "22+"], ["AsKs", "22+,A2s+"], ["AhKd", "QQ"]]
)
def test_boards_alike_but_for_suits_are_counted_once(
    players: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What names a suit keeps boards apart that it tells apart; counts are those of each alone."""
    from gpuodds.backends.operations.two_ranges import TwoRangeBoards
    from gpuodds.methods.batches import range_rows

    counted: list[int] = []

    def spy(game: Any, weights: Any, boards: Any, *others: Any) -> Any:
        counted.append(len(boards))
        return TwoRangeBoards(game, weights, boards, *others)

    monkeypatch.setattr(range_rows, "TwoRangeBoards", spy)
    boards = ["2s7d9h", "2h7d9s", "9c7h2d", "2s7s9s", "2d7d9d", "2s7s9d", "7s2s9h", "9d7s2s"]
    answers = gpuodds.equities(players, boards, table=False)
    for board, answer in zip(boards, answers, strict=True):
        alone = gpuodds.equity(players, board=board, table=False)
        assert answer.players == alone.players and answer.winners == alone.winners
        assert format_cards(answer.spot.board) == board
    suits = {"QQ+,AK": 4, "QQ+,AsKs": 6, "AsKs": 6, "AhKd": 8}[players[0]]
    assert sum(counted) <= suits
    assert bool(counted) == any("+" in player or len(player) < 4 for player in players)
