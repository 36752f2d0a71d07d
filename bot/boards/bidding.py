"""The board of a round being bid: who holds how many cards, what stands, whose turn it is."""

from __future__ import annotations

from typing import Final

from bot.boards.board import Address, Board, Button, Menu, Rule, Text
from bot.pictures.palette import GREEN
from bot.words import capital, count, listed, mention, number_word, together
from engine.bids import Bid
from engine.rotation import card_limit
from engine.state import MadeBid, Standing
from engine.view import RoundView, View

NEAREST: Final = 25  # as many options as a select may have
LATEST: Final = 6  # bids shown of a round's history


def bidding_board(
    seen: View, current: RoundView, address: Address, closed_dms: frozenset[int]
) -> Board:
    """The board of a round before its showdown. `closed_dms`: whose cards cannot be sent."""
    turn = seen.seats[seen.legal.bidder].player if seen.legal.bidder is not None else 0
    blocks = (
        Text(f"## {seen.ruleset.title} · Round {current.number}\n{_seats(seen, current)}"),
        Rule(),
        Text(_standing(seen, current)),
        Text(f"{mention(turn)}, {_what_to_do(seen)}"),
        Text(_in_play(seen, current, closed_dms)),
    )
    sealed = f"-# sealed deal `{current.commitment}`"
    return Board(GREEN, blocks, _controls(seen), address, footer=sealed)


def _controls(seen: View) -> tuple[tuple[Button, ...] | Menu, ...]:
    terms = seen.ruleset.terms
    nearest = [bid for rung in seen.legal.rungs for bid in rung][:NEAREST]
    rows: list[tuple[Button, ...] | Menu] = []
    if nearest:
        rows.append(
            Menu(
                "pick",
                f"{terms.bid} one of the next hands",
                tuple((bid.key, _label(seen, bid), None) for bid in nearest),
            )
        )
    rows.append(
        (
            Button("form", f"{terms.bid}…", "primary", disabled=not nearest),
            Button("challenge", terms.challenge, "danger", disabled=not seen.legal.challengers),
            Button("mine", "My cards"),
        )
    )
    return tuple(rows)


def _seats(seen: View, current: RoundView) -> str:
    limit = card_limit(seen.ruleset, seen.seats)
    return "\n".join(_seat(seen, current, number, limit) for number in range(len(seen.seats)))


def _seat(seen: View, current: RoundView, number: int, limit: int) -> str:
    seat = seen.seats[number]
    who = mention(seat.player)
    if seat.standing is Standing.FORFEITED:
        stay = f", {count(current.dealt[number], 'card')} still in play"
        return f"-# {who} has left{stay if current.dealt[number] else ''}"
    if seat.standing is Standing.OUT:
        return f"-# {who} is out"
    held = current.dealt[number]
    pips = "▮" * held + "▯" * max(0, limit - held)
    note = " **to act**" if current.turn == number else ""
    return f"`{pips}` {who} {together(count(held, 'card'))}{note}"


def _standing(seen: View, current: RoundView) -> str:
    terms = seen.ruleset.terms
    if current.standing is None:
        return f"### No {terms.noun} yet"
    made = current.standing
    lines = [f"### {_label(seen, made.bid)}\n-# by {mention(seen.seats[made.seat].player)}"]
    before = current.bids[-1 - LATEST : -1]
    if before:
        dots = "… " if len(current.bids) - 1 > LATEST else ""
        chain = " → ".join(_short(seen, earlier) for earlier in before)
        lines.append(f"-# before: {dots}{chain}")
    return "\n".join(lines)


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
    closed = [seat.player for seat in seen.seats if seat.live and seat.player in closed_dms]
    if closed:
        people = listed(mention(player) for player in closed)
        lines.append(f"-# {people}: press **My cards**, your direct messages are closed")
    return "\n".join(lines)


def _label(seen: View, bid: Bid) -> str:
    return capital(seen.ruleset.wording.say(bid)) + _pip(bid)


def _short(seen: View, made: MadeBid) -> str:
    return f"{mention(seen.seats[made.seat].player)} {seen.ruleset.wording.say(made.bid)}"


def _pip(bid: Bid) -> str:
    return f" {bid.suit.symbol}" if bid.suit is not None else ""
