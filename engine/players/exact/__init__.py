"""Exact play for two seats with few cards: an equilibrium by CFR+, and how it is looked up."""
