"""`bluffhouse odds showdown`: who wins how often, in a table, JSON or a chart.

The options are those of the pan2 program (docs/showdown.md).
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bot.boards.showdown_words import GAME_NAMES
from bot.cli import odds_app
from bot.cli.failing import one_sentence, refuse, shown
from bot.cli.files import check_drawn, check_file, write_file

if TYPE_CHECKING:
    from engine.odds.showdown.equity import Effort, Showdown
    from engine.odds.showdown.games import ShowdownRules
    from engine.odds.showdown.scenario import Scenario

_PAN2_DEALS: Final = 10_000
_QUIET_SECONDS: Final = 1.0
_BAR_CELLS: Final = 30
_EPILOG: Final = (
    "Rules by example: five-card draw -n 5; hold'em -n 2 -s 5; Omaha -n 4 -s 5 -N 2 -S 3. "
    "Cards: a face (2-9, 10 or T, J, Q, K, A) and a suit (S C D H), or * for a joker; "
    'ranges such as "QQ+,AKs", "15%,!AA", "QQ@50" and in Omaha "AA**,KQJTds".'
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"bluffhouse {version('bluffhouse')}")
        raise typer.Exit


@odds_app.command("showdown", epilog=_EPILOG)
def showdown_command(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="HAND...",
            help='Each player\'s private cards, such as ad,8d; "" where all are unknown.',
            show_default=False,
        ),
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", "-g", help=f"A preset: {', '.join(GAME_NAMES)}.")
    ] = None,
    private: Annotated[
        int | None, typer.Option("-n", help="Private cards per player [default: 5].")
    ] = None,
    public: Annotated[int | None, typer.Option("-s", help="Public cards [default: 0].")] = None,
    private_used: Annotated[
        int | None, typer.Option("-N", help="Private cards usable [default: all].")
    ] = None,
    public_used: Annotated[
        int | None, typer.Option("-S", help="Public cards usable [default: all].")
    ] = None,
    jokers: Annotated[int, typer.Option("-j", help="Jokers in the pack, at most 12.")] = 0,
    wild: Annotated[str, typer.Option("-w", help="Cards that are wild, such as 2c,2d.")] = "",
    low: Annotated[bool, typer.Option("-l", help="Lowball: the worst five cards win.")] = False,
    hi_lo: Annotated[
        bool,
        typer.Option("--hi-lo", help="Half of the pot for the best low hand, eight or better."),
    ] = False,
    board: Annotated[str, typer.Option("-p", help="Public cards already dealt.")] = "",
    dead: Annotated[str, typer.Option("-d", help="Cards that are out of play.")] = "",
    iterations: Annotated[
        int | None,
        typer.Option("-i", help="Sample this many deals for every player [--sample: 10000]."),
    ] = None,
    threads: Annotated[int, typer.Option("-t", help="How many threads count.")] = 1,
    exact: Annotated[
        bool | None,
        typer.Option("--exact/--sample", help="Count every deal, or sample [default: as fits]."),
    ] = None,
    error: Annotated[
        float | None, typer.Option("--error", help="Sample until the standard error is this small.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the sampling.")] = 0,
    by_card: Annotated[
        bool, typer.Option("--next", help="Outs, and the pot after each card that can come next.")
    ] = False,
    by_street: Annotated[
        bool, typer.Option("--streets", help="The pot before the flop and after each street.")
    ] = False,
    by_hand: Annotated[
        bool, typer.Option("--grid", help="One hand against each of the 169 kinds of hands.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
    chart: Annotated[
        Path | None, typer.Option("--chart", help="Draw the answer into this PNG file too.")
    ] = None,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Who wins a showdown how often, and with which hands.

    Exact wherever the deals can be counted in about a second; else sampled, with a standard
    error.
    """
    from bot.cli.reports.showdown_looks import CardByCard, HandByHand, StreetByStreet
    from bot.cli.reports.showdown_tables import table
    from engine.odds.showdown.equity import Effort
    from engine.odds.showdown.scenario import parse_scenario

    changes = {
        "private": private,
        "public": public,
        "private_used": private_used,
        "public_used": public_used,
    }
    with one_sentence(), _uncollected():
        given = {k: v for k, v in changes.items() if v is not None}
        rules = _rules(game, given, jokers, wild, low, hi_lo)
        if not players:
            raise refuse(
                "expected at least one player's cards. "
                "Example: bluffhouse odds showdown --game holdem AhKd QcQs"
            )
        if exact is False and iterations is None and error is None:
            iterations = _PAN2_DEALS
        effort = Effort(exact=exact, deals=iterations, error=error, seed=seed, threads=threads)
        check_file(chart, ".png")
        check_drawn(chart)
        scenario = parse_scenario(players, board, dead, rules)
        looks = [
            look
            for look, wanted in (
                (CardByCard, by_card),
                (StreetByStreet, by_street),
                (HandByHand, by_hand),
            )
            if wanted
        ]
        for look in looks:
            look.check(scenario)
        answer = _ask(scenario, effort)
        closer = [look.of(scenario, effort) for look in looks]
    if as_json:
        told = answer.to_json()
        for one in closer:
            told |= one.to_json()
        typer.echo(json.dumps(told, indent=2))
    else:
        typer.echo("\n\n".join([table(answer), *(one.text() for one in closer)]))
    if chart is not None:
        from bot.cli.reports.showdown_chart import showdown_png

        write_file(chart, showdown_png(answer), err=as_json)


@contextmanager
def _uncollected() -> Iterator[None]:
    """No search for garbage, which took a fifth of a first answer and found next to nothing."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()  # what was imported stays; it need not be looked through at the end either
        gc.enable()


def _rules(
    game: str | None, changes: dict[str, int], jokers: int, wild: str, low: bool, hi_lo: bool
) -> ShowdownRules:
    """The preset, or pan2's five-card draw, with what the options change."""
    from engine.cards import Cards
    from engine.odds.showdown.games import PRESETS, ShowdownRules
    from engine.odds.showdown.ranking import Ranking

    if game is not None and game not in PRESETS:
        raise refuse(
            f"{shown(game)} is not a game; expected one of {', '.join(PRESETS)}. "
            "Example: --game holdem"
        )
    rules = PRESETS[game] if game else ShowdownRules()
    ranking = rules.ranking
    if low:
        if ranking is not Ranking.HIGH:
            raise refuse(f"-l does not go with --game {game}. Example: -l --game draw")
        ranking = Ranking.WORST
    wanted = {
        "jokers": jokers,
        "wild": Cards.parse(wild),
        "ranking": ranking,
        "hi_lo": hi_lo or rules.hi_lo,
    }
    return replace(rules, **changes, **wanted)  # type: ignore[arg-type]


def _ask(scenario: Scenario, effort: Effort) -> Showdown:
    from engine.odds.showdown.equity import showdown_odds

    bar = _bar()
    try:
        return showdown_odds(scenario, effort, progress=bar)
    except KeyboardInterrupt:
        raise refuse("stopped; -i 100000 or --error 0.01 answers sooner", code=130) from None
    finally:
        bar(0, 0)


def _bar() -> Callable[[int, int], None]:
    """A progress bar on a terminal's standard error, from the second second on; (0, 0) ends it."""
    start = monotonic()
    shown = False

    def bar(done: int, total: int) -> None:
        nonlocal shown
        if total == 0:
            if shown:
                sys.stderr.write("\r\x1b[K")
                sys.stderr.flush()
        elif sys.stderr.isatty() and monotonic() - start >= _QUIET_SECONDS:
            shown = True
            cells = min(_BAR_CELLS, _BAR_CELLS * done // total)
            line = "█" * cells + "░" * (_BAR_CELLS - cells)
            sys.stderr.write(f"\r{line} {100 * done // total:3d}%  {done:,} deals")
            sys.stderr.flush()

    return bar
