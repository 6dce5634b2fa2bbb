# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Omaha in ten minutes
#
# Omaha is hold'em with four hole cards and one more rule: a hand is made of *exactly
# two* hole cards and *exactly three* cards of the board. In gpuodds it is
# `game="omaha"`.

# %%
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np

import gpuodds
from gpuodds.cards import parse_cards
from gpuodds.games.shared.hand_names import hand_name


def made(hole: str, board: str) -> str:
    cards = parse_cards(hole + board)
    return hand_name(int(gpuodds.rank_hands([cards], game="omaha")[0]))


# %% [markdown]
# ## Exactly two
#
# * Four spades on the board and the ace of spades in the hand are no flush. It takes a
#   second spade in the hand.
# * A straight on the board is no straight, unless two hole cards take part.
# * Three aces in the hand are a pair of aces.

# %%
for hole, board in (
    ("AsKh7d2c", "3s6s9sJsQd"),
    ("3d3h2d2c", "9sTdJhQcKs"),
    ("AsAhAd7c", "2s5d8hTcKd"),
):
    print(hole, "on", board, "is a", made(hole, board))
assert made("AsKh7d2c", "3s6s9sJsQd").startswith("high card")
assert made("3d3h2d2c", "9sTdJhQcKs").startswith("pair of threes")
assert made("AsAhAd7c", "2s5d8hTcKd").startswith("pair of aces")

# %% [markdown]
# ## Known hands
#
# Double-suited aces and kings against a double-suited run of four:

# %%
aces, run = "AsAhKsKh", "7c8c9dTd"
omaha = gpuodds.equity([aces, run], game="omaha")
assert omaha.winners == {"A": 654_359, "B": 431_649}
omaha

# %% [markdown]
# The aces have 60 % of the pot. In hold'em two aces have 77 % against ten-nine suited.
# Four cards make six pairs of hole cards, so most hands have something to play with.

# %%
two_cards = gpuodds.equity(["AsAh", "Td9d"])
assert (round(100 * omaha.equity), round(100 * two_cards.equity)) == (60, 77)

# %% [markdown]
# ## All hands against a random hand
#
# The exact equity of a hand against a random one is 50 % on average. In hold'em it goes
# from 32 % (32o) to 85 % (AA). In Omaha it goes from 9 % (2222) to 72 % (AATT
# double-suited), and more hands are close to the mean:

# %% mystnb={"image": {"alt": "Equities of all starting hands"}} tags=["hide-input"]
table = gpuodds.table("omaha-preflop-random")
rows = table.to_arrow().to_pylist()
assert len(rows) == 16_432 and sum(row["combos"] for row in rows) == 270_725
pots = sum(row["combos"] * (2 * row["win"] + row["tie"]) for row in rows)
assert Fraction(pots, 2 * 270_725 * rows[0]["outcomes"]) == Fraction(1, 2)
worst, *_, best = sorted(rows, key=lambda row: row["equity"])
assert (worst["hand"], best["hand"]) == ("2w2x2y2z", "AwAxTwTx")
assert (round(100 * worst["equity"]), round(100 * best["equity"])) == (9, 72)

holdem = gpuodds.equity("random", opponents=1, by_hand=True).equity_graph(0)
for place, name, percent in ((0, "AA", 85), (-1, "32o", 32)):
    assert holdem.equity[place] == gpuodds.equity(name).equity
    assert round(100 * holdem.equity[place]) == percent

figure, axes = plt.subplots(figsize=(8, 3.6))
style = {"bins": range(0, 91, 2), "alpha": 0.6}
hands = 100 * np.diff(holdem.share, prepend=0)
axes.hist(100 * np.array(holdem.equity), weights=hands, label="hold'em", **style)
hands = np.array([row["combos"] / 2_707.25 for row in rows])
equities = [100 * row["equity"] for row in rows]
axes.hist(equities, weights=hands, label="Omaha", **style)
axes.set(xlabel="equity against a random hand, %", ylabel="hands, %")
axes.legend(loc="upper left")
axes.grid(axis="x", visible=False)

# %% [markdown]
# ## Ranges
#
# A range names some of the four cards; the others may be any:
#
# | text | hands |
# | --- | --- |
# | `AA` | at least two aces |
# | `AA:$ds` | of these the double-suited ones |
# | `JT98:$ds` | these four ranks, double-suited |
# | `15%` | the best 15 % by equity against a random hand |
#
# Texts of hold'em mean something else: `AKs` is an ace and the king of spades. [Ranges
# as text](../ranges.md#omaha) has the syntax.

# %%
texts = ("AA", "AA:$ds", "JT98:$ds", "AKs")
combos = [gpuodds.Range(text, game="omaha").weight for text in texts]
assert combos == [6_961, 864, 36, 4_610]

# %% [markdown]
# Two aces have 65.5 % against a random hand: 51.9 % with two more aces, which leave
# none to come, and 71.5 % with the best other cards.

# %%
assert f"{gpuodds.equity('AA', game='omaha').equity:.1%}" == "65.5%"
equity = {}
for text in ("AAAA", "AA72 rb", "AAKK rb", "AAKK ds", "AATT ds"):
    (row,) = table.lookup(text)
    equity[text] = f"{row['equity']:.1%}"
assert (equity["AAAA"], equity["AATT ds"]) == ("51.9%", "71.5%")
equity

# %% [markdown]
# ## Flops
#
# `flop_report` counts the aces against the run on every flop. They are behind on 33 %
# of the flops. In hold'em two aces are behind ten-nine suited on 8 %.


# %%
def behind(report: gpuodds.BoardReport) -> Fraction:
    dealt = [row for row in report.rows if row.outcomes]
    lost = [row.weight for row in dealt if row.players[0].equity < 0.5]
    return Fraction(sum(lost), sum(row.weight for row in dealt))


report = gpuodds.flop_report([aces, run], game="omaha")
assert report.players[0].win_outcomes == 10 * 654_359  # each board on its ten flops
assert behind(report) == Fraction(4_367, 13_244)
assert round(100 * behind(report)) == 33
assert round(100 * behind(gpuodds.flop_report(["AsAh", "Td9d"]))) == 8

# %% [markdown]
# ## Hi-lo
#
# In `omaha-hi-lo` half of the pot goes to the best low: five ranks of eight or lower,
# of two hole cards and three of the board. Without a low the high hand takes all.
# AsAh2c3d wins the high on 58 % of the boards. Kings, queens and jacks never make a
# low:

# %%
answer = gpuodds.equity(["AsAh2c3d", "KcKdQcJd"], game="omaha-hi-lo")
assert answer.winners == {"A": 626_714, "B": 459_294}
assert answer.low_winners == {"": 480_024, "A": 605_984}
assert round(100 * 626_714 / answer.outcomes) == 58
answer

# %% [markdown]
# * *Counterfeited.* On 2c 4c 8d Kd Ts, AsKs2hQd has no low: its deuce is on the board,
#   and with two more hole cards only four low ranks remain. A three in place of the
#   queen helps.
# * *Quartered.* On 4c 8d 7h Kd Ts two players have the same low, and share its half.
#   The one with the better high takes three quarters of the pot.

# %%
cards = [parse_cards(hole + "2c4c8dKdTs") for hole in ("AsKs2hQd", "AsKs2h3d")]
without, with_three = gpuodds.low_ranks(cards, game="omaha-hi-lo")
assert without == 0 < with_three
quartered = gpuodds.equity(
    ["AsKs2h3d", "AhQc2c9d"], board="4c8d7hKdTs", game="omaha-hi-lo"
)
assert quartered.low_winners == {"AB": 1}
assert quartered.players[0].equity_exact == Fraction(3, 4)
