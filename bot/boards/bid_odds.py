"""Answers to /odds liars and /odds thai as boards: the chance of bids, in words and drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.boards.board import Block, Board, ChartPicture, Text
from bot.boards.lobby import FELT
from bot.pictures.bar_chart import advice_chart, chart_text
from bot.words import capital, cards_text, count, percent, together
from engine.bids import Bid
from engine.cards import Cards
from engine.odds import BidOdds, advise, bid_chance
from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class BidQuestion:
    """What is asked of bids: `standing` is the bid to beat, `asked` the one that is wondered about.

    Without a standing bid the one asked about is the one to beat.
    """

    rules: Ruleset
    in_play: int
    known: Cards
    standing: Bid | None = None
    asked: Bid | None = None
    at_table: bool = False


def bids_board(question: BidQuestion) -> Board:
    """The chance of the bid that was asked or stands, the best bids to make, and a chart.

    Raises `OddsError` for cards that cannot be in play.
    """
    rules, known = question.rules, question.known
    standing = question.standing or question.asked
    found = advise(rules, question.in_play, known, standing)
    asked = _asked(question) if question.asked not in (None, standing) else None
    remark = "standing" if question.standing is not None else "asked"
    chart = replace(
        advice_chart(rules, question.in_play, known, found, asked, remark),
        title=f"How likely each {rules.terms.bid.lower()} is",
        subtitle=f"deck of {rules.deck.size}",
    )
    seen = f"known {cards_text(known)}" if known else "no cards known"
    where = "Your round" if question.at_table else rules.title
    lines = [f"## {where}\n-# {count(question.in_play, 'card')} in play · {seen}"]
    if asked is not None:
        lines.append(f"{_named(rules, asked)}: **{_chance(asked)}** likely.")
    if found.standing is not None:
        stands = " stands," if question.standing is not None else ":"
        chance = _chance(found.standing)
        lines.append(f"{_named(rules, found.standing)}{stands} **{chance}** likely.")
    if found.strongest is not None:
        lines.append(
            f"The strongest {rules.terms.bid.lower()} that is more likely than not:"
            f" {_said(rules, found.strongest)}, {_chance(found.strongest)}."
        )
    elif found.best:
        lines.append(f"No higher {rules.terms.bid.lower()} is more likely than not.")
    else:
        lines.append(f"Nothing is higher: {rules.terms.challenge.lower()}.")
    best = ", ".join(f"{rules.wording.say(entry.bid)} {_chance(entry)}" for entry in found.best)
    blocks: tuple[Block, ...] = (
        Text("\n".join(lines)),
        ChartPicture(chart, chart_text(chart)),
        Text(f"-# best {rules.terms.bid.lower()}s: {best}" if best else "-# the ladder ends here"),
    )
    return Board(FELT, blocks, footer=_exactly(rules, asked or found.standing or found.strongest))


def _asked(question: BidQuestion) -> BidOdds:
    """The bid that is wondered about while another one stands."""
    rules, bid = question.rules, question.asked
    assert bid is not None
    chance = bid_chance(bid, rules.deck, question.in_play, question.known)
    return BidOdds(bid, rules.ladder.number(bid), chance)


def _named(rules: Ruleset, entry: BidOdds) -> str:
    return f"**{capital(rules.wording.say(entry.bid))}**"


def _said(rules: Ruleset, entry: BidOdds) -> str:
    return f"**{rules.wording.say(entry.bid)}**"


def _chance(entry: BidOdds) -> str:
    return together(percent(entry.chance.probability))


def _exactly(rules: Ruleset, entry: BidOdds | None) -> str:
    """The exact count behind a percentage, where it can be read."""
    if entry is None:
        return "-# exact, not sampled"
    chance = entry.chance
    if chance.total >= 10**15:
        return f"-# exact, not sampled: about {chance.total:.3g} deals counted"
    said = rules.wording.say(entry.bid)
    return f"-# exact: {said} in {chance.favourable:,} of {chance.total:,} deals"
