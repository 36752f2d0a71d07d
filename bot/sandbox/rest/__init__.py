"""Discord's REST API, version 10, as far as the bot uses it."""

from bot.sandbox.rest.application import ROUTES as APPLICATION
from bot.sandbox.rest.call import Route
from bot.sandbox.rest.channels import ROUTES as CHANNELS
from bot.sandbox.rest.events import ROUTES as EVENTS
from bot.sandbox.rest.webhooks import ROUTES as WEBHOOKS

ROUTES: tuple[Route, ...] = (*APPLICATION, *CHANNELS, *EVENTS, *WEBHOOKS)
