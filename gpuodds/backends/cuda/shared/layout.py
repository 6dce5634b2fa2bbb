"""What Python and the kernels share: constants, sizes of blocks, structs passed by value.

Every number has its one place in Python. :func:`header` writes them as ``constants.cuh``, which the
sources in kernels/ include, so neither side repeats the other's numbers.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from gpuodds.basics.present import present

THREADS = 256  # of a block, unless the kernel has its own number
GRAPH_THREADS = 128
SOLVE_THREADS = 512  # at most
RANK_THREADS = 1024  # one block fills a multiprocessor's shared memory with a table
SAMPLE_THREADS = 1024  # at most; each has a deck in shared memory
OMAHA_SAMPLE_THREADS = 128
OMAHA_THREADS = 256  # of a block that counts ranges of Omaha
WEIGHT_BITS = 60  # of all weights of an Omaha range together, whole numbers of a unit
WEIGHT_SHIFT = WEIGHT_BITS - 1  # by which products of them are rounded: they have as many bits, plus 1
CLIQUE_THREADS = 128  # of a block that counts Omaha hands as cliques
CLASS_WORDS = 4  # 32-bit words of a board class
MAX_POOLS = 10  # of a sweep; no graph seen has more than six
MAX_STATES = 1 << 16  # of a sweep, open cards of the type included
TILE = 64  # combos, each side, that a block compares
SHOWDOWN_THREADS = 256  # of a block that counts showdowns of ranges; sums of float64 depend on it
MAX_RANGES = 6  # players in showdowns of ranges
MEMBER_BYTE = 8  # bits from the first player of a pair to the second, among the members of a combo
PLAN_NUMBERS = 8  # how a set of opponents is counted: see kernels/ranges/plans.cuh
# Sums of weights of six players: two of each, 60 pairs of slots, 144 arcs, 160 triples: see
# kernels/ranges/weighted_triples.cuh.
SUM_NUMBERS = (12 + 60) * 52 * 52 + (12 + 60 + 144 + 160) * 52 + 160
# Products of classes of starting hands, and of the kinds of combos with a card:
# see gpuodds/backends/cuda/tables/three_way.py.
CLASS_WIDTH, CLASS_ROWS, CLASS_THREADS = 176, 44, 512  # of 169 classes; rows that a block multiplies
CLASS_ONE = 169  # the class whose number is 1
KIND_WIDTH, KIND_THREADS = 28, 64  # of 25 kinds
CLASS_MEMBERS, KIND_MEMBERS = 12, 3  # combos of a class, of a kind, at most
MAX_HERO_COMBOS = 12
BOARDS_PER_PIECE = 512
TILE_BOARDS = 2048  # boards that it compares them on before its sums go to memory

POINTER = np.dtype(np.uintp)


class Struct:
    """A struct that kernels take by value: fields by name, in order, each with its type.

    A type is ``"*u8"`` for a pointer to an array of that dtype in device memory, ``"i4"`` for a number.
    """

    def __init__(self, name: str, **fields: str) -> None:
        self.name = name
        self.fields = fields
        types = [(field, POINTER if code[0] == "*" else code) for field, code in fields.items()]
        self.dtype = np.dtype(types, align=True)

    def pack(self, *values: Any) -> Any:
        """Return the fields as the argument of a kernel, a structured NumPy array of size 1.

        The caller keeps the arrays alive until the kernel is launched.

        Raises:
            TypeError: An array is not contiguous or has another dtype than the struct declares.
        """
        record = np.zeros(1, self.dtype)
        for (name, code), value in zip(self.fields.items(), values, strict=True):
            if code[0] != "*":
                record[name] = value
                continue
            if value.dtype != np.dtype(code[1:]) or not value.flags.c_contiguous:
                raise TypeError(f"{self.name}.{name}: expected {code}, found {value.dtype}")
            record[name] = value.data.ptr if value.size else 0
        return record

    def check(self) -> str:
        """Return a macro that is true of a C++ struct of the same layout."""
        places = present(self.dtype.fields)
        offsets = [(field, places[field][1]) for field in self.fields]
        name = "".join(f"_{c}" if c.isupper() else c.upper() for c in self.name)
        terms = [f"sizeof(Type) == {self.dtype.itemsize}"]
        terms += [f"__builtin_offsetof(Type, {field}) == {offset}" for field, offset in offsets]
        return f"#define PACKED{name}(Type) ({' && '.join(terms)})"


HAND_RANK_TABLES = Struct(
    "HandRankTables",
    step="*u2",
    rank_5="*u2",
    rank_6="*u2",
    rank_7="*u2",
    flush="*u2",
    lowest_flush="i4",
)
RANK_SUMS = Struct("RankSums", keys="*u4", flush_suits="*u1", table="*u2", flush="*u2", size="i4")
HAND_LISTS = Struct(
    "HandLists", prefixes="*u4", offsets="*i8", subsets="*u4", subset_sums="*u4", num_subsets="i4"
)
SPOTS = Struct(
    "Spots",
    undealt="*u8",
    board="*u8",
    hands="*u8",
    deck="*i4",
    runout_ranks="*u1",
    players="i4",
    num_runouts="i4",
    to_come="i4",
)
DRAWS = Struct(
    "Draws",
    starts="*i4",
    holders="*i4",
    words="*i4",
    cards="*u4",
    limits="*u4",
    others="*i4",
    tables="i4",
    blocks="i4",
    spare="i4",
)
OMAHA_DRAWS = Struct("OmahaDraws", starts="*i4", cards="*u8", limits="*u4", others="*i4")
OMAHA_GAME = Struct(
    "OmahaGame",
    board="*u1",
    known="u8",
    seed="u8",
    ranges="i4",
    folded="i4",
    opponents="i4",
    num_board="i4",
    has_low="i4",
)
OMAHA_TABLES = Struct("OmahaTables", step="*u2", flush="*u2", plain="*u2", lows="*u1")
SHOWDOWNS = Struct(
    "Showdowns",
    boards="*u1",
    times="*i8",
    pairs="*u2",
    members="*u2",
    weights="*f8",
    category_ends="*i4",
    num_boards="i4",
    num_combos="i4",
    size="i4",
    pieces="i4",
    parts="i4",
    with_made="i4",
)
HEROES = Struct(
    "Heroes",
    player="*i4",
    two="*i4",
    two_bits="*i4",
    folded="i4",
    heroes="i4",
)
PLANS = Struct(
    "Plans",
    player="*i4",
    plans="*i4",
    triples="*i4",
    players="i4",
    folded="i4",
    heroes="i4",
    num_listed="i4",
    num_triples="i4",
)
THREE_WAY = Struct(
    "ThreeWay",
    boards="*u1",
    begins="*i4",
    ends="*i4",
    times="*i8",
    heroes="*u2",
    members="*u2",
    pieces="i4",
    num_heroes="i4",
)
OMAHA_RANGES = Struct(
    "OmahaRanges",
    boards="*u1",
    times="*i8",
    hands="*u8",
    weights="*u8",
    category_ends="*i4",
    num_boards="i4",
    num_hands="i4",
    heroes="i4",
    columns="i4",
)
OMAHA_SUMS = Struct("OmahaSums", by_hand="*u8", by_category="*u8", by_board="*u8")
OMAHA_THREE = Struct(
    "OmahaThree",
    boards="*u1",
    times="*i8",
    hands="*u8",
    weights="*u8",
    firsts="*i4",
    num_boards="i4",
    num_hands="i4",
    num_firsts="i4",
    parts="i4",
    has_lows="i4",
)
FIVE_CARDS = Struct("FiveCards", step="*u2", rank_5="*u2", flush="*u2", names="*u2", num_names="i4")
LISTING = Struct("Listing", below="*u4", threes="*u2", fours="*u2", cards="i4")
STRUCTS = (
    *(HAND_RANK_TABLES, RANK_SUMS, HAND_LISTS, SPOTS, DRAWS),
    *(SHOWDOWNS, HEROES, PLANS, THREE_WAY, OMAHA_GAME, OMAHA_DRAWS, OMAHA_TABLES, OMAHA_RANGES),
    *(OMAHA_SUMS, OMAHA_THREE, FIVE_CARDS, LISTING),
)


@cache
def constants() -> dict[str, int]:
    """Return the shared constants by their names in C++; a line each, so the function is long."""
    from gpuodds import cards
    from gpuodds.backends.graph_words import LIMB_BITS, SIZE_SHIFT, TYPES
    from gpuodds.games import five_card
    from gpuodds.games.holdem import clusters, rank_sums, streets
    from gpuodds.games.omaha import plain_ranks
    from gpuodds.games.omaha.game import OMAHA
    from gpuodds.games.shared import draws, hand_names, hand_ranks, rules

    return {
        "RANKS": len(cards.RANKS),
        "SUITS": len(cards.SUITS),
        "DECK_SIZE": cards.DECK_SIZE,
        "HOLE_CARDS": rules.HOLE_CARDS,
        "BOARD_CARDS": rules.BOARD_CARDS,
        "HAND_CARDS": five_card.HAND_CARDS,
        "COMBOS": rules.COMBOS,
        "MAX_PLAYERS": rules.MAX_PLAYERS,
        "MAX_OMAHA_PLAYERS": OMAHA.max_players,
        "THREE_CARDS": plain_ranks.THREE_CARDS,
        "FIVE_CARDS": hand_ranks.FIVE_CARDS,
        "SIX_CARDS": hand_ranks.SIX_CARDS,
        "HIGHEST_RANK": hand_ranks.HIGHEST_RANK,
        "CATEGORIES": len(hand_names.CATEGORIES),
        "SUM_BITS": rank_sums.SUM_BITS,
        "COLUMN_BITS": rank_sums.COLUMN_BITS,
        "SPREAD": rank_sums.SPREAD,
        "HALF_POTS": streets.HALF_POTS,
        "BINS": streets.BINS,
        "CLUSTERS": clusters.CLUSTERS,
        "COMBO_STREAM": draws.COMBO_STREAM,
        "CARD_STREAM": draws.CARD_STREAM,
        "CARDS_PER_WORD": draws.CARDS_A_WORD,
        "ORDER_STREAM": draws.ORDER_STREAM,
        "ORDER_ROUNDS": draws.ORDER_ROUNDS,
        "ORDER_FACTOR_1": draws.ORDER_FACTORS[0],
        "ORDER_FACTOR_2": draws.ORDER_FACTORS[1],
        "TYPES": TYPES,
        "SIZE_SHIFT": SIZE_SHIFT,
        "LIMB_BITS": LIMB_BITS,
        "GRAPH_THREADS": GRAPH_THREADS,
        "SOLVE_THREADS": SOLVE_THREADS,
        "RANK_THREADS": RANK_THREADS,
        "SAMPLE_THREADS": SAMPLE_THREADS,
        "OMAHA_SAMPLE_THREADS": OMAHA_SAMPLE_THREADS,
        "OMAHA_THREADS": OMAHA_THREADS,
        "WEIGHT_SHIFT": WEIGHT_SHIFT,
        "CLIQUE_THREADS": CLIQUE_THREADS,
        "CLASS_WORDS": CLASS_WORDS,
        "MAX_POOLS": MAX_POOLS,
        "MAX_STATES": MAX_STATES,
        "SHOWDOWN_THREADS": SHOWDOWN_THREADS,
        "MAX_RANGES": MAX_RANGES,
        "MEMBER_BYTE": MEMBER_BYTE,
        "PLAN_NUMBERS": PLAN_NUMBERS,
        "SUM_NUMBERS": SUM_NUMBERS,
        "CLASS_WIDTH": CLASS_WIDTH,
        "CLASS_ROWS": CLASS_ROWS,
        "CLASS_THREADS": CLASS_THREADS,
        "CLASS_ONE": CLASS_ONE,
        "CLASS_MEMBERS": CLASS_MEMBERS,
        "KIND_WIDTH": KIND_WIDTH,
        "KIND_THREADS": KIND_THREADS,
        "KIND_MEMBERS": KIND_MEMBERS,
        "MAX_HERO_COMBOS": MAX_HERO_COMBOS,
        "BOARDS_PER_PIECE": BOARDS_PER_PIECE,
        "TILE": TILE,
        "TILE_BOARDS": TILE_BOARDS,
    }


@cache
def header() -> str:
    """Return ``constants.cuh``: the constants, and what the layout of each struct must be."""
    # Enumerators take no memory on the device, used or not.
    lines = [f"    {name} = {value}," for name, value in constants().items()]
    checks = [struct.check() for struct in STRUCTS]
    parts = ["namespace gpuodds {", "enum : int {", *lines, "};", "}  // namespace gpuodds", *checks]
    return "\n".join([*parts, ""])
