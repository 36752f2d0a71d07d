"""`bluffhouse analyze three-card`: the full report and the chart."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.cli import analyze_app
from bot.cli.failing import one_sentence, refuse, shown
from bot.cli.files import check_drawn, check_file, write_file
from bot.cli.odds_three_card import (
    BonusOption,
    DealerOption,
    MiniRoyalBonusOption,
    MiniRoyalOption,
    PairPlusOption,
    PlayFromOption,
    SixCardOption,
    seat_number,
    table_rules,
)


@analyze_app.command("three-card")
def three_card(
    play_from: PlayFromOption = "best",
    bonus: BonusOption = "1/4/5",
    pair_plus: PairPlusOption = "40/30/6/4/1",
    six_card: SixCardOption = "1000/200/50/25/20/10/5",
    seat: Annotated[
        str,
        typer.Option(metavar="1|2", help="2 adds what seeing seat one's cards is worth."),
    ] = "1",
    seats: Annotated[str, typer.Option(metavar="N", help="Players at the table, 1 to 6.")] = "6",
    dealer_from: DealerOption = "queen",
    mini_royal: MiniRoyalOption = None,
    mini_royal_bonus: MiniRoyalBonusOption = None,
    chart: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="Draw what each hand is worth.")
    ] = None,
) -> None:
    """Three Card Poker in full: outcomes, pay tables and seats.

    Also where the line between folding and playing lies, and a chart of it.
    """
    with one_sentence():
        from bot.cli.reports import three_card_text as words
        from engine.odds import three_card as odds

        rules = table_rules(bonus, pair_plus, six_card, dealer_from, mini_royal, mini_royal_bonus)
        line = odds.parse_line(play_from)
        if seat not in ("1", "2"):
            raise refuse(f"the report is for seat 1 or 2, not {shown(seat)}. Example: --seat 2")
        at_table = seat_number(seats, "--seats")
        check_file(chart, ".png", "edge")
        check_drawn(chart)
        edge = odds.house_edge(line, rules)
        best = odds.best_fold_line(rules)
        lines = [
            *_section("Ante and play", words.edge_lines(edge, best)),
            *_section("Seventeen outcomes", words.seventeen_lines(edge)),
            *_section("Where to fold", words.fold_line_lines(best, edge.deals)),
            *_section("Pay tables", words.survey_lines(odds.survey(line, rules))),
            *_section("Seats", words.seats_lines(edge, at_table)),
        ]
        if seat == "2":
            second = odds.seat_two(odds.showdowns(rules.qualifies))
            lines += _section("Sitting second", words.seat_two_lines(second, rules.bonus))
        typer.echo("\n".join(lines).rstrip())
        if chart is not None:
            from bot.cli.reports.three_card_chart import three_card_png

            write_file(chart, three_card_png(rules))


def _section(title: str, lines: list[str]) -> list[str]:
    return [title, "=" * len(title), *lines, ""]
