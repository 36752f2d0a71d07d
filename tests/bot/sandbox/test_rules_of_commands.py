"""Each limit of commands refused in Discord's shape, and the nearest thing inside it accepted."""

from typing import Any

import pytest

from bot.sandbox.errors import ApiError
from bot.sandbox.rules.commands import check_choices, check_commands
from tests.bot.sandbox.raw import codes_at

Body = dict[str, Any]


def command(name: str = "play", **changes: Any) -> Body:
    return {"name": name, "type": 1, "description": "d"} | changes


def option(name: str, **changes: Any) -> Body:
    return {"name": name, "type": 3, "description": "d"} | changes


def in_polish(name: str, locale: str = "pl") -> Body:
    return {"name": "n", "value": "v", "name_localizations": {locale: name}}


COMMANDS = [
    (
        [command("Play")],
        "0.name",
        "APPLICATION_COMMAND_INVALID_NAME",
        [command("spielen-ä")],
    ),
    ([command("a b")], "0.name", "APPLICATION_COMMAND_INVALID_NAME", [command("a_b")]),
    ([command("x" * 33)], "0.name", "BASE_TYPE_BAD_LENGTH", [command("x" * 32)]),
    (
        [command(), command()],
        "1.name",
        "APPLICATION_COMMANDS_DUPLICATE_NAME",
        [command(), command("look")],
    ),
    (
        [command(options=[option("a"), option("b", required=True)])],
        "0.options.1",
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
        [command(options=[option("b", required=True), option("a")])],
    ),
    (
        [command(options=[option("a"), option("a")])],
        "0.options.1.name",
        "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED",
        [command(options=[option("a"), option("b")])],
    ),
    (
        [command(name_localizations={"xx": "spiel"})],
        "0.name_localizations.xx",
        "APPLICATION_COMMAND_INVALID_LOCALE",
        [command(name_localizations={"de": "spiel", "th": "เล่น"})],
    ),
    (
        [
            command(
                options=[option("a", choices=[{"name": str(n), "value": "v"} for n in range(26)])]
            )
        ],
        "0.options.0.choices",
        "BASE_TYPE_MAX_LENGTH",
        [
            command(
                options=[option("a", choices=[{"name": str(n), "value": "v"} for n in range(25)])]
            )
        ],
    ),
    (
        [command(options=[option("a"), option("s", type=1)])],
        "0.options.1.type",
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
        [command(options=[option("s", type=1, options=[option("a")])])],
    ),
    (
        [command(options=[option("a", autocomplete=True, type=6)])],
        "0.options.0.autocomplete",
        "APPLICATION_COMMAND_AUTOCOMPLETE_INVALID",
        [command(options=[option("a", autocomplete=True)])],
    ),
    (
        [command(options=[option("a", choices=[{"name": "x" * 101, "value": "v"}])])],
        "0.options.0.choices.0.name",
        "BASE_TYPE_BAD_LENGTH",
        [command(options=[option("a", choices=[{"name": "x" * 100, "value": "v"}])])],
    ),
    (
        [command(options=[option("a", choices=[in_polish("x" * 101)])])],
        "0.options.0.choices.0.name_localizations.pl",
        "BASE_TYPE_BAD_LENGTH",
        [command(options=[option("a", choices=[in_polish("x" * 100)])])],
    ),
    (
        [command(options=[option("a", choices=[in_polish("x", "polski")])])],
        "0.options.0.choices.0.name_localizations.polski",
        "APPLICATION_COMMAND_INVALID_LOCALE",
        [command(options=[option("a", choices=[in_polish("x")])])],
    ),
    (
        [command(options=[option("a", type=4, choices=[{"name": "n", "value": "7"}])])],
        "0.options.0.choices.0.value",
        "NUMBER_TYPE_COERCE",
        [command(options=[option("a", type=4, choices=[{"name": "n", "value": 7}])])],
    ),
    (
        [command(options=[option("a", choices=[{"name": "n", "value": "v" * 101}])])],
        "0.options.0.choices.0.value",
        "BASE_TYPE_BAD_LENGTH",
        [command(options=[option("a", choices=[{"name": "n", "value": "v" * 100}])])],
    ),
    ([command(description="")], "0.description", "BASE_TYPE_BAD_LENGTH", [command()]),
    ([command(type=2)], "0.type", "BASE_TYPE_CHOICES", [command(type=1)]),
    *(
        (
            [command(options=[option("a", type=kind)])],
            "0.options.0.type",
            "UNION_TYPE_CHOICES",
            [command(options=[option("a", type=6)])],
        )
        for kind in (2, 5, 7, 8, 9, 10, 11)
    ),
]


@pytest.mark.parametrize(("refused", "path", "code", "accepted"), COMMANDS)
def test_command_beyond_a_limit_is_refused_and_its_neighbour_accepted(
    refused: list[Body], path: str, code: str, accepted: list[Body]
) -> None:
    with pytest.raises(ApiError) as caught:
        check_commands(refused)
    assert code in codes_at(caught.value, path)
    check_commands(accepted)


def test_at_most_a_hundred_commands() -> None:
    commands = [command(f"c{n}") for n in range(101)]
    check_commands(commands[:100])
    with pytest.raises(ApiError) as caught:
        check_commands(commands)
    assert caught.value.code == 30032


def test_autocomplete_takes_at_most_twenty_five_choices() -> None:
    choices: list[Body] = [{"name": f"c{n}", "value": n} for n in range(26)]
    check_choices({"choices": choices[:25]}, 4)
    with pytest.raises(ApiError) as caught:
        check_choices({"choices": choices}, 4)
    assert codes_at(caught.value, "data.choices") == ["BASE_TYPE_MAX_LENGTH"]


@pytest.mark.parametrize(
    ("kind", "choice", "path", "code"),
    [
        (3, {"name": "x" * 101, "value": "v"}, "data.choices.0.name", "BASE_TYPE_BAD_LENGTH"),
        (3, {"name": "x", "value": "v" * 101}, "data.choices.0.value", "BASE_TYPE_BAD_LENGTH"),
        (3, {"name": "x", "value": 7}, "data.choices.0.value", "STRING_TYPE_CONVERT"),
        (4, {"name": "x", "value": "7"}, "data.choices.0.value", "NUMBER_TYPE_COERCE"),
        (
            3,
            in_polish("x" * 101),
            "data.choices.0.name_localizations.pl",
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            3,
            in_polish("x", "polski"),
            "data.choices.0.name_localizations.polski",
            "APPLICATION_COMMAND_INVALID_LOCALE",
        ),
    ],
)
def test_a_suggestion_that_no_option_could_have_is_refused(
    kind: int, choice: Body, path: str, code: str
) -> None:
    with pytest.raises(ApiError) as caught:
        check_choices({"choices": [choice]}, kind)
    assert codes_at(caught.value, path) == [code]
