"""Kinds of values in a request: each says what is wrong with a value, in Discord's words.

`bodies` puts them together to what each request may hold. A field that is left out or null is fine
unless its kind is `needed`; fields that nobody declared are ignored, as Discord does.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.sandbox.errors import Form, Path


@dataclass(frozen=True, kw_only=True)
class Kind:
    """Any JSON at all."""

    needed: bool = False

    def check(self, form: Form, path: Path, value: Any) -> None:
        """Note in the form what is wrong with the value."""


@dataclass(frozen=True, kw_only=True)
class NotEmulated(Kind):
    """What Discord takes and the local Discord refuses by name, unless it is empty."""

    what: str

    def check(self, form: Form, path: Path, value: Any) -> None:
        """Note that the value is of a kind that is not emulated."""
        if value:
            form.wrong(path, "SANDBOX_NOT_EMULATED", self.what)


@dataclass(frozen=True, kw_only=True)
class Text(Kind):
    """A text of `low` to `high` letters."""

    low: int = 0
    high: int | None = None

    def check(self, form: Form, path: Path, value: Any) -> None:
        """Note what is wrong with the value."""
        if not isinstance(value, str):
            form.wrong(path, "STRING_TYPE_CONVERT", value)
        elif self.high is not None:
            form.length(path, value, self.low, self.high)


@dataclass(frozen=True, kw_only=True)
class Whole(Kind):
    """A whole number from `low` to `high`, or one of the `choices`."""

    low: int | None = None
    high: int | None = None
    choices: Collection[int] = ()

    def check(self, form: Form, path: Path, value: Any) -> None:
        """Note what is wrong with the value."""
        if not isinstance(value, int) or isinstance(value, bool):
            form.wrong(path, "NUMBER_TYPE_COERCE", value, "int")
        elif self.choices:
            form.one_of(path, value, self.choices)
        else:
            form.between(path, value, self.low, self.high)


@dataclass(frozen=True, kw_only=True)
class Moment(Kind):
    """A moment in ISO 8601, with its distance from UTC."""

    def check(self, form: Form, path: Path, value: Any) -> None:
        """Note what is wrong with the value."""
        try:
            known = datetime.fromisoformat(value).tzinfo is not None
        except (TypeError, ValueError):
            known = False
        if not known:
            form.wrong(path, "DATE_TIME_TYPE_PARSE", value)


@dataclass(frozen=True, kw_only=True)
class Truth(Kind):
    """True or false."""

    def check(self, form: Form, path: Path, value: Any) -> None:
        """Note what is wrong with the value."""
        if not isinstance(value, bool):
            form.wrong(path, "BOOLEAN_TYPE_CONVERT")


@dataclass(frozen=True, kw_only=True)
class Snowflake(Kind):
    """An id, or bits of permissions: digits, in a text or as a number."""

    def check(self, form: Form, path: Path, value: Any) -> None:
        """Note what is wrong with the value."""
        if isinstance(value, bool) or not (
            (isinstance(value, int) and value >= 0)
            or (isinstance(value, str) and re.fullmatch("[0-9]{1,20}", value))
        ):
            form.wrong(path, "NUMBER_TYPE_COERCE", value, "snowflake")


@dataclass(frozen=True, kw_only=True)
class Digits(Kind):
    """A whole number of an address, where everything is text."""

    low: int
    high: int

    def check(self, form: Form, path: Path, value: Any) -> None:
        """Note what is wrong with the value."""
        if re.fullmatch("-?[0-9]{1,9}", value):
            form.between(path, int(value), self.low, self.high)
        else:
            form.wrong(path, "NUMBER_TYPE_COERCE", value, "int")


@dataclass(frozen=True, kw_only=True)
class Either(Kind):
    """A number of some kind, or else a text."""

    number: Kind
    text: Kind

    def check(self, form: Form, path: Path, value: Any) -> None:
        """Note what is wrong with the value."""
        numeric = isinstance(value, int | float) and not isinstance(value, bool)
        (self.number if numeric else self.text).check(form, path, value)


@dataclass(frozen=True, kw_only=True)
class Many(Kind):
    """A list of `low` to `high` values of one kind."""

    of: Kind
    low: int = 0
    high: int | None = None

    def check(self, form: Form, path: Path, value: Any) -> None:
        """Note what is wrong with the value, and with each in it."""
        if not isinstance(value, list):
            form.wrong(path, "LIST_TYPE_CONVERT")
            return
        if self.high is not None:
            form.length(path, value, self.low, self.high)
        for n, one in enumerate(value):
            self.of.check(form, (*path, n), one)


@dataclass(frozen=True, kw_only=True)
class Table(Kind):
    """An object whose keys are free, such as locales, and whose values are of one kind."""

    of: Kind

    def check(self, form: Form, path: Path, value: Any) -> None:
        """Note what is wrong with the value, and with each in it."""
        if not isinstance(value, dict):
            form.wrong(path, "DICT_TYPE_CONVERT")
            return
        for key, one in value.items():
            self.of.check(form, (*path, key), one)


@dataclass(frozen=True, kw_only=True)
class Fields(Kind):
    """An object with these fields."""

    of: Mapping[str, Kind]

    def check(self, form: Form, path: Path, value: Any) -> None:
        """Note what is wrong with the value, and with each of its fields."""
        if not isinstance(value, dict):
            form.wrong(path, "MODEL_TYPE_CONVERT")
            return
        for name, kind in self.of.items():
            given = value.get(name)
            if given is not None:
                kind.check(form, (*path, name), given)
            elif kind.needed:
                form.required((*path, name))


@dataclass(frozen=True, kw_only=True)
class ByType(Kind):
    """An object whose field `type` says what else it holds. `default` is meant where it lacks."""

    of: Mapping[int, Kind]
    default: int | None = None

    def check(self, form: Form, path: Path, value: Any) -> None:
        """Note what is wrong with the value, by its type."""
        kind = value.get("type") if isinstance(value, dict) else None
        kind = self.default if kind is None else kind
        if isinstance(value, dict) and (type(kind) is not int or kind not in self.of):
            listed = ", ".join(map(str, self.of))
            form.wrong((*path, "type"), "UNION_TYPE_CHOICES", listed)
            return
        (self.of[kind] if isinstance(kind, int) else Fields(of={})).check(form, path, value)
