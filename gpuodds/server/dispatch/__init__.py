"""From a request to its answer: the cache, computations in flight, jobs."""
