"""People's names, whether direct messages reach them, and who is new to the games.

Names, and whether direct messages arrive, are stored when the bot learns them, and cached in
memory, since every drawing of a table needs them. A person's name is the one they had at their last
press in a server; a press in a direct message changes it only if it was no server's nickname.
Pictures use names, and so do texts that must not ping; other texts use mentions.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

import discord
import structlog

from bot.discord import answers
from bot.discord.outcomes import (
    NOT_TAKEN,
    OPENED_TOO_FAST,
    NotYet,
    code_of,
    is_refused,
    not_yet,
)
from bot.language.catalogues import ENGLISH, by_locale
from bot.language.words import Names, TypedText, accountless_name
from bot.recent import Recent
from bot.roster import people
from bot.storage.store import SqlStore
from bot.tables import errors
from bot.tables.live import LiveTable
from bot.tables.model import Delivery, Player, PlayerChange, Table
from bot.tables.preferences import (
    DIRECT_CARDS,
    REMINDERS,
    SEEN,
    language_of,
    preference,
    wants_cards_by_direct_message,
)
from bot.tables.turns import is_slow
from engine.ruleset import Options
from engine.variants import VARIANTS

log = structlog.get_logger(__name__)

# seconds; the longest that a press waits to learn the language of its answer
LANGUAGE_WITHIN: Final = 0.5
AT_ONCE: Final = 5  # direct messages in flight; opening many at once gets a bot limited
REMEMBERED: Final = 4096
NEW_FOR: Final = 3  # a player's first rounds ever, in which they see what a bid claims
_CLOSED: Final = frozenset({50007, 50278})


# sends a direct message to the given channel
SendMessage = Callable[[discord.abc.Messageable], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class SeenName:
    """A person's names: their own, and the one in the server where they pressed something.

    In a direct message there is no server name, and `server_name` is None.
    """

    own_name: str
    server_name: str | None = None


@dataclass(frozen=True, slots=True)
class TablePeople:
    """The people of a table: their names for pictures, and who can't be sent their cards.

    `known`: the stored names. `closed`: players who chose cards by direct message, but whose direct
    messages are closed. `players`: everybody at the table.
    """

    known: Names = field(default_factory=dict)
    closed: frozenset[int] = frozenset()
    players: tuple[int, ...] = ()

    @property
    def names(self) -> dict[int, TypedText]:
        """Return all known names, by id.

        The names of computer players and of former players are in the current language.
        """
        others = {
            player: TypedText(name) for player in self.players if (name := accountless_name(player))
        }
        return {**self.known, **others}


class People:
    """Knows people by their Discord ids."""

    def __init__(self, client: discord.Client, store: SqlStore) -> None:
        self._client = client
        self._store = store
        self._known = Recent[int, Player](REMEMBERED)
        self._seen = Recent[int, str](REMEMBERED)  # the language of each person's Discord
        self._called = Recent[int, SeenName](REMEMBERED)
        # by person and game: a match, and how many rounds they were dealt before it, up to
        # `NEW_FOR`
        self._dealt = Recent[tuple[int, str], tuple[int, int]](REMEMBERED)
        self._asking: list[set[int]] = []  # the people in each query to the store that is under way
        self._sending = asyncio.Semaphore(AT_ONCE)
        self._too_fast_until = 0.0  # by the monotonic clock

    async def people_at(self, table: Table) -> TablePeople:
        """Return a table's people; with neither names nor `closed` if the store is down."""
        known = await self._as_far_as_known(table.players)
        closed = (
            player.id
            for player in known
            if player.dm_open is False and wants_cards_by_direct_message(player, table)
        )
        names = {player.id: TypedText(player.name) for player in known if player.name}
        return TablePeople(names, frozenset(closed), table.players)

    async def names(self, ids: Iterable[int]) -> dict[int, TypedText]:
        """Return the known names of these people, by id; empty if the store is down."""
        known = await self._as_far_as_known(ids)
        return {player.id: TypedText(player.name) for player in known if player.name}

    async def _as_far_as_known(self, ids: Iterable[int]) -> list[Player]:
        """Return these people as stored; none if the store is down."""
        try:
            return await self._players(people(dict.fromkeys(ids)))
        except errors.StoreUnavailable:
            log.warning("people: names could not be read")
            return []

    async def note_name(self, player_id: int, name: str) -> None:
        """Store a person's name. Raises `StoreUnavailable`."""
        (known,) = await self._players((player_id,))
        await self._change(known, lambda now: replace(self._with_language(now), name=name))

    async def known(self, player_id: int) -> Player:
        """Return what is stored about a person; a blank record if the store is down."""
        try:
            (known,) = await self._players((player_id,))
        except errors.StoreUnavailable:
            log.warning("people: choices could not be read")
            known = Player(player_id)
        return self._with_language(known)

    async def language_of(self, player_id: int) -> str:
        """Return the key of the language for messages that only this person sees."""
        return language_of(await self.known(player_id))

    async def language_now(self, player_id: int, locale: str, names: SeenName | None = None) -> str:
        """Return the key of the language of a person who has just acted.

        `locale`: the locale of their Discord client. Remember the client's language and `names` for
        later messages, and store both if a name of the person is stored already. If the store is
        down or slow, return the client's language.
        """
        language = by_locale(locale).key
        self._seen[player_id] = language
        before = self._called.get(player_id)
        if names is not None:
            self._called[player_id] = names

        def seen_now(known: Player) -> Player:
            if not known.name:
                return known
            return replace(self._with_language(known), name=_name_now(known.name, before, names))

        known = self._known.get(player_id)
        if known is not None and seen_now(known) == known == self._with_language(known):
            return language_of(known)
        asking = asyncio.ensure_future(self._store_language(player_id, language, seen_now))
        finished, _ = await asyncio.wait({asking}, timeout=LANGUAGE_WITHIN)
        return asking.result() if finished else language

    async def _store_language(self, player_id: int, language: str, change: PlayerChange) -> str:
        try:
            (known,) = await self._players((player_id,))
            now = self._with_language(known)
            await self._change(known, change)
        except errors.StoreUnavailable:
            return language
        return language_of(now)

    def _with_language(self, known: Player) -> Player:
        """Return a person with the last known language of their Discord."""
        language = self._seen.get(known.id, known.choices.get(SEEN, ENGLISH))
        if known.choices.get(SEEN, ENGLISH) == language:
            return known
        return replace(known, choices={**known.choices, SEEN: language})

    async def is_new(self, player_id: int, game: str) -> bool:
        """Return whether a person has never been dealt cards in a game, according to the store.

        Raises `StoreUnavailable`.
        """
        return not await self._store.matches.rounds_dealt(player_id, None, 1, game)

    async def is_learning(self, player_id: int, live: LiveTable) -> bool:
        """Return whether a table's round is among the player's first three rounds of the game.

        Return False if the store is down. Ask the store once for each match, and never again about
        a player who has played enough rounds.
        """
        if live.match is None or live.match.round is None or live.table.match_id is None:
            return False
        game = live.table.variant
        current, before = live.match.round.number - 1, self._dealt.get((player_id, game))
        if current >= NEW_FOR:
            return False
        if before is None or (before[0] != live.table.match_id and before[1] < NEW_FOR):
            try:
                dealt = await self._store.matches.rounds_dealt(
                    player_id, live.table.match_id, NEW_FOR, game
                )
            except errors.StoreUnavailable:
                log.warning("people: rounds could not be counted")
                return False
            before = self._dealt[player_id, game] = live.table.match_id, dealt
        return before[1] + current < NEW_FOR

    async def wants_cards(self, player_id: int, table: Table) -> bool:
        """Return whether a player's cards go to them by direct message at this table.

        Raises `StoreUnavailable`: a default of False would leave a message unsent.
        """
        (known,) = await self._players((player_id,))
        return wants_cards_by_direct_message(known, table)

    async def wants_reminders(self, player_id: int) -> bool:
        """Return whether a person's preferences allow reminders of their turn."""
        return preference(await self.known(player_id), REMINDERS) != "never"

    async def wants_direct_reminders(self, player_id: int, table: Table) -> bool:
        """Return whether to remind a person by direct message too.

        True if the person chose this. By default, True only in a match over several days in which
        the person gets cards by direct message.
        """
        known = await self.known(player_id)
        choice = preference(known, REMINDERS)
        return choice == "letter" or (
            choice == "table" and is_slow(table) and wants_cards_by_direct_message(known, table)
        )

    async def choose(self, player_id: int, choices: Options) -> Player:
        """Store a person's own choices; return the person. Raises `StoreUnavailable`.

        If the person's choices now ask for cards or reminders by direct message, no longer assume
        that direct messages to the person are closed.
        """

        def with_choices(known: Player) -> Player:
            known = replace(known, choices={**known.choices, **choices})
            now = known.choices
            if now.get(DIRECT_CARDS.key) == "yes" or now.get(REMINDERS.key) == "letter":
                # they may have opened their direct messages just now: try again
                return replace(known, dm_open=None)
            return known

        return self._with_language(await self._store_change(player_id, with_choices))

    async def hide(self, player_id: int, *, hidden: bool) -> None:
        """Store whether a person is hidden from leaderboards. Raises `StoreUnavailable`."""
        await self._store_change(player_id, lambda known: replace(known, hidden=hidden))

    def forget(self, player_id: int) -> None:
        """Drop a person from memory, after a deletion or a change by another process."""
        self._mark_uncertain(player_id)
        self._seen.pop(player_id, None)
        self._called.pop(player_id, None)
        for game in VARIANTS:
            self._dealt.pop((player_id, game), None)

    def forget_all(self) -> None:
        """Drop everybody from memory: any of them may have changed in the store."""
        for certain in self._asking:
            certain.clear()
        self._known.clear()
        self._seen.clear()
        self._called.clear()
        self._dealt.clear()

    async def write(self, player_id: int, send: SendMessage, *, again: bool = False) -> Delivery:
        """Send a direct message, store whether it reached the person, and return the outcome.

        Don't try if their direct messages are known to be closed, unless `again`. Raises
        `StoreUnavailable`, possibly after the message was sent, and `NotYet` if Discord may take
        the message later.
        """
        (known,) = await self._players((player_id,))
        if known.dm_open is False and not again:
            return Delivery.CLOSED
        became = await self._send(player_id, send)
        if became is not Delivery.FAILED:
            (known,) = await self._players((player_id,))
            sent = became is Delivery.SENT
            await self._change(known, lambda now: replace(now, dm_open=sent))
        return became

    async def _send(self, player_id: int, send: SendMessage) -> Delivery:
        async with self._sending:
            wait = self._too_fast_until - time.monotonic()
            if wait > 0:
                raise NotYet(wait)
            try:
                async with asyncio.timeout(answers.LATER_WITHIN):
                    await send(await self._client.create_dm(discord.Object(player_id)))
            except NOT_TAKEN as error:
                code = code_of(error)
                log.warning(
                    "people: direct message not sent", error=type(error).__name__, code=code
                )
                if not is_refused(error):
                    later = not_yet(error)
                    # the limit is the bot's, so other people's messages must wait too
                    if code == OPENED_TOO_FAST:
                        self._too_fast_until = time.monotonic() + later.after
                    raise later from error
                return Delivery.CLOSED if code in _CLOSED else Delivery.FAILED
        return Delivery.SENT

    async def _players(self, ids: tuple[int, ...]) -> list[Player]:
        """Return these people; read those who are not in memory from the store."""
        while unknown := tuple(number for number in ids if number not in self._known):
            with self._query_about(unknown) as certain:
                stored = await self._store.people.players(unknown)
            for number in certain:  # people who changed during the query are read again
                self._known[number] = stored.get(number, Player(number))
        return [self._known[number] for number in ids]

    async def _change(self, known: Player, change: PlayerChange) -> None:
        """Store a change to a person, if it changes what is known about them."""
        if change(known) != known:
            await self._store_change(known.id, change)

    async def _store_change(self, player_id: int, change: PlayerChange) -> Player:
        with self._query_about((player_id,)) as certain:
            try:
                stored = await self._store.people.change(player_id, change)
            # it may be stored even without an answer; and queries under way must not cache an old
            # state
            finally:
                sure = player_id in certain
                self._mark_uncertain(player_id)
        if sure:
            self._known[player_id] = stored
        return stored

    @contextmanager
    def _query_about(self, ids: Iterable[int]) -> Iterator[set[int]]:
        """Yield the set of `ids` while the store is queried.

        Meanwhile `_mark_uncertain` removes each person whose data change, since the query may have
        read old data.
        """
        certain = set(ids)
        self._asking.append(certain)
        try:
            yield certain
        finally:
            self._asking = [query for query in self._asking if query is not certain]

    def _mark_uncertain(self, player_id: int) -> None:
        """Drop a person from the cache, and from the results of queries in flight."""
        self._known.pop(player_id, None)
        for certain in self._asking:
            certain.discard(player_id)


def _name_now(name: str, before: SeenName | None, now: SeenName | None) -> str:
    """Return the current name of a person whose stored name is `name`.

    `before` and `now`: the names at the person's previous and latest press. A server name in
    `now` replaces the stored name. In a direct message, `now` has only the person's own name.
    The own name replaces the stored name only if that was the own name in `before`.
    """
    if now is None:
        return name
    if now.server_name is not None:
        return now.server_name
    return now.own_name if before is not None and before.own_name == name else name
