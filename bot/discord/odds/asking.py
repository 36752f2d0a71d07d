"""What a person at or away from a table asks about bids: who may, what fills in, who may see it.

Plain functions of live tables and typed words. Typed values override filled-in ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from bot.boards.bid_odds import BidQuestion
from bot.tables.house import odds_allowed
from bot.tables.live import LiveTable
from engine.cards import Cards
from engine.errors import TextError
from engine.ruleset import Option, OptionValue, Ruleset, Variant
from engine.variants import ruleset
from engine.view import view

MINE: Final = "my cards at this table"


class OddsNotAllowed(Exception):
    """The house rules of the asker's table allow no odds during a match."""


@dataclass(frozen=True, slots=True)
class Typed:
    """What stands behind `/odds <game>`; what was left out is None, or not in `chosen`."""

    in_play: int | None = None
    cards: str | None = None
    bid: str | None = None
    chosen: Mapping[str, OptionValue] = field(default_factory=dict)

    @property
    def wants_own_cards(self) -> bool:
        """Whether the asker's own cards are meant, by saying so or by naming none."""
        return self.cards is None or self.cards.strip().lower() == MINE


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, and where: `channel` is None in private.

    `dealt` are the tables of this game, anywhere, where they hold cards in a round being bid.
    """

    player: int
    channel: int | None
    dealt: tuple[LiveTable, ...]

    @property
    def table(self) -> LiveTable | None:
        """The channel's table if the asker holds cards there; in private, their only one."""
        if self.channel is None:
            return self.dealt[0] if len(self.dealt) == 1 else None
        return next((live for live in self.dealt if live.table.channel_id == self.channel), None)


def of_game(variant: Variant, tables: Iterable[LiveTable]) -> tuple[LiveTable, ...]:
    """Those of the tables at which this game is played."""
    return tuple(live for live in tables if live.table.variant == variant.key)


def bid_question(variant: Variant, asker: Asker, typed: Typed) -> tuple[BidQuestion, bool]:
    """What is asked, and whether only the asker may see the answer.

    Whoever sits at a live table must not show the others what they know. Raises `OddsNotAllowed`,
    and `TextError` for words that are not understood or are missing.
    """
    if not all(odds_allowed(live.table) for live in asker.dealt):
        raise OddsNotAllowed
    live = asker.table
    if live is not None:
        question = _at_table(live, asker.player, typed.chosen)
        if not typed.wants_own_cards:
            question = replace(question, known=Cards.parse(typed.cards or ""), at_table=False)
        question = replace(question, in_play=typed.in_play or question.in_play)
    elif typed.cards is not None and typed.wants_own_cards:
        reason = "You hold no cards at a live table of this game here"
        raise TextError(typed.cards, reason, '"Ah Kd"')
    elif typed.in_play is None:
        raise TextError("", "Say how many cards are in play in all", "in_play: 12")
    else:
        rules = ruleset(variant.key, typed.chosen)
        question = BidQuestion(rules, typed.in_play, Cards.parse(typed.cards or ""))
    if typed.bid is not None:
        question = replace(question, asked=question.rules.wording.parse(typed.bid))
    return question, live is not None


def rules_for(variant: Variant, asker: Asker, chosen: Mapping[str, OptionValue]) -> Ruleset:
    """The rules that a question would be asked by: the table's, where the asker sits at one."""
    live = asker.table
    if live is None:
        return ruleset(variant.key, chosen)
    return _at_table(live, asker.player, chosen).rules


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


def _at_table(live: LiveTable, player: int, chosen: Mapping[str, OptionValue]) -> BidQuestion:
    """What a player at a live table would ask: its rules, the cards in play, their own, the bid.

    `chosen` options go before the table's.
    """
    match = live.match
    assert match is not None  # the asker holds cards in it
    seen = view(match, match.seat_of(player)).round
    assert seen is not None
    rules = match.ruleset
    if chosen:
        rules = ruleset(rules.key, dict(rules.options) | dict(chosen), rules.version)
    # with other jokers than the table's, the standing bid may not exist
    standing = rules.ladder.get(seen.standing.bid.key) if seen.standing is not None else None
    return BidQuestion(rules, seen.in_play, seen.hole or Cards(), standing, at_table=True)
