"""Show finished matches: /matches, replays and the coach."""
