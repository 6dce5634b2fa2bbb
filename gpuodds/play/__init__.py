"""Playing no-limit hold'em: the rules by pokerkit, bots, matches."""
