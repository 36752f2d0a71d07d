"""At a usual pace of play, the seat shows each turn, within Discord's rate limits."""

from __future__ import annotations

from itertools import accumulate
from typing import Final

import pytest

from tests.sessions.pace import SOON, Party, Verdict, play

A_BID: Final = 2  # requests by tokens: one for the next player's seat, one for the bidder's
IN_BUDGET: Final = (
    Party(people=6, pace=10),
    Party(people=4, pace=8, game="thai"),
    pytest.param(Party(people=10, pace=15), marks=pytest.mark.thorough),
    pytest.param(Party(people=3, pace=10, game="thai", direct=True), marks=pytest.mark.thorough),
    Party(people=2, pace=30, rounds=3),  # slow enough for reminders
)
TOO_FAST: Final = Party(people=4, pace=5)
ONE_IN: Final = 7  # one turn in so many may lack its seat if play is too fast; so may late seats be
SEEDS: Final = (1, pytest.param(2, marks=pytest.mark.long))


def violations_in(verdict: Verdict, most_missing: int = 0) -> list[str]:
    """Return what was wrong in a session, a sentence each.

    A redraw may wait until a later bid, and deleting a seat until a later deal. So requests by
    tokens are summed: after each bid of a round the sum may be at most `A_BID` for each bid so far,
    and after each deal at most 2 * people + 2 for each deal so far.
    """
    violations = []
    numbers = sorted({turn.round for turn in verdict.turns})
    if len(numbers) < verdict.party.rounds:
        violations.append(f"only rounds {numbers} were played")
    if len(verdict.missing) > most_missing:
        violations.append(
            f"no seat on {len(verdict.missing)} turns, at most {most_missing} expected"
        )
    if offerless := sum(not turn.line for turn in verdict.missing):
        violations.append(f"no seat and no line with My seat on {offerless} turns")
    for number in numbers:
        for bids, requests in enumerate(
            accumulate(verdict.costs.by_tokens("bid", number)), start=1
        ):
            if requests > A_BID * bids:
                violations.append(f"round {number}: {requests} requests by tokens for {bids} bids")
    for deals, requests in enumerate(accumulate(verdict.costs.by_tokens("deal")), start=1):
        if requests > (2 * verdict.party.people + 2) * deals:
            violations.append(f"{requests} requests by tokens for {deals} deals")
    if verdict.costs.refused:
        violations.append(f"Discord refused {verdict.costs.refused} requests by tokens")
    if verdict.redrawn:
        violations.append(f"{len(verdict.redrawn)} edits changed nothing")
    return violations


def show(violations: list[str], verdict: Verdict) -> str:
    return "\n".join([*violations, "", verdict.report()])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("party", IN_BUDGET, ids=lambda party: str(party).replace(" ", "_"))
def test_the_seat_is_there_on_every_turn(party: Party, seed: int) -> None:
    verdict = play(party, seed)
    violations = violations_in(verdict)
    late = [seconds for seconds in verdict.calmed if seconds > SOON]
    if len(late) > len(verdict.calmed) // ONE_IN:
        violations.append(f"the seat still said Your turn after a bid {len(late)} times: {late}")
    assert not violations, show(violations, verdict)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", SEEDS)
def test_beyond_the_budget_few_seats_are_missing_and_my_seat_is_offered_at_once(seed: int) -> None:
    verdict = play(TOO_FAST, seed)
    violations = violations_in(verdict, most_missing=len(verdict.turns) // ONE_IN)
    assert not violations, show(violations, verdict)
