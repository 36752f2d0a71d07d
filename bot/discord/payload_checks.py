"""Check what Discord sends before the client library reads it.

The library expects every event to be as documented. An event that isn't raises in its reading of
the socket, which ends the connection and with it the bot for everybody. So a press with odd data is
given the documented form, and is answered like any other that is not ours; so is a press with an
unknown language. Any other unreadable event is left out, with a line in the log. Data about servers
that the library would keep and that are never used here are removed first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, Final

import discord
import structlog
from discord import app_commands

log = structlog.get_logger(__name__)
Parser = Callable[[Any], None]

_INTERACTION: Final = "INTERACTION_CREATE"
_ABOUT_CHANNELS: Final = frozenset({"GUILD_CREATE", "CHANNEL_CREATE", "CHANNEL_UPDATE"})
# a session that cannot begin must not pass for one that has
_MUST_BE_READ: Final = frozenset({"READY", "RESUMED"})
_PRESSES: Final = (
    discord.InteractionType.component.value,
    discord.InteractionType.modal_submit.value,
)
_TYPED: Final = (
    discord.InteractionType.application_command.value,
    discord.InteractionType.autocomplete.value,
)
_MOST: Final = 1 << 53  # Discord's whole numbers are no larger
# what the library reads of a press or form, and what stands for a value of another type
_FIELDS: Final[Mapping[str, Any]] = {
    "custom_id": "",
    "component_type": 0,
    "components": [],
    "resolved": {},
}


# of a channel; of a server with 45 of them who may see which is half of what the library keeps
_UNUSED: Final[Mapping[str, Any]] = {"permission_overwrites": [], "topic": None}


def guard(parsers: MutableMapping[str, Parser]) -> None:
    """Make the library's parsers (by event) survive any input, and keep less."""
    for event, parse in parsers.items():
        if event not in _MUST_BE_READ:
            parsers[event] = _guard_parser(event, parse)


def as_documented(event: Any) -> Any:
    """Return an interaction with what the library needs to read it.

    That is a language, a channel as far as it is known, and for a press or form the fields of its
    data, with values of their types.
    """
    if not isinstance(event, Mapping):
        return event
    if not isinstance(event.get("channel"), Mapping) or "id" not in event["channel"]:
        event = {**event, "channel": _channel_of(event)}
    for name in ("locale", "guild_locale"):
        if not isinstance(event.get(name), str):
            event = {**event, name: discord.Locale.american_english.value}
    message = event.get("message")
    if isinstance(message, Mapping) and type(message.get("flags", 0)) is not int:
        event = {**event, "message": {**message, "flags": 0}}
    if event.get("type") in _TYPED and isinstance(event.get("data"), Mapping):
        options = _options(event["data"].get("options", []))
        return {**event, "data": {**event["data"], "options": options}}
    if event.get("type") not in _PRESSES:
        return event
    data = event.get("data")
    pressed = dict(data) if isinstance(data, Mapping) else {}
    for name, instead in _FIELDS.items():
        if not isinstance(pressed.get(name), type(instead)):
            pressed[name] = instead
    return {**event, "data": pressed}


def _channel_of(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return the channel of an interaction that has only its id; an empty one if it has none.

    The library knows the rest of a server's channel; any other is a direct message.
    """
    number = event.get("channel_id")
    if not isinstance(number, str) or not number.isdecimal():
        return {}
    private = {} if event.get("guild_id") else {"type": discord.ChannelType.private.value}
    return {"id": number, **private}


def _options(options: Any) -> Any:
    """Return a command's options, without values that don't have their stated type."""
    if not isinstance(options, list):
        return options
    valid: list[Any] = []
    for option in options:
        if not isinstance(option, Mapping):
            valid.append(option)
        elif "options" in option:
            valid.append({**option, "options": _options(option["options"])})
        elif option.get("focused") or _is_of_its_type(option):  # what is being typed is a text
            valid.append(option)
    return valid


def _is_of_its_type(option: Mapping[str, Any]) -> bool:
    value = option.get("value")
    match option.get("type"):
        case discord.AppCommandOptionType.integer.value:
            return type(value) is int and abs(value) <= _MOST
        case discord.AppCommandOptionType.string.value:
            return isinstance(value, str)
        case discord.AppCommandOptionType.boolean.value:
            return isinstance(value, bool)
    return True


def _guard_parser(event: str, parse: Parser) -> Parser:
    def parse_safely(data: Any) -> None:
        try:
            if event == _INTERACTION:
                data = as_documented(data)
            elif event in _ABOUT_CHANNELS:
                data = _without_unused(data)
            parse(data)
        except Exception as error:  # whatever it is, everybody else's game goes on
            log.warning("discord: an event was not read", event_type=event, error=_kind(error))

    return parse_safely


def _without_unused(event: Any) -> Any:
    """Return a server or a channel without the channel fields that are never used."""
    if not isinstance(event, Mapping):
        return event
    channels = event.get("channels")
    if isinstance(channels, list):
        return {**event, "channels": [_without_unused(channel) for channel in channels]}
    return {**event, **{name: value for name, value in _UNUSED.items() if name in event}}


def _kind(error: Exception) -> str:
    return type(error).__name__


def completes(tree: app_commands.CommandTree[Any], data: Any) -> bool:
    """Return whether a keystroke is in an option with suggestions, or in an unknown command."""
    command = tree.get_command(data["name"])
    options = data.get("options", [])
    while isinstance(command, app_commands.Group):
        inside: dict[str, Any] = next((option for option in options if "options" in option), {})
        command, options = command.get_command(inside["name"]), inside["options"]
    typed = next((option["name"] for option in options if option.get("focused")), None)
    if not isinstance(command, app_commands.Command) or typed is None:
        return True  # the library says what is wrong
    parameter = command.get_parameter(typed)
    return parameter is not None and parameter.autocomplete
