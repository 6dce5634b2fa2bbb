"""The cache of answers, in memory, in a file or in Redis."""
