"""How spots of hold'em and short deck are answered: a file a method."""
