"""Boards that answer `/odds <game>`: each bid's chance appears once, in words or in a chart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from bot.boards.board import Block, Board, ChartPicture, Text
from bot.language.card_marks import mark_cards
from bot.language.catalogues import figure, tr, trn
from bot.language.wordings import bid_text, game_words
from bot.language.words import capital, kind_label, kind_word, percent, rough_percent, together
from bot.pictures.charts import Bar, BarChart
from bot.pictures.palette import GREEN, GREY
from engine.bids import Bid, Kind
from engine.cards import Cards
from engine.odds import BidAdvice, BidOdds, Chance, advise, bid_chance, kind_chances
from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class BidQuestion:
    """A question about the chance of a `bid`, or of any hand of a `kind`.

    `in_play`: the number of cards in play. `known`: the cards that the asker knows. `standing`: the
    bid to beat; if None, `bid` is the one to beat. `at_table`: the question is about the asker's
    current round.
    """

    rules: Ruleset
    in_play: int
    known: Cards
    standing: Bid | None = None
    bid: Bid | None = None
    kind: Kind | None = None
    at_table: bool = False


def bids_board(question: BidQuestion) -> Board:
    """Return a board with the chances of the bid in question and the standing bid, and a chart.

    The chart shows the best bids. If the question is about a kind, it shows all other kinds. Raises
    `OddsError` if the deck can't have that many cards in play, or the known cards among them.
    """
    rules = question.rules
    lines = [_heading(question), *(_likely(rules, worded) for worded in _chances(question))]
    if question.kind is not None:
        chart = kinds_chart(question)
    else:
        standing = question.standing or question.bid
        advice = advise(rules, question.in_play, question.known, standing)
        chart = advice_chart(rules, advice, question.bid)
        lines += _advice(rules, advice)
    blocks: list[Block] = [Text("\n".join(lines))]
    if chart.bars:
        blocks.append(ChartPicture.of(chart))
    return Board(GREEN, tuple(blocks), footer=f"-# {tr('exact count')}")


def counts_board(question: BidQuestion) -> Board:
    """Return a board with the number of deals behind each chance that `bids_board` shows."""
    counted = (
        tr(
            "{said}: true in {favourable} of {total} deals",
            said=f"**{capital(worded.words)}**",
            favourable=figure(worded.chance.favourable, ","),
            total=figure(worded.chance.total, ","),
        )
        for worded in _chances(question)
    )
    return Board(GREY, (Text("\n".join((_heading(question), *counted))),))


def _heading(question: BidQuestion) -> str:
    rules, known = question.rules, question.known
    knowledge = (
        tr("you know {cards}", cards=mark_cards(known)) if known else tr("you know no cards")
    )
    where = tr("Your round") if question.at_table else tr(rules.title)
    in_play = trn("{number} card in play", "{number} cards in play", question.in_play)
    return f"## {where}\n-# {in_play} · {knowledge}"


class _WordedChance(NamedTuple):
    """A bid or kind of hand in words, and its chance. `stands` marks the standing bid."""

    words: str
    chance: Chance
    stands: bool = False


def _chances(question: BidQuestion) -> list[_WordedChance]:
    """Return the chance of the bid or kind in question, then that of the standing bid."""
    rules, in_play, known = question.rules, question.in_play, question.known
    chances = []
    if question.kind is not None:
        (chance,) = kind_chances([question.kind], rules.deck, in_play, known).values()
        chances.append(_WordedChance(tr("Any {kind}", kind=kind_word(question.kind)), chance))
    for bid in dict.fromkeys(filter(None, (question.bid, question.standing))):
        chance = bid_chance(bid, rules.deck, in_play, known)
        chances.append(_WordedChance(bid_text(rules, bid), chance, bid == question.standing))
    return chances


def kinds_chart(question: BidQuestion) -> BarChart:
    """Return a chart of the chances of all kinds of hands except the kind in question."""
    rules = question.rules
    kinds = [kind for kind in rules.ladder.kinds if kind is not question.kind]
    chances = kind_chances(kinds, rules.deck, question.in_play, question.known)
    bars = (Bar(kind_label(kind), chance.probability) for kind, chance in chances.items())
    return BarChart(tr("Other kinds of hand"), _deck(rules), tuple(bars))


def advice_chart(rules: Ruleset, advice: BidAdvice, worded: Bid | None = None) -> BarChart:
    """Return a chart of the best bids and the highest likely bid, without the bid `worded`.

    The text above the chart already gives the chance of `worded`.
    """
    best = dict.fromkeys(filter(None, (*advice.best, advice.strongest)))
    entries = [entry for entry in best if entry.bid != worded]
    strongest = tr("highest over {share}", share=rough_percent(advice.above))
    bars = [_bar(rules, entry, strongest if entry == advice.strongest else "") for entry in entries]
    words = game_words(rules)
    title = (
        tr("The best higher {plural}", plural=words.plural)
        if advice.standing is not None
        else tr("The best {plural}", plural=words.plural)
    )
    return BarChart(title, _deck(rules), tuple(bars))


def _deck(rules: Ruleset) -> str:
    return tr("{number}-card deck", number=rules.deck.size)


def _bar(rules: Ruleset, entry: BidOdds, remark: str) -> Bar:
    return Bar(bid_text(rules, entry.bid), entry.chance.probability, remark)


def _advice(rules: Ruleset, advice: BidAdvice) -> list[str]:
    """Return a list with a line of advice; an empty list if a higher bid is over 50% likely.

    If such a bid exists, the chart of the best bids is advice enough.
    """
    terms = game_words(rules)
    if advice.strongest is not None:
        return []
    if advice.best:
        return [tr("Every higher {noun} is under 50% likely.", noun=terms.noun)]
    if advice.standing is not None and advice.standing.rung == len(rules.ladder.rungs):
        return [tr("Nothing is higher: {doubt}.", doubt=terms.doubt)]
    return [
        tr(
            "With these cards nothing higher is possible: {doubt}.",
            noun=terms.noun,
            doubt=terms.doubt,
        )
    ]


def _likely(rules: Ruleset, worded: _WordedChance) -> str:
    words, chance = f"**{worded.words}**", together(percent(worded.chance.probability))
    if worded.stands:
        noun = game_words(rules).noun
        return tr(
            "Current {noun}: {said}, **{chance}** likely.", noun=noun, said=words, chance=chance
        )
    return tr("{said}: **{chance}** likely.", said=capital(words), chance=chance)
