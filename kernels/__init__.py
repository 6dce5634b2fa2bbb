"""CUDA C++ sources, in folders named as the backend's; :mod:`importlib.resources` finds them here.

``constants.cuh``, which they include, is text that :mod:`gpuodds.backends.cuda.shared.layout` writes.
"""
