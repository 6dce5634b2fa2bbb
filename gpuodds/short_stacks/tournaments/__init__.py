"""Whole tournaments of two players."""
