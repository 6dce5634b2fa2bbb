"""Hands as sites print them, for several tests."""

STARS = """\
PokerStars Hand #123:  Hold'em No Limit ($0.25/$0.50 USD) - 2024/03/01 20:15:00 CET [2024/03/01 14:15]
Table 'Luck II' 6-max Seat #2 is the button
Seat 1: Ann ($50 in chips)
Seat 2: Bob: the 2nd ($61.25 in chips)
Seat 4: Cem and is all-in ($12.10 in chips)
Seat 5: Di "x" \U0001f600 ($1,200 in chips) is sitting out
Seat 6: Eve ($30 in chips)
Cem and is all-in: posts small blind $0.25
Eve: posts big blind $0.50
Ann: posts small & big blinds $0.75
*** HOLE CARDS ***
Dealt to Ann [As Kd]
Bob: the 2nd said, "Eve: folds"
Ann: checks
Bob: the 2nd: raises $1 to $1.50
Cem and is all-in: folds [7c 7d]
Eve: calls $1
Ann: calls $1
*** FLOP *** [2s 9h Jd]
Eve: checks
Ann: bets $3
Bob: the 2nd: folds
Eve: raises $3 to $6
Ann: folds
Uncalled bet ($3) returned to Eve
Eve collected $10.50 from pot
Eve: doesn't show hand
*** SUMMARY ***
Total pot $11 | Rake $0.50
Board [2s 9h Jd]
Seat 1: Ann folded on the Flop
"""
