"""The chances of bids: exact counts, whole ladders, advice, samples."""
