"""`python -m bot` and the console command `bluffhouse`."""

import sys
from io import TextIOWrapper


def main() -> None:
    """Run the command line."""
    from bot.cli import app

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal may lack suits and bars: `?`, no failure
            stream.reconfigure(errors="replace")
    app()


if __name__ == "__main__":
    main()
