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
# # All-in or fold, with a certificate
#
# Two players with ten big blinds each. The small blind goes all-in or folds; the big
# blind calls or folds. What should they do?

# %%
import matplotlib.pyplot as plt
import numpy as np

import gpuodds
from gpuodds.short_stacks import heads_up_tournament

result = gpuodds.push_fold([10, 10])
print(f"all-in {result.percent('SB'):.2f} %, call {result.percent('BB:SB'):.2f} %")
print(f"the small blind gains {result.values[0]:+.6f} big blinds a hand")
assert f"{result.values[0]:.9f}" == "-0.045370753"

# %% [markdown]
# The answer comes with its proof: what the best reply of each player to the printed
# chart of the other would gain, in rational numbers from exact counts.

# %%
certificate = result.certificate
print(f"best responses gain {float(certificate.gain):.1e} big blinds")
assert certificate.exact and certificate.gain < 1e-9

# %% [markdown]
# The deeper the stacks, the fewer hands go all-in, and the more the small blind loses.

# %%
stacks = np.arange(2, 26)
answers = [gpuodds.push_fold([stack, stack]) for stack in stacks.tolist()]
figure, (shares, values) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
shares.plot(stacks, [answer.percent("SB") for answer in answers], label="all-in")
shares.plot(stacks, [answer.percent("BB:SB") for answer in answers], label="call")
shares.set(xlabel="stacks, big blinds", ylabel="hands, %")
shares.legend()
values.plot(stacks, [answer.values[0] for answer in answers])
values.set(xlabel="stacks, big blinds", ylabel="the small blind gains, big blinds")
plt.show()

# %% [markdown]
# ## A whole tournament
#
# P. B. Miltersen and T. B. Sørensen (2007) solved a tournament of two players: 8,000
# chips in play, blinds of 300 and 600, all-in or fold. After each hand another one
# begins with other stacks, so the whole is one large game. They found that the chance
# to win is nearly the share of the chips. Here is their curve, for every stack that
# can occur, with bounds that are proved.

# %%
tournament = heads_up_tournament(8000, (300, 600))
print(f"{len(tournament.states)} stacks, bounds {float(tournament.gap):.1e} apart")
assert tournament.gap < 1e-8

chips = np.array([state.stack for state in tournament.states])
small = np.array([state.small_blind for state in tournament.states])
big = np.array([state.big_blind for state in tournament.states])
figure, axes = plt.subplots(figsize=(9, 4), layout="constrained")
axes.plot(chips, 100 * (small - chips / 8000), label="posts the small blind")
axes.plot(chips, 100 * (big - chips / 8000), label="posts the big blind")
axes.axhline(0, color="black", linewidth=0.8)
axes.set(xlabel="chips", ylabel="chance to win, less the share of all chips, %")
axes.legend()
plt.show()
assert np.abs(small - chips / 8000).max() < 0.012

# %% [markdown]
# With half of the chips, posting the small blind is worth a little more or less than a
# half, by how the stack divides into blinds.

# %%
even = next(state for state in tournament.states if state.stack == 4000)
print(f"4,000 chips: the small blind wins {even.small_blind:.4%}")
print(f"all-in with {even.all_in:.2f} %, call with {even.call:.2f} % of hands")

# %% [markdown]
# ## Three players
#
# S. Ganzfried and T. Sandholm (2008) took three players, 13,500 chips and the same
# blinds. Three players need tables that take minutes to build, so their answers are on
# [the page](../push-fold.md#three-players-of-a-tournament). One call gives each:
#
# ```python
# gpuodds.push_fold([4500, 4500, 4500], blinds=(300, 600), payouts=[50, 30, 20])
# ```
