"""What logs say about people, asked in Discord: /stats."""
