"""Show people's statistics in Discord: /stats."""
