"""What tables need of the world, as protocols: a store, an announcer, a clock."""

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
        """The version of a table as it is stored; None if there is no such table."""

    async def seats_of(self, player: int) -> list[tuple[int, int]]:
        """The live tables at which somebody sits, or is asked to sit again: id and version."""

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

        One that is no longer at the version before stays as it is: it has been moved on.
        """

    async def snapshot(self, table_id: int) -> Snapshot | None:
        """A table with its match and log. Raises `Damaged`."""

    async def in_channel(self, channel_id: int) -> Table | None:
        """The newest table of a channel that is not CLOSED. Raises `Damaged`."""

    async def live(self) -> list[Table]:
        """Every LOBBY and PLAYING table of this process's shards that can be read."""

    async def live_hosted_by(self, player: int) -> int:
        """How many live tables somebody hosts, in every server; a practice is none."""
        ...

    async def to_announce(self, since: int) -> list[Table]:
        """Tables whose match ended since then (ms) and whose channel may not know it yet."""

    async def live_in_guild(self, guild_id: int) -> int:
        """How many live tables a guild has."""

    async def due(self, now: int) -> list[Table]:
        """Live tables that can be read and whose deadline is at or before `now`.

        Of several processes only one is given a table, until it moves on.
        """

    async def next_deadline(self, after: int) -> int | None:
        """The earliest deadline later than `after` of a live table that is this process's too."""

    async def note_shown(self, versions: Sequence[tuple[int, int]]) -> None:
        """Remember of tables, by id and version, that they are shown as they stand."""

    async def up_to_date(self) -> set[int]:
        """The live tables of this process's shards that are known to be shown as they stand."""

    async def versions(self) -> list[tuple[int, int]]:
        """The live tables of this process's shards: id and version."""

    async def notify(self, table_id: int, guild_id: int) -> None:
        """Have other processes read a table anew, which was changed by no move."""

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
        """Remember which message reminds whoever is to act, and which reminder it is.

        `letter` is the direct message that does so too, its id and to whom it was written. Not a
        move: the version stays. None: there is no such message any more.
        """


class MatchStore(Protocol):
    """Matches, their logs and the cards that were dealt in them."""

    async def past_matches(self, match_id: int, most: int) -> list[PastMatch]:
        """A match and those before it in its channel, the latest first, as far as they are over."""

    async def load(self, match_id: int) -> KeptMatch | None:
        """A match by its number, whether it is over or not."""

    async def last_ended(self, channel_id: int) -> int | None:
        """The number of the latest match of a channel that is over."""

    async def history(self, player: int, before: int | None, most: int) -> list[HistoryLine]:
        """The matches that somebody played to the end, the latest first; before that number."""

    async def rounds_dealt(self, player: int, before: int | None, most: int) -> int:
        """How many rounds somebody was dealt, counted up to `most`; before that match, if any.

        Of matches that were played to the end, and of every practice.
        """
        ...

    async def deliveries(self, match_id: int, round_number: int) -> list[HoleCards]:
        """The delivery rows of a round, by seat."""

    async def note_delivery(self, cards: HoleCards, state: Delivery) -> None:
        """Remember what became of a delivery."""


class PersonStore(Protocol):
    """What is remembered of people."""

    async def player(self, player_id: int) -> Player:
        """What is remembered of a person; a blank record for a stranger."""

    async def players(self, ids: tuple[int, ...]) -> dict[int, Player]:
        """What is remembered of these people, by id; of a stranger a blank record."""

    async def change(self, player_id: int, change: Changed) -> Player:
        """Change what is remembered of a person, however that stands by then; what holds now.

        Nothing that somebody else changed meanwhile is lost. `change` may be called twice.
        """


class ServerStore(Protocol):
    """What a server has chosen, who listens in its channels, and the registered commands."""

    async def guild_options(self, guild_id: int, game: str) -> Options:
        """What a server has chosen for new tables of a game; empty if nothing."""

    async def note_guild_options(self, guild_id: int, game: str, options: Options) -> None:
        """Remember it, in place of what was chosen before."""

    async def listeners(self, channel_id: int) -> list[int]:
        """Who wants to be told when a table opens in a channel."""

    async def note_listener(self, channel_id: int, player_id: int, *, listens: bool) -> None:
        """Remember that somebody wants to be told, or does not any more."""

    async def may_notify(self, channel_id: int, now: int, gap: int) -> bool:
        """Whether `gap` milliseconds have passed since the last time; if so, now is the last."""

    async def registered_digest(self, application_id: int) -> str | None:
        """The digest of the commands that were registered last; None: none that is known of."""

    async def note_registered(self, application_id: int, digest: str) -> None:
        """Remember that these commands are registered."""


class DailyStore(Protocol):
    """How people fared in deals of the day."""

    async def result(self, player: int, game: str, day: int) -> DailyResult | None:
        """How somebody fared in a deal; None: they have not played it."""

    async def of_deal(self, game: str, day: int, most: int) -> list[DailyResult]:
        """How people fared in a deal, in whichever server, the latest first."""

    async def board(self, guild_id: int, since: int) -> list[DailyResult]:
        """Results of deals from a day on, of a server's people who are not hidden."""

    async def days(self, players: tuple[int, ...]) -> dict[int, list[int]]:
        """The days on which each of these people has finished a deal."""


class MistakeStore(Protocol):
    """Decisions that cost their player much, to be asked again."""

    async def due(self, player: int, now: int) -> Mistake | None:
        """The decision that somebody is to be asked by `now` (ms); None if there is none."""

    async def find(self, player: int, match_id: int, seq: int) -> Mistake | None:
        """A decision of somebody that is asked, or was."""

    async def next_at(self, player: int) -> int | None:
        """When (ms) somebody is to be asked next; None if never."""

    async def not_looked_through(self, player: int, most: int) -> list[int]:
        """Of somebody's latest `most` matches those not looked through, the latest first."""

    async def note_looked_through(
        self, player: int, match_id: int, seqs: Sequence[int], now: int
    ) -> None:
        """Have somebody asked these decisions of a match from `now` (ms) on; none twice."""

    async def note_answered(self, before: Mistake, after: Mistake) -> bool:
        """Store an answer; False if the decision has been answered since `before`."""


class NightStore(Protocol):
    """Game nights."""

    async def add(self, night: Night) -> Night:
        """Store a new night (its `id` is ignored); it with its id."""
        ...

    async def of_guild(self, guild_id: int) -> list[Night]:
        """The nights of a server."""

    async def due(self, now: int) -> list[Night]:
        """Nights of this process's servers that are due at or before `now`, the earliest first."""

    async def next_deadline(self, after: int) -> int | None:
        """When the earliest night later than `after` is due."""

    async def change(self, number: int, change: Callable[[Night], Night | None]) -> Night | None:
        """Change a night however it stands by then, or delete it (None); what holds now.

        None: there is no such night, or not any more. Raises what `change` does.
        """


class DirectMessageStore(Protocol):
    """Direct messages that nobody has asked for at the moment: digests, and how many reminders."""

    async def digest_of(self, player: int) -> Digest | None:
        """When somebody wants to be told of their turns; None: never."""

    async def keep_digest(self, player: int, digest: Digest | None) -> None:
        """Remember it, in place of what was chosen before. None: they want none."""

    async def put_off(self, seen: Digest, until: int) -> None:
        """Have a digest come next at `until` (ms), unless it is not as it was `seen` any more."""

    async def due(self, now: int) -> list[Digest]:
        """Digests that are due at or before `now`, the earliest first."""

    async def next_deadline(self, after: int) -> int | None:
        """When the earliest digest later than `after` is due."""

    async def may_remind(self, player: int, which: str, now: int, most: int, gap: int) -> bool:
        """Whether fewer than `most` others than this reminder went to them in the last `gap` ms.

        If so, it is counted; asked again about the same one, the answer stays.
        """
        ...


class Store(Protocol):
    """The store, by its parts. Every function of them is one transaction, and may raise
    `StoreUnavailable`.
    """

    @property
    def is_shared(self) -> bool:
        """Whether other processes may change what is stored. If not, what was read stays true."""

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
    """Who shows tables. Calls return at once; the work is done behind them, latest state wins."""

    def changed(self, live: LiveTable, *, unseen: bool) -> None:
        """A table changed. `unseen`: nothing of it is to be seen."""


class Decider(Protocol):
    """Who decides for computer players. It may take its time, and may have no answer."""

    async def choose(self, position: Position, *, exactly: bool = False) -> Choice:
        """What the player in `position` does: the same for the same position.

        `exactly`: no other may decide for it, whatever it has to wait for.
        """


class Clock(Protocol):
    """The time. Deadlines are stored as wall-clock milliseconds."""

    def now(self) -> int:
        """Milliseconds since 1970."""


class Changes:
    """Implements `Announcer` by telling every listener, in the order of listening.

    The service tells; the delivery, which needs the service, listens. So neither has to be
    finished by hand after the other is made.
    """

    def __init__(self) -> None:
        self._listeners: list[Announcer] = []

    def listen(self, listener: Announcer) -> None:
        """Tell `listener` of every change from now on."""
        self._listeners.append(listener)

    def changed(self, live: LiveTable, *, unseen: bool) -> None:
        """A table changed; see `Announcer`."""
        for listener in self._listeners:
            listener.changed(live, unseen=unseen)
