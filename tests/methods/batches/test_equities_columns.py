"""``gpuodds.equities`` uses every column, keeps it on request, or refuses it by name."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.errors import InputError

TABLES = ["dict", "pandas", "polars", "pyarrow"]


@pytest.fixture(autouse=True)
def on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUODDS_BACKEND", "cpu")


def table(kind: str, columns: dict[str, list[Any]]) -> Any:
    """Return columns as a table of a kind."""
    if kind == "dict":
        return columns
    library = pytest.importorskip(kind)
    if kind == "polars":
        return library.DataFrame(columns, strict=False)
    return (library.table if kind == "pyarrow" else library.DataFrame)(columns)


def as_rows(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def check(answers: gpuodds.Equities, spots: list[dict[str, Any]]) -> None:
    """Compare answers, and columns of them, with those of each spot alone."""
    assert len(answers) == len(spots)
    for place, spot in enumerate(spots):
        alone = gpuodds.equity(**spot)
        assert answers[place].to_dict() | {"seconds": 0} == alone.to_dict() | {"seconds": 0}
        assert answers.columns["equity_1"][place] == alone.players[0].equity


# Every optional column differs from row to row, and each has an empty cell.
SPOTS: list[dict[str, Any]] = [
    {"hands": ["AsKs", "QhQd"], "board": "2s7d9h", "dead": "2c", "folded": ["22+,A2s+"]},
    {"hands": ["AsKs", "QhQd"], "board": "2s7d9h", "folded": ["JhTh", "55+"]},
    {"hands": ["AsKs"], "board": "2s7d9hTc", "opponents": 2},
    {"hands": ["AsKs", "QhQd"], "board": "2s7d9h", "dead": "2c3c"},
    {"hands": ["QQ+,AK", "22+"], "board": "2s7d9h", "folded": ["AsKs"]},
    {"hands": ["QQ+,AK", "22+"], "board": "2s7d9h"},
    {"hands": ["AsKs", "QhQd"], "board": "8s7d9h", "game": "short-deck"},
    {"hands": ["AsAhKsKh", "7c8c9dTd"], "board": "2s7d9h", "game": "omaha", "folded": ["2c3c4d5d"]},
]
OTHERS: dict[str, list[Any]] = {
    name: [spot.get(name) for spot in SPOTS] for name in ("board", "dead", "opponents", "game")
}
NUMBERED: dict[str, list[Any]] = {
    f"{kind}_{number}": [(spot.get(name) or [])[number - 1 : number] or None for spot in SPOTS]
    for kind, name in (("hand", "hands"), ("folded", "folded"))
    for number in (1, 2)
}
NUMBERED = {name: [cell and cell[0] for cell in cells] for name, cells in NUMBERED.items()}
LISTS: dict[str, list[Any]] = {name: [spot.get(name) for spot in SPOTS] for name in ("hands", "folded")}


@pytest.mark.parametrize("players", [NUMBERED, LISTS], ids=["numbered", "lists"])
@pytest.mark.parametrize("kind", [*TABLES, "list of dicts"])
def test_every_column_is_used_in_every_input(kind: str, players: dict[str, list[Any]]) -> None:
    columns = players | OTHERS
    given = as_rows(columns) if kind == "list of dicts" else table(kind, columns)
    check(gpuodds.equities(given), SPOTS)


@pytest.mark.parametrize("kind", [*TABLES, "list of dicts"])
def test_names_are_read_in_any_case_and_with_blanks(kind: str) -> None:
    columns = {" Hand_1": ["AsKs"], "HAND_2 ": ["QhQd"], "Board": ["2s7d9h"], "Folded ": ["22+"]}
    given = as_rows(columns) if kind == "list of dicts" else table(kind, columns)
    check(gpuodds.equities(given), [{"hands": ["AsKs", "QhQd"], "board": "2s7d9h", "folded": "22+"}])


def test_folded_players_are_no_part_of_answers_that_rows_share() -> None:
    """Rows that differ in folded players alone: known hands, ranges on a board, and several players."""
    for hands in (["AsKs", "QhQd"], ["AsKs"], ["QQ+,AK", "22+"], ["QQ+", "22+", "AsKs"]):
        spot: dict[str, Any] = {"hands": hands, "board": "2c7d9h3d"}
        spots = [spot, spot | {"folded": "JJ"}, spot | {"folded": ["55+"]}, spot, spot | {"folded": ""}]
        check(gpuodds.equities(spots), spots)


def test_a_cell_of_folded_is_read_as_the_argument() -> None:
    for folded in ("22+,A2s+", "JhTh 5c5d", ["JhTh", "55+"], [], None, "", [[5, 20]]):
        spot = {"hands": ["AsKs", "QhQd"], "board": "2s7d9h", "folded": folded}
        check(gpuodds.equities([spot]), [spot])
        check(gpuodds.equities({name: [cell] for name, cell in spot.items()}), [spot])
    weighted = {"hands": ["AsKs", "QhQd"], "board": "2s7d9h", "folded": {"JJ": 1.0, "TT": 0.5}}
    check(gpuodds.equities([weighted]), [weighted])
    gaps = {"hands": "AsKs", "board": "2s7d9h", "folded_1": "", "folded_3": "JJ", "folded_10": "QhQd"}
    folded = ["JJ", "QhQd"]
    check(gpuodds.equities([gaps]), [{"hands": "AsKs", "board": "2s7d9h", "folded": folded}])


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"folded": "22x"}, "folded: 22x: column 3: expected"),
        ({"folded_2": "AsKx"}, "folded_2: AsKx: column 4: expected a suit"),
        ({"folded": "QhJd"}, "Qh: the same card is in QhQd and folded QhJd"),
        ({"folded": 5}, "folded: 5: expected a hand, a range, or a list of them"),
        (
            {"folded": "JJ", "folded_1": "TT"},
            "folded and folded_1: expected one of folded and folded_1",
        ),
        ({"opponents": 0.5}, "opponents: 0.5: expected a whole number"),
    ],
)
def test_what_is_wrong_in_a_cell_is_its_rows_error(row: dict[str, Any], error: str) -> None:
    spot = {"hand_1": "AsKs", "hand_2": "QhQd", "board": "2s7d9h"}
    answers = gpuodds.equities([spot | row, spot], errors="column")
    assert list(answers.errors) == [0] and str(answers.errors[0]).startswith(error)
    columns = {name: [cell] for name, cell in (spot | row).items()}
    assert str(gpuodds.equities(columns, errors="column").errors[0]).startswith(error)


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("hand2", "column hand2: not known: did you mean hand_2?"),
        ("hand_02", "column hand_02: not known: did you mean hand_2?"),
        ("Hand 2", "column Hand 2: not known: did you mean hand_2?"),
        ("hand_b", "column hand_b: not known: did you mean hand_1, hand_2, ...?"),
        ("hand", "column hand: not known: did you mean hands?"),
        ("boards", "column boards: not known: did you mean board?"),
        ("opponent", "column opponent: not known: did you mean opponents?"),
        ("folded2", "column folded2: not known: did you mean folded_2?"),
        (
            "villain",
            "column villain: not known: expected hands, or hand_1, hand_2, ..., and optionally",
        ),
        ("flop", "column flop: not known: expected hands, or hand_1"),
        ("equity_1", "column equity_1: the answers have that name"),
        ("Error", "column Error: the answers have that name"),
        (" HAND_1", "column hand_1 is there twice: 'hand_1' and ' HAND_1'"),
    ],
)
def test_a_column_that_is_not_known_is_refused_by_name(kind: str, name: str, error: str) -> None:
    frame = table(kind, {"hand_1": ["AsKs"], name: ["QhQd"]})
    with pytest.raises(InputError) as found:
        gpuodds.equities(frame, errors="column")
    assert str(found.value).startswith(error) and "\n" not in str(found.value)


def test_columns_of_ones_own_are_all_named() -> None:
    columns = {"id": [7], "hand_1": ["AsKs"], "my note": [""]}
    with pytest.raises(InputError) as found:
        gpuodds.equities(columns)
    assert str(found.value) == (
        "columns id, my note: not known: expected hands, or hand_1, hand_2, ..., and optionally board, "
        "dead, opponents, pot, to_call, game, folded or folded_1, ... "
        "(keep=['id', 'my note'] copies them unread)"
    )
    pandas = pytest.importorskip("pandas")
    with pytest.raises(InputError, match="column hand_1 is there twice"):
        gpuodds.equities(pandas.DataFrame([["AsKs", "QhQd"]], columns=["hand_1", "hand_1"]))
    with pytest.raises(InputError, match=r"^column hand_1 is missing: .*; found 0,1$"):
        gpuodds.equities(pandas.DataFrame([["AsKs", "QhQd"]]))


def test_keys_of_a_row_are_its_error() -> None:
    good = {"hands": "AsKs", "board": "2s7d9h"}
    answers = gpuodds.equities([good, good | {"hand2": "QQ"}, good | {"id": 1}], errors="column")
    assert list(answers.errors) == [1, 2]
    assert str(answers.errors[1]).startswith("key hand2: not known: did you mean hand_2?")
    assert str(answers.errors[2]).startswith("key id: not known: expected hands, or hand_1")
    with pytest.raises(InputError, match=r"^row 0: key board is there twice: 'board' and 'Board'"):
        gpuodds.equities([good | {"Board": ""}])


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("keep", ["all", ["ID", "note", "Gain"], ["note", "all"]])
def test_columns_are_kept_on_request(kind: str, keep: Any) -> None:
    columns: dict[str, list[Any]] = {
        "id": [11, 12],
        "hand_1": ["AsKs", "AsKs"],
        "note": ["a", None],
        "board": ["2s7d9h", "As2s3s"],
        "Gain": [0.5, None],
    }
    answers = gpuodds.equities(table(kind, columns), keep=keep, errors="column")
    assert list(answers.columns)[:6] == [*columns, "equity_1"]
    assert answers.columns["id"].dtype == np.int64
    found = answers.to_dict()
    assert (found["id"], found["note"][0], found["Gain"]) == ([11, 12], "a", [0.5, None])
    assert [bool(error) for error in found["error"]] == [False, True]
    assert answers[0].players == gpuodds.equity("AsKs", board="2s7d9h").players
    again = pickle.loads(pickle.dumps(answers))
    assert again.to_dict() == found


def test_kept_columns_become_data_frames() -> None:
    pa, pandas, polars = map(pytest.importorskip, ("pyarrow", "pandas", "polars"))
    columns = {"hands": ["AsKs"] * 3, "big": [1, 1 << 63, -1], "tags": [["a"], [], ["b", "c"]]}
    answers = gpuodds.equities(columns, keep="all")
    assert answers.columns["big"].tolist() == columns["big"]
    assert pandas.DataFrame(answers.columns)["tags"].tolist() == columns["tags"]
    with pytest.raises(InputError, match=r"^column big: "):
        answers.to_arrow()
    mixed = gpuodds.equities(columns | {"big": [1, "a", None]}, keep="all")
    with pytest.raises(InputError, match=r"^column big: "):
        mixed.to_arrow()
    good = gpuodds.equities(columns | {"big": [1, None, 3]}, keep="all")
    assert good.to_arrow().schema.field("tags").type == pa.list_(pa.string())
    assert polars.DataFrame(good)["big"].to_list() == [1, None, 3]


def test_keys_are_kept_on_request() -> None:
    rows: list[Any] = [
        {"hands": "AsKs", "id": 1},
        {"hands": "AsKx", "id": 2, "Note": "wrong"},
        {"hands": "AsKs", "note": "right"},
        {"hands": "AsKs", "bord": "2s7d9h", "id": 4},
        5,
    ]
    answers = gpuodds.equities(rows, keep="all", errors="column")
    assert answers.columns["id"].tolist() == [1, 2, None, 4, None]
    assert answers.columns["Note"].tolist() == [None, "wrong", "right", None, None]
    assert list(answers.errors) == [1, 3, 4]
    assert str(answers.errors[3]).startswith(
        "key bord: not known: did you mean board? (keep=['all', 'b"
    )
    named = gpuodds.equities(rows, keep=["id", "note", "bord"], errors="column")
    assert list(named.errors) == [1, 4]
    asked = [name for name in named.columns if name in ("id", "Note", "bord", "equity_1")]
    assert asked == ["id", "Note", "bord", "equity_1"]
    assert named[3].players == gpuodds.equity("AsKs").players


def test_a_column_that_is_nearly_a_known_one_is_kept_by_name_alone() -> None:
    columns = {"hand_1": ["AsKs"], "hand2": ["QhQd"], "hand_id": [5], "name": ["x"]}
    with pytest.raises(
        InputError, match=r"^column hand2: .* hand_2\? \(keep=\['all', 'hand2'\] copies"
    ):
        gpuodds.equities(columns, keep="all")
    for keep in (["all", "hand2"], ["hand2", "hand_id", "name"]):
        answers = gpuodds.equities(columns, keep=keep)
        assert answers[0].players == gpuodds.equity("AsKs").players
        assert list(answers.columns)[:4] == [*columns]


def test_a_known_column_can_be_kept_too() -> None:
    columns = {"Hand_1": ["AsKs"], "board": ["2s7d9h"]}
    answers = gpuodds.equities(columns, keep=["hand_1", "board"])
    assert answers.columns["Hand_1"].tolist() == ["AsKs"]
    assert answers[0].players == gpuodds.equity("AsKs", board="2s7d9h").players


def test_answers_are_answered_again_if_all_is_kept() -> None:
    first = gpuodds.equities({"hand_1": ["AsKs"], "hand_2": ["QhQd"]}, keep=["hand_1", "hand_2"])
    assert list(first.columns)[:3] == ["hand_1", "hand_2", "equity_1"]
    columns = {**first.to_dict(), "board": ["2s7d9h"], "hand_2": [""], "id": [5]}
    with pytest.raises(
        InputError, match=r"^columns equity_1, .* and 6 more: answers from before: keep="
    ):
        gpuodds.equities(columns)
    again = gpuodds.equities(columns, keep="all")
    check(again, [{"hands": "AsKs", "board": "2s7d9h"}])
    assert "equity_2" not in again.columns and again.columns["id"].tolist() == [5]
    with pytest.raises(InputError, match=r"^column equity_1: the answers have that name"):
        gpuodds.equities(columns, keep=["all", "equity_1"])
    with pytest.raises(InputError, match=r"^column method: the answers have that name"):
        gpuodds.equities({"hand_1": ["AsKs"], "method": ["live"]}, keep="all")


@pytest.mark.parametrize(
    ("keep", "error"),
    [
        (["idd"], r"^keep idd: there is no such column: did you mean Id\?"),
        (["stakes"], "^keep stakes: there is no such column$"),
        (5, "^keep 5: expected names of columns, or 'all'"),
    ],
)
def test_what_is_wrong_with_keep(keep: Any, error: str) -> None:
    with pytest.raises(InputError, match=error):
        gpuodds.equities({"hand_1": ["AsKs"], "Id": [1]}, keep=keep)


def test_boards_and_arrays_have_no_columns_to_keep() -> None:
    for spots, boards in ((["AA", "KK"], ["2s7d9h"]), (np.array([[0, 5]]), None)):
        with pytest.raises(InputError, match=r"^keep: expected with rows"):
            gpuodds.equities(spots, boards, keep="all")


def test_columns_carry_what_was_asked() -> None:
    rows: list[dict[str, Any]] = [
        {"hands": ["AsKs", "22+"], "board": "2s7d9h", "dead": "3c"},
        {"hand_1": "QQ+,AK:0.5", "opponents": 2, "folded": ["A2s+"]},
        {"hands": "AsKx"},
        {"hands": ["AAKK"], "game": "omaha", "opponents": 1, "pot": 10, "to_call": 5},
    ]
    found = gpuodds.equities(rows, errors="column", samples=2000, method="auto").to_dict()
    asked = dict(list(found.items())[: list(found).index("equity_1")])
    assert asked == {
        "hand_1": ["AsKs", "QQ+,AK:0.5", None, "AAKK"],
        "hand_2": ["22+", None, None, None],
        "board": ["2s7d9h", "", None, ""],
        "dead": ["3c", "", None, ""],
        "opponents": [0, 2, None, 1],
        "pot": [None, None, None, 10.0],
        "to_call": [None, None, None, 5.0],
        "game": ["holdem", "holdem", None, "omaha"],
        "folded_1": [None, "A2s+", None, None],
    }
    boards = [[0, 21, 30], "AhKd2c"][:1] * 2
    found = gpuodds.equities(["QQ+,AK", "22+"], boards).to_dict()
    assert [found[name] for name in ("hand_1", "hand_2", "board")] == [
        ["QQ+,AK"] * 2,
        ["22+"] * 2,
        ["2c7d9h"] * 2,
    ]
    found = gpuodds.equities(np.array([[51, 47], [3, 2]]), np.array([[0, 21, 30]] * 2)).to_dict()
    assert (found["hand_1"], found["board"]) == (["AsKs", "2s2h"], ["2c7d9h"] * 2)
    assert found["opponents"] == [1, 1]
    frame = pytest.importorskip("pandas").DataFrame({"Hand_1": ["AsKs"], "board": [""]})
    assert list(gpuodds.equities(frame).columns)[:3] == ["Hand_1", "board", "equity_1"]
