"""Limits of a whole message: files, Components V2 against the old fields, whom it may call.

Roles and @everyone are accepted in `allowed_mentions` and call nobody: no role here can be
mentioned, and neither the bot nor a person may mention everyone.
Source: https://discord.com/developers/docs/resources/message#allowed-mentions-object
"""

from bot.sandbox.errors import empty_message
from bot.sandbox.rules.bodies import ALLOWED_MENTIONS, EDIT
from bot.sandbox.rules.components import check_components
from bot.sandbox.rules.form import Form
from bot.sandbox.state import COMPONENTS_V2, Json

MAX_FILES = 10
MENTIONED = ("roles", "users", "everyone")


def check_message(message: Json, filenames: list[str], known: frozenset[str] | None = None) -> None:
    """Raise ApiError unless Discord would take the message.

    `message` holds content, components and flags as they would stand after the request;
    `filenames` are the names of all its attachments, old and new, and `known` those that
    `attachment://` may mean, if not all.
    """
    form = Form()
    EDIT.check(form, (), message)
    form.raise_if_wrong()
    v2 = bool((message.get("flags") or 0) & COMPONENTS_V2)
    files = frozenset(filenames) if known is None else known
    if v2 and message.get("content"):
        form.wrong(("content",), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", "content")
    form.length(("attachments",), filenames, 0, MAX_FILES)
    check_components(form, message.get("components") or [], v2=v2, files=files)
    form.raise_if_wrong()
    if not message.get("components") and (v2 or not (message.get("content") or filenames)):
        raise empty_message()


def check_allowed_mentions(allowed: Json | None) -> None:
    """Raise ApiError 50035 for an `allowed_mentions` that Discord would refuse; None is fine."""
    if allowed is None:
        return
    form = Form()
    at = "allowed_mentions"
    ALLOWED_MENTIONS.check(form, (at,), allowed)
    form.raise_if_wrong()
    parse = allowed.get("parse") or []
    for n, kind in enumerate(parse):
        form.one_of((at, "parse", n), kind, MENTIONED)
    for kind in ("users", "roles"):
        if allowed.get(kind) and kind in parse:
            form.wrong((at,), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", kind)
    form.raise_if_wrong()
