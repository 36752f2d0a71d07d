"""The compiled loops of the computer players, over flat arrays; the modules above wrap them."""
