"""Random interactions: from controls on screens, forged, stale, or from a wrong place or person.

Each has the form that Discord gives its interactions, since a lying client can make Discord send it
with any content.
"""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from bot.sandbox.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL_SUBMIT
from bot.sandbox.rules.bodies import BUTTON, STRING_SELECT
from tests.fuzz.texts import STRANGE, typed_bid

Json = dict[str, Any]
STRING, INTEGER, BOOLEAN, USER, NUMBER = 3, 4, 5, 6, 10
_VERBS: Final = """
join in decline quit wait howto help rulebook tell hush usual usualpace usualmessages
usuallanguage leave start options rules pace messages thread cancel pstart daily dshare dboard
dfield computer cut pick form type challenge mine seat refresh pad call doubt typed back bidding
seal story next again stay away agree refuse bid me hint pnext pagain pend leaders newseason
replay mguess mistakes coach keep history recall privacy mydata hideme showme forgetme forgetyes
forgetno digest nightplan nightcome nightskip nightoff stop cheat
"""
VERBS: Final = _VERBS.split()
BIDS: Final = ("pair:9", "pair:A", "five:A", "royal_flush:s", "four:Q", "pair:1", "cheat", "-1")
LONGEST_ID: Final = 100


@dataclass(frozen=True)
class Payload:
    """An interaction to send: its type, body, and the ids of its person, channel and message.

    `sendable`: whether the bot must answer it; False for a press on a message that is gone, or that
    its person doesn't see.
    """

    kind: int
    person: str
    channel: str
    body: Json
    message: str | None = None
    sendable: bool = True

    def __str__(self) -> str:
        text = json.dumps(self.body, ensure_ascii=True)
        return f"type {self.kind} of {self.person} in {self.channel}: {text[:400]}"


@dataclass
class Scene:
    """The people, channels and commands, and the controls and forms that have been on screens."""

    people: list[str]
    channels: list[str]
    commands: list[Json]
    controls: list[tuple[str, str, Json]] = field(default_factory=list)  # channel, message, part
    # owner, channel, message, form
    forms: list[tuple[str, str, str | None, Json]] = field(default_factory=list)

    def note(self, channel: str, message: str, part: Json) -> None:
        """Add a control; keep only the latest 301."""
        self.controls = [*self.controls[-300:], (channel, message, part)]


def payload(chance: Random, scene: Scene) -> Payload:
    roll = chance.random()
    if roll < 0.45 and scene.controls:
        return _press(chance, scene)
    if roll < 0.6 and scene.forms:
        return _form(chance, scene)
    if roll < 0.75 and scene.controls:
        return _forge_press(chance, scene)
    return _command(chance, scene)


def _who_and_where(chance: Random, scene: Scene, channel: str) -> tuple[str, str]:
    """Choose a person and a channel: usually `channel`, sometimes any other."""
    place = channel if chance.random() < 0.93 else chance.choice(scene.channels)
    return chance.choice(scene.people), place


def _press(chance: Random, scene: Scene) -> Payload:
    """Return a press of a control that is or was on somebody's screen, usually a recent one."""
    recent = scene.controls[-60:] if chance.random() < 0.8 else scene.controls
    channel, message, part = chance.choice(recent)
    person, place = _who_and_where(chance, scene, channel)
    body = {"custom_id": part["custom_id"], "component_type": part["type"], "id": 1}
    if part["type"] == STRING_SELECT:
        offered = [option["value"] for option in part.get("options") or []]
        some = [chance.choice(offered)] if offered and chance.random() < 0.8 else []
        body["values"] = some or chance.choices(BIDS, k=chance.randrange(4))
    return Payload(COMPONENT, person, place, body, message)


def _forge_press(chance: Random, scene: Scene) -> Payload:
    """Return a press or a filled-in form, with a custom id that the message doesn't have."""
    channel, message, part = chance.choice(scene.controls)
    person, place = _who_and_where(chance, scene, channel)
    custom_id = forged_id(chance, part["custom_id"])
    kind = chance.choice((COMPONENT, COMPONENT, MODAL_SUBMIT))
    if kind == MODAL_SUBMIT:
        body: Json = {"custom_id": custom_id, "components": [_label("text", "99")]}
    elif chance.random() < 0.5:
        body = {"custom_id": custom_id, "component_type": BUTTON, "id": 1}
    else:
        values = chance.choices((*BIDS, "99", "sharp", "add", "-401"), k=chance.randrange(3))
        body = {"custom_id": custom_id, "component_type": STRING_SELECT, "values": values}
    from_command = kind == MODAL_SUBMIT and chance.random() < 0.2
    return Payload(kind, person, place, body, None if from_command else message)


def forged_id(chance: Random, custom_id: str) -> str:
    """Return a custom id that differs from `custom_id`, usually a little."""
    parts = custom_id.split(":")
    at = chance.randrange(len(parts))
    match chance.randrange(7):
        case 0 if len(parts) > 1:
            parts[1] = chance.choice(VERBS)
        case 1:
            parts[at] = str(chance.choice((0, 1, 2, 3, 9, 999, 10**14, 10**40, -1)))
        case 2:
            parts[at] = chance.choice(STRANGE)
        case 3:
            parts.append(chance.choice((*BIDS, "0", "1", "rank=A,kind=pair", "9=c", "٣")))
        case 4:
            del parts[at]
        case 5 if parts[at].isdigit():
            parts[at] = str(int(parts[at]) + chance.choice((-1, 1, 2)))
        case _:
            parts = ["bh", chance.choice(VERBS), "1", "1", str(chance.randrange(9))]
            parts += chance.choice(([], ["pair"], ["A"], ["0"], ["-401"]))
    return ":".join(parts)[:LONGEST_ID]


def _label(name: str, value: str) -> Json:
    return {
        "type": 18,
        "id": 1,
        "component": {"type": 4, "id": 2, "custom_id": name, "value": value},
    }


def _form(chance: Random, scene: Scene) -> Payload:
    """Fill in one of the forms that were opened; sometimes for another person, or a second time."""
    owner, channel, message, modal = chance.choice(scene.forms[-40:])
    person, place = _who_and_where(chance, scene, channel)
    if chance.random() < 0.7:
        person = owner
    parts = []
    for part in modal["components"]:
        inner = part.get("component")
        if inner is None:
            continue
        filled = {"type": inner["type"], "id": 2, "custom_id": inner["custom_id"]}
        if inner["type"] == 4:
            filled["value"] = _text(chance)
        elif inner.get("options"):
            some = [option["value"] for option in inner["options"]]
            filled["values"] = [] if chance.random() < 0.3 else [chance.choice([*some, *BIDS[:1]])]
        else:
            filled["values"] = []
        parts.append({"type": part["type"], "id": 1, "component": filled})
    match chance.randrange(8):
        case 0:
            chance.shuffle(parts)
        case 1 if parts:
            parts.pop()
        case 2:
            parts.append(_label("other", "text"))
        case 3 if parts:
            parts.append(copy.deepcopy(parts[0]))
    body = {"custom_id": modal["custom_id"], "components": parts}
    return Payload(MODAL_SUBMIT, person, place, body, message)


def _text(chance: Random) -> str:
    text, _, _ = typed_bid(chance, chance.choice(("liars_poker", "thai_poker")))
    return text.encode("utf-8", "replace").decode()[:4000]


def _command(chance: Random, scene: Scene) -> Payload:
    """Return a command with random options, or a request for suggestions for one of them."""
    command = chance.choice(scene.commands)
    person, channel = chance.choice(scene.people), chance.choice(scene.channels)
    inner = [option for option in command.get("options") or [] if option["type"] in (1, 2)]
    leaf = chance.choice(inner) if inner else command
    declared = leaf.get("options") or []
    resolved: Json = {}
    options = [
        {
            "name": option["name"],
            "type": option["type"],
            "value": _value(chance, option, scene, resolved),
        }
        for option in declared
        if option.get("required") or chance.random() < 0.6
    ]
    kind = COMMAND
    suggesting = [
        at
        for at, chosen in enumerate(options)
        for option in declared
        if option["name"] == chosen["name"] and option.get("autocomplete")
    ]
    if suggesting and chance.random() < 0.4:
        kind = AUTOCOMPLETE
        focused = options[chance.choice(suggesting)]
        focused["focused"] = True
        focused["value"] = str(focused["value"])[:100]
    if leaf is not command:
        options = [{"name": leaf["name"], "type": leaf["type"], "options": options}]
    body: Json = {"id": command["id"], "name": command["name"], "type": 1, "options": options}
    if resolved:
        body["resolved"] = resolved
    if chance.random() < 0.02:
        body["name"] = chance.choice(("shuffle", "raise", "Bid", "x" * 32))
    return Payload(kind, person, channel, body)


def _value(chance: Random, option: Json, scene: Scene, resolved: Json) -> object:
    choices = [choice["value"] for choice in option.get("choices") or []]
    if choices and chance.random() < 0.9:
        return chance.choice(choices)
    match option["type"]:
        case 4:
            low, high = option.get("min_value", 0), option.get("max_value", 100)
            return chance.choice((low, high, (low + high) // 2, low - 1, high + 1, 2**53, -(2**53)))
        case 10:
            return chance.choice((0.0, 1.5, 1e300, -1e300))
        case 5:
            return chance.random() < 0.5
        case 6:
            user = chance.choice(scene.people)
            resolved.setdefault("users", {})[user] = {
                "id": user, "username": "x", "discriminator": "0", "global_name": None,
                "avatar": None, "bot": False,
            }  # fmt: skip
            return user
    return chance.choice((_text(chance), "Ah Kd", "As,Ks qd,jh", "*", "1-1000", "QQ+, AKs", "12"))
