"""Schemas of values in a request, which report what is wrong in Discord's words.

`bodies` combines them into whole requests. A missing or null field is fine unless its schema is
`needed`; unknown fields are ignored, as Discord does.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.sandbox.errors import BodyErrors, Path


@dataclass(frozen=True, kw_only=True)
class Schema:
    """Any JSON value."""

    needed: bool = False

    def check(self, errors: BodyErrors, path: Path, value: Any) -> None:
        """Add to `errors` what is wrong with the value and its content."""
        self._check_value(errors, path, value)

    def _check_value(self, errors: BodyErrors, path: Path, value: Any) -> None:
        """Check what is specific to this kind of value."""


@dataclass(frozen=True, kw_only=True)
class NotEmulated(Schema):
    """A field of Discord's that the local Discord refuses by name, except if it is empty."""

    name: str

    def _check_value(self, errors: BodyErrors, path: Path, value: Any) -> None:
        if value:
            errors.wrong(path, "SANDBOX_NOT_EMULATED", self.name)


@dataclass(frozen=True, kw_only=True)
class String(Schema):
    """A text of `low` to `high` characters; if `high` is None, of any length."""

    low: int = 0
    high: int | None = None

    def _check_value(self, errors: BodyErrors, path: Path, value: Any) -> None:
        if not isinstance(value, str):
            errors.wrong(path, "STRING_TYPE_CONVERT", value)
        elif self.high is not None:
            errors.length(path, value, self.low, self.high)


@dataclass(frozen=True, kw_only=True)
class Integer(Schema):
    """An integer from `low` to `high`, or one of the `choices`."""

    low: int | None = None
    high: int | None = None
    choices: Collection[int] = ()

    def _check_value(self, errors: BodyErrors, path: Path, value: Any) -> None:
        if not isinstance(value, int) or isinstance(value, bool):
            errors.wrong(path, "NUMBER_TYPE_COERCE", value, "int")
        elif self.choices:
            errors.one_of(path, value, self.choices)
        else:
            errors.between(path, value, self.low, self.high)


@dataclass(frozen=True, kw_only=True)
class Timestamp(Schema):
    """A time in ISO 8601 with its UTC offset."""

    def _check_value(self, errors: BodyErrors, path: Path, value: Any) -> None:
        try:
            known = datetime.fromisoformat(value).tzinfo is not None
        except (TypeError, ValueError):
            known = False
        if not known:
            errors.wrong(path, "DATE_TIME_TYPE_PARSE", value)


@dataclass(frozen=True, kw_only=True)
class Boolean(Schema):
    """True or false."""

    def _check_value(self, errors: BodyErrors, path: Path, value: Any) -> None:
        if not isinstance(value, bool):
            errors.wrong(path, "BOOLEAN_TYPE_CONVERT")


@dataclass(frozen=True, kw_only=True)
class Snowflake(Schema):
    """An id, or permission bits: digits, as text or as a number."""

    def _check_value(self, errors: BodyErrors, path: Path, value: Any) -> None:
        if isinstance(value, bool) or not (
            (isinstance(value, int) and value >= 0)
            or (isinstance(value, str) and re.fullmatch("[0-9]{1,20}", value))
        ):
            errors.wrong(path, "NUMBER_TYPE_COERCE", value, "snowflake")


@dataclass(frozen=True, kw_only=True)
class Digits(Schema):
    """An integer in a query, where everything is text."""

    low: int
    high: int

    def _check_value(self, errors: BodyErrors, path: Path, value: Any) -> None:
        if re.fullmatch("-?[0-9]{1,9}", value):
            errors.between(path, int(value), self.low, self.high)
        else:
            errors.wrong(path, "NUMBER_TYPE_COERCE", value, "int")


@dataclass(frozen=True, kw_only=True)
class Either(Schema):
    """A number, checked by `number`, or any other value, checked by `text`."""

    number: Schema
    text: Schema

    def _check_value(self, errors: BodyErrors, path: Path, value: Any) -> None:
        numeric = isinstance(value, int | float) and not isinstance(value, bool)
        (self.number if numeric else self.text).check(errors, path, value)


@dataclass(frozen=True, kw_only=True)
class Array(Schema):
    """A list of `low` to `high` values of one kind; if `high` is None, of any length."""

    of: Schema
    low: int = 0
    high: int | None = None

    def _check_value(self, errors: BodyErrors, path: Path, value: Any) -> None:
        if not isinstance(value, list):
            errors.wrong(path, "LIST_TYPE_CONVERT")
            return
        if self.high is not None:
            errors.length(path, value, self.low, self.high)
        for n, item in enumerate(value):
            self.of.check(errors, (*path, n), item)


@dataclass(frozen=True, kw_only=True)
class Map(Schema):
    """An object with any keys, such as locales. Each value must fit the schema `of`."""

    of: Schema

    def _check_value(self, errors: BodyErrors, path: Path, value: Any) -> None:
        if not isinstance(value, dict):
            errors.wrong(path, "DICT_TYPE_CONVERT")
            return
        for key, item in value.items():
            self.of.check(errors, (*path, key), item)


@dataclass(frozen=True, kw_only=True)
class Object(Schema):
    """An object with these fields."""

    of: Mapping[str, Schema]

    def _check_value(self, errors: BodyErrors, path: Path, value: Any) -> None:
        if not isinstance(value, dict):
            errors.wrong(path, "MODEL_TYPE_CONVERT")
            return
        for name, kind in self.of.items():
            field = value.get(name)
            if field is not None:
                kind.check(errors, (*path, name), field)
            elif kind.needed:
                errors.missing((*path, name))


@dataclass(frozen=True, kw_only=True)
class ByType(Schema):
    """An object whose field `type` determines its other fields; a missing type is `default`.

    `code` is the error for a type that isn't in `of`.
    """

    of: Mapping[int, Schema]
    default: int | None = None
    code: str = "UNION_TYPE_CHOICES"

    def _check_value(self, errors: BodyErrors, path: Path, value: Any) -> None:
        if not isinstance(value, dict):
            errors.wrong(path, "MODEL_TYPE_CONVERT")
            return
        kind = value.get("type", self.default)
        if type(kind) is int and kind in self.of:
            self.of[kind].check(errors, path, value)
        else:
            listed = ", ".join(map(str, self.of))
            errors.wrong((*path, "type"), self.code, listed)
