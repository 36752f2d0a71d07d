"""Looking back on matches that are over: /matches, replays and the coach."""
