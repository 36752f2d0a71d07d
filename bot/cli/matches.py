"""`bluffhouse play` and `simulate`: play against computer players, or measure how often each wins.

`play` is a match in the terminal, without Discord.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from difflib import get_close_matches
from pathlib import Path
from time import monotonic, time_ns
from typing import TYPE_CHECKING, Final

import click

from bot.cli.output import (
    ProgressBar,
    one_sentence,
    paragraph,
    quote_input,
    refuse,
    write_file,
    write_lines,
)
from bot.cli.parameters import GameName, OutFile, WholeNumber, choice_text, json_option
from bot.cli.reports.simulation import TimedSimulation
from bot.language.words import join_words
from engine.ruleset import OptionValue, Ruleset, Variant

if TYPE_CHECKING:
    from types import FrameType

    from engine.players.networks import Entry
    from engine.players.simulation import Simulation

STOPPED: Final = 130  # the shell's exit code after Ctrl-C
MOST_MATCHES: Final = 10**9
OTHER: Final = "weights"  # name of the player whose network comes from --weights
_STEP: Final = 0.2  # seconds of work between two checks for Ctrl-C and updates of the bar

game_option: Final = click.option("--game", type=GameName(), required=True, help="The game.")
rules_option: Final = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help="An option of the game, such as length=one_more; may be given several times.",
)


@click.command()
@game_option
@click.option(
    "--against",
    metavar="NAME,NAME...",
    help="Who sits to your left, a name for each seat: careful, sly, sharp or wild.",
)
@click.option("--seed", type=WholeNumber(7), help="Which cards are dealt; random if left out.")
@click.option(
    "--daily",
    is_flag=True,
    help="The deal of the day: everyone gets the same cards and opponents today (UTC).",
)
@rules_option
def play(
    game: Variant, against: str | None, seed: int | None, daily: bool, options: Sequence[str]
) -> None:
    "Play against computer players in the terminal."
    if daily and (against is not None or seed is not None or options):
        raise refuse(
            "--daily already says who plays, which cards are dealt and by which rules."
            f" Example: play --game {game.short} --daily"
        )
    rules = _rules_of(game, options)
    names = [] if daily else _opponents(against, rules)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise refuse(
            "this isn't a terminal, and a match needs one. To measure players instead: bluffhouse"
            " simulate --help"
        )
    import secrets

    from bot.tables.daily import daily as deal_of
    from bot.tables.daily import day_at
    from bot.terminal.app import TerminalApp
    from bot.terminal.sentences import to_share
    from bot.terminal.table import DailyTable, TerminalTable

    if daily:
        table: TerminalTable = DailyTable(deal_of(game.key, day_at(time_ns() // 1_000_000)))
    else:
        table = TerminalTable(rules, names, secrets.randbits(32) if seed is None else seed)
    screen = TerminalApp(table)
    screen.run()
    if isinstance(screen.table, DailyTable) and screen.table.is_over:
        click.echo(to_share(screen.table))
    raise click.exceptions.Exit(screen.return_code or 0)


def _opponents(against: str | None, rules: Ruleset) -> list[str]:
    """Return the computer players that `--against` names; refuse unknown ones or too many."""
    from engine.players import CHARACTERS

    example = f"Example: --against {','.join(list(CHARACTERS)[:2])}"
    if against is None:
        raise refuse(f"--against is required: it says who plays against you. {example}")
    names = _names_in(against, "--against", list(CHARACTERS))
    if len(names) + 1 > rules.most_players:
        raise refuse(
            f"{rules.most_players - 1} at most can play against you, not {len(names)}. {example}"
        )
    return names


@click.command()
@game_option
@click.option(
    "--players",
    required=True,
    metavar="NAME,NAME...",
    help="Who plays, a name for each seat: careful, sly, sharp, wild as at a table;"
    " network and reader, of which sharp is made; others that only measure, or weights."
    " Several seats of one name count as one player.",
)
@click.option(
    "--matches",
    type=WholeNumber(10_000, 1, MOST_MATCHES),
    default=1000,
    help="How many matches to play in total.",
)
@click.option(
    "--duplicate",
    is_flag=True,
    help="Play each deal in every seating, so nobody has better cards or neighbours; with more"
    " than 120 seatings, in a balanced sample.",
)
@click.option(
    "--seed",
    type=WholeNumber(7),
    default=0,
    help="Which deals to play; the same seed gives the same figures.",
)
@rules_option
@click.option(
    "--weights",
    type=click.Path(path_type=Path),
    metavar="FILE.npy",
    help="Weights of a network that plays as `weights`.",
)
@json_option
@click.option("--csv", type=OutFile("shares.csv"), help="Write the figures as CSV.")
@click.option("--chart", type=OutFile("shares.png", drawn=True), help="Draw the shares as a chart.")
def simulate(
    game: Variant,
    players: str,
    matches: int,
    duplicate: bool,
    seed: int,
    options: Sequence[str],
    weights: Path | None,
    as_json: bool,
    csv: Path | None,
    chart: Path | None,
) -> None:
    """Measure computer players against each other. Ctrl-C keeps what was done.

    A share is the part of all matches that a player's seats won, with a 95 % interval: of a
    hundred such runs, about 95 give an interval that holds the true share. One deal, with all its
    seatings, is one observation.
    """
    simulation = _simulation(_rules_of(game, options), players, duplicate, seed, weights)
    run = _run(simulation, matches)
    _report(run, matches, as_json)
    if csv is not None:
        from bot.cli.reports.simulation import csv_lines

        write_lines(csv, csv_lines(run), err=as_json)
    if chart is not None:
        from bot.cli.reports.simulation import shares_png

        write_file(chart, shares_png(run), err=as_json)
    if run.stopped:
        raise refuse(f"stopped after {run.matches:,} of {matches:,} matches", STOPPED)


def _rules_of(variant: Variant, options: Sequence[str]) -> Ruleset:
    """Return the rules with the options given; refuse an invalid option in one sentence."""
    chosen = dict(_option(variant, text) for text in options)
    with one_sentence():
        return variant.ruleset(chosen)


def _option(variant: Variant, text: str) -> tuple[str, OptionValue]:
    key, _, value = text.partition("=")
    known = {option.key: option for option in variant.all_options}
    option = known.get(key.strip().replace("-", "_"))
    if option is None:
        example = next(iter(known.values()))
        raise refuse(
            f"{variant.title} has no option {quote_input(key)}; it has {join_words(known)}."
            f" Example: --option {example.key}={choice_text(example.default)}"
        )
    for choice in option.choices:
        if choice_text(choice.value) == value.strip():
            return option.key, choice.value
    offered = join_words((choice_text(choice.value) for choice in option.choices), "or")
    raise refuse(
        f"option {option.key} is {offered}, not {quote_input(value)}."
        f" Example: --option {option.key}={choice_text(option.choices[-1].value)}"
    )


def _names_in(text: str, flag: str, known: Sequence[str]) -> list[str]:
    """Return the players named in `text`, separated by commas; refuse an unknown one."""
    names = [name.strip().lower() for name in text.split(",")]
    for name in names:
        if name in known:
            continue
        problem = f"there's no computer player {quote_input(name)}" if name else "a name is empty"
        meant = get_close_matches(name, known, 1)
        hint = f"did you mean {meant[0]}? There are" if meant else "there are"
        example = ",".join(known[1:3])
        raise refuse(f"{problem}; {hint} {join_words(known)}. Example: {flag} {example}")
    return names


def _simulation(
    rules: Ruleset, players: str, duplicate: bool, seed: int, weights: Path | None
) -> Simulation:
    from engine.players.forms import known_players
    from engine.players.simulation import MOST_SEED, Simulation

    known = known_players()
    names = _names_in(players, "--players", [*known, OTHER])
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
    """Return the network whose weights are in `file`; refuse a file without such weights."""
    import numpy as np

    from engine.players.networks import network_from

    try:
        read = np.load(file, allow_pickle=False)
    except OSError as error:
        raise refuse(
            f"{quote_input(file)} can't be read: {error.strerror or 'not an .npy file'}."
            " Example: --weights network.npy"
        ) from None
    except (ValueError, EOFError):
        raise refuse(
            f"{quote_input(file)} isn't an .npy file. Example: --weights network.npy"
        ) from None
    with one_sentence():
        return network_from(read)


def _run(simulation: Simulation, matches: int) -> TimedSimulation:
    """Play at least `matches` matches in whole deals, or until Ctrl-C; time them.

    If Ctrl-C comes before the first deal is finished, or a second time, end the command.
    """
    of_a_deal = simulation.seatings.of_a_deal
    deals = -(-matches // of_a_deal)
    with _stop_on_interrupt() as stop, closing(ProgressBar("matches", quiet=0)) as bar:
        try:
            bar(0, deals * of_a_deal)
            simulation.warm()
            begun = monotonic()
            chunk = 1
            while simulation.deals < deals and not stop:
                at = monotonic()
                simulation.play(min(chunk, deals - simulation.deals))
                bar(simulation.matches, deals * of_a_deal)
                took = monotonic() - at
                chunk = max(1, min(2 * chunk, int(chunk * _STEP / max(took, 1e-6))))
            seconds = max(monotonic() - begun, 1e-9)
        except KeyboardInterrupt:
            raise refuse("stopped", STOPPED) from None
    if not simulation.deals:
        raise refuse("stopped before the first deal was played", STOPPED)
    return TimedSimulation(simulation, seconds, stopped=simulation.deals < deals)


@contextmanager
def _stop_on_interrupt() -> Iterator[list[int]]:
    """Yield a list that becomes non-empty at Ctrl-C, so that the deal under way can finish.

    A second Ctrl-C raises KeyboardInterrupt in the block.
    """
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


def _report(run: TimedSimulation, matches: int, as_json: bool) -> None:
    from bot.cli.reports.simulation import as_dict, table_lines

    of_a_deal = run.simulation.seatings.of_a_deal
    if as_json:
        import json

        click.echo(json.dumps(as_dict(run), indent=2))
    else:
        click.echo("\n".join(table_lines(run)))
    if matches % of_a_deal and not run.stopped:
        played = f"{run.matches:,} matches were played, not {matches:,}: whole deals"
        click.echo(paragraph(f"bluffhouse: {played} of {of_a_deal} matches each."), err=True)
