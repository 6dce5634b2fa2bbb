"""Public names stay importable, and docs/stability.md lists their modules."""

from __future__ import annotations

import importlib
import re
import tomllib

import pytest
from pages import ROOT

from gpuodds.tables.files.manifest import OLD_SCHEMAS

STABILITY = (ROOT / "docs" / "stability.md").read_text("utf-8")
SOURCES = [
    file.read_text("utf-8") for room in ("gpuodds", "cli") for file in (ROOT / room).rglob("*.py")
]

NAMES = {
    "gpuodds": """
        AsyncClient BoardReport Client DoubleBoardPlayer DoubleBoardResult Equities EquityBatch
        EquityGraph EquityResult FlopEquities ImpossibleDeal InputError Losses NotEnoughSamples
        PlayerEquity PushFoldResult Range RangeHits
        RangePreset Sampling ServerError TableError __version__ canonical_cards canonical_rows
        count_disjoint count_distinct_boards double_board
        equities equities_by_next_card equities_by_opponents equity
        equity_batch flop_equities flop_report fold_values heads_up_matrix icm losses low_ranks
        push_fold range_hits
        range_presets rank_combos rank_hands register_ranking showdown_values table turn_report
    """,
    "gpuodds.betting": """
        Advice FoldCurve FoldFit Odds Option Outcome Replies Run SidePot Stakes Wager kelly_bet simulate
    """,
    "gpuodds.cards": """
        DECK_SIZE RANKS SUITS format_card format_cards from_seed_mask parse_cards to_seed_mask
    """,
    "gpuodds.client": "AsyncClient Client ServerError",
    "gpuodds.errors": "ImpossibleDeal InputError NotEnoughSamples TableError",
    "gpuodds.five_card": """
        Draw DrawResult FiveCardOdds FoldModel MatchResult RegressionSettings best_draw count_hands
        count_high_cards five_odds play_match
    """,
    "gpuodds.games": "GAMES Game combo_cards combo_index find_game starting_hands",
    "gpuodds.numbering": """
        combo_cards from_base_13 from_base_52 from_suit_order hand_value to_base_13 to_base_52
        to_suit_order
    """,
    "gpuodds.play": """
        BotError Deal Ended FreezeOutResult HandResult Level MatchResult Move Observation Played Player
        Rules ServerEquities Turn Yardstick play_acpc play_freeze_out play_hand play_match play_pairs
        read_definition read_histories read_levels write_histories
    """,
    "gpuodds.play.bots": """
        BOTS Adaptive AdaptiveSettings AllIn Caller Kelly KellySettings Pokerbot PokerbotSettings
        PushFold RandomBot Simulating SimulatingSettings Tight TightSettings find_bot
    """,
    "gpuodds.results": """
        BoardRow CallValue Considered Explanation HandBlockers HandEquity HandHits HiLoEquity Hit
        MadeHand StreetHits
    """,
    "gpuodds.short_stacks": """
        Certificate Decision Ending Opponent Posted PushFoldSpot SearchState TournamentResult
        TournamentState heads_up_tournament
    """,
    "gpuodds.spots": "Cards ClassRow DoubleBoardSpot Player Spot",
    "gpuodds.tables": "Clustering Neighbour ShippedTable StoredTable Sums export_to_file",
}


@pytest.mark.parametrize("module", NAMES)
def test_public_names_stay(module: str) -> None:
    found = importlib.import_module(module)
    assert sorted(found.__all__) == sorted(NAMES[module].split())
    for name in found.__all__:
        assert getattr(found, name) is not None


def test_the_page_lists_the_public_modules() -> None:
    """All but those whose names are in ``gpuodds``, too."""
    listed = re.findall(r"^\| `(gpuodds[\w.]*)` \|", STABILITY, re.M)
    again = {"gpuodds.client", "gpuodds.errors"}
    assert listed == [module for module in NAMES if module not in again]
    for module in again:
        assert {*NAMES[module].split()} <= {*NAMES["gpuodds"].split()}


def test_the_page_lists_the_formats() -> None:
    written = {found for text in SOURCES for found in re.findall(r'"(gpuodds\.[\w-]+/\d+)"', text)}
    assert {*re.findall(r"`(gpuodds\.[\w-]+/\d+)`", STABILITY)} == written - {*OLD_SCHEMAS}


def test_the_page_has_the_oldest_versions() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    oldest = [f"Python {project['requires-python'].removeprefix('>=')}"]
    for name, title in (("numpy", "NumPy"), ("numba", "numba")):
        (wanted,) = (one for one in project["dependencies"] if one.startswith(f"{name}>="))
        oldest.append(f"{title} {wanted.partition('>=')[2].partition(',')[0]}")
    assert f"{oldest[0]}, {oldest[1]} and {oldest[2]}" in STABILITY
