"""Answers to `/odds <game>` as boards: the chance of bids, in words and drawn."""

from __future__ import annotations

from dataclasses import dataclass

from bot.boards.board import Block, Board, ChartPicture, Text
from bot.card_marks import marked
from bot.languages import figure, tr, trn
from bot.pictures.bar_chart import Bar, BarChart, chart_text
from bot.pictures.palette import GREEN
from bot.wordings import game_words, said
from bot.words import capital, percent, together
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
    seen = tr("known {cards}", cards=marked(known)) if known else tr("no cards known")
    where = tr("Your round") if question.at_table else tr(rules.title)
    in_play = trn("{number} card in play", "{number} cards in play", question.in_play)
    lines = [f"## {where}\n-# {in_play} · {seen}"]
    if asked is not None:
        lines.append(_likely(rules, asked))
    if found.standing is not None and question.standing is not None:
        named, chance = _named(rules, found.standing), _chance(found.standing)
        lines.append(tr("{said} stands, **{chance}** likely.", said=named, chance=chance))
    elif found.standing is not None:
        lines.append(_likely(rules, found.standing))
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
    bars = [_bar(rules, asked, tr("asked"), standing=True)] if asked is not None else []
    if advice.standing is not None:
        remark = tr("standing") if stands else tr("asked")
        bars.append(_bar(rules, advice.standing, remark, standing=True))
    shown = list(advice.best)
    if advice.strongest is not None and advice.strongest not in shown:
        shown.append(advice.strongest)
    strongest = tr("strongest above {share} %", share=figure(advice.above * 100, "g"))
    bars += [_bar(rules, entry, strongest if entry == advice.strongest else "") for entry in shown]
    return BarChart(
        tr("How likely each {noun} is", noun=game_words(rules).noun),
        tr("deck of {number}", number=rules.deck.size),
        tuple(bars),
    )


def _bar(rules: Ruleset, entry: BidOdds, remark: str, standing: bool = False) -> Bar:
    return Bar(said(rules, entry.bid), entry.chance.probability, remark, standing)


def _asked(question: BidQuestion, bid: Bid) -> BidOdds:
    """The bid asked about while another one stands."""
    rules = question.rules
    chance = bid_chance(bid, rules.deck, question.in_play, question.known)
    return BidOdds(bid, rules.ladder.number(bid), chance)


def _advice(rules: Ruleset, found: Advice) -> str:
    """What to do, in a sentence."""
    terms = game_words(rules)
    if found.strongest is not None:
        return tr(
            "The strongest {noun} that is more likely than not: **{said}**, {chance}.",
            noun=terms.noun,
            said=said(rules, found.strongest.bid),
            chance=_chance(found.strongest),
        )
    if found.best:
        return tr("No higher {noun} is more likely than not.", noun=terms.noun)
    if _at_top(rules, found):
        return tr("Nothing is higher: {doubt}.", doubt=terms.doubt)
    return tr(
        "No higher {noun} can hold with these cards: {doubt}.", noun=terms.noun, doubt=terms.doubt
    )


def _best(rules: Ruleset, found: Advice) -> str:
    """The best bids to make, in a line."""
    terms = game_words(rules)
    best = ", ".join(f"{said(rules, entry.bid)} {_chance(entry)}" for entry in found.best)
    if best:
        return tr("best {plural}: {best}", plural=terms.plural, best=best)
    if _at_top(rules, found):
        return tr("the ladder ends here")
    none = together(percent(0))
    return tr(
        "there are higher {plural}, each with a chance of {share}", plural=terms.plural, share=none
    )


def _at_top(rules: Ruleset, found: Advice) -> bool:
    """Whether the bid to beat is on the top rung."""
    return found.standing is not None and found.standing.rung == len(rules.ladder.rungs)


def _named(rules: Ruleset, entry: BidOdds) -> str:
    return f"**{capital(said(rules, entry.bid))}**"


def _likely(rules: Ruleset, entry: BidOdds) -> str:
    named, chance = _named(rules, entry), _chance(entry)
    return tr("{said}: **{chance}** likely.", said=named, chance=chance)


def _chance(entry: BidOdds) -> str:
    return together(percent(entry.chance.probability))


def _exactly(rules: Ruleset, entry: BidOdds | None) -> str:
    """The exact count behind a percentage, where it can be read."""
    if entry is None:
        return tr("-# exact, not sampled")
    chance = entry.chance
    if chance.total >= 10**15:
        total = figure(chance.total, ".3g")
        return tr("-# exact, not sampled: about {total} deals counted", total=total)
    return tr(
        "-# exact: {said} in {favourable} of {total} deals",
        said=said(rules, entry.bid),
        favourable=figure(chance.favourable, ","),
        total=figure(chance.total, ","),
    )
