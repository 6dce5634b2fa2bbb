"""Range text of hold'em and short deck: its grammar, its hands, how ranges are written."""
