"""Play matches to their end, for tests of replays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.replays.played import LogEntry, PlayedMatch, Seated
from engine.actions import Action, Deal
from engine.cutting import VERSION, Cut, cut_shuffle, round_seed
from engine.play import apply, start
from engine.ruleset import Options
from engine.shuffle import commitment
from engine.state import Match, Phase
from engine.variants import ruleset
from tests.dealing import Chooser, Habits, fair_deal, next_action, seed_from

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn")
BEGUN = 1_790_000_000_000


def whole(
    game: str = "liars_poker",
    players: int = 3,
    name: str = "replayed",
    options: Options | None = None,
    leave: int = 0,
    cuts: tuple[Cut, ...] | None = None,
) -> PlayedMatch:
    """Return a random match that is over, with the seeds of its deals.

    `name` decides moves and deals. `leave`: the percentage of moves at which a player leaves. If
    `cuts` is None, deals are of version 1; otherwise of version 2, each with all of `cuts`.
    """
    first = start(ruleset(game, options), range(players))
    chooser, habits = Chooser(name), Habits(doubt=35, leave=leave)
    match, actions, seeds = first, [], {}
    while match.phase is not Phase.OVER:
        action: Action
        if match.phase is Phase.DEAL:
            number = match.round.number + 1 if match.round is not None else 1
            seed = (
                seed_from(f"{name} {number}")
                if cuts is None
                else round_seed(seed_from(name), number)
            )
            seeds[number] = seed
            action = fair_deal(match, seed) if cuts is None else cut_deal(match, seed, cuts)
        else:
            action = next_action(match, chooser, habits)
        match = apply(match, action)
        actions.append(action)
    return play_actions(first, actions, seeds)


def cut_deal(match: Match, seed: bytes, cuts: tuple[Cut, ...]) -> Deal:
    """Return a match's next deal by version 2 of the shuffle."""
    digests = [cut.digest for cut in cuts]
    deal = cut_shuffle(seed, digests, match.ruleset.deck.order, len(match.live))
    return Deal(deal.order, commitment(seed), VERSION, deal.drawn, cuts)


def play_actions(
    first: Match, actions: Sequence[Action], seeds: dict[int, bytes], **kwargs: Any
) -> PlayedMatch:
    """Return a played match with these actions and seeds; `kwargs` replace its other fields."""
    values: dict[str, Any] = {
        "number": 12,
        "rules": first.ruleset,
        "seated": tuple(Seated(name) for name in NAMES[: len(first.seats)]),
        "opener": first.opener,
        "started_at": BEGUN,
        "ended_at": BEGUN + 900_000,
        "won": True,
        "log": tuple(LogEntry(action, BEGUN + at * 1000) for at, action in enumerate(actions)),
        "seeds": seeds,
    }
    return PlayedMatch(**(values | kwargs))


def deals_of(match: PlayedMatch) -> list[int]:
    """Return the indices of the deals in the log."""
    return [at for at, entry in enumerate(match.log) if isinstance(entry.action, Deal)]
