"""Discord's REST API, version 10, as far as the bot uses it."""

from bot.sandbox.rest.call import Route
from bot.sandbox.rest.channels import ROUTES as CHANNELS
from bot.sandbox.rest.commands import ROUTES as COMMANDS
from bot.sandbox.rest.emojis import ROUTES as EMOJIS
from bot.sandbox.rest.users import ROUTES as USERS
from bot.sandbox.rest.webhooks import ROUTES as WEBHOOKS

ROUTES: tuple[Route, ...] = (*USERS, *CHANNELS, *COMMANDS, *EMOJIS, *WEBHOOKS)
