"""Limits of a modal that no single field tells."""

from bot.sandbox.rules.bodies import (
    CHECKBOX_GROUP,
    LABEL,
    MODAL,
    RADIO_GROUP,
    ROW,
    SELECTS,
    TEXT_INPUT,
)
from bot.sandbox.rules.components import Walk, check_options, check_select
from bot.sandbox.rules.form import Form, Path
from bot.sandbox.state import Json


def check_modal(modal: Json, path: Path = ("data",)) -> None:
    """Raise ApiError unless Discord would open the modal."""
    form = Form()
    MODAL.check(form, path, modal)
    form.raise_if_wrong()
    walk = Walk(form, frozenset())
    for n, part in enumerate(modal["components"]):
        at = (*path, "components", n)
        walk.count(at, part)
        if part["type"] == ROW:
            _text_input(walk, (*at, "components", 0), part["components"][0])
        elif part["type"] == LABEL:
            _labelled(walk, (*at, "component"), part["component"])
    form.raise_if_wrong()


def _labelled(walk: Walk, path: Path, component: Json) -> None:
    form, kind = walk.form, component["type"]
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
        check_select(walk, path, component, required=True)
    else:
        walk.custom_id(path, component, "COMPONENT_CUSTOM_ID_REQUIRED")
        if component.get("min_values") == 0 and component.get("required") is not False:
            form.wrong(
                (*path, "min_values"),
                "COMPONENT_REQUIRED_ZERO_MIN_VALUES",
                "Components marked as required cannot have a min_values of 0",
            )
        if kind in (RADIO_GROUP, CHECKBOX_GROUP):
            check_options(form, (*path, "options"), component["options"])


def _text_input(walk: Walk, path: Path, component: Json) -> None:
    form = walk.form
    walk.custom_id(path, component, "TEXT_INPUT_COMPONENT_CUSTOM_ID_REQUIRED")
    low, high = component.get("min_length"), component.get("max_length")
    if low is not None and high is not None and low > high:
        form.wrong(
            (*path, "min_length"),
            "TEXT_INPUT_COMPONENT_MIN_LENGTH_EXCEEDS_MAX",
            "Min length must be less than or equal to max length",
        )
    if high is not None:
        form.length((*path, "value"), component.get("value") or "", 0, high)
