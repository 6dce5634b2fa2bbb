"""CUDA C++ sources; this file makes them findable with :mod:`importlib.resources`."""
