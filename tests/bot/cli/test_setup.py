"""`bluffhouse setup` at a terminal with the local Discord, and its advice about the portal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pty
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from bot.cli.output import confirm
from bot.cli.portal import read_application
from bot.cli.setup import CONFIG, TOKEN, UNIT, _check_folder, _offer_unit, _open_to_others, unit
from bot.sandbox.world import Sandbox
from bot.settings.config import load
from tests.bot.cli.refused import refusal
from tests.people import PATIENCE, until

ROOT = Path(__file__).parents[3]
UNIT_OFFERED = os.geteuid() != 0 or _open_to_others(Path(sys.executable))
SECRET = "sandbox"  # the local Discord's token
WELL: dict[str, Any] = {"id": "123", "name": "Snug", "integration_types_config": {"0": {}, "1": {}}}


class Terminal:
    """`bluffhouse setup` in a terminal: a test types into it and reads `shown`."""

    def __init__(self, folder: Path, api_url: str) -> None:
        self.shown = ""
        self._grown = asyncio.Event()
        self._screen, inside = pty.openpty()
        self._loop = asyncio.get_running_loop()
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith("DISCORD")
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bot", "setup"],
            cwd=folder,
            env=inherited | {"BLUFFHOUSE_DISCORD__API_URL": api_url, "PYTHONPATH": str(ROOT)},
            stdin=inside,
            stdout=inside,
            stderr=inside,
            start_new_session=True,
        )
        os.close(inside)
        self._loop.add_reader(self._screen, self._read)

    def _read(self) -> None:
        try:
            self.shown += os.read(self._screen, 65536).decode()
        except OSError:  # the program has ended
            self._loop.remove_reader(self._screen)
        self._grown.set()

    async def answer(self, question: str, answer: str) -> None:
        """Wait for the question, type the answer, and forget what was shown up to the question."""
        await self.see(question)
        self.shown = self.shown.partition(question)[2]
        os.write(self._screen, f"{answer}\n".encode())

    async def see(self, text: str) -> None:
        async with asyncio.timeout(PATIENCE):
            while text not in self.shown:
                assert self.process.poll() is None or self._grown.is_set(), self.shown
                await self._grown.wait()
                self._grown.clear()

    async def interrupt(self, question: str) -> None:
        """Press Ctrl-C, then Enter, until the program ends instead of asking again.

        A signal just before a read is handled only after the read, and one that falls into what is
        cleaned up is lost.
        """
        while self.process.poll() is None:
            self.shown = ""
            self.process.send_signal(signal.SIGINT)
            with contextlib.suppress(OSError):  # the program has ended
                os.write(self._screen, b"\n")
            await until(lambda: question in self.shown or self.process.poll() is not None)

    async def end(self) -> int:
        """Wait until the process ends; return its exit code."""
        code = await asyncio.to_thread(self.process.wait, PATIENCE)
        self._loop.remove_reader(self._screen)
        while True:
            try:
                last = os.read(self._screen, 65536)
            except OSError:
                break
            if not last:
                break
            self.shown += last.decode()
        os.close(self._screen)
        return code


@pytest.fixture
async def world() -> AsyncIterator[Sandbox]:
    world = Sandbox()
    await world.start(port=0)
    yield world
    await world.stop()


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


@pytest.mark.thorough
async def test_a_token_becomes_a_bot_that_can_start(
    world: Sandbox, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.state.installs = [0]
    terminal = Terminal(workdir, world.api_url)
    await terminal.answer("Token (not shown): ", "two words")
    await terminal.answer("Token (not shown): ", SECRET)
    if UNIT_OFFERED:
        await terminal.answer("Write a systemd unit", "n")
    assert await terminal.end() == 0
    assert SECRET not in terminal.shown.replace(world.state.bot.name, "")
    assert "tick *User Install*" in " ".join(terminal.shown.split())
    assert f"client_id={world.state.bot.id}" in terminal.shown
    assert f"DISCORD_TOKEN_FILE={TOKEN} bluffhouse run" in " ".join(terminal.shown.split())
    assert sorted(path.name for path in workdir.iterdir()) == [str(CONFIG), str(TOKEN)]
    assert {mode(workdir / TOKEN), mode(workdir / CONFIG)} == {0o600}
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(TOKEN))
    settings = load()
    assert settings.discord.token is not None
    assert settings.discord.token.get_secret_value() == SECRET
    assert settings.backups.every_hours == 24


@pytest.mark.thorough
async def test_nothing_is_overwritten_without_asking(world: Sandbox, workdir: Path) -> None:
    (workdir / TOKEN).write_text("of before\n")
    (workdir / TOKEN).chmod(0o644)
    (workdir / CONFIG).write_text("# of before\n")
    terminal = Terminal(workdir, world.api_url)
    await terminal.answer("Token (not shown): ", SECRET)
    await terminal.answer(f"{TOKEN} exists. Overwrite it? [y/N]: ", "y")
    await terminal.answer(f"{CONFIG} exists. Overwrite it? [y/N]: ", "")
    if UNIT_OFFERED:
        await terminal.answer("Write a systemd unit", "n")
    assert await terminal.end() == 0
    assert "Kept config.toml as it was" in terminal.shown
    assert (workdir / TOKEN).read_text() == f"{SECRET}\n"
    assert mode(workdir / TOKEN) == 0o600
    assert (workdir / CONFIG).read_text() == "# of before\n"


@pytest.mark.thorough
async def test_a_refused_token_and_no_discord_write_nothing(world: Sandbox, workdir: Path) -> None:
    terminal = Terminal(workdir, world.api_url)
    await terminal.answer("Token (not shown): ", "another")
    await terminal.see("Discord doesn't accept that token")
    await terminal.interrupt("Token (not shown): ")
    assert await terminal.end() == 1
    await world.stop()
    terminal = Terminal(workdir, world.api_url)
    await terminal.answer("Token (not shown): ", SECRET)
    assert await terminal.end() == 75
    assert "can't reach Discord" in terminal.shown
    assert list(workdir.iterdir()) == []


def test_the_unit_is_written_on_request_and_never_over_another(
    workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    offer = click.command()(_offer_unit)
    assert CliRunner().invoke(offer, input="n\n").exit_code == 0
    assert list(workdir.iterdir()) == []
    printed = CliRunner().invoke(offer, input="y\n").stdout
    assert f'systemctl --user enable --now "{workdir / UNIT}"' in printed
    assert (workdir / UNIT).read_text() == unit(workdir, Path(sys.executable), everyone=False)
    (workdir / UNIT).write_text("mine\n")
    assert "exists. Overwrite it?" in CliRunner().invoke(offer, input="y\n\n").stdout
    assert (workdir / UNIT).read_text() == "mine\n"


def test_an_odd_answer_is_asked_again_with_an_example(workdir: Path) -> None:
    ask = click.command()(lambda: click.echo(f"answer {confirm('Overwrite it?')}"))
    for typed, answer in (("yep\ny\n", True), ("1\nNO\n", False), ("tak\n\n", False)):
        printed = CliRunner().invoke(ask, input=typed).stdout
        assert f'"{typed.splitlines()[0]}" is neither yes nor no. Example: y\n' in printed
        assert printed.count("Overwrite it? [y/N]: ") == 2
        assert f"answer {answer}" in printed


def test_roots_unit_has_a_user_of_its_own_who_can_run_the_program(
    workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    offer = click.command()(_offer_unit)
    with tempfile.TemporaryDirectory() as temporary:  # the tests' own folder is closed to others
        python = Path(temporary) / "python"
        python.touch(0o755)
        monkeypatch.setattr(sys, "executable", str(python))
        for mode_of_folder, offered in ((0o700, False), (0o755, True)):
            Path(temporary).chmod(mode_of_folder)
            printed = CliRunner().invoke(offer, input="y\n").stdout
            assert (f'systemctl enable --now "{workdir / UNIT}"' in printed) is offered
            assert ("can't read" in " ".join(printed.split())) is not offered
    text = (workdir / UNIT).read_text()
    assert text == unit(workdir, python, everyone=True)
    assert f"LoadCredential=token:{workdir}/token\n" in text
    assert "DynamicUser=yes\n" in text


def test_a_folder_that_takes_no_file_is_refused_before_any_question(
    workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    check = click.command()(_check_folder)
    refused = CliRunner().invoke(check)
    assert refused.exit_code == 2
    assert "Example: mkdir ~/bluffhouse" in " ".join(refused.stderr.split())
    monkeypatch.undo()
    monkeypatch.chdir(workdir)
    assert CliRunner().invoke(check).exit_code == 0
    (workdir / TOKEN).mkdir()
    refused = CliRunner().invoke(check)
    assert refused.exit_code == 2
    assert "token exists but isn't a file; move it. Example: mv token token.old" in refused.stderr


def test_without_a_terminal_it_refuses_in_a_sentence(workdir: Path) -> None:
    assert "needs a terminal" in refusal("setup")
    assert list(workdir.iterdir()) == []


@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        ({}, None),
        ({"integration_types_config": {"0": {}}}, "tick *User Install*"),
        ({"integration_types_config": None}, "tick *Guild Install*"),
        ({"bot_require_code_grant": True}, "turn off *Requires OAuth2 Code Grant*"),
        ({"flags": 1 << 19}, "turn off *Message Content Intent*"),
        ({"flags": 1 << 14}, "turn off *Server Members Intent*"),
        ({"flags": 1 << 23}, None),  # it has commands, which is no intent
        (
            {
                "integration_types_config": {
                    "0": {
                        "oauth2_install_params": {
                            "scopes": ["applications.commands"],
                            "permissions": "0",
                        }
                    },
                    "1": {"oauth2_install_params": {"scopes": ["applications.commands"]}},
                }
            },
            "*Guild Install*: add the scope bot",
        ),
    ],
)
def test_each_wrong_switch_of_the_portal_is_named(
    flags: dict[str, Any], problem: str | None
) -> None:
    application = read_application(WELL | flags)
    assert application.invite.startswith("https://discord.com/oauth2/authorize?client_id=123&")
    if problem is None:
        assert application.wrong == ()
    else:
        assert problem in application.wrong[0]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze")
@pytest.mark.parametrize("everyone", [False, True])
def test_systemd_accepts_the_unit(tmp_path: Path, everyone: bool) -> None:
    folder = tmp_path / "100% poker"
    folder.mkdir()
    (tmp_path / UNIT).write_text(unit(folder, Path(sys.executable), everyone=everyone))
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / UNIT)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr.strip()) == (0, "")
