"""A match in the terminal, against computer players: no Discord, no database, no server."""
