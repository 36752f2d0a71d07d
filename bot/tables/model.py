"""The stored data of tables and matches, as frozen values independent of Discord and database.

People, servers, channels and messages are identified by Discord snowflakes (integers), except
computer players and the channels of practices, which are negative, and nameless players
(`bot.roster`). All times are wall-clock milliseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from bot.stats.match_record import MatchRecord
from engine.ruleset import OptionValue


class Status(StrEnum):
    """A table's stage. LOBBY and PLAYING tables are live: a channel has at most one."""

    LOBBY = "lobby"
    PLAYING = "playing"
    FINISHED = "finished"  # the last match has a winner; Play again makes it a lobby once more
    CLOSED = "closed"  # cancelled, ended by the host, or replaced by another table

    @property
    def live(self) -> bool:
        """Whether the table occupies its channel."""
        return self in (Status.LOBBY, Status.PLAYING)


class MatchStatus(StrEnum):
    """A match's stage."""

    PLAYING = "playing"
    WON = "won"
    ABANDONED = "abandoned"  # ended by request or with its channel: counts in no statistics


class DeadlineKind(StrEnum):
    """The event that a table's deadline triggers."""

    LOBBY = "lobby"  # the lobby has waited too long: close it
    REMATCH = "rematch"  # enough players have joined again: start
    NUDGE = "nudge"  # remind the player in turn
    TURN = "turn"  # the clock of the player in turn has run out
    HOUSE = "house"  # the player in turn is away: make a move for them
    COMPUTER = "computer"  # a computer player acts, in turn or with a challenge out of turn
    DESERTED = "deserted"  # everyone is still away: the match ends
    NEXT_ROUND = "next_round"  # the showdown has been shown long enough: deal


class Delivery(StrEnum):
    """The outcome of sending hole cards by direct message."""

    PENDING = "pending"
    SENT = "sent"
    CLOSED = "closed"  # the player's direct messages are closed; not tried again
    FAILED = "failed"  # Discord refused for another reason; not tried again


@dataclass(frozen=True, slots=True)
class PlayerCut:
    """A player's cut of the cards, used from the deal of round `counts_from` on."""

    player: int
    text: str
    counts_from: int  # the number of a round


@dataclass(frozen=True, slots=True)
class Table:
    """A table in a channel: its players and match. Each stored change increases `version` by 1."""

    id: int
    guild_id: int
    channel_id: int
    host_id: int
    status: Status
    variant: str  # key of the chosen game
    options: dict[str, OptionValue]  # the game's options and the common ones
    players: tuple[int, ...]  # in the order of joining
    version: int
    created_at: int
    updated_at: int
    match_id: int | None = None  # the match being played, or the last one
    message_id: int | None = None  # the message that shows the table
    announced_seq: int = 0  # the log length that the table message is known to show
    deadline: int | None = None  # when the next automatic event is due
    deadline_kind: DeadlineKind | None = None  # which event
    last_winner: int | None = None  # the winner of the previous match here
    turn_since: int | None = None  # when the current turn began
    turn_ends: int | None = None  # when that player's clock runs out; None: never
    nudges: int = 0  # reminders due so far in this turn
    nudge_id: int | None = None  # the message that reminds the player in turn
    letter_id: int | None = None  # the direct message that reminds the player in turn
    letter_to: int | None = None  # the recipient of that direct message
    nudged: str | None = None  # which reminder these messages show, as `turns.reminder` names it
    absent: dict[int, int] = field(default_factory=dict)  # missed turns in a row, by player
    # who voted that a player is away; key 0: who voted to end the match (`moderation.THE_MATCH`)
    votes: dict[int, tuple[int, ...]] = field(default_factory=dict)
    # the people of the last match who are invited to play again, without those who declined or left
    invited: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()  # the queue for the next match
    # secret: the root of the seeds of this match or the next one (`engine.cutting`)
    chain_root: bytes | None = field(default=None, repr=False)
    cuts: tuple[PlayerCut, ...] = ()  # at most one for each player, in the order made
    # the day (`date.toordinal`) of a deal of the day, and the server (or 0) where it is played
    daily_day: int | None = None
    daily_guild: int = 0

    @property
    def is_practice(self) -> bool:
        """Whether the table is a practice (`bot.services.practice`), which only one player sees.

        A practice has no channel.
        """
        return self.channel_id < 0

    @property
    def awaited_players(self) -> tuple[int, ...]:
        """The people invited to play again who haven't answered."""
        return tuple(invitee for invitee in self.invited if invitee not in self.players)

    @property
    def returned_players(self) -> tuple[int, ...]:
        """The people invited to play again who have joined."""
        return tuple(invitee for invitee in self.invited if invitee in self.players)


@dataclass(frozen=True, slots=True)
class StoredAction:
    """One line of a match's log. `body` is what `engine.actions.to_json` wrote."""

    seq: int  # from 1, without gaps
    body: dict[str, Any]
    at: int
    interaction_id: int | None = None
    by_house: bool = False  # made for an absent player


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as stored: its pinned rules, its players and its log."""

    id: int
    table_id: int
    variant: str
    variant_version: int
    options: dict[str, OptionValue]  # the value of every option of the game
    players: tuple[int, ...]
    opener: int | None  # the seat that opens the first round; None: drawn at random
    status: MatchStatus
    started_at: int
    ended_at: int | None
    actions: tuple[StoredAction, ...]


@dataclass(frozen=True, slots=True)
class PastMatch:
    """A match that is over; `winner` is None if the match was ended without one."""

    started_at: int
    ended_at: int
    winner: int | None


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match to be created together with the table's change."""

    variant: str
    variant_version: int
    options: dict[str, OptionValue]
    players: tuple[int, ...]
    opener: int | None


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """A player's result in a finished match: place 1 is the winner; ties share the better place."""

    player: int
    place: int
    rounds: int  # how many rounds the player was dealt into


@dataclass(frozen=True, slots=True)
class DailyResult:
    """A person's result in a deal of the day (`bot.tables.daily`)."""

    player: int
    game: str
    day: int  # as `date.toordinal` counts
    version: int  # the version of the computer players
    guild_id: int  # where it was played; 0 in a direct message
    match_id: int
    place: int | None  # None: the person gave up
    rounds: str  # a letter a round: "x" lost, "w" won by their own bid or challenge, "." neither
    boldest: float | None  # the chance of their boldest bluff; None: no bluff


@dataclass(frozen=True, slots=True)
class Mistake:
    """A costly decision, to ask its player about again until they have answered well twice."""

    player: int
    match_id: int
    seq: int  # the number of the action in its match
    asked: int  # how many times the player has answered
    right: int  # how many of those answers were good
    due_at: int | None  # when to ask again; None: never


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a match, stored with the action that brought it about."""

    status: MatchStatus
    results: tuple[PlayerResult, ...] = ()
    record: MatchRecord | None = None  # for statistics; None if the match doesn't count
    daily: DailyResult | None = None


@dataclass(frozen=True, slots=True)
class HoleCards:
    """A delivery row: the cards of a seat in a round, to be sent by direct message."""

    match_id: int
    round: int
    seat: int
    player: int
    state: Delivery = Delivery.PENDING


@dataclass(frozen=True, slots=True)
class Change:
    """Everything one move stores, in one transaction or not at all.

    `table` is the table after the change; its `version` is already the new one, and the stored one
    must be exactly one less. Actions, seeds and deliveries belong to the match `table.match_id`, or
    to `new_match`, which then gets its id from the store.
    """

    table: Table
    interaction_id: int | None = None
    new_match: NewMatch | None = None
    actions: tuple[StoredAction, ...] = ()
    seeds: tuple[tuple[int, bytes], ...] = ()  # round number, secret seed
    deliveries: tuple[tuple[int, int, int], ...] = ()  # round number, seat, player
    ending: Ending | None = None
    unseen: bool = False  # no message shows the change


@dataclass(frozen=True, slots=True)
class Player:
    """The stored data of a person."""

    id: int
    name: str | None = None  # as last seen, for pictures
    dm_open: bool | None = None  # None while unknown
    choices: dict[str, OptionValue] = field(default_factory=dict)  # see `bot.tables.preferences`
    hidden: bool = False  # hidden from leaderboards


PlayerChange = Callable[[Player], Player]


@dataclass(frozen=True, slots=True)
class Digest:
    """A person's daily direct message, at an hour they chose, about matches that await them."""

    player: int
    minute: int  # of the day
    zone: str  # a name of the tz database, such as Europe/Warsaw
    due_at: int  # when it comes next

    @property
    def id(self) -> int:
        """The person's id, as each has one digest."""
        return self.player

    @property
    def deadline_kind(self) -> str:
        """The event that the digest's deadline triggers."""
        return "digest"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table with its current or latest match, and that match's seeds."""

    table: Table
    match: StoredMatch | None = None
    seeds: dict[int, bytes] = field(default_factory=dict)  # of every round: reveal with care


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """A match, over or under way, with its seeds and the place where it was played."""

    match: StoredMatch
    seeds: dict[int, bytes]  # of every round: reveal with care
    guild_id: int
    channel_id: int


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """A match that a person played to its end: the place, the players, and their result."""

    match_id: int
    table_id: int
    guild_id: int
    channel_id: int
    variant: str
    players: tuple[int, ...]
    ended_at: int
    place: int
    rounds: int  # how many rounds the player was dealt into


DAY: Final = 86_400_000  # milliseconds
WAITS: Final = (1, 3, 7)  # days to wait after the first, the second and every further answer
LEARNT: Final = 2  # good answers until a mistake is learnt


def record_answer(mistake: Mistake, *, well: bool, now: int) -> Mistake:
    """Return the mistake with one more answer, a good one if `well`.

    The question comes again some days after `now` (ms), or never once the mistake is learnt
    (`LEARNT` good answers).
    """
    right = mistake.right + well
    wait = WAITS[min(mistake.asked, len(WAITS) - 1)] * DAY
    due = None if right >= LEARNT else now + wait
    return replace(mistake, asked=mistake.asked + 1, right=right, due_at=due)
