"""Where it is counted: the protocol, the choice, and the CPU and CUDA backends."""
