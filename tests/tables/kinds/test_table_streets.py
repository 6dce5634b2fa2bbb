"""The tables of streets, counted, against single spots."""

from __future__ import annotations

from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from toy_tables import FewTurns

import gpuodds
from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.operations.against_random import AgainstRandom
from gpuodds.cards import parse_cards
from gpuodds.errors import TableError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.boards import canonical_boards, canonical_index
from gpuodds.table_building.kinds.flop_random import FlopRandom
from gpuodds.table_building.kinds.recount import count_alike
from gpuodds.table_building.kinds.river_random import RiverRandom
from gpuodds.table_building.kinds.street import Street
from gpuodds.table_building.kinds.turn_random import TurnRandom
from gpuodds.tables.store import StoredTable

CPU = CpuBackend()


@pytest.mark.parametrize("row", [0, 700, 1500, -1])
def test_a_flop_row_has_the_counts_of_single_spots(few: Path, row: int) -> None:
    table = StoredTable(few / "flop-random")
    row %= len(table)
    values = table.rows(range(row, row + 1))[0]
    hand, board = values["hand"], values["board"]
    answers = gpuodds.equities_by_opponents(hand, opponents=3, board=board, backend="cpu")
    for k, answer in enumerate(answers, 1):
        player = answer.players[0]
        found = [values[f"win_{k}"], *(values[f"tie_{k}_{t}"] for t in range(1, k + 1))]
        assert found == [player.win_outcomes, *player.tie_outcomes]
        assert values[f"equity_{k}"] == pytest.approx(player.equity, rel=1e-15)
    assert sum(values["histogram"]) == 1081
    assert values["strength_squared"] == values["sum_of_squares"] / (1081 * 1980**2)
    # The mean of the strengths is the equity; that of their squares is no smaller than its square.
    assert values["equity_1"] ** 2 <= values["strength_squared"] <= values["equity_1"]
    assert table.lookup(hand, board=board) == [values]
    relabelled = str.maketrans("cdhs", "hscd")
    assert table.lookup(hand.translate(relabelled), board=board.translate(relabelled)) == [values]


def test_turns_and_rivers(few: Path) -> None:
    turns, rivers = StoredTable(few / "turn-random"), StoredTable(few / "river-random")
    for row in (0, 5000, len(turns) - 1):
        values = turns.rows(range(row, row + 1))[0]
        answer = gpuodds.equity(values["hand"], opponents=1, board=values["board"], backend="cpu")
        player = answer.players[0]
        assert (values["win"], values["tie"]) == (player.win_outcomes, *player.tie_outcomes)
        assert values["equity"] == player.equity
    for row in (0, 9999, len(rivers) - 1):
        hands, boards = gpuodds.canonical_cards([row], 5)
        given = gpuodds.equity([hands[0]], opponents=1, board=boards[0], backend="cpu").players[0]
        strength = 2 * given.win_outcomes + given.tie_outcomes[0]
        deals = count_alike(tuple(hands[0].tolist()), tuple(boards[0].tolist()))
        expected = [{"row": row, "strength": strength, "deals": deals}]
        assert rivers.rows(range(row, row + 1)) == expected
        assert rivers.array()[row] == strength


def test_pots_that_do_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    real = AgainstRandom.on_cpu

    def wrong(operation: AgainstRandom, progress: Any = None) -> Any:
        found = real(operation, progress)
        found.wins[0] += found.wins[0] > 0
        return found

    monkeypatch.setattr(AgainstRandom, "on_cpu", wrong)
    with pytest.raises(TableError, match="pots of a board do not add up"):
        FewTurns().compute(FewTurns().layout.shards(1)[0], 1, CPU)


def test_rows_of_all_flops_add_up_to_all_deals() -> None:
    deals = FlopRandom().deals(range(1_286_792), CPU)
    assert int(deals.sum()) == comb(52, 2) * comb(50, 3)
    assert np.unique(deals).tolist() == [4, 12, 24]


@pytest.mark.parametrize(("kind", "cards"), [(FlopRandom(), 3), (TurnRandom(), 4), (RiverRandom(), 5)])
def test_deals_are_the_cards_that_a_row_stands_for(kind: Street, cards: int) -> None:
    spans = kind.layout.shards(1)
    for number in (0, len(spans) // 2, len(spans) - 1):
        deals = kind.deals(spans[number], CPU)
        drawn = [0, len(deals) - 1, *np.random.default_rng(number).integers(0, len(deals), 40).tolist()]
        hands, boards = gpuodds.canonical_cards([spans[number].start + row for row in drawn], cards)
        for row, hand, board in zip(drawn, hands.tolist(), boards.tolist(), strict=True):
            assert deals[row] == count_alike(tuple(hand), tuple(board))


def test_deals_are_found_by_naming_every_suit() -> None:
    assert count_alike((0, 1), (4, 5, 10, 11)) == 6  # 2c2d on 3c3d4h4s: either pair of suits may change
    assert count_alike((0, 4), (8, 12, 16)) == 4  # one suit
    assert count_alike((0, 5), (10, 15, 16)) == 24


@pytest.mark.parametrize("name", ["flop-random", "turn-random", "river-random"])
def test_means_over_deals_are_even(few: Path, name: str) -> None:
    table = StoredTable(few / name)
    columns = {column: table.to_arrow()[column].to_numpy() for column in ("row", "deals")}
    size = {"flop-random": 3, "turn-random": 4, "river-random": 5}[name]
    boards = np.searchsorted(canonical_index(size)[1], len(table))
    sizes = canonical_boards(size)[1][:boards]
    assert columns["deals"].sum() == sizes.sum() * comb(52 - size, 2)
    assert table.to_arrow().schema.field("deals").type == pa.int32()
    if name == "river-random":
        equity = table.array() / 1980
    else:
        equity = table.to_arrow()["equity" if name == "turn-random" else "equity_1"].to_numpy()
    # On each board the mean equity over all hands is one half.
    assert np.average(equity, weights=columns["deals"]) == pytest.approx(0.5, abs=1e-12)
    assert abs(np.average(equity) - 0.5) > 1e-4


def test_a_flop_row_is_the_mean_of_its_turns() -> None:
    """Street consistency, on two whole boards: all turns of a flop."""
    flop = np.array([parse_cards("2s7d9h")], np.uint8)
    turns = np.array([[*flop[0], c] for c in range(52) if c not in flop[0]], np.uint8)
    whole, parts = (AgainstRandom(HOLDEM, boards, False).on_cpu() for boards in (flop, turns))
    assert np.array_equal(2 * whole.wins[0], parts.wins.sum(axis=0))
    assert np.array_equal(2 * whole.ties[0], parts.ties.sum(axis=0))
