"""CUDA C++ sources; this file makes them findable with :mod:`importlib.resources`.

``constants.cuh``, which they include, is text that :mod:`gpuodds.backends.cuda.layout` writes.
"""
