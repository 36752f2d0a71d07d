"""Finished matches, step by step: as text, as a file, as a page, and verified deal by deal."""
