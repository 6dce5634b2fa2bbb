"""Sampled equity: what is drawn, when it stops, what it costs."""
