"""What is worth repeating of a round that has ended, and of a match that is over.

Of a round: one fact for its table, one for each player. Of a match: who held how many cards when,
the boldest bluff, the best catch. Pure functions over what rounds have shown and the states of a
replayed match, so a log that is replayed tells the same. Chances are exact, and each is what one
player could know at the time, from their own cards and the number in play. A story tells of cards
that were never shown, so it is for matches that are over. How it is said and drawn is in
`bot.boards.showdown`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import takewhile
from typing import Final, Literal

from bot.tables.live import LiveTable
from engine.bids import Bid, holds
from engine.cards import Cards, DeckSpec
from engine.odds.bids.exact import bid_chance
from engine.odds.chance import Chance
from engine.players import ShownRound
from engine.ruleset import Ruleset
from engine.state import MadeBid, Match, Round, SeatStatus

BOLD: Final = 0.05  # a bid that is no likelier is worth repeating if it went well, or was caught
LUCKY: Final = 0.1  # and one that was doubted, and held
STREAK: Final = 3  # from so many in a row on

Theme = Literal["bluffed", "held", "caught", "right", "lost"]


@dataclass(frozen=True, slots=True)
class Highlight:
    """Who did what, and how likely it was, or how often in a row it was done."""

    theme: Theme
    seat: int
    chance: float = 1.0
    times: int = 0


@dataclass(frozen=True, slots=True)
class RoundDecision:
    """What a player decided in a round: a bid, or to challenge one, and how likely that bid was.

    `judged`: it ended the round; a bid that nobody challenged did not.
    """

    bid: Bid
    chance: float
    holds: bool
    challenged: bool = False
    judged: bool = True


def highlight(live: LiveTable, *, odds: bool) -> Highlight | None:
    """What is repeated of the latest round, if anything is. Without `odds` no chance is told.

    No theme is taken twice in a row, so a table does not hear the same round after round.
    """
    rounds, match = _own_rounds(live), live.match
    if match is None or match.round is None or not rounds:
        return None
    latest: Theme | None = None
    told: Highlight | None = None
    for number in range(1, len(rounds) + 1):
        worth = _worth_telling(match.ruleset, rounds[:number], odds)
        told = next((one for one in worth if one.theme != latest), None)
        latest = told.theme if told is not None else latest
    return told if rounds[-1].number == match.round.number else None


def decision(live: LiveTable, seat: int) -> RoundDecision | None:
    """What `seat` decided in the latest round that can be judged now; None if nothing can.

    What ended the round comes first; else the boldest bid that was false and that nobody doubted.
    """
    rounds, match = _own_rounds(live), live.match
    if match is None or match.round is None or not rounds:
        return None
    shown, rules = rounds[-1], match.ruleset
    if shown.number != match.round.number or shown.challenger is None or not shown.bids:
        return None
    *earlier, (bidder, place) = shown.bids
    if seat in (shown.challenger, bidder):
        bid = rules.ladder.at(place)
        chance = _chance(rules, shown, seat, bid)
        return RoundDecision(bid, chance, holds(bid, _pool(shown)), seat == shown.challenger)
    bluffs = [
        RoundDecision(bid, _chance(rules, shown, seat, bid), holds=False, judged=False)
        for who, bid in _false_ones(rules, shown, earlier)
        if who == seat
    ]
    return min(bluffs, key=lambda bluff: bluff.chance, default=None)


def boldest_bluff(rules: Ruleset, rounds: Iterable[ShownRound], seat: int) -> float | None:
    """How likely the least likely false bid of `seat` was that nobody challenged; None: none."""
    bluffs = (
        _chance(rules, shown, seat, bid)
        for shown in rounds
        if shown.challenger is not None
        for who, bid in _false_ones(rules, shown, shown.bids[:-1])
        if who == seat
    )
    return min(bluffs, default=None)


def _own_rounds(live: LiveTable) -> list[ShownRound]:
    """The rounds that have ended, without those in which the house played for somebody."""
    ends = (*live.deals[1:], live.match.seq + 1 if live.match is not None else 0)
    spans = zip(live.shown, live.deals, ends, strict=False)
    return [
        shown
        for shown, first, end in spans
        if not any(first < number < end for number in live.by_house)
    ]


def _worth_telling(rules: Ruleset, rounds: Sequence[ShownRound], odds: bool) -> Iterator[Highlight]:
    """What may be told of the last of these rounds, the best first."""
    shown = rounds[-1]
    if shown.challenger is None or not shown.bids:
        return
    *earlier, (bidder, place) = shown.bids
    judged = rules.ladder.at(place)
    held = holds(judged, _pool(shown))
    if odds:
        bluffs = [
            Highlight("bluffed", who, _chance(rules, shown, who, bid))
            for who, bid in _false_ones(rules, shown, earlier)
        ]
        boldest = min(bluffs, key=lambda bluff: bluff.chance, default=None)
        if boldest is not None and boldest.chance <= BOLD:
            yield boldest
        chance = _chance(rules, shown, bidder, judged)
        if held and chance <= LUCKY:
            yield Highlight("held", bidder, chance)
        if not held and chance <= BOLD:
            yield Highlight("caught", bidder, chance)
    right = _in_a_row(rules, rounds, shown.challenger)
    if right >= STREAK:
        yield Highlight("right", shown.challenger, times=right)
    losing = len(list(takewhile(lambda one: one.loser == shown.loser, reversed(rounds))))
    if shown.loser is not None and losing >= STREAK:
        yield Highlight("lost", shown.loser, times=losing)


def _in_a_row(rules: Ruleset, rounds: Sequence[ShownRound], seat: int) -> int:
    """How many challenges in a row, up to now, `seat` has made rightly."""
    own = (shown for shown in reversed(rounds) if shown.challenger == seat and shown.bids)
    right = (not holds(rules.ladder.at(shown.bids[-1][1]), _pool(shown)) for shown in own)
    return len(list(takewhile(bool, right)))


def _false_ones(
    rules: Ruleset, shown: ShownRound, bids: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, Bid]]:
    """Who made which of these bids that are not good."""
    pool = _pool(shown)
    for seat, place in bids:
        bid = rules.ladder.at(place)
        if not holds(bid, pool):
            yield seat, bid


def _chance(rules: Ruleset, shown: ShownRound, seat: int, bid: Bid) -> float:
    """How likely a bid was to hold, by the cards of `seat`."""
    return _counted(bid, rules.deck, len(_pool(shown)), Cards(shown.hands[seat]))


@lru_cache(4096)
def _counted(bid: Bid, deck: DeckSpec, in_play: int, hand: Cards) -> float:
    """Counted once: all rounds of a match are looked through each time its table is drawn."""
    return bid_chance(bid, deck, in_play, hand).probability


def _pool(shown: ShownRound) -> Cards:
    bits = shown.middle
    for hand in shown.hands:
        bits |= hand
    return Cards(bits)


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
    last: dict[int, Match] = {}  # as each round left it
    begun: dict[int, Match] = {}
    since: dict[tuple[int, int | None], int] = {}  # the action that made a bid, or challenged
    for match in states:
        current = match.round
        if current is None:
            continue
        number = current.number
        begun.setdefault(number, match)
        last[number] = match
        if current.bids:
            since.setdefault((number, len(current.bids)), match.seq)
        if current.judgement is not None:
            since.setdefault((number, None), match.seq)
    bluffs: list[Bluff] = []
    catches: list[Catch] = []
    for number, match in last.items():
        current, judged = _round_of(match), _round_of(match).judgement
        for place, made in enumerate(current.bids, 1):
            if since[number, place] in by_house or holds(made.bid, current.pool):
                continue
            if judged is None or made is not current.standing:
                chance = _chance_then(match, current, made, made.seat)
                bluffs.append(Bluff(number, made, chance))
        if judged is not None and not judged.proof.holds and since[number, None] not in by_house:
            chance = _chance_then(match, current, judged.standing, judged.challenger)
            catches.append(Catch(number, judged.challenger, judged.standing, chance))
    return Story(  # the earlier one of equals
        tuple(_line(match, _forfeited(begun[number])) for number, match in last.items()),
        min(bluffs, key=_exactly, default=None),
        max(catches, key=_exactly, default=None),
    )


def _line(match: Match, gone: frozenset[int]) -> RoundLine:
    """`gone` are the seats that had left before this round."""
    current = _round_of(match)
    outcome = current.outcome
    loser = outcome.loser if outcome is not None else None
    dealt_out = {
        number
        for number, seat in enumerate(match.seats)
        if seat.standing is SeatStatus.OUT and current.hands[number]
    }
    return RoundLine(
        number=current.number,
        held=tuple(len(cards) for cards in current.hands),
        loser=loser,
        out=outcome is not None and outcome.eliminated,
        left=_forfeited(match) - gone,
        outdone=frozenset(dealt_out - {loser}),
    )


def _round_of(match: Match) -> Round:
    assert match.round is not None
    return match.round


def _forfeited(match: Match) -> frozenset[int]:
    seats = enumerate(match.seats)
    return frozenset(number for number, seat in seats if seat.standing is SeatStatus.FORFEITED)


def _chance_then(match: Match, current: Round, made: MadeBid, seat: int) -> Chance:
    """How likely a bid was to hold, by the cards of `seat`."""
    return bid_chance(made.bid, match.ruleset.deck, len(current.pool), current.hands[seat])


def _exactly(told: Bluff | Catch) -> Fraction:
    return Fraction(told.chance.favourable, told.chance.total)
