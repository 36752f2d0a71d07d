"""The console command `bluffhouse`, and `python -m bluffhouse`."""

import sys

from bluffhouse import put_first


def main() -> None:
    """Run Bluffhouse's command line, even if another package on the path is named `bot`."""
    try:
        put_first()
    except ImportError as error:
        sys.exit(f"bluffhouse: {error}")
    from bot.__main__ import main as run

    run()


if __name__ == "__main__":
    main()
