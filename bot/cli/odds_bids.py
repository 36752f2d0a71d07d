"""`bluffhouse odds <game>`: the exact chance of bids, for every game there is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click

from bot.cli.groups import GamesGroup
from bot.cli.output import one_sentence, paragraph, refuse
from bot.cli.parameters import WholeNumber, flag, house_rule, typed
from engine.variants import ruleset

if TYPE_CHECKING:
    from engine.bids import Bid
    from engine.cards import Cards
    from engine.odds import Chance
    from engine.ruleset import OptionValue, Ruleset, Variant


@dataclass(frozen=True, slots=True)
class BidArguments:
    """What was asked, in the words of the command line."""

    variant: Variant
    in_play: int
    known: str
    bid: str | None
    kinds: bool
    as_json: bool


def of_game(variant: Variant) -> click.Command:
    """`odds <game>`, with the game's options that change a chance."""

    def answer(
        in_play: int, known: str, bid: str | None, kinds: bool, as_json: bool, **options: Any
    ) -> None:
        _answer(BidArguments(variant, in_play, known, bid, kinds, as_json), options)

    rules = ruleset(variant.key)
    return click.Command(
        variant.short,
        callback=answer,
        params=_parameters(variant, rules),
        help=f"The exact chance of every {rules.terms.noun} in {rules.title}.",
    )


def _parameters(variant: Variant, rules: Ruleset) -> list[click.Parameter]:
    noun = rules.terms.noun
    known = '"Ah Kd *"; * is a joker' if rules.deck.jokers else '"Ah Kd"'
    return [
        click.Option(
            ["--in-play"],
            type=WholeNumber(12),
            required=True,
            help="How many cards are in play in all: yours, the others' and any middle hand's.",
        ),
        *map(house_rule, variant.odds_options),
        click.Option(
            ["--known"],
            metavar="CARDS",
            default="",
            show_default=False,
            help=f"The cards you know, such as {known}.",
        ),
        click.Option(
            ["--bid"],
            metavar="TEXT",
            help=f"Only this {noun}, such as {rules.wording.example}.",
        ),
        click.Option(
            ["--kinds"], is_flag=True, help="The chance of any hand of each kind instead."
        ),
        click.Option(
            ["--json", "as_json"],
            is_flag=True,
            help="Print JSON with exact counts, for programs.",
        ),
    ]


def _jokers_by(variant: Variant) -> str | None:
    """What brings jokers into the game's deck, such as `--jokers 2`; None if nothing does."""
    for option in variant.odds_options:
        for choice in option.choices:
            if variant.ruleset({option.key: choice.value}).deck.jokers:
                return f"{flag(option)} {typed(choice.value)}"
    return None


def _answer(question: BidArguments, options: Mapping[str, OptionValue]) -> None:
    from engine.cards import Cards

    rules = ruleset(question.variant.key, options)
    example = rules.wording.example.rpartition(" or ")[2]
    if question.bid is not None and question.kinds:
        raise refuse(
            f"--bid asks for one {rules.terms.noun} and --kinds for all kinds. "
            f"Example: --bid {example}"
        )
    in_play = question.in_play
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


def _answer_ladder(question: BidArguments, rules: Ruleset, in_play: int, known: Cards) -> None:
    from engine.odds import seat_odds

    odds = seat_odds(rules, in_play, known)
    if question.as_json:
        bids = [_bid_entry(rules, entry.bid, entry.rung, entry.chance) for entry in odds]
        _print_json(question, rules, in_play, {"bids": bids})
        return
    from bot.cli.reports.bid_ladder import ladder_lines

    _print_heading(question, rules, in_play)
    click.echo("\n".join(ladder_lines(rules, odds)))


def _answer_bid(
    question: BidArguments, rules: Ruleset, in_play: int, known: Cards, one: Bid
) -> None:
    from engine.odds import bid_chance

    chance = bid_chance(one, rules.deck, in_play, known)
    if question.as_json:
        entry = _bid_entry(rules, one, rules.ladder.number(one), chance)
        _print_json(question, rules, in_play, {"bids": [entry]})
        return
    from bot.language.words import percent

    _print_heading(question, rules, in_play)
    click.echo(
        paragraph(
            f"{rules.wording.say(one)}: {percent(chance.probability)}, "
            f"exactly {chance.favourable:,} of {chance.total:,} deals"
        )
    )


def _answer_kinds(question: BidArguments, rules: Ruleset, in_play: int, known: Cards) -> None:
    from engine.odds import kind_chances

    found = kind_chances(rules.ladder.kinds, rules.deck, in_play, known)
    if question.as_json:
        kinds = [{"kind": str(kind), **_counts(chance)} for kind, chance in found.items()]
        _print_json(question, rules, in_play, {"kinds": kinds})
        return
    from bot.language.words import KIND_LABELS, bar, percent

    _print_heading(question, rules, in_play)
    click.echo("\nAny hand of a kind, weakest kind first")
    for kind, chance in found.items():
        drawn = bar(chance.probability)
        click.echo(f"  {KIND_LABELS[kind]:<15}  {drawn}  {percent(chance.probability):>9}")


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
    question: BidArguments, rules: Ruleset, in_play: int, answer: dict[str, list[dict[str, Any]]]
) -> None:
    asked = {
        "game": question.variant.short,
        "deck": rules.deck.size,
        "in_play": in_play,
        "known": list(cards_as_given(question.known)),
    }
    click.echo(json.dumps(asked | answer, ensure_ascii=False))


def _print_heading(question: BidArguments, rules: Ruleset, in_play: int) -> None:
    known = " ".join(cards_as_given(question.known)) or "none of them"
    click.echo(
        paragraph(
            f"{rules.title} · {rules.deck.size} cards · {in_play} in play · known: {known}",
            hanging="  ",
        )
    )


odds: Final = GamesGroup(
    "odds",
    of_game=of_game,
    homes={"showdown": "odds_showdown.showdown", "three-card": "odds_three_card.three_card"},
    help="The odds of a bid, a showdown or Three Card Poker.",
)
