"""The devices and their kernels, what Python and the kernels share, work cut into pieces."""
