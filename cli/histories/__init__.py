"""Commands on hand histories."""
