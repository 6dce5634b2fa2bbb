"""Files of hand histories, and the hands in them."""
