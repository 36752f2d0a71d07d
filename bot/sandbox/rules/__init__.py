"""Discord's limits beyond its OpenAPI description, refused as Discord refuses them.

Limits: https://discord.com/developers/docs (components, message, application commands), 2026.
"""
