"""An interpreter of PTX, the code that NVIDIA's compiler makes of a kernel, on the CPU.

``compiler`` has NVRTC compile a source as CuPy does, ``reader`` splits the PTX into variables, kernels
and statements, ``program`` makes instructions of these, ``machine`` runs them with ``interpreter/``,
which g++ compiles. Results are those of the PTX ISA; ``docs/gpu.md`` says what that proves of a device
and what not.
"""
