"""The board of a round being bid: who holds how many cards, what stands, whose turn it is."""

from __future__ import annotations

from typing import Final

from bot.boards.board import Address, Board, Button, Menu, Rule, Text
from bot.boards.calls import call_lines, label
from bot.boards.company import introduced, mark
from bot.boards.cutting import waiting_cuts_line
from bot.boards.handy import handy_bids
from bot.boards.lobby import waiting_line
from bot.boards.talk import remark
from bot.pictures.palette import GREEN
from bot.roster import is_computer
from bot.tables.absence import is_away
from bot.tables.live import LiveTable
from bot.words import count, listed, mention, number_word, together
from engine.rotation import card_limit, playing_off
from engine.state import Standing
from engine.view import RoundView, View

LATEST: Final = 5  # bids shown of a round's history, the standing one included
SEAL_SHOWN: Final = 16  # characters of the deal's seal that stay in sight
PLAY_OFF: Final = "play-off: whoever loses a round is out"


def bidding_board(
    live: LiveTable,
    seen: View,
    current: RoundView,
    address: Address,
    closed_dms: frozenset[int],
) -> Board:
    """The board of a round before its showdown. `closed_dms`: whose cards cannot be sent."""
    blocks = (
        Text(f"## {seen.ruleset.title} · Round {current.number}\n{_seats(live, seen, current)}"),
        Rule(),
        Text(_standing(live, seen, current)),
        Text(_turn(live, seen)),
        Text(
            "\n".join(
                filter(
                    None,
                    (
                        _in_play(seen, current, closed_dms),
                        waiting_cuts_line(live),
                        waiting_line(live.table),
                    ),
                )
            )
        ),
    )
    return Board(GREEN, blocks, _controls(live, seen, current), address, footer=seal_line(current))


def seal_line(current: RoundView) -> str:
    """The part of a deal's seal that stays in sight; the whole is behind Check this deal."""
    return f"-# sealed deal `{current.commitment[:SEAL_SHOWN]}`"


def _controls(
    live: LiveTable, seen: View, current: RoundView
) -> tuple[tuple[Button, ...] | Menu, ...]:
    terms = seen.ruleset.terms
    standing = current.standing.bid if current.standing is not None else None
    listed_bids = handy_bids(seen.legal.rungs, standing)
    rows: list[tuple[Button, ...] | Menu] = []
    if listed_bids:
        options = tuple((bid.key, label(seen.ruleset, bid), None) for bid in listed_bids)
        rows.append(Menu("pick", f"{terms.bid} one of these hands", options))
    rows.append(
        (
            Button("form", f"{terms.bid}…", "primary", disabled=not listed_bids),
            Button("challenge", terms.challenge, "danger", disabled=not seen.legal.challengers),
            Button("seat", "My seat"),
        )
    )
    more = []
    if len(current.bids) > LATEST:
        more.append(Button("bidding", "Bidding", choice=str(current.number)))
    if any(is_away(live.table, seat.player) for seat in seen.seats if seat.live):
        more.append(Button("back", "I'm back"))
    more.append(Button("wait", "Join the next match"))
    rows.append(tuple(more))
    rows.append((Button("seal", "Check this deal", choice=str(current.number)),))
    return tuple(rows)


def _seats(live: LiveTable, seen: View, current: RoundView) -> str:
    limit = card_limit(seen.ruleset, seen.seats)
    return "\n".join(_seat(live, seen, current, number, limit) for number in range(len(seen.seats)))


def _seat(live: LiveTable, seen: View, current: RoundView, number: int, limit: int) -> str:
    seat = seen.seats[number]
    who = introduced(seat.player)
    if seat.standing is Standing.FORFEITED:
        stay = f", {count(current.dealt[number], 'card')} still in play"
        return f"-# {who} has left{stay if current.dealt[number] else ''}"
    if seat.standing is Standing.OUT:
        return f"-# {who} is out"
    held = current.dealt[number]
    pips = "▮" * held + "▯" * max(0, limit - held)
    note = " **to act**" if current.turn == number else ""
    if is_away(live.table, seat.player):
        note += " · away, the house plays"
    elif seat.player in live.table.votes:
        said = listed(mention(voter) for voter in live.table.votes[seat.player])
        note += f" · away, says {said}"
    return f"`{pips}` {who} {together(count(held, 'card'))}{note}"


def _standing(live: LiveTable, seen: View, current: RoundView) -> str:
    made = current.standing
    if made is None:
        return f"### No {seen.ruleset.terms.noun} yet"
    head = f"### {label(seen.ruleset, made.bid)}\n-# by {mention(seen.seats[made.seat].player)}"
    player = seen.seats[made.seat].player
    said = remark(live.table, player, "bids", current.commitment, len(current.bids))
    earlier = call_lines(seen, current, latest=LATEST)[:-1][::-1]
    return "\n".join([head, *([said] if said else []), *earlier])


def _turn(live: LiveTable, seen: View) -> str:
    player = seen.seats[seen.legal.bidder].player if seen.legal.bidder is not None else 0
    if is_computer(player):
        anyone = seen.ruleset.challengers == "anyone" and seen.legal.challengers
        terms = seen.ruleset.terms
        may = f" Anybody but the {terms.bidder} may {terms.doubt}." if anyone else ""
        return f"{introduced(player)} is thinking.{may}"
    clock = f" <t:{live.table.turn_ends // 1000}:R>" if live.table.turn_ends is not None else ""
    until = f"\n-# time is up{clock}" if clock and not is_away(live.table, player) else ""
    return f"{mention(player)}, {_what_to_do(seen)}{until}"


def _what_to_do(seen: View) -> str:
    terms = seen.ruleset.terms
    if not seen.legal.challengers:
        return f"open the round with any {terms.noun}."
    if not seen.legal.rungs:
        return f"nothing is higher: you must {terms.doubt}."
    if seen.ruleset.challengers == "anyone":
        return f"{terms.verb} higher. Anybody but the {terms.bidder} may {terms.doubt}."
    return f"{terms.verb} higher or {terms.doubt}."


def _in_play(seen: View, current: RoundView, closed_dms: frozenset[int]) -> str:
    middle = (
        f", {number_word(current.middle_size)} of them in the middle" if current.middle_size else ""
    )
    jokers = seen.ruleset.deck.jokers
    wild = f", {number_word(jokers)} jokers in the deck" if jokers else ""
    lines = [f"-# {count(current.in_play, 'card')} in play{middle}{wild}"]
    marked = mark(seat.player for seat in seen.seats)
    if marked:
        lines.append(f"-# {marked}")
    if playing_off(seen.ruleset, seen.seats):
        lines.append(f"-# {PLAY_OFF}")
    elif seen.ruleset.length == "first_out":
        lines.append("-# the first out ends the match: the fewest cards win")
    closed = [seat.player for seat in seen.seats if seat.live and seat.player in closed_dms]
    if closed:
        people = listed(mention(player) for player in closed)
        lines.append(f"-# {people}: press **My seat**, your direct messages are closed")
    return "\n".join(lines)
