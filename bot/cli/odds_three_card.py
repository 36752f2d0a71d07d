"""`bluffhouse odds three-card`: one hand's advice, or the house edge."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from bot.cli.output import one_sentence, refuse
from bot.cli.parameters import WholeNumber

if TYPE_CHECKING:
    from engine.odds.three_card import HouseEdge, PlayingLine, TableRules, ThreeCardAdvice

MOST_SEATS: Final = 6  # the same as in the engine, which is not imported for help
_OF_THE_TABLE: Final = (
    click.option(
        "--play-from",
        metavar="HAND",
        default="best",
        help="The lowest hand to play, such as Q64 or K32; or always, queen, best.",
    ),
    click.option(
        "--bonus",
        metavar="A/B/C",
        default="1/4/5",
        help="Ante bonus for straight/three/straight flush.",
    ),
    click.option(
        "--pair-plus",
        metavar="A/B/C/D/E",
        default="40/30/6/4/1",
        help="Pair Plus for straight flush/three/straight/flush/pair.",
    ),
    click.option(
        "--six-card",
        metavar="A/B/.../G",
        default="1000/200/50/25/20/10/5",
        help="Six-card bonus for royal/straight flush/four/full house/flush/straight/three.",
    ),
    click.option(
        "--dealer-from",
        metavar="HAND",
        default="queen",
        help="The dealer qualifies with this or better: queen, J32, always.",
    ),
    click.option("--mini-royal", metavar="N", help="What Pair Plus pays for A-K-Q of one suit."),
    click.option("--mini-royal-bonus", metavar="N", help="Ante bonus for A-K-Q of one suit."),
)


def table_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add to a command the options that `table_rules` takes, and --play-from."""
    for option in reversed(_OF_THE_TABLE):
        command = option(command)
    return command


def table_rules(
    bonus: str,
    pair_plus: str,
    six_card: str,
    dealer_from: str,
    mini_royal: str | None,
    mini_royal_bonus: str | None,
) -> TableRules:
    """Return the rules chosen on the command line.

    Raises `TextError` if one of the texts can't be read.
    """
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


@click.command("three-card")
@click.option("--hand", metavar="CARDS", help='Your three cards, such as "Qs 6h 4d" or Q64.')
@click.option("--seat", type=WholeNumber(2, 1, MOST_SEATS), default=1, help="Your seat, 1 to 6.")
@click.option("--seen", metavar="CARDS", help='Cards seen in other hands, such as "Ah Kd 2c".')
@click.option("--seats", type=WholeNumber(2, 1, MOST_SEATS), help="Players at the table, 1 to 6.")
@table_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def three_card(
    hand: str | None,
    seat: int,
    seen: str | None,
    seats: int | None,
    play_from: str,
    as_json: bool,
    **table: Any,
) -> None:
    """Three Card Poker: play or fold a hand, or the house edge.

    With --hand: whether to play it, and what every bet is worth. Without: the house edge.
    """
    with one_sentence():
        from engine.odds.three_card import house_edge, parse_line

        rules = table_rules(**table)
        line = parse_line(play_from)
        if seen is not None and hand is None:
            raise refuse('--seen needs your own hand too. Example: --hand "Qs 6h 4d"')
        if seen is not None and seat == 1:
            raise refuse(
                "seat one sees no other hands, so --seen needs a later seat. Example: --seat 2"
            )
        if seats is not None and seat > seats:
            raise refuse(f"there is no seat {seat} among {seats}. Example: --seats {seat}")
        if hand is not None:
            _answer_hand(hand, seen, seat, line, rules, as_json)
        else:
            _answer_house(house_edge(line, rules), seat, seats, as_json)


def _answer_hand(
    hand: str, seen: str | None, seat: int, line: PlayingLine, rules: TableRules, as_json: bool
) -> None:
    from bot.boards.three_card_odds import SUITS_NOT_TYPED, TypedHand
    from bot.cli.reports.three_card_text import advice_lines
    from engine.odds.three_card import advice

    typed = TypedHand.parse(hand, seen or "")
    hand_advice = advice(
        typed.cards, seen=None if seen is None else typed.seen_cards, rules=rules, line=line
    )
    if as_json:
        document = advice_json(hand_advice, seat)
        click.echo(
            json.dumps(
                document if typed.suits_typed else document | {"suits_typed": False}, indent=2
            )
        )
        return
    click.echo("\n".join(advice_lines(hand_advice)))
    if not typed.suits_typed:
        click.echo(SUITS_NOT_TYPED)
    if seat > 1 and seen is None:
        click.echo("If you see no other cards, every seat is as good as the first.")


def advice_json(hand_advice: ThreeCardAdvice, seat: int) -> dict[str, Any]:
    """Return the answer for one hand as JSON values.

    The expected values of playing and folding are in antes; the value of the six-card bonus is per
    unit staked. The ante bonus and Pair Plus are payouts to 1; −1 means that Pair Plus loses.
    """
    from dataclasses import asdict

    from bot.boards.three_card_odds import hand_name

    outcomes = asdict(hand_advice.outcomes)
    return {
        "hand": str(hand_advice.hand),
        "seat": seat,
        "seen": str(hand_advice.seen_cards) if hand_advice.seen_cards else None,
        "kind": hand_advice.category.key,
        "name": hand_name(hand_advice.category, hand_advice.ranks, hand_advice.mini_royal),
        "number": hand_advice.number,
        "weaker_hands": hand_advice.weaker,
        "equal_hands": hand_advice.equal,
        "decision": "play" if hand_advice.play else "fold",
        "expected_value_play": hand_advice.expected_value,
        "expected_value_fold": -1.0,
        "expected_value": max(hand_advice.expected_value, -1.0),
        "dealers": hand_advice.dealers,
        "outcomes": outcomes,
        "chances": {name: ways / hand_advice.dealers for name, ways in outcomes.items()},
        "ante_bonus": hand_advice.bonus,
        "pair_plus": hand_advice.pair_plus,
        "six_card": hand_advice.six_card,
        "expected_value_play_blind": hand_advice.blind_value,
        "decision_changed": hand_advice.sight_matters,
        "play_from": hand_advice.line.name,
        "play_from_decision": "play" if hand_advice.line_plays else "fold",
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
        click.echo(json.dumps(answer, indent=2))
        return
    lines = edge_lines(edge, best_fold_line(edge.rules))
    if seats is not None or seat > 1:
        lines += ["", *seats_lines(edge, seats or seat)]
    if second is not None:
        lines += ["", *seat_two_lines(second, edge.rules.bonus)]
    click.echo("\n".join(lines))


def edge_json(edge: HouseEdge) -> dict[str, Any]:
    """Return the house edge as JSON values; `play_from` names the weakest hand to play.

    `play_from` is "best" if each hand is decided for itself and no single weakest hand gives the
    same decisions.
    """
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
