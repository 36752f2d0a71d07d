"""The current language: catalogues, words, and bids in each language."""
