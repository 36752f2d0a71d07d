"""Limits of message components, old rows and Components V2 alike, that no single field tells.

Source: https://discord.com/developers/docs/components/reference
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.sandbox.errors import ApiError
from bot.sandbox.rules.bodies import (
    BUTTON,
    CONTAINER,
    FILE,
    GALLERY,
    MAX_COMPONENTS,
    MAX_TEXT,
    ROW,
    SECTION,
    SELECTS,
    STRING_SELECT,
    TEXT,
    THUMBNAIL,
)
from bot.sandbox.rules.form import Form, Path
from bot.sandbox.state import Json

LEGACY_ROWS = 5
ROW_WIDTH = 5
LINK, PREMIUM = 5, 6
MAX_BYTES, BYTES_A_TEXT = 10_170, 12  # found by trying: discord-api-docs #8554
MAX_MARKS = 100  # about: discord-api-docs #6932, #8501

_MARK = re.compile(
    r"<(?:[@#][!&]?\d+|a?:\w+:\d+|t:-?\d+(?::\w)?|/[^:<>]+:\d+)>|\]\(<?https?://"
    r"|(?<!\()(?<!\(<)https?://"
)
_PAIR = re.compile(r"\*\*|__|~~|\|\||`+|\*|(?<!\w)_|_(?!\w)")


@dataclass
class Walk:
    """What is counted over a whole message or modal while its components are checked."""

    form: Form
    files: frozenset[str]  # names that attachment:// may mean
    custom_ids: set[str] = field(default_factory=set)
    ids: set[int] = field(default_factory=set)
    components: int = 0
    text: int = 0
    bytes: int = 0  # of all texts as UTF-8, and what each costs besides

    def count(self, path: Path, component: Json) -> None:
        """Count the component towards the 40 of a message; its `id`, if given, must be new."""
        self.components += 1
        given = component.get("id")
        if given:
            if given in self.ids:
                self.form.wrong(
                    (*path, "id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated"
                )
            self.ids.add(given)

    def custom_id(self, path: Path, component: Json, required_code: str) -> None:
        """A custom_id that nothing else has; `required_code` if it lacks."""
        path = (*path, "custom_id")
        value = component.get("custom_id")
        if not value:
            self.form.wrong(path, required_code, "A custom id is required")
            return
        if value in self.custom_ids:
            self.form.wrong(
                path,
                "COMPONENT_CUSTOM_ID_DUPLICATED",
                "Component custom id cannot be duplicated",
            )
        self.custom_ids.add(value)

    def media(self, path: Path, item: Json, *, only_attachment: bool = False) -> None:
        """An address that can be shown: http(s), or an attachment that the message brings."""
        url = item.get("url")
        if not url:
            self.form.required((*path, "url"))
        elif url.startswith("attachment://"):
            if url.removeprefix("attachment://") not in self.files:
                self.form.wrong(
                    (*path, "url"),
                    "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                    "The referenced attachment was not found",
                )
        elif only_attachment:
            self.form.wrong(
                (*path, "url"),
                "FILE_COMPONENT_ATTACHMENT_REQUIRED",
                "A file component must reference an attachment",
            )
        elif not url.startswith(("http://", "https://")):
            self.form.wrong(
                (*path, "url"),
                "URL_TYPE_INVALID_SCHEME",
                'Scheme must be one of ("http", "https").',
            )


def marks(text: str) -> int:
    """How many marks a text has, as nearly as the client counts: mentions, emoji, times, links, and
    pairs such as those around bold words."""
    plain = re.sub(r"\\[^\w\s]", "", text)
    return len(_MARK.findall(plain)) + len(_PAIR.findall(_MARK.sub("", plain))) // 2


def check_components(
    form: Form, components: list[Json], *, v2: bool, files: frozenset[str] = frozenset()
) -> None:
    """Check a message's whole tree of components; `files` are the names of its attachments."""
    walk = Walk(form, files)
    if not v2:
        form.length(("components",), components, 0, LEGACY_ROWS)
    for n, component in enumerate(components):
        if not v2 and component["type"] != ROW:
            form.wrong(
                ("components", n, "type"),
                "UNION_TYPE_CHOICES",
                f'Value of field "type" must be one of ({ROW},).',
            )
            continue
        _check(walk, ("components", n), component)
    if v2 and walk.components > MAX_COMPONENTS:
        form.wrong(
            ("components",),
            "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
            f"The total number of components cannot exceed {MAX_COMPONENTS}",
        )
    if v2 and walk.bytes > MAX_BYTES:  # which Discord does not say otherwise
        raise ApiError(500, 0, "500: Internal Server Error")
    if walk.text > MAX_TEXT:
        form.wrong(
            ("components",),
            "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
            f"The total displayable text size exceeds the maximum size of {MAX_TEXT}",
        )


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
        width += ROW_WIDTH if component["type"] in SELECTS else 1
        if width > ROW_WIDTH:
            walk.form.wrong(
                at,
                "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                "The specified component exceeds the maximum width",
            )
        _check(walk, at, component)


def _button(walk: Walk, path: Path, button: Json) -> None:
    form, style = walk.form, button["style"]
    if style != PREMIUM and not button.get("label") and not button.get("emoji"):
        form.wrong(
            (*path, "label"), "BUTTON_COMPONENT_LABEL_REQUIRED", "A label or emoji is required"
        )
    name = (button.get("emoji") or {}).get("name")
    if name and name.isascii() and not (button["emoji"].get("id")):
        form.wrong((*path, "emoji", "name"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
    if style in (LINK, PREMIUM):
        if button.get("custom_id"):
            form.wrong(
                path,
                "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                "A custom id and url cannot both be specified",
            )
        if style == LINK and not button.get("url"):
            form.wrong((*path, "url"), "BUTTON_COMPONENT_URL_REQUIRED", "A url is required")
        return
    if button.get("url"):
        form.wrong(
            path,
            "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
            "A custom id and url cannot both be specified",
        )
    walk.custom_id(path, button, "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED")


def check_select(walk: Walk, path: Path, select: Json, *, required: bool = False) -> None:
    """A select of any kind, in a row or in a modal's label, where it is `required` unless said."""
    form = walk.form
    walk.custom_id(path, select, "SELECT_COMPONENT_CUSTOM_ID_REQUIRED")
    low, high = _count(select, "min_values"), _count(select, "max_values")
    if low == 0 and (required if select.get("required") is None else select["required"]):
        form.wrong(
            (*path, "min_values"),
            "SELECT_COMPONENT_REQUIRED_ZERO_MIN_VALUES",
            "Select menus marked as required cannot have a min_values of 0",
        )
    if low > high:
        form.wrong(
            (*path, "min_values"),
            "SELECT_COMPONENT_MIN_VALUES_EXCEED_MAX",
            "Min values must be less than or equal to max values",
        )
    if select["type"] == STRING_SELECT:
        options = select["options"]
        check_options(form, (*path, "options"), options)
        _check_defaults(form, path, sum(bool(o.get("default")) for o in options), high)
        if high > len(options):
            form.wrong(
                (*path, "max_values"),
                "SELECT_COMPONENT_MAX_VALUES_EXCEED_OPTIONS",
                "Max values cannot be greater than the number of options",
            )
    else:
        _check_defaults(form, path, len(select.get("default_values") or []), high)


def _count(select: Json, name: str) -> int:
    given = select.get(name)
    return 1 if given is None else int(given)


def _check_defaults(form: Form, path: Path, chosen: int, high: int) -> None:
    if chosen > high:
        form.wrong(
            path,
            "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES",
            "The number of default values cannot be greater than max values",
        )


def check_options(form: Form, path: Path, options: list[Json]) -> None:
    """The options of a select, a radio group or a checkbox group."""
    values: set[str] = set()
    for n, option in enumerate(options):
        at = (*path, n)
        value = option["value"]
        if value in values:
            form.wrong(
                (*at, "value"),
                "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                "The specified option value is already used",
            )
        values.add(value)


def _section(walk: Walk, path: Path, section: Json) -> None:
    _inside(walk, path, section)
    _check(walk, (*path, "accessory"), section["accessory"])


def _text(walk: Walk, path: Path, text: Json) -> None:
    walk.text += len(text["content"])
    walk.bytes += len(text["content"].encode(errors="surrogatepass")) + BYTES_A_TEXT
    if marks(text["content"]) > MAX_MARKS:
        walk.form.wrong(
            (*path, "content"),
            "SANDBOX_TOO_MANY_MARKS",
            f"Discord takes this, but its client shows nothing after {MAX_MARKS} marks of a text",
        )


def _thumbnail(walk: Walk, path: Path, thumbnail: Json) -> None:
    walk.media((*path, "media"), thumbnail["media"])


def _gallery(walk: Walk, path: Path, gallery: Json) -> None:
    for n, item in enumerate(gallery["items"]):
        _thumbnail(walk, (*path, "items", n), item)


def _file(walk: Walk, path: Path, file: Json) -> None:
    walk.media((*path, "file"), file["file"], only_attachment=True)


_CHECKS: dict[int, Callable[[Walk, Path, Json], None]] = {
    ROW: _row,
    BUTTON: _button,
    SECTION: _section,
    TEXT: _text,
    THUMBNAIL: _thumbnail,
    GALLERY: _gallery,
    FILE: _file,
    CONTAINER: _inside,
    **dict.fromkeys(SELECTS, check_select),
}
