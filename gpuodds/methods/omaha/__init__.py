"""How spots of Omaha are answered: a file a method."""
