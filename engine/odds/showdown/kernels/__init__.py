"""The inner loops of showdowns, compiled by numba."""
