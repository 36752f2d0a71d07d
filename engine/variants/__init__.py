"""The games, as data: a key names a ruleset."""
