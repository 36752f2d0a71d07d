"""The steps of a replay in words, a sentence each.

Where names are marked up, and what is stressed, is given: the same sentences stand in a message, in
a terminal and on a page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.replays.steps import Step
from bot.words import cards_text, count, lacking_text, percent, together
from engine.actions import Challenge, Deal, Forfeit, MakeBid
from engine.odds.chance import Chance
from engine.players.coaching.advice import ASKED, Advice, Tried
from engine.ruleset import Ruleset


def _unmarked(words: str) -> str:
    return words


@dataclass(frozen=True, slots=True)
class Voice:
    """How sentences name the seats, and how they stress what matters."""

    names: Sequence[str]
    strong: Callable[[str], str] = _unmarked


def told(step: Step, voice: Voice) -> str:
    """What happened."""
    current, rules, names = step.round, step.match.ruleset, voice.names
    match step.action:
        case Deal():
            cards = count(len(current.pool), "card")
            return f"Round {current.number}: {names[current.opener]} opens, {cards} in play."
        case MakeBid(seat=seat) if step.about is not None:
            said = voice.strong(rules.wording.say(step.about.bid))
            return f"{_actor(step, names[seat])}: {said}"
        case Challenge(seat=seat) if step.about is not None:
            said = voice.strong(rules.wording.say(step.about.bid))
            bidder = names[step.about.seat]
            who = _actor(step, names[seat])
            challenged = f"{who} {rules.terms.challenged} {bidder}'s {said}."
            return f"{challenged} {verdict(step, voice)} {loss(step, voice)}"
        case Forfeit(seat=seat):
            return f"{names[seat]} leaves the match."
        case other:
            raise ValueError(f"{other!r} is no step of a replay")


def _actor(step: Step, name: str) -> str:
    return f"{name} (by the house)" if step.by_house else name


def verdict(step: Step, voice: Voice) -> str:
    """How the bid of a step stands with all cards open, and why."""
    if step.proof is None:
        return ""
    if step.proof.holds:
        return f"{voice.strong('It holds')}: {cards_text(step.proof.cards)}."
    return f"{voice.strong('It fails')}, lacking {lacking_text(step.proof.lacking)}."


def loss(step: Step, voice: Voice) -> str:
    """Who pays for a showdown."""
    outcome = step.round.outcome
    if outcome is None:
        return ""
    if outcome.loser is None:
        return "Nobody gains a card."
    who, seat = voice.names[outcome.loser], step.match.seats[outcome.loser]
    if outcome.eliminated:
        return f"{who} is out of the match."
    return f"{who} now holds {count(seat.cards, 'card')}."


def ended(step: Step, voice: Voice, *, won: bool) -> str:
    """How the match ended, for its last step; empty while it goes on."""
    if step.match.winner is not None:
        return f"{voice.strong(voice.names[step.match.winner])} wins the match."
    return "" if won else "The match was ended without a winner."


def known(step: Step, voice: Voice) -> str:
    """What who decided could know of the bid, by their own cards; empty for other steps."""
    if step.chance is None or step.seat is None:
        return ""
    who, share = voice.names[step.seat], _likely(step.chance)
    if step.proof is not None and step.proof.holds:
        return f"By {who}'s own cards it holds in {share} of deals. In truth it holds."
    return f"By {who}'s own cards it holds in {share} of deals. In truth it fails."


def _likely(chance: Chance) -> str:
    return together(percent(chance.probability))


def advised(advice: Advice, rules: Ruleset, voice: Voice) -> tuple[str, ...]:
    """What the coach says of a decision beside the exact chance (`known`), a sentence each."""
    read = together(percent(advice.estimate))
    sharp = voice.strong(named(advice.sharp, rules))
    return (
        f"Given the {rules.terms.plural} before it, it holds in about {read}.",
        f"The sharp player: {sharp} ({advice.sharp.sharp} of {ASKED} times).",
        cost_sentence(advice, rules, voice),
    )


def cost_sentence(advice: Advice, rules: Ruleset, voice: Voice) -> str:
    """What a decision cost, or that it cost nothing that can be told."""
    after = together(percent(advice.done.wins))
    if not advice.clear:
        return f"Nothing that was tried is clearly better: {after} to win the match after it."
    better = voice.strong(named(advice.best, rules))
    best, cost = together(percent(advice.best.wins)), points(advice.cost)
    return (
        f"It cost {voice.strong(cost)} of match-winning chance: {after} after it,"
        f" {best} after {better}."
    )


def named(tried: Tried, rules: Ruleset) -> str:
    """An action in a few words."""
    if tried.waits:
        return "wait"
    if tried.key is None:
        return rules.terms.doubt
    return rules.wording.say(rules.ladder.bid(tried.key))


def points(share: float) -> str:
    """A difference of two chances: `3.1 points`, each a hundredth."""
    return together(f"{share * 100:.1f} points")
