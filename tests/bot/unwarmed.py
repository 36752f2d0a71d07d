"""`python -m tests.bot.unwarmed run`: the bot, that loads no compiled code before it is asked.

That takes longer than all else of a start, and most tests of a process ask for none.
"""

from __future__ import annotations

from bot.__main__ import main as bluffhouse
from tests.crash import seams


def main() -> None:
    """Run the command line so."""
    seams.leave_cold()
    bluffhouse()


if __name__ == "__main__":
    main()
