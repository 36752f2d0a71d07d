"""Commands that are imported when they are asked for, and values that need no machinery.

The chance of a bid is answered in less time than importing all commands takes, or than typer's
way of turning a text into a text, which imports pydantic. So a group knows the module of each of
its commands by name, and plain values are taken as they are; whatever is not plain, a wrong number
for example, goes typer's way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any, ClassVar, Final

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import CommandInfo

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,18}")
_DECIMAL: Final = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?")


class QuickCommand(TyperCommand):
    """A command that takes plain values as they are."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, the one for help among them."""
        return _quick(super().get_params(ctx))


class LazyGroup(TyperGroup):
    """A group of commands, each imported when it is asked for by name, all of them for help.

    `homes` says in which module of `bot.cli` each command is added to the group's `Typer`, in the
    order in which help lists them; `typer_of` gives that `Typer`.
    """

    homes: ClassVar[Mapping[str, str]] = {}
    typer_of: ClassVar[Callable[[], typer.Typer]]

    def get_params(self, ctx: Any) -> list[Any]:
        """The group's own parameters, the one for help among them."""
        return _quick(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:
        """Every command, those that are not imported yet among them."""
        return [*self.homes, *(name for name in self.commands if name not in self.homes)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name, imported if need be; None if there is none."""
        if cmd_name in self.homes and cmd_name not in self.commands:
            import_module(f"bot.cli.{self.homes[cmd_name]}")
            self.commands[cmd_name] = _added(type(self).typer_of(), cmd_name)
        return super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that `args` begin with; a name that is none is compared with all."""
        if args[0] not in self.homes and args[0] not in self.commands:
            for name in self.homes:
                self.get_command(ctx, name)
        return super().resolve_command(ctx, args)


def _added(to: typer.Typer, name: str) -> Any:
    """The command of that name that a module added to a `Typer`."""
    (info,) = (info for info in to.registered_commands if _name(info) == name)
    return made(info)


def _name(info: CommandInfo) -> str:
    assert info.callback is not None
    return info.name or typer.main.get_command_name(info.callback.__name__)


def made(info: CommandInfo) -> Any:
    """The command that `info` describes."""
    single = typer.Typer(
        add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None
    )
    info.cls = info.cls or QuickCommand
    single.registered_commands.append(info)
    return typer.main.get_command(single)


def _quick(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        if "process_value" not in vars(parameter):
            parameter.process_value = partial(_processed, parameter, parameter.process_value)
    return parameters


def _processed(parameter: Any, usual: Callable[[Any, Any], Any], ctx: Any, value: Any) -> Any:
    """What `usual`, typer's `process_value`, would make of a value."""
    plain = _plain(parameter, value)
    if plain is None or (parameter.required and parameter.value_is_missing(plain[0])):
        return usual(ctx, value)
    return parameter.callback(ctx, parameter, plain[0]) if parameter.callback else plain[0]


def _plain(parameter: Any, value: Any) -> tuple[Any] | None:
    """The value as the parameter's type, alone in a tuple; None where that takes more than this."""
    several = parameter.multiple or parameter.nargs == -1
    if value is None:
        return ((),) if several else (None,)
    of, told = parameter.type_descriptor.annotation, parameter.type_descriptor.parameter_info
    if (told.min, told.max, told.parser) != (None, None, None):
        return None
    if several:
        plain = of == list[str] and all(isinstance(one, str) for one in value)
        return ([*value],) if plain else None
    if of is bool and isinstance(value, bool):
        return (value,)
    if of in (str, int, float) and type(value) is of:  # a default
        return (value,)
    if not isinstance(value, str):
        return None
    if of is int and _WHOLE.fullmatch(value):
        return (int(value),)
    if of is float and _DECIMAL.fullmatch(value):
        return (float(value),)
    return None
