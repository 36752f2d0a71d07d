"""Play and store random matches of a few people, for tests of a season's records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from bot.stats.match_record import MatchRecord
from bot.storage.store import SqlStore
from bot.tables.live import LiveTable, advance, ending
from bot.tables.model import (
    Change,
    Ending,
    MatchStatus,
    NewMatch,
    Status,
    StoredAction,
    StoredMatch,
    Table,
)
from bot.tables.recording import record_of, with_record
from engine.actions import Action, Forfeit, from_json, to_json
from engine.play import start
from engine.state import Cause
from engine.variants import ruleset
from tests.bot.storage.moves import GUILD, NOW, lobby, next_version
from tests.dealing import Chooser, Habits, random_match

PEOPLE = tuple(range(1001, 1009))
COMPUTER = -101
RULES: dict[str, tuple[dict[str, Any], ...]] = {
    "liars_poker": (
        {},
        {"jokers": 0, "flush_card": "highest"},
        {"jokers": 2, "middle_hand": True, "challengers": "anyone"},
        {"length": "first_out"},
    ),
    "thai_poker": ({}, {"length": "one_more"}, {"length": "first_out"}),
}


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over, and its table at the end."""

    table: Table
    match: StoredMatch

    def record(self) -> MatchRecord | None:
        return record_of(self.match)

    def naive(self, season: int = 1) -> dict[str, Any]:
        """Return the match in the form that `tests.naive_records` takes."""
        match = self.match
        return {
            "id": match.id,
            "season": season,
            "game": match.variant,
            "options": match.options,
            "players": list(match.players),
            "opener": match.opener,
            "log": [(line.body, line.by_house) for line in match.actions],
        }


def simulate_matches(
    name: str, matches: int, guild: int = GUILD, people: tuple[int, ...] = PEOPLE
) -> Iterator[Played]:
    """Yield random matches of two to six people.

    Some don't count, as a computer player takes part or somebody is dropped.
    """
    for number in range(1, matches + 1):
        yield _play(Chooser(f"{name} {number}"), number, guild, people)


def counting(name: str, matches: int) -> list[Played]:
    """Return this many simulated matches that count, with ids from 1."""
    recorded = [
        match for match in simulate_matches(name, 2 * matches) if match.record() is not None
    ]
    return [
        replace(match, match=replace(match.match, id=number))
        for number, match in enumerate(recorded[:matches], start=1)
    ]


def _play(chooser: Chooser, number: int, guild: int, people: tuple[int, ...]) -> Played:
    game = chooser.one_of(tuple(RULES))
    rules = ruleset(game, chooser.one_of(RULES[game]))
    table_people = list(people)
    players = [
        table_people.pop(chooser.below(len(table_people)))
        for _ in range(2 + chooser.below(min(5, len(table_people) - 1)))
    ]
    if chooser.percent(4):
        players[-1] = COMPUTER
    opener = chooser.below(len(players)) if chooser.percent(70) else None
    first = start(rules, players, opener)
    dropping, leaving = chooser.percent(4), chooser.percent(20)
    # forfeits in some matches only, and nobody raises to the top of the ladder rung by rung
    habits = Habits(doubt=45, leave=4 if dropping or leaving else 0, reach=25)
    actions: list[StoredAction] = []
    for match, action in random_match(first, chooser, habits):
        played: Action = action
        if dropping and isinstance(action, Forfeit):
            played = Forfeit(action.seat, Cause.DROPPED)
        at = NOW + number * 1_000_000 + match.seq
        house = chooser.percent(8) and to_json(action)["kind"] in ("bid", "challenge")
        actions.append(StoredAction(match.seq + 1, to_json(played), at, None, house))
    ended = NOW + number * 1_000_000 + 900_000
    stored = StoredMatch(
        number,
        number,
        game,
        rules.version,
        dict(rules.options),
        tuple(players),
        opener,
        MatchStatus.WON,
        NOW + number * 1_000_000,
        ended,
        tuple(actions),
    )
    table = lobby(
        id=number, guild_id=guild, channel_id=number, variant=game, players=tuple(players)
    )
    return Played(table, stored)


async def keep(store: SqlStore, played: Played) -> None:
    """Store a match as tables do: first its deal, then the other moves with the match's record."""
    match = played.match
    fresh = lobby(
        guild_id=played.table.guild_id,
        channel_id=played.table.channel_id,
        variant=match.variant,
        options=match.options,
        players=match.players,
        created_at=match.started_at,
        updated_at=match.started_at,
    )
    table = await store.tables.open(fresh, None)
    new = NewMatch(match.variant, match.variant_version, match.options, match.players, match.opener)
    begun = next_version(table, status=Status.PLAYING, match_id=None)
    table = await store.tables.commit(Change(begun, None, new, match.actions[:1]))
    later = match.actions[1:]
    live = LiveTable(
        table, start(ruleset(match.variant, match.options), match.players, match.opener)
    )
    for line in match.actions:
        live = advance(live, from_json(line.body), by_house=line.by_house)
    stop = ending(live)
    assert stop is not None
    over = next_version(table, status=Status.FINISHED, updated_at=match.ended_at)
    change = Change(over, actions=later, ending=Ending(stop.status, stop.results))
    await store.tables.commit(await with_record(store.tables.snapshot, LiveTable(table), change))
