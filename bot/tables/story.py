"""The story of a match: who held how many cards when, the boldest bluff, the best catch.

Pure functions over the states of a replayed match (`bot.tables.past` replays one). Chances are
exact, and each is what one player could know at the time: from their own cards and the number in
play. How it is said and drawn is in `bot.boards.winner`. It tells of cards that were never shown,
so it is for matches that are over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from engine.bids import holds
from engine.odds.bids.exact import bid_chance
from engine.odds.chance import Chance
from engine.state import MadeBid, Match, Round, Standing


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round: the cards each seat held (0: not dealt in), who lost it, who went.

    `out` says that the loser exceeded the card limit; `outdone` are the seats that went with them,
    `left` those that forfeited.
    """

    number: int
    held: tuple[int, ...]
    loser: int | None
    out: bool
    left: frozenset[int]
    outdone: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Bluff:
    """A bid that was false and that nobody challenged; `chance` by the bidder's own cards."""

    round: int
    made: MadeBid
    chance: Chance


@dataclass(frozen=True, slots=True)
class Catch:
    """A false bid that was challenged; `chance` that it held, by the challenger's own cards."""

    round: int
    challenger: int
    made: MadeBid
    chance: Chance


@dataclass(frozen=True, slots=True)
class Story:
    """What is told when a match is over; `bluff` and `catch` are None where there was none."""

    rounds: tuple[RoundLine, ...]
    bluff: Bluff | None
    catch: Catch | None


def story(states: Iterable[Match], by_house: Collection[int] = ()) -> Story:
    """The story of a match, from its state after each action.

    What the house played for somebody (`by_house`, numbers of actions) is no bluff and no catch of
    theirs.
    """
    lines: dict[int, RoundLine] = {}
    boldest: Bluff | None = None
    best: Catch | None = None
    pending: list[Bluff] = []  # false bids of this round, the last of which may yet be challenged
    number, bids, judged, gone = 0, 0, False, frozenset[int]()
    for match in states:
        current = match.round
        if current is None:
            continue
        if current.number != number:
            boldest = _bolder(boldest, pending)
            number, bids, judged, pending = current.number, 0, False, []
            gone = _forfeited(match)
        lines[number] = _line(match, current, gone)
        played = match.seq not in by_house
        if len(current.bids) > bids:
            bids = len(current.bids)
            if played and (bluff := _bluff(match, current)) is not None:
                pending.append(bluff)
        if current.judgement is not None and not judged:
            judged = True
            pending = [bluff for bluff in pending if bluff.made is not current.standing]
            catch = _catch(match, current) if played else None
            if catch is not None and (best is None or _more(catch.chance, best.chance)):
                best = catch
    return Story(tuple(lines.values()), _bolder(boldest, pending), best)


def _line(match: Match, current: Round, gone: frozenset[int]) -> RoundLine:
    """`gone` are the seats that had left before this round."""
    outcome = current.outcome
    dealt_out = {
        number
        for number, seat in enumerate(match.seats)
        if seat.standing is Standing.OUT and current.hands[number]
    }
    return RoundLine(
        number=current.number,
        held=tuple(len(cards) for cards in current.hands),
        loser=outcome.loser if outcome is not None else None,
        out=outcome is not None and outcome.eliminated,
        left=_forfeited(match) - gone,
        outdone=frozenset(dealt_out - {outcome.loser if outcome is not None else None}),
    )


def _forfeited(match: Match) -> frozenset[int]:
    seats = enumerate(match.seats)
    return frozenset(number for number, seat in seats if seat.standing is Standing.FORFEITED)


def _bluff(match: Match, current: Round) -> Bluff | None:
    """The standing bid, if it is false."""
    made = current.standing
    if made is None or holds(made.bid, current.pool):
        return None
    return Bluff(current.number, made, _chance(match, current, made, made.seat))


def _catch(match: Match, current: Round) -> Catch | None:
    """The challenge that ended the round, if it was right."""
    judged = current.judgement
    if judged is None or judged.proof.holds:
        return None
    chance = _chance(match, current, judged.made, judged.challenger)
    return Catch(current.number, judged.challenger, judged.made, chance)


def _chance(match: Match, current: Round, made: MadeBid, seat: int) -> Chance:
    """How likely a bid was to hold, by the cards of `seat`."""
    return bid_chance(made.bid, match.ruleset.deck, len(current.pool), current.hands[seat])


def _bolder(boldest: Bluff | None, bluffs: Iterable[Bluff]) -> Bluff | None:
    """The least likely of them; the earlier one of equals."""
    for bluff in bluffs:
        if boldest is None or _more(boldest.chance, bluff.chance):
            boldest = bluff
    return boldest


def _more(one: Chance, other: Chance) -> bool:
    """Whether `one` is the greater chance, compared exactly."""
    return one.favourable * other.total > other.favourable * one.total
