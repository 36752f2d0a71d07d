"""Records in the shapes Discord's API gives them, and a way through its components."""

from bot.sandbox.clock import iso
from bot.sandbox.permissions import EVERYONE, MODERATOR, member_permissions
from bot.sandbox.snowflakes import seconds_of
from bot.sandbox.state import (
    DM_CHANNEL,
    PUBLIC_THREAD,
    Channel,
    Guild,
    Interaction,
    Json,
    State,
    User,
    copied,
)

ATTACHMENT_SIZE_LIMIT = 10 * 1024 * 1024


def user_payload(user: User) -> Json:
    """A user object; a person's display name is their user name."""
    return {
        "id": user.id,
        "username": user.name,
        "discriminator": "0",
        "global_name": None if user.bot else user.name,
        "avatar": None,
        "bot": user.bot,
        "public_flags": 0,
        "flags": 0,
        "locale": user.locale,
    }


def member_payload(guild: Guild, user: User, *, with_user: bool = True) -> Json:
    """A guild member; `with_user=False` is the partial form that `resolved` holds."""
    member: Json = {
        "nick": None,
        "avatar": None,
        "roles": [moderator_role_id(guild)] if user.id in guild.moderators else [],
        "joined_at": iso(seconds_of(guild.id)),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
    }
    if with_user:
        member["user"] = user_payload(user)
    return member


def moderator_role_id(guild: Guild) -> str:
    """The id of the moderators' role, one above the guild's own."""
    return str(int(guild.id) + 1)


def roles_payload(guild: Guild) -> list[Json]:
    """The guild's two roles: everyone and the moderators."""

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
    """A text channel, thread or direct message as the bot sees it, denials included."""
    shape: Json = {
        "id": channel.id,
        "type": channel.type,
        "flags": 0,
        "last_message_id": channel.last_message_id,
    }
    if channel.type == DM_CHANNEL:
        recipient = state.users[channel.recipient_id or ""]
        return shape | {"recipients": [user_payload(recipient)]}
    shape |= {
        "guild_id": channel.guild_id,
        "name": channel.name,
        "parent_id": channel.parent_id,
        "rate_limit_per_user": 0,
    }
    if channel.type == PUBLIC_THREAD:
        return shape | {
            "owner_id": channel.owner_id,
            "message_count": len(state.messages.get(channel.id, {})),
            "total_message_sent": len(state.messages.get(channel.id, {})),
            "member_count": 1,
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": 1440,
                "archive_timestamp": iso(seconds_of(channel.id)),
                "create_timestamp": iso(seconds_of(channel.id)),
                "locked": False,
            },
        }
    overwrites = []
    if channel.denied:
        overwrites = [{"id": state.bot.id, "type": 1, "allow": "0", "deny": str(channel.denied)}]
    return shape | {
        "topic": None,
        "position": 0,
        "nsfw": False,
        "permission_overwrites": overwrites,
    }


def guild_payload(state: State, guild: Guild) -> Json:
    """A guild as GUILD_CREATE shows it to a bot without the members intent: the bot alone."""
    inside = [channel for channel in state.channels.values() if channel.guild_id == guild.id]
    return {
        "id": guild.id,
        "name": guild.name,
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "owner_id": guild.owner_id,
        "afk_channel_id": None,
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "roles": roles_payload(guild),
        "emojis": [],
        "stickers": [],
        "features": [],
        "mfa_level": 0,
        "application_id": None,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "vanity_url_code": None,
        "description": None,
        "banner": None,
        "premium_tier": 0,
        "preferred_locale": guild.locale,
        "public_updates_channel_id": None,
        "nsfw_level": 0,
        "nsfw": False,
        "premium_progress_bar_enabled": False,
        "safety_alerts_channel_id": None,
        "joined_at": iso(seconds_of(guild.id)),
        "large": False,
        "unavailable": False,
        "member_count": len(guild.members) + 1,
        "members": [member_payload(guild, state.bot)],
        "channels": [channel_payload(state, c) for c in inside if c.type != PUBLIC_THREAD],
        "threads": [channel_payload(state, c) for c in inside if c.type == PUBLIC_THREAD],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def application_payload(state: State) -> Json:
    """The bot's application; its owner is a user who is nobody here."""
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
        "hook": True,
        "summary": "",
        "owner": user_payload(User(id="1", name="sandbox", color="#888888")),
        "team": None,
        "rpc_origins": None,
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "approximate_guild_count": len(state.guilds),
        "approximate_user_install_count": 0,
        "integration_types_config": {"0": {}, "1": {}},
    }


def interaction_payload(state: State, interaction: Interaction) -> Json:
    """INTERACTION_CREATE."""
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
        "attachment_size_limit": ATTACHMENT_SIZE_LIMIT,
    }
    if channel.guild_id is None:
        body |= {
            "user": user_payload(user),
            "context": 1,
            "authorizing_integration_owners": {"0": "0"},
            "app_permissions": str(EVERYONE),
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
            "context": 0,
            "authorizing_integration_owners": {"0": guild.id},
            "app_permissions": str(EVERYONE & ~channel.denied),
        }
    if interaction.message_id is not None:
        source = state.message(channel.id, interaction.message_id)
        if source is not None:
            body["message"] = copied(source.payload)
    return body


def walk(components: list[Json]) -> list[Json]:
    """Every component of a message or a modal, parents before children."""
    found = []
    for component in components:
        found.append(component)
        found += walk(component.get("components") or [])
        for single in ("accessory", "component"):
            if component.get(single):
                found += walk([component[single]])
    return found
