"""Equity of spots, batches, ranges' hits and reports over boards."""
