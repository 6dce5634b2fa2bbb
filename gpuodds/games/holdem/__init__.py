"""The rules and the mathematics of hold'em, independent of any device."""
