"""`bluffhouse analyze ...`: whole tables and charts.

For every game of bids, they show the chance of each kind of hand by the number of cards in
play, with every deck that the game can use. They include middle hands if the game may have
them, and the table of all answers if it has no jokers. Hold'em before the flop and Three
Card Poker are analysed too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from bot.cli.groups import GamesGroup
from bot.cli.odds_three_card import MOST_SEATS, table_options, table_rules
from bot.cli.output import (
    ProgressBar,
    one_sentence,
    paragraph,
    quote_input,
    refuse,
    refuse_file,
    write_file,
    write_lines,
)
from bot.cli.parameters import OutFile, WholeNumber
from engine.cards import DeckSpec
from engine.ruleset import FEWEST_PLAYERS, Ruleset, Variant
from engine.variants import ruleset

if TYPE_CHECKING:
    from bot.cli.reports.kind_tables import KindTable
    from engine.bids import Kind
    from engine.odds import BidTable, Estimate

PLAYERS: Final = 6
MIDDLE_HANDS: Final = 1


@dataclass(frozen=True, slots=True)
class Order:
    """The options of one `analyze` command, named as on the command line."""

    csv: Path | None
    chart: Path | None
    samples: int | None
    seed: int
    players: int | None
    min: int | None
    max: int | None
    middle_hands: int | None = None
    answers: Path | None = None
    holding: int = 0


def of_game(variant: Variant) -> click.Command:
    """Return the command `analyze <game>`, with the options that apply to its decks and rules."""

    def answer(**given: Any) -> None:
        _answer(variant, Order(**given))

    about = f"How likely each kind of hand is in {variant.title}."
    return click.Command(
        variant.short,
        callback=answer,
        params=_parameters(variant),
        help=f"{about}\n\nFor every number of cards in play, and every deck it can be played with.",
    )


def _parameters(variant: Variant) -> list[click.Parameter]:
    rules = ruleset(variant.key)
    players = min(PLAYERS, rules.most_players)

    def whole(name: str, example: int, about: str, default: int | None = None) -> click.Option:
        return click.Option([f"--{name}"], type=WholeNumber(example), default=default, help=about)

    chart = OutFile("odds.png", drawn=True)
    parameters: list[click.Parameter] = [
        click.Option(["--csv"], type=OutFile("odds.csv"), help="Write the table as CSV."),
        click.Option(["--chart"], type=chart, help="Draw the table as a chart."),
        whole("samples", 10_000, "Also sample N deals for each number of cards."),
        whole("seed", 7, "Which random deals are sampled.", 0),
        whole("players", players, f"Players at the start ({players})."),
    ]
    if _middle_hands(variant):
        about = f"Extra hands dealt face down ({MIDDLE_HANDS})."
        parameters.append(whole("middle-hands", 1, about))
    parameters += [
        whole("min", 6, "The fewest cards in play."),
        whole("max", 35, "The most cards in play."),
    ]
    if not rules.deck.jokers:  # with jokers, no such table exists
        about = f"Write how often each {rules.terms.noun} is true, for all cards known and in play."
        held = _most_held(rules)
        parameters += [
            click.Option(["--answers"], type=OutFile("odds.npy"), help=about),
            whole("holding", held, "The most known cards in --answers.", held),
        ]
    return parameters


def _middle_hands(variant: Variant) -> int:
    """Return the default number of middle hands; 0 if the game never has one."""
    return MIDDLE_HANDS if any(rules.middle_hand for rules in _rulesets(variant)) else 0


def _most_held(rules: Ruleset) -> int:
    return max(rules.card_limits[FEWEST_PLAYERS:])


def _rulesets(variant: Variant) -> Iterator[Ruleset]:
    """Yield the game's default rules, then the rules for each change of a single option."""
    yield ruleset(variant.key)
    for option in variant.options:
        for choice in option.choices[1:]:
            yield ruleset(variant.key, {option.key: choice.value})


def _answer(variant: Variant, order: Order) -> None:
    usual = ruleset(variant.key)
    largest = max(map(_most_held, _rulesets(variant)))
    if not 0 <= order.holding <= largest:
        raise refuse(
            f"a holding has 0 to {largest} cards, not {order.holding}. Example: {_most_held(usual)}"
        )
    every = None if order.answers is None else _table_of_answers(usual)
    by_deck: dict[DeckSpec, Ruleset] = {}  # every deck that the game can use, the usual one first
    for rules in _rulesets(variant):
        by_deck.setdefault(rules.deck, rules)
    decks = tuple(by_deck.values())
    kinds = max((rules.ladder.kinds for rules in decks), key=len)
    _analyze(order, decks, kinds, _middle_hands(variant))
    _judge_claims(decks, kinds)
    if order.answers is not None and every is not None:
        _write_answers(order.answers, every, order.holding, usual.terms.plural)


def _judge_claims(decks: Sequence[Ruleset], kinds: Sequence[Kind]) -> None:
    """If the published claims are about these decks, print whether they fit the exact figures."""
    from bot.cli.reports.kind_tables import ARTICLE, speak_of, verdict_lines

    if speak_of([rules.deck for rules in decks], kinds):
        exact = [_table(rules, kinds, ARTICLE) for rules in decks]
        click.echo("\n" + "\n".join(verdict_lines(exact)))


def _table_of_answers(rules: Ruleset) -> BidTable:
    from engine.odds import bid_table

    with one_sentence():
        return bid_table(rules)


def _write_answers(file: Path, table: BidTable, most_held: int, plural: str) -> None:
    """Write the table of exact counts: bids × holdings × numbers in play, as 32-bit integers.

    If the file can't be written, end the command.
    """
    import numpy as np

    from engine.odds import holdings

    known = holdings(table.deck, most_held)
    bids, numbers = table.bids, table.deck.size + 1
    try:
        answers = np.lib.format.open_memmap(file, "w+", np.int32, (bids, known.size, numbers))
        # if the disk is full, writing to the map would kill the process with a signal
        if hasattr(os, "posix_fallocate"):
            with file.open("rb+") as opened_file:
                os.posix_fallocate(opened_file.fileno(), 0, file.stat().st_size)
        with closing(ProgressBar(plural)) as bar:
            for number in range(bids):
                table.ways_of_bid(number, known, np.asarray(answers[number]))
                bar(number + 1, bids)
        answers.flush()
    except OSError as error:
        raise refuse_file(file, error, "odds") from None
    click.echo(
        paragraph(
            f"Wrote {file}: {bids} {plural} × {known.size:,} holdings × "
            f"0 to {numbers - 1} in play, from {table.nbytes:,} bytes of tables",
            hanging="  ",
        )
    )


def _analyze(
    order: Order, decks: Sequence[Ruleset], kinds: Sequence[Kind], middle_hands: int
) -> None:
    """Print the chances of each kind of hand; sample, and write CSV and chart, as `order` says."""
    from bot.cli.reports.kind_tables import csv_lines, largest_deviation, table_lines

    numbers = _numbers(order, decks, middle_hands)
    sampled = _sample_decks(order, decks, numbers)
    tables = [
        _table(rules, kinds, numbers, estimates)
        for rules, estimates in zip(decks, sampled, strict=True)
    ]
    click.echo("\n\n".join("\n".join(table_lines(table)) for table in tables))
    if order.samples is not None:
        worst, figures = largest_deviation(tables)
        click.echo(
            f"\nLargest deviation: {worst:.2f} standard errors over {figures} sampled figures."
        )
    if order.csv is not None:
        write_lines(order.csv, csv_lines(tables))
    if order.chart is not None:
        from bot.cli.reports.kind_chart import kind_chart

        write_file(order.chart, kind_chart(decks[0].title, tables))


def _table(
    rules: Ruleset,
    kinds: Sequence[Kind],
    numbers: range,
    sampled: dict[int, dict[Kind, Estimate]] | None = None,
) -> KindTable:
    from bot.cli.reports.kind_tables import KindTable
    from engine.odds import kind_table

    return KindTable(rules.deck.size, kind_table(kinds, rules.deck, numbers), sampled or {})


def _sample_decks(
    order: Order, decks: Sequence[Ruleset], numbers: range
) -> list[dict[int, dict[Kind, Estimate]]]:
    if order.samples is None:
        return [{} for _ in decks]
    from engine.odds import Trial, sample_kinds

    with one_sentence():
        trial = Trial(order.samples, order.seed, os.cpu_count() or 1)
    estimates: list[dict[int, dict[Kind, Estimate]]] = [{} for _ in decks]
    cells = [(index, in_play) for index in range(len(decks)) for in_play in numbers]
    with closing(ProgressBar("deals")) as bar:
        for sampled_cells, (index, in_play) in enumerate(cells, 1):
            estimates[index][in_play] = sample_kinds(decks[index], in_play, trial)
            bar(sampled_cells * order.samples, len(cells) * order.samples)
    return estimates


def _numbers(order: Order, decks: Sequence[Ruleset], middle_hands: int) -> range:
    """Return which numbers of cards in play to analyze, from the options.

    Options that contradict each other or don't fit the decks end the command.
    """
    by_players = order.players is not None or order.middle_hands is not None
    if by_players and (order.min is not None or order.max is not None):
        raise refuse(
            "give either the number of players or the numbers of cards. Example: --players 6, or"
            " --min 6 --max 35"
        )
    rules = decks[0]
    usual = min(PLAYERS, rules.most_players)
    players = usual if order.players is None else order.players
    middle_hands = middle_hands if order.middle_hands is None else order.middle_hands
    if not FEWEST_PLAYERS <= players <= rules.most_players:
        raise refuse(
            f"{FEWEST_PLAYERS} to {rules.most_players} can play, not {players}. "
            f"Example: --players {usual}"
        )
    if not 0 <= middle_hands <= 9:
        raise refuse(f"0 to 9 middle hands, not {middle_hands}. Example: --middle-hands 1")
    start = rules.starting_cards[players]
    fewest = (2 + middle_hands) * start  # two players are left who never lost a round
    most = max(
        (live + middle_hands) * rules.card_limit(live, players) for live in range(2, players + 1)
    )
    if order.min is not None:
        fewest = order.min
    if order.max is not None:
        most = order.max
    smallest = min(rules.deck.size for rules in decks)
    if most > smallest and order.max is None:
        raise refuse(
            f"{most} cards can be in play with {players} players and --middle-hands "
            f"{middle_hands}, but a deck has {smallest}. Example: --players {usual}"
        )
    if not 1 <= fewest <= most <= smallest:
        raise refuse(
            f"{fewest} to {most} cards in play do not fit 1 to {smallest}. "
            f"Example: --min 6 --max {min(35, smallest)}"
        )
    return range(fewest, most + 1)


@click.command("preflop")
@click.option("--hand", metavar="KIND", help="One kind of hand, such as AKs, against all others.")
@click.option("--csv", type=OutFile("preflop.csv"), help="Write all 169 × 169 to this file.")
@click.option("--chart", type=OutFile("preflop.png"), help="Draw all 169 × 169 into this file.")
def preflop(hand: str | None, csv: Path | None, chart: Path | None) -> None:
    """Hold'em before the flop: 169 kinds of hands, each against each.

    Exact over all suits and boards. Shows each kind's share of the pot against a random hand or,
    with --hand, one kind's share against each kind; --csv and --chart have every pair of kinds.
    """
    with one_sentence():
        from bot.cli.reports.showdown_looks import against_each, against_random, csv_lines
        from engine.odds.showdown.preflop import kind_matchups, matchups_of_kind

        if hand is None:
            click.echo(against_random(kind_matchups()))
        else:
            kind = _kind(hand)
            click.echo(against_each(kind, matchups_of_kind(kind)))
        if csv is not None:
            write_lines(csv, csv_lines(kind_matchups()))
        if chart is not None:
            from bot.pictures.charts import matchup_map_png

            every = kind_matchups()
            labels = list(dict.fromkeys(row for row, _ in every))
            shares = [[float(every[row, column].value) for column in labels] for row in labels]
            write_file(chart, matchup_map_png(labels, shares))


def _kind(typed: str) -> str:
    """Return the label of the typed kind of hand, with its ranks in either order, or refuse it."""
    from engine.odds.showdown.range_terms import ORDERS

    normal = typed.strip().lower().replace("10", "t")
    ranks, suits = normal[:2].upper(), normal[2:]
    for label in (ranks + suits, ranks[::-1] + suits):
        if label in ORDERS["holdem"]:
            return label
    raise refuse(
        f"{quote_input(typed)} isn't one of the 169 starting hands. Example: --hand AKs, TT or 72o"
    )


@click.command("three-card")
@table_options
@click.option(
    "--seat",
    type=WholeNumber(2, 1, 2),
    metavar="1|2",
    default=1,
    help="2 adds what seeing seat one's cards is worth.",
)
@click.option(
    "--seats", type=WholeNumber(2, 1, MOST_SEATS), default=6, help="Players at the table, 1 to 6."
)
@click.option("--chart", type=OutFile("edge.png", drawn=True), help="Draw what each hand is worth.")
def three_card(play_from: str, seat: int, seats: int, chart: Path | None, **table: Any) -> None:
    """Three Card Poker in full: outcomes, pay tables and seats.

    It also shows which hands to fold; --chart draws what each hand is worth.
    """
    with one_sentence():
        from bot.cli.reports import three_card_text as words
        from engine.odds import three_card as odds

        rules = table_rules(**table)
        line = odds.parse_line(play_from)
        edge = odds.house_edge(line, rules)
        best = odds.best_fold_line(rules)
        lines = [
            *_section("Ante and play", words.edge_lines(edge, best)),
            *_section("Seventeen outcomes", words.seventeen_lines(edge)),
            *_section("Where to fold", words.fold_line_lines(best, edge.deals)),
            *_section("Pay tables", words.survey_lines(odds.survey(line, rules))),
            *_section("Seats", words.seats_lines(edge, seats)),
        ]
        if seat == 2:
            second = odds.seat_two(odds.showdowns(rules.qualifies))
            lines += _section("Sitting second", words.seat_two_lines(second, rules.bonus))
        click.echo("\n".join(lines).rstrip())
        if chart is not None:
            from bot.cli.reports.three_card_chart import three_card_png

            write_file(chart, three_card_png(rules))


def _section(title: str, lines: list[str]) -> list[str]:
    return [title, "=" * len(title), *lines, ""]


analyze: Final = GamesGroup(
    "analyze",
    of_game=of_game,
    homes={"preflop": "analyze.preflop", "three-card": "analyze.three_card"},
    help="Full tables and charts: the analyses behind the odds.",
)
