"""Public names stay importable, also the old names of moved modules; docs/stability.md lists both."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator

import pytest
from pages import ROOT

import gpuodds
from gpuodds import _moved
from gpuodds.betting.opening_pot import OLD_POT_MODES
from gpuodds.five_card.match import OLD_NAMES
from gpuodds.games.five_card import OLD_RANKINGS
from gpuodds.tables.manifest import OLD_SCHEMAS

STABILITY = (ROOT / "docs" / "stability.md").read_text("utf-8")
SOURCES = [
    file.read_text("utf-8") for room in ("gpuodds", "cli") for file in (ROOT / room).rglob("*.py")
]

NAMES = {
    "gpuodds": """
        AsyncClient BoardReport Client Equities EquityBatch EquityGraph EquityResult FlopEquities
        ImpossibleDeal InputError Losses NotEnoughSamples PlayerEquity Range RangeHits RangePreset
        Sampling ServerError TableError __version__ canonical_cards canonical_rows count_disjoint
        count_distinct_boards equities equities_by_next_card equities_by_opponents equity
        equity_batch flop_equities flop_report heads_up_matrix losses low_ranks range_hits
        range_presets rank_combos rank_hands register_ranking table turn_report
    """,
    "gpuodds.betting": "Advice Odds Option Outcome Run SidePot Stakes Wager kelly_bet simulate",
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
        from_base_13 from_base_52 from_suit_order hand_value to_base_13 to_base_52 to_suit_order
    """,
    "gpuodds.play": """
        Deal Ended FreezeOutResult HandResult Level MatchResult Move Observation Played Player Rules
        ServerEquities play_acpc play_freeze_out play_hand play_match play_pairs read_definition
        read_histories read_levels write_histories
    """,
    "gpuodds.play.bots": """
        BOTS Adaptive AdaptiveSettings AllIn Caller Kelly KellySettings Pokerbot PokerbotSettings
        RandomBot Tight TightSettings find_bot
    """,
    "gpuodds.results": """
        BoardRow Considered Explanation HandEquity HandHits HiLoEquity Hit MadeHand StreetHits
    """,
    "gpuodds.spots": "Cards ClassRow Player Spot",
    "gpuodds.tables": "ShippedTable StoredTable export_to_file",
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
        oldest.append(f"{title} {wanted.partition('>=')[2]}")
    assert f"{oldest[0]}, {oldest[1]} and {oldest[2]}" in STABILITY


def old_names() -> Iterator[tuple[str, str]]:
    """Yield every deprecated name with its new one: of the lists, and of the calls that warn."""
    for names in (_moved.MODULES, _moved.NAMES, OLD_NAMES, OLD_POT_MODES, OLD_RANKINGS):
        yield from names.items()
    for text in SOURCES:
        for call in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)):
            name = getattr(call.func, "id", getattr(call.func, "attr", ""))
            given = [str(one.value) for one in call.args if isinstance(one, ast.Constant)]
            if name == "renamed" and len(given) == 2:
                yield given[0], given[1]
            elif name == "from_old_names":
                yield from ast.literal_eval(call.args[1]).items()


@pytest.mark.parametrize(("old", "new"), sorted({*old_names()}))
def test_the_page_lists_every_old_name(old: str, new: str) -> None:
    assert f"`{old}` → `{new}`" in STABILITY


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
        assert getattr(gpuodds, "rank_holdings") is gpuodds.rank_combos  # noqa: B009
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
