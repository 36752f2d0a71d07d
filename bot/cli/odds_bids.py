"""`bluffhouse odds liars` and `bluffhouse odds thai`: the exact chance of bids."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli import odds_app
from bot.cli.failing import one_sentence, refuse, shown, whole_number

if TYPE_CHECKING:
    from engine.bids import Bid
    from engine.cards import Cards
    from engine.odds import Chance
    from engine.ruleset import Ruleset

LIKELY = 0.5

InPlay = Annotated[
    str | None,
    typer.Option(
        metavar="N",
        help="How many cards are in play in all: yours, the others' and any middle hand's.",
    ),
]
Known = Annotated[
    str, typer.Option(metavar="CARDS", help='The cards you know, such as "Ah Kd *"; * is a joker.')
]
OneBid = Annotated[
    str | None, typer.Option("--bid", help='Only this bid, such as "pair of threes" or "33".')
]
ByKind = Annotated[bool, typer.Option("--kinds", help="The chance of any hand of each kind.")]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: exact counts as JSON.")]


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, in the words of the command line."""

    game: str
    in_play: str | None
    known: str
    bid: str | None
    kinds: bool
    as_json: bool


@odds_app.command("liars")
def liars(
    in_play: InPlay = None,
    jokers: Annotated[str, typer.Option(metavar="0|2", help="How many jokers the deck has.")] = "2",
    known: Known = "",
    bid: OneBid = None,
    kinds: ByKind = False,
    flush_card: Annotated[
        str,
        typer.Option(
            metavar="in_play|highest",
            help="A called flush's card must only be in play, or be the flush's highest.",
        ),
    ] = "in_play",
    as_json: AsJson = False,
) -> None:
    """The chance of bids in Liars' Poker, exactly."""
    if jokers not in ("0", "2"):
        raise refuse(f"--jokers is 0 or 2, not {shown(jokers)}. Example: --jokers 2")
    if flush_card not in ("in_play", "highest"):
        raise refuse(
            f"--flush-card is in_play or highest, not {shown(flush_card)}. "
            "Example: --flush-card in_play"
        )
    options = {"jokers": int(jokers), "flush_card": flush_card}
    _answer(Question("liars", in_play, known, bid, kinds, as_json), options)


@odds_app.command("thai")
def thai(
    in_play: InPlay = None,
    known: Known = "",
    bid: OneBid = None,
    kinds: ByKind = False,
    as_json: AsJson = False,
) -> None:
    """The chance of bids in Thai Poker, exactly."""
    _answer(Question("thai", in_play, known, bid, kinds, as_json), {})


def _answer(question: Question, options: dict[str, Any]) -> None:
    from engine.cards import Cards
    from engine.variants import ruleset

    if question.bid is not None and question.kinds:
        raise refuse('--bid asks for one bid and --kinds for all kinds. Example: --bid "33"')
    in_play = whole_number(question.in_play, "--in-play", "12")
    with one_sentence():
        rules = ruleset(f"{question.game}_poker", options)
        known = Cards.parse(question.known)
        _check_jokers(question, rules, known)
        one = rules.wording.parse(question.bid) if question.bid is not None else None
        if question.kinds:
            _answer_kinds(question, rules, in_play, known)
        elif one is not None:
            _answer_bid(question, rules, in_play, known, one)
        else:
            _answer_ladder(question, rules, in_play, known)


def _check_jokers(question: Question, rules: Ruleset, known: Cards) -> None:
    if known.jokers and not rules.deck.jokers:
        cure = "Example: --jokers 2" if question.game == "liars" else 'Example: --known "As Qh"'
        raise refuse(f"a joker is known, but this deck has no jokers. {cure}")


def cards_as_given(text: str) -> Iterator[str]:
    """The cards of an understood `text` one by one, in the order in which they were typed."""
    from engine.cards import Card
    from engine.errors import TextError

    typed = ""
    for char in text:
        typed += char
        try:
            card = Card.parse(typed)
        except TextError:
            continue
        typed = ""
        yield str(card)


def _answer_ladder(question: Question, rules: Ruleset, in_play: int, known: Cards) -> None:
    from engine.odds import seat_odds

    odds = seat_odds(rules, in_play, known)
    if question.as_json:
        bids = [_bid_entry(rules, entry.bid, entry.rung, entry.chance) for entry in odds]
        _print_json(question, rules, in_play, {"bids": bids})
        return
    from bot.cli.reports.bid_ladder import runs
    from bot.words import KIND_LABELS, bar, percent
    from engine.odds.bids.advice import strongest, strongest_by_kind

    marked = strongest_by_kind(odds, LIKELY)
    best = strongest(odds, LIKELY)
    folded = {kind: runs(entries) for kind, entries in groupby(odds, lambda entry: entry.bid.kind)}
    width = max(len(run.words(rules)) for of_kind in folded.values() for run in of_kind)
    _print_heading(question, rules, in_play)
    for kind, of_kind in folded.items():
        typer.echo(f"\n{KIND_LABELS[kind]}")
        for run in of_kind:
            chance = run.chance.probability
            line = f"  {run.rungs():>7}  {run.words(rules):<{width}}  "
            line += f"{bar(chance)}  {percent(chance):>9}"
            if marked.get(kind) in run.bids:
                line += "  ◄ above 50 %"
                line += ", the strongest of all" if best in run.bids else ""
            typer.echo(line)
    typer.echo("\n◄ marks the strongest bid above 50 % of each kind: the last one on its line.")


def _answer_bid(question: Question, rules: Ruleset, in_play: int, known: Cards, one: Bid) -> None:
    from engine.odds import bid_chance

    chance = bid_chance(one, rules.deck, in_play, known)
    if question.as_json:
        entry = _bid_entry(rules, one, rules.ladder.number(one), chance)
        _print_json(question, rules, in_play, {"bids": [entry]})
        return
    from bot.words import percent

    _print_heading(question, rules, in_play)
    typer.echo(
        f"{rules.wording.say(one)}: {percent(chance.probability)}, "
        f"exactly {chance.favourable:,} of {chance.total:,} deals"
    )


def _answer_kinds(question: Question, rules: Ruleset, in_play: int, known: Cards) -> None:
    from engine.odds import kind_chances

    found = kind_chances(rules.ladder.kinds, rules.deck, in_play, known)
    if question.as_json:
        kinds = [{"kind": str(kind), **_counts(chance)} for kind, chance in found.items()]
        _print_json(question, rules, in_play, {"kinds": kinds})
        return
    from bot.words import KIND_LABELS, bar, percent

    _print_heading(question, rules, in_play)
    typer.echo("\nAny hand of a kind, weakest kind first")
    for kind, chance in found.items():
        shown = bar(chance.probability)
        typer.echo(f"  {KIND_LABELS[kind]:<15}  {shown}  {percent(chance.probability):>9}")


def _bid_entry(rules: Ruleset, bid: Bid, rung: int, chance: Chance) -> dict[str, Any]:
    return {
        "rung": rung,
        "kind": str(bid.kind),
        "key": bid.key,
        "text": rules.wording.say(bid),
        **_counts(chance),
    }


def _counts(chance: Chance) -> dict[str, Any]:
    return {
        "favourable": chance.favourable,
        "total": chance.total,
        "probability": chance.probability,
    }


def _print_json(
    question: Question, rules: Ruleset, in_play: int, answer: dict[str, list[dict[str, Any]]]
) -> None:
    asked = {
        "game": question.game,
        "deck": rules.deck.size,
        "in_play": in_play,
        "known": list(cards_as_given(question.known)),
    }
    typer.echo(json.dumps(asked | answer, ensure_ascii=False))


def _print_heading(question: Question, rules: Ruleset, in_play: int) -> None:
    known = " ".join(cards_as_given(question.known)) or "none of them"
    typer.echo(f"{rules.title} · {rules.deck.size} cards · {in_play} in play · known: {known}")
