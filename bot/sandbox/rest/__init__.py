"""Discord's REST API, version 10: the parts that the bot uses."""

from bot.sandbox.rest.routes import ROUTES

__all__ = ["ROUTES"]
