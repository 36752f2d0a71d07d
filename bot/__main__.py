"""`python -m bot` and the console command `bluffhouse`."""

import os
import sys
from io import TextIOWrapper

from bot.garbage import without_garbage_collection


def main() -> None:
    """Run the command line."""
    # Before numpy is imported: its linear algebra would start a thread for each core, which takes
    # longer than all products of matrices here.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with without_garbage_collection():
        from bot.cli import app

    for stream in (sys.stdout, sys.stderr):
        # a terminal may lack suits and bars: print `?` instead of failing
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except OSError:  # standard output and error can't be written, not even for an error message
        _forget_output()
        sys.exit(75)
    except SystemExit:
        _forget_output()
        raise


def _forget_output() -> None:
    """Drop printed text that can't be written: the interpreter would fail on it at exit."""
    for stream in (sys.stdout, sys.stderr):
        if stream is None:  # closed before the start
            continue
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    main()
