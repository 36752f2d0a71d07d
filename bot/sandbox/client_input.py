"""Convert a person's input to what Discord sends: commands and filled-in forms.

The input is checked as Discord's client would check it.
"""

from dataclasses import dataclass

from bot.sandbox.discord_state import (
    DM_CHANNEL,
    EPHEMERAL,
    GUILD_INSTALL,
    USER_INSTALL,
    Channel,
    Json,
    Message,
    State,
    User,
    copy_json,
)
from bot.sandbox.errors import CannotDo
from bot.sandbox.payloads import (
    BOT_DM_CONTEXT,
    GUILD_CONTEXT,
    PRIVATE_CONTEXT,
    member_payload,
    user_payload,
)
from bot.sandbox.permissions import ADMINISTRATOR, member_permissions
from bot.sandbox.rules.bodies import (
    CHAT_INPUT,
    INTEGER,
    LABEL,
    MESSAGE_MENU,
    ROW,
    STRING,
    SUB_COMMAND,
    TEXT_INPUT,
)

Values = dict[str, object]  # a form's values by custom_id
# names that Discord's own client handles, whatever an application's commands: "/me" and Enter post
# a message
BUILT_IN = frozenset(
    (
        *("ban", "giphy", "kick", "me", "msg", "nick", "shrug", "spoiler", "tableflip", "tenor"),
        *("thread", "timeout", "tts", "unflip"),
    )
)


@dataclass(frozen=True)
class Focus:
    """The option being typed, for autocomplete."""

    name: str
    typed: str


@dataclass(frozen=True)
class TypedCommand:
    """A command as typed: user, channel, path ("odds liars") and options by name."""

    user: User
    channel: Channel
    path: str
    options: dict[str, object]


def available(state: State, user: User, channel: Channel) -> list[Json]:
    """Return the commands that the person may use in the channel.

    Leave out commands with the name of one of the client's own.
    """
    guild_id = channel.guild_id
    bot_dm = channel.type == DM_CHANNEL
    context = GUILD_CONTEXT if guild_id else BOT_DM_CONTEXT if bot_dm else PRIVATE_CONTEXT
    installed = {USER_INSTALL} if user.has_app else set()
    if (
        state.guilds[guild_id].has_app if guild_id else bot_dm
    ):  # in direct messages they share a server
        installed.add(GUILD_INSTALL)
    commands: list[Json] = []
    for command in state.commands:
        if command["type"] == CHAT_INPUT and command["name"] in BUILT_IN:
            continue
        contexts = command.get("contexts")
        if installed.isdisjoint(command["integration_types"]):
            continue
        if contexts is not None and context not in contexts:
            continue
        if contexts is None and not guild_id and command.get("dm_permission") is False:
            continue
        needed = command.get("default_member_permissions")
        if needed is not None and guild_id:
            has = member_permissions(state.guilds[guild_id], user.id)
            if not has & ADMINISTRATOR and (int(needed) == 0 or has & int(needed) != int(needed)):
                continue
        commands.append(command)
    return commands


def interaction_body(state: State, typed: TypedCommand, focus: Focus | None = None) -> Json:
    """Return the `data` of a command's interaction or, with `focus`, of its autocomplete.

    Raises CannotDo for input that Discord's client would not send.
    """
    root, *subcommands = typed.path.removeprefix("/").split()
    usable = available(state, typed.user, typed.channel)
    commands = [command for command in usable if command["type"] == CHAT_INPUT]
    command = next((c for c in commands if c["name"] == root), None)
    if command is None:
        known = ", ".join(f"/{c['name']}" for c in commands) or "none"
        raise CannotDo(f"There is no command /{root} here; there are: {known}.")
    leaf: Json = command
    for word in subcommands:
        leaf = next((o for o in leaf.get("options") or [] if o["name"] == word), {})
        if leaf.get("type") != SUB_COMMAND:
            raise CannotDo(f"There is no command /{typed.path.removeprefix('/')}.")
    if any(o["type"] == SUB_COMMAND for o in leaf.get("options") or []):
        raise CannotDo(f"/{typed.path} needs a subcommand, such as {leaf['options'][0]['name']}.")
    resolved: Json = {}
    options = _options(state, typed, leaf.get("options") or [], focus, resolved)
    if leaf is not command:
        options = [{"name": leaf["name"], "type": SUB_COMMAND, "options": options}]
    body: Json = {"id": command["id"], "name": root, "type": command["type"], "options": options}
    if resolved:
        body["resolved"] = resolved
    return body


def menu_body(state: State, user: User, channel: Channel, name: str, message: Message) -> Json:
    """Return the `data` of a message command.

    Raises CannotDo if there is no such command, or if the message is ephemeral.
    """
    commands = [
        command for command in available(state, user, channel) if command["type"] == MESSAGE_MENU
    ]
    command = next((c for c in commands if c["name"] == name), None)
    if command is None:
        known = ", ".join(c["name"] for c in commands) or "none"
        raise CannotDo(f"There is no app {name!r} for messages here; there are: {known}.")
    if message.flags & EPHEMERAL:
        raise CannotDo("Apps can't be used on a message that only you see.")
    return {
        "id": command["id"],
        "name": name,
        "type": MESSAGE_MENU,
        "target_id": message.id,
        "resolved": {"messages": {message.id: copy_json(message.payload)}},
    }


def _options(
    state: State, typed: TypedCommand, known: list[Json], focus: Focus | None, resolved: Json
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


def _value(state: State, typed: TypedCommand, option: Json, resolved: Json) -> object:
    name, kind, value = option["name"], option["type"], typed.options[option["name"]]
    if option.get("choices"):
        for choice in option["choices"]:
            if value in (choice["value"], choice["name"]):
                return choice["value"]
        listed = ", ".join(choice["name"] for choice in option["choices"])
        raise CannotDo(f"{value!r} is not a choice of {name!r}; it offers: {listed}.")
    if kind == STRING:
        text = str(value)
        if (
            not int(option.get("min_length") or 0)
            <= len(text)
            <= int(option.get("max_length") or 6000)
        ):
            raise CannotDo(f"The text for {name!r} is too short or too long.")
        return text
    if kind == INTEGER:
        return _number(option, value)
    _add_user(state, typed.channel, str(value), resolved)
    return str(value)


def _number(option: Json, written: object) -> int:
    name = option["name"]
    try:
        value = int(str(written))
    except ValueError:
        raise CannotDo(f"The option {name!r} takes a number, not {written!r}.") from None
    low, high = option.get("min_value"), option.get("max_value")
    if (low is not None and value < low) or (high is not None and value > high):
        raise CannotDo(f"The number for {name!r} must lie between {low} and {high}.")
    return value


def _add_user(state: State, channel: Channel, user_id: str, resolved: Json) -> None:
    """Add a user, and their membership in the channel's server, to `resolved`.

    Raises CannotDo for an unknown id.
    """
    user = state.users.get(user_id)
    if user is None:
        raise CannotDo("There is no such person; pick one from the list.")
    resolved.setdefault("users", {})[user.id] = user_payload(user)
    if channel.guild_id is not None:
        guild = state.guilds[channel.guild_id]
        if user.id in guild.members or user.bot:
            member = member_payload(guild, user, partial=True)
            member["permissions"] = str(member_permissions(guild, user.id))
            resolved.setdefault("members", {})[user.id] = member


def submission(modal: Json, values: Values) -> Json:
    """Return the `data` of a submitted form. Raises CannotDo for input that the client refuses.

    `values` has text for a text input and a list for a select, by custom_id. Fields without a value
    keep their defaults.
    """
    left = dict(values)
    parts = []
    for part in modal["components"]:
        filled: Json = {"type": part["type"], "id": part["id"]}
        if part["type"] == LABEL:
            filled["component"] = _fill_field(part["component"], part["label"], left)
        elif part["type"] == ROW:
            filled["components"] = [
                _fill_field(field, field["label"], left) for field in part["components"]
            ]
        parts.append(filled)
    if left:
        raise CannotDo(f"The form has no field {next(iter(left))!r}.")
    return {"custom_id": modal["custom_id"], "components": parts}


def _fill_field(field: Json, label: str, values: Values) -> Json:
    kind, custom_id = field["type"], field["custom_id"]
    value = values.pop(custom_id, None)
    filled: Json = {"type": kind, "id": field["id"], "custom_id": custom_id}
    if kind == TEXT_INPUT:
        filled["value"] = _text(field, label, field.get("value") if value is None else value)
    else:
        chosen = [option["value"] for option in field["options"] if option.get("default")]
        if value is not None:
            chosen = list(map(str, value)) if isinstance(value, list | tuple) else [str(value)]
        check_chosen(field, label, chosen)
        filled["values"] = chosen
    return filled


def _text(field: Json, label: str, typed: object) -> str:
    text = "" if typed is None else str(typed)
    low, high = int(field.get("min_length") or 0), int(field.get("max_length") or 4000)
    if not text and field.get("required") is not False:
        raise CannotDo(f"The field {label!r} must be filled in.")
    if text and len(text) < low:
        raise CannotDo(f"The text in {label!r} must have at least {low} letters.")
    if len(text) > high:
        raise CannotDo(f"The text in {label!r} must have at most {high} letters.")
    return text


def check_chosen(select: Json, label: str, chosen: list[str]) -> None:
    """Raise CannotDo for unknown or repeated options, and for too many or too few."""
    offered = [option["value"] for option in select["options"]]
    strange = [value for value in chosen if value not in offered]
    if strange:
        raise CannotDo(f"{strange[0]!r} is not offered by {label!r}.")
    if len(set(chosen)) != len(chosen):
        raise CannotDo(f"The same choice was made twice in {label!r}.")
    if select.get("required") is False and not chosen:
        return
    low = 1 if select.get("min_values") is None else int(select["min_values"])
    high = 1 if select.get("max_values") is None else int(select["max_values"])
    if not low <= len(chosen) <= high:
        raise CannotDo(f"{label!r} takes {low} to {high} choices, not {len(chosen)}.")
