"""What a person at or away from a table asks about bids: who may, what fills in, who may see it.

Plain functions of live tables and typed words. What is typed is the question: the table of the
channel answers for its cards and its standing bid only where nothing was typed about cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from bot.boards.bid_odds import BidQuestion
from bot.language.catalogues import N_, tr
from bot.language.wordings import cards_understood, kind_understood, understood
from bot.tables.live import Dealt
from bot.tables.table_options import odds_allowed
from engine.cards import Cards
from engine.errors import TextError
from engine.ruleset import Option, OptionValue, Ruleset, Variant
from engine.variants import ruleset

MINE: Final = N_("my cards at this table")


class OddsNotAllowed(Exception):
    """The house rules of the asker's table allow no odds during a match."""


@dataclass(frozen=True, slots=True)
class TypedOptions:
    """What stands behind `/odds <game>`; what was left out is None, or not in `chosen`."""

    in_play: int | None = None
    cards: str | None = None
    bid: str | None = None
    chosen: Mapping[str, OptionValue] = field(default_factory=dict)

    @property
    def names_own_cards(self) -> bool:
        """Whether it is the asker's own cards that were typed."""
        return self.cards is not None and self.cards.strip().lower() in (MINE, tr(MINE).lower())

    @property
    def leaves_it_to_the_table(self) -> bool:
        """Whether nothing was typed about cards, of which a live table knows better."""
        return self.in_play is None and (self.cards is None or self.names_own_cards)


@dataclass(frozen=True, slots=True)
class Asker:
    """Where somebody asks.

    `dealt` are the tables of this game, anywhere, where they hold cards in a round being bid.
    """

    channel: int | None
    dealt: tuple[Dealt, ...]

    @property
    def table(self) -> Dealt | None:
        """The channel's table, if the asker holds cards there."""
        return next((at for at in self.dealt if at.table.channel_id == self.channel), None)


def of_game(variant: Variant, tables: Iterable[Dealt]) -> tuple[Dealt, ...]:
    """Those of the tables at which this game is played."""
    return tuple(at for at in tables if at.table.variant == variant.key)


def bid_question(variant: Variant, asker: Asker, typed: TypedOptions) -> tuple[BidQuestion, bool]:
    """What is asked, and whether only the asker may see the answer.

    Whoever sits at a live table must not show the others what they know. Raises `OddsNotAllowed`,
    and `TextError` for words that are not understood or are missing.
    """
    if not all(odds_allowed(at.table) for at in asker.dealt):
        raise OddsNotAllowed
    dealt = asker.table
    if dealt is None and typed.names_own_cards:
        reason = tr("You hold no cards at a live table of this game here")
        raise TextError(typed.cards or "", reason, '"Ah Kd"')
    if dealt is not None and typed.leaves_it_to_the_table:
        question = _at_table(dealt, typed.chosen)
    elif typed.in_play is None:
        reason = tr("Say how many cards are in play in all")
        raise TextError("", reason, "in_play: 12")
    else:
        own = dealt.seen.hole if dealt is not None and typed.names_own_cards else None
        known = own or cards_understood(typed.cards or "")
        question = BidQuestion(rules_for(variant, asker, typed.chosen), typed.in_play, known)
    if typed.bid is not None:
        kind = kind_understood(question.rules, typed.bid)
        asked = understood(question.rules, typed.bid) if kind is None else None
        question = replace(question, asked=asked, kind=kind)
    return question, dealt is not None


def rules_for(variant: Variant, asker: Asker, chosen: Mapping[str, OptionValue]) -> Ruleset:
    """The rules that a question is asked by: the table's, where the asker sits at one.

    `chosen` options go before the table's.
    """
    if asker.table is None:
        return ruleset(variant.key, chosen)
    return _rules_at(asker.table, chosen)


def chosen_options(
    options: Iterable[Option], given: Mapping[str, object]
) -> dict[str, OptionValue]:
    """The choices among `given` values, as Discord brings them: numbers, or their text."""
    return {
        option.key: choice.value
        for option in options
        for choice in option.choices
        if option.key in given and str(choice.value) == str(given[option.key])
    }


def _rules_at(dealt: Dealt, chosen: Mapping[str, OptionValue]) -> Ruleset:
    rules = dealt.match.ruleset
    if not chosen:
        return rules
    return ruleset(rules.key, dict(rules.options) | dict(chosen), rules.version)


def _at_table(dealt: Dealt, chosen: Mapping[str, OptionValue]) -> BidQuestion:
    """What a player at a live table would ask: the cards in play, their own, the standing bid."""
    rules, seen = _rules_at(dealt, chosen), dealt.seen
    # with other jokers than the table's, the standing bid may not exist
    standing = rules.ladder.get(seen.standing.bid.key) if seen.standing is not None else None
    return BidQuestion(rules, seen.in_play, seen.hole or Cards(), standing, at_table=True)
