"""Checks limits that Discord's OpenAPI description lacks, and refuses as Discord does.

Limits: https://discord.com/developers/docs (components, message, application commands), 2026.
"""
