"""Five-card poker: odds on any deck, the best draw, and opponents who count cards."""
