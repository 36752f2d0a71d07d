"""`bluffhouse odds three-card`: one hand's advice, or the house edge."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli import odds_app
from bot.cli.failing import one_sentence, refuse, whole_number

if TYPE_CHECKING:
    from engine.odds.three_card import Advice, HouseEdge, PlayingLine, TableRules

BonusOption = Annotated[
    str, typer.Option("--bonus", help="Ante bonus for straight/three/straight flush.")
]
PairPlusOption = Annotated[
    str, typer.Option("--pair-plus", help="Pair Plus for straight flush/three/straight/flush/pair.")
]
SixCardOption = Annotated[
    str,
    typer.Option(
        "--six-card",
        help="Six-card bonus for royal/straight flush/four/full house/flush/straight/three.",
    ),
]
DealerOption = Annotated[
    str,
    typer.Option(
        "--dealer-from",
        help="The dealer qualifies with this or better: queen, J32, always.",
    ),
]
MiniRoyalOption = Annotated[
    str | None, typer.Option("--mini-royal", help="What Pair Plus pays for A-K-Q of one suit.")
]
MiniRoyalBonusOption = Annotated[
    str | None, typer.Option("--mini-royal-bonus", help="Ante bonus for A-K-Q of one suit.")
]
PlayFromOption = Annotated[
    str,
    typer.Option(
        "--play-from", help="The lowest hand to play, such as Q64 or K32; or always, queen, best."
    ),
]


def table_rules(
    bonus: str,
    pair_plus: str,
    six_card: str,
    dealer_from: str,
    mini_royal: str | None,
    mini_royal_bonus: str | None,
) -> TableRules:
    """The rules asked for on the command line. Raises `TextError`."""
    from dataclasses import replace

    from engine.odds.three_card import (
        AnteBonus,
        PairPlus,
        SixCardBonus,
        TableRules,
        parse_pay,
        parse_qualifying,
    )

    def optional_pay(text: str | None) -> int | None:
        return None if text is None else parse_pay(text, '"50"')

    return TableRules(
        bonus=replace(AnteBonus.parse(bonus), mini_royal=optional_pay(mini_royal_bonus)),
        pair_plus=replace(PairPlus.parse(pair_plus), mini_royal=optional_pay(mini_royal)),
        six_card=SixCardBonus.parse(six_card),
        qualifies=parse_qualifying(dealer_from),
    )


def seat_number(text: str, option: str) -> int:
    """The seat, or the number of seats, given for `option`; what no table has is refused."""
    from engine.odds.three_card import MOST_SEATS

    number = whole_number(text, option, "2")
    if not 1 <= number <= MOST_SEATS:
        raise refuse(f"a table has 1 to {MOST_SEATS} seats, not {number}. Example: {option} 2")
    return number


@odds_app.command("three-card")
def three_card(
    hand: Annotated[str | None, typer.Option(help='Your three cards, such as "Qs 6h 4d".')] = None,
    play_from: PlayFromOption = "best",
    bonus: BonusOption = "1/4/5",
    pair_plus: PairPlusOption = "40/30/6/4/1",
    six_card: SixCardOption = "1000/200/50/25/20/10/5",
    seat: Annotated[str, typer.Option(metavar="N", help="Your seat, 1 to 6.")] = "1",
    seen: Annotated[
        str | None, typer.Option(help='Cards seen in other hands, such as "Ah Kd 2c".')
    ] = None,
    seats: Annotated[
        str | None, typer.Option(metavar="N", help="Players at the table, 1 to 6.")
    ] = None,
    dealer_from: DealerOption = "queen",
    mini_royal: MiniRoyalOption = None,
    mini_royal_bonus: MiniRoyalBonusOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Three Card Poker: play or fold a hand, or the house edge.

    With --hand: whether to play it, and what every bet is worth. Without: the house edge.
    """
    with one_sentence():
        from engine.odds.three_card import house_edge, parse_line

        rules = table_rules(bonus, pair_plus, six_card, dealer_from, mini_royal, mini_royal_bonus)
        line = parse_line(play_from)
        if seen is not None and hand is None:
            raise refuse('--seen needs your own hand too. Example: --hand "Qs 6h 4d"')
        own = seat_number(seat, "--seat")
        at_table = None if seats is None else seat_number(seats, "--seats")
        if seen is not None and own == 1:
            raise refuse(
                "seat one sees no other hand, so --seen is for a later seat. Example: --seat 2"
            )
        if at_table is not None and own > at_table:
            raise refuse(f"there is no seat {own} among {at_table}. Example: --seats {own}")
        if hand is not None:
            _answer_hand(hand, seen, own, line, rules, as_json)
        else:
            _answer_house(house_edge(line, rules), own, at_table, as_json)


def _answer_hand(
    hand: str, seen: str | None, seat: int, line: PlayingLine, rules: TableRules, as_json: bool
) -> None:
    from bot.cli.reports.three_card_text import advice_lines
    from engine.odds.three_card import advice

    given = advice(hand, seen=seen, rules=rules, line=line)
    if as_json:
        typer.echo(json.dumps(advice_json(given, seat), indent=2))
        return
    typer.echo("\n".join(advice_lines(given)))
    if seat > 1 and seen is None:
        typer.echo("Without seeing other cards every seat is as good as the first.")


def advice_json(given: Advice, seat: int) -> dict[str, Any]:
    """The answer for one hand: chances, expected values per unit staked, and what each bet pays."""
    from dataclasses import asdict

    from bot.boards.three_card_hands import hand_name

    outcomes = asdict(given.outcomes)
    return {
        "hand": str(given.hand),
        "seat": seat,
        "seen": str(given.seen) if given.seen else None,
        "kind": given.category.key,
        "name": hand_name(given.category, given.ranks, given.mini_royal),
        "number": given.number,
        "weaker_hands": given.weaker,
        "equal_hands": given.equal,
        "decision": "play" if given.play else "fold",
        "expected_value_play": given.expected_value,
        "expected_value_fold": -1.0,
        "expected_value": max(given.expected_value, -1.0),
        "dealers": given.dealers,
        "outcomes": outcomes,
        "chances": {name: ways / given.dealers for name, ways in outcomes.items()},
        "ante_bonus": given.bonus,
        "pair_plus": given.pair_plus,
        "six_card": given.six_card,
        "expected_value_play_blind": given.blind_value,
        "decision_changed": given.changed,
        "play_from": given.line.name,
        "play_from_decision": "play" if given.line_plays else "fold",
    }


def _answer_house(edge: HouseEdge, seat: int, seats: int | None, as_json: bool) -> None:
    from bot.cli.reports.three_card_text import edge_lines, seat_two_lines, seats_lines
    from engine.odds.three_card import best_fold_line, seat_two, showdowns

    second = seat_two(showdowns(edge.rules.qualifies)) if seat == 2 else None
    if as_json:
        answer = edge_json(edge)
        if seats is not None:
            from engine.odds.three_card import blind_seats

            table = blind_seats(edge, seats)
            answer["seats"] = {"seats": seats, "deals": table.deals, "net": table.net}
        if second is not None:
            blind, seeing = second.expected_values(edge.rules.bonus)
            answer["seat_two"] = {
                "deals": second.deals,
                "expected_value_blind": blind,
                "expected_value_seeing": seeing,
                "decisions": second.decisions,
                "decisions_changed": second.changed,
            }
        typer.echo(json.dumps(answer, indent=2))
        return
    lines = edge_lines(edge, best_fold_line(edge.rules))
    if seats is not None or seat > 1:
        lines += ["", *seats_lines(edge, seats or seat)]
    if second is not None:
        lines += ["", *seat_two_lines(second, edge.rules.bonus)]
    typer.echo("\n".join(lines))


def edge_json(edge: HouseEdge) -> dict[str, Any]:
    """The answer without a hand; `play_from` names the line that the best play turns out to be."""
    from dataclasses import asdict

    from engine.odds.three_card import best_fold_line

    play_from = edge.line.name
    if edge.line.lowest is None:
        best = best_fold_line(edge.rules)
        play_from = best.name if best.hand_by_hand else play_from
    outcomes: dict[str, Any] = {
        category.key: asdict(ends) for category, ends in edge.outcomes.items()
    }
    return {
        "deals": edge.deals,
        "play_from": play_from,
        "outcomes": {**outcomes, "folded": edge.folded},
        "net": edge.net,
        "expected_value": edge.expected_value,
        "average_bet": edge.average_bet,
        "element_of_risk": edge.element_of_risk,
        "pair_plus": edge.pair_plus,
        "six_card": edge.six_card,
    }
