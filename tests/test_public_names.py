"""Public names stay importable, also the old names of moved modules."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

import gpuodds
from gpuodds import _moved

NAMES = {
    "gpuodds": """
        AsyncClient BoardReport Client Equities EquityBatch EquityGraph EquityResult FlopEquities
        InputError Losses PlayerEquity Range RangeHits RangePreset Sampling __version__ canonical_cards
        canonical_rows count_disjoint count_distinct_boards equities equities_by_next_card
        equities_by_opponents equity equity_batch flop_equities flop_report heads_up_matrix losses
        low_ranks range_hits range_presets rank_combos rank_hands register_ranking table turn_report
    """,
    "gpuodds.betting": "Advice Option Run kelly_bet simulate",
    "gpuodds.five_card": """
        Draw DrawResult FiveCardOdds MatchResult best_draw count_hands count_high_cards
        five_odds play_match
    """,
    "gpuodds.cards": """
        DECK_SIZE RANKS SUITS format_card format_cards from_seed_mask parse_cards to_seed_mask
    """,
    "gpuodds.numbering": """
        from_base_13 from_base_52 from_suit_order hand_value to_base_13 to_base_52 to_suit_order
    """,
    "gpuodds.client": "AsyncClient Client ServerError",
}


@pytest.mark.parametrize("module", NAMES)
def test_public_names_stay(module: str) -> None:
    found = importlib.import_module(module)
    for name in NAMES[module].split():
        assert getattr(found, name) is not None


@pytest.mark.parametrize("package", ["gpuodds", "gpuodds.betting", "gpuodds.five_card"])
def test_a_package_lists_its_public_names(package: str) -> None:
    assert sorted(importlib.import_module(package).__all__) == sorted(NAMES[package].split())


@pytest.mark.parametrize("old", _moved.MODULES)
def test_moved_modules_are_found_under_their_old_names(old: str) -> None:
    sys.modules.pop(f"gpuodds.{old}", None)
    with pytest.warns(DeprecationWarning, match=rf"gpuodds\.{old} is now"):
        module = importlib.import_module(f"gpuodds.{old}")
    new = importlib.import_module(f"gpuodds.{_moved.MODULES[old]}")
    for name in [name for name in vars(new) if not name.startswith("_")]:
        assert getattr(module, name) is getattr(new, name)
    with pytest.raises(AttributeError, match="nonsense"):
        module.nonsense  # noqa: B018


def test_renamed_functions_are_found_under_their_old_names() -> None:
    with pytest.warns(DeprecationWarning, match=r"gpuodds\.rank_holdings is now gpuodds\.rank_combos"):
        assert gpuodds.rank_holdings is gpuodds.rank_combos
    from gpuodds.games.holdem.combos import combo_cards, combo_index

    with pytest.warns(DeprecationWarning):
        holdings = importlib.reload(importlib.import_module("gpuodds.holdem.holdings"))
    assert holdings.holding_index is combo_index and holdings.holding_cards is combo_cards
    assert holdings.HOLDINGS == 1326


def test_the_package_itself_uses_no_old_name() -> None:
    code = "import gpuodds, gpuodds.betting; gpuodds.equity('AsKs', opponents=3); gpuodds.Range('15%')"
    subprocess.run([sys.executable, "-P", "-W", "error::DeprecationWarning", "-c", code], check=True)


def test_range_of_holdings_warns_and_gives_combos() -> None:
    with pytest.warns(DeprecationWarning, match=r"Range\.of_holdings is now Range\.of_combos"):
        assert gpuodds.Range.of_holdings(holdings=["AsKh"]) == gpuodds.Range.of_combos(["AsKh"])
