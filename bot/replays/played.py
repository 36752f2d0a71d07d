"""A finished match with its players' names: the source of every form of a replay.

It holds no identities: each player is a seat with a name, so a file can be given to
strangers. It has one step for each action from the first deal on, with all cards open.
Steps are facts only: `narration` puts them into words, and `bot.boards.replay` draws them.
Each chance is exact. It is computed from the cards of the player who decided, for the bid
they made or challenged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import accumulate

from bot.language.catalogues import tr
from bot.language.words import Names, accountless_name, plain_name
from bot.roster import computer, is_computer
from bot.tables.model import MatchStatus, StoredAction, StoredMatch
from engine.actions import Action, Challenge, Deal, Forfeit, MakeBid, from_json
from engine.bids import Bid, Proof, proof
from engine.odds.bids.exact import bid_chance
from engine.odds.chance import Chance
from engine.play import apply, start
from engine.ruleset import Ruleset
from engine.state import MadeBid, Match, Round
from engine.variants import ruleset


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat's name, and the character of a computer player (empty for a person)."""

    name: str
    character: str = ""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry of the log; `at` is in milliseconds since 1970."""

    action: Action
    at: int
    by_house: bool = False  # made for an absent player


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A finished match. `number` is its stored number, or None.

    `won` is False if it ended without a winner. `seeds` are those of its deals, by round; a deal
    without its seed cannot be verified.
    """

    number: int | None
    rules: Ruleset
    seated: tuple[Seated, ...]
    opener: int | None
    started_at: int
    ended_at: int
    won: bool
    log: tuple[LogEntry, ...]
    seeds: Mapping[int, bytes]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return tuple(seat.name for seat in self.seated)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The log's actions."""
        return tuple(entry.action for entry in self.log)

    @property
    def deals(self) -> tuple[Deal, ...]:
        """The deals, one a round."""
        return tuple(action for action in self.actions if isinstance(action, Deal))

    def first(self) -> Match:
        """Return the match before its first deal; each player's id is the seat's number."""
        return start(self.rules, range(len(self.seated)), self.opener)

    def states(self) -> tuple[Match, ...]:
        """Return the match after each action. Raises `RuleViolation` if the log breaks a rule."""
        return tuple(accumulate(self.actions, apply, initial=self.first()))[1:]


def played_from(stored: StoredMatch, seeds: Mapping[int, bytes], names: Names) -> PlayedMatch:
    """Return a stored, finished match with the known names.

    Seeds of rounds that were never dealt are left out. Raises `BadLog` if an action can't be read,
    and `RulesetError` if its game, options or version are unknown.
    """
    log = tuple(_entry(line) for line in stored.actions)
    dealt = sum(isinstance(entry.action, Deal) for entry in log)
    return PlayedMatch(
        number=stored.id,
        rules=ruleset(stored.variant, stored.options, stored.variant_version),
        seated=seated_from(stored.players, names),
        opener=stored.opener,
        started_at=stored.started_at,
        ended_at=stored.ended_at if stored.ended_at is not None else stored.started_at,
        won=stored.status is MatchStatus.WON,
        log=log,
        seeds={number: seed for number, seed in seeds.items() if number <= dealt},
    )


def seated_from(players: tuple[int, ...], names: Names) -> tuple[Seated, ...]:
    """Return name and character of each seat.

    A person whose name isn't known is named by seat; a person whose data was deleted is named as a
    former player.
    """
    return tuple(
        Seated(computer(player).name, computer(player).character)
        if is_computer(player)
        else Seated(plain_name(names, player, accountless_name(player) or usual_name(seat)))
        for seat, player in enumerate(players)
    )


def usual_name(seat: int) -> str:
    """Return the name for a player whose name isn't known."""
    return tr("Player {number}", number=seat + 1)


def _entry(line: StoredAction) -> LogEntry:
    return LogEntry(from_json(line.body), line.at, line.by_house)


@dataclass(frozen=True, slots=True)
class Step:
    """The state `before` action number `seq`, the action, and the state after it (`match`).

    `about` is the bid that was made or challenged, None for other actions. `chance` is its
    probability given the cards of the player who decided; `proof` says whether it holds, by all
    cards in play.
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
        assert self.match.round is not None  # a log's first step is a deal
        return self.match.round

    @property
    def seat(self) -> int | None:
        """The seat that acted; None for a deal."""
        return None if isinstance(self.action, Deal) else self.action.seat

    @property
    def standing(self) -> Bid | None:
        """The standing bid after the step, or None."""
        bid = self.round.standing
        return bid.bid if bid is not None else None


def steps_of(played: PlayedMatch) -> tuple[Step, ...]:
    """Return every step of a match. Raises `RuleViolation` if its log breaks a rule.

    Players may leave before the first deal: such departures are in the log, but are not steps.
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
    bid = current.standing
    if bid is None or not isinstance(action, MakeBid | Challenge):
        return plain
    hand, deck = current.hands[action.seat], match.ruleset.deck
    return replace(
        plain,
        about=bid,
        chance=bid_chance(bid.bid, deck, len(current.pool), hand),
        proof=proof(bid.bid, current.pool),
    )


def of_round(steps: tuple[Step, ...], number: int) -> tuple[Step, ...]:
    """Return the steps of one round."""
    return tuple(step for step in steps if step.round.number == number)
