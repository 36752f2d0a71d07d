"""What can go wrong: `ApiError` for the bot (Discord's own codes), the other two for people."""

from typing import Any


class ApiError(Exception):
    """A refusal in Discord's shape: HTTP status, JSON error code, message, nested field errors."""

    def __init__(
        self, status: int, code: int, message: str, errors: dict[str, Any] | None = None
    ) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> dict[str, Any]:
        """The JSON that goes with the status, as Discord words its errors."""
        shown: dict[str, Any] = {"message": self.message, "code": self.code}
        if self.errors is not None:
            shown["errors"] = self.errors
        return shown


class CannotDo(Exception):
    """A person tried what Discord's client would not let them do. The text is one sentence."""


class InteractionFailed(Exception):
    """The bot gave no valid answer within three seconds."""

    def __init__(self, interaction_id: str) -> None:
        super().__init__("This interaction failed")
        self.interaction_id = interaction_id


def unauthorized() -> ApiError:
    """401: no bot token, or not one the emulator takes."""
    return ApiError(401, 0, "401: Unauthorized")


def missing_access() -> ApiError:
    """403, code 50001: the bot cannot see the channel or guild."""
    return ApiError(403, 50001, "Missing Access")


def missing_permissions() -> ApiError:
    """403, code 50013: the bot sees the channel but may not do this in it."""
    return ApiError(403, 50013, "Missing Permissions")


def archived_thread() -> ApiError:
    """400, code 50083: the thread takes nothing now, as it is archived or locked."""
    return ApiError(400, 50083, "Thread is archived")


def closed_dms() -> ApiError:
    """403, code 50007: the person takes no direct messages from the bot."""
    return ApiError(403, 50007, "Cannot send messages to this user")


def empty_message() -> ApiError:
    """400, code 50006: a message with nothing to show."""
    return ApiError(400, 50006, "Cannot send an empty message")


def unknown(what: str) -> ApiError:
    """404 for one of Discord's things: "Message", "Channel", "Interaction"..."""
    return ApiError(404, _UNKNOWN[what], f"Unknown {what}")


_UNKNOWN = {
    "Channel": 10003,
    "Message": 10008,
    "Emoji": 10014,
    "Webhook": 10015,
    "Interaction": 10062,
    "Application Command": 10063,
    "Guild Scheduled Event": 10070,
}
