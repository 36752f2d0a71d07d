"""Highlights of a round that has ended, and of a match that is over.

A round has one highlight for its table and one for each player. A match has the boldest bluff, the
best catch, and a line for each round. The functions are pure, so a replayed log gives the same
highlights. Chances are exact: each is what a player could know at the time from their own cards and
the number in play. A match's highlights reveal things about cards that were never shown, so use
them only when the match is over. `bot.boards.showdown` words and draws them.
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

# the highest chance of a bid that is notable when it succeeds as a bluff, or is caught
BOLD: Final = 0.05
LUCKY: Final = 0.1  # the highest chance of a bid that is notable when it is challenged and holds
STREAK: Final = 3  # the shortest notable streak

Theme = Literal["bluffed", "held", "caught", "right", "lost"]


@dataclass(frozen=True, slots=True)
class Highlight:
    """A notable act of the player in `seat`.

    `chance`: how likely the bid was to hold. `times`: the length of a streak, for "right" and
    "lost".
    """

    theme: Theme
    seat: int
    chance: float = 1.0
    times: int = 0


@dataclass(frozen=True, slots=True)
class RoundDecision:
    """A player's decision in a round: a bid or a challenge, and how likely the bid was.

    `chance`: how likely the bid was, given the player's own cards. `holds`: whether the bid was
    true. `challenged`: whether the decision was to challenge. `judged`: whether the decision
    ended the round; a bid that went unchallenged did not.
    """

    bid: Bid
    chance: float
    holds: bool
    challenged: bool = False
    judged: bool = True


def highlight(live: LiveTable, *, odds: bool) -> Highlight | None:
    """Return the highlight of the latest round, or None. Without `odds`, use no chances.

    Successive highlights of a match never have the same theme. None if the bot moved for an absent
    player in that round.
    """
    rounds, match = _own_rounds(live), live.match
    if match is None or match.round is None or not rounds:
        return None
    latest: Theme | None = None
    repeated: Highlight | None = None
    for number in range(1, len(rounds) + 1):
        worth = _candidates(match.ruleset, rounds[:number], odds)
        repeated = next((candidate for candidate in worth if candidate.theme != latest), None)
        latest = repeated.theme if repeated is not None else latest
    return repeated if rounds[-1].number == match.round.number else None


def decision(live: LiveTable, seat: int) -> RoundDecision | None:
    """Return the decision of `seat` in the latest round that is worth judging, or None.

    For the challenger and the last bidder, that is the challenge or the bid that ended the round;
    for any other seat, its least likely false bid that went unchallenged. None if the bot moved for
    an absent player in that round.
    """
    rounds, match = _own_rounds(live), live.match
    if match is None or match.round is None or not rounds:
        return None
    last, rules = rounds[-1], match.ruleset
    if last.number != match.round.number or last.challenger is None or not last.bids:
        return None
    *earlier, (bidder, place) = last.bids
    if seat in (last.challenger, bidder):
        bid = rules.ladder.at(place)
        chance = _chance(rules, last, seat, bid)
        return RoundDecision(bid, chance, holds(bid, _pool(last)), seat == last.challenger)
    bluffs = [
        RoundDecision(bid, _chance(rules, last, seat, bid), holds=False, judged=False)
        for bluffer, bid in _false_bids(rules, last, earlier)
        if bluffer == seat
    ]
    return min(bluffs, key=lambda bluff: bluff.chance, default=None)


def boldest_bluff(rules: Ruleset, rounds: Iterable[ShownRound], seat: int) -> float | None:
    """Return the chance of a seat's least likely false bid that nobody challenged, or None.

    Rounds that ended without a challenge don't count. The chance is based on the seat's own
    cards.
    """
    bluffs = (
        _chance(rules, past_round, seat, bid)
        for past_round in rounds
        if past_round.challenger is not None
        for bluffer, bid in _false_bids(rules, past_round, past_round.bids[:-1])
        if bluffer == seat
    )
    return min(bluffs, default=None)


def _own_rounds(live: LiveTable) -> list[ShownRound]:
    """Return the ended rounds in which no move was made for an absent player."""
    ends = (*live.deals[1:], live.match.seq + 1 if live.match is not None else 0)
    spans = zip(live.ended_rounds, live.deals, ends, strict=False)
    return [
        past_round
        for past_round, first, end in spans
        if not any(first < number < end for number in live.by_house)
    ]


def _candidates(rules: Ruleset, rounds: Sequence[ShownRound], odds: bool) -> Iterator[Highlight]:
    """Yield the highlights of the last of these rounds, best first."""
    last = rounds[-1]
    if last.challenger is None or not last.bids:
        return
    *earlier, (bidder, place) = last.bids
    judged = rules.ladder.at(place)
    held = holds(judged, _pool(last))
    if odds:
        bluffs = [
            Highlight("bluffed", bluffer, _chance(rules, last, bluffer, bid))
            for bluffer, bid in _false_bids(rules, last, earlier)
        ]
        boldest = min(bluffs, key=lambda bluff: bluff.chance, default=None)
        if boldest is not None and boldest.chance <= BOLD:
            yield boldest
        chance = _chance(rules, last, bidder, judged)
        if held and chance <= LUCKY:
            yield Highlight("held", bidder, chance)
        if not held and chance <= BOLD:
            yield Highlight("caught", bidder, chance)
    right = _challenge_streak(rules, rounds, last.challenger)
    if right >= STREAK:
        yield Highlight("right", last.challenger, times=right)
    losing = len(
        list(takewhile(lambda past_round: past_round.loser == last.loser, reversed(rounds)))
    )
    if last.loser is not None and losing >= STREAK:
        yield Highlight("lost", last.loser, times=losing)


def _challenge_streak(rules: Ruleset, rounds: Sequence[ShownRound], seat: int) -> int:
    """Return how many challenges in a row, up to now, `seat` has won."""
    challenges = (
        past_round
        for past_round in reversed(rounds)
        if past_round.challenger == seat and past_round.bids
    )
    right = (
        not holds(rules.ladder.at(past_round.bids[-1][1]), _pool(past_round))
        for past_round in challenges
    )
    return len(list(takewhile(bool, right)))


def _false_bids(
    rules: Ruleset, past_round: ShownRound, bids: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, Bid]]:
    """Yield the bids that don't hold, as (bidder's seat, bid)."""
    pool = _pool(past_round)
    for seat, place in bids:
        bid = rules.ladder.at(place)
        if not holds(bid, pool):
            yield seat, bid


def _chance(rules: Ruleset, past_round: ShownRound, seat: int, bid: Bid) -> float:
    """Return how likely a bid was to hold, judged by the cards of `seat`."""
    return _cached_chance(bid, rules.deck, len(_pool(past_round)), Cards(past_round.hands[seat]))


@lru_cache(4096)
def _cached_chance(bid: Bid, deck: DeckSpec, in_play: int, hand: Cards) -> float:
    """Return the chance, cached: each drawing of a table goes through all rounds of the match."""
    return bid_chance(bid, deck, in_play, hand).probability


def _pool(past_round: ShownRound) -> Cards:
    bits = past_round.middle
    for hand in past_round.hands:
        bits |= hand
    return Cards(bits)


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round: how many cards each seat held (0: not dealt in), who lost it, who left the match.

    `out`: the loser exceeded the card limit. `outdone`: the seats that went out with the loser.
    `left`: the seats that forfeited.
    """

    number: int
    held: tuple[int, ...]
    loser: int | None
    out: bool
    left: frozenset[int]
    outdone: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Bluff:
    """A false bid that went unchallenged.

    `chance`: how likely the bid was to hold, judged by the bidder's own cards.
    """

    round: int
    made_bid: MadeBid
    chance: Chance


@dataclass(frozen=True, slots=True)
class Catch:
    """A false bid that was challenged.

    `chance`: how likely the bid was to hold, judged by the challenger's own cards.
    """

    round: int
    challenger: int
    made_bid: MadeBid
    chance: Chance


@dataclass(frozen=True, slots=True)
class MatchHighlights:
    """The highlights of a match that is over; `bluff` or `catch` is None if it has none."""

    rounds: tuple[RoundLine, ...]
    bluff: Bluff | None
    catch: Catch | None


def match_highlights(states: Iterable[Match], by_house: Collection[int] = ()) -> MatchHighlights:
    """Return the highlights of a match, from its state after each action.

    `by_house` has the numbers of actions that were made for absent players; these can't be bluffs
    or catches.
    """
    # by round number: the match after the last action of the round, and after the first
    last: dict[int, Match] = {}
    begun: dict[int, Match] = {}
    # the number of the action that made a bid, or of the challenge
    since: dict[tuple[int, int | None], int] = {}
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
        for place, made_bid in enumerate(current.bids, 1):
            if since[number, place] in by_house or holds(made_bid.bid, current.pool):
                continue
            if judged is None or made_bid is not current.standing:
                chance = _chance_then(match, current, made_bid, made_bid.seat)
                bluffs.append(Bluff(number, made_bid, chance))
        if judged is not None and not judged.proof.holds and since[number, None] not in by_house:
            chance = _chance_then(match, current, judged.standing, judged.challenger)
            catches.append(Catch(number, judged.challenger, judged.standing, chance))
    return MatchHighlights(  # of two equal ones, the earlier
        tuple(_line(match, _forfeited_seats(begun[number])) for number, match in last.items()),
        min(bluffs, key=_exact_chance, default=None),
        max(catches, key=_exact_chance, default=None),
    )


def _line(match: Match, gone: frozenset[int]) -> RoundLine:
    """Summarise a round; `gone` are the seats that had left the match before it."""
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
        left=_forfeited_seats(match) - gone,
        outdone=frozenset(dealt_out - {loser}),
    )


def _round_of(match: Match) -> Round:
    assert match.round is not None
    return match.round


def _forfeited_seats(match: Match) -> frozenset[int]:
    seats = enumerate(match.seats)
    return frozenset(number for number, seat in seats if seat.standing is SeatStatus.FORFEITED)


def _chance_then(match: Match, current: Round, made_bid: MadeBid, seat: int) -> Chance:
    """Return how likely a bid was to hold at the time, judged by the cards of `seat`."""
    return bid_chance(made_bid.bid, match.ruleset.deck, len(current.pool), current.hands[seat])


def _exact_chance(act: Bluff | Catch) -> Fraction:
    return Fraction(act.chance.favourable, act.chance.total)
