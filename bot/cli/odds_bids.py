"""`bluffhouse odds <game>`: the exact chance of bids, for every game there is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.failing import one_sentence, refuse, whole_number
from bot.cli.games import (
    GamesGroup,
    Given,
    Parameter,
    chosen,
    command,
    flag,
    option_parameters,
    options_asked,
    typed,
)
from bot.cli.paragraphs import paragraph

if TYPE_CHECKING:
    from engine.bids import Bid
    from engine.cards import Cards
    from engine.odds import Chance
    from engine.ruleset import Option, Ruleset, Variant


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, in the words of the command line."""

    variant: Variant
    in_play: str | None
    known: str
    bid: str | None
    kinds: bool
    as_json: bool


class OddsGroup(GamesGroup):
    """`bluffhouse odds`."""

    def command_of(self, variant: Variant, words: Sequence[str]) -> Any:
        """`odds <game>`, with the options that change a chance as far as they are asked for."""
        from engine.variants import ruleset

        options = options_asked(variant, words)

        def answer(given: Given) -> None:
            question = Question(
                variant=variant,
                in_play=given["in_play"],
                known=given["known"],
                bid=given["bid"],
                kinds=given["kinds"],
                as_json=given["as_json"],
            )
            _answer(question, options, given)

        rules = ruleset(variant.key)
        about = f"The exact chance of every {rules.terms.noun} in {rules.title}."
        return command(variant.short, answer, _parameters(rules, options), about)


def _parameters(rules: Ruleset, options: Sequence[Option]) -> list[Parameter]:
    terms = rules.terms
    known = '"Ah Kd *"; * is a joker' if rules.deck.jokers else '"Ah Kd"'
    return [
        (
            "in_play",
            Annotated[
                str | None,
                typer.Option(
                    metavar="N",
                    help="How many cards are in play in all: yours, the others' and any middle"
                    " hand's.",
                ),
            ],
            None,
        ),
        *option_parameters(options),
        (
            "known",
            Annotated[
                str,
                typer.Option(metavar="CARDS", help=f"The cards you know, such as {known}."),
            ],
            "",
        ),
        (
            "bid",
            Annotated[
                str | None,
                typer.Option(
                    metavar="TEXT", help=f"Only this {terms.noun}, such as {rules.wording.example}."
                ),
            ],
            None,
        ),
        (
            "kinds",
            Annotated[
                bool, typer.Option("--kinds", help="The chance of any hand of each kind instead.")
            ],
            False,
        ),
        (
            "as_json",
            Annotated[
                bool, typer.Option("--json", help="Print JSON with exact counts, for programs.")
            ],
            False,
        ),
    ]


def _jokers_by(variant: Variant) -> str | None:
    """What brings jokers into the game's deck, such as `--jokers 2`; None if nothing does."""
    for option in variant.odds_options:
        for choice in option.choices:
            if variant.ruleset({option.key: choice.value}).deck.jokers:
                return f"{flag(option)} {typed(choice.value)}"
    return None


def _answer(question: Question, options: Sequence[Option], given: Given) -> None:
    from engine.cards import Cards
    from engine.variants import ruleset

    values = chosen(options, given)
    rules = ruleset(question.variant.key, values)
    example = rules.wording.example.rpartition(" or ")[2]
    if question.bid is not None and question.kinds:
        raise refuse(
            f"--bid asks for one {rules.terms.noun} and --kinds for all kinds. "
            f"Example: --bid {example}"
        )
    in_play = whole_number(question.in_play, "--in-play", "12")
    with one_sentence():
        known = Cards.parse(question.known)
        if known.jokers and not rules.deck.jokers:
            cure = _jokers_by(question.variant) or '--known "As Qh"'
            raise refuse(f"a joker is known, but this deck has no jokers. Example: {cure}")
        one = rules.wording.parse(question.bid) if question.bid is not None else None
        if question.kinds:
            _answer_kinds(question, rules, in_play, known)
        elif one is not None:
            _answer_bid(question, rules, in_play, known, one)
        else:
            _answer_ladder(question, rules, in_play, known)


def cards_as_given(text: str) -> Iterator[str]:
    """The cards of an understood `text` one by one, in the order in which they were typed."""
    from engine.cards import Card
    from engine.errors import TextError

    typed_so_far = ""
    for char in text:
        typed_so_far += char
        try:
            card = Card.parse(typed_so_far)
        except TextError:
            continue
        typed_so_far = ""
        yield str(card)


def _answer_ladder(question: Question, rules: Ruleset, in_play: int, known: Cards) -> None:
    from engine.odds import seat_odds

    odds = seat_odds(rules, in_play, known)
    if question.as_json:
        bids = [_bid_entry(rules, entry.bid, entry.rung, entry.chance) for entry in odds]
        _print_json(question, rules, in_play, {"bids": bids})
        return
    from bot.cli.reports.bid_ladder import ladder_lines

    _print_heading(question, rules, in_play)
    typer.echo("\n".join(ladder_lines(rules, odds)))


def _answer_bid(question: Question, rules: Ruleset, in_play: int, known: Cards, one: Bid) -> None:
    from engine.odds import bid_chance

    chance = bid_chance(one, rules.deck, in_play, known)
    if question.as_json:
        entry = _bid_entry(rules, one, rules.ladder.number(one), chance)
        _print_json(question, rules, in_play, {"bids": [entry]})
        return
    from bot.language.words import percent

    _print_heading(question, rules, in_play)
    typer.echo(
        paragraph(
            f"{rules.wording.say(one)}: {percent(chance.probability)}, "
            f"exactly {chance.favourable:,} of {chance.total:,} deals"
        )
    )


def _answer_kinds(question: Question, rules: Ruleset, in_play: int, known: Cards) -> None:
    from engine.odds import kind_chances

    found = kind_chances(rules.ladder.kinds, rules.deck, in_play, known)
    if question.as_json:
        kinds = [{"kind": str(kind), **_counts(chance)} for kind, chance in found.items()]
        _print_json(question, rules, in_play, {"kinds": kinds})
        return
    from bot.language.words import KIND_LABELS, bar, percent

    _print_heading(question, rules, in_play)
    typer.echo("\nAny hand of a kind, weakest kind first")
    for kind, chance in found.items():
        drawn = bar(chance.probability)
        typer.echo(f"  {KIND_LABELS[kind]:<15}  {drawn}  {percent(chance.probability):>9}")


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
        "game": question.variant.short,
        "deck": rules.deck.size,
        "in_play": in_play,
        "known": list(cards_as_given(question.known)),
    }
    typer.echo(json.dumps(asked | answer, ensure_ascii=False))


def _print_heading(question: Question, rules: Ruleset, in_play: int) -> None:
    known = " ".join(cards_as_given(question.known)) or "none of them"
    typer.echo(
        paragraph(
            f"{rules.title} · {rules.deck.size} cards · {in_play} in play · known: {known}",
            hanging="  ",
        )
    )
