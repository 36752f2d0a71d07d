"""`bluffhouse odds showdown`: who wins how often, in a table, JSON or a chart.

The options are those of the pan2 program (docs/showdown.md).
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from bot.boards.showdown_words import GAME_NAMES
from bot.cli.odds_ranges import ranges_file, ranges_option
from bot.cli.output import ProgressBar, one_sentence, quote_input, refuse, write_file
from bot.cli.parameters import Number, OutFile, WholeNumber, version_option
from bot.garbage import without_garbage_collection

if TYPE_CHECKING:
    from bot.cli.reports.showdown_hits import Curve, HowItHits
    from bot.cli.reports.showdown_looks import CardByCard, HandByHand, StreetByStreet
    from bot.computing.deadline import CompilingAside
    from engine.odds.showdown.equity import Effort, Showdown
    from engine.odds.showdown.games import ShowdownRules
    from engine.odds.showdown.scenario import Scenario

    _Look = type[CardByCard | StreetByStreet | HandByHand | HowItHits | Curve]

_PAN2_DEALS: Final = 10_000
_BELOW_NOTHING: Final = re.compile(r"^-(?=\d[\d.]*(?:-[\d.]+)?%)")
_MOST_THREADS: Final = 16  # unless more are wished for
_SECONDS: Final = 30.0
_LONGEST_SECONDS: Final = 86_400.0
# how far past the limit the work may go, as a share of it or in seconds: a piece of work can't be
# interrupted
_LATE: Final = 0.25
_LATE_SECONDS: Final = 2.0
# a count may be started if its estimate, a rough upper one, is at most this many limits
_FORESEEN: Final = 4
_EPILOG: Final = (
    "Rules by example: five-card draw -n 5; hold'em -n 2 -s 5; Omaha -n 4 -s 5 -N 2 -S 3. "
    "Cards: a face (2-9, 10 or T, J, Q, K, A) and a suit (S C D H), or * for a joker; "
    'ranges such as "QQ+,AKs", "15%,!AA", "QQ@50" and in Omaha "AA**,KQJTds". '
    'A whole question will do too: "AhKd vs QQ, board 9c 8d 7s", "stud As2s3s, 7 opponents". '
    "Without --game two cards a hand are hold'em, four Omaha, five draw, seven stud."
)


_typed: Final = partial(click.option, metavar="CARDS", default="", show_default=False)


class _NumbersAreHands(click.Command):
    """A command that doesn't parse "-5%" as an option, so that the error says what is wrong."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Replace the hyphen of an argument such as "-5%" with a minus sign, then parse `args`."""
        return super().parse_args(ctx, [_BELOW_NOTHING.sub("\N{MINUS SIGN}", arg) for arg in args])


@click.command("showdown", cls=_NumbersAreHands, epilog=_EPILOG)
@click.argument(
    "players",
    nargs=-1,
    metavar="HAND...",
    help='Each player\'s private cards, such as ad,8d; "" where all are unknown. Or a question in'
    " words.",
)
@click.option(
    "--game",
    "-g",
    metavar="GAME",
    help=f"A preset: {', '.join(GAME_NAMES)} [default: as the hands have cards].",
)
@click.option(
    "-n",
    "private",
    type=WholeNumber(2),
    help="Private cards per player [default: 5, if another letter is given].",
)
@click.option("-s", "public", type=WholeNumber(5), help="Board cards [default: 0].")
@click.option(
    "-N", "private_used", type=WholeNumber(2), help="Private cards usable [default: all]."
)
@click.option("-S", "public_used", type=WholeNumber(3), help="Board cards usable [default: all].")
@click.option(
    "-j", "jokers", type=WholeNumber(2), default=0, help="Jokers in the pack, at most 12."
)
@_typed("-w", "wild", help="Cards that are wild, such as 2c,2d.")
@click.option("-l", "low", is_flag=True, help="Lowball: the worst five cards win.")
@click.option(
    "--hi-lo", is_flag=True, help="Half of the pot for the best low hand, eight or better."
)
@_typed("-p", "--board", "board", help="The board, as far as it is dealt.")
@_typed("-d", "--dead", "dead", help="Cards out of play.")
@click.option(
    "-i",
    "iterations",
    type=WholeNumber(100_000),
    help="Sample this many deals for every player [--sample: 10000].",
)
@click.option(
    "-t",
    "threads",
    type=WholeNumber(2),
    help="How many threads to count with [default: one a core].",
)
@click.option(
    "--exact/--sample", default=None, help="Count every deal, or sample [default: as fits]."
)
@click.option(
    "--error",
    type=Number(0.01),
    metavar="SHARE",
    help="Sample until the standard error is this small.",
)
@click.option(
    "--seconds",
    type=Number(30),
    metavar="N",
    default=_SECONDS,
    help="Answer within about this many seconds, as exactly as possible.",
)
@click.option("--seed", type=WholeNumber(7), default=0, help="Seed of the sampling.")
@click.option(
    "--next",
    "by_card",
    is_flag=True,
    help="Outs, and pot shares after each card that can come next.",
)
@click.option(
    "--streets", "by_street", is_flag=True, help="Pot shares preflop and after each street."
)
@click.option(
    "--grid",
    "by_hand",
    is_flag=True,
    help="A hand against each of the 169 kinds; or a range's kinds.",
)
@click.option(
    "--curve",
    is_flag=True,
    help="The equity curve: how many hands a player has at least each pot share against.",
)
@click.option(
    "--hits", "by_hits", is_flag=True, help="What the hands of each range have made, and draw to."
)
@_typed(
    "--keep", metavar="HANDS", help='Of the last range only these hands: "top pair+, flush draw".'
)
@click.option(
    "--pot", type=Number(100), metavar="N", help="The pot before --call, the bet included."
)
@click.option("--call", type=Number(50), metavar="N", help="What the first player has to call.")
@ranges_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead.")
@click.option(
    "--chart", type=OutFile("odds.png", drawn=True), help="Also draw the answer into this PNG file."
)
@version_option
def showdown(
    players: tuple[str, ...],
    game: str | None,
    private: int | None,
    public: int | None,
    private_used: int | None,
    public_used: int | None,
    jokers: int,
    wild: str,
    low: bool,
    hi_lo: bool,
    board: str,
    dead: str,
    iterations: int | None,
    threads: int | None,
    exact: bool | None,
    error: float | None,
    seconds: float,
    seed: int,
    by_card: bool,
    by_street: bool,
    by_hand: bool,
    curve: bool,
    by_hits: bool,
    keep: str,
    pot: float | None,
    call: float | None,
    file: Path | None,
    as_json: bool,
    chart: Path | None,
) -> None:
    """Compute how often each hand wins a showdown.

    Exact wherever the deals can be counted in about a second; else sampled until the standard
    error is small or the time is up. "btn = 22+, A2s+" names a range, for "btn vs QQ+".
    """
    if "=" in "".join(players) and _names_range(" ".join(players), file):
        return
    with without_garbage_collection():
        from bot.cli.reports.showdown import table
        from bot.computing.deadline import CompilingAside, deadline
        from bot.language.questions import parse_typed_question
        from engine.odds.showdown.equity import Effort
        from engine.odds.showdown.games import game_of
        from engine.odds.showdown.question import game_named
        from engine.odds.showdown.strength import top_share

    clock = CompilingAside(_say_compiling)
    bar = ProgressBar("deals", seconds, clock=clock)
    changes = {"private": private, "public": public}
    changes |= {"private_used": private_used, "public_used": public_used}
    looked = sum((by_card, by_street, by_hand, curve, by_hits))
    further = by_hits or curve or bool(keep) or pot is not None or call is not None
    with one_sentence(), without_garbage_collection(), _within(seconds, 1 + looked, clock):
        rule_changes = {k: v for k, v in changes.items() if v is not None}
        rules, apply_options = _rules(game, rule_changes, jokers, wild, low, hi_lo)
        if not players:
            raise refuse(
                "expected at least one player's cards. "
                "Example: bluffhouse odds showdown --game holdem AhKd QcQs"
            )
        if exact is False and iterations is None and error is None:
            iterations = _PAN2_DEALS
        effort = Effort(
            exact=exact,
            longest=_FORESEEN * seconds,
            deals=iterations,
            error=error,
            seed=seed,
            threads=_cores() if threads is None else threads,
            enough=deadline(seconds, clock),
        )
        parse = partial(parse_typed_question, [*players], rules, board, dead, change=apply_options)
        scenario = _with_named_ranges(parse, file)
        possible_looks: list[tuple[_Look, bool]] = []
        offered = None
        if by_card or by_street or by_hand:  # imported only if needed: answers come sooner
            from bot.cli.reports.showdown_looks import CardByCard, HandByHand, StreetByStreet

            possible_looks += [
                (CardByCard, by_card),
                (StreetByStreet, by_street),
                (HandByHand, by_hand),
            ]
        if further:
            from bot.cli.reports.showdown_hits import (
                Called,
                Curve,
                HowItHits,
                check_call,
                keep_hands,
            )

            offered = check_call(pot, call)
            scenario = keep_hands(scenario, keep) if keep else scenario
            possible_looks += [(HowItHits, by_hits), (Curve, curve)]
        looks = [look for look, is_wanted in possible_looks if is_wanted]
        for look in looks:
            look.check(scenario)
        answer = _ask(scenario, effort, bar)
        if answer.only_hits and (chart is not None or offered is not None):
            raise refuse(
                "a hand without opponents has no share of a pot. "
                'Example: bluffhouse odds showdown "JTs vs random, flop two pair+" --chart odds.png'
            )
        called = [] if offered is None else [Called.of(answer, *offered)]
        # each look is a separate question: if one runs out of time, the others still succeed
        timed = (replace(effort, enough=deadline(seconds, clock)) for _ in looks)
        answers = (look.of(scenario, limited) for look, limited in zip(looks, timed, strict=True))
        closer = [*called, *answers]
    if as_json:
        rules_asked = scenario.rules
        key = game_of(rules_asked.tame, len(scenario.players), len(scenario.dead))
        document: dict[str, Any] = {"game": key}
        if rules_asked.five_possible:
            document |= {"wild": [*map(str, rules_asked.wild)], "jokers": rules_asked.jokers}
        document |= answer.to_json()
        share = top_share(scenario)
        if share is not None:
            document["top_share"] = float(share)
        for result in closer:
            document |= result.to_json()
        click.echo(json.dumps(document, indent=2))
    else:
        by_cards = rules is None and not any(map(game_named, players))
        click.echo("\n\n".join([table(answer, by_cards), *(result.text() for result in closer)]))
    if chart is not None:
        from bot.cli.reports.showdown import showdown_png

        drawn = next(
            (result.curve for result in closer if further and isinstance(result, Curve)), None
        )
        write_file(chart, showdown_png(answer, drawn), err=as_json)


def _names_range(typed: str, file: Path | None) -> bool:
    """Return whether a text names a range; if so, store that range."""
    from bot.cli.odds_ranges import keep_range
    from engine.odds.showdown.definitions import split_definition

    if split_definition(typed) is None:
        return False
    with one_sentence():
        keep_range(file or ranges_file(), typed)
    return True


def _with_named_ranges(parse: Callable[..., Scenario], file: Path | None) -> Scenario:
    """Return the parsed question; if parsing fails, parse again with the named ranges.

    A range's name never means anything else, so a question that parses without the named ranges
    doesn't use them. An unclear question is not parsed again.
    """
    from engine.errors import TextError, UnclearText

    try:
        return parse()
    except UnclearText:
        raise
    except TextError:
        from bot.cli.odds_ranges import read_ranges

        return parse(ranges=read_ranges(file or ranges_file()))


@contextmanager
def _within(seconds: float, questions: int, clock: CompilingAside) -> Iterator[None]:
    """End the command if the block takes much longer than `seconds` for each question.

    The time to compile doesn't count. Refuse `seconds` that are too few or too many.
    """
    from bot.computing.deadline import OutOfTime, alarm
    from engine.odds.loading import COMPILING

    if not 0 < seconds <= _LONGEST_SECONDS:
        raise refuse(
            f"expected above 0 and at most {_LONGEST_SECONDS:.0f} seconds, got {seconds:g}. "
            "Example: --seconds 30"
        )
    COMPILING.append(clock.compiles)
    try:
        with alarm(questions * seconds + max(_LATE_SECONDS, _LATE * seconds), clock):
            yield
    except OutOfTime:
        raise refuse(
            f"time was up after {seconds:g} s, before there was an answer. Example: --seconds 60"
        ) from None
    finally:
        COMPILING.remove(clock.compiles)


def _cores() -> int:
    """Return how many cores this process may use, at most `_MOST_THREADS`."""
    if hasattr(os, "sched_getaffinity"):  # in a container there may be fewer than the machine has
        return min(len(os.sched_getaffinity(0)), _MOST_THREADS)
    return min(os.cpu_count() or 1, _MOST_THREADS)


def _say_compiling() -> None:
    """Tell people at a terminal why they must wait: compiling takes over a second."""
    if sys.stderr.isatty():
        click.echo("Compiling: the first question of a kind takes a few seconds more.", err=True)


def _rules(
    game: str | None, changes: dict[str, int], jokers: int, wild: str, low: bool, hi_lo: bool
) -> tuple[str | ShowdownRules | None, Callable[[ShowdownRules], ShowdownRules]]:
    """Return the chosen rules, and a function that applies the options to rules.

    If `game` is given, the rules are its key. Otherwise they are the default rules with
    `changes` (pan2's letters), or None without changes: the game is then inferred from the
    cards. An unknown game ends the command. Raises `TextError` for impossible wild cards; the
    function raises `TextError` for -l in a lowball game.
    """
    from engine.cards import Cards
    from engine.errors import TextError
    from engine.odds.showdown.games import PRESETS, ShowdownRules, game_of
    from engine.odds.showdown.ranking import Ranking

    if game is not None:
        from engine.odds.showdown.game_words import game_key

        key = game_key(game)
        if key is None:
            raise refuse(
                f"{quote_input(game)} isn't a game; choose one of {', '.join(PRESETS)}. "
                "Example: --game holdem"
            )
        game = key
    wild_cards = Cards.parse(wild)

    def apply_options(rules: ShowdownRules) -> ShowdownRules:
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
    return (apply_options(ShowdownRules()) if in_letters else game), apply_options


def _ask(scenario: Scenario, effort: Effort, bar: ProgressBar) -> Showdown:
    from engine.odds.showdown.equity import showdown_odds

    try:
        return showdown_odds(scenario, effort, progress=bar)
    except KeyboardInterrupt:
        raise refuse("stopped; -i 100000 or --error 0.01 is faster", code=130) from None
    finally:
        bar.close()
