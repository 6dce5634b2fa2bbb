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
# # Range against range on all 1,755 flops
#
# A player raises before the flop, the big blind calls. Which flops are good for whom?
# The two ranges are examples:

# %%
import matplotlib.pyplot as plt
import numpy as np

import gpuodds
from gpuodds.cards import RANKS, format_cards

raiser = gpuodds.Range("55+,A2s+,K9s+,QTs+,JTs,T9s,ATo+,KJo+")
caller = gpuodds.Range(
    "JJ-22,AQs-A2s,KTs+,QTs+,J9s+,T8s+,97s+,86s+,75s+,64s+,54s,AQo-ATo,KJo+,QJo"
)
assert (raiser.weight, caller.weight) == (212, 248)

# %% [markdown]
# There are 22,100 flops. Many differ only in the names of the suits; 1,755 do not.
# `flop_report` counts the two ranges on each of these, over all turns and rivers:

# %%
report = gpuodds.flop_report([raiser, caller])
assert len(report.rows) == 1_755
assert sum(row.weight for row in report.rows) == 22_100

# %% [markdown]
# ## The sum is the answer before the flop
#
# Any three cards of a board of five could be its flop, so each board is counted on ten
# flops. The counts of the report add up to ten times those before the flop:

# %%
before = gpuodds.equity([raiser, caller])
for over_flops, player in zip(report.players, before.players, strict=True):
    assert over_flops.win_outcomes == 10 * player.win_outcomes
    assert over_flops.tie_outcomes == (10 * player.tie_outcomes[0],)
    assert over_flops.equity_exact == player.equity_exact
assert f"{before.equity:.2%}" == "56.03%"
before.winners

# %% [markdown]
# ## The best and the worst flops
#
# The raiser has 56.03 % of the pot before the flop, and more than half of it on every
# flop. On the worst ones little of the lead is left:

# %%
ranked = report.sorted("equity_1").rows
for row in (*ranked[:4], *ranked[-4:]):
    print(format_cards(row.cards), f"{row.players[0].equity:7.2%}", *row.textures)
assert format_cards(ranked[0].cards) == "AdAcKh"
assert format_cards(ranked[-1].cards) == "Tc9c8d"
assert ranked[-1].players[0].equity > 0.5

# %% [markdown]
# Suits matter little, ranks a lot. A flop of one suit costs the raiser 1.2 percentage
# points on average, an eight-high flop 3.5:

# %%
textures = {
    name: players[0].equity for name, (_, players) in report.by_texture().items()
}
assert round(100 * (before.equity - textures["monotone"]), 1) == 1.2
assert round(100 * (before.equity - textures["8-high"]), 1) == 3.5

# %% mystnb={"image": {"alt": "Flops by the raiser's equity"}} tags=["hide-input"]
figure, axes = plt.subplots(figsize=(8, 3.6))
edges, below = np.arange(50, 67.5, 0.5), np.zeros(34)
for suits in ("rainbow", "two-tone", "monotone"):
    rows = report.select(suits).rows
    shares = [100 * row.players[0].equity for row in rows]
    flops, _ = np.histogram(shares, edges, weights=[row.weight for row in rows])
    axes.bar(edges[:-1], flops, 0.42, below, align="edge", label=suits)
    below += flops
axes.axvline(100 * before.equity, color="0.5", ls="--")
axes.text(100 * before.equity + 0.2, 1400, "before the flop")
axes.set(xlabel="equity of the raiser, %", ylabel="flops", xlim=(50, 67))
axes.legend(loc="upper right")
axes.grid(axis="x", visible=False)

# %% [markdown]
# The two highest ranks explain most of it. Each cell is the mean over all flops with
# these two ranks, from 63 % with an ace and a king to 52 % with an eight and a seven:

# %% mystnb={"image": {"alt": "Equity by ranks", "width": "80%"}} tags=["hide-input"]
won, played = np.zeros((13, 13)), np.zeros((13, 13))
for row in report.rows:
    high, second = (12 - (card >> 2) for card in row.cards[:2])
    won[second, high] += row.outcomes * row.players[0].equity
    played[second, high] += row.outcomes
mean = 100 * np.divide(won, played, out=np.full((13, 13), np.nan), where=played > 0)
assert (round(mean[1, 0]), round(mean[7, 6])) == (63, 52)

figure, axes = plt.subplots(figsize=(8, 6))
axes.imshow(mean, cmap="viridis", vmin=50, vmax=66)
for second, high in np.argwhere(played):
    color = "black" if mean[second, high] > 58 else "white"
    text = f"{mean[second, high]:.0f}"
    axes.text(high, second, text, color=color, ha="center", va="center")
axes.set_xticks(range(13), RANKS[::-1])
axes.set_yticks(range(13), RANKS[::-1])
axes.set(xlabel="highest card of the flop", ylabel="second card")
axes.grid(visible=False)

# %% [markdown]
# ## The same equity, other hands
#
# On Tc 9c 8d each range has half of the pot, but not with the same kind of hands. With
# `by_hand=True` an answer holds the equity of each hand. An equity graph sorts them:

# %% mystnb={"image": {"alt": "Equity graphs of both ranges on three flops"}}
figure, panels = plt.subplots(1, 3, figsize=(8, 3.2), sharey=True)
panels[0].set(ylabel="equity, %", ylim=(0, 100))
for flop, axes in zip(("AdAcKh", "Kc7d2h", "Tc9c8d"), panels, strict=True):
    answer = gpuodds.equity([raiser, caller], board=flop, by_hand=True)
    for place in (0, 1):
        graph = answer.equity_graph(place)
        steps = [0.0, *(100 * share for share in graph.share)]
        heights = [100 * equity for equity in graph.equity]
        axes.stairs(heights, steps, baseline=None, color=f"C{place}", lw=2)
    axes.set(title=f"{flop}, {answer.equity:.0%}", xlabel="best hands of the range, %")
for place, name in enumerate(("raiser", "caller")):
    panels[0].text(4, 14 - 9 * place, name, color=f"C{place}")

# %% [markdown]
# The best tenth of the caller's hands on Tc 9c 8d has an equity of 81 % or more, the
# best tenth of the raiser's hands 69 % or more. `range_hits` names the reason: 20
# combos of the caller are straights, 4 of the raiser, who has 24 overpairs instead.

# %%
best_tenth = [
    round(100 * answer.equity_graph(place).equity_at(0.1)) for place in (0, 1)
]
assert best_tenth == [69, 81]
hits = [gpuodds.range_hits(one, board=flop).streets[0].made for one in (raiser, caller)]
assert [made["straight"].combos for made in hits] == [4, 20]
assert [made["overpair"].combos for made in hits] == [24, 6]
