"""Hands of two, three, and four to nine players as games."""
