"""Matches that are over, step by step: as text, as a file, as a page, and checked deal by deal."""
