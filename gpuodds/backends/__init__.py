"""Operations, the choice of the backend that counts them, and the CPU and CUDA backends."""
