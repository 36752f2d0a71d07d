"""Heads-up rounds solved in advance, near an equilibrium: their strategies, files and play."""
