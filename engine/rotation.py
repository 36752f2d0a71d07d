"""The order of play: seats to the left, penalties, the next opener. Pure functions over seats."""

from __future__ import annotations

from dataclasses import replace

from engine.ruleset import Ruleset
from engine.state import Seat, SeatStatus


def next_live(seats: tuple[Seat, ...], after: int) -> int:
    """Return the next live seat to the left of `after`; `after` itself if no other is live.

    Raises ValueError if no seat is live.
    """
    for step in range(1, len(seats) + 1):
        number = (after + step) % len(seats)
        if seats[number].live:
            return number
    raise ValueError("nobody is left at the table")


def dealing_order(seats: tuple[Seat, ...], opener: int) -> tuple[int, ...]:
    """Return the live seats from the opener to the left."""
    order = ((opener + step) % len(seats) for step in range(len(seats)))
    return tuple(number for number in order if seats[number].live)


def penalise(ruleset: Ruleset, seats: tuple[Seat, ...], loser: int) -> tuple[Seat, ...]:
    """Return the seats after `loser` lost a round: with one more card, or out if over the limit.

    The limit is `card_limit` for the seats before the loss.
    """
    seat = seats[loser]
    if seat.cards + 1 > card_limit(ruleset, seats):
        changed = replace(seat, standing=SeatStatus.OUT)
    else:
        changed = replace(seat, cards=seat.cards + 1)
    return with_seat(seats, loser, changed)


def card_limit(ruleset: Ruleset, seats: tuple[Seat, ...]) -> int:
    """Return the most cards a player may hold now; in a play-off, the most that anyone holds."""
    if playing_off(ruleset, seats):
        return max(seat.cards for seat in seats if seat.live)
    return ruleset.card_limit(live=sum([seat.live for seat in seats]), started=len(seats))


def playing_off(ruleset: Ruleset, seats: tuple[Seat, ...]) -> bool:
    """Return whether the match is in a play-off: it is `first_out` and a player is out.

    Then only the players with the fewest cards play on.
    """
    return ruleset.length == "first_out" and any(seat.standing is SeatStatus.OUT for seat in seats)


def outdone(ruleset: Ruleset, seats: tuple[Seat, ...]) -> tuple[int, ...]:
    """Return the live seats with more than the fewest cards, in a `first_out` match.

    Return none before the first player is out, or in a match of another length.
    """
    if not playing_off(ruleset, seats):
        return ()
    fewest = min(seat.cards for seat in seats if seat.live)
    return tuple(number for number, seat in enumerate(seats) if seat.live and seat.cards > fewest)


def with_seat(seats: tuple[Seat, ...], number: int, changed: Seat) -> tuple[Seat, ...]:
    """Return the seats with seat `number` replaced by `changed`."""
    return (*seats[:number], changed, *seats[number + 1 :])
