"""`bluffhouse odds showdown`: who wins how often, in a table, JSON or a chart.

The options are those of the pan2 program (docs/showdown.md).
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from bot.boards.showdown_words import GAME_NAMES
from bot.cli import odds_app
from bot.cli.failing import one_sentence, refuse, shown
from bot.cli.files import check_drawn, check_file, write_file
from bot.cli.lazily import QuickCommand

if TYPE_CHECKING:
    from bot.cli.progress import Bar
    from bot.cli.reports.showdown_hits import Curve, HowItHits
    from bot.cli.reports.showdown_looks import CardByCard, HandByHand, StreetByStreet
    from engine.odds.showdown.equity import Effort, Showdown
    from engine.odds.showdown.games import ShowdownRules
    from engine.odds.showdown.scenario import Scenario

    _Look = type[CardByCard | StreetByStreet | HandByHand | HowItHits | Curve]

_PAN2_DEALS: Final = 10_000
_BELOW_NOTHING: Final = re.compile(r"^-(?=\d[\d.]*(?:-[\d.]+)?%)")
_SECONDS: Final = 30.0
_LONGEST_SECONDS: Final = 86_400.0
_FORESEEN: Final = 4  # times the limit: how long a count will take is guessed, and rounded up
_EPILOG: Final = (
    "Rules by example: five-card draw -n 5; hold'em -n 2 -s 5; Omaha -n 4 -s 5 -N 2 -S 3. "
    "Cards: a face (2-9, 10 or T, J, Q, K, A) and a suit (S C D H), or * for a joker; "
    'ranges such as "QQ+,AKs", "15%,!AA", "QQ@50" and in Omaha "AA**,KQJTds". '
    'A whole question will do too: "AhKd vs QQ, board 9c 8d 7s", "stud As2s3s, 7 opponents". '
    "Without --game two cards a hand are hold'em, four Omaha, five draw, seven stud."
)


class _NumbersAreHands(QuickCommand):
    """A command to which "-5%" is no option, so that what is wrong with it can be said."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give numbers a minus that begins no option."""
        return super().parse_args(ctx, [_BELOW_NOTHING.sub("\N{MINUS SIGN}", arg) for arg in args])


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"bluffhouse {version('bluffhouse')}")
        raise typer.Exit


@odds_app.command("showdown", cls=_NumbersAreHands, epilog=_EPILOG)
def showdown_command(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="HAND...",
            help='Each player\'s private cards, such as ad,8d; "" where all are unknown. Or a'
            " question in words.",
            show_default=False,
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            help=f"A preset: {', '.join(GAME_NAMES)} [default: as the hands have cards].",
        ),
    ] = None,
    private: Annotated[
        int | None,
        typer.Option(
            "-n", help="Private cards per player [default: 5, if another letter is given]."
        ),
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
    seconds: Annotated[
        float, typer.Option("--seconds", help="Answer within about so long, as exactly as can be.")
    ] = _SECONDS,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the sampling.")] = 0,
    by_card: Annotated[
        bool, typer.Option("--next", help="Outs, and the pot after each card that can come next.")
    ] = False,
    by_street: Annotated[
        bool, typer.Option("--streets", help="The pot before the flop and after each street.")
    ] = False,
    by_hand: Annotated[
        bool,
        typer.Option("--grid", help="A hand against each of the 169 kinds; or a range's kinds."),
    ] = False,
    curve: Annotated[
        bool, typer.Option("--curve", help="Against how many hands one has at least so much.")
    ] = False,
    by_hits: Annotated[
        bool, typer.Option("--hits", help="What the hands of ranges have made, and draw to.")
    ] = False,
    keep: Annotated[
        str,
        typer.Option("--keep", help='Of the last range only these hands: "top pair+, flush draw".'),
    ] = "",
    pot: Annotated[
        float | None, typer.Option("--pot", help="The pot before --call, the bet included.")
    ] = None,
    call: Annotated[
        float | None, typer.Option("--call", help="What the first player has to call.")
    ] = None,
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

    Exact wherever the deals can be counted in about a second; else sampled until the standard
    error is small or the time is up.
    """
    from bot.cli.progress import Bar
    from bot.cli.reports.showdown_tables import table
    from bot.computing.deadline import deadline
    from bot.language.questions import question_understood
    from engine.odds.showdown.equity import Effort
    from engine.odds.showdown.games import game_of
    from engine.odds.showdown.question import game_named

    bar = Bar(seconds)
    changes = {
        "private": private,
        "public": public,
        "private_used": private_used,
        "public_used": public_used,
    }
    further = by_hits or curve or bool(keep) or pot is not None or call is not None
    with one_sentence(), _uncollected():
        given = {k: v for k, v in changes.items() if v is not None}
        rules, changed = _rules(game, given, jokers, wild, low, hi_lo)
        if not players:
            raise refuse(
                "expected at least one player's cards. "
                "Example: bluffhouse odds showdown --game holdem AhKd QcQs"
            )
        if exact is False and iterations is None and error is None:
            iterations = _PAN2_DEALS
        if not 0 < seconds <= _LONGEST_SECONDS:
            raise refuse(
                f"expected above 0 and at most {_LONGEST_SECONDS:.0f} seconds, got {seconds:g}. "
                "Example: --seconds 30"
            )
        effort = Effort(
            exact=exact,
            longest=_FORESEEN * seconds,
            deals=iterations,
            error=error,
            seed=seed,
            threads=threads,
            enough=deadline(seconds),
        )
        check_file(chart, ".png")
        check_drawn(chart)
        scenario = question_understood(players, rules, board, dead, change=changed)
        asked: list[tuple[_Look, bool]] = []
        offered = None
        if by_card or by_street or by_hand:  # a first answer does not wait for what it lacks
            from bot.cli.reports.showdown_looks import CardByCard, HandByHand, StreetByStreet

            asked += [(CardByCard, by_card), (StreetByStreet, by_street), (HandByHand, by_hand)]
        if further:
            from bot.cli.reports.showdown_hits import Called, Curve, HowItHits, check_call, kept

            offered = check_call(pot, call)
            scenario = kept(scenario, keep) if keep else scenario
            asked += [(HowItHits, by_hits), (Curve, curve)]
        looks = [look for look, wanted in asked if wanted]
        for look in looks:
            look.check(scenario)
        answer = _ask(scenario, effort, bar)
        called = [] if offered is None else [Called.of(answer, *offered)]
        # each look is a question of its own: one that is not done in time loses no other
        timed = (replace(effort, enough=deadline(seconds)) for _ in looks)
        closer = [
            *called,
            *(look.of(scenario, one) for look, one in zip(looks, timed, strict=True)),
        ]
    if as_json:
        key = game_of(scenario.rules, len(scenario.players), len(scenario.dead))
        told = {"game": key} | answer.to_json()
        for one in closer:
            told |= one.to_json()
        typer.echo(json.dumps(told, indent=2))
    else:
        by_cards = rules is None and not any(map(game_named, players))
        typer.echo("\n\n".join([table(answer, by_cards), *(one.text() for one in closer)]))
    if chart is not None:
        from bot.cli.reports.showdown_chart import showdown_png

        drawn = next((one.curve for one in closer if further and isinstance(one, Curve)), None)
        write_file(chart, showdown_png(answer, drawn), err=as_json)


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
) -> tuple[str | ShowdownRules | None, Callable[[ShowdownRules], ShowdownRules]]:
    """The preset that is named, or the rules in pan2's letters, and what options change of it.

    Where there is neither the cards tell the game.
    """
    from engine.cards import Cards
    from engine.errors import TextError
    from engine.odds.showdown.games import PRESETS, ShowdownRules, game_of
    from engine.odds.showdown.ranking import Ranking

    if game is not None and game not in PRESETS:
        raise refuse(
            f"{shown(game)} is not a game; expected one of {', '.join(PRESETS)}. "
            "Example: --game holdem"
        )
    wild_cards = Cards.parse(wild)

    def changed(rules: ShowdownRules) -> ShowdownRules:
        if low and rules.ranking is not Ranking.HIGH:
            reason = f"-l does not go with --game {game or game_of(rules, 2)}"
            raise TextError("-l", reason, "-l --game draw")
        return replace(
            rules,
            jokers=jokers,
            wild=wild_cards,
            ranking=Ranking.WORST if low else rules.ranking,
            hi_lo=hi_lo or rules.hi_lo,
            **changes,
        )

    in_letters = game is None and bool(changes)
    return (changed(ShowdownRules()) if in_letters else game), changed


def _ask(scenario: Scenario, effort: Effort, bar: Bar) -> Showdown:
    from engine.odds.showdown.equity import showdown_odds

    try:
        return showdown_odds(scenario, effort, progress=bar)
    except KeyboardInterrupt:
        raise refuse("stopped; -i 100000 or --error 0.01 answers sooner", code=130) from None
    finally:
        bar.close()
