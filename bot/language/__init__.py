"""The language that is spoken: catalogues, words, and bids as each language says them."""
