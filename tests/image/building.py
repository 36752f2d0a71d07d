"""Build the image as a host does, with buildah, and find what is wrong with the result.

The Dockerfile names its base once, as the stage `base`, so `--from` can replace the base. If the
real base can't be pulled, a stand-in is made of the same Debian release: what debootstrap installs,
without the documents and translations that the real base lacks too. The stand-in's size differs by
some megabytes; nothing else here depends on the base.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.image.contained import DOCKERFILE, USER, environment

IMAGE: Final = "localhost/bluffhouse"
LARGEST: Final = 450_000_000  # bytes
# programs that compile or install others
COMPILER: Final = re.compile(
    r"(?:[\w.]+-)*(?:cc|c\+\+|gcc|g\+\+|clang|clang\+\+|tcc|cpp|ld|as|make|cmake|pip3?)(?:-?[\d.]+)?"
)
_BASE: Final = re.compile(r"^FROM (debian:(?P<release>[a-z]+)-slim) AS base$", re.MULTILINE)
# as in the real base: packages installed later leave these out too
_EXCLUDED: Final = ("doc", "info", "lintian", "linda", "locale", "man")


class NotTried(Exception):
    """The image can't be built or run on this machine; `str()` says what is missing."""


def base_image() -> tuple[str, str]:
    """Return the Dockerfile's base image and its Debian release."""
    base = _BASE.search(DOCKERFILE.read_text(encoding="utf-8"))
    assert base is not None, "the Dockerfile's first stage is no debian:...-slim named base"
    return f"docker.io/library/{base[1]}", base["release"]


def check_tools() -> None:
    """Raise `NotTried` if buildah or an OCI runtime is missing, or the user isn't root."""
    if os.geteuid() != 0:
        raise NotTried("expected root, which mounts an image. Example: sudo make image")
    runtimes = (shutil.which("runc"), shutil.which("crun"))
    missing = [] if shutil.which("buildah") else ["buildah"]
    missing += [] if any(runtimes) else ["runc or crun"]
    if missing:
        raise NotTried(
            f"{' and '.join(missing)} not found. Example: apt-get install buildah debootstrap runc"
        )


def buildah(*arguments: str) -> str:
    """Run buildah; return what it printed. Raises `NotTried` if it fails."""
    run = subprocess.run(["buildah", *arguments], capture_output=True, text=True)
    if run.returncode:
        raise NotTried(f"buildah {arguments[0]} failed: {run.stderr.strip()}")
    return run.stdout.strip()


def prepare_base() -> tuple[str, str]:
    """Return the name of an image to build from and what it is: the real base, or a stand-in.

    Raises `NotTried` if no image can be pulled or made.
    """
    image, release = base_image()
    try:
        buildah("pull", "--quiet", image)
    except NotTried:
        stand_in = f"localhost/bluffhouse-base:{release}"
        images = subprocess.run(["buildah", "images", stand_in], capture_output=True)
        if images.returncode:
            bootstrap(release, stand_in)
        return stand_in, f"a stand-in for {image}, which can't be pulled here"
    return image, image


def bootstrap(release: str, name: str) -> None:
    """Make a base image of a Debian release, about as small as the real one.

    Raises `NotTried` if debootstrap is missing, or if debootstrap or buildah fails.
    """
    if shutil.which("debootstrap") is None:
        raise NotTried(
            "the base image can't be pulled, and there is no debootstrap to make another."
            " Example: apt-get install debootstrap"
        )
    with tempfile.TemporaryDirectory(prefix="bluffhouse-base-") as temporary:
        root = Path(temporary) / "root"
        command = ["debootstrap", "--variant=minbase", release, str(root)]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            raise NotTried(f"debootstrap failed: {run.stdout.strip().splitlines()[-1:]}")
        excluded = [f"path-exclude /usr/share/{folder}/*\n" for folder in _EXCLUDED]
        include = "path-include /usr/share/doc/*/copyright\n"
        (root / "etc/dpkg/dpkg.cfg.d/slim").write_text("".join(excluded) + include)
        for folder in _EXCLUDED:
            for file in [*(root / "usr/share" / folder).rglob("*")]:
                if not file.is_dir() and not (folder == "doc" and file.name == "copyright"):
                    file.unlink()
        for pattern in (
            "var/cache/apt/*.bin",
            "var/cache/apt/archives/*.deb",
            "var/lib/apt/lists/*_*",
        ):
            for file in root.glob(pattern):
                file.unlink()
        container = buildah("from", "scratch")
        try:
            buildah("add", "--quiet", container, str(root), "/")
            buildah("commit", "--quiet", "--format", "docker", container, name)
        finally:
            buildah("rm", container)


def build(base: str, options: Sequence[str]) -> bool:
    """Build the image from `base`, in Docker's format: OCI's has no health check.

    Show what the build prints; return whether it succeeded.
    """
    ours = ("--format", "docker", "--from", base, "--tag", IMAGE, "--pull-never")
    command = ["buildah", "build", *ours, *options, str(DOCKERFILE.parent)]
    return subprocess.run(command).returncode == 0


@contextmanager
def mount_image(image: str) -> Iterator[Path]:
    """Mount an image's root file system and yield its path."""
    container = buildah("from", "--pull-never", image)
    try:
        yield Path(buildah("mount", container))
    finally:
        buildah("rm", container)


def read_config(image: str) -> dict[str, Any]:
    """Return the image's configuration: how to run it."""
    config: dict[str, Any] = json.loads(buildah("inspect", "--type", "image", image))["Docker"]
    return dict(config["config"])


def wrong_config(config: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with an image's configuration, a sentence each."""
    wrong = []
    if config.get("User") != f"{USER}:{USER}":
        wrong.append(f"its user is {config.get('User')!r}")
    if "/usr/local/bin/ready.py" not in str((config.get("Healthcheck") or {}).get("Test")):
        wrong.append("it has no health check: build it with --format docker")
    if config.get("Entrypoint") != ["entrypoint.sh"] or config.get("Cmd") != ["run"]:
        wrong.append(f"it starts {config.get('Entrypoint')} {config.get('Cmd')}")
    if config.get("Volumes"):
        wrong.append("it has a VOLUME, which Railway refuses")
    variables = dict(pair.split("=", 1) for pair in config.get("Env") or [])
    variables.pop("PATH", None)
    expected = {name: value for name, value in environment().items() if name != "PATH"}
    if variables != expected:
        wrong.append(f"its variables are {variables}")
    return wrong


def measure(root: Path) -> int:
    """Return the size of all files below `root` in bytes; hard links to one file count once."""
    sizes = {}
    for folder, _, names in os.walk(root):
        for name in names:
            status = os.lstat(Path(folder, name))
            sizes[status.st_dev, status.st_ino] = status.st_size
    return sum(sizes.values())


def find_compilers(root: Path) -> list[str]:
    """Return the paths, below `root`, of compilers and package installers."""
    folders = ("bin", "sbin", "usr/bin", "usr/sbin", "usr/local/bin", "opt/bluffhouse/bin")
    programs = {path for folder in folders for path in (root / folder).glob("*")}
    return sorted(str(path.relative_to(root)) for path in programs if COMPILER.fullmatch(path.name))
