"""`/odds` in Discord."""
