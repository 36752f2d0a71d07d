"""Tables: lobbies and matches as data, and the rules that change them; no Discord, no store."""
