"""One table in memory: its record, the match it plays, and facts about both.

Everything here is pure: functions from one state to the next. Locks and the store are in `runtime`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import accumulate, groupby

from bot.roster import people
from bot.tables import errors
from bot.tables.model import (
    Ending,
    MatchStatus,
    NewMatch,
    PlayerResult,
    Snapshot,
    Status,
    StoredMatch,
    Table,
)
from bot.tables.table_options import check_house_rules, game_options
from engine.actions import Action, Challenge, Deal, Forfeit, MakeBid, from_json
from engine.play import apply, start
from engine.players import Memory, ShownRound, remember
from engine.ruleset import FEWEST_PLAYERS, Options, Ruleset
from engine.state import Cause, Match, Phase
from engine.variants import ruleset, variant
from engine.view import RoundView, view_of

Departure = tuple[tuple[int, ...], int]  # seats that left as equals, the rounds they were dealt


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A table with its match replayed.

    A deal or the end of a round is news: each gets a new message. `news_seq` is the length of the
    log just after the latest news, `before` the match just before that news.
    """

    table: Table
    match: Match | None = None
    news_seq: int = 0
    before: Match | None = None
    seeds: dict[int, bytes] = field(default_factory=dict)
    left: tuple[Departure, ...] = ()  # in the order in which they left
    by_house: frozenset[int] = frozenset()  # the numbers of the actions made for absent players
    # each seat's latest move in this round, if it was made for an absent player
    stand_in_moves: dict[int, MakeBid | Challenge] = field(default_factory=dict)
    ended_rounds: tuple[ShownRound, ...] = ()  # as computer players remember them
    deals: tuple[int, ...] = ()  # the numbers of actions that dealt a round
    # by the number of the action, how players left the match
    departures: dict[int, Forfeit] = field(default_factory=dict)

    @property
    def needs_new_message(self) -> bool:
        """Whether the table has no message, or its message is older than the latest news.

        A closed table needs no message.
        """
        if self.table.status is Status.CLOSED:
            return False
        return self.table.message_id is None or self.table.announced_seq < self.news_seq

    @property
    def last_by_house(self) -> bool:
        """Whether the match's latest action, departures aside, was made for an absent player."""
        if self.match is None:
            return False
        seq = self.match.seq
        while seq in self.departures:
            seq -= 1
        return seq in self.by_house

    def departure_cause(self, seat: int) -> Cause | None:
        """Return why the player of `seat` left the match; None if they haven't left it."""
        left = (departure for departure in self.departures.values() if departure.seat == seat)
        return next((departure.cause for departure in left), None)

    @property
    def revealed_seeds(self) -> dict[int, bytes]:
        """The seeds of the rounds that have ended, by round number.

        The latest round counts as ended once the table is closed.
        """
        if self.match is None or self.match.round is None:
            return {}
        ended = self.match.phase is not Phase.BIDDING or self.table.status is Status.CLOSED
        last = self.match.round.number if ended else self.match.round.number - 1
        return {number: seed for number, seed in self.seeds.items() if number <= last}

    def seat(self, player: int) -> int:
        """Return the seat of `player` in the match. Raises `NotSeated`, `NotStarted`."""
        if self.match is None:
            raise errors.NotStarted
        seat = self.match.seat_of(player)
        if seat is None:
            raise errors.NotSeated
        return seat


def revive(snapshot: Snapshot) -> LiveTable:
    """Return the table of a snapshot, with its match replayed from the log.

    Raises ValueError for a log with a gap, and what `advance` raises; a corrupt log may raise
    anything.
    """
    stored = snapshot.match
    if stored is None:
        return LiveTable(snapshot.table)
    live = LiveTable(
        snapshot.table,
        first_state(stored),
        seeds=dict(snapshot.seeds),
    )
    for number, action in enumerate(stored.actions, 1):
        if action.seq != number:
            raise ValueError(f"the log has no action {number}")
        live = advance(live, from_json(action.body), by_house=action.by_house)
    return live


def first_state(stored: StoredMatch) -> Match:
    """Return the stored match before its first action, under the rules pinned with it."""
    rules = ruleset(stored.variant, stored.options, stored.variant_version)
    return start(rules, stored.players, stored.opener)


def states_of(stored: StoredMatch) -> list[Match]:
    """Return the stored match before its first action and after each.

    Raises `RuleViolation` if the rules refuse an action of the log.
    """
    log = (from_json(action.body) for action in stored.actions)
    return list(accumulate(log, apply, initial=first_state(stored)))


def advance(live: LiveTable, action: Action, *, by_house: bool = False) -> LiveTable:
    """Return the table after an action of its match.

    If `by_house`, the action was made for an absent player. Raises `RuleViolation`, or `NoTable` if
    the table has no match.
    """
    if live.match is None:
        raise errors.NoTable
    after = apply(live.match, action)
    is_news = after.phase is not live.match.phase  # a deal, or the end of a round
    return replace(
        live,
        match=after,
        news_seq=after.seq if is_news else live.news_seq,
        before=live.match if is_news else live.before,
        left=live.left + new_departures(live.match, after),
        by_house=live.by_house | {after.seq} if by_house else live.by_house,
        stand_in_moves=_stand_in_moves(live, action, by_house=by_house),
        ended_rounds=(
            remember(Memory("", 0, live.ended_rounds), view_of(after)).rounds
            if is_news
            else live.ended_rounds
        ),
        deals=(*live.deals, after.seq) if isinstance(action, Deal) else live.deals,
        departures=(
            {**live.departures, after.seq: action}
            if isinstance(action, Forfeit)
            else live.departures
        ),
    )


def _stand_in_moves(
    live: LiveTable, action: Action, *, by_house: bool
) -> dict[int, MakeBid | Challenge]:
    """Return, by seat, the latest moves of this round that were made for absent players.

    `live` is the table before `action`; the result includes the action. A seat's own move removes
    the one that was made for it.
    """
    match action:
        case Deal():
            return {}
        case MakeBid() | Challenge() if by_house:
            return {**live.stand_in_moves, action.seat: action}
        case MakeBid() | Challenge() if action.seat in live.stand_in_moves:
            return {seat: move for seat, move in live.stand_in_moves.items() if seat != action.seat}
    return live.stand_in_moves


def new_departures(before: Match, after: Match) -> tuple[Departure, ...]:
    """Return the groups of seats that left between these two states, lowest placed first.

    Each group comes with the number of rounds dealt so far.
    """
    dealt = after.round.number if after.round is not None else 0
    gone = [seat for seat in before.live if not after.seats[seat].live]
    return tuple((equals, dealt) for equals in _worst_first(after, gone))


def _worst_first(match: Match, gone: list[int]) -> list[tuple[int, ...]]:
    """Group the seats that left with one action: the round's loser first, then by most cards.

    Other seats that went out with equally many cards form one group.
    """
    outcome = match.round.outcome if match.round is not None else None
    loser = outcome.loser if outcome is not None else None

    def standing(seat: int) -> tuple[bool, int]:
        return seat == loser, match.seats[seat].cards

    ranked = sorted(gone, key=standing, reverse=True)
    return [tuple(equals) for _, equals in groupby(ranked, key=standing)]


def chosen_ruleset(table: Table) -> Ruleset:
    """Return the rules chosen in a lobby."""
    return ruleset(table.variant, game_options(table.options))


@dataclass(frozen=True, slots=True)
class Dealt:
    """A table where a player holds cards during the bidding. `round_view` is the player's view."""

    table: Table
    match: Match
    round_view: RoundView


def dealt_to(live: LiveTable, player: int) -> Dealt | None:
    """Return the table as `player` sees it; None unless they hold cards in a round being bid."""
    match = live.match
    if match is None or not holds_cards(match, player):
        return None
    round_view = view_of(match, match.seat_of(player)).round
    return Dealt(live.table, match, round_view) if round_view is not None else None


def holds_cards(match: Match, player: int) -> bool:
    """Return whether `player` holds cards in a round that is being bid."""
    if match.round is None or match.phase is not Phase.BIDDING:
        return False
    seat = match.seat_of(player)
    return seat is not None and match.seats[seat].live and bool(match.round.hands[seat])


def with_joined(table: Table, player: int) -> Table:
    """Return the lobby with `player` seated last; they host it if no other person sits there.

    Raises `AlreadySeated`, `TableFull`, `MovedOn`.
    """
    _in_lobby(table)
    if player in table.players:
        raise errors.AlreadySeated
    most = chosen_ruleset(table).most_players
    if len(table.players) >= most:
        raise errors.TableFull(most)
    host = table.host_id if people(table.players) else player  # a game night's lobby begins empty
    return replace(table, players=(*table.players, player), host_id=host)


def with_left(table: Table, player: int) -> Table:
    """Return the lobby without `player`. If the host leaves, the next person becomes the host.

    The last person to leave closes the lobby, even if computer players remain. Raises
    `NotSeated`, `MovedOn`.
    """
    _in_lobby(table)
    if player not in table.players:
        raise errors.NotSeated
    players = tuple(seated for seated in table.players if seated != player)
    remaining = people(players)
    if not remaining:
        return replace(table, players=(), status=Status.CLOSED)
    host = remaining[0] if player == table.host_id else table.host_id
    cuts = tuple(player_cut for player_cut in table.cuts if player_cut.player != player)
    invited = tuple(invitee for invitee in table.invited if invitee != player)
    return replace(table, players=players, host_id=host, cuts=cuts, invited=invited)


def with_options(table: Table, chosen: Options) -> Table:
    """Return the lobby with some options changed.

    Raises `RulesetError`, `TooManyForRules`, `MovedOn`.
    """
    _in_lobby(table)
    check_house_rules(chosen)
    changed = replace(table, options={**table.options, **chosen})
    most = chosen_ruleset(changed).most_players
    if len(table.players) > most:
        raise errors.TooManyForRules(most, len(table.players))
    return changed


def new_match(table: Table) -> NewMatch:
    """Return the match that a lobby is about to start. Raises `TooFewPlayers`, `MovedOn`."""
    _in_lobby(table)
    if len(table.players) < FEWEST_PLAYERS:
        raise errors.TooFewPlayers(len(table.players))
    game = variant(table.variant)
    winner = table.last_winner
    opener = table.players.index(winner) if winner in table.players else None
    options = dict(chosen_ruleset(table).options)
    return NewMatch(game.key, game.version, options, table.players, opener)


def ending(live: LiveTable) -> Ending | None:
    """Return how the match ended if it has a winner, else None."""
    match = live.match
    if match is None or match.winner is None:
        return None
    return Ending(MatchStatus.WON, results_of(match, live.left))


def results_of(match: Match, departures: Iterable[Departure]) -> tuple[PlayerResult, ...]:
    """Return the players' results, from the last place to the first; empty without a winner."""
    if match.winner is None:
        return ()
    played = match.round.number if match.round else 0
    left = len(match.seats)
    results: list[PlayerResult] = []
    for seats, dealt in (*departures, ((match.winner,), played)):
        left -= len(seats)
        results += (PlayerResult(match.seats[seat].player, left + 1, dealt) for seat in seats)
    return tuple(results)


def may_manage(table: Table, player: int, moderator: bool) -> None:
    """Check that `player` is the host or a moderator. Raises `NotHost` for anybody else."""
    if not moderator and player != table.host_id:
        raise errors.NotHost(table.host_id)


def _in_lobby(table: Table) -> None:
    if table.status is not Status.LOBBY:
        raise errors.MovedOn
