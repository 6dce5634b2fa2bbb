"""Two boards, each for half of the pot: known hands, two ranges, samples."""
