"""Training of the computer players' network: `benchmarks/train_players.py`."""
