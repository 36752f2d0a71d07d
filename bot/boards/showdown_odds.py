"""Boards that answer `/odds showdown`, in pictures and words.

They show who wins how often, how a range hits the board, and equity curves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bot.boards.board import Block, Board, ChartPicture, Text
from bot.boards.showdown_words import (
    GAME_NAMES,
    CloseLook,
    Look,
    how_counted,
    how_exact,
    outs_text,
    range_kinds,
    range_size,
)
from bot.language.card_marks import mark_cards
from bot.language.catalogues import ENGLISH, N_, figure, spoken, tr, trn
from bot.language.words import (
    TypedText,
    cards_text,
    kind_label,
    mention,
    percent,
    short_kind,
    together,
)
from bot.pictures.charts import Bar, BarChart, Cell, Chart, CurveChart, HeatMap, HitChart, HitRow
from bot.pictures.palette import GREEN, GREY
from engine.bids import Kind
from engine.cards import Card, Cards, Rank, Suit
from engine.odds import (
    Draw,
    EquityCurve,
    HandRank,
    Hits,
    Made,
    PlayerOdds,
    Range,
    Scenario,
    Showdown,
    game_of,
)
from engine.odds.showdown.each_hand import GridCell, has_curve, has_grid
from engine.odds.showdown.hits import has_hits, open_seats
from engine.odds.showdown.next_card import NextCard, has_next_card, outs
from engine.odds.showdown.pots import Winnings
from engine.odds.showdown.ranking import BADUGI_KINDS
from engine.odds.showdown.strength import top_share

_ON_A_PHONE: Final = 32  # characters in a line of a table
_COLUMN: Final = 7
_MOST_TEXT: Final = 3900  # Discord allows 4,000 characters in all texts of a message
# long ranges are cut so that the lines of a full table stay within that limit
_LINES_ROOM: Final = 1400
_MEANT_ROOM: Final = 700
_NAMES_ROOM: Final = 500
_FOOTER: Final = 100
_NAME_ROOM: Final = 20
_MENTION: Final = re.compile(r"<@!?(\d{1,20})>")
_LEAST_ROOM: Final = 12
_SOME_ROOM: Final = 24
_CONDITION_ROOM: Final = 120
_AGAINST_EACH: Final = N_(
    "{who} is the favourite against {ahead} of {every} hands. Best against {best} ({most}), worst"
    " against {worst} ({least})."
)
_OF_EACH: Final = N_(
    "{who} is the favourite with {ahead} of {every} hands. Best with {best} ({most}), worst with"
    " {worst} ({least})."
)
_TOO_MANY: Final = N_("-# Too many players to list their final hands. Ask about fewer.")
_TITLE_ROOM: Final = 80  # characters in a picture's title: two lines
MOST_HITS: Final = 3  # ranges in one message whose hits are shown
# groups of classes of hands that share a colour, each with its weakest class, from the strongest
_GROUPS: Final = (
    (N_("two pair and better"), Made.TWO_PAIR),
    (N_("overpair, top pair"), Made.TOP_PAIR_WEAK),
    (N_("weaker pairs"), Made.LOW_PAIR),
    (N_("no pair"), Made.AIR),
)
_AGAINST: Final = N_(
    "{who} gets half of the pot or more against {half} of hands, and at least {middle} against"
    " half of them."
)
_WITH_OWN: Final = N_(
    "{who} gets half of the pot or more with {half} of hands, and at least {middle} with half of"
    " them."
)
_CLASSES: Final = tuple(Made)


def game_name(scenario: Scenario) -> str:
    """Return the name of the scenario's game, with its wild cards and jokers if it has any."""
    rules = scenario.rules
    key = game_of(rules.tame, len(scenario.players), len(scenario.dead))
    name = tr(GAME_NAMES.get(key or "", N_("Poker")))
    if not rules.five_possible:
        return name
    wild = [cards_text(rules.wild)] if rules.wild else []
    wild += [trn("{number} joker", "{number} jokers", rules.jokers)] if rules.jokers else []
    return tr("{game}, wild: {cards}", game=name, cards=", ".join(wild))


def showdown_board(answer: Showdown, *, hands_too: bool = False) -> Board:
    """Return every player's share of the pot as a chart, and the rest of the answer in words.

    `hands_too` adds the hands that players make, or a line if a message has no room for them. It
    adds nothing for two boards or several pots (`is_joint`). An answer that only tells how likely
    its condition is (`only_hits`) has no chart.
    """
    scenario = answer.scenario
    head = Text("\n".join(filter(None, [f"## {game_name(scenario)}", *_known(answer)])))
    if answer.only_hits:
        return Board(GREEN, (head,), footer=f"-# {how_exact(answer)}")
    ties = any(player.tie for player in answer.players)
    chart = BarChart(
        tr("Pot share"),
        (tr("lighter: split pots") if scenario.has_halves else tr("lighter: ties"))
        if ties
        else tr("no ties"),
        tuple(_bars(answer)),
    )
    texts = [head]
    lines = []
    for number, player in _numbered_players(answer):
        room = _MEANT_ROOM // len(answer.players)
        lines += [_line(number, player, answer), _range_reading(player.held, room)]
    if (share := top_share(scenario)) is not None:
        lines.append(
            tr("Among the top {share} of hands against one random hand", share=_share(float(share)))
        )
    if any(lines):
        texts.append(Text("\n".join(filter(None, lines))))
    if answer.pots is not None:
        texts.append(Text(_pots_text(answer, answer.pots)))
    if scenario.condition is None and not scenario.is_joint and (ahead := _outs(answer)):
        texts.append(Text(ahead))
    if hands_too and not scenario.is_joint:
        tables = Text(_tables(answer))
        length = sum(len(text.markdown) for text in (*texts, tables))
        texts.append(tables if length <= _MOST_TEXT - _FOOTER else Text(tr(_TOO_MANY)))
    blocks: tuple[Block, ...] = (texts[0], ChartPicture.of(chart), *texts[1:])
    return Board(GREEN, blocks, footer=f"-# {how_exact(answer)}")


def _known(answer: Showdown) -> list[str]:
    """Return lines about the known cards, and about the condition's chance if there is one."""
    lines = [f"-# {known_cards_text(answer.scenario)}"]
    if answer.condition is not None:
        if answer.only_hits:
            lines.append(f"**P1 {holding_text(answer.scenario, 0)}**")
        share, condition = (
            answer.condition.probability,
            TypedText(answer.condition.text, _CONDITION_ROOM),
        )
        lines.append(
            tr('{share} of deals fit "{condition}"', share=_share(share), condition=condition)
            if answer.only_hits
            else tr(
                'Counted: only deals that fit "{condition}", {share} of all',
                share=_share(share),
                condition=condition,
            )
        )
    return lines


def ranks_board(answer: Showdown) -> Board:
    """Return how often each player makes each hand, in percent.

    If the answer doesn't count hands, return the board of `showdown_board` instead.
    """
    if answer.only_hits or answer.scenario.is_joint:  # no kinds of hands are counted
        return showdown_board(answer)
    players = _numbered_players(answer)
    room = _NAMES_ROOM // len(players)
    names = "\n".join(f"-# P{number}: {_cards(player, room)}" for number, player in players)
    blocks: tuple[Block, ...] = (
        Text(f"**{tr('Final hands, in %')}** · {game_name(answer.scenario)}\n{names}"),
        Text(_tables(answer)),
    )
    return Board(GREY, blocks, footer=f"-# {how_counted(answer)}")


def known_cards_text(scenario: Scenario) -> str:
    """Return a line about the board, the dead cards and the draws left.

    If there is nothing to say, the line is "preflop", or "no dead cards" in a game without a board.
    """
    parts = []
    if scenario.second is not None and scenario.second != scenario.board:
        first, second = mark_cards(scenario.board), mark_cards(scenario.second)
        parts.append(tr("boards {first} and {second}", first=first, second=second))
    elif scenario.board:
        parts.append(tr("board {cards}", cards=mark_cards(scenario.board)))
    if scenario.second is not None and scenario.second == scenario.board:
        parts.append(tr("run twice"))
    if scenario.dead:
        parts.append(tr("dead {cards}", cards=mark_cards(scenario.dead)))
    if scenario.drawing is not None:
        parts.append(trn("{number} draw left", "{number} draws left", scenario.drawing.draws))
        parts += [
            tr("{who} keeps cards up to {rank}", who=f"P{seat + 1}", rank=limit.replace("T", "10"))
            for seat in range(len(scenario.players))
            if (limit := scenario.limit(seat))
        ]
    if scenario.condition is not None and scenario.rules.public and not scenario.board:
        parts.insert(0, tr("any board"))  # the condition may be about the flop's ranks
    none = tr("preflop") if scenario.rules.public else tr("no dead cards")
    return " · ".join(parts) or none


@dataclass(frozen=True, slots=True)
class ShowdownPlayer:
    """A player in an answer: their cards or range, and their odds."""

    held: Cards | Range
    odds: PlayerOdds
    name: str = ""


def _numbered_players(answer: Showdown) -> list[tuple[int, ShowdownPlayer]]:
    seated = zip(answer.scenario.players, answer.players, strict=True)
    return [
        (seat + 1, ShowdownPlayer(held, odds, answer.scenario.name(seat)))
        for seat, (held, odds) in enumerate(seated)
    ]


def _seat(number: int, player: ShowdownPlayer) -> str:
    """Return a player's number, and their name from the question, for a message."""
    mentioned = _MENTION.fullmatch(player.name)
    name = mention(int(mentioned[1])) if mentioned else str(TypedText(player.name, _NAME_ROOM))
    return f"P{number} {name} ·" if name else f"P{number}"


def _drawn_seat(number: int, player: ShowdownPlayer) -> str:
    """Return a player's number and name for a picture, which can't contain mentions."""
    name = (
        "" if _MENTION.fullmatch(player.name) else TypedText(player.name, _NAME_ROOM).visible_text
    )
    return f"P{number} {name} ·" if name else f"P{number}"


def _cards(player: ShowdownPlayer, room: int) -> TypedText:
    """Return cards as people read them, or a range as typed, cut to `room` characters.

    A `room` below `_LEAST_ROOM` counts as `_LEAST_ROOM`.
    """
    return TypedText(_held_text(player.held), max(room, _LEAST_ROOM))


def _held_text(held: Cards | Range) -> str:
    if isinstance(held, Range):
        return " ".join(held.text.split())
    return cards_text(held) if held else tr("unknown")


def _bars(answer: Showdown) -> list[Bar]:
    room = _LINES_ROOM // len(answer.players)
    return [
        Bar(
            f"{_drawn_seat(number, player)} {_cards(player, room).visible_text}",
            float(player.odds.value),
            _wins(player.odds, answer),
            # the difference of nearly equal floats may be just below zero
            shared=max(0.0, float(player.odds.value) - player.odds.win / answer.deals),
        )
        for number, player in _numbered_players(answer)
    ]


def _wins(odds: PlayerOdds, answer: Showdown) -> str:
    """Return how often a player wins alone and how often they tie; empty if they never tie.

    If the pot is split in halves, return only how often they win the whole pot.
    """
    if not odds.tie:
        return ""
    wins = percent(odds.win / answer.deals)
    if odds.halves:
        return tr("scoops {share}", share=wins)
    return tr("wins {wins}, ties {ties}", wins=wins, ties=percent(odds.tie / answer.deals))


def _line(number: int, player: ShowdownPlayer, answer: Showdown) -> str:
    """Return a player's facts that the picture lacks, in one or two lines; may be empty."""
    deals, odds = answer.deals, player.odds
    room = _LINES_ROOM // len(answer.players)
    size = range_size(player.held) if isinstance(player.held, Range) else ""
    name = f"**{_seat(number, player)} {_cards(player, room)}**"
    if answer.scenario.second is not None:
        return tr(
            "{who}: scoops {scoops}, splits {splits}, loses {loses}",
            who=f"{name} ({size})" if size else name,
            scoops=_share(odds.win / deals),
            splits=_share(odds.tie / deals),
            loses=_share(odds.lose / deals),
        )
    if odds.halves is not None:
        text = tr(
            "{who}: best high {highs}, best low {lows}",
            who=f"{name} ({size})" if size else name,
            highs=_share(odds.halves.high / deals),
            lows=_share(odds.halves.low / deals),
        )
        if odds.halves.three_quarters or odds.halves.quartered:
            text += "\n-# " + tr(
                "wins three quarters {more}, gets quartered {less}",
                more=_share(odds.halves.three_quarters / deals),
                less=_share(odds.halves.quartered / deals),
            )
        return text
    if size:
        return f"-# {name}: {size}"
    if _MENTION.fullmatch(player.name):  # a picture can't contain mentions
        return tr("{who}: {share} of the pot", who=name, share=_share(float(odds.value)))
    return ""


def _pots_text(answer: Showdown, winnings: Winnings) -> str:
    """Return the pots, and what each player can expect of them."""
    stakes = answer.scenario.stakes
    assert stakes is not None
    lines = []
    for number, pot in enumerate(winnings.pots):
        shares = ", ".join(f"P{seat + 1} {_share(float(pot.shares[seat]))}" for seat in pot.seats)
        chips = figure(float(pot.chips), ",.10g")
        lines.append(
            tr("side pot of {chips}: {shares}", chips=chips, shares=shares)
            if number
            else tr("main pot of {chips}: {shares}", chips=chips, shares=shares)
        )
    if winnings.refund is not None:
        seat, back = winnings.refund
        chips = figure(float(back), ",.10g")
        lines.append(tr("{chips} go back to {who}", chips=chips, who=f"P{seat + 1}"))
    for seat, (bet, chips_back) in enumerate(zip(stakes.bets, winnings.chips, strict=True)):
        lines.append(
            tr(
                "**{who}** puts in {bet}, gets back {chips} on average",
                who=f"P{seat + 1}",
                bet=figure(float(bet), ",.10g"),
                chips=figure(float(chips_back), ",.2f"),
            )
        )
    for seat, (before, after) in enumerate(zip(winnings.before, winnings.after, strict=True)):
        lines.append(
            tr(
                "{who}: worth {before} before the hand, {after} after it",
                who=f"P{seat + 1}",
                before=figure(float(before), ",.3f"),
                after=figure(float(after), ",.3f"),
            )
        )
    return "\n".join(lines)


def _range_reading(held: Cards | Range, room: int) -> str:
    """Return how a range was understood, in small print; empty if its text says the same."""
    kinds = range_kinds(held) if isinstance(held, Range) else ""
    return f"-# = {TypedText(kinds, max(room, _LEAST_ROOM))}" if kinds else ""


def _outs(answer: Showdown) -> str:
    """Return who is ahead and each player's outs, a line each; empty if outs aren't computed."""
    all_outs = outs(answer.scenario)
    if all_outs is None:
        return ""
    lines = []
    for number, seat_outs in enumerate(all_outs, start=1):
        if seat_outs.ahead:
            lines.append(tr("**P{number}** is ahead", number=number))
        elif seat_outs.wins:
            total = trn("{number} out", "{number} outs", len(seat_outs.wins))
            cards = outs_text(seat_outs.wins)
            line = tr("**P{seat}** has {total}: {cards}", seat=number, total=total, cards=cards)
            lines.append(line)
        elif not seat_outs.ties:
            lines.append(tr("**P{number}** has no outs", number=number))
        if seat_outs.ties:
            cards = outs_text(seat_outs.ties)
            lines.append(tr("**P{number}** ties with {cards}", number=number, cards=cards))
    return "\n".join(lines)


def next_card_board(
    scenario: Scenario, cards: Sequence[NextCard], streets: Sequence[tuple[str, Showdown]] = ()
) -> Board:
    """Return a board on how each next card changes the pot shares.

    A grid shows the first player's shares. A line for each player has the share now, the share
    with the best card and the share with the worst card. `streets` are (name, answer) from
    before the flop up to now.
    """
    values = {entry.card: float(entry.values[0]) for entry in cards}
    grid = HeatMap(
        tr("{who} after the next card", who=f"P1 {holding_text(scenario, 0).visible_text}"),
        tr("pot share in %"),
        tuple(
            tuple(
                Cell(Card.of(rank, suit).symbol, values.get(Card.of(rank, suit)))
                for rank in reversed(Rank)
            )
            for suit in reversed(Suit)
        ),
        middle=1 / len(scenario.players),
    )
    weight, lines = sum(entry.deals for entry in cards), []
    for seat in range(len(scenario.players)):
        best = max(cards, key=lambda entry: entry.values[seat])
        worst = min(cards, key=lambda entry: entry.values[seat])
        now = sum(entry.values[seat] * entry.deals for entry in cards) / weight
        lines.append(
            tr(
                "**{who}**: {now} now, {best} with {best_card}, {worst} with {worst_card}",
                who=f"P{seat + 1} {holding_text(scenario, seat)}",
                now=_share(float(now)),
                best=_share(float(best.values[seat])),
                best_card=best.card.symbol,
                worst=_share(float(worst.values[seat])),
                worst_card=worst.card.symbol,
            )
        )
    if streets:
        lines.append(tr("Pot share by street, from preflop:"))
    for seat in range(len(scenario.players)):
        shares = [_share(float(answer.players[seat].value)) for _, answer in streets]
        lines += [f"**P{seat + 1}** {' → '.join(shares)}"] if shares else []
    exact = all(entry.exact for entry in cards)
    footer = tr("exact count for every card") if exact else tr("sampled for every card")
    return _look_board(scenario, tr("After the next card"), lines, grid, footer)


def history_board(
    number: str, scenario: Scenario, streets: Sequence[tuple[str, Showdown]], among: int = 1
) -> Board:
    """Return every player's share of the pot on each street of a hand that was played.

    `streets` are (name, answer). `among`: how many hands the text had; the board shows only the
    first with a showdown.
    """
    lines = [f"**{tr('Hand {number}', number=number)}** · {game_name(scenario)}"]
    lines += [f"-# {known_cards_text(scenario)}", tr("Pot share by street, from preflop:")]
    for seat in range(len(scenario.players)):
        name = TypedText(scenario.name(seat), _NAME_ROOM)
        shares = [_share(float(answer.players[seat].value)) for _, answer in streets]
        held = holding_text(scenario, seat)
        lines.append(f"**P{seat + 1} {name} · {held}**\n{' → '.join(shares)}")
    if among > 1:
        lines.append(
            "-# "
            + tr("The first of {number} hands here that has a showdown.", number=figure(among, ","))
        )
    exact = all(answer.exact for _, answer in streets)
    footer = tr("exact count for every street") if exact else tr("some streets sampled")
    return Board(GREEN, (Text("\n".join(lines)),), footer=f"-# {footer}")


def _look_board(
    scenario: Scenario, title: str, lines: Sequence[str], chart: Chart, footer: str
) -> Board:
    """Return the board of a closer look: some lines, and a chart below them."""
    head = f"**{title}** · {game_name(scenario)}\n-# {known_cards_text(scenario)}"
    blocks = (Text("\n".join([head, *lines])), ChartPicture.of(chart))
    return Board(GREEN, blocks, footer=f"-# {footer}")


def hand_grid_board(scenario: Scenario, cells: Sequence[Sequence[GridCell]]) -> Board:
    """Return a grid of a known hand's pot share against each kind of hand.

    If no hand is known, the grid has the first player's share with each kind of hand.
    """
    whole = [len(cards) == 2 for cards in scenario.known]
    hero = whole.index(True) if any(whole) else 0
    holding = holding_text(scenario, hero)
    grid = HeatMap(
        tr("{who} against each hand", who=holding.visible_text)
        if any(whole)
        else tr("each hand of {who}", who=holding.visible_text),
        tr("pot share in %; pairs on the diagonal, suited above"),
        tuple(
            tuple(
                Cell(cell.label, None if cell.value is None else float(cell.value)) for cell in row
            )
            for row in cells
        ),
    )
    known = [cell for row in cells for cell in row if cell.value is not None]
    best = max(known, key=lambda cell: cell.value or 0)
    worst = min(known, key=lambda cell: cell.value or 0)
    ahead = sum(cell.hands for cell in known if cell.value is not None and 2 * cell.value > 1)
    every = sum(cell.hands for cell in known)
    line = tr(
        _AGAINST_EACH if any(whole) else _OF_EACH,
        who=holding,
        ahead=ahead,
        every=every,
        best=best.label,
        most=_share(float(best.value or 0)),
        worst=worst.label,
        least=_share(float(worst.value or 0)),
    )
    exact = all(cell.exact for cell in known)
    footer = tr("exact count for every hand") if exact else tr("some hands sampled")
    return _look_board(scenario, tr("Hand by hand"), [line], grid, footer)


def holding_text(scenario: Scenario, seat: int, room: int = _SOME_ROOM) -> TypedText:
    """Return a player's cards or range as text, in at most `room` characters."""
    return TypedText(_held_text(scenario.players[seat]), room)


def _tables(answer: Showdown) -> str:
    """Return tables of the hands made, each with as many players as fit in a phone's width."""
    players = _numbered_players(answer)
    names = {rank: _hand(rank, short=len(players) > 2) for rank in players[0][1].odds.ranks}
    label = max(map(len, names.values())) + 1
    many = (_ON_A_PHONE - label) // _COLUMN
    tables = [
        _ranks(players[at : at + many], answer.deals, names, label)
        for at in range(0, len(players), many)
    ]
    return "\n".join(f"```\n{table}\n```" for table in tables)


def _share(probability: float) -> str:
    return together(percent(probability))


def _ranks(
    players: list[tuple[int, ShowdownPlayer]], deals: int, names: dict[HandRank, str], label: int
) -> str:
    lines = [" " * label + "".join(f"{f'P{number}':>{_COLUMN}}" for number, _ in players)]
    for rank in players[0][1].odds.ranks:
        counts = [player.odds.ranks[rank] for _, player in players]
        if any(counts) or rank is not HandRank.FIVE:
            shares = "".join(f"{figure(100 * ways / deals, '.2f'):>{_COLUMN}}" for ways in counts)
            lines.append(f"{names[rank]:<{label}}{shares}")
    return "\n".join(lines)


def _hand(rank: HandRank, *, short: bool) -> str:
    """Return a kind of hand with a capital. If `short`, abbreviate it in English, except badugi."""
    if rank in BADUGI_KINDS:
        return tr(rank.label)
    if short and spoken().key == ENGLISH:
        return short_kind(rank.label)
    return kind_label(Kind(rank.value))


def working_board(scenario: Scenario) -> Board:
    """Return the board to show while a long answer is computed."""
    text = trn(
        "**{game}**, {number} player: dealing…",
        "**{game}**, {number} players: dealing…",
        len(scenario.players),
        game=game_name(scenario),
    )
    return Board(GREY, (Text(text),))


def close_looks(scenario: Scenario) -> tuple[CloseLook, ...]:
    """Return the closer looks to offer for a question, such as "Hand by hand"."""
    looks: list[CloseLook] = []
    if scenario.condition is not None or scenario.is_joint:
        return ()
    if has_next_card(scenario):
        looks.append(CloseLook(Look.NEXT_CARD, tr("Card by card")))
    if has_grid(scenario):
        looks.append(CloseLook(Look.EACH_HAND, tr("Hand by hand")))
    if has_hits(scenario) and seats_with_hits(scenario):
        looks.append(CloseLook(Look.HITS, tr("What it hits")))
    if has_curve(scenario):
        looks.append(CloseLook(Look.CURVE, tr("Equity curve")))
    return tuple(looks)


def seats_with_hits(scenario: Scenario) -> list[int]:
    """Return the seats for which to show hits, at most `MOST_HITS`.

    If several seats have equal ranges, return only the first of them.
    """
    seats: list[int] = []
    for seat in open_seats(scenario):
        if scenario.players[seat] not in [scenario.players[earlier] for earlier in seats]:
            seats.append(seat)
    return seats[:MOST_HITS]


def hits_board(scenario: Scenario, hits_by_seat: Sequence[tuple[int, Hits]]) -> Board:
    """Return the board of some players' made hands and draws, with a picture for each player."""
    blocks: list[Block] = [
        Text(f"**{tr('What it hits')}** · {game_name(scenario)}\n-# {known_cards_text(scenario)}")
    ]
    for seat, hits in hits_by_seat:
        blocks.append(ChartPicture.of(_hit_chart(scenario, seat, hits)))
    footer = tr("every possible hand counted")
    return Board(GREEN, tuple(blocks), footer=f"-# {footer}")


def _hit_chart(scenario: Scenario, seat: int, hits: Hits) -> HitChart:
    group_of = {
        made_class: next(
            number
            for number, (_, weakest) in enumerate(_GROUPS)
            if _CLASSES.index(made_class) <= _CLASSES.index(weakest)
        )
        for made_class in Made
    }
    shares = [Fraction(0)] * len(_GROUPS)
    for made_class, part in hits.made_hands.items():
        shares[group_of[made_class]] += part.share
    board = " ".join(card.symbol for card in scenario.in_order)
    hands = trn("{count} hand", "{count} hands", hits.hands, count=figure(hits.hands, ","))
    return HitChart(
        f"P{seat + 1} {holding_text(scenario, seat, _TITLE_ROOM).visible_text}",
        f"{board} · {hands}",
        tuple((tr(words), float(share)) for (words, _), share in zip(_GROUPS, shares, strict=True)),
        tuple(
            HitRow(
                tr(made_class.label),
                figure(part.hands, ","),
                float(part.share),
                group_of[made_class],
            )
            for made_class, part in hits.made_hands.items()
            if part.hands
        ),
        tr("and draws"),
        tuple(_draw_row(draw, hits) for draw in Draw if hits.draws[draw].hands),
    )


def _draw_row(draw: Draw, hits: Hits) -> HitRow:
    part = hits.draws[draw]
    return HitRow(tr(draw.label), figure(part.hands, ","), float(part.share))


def curve_board(scenario: Scenario, curve: EquityCurve) -> Board:
    """Return a chart of an equity curve, and a summary.

    For each share of the pot, the curve has the fraction of hands with at least that share. These
    are the player's own hands if the curve is `of_own_hands`, else the opponents'.
    """
    holding = holding_text(scenario, curve.seat)
    subtitle = (
        tr("pot share, by fraction of their own hands")
        if curve.of_own_hands
        else tr("pot share, by fraction of the hands they face")
    )
    chart = CurveChart(
        tr("Equity curve of {who}", who=f"P{curve.seat + 1} {holding.visible_text}"),
        subtitle,
        tuple((float(value), float(part)) for value, part in curve.points),
    )
    half = max((part for value, part in curve.points if 2 * value >= 1), default=Fraction(0))
    middle = curve.at(Fraction(1, 2))
    line = tr(
        _WITH_OWN if curve.of_own_hands else _AGAINST,
        who=f"P{curve.seat + 1} {holding}",
        half=_share(float(half)),
        middle=_share(float(middle)),
    )
    exact = tr("exact count for every hand")
    return _look_board(scenario, tr("Equity curve"), [line], chart, exact)
