"""Show private seats (a player's cards and buttons) in ephemeral messages.

An interaction's token can edit its message, and send more, for fifteen minutes. The newest tokens
of each player at each table are kept in memory. At each deal they post the seat again below the
table, in the order of play, and delete the previous one. When no valid token is left, the player
has to press something in the old message, or **My seat**, to get a seat that is updated.

All tokens of a channel share a few requests, so a seat is redrawn only when its player's turn
begins and ends.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeVar

import structlog

from bot.boards.pad import Pick
from bot.boards.seat import Notice, seat_state
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.delivery import machine
from bot.discord.delivery.boards import Boards
from bot.discord.delivery.direct_seats import DirectSeatPlace, DirectSeats
from bot.discord.delivery.driver import Driver, RequestResult
from bot.discord.delivery.machine import Act, Request, Target
from bot.discord.delivery.private import (
    Deal,
    Pressed,
    PrivatePlace,
    SeatToken,
    acts_soon,
    deal_of,
    is_to_act,
    take_press,
)
from bot.discord.drawing import draw
from bot.discord.layout import Rendered
from bot.discord.outcomes import NOT_TAKEN, RequestOutcome, code_of, is_refused
from bot.discord.pacing import ByChannel, Urgency
from bot.discord.posting import is_member
from bot.discord.redraw_queue import RedrawQueue
from bot.recent import Recent
from bot.services.tables import Tables
from bot.tables.live import LiveTable, holds_cards
from bot.tables.turns import turn_of

log = structlog.get_logger(__name__)

T = TypeVar("T")
TOKENS: Final = 2  # tokens to keep: the newest may not be answered yet
ACTIVE: Final = 4096  # people remembered as having used something of the bot's in a channel


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to edit and delete a message: a token, and the message's id for that token."""

    token: SeatToken
    message_id: int  # `ORIGINAL` for the answer to the token's interaction


class SeatPlace(PrivatePlace):
    """A seat in the table's channel.

    The surface's epoch is the id of the seat's message. The target's epoch is the id of the lowest
    message that must be above it: the table's message, a reminder or a private answer.
    """

    kind = "seat"
    finds = False

    def __init__(self, owner: Seats, table_id: int, player: int) -> None:
        super().__init__(owner.driver, table_id, player)
        self._owner = owner
        self.channel_id = 0  # the table's channel
        self._ways: dict[int, _Way] = {}  # by message
        self._tokens: list[SeatToken] = []  # the newest first
        # the deal for which the seat has been posted below the table
        self._deal: Deal | None = None
        self._whole = False  # whether it shows the whole table
        self._content: Hashable = None  # the state that it should show
        self._drawn: Hashable = None  # the state that it shows
        self._table_message = 0  # the id of the table's message
        self.below = 0  # the id of an answer that was below it when its player's turn began
        self._awaited = False  # its player waits for it: it is their turn, or soon
        self._acts = False  # it is their turn

    @property
    def until(self) -> float:
        """Return when the last token expires, in seconds on the monotonic clock; 0 without one."""
        return max((token.until for token in self._all_tokens()), default=0.0)

    @property
    def is_alive(self) -> bool:
        """Return whether the seat has a message that can be edited."""
        way = self._ways.get(self.surface.message or 0)
        return way is not None and way.token.is_valid

    def remember(self, interaction: Interaction) -> None:
        """Keep the token of the player's latest interaction, unless it was outside servers."""
        token = self._token_of(interaction)
        if interaction.guild_id is None or token in self._tokens:
            return  # messages sent with this token would appear in a direct message
        self._tokens = [token, *self._tokens][:TOKENS]

    def _token_of(self, interaction: Interaction) -> SeatToken:
        tokens = (token for token in self._tokens if token.id == interaction.id)
        return next(tokens, None) or SeatToken(interaction)

    def drop_token(self) -> None:
        """Drop answered interactions to save memory; their tokens stay usable."""
        for token in self._all_tokens():
            token.drop_token()

    def _all_tokens(self) -> list[SeatToken]:
        return [*self._tokens, *(way.token for way in self._ways.values())]

    def token(self) -> SeatToken | None:
        """Return the token that can send a new message now; None if there is none."""
        return next((token for token in self.living_tokens() if token.takes_more), None)

    def living_tokens(self) -> list[SeatToken]:
        """Return the tokens that can send a new message now, or once a press is answered.

        There are none if the bot isn't a member of the server: Discord then accepts only five
        further messages for each token.
        """
        of_channel = (token for token in self._tokens if token.channel_id == self.channel_id)
        return [token for token in of_channel if token.is_valid and is_member(token)]

    def use(self, message_id: int, interaction: Interaction) -> None:
        """Edit a pressed message with the press's token from now on."""
        self._ways[message_id] = _Way(self._token_of(interaction), answers.ORIGINAL)

    def move_below(self, live: LiveTable) -> None:
        """Plan to post the seat again, below the table's message."""
        self._deal = None
        self.observe(live)

    def observe(self, live: LiveTable) -> None:
        """Plan to show the table's latest state."""
        self.drop_token()
        table, target = live.table, self.surface.target
        self.channel_id = table.channel_id
        self._table_message = table.message_id or 0
        self._awaited = acts_soon(live, self.player)
        self._acts = is_to_act(live, self.player)
        holds = live.match is not None and holds_cards(live.match, self.player)
        deal = deal_of(live) if holds else None
        new = deal is not None and deal != self._deal and not table.is_practice
        if new and live.needs_new_message and not self._owner.is_barred(table.id) and self.token():
            return  # the table's message comes first, and the seat below it
        if self._acts and self._owner.awaits_reminder(live):
            # so does a reminder that comes at once: otherwise the seat would be posted twice
            return
        epoch = target.epoch
        comes = deal is not None and not table.is_practice and not live.needs_new_message
        if comes and (new or self._acts):
            self._deal = deal
            above = (table.nudge_id or 0, self.below) if self._acts else ()
            epoch = max(epoch, table.message_id or 0, *above)
        state = self._state(live)
        version = target.version + (state not in (self._content, self._drawn))
        self._content = state
        self.want(Target(epoch, version))

    def _state(self, live: LiveTable) -> Hashable:
        return seat_state(live, self.player, whole=self._whole or live.table.is_practice)

    def urgency(self, request: Request) -> Urgency:
        """Return how urgent a request is."""
        # an earlier seat of this deal still has a working pad, above the current one: delete it
        # soon
        is_live = request.act is not Act.RETIRE or (request.message or 0) > self._table_message
        # the next player has their cards already: updating them must not delay the player to act
        if self._awaited and is_live and (self._acts or request.act is not Act.EDIT):
            return Urgency.AWAITED
        # after their turn, a seat that still says "your turn" has a pad that does nothing
        return Urgency.CATCHING_UP if request.act is Act.RETIRE else Urgency.REDRAW

    async def wait_for_turn(self, request: Request, queue: RedrawQueue, *, hurried: bool) -> None:
        """Wait until the channel's token budget allows a request, then for a gap between presses.

        `Act.NOTE` waits for neither, `Act.RETIRE` only for the budget. `hurried`: don't wait for
        the budget; if it is used up, leave earlier seats undeleted.
        """
        if request.act is Act.NOTE:
            return
        token_budgets = self._owner.token_budgets
        if hurried and request.act is Act.RETIRE and not token_budgets.has_room(self.channel_id):
            # leave it above: the bot is stopping and must not wait for this
            self.surface = self.surface._replace(retire=())
        elif hurried:
            token_budgets.spend(self.channel_id)
        else:
            await self._owner.token_budgets.turn(self.channel_id, self)
        if request.act is not Act.RETIRE:
            await queue.turn(self, pressing=self._awaited or hurried)

    def hurry(self, queue: RedrawQueue, *, always: bool = False) -> None:
        """Raise the urgency of the waiting request; if `always`, to `Urgency.AWAITED`."""
        request = machine.decide(self.surface)
        if request is None and not always:
            return
        urgency = Urgency.AWAITED if request is None or always else self.urgency(request)
        self._owner.token_budgets.hurry(self.channel_id, self, urgency)
        if urgency is Urgency.AWAITED:
            queue.hurry(self)

    async def perform(self, request: Request, interaction: Interaction | None) -> RequestResult:
        """Make a request; see `SurfacePlace.perform`."""
        if request.act in (Act.NOTE, Act.FIND, Act.SEARCH):
            return RequestResult()
        if request.act is Act.RETIRE:
            return await self._delete(request.message or 0)
        live = await self._owner.tables.see(self.table_id)
        self.observe(live)
        if request.act is Act.POST:
            return await self._post(live, interaction)
        return await self._edit(live, request.message or 0, interaction)

    async def _post(self, live: LiveTable, interaction: Interaction | None) -> RequestResult:
        token = self._token_of(interaction) if interaction is not None else self.token()
        if token is None:
            return RequestResult(outcome=RequestOutcome.REFUSED)
        async with token.limit():
            drawing, message = await self._draw(live, token.send)
        if message is None:
            return RequestResult(outcome=RequestOutcome.REFUSED)
        own_id = message.id if answers.is_follow_up(message) else answers.ORIGINAL
        self._ways[message.id] = _Way(token, own_id)
        return replace(drawing, messages=((message.id, message.id),))

    async def _edit(
        self, live: LiveTable, message_id: int, interaction: Interaction | None
    ) -> RequestResult:
        way = self._ways.get(message_id)
        if interaction is not None:
            way = _Way(self._token_of(interaction), answers.ORIGINAL)
        if way is None or not way.token.is_valid:
            return RequestResult(outcome=RequestOutcome.GONE)
        try:
            async with way.token.limit():
                drawing, _ = await self._draw(live, partial(way.token.edit, way.message_id))
        except NOT_TAKEN as error:
            # it was dismissed, or its token expired sooner than expected: the seat is gone
            if interaction is not None or not is_refused(error):
                raise
            log.info("seats: one is gone", table=self.table_id, code=code_of(error))
            self._ways.pop(message_id, None)
            return RequestResult(outcome=RequestOutcome.GONE)
        return drawing

    async def _draw(
        self, live: LiveTable, send: Callable[[Rendered], Awaitable[T]]
    ) -> tuple[RequestResult, T]:
        version, pressed = self.surface.target.version, self.current_press(live)
        board = await self._owner.boards.for_player(live, self.player, pressed, apart=False)
        ready, sent = await draw(board, send)
        self._whole = pressed.whole
        self._content = self._drawn = self._state(live)
        self.follow(ready)
        return RequestResult(version=version), sent

    async def _delete(self, message_id: int) -> RequestResult:
        way = self._ways.get(message_id)
        if way is not None and way.token.is_valid:
            async with way.token.limit():
                await way.token.webhook.delete_message(way.message_id)
        self._ways.pop(message_id, None)  # not before: a deletion that failed is tried again
        return RequestResult()


@dataclass(eq=False)
class Seats:
    """Opens, answers and updates seats: one for each player and table."""

    tables: Tables
    driver: Driver
    boards: Boards
    direct_seats: DirectSeats
    token_budgets: ByChannel
    is_barred: Callable[[int], bool]  # returns whether a table cannot be shown in its channel
    # returns whether a reminder comes with this turn and is not there yet
    awaits_reminder: Callable[[LiveTable], bool]

    def __post_init__(self) -> None:
        # by table and player; the table of the last press comes last
        self._places: OrderedDict[int, dict[int, SeatPlace]] = OrderedDict()
        # by (channel, person)
        self._active = Recent[tuple[int | None, int], None](ACTIVE)
        self._answers = Recent[tuple[int | None, int], int](ACTIVE)

    def update(self, live: LiveTable) -> None:
        """Update the seats of a table, in the order of play."""
        places = self._places.get(live.table.id, {})
        for player in _in_order_of_play(live, places):
            place = places[player]
            if place.channel_id not in (0, live.table.channel_id):
                del places[player]  # the table has moved, and its seat is in the channel before
                continue
            place.observe(live)
            self.driver.wake(place)

    def _place(self, table_id: int, player: int) -> SeatPlace | None:
        return self._places.get(table_id, {}).get(player)

    def remember(self, table_id: int, interaction: Interaction) -> SeatPlace:
        """Keep the token of a person's latest interaction at a table, to update their seat."""
        player = interaction.user.id
        place = self._place(table_id, player)
        if place is None:
            self._forget_old()
            place = SeatPlace(self, table_id, player)
            self._places.setdefault(table_id, {})[player] = place
        place.remember(interaction)
        self._places.move_to_end(table_id)
        return place

    def _forget_old(self) -> None:
        """Forget the least recently used tables' seats, if none can be updated any more."""
        now = time.monotonic()
        while self._places:
            table_id, places = next(iter(self._places.items()))
            for place in places.values():
                if place.until > now or place.task is not None or self.driver.is_held(place):
                    return
            del self._places[table_id]

    def drop_token(self, table_id: int, player: int) -> None:
        """Drop a player's answered interactions, and keep only their tokens."""
        if place := self._place(table_id, player):
            place.drop_token()

    async def open(
        self, interaction: Interaction, live: LiveTable, notice: Notice | None = None
    ) -> bool:
        """Show the asker's seat in a new private message; return whether Discord took it.

        If a public answer to the interaction is still to come, show nothing and return False.
        """
        place = self.remember(live.table.id, interaction)
        if answers.is_owed_to_all(interaction):
            return False
        place.observe(live)
        place.press(live, Pick(), notice, whole=True)
        return await self.driver.post(place, interaction) is RequestOutcome.TAKEN

    def seat_progress(self, live: LiveTable, player: int) -> Pressed:
        """Return how presses in the table's current state have changed the player's seat."""
        place = self._place(live.table.id, player)
        return place.current_press(live) if place is not None else Pressed(None)

    async def redraw(
        self,
        interaction: Interaction,
        live: LiveTable,
        pick: Pick = Pick(),
        notice: Notice | None = None,
        *,
        whole: bool = True,
    ) -> None:
        """Answer a press on a seat by redrawing the seat, and use the press's token from now on.

        If the player has a newer seat, delete the pressed one instead, and send the notice. `pick`,
        `notice` and `whole`: as in `Pressed`.
        """
        if answers.is_direct_message(interaction) and not live.table.is_practice:
            await self.direct_seats.redraw(interaction, live, pick, notice)
            return
        place = self.remember(live.table.id, interaction)
        place.press(live, pick, notice, whole=whole)
        pressed = interaction.message
        if take_press(place, interaction):
            place.observe(live)
            # a post that was refused for want of a token is possible now
            place.surface = place.surface._replace(refused_post=None)
            # a token whose answer is a new message can't delete the pressed one: another must
            is_new = not interaction.response.is_done() and interaction.guild_id is not None
            may_post = is_new and place.is_alive
            await self.driver.answer(place, interaction, may_post=may_post)
            if pressed is not None and place.surface.message == pressed.id:
                place.use(pressed.id, interaction)
            return
        # a lower seat is open: drop the pressed one
        await answers.acknowledge(interaction)
        if pressed is not None:
            place.use(pressed.id, interaction)
            place.surface = machine.meet(place.surface, (pressed.id, pressed.id))
        if notice is not None:
            await answers.reply_privately(interaction, notice.text)
        self.driver.wake(place)

    def answering(self, table_id: int, player: int) -> AbstractContextManager[None]:
        """Hold back requests for a player's seats while a block processes a press in one."""
        kinds = SeatPlace.kind, DirectSeatPlace.kind
        return self.driver.hold(*((kind, table_id, player) for kind in kinds))

    def move_below(self, live: LiveTable, player: int) -> None:
        """Show a player's seat again, below the table's message."""
        place = self._place(live.table.id, player)
        if place is not None:
            place.move_below(live)
            self.driver.wake(place)

    def is_open(self, live: LiveTable, player: int) -> bool:
        """Return whether a player has a seat that the bot can update."""
        place = self._place(live.table.id, player)
        return place is not None and place.is_alive

    def is_due(self, live: LiveTable, player: int) -> bool:
        """Return whether a player's seat can be sent or edited now."""
        place, channel = self._place(live.table.id, player), live.table.channel_id
        if place is None or not self.token_budgets.has_room_for_awaited(channel):
            return False
        place.channel_id = channel  # the table may have moved since the player's first press
        return place.is_alive or bool(place.living_tokens())

    def note_touch(self, interaction: Interaction) -> None:
        """Remember that a person has used a button or command of the bot in a channel."""
        self._active[interaction.channel_id, interaction.user.id] = None

    def note_answer(self, interaction: Interaction) -> None:
        """Remember an interaction's private answer, which may be below the person's seat."""
        if message_id := answers.private_answer(interaction):
            self._answers[interaction.channel_id, interaction.user.id] = message_id

    def begin_turn(self, live: LiveTable, player: int) -> None:
        """Forget what the player to act did before their turn.

        If a private answer is below their seat, plan to post the seat below that answer.
        """
        where = live.table.channel_id, player
        self._active.pop(where, None)
        place, answer = self._place(live.table.id, player), self._answers.pop(where, 0)
        if place is not None:
            place.below = answer if answer > (place.surface.message or 0) else 0

    def was_touched(self, live: LiveTable, player: int) -> bool:
        """Return whether a player has used the bot in the channel or in a direct seat this turn."""
        direct_seat = self.direct_seats.place(live.table.id, player)
        direct = direct_seat is not None and direct_seat.touched == turn_of(live.match)
        return direct or (live.table.channel_id, player) in self._active


def _in_order_of_play(live: LiveTable, players: Iterable[int]) -> list[int]:
    """Return players in turn order, beginning with the player to act.

    If nobody is to act, keep the given order.
    """
    match, turn = live.match, turn_of(live.match)
    if match is None or turn is None:
        return list(players)

    def place(player: int) -> int:
        seat = match.seat_of(player)
        return len(match.seats) if seat is None else (seat - turn[-1]) % len(match.seats)

    return sorted(players, key=place)
