"""Limits of a modal: at most five parts, each a label around one input, a text, or an old row."""

from bot.sandbox.rules.components import (
    MAX_TEXT,
    ROW,
    SELECTS,
    TEXT,
    TEXT_INPUT,
    Walk,
    check_options,
    check_select,
)
from bot.sandbox.rules.form import Form, Path
from bot.sandbox.state import Json

LABEL, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX = 18, 19, 21, 22, 23
IN_LABEL = (*SELECTS, TEXT_INPUT, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX)


def check_modal(modal: Json, path: Path = ("data",)) -> None:
    """Raise ApiError unless Discord would open the modal."""
    form = Form()
    walk = Walk(form, frozenset())
    form.length((*path, "title"), modal.get("title"), 1, 45)
    form.length((*path, "custom_id"), modal.get("custom_id"), 1, 100)
    parts = modal.get("components") or []
    form.length((*path, "components"), parts, 1, 5)
    for n, part in enumerate(parts):
        _part(walk, (*path, "components", n), part)
    form.raise_if_wrong()


def _part(walk: Walk, path: Path, part: Json) -> None:
    form = walk.form
    if not form.one_of((*path, "type"), part.get("type"), (ROW, TEXT, LABEL)):
        return
    walk.count(path, part)
    if part["type"] == TEXT:
        form.length((*path, "content"), part.get("content"), 1, MAX_TEXT)
    elif part["type"] == ROW:
        inside = part.get("components") or []
        form.length((*path, "components"), inside, 1, 1)
        for n, component in enumerate(inside):
            at = (*path, "components", n)
            if form.one_of((*at, "type"), component.get("type"), (TEXT_INPUT,)):
                form.length((*at, "label"), component.get("label"), 1, 45)
                _text_input(walk, at, component)
    else:
        form.length((*path, "label"), part.get("label"), 1, 45)
        form.length((*path, "description"), part.get("description"), 0, 100)
        _labelled(walk, (*path, "component"), part.get("component") or {})


def _labelled(walk: Walk, path: Path, component: Json) -> None:
    form, kind = walk.form, component.get("type")
    if not form.one_of((*path, "type"), kind, IN_LABEL):
        return
    walk.count(path, component)
    if kind == TEXT_INPUT:
        _text_input(walk, path, component)
    elif kind in SELECTS:
        if component.get("disabled"):
            form.wrong(
                (*path, "disabled"),
                "SELECT_COMPONENT_DISABLED_IN_MODAL",
                "A select in a modal cannot be disabled",
            )
        check_select(walk, path, component)
    else:
        walk.custom_id(path, component, "COMPONENT_CUSTOM_ID_REQUIRED")
        if kind in (RADIO_GROUP, CHECKBOX_GROUP):
            options = component.get("options") or []
            form.length((*path, "options"), options, 2 if kind == RADIO_GROUP else 1, 10)
            check_options(form, (*path, "options"), options)


def _text_input(walk: Walk, path: Path, component: Json) -> None:
    form = walk.form
    walk.custom_id(path, component, "TEXT_INPUT_COMPONENT_CUSTOM_ID_REQUIRED")
    form.one_of((*path, "style"), component.get("style"), (1, 2))
    low, high = component.get("min_length"), component.get("max_length")
    form.between((*path, "min_length"), low, 0, MAX_TEXT)
    form.between((*path, "max_length"), high, 1, MAX_TEXT)
    if low is not None and high is not None and low > high:
        form.wrong(
            (*path, "min_length"),
            "TEXT_INPUT_COMPONENT_MIN_LENGTH_EXCEEDS_MAX",
            "Min length must be less than or equal to max length",
        )
    form.length((*path, "placeholder"), component.get("placeholder"), 0, 100)
    form.length((*path, "value"), component.get("value"), 0, high or MAX_TEXT)
