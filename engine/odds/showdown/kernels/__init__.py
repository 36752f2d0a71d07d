"""What numba compiles: the inner loops of showdowns."""
