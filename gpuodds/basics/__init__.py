"""What every room uses: arguments, durations, names found on first use, stopping."""
