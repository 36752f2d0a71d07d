"""A hint in words: how likely the standing bid is, what to do, and why, a sentence each.

Plain words without markup, so that a message and a terminal can say the same.
"""

from __future__ import annotations

from bot.words import capital, percent, together
from engine.odds import Chance
from engine.players import Hint, Reason
from engine.ruleset import Ruleset


def hint_sentences(hint: Hint, rules: Ruleset) -> tuple[str, ...]:
    """What stands, if anything does, and a sensible thing to do with its reason."""
    return (*_stands(hint, rules), _advice(hint, rules))


def _stands(hint: Hint, rules: Ruleset) -> tuple[str, ...]:
    if hint.standing is None:
        return ()
    said = capital(rules.wording.say(hint.standing.bid))
    chance = hint.standing.chance
    if chance.favourable == 0:
        return (f"{said} cannot hold, by your own cards.",)
    if chance.favourable == chance.total:
        return (f"{said} holds for certain: your own cards make it good.",)
    return (f"{said} holds in {_likely(chance)} of deals, by your own cards.",)


def _advice(hint: Hint, rules: Ruleset) -> str:
    terms = rules.terms
    best = hint.best
    made = f'{terms.bid} "{rules.wording.say(best.bid)}"' if best is not None else ""
    match hint.reason:
        case Reason.CERTAIN:
            return f"{made}: your own cards make it good."
        case Reason.LIKELIEST:
            if hint.wins is None or hint.wins.favourable == 0:
                return f"{made}: you lose if it is {terms.challenged}, but so does every choice."
            holds = f"it holds in {_likely(hint.wins)} of deals"
            higher = "higher " if hint.standing is not None else ""
            return f"{made}: {holds}, and no {higher}{terms.noun} is likelier."
        case Reason.IMPOSSIBLE:
            return f"{terms.challenge}: no cards of the others can make it good."
        case Reason.NOTHING_ABOVE:
            return f"{terms.challenge}: nothing is higher."
        case Reason.UNLIKELY:
            wins = _likely(hint.wins) if hint.wins is not None else ""
            holds = _likely(best.chance) if best is not None else ""
            return (
                f"{terms.challenge}: you are right in {wins} of deals, and no higher"
                f" {terms.noun} holds in more than {holds}."
            )
        case Reason.NOT_ASKED:
            return f"Wait: another player is to act, and to {terms.doubt} wrongly costs a card."


def _likely(chance: Chance) -> str:
    return together(percent(chance.probability))
