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
# # Exact multiway equity explained
#
# AsKs against nine random hands wins 24,835,908,359,745,459,738,198,837 deals. To list
# all deals takes four billion years, at a billion a second. This page counts them
# without a list: first on one river, where a list can check the result, then on all
# boards.

# %%
from collections import Counter
from functools import cache
from itertools import combinations
from math import comb, cos, pi, prod, sin

import matplotlib.pyplot as plt

import gpuodds
from gpuodds.cards import RANKS, parse_cards

answer = gpuodds.equity("AsKs", opponents=9)
assert answer.players[0].win_outcomes == 24_835_908_359_745_459_738_198_837
assert round(answer.outcomes / 1e9 / (365.25 * 24 * 3600), -9) == 4e9  # years
answer

# %% [markdown]
# ## One river, deal by deal
#
# We hold AsKs on Kd 9h 7d 4c 2s: top pair, top kicker. 45 cards are unseen, so an
# opponent holds one of 990 pairs of cards. 94 of these beat us: they are *losses*. The
# other 6 ways to hold an ace and a king are *ties*.

# %%
hand, river = parse_cards("AsKs"), parse_cards("Kd9h7d4c2s")
unseen = [card for card in range(52) if card not in (*hand, *river)]
pairs = list(combinations(unseen, 2))
ours, *theirs = gpuodds.rank_hands([[*two, *river] for two in (hand, *pairs)])
threats = {}
for pair, rank in zip(pairs, theirs, strict=True):
    if rank >= ours:
        threats[pair] = "loss" if rank > ours else "tie"

assert (len(unseen), len(pairs)) == (45, 990)
assert Counter(threats.values()) == {"loss": 94, "tie": 6}

# %% [markdown]
# There are 446,985 ways to deal two opponents, few enough to list. We win 360,441 of
# them, split 4,932 with one opponent and 6 with both. `gpuodds.equity` returns the same
# integers:

# %%
listed: Counter[int | str] = Counter()
for one, two in combinations(pairs, 2):
    if not set(one) & set(two):
        held = [threats.get(one), threats.get(two)]
        listed["lost" if "loss" in held else held.count("tie")] += 1

player = gpuodds.equity("AsKs", opponents=2, board=river).players[0]
assert (player.win_outcomes, player.tie_outcomes) == (360_441, (4_932, 6))
assert [listed[t] for t in (0, 1, 2)] == [360_441, 4_932, 6]
assert listed.total() == player.outcomes == 446_985
listed

# %% [markdown]
# ## The threat graph
#
# Draw a vertex for each unseen card and an edge for each loss and each tie. This is the
# *threat graph*. 28 cards have no edge: an opponent with a queen does not beat us,
# whatever the other card. The other 17 are three aces, two kings, and three cards of
# each lower rank on the board. Cards of one rank have the same edges, so the drawing
# has one vertex for each rank. A loop is an edge between two cards of that rank:

# %% mystnb={"image": {"alt": "The threat graph, by ranks"}} tags=["hide-input"]
in_graph = sorted({card for pair in threats for card in pair}, reverse=True)
cards_of = Counter(card >> 2 for card in in_graph)
assert list(cards_of.values()) == [3, 2, 3, 3, 3, 3]

figure, axes = plt.subplots()
turns = {rank: pi / 2 + place * pi / 3 for place, rank in enumerate(cards_of)}
for (low, high), kind in threats.items():
    color = "C1" if kind == "loss" else "C0"
    here, there = turns[low >> 2], turns[high >> 2]
    axes.plot([cos(here), cos(there)], [sin(here), sin(there)], color=color)
    if here == there:
        middle = 1.2 * cos(here), 1.2 * sin(here)
        axes.add_patch(plt.Circle(middle, 0.17, fill=False, color=color, lw=2))
for rank, turn in turns.items():
    axes.plot(cos(turn), sin(turn), "o", color="#5b5f66", markersize=34)
    name = f"{cards_of[rank]} x {RANKS[rank]}"
    axes.text(cos(turn), sin(turn), name, color="white", ha="center", va="center")
axes.text(1.5, 0.1, "94 losses", color="C1")
axes.text(1.5, -0.1, "6 ties", color="C0")
axes.set(aspect="equal", xlim=(-1.6, 2.2), ylim=(-1.4, 1.4))
axes.set_axis_off()

# %% [markdown]
# ## Matchings
#
# The hands of two opponents share no card. Edges that share no vertex are a *matching*.
# `matchings` counts them by their numbers of losses and ties. It leaves a card out, or
# matches it with one of the others, and goes on with the cards that are left:


# %%
@cache
def matchings(cards: tuple[int, ...]) -> Counter[tuple[int, int]]:
    if not cards:
        return Counter({(0, 0): 1})
    *others, card = cards
    found = Counter(matchings(tuple(others)))
    for other in others:
        if kind := threats.get((card, other)):
            left = tuple(one for one in others if one != other)
            for (losses, ties), ways in matchings(left).items():
                found[losses + (kind == "loss"), ties + (kind == "tie")] += ways
    return found


matched = matchings(tuple(in_graph))
assert (matched[1, 0], matched[0, 1], matched[2, 0]) == (94, 6, 3_276)

# %% [markdown]
# Now two opponents need no list. Each loss is in 903 deals, in which the other opponent
# has two of the 43 other cards. Subtract 94 x 903 from the 446,985 deals. This takes
# off twice the deals in which both opponents beat us, the 3,276 matchings of two
# losses: add them back once. The result is the 365,379 deals that we win or split.
#
# With k opponents a matching of j edges is in `deals(45 - 2 * j, k - j)` deals, and the
# signs alternate. To keep ties apart, a loss gets the factor `-1` and a tie `x - 1`:
# the coefficient of `x**t` is the number of deals that we split with exactly t
# opponents. [The mathematics](../mathematics.md#from-matchings-to-deals) has the proof.


# %%
def deals(cards: int, opponents: int) -> int:
    return comb(cards, 2 * opponents) * prod(range(1, 2 * opponents, 2))


def unbeaten(opponents: int) -> list[int]:
    counts = [0] * (opponents + 1)
    for (losses, ties), ways in matched.items():
        if (edges := losses + ties) <= opponents:
            ways *= deals(45 - 2 * edges, opponents - edges)
            for t in range(ties + 1):
                counts[t] += (-1) ** (edges - t) * comb(ties, t) * ways
    return counts


assert 446_985 - 94 * deals(43, 1) + 3_276 == 365_379 == sum(unbeaten(2))
for answer in gpuodds.equities_by_opponents("AsKs", opponents=22, board=river):
    player = answer.players[0]
    counts = [player.win_outcomes, *player.tie_outcomes]
    assert counts == unbeaten(answer.spot.opponents)

# %% [markdown]
# gpuodds returns the same integers for 1 to 22 opponents. It goes over types of cards
# instead of cards, here one type for each rank.
#
# ## All boards
#
# Before the flop 2,118,760 boards can come. Suits and kickers that decide nothing leave
# the graph as it is, and boards with equal graphs have equal counts. From the flop 2s
# 7d 9h on there are 1,081 boards, but only 69 answers. Each answer times the number of
# its boards gives the counts of the flop:

# %%
flop = parse_cards("2s7d9h")
others = [card for card in range(52) if card not in (*hand, *flop)]
boards = [[*flop, *runout] for runout in combinations(others, 2)]
batch = gpuodds.equity_batch([hand] * len(boards), boards, opponents=9)
answers = Counter(tuple(batch.counts(row, 9)) for row in range(len(boards)))
assert (len(boards), len(answers)) == (1_081, 69)

player = gpuodds.equity("AsKs", opponents=9, board=flop).players[0]
for t, counted in enumerate([player.win_outcomes, *player.tie_outcomes]):
    assert counted == sum(times * counts[t] for counts, times in answers.items())

# %% [markdown]
# gpuodds does this for all boards, and counts each graph once. With nine opponents AKs
# wins 20.7 % of the pot, twice the fair share, and 72o wins 4.8 %, half of it:

# %% mystnb={"image": {"alt": "Equity by number of opponents"}} tags=["hide-input"]
figure, axes = plt.subplots()
table = gpuodds.table("preflop-random")
equities = {
    name: [100 * row["equity"] for row in table.lookup(name)[:9]]
    for name in ("AA", "AKs", "72o")
}
assert [round(curve[8], 1) for curve in equities.values()] == [31.1, 20.7, 4.8]
equities["fair share"] = [100 / (1 + k) for k in range(1, 10)]
for name, curve in equities.items():
    axes.plot(range(1, 10), curve, "o-" if name != "fair share" else "k--")
    axes.annotate(name, (9, curve[8]), xytext=(8, -4), textcoords="offset points")
axes.lines[-1].set_color("0.5")
axes.set(xlabel="random opponents", ylabel="equity, %", ylim=(0, 90))
axes.margins(x=0.03)
