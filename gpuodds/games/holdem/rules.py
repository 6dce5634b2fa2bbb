"""The numbers of Texas hold'em: cards a player holds, cards on the board, players at the table."""

from __future__ import annotations

from math import comb

from gpuodds.cards import DECK_SIZE

HOLE_CARDS = 2
BOARD_CARDS = 5
COMBOS = comb(DECK_SIZE, HOLE_CARDS)
"""How many hands of two cards there are: 1,326."""
MAX_PLAYERS = (DECK_SIZE - BOARD_CARDS) // HOLE_CARDS
"""How many players a deck has cards for: 23 hands and a board take 51 of 52 cards."""
