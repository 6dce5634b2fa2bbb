"""Tables of the whole game: how they are stored, looked up, built and checked."""
