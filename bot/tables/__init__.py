"""Tables: lobbies and match after match, under a lock and in a store. Know nothing of Discord."""
