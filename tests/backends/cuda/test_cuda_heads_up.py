"""Combo against combo by kernels: the integers of the CPU backend, on any grid, in any order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from reference.enumeration import enumerate_deals, enumerate_heads_up

from gpuodds import equity
from gpuodds.backends.cpu.arrays import combos as cpu_combos
from gpuodds.backends.cuda.arrays.combos import BYTES_PER_BOARD, heads_up_matrix
from gpuodds.backends.cuda.arrays.ranks import packed_pairs, rank_combos, rank_tables
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import TILE_BOARDS
from gpuodds.cards import parse_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.boards import full_boards
from gpuodds.games.shared.combos import COMBOS, combo_index, split_wins, suit_relabellings

# Hero, board, dead cards.
SPOTS = [
    ("AsKs", "2c2d2h2s3c", ""),  # quads on the board
    ("2d3d", "AcKcQcJcTc", ""),  # the board plays
    ("Ah5c", "2d3h4s9cKd", ""),  # a wheel
    ("AhKd", "2h5h9hJh3c", ""),  # four suited cards on the board
    ("2c3d", "4h5h9hJhKh", ""),  # five
    ("2c3d", "AhKhQhJh9d", ""),  # a hand that cannot win
    ("QhJh", "KhTh2c5s", ""),
    ("QhJh", "KhTh2c5s", "9hAhAd"),
    ("7c7d", "7h2s2d", "AsAh"),
    ("AsKs", "QsJs2d", ""),
]


def host(cuda: Any) -> Any:
    """Return the stand-in's settings; a real device ignores them."""
    return getattr(cuda.cuda, "settings", type("Settings", (), {})())


def cards(text: str) -> tuple[int, ...]:
    return parse_cards(text)


def hand(text: str) -> tuple[int, int]:
    first, second = parse_cards(text)
    return first, second


def expected_counts(hero: str, board: str, dead: str) -> tuple[int, int, int]:
    player = equity(hero, board=board, dead=dead, table=False, backend="cpu").players[0]
    wins, ties = player.win_outcomes, player.tie_outcomes[0]
    return wins, ties, player.outcomes - wins - ties


@pytest.mark.parametrize(("hero", "board", "dead"), SPOTS)
def test_enumerate_heads_up(cuda: Any, hero: str, board: str, dead: str) -> None:
    found = enumerate_heads_up(hand(hero), cards(board), cards(dead))
    assert found == expected_counts(hero, board, dead)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_enumerate_heads_up_in_any_order(cuda: Any, seed: int) -> None:
    host(cuda).seed = seed
    found = enumerate_heads_up(hand("QhJh"), cards("KhTh2c5s"), cards("9h"))
    assert found == expected_counts("QhJh", "KhTh2c5s", "9h")


@pytest.mark.parametrize("blocks", [1, 3, 100])
def test_enumerate_heads_up_on_any_grid(
    cuda: Any, blocks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device, "grid", lambda work, block, launched: (blocks,))
    found = enumerate_heads_up(hand("QhJh"), cards("KhTh2c5s"))
    assert found == expected_counts("QhJh", "KhTh2c5s", "")


@pytest.mark.weekly
@pytest.mark.parametrize("hero", ["AsAh", "7c2d"])
def test_enumerate_heads_up_before_the_flop(cuda: Any, hero: str) -> None:
    found = enumerate_heads_up(hand(hero))
    assert found == expected_counts(hero, "", "")
    if hero == "AsAh":
        assert found[:2] == (1_781_508_418, 11_402_312) and sum(found) == 2_097_572_400


def test_enumerate_heads_up_refuses_a_repeated_card(cuda: Any) -> None:
    with pytest.raises(InputError, match="As: the same card is in AsAh and the board"):
        enumerate_heads_up(hand("AsAh"), cards("As2c3c"))


@pytest.mark.parametrize(
    ("board", "dead"),
    [*[(board, "") for _, board, _ in SPOTS[:6]], ("2h5h9hJhKd", "AhQh"), ("KhTh2c5s", "9hAh")],
)
def test_matrix(cuda: Any, board: str, dead: str) -> None:
    wins, ties = heads_up_matrix(HOLDEM, cards(board), cards(dead))
    assert type(wins) is type(ties) is np.ndarray and wins.dtype == ties.dtype == np.int64
    expected = cpu_combos.heads_up_matrix(HOLDEM, cards(board), cards(dead))
    assert np.array_equal(wins, expected[0]) and np.array_equal(ties, expected[1])


@pytest.mark.weekly
@pytest.mark.parametrize(
    ("board", "dead"), [("KhTh2c", ""), ("2c2d2h", "AsAhAd"), ("", "")], ids=["flop", "dead", "preflop"]
)
def test_matrix_of_many_boards(cuda: Any, board: str, dead: str) -> None:
    wins, ties = heads_up_matrix(HOLDEM, cards(board), cards(dead))
    expected = cpu_combos.heads_up_matrix(HOLDEM, cards(board), cards(dead))
    assert np.array_equal(wins, expected[0]) and np.array_equal(ties, expected[1])
    if not board:
        suited, queens = combo_index(*hand("AsKs")), combo_index(*hand("QhQd"))
        assert wins[suited, queens] == 787_966 and wins[queens, suited] == 917_606
        assert ties[suited, queens] == 6_732


def expected_wins(ranks: np.ndarray, weights: np.ndarray) -> np.ndarray:
    wins = np.zeros((COMBOS, COMBOS), np.uint64)
    for row, weight in zip(ranks.astype(np.int64), weights.tolist(), strict=True):
        ahead = row[:, None] > np.where(row == 0, 9999, row)
        wins += np.uint64(weight) * ahead
    return wins


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(("blocks", "threads"), [(1, 40), (5, 100), (60, 4)])
def test_compare_combos_on_any_grid(cuda: Any, blocks: int, threads: int, seed: int) -> None:
    host(cuda).seed = seed
    boards = full_boards(cards("KhTh2c5s"), ())[::16]
    ranks = rank_combos(cuda.asarray(boards), HOLDEM)
    weights = np.array([1, 63, 24], np.uint8)
    wins = cuda.full((COMBOS, COMBOS), 1 << 40, np.uint64)
    launch = device.kernel("arrays/compare_combos", "compare_combos")
    launch((blocks,), (threads,), (ranks, cuda.asarray(weights), np.int64(3), wins))
    assert np.array_equal(
        cuda.asnumpy(wins) - np.uint64(1 << 40), expected_wins(cuda.asnumpy(ranks), weights)
    )


def test_compare_combos_beyond_one_tile(cuda: Any) -> None:
    """Boards of the greatest weight, in tiles of four: two full ones and one of a single board."""
    code = device.source("arrays/compare_combos.cu").replace(
        f"TILE_BOARDS = {TILE_BOARDS}", "TILE_BOARDS = 4"
    )
    boards = np.tile(np.array(cards("AhKhQhJh9d"), np.uint8), (9, 1))
    ranks = rank_combos(cuda.asarray(boards), HOLDEM)
    weights = np.full(9, 63, np.uint8)
    wins = cuda.zeros((COMBOS, COMBOS), np.uint64)
    launch = cuda.RawModule(code=code, options=device.OPTIONS).get_function("compare_combos")
    launch((4,), (256,), (ranks, cuda.asarray(weights), np.int64(9), wins))
    one = expected_wins(cuda.asnumpy(ranks[:1]), weights[:1])
    assert np.array_equal(cuda.asnumpy(wins), one * np.uint64(9))


@pytest.mark.slow
@pytest.mark.parametrize(("blocks", "threads", "seed"), [(1, 1, 0), (3, 7, 1), (20, 33, 2)])
def test_split_wins(cuda: Any, blocks: int, threads: int, seed: int) -> None:
    """Wins of one board of two, the other by a relabelling that exchanges suits."""
    host(cuda).seed = seed
    board, dead = cards("KhTh2c5s"), cards("9h")
    rng = np.random.default_rng(1)
    wins = rng.integers(0, 1 << 20, (COMBOS, COMBOS)) * 2
    orders = np.stack([np.arange(COMBOS), suit_relabellings()[5]])
    averaged = (wins + wins[orders[1][:, None], orders[1]]) // 2
    expected = split_wins(averaged, board, dead)
    out = [cuda.full((COMBOS, COMBOS), 7, np.int64) for _ in range(2)]
    known = np.uint64(sum(1 << card for card in (*board, *dead)))
    given = cuda.asarray(wins.astype(np.uint64)), cuda.asarray(orders.astype(np.int32)), np.int32(2)
    launch = device.kernel("arrays/compare_combos", "split_wins")
    launch((blocks,), (threads,), (*given, packed_pairs(), known, np.int64(43), *out))
    for ours, theirs in zip(out, expected, strict=True):
        assert np.array_equal(cuda.asnumpy(ours), theirs)


def test_matrix_in_pieces(cuda: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(cuda.cuda, "settings"):
        pytest.skip("only the stand-in can be short of memory")
    board = cards("KhTh2c5s")  # 48 boards
    settings = cuda.cuda.settings
    settings.free_bytes = 40 * BYTES_PER_BOARD  # pieces of 20 boards ...
    plenty = settings.max_bytes

    def rank_seven(boards: Any, game: Any) -> Any:
        settings.max_bytes = 7 * BYTES_PER_BOARD  # ... of which 7 fit: halved twice
        try:
            return rank_combos(boards, game)
        finally:
            settings.max_bytes = plenty

    monkeypatch.setattr("gpuodds.backends.cuda.arrays.combos.rank_combos", rank_seven)
    shares: list[float] = []
    found = heads_up_matrix(HOLDEM, board, progress=shares.append)
    assert settings.refusals == 2
    assert shares == [*[count / 48 for count in range(5, 48, 5)], 1.0]
    expected = cpu_combos.heads_up_matrix(HOLDEM, board)
    assert np.array_equal(found[0], expected[0]) and np.array_equal(found[1], expected[1])


def test_table_of_pairs_serves_every_number_of_things(cuda: Any) -> None:
    pairs = cuda.asnumpy(packed_pairs())
    assert pairs.dtype == np.uint16 and len(pairs) == COMBOS
    for count in (2, 3, 17, 52):
        first = pairs[: count * (count - 1) // 2]
        assert (first >> 8).max() == count - 1
        assert len(np.unique(first)) == len(first) and ((first & 0xFF) < (first >> 8)).all()


def check_deals(hero: str, boards: np.ndarray, opponents: int, dead: str) -> None:
    """Compare with the engine, whose answer for a full board adds up the same deals by ties."""
    found = enumerate_deals(hand(hero), boards, opponents, cards(dead))
    assert found.shape == (len(boards), opponents + 1) and found.dtype == np.int64
    for board, counts in zip(boards.tolist(), found.tolist(), strict=True):
        spot = equity(hero, opponents=opponents, board=board, dead=dead, table=False, backend="cpu")
        assert counts == [spot.players[0].win_outcomes, *spot.players[0].tie_outcomes]


@pytest.mark.parametrize(("hero", "board", "dead"), [spot for spot in SPOTS if len(spot[1]) == 10])
def test_enumerate_two_opponents(cuda: Any, hero: str, board: str, dead: str) -> None:
    check_deals(hero, np.array([cards(board)], np.uint8), 2, dead)


@pytest.mark.parametrize(
    ("hero", "board", "dead"),
    [
        ("2c3d", "AhKhQhJh9d", ""),  # few combos do not beat hero
        ("2d3d", "AcKcQcJcTc", "2c3c4c5c6c7c8c9c2h3h4h5h6h7h8h9h2s3s4s5s6s7s8s"),  # everyone ties
        ("AhKd", "2h5h9hJh3c", "2c3d4c5c6c7c8c9c2d3s4h5d6h7h8h9d2s3h4s5s6s7s8s"),
    ],
)
def test_enumerate_three_opponents(cuda: Any, hero: str, board: str, dead: str) -> None:
    check_deals(hero, np.array([cards(board)], np.uint8), 3, dead)


@pytest.mark.weekly
@pytest.mark.parametrize(
    ("hero", "board", "dead"), [("AhKd", "2h5h9hJh3c", ""), ("7c7d", "7h2s2dAsKd", "")]
)
def test_enumerate_three_opponents_with_a_full_deck(
    cuda: Any, hero: str, board: str, dead: str
) -> None:
    check_deals(hero, np.array([cards(board)], np.uint8), 3, dead)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_enumerate_deals_in_any_order(cuda: Any, seed: int) -> None:
    host(cuda).seed = seed
    boards = full_boards(cards("9hTd8s7d"), cards("2c3cQh"))[::9]
    dead = "2h3h4h5h6h8hKhAh2s3s4s5s6s7sKsAs"
    boards = boards[~np.isin(boards, cards(dead)).any(axis=1)]
    check_deals("2c3c", boards, 2, dead)
    check_deals("2c3c", boards[:2], 3, dead)


def test_enumerate_deals_refuses_other_numbers_of_opponents(cuda: Any) -> None:
    with pytest.raises(InputError, match="takes 2 or 3"):
        enumerate_deals((0, 1), np.zeros((0, 5), np.uint8), 4)


def test_rank_tables_are_those_of_the_cpu(cuda: Any) -> None:
    from gpuodds.games.shared.hand_ranks import hand_rank_tables

    for ours, theirs in zip(rank_tables(HOLDEM), hand_rank_tables()[:5], strict=True):
        assert np.array_equal(cuda.asnumpy(ours), theirs)
