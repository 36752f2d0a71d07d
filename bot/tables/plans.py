"""Plans: pure functions from a request to the change it makes, which `runtime` stores.

A plan returns the table after the request and the `Change` that stores it. All plans have one
signature, so a request is a plan and its arguments: `await tables.change(table_id, ask, plans.bid,
key)`. A plan raises an error if the rules or the table refuse the request. It uses no store and no
clock; `runtime` calls it under the table's lock. Plans that need other players' consent during a
match are in `moderation`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, assert_never

from bot.roster import is_computer
from bot.tables import absence, computer_turns, cuts, errors, rematch, turns
from bot.tables.computer_turns import Decided
from bot.tables.live import (
    LiveTable,
    advance,
    ending,
    may_manage,
    new_match,
    with_joined,
    with_left,
    with_options,
)
from bot.tables.model import (
    Change,
    DeadlineKind,
    Ending,
    MatchStatus,
    Status,
    StoredAction,
    Table,
)
from bot.tables.requests import Ask, Limits, Moment, Place
from bot.tables.table_options import ABSENCE, chosen
from engine.actions import Action, Challenge, Deal, Forfeit, MakeBid, to_json
from engine.bids import proof
from engine.cutting import VERSION, cut_shuffle, round_seed
from engine.errors import MatchIsOver, NotDealt, NotInMatch, NotYourTurn
from engine.play import legal
from engine.play import start as begin
from engine.ruleset import FEWEST_PLAYERS, Options
from engine.shuffle import commitment
from engine.state import Cause, Match, Phase
from engine.variants import ruleset

Plan = tuple[LiveTable, Change]
# milliseconds until an abandoned practice ends
PRACTICE_KEPT: Final = 7 * 24 * 3_600_000
REMATCH_WAIT: Final = 30_000  # milliseconds from the second player's return to the start
# waits between turns: a press may shorten but never lengthen them
PAUSES: Final = (DeadlineKind.NEXT_ROUND, DeadlineKind.HOUSE)


Meant = Callable[[Match], str]  # returns the key of the bid that a person meant


# -- lobbies ---------------------------------------------------------------------------------------


def join(live: LiveTable, ask: Ask, moment: Moment) -> Plan:
    """Take a seat in a lobby. The last answer to a rematch also starts the match.

    Raises what `with_joined` raises.
    """
    return _apply_answer(live, ask, moment, with_joined(live.table, ask.player))


def decline(live: LiveTable, ask: Ask, moment: Moment) -> Plan:
    """Say no to playing again. Raises what `rematch.with_declined` raises."""
    return _apply_answer(live, ask, moment, rematch.with_declined(live.table, ask.player))


def _apply_answer(live: LiveTable, ask: Ask, moment: Moment, table: Table) -> Plan:
    """Store an answer to a rematch; the last one starts the match."""
    if rematch.is_complete(live.table, table):
        return _begin_match(table, ask, moment)
    return _plan_change(live, ask, table)


def leave(live: LiveTable, ask: Ask, moment: Moment) -> Plan:
    """Leave a lobby; the last person to leave closes it. Raises what `with_left` raises."""
    return _plan_change(live, ask, with_left(live.table, ask.player))


def wait(live: LiveTable, ask: Ask, moment: Moment, joins: bool | None = None) -> Plan:
    """Queue for the next match, or leave the queue: see `rematch.with_waiting`."""
    return _plan_change(live, ask, rematch.with_waiting(live.table, ask.player, joins=joins))


def choose(
    live: LiveTable, ask: Ask, moment: Moment, options: Options | Callable[[Table], Options]
) -> Plan:
    """Change options of a lobby (host or moderator); `options` may be a function of the table.

    Raises `NotHost`, and what `with_options` raises.
    """
    table = live.table
    may_manage(table, ask.player, ask.moderator)
    return _plan_change(
        live, ask, with_options(table, options(table) if callable(options) else options)
    )


def add_computer(live: LiveTable, ask: Ask, moment: Moment, character: str | None) -> Plan:
    """Seat a computer player of this character in a lobby (host or moderator).

    If `character` is None, take the one that sits there least often. Raises `NotHost`, and what
    `computer_turns.with_computer` raises.
    """
    table = live.table
    may_manage(table, ask.player, ask.moderator)
    chosen_character = character or computer_turns.rarest(table)
    seated = computer_turns.with_computer(table, chosen_character, allowed=moment.limits.computers)
    return _plan_change(live, ask, seated)


def remove_computer(live: LiveTable, ask: Ask, moment: Moment, player: int) -> Plan:
    """Remove a computer player from a lobby (host or moderator).

    Raises `NotHost`, and what `computer_turns.without_computer` raises.
    """
    may_manage(live.table, ask.player, ask.moderator)
    return _plan_change(live, ask, computer_turns.without_computer(live.table, player))


def cancel(live: LiveTable, ask: Ask, moment: Moment) -> Plan:
    """Close a lobby (host or moderator). Raises `NotHost`; `MovedOn` once the match has begun."""
    may_manage(live.table, ask.player, ask.moderator)
    if live.table.status is not Status.LOBBY:
        raise errors.MovedOn
    return _plan_change(live, ask, replace(live.table, status=Status.CLOSED))


def move(live: LiveTable, ask: Ask, moment: Moment, channel_id: int) -> Plan:
    """Move a lobby to another channel, in a new message (host or moderator).

    Raises `NotHost`; `MovedOn` once the match has begun, or if the lobby is already there.
    """
    may_manage(live.table, ask.player, ask.moderator)
    if live.table.status is not Status.LOBBY or live.table.channel_id == channel_id:
        raise errors.MovedOn
    moved = replace(live.table, channel_id=channel_id, message_id=None, announced_seq=0)
    return _plan_change(live, ask, moved)


def again(live: LiveTable, ask: Ask, moment: Moment) -> Plan:
    """Open a lobby for a rematch, in a new message: the asker hosts, the others are invited.

    Raises what `rematch.open_rematch` raises.
    """
    lobby = cuts.with_seal(rematch.open_rematch(live.table, ask.player), moment.draw_seed())
    return LiveTable(lobby), Change(lobby, ask.interaction_id)


def start(live: LiveTable, ask: Ask, moment: Moment) -> Plan:
    """Start the match of a lobby and deal its first round (host or moderator).

    Raises `NotHost`, `MovedOn`, `TooFewPlayers`.
    """
    may_manage(live.table, ask.player, ask.moderator)
    return _begin_match(live.table, ask, moment)


def _begin_match(table: Table, ask: Ask, moment: Moment) -> Plan:
    """Begin the match of a lobby and deal. Raises `MovedOn`, `TooFewPlayers`."""
    created = new_match(table)
    rules = ruleset(created.variant, created.options)
    playing = replace(
        table,
        status=Status.PLAYING,
        match_id=None,
        announced_seq=0,
        invited=(),
        waiting=(),
        absent={},
        votes={},
    )
    begun = LiveTable(playing, begin(rules, created.players, created.opener))
    after, change = deal(begun, ask, moment)
    return after, replace(change, new_match=created)


def _plan_change(live: LiveTable, ask: Ask, table: Table) -> Plan:
    """Plan a change of the table that isn't an action of its match."""
    return replace(live, table=table), Change(table, ask.interaction_id)


# -- matches ---------------------------------------------------------------------------------------


def bid(live: LiveTable, ask: Ask, moment: Moment, meant: str | Meant) -> Plan:
    """Make a bid, given by its canonical key or by a function that returns the key.

    The function gets the match that the bid is for, and may raise an error.
    """
    live, match, seat = _mark_present(live, ask)
    key = meant if isinstance(meant, str) else meant(match)
    return act(live, ask, moment, MakeBid(seat, key))


def challenge(live: LiveTable, ask: Ask, moment: Moment, *, sure: bool = True) -> Plan:
    """Challenge the standing bid.

    Unless `sure`, raises `OwnCardsMakeIt` if the player's own cards make the bid.
    """
    live, match, seat = _mark_present(live, ask)
    if not sure:
        _check_own_cards(match, seat)
    return act(live, ask, moment, Challenge(seat))


def _check_own_cards(match: Match, seat: int) -> None:
    """Raise `OwnCardsMakeIt` if a challenge is sure to lose, unless the player must challenge."""
    offered, current = legal(match), match.round
    forced = offered.bidder == seat and not offered.rungs
    if forced or current is None or current.standing is None or seat not in offered.challengers:
        return
    judged = proof(current.standing.bid, current.hands[seat])
    if judged.holds:
        raise errors.OwnCardsMakeIt(judged.cards)


def forfeit(live: LiveTable, ask: Ask, moment: Moment) -> Plan:
    """Leave the match for good."""
    live, _, seat = _mark_present(live, ask)
    return act(live, ask, moment, Forfeit(seat))


def _mark_present(live: LiveTable, ask: Ask) -> tuple[LiveTable, Match, int]:
    """Return the table with the asker marked as present, its match, and their seat in it.

    Raises `NotSeated`, `NotStarted`, `NoTable`, and what `check_current` raises.
    """
    seat = live.seat(ask.player)
    check_current(live, ask)
    if live.table.status is Status.CLOSED or live.match is None:
        raise errors.NoTable
    returned = absence.mark_present(live.table, ask.player)
    return replace(live, table=returned), live.match, seat


def act(
    live: LiveTable, ask: Ask, moment: Moment, action: Action, *, by_house: bool = False
) -> Plan:
    """Apply an action to the match; if the match ends with it, finish or close the table too.

    If `by_house`, the action is made for an absent player.
    """
    after = advance(live, action, by_house=by_house)
    stop = ending(after)
    deserts = isinstance(action, Forfeit) or live.table.daily_day is not None
    if deserts and stop is None and _nobody_left(after):
        after = replace(after, table=replace(after.table, status=Status.CLOSED))
        stop = Ending(MatchStatus.ABANDONED)
    elif after.match is not None:
        table = replace(
            after.table,
            host_id=absence.host_now(after.table, after.match),
            votes=absence.open_votes(after.table, after.match),
        )
        if stop is not None and after.match.winner is not None:
            winner = after.match.seats[after.match.winner].player
            table = replace(table, status=Status.FINISHED, last_winner=winner)
        after = replace(after, table=table)
    stored = _log_entry(after, ask, moment, action, by_house=by_house)
    return after, Change(after.table, ask.interaction_id, actions=(stored,), ending=stop)


def _nobody_left(live: LiveTable) -> bool:
    """Return whether only computer players are left in the match."""
    return live.match is not None and not absence.live_people(live.match)


def cut(live: LiveTable, ask: Ask, moment: Moment, text: str) -> Plan:
    """Cut the cards with `text`, in a lobby or during a match.

    Raises what `cuts.may_cut` raises.
    """
    return _plan_change(live, ask, cuts.with_cut(live, ask.player, text))


def next_round(live: LiveTable, ask: Ask, moment: Moment) -> Plan:
    """Deal the next round now; anyone with a seat may ask for it.

    Raises `NotSeated`, `NotStarted`, and what `check_current` and `deal` raise.
    """
    check_current(live, ask)
    live.seat(ask.player)
    return deal(live, ask, moment)


def deal(live: LiveTable, ask: Ask, moment: Moment) -> Plan:
    """Deal the next round from its sealed seed and the players' cuts.

    Requests to end the match lapse. A match that began in an older version may have no root of its
    seeds: then draw one. Raises `MovedOn` unless the match is under way.
    """
    match = live.match
    if match is None or live.table.status is not Status.PLAYING or match.winner is not None:
        raise errors.MovedOn
    # requests to end the match expire with their round
    votes = {player: voters for player, voters in live.table.votes.items() if player != 0}
    live = replace(live, table=replace(live.table, votes=votes))
    number, root = cuts.next_round(live), live.table.chain_root or moment.draw_seed()
    seed, cuts_made = round_seed(root, number), cuts.next_cuts(live)
    shuffled = cut_shuffle(
        seed, [cut.digest for cut in cuts_made], match.ruleset.deck.order, len(match.live)
    )
    action = Deal(shuffled.order, commitment(seed), VERSION, shuffled.drawn, cuts_made)
    after = advance(live, action)
    after = replace(
        after,
        table=replace(after.table, chain_root=root),
        seeds={**live.seeds, number: seed},
    )
    change = Change(
        after.table,
        ask.interaction_id,
        actions=(_log_entry(after, ask, moment, action),),
        seeds=((number, seed),),
        deliveries=tuple(
            (number, seat, match.seats[seat].player)
            for seat in match.live
            if not is_computer(match.seats[seat].player) and not live.table.is_practice
        ),
    )
    return after, change


def say_away(live: LiveTable, ask: Ask, moment: Moment, player: int) -> Plan:
    """Say that another player is away; with two such votes, moves are made for them.

    Raises `NotStarted`, and what `check_current` and `absence.add_vote` raise.
    """
    if live.match is None or live.table.status is not Status.PLAYING:
        raise errors.NotStarted
    check_current(live, ask)
    return update_presence(live, ask, absence.add_vote(live.table, live.match, ask.player, player))


def here(live: LiveTable, ask: Ask, moment: Moment) -> Plan:
    """Mark the asker as present, and delete the votes to declare them away.

    Raises `NotSeated`, `NotStarted`.
    """
    live.seat(ask.player)
    return update_presence(live, ask, absence.mark_present(live.table, ask.player))


def back(live: LiveTable, ask: Ask, moment: Moment) -> Plan:
    """Let the asker play again after being away; if it's their turn, restart the turn's clock.

    Raises `NotAway`, `NotSeated`, `NotStarted`.
    """
    seat = live.seat(ask.player)
    if live.table.status is not Status.PLAYING or not absence.is_away(live.table, ask.player):
        raise errors.NotAway
    returned = absence.mark_present(live.table, ask.player)
    turn = turns.turn_of(live.match)
    if turn is not None and turn[-1] == seat:
        returned = replace(returned, turn_since=None)
    return update_presence(live, ask, returned)


def update_presence(live: LiveTable, ask: Ask, table: Table) -> Plan:
    """Plan a change of who is present, which may change the host."""
    if live.match is not None:
        table = replace(table, host_id=absence.host_now(table, live.match))
    return _plan_change(live, ask, table)


def close(live: LiveTable, ask: Ask, moment: Moment) -> Plan:
    """Close a lobby, or end a match without a winner, whoever asks.

    Used for the table of a deleted channel; requests of people go through `moderation.end`. Raises
    `NoTable` if the table isn't live.
    """
    if not live.table.status.live:
        raise errors.NoTable
    playing = live.table.status is Status.PLAYING
    closed = replace(live, table=replace(live.table, status=Status.CLOSED))
    stop = Ending(MatchStatus.ABANDONED) if playing else None
    return closed, Change(closed.table, ask.interaction_id, ending=stop)


# -- deadlines -------------------------------------------------------------------------------------


def overdue(
    live: LiveTable,
    ask: Ask,
    moment: Moment,
    due: Table,
    decided_for: Callable[[LiveTable], Decided | None],
) -> Plan:
    """Plan the event that the deadline of `due` triggers.

    If `due` has no kind of deadline, plan no event, so that only a new deadline is set.
    `decided_for` returns the decision for absent players and computer players; None if it isn't
    known yet. Raises `MovedOn` if the table has changed since `due` was read.
    """
    # judged under the lock, as a player may have acted just now
    if live.table.version != due.version:
        raise errors.MovedOn
    match due.deadline_kind:
        case DeadlineKind.NEXT_ROUND:
            return deal(live, ask, moment)
        case DeadlineKind.NUDGE:
            return nudge(live, ask, moment)
        case DeadlineKind.TURN:
            return out_of_time(live, ask, moment, decided_for(live))
        case DeadlineKind.HOUSE:
            return stand_in(live, ask, moment, decided_for(live))
        case DeadlineKind.COMPUTER:
            return computers_act(live, ask, moment, decided_for(live))
        case DeadlineKind.LOBBY | DeadlineKind.DESERTED:
            return close(live, ask, moment)
        case DeadlineKind.REMATCH:
            return _begin_match(live.table, ask, moment)
        case None:
            return live, Change(live.table)
        case _:
            assert_never(due.deadline_kind)


def out_of_time(live: LiveTable, ask: Ask, moment: Moment, decided: Decided | None) -> Plan:
    """After a turn's clock ran out, make a move for the player, or forfeit for them."""
    match, seat = _in_turn(live)
    if chosen(live.table, ABSENCE) == "forfeit":
        return act(live, ask, moment, Forfeit(seat, Cause.ABSENT))
    missed = absence.add_miss(live.table, match.seats[seat].player)
    return stand_in(replace(live, table=missed), ask, moment, decided)


def stand_in(live: LiveTable, ask: Ask, moment: Moment, decided: Decided | None) -> Plan:
    """Make the decided move for the seat in turn, or else a safe one."""
    match, seat = _in_turn(live)
    action = computer_turns.allowed_action(match, decided)
    return _play_for(live, ask, moment, action or absence.stand_in(match, seat))


def computers_act(live: LiveTable, ask: Ask, moment: Moment, decided: Decided | None) -> Plan:
    """Make the computer players' decided move, or a safe one if that is illegal or too late.

    In a deal of the day, wait for the decision however late. While a person is in turn, only a
    challenge out of turn changes anything.
    """
    match, seat = _in_turn(live)
    action = computer_turns.allowed_action(match, decided)
    if action is None and is_computer(match.seats[seat].player):
        shortest = moment.limits.computer_pause
        late = computer_turns.has_waited_enough(live.table, match, shortest, moment.now)
        # in the deal of the day, the same play gets everyone the same answers
        late = late and live.table.daily_day is None
        if late or decided is not None:  # there is a decision, but the rules don't allow it
            action = absence.stand_in(match, seat)
    if action is None:
        return live, Change(live.table, unseen=True)
    return _play_for(live, ask, moment, action)


def _play_for(live: LiveTable, ask: Ask, moment: Moment, action: MakeBid | Challenge) -> Plan:
    """Apply a decided move: a computer player's own, or one made for an absent person."""
    match, _ = _in_turn(live)
    for_person = not is_computer(match.seats[action.seat].player)
    return act(live, ask, moment, action, by_house=for_person)


def nudge(live: LiveTable, ask: Ask, moment: Moment) -> Plan:
    """Count one more reminder to the player in turn; it is sent afterwards."""
    _in_turn(live)
    after, change = _plan_change(live, ask, turns.add_nudge(live.table))
    # the reminder's message asks whether they are away; the table will, when it is next drawn
    return after, replace(change, unseen=True)


def _in_turn(live: LiveTable) -> tuple[Match, int]:
    """Return the match and the seat in turn. Raises `MovedOn` unless a round is being bid."""
    match = live.match
    if match is None or match.round is None or match.phase is not Phase.BIDDING:
        raise errors.MovedOn
    return match, match.round.turn


# -- clocks ---------------------------------------------------------------------------------------


def set_clocks(before: LiveTable, after: LiveTable, limits: Limits, now: int) -> Table:
    """Return the table after a change at `now` (ms), with the clocks and deadline it needs."""
    table, match = after.table, after.match
    turn = turns.turn_of(match) if table.status is Status.PLAYING else None
    if turn is None:
        table = turns.end_turn(table)
    elif match is not None and (table.turn_since is None or turn != turns.turn_of(before.match)):
        table = turns.begin_turn(table, match, now)
    kind, deadline = _next_deadline(table, match, limits, now) or (None, None)
    if kind is DeadlineKind.REMATCH and before.table.deadline_kind is kind:
        deadline = before.table.deadline  # later joiners don't make others wait longer
    if kind is before.table.deadline_kind and before.match is match:
        if _is_cut(before, after):
            deadline = before.table.deadline  # cuts don't lengthen the wait either
        elif kind in PAUSES and deadline is not None:
            # other presses don't lengthen the wait either
            deadline = min(deadline, before.table.deadline or deadline)
    return replace(table, deadline=deadline, deadline_kind=kind)


def _is_cut(before: LiveTable, after: LiveTable) -> bool:
    """Return whether the change was a cut in a match under way."""
    return after.table.status is Status.PLAYING and before.table.cuts != after.table.cuts


def _next_deadline(
    table: Table, match: Match | None, limits: Limits, now: int
) -> tuple[DeadlineKind, int] | None:
    """Return the kind and time (ms) of the table's next deadline; None if it has no deadline."""
    if table.status is Status.LOBBY:
        if table.awaited_players and len(table.returned_players) >= FEWEST_PLAYERS:
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
            return coming or _desertion(table, match, limits, now)
    return None


def _desertion(
    table: Table, match: Match, limits: Limits, now: int
) -> tuple[DeadlineKind, int] | None:
    """Return `DESERTED` and the time (ms) to close a match with nobody present.

    The wait is that of a lobby. None if somebody is present, or lobbies wait for ever.
    """
    if absence.is_attended(table, match) or limits.lobby is None:
        return None
    return DeadlineKind.DESERTED, now + limits.lobby


# -- checks ---------------------------------------------------------------------------------------


def check_current(live: LiveTable, ask: Ask) -> None:
    """Check that the match is in the state for which the request's button was drawn.

    Raises `MovedOn` if the match has moved on. For a request without a button, raises `MatchIsOver`
    if the match is over.
    """
    if ask.at is None:
        if live.match is not None and live.match.winner is not None:
            raise MatchIsOver(live.match.winner)
        return
    match, at = live.match, ask.at
    if match is None or (live.table.match_id, match.seq) != (at.match_id, at.seq):
        raise errors.MovedOn


def check_place(live: LiveTable, place: Place) -> None:
    """Raise `MovedOn` if a button isn't in the table's channel, or its message is outdated.

    A practice's button works anywhere. A button in direct messages works for players of the
    match.
    """
    if live.table.is_practice:  # its person can use it anywhere
        return
    if place.direct_to is not None:  # direct messages go to players
        if live.match is None or live.match.seat_of(place.direct_to) is None:
            raise errors.MovedOn
        return
    if place.channel_id != live.table.channel_id:
        raise errors.MovedOn
    latest = live.table.message_id
    if latest is None or place.message_id is None or place.message_id == live.table.nudge_id:
        return
    if place.message_id < latest:  # newer than the stored message: posted a moment ago
        raise errors.MovedOn


def check_turn(live: LiveTable, seat: int) -> None:
    """Check that it is the turn of `seat`. Raises `NotYourTurn`, `NotInMatch`, `NotDealt`."""
    turn = turns.turn_of(live.match)
    if live.match is None or turn is None:
        raise NotDealt
    if not live.match.seats[seat].live:
        raise NotInMatch(seat)
    bidder = turn[-1]
    if seat != bidder:
        raise NotYourTurn(seat, bidder)


def _log_entry(
    after: LiveTable, ask: Ask, moment: Moment, action: Action, *, by_house: bool = False
) -> StoredAction:
    seq = after.match.seq if after.match is not None else 0
    return StoredAction(seq, to_json(action), moment.now, ask.interaction_id, by_house)
