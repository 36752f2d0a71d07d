"""Reasons why a request changed nothing, as facts; `bot.discord.errors` makes the sentences.

Tables and the store raise them. The store raises these:

    RefusedError
    ├── MovedOn
    │   └── Stale            the stored version differs: reload the table and judge again
    ├── Repeated             this interaction was stored before (a replay, or a double click)
    ├── ChannelHasTable
    ├── Damaged              this one table or match cannot be read; every other can
    └── StoreUnavailable     the database is busy, full or broken: nothing was stored
        └── MaybeStored      the database was told to commit and didn't answer

If the rules of the game refuse a move, that is an `engine.errors.RuleViolation` instead.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Cards


class RefusedError(Exception):
    """A request that changed nothing."""


class MovedOn(RefusedError):
    """The button, form or message belongs to an earlier state of the table."""


class Stale(MovedOn):
    """The stored table has changed since it was read."""


class Repeated(RefusedError):
    """This very interaction was applied before."""


class NoTable(RefusedError):
    """There is no table here, or not in the state that the request needs."""


class NoChannel(RefusedError):
    """The interaction did not say in which channel it was made."""


class NoServer(RefusedError):
    """The request needs a server, and was made outside one."""


class NotStarted(RefusedError):
    """The table is still in its lobby."""


class NotSeated(RefusedError):
    """The person has no seat at this table."""


@dataclass(eq=False)
class NotHere(RefusedError):
    """The named player has no seat at this table, or has lost it."""

    player: int


class NotInvited(RefusedError):
    """The person isn't invited to play again, or has already answered."""


@dataclass(eq=False)
class NotAsked(RefusedError):
    """Only the player who was asked may give this answer."""

    player: int


class AlreadySeated(RefusedError):
    """The person sits here already."""


class AskedAnyway(RefusedError):
    """The person plays in this match, so they'll be invited to the next without queueing."""


class StoreUnavailable(RefusedError):
    """The database did not take a change or did not answer a query.

    Nothing was stored, unless the error is a `MaybeStored`. The error's text is fit for a log, not
    for a player.
    """


class MaybeStored(StoreUnavailable):
    """The connection to the database broke during a commit: the change may be stored or not."""


class Damaged(RefusedError):
    """A stored row cannot be read, or a log cannot be replayed; all other data is fine.

    `where` maps "table", "match" or "guild" (a server) to the number of the damaged one; it is
    empty for a person's data. `reason` is fit for a log: it names no people.
    """

    def __init__(self, reason: str, **where: int) -> None:
        named = ", ".join(f"{kind} {number}" for kind, number in where.items())
        super().__init__(f"{named}: {reason}" if named else reason)
        self.where = where
        self.reason = reason


@dataclass(eq=False)
class TableFull(RefusedError):
    """All seats are taken."""

    most: int


@dataclass(eq=False)
class TooFewPlayers(RefusedError):
    """A match needs more players."""

    seated: int


@dataclass(eq=False)
class TooManyForRules(RefusedError):
    """The chosen options seat fewer players than have joined."""

    most: int
    seated: int


class NoComputers(RefusedError):
    """The host's settings allow no computer players."""


class NoneLeft(RefusedError):
    """Every computer player of that character already sits at the table."""


@dataclass(eq=False)
class NotHost(RefusedError):
    """Only the host or a moderator may do this."""

    host: int


class NotModerator(RefusedError):
    """Only a moderator of the server may do this."""


@dataclass(eq=False)
class Oneself(RefusedError):
    """A request about another player, such as a vote away, named nobody or the asker.

    `player`: a player they may have meant instead, if any.
    """

    player: int | None = None


class TooFewToVote(RefusedError):
    """With two players left, only the clock decides who is away."""


@dataclass(eq=False)
class AlreadyAway(RefusedError):
    """Moves are already being made for this player."""

    player: int


class NotAway(RefusedError):
    """The player says that they are back, but they were not away."""


class ChannelHasTable(RefusedError):
    """The channel already has a live table."""


@dataclass(eq=False)
class GuildIsFull(RefusedError):
    """The server already has `most` live tables, which is the limit."""

    most: int


@dataclass(eq=False)
class HostsTooMany(RefusedError):
    """The person already hosts `most` live tables, which is the limit."""

    most: int


@dataclass(eq=False)
class TooOften(RefusedError):
    """The person has used up their share of requests; they may go on in `wait` seconds."""

    wait: float


class OfServers(RefusedError):
    """Leaderboards and seasons exist only in servers, and the request was made elsewhere."""


@dataclass(eq=False)
class NoSeason(RefusedError):
    """The server has no season of that name; `names` are the seasons it has."""

    name: str
    names: tuple[str, ...]


@dataclass(eq=False)
class NoSuchMatch(RefusedError):
    """There is no match with this number that the person may see.

    `number` is None if they have no match at all yet.
    """

    number: int | None


@dataclass(eq=False)
class StillPlaying(RefusedError):
    """A match can be looked at only after it is over."""

    number: int


@dataclass(eq=False)
class OwnCardsMakeIt(RefusedError):
    """The player must confirm a challenge that is sure to lose: their own cards make the bid."""

    cards: Cards


class DidNotPlay(RefusedError):
    """The coach shows the cost of decisions only to people who played the match."""


class CoachIsBusy(RefusedError):
    """The coach is already looking at one of the person's matches."""


class CoachIsAway(RefusedError):
    """The coach is not available: too much is being computed, or the answer took too long."""


class SplitsTheDay(RefusedError):
    """People have played today's deal against another version of the computer players."""


@dataclass(eq=False)
class StillSeated(RefusedError):
    """The person can't be forgotten while they play at a live table."""

    guild: int
    channel: int
