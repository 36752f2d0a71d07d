"""Reasons why a request changed nothing, as facts; `bot.discord.errors` makes the sentences.

Raised by tables and by the store alike. Those that the store raises:

RefusedError
├── MovedOn
│   └── Stale            the stored version is another: reload the table and judge again
├── Repeated             this interaction was stored before (a replay, or a double click)
├── ChannelHasTable
├── Damaged              this one table or match cannot be read; every other can
└── StoreUnavailable     the database is busy, full or broken: nothing was stored
    └── MaybeStored      it was told to store, and did not answer

What the rules of the game refuse comes as `engine.errors.RuleViolation` instead.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Cards


class RefusedError(Exception):
    """A request that changed nothing."""


class MovedOn(RefusedError):
    """The button, form or message belongs to an earlier state of the table."""


class Stale(MovedOn):
    """The stored version has moved on since it was read."""


class Repeated(RefusedError):
    """This very interaction was applied before."""


class NoTable(RefusedError):
    """There is no table here, or not in the state that the request needs."""


class NoChannel(RefusedError):
    """Discord did not say in which channel something was asked."""


class NoServer(RefusedError):
    """Something of a server was asked where there is none."""


class NotStarted(RefusedError):
    """The table is still in its lobby."""


class NotSeated(RefusedError):
    """The person has no seat at this table."""


@dataclass(eq=False)
class NotHere(RefusedError):
    """The named person has no seat here, or has lost it."""

    player: int


class NotInvited(RefusedError):
    """The person is not asked to play again, or has answered."""


@dataclass(eq=False)
class NotAsked(RefusedError):
    """Only the player who was asked may give this answer."""

    player: int


class AlreadySeated(RefusedError):
    """The person sits here already."""


class AskedAnyway(RefusedError):
    """The person plays here, so they are asked to play again without asking for it."""


class StoreUnavailable(RefusedError):
    """The database did not take a change or did not answer a query; nothing happened.

    Its text is fit for a log, not for a player.
    """


class MaybeStored(StoreUnavailable):
    """The connection to the database broke during a commit: the change may be stored or not."""


class Damaged(RefusedError):
    """A stored row cannot be read, or a log cannot be replayed; everything else can.

    `where` gives the number of its table, match or guild (server); it is empty for a person's data.
    `reason` is fit for a log: it names no people.
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
    """Every computer player of that character sits here already."""


@dataclass(eq=False)
class NotHost(RefusedError):
    """Only the host or a moderator may do this."""

    host: int


class NotModerator(RefusedError):
    """Only a moderator of the server may do this."""


@dataclass(eq=False)
class Oneself(RefusedError):
    """A player said of themselves what only others may say; `player` could name them instead."""

    player: int | None = None


class TooFewToVote(RefusedError):
    """With two players left, only the clock decides who is away."""


@dataclass(eq=False)
class AlreadyAway(RefusedError):
    """Moves are already being made for this player."""

    player: int


class NotAway(RefusedError):
    """The person says that they are back, but no moves are being made for them."""


class ChannelHasTable(RefusedError):
    """One live table a channel."""


@dataclass(eq=False)
class GuildIsFull(RefusedError):
    """The server has as many live tables as it may have."""

    most: int


@dataclass(eq=False)
class HostsTooMany(RefusedError):
    """The person hosts as many live tables as one may."""

    most: int


@dataclass(eq=False)
class TooOften(RefusedError):
    """The person asks for more than their fair share; `wait` is in seconds, until they may."""

    wait: float


class OfServers(RefusedError):
    """Leaderboards and seasons are of a server, and it was asked elsewhere."""


@dataclass(eq=False)
class NoSeason(RefusedError):
    """A server has no season of that name; `names` are those it has."""

    name: str
    names: tuple[str, ...]


@dataclass(eq=False)
class NoSuchMatch(RefusedError):
    """There is no match of this number that the person may see; None: none at all yet."""

    number: int | None


@dataclass(eq=False)
class StillPlaying(RefusedError):
    """A match is looked back on when it is over."""

    number: int


@dataclass(eq=False)
class OwnCardsMakeIt(RefusedError):
    """A challenge that is sure to lose, as these own cards make the bid: ask the player first."""

    cards: Cards


class DidNotPlay(RefusedError):
    """The coach shows the cost of decisions only to people who played the match."""


class CoachIsBusy(RefusedError):
    """The coach looks at a match of theirs already."""


class CoachIsAway(RefusedError):
    """The coach cannot be asked now: too much is being computed, or it took too long."""


class SplitsTheDay(RefusedError):
    """Today's deal was played against computer players that are not those of this version."""


@dataclass(eq=False)
class StillSeated(RefusedError):
    """The person to forget plays at a live table."""

    guild: int
    channel: int
