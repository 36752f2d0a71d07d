"""Training of the computer players' network, for `benchmarks/train_players.py`."""
