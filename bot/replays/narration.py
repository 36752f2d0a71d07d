"""The steps of a replay in words, with the chances and the coach's advice.

The caller provides the markup of names and of emphasis, so the same sentences serve in a message,
in a terminal and on a page.
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
from engine.state import Cause


def _plain(words: str) -> str:
    return words


@dataclass(frozen=True, slots=True)
class Voice:
    """The seats' names with their markup, and a function that emphasises a text."""

    names: Sequence[str]
    strong: Callable[[str], str] = _plain


def step_text(step: Step, voice: Voice) -> str:
    """Return what happened in a step: a deal, a bid, a challenge and its result, or a departure.

    Raises ValueError for any other action.
    """
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
        case Forfeit(seat=seat, cause=Cause.ABSENT):
            return tr("{who} runs out of time and is out of the match.", who=names[seat])
        case Forfeit(seat=seat, cause=Cause.DROPPED):
            return tr("{who} is removed from the match.", who=names[seat])
        case Forfeit(seat=seat):
            return tr("{who} leaves the match.", who=names[seat])
        case other:
            raise ValueError(f"{other!r} is no step of a replay")


def _actor(step: Step, name: str) -> str:
    return tr("{who} (played by the bot)", who=name) if step.by_house else name


def verdict(step: Step, voice: Voice) -> str:
    """Return whether the bid of a step holds with all cards open, and why; empty without a bid."""
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
    """Return a sentence on who gained a card or went out, if anybody; "" before the round ends."""
    outcome = step.round.outcome
    if outcome is None:
        return ""
    if outcome.loser is None:
        return tr("Nobody gains a card.")
    name, seat = voice.names[outcome.loser], step.match.seats[outcome.loser]
    if outcome.eliminated:
        return tr("{who} is out of the match.", who=name)
    return tr("{who} now holds {cards}.", who=name, cards=cards_counted(seat.cards))


def ending_text(step: Step, voice: Voice, *, won: bool) -> str:
    """Return how the match ended, for its last `step`: who won, or that nobody did.

    `won`: whether the match has a winner. Empty if `won`, but the log's last step shows no winner.
    """
    if step.match.winner is not None:
        return tr("{who} wins the match.", who=voice.strong(voice.names[step.match.winner]))
    return "" if won else tr("The match was ended without a winner.")


def known_chance(step: Step, voice: Voice, *, to_player: bool = False) -> str:
    """Return how likely a step's bid was given the acting player's cards, and whether it holds.

    Empty for a step without a bid. `to_player`: address that player.
    """
    if step.chance is None or step.seat is None:
        return ""
    name, share = voice.names[step.seat], _likely(step.chance)
    holds = step.proof is not None and step.proof.holds
    if to_player:
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
    return text.format(who=name, share=share)


def _likely(chance: Chance) -> str:
    return together(percent(chance.probability))


def advice_sentences(advice: Advice, step: Step, voice: Voice) -> tuple[str, ...]:
    """Return what the coach adds to the exact chance (`known_chance`): one or two sentences.

    The first says how likely the bid was, given the bids before it; it is left out for an opening
    bid. The last says what the decision cost, and names the best action if that was better.
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
    """Return what a decision cost, or that it cost nothing noticeable."""
    after = together(percent(advice.chosen.wins))
    if not advice.clear:
        return tr(
            "No clearly better move. Win chance afterwards: {share}.",
            share=after,
        )
    better = voice.strong(action_text(advice.best, rules))
    best, cost = together(percent(advice.best.wins)), points(advice.cost)
    return tr(
        "It cost {cost} of win chance: {share}. Better: {better}, {best}.",
        cost=voice.strong(cost),
        share=after,
        best=best,
        better=better,
    )


def action_text(tried: Tried, rules: Ruleset) -> str:
    """Return an action in a few words."""
    if tried.waits:
        return tr("wait")
    if tried.key is None:
        return game_words(rules).doubt
    return bid_text(rules, rules.ladder.bid(tried.key))


def points(share: float) -> str:
    """Return a difference of two chances in percentage points: `3.1 points`."""
    return together(tr("{number} points", number=figure(share * 100, ".1f")))
