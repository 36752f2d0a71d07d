"""Looking back on matches that are over: /history, /replay and /coach."""
