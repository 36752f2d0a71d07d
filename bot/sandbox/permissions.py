"""What a member may do: Discord's permission bits, and who holds which.

Source: https://discord.com/developers/docs/topics/permissions
"""

from bot.sandbox.state import Guild

VIEW_CHANNEL = 1 << 10
SEND_MESSAGES = 1 << 11
MANAGE_MESSAGES = 1 << 13
EMBED_LINKS = 1 << 14
ATTACH_FILES = 1 << 15
READ_MESSAGE_HISTORY = 1 << 16
USE_APPLICATION_COMMANDS = 1 << 31
CREATE_PUBLIC_THREADS = 1 << 35
SEND_MESSAGES_IN_THREADS = 1 << 38
ADMINISTRATOR = 1 << 3
MANAGE_GUILD = 1 << 5
MODERATE_MEMBERS = 1 << 40

EVERYONE = (
    VIEW_CHANNEL
    | SEND_MESSAGES
    | EMBED_LINKS
    | ATTACH_FILES
    | READ_MESSAGE_HISTORY
    | USE_APPLICATION_COMMANDS
    | CREATE_PUBLIC_THREADS
    | SEND_MESSAGES_IN_THREADS
)
MODERATOR = EVERYONE | MANAGE_GUILD | MANAGE_MESSAGES | MODERATE_MEMBERS
EVERYTHING = (1 << 53) - 1


def member_permissions(guild: Guild, user_id: str) -> int:
    """The bits a user holds in the guild: everything for its owner."""
    if user_id == guild.owner_id:
        return EVERYTHING
    return MODERATOR if user_id in guild.moderators else EVERYONE
