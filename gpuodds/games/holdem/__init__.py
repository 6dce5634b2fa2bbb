"""The mathematics of hold'em, no device in sight."""
