"""How spots of Omaha are answered."""
