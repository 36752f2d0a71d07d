"""The steps of a replay in words, a sentence each.

Where names are marked up, and what is stressed, is given: the same sentences stand in a message, in
a terminal and on a page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.language.catalogues import figure, tr, trn
from bot.language.wordings import bid_text, game_words
from bot.language.words import cards_counted, cards_text, lacking_text, percent, together
from bot.replays.played import Step
from engine.actions import Challenge, Deal, Forfeit, MakeBid
from engine.odds.chance import Chance
from engine.players.coaching.decisions import Advice, Tried
from engine.ruleset import Ruleset


def _unmarked(words: str) -> str:
    return words


@dataclass(frozen=True, slots=True)
class Voice:
    """How sentences name the seats, and how they stress what matters."""

    names: Sequence[str]
    strong: Callable[[str], str] = _unmarked


def step_text(step: Step, voice: Voice) -> str:
    """What happened."""
    current, rules, names = step.round, step.match.ruleset, voice.names
    match step.action:
        case Deal():
            return trn(
                "Round {round}: {who} opens, {number} card in play.",
                "Round {round}: {who} opens, {number} cards in play.",
                len(current.pool),
                round=current.number,
                who=names[current.opener],
            )
        case MakeBid(seat=seat) if step.about is not None:
            words = voice.strong(bid_text(rules, step.about.bid))
            return f"{_actor(step, names[seat])}: {words}"
        case Challenge(seat=seat) if step.about is not None:
            challenged = tr(
                "{challenger} {challenged} {bidder}'s {said}.",
                challenger=_actor(step, names[seat]),
                challenged=game_words(rules).challenged,
                bidder=names[step.about.seat],
                said=voice.strong(bid_text(rules, step.about.bid)),
            )
            return f"{challenged} {verdict(step, voice)} {loss(step, voice)}"
        case Forfeit(seat=seat):
            return tr("{who} leaves the match.", who=names[seat])
        case other:
            raise ValueError(f"{other!r} is no step of a replay")


def _actor(step: Step, name: str) -> str:
    return tr("{who} (played by the bot)", who=name) if step.by_house else name


def verdict(step: Step, voice: Voice) -> str:
    """How the bid of a step stands with all cards open, and why."""
    if step.proof is None:
        return ""
    if step.proof.holds:
        holds = voice.strong(tr("It's there"))
        return tr("{holds}: {cards}.", holds=holds, cards=cards_text(step.proof.cards))
    lacking = lacking_text(step.proof.lacking)
    return tr(
        "{fails}. Missing: {lacking}.", fails=voice.strong(tr("It isn't there")), lacking=lacking
    )


def loss(step: Step, voice: Voice) -> str:
    """Who pays for a showdown."""
    outcome = step.round.outcome
    if outcome is None:
        return ""
    if outcome.loser is None:
        return tr("Nobody gains a card.")
    who, seat = voice.names[outcome.loser], step.match.seats[outcome.loser]
    if outcome.eliminated:
        return tr("{who} is out of the match.", who=who)
    return tr("{who} now holds {cards}.", who=who, cards=cards_counted(seat.cards))


def ended(step: Step, voice: Voice, *, won: bool) -> str:
    """How the match ended, for its last step; empty while it goes on."""
    if step.match.winner is not None:
        return tr("{who} wins the match.", who=voice.strong(voice.names[step.match.winner]))
    return "" if won else tr("The match was ended without a winner.")


def known(step: Step, voice: Voice, *, own: bool = False) -> str:
    """What who decided could know of the bid, by their own cards; empty for other steps.

    `own`: it is told to whoever decided.
    """
    if step.chance is None or step.seat is None:
        return ""
    who, share = voice.names[step.seat], _likely(step.chance)
    holds = step.proof is not None and step.proof.holds
    if own:
        text = (
            tr("Given your cards: {share} likely. It's there.")
            if holds
            else tr("Given your cards: {share} likely. It isn't there.")
        )
        return text.format(share=share)
    text = (
        tr("Given {who}'s cards: {share} likely. It's there.")
        if holds
        else tr("Given {who}'s cards: {share} likely. It isn't there.")
    )
    return text.format(who=who, share=share)


def _likely(chance: Chance) -> str:
    return together(percent(chance.probability))


def advised(advice: Advice, step: Step, voice: Voice) -> tuple[str, ...]:
    """What the coach says of a decision beside the exact chance (`known`), a sentence each.

    Who opens has heard nothing yet that makes it another. One other action is named at most: the
    one whose worth is told.
    """
    rules, before = step.match.ruleset, step.before.round
    cost = cost_sentence(advice, rules, voice)
    if before is None or before.standing is None:
        return (cost,)
    heard = tr(
        "Given the {plural} before it: about {share} likely.",
        plural=game_words(rules).plural,
        share=together(percent(advice.estimate)),
    )
    return heard, cost


def cost_sentence(advice: Advice, rules: Ruleset, voice: Voice) -> str:
    """What a decision cost, or that it cost nothing that can be told."""
    after = together(percent(advice.done.wins))
    if not advice.clear:
        return tr(
            "No clearly better move. Win chance afterwards: {share}.",
            share=after,
        )
    better = voice.strong(named(advice.best, rules))
    best, cost = together(percent(advice.best.wins)), points(advice.cost)
    return tr(
        "It cost you {cost} of win chance: {share}, against {best} with {better}.",
        cost=voice.strong(cost),
        share=after,
        best=best,
        better=better,
    )


def named(tried: Tried, rules: Ruleset) -> str:
    """An action in a few words."""
    if tried.waits:
        return tr("wait")
    if tried.key is None:
        return game_words(rules).doubt
    return bid_text(rules, rules.ladder.bid(tried.key))


def points(share: float) -> str:
    """A difference of two chances: `3.1 points`, each a hundredth."""
    return together(tr("{number} points", number=figure(share * 100, ".1f")))
