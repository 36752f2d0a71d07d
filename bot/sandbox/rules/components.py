"""Limits of message components, old rows and Components V2 alike, and what a select may hold.

Source: https://discord.com/developers/docs/components/reference
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from bot.sandbox.rules.form import Form, Path
from bot.sandbox.state import Json

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER = 9, 10, 11, 12, 13, 14, 17
SELECTS = (3, 5, 6, 7, 8)
LEGACY_TOP = (ROW,)
V2_TOP = (ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER)
IN_CONTAINER = (ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR)

MAX_COMPONENTS = 40
MAX_TEXT = 4000
ROW_WIDTH = 5
LINK, PREMIUM = 5, 6


@dataclass
class Walk:
    """What is counted over a whole message or modal while its components are checked."""

    form: Form
    files: frozenset[str]  # names that attachment:// may mean
    custom_ids: set[str] = field(default_factory=set)
    ids: set[int] = field(default_factory=set)
    components: int = 0
    text: int = 0

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
        """A custom_id of 1 to 100 letters that nothing else has; `required_code` if it lacks."""
        path = (*path, "custom_id")
        value = component.get("custom_id")
        if not value:
            self.form.wrong(path, required_code, "A custom id is required")
            return
        self.form.length(path, value, 1, 100)
        if value in self.custom_ids:
            self.form.wrong(
                path,
                "COMPONENT_CUSTOM_ID_DUPLICATED",
                "Component custom id cannot be duplicated",
            )
        self.custom_ids.add(value)

    def media(self, path: Path, item: Json | None, *, only_attachment: bool = False) -> None:
        """An address that can be shown: http(s), or an attachment that the message brings."""
        url = (item or {}).get("url")
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


def check_components(
    form: Form, components: list[Json], *, v2: bool, files: frozenset[str] = frozenset()
) -> None:
    """Check a message's whole tree of components; `files` are the names of its attachments."""
    walk = Walk(form, files)
    if not v2:
        form.length(("components",), components, 0, 5)
    for n, component in enumerate(components):
        _check(walk, ("components", n), component, V2_TOP if v2 else LEGACY_TOP)
    if v2 and walk.components > MAX_COMPONENTS:
        form.wrong(
            ("components",),
            "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
            f"The total number of components cannot exceed {MAX_COMPONENTS}",
        )
    if walk.text > MAX_TEXT:
        form.wrong(
            ("components",),
            "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
            f"The total displayable text size exceeds the maximum size of {MAX_TEXT}",
        )


def _check(walk: Walk, path: Path, component: Json, allowed: tuple[int, ...]) -> None:
    kind = component.get("type")
    if kind not in allowed:
        listed = ", ".join(map(str, allowed))
        walk.form.wrong(
            (*path, "type"),
            "UNION_TYPE_CHOICES",
            f'Value of field "type" must be one of ({listed}).',
        )
        return
    walk.count(path, component)
    _CHECKS[kind](walk, path, component)


def _row(walk: Walk, path: Path, row: Json) -> None:
    inside = row.get("components") or []
    if not inside:
        walk.form.length((*path, "components"), inside, 1, ROW_WIDTH)
    width = 0
    for n, component in enumerate(inside):
        at = (*path, "components", n)
        width += ROW_WIDTH if component.get("type") in SELECTS else 1
        if width > ROW_WIDTH:
            walk.form.wrong(
                at,
                "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                "The specified component exceeds the maximum width",
            )
        _check(walk, at, component, (BUTTON, *SELECTS))


def _button(walk: Walk, path: Path, button: Json) -> None:
    form, style = walk.form, button.get("style")
    if not form.one_of((*path, "style"), style, (1, 2, 3, 4, LINK, PREMIUM)):
        return
    form.length((*path, "label"), button.get("label"), 0, 80)
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
        if style == LINK:
            if not button.get("url"):
                form.wrong((*path, "url"), "BUTTON_COMPONENT_URL_REQUIRED", "A url is required")
            form.length((*path, "url"), button.get("url"), 0, 512)
        return
    if button.get("url"):
        form.wrong(
            path,
            "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
            "A custom id and url cannot both be specified",
        )
    walk.custom_id(path, button, "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED")


def check_select(walk: Walk, path: Path, select: Json) -> None:
    """A select of any kind, in a row or in a modal's label."""
    form = walk.form
    walk.custom_id(path, select, "SELECT_COMPONENT_CUSTOM_ID_REQUIRED")
    form.length((*path, "placeholder"), select.get("placeholder"), 0, 150)
    low, high = _count(select, "min_values"), _count(select, "max_values")
    form.between((*path, "min_values"), low, 0, 25)
    form.between((*path, "max_values"), high, 1, 25)
    if low > high:
        form.wrong(
            (*path, "min_values"),
            "SELECT_COMPONENT_MIN_VALUES_EXCEED_MAX",
            "Min values must be less than or equal to max values",
        )
    if select["type"] == STRING_SELECT:
        options = select.get("options") or []
        form.length((*path, "options"), options, 1, 25)
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
        form.length((*at, "label"), option.get("label"), 1, 100)
        form.length((*at, "value"), option.get("value"), 1, 100)
        form.length((*at, "description"), option.get("description"), 0, 100)
        value = str(option.get("value"))
        if value in values:
            form.wrong(
                (*at, "value"),
                "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                "The specified option value is already used",
            )
        values.add(value)


def _section(walk: Walk, path: Path, section: Json) -> None:
    inside = section.get("components") or []
    walk.form.length((*path, "components"), inside, 1, 3)
    for n, component in enumerate(inside):
        _check(walk, (*path, "components", n), component, (TEXT,))
    accessory = section.get("accessory")
    if accessory is None:
        walk.form.required((*path, "accessory"))
    else:
        _check(walk, (*path, "accessory"), accessory, (BUTTON, THUMBNAIL))


def _text(walk: Walk, path: Path, text: Json) -> None:
    content = text.get("content")
    walk.form.length((*path, "content"), content, 1, MAX_TEXT)
    walk.text += len(content or "")


def _thumbnail(walk: Walk, path: Path, thumbnail: Json) -> None:
    walk.media((*path, "media"), thumbnail.get("media"))
    walk.form.length((*path, "description"), thumbnail.get("description"), 0, 1024)


def _gallery(walk: Walk, path: Path, gallery: Json) -> None:
    items = gallery.get("items") or []
    walk.form.length((*path, "items"), items, 1, 10)
    for n, item in enumerate(items):
        _thumbnail(walk, (*path, "items", n), item)


def _file(walk: Walk, path: Path, file: Json) -> None:
    walk.media((*path, "file"), file.get("file"), only_attachment=True)


def _separator(walk: Walk, path: Path, separator: Json) -> None:
    if separator.get("spacing") is not None:
        walk.form.one_of((*path, "spacing"), separator["spacing"], (1, 2))


def _container(walk: Walk, path: Path, container: Json) -> None:
    inside = container.get("components") or []
    walk.form.length((*path, "components"), inside, 1, MAX_COMPONENTS)
    walk.form.between((*path, "accent_color"), container.get("accent_color"), 0, 0xFFFFFF)
    for n, component in enumerate(inside):
        _check(walk, (*path, "components", n), component, IN_CONTAINER)


_CHECKS: dict[int, Callable[[Walk, Path, Json], None]] = {
    ROW: _row,
    BUTTON: _button,
    SECTION: _section,
    TEXT: _text,
    THUMBNAIL: _thumbnail,
    GALLERY: _gallery,
    FILE: _file,
    SEPARATOR: _separator,
    CONTAINER: _container,
    **dict.fromkeys(SELECTS, check_select),
}
