"""Boards that answer `/odds three-card`, in short lines that fit a phone.

The command line also uses their words for hands and results.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from bot.boards.board import Block, Board, Hand, Text
from bot.language.card_marks import mark_cards
from bot.language.catalogues import ENGLISH, N_, figure, spoken, tr, trc
from bot.language.wordings import cards_in_letters, parse_typed_cards
from bot.language.words import capital, percent, short_kind, together, truncate
from bot.pictures.palette import GREEN, GREY, RED
from engine.cards import Cards, Rank
from engine.errors import Reason, TextError
from engine.odds.three_card import (
    AnteBonus,
    Category,
    HouseEdge,
    Outcomes,
    PairPlus,
    SixCardBonus,
    TableOdds,
    TableRules,
    ThreeCardAdvice,
    advice,
    best_fold_line,
    house_edge,
    survey,
)
from engine.terms import with_article as article

KINDS = {
    Category.STRAIGHT_FLUSH: N_("straight flush"),
    Category.THREE_OF_A_KIND: N_("three of a kind"),
    Category.STRAIGHT: N_("straight"),
    Category.FLUSH: N_("flush"),
    Category.PAIR: N_("pair"),
    Category.HIGH_CARD: N_("high card"),
}
RESULTS = {
    "win": "win",
    "tie": "tie",
    "lose": "lose",
    "dealer_not_qualified": "dealer doesn't qualify",
}
SUITS_NOT_TYPED: Final = N_("You gave no suits, so this is an example.")
_TITLE: Final = "Three Card Poker"
# "Q64", as players write a hand; a trailing s makes it a flush
_RANK: Final = "(10|[2-9tjqka])"
_RANKS: Final = re.compile(_RANK * 3 + "(?P<kind>[so]?)")


def join_with_dashes(ranks: tuple[int, int, int]) -> str:
    """Return ranks joined by dashes: `Q-6-4`, `10-10-A`."""
    return "-".join(Rank(rank).label for rank in ranks)


def hand_name(category: Category, ranks: tuple[int, int, int], mini_royal: bool = False) -> str:
    """Return a hand's name as players say it; `ranks` are in the order read aloud."""
    first, last = (spoken().vocabulary.ranks[Rank(ranks[at])] for at in (0, 2))
    cards = join_with_dashes(ranks)
    match category:
        case Category.HIGH_CARD:
            return tr("{rank} high, {cards}", rank=first["one"], cards=cards)
        case Category.PAIR:
            kicker = with_article(last["one"])
            return tr("a pair of {ranks} with {other}", ranks=first["several"], other=kicker)
        case Category.FLUSH:
            return tr("{rank}-high flush, {cards}", rank=with_article(first["one"]), cards=cards)
        case Category.STRAIGHT:
            return tr("a straight, {cards}", cards=cards)
        case Category.THREE_OF_A_KIND:
            return tr("three {ranks}", ranks=first["several"])
        case Category.STRAIGHT_FLUSH:
            named = tr("a straight flush, {cards}", cards=cards)
            return f"{named} (Mini Royal)" if mini_royal else named


def with_article(noun: str) -> str:
    """Return the noun after "a" or "an" in English; unchanged in other languages."""
    return article(noun) if spoken().key == ENGLISH else noun


@dataclass(frozen=True, slots=True)
class PayTables:
    """Pay tables as typed, such as `1/4/5`. An empty text is the usual pay table."""

    bonus: str = ""
    pair_plus: str = ""
    six_card: str = ""

    def rules(self) -> TableRules:
        """Return the table's rules. Raises `TextError` if a pay table can't be read."""
        return TableRules(
            bonus=AnteBonus.parse(self.bonus) if self.bonus else AnteBonus(),
            pair_plus=PairPlus.parse(self.pair_plus) if self.pair_plus else PairPlus(),
            six_card=SixCardBonus.parse(self.six_card) if self.six_card else SixCardBonus(),
        )


def pay_choices(option: str, typed: str) -> list[tuple[str, str]]:
    """Return (name, value) for each usual pay table that begins with the `typed` text.

    `option` is a field of `PayTables`. Tables with a Mini Royal are left out.
    """
    kind = {"bonus": AnteBonus, "pair_plus": PairPlus, "six_card": SixCardBonus}[option]
    return [
        (
            tr(
                "{table}: house edge {share}",
                table=row.table,
                share=percent(-row.expected_value, 2),
            ),
            str(row.table),
        )
        for row in survey()
        if isinstance(row.table, kind)
        and getattr(row.table, "mini_royal", None) is None
        and str(row.table).startswith(typed.strip())
    ]


def three_card_board(hand: str, seen_cards: str = "", tables: PayTables = PayTables()) -> Board:
    """Return whether to play or fold a hand. If nothing is typed, return the house edge.

    Raises `TextError` if the hand, the seen cards or a pay table can't be read.
    """
    rules = tables.rules()
    if not hand.strip() and not seen_cards.strip():
        return _edge_board(rules)
    typed = TypedHand.parse(hand, seen_cards)
    answer = advice(typed.cards, seen=typed.seen_cards or None, rules=rules)
    return _advice_board(answer, suits_typed=typed.suits_typed)


@dataclass(frozen=True, slots=True)
class TypedHand:
    """A hand and the seen cards, in letters; `suits_typed` is False for a hand such as `Q64`.

    A hand without suits gets suits that fit: three different ones, or a single one after a trailing
    `s`.
    """

    cards: str
    seen_cards: str
    suits_typed: bool

    @staticmethod
    def parse(hand: str, seen_cards: str = "") -> TypedHand:
        """Parse a typed hand and seen cards.

        For ranks without suits, raises `TextError` if they aren't three, or if the seen cards can't
        be read. Cards with suits are checked later.
        """
        hand, seen_cards = cards_in_letters(hand), cards_in_letters(seen_cards)
        plain = re.sub(r"[\s,;-]", "", hand.lower())
        ranks = _RANKS.fullmatch(plain)
        if ranks is not None:
            return TypedHand(
                _dealt(ranks, parse_typed_cards(seen_cards)), seen_cards, suits_typed=False
            )
        if re.fullmatch(f"{_RANK}+", plain):
            reason = Reason(
                "expected three cards, got {given}", given=len(re.findall(_RANK, plain))
            )
            raise TextError(hand, reason, '"Q64"')
        return TypedHand(hand, seen_cards, suits_typed=True)


def _dealt(ranks: re.Match[str], seen_cards: Cards) -> str:
    """Return cards of the three typed ranks: in three suits, or in one suit for a flush.

    None of the cards is among `seen_cards`. If there are no such cards, return the ranks
    without suits, which a later check refuses.
    """
    suited = [suit * 3 for suit in "shdc"]
    suit_choices = suited if ranks["kind"] == "s" else map("".join, permutations("shdc", 3))
    three = ranks[1], ranks[2], ranks[3]
    for suits in suit_choices:
        hand = " ".join(map("".join, zip(three, suits, strict=True)))
        twice = ranks["kind"] == "s" and len(set(three)) < 3
        if not twice and not Cards.parse(hand) & seen_cards:
            return hand
    return "".join(three)


def _advice_board(answer: ThreeCardAdvice, *, suits_typed: bool = True) -> Board:
    name = hand_name(answer.category, answer.ranks, answer.mini_royal)
    shares = [
        f"- {trc('result', words)}: **{_share(getattr(answer.outcomes, key) / answer.dealers, 1)}**"
        for key, words in RESULTS.items()
    ]
    worth = tr(
        "Expected value in antes: play **{value}**, fold −1.",
        value=_with_sign(answer.expected_value),
    )
    lines = [worth, *shares]
    if answer.seen_cards:
        turned = (
            tr("You saw {cards}, and that changes the decision (without that: {value}).")
            if answer.sight_matters
            else tr("You saw {cards}, but the decision stays the same (without that: {value}).")
        )
        cards, value = mark_cards(answer.seen_cards), _with_sign(answer.blind_value)
        lines.append(turned.format(cards=cards, value=value))
    parts = [tr("ante bonus {pays} to 1", pays=answer.bonus)] if answer.bonus else []
    parts += [
        tr("Pair Plus pays {pays} to 1", pays=answer.pair_plus)
        if answer.pair_plus >= 0
        else tr("Pair Plus loses"),
        tr("six-card bonus {value}", value=_with_sign(answer.six_card)),
    ]
    small = f"-# {', '.join(parts)}\n-# {tr('exact count')}"
    head = f"## {tr('Play') if answer.play else tr('Fold')}\n{capital(name)}"
    if not suits_typed:
        head += f"\n-# {tr(SUITS_NOT_TYPED)}"
    blocks: tuple[Block, ...] = (
        Text(head),
        Hand(answer.hand),
        Text("\n".join(lines)),
    )
    return Board(GREEN if answer.play else RED, blocks, footer=small)


def _edge_board(rules: TableRules) -> Board:
    edge, best = house_edge(rules=rules), best_fold_line(rules)
    lines = (
        f"## {_TITLE}",
        tr("Play **{best}** or better, fold the rest.", best=best.name),
        tr(
            "House edge: **{share}** of the ante, {risk} of everything staked",
            share=_share(-edge.expected_value, 3),
            risk=_share(edge.element_of_risk, 3),
        ),
        "- " + tr("Pair Plus: **{share}**", share=_share(-edge.pair_plus, 3)),
        "- " + tr("Six-card bonus: **{share}**", share=_share(-edge.six_card, 3)),
        "-# "
        + tr(
            "ante bonus {bonus}, Pair Plus {plus}, six-card bonus {six}",
            bonus=rules.bonus,
            plus=rules.pair_plus,
            six=rules.six_card,
        ),
    )
    legend = tr("DNQ: dealer doesn't qualify")
    blocks: tuple[Block, ...] = (
        Text("\n".join(lines)),
        Text(f"**{tr('How played hands end, in %')}**\n```\n{_outcomes(edge)}\n```\n-# {legend}"),
    )
    return Board(GREY, blocks, footer=f"-# {tr('exact count')}")


def pay_tables_board(tables: PayTables = PayTables()) -> Board:
    """Return the house edge of the usual pay tables, and of `tables`.

    Raises `TextError` if one of `tables` can't be read.
    """
    heading = f"**{tr('House edge by pay table')}** · {_TITLE}"
    shares = _survey(survey(rules=tables.rules()))
    return Board(GREY, (Text(f"{heading}\n{shares}"),), footer=f"-# {tr('exact count')}")


def _with_sign(value: float) -> str:
    """Return a value with its sign: `+0.2500`, `−0.9934`."""
    return figure(value, "+.4f").replace("-", "−")


def _share(value: float, decimals: int) -> str:
    """Return a percentage that no line break splits: `−3.373%`."""
    return together(percent(value, decimals).replace("-", "−"))


def _outcomes(edge: HouseEdge) -> str:
    """Return a table, 30 characters wide, of how often each kind of hand wins, ties or loses.

    A fourth column is for deals in which the dealer doesn't qualify. All numbers are percentages.
    """
    lines = [tr("              win tie lose DNQ")]
    for category, ends in edge.outcomes.items():
        english = spoken().key == ENGLISH
        name = short_kind(KINDS[category]) if english else truncate(tr(KINDS[category]), 13)
        lines.append(f"{name:<14}{_row(ends)}")
    return "\n".join(lines)


def _row(ends: Outcomes) -> str:
    total = ends.deals
    shares = (ends.win, ends.tie, ends.lose, ends.dealer_not_qualified)
    widths = (3, 4, 5, 4)
    return "".join(
        f"{100 * share / total:>{width}.0f}" for share, width in zip(shares, widths, strict=True)
    )


def _survey(odds: tuple[TableOdds, ...]) -> str:
    lines = []
    title = ""
    for row in odds:
        if title != row.table.TITLE:
            title = row.table.TITLE
            lines.append(capital(tr(title)))
        mini = getattr(row.table, "mini_royal", None)
        extra = f", Mini Royal {mini}" if mini is not None else ""
        lines.append(f"- {row.table}{extra}: {_share(-row.expected_value, 3)}")
    return "\n".join(lines)
