"""`bluffhouse play`: a match in the terminal against computer players, without Discord."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from bot.cli import app
from bot.cli.failing import refuse, whole_number
from bot.cli.fields import Game, Options, names_in, rules_of


@app.command()
def play(
    game: Game,
    against: Annotated[
        str,
        typer.Option(
            metavar="NAME,NAME...",
            help="Who sits to your left, a name for each seat: careful, sly, sharp or wild.",
        ),
    ],
    seed: Annotated[
        str | None,
        typer.Option(metavar="N", help="Which cards are dealt; drawn at random if not given."),
    ] = None,
    option: Options = None,
) -> None:
    """Play in the terminal against computer players."""
    from engine.players import CHARACTERS

    rules = rules_of(game, option)
    names = names_in(against, "--against", list(CHARACTERS))
    if len(names) + 1 > rules.most_players:
        raise refuse(
            f"{rules.most_players - 1} at most can play against you, not {len(names)}."
            f" Example: --against {','.join(list(CHARACTERS)[:2])}"
        )
    number = _drawn() if seed is None else whole_number(seed, "--seed", "7")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise refuse(
            "a match is played in a terminal, with keys; here is none."
            " To measure players instead: bluffhouse simulate --help"
        )
    from bot.terminal.app import TerminalApp

    screen = TerminalApp(rules, names, number)
    screen.run()
    raise typer.Exit(screen.return_code or 0)


def _drawn() -> int:
    """A seed that nobody knows."""
    import secrets

    return secrets.randbits(32)
