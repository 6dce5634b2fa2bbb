"""Worker processes, the queue before them, and who is admitted to it."""
