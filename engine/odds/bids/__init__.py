"""The chances of bids: exact counts for one bid or a whole ladder, advice, and samples."""
