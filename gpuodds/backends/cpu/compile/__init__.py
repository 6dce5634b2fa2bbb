"""How numba compiles our functions, where it keeps them, and the threads that run them."""
