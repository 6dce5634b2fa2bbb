"""The CUDA backend: the operations of :mod:`gpuodds.cpu` on NVIDIA GPUs, with the same integers."""
