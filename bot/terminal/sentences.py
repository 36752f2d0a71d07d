"""What the terminal says of a match, in plain sentences."""

from __future__ import annotations

from datetime import date

from bot.boards.daily import how, squares
from bot.language.words import cards_text, count, lacking_text
from bot.terminal.table import PERSON, DailyTable, TerminalTable
from engine.rotation import card_limit
from engine.view import EndedRound


def prompt(table: TerminalTable) -> str:
    """Whose turn it is, and what they may do."""
    seen, terms = table.seen, table.rules.terms
    current = seen.round
    if isinstance(table, DailyTable) and table.is_over:
        return "The next deal comes at midnight UTC."
    if seen.winner is not None:
        return "Enter starts another match."
    if current is None or current.turn is None:
        return "Enter deals the next round."
    if not seen.seats[PERSON].live:
        return f"You're out. Waiting for {table.names[current.turn]}."
    if not table.may_bid:
        may = f"; you can {terms.doubt} too" if table.may_challenge else ""
        return f"Waiting for {table.names[current.turn]}{may}."
    if current.standing is None:
        return f"Your turn: open the round with any {terms.noun}."
    if not seen.legal.rungs:
        return f"Your turn: nothing is higher, so {terms.doubt}."
    return f"Your turn: {terms.verb} higher, or {terms.doubt}."


def holding(table: TerminalTable) -> str:
    """The most cards the person may hold; nothing where they hold none, or how they fared today."""
    seen = table.seen
    if isinstance(table, DailyTable) and table.is_over:
        return "\n".join(fared(table))
    if seen.winner is not None or not seen.seats[PERSON].live:
        return ""
    return f"Card limit: {card_limit(seen.ruleset, seen.seats)}"


def verdict(table: TerminalTable, current: EndedRound) -> str:
    """What the showdown has found and who pays for it."""
    terms, judged = table.rules.terms, current.judgement
    if judged is None:
        return "The round ended without a showdown."
    challenger, bidder = table.names[judged.challenger], table.names[judged.made.seat]
    said = table.rules.wording.say(judged.made.bid)
    whose = "your" if judged.made.seat == PERSON else f"{bidder}'s"
    head = f"{challenger} {terms.challenged} {whose} {said}."
    if judged.proof.holds:
        found = f"It's there: {cards_text(judged.proof.cards)}."
    else:
        found = f"It isn't there. Missing: {lacking_text(judged.proof.lacking)}."
    return f"{head} {found} {_price(table, current)}"


def fared(table: DailyTable) -> list[str]:
    """How the person has fared in the deal of the day; it gives no card away."""
    return [squares(table.result), how(table.result).replace("*", "")]


def to_share(table: DailyTable) -> str:
    """How somebody fared in a deal of the day, with game and day, as text to pass on."""
    result = table.result
    day = date.fromordinal(result.day).isoformat()
    return "\n".join([f"Deal of the day · {table.rules.title} · {day}", *fared(table)])


def _price(table: TerminalTable, current: EndedRound) -> str:
    seen, loser = table.seen, current.outcome.loser
    if loser is None:
        return ""
    you = loser == PERSON
    name = table.names[loser]
    if seen.winner is not None:
        return winner(table)
    if current.outcome.eliminated:
        return "You're out of the match." if you else f"{name} is out of the match."
    holds = count(seen.seats[loser].cards, "card")
    return f"Next round you have {holds}." if you else f"Next round {name} has {holds}."


def winner(table: TerminalTable) -> str:
    """Who has won the match."""
    won = table.seen.winner
    if won is None:
        return ""
    return "You win the match!" if won == PERSON else f"{table.names[won]} wins the match."


def named(table: TerminalTable) -> str:
    """The game, the round and how many cards are in play, as a heading."""
    current = table.seen.round
    if current is None:
        return table.rules.title
    in_play = count(current.in_play, "card")
    return f"{table.rules.title} · Round {current.number} · {in_play} in play"


def made(table: TerminalTable, key: str) -> str:
    """A bid with the word for making it: `Bid "pair of nines"`."""
    say = table.rules.wording.say(table.rules.ladder.bid(key))
    return f'{table.rules.terms.bid} "{say}"'
