"""How much to bet: Kelly betting on exact probabilities."""
