"""Answer `/odds` in Discord."""
