"""What people type to do harm, and how to tell, of what the bot sends, that it did none.

Every name here is as long as Discord allows at most. A text in which markup is read holds none of
theirs as it was typed; where none is read, a text is one line and nothing turns its writing round.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

NAMES: Final = (
    "[Nitro](https://evil.example)",
    "<@1> @everyone @here <#9> <@&3>",
    "Eve\n# Loud\n> said\n-# x\r\n- y",
    "\u202elive\u2066 \u200fb\u061c",
    "**b** __u__ ~~s~~ ||h|| `c` _i_",
    "discord.gg/evil https://evil.ex",
    "[x](http://e.ex)\\ <t:1:R> </a:9>",
)
_TOKENS: Final = (
    *("[Nitro](", "[x](", "https://evil", "http://e", "discord.gg/evil"),
    *("<@1>", "@everyone", "@here", "<#9>", "<@&3>", "<t:1:R>", "</a:9>"),
    *("**b**", "__u__", "~~s~~", "||h||", "`c`", "_i_", "# Loud", "> said", "-# x"),
)
_LINES: Final = ("\n# Loud", "\n> said", "\n-# x", "\n- y", "\r")
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
# an escape where it is seen itself
_ESCAPED: Final = re.compile(r"\\[*_~`|>#\[]|[<@]\u200b|:\u200b//")
_TURNS: Final = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\x00-\x09\x0b-\x1f]")
# keys of Discord's payloads whose text is no one's to read
_UNREAD: Final = frozenset({"custom_id", "filename", "url", "nonce", "id", "proxy_url", "emoji"})


def harm_in_markup(text: str, code: tuple[str, ...] = ()) -> str | None:
    """What of the names is markup in a text of a message; None if nothing is.

    What stands in `code` may stand there as code: nothing is read in it.
    """
    if turn := _TURNS.search(text):
        return f"{turn[0]!r} turns the writing"
    for span in code:
        text = text.replace(f"`{span}`", "")
    bare = _ESCAPE.sub("", text)
    return next((token for token in (*_TOKENS, *_LINES) if token in bare), None)


def harm_in_plain(text: str) -> str | None:
    """The same of a text in which no markup is read: nor may an escape be seen there."""
    if harm := (_TURNS.search(text) or _ESCAPED.search(text)):
        return repr(harm[0])
    return next((token for token in _LINES if token in text), None)


def harms(body: Any, code: tuple[str, ...] = (), path: str = "") -> Iterator[str]:
    """Whatever does harm in what the bot sends to Discord: messages, edits, answers, forms."""
    if isinstance(body, dict):
        for key, part in body.items():
            if key in _UNREAD or (key == "value" and "max_length" in body):  # typed by its reader
                continue
            yield from harms(part, code, f"{path}.{key}")
    elif isinstance(body, list):
        for part in body:
            yield from harms(part, code, path)
    elif isinstance(body, str):
        markup = path.endswith(".content") or ".embeds" in path
        harm = harm_in_markup(body, code) if markup else harm_in_plain(body)
        if harm is not None:
            yield f"{path}: {harm} in {body!r}"
