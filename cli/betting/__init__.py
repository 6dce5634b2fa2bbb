"""Bets: how much, and what to do."""
