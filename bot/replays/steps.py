"""The steps of a replay: one for each action of the log, with all cards open.

Facts only; they are said in `telling`, drawn in `bot.boards.replay` and on the page. Chances are
exact, each by the cards of whoever decided: the bid that they made, or the one that they doubted.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.replays.played import PlayedMatch
from engine.actions import Action, Challenge, Deal, Forfeit, MakeBid
from engine.bids import Bid, Proof, proof
from engine.odds.bids.exact import bid_chance
from engine.odds.chance import Chance
from engine.state import MadeBid, Match, Round


@dataclass(frozen=True, slots=True)
class Step:
    """The match after action number `seq`, and the action.

    `about` is the bid that was made or doubted, None for other actions; `chance` how likely it was
    by the cards of who decided, and `proof` how it stands against all cards in play.
    """

    seq: int
    before: Match
    match: Match
    action: Action
    by_house: bool
    about: MadeBid | None = None
    chance: Chance | None = None
    proof: Proof | None = None

    @property
    def round(self) -> Round:
        """The round that the step belongs to."""
        assert self.match.round is not None  # a log begins with a deal
        return self.match.round

    @property
    def seat(self) -> int | None:
        """Who acted; None for a deal."""
        return None if isinstance(self.action, Deal) else self.action.seat

    @property
    def standing(self) -> Bid | None:
        """The bid that stands after the step."""
        made = self.round.standing
        return made.bid if made is not None else None


def steps_of(played: PlayedMatch) -> tuple[Step, ...]:
    """Every step of a match. Raises `RuleViolation` where its log breaks a rule.

    Somebody may leave before the first deal: such actions are in the log, and no steps.
    """
    before, steps = played.first(), []
    for entry, match in zip(played.log, played.states(), strict=True):
        if match.round is not None:
            steps.append(_step(before, match, entry.action, entry.by_house))
        before = match
    return tuple(steps)


def _step(before: Match, match: Match, action: Action, by_house: bool) -> Step:
    plain = Step(match.seq, before, match, action, by_house)
    current = match.round
    if current is None or isinstance(action, Deal | Forfeit):
        return plain
    made = current.standing
    if made is None or not isinstance(action, MakeBid | Challenge):
        return plain
    return Step(
        match.seq,
        before,
        match,
        action,
        by_house,
        about=made,
        chance=bid_chance(
            made.bid, match.ruleset.deck, len(current.pool), current.hands[action.seat]
        ),
        proof=proof(made.bid, current.pool),
    )


def of_round(steps: tuple[Step, ...], number: int) -> tuple[Step, ...]:
    """The steps of one round."""
    return tuple(step for step in steps if step.round.number == number)
