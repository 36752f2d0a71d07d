"""Showdown odds: how often each hand or range wins, on any board, in the games of `games`."""
