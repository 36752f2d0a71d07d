"""Run one command in a container of the image, by an OCI runtime: runc, or crun.

The rights are those of the documented `docker run` line: user 10001, a read-only root, no
capability nor way to gain one, memory at /tmp, and a folder at /data. Two things differ: the
network is the machine's own, since the local Discord is on it, and no seccomp profile is loaded.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

DOCKERFILE: Final = Path(__file__).parents[2] / "Dockerfile"
USER: Final = 10001
ROOT, FOLDER, NAME = "IMAGE_ROOT", "IMAGE_FOLDER", "IMAGE_NAME"  # variables of `main`
_ENV: Final = re.compile(r"^ENV (.+?[^\\])$", re.MULTILINE | re.DOTALL)


def runtime() -> str:
    """Return the path of the OCI runtime that is installed."""
    program = shutil.which("runc") or shutil.which("crun")
    assert program is not None, "expected runc or crun on the path"
    return program


def environment() -> dict[str, str]:
    """Return the variables that the last stage of the Dockerfile sets."""
    last = DOCKERFILE.read_text(encoding="utf-8").rpartition("\nFROM ")[2]
    pairs = [pair for env in _ENV.findall(last) for pair in shlex.split(env.replace("\\\n", " "))]
    variables = dict(pair.split("=", 1) for pair in pairs)
    path = "/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin"
    return variables | {"PATH": variables["PATH"].replace("$PATH", path)}


def specification(
    root: Path, folder: Path, command: Sequence[str], extra: Mapping[str, str]
) -> dict[str, Any]:
    """Return an OCI runtime's `config.json`; `extra` adds environment variables."""
    tmpfs = ["noexec", "nosuid", "nodev", "mode=1777", "size=256m"]  # as Docker has it
    variables = {**environment(), **extra}
    return {
        "ociVersion": "1.0.2",
        "process": {
            "user": {"uid": USER, "gid": USER},
            "args": list(command),
            "env": [f"{name}={value}" for name, value in variables.items()],
            "cwd": "/data",
            "noNewPrivileges": True,
            "capabilities": {
                name: []
                for name in ("bounding", "effective", "inheritable", "permitted", "ambient")
            },
        },
        "root": {"path": str(root), "readonly": True},
        "mounts": [
            {"destination": "/proc", "type": "proc", "source": "proc"},
            {
                "destination": "/dev",
                "type": "tmpfs",
                "source": "tmpfs",
                "options": ["nosuid", "mode=755"],
            },
            {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": tmpfs},
            {"destination": "/data", "type": "bind", "source": str(folder), "options": ["rbind"]},
            {
                "destination": "/etc/resolv.conf",
                "type": "bind",
                "source": "/etc/resolv.conf",
                "options": ["rbind", "ro"],
            },
        ],
        "linux": {"namespaces": [{"type": kind} for kind in ("pid", "mount", "ipc", "uts")]},
    }


def execute(name: str, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a running container, as `docker exec` does."""
    return subprocess.run(
        [runtime(), "exec", "--cwd", "/data", name, *command],
        capture_output=True,
        text=True,
        check=False,
    )


def remove(name: str) -> None:
    """End a container and everything in it, with the control groups that the runtime made."""

    def manage(*command: str) -> str:
        run = subprocess.run([runtime(), *command], capture_output=True, text=True, check=False)
        return run.stdout

    manage("kill", "--all", name, "KILL")
    while '"running"' in manage("state", name):
        time.sleep(0.05)
    manage("delete", name)


def main() -> None:
    """Replace this process by the runtime, which runs `entrypoint.sh` with our arguments.

    After `--entrypoint`, run the given program instead, as `docker run` does. Never returns.
    """
    folder, name = Path(os.environ[FOLDER]), os.environ[NAME]
    bundle = folder.parent / name
    bundle.mkdir(exist_ok=True)
    settings = {
        key: value for key, value in os.environ.items() if key.startswith(("BLUFF", "DISCORD"))
    }
    command = (
        sys.argv[2:] if sys.argv[1:2] == ["--entrypoint"] else ["entrypoint.sh", *sys.argv[1:]]
    )
    config = specification(Path(os.environ[ROOT]), folder, command, settings)
    (bundle / "config.json").write_text(json.dumps(config), encoding="utf-8")
    remove(name)
    os.execv(runtime(), [runtime(), "run", "--bundle", str(bundle), name])


if __name__ == "__main__":
    main()
