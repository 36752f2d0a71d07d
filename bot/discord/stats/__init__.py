"""Show stored records in Discord."""
