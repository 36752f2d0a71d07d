"""The shape of a refusal: `50035 Invalid Form Body` with the errors nested by field.

Each error has Discord's code, and its message is that code in words, with the facts. Of a bad emoji
it holds Discord's own words too, as a client has nothing else to know that by.
Source: https://discord.com/developers/docs/reference#error-messages
"""

from collections.abc import Collection, Sequence
from typing import Any

from bot.sandbox.errors import ApiError

Path = tuple[str | int, ...]


class Form:
    """Collects every error of one body, each at its path, and raises them together."""

    def __init__(self) -> None:
        self._errors: dict[str, Any] = {}

    def wrong(self, path: Path, code: str, *facts: object) -> None:
        """Note one error at a path such as `("components", 0, "label")`."""
        at = self._errors
        for step in path:
            at = at.setdefault(str(step), {})
        said = ": ".join([code.replace("_", " ").capitalize(), *map(str, facts)])
        at.setdefault("_errors", []).append({"code": code, "message": said})

    def required(self, path: Path) -> None:
        """Note that a field is missing."""
        self.wrong(path, "BASE_TYPE_REQUIRED")

    def length(self, path: Path, value: Sequence[object], low: int, high: int) -> None:
        """A text or list whose length must lie in [low, high]."""
        if not low <= len(value) <= high:
            code = "BASE_TYPE_BAD_LENGTH" if low else "BASE_TYPE_MAX_LENGTH"
            self.wrong(path, code, f"{low} to {high}")

    def between(self, path: Path, value: int, low: int | None, high: int | None) -> None:
        """A number that must lie in [low, high]; None bounds nothing."""
        if high is not None and value > high:
            self.wrong(path, "NUMBER_TYPE_MAX", high)
        elif low is not None and value < low:
            self.wrong(path, "NUMBER_TYPE_MIN", low)

    def one_of(self, path: Path, value: object, choices: Collection[object]) -> None:
        """A value that must be among the choices."""
        if value not in choices:
            self.wrong(path, "BASE_TYPE_CHOICES", ", ".join(map(str, choices)))

    def raise_if_wrong(self) -> None:
        """Raise ApiError 50035 with every error noted so far, if there is any."""
        if self._errors:
            raise ApiError(400, 50035, "Invalid Form Body", self._errors)


def refusal(path: Path, code: str, *facts: object) -> ApiError:
    """A refusal of a single field."""
    form = Form()
    form.wrong(path, code, *facts)
    try:
        form.raise_if_wrong()
    except ApiError as error:
        return error
    raise AssertionError("a form with an error in it always raises")
