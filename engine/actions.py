"""Actions, the only things that change a match, and their JSON form with a schema version.

A match is its log of actions. `Deal` is an action too, so applying an action needs no randomness.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final, TypeVar, assert_never

from engine.cards import Card
from engine.cutting import Cut
from engine.errors import EngineError
from engine.state import Cause

SCHEMA: Final = 1
_DIGEST: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal the next round from `order`, the whole shuffled deck.

    `drawn` is a random index among the live seats: it decides who opens the match's first round,
    unless the match was started with an opener. `cuts` are the players' cuts of the cards, in the
    order made; deals of version 1 have none. `commitment` is the SHA-256 of the round's seed.
    """

    order: tuple[Card, ...]
    commitment: str
    shuffle_version: int
    drawn: int
    cuts: tuple[Cut, ...] = ()


@dataclass(frozen=True, slots=True)
class MakeBid:
    """Make the bid with the canonical key `key`."""

    seat: int
    key: str


@dataclass(frozen=True, slots=True)
class Challenge:
    """Challenge the standing bid, which leads to the showdown."""

    seat: int


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Leave the match."""

    seat: int
    cause: Cause = Cause.WISH


Action = Deal | MakeBid | Challenge | Forfeit


class BadLog(EngineError):
    """A stored action that cannot be read."""


def to_json(action: Action) -> dict[str, Any]:
    """Return the action as JSON values; `v` is the schema version."""
    match action:
        case Deal():
            dealt: dict[str, Any] = {
                "v": SCHEMA,
                "kind": "deal",
                # numbers, not text: two jokers are different cards with the same text
                "order": [card.number for card in action.order],
                "commitment": action.commitment,
                "shuffle": action.shuffle_version,
                "drawn": action.drawn,
            }
            return dealt | (
                {"cuts": [_cut_json(cut) for cut in action.cuts]} if action.cuts else {}
            )
        case MakeBid():
            return {"v": SCHEMA, "kind": "bid", "seat": action.seat, "bid": action.key}
        case Challenge():
            return {"v": SCHEMA, "kind": "challenge", "seat": action.seat}
        case Forfeit():
            return {"v": SCHEMA, "kind": "forfeit", "seat": action.seat, "cause": action.cause}
        case _:
            assert_never(action)


def from_json(stored: object) -> Action:
    """Return the action that `to_json` wrote as `stored`. Raises `BadLog` if it can't be read."""
    if not isinstance(stored, dict):
        raise BadLog(f"an action is an object of JSON, not {type(stored).__name__}")
    if stored.get("v") != SCHEMA:
        raise BadLog(f"an action of schema {stored.get('v')!r}; this code reads {SCHEMA}")
    try:
        match stored["kind"]:
            case "deal":
                order = tuple(Card(_check_type(int, number)) for number in stored["order"])
                commitment = _check_type(str, stored["commitment"])
                version, drawn = (
                    _check_type(int, stored["shuffle"]),
                    _check_type(int, stored["drawn"]),
                )
                cuts = tuple(_cut(cut) for cut in _check_type(list, stored.get("cuts", [])))
                return Deal(order, commitment, version, drawn, cuts)
            case "bid":
                return MakeBid(_check_type(int, stored["seat"]), _check_type(str, stored["bid"]))
            case "challenge":
                return Challenge(_check_type(int, stored["seat"]))
            case "forfeit":
                return Forfeit(_check_type(int, stored["seat"]), Cause(stored["cause"]))
            case kind:
                raise BadLog(f"an action of unknown kind {kind!r}")
    except (KeyError, TypeError, ValueError) as error:
        raise BadLog(f"a damaged action: {error!r}") from error


def _cut_json(cut: Cut) -> dict[str, Any]:
    return {"seat": cut.seat, "digest": cut.digest, "text": cut.text}


def _cut(stored: dict[str, Any]) -> Cut:
    """Return the cut that `_cut_json` wrote, without checking its text against its digest."""
    digest, text = _check_type(str, stored["digest"]), stored["text"]
    if not _DIGEST.fullmatch(digest):
        raise ValueError(f"{digest!r} is no SHA-256")
    if text is not None:
        _check_type(str, text).encode()  # raises ValueError if the text can't be encoded
    return Cut(_check_type(int, stored["seat"]), digest, text)


def _check_type(kind: type[T], value: Any) -> T:
    """Return `value` if its type is exactly `kind` (True is no int), else raise TypeError."""
    if type(value) is not kind:
        raise TypeError(f"{value!r} is not of type {kind.__name__}")
    return value
