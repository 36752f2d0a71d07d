"""Answers to /odds three-card as boards, in short lines that fit a phone."""

from __future__ import annotations

from dataclasses import dataclass

from bot.boards.board import Block, Board, HandPicture, Text
from bot.boards.three_card_hands import KINDS, RESULTS, hand_name
from bot.pictures.palette import GREEN, GREY, RED
from bot.words import capital, cards_text, percent, short_kind, together
from engine.odds.three_card import (
    Advice,
    AnteBonus,
    HouseEdge,
    Outcomes,
    PairPlus,
    SixCardBonus,
    TableOdds,
    TableRules,
    advice,
    best_fold_line,
    house_edge,
    survey,
)


@dataclass(frozen=True, slots=True)
class PayTables:
    """Pay tables as they are typed, such as `1/4/5`; empty for the usual one."""

    bonus: str = ""
    pair_plus: str = ""
    six_card: str = ""

    def rules(self) -> TableRules:
        """The table's rules. Raises `TextError`."""
        return TableRules(
            bonus=AnteBonus.parse(self.bonus) if self.bonus else AnteBonus(),
            pair_plus=PairPlus.parse(self.pair_plus) if self.pair_plus else PairPlus(),
            six_card=SixCardBonus.parse(self.six_card) if self.six_card else SixCardBonus(),
        )


def pay_choices(option: str, typed: str) -> list[tuple[str, str]]:
    """The usual tables for an option of `PayTables` that begin as typed: (name, value) each."""
    kind = {"bonus": AnteBonus, "pair_plus": PairPlus, "six_card": SixCardBonus}[option]
    return [
        (f"{row.table}: the house keeps {percent(-row.expected_value, 2)}", str(row.table))
        for row in survey()
        if isinstance(row.table, kind)
        and getattr(row.table, "mini_royal", None) is None
        and str(row.table).startswith(typed.strip())
    ]


def three_card_board(hand: str, seen: str = "", tables: PayTables = PayTables()) -> Board:
    """Play or fold a hand, or the house edge if none is given. Raises `TextError`."""
    rules = tables.rules()
    if hand.strip() or seen.strip():
        return _advice_board(advice(hand, seen=seen or None, rules=rules))
    return _edge_board(rules)


def _advice_board(given: Advice) -> Board:
    name = hand_name(given.category, given.ranks, given.mini_royal)
    shares = [
        f"- {words}: **{_share(getattr(given.outcomes, key) / given.dealers, 1)}**"
        for key, words in RESULTS.items()
    ]
    worth = f"Playing is worth **{_signed(given.expected_value)}** of the ante, folding −1."
    lines = [worth, *shares]
    if given.seen:
        turned = "That changes the decision" if given.changed else "The decision stays the same"
        lines.append(
            f"With {cards_text(given.seen)} seen in other hands. {turned}:"
            f" {_signed(given.blind_value)} without."
        )
    paid = f"pays {given.pair_plus} to 1" if given.pair_plus >= 0 else "loses"
    bonus = f"ante bonus {given.bonus} to 1, " if given.bonus else ""
    small = (
        f"-# {bonus}Pair Plus {paid}, six-card bonus {_signed(given.six_card)}\n"
        f"-# counted over all {given.dealers:,} hands of the dealer"
    )
    blocks: tuple[Block, ...] = (
        Text(f"## {'Play' if given.play else 'Fold'}\n{capital(name)}"),
        HandPicture(given.hand, cards_text(given.hand)),
        Text("\n".join(lines)),
    )
    return Board(GREEN if given.play else RED, blocks, footer=small)


def _edge_board(rules: TableRules) -> Board:
    edge, best = house_edge(rules=rules), best_fold_line(rules)
    head = (
        "## Three Card Poker\n"
        f"The house keeps **{_share(-edge.expected_value, 3)}** of the ante,"
        f" {_share(edge.element_of_risk, 3)} of all that is staked, with ante bonus"
        f" {rules.bonus}. Play **{best.name}** or better, fold the rest.\n"
        f"It keeps **{_share(-edge.pair_plus, 3)}** of Pair Plus {rules.pair_plus} and"
        f" **{_share(-edge.six_card, 3)}** of the six-card bonus {rules.six_card}."
    )
    blocks: tuple[Block, ...] = (
        Text(head),
        Text(f"**How hands that are played end**\n```\n{_outcomes(edge)}\n```"),
        Text(f"**What a stake is worth, by pay table**\n{_survey(survey(rules=rules))}"),
    )
    return Board(GREY, blocks, footer=f"-# counted, not sampled: {edge.deals:,} deals")


def _signed(value: float) -> str:
    """`+0.2500`, `−0.9934`."""
    return f"{value:+.4f}".replace("-", "−")


def _share(value: float, decimals: int) -> str:
    """`−3.373 %`, in one piece."""
    return together(percent(value, decimals).replace("-", "−"))


def _outcomes(edge: HouseEdge) -> str:
    """A table 30 characters wide: the share of each kind's deals, in per cent."""
    lines = [f"{'':<14}{'win':>3}{'tie':>4}{'lose':>5}{'n.q':>4}"]
    for category, ends in edge.outcomes.items():
        name = short_kind(KINDS[category])
        lines.append(f"{name:<14}{_row(ends)}")
    lines.append("n.q: dealer not qualified")
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
            lines.append(f"{capital(title)}")
        mini = getattr(row.table, "mini_royal", None)
        extra = f", Mini Royal {mini}" if mini is not None else ""
        lines.append(f"- {row.table}{extra}: {_share(row.expected_value, 3)}")
    return "\n".join(lines)
