"""Showdown odds: how often each hand or range wins, in each game of the module `games`."""
