"""Deals of Omaha drawn at random."""
