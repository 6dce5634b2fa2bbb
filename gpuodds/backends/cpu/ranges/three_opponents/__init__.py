"""Showdowns against three to five opponents: three are counted in closed form, others listed."""
