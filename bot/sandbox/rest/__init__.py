"""Discord's REST API, version 10, as far as the bot uses it."""

from bot.sandbox.rest.routes import ROUTES

__all__ = ["ROUTES"]
