"""Posts that are sent once, however often they are tried.

Discord answers a nonce that it knows with the message it has. When that message has been deleted
since, by a moderator perhaps, it answers *Unknown Message* and makes no other: what is still to be
seen is then sent under another nonce, which is made of the one before, so that a further try, or
the next start's, finds that message again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import discord

UNKNOWN_MESSAGE: Final = 10008
DELETED_AT_MOST: Final = 5  # messages of the same news that somebody deletes one after the other
T = TypeVar("T")


async def post_once(nonce: str, send: Callable[[str], Awaitable[T]]) -> T:
    """What `send` does under the nonce, or under the next one whose message was not deleted.

    It is called anew for each. Raises what it does.
    """
    for _ in range(DELETED_AT_MOST):
        try:
            return await send(nonce)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
        nonce = hashlib.blake2s(nonce.encode(), digest_size=12).hexdigest()
    return await send(nonce)
