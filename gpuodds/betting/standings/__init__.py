"""How a hand stands against its opponents: counted, dealt, and how sure that is."""
