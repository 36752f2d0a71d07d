"""Errors: `ApiError` for the bot, with Discord's codes; the other two for people.

`refusal` creates a refusal that is only a message. `BodyErrors` creates the other kind,
`50035 Invalid Form Body`, with errors nested by field. Each field error has Discord's code.
Its text is the code in words, followed by details. For a bad emoji the text has Discord's
exact words, since clients recognise that error only by its text. Source:
https://discord.com/developers/docs/reference#error-messages
"""

from collections.abc import Collection, Sequence
from typing import Any

_REFUSALS = {  # HTTP status and JSON error code by Discord's message
    "401: Unauthorized": (401, 0),  # no bot token, or one the emulator refuses
    "500: Internal Server Error": (500, 0),
    "Unknown Channel": (404, 10003),
    "Unknown Message": (404, 10008),
    "Unknown Emoji": (404, 10014),
    "Unknown Webhook": (404, 10015),
    "Unknown Interaction": (404, 10062),
    "Unknown Application Command": (404, 10063),
    "Unknown Guild Scheduled Event": (404, 10070),
    "Maximum number of edits to messages older than 1 hour reached. Try again later": (429, 30046),
    "Request entity too large": (413, 40005),
    "Interaction has already been acknowledged.": (400, 40060),
    "This interaction has reached the maximum number of follow up messages": (400, 40094),
    "Missing Access": (403, 50001),  # the bot cannot see the channel or guild
    "Cannot execute action on a DM channel": (403, 50003),
    "Cannot edit a message authored by another user": (403, 50005),
    "Cannot send an empty message": (400, 50006),
    "Cannot send messages to this user": (403, 50007),
    "Cannot send messages in a non-text channel": (400, 50008),
    "Missing Permissions": (403, 50013),  # the bot sees the channel but may not do this in it
    "Invalid Webhook Token": (401, 50027),
    "Invalid Recipient(s)": (400, 50033),
    "Cannot execute action on this channel type": (400, 50024),
    "A thread has already been created for this message": (400, 160004),
    "Thread is archived": (400, 50083),  # or locked
    "The request body contains invalid JSON.": (400, 50109),
}


class ApiError(Exception):
    """A refusal in Discord's format: HTTP status, JSON error code, message, errors by field."""

    def __init__(
        self, status: int, code: int, message: str, errors: dict[str, Any] | None = None
    ) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> dict[str, Any]:
        """Return the JSON of the refusal, in Discord's format."""
        content: dict[str, Any] = {"message": self.message, "code": self.code}
        if self.errors is not None:
            content["errors"] = self.errors
        return content


class CannotDo(Exception):
    """A person tried what Discord's client would not allow. The text is one sentence."""


class InteractionFailed(Exception):
    """The bot gave no valid answer within three seconds."""

    def __init__(self, interaction_id: str) -> None:
        super().__init__("This interaction failed")
        self.interaction_id = interaction_id


def refusal(message: str) -> ApiError:
    """Return the refusal with Discord's message, such as "Unknown Message"."""
    return ApiError(*_REFUSALS[message], message)


Path = tuple[str | int, ...]


class BodyErrors:
    """Collects all errors of one body, each at its path, to raise them together."""

    def __init__(self) -> None:
        self._errors: dict[str, Any] = {}

    def wrong(self, path: Path, code: str, *facts: object) -> None:
        """Add an error at a path such as `("components", 0, "label")`.

        The error's text is the `code` in words, then the `facts`.
        """
        at = self._errors
        for step in path:
            at = at.setdefault(str(step), {})
        message = ": ".join([code.replace("_", " ").capitalize(), *map(str, facts)])
        at.setdefault("_errors", []).append({"code": code, "message": message})

    def missing(self, path: Path) -> None:
        """Add the error for a missing field."""
        self.wrong(path, "BASE_TYPE_REQUIRED")

    def length(self, path: Path, value: Sequence[object], low: int, high: int) -> None:
        """Add an error unless a text's or list's length is in [low, high]."""
        if not low <= len(value) <= high:
            code = "BASE_TYPE_BAD_LENGTH" if low else "BASE_TYPE_MAX_LENGTH"
            self.wrong(path, code, f"{low} to {high}")

    def between(self, path: Path, value: int, low: int | None, high: int | None) -> None:
        """Add an error unless a number is in [low, high]; None means no bound."""
        if high is not None and value > high:
            self.wrong(path, "NUMBER_TYPE_MAX", high)
        elif low is not None and value < low:
            self.wrong(path, "NUMBER_TYPE_MIN", low)

    def one_of(self, path: Path, value: object, choices: Collection[object]) -> None:
        """Add an error unless a value is one of the choices."""
        if value not in choices:
            self.wrong(path, "BASE_TYPE_CHOICES", ", ".join(map(str, choices)))

    def refusal(self) -> ApiError:
        """Return ApiError 50035 with all errors so far."""
        return ApiError(400, 50035, "Invalid Form Body", self._errors)

    def raise_if_wrong(self) -> None:
        """Raise the `refusal`, if there is any error."""
        if self._errors:
            raise self.refusal()


def invalid_field(path: Path, code: str, *facts: object) -> ApiError:
    """Return the refusal of a single field."""
    form = BodyErrors()
    form.wrong(path, code, *facts)
    return form.refusal()
