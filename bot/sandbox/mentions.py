"""Whom a message mentions: the ids in its text, as far as `allowed_mentions` lets them call.

Roles and @everyone are accepted in `allowed_mentions` and call nobody: no role here can be
mentioned, and neither the bot nor a person may mention everyone.
Source: https://discord.com/developers/docs/resources/message#allowed-mentions-object
"""

import re

from bot.sandbox.payloads import walk
from bot.sandbox.rules.bodies import ALLOWED_MENTIONS, TEXT
from bot.sandbox.rules.form import Form
from bot.sandbox.state import Json

KINDS = ("roles", "users", "everyone")

_MENTION = re.compile(r"<@!?(\d+)>")
_CODE = re.compile(r"```.*?```|``.*?``|`[^`\n]*`", re.DOTALL)


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
        form.one_of((at, "parse", n), kind, KINDS)
    for kind in ("users", "roles"):
        if allowed.get(kind) and kind in parse:
            form.wrong(
                (at,),
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.',
            )
    form.raise_if_wrong()


def mentioned(payload: Json, allowed: Json | None, replied_to: str | None = None) -> list[str]:
    """The ids of the users a message calls, in the order of their first mention.

    Embeds and code call nobody. Without `allowed` everybody named is called. `replied_to` is the
    author of the message it replies to, who is called too unless `allowed` leaves that out.
    """
    texts = [str(payload["content"])]
    texts += [str(one["content"]) for one in walk(payload["components"]) if one["type"] == TEXT]
    named = [user for text in texts for user in _MENTION.findall(_CODE.sub(" ", text))]
    if allowed is None or "users" in (allowed.get("parse") or []):
        called = named
    else:
        listed = {str(user) for user in allowed.get("users") or []}
        called = [user for user in named if user in listed]
    if replied_to is not None and (allowed is None or allowed.get("replied_user")):
        called = [replied_to, *called]
    return list(dict.fromkeys(called))
