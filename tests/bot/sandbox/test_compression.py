"""What the local Discord sends, compressed as Discord compresses it, read by the client library."""

from __future__ import annotations

import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest
from discord import utils

from bot.sandbox.gateway import ZLIB, ZSTD, NotSpoken, compressor

TEXTS = ("one", "two " * 500, "ünï")
WITHOUT_ZSTD = """
import sys
sys.modules["zstandard"] = sys.modules["compression.zstd"] = None  # what is not installed
from discord import utils
assert utils._ActiveDecompressionContext.COMPRESSION_TYPE == "zlib-stream"
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
"""


def inflate() -> Callable[[bytes], str]:
    """Reads a zlib stream, whose messages end with a flush."""
    stream = zlib.decompressobj()

    def read(data: bytes) -> str:
        assert data.endswith(b"\x00\x00\xff\xff")
        return stream.decompress(data).decode()

    return read


@pytest.mark.parametrize("kind", [ZLIB, ZSTD])
def test_a_stream_is_read_message_by_message(kind: str) -> None:
    reads = inflate() if kind == ZLIB else utils._ActiveDecompressionContext().decompress
    squeeze = compressor(kind)
    assert squeeze is not None
    assert [reads(squeeze(text.encode())) for text in TEXTS] == list(TEXTS)


def test_the_client_library_asks_for_zstd_where_its_library_is_installed() -> None:
    """As it is for the tests, so every test with the real client library speaks it."""
    assert utils._ActiveDecompressionContext.COMPRESSION_TYPE == ZSTD


def test_without_the_library_the_client_speaks_zlib_and_hears_the_same() -> None:
    tests = (
        "test_with_client_library_in_trouble.py::"
        "test_bot_resumes_after_a_dropped_socket_and_hears_what_it_missed",
        "test_with_client_library.py::test_slash_command_is_answered_by_a_message_everybody_sees",
    )
    room = Path(__file__).parent
    asked = [sys.executable, "-c", WITHOUT_ZSTD, *(str(room / test) for test in tests)]
    ended = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_other_compressions_are_refused() -> None:
    assert compressor(None) is None
    with pytest.raises(NotSpoken):
        compressor("brotli")


def test_zstd_without_its_library_is_refused() -> None:
    missing = {"zstandard": None, "compression.zstd": None}
    with patch.dict(sys.modules, missing), pytest.raises(NotSpoken):
        compressor(ZSTD)
