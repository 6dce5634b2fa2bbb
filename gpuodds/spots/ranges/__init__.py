"""Ranges: one weight a combo, what is found of them once, their views, presets and rankings."""
