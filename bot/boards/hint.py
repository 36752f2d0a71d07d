"""A hint in words: how likely the standing bid is, then what to do and why.

The words are plain, without markup, so a message and a terminal can both use them.
"""

from __future__ import annotations

from typing import Final

from bot.language.catalogues import tr
from bot.language.wordings import GameWords, bid_text, game_words
from bot.language.words import capital, rough_percent, together
from engine.actions import MakeBid
from engine.bids import Bid
from engine.odds import Chance, seat_odds
from engine.players import Hint, HintReason
from engine.ruleset import Ruleset
from engine.view import View

BLUFF: Final = 0.25  # a solver's bid is a bluff below this chance, given the player's own cards
COACHED_BLUFF: Final = 0.05  # the same for a coach's bid, which earlier bids may have made likelier


def hint_sentences(hint: Hint, rules: Ruleset, sure: Bid | None = None) -> tuple[str, ...]:
    """Return how likely the standing bid is, if there is one; then what to do and why.

    `sure` is the highest bid that is certain by the player's own cards (`surest_bid`).
    """
    return (*_stands(hint, rules), _advice(hint, rules, sure))


def surest_bid(view: View) -> Bid | None:
    """Return the highest bid that is certain by the viewer's own cards, or None."""
    current = view.round
    if current is None or current.hole is None:
        return None
    odds = seat_odds(view.ruleset, current.in_play, current.hole)
    certain = [entry.bid for entry in odds if entry.chance.probability == 1]
    return max(certain, key=view.ruleset.ladder.place, default=None)


def _stands(hint: Hint, rules: Ruleset) -> tuple[str, ...]:
    if hint.standing is None:
        return ()
    stands = capital(bid_text(rules, hint.standing.bid))
    chance = hint.standing.chance
    if chance.favourable == 0:
        return (tr("{said} can't be there, given your cards.", said=stands),)
    if chance.favourable == chance.total:
        return (tr("{said} is there for sure: you hold it.", said=stands),)
    share = _likely(chance)
    return (tr("{said} is {share} likely by your cards alone.", said=stands, share=share),)


def _advice(hint: Hint, rules: Ruleset, sure: Bid | None) -> str:
    terms = game_words(rules)
    best = hint.best
    bid_words = (
        tr('{bid} "{said}"', bid=terms.bid, said=bid_text(rules, best.bid))
        if best is not None
        else ""
    )
    match hint.reason:
        case HintReason.CERTAIN:
            certain = tr("{made}: you hold it, so it can't fail.", made=bid_words)
            return f"{certain}{_room(hint, rules, sure)}"
        case HintReason.LIKELIEST:
            if hint.wins is None or hint.wins.favourable == 0:
                return tr(
                    "{made}, and keep a straight face: every choice loses if it's {challenged}.",
                    made=bid_words,
                    challenged=terms.challenged,
                )
            text = (
                tr("{made}: it's {share} likely, and nothing higher is likelier.")
                if hint.standing is not None
                else tr("{made}: it's {share} likely, and nothing else is likelier.")
            )
            return f"{text.format(made=bid_words, share=_likely(hint.wins))} {_the_game()}"
        case HintReason.IMPOSSIBLE:
            return tr(
                "{challenge}: whatever the others hold, it can't be there.",
                challenge=terms.challenge,
            )
        case HintReason.NOTHING_ABOVE:
            return tr("{challenge}: nothing is higher.", challenge=terms.challenge)
        case HintReason.SOLVED | HintReason.COACHED:
            share = _likely(hint.wins) if hint.wins is not None else ""
            if hint.wins is not None and isinstance(hint.action, MakeBid):
                bluff = BLUFF if hint.share else COACHED_BLUFF
                if hint.wins.probability < bluff:
                    text = tr("{made} as a bluff: it's {share} likely.")
                    right = f"{text.format(made=bid_words, share=share)} {_the_game()}"
                else:
                    right = tr("{made}: it's {share} likely.", made=bid_words, share=share)
            else:
                # a share would leave out what the bid itself says, and sound like certainty
                right = tr(
                    "{challenge}: the {bidder} may hold it, but going higher is no better.",
                    challenge=terms.challenge,
                    bidder=terms.bidder,
                )
            return f"{right} {_who_says(hint, terms)}"
        case HintReason.UNLIKELY:
            holds = _likely(best.chance) if best is not None else ""
            return tr(
                "{challenge}, unless you believe it: it's only {share} likely by your cards, and"
                " nothing higher is above {holds}.",
                challenge=terms.challenge,
                share=_bid_chance(hint),
                holds=holds,
            )
        case HintReason.NOT_ASKED:
            return tr(
                "Wait: it isn't your turn, and a wrong {doubt} costs you a card.",
                doubt=terms.doubt,
            )


def _bid_chance(hint: Hint) -> str:
    """Return how likely the standing bid is to hold; empty if unknown.

    Advice to challenge mentions this chance. The chance that the challenge succeeds would sound
    like a promise, but ignores what the bidder knows.
    """
    return together(rough_percent(1 - hint.wins.probability)) if hint.wins is not None else ""


def _room(hint: Hint, rules: Ruleset, sure: Bid | None) -> str:
    """Return, after a space, a sentence: the player can still bid `sure` later.

    Empty unless `sure` is higher than the bid of `hint.best`.
    """
    place = rules.ladder.place
    if sure is None or hint.best is None or place(sure) <= place(hint.best.bid):
        return ""
    text = (
        tr("Start low and you give nothing away: later you can still go up to {said}.")
        if hint.standing is None
        else tr("Later you can still go up to {said}.")
    )
    return " " + text.format(said=bid_text(rules, sure))


def _the_game() -> str:
    """Return an encouragement for beginners, who seldom dare to bluff."""
    return tr("You don't have to hold it: bluffing is the game.")


def _who_says(hint: Hint, terms: GameWords) -> str:
    """Return a sentence that says how often perfect play makes this move, or that it seems best."""
    if hint.reason is HintReason.COACHED and hint.standing is None:
        return tr("I find nothing better.")
    if hint.reason is HintReason.COACHED:
        text = tr("Given the {plural} so far, I find nothing better.")
        return text.format(plural=terms.plural)
    if hint.share == 1:
        return tr("Perfect play always does this.")
    if hint.share < 0.5:
        return tr("Perfect play mixes several moves here, and this is one of them.")
    # no number: players took it for their chance to win
    return tr("Perfect play mostly does this.")


def _likely(chance: Chance) -> str:
    return together(rough_percent(chance.probability))
