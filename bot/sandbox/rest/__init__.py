"""Discord's REST API, version 10, as far as the bot uses it."""

from bot.sandbox.rest import channels, commands, users, webhooks
from bot.sandbox.rest.call import Route

ROUTES: tuple[Route, ...] = (
    *users.ROUTES,
    *channels.ROUTES,
    *commands.ROUTES,
    *webhooks.ROUTES,
)
