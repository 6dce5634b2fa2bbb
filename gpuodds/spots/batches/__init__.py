"""Rows of a batch: from files, data frames, dicts and arrays."""
