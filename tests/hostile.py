"""Harmful names that people may type, and checks that they do no harm in what the bot sends.

No name is longer than Discord allows. A text that Discord reads as markup must contain none
of a name's markup unescaped. Every other text is one line, shows no escapes and doesn't
turn the direction of writing.
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
# an escape that people would see
_ESCAPED: Final = re.compile(r"\\[*_~`|>#\[]|[<@]\u200b|:\u200b//")
_TURNS: Final = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\x00-\x09\x0b-\x1f]")
# keys in Discord's payloads whose text nobody reads
_UNREAD: Final = frozenset({"custom_id", "filename", "url", "nonce", "id", "proxy_url", "emoji"})


def harm_in_markup(text: str, code: tuple[str, ...] = ()) -> str | None:
    """Return what does harm in a text with markup, or None.

    Texts in `code` may be shown as code, where Discord reads no markup.
    """
    if turn := _TURNS.search(text):
        return f"{turn[0]!r} turns the writing"
    for span in code:
        text = text.replace(f"`{span}`", "")
    bare = _ESCAPE.sub("", text)
    return next((token for token in (*_TOKENS, *_LINES) if token in bare), None)


def harm_in_plain(text: str) -> str | None:
    """Return what does harm in a text without markup, such as an escape, or None."""
    if harm := (_TURNS.search(text) or _ESCAPED.search(text)):
        return repr(harm[0])
    return next((token for token in _LINES if token in text), None)


def harms(body: Any, code: tuple[str, ...] = (), path: str = "") -> Iterator[str]:
    """Describe everything harmful in the body of a request to Discord, recursively.

    `code` is as in `harm_in_markup`; `path` is where in the whole body this part lies.
    """
    if isinstance(body, dict):
        for key, part in body.items():
            if key in _UNREAD or (key == "value" and "max_length" in body):  # for its writer only
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
