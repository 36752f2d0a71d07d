"""Answers to /odds as boards: the chance of bids, and Three Card Poker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.render.board import Block, Board, ChartPicture, HandPicture, Text
from bot.render.charts import advice_chart, chart_text
from bot.render.lobby import FELT, GREY
from bot.render.odds import percent
from bot.render.words import cards_text, count
from engine.bids import Bid
from engine.cards import Cards
from engine.odds import BidOdds, advise
from engine.ruleset import Ruleset

RED: Final = 0xC8443C


@dataclass(frozen=True, slots=True)
class BidQuestion:
    """What is asked of bids: `standing` is the bid to beat, or the one whose chance is wanted."""

    rules: Ruleset
    in_play: int
    known: Cards
    standing: Bid | None
    at_table: bool = False


def bids_board(question: BidQuestion) -> Board:
    """The chance of the bid that was asked or stands, the best bids to make, and a chart.

    Raises `OddsError` for cards that cannot be in play.
    """
    rules, known = question.rules, question.known
    found = advise(rules, question.in_play, known, question.standing)
    chart = advice_chart(rules, question.in_play, known, found)
    seen = cards_text(known) if known else "no cards known"
    where = "Your round" if question.at_table else rules.title
    lines = [f"## {where}: {count(question.in_play, 'card')} in play", f"-# {seen}"]
    if found.standing is not None:
        lines.append(f"{_said(rules, found.standing)} holds in **{_chance(found.standing)}**.")
    if found.strongest is not None:
        lines.append(
            f"The strongest {rules.terms.bid.lower()} that is more likely than not:"
            f" {_said(rules, found.strongest)}, {_chance(found.strongest)}."
        )
    elif found.best:
        lines.append(f"No higher {rules.terms.bid.lower()} is more likely than not.")
    else:
        lines.append(f"Nothing is higher: {rules.terms.challenge.lower()}.")
    best = "\n".join(f"- {_said(rules, entry)} {_chance(entry)}" for entry in found.best)
    blocks: tuple[Block, ...] = (
        Text("\n".join(lines)),
        ChartPicture(chart, chart_text(chart)),
        Text(f"**Best {rules.terms.bid.lower()}s**\n{best}" if best else "-# the ladder ends here"),
    )
    return Board(FELT, blocks, footer=_exactly(rules, found.standing or found.strongest))


def _said(rules: Ruleset, entry: BidOdds) -> str:
    return f"**{rules.wording.say(entry.bid)}**"


def _chance(entry: BidOdds) -> str:
    return percent(entry.chance.probability)


def _exactly(rules: Ruleset, entry: BidOdds | None) -> str:
    """The exact count behind a percentage, where it can be read."""
    if entry is None:
        return "-# exact, not sampled"
    chance = entry.chance
    if chance.total >= 10**15:
        return f"-# exact, not sampled: about {chance.total:.3g} deals counted"
    said = rules.wording.say(entry.bid)
    return f"-# exact: {said} in {chance.favourable:,} of {chance.total:,} deals"


def three_card_board(hand: str, seen: str = "", bonus: str = "", pair_plus: str = "") -> Board:
    """Play or fold a hand, or the house edge if none is given. Raises `TextError`."""
    from bot.render.three_card import advice_lines, edge_lines, survey_lines
    from engine.odds.three_card import (
        AnteBonus,
        PairPlus,
        TableRules,
        advice,
        best_fold_line,
        house_edge,
        survey,
    )

    rules = TableRules(
        bonus=AnteBonus.parse(bonus) if bonus else AnteBonus(),
        pair_plus=PairPlus.parse(pair_plus) if pair_plus else PairPlus(),
    )
    if not hand.strip():
        best = best_fold_line(rules)
        table = "\n".join(edge_lines(house_edge(rules=rules), best))
        others = "\n".join(survey_lines(survey(rules=rules)))
        edges = (
            Text("## Three Card Poker: the house edge"),
            Text(f"```\n{table}\n```"),
            Text(f"**Pay tables one meets**\n```\n{others}\n```"),
        )
        return Board(GREY, edges, footer="-# counted, not sampled: 407,170,400 deals")
    given = advice(hand, seen=seen or None, rules=rules)
    title, verdict, *rest = advice_lines(given)
    alt = cards_text(given.hand)
    figures = "\n".join(rest).strip("\n")
    picture = HandPicture(given.hand, alt)
    blocks = (
        Text(f"## {'Play' if given.play else 'Fold'}\n{title}"),
        picture,
        Text(f"{verdict}\n```\n{figures}\n```"),
    )
    return Board(FELT if given.play else RED, blocks)
