"""The board of a round being bid, and the bids of a round in words.

The board shows how many cards each player holds, the standing bid and whose turn it is. Each bid
has a line of its own: in a bluffing game, the bids are the evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from bot.boards.board import Address, Board, Button, Menu, Rule, Text
from bot.boards.computer_players import full_mention, mark
from bot.boards.cutting import fair_button
from bot.boards.leaving import away_buttons
from bot.boards.lobby import waiting_line
from bot.boards.talk import remark
from bot.language.catalogues import N_, speaking, spoken, tr, trn
from bot.language.moments import stamp
from bot.language.wordings import game_words, headings, wording
from bot.language.words import (
    Names,
    capital,
    cards_counted,
    join_words,
    mention,
    number_word,
    together,
)
from bot.pictures.palette import GREEN, GREY
from bot.roster import is_computer
from bot.tables.absence import has_timed_out, is_attended, is_away
from bot.tables.live import LiveTable
from engine.bids import Bid
from engine.rotation import card_limit, playing_off
from engine.ruleset import Ruleset
from engine.state import Cause, SeatStatus
from engine.view import RoundView, View

A_ROW: Final = 5  # buttons in a row, at most
A_PAGE: Final = 20  # bids on a page of all bids
LATEST: Final = 5  # bids of the round that the board shows, including the standing one
MOST_LISTED: Final = 25  # options in a list, at most
NEXT_RUNGS: Final = 2  # number of rungs right above the standing bid, listed first
PLAY_OFF: Final = N_("play-off: lose a round and you're out")


def bidding_board(
    live: LiveTable,
    view: View,
    current: RoundView,
    address: Address,
    names: Names,
    closed_dms: frozenset[int],
) -> Board:
    """Return the board of a round before its showdown.

    `closed_dms`: the players whose direct messages are closed. `names`: the players' names, for
    button labels.
    """
    blocks = (
        Text(f"## {round_title(view, current)}", fair_button(current.number)),
        Text(_seats(live, view, current)),
        Rule(),
        Text(_standing(live, view, current)),
        Text(_turn(live, view), _challenge(view)),
        Text(
            "\n".join(
                filter(
                    None,
                    (_in_play(view, current, closed_dms), waiting_line(live.table)),
                )
            )
        ),
    )
    return Board(GREEN, blocks, _controls(live, view, current, names), address)


def round_title(view: View, current: RoundView) -> str:
    """Return the title of the game and the number of the round."""
    return tr("{title} · Round {number}", title=tr(view.ruleset.title), number=current.number)


def _controls(
    live: LiveTable, view: View, current: RoundView, names: Names
) -> tuple[tuple[Button, ...] | Menu, ...]:
    rows: list[tuple[Button, ...] | Menu] = []
    if view.legal.rungs:
        key = current.standing.bid.key if current.standing is not None else ""
        rows.append(_bid_menu(view.ruleset, key, spoken().key))
    rows.append(
        (
            Button("form", tr("Type…"), "primary", disabled=not view.legal.rungs),
            Button("seat", tr("My seat")),
        )
    )
    buttons = []
    if len(current.bids) > LATEST:
        buttons.append(Button("bidding", tr("Bidding"), choice=str(current.number)))
    if any(is_away(live.table, seat.player) and seat.live for seat in view.seats):
        buttons.append(Button("back", tr("I'm back")))
    buttons += away_buttons(live, names)[: A_ROW - len(buttons)]
    return (*rows, tuple(buttons)) if buttons else tuple(rows)


@lru_cache(maxsize=512)  # the same bids stand again and again
def _bid_menu(rules: Ruleset, standing_key: str, language: str) -> Menu:
    """Return the menu of handy bids above the standing bid.

    `standing_key` is "" if there is no standing bid.
    """
    standing = rules.ladder.get(standing_key)
    bids = handy_bids(rules.ladder.above(standing), standing)
    with speaking(language):
        words = headings(rules)
        button = tr("Type…")
        verb = game_words(rules).verb
        text = tr("Pick one to {verb} it (more under {button})", verb=verb, button=button)
    options = [(bid.key, words[bid.key], None) for bid in bids]
    return Menu("pick", text, tuple(options), ranks=tuple([bid.first_rank for bid in bids]))


def _challenge(view: View) -> Button:
    """Return the challenge button. It is disabled while nobody may challenge."""
    off = not view.legal.challengers
    return Button("challenge", game_words(view.ruleset).challenge, "danger", disabled=off)


def _seats(live: LiveTable, view: View, current: RoundView) -> str:
    limit = card_limit(view.ruleset, view.seats)
    seats = range(len(view.seats))
    return "\n".join([_seat(live, view, current, number, limit) for number in seats])


def _seat(live: LiveTable, view: View, current: RoundView, number: int, limit: int) -> str:
    seat = view.seats[number]
    name = full_mention(seat.player)
    if seat.standing is SeatStatus.FORFEITED:
        return _departed_seat(name, live.departure_cause(number), current.dealt[number])
    if seat.standing is SeatStatus.OUT:
        return tr("-# {who} is out", who=name)
    held = current.dealt[number]
    pips = "▮" * held + "▯" * max(0, limit - held)
    note = f" **{tr('to act')}**" if current.turn == number else ""
    if is_away(live.table, seat.player):
        note += f" · {tr('away') if everyone_away_line(live) else tr('away, the bot plays')}"
    elif seat.player in live.table.votes:
        voters = join_words(mention(voter) for voter in live.table.votes[seat.player])
        report = tr("{people} says they're away", people=voters)
        note += f" · {report}"
    return f"`{pips}` {name} {together(cards_counted(held))}{note}"


def _departed_seat(name: str, cause: Cause | None, held: int) -> str:
    """Return how a player left, and how many of their cards are still in play, in small print."""
    match cause:
        case Cause.ABSENT:
            how = tr("{who} ran out of time", who=name)
        case Cause.DROPPED:
            how = tr("{who} was removed", who=name)
        case _:
            how = tr("{who} has left", who=name)
    if not held:
        return f"-# {how}"
    return f"-# {how}, " + trn("{number} card still in play", "{number} cards still in play", held)


def _standing(live: LiveTable, view: View, current: RoundView) -> str:
    standing = current.standing
    if standing is None:
        return tr("### No {noun} yet", noun=game_words(view.ruleset).noun)
    player = view.seats[standing.seat].player
    by = tr("by {who}", who=mention(player))
    if live.last_by_house:
        by += f" · {timeout_note(live, player)}"
    head = f"### {headings(view.ruleset)[standing.bid.key]}\n-# {by}"
    comment = remark(live.table, player, "bids", current.commitment, len(current.bids))
    earlier = call_lines(view, current, latest=LATEST)[:-1][::-1]
    return "\n".join([head, *([comment] if comment else []), *earlier])


def everyone_away_line(live: LiveTable) -> str:
    """Return a line saying that the match waits because everyone is away; otherwise empty."""
    if live.match is None or is_attended(live.table, live.match):
        return ""
    return tr("**Everyone is away:** the match waits until someone presses **I'm back**.")


def _turn(live: LiveTable, view: View) -> str:
    if waits := everyone_away_line(live):
        return waits
    player = view.seats[view.legal.bidder].player if view.legal.bidder is not None else 0
    if is_computer(player):
        anyone = view.ruleset.challengers == "anyone" and view.legal.challengers
        may = f" {_anybody_may(view)}" if anyone else ""
        return tr("{who} is thinking.", who=full_mention(player)) + may
    until = ""
    if live.table.turn_ends is not None and not is_away(live.table, player):
        clock = stamp(live.table.turn_ends, "R")
        until = "\n" + tr("-# turn ends {clock}", clock=clock)
    return f"{mention(player)}, {_what_to_do(view)}{until}"


def _what_to_do(view: View) -> str:
    terms = game_words(view.ruleset)
    if not view.legal.challengers:
        return tr("open the round with any {noun}.", noun=terms.noun)
    if not view.legal.rungs:
        return tr("nothing is higher: you must {doubt}.", doubt=terms.doubt)
    if view.ruleset.challengers == "anyone":
        return f"{tr('{verb} higher.', verb=terms.verb)} {_anybody_may(view)}"
    return tr("{verb} higher, or {doubt}: say it isn't there.", verb=terms.verb, doubt=terms.doubt)


def _anybody_may(view: View) -> str:
    terms = game_words(view.ruleset)
    return tr("Anyone but the {bidder} can {doubt}.", bidder=terms.bidder, doubt=terms.doubt)


def cards_in_play(current: RoundView) -> str:
    """Return how many cards are in play, and how many of them are in the middle."""
    text = trn("{number} card in play", "{number} cards in play", current.in_play)
    if current.middle_size:
        amount = number_word(current.middle_size)
        return f"{text}, {tr('{amount} of them in the middle', amount=amount)}"
    return text


def _in_play(view: View, current: RoundView, closed_dms: frozenset[int]) -> str:
    parts = [cards_in_play(current)]
    if jokers := view.ruleset.deck.jokers:
        amount = number_word(jokers)
        parts.append(
            trn("{amount} joker in the deck", "{amount} jokers in the deck", jokers, amount=amount)
        )
    lines = [f"-# {', '.join(parts)}"]
    marked = mark([seat.player for seat in view.seats])
    if marked:
        lines.append(f"-# {marked}")
    if playing_off(view.ruleset, view.seats):
        lines.append(f"-# {tr(PLAY_OFF)}")
    elif view.ruleset.length == "first_out":
        lines.append(
            f"-# {tr('the match ends when the first player is out: the fewest cards win')}"
        )
    closed = [seat.player for seat in view.seats if seat.player in closed_dms and seat.live]
    if closed:
        people = join_words(mention(player) for player in closed)
        text = tr("-# {people}: press **My seat**, your direct messages are closed", people=people)
        lines.append(text)
    return "\n".join(lines)


def handy_bids(rungs: Sequence[tuple[Bid, ...]], standing: Bid | None) -> list[Bid]:
    """Return at most 25 legal bids that players are likely to want, in ladder order.

    `rungs`: the legal bids, weakest first; the bids of one rung differ only in suit. While there is
    room, the choice is the next two rungs, the lowest rung of each other kind, and the lowest rung
    of each rank of the standing kind (of the lowest kind if there is no standing bid). A rung is
    listed as a whole or not at all. The choice never depends on anybody's cards.
    """
    if not rungs:
        return []
    kind = standing.kind if standing is not None else rungs[0][0].kind
    numbers = list(range(min(NEXT_RUNGS, len(rungs))))
    numbers += _lowest_of_kinds(rungs, kind)
    numbers += _next_ranks(rungs, kind)
    chosen: set[int] = set()
    room = MOST_LISTED
    for number in dict.fromkeys(numbers):
        if len(rungs[number]) <= room:
            chosen.add(number)
            room -= len(rungs[number])
    return [bid for number in sorted(chosen) for bid in rungs[number]]


def _lowest_of_kinds(rungs: Sequence[tuple[Bid, ...]], kind: object) -> list[int]:
    """Return the first rung of each kind except `kind`, as indexes of `rungs`."""
    lowest: dict[object, int] = {}
    latest = None
    for number, rung in enumerate(rungs):
        # bids next to each other on the ladder are mostly of the same kind
        if rung[0].kind is not latest:
            latest = rung[0].kind
            lowest.setdefault(latest, number)
    return [number for rung_kind, number in lowest.items() if rung_kind is not kind]


def _next_ranks(rungs: Sequence[tuple[Bid, ...]], kind: object) -> list[int]:
    """Return the indexes in `rungs` of the lowest rungs of a kind, one for each rank.

    For two pair, the higher pair's rank counts. Bids that name no rank have one rung for each
    suit.
    """
    lowest: dict[object, int] = {}
    for number, rung in enumerate(rungs):
        if rung[0].kind is kind:
            lowest.setdefault(rung[0].ranks[:1] or rung[0].suit, number)
    return list(lowest.values())


def bidding_pages(view: View, address: Address, page: int) -> Board:
    """Return a page of a round's bids, one line each, the newest last; `page` counts from 0."""
    current = view.round
    if current is None:
        return Board(GREY, (Text(tr("Nothing has been dealt yet.")),))
    lines = call_lines(view, current)
    pages = max(1, -(-len(lines) // A_PAGE))
    page = min(max(page, 0), pages - 1)
    page_lines = lines[page * A_PAGE : (page + 1) * A_PAGE]
    numbered = [
        line.replace("-# ", f"{number}. ", 1)
        for number, line in enumerate(page_lines, start=page * A_PAGE + 1)
    ]
    title = tr(view.ruleset.title)
    head = tr("**{title} · Round {number} · Bidding**", title=title, number=current.number)
    none = tr("No {noun} was made.", noun=game_words(view.ruleset).noun)
    blocks = [Text(head), Text("\n".join(numbered) or none)]
    rows: tuple[tuple[Button, ...], ...] = ()
    if pages > 1:
        blocks.append(Text(tr("-# page {page} of {pages}", page=page + 1, pages=pages)))
        rows = (
            (
                _page_button(tr("Earlier"), current.number, page - 1, disabled=page == 0),
                _page_button(tr("Later"), current.number, page + 1, disabled=page == pages - 1),
            ),
        )
    return Board(GREEN, tuple(blocks), rows, address)


def _page_button(label: str, number: int, page: int, *, disabled: bool) -> Button:
    return Button("bidding", label, disabled=disabled, choice=f"{number}.{max(page, 0)}")


def bot_move_note() -> str:
    """Return the note for a move that the bot made for an absent player."""
    return tr("played by the bot")


def timeout_note(live: LiveTable, player: int) -> str:
    """Return the note for a move that the bot made for `player`.

    If the player's time has just run out, the note says so.
    """
    if has_timed_out(live.table, player):
        return tr("time ran out, so the bot moved")
    return bot_move_note()


def call_lines(view: View, current: RoundView, latest: int | None = None) -> list[str]:
    """Return who bid what in the round, oldest first, in small print.

    If `latest` is given, return only that many of the latest bids. As in a replay, a colon
    separates name and bid. In a view from a seat, that seat's player is "You".
    """
    bids = current.bids if latest is None else current.bids[-latest:]
    say = wording(view.ruleset).say
    return [f"-# {_speaker(view, call.seat)}: {say(call.bid)}" for call in bids]


def _speaker(view: View, seat: int) -> str:
    return capital(tr("you")) if seat == view.seat else mention(view.seats[seat].player)
