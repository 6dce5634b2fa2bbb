"""Reports over boards, and their plots."""
