"""Discord's limits: a value at a limit is accepted, and a value beyond it gets Discord's error."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.discord_state import RecordedRequest
from bot.sandbox.rules.commands import check_choices, check_commands
from bot.sandbox.rules.components import check_message, check_modal
from tests import openapi
from tests.bot.sandbox.raw import Raw, codes_at, error_of
from tests.openapi.cut import cut, text_of
from tests.people import Snug

# -- messages, components, forms -------------------------------------------------------------------

V2 = 1 << 15
UNION = "UNION_TYPE_CHOICES"
Body = dict[str, Any]


def row(*inside: Body) -> Body:
    return {"type": 1, "components": list(inside)}


def button(n: int = 0, **changes: Any) -> Body:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": f"b{n}"} | changes


def options(count: int) -> list[Body]:
    return [{"label": f"o{n}", "value": f"v{n}"} for n in range(count)]


def select(n: int = 0, **changes: Any) -> Body:
    return {"type": 3, "custom_id": f"s{n}", "options": options(3)} | changes


def text(content: str = "said") -> Body:
    return {"type": 10, "content": content}


def v2(*components: Body, **kwargs: Any) -> Body:
    return {"flags": V2, "components": list(components)} | kwargs


def old(*components: Body) -> Body:
    return {"content": "x", "components": list(components)}


def section(**changes: Any) -> Body:
    return {"type": 9, "components": [text()], "accessory": button()} | changes


def gallery(url: str) -> Body:
    return {"type": 12, "items": [{"media": {"url": url}}]}


def texts(count: int) -> list[Body]:
    return [text() for _ in range(count)]


# refused, the path of its error, the code, and the nearest neighbour that is accepted
MESSAGES = [
    ({"content": "x" * 2001}, "content", "BASE_TYPE_MAX_LENGTH", {"content": "x" * 2000}),
    (
        old(*(row(button(n)) for n in range(6))),
        "components",
        "BASE_TYPE_MAX_LENGTH",
        old(*(row(button(n)) for n in range(5))),
    ),
    (
        old(row(select(1), select(2))),
        "components.0.components.1",
        "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
        old(row(select(1)), row(select(2))),
    ),
    (
        old(row(select(), button())),
        "components.0.components.1",
        "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
        old(row(select()), row(button())),
    ),
    (
        old(row(*map(button, range(6)))),
        "components.0.components.5",
        "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
        old(row(*map(button, range(5)))),
    ),
    (old(row()), "components.0.components", "BASE_TYPE_BAD_LENGTH", old(row(button()))),
    (
        v2(gallery("attachment://b.png")),
        "components.0.items.0.media.url",
        "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
        v2(gallery("attachment://a.png")),
    ),
    (
        old(row(button(1), button(1))),
        "components.0.components.1.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
        old(row(button(1), button(2))),
    ),
    (old(text()), "components.0.type", "UNION_TYPE_CHOICES", v2(text())),
    (
        v2(text(), content="x"),
        "content",
        "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
        v2(text(), content=None),
    ),
    (
        v2(text("x" * 2001), text("y" * 2000)),
        "components",
        "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
        v2(text("x" * 2000), text("y" * 2000)),
    ),
    (
        v2({"type": 17, "components": texts(40)}),
        "components",
        "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
        v2({"type": 17, "components": texts(39)}),
    ),
    (
        v2(section(accessory=None)),
        "components.0.accessory",
        "BASE_TYPE_REQUIRED",
        v2(section()),
    ),
    (
        v2(section(components=texts(4))),
        "components.0.components",
        "BASE_TYPE_BAD_LENGTH",
        v2(section(components=texts(3))),
    ),
    (
        v2({"type": 17, "components": [{"type": 17, "components": [text()]}]}),
        "components.0.components.0.type",
        "UNION_TYPE_CHOICES",
        v2({"type": 17, "components": [text()]}),
    ),
]


def bold(count: int) -> Body:
    return text(" ".join(["**x**"] * count))


# the same of the one component in a row, by the path in it
IN_A_ROW = [
    (button(custom_id=None), "custom_id", "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED", button()),
    (button(custom_id="x" * 101), "custom_id", "BASE_TYPE_BAD_LENGTH", button(custom_id="x" * 100)),
    (
        button(label=None),
        "label",
        "BUTTON_COMPONENT_LABEL_REQUIRED",
        button(label=None, emoji={"name": "🃏"}),
    ),
    (button(label="x" * 81), "label", "BASE_TYPE_MAX_LENGTH", button(label="x" * 80)),
    (
        button(emoji={"name": "spade"}),
        "emoji.name",
        "BUTTON_COMPONENT_INVALID_EMOJI",
        button(emoji={"name": "♠️"}),
    ),
    (
        select(min_values=2, max_values=1),
        "min_values",
        "SELECT_COMPONENT_MIN_VALUES_EXCEED_MAX",
        select(min_values=2, max_values=2),
    ),
    (
        select(max_values=4),
        "max_values",
        "SELECT_COMPONENT_MAX_VALUES_EXCEED_OPTIONS",
        select(max_values=3),
    ),
    (select(options=options(26)), "options", "BASE_TYPE_BAD_LENGTH", select(options=options(25))),
    (
        select(options=options(2) + options(1)),
        "options.2.value",
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
        select(options=options(2)),
    ),
    (
        select(min_values=0, required=True),
        "min_values",
        "SELECT_COMPONENT_REQUIRED_ZERO_MIN_VALUES",
        select(min_values=0),
    ),
]
MESSAGES += [
    (old(row(wrong)), f"components.0.components.0.{at}", code, old(row(right)))
    for wrong, at, code, right in IN_A_ROW
]
MESSAGES += [
    (
        v2(text(" ".join(["<:As:1300000000000000000>"] * 101))),
        "components.0.content",
        "SANDBOX_TOO_MANY_MARKS",
        v2(text(" ".join(["<:As:1300000000000000000>"] * 100)), bold(100)),
    ),
    (v2(bold(101)), "components.0.content", "SANDBOX_TOO_MANY_MARKS", v2(bold(100))),
]


def field(n: int = 0, **changes: Any) -> Body:
    component = {"type": 4, "custom_id": f"f{n}", "style": 1} | changes
    return {"type": 18, "label": f"Field {n}", "component": component}


def in_a_row(*inputs: Body, **changes: Any) -> Body:
    """Return an action row of `inputs` and an old form's input, which Discord still accepts.

    `changes` replace the input's fields.
    """
    component = {"type": 4, "custom_id": "old", "style": 1, "label": "Old"} | changes
    return {"type": 1, "components": [*inputs, component]}


def modal(*parts: Body, **changes: Any) -> Body:
    return {"title": "Bid", "custom_id": "m", "components": list(parts)} | changes


MODALS = [
    (
        modal(*map(field, range(6))),
        "data.components",
        "BASE_TYPE_BAD_LENGTH",
        modal(*map(field, range(5))),
    ),
    (modal(), "data.components", "BASE_TYPE_BAD_LENGTH", modal(field())),
    (
        modal(field(), title="x" * 46),
        "data.title",
        "BASE_TYPE_BAD_LENGTH",
        modal(field(), title="x" * 45),
    ),
    (
        modal(field(1), field(1)),
        "data.components.1.component.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
        modal(field(1), field(2)),
    ),
    (
        modal(field(min_length=5, max_length=4)),
        "data.components.0.component.min_length",
        "TEXT_INPUT_COMPONENT_MIN_LENGTH_EXCEEDS_MAX",
        modal(field(min_length=4, max_length=4)),
    ),
    (
        modal({"type": 18, "label": "L", "component": select(disabled=True)}),
        "data.components.0.component.disabled",
        "SELECT_COMPONENT_DISABLED_IN_MODAL",
        modal({"type": 18, "label": "L", "component": select()}),
    ),
    (
        modal({"type": 18, "label": "L", "component": button()}),
        "data.components.0.component.type",
        "UNION_TYPE_CHOICES",
        modal({"type": 10, "content": "read this"}, field()),
    ),
    (
        modal({"type": 18, "label": "L", "component": select(min_values=0)}),
        "data.components.0.component.min_values",
        "SELECT_COMPONENT_REQUIRED_ZERO_MIN_VALUES",
        modal({"type": 18, "label": "L", "component": select(min_values=0, required=False)}),
    ),
    (
        modal(in_a_row(label=None)),
        "data.components.0.components.0.label",
        "BASE_TYPE_REQUIRED",
        modal(in_a_row()),
    ),
    (
        modal(field(label="inside a label")),
        "data.components.0.component.label",
        "SANDBOX_NOT_EMULATED",
        modal(field(label=None)),
    ),
    (
        modal({"type": 1, "components": [select()]}),
        "data.components.0.components.0.type",
        "UNION_TYPE_CHOICES",
        modal({"type": 18, "label": "L", "component": select()}),
    ),
    (
        modal(in_a_row(field()["component"] | {"label": "First"})),
        "data.components.0.components",
        "BASE_TYPE_BAD_LENGTH",
        modal(in_a_row(), field()),
    ),
    (
        modal(in_a_row(custom_id="f0"), field()),
        "data.components.1.component.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
        modal(in_a_row(), field()),
    ),
]


@pytest.mark.parametrize("texts_of", [1, 2, 8])
def test_texts_of_too_many_bytes_are_an_error_of_discords_own(texts_of: int) -> None:
    """Check the limit in bytes, which was found by trying (discord-api-docs #8554)."""
    most = 10_170 - 12 * texts_of
    letters = "\u2660" * (most // 3 // texts_of)  # three bytes each
    left = most - 3 * len(letters) * texts_of
    fits = [text(letters + "x" * left), *(text(letters) for _ in range(texts_of - 1))]
    check_message(v2(*fits), [])
    fits[0]["content"] += "x"
    error = error_of(check_message, v2(*fits), [])
    assert (error.status, error.code) == (500, 0)


def with_a_file(message: Body) -> None:
    """Check a message with a picture attached."""
    check_message(message, ["a.png"])


NOT_EMULATED = "SANDBOX_NOT_EMULATED"


@pytest.mark.parametrize(
    ("unknown", "path", "code"),
    [
        ({"embeds": [{"title": "t"}]}, "embeds", NOT_EMULATED),
        ({"content": "x", "tts": True}, "tts", NOT_EMULATED),
        ({"sticker_ids": ["1"]}, "sticker_ids", NOT_EMULATED),
        ({"poll": {"question": {"text": "?"}}}, "poll", NOT_EMULATED),
        (old(row(button(url="https://a.org"))), "components.0.components.0.url", NOT_EMULATED),
        (
            *(v2({"type": 17, "components": [text()], "spoiler": True}), "components.0.spoiler"),
            NOT_EMULATED,
        ),
        (old(row(button(style=5))), "components.0.components.0.style", "BASE_TYPE_CHOICES"),
        (old(row({"type": 5, "custom_id": "u"})), "components.0.components.0.type", UNION),
        (v2({"type": 11, "media": {"url": "attachment://a.png"}}), "components.0.type", UNION),
        (v2({"type": 13, "file": {"url": "attachment://a.png"}}), "components.0.type", UNION),
        (v2(section(accessory={"type": 11})), "components.0.accessory.type", UNION),
    ],
)
def test_unsupported_features_are_refused_by_name(unknown: Body, path: str, code: str) -> None:
    assert codes_at(error_of(check_message, unknown, ["a.png"]), path) == [code]


def test_a_field_of_an_unknown_type_is_refused() -> None:
    for kind in (5, 8, 19, 21, 22, 23):
        error = error_of(check_modal, modal(field(type=kind)))
        assert codes_at(error, "data.components.0.component.type") == [UNION]


def test_empty_message_is_refused() -> None:
    for empty in ({}, {"content": ""}, {"flags": V2}, {"embeds": [], "tts": False}):
        assert error_of(check_message, empty, []).code == 50006


async def test_refusal_travels_in_discords_shape(snug: Snug, raw: Raw) -> None:
    status, body = await raw.send(snug.table.id, old(row(button(1), button(1))))
    assert (status, body["code"]) == (400, 50035)
    at = body["errors"]["components"]["0"]["components"]["1"]["custom_id"]
    assert at["_errors"][0]["code"] == "COMPONENT_CUSTOM_ID_DUPLICATED"


async def test_components_v2_message_cannot_go_back(snug: Snug, raw: Raw) -> None:
    _, sent = await raw.send(snug.table.id, v2(text()))
    path = f"/channels/{snug.table.id}/messages/{sent['id']}"
    status, body = await raw.api("PATCH", path, {"content": "plain"})
    assert (status, body["code"]) == (400, 50035)
    status, body = await raw.api("PATCH", path, {"components": [text("new")]})
    assert status == 200
    assert body["flags"] & V2


async def test_file_over_ten_mebibytes_is_too_large(snug: Snug, raw: Raw) -> None:
    limit = 10 * 1024 * 1024
    for size, expected in ((limit + 1, 413), (limit, 200)):
        status, _ = await raw.send(snug.table.id, {"content": "x"}, files=[("a", bytes(size))])
        assert status == expected


# -- commands --------------------------------------------------------------------------------------


def menu(**fields: Any) -> Body:
    return {"name": "play", "type": 3} | fields


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
        [command(options=[option("a"), option("s", type=1)])],
        "0.options.1.type",
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
        [command(options=[option("s", type=1, options=[option("a")])])],
    ),
    ([command(description="")], "0.description", "BASE_TYPE_BAD_LENGTH", [command()]),
    ([command(type=2)], "0.type", "BASE_TYPE_CHOICES", [command(type=1)]),
    ([menu(description="d")], "0.description", "BASE_TYPE_MAX_LENGTH", [menu(description="")]),
    ([menu(options=[option("s")])], "0.options", "BASE_TYPE_MAX_LENGTH", [menu(name="Ask Me")]),
    ([menu(), menu()], "1.name", "APPLICATION_COMMANDS_DUPLICATE_NAME", [menu(), command()]),
]


def choices(*offered: Body) -> Body:
    return option("a", choices=list(offered))


def choice(name: str = "n", value: object = "v") -> Body:
    return {"name": name, "value": value}


# the same of a command's one option, by the path in it
OF_AN_OPTION = [
    (
        choices(*(choice(str(n)) for n in range(26))),
        "choices",
        "BASE_TYPE_MAX_LENGTH",
        choices(*(choice(str(n)) for n in range(25))),
    ),
    (
        option("a", autocomplete=True, type=6),
        "autocomplete",
        "APPLICATION_COMMAND_AUTOCOMPLETE_INVALID",
        option("a", autocomplete=True),
    ),
    (
        choices(choice("x" * 101)),
        "choices.0.name",
        "BASE_TYPE_BAD_LENGTH",
        choices(choice("x" * 100)),
    ),
    (
        choices(in_polish("x" * 101)),
        "choices.0.name_localizations.pl",
        "BASE_TYPE_BAD_LENGTH",
        choices(in_polish("x" * 100)),
    ),
    (
        choices(in_polish("x", "polski")),
        "choices.0.name_localizations.polski",
        "APPLICATION_COMMAND_INVALID_LOCALE",
        choices(in_polish("x")),
    ),
    (
        choices(choice(value="7")) | {"type": 4},
        "choices.0.value",
        "NUMBER_TYPE_COERCE",
        choices(choice(value=7)) | {"type": 4},
    ),
    (
        choices(choice(value="v" * 101)),
        "choices.0.value",
        "BASE_TYPE_BAD_LENGTH",
        choices(choice(value="v" * 100)),
    ),
    *(
        (option("a", type=kind), "type", "UNION_TYPE_CHOICES", option("a", type=6))
        for kind in (2, 5, 7, 8, 9, 10, 11)
    ),
]
COMMANDS += [
    ([command(options=[wrong])], f"0.options.0.{at}", code, [command(options=[right])])
    for wrong, at, code, right in OF_AN_OPTION
]


@pytest.mark.parametrize(
    ("check", "refused", "path", "code", "accepted"),
    [
        *((with_a_file, *case) for case in MESSAGES),
        *((check_modal, *case) for case in MODALS),
        *((check_commands, *case) for case in COMMANDS),
    ],
)
def test_values_just_beyond_a_limit_are_refused_and_at_the_limit_accepted(
    check: Callable[[Any], None], refused: Any, path: str, code: str, accepted: Any
) -> None:
    assert code in codes_at(error_of(check, refused), path)
    check(accepted)


def test_at_most_a_hundred_commands_and_twenty_five_choices() -> None:
    commands = [command(f"c{n}") for n in range(101)]
    check_commands(commands[:100])
    assert error_of(check_commands, commands).code == 30032
    many = [choice(f"c{n}", n) for n in range(26)]
    check_choices({"choices": many[:25]}, 4)
    error = error_of(check_choices, {"choices": many}, 4)
    assert codes_at(error, "data.choices") == ["BASE_TYPE_MAX_LENGTH"]


@pytest.mark.parametrize(
    ("kind", "offered", "at", "code"),
    [
        (3, choice("x" * 101), "name", "BASE_TYPE_BAD_LENGTH"),
        (3, choice(value="v" * 101), "value", "BASE_TYPE_BAD_LENGTH"),
        (3, choice(value=7), "value", "STRING_TYPE_CONVERT"),
        (4, choice(value="7"), "value", "NUMBER_TYPE_COERCE"),
        (3, in_polish("x" * 101), "name_localizations.pl", "BASE_TYPE_BAD_LENGTH"),
        (
            *(3, in_polish("x", "polski"), "name_localizations.polski"),
            "APPLICATION_COMMAND_INVALID_LOCALE",
        ),
    ],
)
def test_a_suggestion_that_no_option_could_have_is_refused(
    kind: int, offered: Body, at: str, code: str
) -> None:
    error = error_of(check_choices, {"choices": [offered]}, kind)
    assert codes_at(error, f"data.choices.0.{at}") == [code]


# -- the checker itself: it must find what is wrong ------------------------------------------------

DESCRIPTION = openapi.load()
MESSAGES_PATH = "/channels/{channel_id}/messages"


def faults(method: str, route: str, body: Any) -> list[str]:
    return DESCRIPTION.faults(RecordedRequest(method, route, route, {}, body, (), 200))


@pytest.mark.parametrize(
    ("method", "route", "body"),
    [
        ("POST", MESSAGES_PATH, {"content": 7}),
        ("POST", MESSAGES_PATH, {"components": [{"type": 99}]}),
        ("POST", "/channels/{channel_id}/nothing", {}),
        ("GET", MESSAGES_PATH, {"content": "x"}),
        ("PUT", "/applications/{application_id}/commands", [{"description": "no name"}]),
        ("POST", "/users/@me/channels", {"recipient_id": "abc"}),
        ("POST", "/interactions/{interaction_id}/{interaction_token}/callback", {"type": 99}),
        ("POST", "/interactions/{interaction_id}/{interaction_token}/callback", None),
    ],
)
def test_request_that_discord_does_not_describe_is_found(
    method: str, route: str, body: Any
) -> None:
    assert faults(method, route, body)


def test_a_valid_request_has_no_faults_and_a_snowflake_may_be_text_or_a_whole_number() -> None:
    for recipient in ("123", 123):
        assert faults("POST", "/users/@me/channels", {"recipient_id": recipient}) == []
    body = {"flags": 1 << 15, "components": [{"type": 10, "content": "x"}]}
    assert faults("POST", MESSAGES_PATH, body) == []


def test_the_description_is_what_the_local_discord_serves_and_no_more() -> None:
    """Check that the stored description has only what is served; `tests.openapi.cut` writes it."""
    stored_text = openapi.DESCRIPTION.read_text("utf-8")
    assert text_of(cut(json.loads(stored_text))) == stored_text


def test_a_description_that_was_changed_by_hand_is_not_used(tmp_path: Path) -> None:
    for path in (openapi.DESCRIPTION, openapi.checksum_of(openapi.DESCRIPTION)):
        shutil.copy(path, tmp_path)
    copied = tmp_path / openapi.DESCRIPTION.name
    assert openapi.load(copied).document == DESCRIPTION.document
    copied.write_text(copied.read_text("utf-8").replace('"maxLength": 2000', '"maxLength": 9000'))
    with pytest.raises(ValueError, match="was changed: make it anew"):
        openapi.load(copied)
