"""Checks of limits that Discord's OpenAPI description lacks, with Discord's error codes.

Limits: https://discord.com/developers/docs (components, message, application commands), 2026.
"""
