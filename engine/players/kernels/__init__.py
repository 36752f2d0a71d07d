"""What numba compiles for the computer players: loops over flat arrays. The rooms above wrap it."""
