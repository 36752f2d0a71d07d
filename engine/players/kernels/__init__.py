"""The compiled loops of the computer players, over flat arrays; `engine.players` wraps them."""
