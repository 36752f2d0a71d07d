"""The board of a match: a round being bid, a showdown, the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.boards.board import (
    Address,
    Board,
    Button,
    HandPicture,
    Menu,
    Rule,
    ShowdownPicture,
    Text,
)
from bot.boards.lobby import FELT, GREY, departed_board, lobby_board
from bot.pictures.cards import ShowdownRow, showdown_alt_text
from bot.tables.live import LiveTable
from bot.tables.records import Status
from bot.words import (
    capital,
    cards_text,
    count,
    lacking_text,
    listed,
    mention,
    number_word,
    together,
)
from engine.bids import Bid
from engine.cards import Cards
from engine.rotation import card_limit
from engine.state import Judgement, MadeBid, Outcome, Standing
from engine.view import EndedRound, RoundView, View, view

GOLD: Final = 0xE0A82E
RED: Final = 0xC8443C
NEAREST: Final = 25  # as many options as a select may have
LATEST: Final = 6  # bids shown of a round's history
Names = Mapping[int, str]


def table_board(
    live: LiveTable,
    names: Names,
    closed_dms: frozenset[int] = frozenset(),
    *,
    controls: bool = True,
) -> Board:
    """The message of a table, whatever its state. `names` are for pictures; text uses mentions.

    Without `controls` it is a record of what was: the buttons are gone.
    """
    table = live.table
    if table.status is Status.LOBBY:
        return lobby_board(table, closed_dms)
    if live.match is None:
        return departed_board(table)
    seen = view(live.match)
    if seen.round is None:
        return departed_board(table)
    address = Address(table.id, table.match_id or 0, seen.seq)
    if isinstance(seen.round, EndedRound):
        return _outcome(live, seen, seen.round, names, address if controls else None)
    if table.status is Status.CLOSED:
        return _closed(live, seen, seen.round)
    return _bidding(seen, seen.round, address, closed_dms)


# -- a round being bid ---------------------------------------------------------------------------


def _bidding(seen: View, current: RoundView, address: Address, closed_dms: frozenset[int]) -> Board:
    turn = seen.seats[seen.legal.bidder].player if seen.legal.bidder is not None else 0
    blocks = (
        Text(f"## {seen.ruleset.title} · Round {current.number}\n{_seats(seen, current)}"),
        Rule(),
        Text(_standing(seen, current)),
        Text(f"{mention(turn)}, {_what_to_do(seen)}"),
        Text(_in_play(seen, current, closed_dms)),
    )
    sealed = f"-# sealed deal `{current.commitment}`"
    return Board(FELT, blocks, _controls(seen), address, footer=sealed)


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
        return f"### No {terms.bid.lower()} yet"
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
    call, doubt = terms.bid.lower(), terms.challenge.lower()
    if not seen.legal.challengers:
        return f"open the round with any {call}."
    if not seen.legal.rungs:
        return f"nothing is higher: you must {doubt}."
    if seen.ruleset.challengers == "anyone":
        return f"{call} higher. Anybody but the bidder may {doubt}."
    return f"{call} higher or {doubt}."


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


# -- what was shown ------------------------------------------------------------------------------


def _outcome(
    live: LiveTable, seen: View, current: EndedRound, names: Names, address: Address | None
) -> Board:
    judged = current.judgement
    used = judged.proof.cards if judged is not None else Cards()
    blocks: list[Text | Rule | ShowdownPicture] = []
    if judged is not None:
        blocks.append(Text(_verdict(seen, current, judged)))
        blocks.append(_picture(seen, current, names, used))
    else:
        blocks.append(Text(f"## Round {current.number}\nIt ends without a showdown."))
    blocks.append(Text(_hands_text(seen, current, used)))
    blocks.append(Rule())
    if seen.winner is None:
        blocks.append(Text(_penalty(seen, current.outcome)))
    else:
        blocks.append(Text(_end(seen, current, seen.winner)))
    over = seen.winner is not None
    ended = live.table.status is Status.CLOSED
    if ended:
        blocks.append(Text("**The match was ended** without a winner."))
    elif not over and address is not None and live.table.deadline is not None:
        blocks.append(Text(f"Next round <t:{live.table.deadline // 1000}:R>"))
    rows: tuple[tuple[Button, ...], ...] = ()
    if address is not None and not ended:
        again = Button("again", "Play again", "success")
        following = Button("next", "Next round", "primary")
        rows = ((again,),) if over else ((following,),)
    accent = GREY if ended else GOLD if over or judged is None or judged.proof.holds else RED
    return Board(accent, tuple(blocks), rows, address or Address(0), _opening(live, current))


def _verdict(seen: View, current: EndedRound, judged: Judgement) -> str:
    made, proof = judged.made, judged.proof
    challenger = mention(seen.seats[judged.challenger].player)
    bidder = mention(seen.seats[made.seat].player)
    doubted = seen.ruleset.terms.challenged
    said = seen.ruleset.wording.say(made.bid)
    head = f"## Round {current.number} · Showdown\n{challenger} {doubted} {bidder}'s **{said}**."
    if proof.holds:
        return f"{head}\n### It holds: {cards_text(proof.cards)}"
    return f"{head}\n### It fails: {lacking_text(proof.lacking)} short"


def _rows(seen: View, current: EndedRound, names: Names) -> tuple[ShowdownRow, ...]:
    outcome, made = current.outcome, current.standing
    rows = []
    for number, cards in enumerate(current.hands):
        if not cards:
            continue
        seat = seen.seats[number]
        rows.append(
            ShowdownRow(
                names.get(seat.player, f"Seat {number + 1}"),
                cards,
                note=_fate(seen, outcome, number),
                loser=number == outcome.loser,
                bidder=made is not None and number == made.seat,
                challenger=number == outcome.challenger,
            )
        )
    return tuple(rows)


def _picture(seen: View, current: EndedRound, names: Names, used: Cards) -> ShowdownPicture:
    rows, middle = _rows(seen, current, names), current.middle
    alt = showdown_alt_text(rows, used, middle=middle)
    return ShowdownPicture(rows, used, middle, alt)


def _fate(seen: View, outcome: Outcome, number: int) -> str:
    seat = seen.seats[number]
    if seat.standing is Standing.FORFEITED:
        return "has left"
    if number != outcome.loser:
        return ""
    return "out" if outcome.eliminated else f"now {count(seat.cards, 'card')}"


def _hands_text(seen: View, current: EndedRound, used: Cards) -> str:
    lines = [
        f"-# {mention(seat.player)} {cards_text(cards, used)}"
        for seat, cards in zip(seen.seats, current.hands, strict=True)
        if cards
    ]
    if current.middle:
        lines.append(f"-# middle hand {cards_text(current.middle, used)}")
    return "\n".join(lines)


def _penalty(seen: View, outcome: Outcome) -> str:
    if outcome.loser is None:
        loss = "Whoever bid has left the match: nobody gains a card."
    else:
        seat = seen.seats[outcome.loser]
        who = mention(seat.player)
        loss = (
            f"{who} **is out of the match**."
            if outcome.eliminated
            else f"{who} loses the round and now holds **{count(seat.cards, 'card')}**."
        )
    return f"{loss}\n{_counts(seen)}"


def _counts(seen: View) -> str:
    live = [seat for seat in seen.seats if seat.live]
    return "-# " + " · ".join(f"{mention(seat.player)} {seat.cards}" for seat in live)


def _end(seen: View, current: EndedRound, champion: int) -> str:
    winner = mention(seen.seats[champion].player)
    rounds = count(current.number, "round")
    lines = [f"## {winner} wins the match", f"-# after {rounds}"]
    loser = current.outcome.loser
    if loser is not None:
        lines.insert(0, f"{mention(seen.seats[loser].player)} is out.")
    return "\n".join(lines)


def _opening(live: LiveTable, current: RoundView) -> str:
    seed = live.revealed.get(current.number)
    opened = f"\n-# seed `{seed.hex()}`" if seed is not None else ""
    return f"-# sealed deal `{current.commitment}`{opened}"


def _closed(live: LiveTable, seen: View, current: RoundView) -> Board:
    text = f"### {seen.ruleset.title}\nThe match was ended without a winner."
    blocks = (Text(text), Text(_counts(seen)))
    return Board(GREY, blocks, footer=_opening(live, current))


# -- one person's cards --------------------------------------------------------------------------


def hand_board(live: LiveTable, player: int, link: str | None = None) -> Board:
    """A player's own cards, for a direct message or an ephemeral answer."""
    match = live.match
    assert match is not None
    seat = match.seat_of(player)
    own = view(match, seat).round
    if own is None or own.hole is None:
        return Board(GREY, (Text("You hold no cards in this round."),))
    name = f"[{match.ruleset.title}]({link})" if link else match.ruleset.title
    head = f"**{name} · Round {own.number}**\n-# your {count(len(own.hole), 'card')}"
    text = cards_text(own.hole)
    return Board(FELT, (Text(head), HandPicture(own.hole, text), Text(text)))


# -- bids in words -------------------------------------------------------------------------------


def _label(seen: View, bid: Bid) -> str:
    return capital(seen.ruleset.wording.say(bid)) + _pip(bid)


def _short(seen: View, made: MadeBid) -> str:
    return f"{mention(seen.seats[made.seat].player)} {seen.ruleset.wording.say(made.bid)}"


def _pip(bid: Bid) -> str:
    return f" {bid.suit.symbol}" if bid.suit is not None else ""
