"""A hint in words: how likely the standing bid is, what to do, and why, a sentence each.

Plain words without markup, so that a message and a terminal can say the same.
"""

from __future__ import annotations

from typing import Final

from bot.language.catalogues import tr
from bot.language.wordings import GameWords, bid_text, game_words
from bot.language.words import capital, percent, rough_percent, together
from engine.actions import MakeBid
from engine.odds import Chance
from engine.players import Hint, HintReason
from engine.ruleset import Ruleset

BLUFF: Final = 0.25  # a solver's bid that holds less often, by one's own cards, is one
COACHED_BLUFF: Final = 0.05  # and a coach's, which the bids so far may have made likelier


def hint_sentences(hint: Hint, rules: Ruleset) -> tuple[str, ...]:
    """What stands, if anything does, and a sensible thing to do with its reason."""
    return (*_stands(hint, rules), _advice(hint, rules))


def _stands(hint: Hint, rules: Ruleset) -> tuple[str, ...]:
    if hint.standing is None:
        return ()
    stands = capital(bid_text(rules, hint.standing.bid))
    chance = hint.standing.chance
    if chance.favourable == 0:
        return (tr("{said} cannot hold, by your own cards.", said=stands),)
    if chance.favourable == chance.total:
        return (tr("{said} holds for certain: your own cards make it good.", said=stands),)
    share = _likely(chance)
    return (tr("{said} holds in {share} of deals, by your own cards.", said=stands, share=share),)


def _advice(hint: Hint, rules: Ruleset) -> str:
    terms = game_words(rules)
    best = hint.best
    made = (
        tr('{bid} "{said}"', bid=terms.bid, said=bid_text(rules, best.bid))
        if best is not None
        else ""
    )
    match hint.reason:
        case HintReason.CERTAIN:
            return tr("{made}: your own cards make it good.", made=made)
        case HintReason.LIKELIEST:
            if hint.wins is None or hint.wins.favourable == 0:
                return tr(
                    "{made}: you lose if it is {challenged}, but so does every choice.",
                    made=made,
                    challenged=terms.challenged,
                )
            text = (
                tr("{made}: it holds in {share} of deals, and no higher {noun} is likelier.")
                if hint.standing is not None
                else tr("{made}: it holds in {share} of deals, and no {noun} is likelier.")
            )
            return text.format(made=made, share=_likely(hint.wins), noun=terms.noun)
        case HintReason.IMPOSSIBLE:
            return tr(
                "{challenge}: no cards of the others can make it good.", challenge=terms.challenge
            )
        case HintReason.NOTHING_ABOVE:
            return tr("{challenge}: nothing is higher.", challenge=terms.challenge)
        case HintReason.SOLVED | HintReason.COACHED:
            share = _likely(hint.wins) if hint.wins is not None else ""
            if hint.wins is not None and isinstance(hint.action, MakeBid):
                bluff = BLUFF if hint.share else COACHED_BLUFF
                text = (
                    tr("{made} as a bluff: it holds in {share} of deals.")
                    if hint.wins.probability < bluff
                    else tr("{made}: it holds in {share} of deals.")
                )
                right = text.format(made=made, share=share)
            else:
                right = tr(
                    "{challenge}: you are right in {wins} of deals.",
                    challenge=terms.challenge,
                    wins=share,
                )
            return f"{right} {_who_says(hint, terms)}"
        case HintReason.UNLIKELY:
            wins = _likely(hint.wins) if hint.wins is not None else ""
            holds = _likely(best.chance) if best is not None else ""
            return tr(
                "{challenge}: you are right in {wins} of deals, and no higher {noun} holds in more"
                " than {holds}.",
                challenge=terms.challenge,
                wins=wins,
                noun=terms.noun,
                holds=holds,
            )
        case HintReason.NOT_ASKED:
            return tr(
                "Wait: another player is to act, and to {doubt} wrongly costs a card.",
                doubt=terms.doubt,
            )


def _who_says(hint: Hint, terms: GameWords) -> str:
    """How often a solved strategy does so; or that it is the coach's word."""
    if hint.reason is HintReason.COACHED and hint.standing is None:
        return tr("The coach finds nothing better.")
    if hint.reason is HintReason.COACHED:
        text = tr("Given the {plural} so far, the coach finds nothing better.")
        return text.format(plural=terms.plural)
    if hint.share == 1:
        return tr("A solver always does so.")
    often = together(rough_percent(hint.share))
    return tr("A solver does so most often: {often} of the time.", often=often)


def _likely(chance: Chance) -> str:
    return together(percent(chance.probability))
