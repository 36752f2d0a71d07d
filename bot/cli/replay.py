"""`bluffhouse replay` and `verify`: a finished match, from a file or the database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bot.cli.output import paragraph, quote_input, refuse, write_file
from bot.cli.parameters import OutFile
from bot.cli.settings import chosen_settings, config_option, refusing_storage

if TYPE_CHECKING:
    from bot.replays.match_file import MatchFile
    from bot.replays.played import PlayedMatch
    from engine.players.coaching.decisions import Advice

NOT_AS_IT_SHOULD_BE: Final = 1
_MOST_DIGITS: Final = 15

match_argument: Final = click.argument(
    "match",
    metavar="FILE|MATCH",
    help="A file of a match, or the number of one in the database, as /matches shows it.",
)


@click.command()
@match_argument
@click.option(
    "--json", "as_json", is_flag=True, help="Print the match file, for programs or to keep."
)
@click.option("--html", type=OutFile("match.html"), help="Write a web page that plays the match.")
@click.option(
    "--coach", is_flag=True, help="Have the coach judge every decision (takes a few seconds)."
)
@config_option
def replay(match: str, as_json: bool, html: Path | None, coach: bool, config: Path | None) -> None:
    """Step through a match that is over, all cards open.

    FILE is what --json prints, or what a replay's Download button gives. On the page, use Space
    and the arrow keys.
    """
    played = _whole(match, config)
    if as_json:
        from bot.replays.match_file import file_text

        click.echo(file_text(played), nl=False)
    advice = _advice(played) if coach else {}
    if html is not None:
        from bot.replays.page import page_html

        write_file(html, page_html(played, advice).encode(), err=as_json, own=True)
    if not as_json and html is None:
        from bot.replays.text import text_lines

        for line in text_lines(played, advice):
            indent = line[: len(line) - len(line.lstrip())]
            click.echo(paragraph(line.strip(), indent, f"{indent}  ") if line else "")


@click.command()
@match_argument
@config_option
def verify(match: str, config: Path | None) -> None:
    """Check the deals and judgements of a match.

    Each deal is compared with its seal, and each showdown is judged again. Exit code 0:
    everything is right; 1: something is wrong.
    """
    from bot.language.words import count
    from bot.replays.checking import check
    from bot.replays.text import headline

    match_file = _match_file(match, config)
    click.echo(paragraph(headline(match_file.played)))
    findings = check(match_file)
    shown_round: int | None = None
    for finding in findings:
        if finding.round is not None and finding.round != shown_round:
            click.echo(f"\nRound {finding.round}")
            shown_round = finding.round
        mark = "✔" if finding.well else "✘"
        click.echo(paragraph(f"{mark} {finding.text}", "  " if finding.round else "", "    "))
    wrong = sum(not finding.well for finding in findings)
    click.echo("")
    if wrong:
        click.echo(f"{count(wrong, 'problem')} found: see ✘ above.")
        raise click.exceptions.Exit(NOT_AS_IT_SHOULD_BE)
    deals = len(match_file.played.deals)
    click.echo(paragraph(f"Everything checks out: {count(deals, 'deal')}, every showdown."))


def _whole(match: str, config: Path | None) -> PlayedMatch:
    """Return the match if it is complete and all its claims are true; refuse it otherwise."""
    from bot.replays.match_file import FileError, validate

    match_file = _match_file(match, config)
    try:
        return validate(match_file)
    except FileError as error:
        raise _no_match(match, error) from None


def _match_file(match: str, config: Path | None) -> MatchFile:
    """Return a match: from the database if `match` is a number, else from the file `match`.

    Refuse a match that can't be read.
    """
    if match.isascii() and match.isdigit() and len(match) <= _MOST_DIGITS:
        return _load_stored(int(match), config)
    from bot.replays.match_file import FileError, read_file

    try:
        return read_file(Path(match))
    except FileError as error:
        raise _no_match(match, error) from None
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        reason = getattr(error, "strerror", None) or "that can't be a file name"
        raise refuse(
            f"{quote_input(match)} can't be read: {reason}. Example: bluffhouse replay match.json"
        ) from None


def _load_stored(number: int, config: Path | None) -> MatchFile:
    import asyncio

    from bot.language.words import TypedText
    from bot.replays.match_file import MatchFile
    from bot.replays.played import played_from
    from bot.storage.store import load_match
    from bot.tables.errors import Damaged
    from bot.tables.model import MatchStatus

    settings = chosen_settings(config)
    with refusing_storage():
        try:
            loaded = asyncio.run(load_match(settings.database.straight, number))
        except Damaged as error:
            raise refuse(_unreadable(number, error.reason)) from None
    if loaded is None:
        raise refuse(f"there's no match {number} in the database. Example: bluffhouse replay 1")
    stored, people = loaded
    if stored.match.status is MatchStatus.PLAYING:
        raise refuse(
            f"match {number} is still being played; you can replay it when it's over."
            " Example: bluffhouse replay 1"
        )
    names = {person.id: TypedText(person.name) for person in people.values() if person.name}
    try:
        return MatchFile(played_from(stored.match, stored.seeds, names))
    except Exception as error:  # reading a damaged log may raise any error
        reason = f"its log cannot be replayed ({type(error).__name__})"
        raise refuse(_unreadable(number, reason)) from None


def _unreadable(number: int, reason: str) -> str:
    return (
        f"match {number} is damaged in the database: {reason}. All others can be replayed; a backup"
        f" may have it whole. Example: bluffhouse replay {number + 1}"
    )


def _no_match(match: str, error: Exception) -> click.exceptions.Exit:
    return refuse(
        f"{quote_input(match)} can't be replayed: {error}."
        " A match's file is what bluffhouse replay MATCH --json prints"
    )


def _advice(played: PlayedMatch) -> dict[int, Advice]:
    """Return the coach's advice on every decision, by action number."""
    from engine.players.coaching.advising import advise
    from engine.players.coaching.decisions import decisions_of

    decisions = decisions_of(played.first(), played.actions)
    return {decision.seq: advise(decision, played.rules) for decision in decisions}
