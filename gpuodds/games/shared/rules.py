"""The numbers of Texas hold'em: hole cards, board cards, combos and players."""

from __future__ import annotations

from math import comb

from gpuodds.cards import DECK_SIZE

HOLE_CARDS = 2
BOARD_CARDS = 5
COMBOS = comb(DECK_SIZE, HOLE_CARDS)
"""The number of combos, hands of two cards: 1,326."""
MAX_PLAYERS = (DECK_SIZE - BOARD_CARDS) // HOLE_CARDS
"""The largest number of players: 23 hands and a board take 51 of 52 cards."""
CARDS_LEFT = DECK_SIZE - HOLE_CARDS - BOARD_CARDS
"""The number of cards that a hand and a full board leave to opponents: 45."""
STREETS = {"flop": 3, "turn": 4, "river": 5}
"""The streets with a board, and how many cards it has."""
