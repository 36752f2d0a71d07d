"""Records as JSON for the API and for the page, and a walk through a message's components.

For the page, messages and forms stay in Discord's format, with a few additions.
"""

from itertools import count

from bot.sandbox.clock import iso, seconds_of
from bot.sandbox.discord_state import (
    DM_CHANNEL,
    GROUP_DM,
    GUILD_INSTALL,
    LOADING,
    PRIVATE_THREAD,
    USER_INSTALL,
    VOICES,
    Channel,
    Guild,
    Interaction,
    Json,
    Message,
    State,
    User,
    copy_json,
)
from bot.sandbox.permissions import (
    EVERYONE,
    MODERATOR,
    bot_permissions,
    bot_sees,
    member_permissions,
)

GUILD_CONTEXT, BOT_DM_CONTEXT, PRIVATE_CONTEXT = 0, 1, 2
ATTACHMENT_SIZE_LIMIT = 10 * 1024 * 1024

# a guild's constant fields, by value
_NO_VALUE = (
    *("icon", "splash", "discovery_splash", "afk_channel_id", "application_id", "description"),
    *("system_channel_id", "rules_channel_id", "vanity_url_code", "banner"),
    *("public_updates_channel_id", "safety_alerts_channel_id", "home_header", "widget_channel_id"),
    *("max_presences", "incidents_data"),
)
_NOTHING = (
    *("verification_level", "explicit_content_filter", "mfa_level", "system_channel_flags"),
    *("premium_tier", "premium_subscription_count", "nsfw_level"),
)
_EMPTY = (
    *("emojis", "stickers", "features", "voice_states", "presences", "stage_instances"),
    *("guild_scheduled_events", "soundboard_sounds"),
)


def user_payload(user: User) -> Json:
    """Return a user object; a person's display name is their user name."""
    return {
        "id": user.id,
        "username": user.name,
        "discriminator": "0",
        "global_name": None if user.bot else user.name,
        "avatar": None,
        "bot": user.bot,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }


def own_user_payload(bot: User) -> Json:
    """Return the bot's user object, with the fields that only the bot itself receives."""
    private: Json = {"mfa_enabled": False, "verified": True, "email": None, "locale": bot.locale}
    return user_payload(bot) | private


def member_payload(guild: Guild, user: User, *, partial: bool = False) -> Json:
    """Return a guild member, or the `partial` form for `resolved`."""
    member: Json = {
        "nick": None,
        "avatar": None,
        "banner": None,
        "roles": [moderator_role_id(guild)] if user.id in guild.moderators else [],
        "joined_at": iso(seconds_of(guild.id)),
        "premium_since": None,
        "communication_disabled_until": None,
        "pending": False,
        "flags": 0,
    }
    if user.bot:
        member["communication_disabled_until"] = guild.bot_timed_out_until
    if partial:
        return member
    return member | {"user": user_payload(user), "deaf": False, "mute": False}


def moderator_role_id(guild: Guild) -> str:
    """Return the id of the moderators' role: the guild's id plus 1."""
    return str(int(guild.id) + 1)


def roles_payload(guild: Guild) -> list[Json]:
    """Return the guild's two roles: everyone and the moderators."""

    def role(role_id: str, name: str, permissions: int, position: int) -> Json:
        return {
            "id": role_id,
            "name": name,
            "permissions": str(permissions),
            "position": position,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "icon": None,
            "unicode_emoji": None,
            "managed": False,
            "mentionable": False,
            "flags": 0,
        }

    return [
        role(guild.id, "@everyone", EVERYONE, 0),
        role(moderator_role_id(guild), "Moderator", MODERATOR, 1),
    ]


def channel_payload(state: State, channel: Channel) -> Json:
    """Return a channel, thread or direct message as the bot sees it, with the bot's denials."""
    shape: Json = {
        "id": channel.id,
        "type": channel.type,
        "flags": 0,
        "last_message_id": channel.last_message_id,
    }
    if channel.type == DM_CHANNEL:
        recipient = state.users[channel.recipient_id or ""]
        return shape | {"recipients": [user_payload(recipient)]}
    if channel.type == GROUP_DM:
        people = [user_payload(state.users[member]) for member in channel.members]
        group: Json = {"name": channel.name, "icon": None, "owner_id": channel.owner_id}
        return shape | group | {"recipients": people}
    shape |= {
        "guild_id": channel.guild_id,
        "name": channel.name,
        "parent_id": channel.parent_id,
        "rate_limit_per_user": channel.slow_mode,
    }
    if channel.is_thread:
        extra = {"invitable": True} if channel.type == PRIVATE_THREAD else {}
        return shape | {
            "owner_id": channel.owner_id,
            "message_count": len(state.messages.get(channel.id, {})),
            "total_message_sent": len(state.messages.get(channel.id, {})),
            "member_count": len(channel.members),
            "thread_metadata": {
                "archived": channel.archived,
                "auto_archive_duration": 1440,
                "archive_timestamp": iso(seconds_of(channel.id)),
                "create_timestamp": iso(seconds_of(channel.id)),
                "locked": channel.locked,
                **extra,
            },
        }
    overwrites = []
    if channel.denied:
        overwrites = [{"id": state.bot.id, "type": 1, "allow": "0", "deny": str(channel.denied)}]
    if channel.type in VOICES:
        shape |= {"bitrate": 64_000, "user_limit": 0, "rtc_region": None, "video_quality_mode": 1}
    return shape | {
        "topic": None,
        "position": 0,
        "nsfw": False,
        "permission_overwrites": overwrites,
    }


def thread_member_payload(thread: Channel, user_id: str) -> Json:
    """Return the membership of a user in a thread."""
    return {
        "id": thread.id,
        "user_id": user_id,
        "join_timestamp": iso(seconds_of(thread.id)),
        "flags": 0,
    }


def joined_thread_payload(state: State, thread: Channel) -> Json:
    """Return a thread as announced to the bot, with `member` if the bot is in it."""
    shape = channel_payload(state, thread)
    if state.bot.id in thread.members:
        shape["member"] = thread_member_payload(thread, state.bot.id)
    return shape


def guild_payload(state: State, guild: Guild) -> Json:
    """Return a guild as in GUILD_CREATE without the members intent: the bot is its only member."""
    inside = [channel for channel in state.channels.values() if channel.guild_id == guild.id]
    threads = [c for c in inside if c.is_thread and not c.archived and bot_sees(state, c)]
    return {
        **dict.fromkeys(_NO_VALUE),
        **dict.fromkeys(_NOTHING, 0),
        **{name: [] for name in _EMPTY},
        "id": guild.id,
        "name": guild.name,
        "owner_id": guild.owner_id,
        "afk_timeout": 300,
        "default_message_notifications": 1,
        "roles": roles_payload(guild),
        "region": "deprecated",
        "max_members": 500_000,
        "max_video_channel_users": 25,
        "max_stage_video_channel_users": 50,
        "widget_enabled": False,
        "preferred_locale": guild.locale,
        "nsfw": False,
        "premium_progress_bar_enabled": False,
        "joined_at": iso(seconds_of(guild.id)),
        "large": False,
        "unavailable": False,
        "member_count": len(guild.members) + 1,
        "members": [member_payload(guild, state.bot)],
        "channels": [channel_payload(state, c) for c in inside if not c.is_thread],
        "threads": [joined_thread_payload(state, thread) for thread in threads],
    }


def application_payload(state: State) -> Json:
    """Return the bot's application. Its owner is a user who isn't in the state."""
    return {
        "id": state.bot.id,
        "name": state.bot.name,
        "icon": None,
        "description": "",
        "type": None,
        "bot": user_payload(state.bot),
        "bot_public": False,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "hook": True,
        "summary": "",
        "owner": user_payload(User(id="1", name="sandbox", color="#888888")),
        "team": None,
        "rpc_origins": [],
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "approximate_guild_count": len(state.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": [],
        "integration_types_config": {str(kind): {} for kind in state.installs},
    }


def integration_owners(state: State, interaction: Interaction) -> Json:
    """Return the ids of the server and the person that installed the application, by install type.

    In the bot's direct messages the server's id is "0".
    """
    channel = state.channels[interaction.channel_id]
    owners = {}
    if state.users[interaction.user_id].has_app:
        owners[str(USER_INSTALL)] = interaction.user_id
    if channel.type == DM_CHANNEL:
        owners[str(GUILD_INSTALL)] = "0"
    elif channel.guild_id is not None and state.guilds[channel.guild_id].has_app:
        owners[str(GUILD_INSTALL)] = channel.guild_id
    return owners


def interaction_payload(state: State, interaction: Interaction) -> Json:
    """Return the body of INTERACTION_CREATE."""
    channel = state.channels[interaction.channel_id]
    user = state.users[interaction.user_id]
    body: Json = {
        "id": interaction.id,
        "application_id": state.bot.id,
        "type": interaction.type,
        "data": interaction.body,
        "token": interaction.token,
        "version": 1,
        "channel_id": channel.id,
        "channel": channel_payload(state, channel),
        "locale": user.locale,
        "entitlements": [],
        "authorizing_integration_owners": integration_owners(state, interaction),
        "attachment_size_limit": ATTACHMENT_SIZE_LIMIT,
    }
    body["app_permissions"] = str(bot_permissions(state, channel))
    if channel.guild_id is None:
        body |= {
            "user": user_payload(user),
            "context": BOT_DM_CONTEXT if channel.type == DM_CHANNEL else PRIVATE_CONTEXT,
        }
    else:
        guild = state.guilds[channel.guild_id]
        allowed = member_permissions(guild, user.id)
        body["channel"]["permissions"] = str(allowed)
        body |= {
            "guild_id": guild.id,
            "guild": {"id": guild.id, "locale": guild.locale, "features": []},
            "guild_locale": guild.locale,
            "member": member_payload(guild, user) | {"permissions": str(allowed)},
            "context": GUILD_CONTEXT,
        }
    if interaction.message_id is not None:
        source = state.message(channel.id, interaction.message_id)
        if source is not None:
            body["message"] = copy_json(source.payload)
    return body


def walk(components: list[Json]) -> list[Json]:
    """Return every component of a message or modal, parents before children."""
    parts = []
    for component in components:
        parts.append(component)
        parts += walk(component.get("components") or [])
        for single in ("accessory", "component"):
            if component.get(single):
                parts += walk([component[single]])
    return parts


def number_components(components: list[Json]) -> None:
    """Give an id to each component of a message or form that has none, parents first."""
    parts = walk(components)
    taken = {part["id"] for part in parts if part.get("id")}
    fresh = (n for n in count(1) if n not in taken)
    for part in parts:
        if not part.get("id"):
            part["id"] = next(fresh)


def page_message(message: Message) -> Json:
    """Return a message for the page: Discord's payload, and whether the bot is still thinking."""
    payload = copy_json(message.payload)
    if message.flags & LOADING:
        payload["pending"] = True
    return payload


def page_channel(channel: Channel) -> Json:
    """Return a channel for the page."""
    return {
        "id": channel.id,
        "name": channel.name,
        "type": channel.type,
        "parent_id": channel.parent_id,
    }


def page_read(state: State, user_id: str, channel: Channel) -> Json:
    """Return a person's reading progress in a channel, for the page.

    It has whether the channel is unread, how many unread messages ping the person, and the id of
    the last message they have read.
    """
    read = state.read_of(user_id, channel)
    return {
        "channel_id": channel.id,
        "unread": state.unread(user_id, channel),
        "pings": len(read.pings),
        "last": read.last,
    }


def page_person(user: User) -> Json:
    """Return a person for the page."""
    return {"id": user.id, "name": user.name, "color": user.color, "dms_open": user.dms_open}


def page_modal(interaction: Interaction) -> Json:
    """Return the event that opens a modal on the page."""
    return {
        "type": "modal",
        "interaction_id": interaction.id,
        "modal": interaction.modal,
        "channel_id": interaction.channel_id,
        "message_id": interaction.message_id,
    }
