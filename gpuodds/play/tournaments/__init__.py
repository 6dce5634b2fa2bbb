"""Freeze-outs: blinds rise, and a player without chips is out."""
