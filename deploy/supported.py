"""Check, before anything is built, that all dependencies have wheels for this platform.

If not, print one sentence and end with exit code 2. The dependency with wheels for the fewest
platforms is llvmlite, which compiles the odds. `tests/test_platforms.py` compares this file with
the README.
"""

from __future__ import annotations

import platform
import sys

SUPPORTED = (
    "Linux with glibc 2.28 or newer (x86-64, aarch64), macOS 12 or newer on Apple silicon, Windows"
    " on x64"
)


def why_not(
    system: str, machine: str, libc: tuple[str, str], mac: str, bits: int = 64
) -> str | None:
    """Return what a dependency has no wheel for, such as "macOS on Intel"; None if all have one.

    `libc` is the C library's name and version, `mac` the version of macOS. `bits` is 64 for a
    64-bit Python, 32 for a 32-bit one.
    """
    machine = machine.lower()
    if bits != 64:
        return f"a Python of {bits} bits"
    if system == "Linux":
        if libc[0] != "glibc":
            return "Linux without glibc (musl, such as Alpine)"
        if _number(libc[1]) < (2, 28):
            return f"Linux with glibc {libc[1]}"
        return None if machine in ("x86_64", "aarch64") else f"Linux on {machine}"
    if system == "Darwin":
        if machine != "arm64":
            return "macOS on Intel, or a Python for Intel"
        return None if _number(mac) >= (12,) else f"macOS {mac}"
    if system == "Windows":
        return None if machine in ("amd64", "x86_64") else f"Windows on {machine}"
    return system or "an unknown system"


def _number(written: str) -> tuple[int, ...]:
    return tuple(int(part) for part in written.split(".") if part.isdigit())


def main() -> int:
    """Check this machine's Python, and return the exit code."""
    bits = 64 if sys.maxsize > 2**32 else 32
    libc, mac = platform.libc_ver(), platform.mac_ver()[0]
    found = why_not(platform.system(), platform.machine(), libc, mac, bits)
    if found is None:
        return 0
    print(
        f"Bluffhouse has no ready-made packages for {found}: it is for {SUPPORTED}."
        " A container of its image runs on others; see docs/hosting.md",
        file=sys.stderr,
    )
    return 2


if __name__ == "__main__":
    sys.exit(main())
