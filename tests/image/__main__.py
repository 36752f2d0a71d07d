# ruff: noqa: ASYNC110 - a container tells by what can be seen; asking it is quick
"""`python -m tests.image ROOT`: what is documented of the image, tried with its root file system.

ROOT is a folder that holds it: `buildah mount`, or a `docker export` unpacked. Needs root, and
runc or crun. A match is played at the local Discord by the bot in its container; what is looked
at is printed, and the first thing that is not so ends it with 1.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.setup import PATIENCE, Setup, environment, open_setup
from tests.image.contained import FOLDER, NAME, ROOT, USER, execute, remove

CONTAINER = "bluffhouse-image"
GAME = "Thai Poker"


def check(label: str, so: bool, facts: object = "") -> None:
    """One line; ends the program where it is not so."""
    print(f"{'ok ' if so else 'NOT'} {label}{f': {facts}' if facts != '' else ''}", flush=True)
    if not so:
        raise SystemExit(1)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port: int = server.getsockname()[1]
        return port


def kernels() -> int:
    """How many compiled kernels the container has now."""
    return len(execute(CONTAINER, "find", "/tmp/kernels", "-name", "*.nbc").stdout.splitlines())


def kernels_built() -> int:
    """How many of them were compiled by the build."""
    listed = execute(CONTAINER, "tar", "-tzf", "/opt/bluffhouse/kernels.tar.gz").stdout
    return sum(name.endswith(".nbc") for name in listed.splitlines())


def rights() -> None:
    """The user, what it may do, and what it may write."""
    status = execute(CONTAINER, "cat", "/proc/1/status").stdout
    facts = dict(re.findall(r"^(\w+):\s+(.+)$", status, re.MULTILINE))
    check("the bot is user 10001", facts["Uid"].split() == [str(USER)] * 4, facts["Uid"])
    caps = {name: facts[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}
    check("it has no capability", {int(cap, 16) for cap in caps.values()} == {0})
    check("it cannot gain any", facts["NoNewPrivs"] == "1")
    for place in ("/", "/opt/bluffhouse", "/etc", "/usr/local/bin"):
        tried = execute(CONTAINER, "touch", f"{place}/written")
        check(f"{place} takes no file", tried.returncode != 0, tried.stderr.strip())


async def ready() -> None:
    """The health check that the image names says ready."""
    command = ("/opt/bluffhouse/bin/python", "-ISE", "/usr/local/bin/ready.py")
    async with asyncio.timeout(PATIENCE):
        while (health := execute(CONTAINER, *command)).returncode:
            await asyncio.sleep(0.5)
    check("the health check says ready", True, health.stdout.strip())


async def check_kernels(log: Path) -> None:
    """The kernels of the build are used: loaded soon, and not one is compiled."""
    async with asyncio.timeout(PATIENCE):
        while "computing: warm" not in log.read_text():
            await asyncio.sleep(0.1)
    (line,) = [
        line_of_log
        for line_of_log in log.read_text().splitlines()
        if "computing: warm" in line_of_log
    ]
    built, now = kernels_built(), kernels()
    check("no kernel was compiled", 0 < built == now, f"{built} of the build; {line[-200:]}")


async def ask_odds(setup: Setup) -> None:
    """A first question of odds, and what lies in the cache after it."""
    elsewhere = await setup.world.channel("general")
    began = time.monotonic()
    out = await setup.people[0].slash(elsewhere, "odds showdown", game="holdem", hands="AhKd, QcQs")
    await out.settled()
    took = time.monotonic() - began
    check(
        "a first question of odds compiles nothing",
        kernels() == kernels_built(),
        f"{took:.1f} s on a busy machine",
    )


async def once(setup: Setup, *command: str) -> subprocess.CompletedProcess[str]:
    """Run one command in a container of its own, as `docker run --rm` does."""
    return await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "tests.image.contained", *command],
        env=environment(**setup.settings),
        capture_output=True,
        text=True,
        check=False,
    )


async def restore_backup(setup: Setup) -> None:
    """Back up while the bot runs, lose the database, put the copy in its place, go on."""
    backup = execute(CONTAINER, "bluffhouse", "store", "backup", "/data/backup.db")
    check("a backup is made beside the running bot", backup.returncode == 0, backup.stdout.strip())
    before = setup.stored_actions()
    code, seconds = await setup.terminate()
    check("SIGTERM ends it with 0", code == 0, f"{seconds:.1f} s")
    (setup.folder / "house.db").write_bytes(b"lost")
    names = "/data/house.db-wal /data/house.db-shm"
    restoring = f"cp /data/backup.db /data/house.db && rm -f {names}"
    backup = await once(setup, "--entrypoint", "sh", "-c", restoring)
    check("the copy is put in its place", backup.returncode == 0, backup.stdout.strip())
    checked = await once(setup, "store", "doctor")
    check("doctor finds nothing wrong", checked.returncode == 0, checked.stdout.strip())
    await setup.start()
    check("the restored match goes on", setup.stored_actions() == before, f"{before} actions")


async def bid(setup: Setup) -> None:
    """Whoever is to act makes the lowest bid there is."""
    before = setup.stored_actions()
    message = await setup.table_message()
    select = message.select()
    person = await setup.turn()
    out = await person.select(message, select["placeholder"], select["options"][0]["value"])
    await out.settled()
    check("a bid is stored", setup.stored_actions() == before + 1)


async def try_image(root: Path) -> None:
    """Everything, in the order in which a host meets it."""
    with tempfile.TemporaryDirectory(prefix="bluffhouse-image-") as temporary:
        folder = Path(temporary) / "data"
        folder.mkdir()
        Path(temporary).chmod(0o755)
        os.chown(folder, USER, USER)
        async with open_setup(folder, 3) as setup:
            setup.module = ("tests.image.contained", "run")
            setup.extra_settings = {
                ROOT: str(root),
                FOLDER: str(folder),
                NAME: CONTAINER,
                "BLUFFHOUSE_DATABASE__PATH": "/data/house.db",
                "BLUFFHOUSE_SERVING__PORT": str(free_port()),
            }
            try:
                check("the bot is ready", True, f"{await setup.start():.1f} s on a busy machine")
                rights()
                await ready()
                await setup.begin(GAME)
                await bid(setup)
                await check_kernels(folder / "bot-1.log")
                await ask_odds(setup)
                await restore_backup(setup)
                await bid(setup)
                code, seconds = await setup.terminate()
                check("SIGTERM ends it with 0", code == 0, f"{seconds:.1f} s")
            finally:
                remove(CONTAINER)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.image", description=__doc__)
    parser.add_argument("root", type=Path, help="a folder with the image's root file system")
    options = parser.parse_args()
    if os.geteuid() != 0:
        raise SystemExit("expected root, who may make a container: sudo python -m tests.image ROOT")
    asyncio.run(try_image(options.root.resolve()))


if __name__ == "__main__":
    main()
