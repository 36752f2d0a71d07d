"""`bluffhouse simulate`: which computer player wins how often, measured on duplicate deals."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from bot.cli import app
from bot.cli.failing import one_sentence, refuse, shown, whole_number
from bot.cli.fields import Game, Options, names_in, rules_of
from bot.cli.files import check_drawn, check_file, write_file
from bot.cli.paragraphs import paragraph
from bot.cli.reports.simulation import Run

if TYPE_CHECKING:
    from types import FrameType

    from engine.players.matches import Entry
    from engine.players.simulation import Simulation
    from engine.ruleset import Ruleset

STOPPED: Final = 130  # as a shell says of what Ctrl-C has ended
MOST_MATCHES: Final = 10**9
OTHER: Final = "weights"  # the player of --weights
_STEP: Final = 0.2  # seconds of work between two looks at Ctrl-C and the bar


@app.command()
def simulate(
    game: Game,
    players: Annotated[
        str,
        typer.Option(
            metavar="NAME,NAME...",
            help="Who plays, a name for each seat: careful, sly, sharp, wild as at a table;"
            " network and reader, of which sharp is made; others that only measure, or weights."
            " Several seats of one name count as one player.",
        ),
    ],
    matches: Annotated[
        str, typer.Option(metavar="N", help="How many matches are played in all.")
    ] = "1000",
    duplicate: Annotated[
        bool,
        typer.Option(
            "--duplicate",
            help="Play each deal in every order of the players, so that nobody has better cards or"
            " neighbours; of more than 120 orders, in a balanced sample.",
        ),
    ] = False,
    seed: Annotated[
        str, typer.Option(metavar="N", help="Which deals; the same seed gives the same figures.")
    ] = "0",
    option: Options = None,
    weights: Annotated[
        Path | None,
        typer.Option(metavar="FILE.npy", help="Weights of a network that plays as `weights`."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="Write the figures as CSV.")
    ] = None,
    chart: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="Draw the shares as a chart.")
    ] = None,
) -> None:
    """Measure computer players against each other. Ctrl-C keeps what was done.

    A share is that of all matches that a player's seats have won, with a 95 % interval: of a
    hundred such runs, 95 give one that holds the true share. One deal, with all its seatings, is
    one observation.
    """
    wanted = whole_number(matches, "--matches", "10000")
    if not 1 <= wanted <= MOST_MATCHES:
        raise refuse(
            f"--matches is 1 to {MOST_MATCHES:,}, not {wanted:,}. Example: --matches 10000"
        )
    start = whole_number(seed, "--seed", "7")
    for file, ending in ((csv, ".csv"), (chart, ".png")):
        check_file(file, ending, "shares")
    check_drawn(chart)
    simulation = _simulation(rules_of(game, option), players, duplicate, start, weights)
    run = _run(simulation, wanted)
    _report(run, wanted, as_json)
    if csv is not None:
        from bot.cli.reports.simulation import csv_lines

        write_file(csv, "".join(f"{line}\n" for line in csv_lines(run)).encode(), err=as_json)
    if chart is not None:
        from bot.cli.reports.simulation_chart import shares_png

        write_file(chart, shares_png(run), err=as_json)
    if run.stopped:
        raise refuse(f"stopped after {run.matches:,} of {wanted:,} matches", STOPPED)


def _simulation(
    rules: Ruleset, players: str, duplicate: bool, seed: int, weights: Path | None
) -> Simulation:
    from engine.players.forms import known_players
    from engine.players.simulation import MOST_SEED, Simulation

    known = known_players()
    names = names_in(players, "--players", [*known, OTHER])
    if not 2 <= len(names) <= rules.most_players:
        raise refuse(
            f"2 to {rules.most_players} can play, not {len(names)}."
            f" Example: --players {known[0]},{known[1]}"
        )
    if not 0 <= seed <= MOST_SEED:
        raise refuse(f"--seed is 0 to {MOST_SEED:,}, not {seed}. Example: --seed 7")
    if weights is None and OTHER in names:
        raise refuse(
            f"{OTHER} plays by a file of its own. Example: --players {OTHER},{known[0]}"
            " --weights FILE.npy"
        )
    if weights is not None and OTHER not in names:
        raise refuse(
            f"--weights needs the player {OTHER} at the table. Example: --players"
            f" {OTHER},{known[0]}"
        )
    others = {OTHER: _network(weights)} if weights is not None else {}
    with one_sentence():
        return Simulation(rules, names, duplicate=duplicate, seed=seed, others=others)


def _network(file: Path) -> Entry:
    """The network whose weights are in `file`."""
    import numpy as np

    from engine.players.matches import entry_of
    from engine.players.networks import network_from

    try:
        read = np.load(file, allow_pickle=False)
    except OSError as error:
        raise refuse(
            f"{shown(file)} cannot be read: {error.strerror or 'it is no .npy file'}."
            " Example: --weights network.npy"
        ) from None
    except (ValueError, EOFError):
        raise refuse(f"{shown(file)} is no .npy file. Example: --weights network.npy") from None
    with one_sentence():
        return entry_of(network_from(read))


def _run(simulation: Simulation, wanted: int) -> Run:
    """Play at least `wanted` matches in whole deals, or until Ctrl-C."""
    deals = -(-wanted // simulation.seatings.of_a_deal)
    with _interrupted() as stop, _progress(deals * simulation.seatings.of_a_deal) as bar:
        try:
            simulation.warm()
            begun = monotonic()
            chunk = 1
            while simulation.deals < deals and not stop:
                at = monotonic()
                simulation.play(min(chunk, deals - simulation.deals))
                bar(simulation.matches)
                took = monotonic() - at
                chunk = max(1, min(2 * chunk, int(chunk * _STEP / max(took, 1e-6))))
            seconds = max(monotonic() - begun, 1e-9)
        except KeyboardInterrupt:
            raise refuse("stopped", STOPPED) from None
    if not simulation.deals:
        raise refuse("stopped before the first deal was played", STOPPED)
    return Run(simulation, seconds, stopped=simulation.deals < deals)


@contextmanager
def _interrupted() -> Iterator[list[int]]:
    """A list that is empty until Ctrl-C, which then ends no deal in the middle; the second does."""
    import signal

    pressed: list[int] = []

    def on_signal(number: int, frame: FrameType | None) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(number)

    before = signal.signal(signal.SIGINT, on_signal)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _progress(total: int) -> Iterator[Any]:
    """A function that is told how many matches are done; a bar on a terminal's standard error."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,} of {task.total:,} matches"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown_bar:
        task = shown_bar.add_task("Compiling", total=total)

        def bar(done: int) -> None:
            shown_bar.update(task, completed=done, description="Playing")

        yield bar


def _report(run: Run, wanted: int, as_json: bool) -> None:
    from bot.cli.reports.simulation import as_dict, table_lines

    of_a_deal = run.simulation.seatings.of_a_deal
    if as_json:
        import json

        typer.echo(json.dumps(as_dict(run), indent=2))
    else:
        typer.echo("\n".join(table_lines(run)))
    if wanted % of_a_deal and not run.stopped:
        said = f"{run.matches:,} matches were played, not {wanted:,}: whole deals"
        typer.echo(paragraph(f"bluffhouse: {said} of {of_a_deal} matches each."), err=True)
