"""The protocols that tables depend on: a store, an announcer, a clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from bot.stats.ports import RecordStore
from bot.tables.live import LiveTable
from bot.tables.model import (
    Change,
    DailyResult,
    Delivery,
    Digest,
    HistoryLine,
    HoleCards,
    KeptMatch,
    Mistake,
    PastMatch,
    Player,
    Snapshot,
    Table,
)
from bot.tables.nights import Night
from engine.players import Choice, Position
from engine.ruleset import Options

Changed = Callable[[Player], Player]  # a person as they are to be, of how they are stored


class TableStore(Protocol):
    """Tables: opened, changed and found."""

    async def version_of(self, table_id: int) -> int | None:
        """Return a table's stored version; None if there is no such table."""

    async def seats_of(self, player: int) -> list[tuple[int, int]]:
        """Return the live tables where a person sits or is invited to: id and version."""

    async def open(self, table: Table, interaction_id: int | None) -> Table:
        """Store a new table (its `id` is ignored) and return it with its id and version 1.

        A FINISHED table of the same channel is closed by it. Raises `ChannelHasTable`, `Repeated`.
        """

    async def commit(self, change: Change) -> Table:
        """Store a change whole. Returns the table (with `match_id` if a match was created).

        While the table keeps its match, `message_id` and `announced_seq` stay as
        `note_message` left them, and what `note_nudge` noted always does, whatever the change
        says: both come without a new version.
        Raises `Repeated` (checked first), `Stale`, `ChannelHasTable`.
        """

    async def postpone(self, tables: Sequence[Table]) -> None:
        """Store the clocks of tables, each with its next version; all in one transaction.

        A table that is no longer at the version before stays as it is: it has moved on.
        """

    async def snapshot(self, table_id: int) -> Snapshot | None:
        """Return a table with its match and log. Raises `Damaged`."""

    async def in_channel(self, channel_id: int) -> Table | None:
        """Return the newest table of a channel that is not CLOSED. Raises `Damaged`."""

    async def live(self) -> list[Table]:
        """Every LOBBY and PLAYING table of this process's shards that can be read."""

    async def live_hosted_by(self, player: int) -> int:
        """Return how many live tables a person hosts, in all servers; practices don't count."""
        ...

    async def to_announce(self, since: int) -> list[Table]:
        """Tables whose match ended since then (ms) and whose channel may not know it yet."""

    async def live_in_guild(self, guild_id: int) -> int:
        """Return how many live tables a guild has."""

    async def due(self, now: int) -> list[Table]:
        """Live tables that can be read and whose deadline is at or before `now`.

        Of several processes only one is given a table, until it moves on.
        """

    async def next_deadline(self, after: int) -> int | None:
        """Return the earliest deadline later than `after` of this process's live tables."""

    async def note_shown(self, versions: Sequence[tuple[int, int]]) -> None:
        """Remember of tables, by id and version, that they are shown as they stand."""

    async def up_to_date(self) -> set[int]:
        """Return this process's live tables whose messages are known to show their state."""

    async def versions(self) -> list[tuple[int, int]]:
        """Return this process's live tables: id and version."""

    async def notify(self, table_id: int, guild_id: int) -> None:
        """Have other processes reload a table that no move changed."""

    async def note_message(self, table_id: int, message_id: int, announced_seq: int) -> None:
        """Remember which message shows the table and how much of the log it shows.

        Not a move: the version stays. `announced_seq` never goes back.
        """

    async def note_nudge(
        self,
        table_id: int,
        message_id: int | None,
        nudged: str | None,
        letter: tuple[int, int] | None = None,
    ) -> None:
        """Store which message reminds the player in turn, and which reminder it is.

        `letter` is the direct message that reminds them too: its id and recipient. This is not a
        move: the version stays. None: there is no such message any more.
        """


class MatchStore(Protocol):
    """Matches, their logs and the cards that were dealt in them."""

    async def past_matches(self, match_id: int, most: int) -> list[PastMatch]:
        """Return a match and those before it in its channel, latest first, if they are over."""

    async def load(self, match_id: int) -> KeptMatch | None:
        """Return a match by its number, over or not."""

    async def last_ended(self, channel_id: int) -> int | None:
        """Return the number of a channel's latest match that is over."""

    async def history(self, player: int, before: int | None, most: int) -> list[HistoryLine]:
        """Return the matches a person played to the end, latest first, before that number."""

    async def rounds_dealt(self, player: int, before: int | None, most: int) -> int:
        """Return how many rounds a person was dealt before that match, counted up to `most`.

        Matches played to the end count, and every practice. Without `before`, all of them.
        """
        ...

    async def deliveries(self, match_id: int, round_number: int) -> list[HoleCards]:
        """Return the delivery rows of a round, by seat."""

    async def note_delivery(self, cards: HoleCards, state: Delivery) -> None:
        """Remember what became of a delivery."""


class PersonStore(Protocol):
    """The stored data of people."""

    async def player(self, player_id: int) -> Player:
        """Return the stored data of a person; a blank record for a stranger."""

    async def players(self, ids: tuple[int, ...]) -> dict[int, Player]:
        """Return the stored data of these people, by id; blank records for strangers."""

    async def change(self, player_id: int, change: Changed) -> Player:
        """Change the latest stored data of a person and return the result.

        Concurrent changes are not lost. `change` may be called twice.
        """


class ServerStore(Protocol):
    """The settings of servers, who subscribes to their channels, and the registered commands."""

    async def guild_options(self, guild_id: int, game: str) -> Options:
        """Return a server's usual options for new tables of a game; empty if none are set."""

    async def note_guild_options(self, guild_id: int, game: str, options: Options) -> None:
        """Store a server's usual options in place of the earlier ones."""

    async def listeners(self, channel_id: int) -> list[int]:
        """Return the people to notify when a table opens in a channel."""

    async def note_listener(self, channel_id: int, player_id: int, *, listens: bool) -> None:
        """Store whether a person is notified of new tables in a channel."""

    async def may_notify(self, channel_id: int, now: int, gap: int) -> bool:
        """Return whether the last notice was at least `gap` ms ago; if so, count one now."""

    async def registered_digest(self, application_id: int) -> str | None:
        """Return the digest of the last registered commands; None if unknown."""

    async def note_registered(self, application_id: int, digest: str) -> None:
        """Remember that these commands are registered."""


class DailyStore(Protocol):
    """Results in deals of the day."""

    async def result(self, player: int, game: str, day: int) -> DailyResult | None:
        """Return a person's result in a deal; None if they haven't played it."""

    async def of_deal(self, game: str, day: int, most: int) -> list[DailyResult]:
        """Return the results of a deal in all servers, latest first."""

    async def board(self, guild_id: int, since: int) -> list[DailyResult]:
        """Return results since a day, of a server's people who are not hidden."""

    async def days(self, players: tuple[int, ...]) -> dict[int, list[int]]:
        """Return the days on which each of these people finished a deal."""


class MistakeStore(Protocol):
    """Decisions that cost their player much, to ask again."""

    async def due(self, player: int, now: int) -> Mistake | None:
        """Return the decision to ask a person by `now` (ms); None if there is none."""

    async def find(self, player: int, match_id: int, seq: int) -> Mistake | None:
        """Return a person's decision that is asked again, or was."""

    async def next_at(self, player: int) -> int | None:
        """Return when (ms) a person is next asked a decision; None if never."""

    async def not_looked_through(self, player: int, most: int) -> list[int]:
        """Return which of a person's latest `most` matches aren't looked through, latest first."""

    async def note_looked_through(
        self, player: int, match_id: int, seqs: Sequence[int], now: int
    ) -> None:
        """Ask a person these decisions of a match from `now` (ms) on; none of them twice."""

    async def note_answered(self, before: Mistake, after: Mistake) -> bool:
        """Store an answer; False if the decision has been answered since `before`."""


class NightStore(Protocol):
    """Game nights."""

    async def add(self, night: Night) -> Night:
        """Store a new night (its `id` is ignored) and return it with its id."""
        ...

    async def of_guild(self, guild_id: int) -> list[Night]:
        """Return the nights of a server."""

    async def due(self, now: int) -> list[Night]:
        """Return this process's nights that are due at or before `now`, earliest first."""

    async def next_deadline(self, after: int) -> int | None:
        """Return when the earliest night later than `after` is due."""

    async def change(self, number: int, change: Callable[[Night], Night | None]) -> Night | None:
        """Change a night as it is stored now, or delete it (None); return what is stored then.

        None: there is no such night any more. Raises what `change` does.
        """


class DirectMessageStore(Protocol):
    """Direct messages sent unasked: digests, and the count of reminders."""

    async def digest_of(self, player: int) -> Digest | None:
        """Return a person's digest; None if they have chosen none."""

    async def keep_digest(self, player: int, digest: Digest | None) -> None:
        """Store a person's digest in place of the earlier one. None: they want none."""

    async def put_off(self, seen: Digest, until: int) -> None:
        """Postpone a digest to `until` (ms), unless it has changed since it was `seen`."""

    async def due(self, now: int) -> list[Digest]:
        """Return digests that are due at or before `now`, earliest first."""

    async def next_deadline(self, after: int) -> int | None:
        """Return when the earliest digest later than `after` is due."""

    async def may_remind(self, player: int, which: str, now: int, most: int, gap: int) -> bool:
        """Return whether fewer than `most` other reminders went to them in the last `gap` ms.

        If so, count this one. A second call for the same reminder returns the same.
        """
        ...


class Store(Protocol):
    """The store, by its parts.

    Every function of a part is one transaction and may raise `StoreUnavailable`.
    """

    @property
    def is_shared(self) -> bool:
        """Whether other processes may change the store. If not, what was read stays true."""

    tables: TableStore
    matches: MatchStore
    people: PersonStore
    servers: ServerStore
    nights: NightStore
    direct_messages: DirectMessageStore
    stats: RecordStore
    daily: DailyStore
    mistakes: MistakeStore


class Announcer(Protocol):
    """Shows tables. Calls return at once; the work happens later, and the latest state wins."""

    def on_change(self, live: LiveTable, *, unseen: bool) -> None:
        """Take note of a changed table. If `unseen`, no message shows the change."""


class Decider(Protocol):
    """Decides for computer players. It may take its time, and may have no answer."""

    async def choose(self, position: Position, *, exactly: bool = False) -> Choice:
        """Choose for the player in `position`; the same position gets the same choice.

        If `exactly`, no other player may decide in its stead, however long that takes.
        """


class Clock(Protocol):
    """The time. Deadlines are stored as wall-clock milliseconds."""

    def now(self) -> int:
        """Milliseconds since 1970."""


class Changes:
    """An `Announcer` that passes each change to all its listeners, in order.

    The service announces; the delivery, which needs the service, listens. So each can be built
    complete.
    """

    def __init__(self) -> None:
        self._listeners: list[Announcer] = []

    def listen(self, listener: Announcer) -> None:
        """Pass every change from now on to `listener`."""
        self._listeners.append(listener)

    def on_change(self, live: LiveTable, *, unseen: bool) -> None:
        """Pass a change to all listeners; see `Announcer`."""
        for listener in self._listeners:
            listener.on_change(live, unseen=unseen)
