"""Tables of the whole game, built by the engine: what exists, how it is built and looked up."""
