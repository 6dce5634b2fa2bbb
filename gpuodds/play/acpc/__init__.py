"""The dealer protocol of the Annual Computer Poker Competition: a client, and game definitions."""
