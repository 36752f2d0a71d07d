"""Answers to `/odds <game>` as boards: the chance of bids, in words and drawn."""

from __future__ import annotations

from dataclasses import dataclass

from bot.boards.board import Block, Board, ChartPicture, Text
from bot.pictures.bar_chart import Bar, BarChart, chart_text
from bot.pictures.palette import GREEN
from bot.words import capital, cards_text, count, percent, together
from engine.bids import Bid
from engine.cards import Cards
from engine.odds import Advice, BidOdds, advise, bid_chance
from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class BidQuestion:
    """What is asked of bids: `standing` is the bid to beat, `asked` the bid asked about.

    Without a standing bid the one asked about is the one to beat.
    """

    rules: Ruleset
    in_play: int
    known: Cards
    standing: Bid | None = None
    asked: Bid | None = None
    at_table: bool = False


def bids_board(question: BidQuestion) -> Board:
    """The chance of the bid that was asked about or stands, the best bids to make, and a chart.

    Raises `OddsError` for cards that cannot be in play.
    """
    rules, known = question.rules, question.known
    standing = question.standing or question.asked
    found = advise(rules, question.in_play, known, standing)
    asked = None
    if question.asked is not None and question.asked != standing:
        asked = _asked(question, question.asked)
    chart = advice_chart(rules, found, asked, stands=question.standing is not None)
    seen = f"known {cards_text(known)}" if known else "no cards known"
    where = "Your round" if question.at_table else rules.title
    lines = [f"## {where}\n-# {count(question.in_play, 'card')} in play · {seen}"]
    if asked is not None:
        lines.append(f"{_named(rules, asked)}: **{_chance(asked)}** likely.")
    if found.standing is not None:
        stands = " stands," if question.standing is not None else ":"
        chance = _chance(found.standing)
        lines.append(f"{_named(rules, found.standing)}{stands} **{chance}** likely.")
    lines.append(_advice(rules, found))
    blocks: tuple[Block, ...] = (
        Text("\n".join(lines)),
        ChartPicture(chart, chart_text(chart)),
        Text(f"-# {_best(rules, found)}"),
    )
    return Board(GREEN, blocks, footer=_exactly(rules, asked or found.standing or found.strongest))


def advice_chart(
    rules: Ruleset, advice: Advice, asked: BidOdds | None = None, *, stands: bool = True
) -> BarChart:
    """The chart of an advice: the standing bid, the best bids, the strongest likely one.

    `asked` is a further bid, above them. Without `stands` the bid to beat is one that was only
    asked about.
    """
    bars = [_bar(rules, asked, "asked", standing=True)] if asked is not None else []
    if advice.standing is not None:
        remark = "standing" if stands else "asked"
        bars.append(_bar(rules, advice.standing, remark, standing=True))
    shown = list(advice.best)
    if advice.strongest is not None and advice.strongest not in shown:
        shown.append(advice.strongest)
    strongest = f"strongest above {advice.above * 100:g} %"
    bars += [_bar(rules, entry, strongest if entry == advice.strongest else "") for entry in shown]
    return BarChart(
        f"How likely each {rules.terms.noun} is", f"deck of {rules.deck.size}", tuple(bars)
    )


def _bar(rules: Ruleset, entry: BidOdds, remark: str, standing: bool = False) -> Bar:
    return Bar(rules.wording.say(entry.bid), entry.chance.probability, remark, standing)


def _asked(question: BidQuestion, bid: Bid) -> BidOdds:
    """The bid asked about while another one stands."""
    rules = question.rules
    chance = bid_chance(bid, rules.deck, question.in_play, question.known)
    return BidOdds(bid, rules.ladder.number(bid), chance)


def _advice(rules: Ruleset, found: Advice) -> str:
    """What to do, in a sentence."""
    terms = rules.terms
    if found.strongest is not None:
        return (
            f"The strongest {terms.noun} that is more likely than not:"
            f" **{rules.wording.say(found.strongest.bid)}**, {_chance(found.strongest)}."
        )
    if found.best:
        return f"No higher {terms.noun} is more likely than not."
    if _at_top(rules, found):
        return f"Nothing is higher: {terms.doubt}."
    return f"No higher {terms.noun} can hold with these cards: {terms.doubt}."


def _best(rules: Ruleset, found: Advice) -> str:
    """The best bids to make, in a line."""
    terms = rules.terms
    best = ", ".join(f"{rules.wording.say(entry.bid)} {_chance(entry)}" for entry in found.best)
    if best:
        return f"best {terms.plural}: {best}"
    if _at_top(rules, found):
        return "the ladder ends here"
    return f"there are higher {terms.plural}, each with a chance of {together(percent(0))}"


def _at_top(rules: Ruleset, found: Advice) -> bool:
    """Whether the bid to beat is on the top rung."""
    return found.standing is not None and found.standing.rung == len(rules.ladder.rungs)


def _named(rules: Ruleset, entry: BidOdds) -> str:
    return f"**{capital(rules.wording.say(entry.bid))}**"


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
