"""Deals drawn at random."""
