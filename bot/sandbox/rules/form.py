"""The shape of a refusal: `50035 Invalid Form Body` with the errors nested by field.

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

    def wrong(self, path: Path, code: str, message: str) -> None:
        """Note one error at a path such as `("components", 0, "label")`."""
        at = self._errors
        for step in path:
            at = at.setdefault(str(step), {})
        at.setdefault("_errors", []).append({"code": code, "message": message})

    def required(self, path: Path) -> None:
        """Note that a field is missing."""
        self.wrong(path, "BASE_TYPE_REQUIRED", "This field is required")

    def length(self, path: Path, value: Sequence[object], low: int, high: int) -> None:
        """A text or list whose length must lie in [low, high]."""
        if not low <= len(value) <= high:
            if low:
                self.wrong(
                    path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length."
                )
            else:
                self.wrong(path, "BASE_TYPE_MAX_LENGTH", f"Must be {high} or fewer in length.")

    def between(self, path: Path, value: int, low: int | None, high: int | None) -> None:
        """A number that must lie in [low, high]; None bounds nothing."""
        if high is not None and value > high:
            self.wrong(
                path, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {high}."
            )
        elif low is not None and value < low:
            self.wrong(
                path, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {low}."
            )

    def one_of(self, path: Path, value: object, choices: Collection[object]) -> bool:
        """Whether the value is one of the choices; if not, an error is noted."""
        if value in choices:
            return True
        listed = ", ".join(map(str, choices))
        self.wrong(path, "BASE_TYPE_CHOICES", f"Value must be one of {{{listed}}}.")
        return False

    def raise_if_wrong(self) -> None:
        """Raise ApiError 50035 with every error noted so far, if there is any."""
        if self._errors:
            raise ApiError(400, 50035, "Invalid Form Body", self._errors)


def refusal(path: Path, code: str, message: str) -> ApiError:
    """A refusal of a single field."""
    form = Form()
    form.wrong(path, code, message)
    try:
        form.raise_if_wrong()
    except ApiError as error:
        return error
    raise AssertionError("a form with an error in it always raises")
