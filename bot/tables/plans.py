"""What a move would change: pure plans that `keeper` stores under a table's lock.

A plan is the table as it would be and the `Change` that stores it. It raises what the rules or the
table refuse, and touches neither the store nor the clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, assert_never

from bot.roster import is_computer
from bot.tables import absence, computer_turns, cuts, errors, rematch, turns
from bot.tables.computer_turns import Decided
from bot.tables.live import LiveTable, advance, ending, new_match
from bot.tables.model import (
    Change,
    DeadlineKind,
    Ending,
    MatchStatus,
    Status,
    StoredAction,
    Table,
)
from bot.tables.requests import Ask, Limits, Place
from bot.tables.table_options import ABSENCE, chosen
from engine.actions import Action, Challenge, Deal, Forfeit, MakeBid, to_json
from engine.cutting import VERSION, cut_shuffle, round_seed
from engine.errors import MatchIsOver, NotDealt, NotInMatch, NotYourTurn
from engine.play import legal, start
from engine.ruleset import FEWEST_PLAYERS
from engine.shuffle import commitment
from engine.state import Cause, Match, Phase
from engine.variants import ruleset

Plan = tuple[LiveTable, Change]
# milliseconds after which a practice that nobody goes on with ends
PRACTICE_KEPT: Final = 7 * 24 * 3_600_000
REMATCH_WAIT: Final = 30_000  # milliseconds from the second who plays again to the start
# nobody is to act: what is pressed meanwhile may shorten these, and never makes them longer
PAUSES: Final = (DeadlineKind.NEXT_ROUND, DeadlineKind.HOUSE)


def act(live: LiveTable, action: Action, now: int, interaction_id: int | None) -> Plan:
    """Apply a player's action; it is a sign of life of theirs."""
    seat = None if isinstance(action, Deal) else action.seat
    if live.match is not None and seat is not None:
        player = live.match.seats[seat].player
        live = replace(live, table=absence.returned(live.table, player))
    return _apply(live, action, now, interaction_id)


def drop(live: LiveTable, seat: int, now: int, interaction_id: int | None) -> Plan:
    """Make a player forfeit."""
    return _apply(live, Forfeit(seat, Cause.DROPPED), now, interaction_id)


def _apply(
    live: LiveTable,
    action: Action,
    now: int,
    interaction_id: int | None,
    *,
    by_house: bool = False,
) -> Plan:
    """Apply an action of the match; the one that ends it finishes the table too."""
    after = advance(live, action, by_house=by_house)
    stop = ending(after)
    if isinstance(action, Forfeit) and stop is None and _nobody_left(after):
        closed = replace(after, table=replace(after.table, status=Status.CLOSED))
        left = _stored(closed, action, now, interaction_id, by_house=by_house)
        stop = Ending(MatchStatus.ABANDONED)
        return closed, Change(closed.table, interaction_id, actions=(left,), ending=stop)
    if after.match is not None:
        table = replace(after.table, host_id=absence.host_now(after.table, after.match))
        if stop is not None and after.match.winner is not None:
            winner = after.match.seats[after.match.winner].player
            table = replace(table, status=Status.FINISHED, last_winner=winner)
        after = replace(after, table=table)
    stored = _stored(after, action, now, interaction_id, by_house=by_house)
    return after, Change(after.table, interaction_id, actions=(stored,), ending=stop)


def _nobody_left(live: LiveTable) -> bool:
    """Whether computer players are alone in the match: it is over when the last person leaves."""
    return live.match is not None and not absence.live_people(live.match)


def cut(live: LiveTable, player: int, text: str, interaction_id: int | None) -> Plan:
    """`player` cuts the cards with `text`, from the next deal on. Raises as `cuts.may_cut`."""
    table = cuts.with_cut(live, player, text)
    return replace(live, table=table), Change(table, interaction_id)


def deal(live: LiveTable, fresh: bytes, now: int, interaction_id: int | None) -> Plan:
    """Deal the next round from its sealed seed and the players' cuts.

    `fresh`, 32 secret bytes, is the root of a match that has none: it began in an older version.
    """
    match = live.match
    if match is None or live.table.status is not Status.PLAYING or match.winner is not None:
        raise errors.MovedOn
    # who asked to end the match did so in the round before
    votes = {one: said for one, said in live.table.votes.items() if one != 0}
    live = replace(live, table=replace(live.table, votes=votes))
    number, root = cuts.next_round(live), live.table.chain_root or fresh
    seed, made = round_seed(root, number), cuts.counted(live)
    shuffled = cut_shuffle(
        seed, [one.digest for one in made], match.ruleset.deck.order, len(match.live)
    )
    action = Deal(shuffled.order, commitment(seed), VERSION, shuffled.drawn, made)
    after = advance(live, action)
    after = replace(
        after,
        table=replace(after.table, chain_root=root),
        seeds={**live.seeds, number: seed},
    )
    change = Change(
        after.table,
        interaction_id,
        actions=(_stored(after, action, now, interaction_id),),
        seeds=((number, seed),),
        deliveries=tuple(
            (number, seat, match.seats[seat].player)
            for seat in match.live
            if not is_computer(match.seats[seat].player) and not live.table.is_practice
        ),
    )
    return after, change


def out_of_time(live: LiveTable, now: int, decided: Decided | None = None) -> Plan:
    """Whoever was to act has not, for too long: the house plays for them, or they forfeit."""
    match, seat = _in_turn(live)
    if chosen(live.table, ABSENCE) == "forfeit":
        return _apply(live, Forfeit(seat, Cause.ABSENT), now, None)
    player = match.seats[seat].player
    return stand_in(replace(live, table=absence.missed(live.table, player)), now, decided)


def stand_in(live: LiveTable, now: int, decided: Decided | None = None) -> Plan:
    """The house plays for whoever is to act: what was decided, or the plain safe move."""
    match, seat = _in_turn(live)
    action = computer_turns.allowed(match, decided)
    return _play_for(live, action or absence.stand_in(match, seat), now)


def computers_act(live: LiveTable, decided: Decided | None, limits: Limits, now: int) -> Plan:
    """Computer players do what was decided; if that is not known in time, the plain safe move.

    Where a person is in turn, there is nothing to do unless somebody challenges out of turn.
    """
    match, seat = _in_turn(live)
    action = computer_turns.allowed(match, decided)
    if action is not None:
        return _play_for(live, action, now)
    if not is_computer(match.seats[seat].player):
        return live, Change(live.table, unseen=True)
    given_up = computer_turns.given_up(live.table, match, limits.computer_pause, now)
    known = decided is not None  # and is no move that could be played
    if given_up or known:
        return _play_for(live, absence.stand_in(match, seat), now)
    return live, Change(live.table, unseen=True)


def _play_for(live: LiveTable, action: MakeBid | Challenge, now: int) -> Plan:
    """Apply what was decided for a seat: its own move, or the house's if a person sits there."""
    match, _ = _in_turn(live)
    for_person = not is_computer(match.seats[action.seat].player)
    return _apply(live, action, now, None, by_house=for_person)


def nudge(live: LiveTable) -> Plan:
    """Whoever is to act is to be reminded."""
    _in_turn(live)
    reminded = turns.nudged(live.table)
    return replace(live, table=reminded), Change(reminded)


def vote(live: LiveTable, voter: int, player: int, interaction_id: int | None) -> Plan:
    """`voter` says that `player` is away. Raises what `absence.voted` does; `NotStarted`."""
    if live.match is None or live.table.status is not Status.PLAYING:
        raise errors.NotStarted
    voted = absence.voted(live.table, live.match, voter, player)
    return attended(live, voted, interaction_id)


def back(live: LiveTable, player: int, interaction_id: int | None) -> Plan:
    """`player` is there again; if they are to act, their clock starts anew. Raises `NotAway`."""
    seat = live.seat(player)
    if live.table.status is not Status.PLAYING or not absence.is_away(live.table, player):
        raise errors.NotAway
    returned = absence.returned(live.table, player)
    if live.match is not None and legal(live.match).bidder == seat:
        returned = replace(returned, turn_since=None)
    return attended(live, returned, interaction_id)


def attended(live: LiveTable, table: Table, interaction_id: int | None) -> Plan:
    """The table after somebody's presence has changed."""
    if live.match is not None:
        table = replace(table, host_id=absence.host_now(table, live.match))
    return replace(live, table=table), Change(table, interaction_id)


def _in_turn(live: LiveTable) -> tuple[Match, int]:
    """The match and the seat to act. Raises `MovedOn` while nobody is."""
    match = live.match
    if match is None or match.round is None or match.phase is not Phase.BIDDING:
        raise errors.MovedOn
    return match, match.round.turn


def overdue(
    live: LiveTable,
    kind: DeadlineKind | None,
    now: int,
    draw_seed: Callable[[], bytes],
    limits: Limits,
    decided: Decided | None = None,
) -> Plan:
    """Do what a deadline stands for; one of an unknown kind only gives way to a right one.

    `decided` is what was decided for the seats that the house or a computer player plays; None if
    it is not known (yet).
    """
    match kind:
        case DeadlineKind.NEXT_ROUND:
            return deal(live, draw_seed(), now, None)
        case DeadlineKind.NUDGE:
            return nudge(live)
        case DeadlineKind.TURN:
            return out_of_time(live, now, decided)
        case DeadlineKind.HOUSE:
            return stand_in(live, now, decided)
        case DeadlineKind.COMPUTER:
            return computers_act(live, decided, limits, now)
        case DeadlineKind.LOBBY | DeadlineKind.DESERTED:
            return close(live, None)
        case DeadlineKind.REMATCH:
            return begin(live, draw_seed(), now, None)
        case None:
            return live, Change(live.table)
        case _:
            assert_never(kind)


def begin(live: LiveTable, fresh: bytes, now: int, interaction_id: int | None) -> Plan:
    """Start the match of a lobby and deal its first round. Raises `MovedOn`, `TooFewPlayers`.

    `fresh` as in `deal`.
    """
    created = new_match(live.table)
    rules = ruleset(created.variant, created.options)
    playing = replace(
        live.table,
        status=Status.PLAYING,
        match_id=None,
        announced_seq=0,
        invited=(),
        waiting=(),
        absent={},
        votes={},
    )
    begun = LiveTable(playing, start(rules, created.players, created.opener))
    after, change = deal(begun, fresh, now, interaction_id)
    return after, replace(change, new_match=created)


def gather(
    live: LiveTable,
    table: Table,
    now: int,
    draw_seed: Callable[[], bytes],
    interaction_id: int | None,
) -> Plan:
    """A lobby as somebody's answer leaves it; the last answer to a rematch starts it."""
    if rematch.gathered(live.table, table):
        return begin(LiveTable(table), draw_seed(), now, interaction_id)
    return LiveTable(table), Change(table, interaction_id)


def close(live: LiveTable, interaction_id: int | None) -> Plan:
    """End a lobby, or a match without a winner. Raises `NoTable` if neither is there."""
    if not live.table.status.live:
        raise errors.NoTable
    playing = live.table.status is Status.PLAYING
    closed = replace(live, table=replace(live.table, status=Status.CLOSED))
    stop = Ending(MatchStatus.ABANDONED) if playing else None
    return closed, Change(closed.table, interaction_id, ending=stop)


def timed(before: LiveTable, after: LiveTable, limits: Limits, now: int) -> Table:
    """The table `after` a change, with its clocks and the deadline that its state calls for."""
    table, match = after.table, after.match
    turn = turns.turn_of(match) if table.status is Status.PLAYING else None
    if turn is None:
        table = turns.over(table)
    elif match is not None and (table.turn_since is None or turn != turns.turn_of(before.match)):
        table = turns.begun(table, match, now)
    kind, deadline = _next(table, match, limits, now) or (None, None)
    if kind is DeadlineKind.REMATCH and before.table.deadline_kind is kind:
        deadline = before.table.deadline  # who comes later makes nobody wait longer
    if kind is before.table.deadline_kind and before.match is match:
        if _cut(before, after):
            deadline = before.table.deadline  # nor does who cuts
        elif kind in PAUSES and deadline is not None:
            deadline = min(deadline, before.table.deadline or deadline)  # nor anybody else
    return replace(table, deadline=deadline, deadline_kind=kind)


def _cut(before: LiveTable, after: LiveTable) -> bool:
    """Whether somebody has cut the cards of a match under way."""
    return after.table.status is Status.PLAYING and before.table.cuts != after.table.cuts


def _next(
    table: Table, match: Match | None, limits: Limits, now: int
) -> tuple[DeadlineKind, int] | None:
    """What will happen by itself to a table in this state, and when."""
    if table.status is Status.LOBBY:
        if table.awaited and len(table.returned) >= FEWEST_PLAYERS:
            return DeadlineKind.REMATCH, now + REMATCH_WAIT
        return (DeadlineKind.LOBBY, now + limits.lobby) if limits.lobby is not None else None
    if table.status is Status.PLAYING and match is not None and table.is_practice:
        coming = turns.upcoming(table, match, now, limits.computer_pause)
        return coming or (DeadlineKind.DESERTED, now + PRACTICE_KEPT)
    if table.status is Status.PLAYING and match is not None:
        if match.phase is Phase.DEAL:
            watched = absence.live_people(match)
            wait = limits.next_round if watched else limits.next_round // computer_turns.SOONER
            return DeadlineKind.NEXT_ROUND, now + wait
        if match.phase is Phase.BIDDING:
            coming = turns.upcoming(table, match, now, limits.computer_pause)
            return coming or _deserted(table, match, limits, now)
    return None


def _deserted(
    table: Table, match: Match, limits: Limits, now: int
) -> tuple[DeadlineKind, int] | None:
    """A match that nobody attends is closed as a lobby is that nobody starts."""
    if absence.is_attended(table, match) or limits.lobby is None:
        return None
    return DeadlineKind.DESERTED, now + limits.lobby


def check_current(live: LiveTable, ask: Ask) -> None:
    """Raises `MovedOn` if the request was drawn for another state, `MatchIsOver` after the end."""
    if ask.at is None:
        if live.match is not None and live.match.winner is not None:
            raise MatchIsOver(live.match.winner)
        return
    current = live.table.match_id == ask.at.match_id and live.match is not None
    if not current or live.match is None or live.match.seq != ask.at.seq:
        raise errors.MovedOn


def check_place(live: LiveTable, place: Place) -> None:
    """Raises `MovedOn` for a forged control, or one of an older message."""
    if live.table.is_practice:  # it is wherever its person is
        return
    if place.letter_to is not None:  # letters go to who plays
        if live.match is None or live.match.seat_of(place.letter_to) is None:
            raise errors.MovedOn
        return
    if place.channel_id != live.table.channel_id:
        raise errors.MovedOn
    latest = live.table.message_id
    if latest is None or place.message_id is None or place.message_id == live.table.nudge_id:
        return
    if place.message_id < latest:  # newer than the noted one: it was posted a moment ago
        raise errors.MovedOn


def check_turn(live: LiveTable, seat: int) -> None:
    """Raises `NotYourTurn`, `NotInMatch` or `NotDealt` unless `seat` is the one to bid."""
    bidder = legal(live.match).bidder if live.match is not None else None
    if live.match is None or bidder is None:
        raise NotDealt
    if not live.match.seats[seat].live:
        raise NotInMatch(seat)
    if seat != bidder:
        raise NotYourTurn(seat, bidder)


def _stored(
    after: LiveTable,
    action: Action,
    now: int,
    interaction_id: int | None,
    *,
    by_house: bool = False,
) -> StoredAction:
    seq = after.match.seq if after.match is not None else 0
    return StoredAction(seq, to_json(action), now, interaction_id, by_house)
