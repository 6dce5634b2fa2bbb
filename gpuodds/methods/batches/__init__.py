"""Many spots at once, in rows and arrays."""
