"""What numba compiles for the computer players: loops over flat arrays, wrapped by the rooms above."""
