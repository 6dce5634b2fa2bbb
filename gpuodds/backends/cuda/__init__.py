"""The CUDA backend: the operations of the CPU backend on NVIDIA GPUs, with the same integers."""
