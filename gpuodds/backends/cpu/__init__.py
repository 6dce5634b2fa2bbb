"""The CPU backend: numba functions that go through boards, and what they add up to."""
