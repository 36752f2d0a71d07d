"""HTTPS_PROXY, which applies to the bot and its doctor, for requests and for the gateway."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from benchmarks.setup import environment
from bot.sandbox import world as local
from bot.sandbox.world import Sandbox
from bot.settings.proxies import UnusableProxy, proxy_for, without_password
from tests.bot.conftest import Seat
from tests.bot.processes import UNWARMED, command
from tests.bot.proxy import NAME, proxying


@pytest.mark.process
@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_proxy_is_the_only_way_and_the_bot_and_its_doctor_find_it(
    table: Seat, tmp_path: Path, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "LOOPBACK", (*local.LOOPBACK, NAME))
    at = await table(1, serve=False)
    world: Sandbox = at.world
    port = urlsplit(world.base_url).port
    assert port is not None
    async with proxying(port, tmp_path, user="ann:s3cret-word") as (proxy, certificate):
        path = {
            "DISCORD_TOKEN": "sandbox",
            "BLUFFHOUSE_DISCORD__API_URL": f"{scheme}://{NAME}/api/v10",
            "BLUFFHOUSE_DISCORD__GATEWAY_URL": f"{scheme.replace('http', 'ws')}://{NAME}/gateway",
            "BLUFFHOUSE_DATABASE__PATH": str(tmp_path / "house.db"),
            f"{scheme.upper()}_PROXY": proxy.url,
        }
        if scheme == "https":  # where it isn't needed, commands are forked and load no code
            path["SSL_CERT_FILE"] = str(certificate)
        looked = await asyncio.to_thread(command, tmp_path, "store", "doctor", "--online", **path)
        assert looked.returncode == 0, looked.stdout
        output = " ".join(looked.stdout.split())
        assert output.count("by the proxy http://127.0.0.1") == 2
        assert "greets" in output
        assert "s3cret" not in looked.stdout
        wrong = path | {f"{scheme.upper()}_PROXY": proxy.url.replace("s3cret", "wr0ng")}
        for command_line in (("run",), ("store", "doctor", "--online")):
            refused = await asyncio.to_thread(command, tmp_path, *command_line, **wrong)
            assert refused.returncode in (1, 75), refused.stderr
            assert "407" in refused.stdout + refused.stderr
            assert "wr0ng" not in refused.stdout + refused.stderr
        bot = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", *UNWARMED),
            cwd=tmp_path,
            env=environment(**path),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        assert bot.stdout is not None
        received = b""
        while b"bot: ready" not in received:
            line = await bot.stdout.readline()
            assert line, received.decode()
            received += line
        opened = await at.host.slash(at.channel, "play", game="Thai Poker")
        assert opened.message is not None
        bot.send_signal(signal.SIGTERM)
        last_output, _ = await bot.communicate()
        assert bot.returncode == 0, last_output.decode()
        assert b"s3cret" not in received + last_output
    ways = {url.split("/api")[0].split("/gateway")[0] for url in proxy.requests}
    if scheme == "https":
        assert ways == {f"CONNECT {NAME}:443"}
    else:
        assert {f"GET ws://{NAME}", f"GET http://{NAME}"} & ways


@pytest.fixture
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Remove the proxy variables from the environment; return the patch, for setting some."""
    for variable in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(variable, raising=False)
        monkeypatch.delenv(variable.lower(), raising=False)
    return monkeypatch


def test_the_proxy_for_each_address_is_chosen(no_proxy: pytest.MonkeyPatch) -> None:
    assert proxy_for("https://discord.com/api/v10") is None
    no_proxy.setenv("HTTPS_PROXY", "http://ann:w%40rd@proxy.example:3128/")
    no_proxy.setenv("NO_PROXY", "localnet, .cluster.local")
    for address in ("https://discord.com/api/v10", "wss://gateway.discord.gg/"):
        proxy_address = proxy_for(address)
        assert proxy_address == "http://ann:w%40rd@proxy.example:3128/"
        assert without_password(proxy_address) == "http://proxy.example:3128"
    assert proxy_for("http://discord.com/") is None  # HTTP_PROXY would be for it
    assert proxy_for("https://nirn.cluster.local/api/v10") is None
    for own_address in ("https://localhost:1/", "https://127.0.0.1:1/", "wss://[::1]:1/"):
        assert proxy_for(own_address) is None
    no_proxy.delenv("HTTPS_PROXY")
    no_proxy.setenv("all_proxy", "proxy.example:8080")
    assert proxy_for("wss://gateway.discord.gg/") == "http://proxy.example:8080/"


@pytest.mark.parametrize("written", ["socks5://ann:w0rd@proxy.example:1080", "http://", "a b:c"])
def test_a_proxy_that_cannot_be_used_is_one_sentence(
    no_proxy: pytest.MonkeyPatch, written: str, tmp_path: Path
) -> None:
    no_proxy.setenv("HTTPS_PROXY", written)
    with pytest.raises(UnusableProxy):
        proxy_for("https://discord.com/")
    if written != "http://":
        return
    variables = {"DISCORD_TOKEN": "a-token", "HTTPS_PROXY": written}
    ended = command(tmp_path, "run", **variables)
    assert ended.returncode == 78
    (line,) = [line for line in ended.stderr.splitlines() if line.startswith("bluffhouse: ")]
    assert "HTTPS_PROXY names a proxy that can't be used" in line
    looked = command(tmp_path, "store", "doctor", "--online", **variables)
    assert "BAD  proxy" in looked.stdout
