"""An interpreter of PTX, the code that NVIDIA's compiler makes of a kernel, on the CPU.

``compiler`` has NVRTC compile a source as CuPy does, ``reader`` splits the PTX into variables, kernels
and statements, ``storage`` places registers and variables, ``instructions`` reads statements,
``program`` joins both, ``machine`` runs them with ``interpreter/``, which g++ compiles. Results follow
the PTX ISA; ``docs/gpu.md`` lists what that proves about a device and what it does not.
"""
