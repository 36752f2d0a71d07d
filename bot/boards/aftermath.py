"""What is said of a round that has ended: a line at the table, and one in a player's own seat."""

from __future__ import annotations

from typing import Final

from bot.language.catalogues import tr, trn
from bot.language.wordings import bid_text, game_words
from bot.language.words import mention, rough_percent
from bot.tables.highlights import Highlight, RoundDecision, decision, highlight
from bot.tables.live import LiveTable
from bot.tables.table_options import odds_allowed
from engine.ruleset import Ruleset
from engine.state import Match

EVEN: Final = 0.5


def table_line(live: LiveTable) -> str:
    """What friends repeat of the latest round, in small print: a showdown is to fit a phone.

    Mostly nothing, and in a practice never: one's own line says it there.
    """
    match = live.match
    if match is None or live.table.is_practice:
        return ""
    told = highlight(live, odds=odds_allowed(live.table))
    return f"-# {_repeated(told, match)}" if told is not None else ""


def _repeated(told: Highlight, match: Match) -> str:
    who, share = mention(match.seats[told.seat].player), rough_percent(told.chance)
    match told.theme:
        case "bluffed":
            return tr("{who} had {share} and got away with it.", who=who, share=share)
        case "held":
            return tr("{who} had {share}, and it was there.", who=who, share=share)
        case "caught":
            return tr("{who} had {share}, and was caught.", who=who, share=share)
        case "right":
            return trn(
                "{who} has doubted rightly {number} time in a row.",
                "{who} has doubted rightly {number} times in a row.",
                told.times,
                who=who,
            )
        case "lost":
            return trn(
                "{who} has lost {number} round in a row.",
                "{who} has lost {number} rounds in a row.",
                told.times,
                who=who,
            )


def own_line(live: LiveTable, player: int) -> str:
    """How likely it was what a player decided in the latest round, by their own cards.

    Nothing where nothing was theirs to decide, or the house allows no odds.
    """
    match = live.match
    seat = match.seat_of(player) if match is not None else None
    if match is None or seat is None or not odds_allowed(live.table):
        return ""
    decided = decision(live, seat)
    return _judged(decided, match.ruleset) if decided is not None else ""


def _judged(decided: RoundDecision, rules: Ruleset) -> str:
    terms = game_words(rules)
    if not decided.judged:
        text = tr("You had {share} with **{said}**, and nobody {challenged}.")
    elif decided.challenged:
        text = _challenged(decided)
    elif decided.holds:
        text = tr("You had {share} with **{said}**, and it was there.")
    else:
        text = tr("You had {share} with **{said}**, and it was not there.")
    return text.format(
        share=rough_percent(decided.chance),
        said=bid_text(rules, decided.bid),
        challenged=terms.challenged,
        doubt=terms.doubt,
    )


def _challenged(decided: RoundDecision) -> str:
    """Whether it was right to doubt, and whether it went well: two things."""
    if decided.chance > EVEN:
        return (
            tr("By your cards {share} to hold: the {doubt} was the worse half.")
            if decided.holds
            else tr("By your cards {share} to hold: the {doubt} was bold, and right.")
        )
    return (
        tr("By your cards {share} to hold: the {doubt} was the better half, the cards were not.")
        if decided.holds
        else tr("By your cards {share} to hold: a good {doubt}.")
    )
