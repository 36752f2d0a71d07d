"""The terminal's sentences about a match."""

from __future__ import annotations

from datetime import date

from bot.boards.daily import result_summary, squares
from bot.language.words import cards_text, count, lacking_text
from bot.terminal.table import PERSON, DailyTable, TerminalTable
from engine.rotation import card_limit
from engine.view import EndedRound


def prompt(table: TerminalTable) -> str:
    """Return whose turn it is and what the person may do, or what comes after the round."""
    situation, terms = table.seen, table.rules.terms
    current = situation.round
    if isinstance(table, DailyTable) and table.is_over:
        return "The next deal comes at midnight UTC."
    if situation.winner is not None:
        return "Enter starts another match."
    if current is None or current.turn is None:
        return "Enter deals the next round."
    if not situation.seats[PERSON].live:
        return f"You're out. Waiting for {table.names[current.turn]}."
    if not table.may_bid:
        may = f"; you can {terms.doubt} too" if table.may_challenge else ""
        return f"Waiting for {table.names[current.turn]}{may}."
    if current.standing is None:
        return f"Your turn: open the round with any {terms.noun}."
    if not situation.legal.rungs:
        return f"Your turn: nothing is higher, so {terms.doubt}."
    return f"Your turn: {terms.verb} higher, or {terms.doubt}."


def card_limit_line(table: TerminalTable) -> str:
    """Return the card limit; empty if the person is out or the match is over.

    Once a deal of the day is over for the person, return its result in two lines instead.
    """
    situation = table.seen
    if isinstance(table, DailyTable) and table.is_over:
        return "\n".join(daily_result_lines(table))
    if situation.winner is not None or not situation.seats[PERSON].live:
        return ""
    return f"Card limit: {card_limit(situation.ruleset, situation.seats)}"


def verdict(table: TerminalTable, current: EndedRound) -> str:
    """Return the result of the showdown, and who gets a card, is out or wins the match.

    If the round ended without a showdown, say only that.
    """
    terms, judged = table.rules.terms, current.judgement
    if judged is None:
        return "The round ended without a showdown."
    challenger, bidder = table.names[judged.challenger], table.names[judged.standing.seat]
    bid = table.rules.wording.say(judged.standing.bid)
    whose = "your" if judged.standing.seat == PERSON else f"{bidder}'s"
    head = f"{challenger} {terms.challenged} {whose} {bid}."
    if judged.proof.holds:
        finding = f"It's there: {cards_text(judged.proof.cards)}."
    else:
        finding = f"It isn't there. Missing: {lacking_text(judged.proof.lacking)}."
    return f"{head} {finding} {_price(table, current)}"


def daily_result_lines(table: DailyTable) -> list[str]:
    """Return the person's result in the deal of the day, without revealing a card."""
    return [squares(table.result), result_summary(table.result).replace("*", "")]


def to_share(table: DailyTable) -> str:
    """Return a person's result in a deal of the day as text to share, with game and day."""
    result = table.result
    day = date.fromordinal(result.day).isoformat()
    return "\n".join([f"Deal of the day · {table.rules.title} · {day}", *daily_result_lines(table)])


def _price(table: TerminalTable, current: EndedRound) -> str:
    situation, loser = table.seen, current.outcome.loser
    if loser is None:
        return ""
    you = loser == PERSON
    name = table.names[loser]
    if situation.winner is not None:
        return winner(table)
    if current.outcome.eliminated:
        return "You're out of the match." if you else f"{name} is out of the match."
    holds = count(situation.seats[loser].cards, "card")
    return f"Next round you have {holds}." if you else f"Next round {name} has {holds}."


def winner(table: TerminalTable) -> str:
    """Return who has won the match; empty if it is not over."""
    won = table.seen.winner
    if won is None:
        return ""
    return "You win the match!" if won == PERSON else f"{table.names[won]} wins the match."


def heading(table: TerminalTable) -> str:
    """Return the heading: game, round and number of cards in play."""
    current = table.seen.round
    if current is None:
        return table.rules.title
    in_play = count(current.in_play, "card")
    return f"{table.rules.title} · Round {current.number} · {in_play} in play"


def bid_with_verb(table: TerminalTable, key: str) -> str:
    """Return a bid with its verb: `Bid "pair of nines"`."""
    say = table.rules.wording.say(table.rules.ladder.bid(key))
    return f'{table.rules.terms.bid} "{say}"'
