"""Heads-up rounds solved in advance, near an equilibrium: strategies, files, and play."""
