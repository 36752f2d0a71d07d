"""`bluffhouse odds <game>`: the exact chance of bids, for every game."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click

from bot.cli.groups import GamesGroup
from bot.cli.output import one_sentence, paragraph, refuse
from bot.cli.parameters import WholeNumber, choice_text, flag, house_rule
from engine.variants import ruleset

if TYPE_CHECKING:
    from engine.bids import Bid
    from engine.cards import Cards
    from engine.odds import Chance
    from engine.ruleset import OptionValue, Ruleset, Variant


def of_game(variant: Variant) -> click.Command:
    """Return the command `odds <game>`, with the game's options that can change a chance."""

    def answer(**arguments: Any) -> None:
        _answer(variant, **arguments)

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
            help="How many cards are in play in total: yours, the others' and any middle hand's.",
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
    """Return the option that adds jokers to the game's deck, such as `--jokers 2`, or None."""
    for option in variant.odds_options:
        for choice in option.choices:
            if variant.ruleset({option.key: choice.value}).deck.jokers:
                return f"{flag(option)} {choice_text(choice.value)}"
    return None


def _answer(
    variant: Variant,
    in_play: int,
    known: str,
    bid: str | None,
    kinds: bool,
    as_json: bool,
    **options: OptionValue,
) -> None:
    """Print the chances of all bids, of `bid` if given, or of each kind of hand if `kinds`."""
    from engine.cards import Cards

    rules = ruleset(variant.key, options)
    if bid is not None and kinds:
        example = rules.wording.example.rpartition(" or ")[2]
        raise refuse(
            f"--bid asks for one {rules.terms.noun} and --kinds for all kinds. "
            f"Example: --bid {example}"
        )
    with one_sentence():
        cards = Cards.parse(known)
        if cards.jokers and not rules.deck.jokers:
            cure = _jokers_by(variant) or '--known "As Qh"'
            raise refuse(f"a joker is known, but this deck has no jokers. Example: {cure}")
        asked_bid = rules.wording.parse(bid) if bid is not None else None
        look = _kinds(rules, in_play, cards) if kinds else _bids(rules, in_play, cards, asked_bid)
    as_given = [*cards_as_given(known)]
    if as_json:
        question = {"game": variant.short, "deck": rules.deck.size}
        question |= {"in_play": in_play, "known": as_given}
        click.echo(json.dumps(question | look.entries, ensure_ascii=False))
        return
    head = f"{rules.title} · {rules.deck.size} cards · {in_play} in play · known: "
    click.echo(paragraph(head + (" ".join(as_given) or "none of them"), hanging="  "))
    click.echo("\n".join(look.lines()))


def cards_as_given(text: str) -> Iterator[str]:
    """Yield the cards in a valid `text` one by one, in the order typed."""
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


@dataclass(frozen=True, slots=True)
class _Look:
    """An answer, both as values for JSON and as lines of text."""

    entries: dict[str, Any]
    lines: Callable[[], Iterable[str]]


def _bids(rules: Ruleset, in_play: int, known: Cards, asked_bid: Bid | None) -> _Look:
    """Return the chance of `asked_bid`, or of all bids if `asked_bid` is None."""
    from engine.odds import BidOdds, bid_chance, seat_odds

    if asked_bid is None:
        odds = seat_odds(rules, in_play, known)
    else:
        chance = bid_chance(asked_bid, rules.deck, in_play, known)
        odds = (BidOdds(asked_bid, rules.ladder.number(asked_bid), chance),)
    entries = [
        {
            "rung": entry.rung,
            "kind": str(entry.bid.kind),
            "key": entry.bid.key,
            "text": rules.wording.say(entry.bid),
            **_counts(entry.chance),
        }
        for entry in odds
    ]

    def lines() -> Iterable[str]:
        from bot.cli.reports.bid_ladder import ladder_lines
        from bot.language.words import percent

        if asked_bid is None:
            return ladder_lines(rules, odds)
        text = f"{rules.wording.say(asked_bid)}: {percent(chance.probability)}, "
        return [paragraph(f"{text}exactly {chance.favourable:,} of {chance.total:,} deals")]

    return _Look({"bids": entries}, lines)


def _kinds(rules: Ruleset, in_play: int, known: Cards) -> _Look:
    """Return, for each kind of hand, the chance that the cards in play make any such hand."""
    from engine.odds import kind_chances

    chances = kind_chances(rules.ladder.kinds, rules.deck, in_play, known)

    def lines() -> Iterable[str]:
        from bot.language.words import KIND_LABELS, bar, percent

        yield "\nAny hand of a kind, weakest kind first"
        for kind, chance in chances.items():
            drawn = bar(chance.probability)
            yield f"  {KIND_LABELS[kind]:<15}  {drawn}  {percent(chance.probability):>9}"

    entries = [{"kind": str(kind), **_counts(chance)} for kind, chance in chances.items()]
    return _Look({"kinds": entries}, lines)


def _counts(chance: Chance) -> dict[str, Any]:
    return {
        "favourable": chance.favourable,
        "total": chance.total,
        "probability": chance.probability,
    }


class _OddsGroup(GamesGroup):
    """The odds' commands. Words such as "AA vs KK", which name none, are asked of `showdown`."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Return the name and the command that `args` begin with, and the remaining arguments."""
        is_name = _NAME.fullmatch(args[0]) or args[0].lower() in self.list_commands(ctx)
        return super().resolve_command(ctx, args if is_name else ["showdown", *args])


_NAME: Final = re.compile(r"[a-z-]+")
odds: Final = _OddsGroup(
    "odds",
    of_game=of_game,
    homes={
        "showdown": "odds_showdown.showdown",
        "history": "odds_history.history",
        "ranges": "odds_ranges.ranges",
        "three-card": "odds_three_card.three_card",
    },
    help="The odds of a bid, a showdown or Three Card Poker.",
)
