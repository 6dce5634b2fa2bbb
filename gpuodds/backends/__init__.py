"""The protocol of backends, the choice of one, and the CPU and CUDA backends."""
