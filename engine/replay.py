"""A match folded from its log, and a digest that tells whether two states are the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from functools import reduce
from typing import Any, Final

from engine.actions import Action
from engine.bids import Bid
from engine.cards import Cards
from engine.play import apply
from engine.ruleset import LENGTH, Ruleset
from engine.state import Match

_USUAL: Final = (LENGTH.key, LENGTH.default)


def replay(match: Match, actions: Iterable[Action]) -> Match:
    """The match after `actions`. Raises `RuleViolation` if the log breaks a rule."""
    return reduce(lambda state, action: apply(state, action)[0], actions, match)


def digest(match: Match) -> str:
    """SHA-256 of a canonical text of the whole state, as 64 hexadecimal digits."""
    text = json.dumps(_plain(match), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    """A value of the state as JSON values; rules and bids by their names."""
    match value:
        case Ruleset():
            # younger than the digests that were kept: the usual length is what there was
            options = [(key, chosen) for key, chosen in value.options if (key, chosen) != _USUAL]
            return [value.key, value.version, dict(options)]
        case Bid():
            return value.key
        case Cards():
            return value.bits
        case tuple():
            return [_plain(item) for item in value]
        case _ if is_dataclass(value):
            return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        case _:
            return value
