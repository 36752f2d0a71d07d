"""Members' permissions: Discord's permission bits, and who has which.

Source: https://discord.com/developers/docs/topics/permissions
"""

from bot.sandbox.discord_state import PRIVATE_THREAD, VOICES, Channel, Guild, State

VIEW_CHANNEL = 1 << 10
SEND_MESSAGES = 1 << 11
MANAGE_MESSAGES = 1 << 13
EMBED_LINKS = 1 << 14
ATTACH_FILES = 1 << 15
READ_MESSAGE_HISTORY = 1 << 16
MENTION_EVERYONE = 1 << 17
CONNECT = 1 << 20
USE_APPLICATION_COMMANDS = 1 << 31
MANAGE_THREADS = 1 << 34
CREATE_PUBLIC_THREADS = 1 << 35
CREATE_PRIVATE_THREADS = 1 << 36
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
    | CONNECT
    | USE_APPLICATION_COMMANDS
    | CREATE_PUBLIC_THREADS
    | CREATE_PRIVATE_THREADS
    | SEND_MESSAGES_IN_THREADS
)
MODERATOR = EVERYONE | MANAGE_GUILD | MANAGE_MESSAGES | MANAGE_THREADS | MODERATE_MEMBERS
# what an application's answers may do where its bot is not a member
WITHOUT_BOT = ATTACH_FILES | EMBED_LINKS | MENTION_EVERYONE
EVERYTHING = (1 << 53) - 1


def member_permissions(guild: Guild, user_id: str) -> int:
    """Return a user's permission bits in the guild; the guild's owner has all bits."""
    if user_id == guild.owner_id:
        return EVERYTHING
    return MODERATOR if user_id in guild.moderators else EVERYONE


def bot_permissions(state: State, channel: Channel) -> int:
    """Return the bot's permission bits in a channel, as in an interaction's `app_permissions`.

    In a private thread that the bot was not added to, they may include writing, though the bot
    can't write there.
    """
    guild = state.guilds.get(channel.guild_id or "")
    if guild is None or not guild.has_bot:
        return WITHOUT_BOT
    allowed = VIEW_CHANNEL | READ_MESSAGE_HISTORY if guild.bot_timed_out_until else EVERYONE
    above = state.channels.get(channel.parent_id or "") if channel.is_thread else None
    return allowed & ~channel.denied & ~(above.denied if above is not None else 0)


def bot_sees(state: State, channel: Channel) -> bool:
    """Return whether the bot's own requests reach a server's channel; if not, they get 50001."""
    allowed = bot_permissions(state, channel)
    if not allowed & VIEW_CHANNEL or (channel.type in VOICES and not allowed & CONNECT):
        return False
    return channel.type != PRIVATE_THREAD or state.bot.id in channel.members
