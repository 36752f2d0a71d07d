"""Tables: lobbies and match after match, safe under a lock and in a store. Knows nothing of Discord."""
