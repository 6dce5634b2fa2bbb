"""What several games share: their rules, hand ranks and names, combos, boards, renamings of suits."""
