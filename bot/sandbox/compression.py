"""The gateway's compression: one stream a connection, flushed once a message.

zstd needs a library that the client has too if it asks for it (Python 3.14 has its own).
Source: https://discord.com/developers/docs/events/gateway#transport-compression
"""

import importlib
import zlib
from collections.abc import Callable
from typing import Any

Compress = Callable[[bytes], bytes]
ZLIB, ZSTD = "zlib-stream", "zstd-stream"


class NotSpoken(Exception):
    """A compression that is none of Discord's, or whose library is not here."""


def compressor(kind: str | None) -> Compress | None:
    """What makes frames of one connection; None: frames are plain text. Raises `NotSpoken`."""
    if not kind:
        return None
    if kind == ZLIB:
        deflate = zlib.compressobj()
        return lambda data: deflate.compress(data) + deflate.flush(zlib.Z_SYNC_FLUSH)
    if kind == ZSTD:
        return _zstd()
    raise NotSpoken(kind)


def _zstd() -> Compress:
    try:
        ours: Any = importlib.import_module("compression.zstd")
    except ImportError:
        return _zstandard()
    stream = ours.ZstdCompressor()
    return lambda data: bytes(stream.compress(data, mode=stream.FLUSH_BLOCK))


def _zstandard() -> Compress:
    try:
        library: Any = importlib.import_module("zstandard")
    except ImportError as error:
        raise NotSpoken(ZSTD) from error
    stream = library.ZstdCompressor().compressobj()
    end = library.COMPRESSOBJ_FLUSH_BLOCK
    return lambda data: bytes(stream.compress(data) + stream.flush(end))
