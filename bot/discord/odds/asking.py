"""Read questions about bids, suggest cards and bids, and pack questions for buttons.

If no cards were typed, the channel's table fills in the cards and the standing bid; otherwise the
typed words alone are the question. A custom id contains a question as it would be typed; a question
too long for an id has no button.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from discord import app_commands

from bot.boards.bid_odds import BidQuestion
from bot.discord.odds.questions import TypedShowdown
from bot.language.catalogues import N_, tr
from bot.language.wordings import (
    bid_text,
    other_wordings,
    parse_typed_bid,
    parse_typed_cards,
    parse_typed_kind,
    wording,
)
from bot.tables.live import Dealt
from bot.tables.table_options import odds_allowed
from engine.bid_parser import LONGEST_TEXT
from engine.bids import Bid
from engine.cards import JOKER_CHAR, Cards, cards_in_order
from engine.errors import TextError
from engine.ruleset import Option, OptionValue, Ruleset, Variant
from engine.variants import VARIANTS, ruleset

MINE: Final = N_("my cards at this table")
MOST_CHOICES: Final = 25
_MOST_LENGTH: Final = 100  # characters of a choice's name and of its value
_CARD: Final = re.compile(r"\s*(?:(?:10|[2-9tjqka])[cdhs♣♦♥♠]|[*★])[\s,;]*", re.IGNORECASE)
_SUITS: Final = str.maketrans("♣♦♥♠", "cdhs")
_PART: Final = ";"
_PARTS: Final = 5
_OWN: Final = "my"


class OddsNotAllowed(Exception):
    """The house rules of the asker's table don't allow odds during a match."""


@dataclass(frozen=True)
class FileUnreadable(Exception):
    """A message's file can't be read: it's too large, or Discord doesn't deliver it."""

    name: str
    too_large: bool = False


@dataclass(frozen=True, slots=True)
class TypedOptions:
    """The options of `/odds <game>`, None if omitted.

    `chosen`: the values of the game's own options that were typed, by the option's key.
    """

    in_play: int | None = None
    cards: str | None = None
    bid: str | None = None
    chosen: Mapping[str, OptionValue] = field(default_factory=dict)

    @property
    def names_own_cards(self) -> bool:
        """Return whether the typed cards are the words for the asker's own cards (`MINE`)."""
        return self.cards is not None and self.cards.strip().lower() in (MINE, tr(MINE).lower())

    @property
    def leaves_it_to_the_table(self) -> bool:
        """Return whether a live table fills in the cards.

        It does if no number of cards in play was typed, and no cards except `MINE`.
        """
        return self.in_play is None and (self.cards is None or self.names_own_cards)


@dataclass(frozen=True, slots=True)
class Asker:
    """The channel that a question comes from, and the asker's live tables.

    `dealt` are the tables of the question's game, in any channel, at which the asker holds cards in
    a round that is being bid on.
    """

    channel: int | None
    dealt: tuple[Dealt, ...]

    @property
    def table(self) -> Dealt | None:
        """Return the channel's table if the asker holds cards there; otherwise None."""
        return next((at for at in self.dealt if at.table.channel_id == self.channel), None)


def of_game(variant: Variant, tables: Iterable[Dealt]) -> tuple[Dealt, ...]:
    """Return the tables that play this game."""
    return tuple(at for at in tables if at.table.variant == variant.key)


def bid_question(variant: Variant, asker: Asker, typed: TypedOptions) -> tuple[BidQuestion, bool]:
    """Return (the question, whether only the asker may see the answer).

    Players at a live table must not show the others what they know. Raises `OddsNotAllowed` if one
    of the asker's tables forbids odds, and `TextError` if words are missing or can't be understood.
    """
    if not all(odds_allowed(at.table) for at in asker.dealt):
        raise OddsNotAllowed
    dealt = asker.table
    if dealt is None and typed.names_own_cards:
        reason = tr("You have no cards in a round of this game here")
        raise TextError(typed.cards or "", reason, '"Ah Kd"')
    if dealt is not None and typed.leaves_it_to_the_table:
        question = _at_table(dealt, typed.chosen)
    elif typed.in_play is None:
        reason = tr("Say how many cards are in play in total")
        raise TextError("", reason, "in_play: 12")
    else:
        hole = dealt.round_view.hole if dealt is not None and typed.names_own_cards else None
        known = hole or parse_typed_cards(typed.cards or "")
        question = BidQuestion(rules_for(variant, asker, typed.chosen), typed.in_play, known)
    if typed.bid is not None:
        kind = parse_typed_kind(question.rules, typed.bid)
        bid = parse_typed_bid(question.rules, typed.bid) if kind is None else None
        question = replace(question, bid=bid, kind=kind)
    return question, dealt is not None


def rules_for(variant: Variant, asker: Asker, chosen: Mapping[str, OptionValue]) -> Ruleset:
    """Return the rules for a question: of the asker's table in the channel, or else the game's.

    The `chosen` options override the options of these rules.
    """
    if asker.table is None:
        return ruleset(variant.key, chosen)
    return _rules_at(asker.table, chosen)


def chosen_options(
    options: Iterable[Option], values: Mapping[str, object]
) -> dict[str, OptionValue]:
    """Return the choices in `values` by option key, without unknown ones.

    Discord sends the values as numbers or text.
    """
    return {
        option.key: choice.value
        for option in options
        for choice in option.choices
        if option.key in values and str(choice.value) == str(values[option.key])
    }


def _rules_at(dealt: Dealt, chosen: Mapping[str, OptionValue]) -> Ruleset:
    rules = dealt.match.ruleset
    if not chosen:
        return rules
    return ruleset(rules.key, dict(rules.options) | dict(chosen), rules.version)


def _at_table(dealt: Dealt, chosen: Mapping[str, OptionValue]) -> BidQuestion:
    """Return a live player's question: the cards in play, their own cards, the standing bid."""
    rules, current = _rules_at(dealt, chosen), dealt.round_view
    # with a different number of jokers, the table's standing bid may not exist
    standing = rules.ladder.get(current.standing.bid.key) if current.standing is not None else None
    return BidQuestion(rules, current.in_play, current.hole or Cards(), standing, at_table=True)


def card_choices(typed: str, rules: Ruleset, *, seated: bool) -> list[app_commands.Choice[str]]:
    """Return at most 25 completions of typed cards; a `seated` player's own cards come first."""
    choices = [_choice(cards) for cards in completions(typed, rules)]
    fitting = [choice for choice in choices if len(choice.value) <= _MOST_LENGTH]
    begun = typed.strip().lower()
    if seated and (MINE.startswith(begun) or tr(MINE).lower().startswith(begun)):
        fitting.insert(0, app_commands.Choice(name=tr(MINE), value=MINE))
    return fitting[:MOST_CHOICES]


def bid_choices(
    typed: str, rules: Ruleset, rungs: Iterable[tuple[Bid, ...]]
) -> list[app_commands.Choice[str]]:
    """Return at most 25 bids among `rungs` that the typed text may become."""
    bids = wording(rules).complete(typed[:LONGEST_TEXT], rungs, other_wordings(rules), MOST_CHOICES)
    words = [bid_text(rules, bid) for bid in bids]
    return [app_commands.Choice(name=text, value=text) for text in words]


def completions(typed: str, rules: Ruleset) -> list[Cards]:
    """Return the typed cards, then the typed cards with each possible next card.

    If the text ends with part of a card, return only the typed cards with each next card that
    begins with that part. Return an empty list for a text that can't become cards of this deck.
    """
    at = 0
    while card_text := _CARD.match(typed, at):
        at = card_text.end()
    unfinished = typed[at:].strip().lower().replace("10", "t").translate(_SUITS)
    try:
        typed_cards = Cards.parse(typed[:at])
    except TextError:
        return []
    left = rules.deck.cards - typed_cards
    if typed_cards - rules.deck.cards:
        return []
    complete = [typed_cards] if typed_cards and not unfinished else []
    # "1" is the beginning of "10"
    begun = "t" if unfinished == "1" else unfinished
    next_cards = [Cards.of([card]) for card in left.naturals if str(card).lower().startswith(begun)]
    if left.jokers and begun == "":
        next_cards.insert(0, Cards.parse(JOKER_CHAR * (typed_cards.jokers + 1)) - typed_cards)
    return complete + [typed_cards | card for card in next_cards]


def _choice(cards: Cards) -> app_commands.Choice[str]:
    name = " ".join(card.symbol for card in cards)
    if len(name) > _MOST_LENGTH:
        name = f"… {name[-_MOST_LENGTH + 2 :]}"
    return app_commands.Choice(name=name, value=str(cards).replace(" ", ""))


def pack_showdown(typed: TypedShowdown) -> str:
    """Return a question about a showdown as text for a custom id."""
    board, dead = _in_letters(typed.board), _in_letters(typed.dead)
    parts = (typed.preset or "", str(typed.opponents), board, dead, typed.hands)
    return _PART.join(part.replace(_PART, ",") for part in parts)


def _in_letters(cards: str) -> str:
    """Return cards without the spaces between them; return cards typed in words unchanged."""
    try:
        return "".join(map(str, cards_in_order(cards)))
    except TextError:
        return cards


def unpack_showdown(text: str) -> TypedShowdown:
    """Return the question in a custom id. Raises `TextError` if the id is forged."""
    preset, opponents, board, dead, hands = _parts_of(text)
    return TypedShowdown(hands, preset or None, board, dead, _number(opponents, text) or 0)


def pack_bids(variant: Variant, typed: TypedOptions) -> str:
    """Return a question about bids as text for a custom id. Raises `TextError` for bad cards."""
    options = ",".join(f"{key}={value}" for key, value in typed.chosen.items())
    in_play = "" if typed.in_play is None else str(typed.in_play)
    held = _OWN
    if not typed.names_own_cards:
        held = str(parse_typed_cards(typed.cards or "")).replace(" ", "")
    return _PART.join((variant.short, in_play, held, options, typed.bid or ""))


def unpack_bids(text: str) -> tuple[Variant, TypedOptions]:
    """Return (the game, the question) in a custom id. Raises `TextError` if the id is forged."""
    short, in_play, held, options, bid = _parts_of(text)
    variant = next((candidate for candidate in VARIANTS.values() if candidate.short == short), None)
    if variant is None:
        raise _forgery_error(text)
    values = dict(option.split("=", 1) for option in options.split(",") if "=" in option)
    chosen = chosen_options(variant.odds_options, values)
    cards = MINE if held == _OWN else held or None
    return variant, TypedOptions(_number(in_play, text), cards, bid or None, chosen)


def _parts_of(text: str) -> list[str]:
    parts = text.split(_PART)
    if len(parts) != _PARTS:
        raise _forgery_error(text)
    return parts


def _number(digits: str, text: str) -> int | None:
    if not digits:
        return None
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 3):
        raise _forgery_error(text)
    return int(digits)


def _forgery_error(text: str) -> TextError:
    return TextError(text[:40], tr("That button isn't one of mine"), "ask with /odds")
