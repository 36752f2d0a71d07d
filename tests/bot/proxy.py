"""An HTTP proxy like a company's, with CONNECT and plain HTTP, for any host name.

All names lead to one port of this machine. A CONNECT tunnel carries TLS: the proxy decrypts it with
a certificate of `discord.test`, so the server behind it needs no TLS.
"""

from __future__ import annotations

import asyncio
import base64
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

NAME = "discord.test"  # a name that no server of names knows


def certificate(folder: Path) -> tuple[Path, Path]:
    """Make a self-signed certificate for `NAME`; return the paths of the two files, key last."""
    pem, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"),
            *("-keyout", str(key), "-out", str(pem)),
        ],
        check=True,
        capture_output=True,
    )
    return pem, key


@dataclass
class Proxy:
    """A running proxy. `requests`: methods and targets, such as `CONNECT discord.test:443`."""

    port: int
    url: str
    requests: list[str] = field(default_factory=list)


@asynccontextmanager
async def proxying(
    port: int, folder: Path, user: str | None = None
) -> AsyncIterator[tuple[Proxy, Path]]:
    """Run a proxy that leads to `port` of this machine; yield it and the path of its certificate.

    `user`: a `name:password` that the proxy requires; if None, it requires none.
    """
    pem, key = certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem, key)
    credentials = user and "Basic " + base64.b64encode(user.encode()).decode()
    proxy = Proxy(0, "")
    under_way: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        under_way.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
                await _forward(reader, writer)
        finally:
            under_way.discard(task)
            writer.close()

    async def _forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.rstrip().split("\r\n")
        method, target, _ = first.split(" ")
        proxy.requests.append(f"{method} {target}")
        headers = dict(line.split(": ", 1) for line in lines)
        if credentials and headers.get("Proxy-Authorization") != credentials:
            writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            return
        upstream = await asyncio.open_connection("127.0.0.1", port)
        try:
            if method == "CONNECT":
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await writer.drain()
                await writer.start_tls(context)
            else:  # one request a connection, as nobody reads where the next would begin
                path = "/" + target.split("/", 3)[3]
                lines_kept = [line for line in lines if not line.startswith("Proxy-")]
                upgrade = any(line.lower().startswith("upgrade:") for line in lines_kept)
                if not upgrade:
                    lines_kept = [
                        line for line in lines_kept if not line.lower().startswith("connection:")
                    ]
                    lines_kept.append("Connection: close")
                upstream[1].write(
                    "\r\n".join([f"{method} {path} HTTP/1.1", *lines_kept, "", ""]).encode()
                )
            async with asyncio.TaskGroup() as both:
                both.create_task(_pour(reader, upstream[1]))
                both.create_task(_pour(upstream[0], writer))
        finally:
            upstream[1].close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    proxy.url = f"http://{user + '@' if user else ''}127.0.0.1:{proxy.port}"
    try:
        yield proxy, pem
    finally:
        server.close()
        for task in list(under_way):
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError, ssl.SSLError):
        while block := await reader.read(65_536):
            writer.write(block)
            await writer.drain()
    with suppress(ConnectionError, RuntimeError, NotImplementedError):
        writer.close()
