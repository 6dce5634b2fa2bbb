"""Three players on the tables of the whole game: certificates, and values by drawn deals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.games.holdem.starting_hands import starting_hands
from gpuodds.short_stacks.result import PushFoldResult
from gpuodds.short_stacks.tables import NAMES, build_tables, missing_tables
from gpuodds.table_building.verify import verify
from gpuodds.tables.files.locate import find_table

pytestmark = pytest.mark.weekly

DEALS = 1_000_000


@pytest.fixture(scope="module", autouse=True)
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The tables of three hands: those of the user, else built here in minutes."""
    with pytest.MonkeyPatch.context() as patch:
        if missing_tables():
            patch.setenv("GPUODDS_TABLES", str(tmp_path_factory.mktemp("tables")))
            build_tables()
        yield


@pytest.mark.parametrize("name", NAMES)
def test_tables_hold_what_they_promise(name: str) -> None:
    """Among it: sums over the folded hand are 903 times the table of two hands."""
    folder = find_table(name)
    assert folder is not None
    assert len(verify(folder)) > 3


SPOTS: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "chips": ([10, 10, 10], {}),
    "prizes": ([15, 10, 8], {"payouts": [50, 30, 20]}),
    "winner takes all": ([8, 15, 10], {"payouts": [100]}),
    "antes": ([12, 7, 9], {"ante": 0.125}),
    "ante of the big blind": ([6, 20, 3], {"bb_ante": 1}),
    "bounties": ([10, 6, 14], {"payouts": [50, 50], "bounties": [10, 10, 10]}),
    "progressive": ([10, 6, 14], {"payouts": [60, 40], "bounties": [5, 8, 12], "progressive": True}),
    "short": ([1, 0.8, 5], {"payouts": [60, 40]}),
}


@pytest.mark.parametrize("name", SPOTS)
def test_certificates_of_three(name: str) -> None:
    stacks, options = SPOTS[name]
    result = gpuodds.push_fold(stacks, **options)
    assert result.exact and result.certificate.gain >= 0
    assert result.certificate.share_of_pool <= 1e-6
    if "payouts" not in options:
        assert result.certificate.gain <= 1e-4
    assert result.exact_values is not None
    gained = sum(result.exact_values)  # chips and prizes stay on the table; bounties are paid on top
    assert 0 < gained < sum(options["bounties"]) if "bounties" in options else gained == 0


def test_the_same_spot_in_other_units() -> None:
    one = gpuodds.push_fold([12, 7, 9], ante=0.125)
    other = gpuodds.push_fold([2400, 1400, 1800], blinds=(100, 200), ante=25)
    assert other.values == pytest.approx([200 * value for value in one.values], abs=1e-6)


def test_equal_prizes_leave_nothing_to_win() -> None:
    result = gpuodds.push_fold([10, 6, 14], payouts=[10, 10, 10])
    assert result.values == (0, 0, 0) and result.certificate.gain == 0


def test_the_winner_s_prize_is_worth_chips() -> None:
    prize = gpuodds.push_fold([8, 15, 10], payouts=[33])
    chips = gpuodds.push_fold([8, 15, 10])
    assert prize.values == pytest.approx(chips.values, abs=1e-5)


def test_a_locked_button_is_answered() -> None:
    wide = gpuodds.push_fold([10, 10, 10], lock={"BTN": "100%"})
    free = gpuodds.push_fold([10, 10, 10])
    assert wide.certificate.share_of_pool <= 1e-6
    assert wide.percent("BB:BTN") > free.percent("BB:BTN") + 10
    assert wide.values[0] < free.values[0]


def starting_hand_numbers() -> Any:
    """The numbers of starting hands by lower rank, higher rank and whether the suits are one."""
    numbers = {hand: number for number, hand in enumerate(starting_hands())}
    ranks = "23456789TJQKA"
    found = np.full((13, 13, 2), -1)
    for low in range(13):
        found[low, low] = numbers[2 * ranks[low]]
        for high in range(low + 1, 13):
            found[low, high] = [numbers[ranks[high] + ranks[low] + suits] for suits in "os"]
    return found


def play(result: PushFoldResult, draw: np.random.Generator, deals: int) -> Any:
    """Deal to three players with 10 big blinds, let all play their charts; return what each gains."""
    cards = draw.permuted(draw.random((deals, 52)).argpartition(11, axis=1)[:, :11], axis=1)
    hands = cards[:, :6].reshape(-1, 3, 2)
    low, high = np.sort(hands // 4, axis=2).transpose(2, 0, 1)
    suits = hands % 4
    kinds = starting_hand_numbers()[low, high, (suits[:, :, 0] == suits[:, :, 1]).astype(int)]

    def chances(place: str, player: int) -> Any:
        chart = result.chart(place)
        return np.array([chart[hand] for hand in starting_hands()])[kinds[:, player]]

    drawn = draw.random((deals, 3))
    button = drawn[:, 0] < chances("BTN", 0)
    small = drawn[:, 1] < np.where(button, chances("SB:BTN", 1), chances("SB", 1))
    histories = [button & small, button, small]
    calls = [chances(place, 2) for place in ("BB:BTN,SB", "BB:BTN", "BB:SB")]
    all_in = np.stack([button, small, drawn[:, 2] < np.select(histories, calls, 0.0)], axis=1)
    blinds = np.array([0.0, 0.5, 1.0])
    # Who is all-in alone pays the larger blind of the others, and gets the rest back.
    alone = all_in.sum(axis=1, keepdims=True) == 1
    matched = np.where(alone, np.where(all_in, 0.0, blinds).max(axis=1, keepdims=True), 10.0)
    paid = np.where(all_in, matched, blinds)
    seven = np.concatenate([hands, np.repeat(cards[:, None, 6:], 3, axis=1)], axis=2)
    ranks = gpuodds.rank_hands(seven.reshape(-1, 7)).reshape(-1, 3).astype(int)
    shown = np.where(all_in, ranks, -1)
    wins = all_in & (shown == shown.max(axis=1, keepdims=True))
    wins[~all_in.any(axis=1)] = [False, False, True]  # all have folded to the big blind
    return wins * paid.sum(axis=1, keepdims=True) / wins.sum(axis=1, keepdims=True) - paid


def test_values_are_those_of_drawn_deals() -> None:
    """All three play their charts, and hands are compared by rank: no table has a part in it."""
    result = gpuodds.push_fold([10, 10, 10])
    draw = np.random.default_rng(5)
    gains = np.concatenate([play(result, draw, 50_000) for _ in range(DEALS // 50_000)])
    errors = gains.std(axis=0) / np.sqrt(DEALS)
    assert (np.abs(gains.mean(axis=0) - result.values) < 4 * errors).all()
