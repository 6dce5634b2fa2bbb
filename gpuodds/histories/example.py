"""A hand to try things out on."""

EXAMPLE_HAND = """\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [60, 100, 100]
players = ['Ann', 'Bob', 'Cem']
actions = ['d dh p1 AsAh', 'd dh p2 KsKh', 'd dh p3 QdJd', 'p3 cbr 6', 'p1 cbr 60', 'p2 cbr 100',
    'p3 f', 'p1 sm AsAh', 'p2 sm KsKh', 'd db 2c7d9h', 'd db Kc', 'd db 3d']
"""
"""A document of PHH: aces and kings are all-in before the flop; a king comes on the turn."""
