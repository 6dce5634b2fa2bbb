"""Five-card poker on GPUs: hands of decks, draws and discards."""
