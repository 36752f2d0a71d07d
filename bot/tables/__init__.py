"""Tables: lobbies and matches, under a lock and in a store. Independent of Discord."""
