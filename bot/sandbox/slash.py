"""A typed slash command turned into what Discord sends: found, checked, options in their shapes."""

from dataclasses import dataclass

from bot.sandbox.errors import CannotDo
from bot.sandbox.payloads import (
    BOT_DM_CONTEXT,
    GUILD_CONTEXT,
    PRIVATE_CONTEXT,
    channel_payload,
    member_payload,
    user_payload,
)
from bot.sandbox.permissions import ADMINISTRATOR, member_permissions
from bot.sandbox.rules.bodies import INTEGER, NUMBER, STRING
from bot.sandbox.rules.commands import CHAT_INPUT, SUB_COMMAND
from bot.sandbox.state import (
    DM_CHANNEL,
    GUILD_INSTALL,
    USER_INSTALL,
    Channel,
    Json,
    State,
    User,
)

BOOLEAN, USER, CHANNEL, MENTIONABLE = 5, 6, 7, 9
# what Discord's own client does with a name, whatever commands an application has: "/me" and Enter
# posts a message
BUILT_IN = frozenset(
    (
        *("ban", "giphy", "kick", "me", "msg", "nick", "shrug", "spoiler", "tableflip", "tenor"),
        *("thread", "timeout", "tts", "unflip"),
    )
)


@dataclass(frozen=True)
class Focus:
    """The option that is being typed, for autocomplete."""

    name: str
    typed: str


@dataclass(frozen=True)
class Typed:
    """A command as typed: who, where, its path ("odds liars") and options by name."""

    user: User
    channel: Channel
    path: str
    options: dict[str, object]


def available(state: State, user: User, channel: Channel) -> list[Json]:
    """The commands the person may use there; a guild's own command hides a global one, and one of
    the client's own hides both."""
    guild_id = channel.guild_id
    bot_dm = channel.type == DM_CHANNEL
    here = GUILD_CONTEXT if guild_id else BOT_DM_CONTEXT if bot_dm else PRIVATE_CONTEXT
    installed = {USER_INSTALL} if user.has_app else set()
    if state.guilds[guild_id].has_app if guild_id else bot_dm:  # who meets the bot shares a server
        installed.add(GUILD_INSTALL)
    found: dict[tuple[int, str], Json] = {}
    for command in [*state.commands.get("", []), *state.commands.get(guild_id or "-", [])]:
        if command["type"] == CHAT_INPUT and command["name"] in BUILT_IN:
            continue
        contexts = command.get("contexts")
        if installed.isdisjoint(command["integration_types"]):
            continue
        if contexts is not None and here not in contexts:
            continue
        if contexts is None and not guild_id and command.get("dm_permission") is False:
            continue
        needed = command.get("default_member_permissions")
        if needed is not None and guild_id:
            has = member_permissions(state.guilds[guild_id], user.id)
            if not has & ADMINISTRATOR and (int(needed) == 0 or has & int(needed) != int(needed)):
                continue
        found[command["type"], command["name"]] = command
    return list(found.values())


def interaction_body(state: State, typed: Typed, focus: Focus | None = None) -> Json:
    """The `data` of the interaction. Raises CannotDo for what the client would not send."""
    root, *rest = typed.path.removeprefix("/").split()
    commands = available(state, typed.user, typed.channel)
    command = next(
        (c for c in commands if c["name"] == root and c["type"] == CHAT_INPUT),
        None,
    )
    if command is None:
        known = ", ".join(f"/{c['name']}" for c in commands) or "none"
        raise CannotDo(f"There is no command /{root} here; there are: {known}.")
    leaf: Json = command
    nesting: list[Json] = []
    for word in rest:
        leaf = next((o for o in leaf.get("options") or [] if o["name"] == word), {})
        if leaf.get("type") not in (SUB_COMMAND, 2):
            raise CannotDo(f"There is no command /{typed.path.removeprefix('/')}.")
        nesting.append(leaf)
    if any(o["type"] in (SUB_COMMAND, 2) for o in leaf.get("options") or []):
        raise CannotDo(f"/{typed.path} needs a subcommand, such as {leaf['options'][0]['name']}.")
    resolved: Json = {}
    options = _options(state, typed, leaf.get("options") or [], focus, resolved)
    for step in reversed(nesting):
        options = [{"name": step["name"], "type": step["type"], "options": options}]
    body: Json = {
        "id": command["id"],
        "name": command["name"],
        "type": command["type"],
        "options": options,
    }
    if "guild_id" in command:
        body["guild_id"] = command["guild_id"]
    if resolved:
        body["resolved"] = resolved
    return body


def _options(
    state: State, typed: Typed, known: list[Json], focus: Focus | None, resolved: Json
) -> list[Json]:
    names = {option["name"] for option in known}
    strange = [name for name in typed.options if name not in names]
    if strange:
        listed = ", ".join(sorted(names)) or "none"
        raise CannotDo(f"/{typed.path} has no option {strange[0]!r}; it has: {listed}.")
    filled = []
    for option in known:
        name = option["name"]
        if focus is not None and focus.name == name:
            if not option.get("autocomplete"):
                raise CannotDo(f"The option {name!r} offers no suggestions.")
            filled.append(
                {"name": name, "type": option["type"], "value": focus.typed, "focused": True}
            )
        elif typed.options.get(name) is None:
            if option.get("required") and focus is None:
                raise CannotDo(f"/{typed.path} needs its option {name!r}.")
        else:
            value = _value(state, typed, option, resolved)
            filled.append({"name": name, "type": option["type"], "value": value})
    if focus is not None and focus.name not in names:
        raise CannotDo(f"/{typed.path} has no option {focus.name!r}.")
    return filled


def _value(state: State, typed: Typed, option: Json, resolved: Json) -> object:
    name, kind, given = option["name"], option["type"], typed.options[option["name"]]
    if option.get("choices"):
        for choice in option["choices"]:
            if given in (choice["value"], choice["name"]):
                return choice["value"]
        listed = ", ".join(choice["name"] for choice in option["choices"])
        raise CannotDo(f"{given!r} is not a choice of {name!r}; it offers: {listed}.")
    if kind == STRING:
        text = str(given)
        if (
            not int(option.get("min_length") or 0)
            <= len(text)
            <= int(option.get("max_length") or 6000)
        ):
            raise CannotDo(f"The text for {name!r} is too short or too long.")
        return text
    if kind == BOOLEAN:
        if not isinstance(given, bool):
            raise CannotDo(f"The option {name!r} takes true or false.")
        return given
    if kind in (INTEGER, NUMBER):
        return _number(option, given)
    if kind in (USER, MENTIONABLE):
        return _user(state, typed, str(given), resolved)
    if kind == CHANNEL:
        channel = state.channels.get(str(given))
        if channel is None or channel.guild_id != typed.channel.guild_id:
            raise CannotDo(f"There is no such channel for {name!r}.")
        shape = channel_payload(state, channel) | {"permissions": "0"}
        resolved.setdefault("channels", {})[channel.id] = shape
        return channel.id
    raise CannotDo(f"Options of type {kind} ({name!r}) are not emulated.")


def _number(option: Json, given: object) -> int | float:
    name, whole = option["name"], option["type"] == INTEGER
    try:
        value = int(str(given)) if whole else float(str(given))
    except ValueError:
        raise CannotDo(f"The option {name!r} takes a number, not {given!r}.") from None
    low, high = option.get("min_value"), option.get("max_value")
    if (low is not None and value < low) or (high is not None and value > high):
        raise CannotDo(f"The number for {name!r} must lie between {low} and {high}.")
    return value


def _user(state: State, typed: Typed, wanted: str, resolved: Json) -> str:
    add_user(state, typed.channel, wanted, resolved)
    return wanted


def add_user(state: State, channel: Channel, user_id: str, resolved: Json) -> None:
    """Put a user, and the member they are here, into `resolved`. Raises CannotDo if unknown."""
    user = state.users.get(user_id)
    if user is None:
        raise CannotDo("There is no such person; pick one from the list.")
    resolved.setdefault("users", {})[user.id] = user_payload(user)
    if channel.guild_id is not None:
        guild = state.guilds[channel.guild_id]
        if user.id in guild.members or user.bot:
            member = member_payload(guild, user, with_user=False)
            member["permissions"] = str(member_permissions(guild, user.id))
            resolved.setdefault("members", {})[user.id] = member
