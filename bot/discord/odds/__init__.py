"""Handle `/odds` in Discord."""
