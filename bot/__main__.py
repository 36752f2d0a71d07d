"""`python -m bot` and the console command `bluffhouse`."""

import os
import sys
from io import TextIOWrapper


def main() -> None:
    """Run the command line."""
    from bot.cli import app

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal may lack suits and bars: `?`, no failure
            stream.reconfigure(errors="replace")
    try:
        app()
    except OSError:  # the terminal or file that it prints to takes nothing, not even a refusal
        _forget_output()
        sys.exit(75)
    except SystemExit:
        _forget_output()
        raise


def _forget_output() -> None:
    """Drop what was printed and can't be written: the interpreter would try again, and fail."""
    for stream in (sys.stdout, sys.stderr):
        if stream is None:  # closed before the start
            continue
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    main()
