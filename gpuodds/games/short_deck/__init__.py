"""Short deck: hold'em with the 36 cards from six to ace."""
