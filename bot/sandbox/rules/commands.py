"""Limits of application commands beyond single fields: names, order, counts, locales.

Source: https://discord.com/developers/docs/interactions/application-commands
"""

import unicodedata

from bot.sandbox.discord_state import Json
from bot.sandbox.errors import ApiError, BodyErrors, Path
from bot.sandbox.rules.bodies import (
    ANY_CHOICES,
    CHAT_INPUT,
    CHOICES,
    COMMANDS,
    MESSAGE_MENU,
    SUB_COMMAND,
    VALUES,
)

MAX_COMMANDS = {CHAT_INPUT: 100, MESSAGE_MENU: 15}
MAX_COMMAND_TEXT = 8000
LOCALES = frozenset(
    (
        *("id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu"),
        *("nl", "no", "pl", "pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru"),
        *("uk", "hi", "th", "zh-CN", "ja", "zh-TW", "ko"),
    )
)


def check_commands(commands: list[Json]) -> None:
    """Raise ApiError unless Discord would accept these as the whole list of a scope's commands."""
    form = BodyErrors()
    COMMANDS.check(form, (), commands)
    form.raise_if_wrong()
    names: set[tuple[int, str]] = set()
    for n, command in enumerate(commands):
        named = command.get("type", CHAT_INPUT), command["name"]
        if named in names:
            form.wrong((n, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME")
        names.add(named)
        if named[0] == CHAT_INPUT:
            _check_words(form, (n,), command)
        else:  # its name is a label, with capitals and spaces
            _check_locales(form, (n, "name_localizations"), command.get("name_localizations"))
        _check_options(form, (n,), command.get("options") or [])
        if _text_of(command) > MAX_COMMAND_TEXT:
            form.wrong((n,), "APPLICATION_COMMAND_TOO_LARGE", MAX_COMMAND_TEXT)
    form.raise_if_wrong()
    for kind, most in MAX_COMMANDS.items():
        if [command.get("type", CHAT_INPUT) for command in commands].count(kind) > most:
            message = f"Maximum number of application commands reached ({most})"
            raise ApiError(400, 30032, message)


def check_installs(commands: list[Json], allowed: list[int]) -> None:
    """Raise ApiError for a command with an integration type that the application doesn't allow.

    Discord doesn't document the text of this error.
    """
    form = BodyErrors()
    for n, command in enumerate(commands):
        for at, kind in enumerate(command.get("integration_types") or ()):
            form.one_of((n, "integration_types", at), kind, allowed)
    form.raise_if_wrong()


def _check_words(form: BodyErrors, path: Path, entry: Json) -> None:
    """Check the name, its translations, and the locales of the description's translations."""
    _check_name(form, (*path, "name"), entry["name"])
    names = _check_locales(form, (*path, "name_localizations"), entry.get("name_localizations"))
    for locale, text in names.items():
        _check_name(form, (*path, "name_localizations", locale), text)
    _check_locales(
        form, (*path, "description_localizations"), entry.get("description_localizations")
    )


def _check_locales(
    form: BodyErrors, path: Path, translations: dict[str, str] | None
) -> dict[str, str]:
    for locale in translations or {}:
        if locale not in LOCALES:
            form.wrong((*path, locale), "APPLICATION_COMMAND_INVALID_LOCALE", locale)
    return {locale: text for locale, text in (translations or {}).items() if locale in LOCALES}


def _check_name(form: BodyErrors, path: Path, name: str) -> None:
    if name != name.lower() or not all(map(_name_character, name)):
        form.wrong(path, "APPLICATION_COMMAND_INVALID_NAME")


def _name_character(character: str) -> bool:
    """Return whether a character may be in a name.

    These are letters, numerals, - _ ' and everything in the Devanagari and Thai blocks.
    """
    if character in "-_'" or unicodedata.category(character)[0] in "LN":
        return True
    return "\u0900" <= character <= "\u097f" or "\u0e00" <= character <= "\u0e7f"


def _check_options(form: BodyErrors, path: Path, options: list[Json]) -> None:
    names: set[str] = set()
    optional_seen = False
    nests = [option["type"] == SUB_COMMAND for option in options]
    for n, option in enumerate(options):
        at = (*path, "options", n)
        if option["name"] in names:
            form.wrong((*at, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED")
        names.add(option["name"])
        _check_words(form, at, option)
        if nests[n] != nests[0]:
            form.wrong((*at, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID")
        elif nests[n]:
            _check_options(form, at, option.get("options") or [])
        else:
            if option.get("required") and optional_seen:
                form.wrong(at, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID")
            optional_seen = optional_seen or not option.get("required")
            _check_value_limits(form, at, option)


def _check_value_limits(form: BodyErrors, path: Path, option: Json) -> None:
    choices = option.get("choices") or []
    offers = option["type"] in VALUES
    if choices and not offers:
        form.wrong((*path, "choices"), "APPLICATION_COMMAND_OPTIONS_CHOICES_TYPE_INVALID")
    else:
        _check_choices(form, (*path, "choices"), choices)
    if option.get("autocomplete") and (choices or not offers):
        form.wrong((*path, "autocomplete"), "APPLICATION_COMMAND_AUTOCOMPLETE_INVALID")


def _text_of(entry: Json) -> int:
    """Return how many characters count towards a command's size.

    Names and descriptions count in their longest locale; choices' values count too.
    """

    def longest(text: str, localized: dict[str, str] | None) -> int:
        return max([len(text), *map(len, (localized or {}).values())])

    total = longest(str(entry.get("name", "")), entry.get("name_localizations"))
    total += longest(str(entry.get("description", "")), entry.get("description_localizations"))
    for choice in entry.get("choices") or []:
        total += longest(str(choice.get("name", "")), choice.get("name_localizations"))
        total += len(str(choice.get("value", "")))
    return total + sum(_text_of(option) for option in entry.get("options") or [])


def check_choices(answer: Json, kind: object) -> None:
    """Raise ApiError unless Discord would accept the answer to an autocomplete.

    `kind`: the type of the option being typed, if known.
    """
    form = BodyErrors()
    fitting = [choices for option, choices in CHOICES.items() if option == kind]
    for choices in fitting or [ANY_CHOICES]:
        choices.check(form, ("data",), answer)
    form.raise_if_wrong()
    _check_choices(form, ("data", "choices"), answer["choices"])
    form.raise_if_wrong()


def _check_choices(form: BodyErrors, path: Path, choices: list[Json]) -> None:
    """Check that the choices' names differ, and that Discord has their locales."""
    names: set[str] = set()
    for n, choice in enumerate(choices):
        at = (*path, n)
        if choice["name"] in names:
            form.wrong((*at, "name"), "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_DUPLICATE")
        names.add(choice["name"])
        _check_locales(form, (*at, "name_localizations"), choice.get("name_localizations"))
