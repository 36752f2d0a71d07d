"""Answer presses in a private seat by redrawing the seat.

`delivery` redraws the table, so a move made here costs two requests. A refusal is shown in the seat
and disappears with the next press; refused text is filled in when the player opens the form again
(`Drafts`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Final

from bot.boards.pad import Pick
from bot.boards.seat import SURE, Notice
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.delivery.seats import Seats
from bot.discord.errors import sentence, still_meant
from bot.discord.forms import bid_form, open_form
from bot.discord.press import Press, ask_of_press, fields_of, is_own, table_of
from bot.discord.router import on_form, on_press
from bot.language.wordings import parse_typed_bid
from bot.recent import Recent
from bot.services.tables import Tables
from bot.tables import errors, plans
from bot.tables.live import LiveTable
from bot.tables.plans import check_turn
from engine.bid_parser import LONGEST_TEXT
from engine.errors import EngineError
from engine.play import legal
from engine.state import Match, Phase
from engine.wording import BidTextError, bids_to_offer

REMEMBERED: Final = 1024
FORMS: Final = frozenset({"bid", "typed"})  # the table's form and the seat's
Moment = tuple[int | None, int, int]  # (match, round, the player's bids in it)


class Drafts:
    """The last refused text of each person at each table."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._kept = Recent[tuple[int, int], tuple[Moment, str]](REMEMBERED)

    async def keep(self, interaction: Interaction, press: Press, error: Exception) -> None:
        """Store the text of a bid's form after the bid was refused with `error`.

        Do nothing for another form, an unforeseen error or `Repeated`.
        """
        expected = isinstance(error, EngineError | errors.RefusedError)
        if press.verb not in FORMS or not expected or isinstance(error, errors.Repeated):
            return
        typed = "".join(fields_of(interaction).get("text", ()))
        try:
            live = await self._tables.see(press.address.table)
        except errors.RefusedError:
            return
        self.remember(live, interaction.user.id, typed)

    def remember(self, live: LiveTable, player: int, typed: str) -> None:
        """Store the text that `player` typed at a table and that was refused."""
        typed = typed.strip()[:LONGEST_TEXT]
        moment = _moment(live, player)
        if not typed or moment is None:
            return
        key = live.table.id, player
        self._kept[key] = moment, typed

    def of(self, live: LiveTable, player: int) -> str:
        """Return the last refused text of `player`; empty after their bid, or in another round."""
        key = live.table.id, player
        moment, typed = self._kept.get(key, (None, ""))
        if not typed or moment == _moment(live, player):
            return typed
        del self._kept[key]
        return ""


def _moment(live: LiveTable, player: int) -> Moment | None:
    """Return a key that changes when `player` bids or a new round is dealt.

    Return None before the first deal, and for a person without a seat.
    """
    match = live.match
    seat = match.seat_of(player) if match is not None else None
    if match is None or match.round is None or seat is None:
        return None
    bids = sum(call.seat == seat for call in match.round.bids)
    return live.table.match_id, match.round.number, bids


# verbs of presses and forms in a seat; other private messages aren't seats
IN_SEATS: Final = frozenset({"refresh", "pad", "call", "doubt", "type", "back", "typed"})


class SeatHandlers:
    """Answers presses and forms of private seats."""

    def __init__(
        self,
        tables: Tables,
        seats: Seats,
        barred_reason: Callable[[Interaction, LiveTable], Awaitable[str | None]],
    ) -> None:
        self._barred_reason = (
            barred_reason  # returns why the table cannot be shown in its channel, or None
        )
        self._tables = tables
        self._seats = seats
        self.drafts = Drafts(tables)

    async def open(self, interaction: Interaction, press: Press) -> None:
        """Open the asker's seat in a new private message.

        Raises `RefusedError`, such as `NotSeated`.
        """
        live = await table_of(self._tables, interaction, press)
        if live.match is not None:
            live.seat(interaction.user.id)
        elif interaction.user.id not in live.table.players:
            raise errors.NotSeated
        await self._seats.open(interaction, live, await self._posting_notice(interaction, live))

    async def _posting_notice(self, interaction: Interaction, live: LiveTable) -> Notice | None:
        """Return a notice of why the seat's table can't be shown; None if it can."""
        why = await self._barred_reason(interaction, live)
        return Notice(why) if why is not None else None

    @on_press("refresh")
    async def refresh(self, interaction: Interaction, press: Press) -> None:
        """Redraw a seat from the table's latest state."""
        check_private(interaction)
        live = await table_of(self._tables, interaction, press)
        notice = await self._posting_notice(interaction, live)
        await self._seats.redraw(interaction, live, notice=notice)

    @on_press("pad")
    async def pad(self, interaction: Interaction, press: Press) -> None:
        """Show the next step of the bid pad; keep a hint that is shown."""
        check_private(interaction)
        live = await table_of(self._tables, interaction, press)
        # from the list, or else a button
        chosen = press.values[0] if press.values else press.choice
        earlier = self._seats.seat_progress(live, interaction.user.id).notice
        hint = earlier.hint_alone if earlier is not None else None
        await self._seats.redraw(interaction, live, Pick.read(chosen), hint)

    @on_press("call", "doubt")
    @on_form("typed")
    async def move(self, interaction: Interaction, press: Press) -> None:
        """Make the pad's bid or a typed one, challenge, or return after being away.

        Answer with the resulting seat; `delivery` draws the table.
        """
        check_private(interaction)
        table, ask = press.address.table, ask_of_press(interaction, press)
        match press.verb:
            case "call":
                work = self._tables.change(table, ask, plans.bid, press.choice)
            case "typed":
                work = self._tables.change(table, ask, plans.bid, typed_bid(interaction))
            case "doubt":
                judge = partial(plans.challenge, sure=press.choice == SURE)
                work = self._tables.change(table, ask, judge)
            case _:
                work = self._tables.change(table, replace(ask, at=None), plans.back)
        with self._seats.answering(table, interaction.user.id):
            live = await answers.in_time(interaction, work)
            notice = await self._posting_notice(interaction, live)
            await self._seats.redraw(interaction, live, notice=notice, whole=False)

    @on_press("form", "type")
    async def open_form(self, interaction: Interaction, press: Press) -> None:
        """Open a form for typing a bid; submitting the form redraws the pressed message."""
        live = await table_of(self._tables, interaction, press)
        seat = live.seat(interaction.user.id)
        match = live.match
        if match is None or match.seq != press.address.seq or match.phase is not Phase.BIDDING:
            raise errors.MovedOn
        check_turn(live, seat)
        if not legal(match).rungs:  # the highest bid stands, so no form is offered
            raise errors.MovedOn
        draft = self.drafts.of(live, interaction.user.id)
        verb = "typed" if is_own(interaction) else "bid"
        await open_form(interaction, bid_form(match, seat, press.address, verb, draft))

    async def show_refusal(self, interaction: Interaction, error: Exception, press: Press) -> bool:
        """Show in the asker's seat, until the next press, why nothing happened.

        After a second tap on a bid just made, show only the seat. Return whether the seat is shown.
        """
        if press.verb == "bid" and isinstance(error, BidTextError):
            return await self._offer_meant(interaction, error, press)
        expected = isinstance(error, EngineError | errors.RefusedError)
        asks = press.verb == "challenge" and isinstance(error, errors.OwnCardsMakeIt)
        in_seat = press.verb in IN_SEATS and is_own(interaction) and expected
        if not asks and not in_seat:
            return False
        try:
            live = await self._tables.see(press.address.table)
        except errors.RefusedError:
            return False
        if asks:
            return await self.ask_if_sure(interaction, error, live)
        if isinstance(error, errors.MovedOn) and _has_just_bid(live, interaction, press):
            await self._seats.redraw(interaction, live)
            return True
        meant = bids_to_offer(still_meant(error, live)) if isinstance(error, BidTextError) else ()
        doubts = isinstance(error, errors.OwnCardsMakeIt)
        earlier = self._seats.seat_progress(live, interaction.user.id).notice
        hint = earlier.hint if earlier is not None else ""
        notice = Notice(sentence(error, live), meant, doubts=doubts, hint=hint)
        await self._seats.redraw(interaction, live, notice=notice)
        return True

    async def ask_if_sure(
        self, interaction: Interaction, error: Exception, live: LiveTable
    ) -> bool:
        """Ask the person if they mean a challenge that must lose, in a new message with their seat.

        Return False if the error isn't `OwnCardsMakeIt`, or the seat can't be shown.
        """
        if not isinstance(error, errors.OwnCardsMakeIt):
            return False
        return await self._seats.open(interaction, live, Notice(sentence(error, live), doubts=True))

    async def _offer_meant(
        self, interaction: Interaction, error: BidTextError, press: Press
    ) -> bool:
        """After a typo in the table's form, offer the bids it may mean, in the person's seat.

        If the seat is open, a new one below replaces it. Return False if no bid can be offered.
        """
        try:
            live = await self._tables.see(press.address.table)
            live.seat(interaction.user.id)
        except errors.RefusedError:
            return False
        meant = bids_to_offer(still_meant(error, live))
        if not meant:
            return False
        return await self._seats.open(interaction, live, Notice(sentence(error, live), meant))


def typed_bid(interaction: Interaction) -> Callable[[Match], str]:
    """Return a function that parses a form's typed bid for a match, and returns the bid's key.

    That function raises `BidTextError` if the text isn't a bid.
    """
    typed = "".join(fields_of(interaction).get("text", ()))
    return lambda match: parse_typed_bid(match.ruleset, typed).key


def check_private(interaction: Interaction) -> None:
    """Raise `MovedOn` if the pressed message isn't private: nobody else may see a seat."""
    if not is_own(interaction):
        raise errors.MovedOn


def _has_just_bid(live: LiveTable, interaction: Interaction, press: Press) -> bool:
    """Return whether the only move since the pressed seat was drawn is the asker's own bid."""
    match, address = live.match, press.address
    if match is None or match.round is None or not match.round.bids:
        return False
    drawn_before = (address.match, address.seq + 1) == (live.table.match_id, match.seq)
    return drawn_before and match.round.bids[-1].seat == match.seat_of(interaction.user.id)
