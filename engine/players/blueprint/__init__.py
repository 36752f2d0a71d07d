"""Heads-up rounds near an equilibrium, solved beforehand: what is remembered, stored and played."""
