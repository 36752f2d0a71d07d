"""The rules in motion: start a match, apply an action, and list what is legal.

`apply` is pure: it checks, then returns a new match. A refused action raises a `RuleViolation` and
changes nothing. So `itertools.accumulate(actions, apply, initial=first)` replays a log. Comments
number rules as docs/rules.md does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from engine import errors
from engine.actions import Action, Challenge, Deal, Forfeit, MakeBid
from engine.bids import Bid, proof
from engine.cards import Card, Cards
from engine.rotation import dealing_order, next_live, outdone, penalise, with_seat
from engine.ruleset import FEWEST_PLAYERS, Ruleset
from engine.state import MadeBid, Match, Outcome, Phase, Round, Seat, SeatStatus


def start(ruleset: Ruleset, players: Sequence[int], opener: int | None = None) -> Match:
    """Return a match before its first deal. `players` are ids, in the order of joining.

    `opener` is the seat that opens the first round. If it is None, the first deal draws the opener.
    Raises RulesetError for too few, too many or repeated players, or if there is no seat `opener`.
    """
    count = len(players)
    if not FEWEST_PLAYERS <= count <= ruleset.most_players:
        raise errors.RulesetError(
            f"{ruleset.title} takes {FEWEST_PLAYERS} to {ruleset.most_players} players, not {count}"
        )
    if len(set(players)) != count:
        raise errors.RulesetError("a player has one seat, not two")
    if opener is not None and not 0 <= opener < count:
        raise errors.RulesetError(f"seat {opener} cannot open: the seats are 0 to {count - 1}")
    seats = tuple(Seat(player, ruleset.starting_cards[count]) for player in players)
    return Match(ruleset, seats, opener)


def apply(match: Match, action: Action) -> Match:
    """Return the match after `action`. Raises `RuleViolation` if the rules refuse it."""
    if match.winner is not None:
        raise errors.MatchIsOver(match.winner)
    counted = replace(match, seq=match.seq + 1)
    match action:
        case Deal():
            return _deal(counted, action)
        case MakeBid():
            return _bid(counted, action)
        case Challenge():
            return _challenge(counted, action)
        case Forfeit():
            return _forfeit(counted, action)
        case _:
            assert_never(action)


@dataclass(frozen=True, slots=True)
class Legal:
    """The legal actions in a round: who may bid, on which `rungs`, and who may challenge."""

    bidder: int | None  # None between rounds and after the end
    # empty if the standing bid is on the top rung, or there is no bidder
    rungs: tuple[tuple[Bid, ...], ...]
    challengers: frozenset[int]


def legal(match: Match) -> Legal:
    """Return the legal bids and challenges; there are none while no round is being played.

    Forfeits aren't listed: any live seat may forfeit until the match is over.
    """
    current = match.round
    if match.phase is not Phase.BIDDING or current is None:
        return Legal(None, (), frozenset())
    standing = current.standing
    rungs = match.ruleset.ladder.above(standing.bid if standing else None)
    return Legal(current.turn, rungs, _challengers(match, current))


def _challengers(match: Match, current: Round) -> frozenset[int]:
    if current.standing is None:
        return frozenset()
    if match.ruleset.challengers == "anyone":
        return frozenset(match.live) - {current.standing.seat}
    return frozenset({current.turn})


def _deal(match: Match, deal: Deal) -> Match:
    if match.phase is not Phase.DEAL:
        raise errors.AlreadyDealt
    if len(deal.order) != match.ruleset.deck.size or set(deal.order) != set(
        match.ruleset.deck.order
    ):
        raise errors.BadDeal("the order is not one of this game's deck")
    if not 0 <= deal.drawn < len(match.live):
        raise errors.BadDeal(f"{deal.drawn} is not a place among {len(match.live)} players")
    cutters = [cut.seat for cut in deal.cuts]
    if len(set(cutters)) != len(cutters) or not set(cutters) <= set(range(len(match.seats))):
        raise errors.BadDeal("each seat may cut once")
    opener = match.opener if match.opener is not None else match.live[deal.drawn]
    hands, middle = _hand_out(match, deal.order, opener)
    number = match.round.number + 1 if match.round else 1
    dealt = Round(number, deal.commitment, deal.shuffle_version, opener, hands, middle, turn=opener)
    return replace(match, round=dealt, opener=opener)


def _hand_out(
    match: Match, order: tuple[Card, ...], opener: int
) -> tuple[tuple[Cards, ...], Cards]:
    """Deal one card at a time from the opener to the left; return the hands and the middle hand.

    The hands are by seat. The middle hand is dealt last, and is empty if the game has none.
    """
    cards = iter(order)
    bits = [0] * len(match.seats)
    largest = max(match.seats[number].cards for number in match.live)
    for turn in range(largest):
        for number in dealing_order(match.seats, opener):
            if match.seats[number].cards > turn:
                bits[number] |= 1 << next(cards).number
    middle = [next(cards) for _ in range(largest)] if match.ruleset.middle_hand else []
    return tuple(Cards(hand) for hand in bits), Cards.of(middle)


def _bid(match: Match, action: MakeBid) -> Match:
    current = _in_play(match, action.seat)
    if action.seat != current.turn:
        raise errors.NotYourTurn(action.seat, current.turn)
    ladder = match.ruleset.ladder
    bid = ladder.get(action.key)
    if bid is None:
        raise errors.UnknownBid(action.key)
    standing = current.standing
    if standing is not None and ladder.number(bid) <= ladder.number(standing.bid):
        raise errors.BidTooLow(bid.key, standing.bid.key)
    changed = replace(
        current,
        bids=(*current.bids, MadeBid(action.seat, bid)),
        turn=next_live(match.seats, action.seat),
    )
    return replace(match, round=changed)


def _challenge(match: Match, action: Challenge) -> Match:
    current = _in_play(match, action.seat)
    standing = current.standing
    if standing is None:
        # for a challenge out of turn, report that first: the opener may not challenge either
        if action.seat != current.turn:
            raise errors.NotYourTurn(action.seat, current.turn)
        raise errors.NothingToChallenge
    if action.seat not in _challengers(match, current):
        if action.seat == standing.seat:
            raise errors.OwnBid(action.seat)
        raise errors.NotYourTurn(action.seat, current.turn)
    result = proof(standing.bid, current.pool)
    loser = action.seat if result.holds else standing.seat
    if not match.seats[loser].live:  # rule 7: the bidder has forfeited
        outcome = Outcome(action.seat, result, None, eliminated=False)
        seats = match.seats
    else:
        seats = penalise(match.ruleset, match.seats, loser)
        outcome = Outcome(action.seat, result, loser, eliminated=not seats[loser].live)
        for number in outdone(match.ruleset, seats):  # the first player out takes them out too
            seats = with_seat(seats, number, replace(seats[number], standing=SeatStatus.OUT))
    opener = loser if seats[loser].live else next_live(seats, loser)
    ended = replace(current, outcome=outcome)
    return _end_if_won(replace(match, seats=seats, opener=opener, round=ended))


def _forfeit(match: Match, action: Forfeit) -> Match:
    _check_seat(match, action.seat)
    gone = replace(match.seats[action.seat], standing=SeatStatus.FORFEITED)
    seats = with_seat(match.seats, action.seat, gone)
    left = replace(match, seats=seats)
    if match.opener == action.seat:
        left = replace(left, opener=next_live(seats, action.seat))
    current = match.round
    if current is not None and match.phase is Phase.BIDDING:
        if len(left.live) == 1:  # the round ends without a showdown
            current = replace(current, outcome=Outcome(None, None, None, eliminated=False))
        elif current.turn == action.seat:
            current = replace(current, turn=next_live(seats, action.seat))
        left = replace(left, round=current)
    return _end_if_won(left)


def _end_if_won(match: Match) -> Match:
    """Return the match, with its winner if one player is left."""
    if len(match.live) > 1:
        return match
    winner = match.live[0]
    return replace(match, winner=winner, opener=winner)


def _check_seat(match: Match, seat: int) -> None:
    if not 0 <= seat < len(match.seats) or not match.seats[seat].live:
        raise errors.NotInMatch(seat)


def _in_play(match: Match, seat: int) -> Round:
    """Return the round in which bids are made now.

    Raises `NotDealt` if there is none, `NotInMatch` if `seat` is not in the match.
    """
    _check_seat(match, seat)
    if match.round is None or match.phase is not Phase.BIDDING:
        raise errors.NotDealt
    return match.round
