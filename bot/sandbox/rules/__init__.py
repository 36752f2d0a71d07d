"""Discord's limits that its OpenAPI description does not catch, refused as Discord refuses them.

Limits: https://discord.com/developers/docs (components, message, application commands), 2026.
"""
