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
# # Kelly and ruin
#
# We hold QhQd before the flop. The opponent shows AsKs and calls any bet. How much of
# 1,000 chips, all that we own, do we bet?

# %%
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np

from gpuodds.betting import kelly_bet, simulate

advice = kelly_bet("QhQd", opponents=["AsKs"], bankroll=1_000)
win, lose = advice.odds.win, advice.odds.lose
assert (advice.action, advice.bet_chips) == ("bet", 76)
print(f"win {float(win):.2%}, lose {float(lose):.2%}, bet {advice.bet_chips} chips")

# %% [markdown]
# ## Kelly's bet
#
# Betting everything has the highest mean gain, and ruins us in 46 % of cases. Kelly's
# bet has the highest mean *logarithm* of the bankroll. Where a win doubles the bet, it
# is the chance to win less the chance to lose, ties aside. 917,606 boards win and
# 787,966 lose.

# %%
kelly = (win - lose) / (win + lose)
assert kelly == Fraction(917_606 - 787_966, 917_606 + 787_966)
assert round(float(lose), 2) == 0.46
assert abs(advice.fraction - kelly) < 1e-12
print(f"Kelly's bet: {float(kelly):.2%} of the bankroll")

# %% [markdown]
# `advice.option` evaluates other bets. Half of Kelly's bet has three quarters of the
# growth, and twice Kelly's bet has none. With a larger bet the bankroll shrinks,
# although the mean gain is positive:

# %%
bets = {"half of Kelly": kelly / 2, "Kelly": kelly, "twice Kelly": 2 * kelly}
growth = {name: advice.option(1_000 * bet).growth for name, bet in bets.items()}
assert round(growth["half of Kelly"] / growth["Kelly"], 2) == 0.75
assert round(growth["twice Kelly"] / growth["Kelly"], 1) == 0
larger = advice.option(1_000 * 3 * kelly)
assert larger.growth < 0 < advice.expected_value < larger.expected_value

# %% mystnb={"image": {"alt": "Growth of the bankroll by the bet"}} tags=["hide-input"]
figure, axes = plt.subplots(figsize=(8, 3.4))
sizes = np.linspace(0, 0.2, 101)
curve = [100 * advice.option(1_000 * size).growth for size in sizes]
axes.plot(100 * sizes, curve)
axes.axhline(0, color="0.5", lw=1)
for name, bet in bets.items():
    at = 100 * float(bet), 100 * growth[name]
    axes.plot(*at, "o", color="C1")
    shift, side = ((-8, 6), "right") if bet < kelly else ((8, 6), "left")
    axes.annotate(name, at, xytext=shift, textcoords="offset points", ha=side)
axes.set(xlabel="bet, % of the bankroll", ylabel="growth for each bet, %")
axes.set_ylim(-0.35, 0.35)
axes.margins(x=0)

# %% [markdown]
# ## A thousand bets
#
# Suppose that the spot comes a thousand times, and that we bet the same share of what
# we have each time. `simulate` plays ten thousand sessions with half of Kelly's bet,
# with Kelly's bet and with twice that, on the same cards:

# %%
sessions = simulate(advice, hands=1_000, seed=1)
print(f"{'':18}{'lowest 5 %':>13}{'median':>13}{'highest 5 %':>13}    ruined")
for run in sessions:
    ends = f"{run.low:13,.0f}{run.median:13,.0f}{run.high:13,.0f}"
    print(f"{run.name:18}{ends} {run.ruined:9.2%}")
half, full, twice = sessions
assert full.median > half.median > 1_000 > twice.median
assert half.low > full.low > twice.low
assert half.ruined == 0 and round(100 * twice.ruined) == 15

# %% [markdown]
# With twice Kelly's bet the median session ends below 1,000 chips, and 15 % of the
# sessions are ruined: at some time they have a thousandth of the bankroll or less. Half
# of Kelly's bet has the lower median and the better bad sessions. The plots show 90 %
# of the sessions as an area, the median as a line, and one session in grey:

# %% mystnb={"image": {"alt": "Bankrolls over a thousand bets"}} tags=["hide-input"]
draws = np.random.default_rng(1).random((2_000, 1_000))
win_share, not_lost = float(win), float(1 - lose)
figure, panels = plt.subplots(1, 3, figsize=(8, 3.2), sharey=True)
panels[0].set_ylabel("chips")
for axes, run in zip(panels, sessions, strict=True):
    won, lost = np.log1p(run.fraction), np.log1p(-run.fraction)
    steps = np.select([draws < win_share, draws < not_lost], [won, 0], lost)
    bankrolls = 1_000 * np.exp(steps.cumsum(axis=1))
    low, median, high = np.quantile(bankrolls, (0.05, 0.5, 0.95), axis=0)
    axes.fill_between(range(1_000), low, high, alpha=0.25, lw=0)
    axes.plot(median)
    axes.plot(bankrolls[0], color="0.5", lw=1)
    axes.set(yscale="log", ylim=(0.1, 1e7), xlabel="bets", title=run.name)

# %% [markdown]
# ## The chance to lose half
#
# With m times Kelly's bet the bankroll falls to the share a of its size, at some time,
# with a chance of about `a ** (2 / m - 1)`. For half of the bankroll that is 1/8 at
# half of Kelly's bet, 1/2 at Kelly's bet, and 1 at twice that. The formula is for small
# bets and sessions without an end. Four thousand bets come close to it:

# %%
long = simulate(advice, hands=4_000, seed=1)
print(f"{'bet':18}   formula   simulated")
for times, run in zip((0.5, 1, 2), long, strict=True):
    formula = 0.5 ** (2 / times - 1)
    print(f"{run.name:18}{formula:10.1%} {run.halved:11.1%}")
    assert abs(run.halved - formula) < (0.07 if times == 2 else 0.02)

# %% [markdown]
# ## All in
#
# Kelly's bet leaves something after each loss. Bet everything ten times in a row
# instead: the mean bankroll doubles, and 998 of 1,000 players end with nothing.

# %%
assert round(float((1 + win - lose) ** 10)) == 2
assert round(1_000 * (1 - (1 - lose) ** 10)) == 998

# %% [markdown]
# ## At the table
#
# With several opponents `kelly_bet` takes the exact odds of the whole showdown, and all
# ways to split the pot. What is in the pot can be won without a bet, so a larger pot
# makes Kelly's bet smaller:

# %%
for pot, chips in ((0, 2_530), (100, 2_514), (1_000, 2_366)):
    advice = kelly_bet("QdQs", board="2s7d9h", opponents=2, bankroll=5_000, pot=pot)
    assert (advice.action, advice.bet_chips) == ("bet", chips)

# %% [markdown]
# `bankroll` is all that we own, `stack` the part of it on the table. Facing an all-in
# bet of 1,000 chips, aces fold if these are everything, and call with 19,000 more in
# reserve. [How much to bet](../betting.md) explains both, side pots, and opponents who
# fold.

# %%
for bankroll, action in ((1_000, "fold"), (20_000, "call")):
    advice = kelly_bet(
        "AhAd", opponents=1, bankroll=bankroll, stack=1_000, pot=1_050, to_call=1_000
    )
    assert advice.action == action
