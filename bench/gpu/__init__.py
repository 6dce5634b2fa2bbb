"""What is measured on GPUs, and what the kernels' machine code predicts without one."""
