"""Looking back on matches that are over: /history, replays and the coach."""
