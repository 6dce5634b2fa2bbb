"""The equity formula of tables: for one row, and for columns of rows."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuodds.tables.columns import to_floats, to_integers
from gpuodds.tables.equities import equity_column, equity_of, pots_won

counts = st.lists(st.integers(0, 10**36), min_size=1, max_size=10)


@given(counts)
def test_each_winner_has_an_equal_share(by_ties: list[int]) -> None:
    # Of a deal that the hand splits with t others, all t + 1 of them win one pot together.
    assert pots_won(by_ties) == sum(Fraction(n, t + 1) for t, n in enumerate(by_ties))
    assert pots_won([(t + 1) * n for t, n in enumerate(by_ties)]) == sum(by_ties)


@given(counts)
def test_columns_are_as_rows(by_ties: list[int]) -> None:
    outcomes = sum(by_ties) + 1
    low = [np.array([n & (1 << 64) - 1], np.uint64) for n in by_ties]
    high = [np.array([n >> 64], np.uint64) for n in by_ties]
    halves = list(zip(low, high, strict=True))
    assert [int(to_integers(*pair)[0]) for pair in halves] == by_ties
    (found,) = equity_column([to_floats(*pair) for pair in halves], outcomes)
    assert found == pytest.approx(equity_of(by_ties, outcomes), rel=1e-14)
