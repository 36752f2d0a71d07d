"""A person's screen: messages and forms, with controls found by their text.

Pure functions and views over Discord's JSON, shared by the in-process driver and the remote one.
"""

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from bot.sandbox.discord_state import EPHEMERAL, Json
from bot.sandbox.errors import CannotDo
from bot.sandbox.payloads import walk
from bot.sandbox.rules.bodies import BUTTON, STRING_SELECT, TEXT


@dataclass(frozen=True)
class SeenMessage:
    """A message as one person sees it at one moment; `payload` is in Discord's format."""

    payload: Json

    @property
    def id(self) -> str:
        """The message's snowflake, as text."""
        return str(self.payload["id"])

    @property
    def channel_id(self) -> str:
        """The snowflake of the message's channel."""
        return str(self.payload["channel_id"])

    @property
    def content(self) -> str:
        """The plain text outside components, or ""."""
        return str(self.payload["content"])

    @property
    def ephemeral(self) -> bool:
        """Whether only this person sees the message."""
        return bool(self.payload["flags"] & EPHEMERAL)

    @property
    def pending(self) -> bool:
        """Whether the message still shows that the bot is thinking."""
        return bool(self.payload.get("pending"))

    @property
    def components(self) -> list[Json]:
        """All components, nested ones too, parents first."""
        return walk(self.payload["components"])

    @property
    def buttons(self) -> list[str]:
        """The labels of the enabled buttons."""
        return [
            _label(part)
            for part in self.components
            if part["type"] == BUTTON and not part.get("disabled")
        ]

    @property
    def attachments(self) -> list[Json]:
        """The message's files, including those that components show: `id`, `filename` and `url`."""
        displayed = [
            {
                "id": media["attachment_id"],
                "filename": unquote(urlsplit(media["url"]).path.rsplit("/", 1)[-1]),
                "url": media["url"],
            }
            for part in self.components
            for item in part.get("items", [])
            if "attachment_id" in (media := item["media"])
        ]
        return [*self.payload["attachments"], *displayed]

    @property
    def text(self) -> str:
        """All readable text: text, picture descriptions, controls and options."""
        lines: list[str | None] = [self.content]
        for part in self.components:
            lines += _lines_of(part)
        lines += [file.get("description") for file in self.payload["attachments"]]
        return "\n".join(line for line in lines if line)

    def button(self, label: str | None = None, custom_id: str | None = None) -> str:
        """Return the custom_id of the button labelled `label` (or with `custom_id`).

        Raises CannotDo unless there is exactly one.
        """
        buttons = [part for part in self.components if part["type"] == BUTTON]
        return str(_find(buttons, label, custom_id, "button")["custom_id"])

    def select(self, named: str | None = None) -> Json:
        """Return the select whose placeholder or custom_id is `named`; if None, the only select.

        Raises CannotDo if there is none, or more than one fits.
        """
        selects = [part for part in self.components if part["type"] == STRING_SELECT]
        if named is None and len(selects) == 1:
            return selects[0]
        by_id = [part for part in selects if part["custom_id"] == named]
        return by_id[0] if by_id else _find(selects, named, None, "list")


@dataclass(frozen=True)
class SeenModal:
    """An open form of a person."""

    interaction_id: str
    payload: Json

    @property
    def title(self) -> str:
        """The title of the form."""
        return str(self.payload["title"])

    @property
    def fields(self) -> dict[str, Json]:
        """The inputs by label."""
        labelled = [part for part in walk(self.payload["components"]) if part.get("label")]
        return {part["label"]: part.get("component", part) for part in labelled}

    @property
    def text(self) -> str:
        """All readable text of the form, including the options of its selects."""
        lines: list[str | None] = [self.title]
        for part in walk(self.payload["components"]):
            lines += [part.get("label"), part.get("description"), *_lines_of(part)]
        return "\n".join(line for line in lines if line)

    def values(self, typed: dict[str, object]) -> dict[str, object]:
        """Return the values of `typed` by custom_id. In `typed`, labels may stand for custom_ids.

        Options may be given by label. Raises CannotDo for an unknown field or option.
        """
        by_id = {field["custom_id"]: field for field in self.fields.values()}
        values: dict[str, object] = {}
        for name, value in typed.items():
            field = self.fields.get(name) or by_id.get(name)
            if field is None:
                listed = ", ".join(self.fields)
                raise CannotDo(f"The form has no field {name!r}; it has: {listed}.")
            if field.get("options") is not None:
                chosen = [value] if isinstance(value, str) else list(value)  # type: ignore[call-overload]
                values[field["custom_id"]] = option_values(field, chosen)
            else:
                values[field["custom_id"]] = value
        return values


def option_values(select: Json, chosen: list[str]) -> list[str]:
    """Return the values of options given by label or value. Raises CannotDo for an unknown one."""
    values = []
    for name in chosen:
        for option in select["options"]:
            if name in (option["label"], option["value"]):
                values.append(str(option["value"]))
                break
        else:
            listed = ", ".join(option["label"] for option in select["options"])
            raise CannotDo(f"{name!r} is not offered; there are: {listed}.")
    return values


def _label(part: Json) -> str:
    return str(part.get("label") or (part.get("emoji") or {}).get("name") or "")


def _lines_of(part: Json) -> list[str | None]:
    if part["type"] == TEXT:
        return [part["content"]]
    if part["type"] == BUTTON:
        return [_label(part)]
    if part["type"] == STRING_SELECT:
        options = [f"{o['label']} {o.get('description') or ''}".strip() for o in part["options"]]
        return [part.get("placeholder"), *options]
    return [item.get("description") for item in part.get("items", [])]


def _find(parts: list[Json], label: str | None, custom_id: str | None, kind: str) -> Json:
    if custom_id is not None:
        matching = [part for part in parts if part.get("custom_id") == custom_id]
    else:
        matching = [part for part in parts if label in (_label(part), part.get("placeholder"))]
    if not matching:
        listing = (
            ", ".join(_label(part) or part.get("placeholder") or "?" for part in parts) or "none"
        )
        raise CannotDo(f"The message has no {kind} {label or custom_id!r}; it has: {listing}.")
    if len(matching) > 1:
        raise CannotDo(f"The message has {len(matching)} of the {kind} {label!r}.")
    return matching[0]
