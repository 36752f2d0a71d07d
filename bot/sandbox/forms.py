"""A filled-in modal: what was typed and chosen, checked as the client does, in Discord's shape."""

from bot.sandbox.errors import CannotDo
from bot.sandbox.rules.bodies import (
    CHECKBOX,
    CHECKBOX_GROUP,
    LABEL,
    RADIO_GROUP,
    ROW,
    SELECTS,
    STRING_SELECT,
    TEXT,
    TEXT_INPUT,
)
from bot.sandbox.slash import add_user
from bot.sandbox.state import Channel, Json, State

Values = dict[str, object]


def submission(state: State, channel: Channel, modal: Json, values: Values) -> Json:
    """The `data` of a modal submit. Values go by custom_id: text for a text input, a list for a
    select; what is not named keeps its default. Raises CannotDo for what the client refuses."""
    left = dict(values)
    resolved: Json = {}
    parts = []
    for n, part in enumerate(modal["components"], 1):
        filled: Json = {"type": part["type"], "id": part.get("id") or n}
        if part["type"] == LABEL:
            inner = part["component"]
            filled["component"] = _filled(state, channel, inner, part["label"], left, resolved)
        elif part["type"] == ROW:
            inner = part["components"][0]
            filled["components"] = [
                _filled(state, channel, inner, inner.get("label") or "", left, resolved)
            ]
        elif part["type"] != TEXT:
            raise CannotDo(f"Parts of type {part['type']} are not emulated in a form.")
        parts.append(filled)
    if left:
        raise CannotDo(f"The form has no field {next(iter(left))!r}.")
    body: Json = {"custom_id": modal["custom_id"], "components": parts}
    if resolved:
        body["resolved"] = resolved
    return body


def _filled(
    state: State, channel: Channel, field: Json, label: str, values: Values, resolved: Json
) -> Json:
    kind, custom_id = field["type"], field["custom_id"]
    given = values.pop(custom_id, None)
    filled: Json = {"type": kind, "id": field.get("id") or 0, "custom_id": custom_id}
    if kind == TEXT_INPUT:
        filled["value"] = _text(field, label, field.get("value") if given is None else given)
    elif kind == CHECKBOX:
        filled["value"] = bool(field.get("default")) if given is None else given in (True, "true")
    elif kind in (STRING_SELECT, RADIO_GROUP, CHECKBOX_GROUP):
        chosen = _as_list(given)
        if chosen is None:
            chosen = [o["value"] for o in field.get("options") or [] if o.get("default")]
        check_chosen(field, label, chosen)
        if kind == RADIO_GROUP:
            filled["value"] = chosen[0] if chosen else None
        else:
            filled["values"] = chosen
    elif kind in SELECTS:
        chosen = _as_list(given)
        if chosen is None:
            chosen = [str(one["id"]) for one in field.get("default_values") or []]
        check_chosen(field, label, chosen)
        resolve_chosen(state, channel, kind, chosen, resolved)
        filled["values"] = chosen
    else:
        raise CannotDo(f"Fields of type {kind} ({label!r}) are not emulated.")
    return filled


def _as_list(given: object) -> list[str] | None:
    if given is None:
        return None
    return [str(one) for one in given] if isinstance(given, list | tuple) else [str(given)]


def _text(field: Json, label: str, typed: object) -> str:
    text = "" if typed is None else str(typed)
    if not text and field.get("required") is not False:
        raise CannotDo(f"The field {label!r} must be filled in.")
    if text and len(text) < int(field.get("min_length") or 0):
        raise CannotDo(f"The text in {label!r} must have at least {field['min_length']} letters.")
    if len(text) > int(field.get("max_length") or 4000):
        raise CannotDo(
            f"The text in {label!r} must have at most {field.get('max_length') or 4000} letters."
        )
    return text


def check_chosen(field: Json, label: str, chosen: list[str]) -> None:
    """Refuse a choice the control would not allow: options it lacks, too many, too few."""
    if field["type"] in (STRING_SELECT, RADIO_GROUP, CHECKBOX_GROUP):
        offered = [option["value"] for option in field.get("options") or []]
        strange = [value for value in chosen if value not in offered]
        if strange:
            raise CannotDo(f"{strange[0]!r} is not offered by {label!r}.")
    if len(set(chosen)) != len(chosen):
        raise CannotDo(f"The same choice was made twice in {label!r}.")
    low = 1 if field.get("min_values") is None else int(field["min_values"])
    if field.get("required") is False and not chosen:
        return
    high = 1 if field.get("max_values") is None else int(field["max_values"])
    if field["type"] == CHECKBOX_GROUP and field.get("max_values") is None:
        high = len(field["options"])
    if not low <= len(chosen) <= high:
        raise CannotDo(f"{label!r} takes {low} to {high} choices, not {len(chosen)}.")


def resolve_chosen(
    state: State, channel: Channel, kind: int, chosen: list[str], resolved: Json
) -> None:
    """Fill `resolved` for a select of people; other selects of Discord's things are refused."""
    if kind not in (5, 7):
        raise CannotDo("Selects of roles and channels are not emulated.")
    for user_id in chosen:
        add_user(state, channel, user_id, resolved)
