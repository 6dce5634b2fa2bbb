"""The operations of Omaha."""
