"""Limits of messages, components and forms beyond single fields.

Roles and @everyone are accepted in `allowed_mentions` without effect: no role here can be
mentioned, and neither the bot nor a person may mention everyone. Sources:
https://discord.com/developers/docs/components/reference and
https://discord.com/developers/docs/resources/message#allowed-mentions-object
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.sandbox.discord_state import COMPONENTS_V2, Json
from bot.sandbox.errors import BodyErrors, Path, refusal
from bot.sandbox.rules.bodies import (
    ALLOWED_MENTIONS,
    BUTTON,
    CONTAINER,
    EDIT,
    GALLERY,
    LABEL,
    MAX_COMPONENTS,
    MAX_TEXT,
    MODAL,
    ROW,
    SECTION,
    STRING_SELECT,
    TEXT,
    TEXT_INPUT,
)

MAX_FILES = 10
MENTIONED = ("roles", "users", "everyone")
LEGACY_ROWS = 5
ROW_WIDTH = 5
MAX_BYTES, BYTES_A_TEXT = 10_170, 12  # measured: discord-api-docs #8554
MAX_MARKS = 100  # approximately: discord-api-docs #6932, #8501

_MARK = re.compile(
    r"<(?:[@#][!&]?\d+|a?:\w+:\d+|t:-?\d+(?::\w)?|/[^:<>]+:\d+)>|\]\(<?https?://"
    r"|(?<!\()(?<!\(<)https?://"
)
_PAIR = re.compile(r"\*\*|__|~~|\|\||`+|\*|(?<!\w)_|_(?!\w)")


@dataclass
class Walk:
    """The totals and ids of a message or modal, gathered while its components are checked."""

    form: BodyErrors
    files: frozenset[str] = frozenset()  # names that attachment:// may use
    custom_ids: set[str] = field(default_factory=set)
    ids: set[int] = field(default_factory=set)
    components: int = 0
    text: int = 0
    bytes: int = 0  # of all texts as UTF-8, plus a constant for each

    def count(self, path: Path, component: Json) -> None:
        """Count the component; report an `id` that another component has too."""
        self.components += 1
        number = component.get("id")
        if number:
            if number in self.ids:
                self.form.wrong((*path, "id"), "COMPONENT_ID_DUPLICATED")
            self.ids.add(number)

    def custom_id(self, path: Path, component: Json, required_code: str) -> None:
        """Check that a custom_id is unique; report `required_code` if it is missing."""
        path = (*path, "custom_id")
        value = component.get("custom_id")
        if not value:
            self.form.wrong(path, required_code)
            return
        if value in self.custom_ids:
            self.form.wrong(path, "COMPONENT_CUSTOM_ID_DUPLICATED")
        self.custom_ids.add(value)

    def media(self, path: Path, url: str) -> None:
        """Check that an address can be shown: http(s), or an attachment of the message."""
        if not url:
            self.form.missing(path)
        elif url.startswith("attachment://"):
            if url.removeprefix("attachment://") not in self.files:
                self.form.wrong(path, "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND")
        elif not url.startswith(("http://", "https://")):
            self.form.wrong(path, "URL_TYPE_INVALID_SCHEME")


def marks(text: str) -> int:
    """Return the number of marks in a text, roughly as the client counts them.

    These are mentions, emoji, times, links, and pairs such as those around bold words.
    """
    plain = re.sub(r"\\[^\w\s]", "", text)
    return len(_MARK.findall(plain)) + len(_PAIR.findall(_MARK.sub("", plain))) // 2


def check_message(message: Json, filenames: list[str], known: frozenset[str] | None = None) -> None:
    """Raise ApiError unless Discord would accept the message.

    `message` holds content, components and flags as after the request; `filenames` are the names of
    all its attachments, old and new. `known` are the names that `attachment://` may use; None means
    all of `filenames`.
    """
    form = BodyErrors()
    EDIT.check(form, (), message)
    form.raise_if_wrong()
    v2 = bool((message.get("flags") or 0) & COMPONENTS_V2)
    files = frozenset(filenames) if known is None else known
    if v2 and message.get("content"):
        form.wrong(("content",), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", "content")
    form.length(("attachments",), filenames, 0, MAX_FILES)
    check_components(form, message.get("components") or [], v2=v2, files=files)
    form.raise_if_wrong()
    if not message.get("components") and (v2 or not (message.get("content") or filenames)):
        raise refusal("Cannot send an empty message")


def check_allowed_mentions(allowed: Json | None) -> None:
    """Raise ApiError 50035 for an `allowed_mentions` that Discord would refuse; None is fine."""
    if allowed is None:
        return
    form = BodyErrors()
    at = "allowed_mentions"
    ALLOWED_MENTIONS.check(form, (at,), allowed)
    form.raise_if_wrong()
    parse = allowed.get("parse") or []
    for n, kind in enumerate(parse):
        form.one_of((at, "parse", n), kind, MENTIONED)
    for kind in ("users", "roles"):
        if allowed.get(kind) and kind in parse:
            form.wrong((at,), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", kind)
    form.raise_if_wrong()


def check_components(
    form: BodyErrors, components: list[Json], *, v2: bool, files: frozenset[str] = frozenset()
) -> None:
    """Add to `form` what is wrong with a message's whole tree of components.

    `files` are the filenames that `attachment://` may use. Raises ApiError 500 for too many bytes
    of text.
    """
    walk = Walk(form, files)
    if not v2:
        form.length(("components",), components, 0, LEGACY_ROWS)
    for n, component in enumerate(components):
        if not v2 and component["type"] != ROW:
            form.wrong(("components", n, "type"), "UNION_TYPE_CHOICES", ROW)
            continue
        _check(walk, ("components", n), component)
    if v2 and walk.components > MAX_COMPONENTS:
        form.wrong(("components",), "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", MAX_COMPONENTS)
    if v2 and walk.bytes > MAX_BYTES:  # Discord has no other error for this
        raise refusal("500: Internal Server Error")
    if walk.text > MAX_TEXT:
        form.wrong(("components",), "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", MAX_TEXT)


def _check(walk: Walk, path: Path, component: Json) -> None:
    walk.count(path, component)
    check = _CHECKS.get(component["type"])
    if check is not None:
        check(walk, path, component)


def _inside(walk: Walk, path: Path, holder: Json) -> None:
    for n, component in enumerate(holder["components"]):
        _check(walk, (*path, "components", n), component)


def _row(walk: Walk, path: Path, row: Json) -> None:
    inside = row["components"]
    if not inside:
        walk.form.length((*path, "components"), inside, 1, ROW_WIDTH)
    width = 0
    for n, component in enumerate(inside):
        at = (*path, "components", n)
        width += ROW_WIDTH if component["type"] == STRING_SELECT else 1
        if width > ROW_WIDTH:
            walk.form.wrong(at, "COMPONENT_LAYOUT_WIDTH_EXCEEDED")
        _check(walk, at, component)


def _button(walk: Walk, path: Path, button: Json) -> None:
    form = walk.form
    if not button.get("label") and not button.get("emoji"):
        form.wrong((*path, "label"), "BUTTON_COMPONENT_LABEL_REQUIRED")
    name = (button.get("emoji") or {}).get("name")
    if name and name.isascii() and not (button["emoji"].get("id")):
        form.wrong((*path, "emoji", "name"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
    walk.custom_id(path, button, "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED")


def _select(walk: Walk, path: Path, select: Json, *, required: bool = False) -> None:
    """Check a select in a row or in a modal's label.

    `required`: whether the select is required if it has no `required` of its own; True in a
    label.
    """
    form = walk.form
    walk.custom_id(path, select, "SELECT_COMPONENT_CUSTOM_ID_REQUIRED")
    low, high = _count(select, "min_values"), _count(select, "max_values")
    if low == 0 and (required if select.get("required") is None else select["required"]):
        form.wrong((*path, "min_values"), "SELECT_COMPONENT_REQUIRED_ZERO_MIN_VALUES")
    if low > high:
        form.wrong((*path, "min_values"), "SELECT_COMPONENT_MIN_VALUES_EXCEED_MAX")
    options, values = select["options"], set[str]()
    for n, option in enumerate(options):
        if option["value"] in values:
            form.wrong((*path, "options", n, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED")
        values.add(option["value"])
    if sum(bool(option.get("default")) for option in options) > high:
        form.wrong(path, "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES")
    if high > len(options):
        form.wrong((*path, "max_values"), "SELECT_COMPONENT_MAX_VALUES_EXCEED_OPTIONS")


def _count(select: Json, name: str) -> int:
    number = select.get(name)
    return 1 if number is None else int(number)


def _section(walk: Walk, path: Path, section: Json) -> None:
    _inside(walk, path, section)
    _check(walk, (*path, "accessory"), section["accessory"])


def _text(walk: Walk, path: Path, text: Json) -> None:
    walk.text += len(text["content"])
    walk.bytes += len(text["content"].encode(errors="surrogatepass")) + BYTES_A_TEXT
    if (
        marks(text["content"]) > MAX_MARKS
    ):  # Discord accepts it, but its client shows nothing after these
        walk.form.wrong((*path, "content"), "SANDBOX_TOO_MANY_MARKS", MAX_MARKS)


def _gallery(walk: Walk, path: Path, gallery: Json) -> None:
    for n, item in enumerate(gallery["items"]):
        walk.media((*path, "items", n, "media", "url"), item["media"]["url"])


_CHECKS: dict[int, Callable[[Walk, Path, Json], None]] = {
    ROW: _row,
    BUTTON: _button,
    SECTION: _section,
    TEXT: _text,
    GALLERY: _gallery,
    CONTAINER: _inside,
    STRING_SELECT: _select,
}


def check_modal(modal: Json, path: Path = ("data",)) -> None:
    """Raise ApiError unless Discord would open the modal."""
    form = BodyErrors()
    MODAL.check(form, path, modal)
    form.raise_if_wrong()
    walk = Walk(form)
    for n, part in enumerate(modal["components"]):
        at = (*path, "components", n)
        walk.count(at, part)
        if part["type"] == LABEL:
            _check_field(walk, (*at, "component"), part["component"])
        for m, text_input in enumerate(part.get("components") or []):
            _check_field(walk, (*at, "components", m), text_input)
    form.raise_if_wrong()


def _check_field(walk: Walk, path: Path, component: Json) -> None:
    form = walk.form
    walk.count(path, component)
    if component["type"] == TEXT_INPUT:
        _text_input(walk, path, component)
        return
    if component.get("disabled"):
        form.wrong((*path, "disabled"), "SELECT_COMPONENT_DISABLED_IN_MODAL")
    _select(walk, path, component, required=True)


def _text_input(walk: Walk, path: Path, component: Json) -> None:
    form = walk.form
    walk.custom_id(path, component, "TEXT_INPUT_COMPONENT_CUSTOM_ID_REQUIRED")
    low, high = component.get("min_length"), component.get("max_length")
    if low is not None and high is not None and low > high:
        form.wrong((*path, "min_length"), "TEXT_INPUT_COMPONENT_MIN_LENGTH_EXCEEDS_MAX")
    if high is not None:
        form.length((*path, "value"), component.get("value") or "", 0, high)
