"""Slash commands: each parses, asks the desk or the tables, replies."""
