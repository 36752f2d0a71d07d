"""How likely a bid is to hold: exact counts, whole ladders, advice, samples."""
