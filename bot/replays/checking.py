"""Verify a finished match: each deal against its seal, each judgement against the rules.

Findings are in words that players understand. Nothing that the file claims is trusted: the cards
are dealt again from the seed, and the rules judge again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.language.words import cards_text, count, lacking_text
from bot.replays.match_file import MatchFile, ending_complaint, rounds_of
from bot.replays.played import PlayedMatch
from engine.actions import Action, Challenge, Deal
from engine.errors import RuleViolation
from engine.fairness import CheckedDeal, check_match
from engine.play import apply
from engine.state import Match, Round


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: whether it passed, and its round (None: the whole match)."""

    round: int | None
    well: bool
    text: str


def check(file: MatchFile) -> tuple[Finding, ...]:
    """Return the findings about a match: by round, then the file's wrong claims, then a wrong end.

    If an action breaks the rules, the finding about it is the last.
    """
    played, findings, states = file.played, [], []
    match = played.first()
    for number, action in enumerate(played.actions, start=1):
        try:
            match = apply(match, action)
        except RuleViolation:
            at = match.round.number if match.round is not None else None
            message = f"Action {number} of the log breaks the rules of the game."
            findings.append(Finding(at, False, message))
            return tuple(findings)
        states.append(match)
        if isinstance(action, Deal) and match.round is not None:
            log = played.actions[:number]
            findings.append(_check_last_deal(played, log, match.round.number, action))
        elif isinstance(action, Challenge) and match.round is not None:
            findings.append(_judgement(played, match, match.round))
    findings += _wrong_claims(file, states)
    complaint = ending_complaint(played, match)
    if complaint is not None:
        findings.append(Finding(None, False, f"The match is not as it says: {complaint}."))
    return tuple(findings)


def _check_last_deal(
    played: PlayedMatch, log: Sequence[Action], number: int, deal: Deal
) -> Finding:
    """Return the finding on whether the last `deal` of `log`, in round `number`, fits its seal."""
    # the previous round's seed shows whether the seals were fixed together
    for first in (number - 1, number):
        seeds = {of: seed for of, seed in played.seeds.items() if first <= of <= number}
        try:
            checked = check_match(played.first(), log, seeds)[-1]
        except ValueError:  # an unknown version, or a seed of unknown length
            continue
        return _deal_finding(checked, number, deal.shuffle_version)
    return _deal_finding(None, number, deal.shuffle_version)


def _deal_finding(checked: CheckedDeal | None, number: int, version: int) -> Finding:
    """Return the finding on whether round `number`'s deal fits its seal.

    `checked` is None if this code doesn't know the shuffle's `version` or the seed's length.
    """
    check = checked.check if checked is not None else None
    if checked is None:
        message = (
            f"It was dealt by version {version} of the shuffle, or from a seed, that this program"
            " does not know: not checked."
        )
    elif check is None:
        message = "The seed of the deal is missing: it cannot be checked."
    elif not check.sealed:
        message = "The seed does not have the seal that was shown."
    elif not check.worded:
        message = "The words of a cut are not those that were counted."
    elif not check.dealt:
        message = "The cards were not dealt, or the opener not drawn, as the sealed seed says."
    elif check.chained is False:
        message = "Its seal was not fixed together with the round before."
    elif checked.deal.cuts:
        message = "The seed has the seal that was shown; it and the cuts give the cards as dealt."
        return Finding(number, True, message)
    else:
        message = "The seed has the seal that was shown, and the cards were dealt in its order."
        return Finding(number, True, message)
    return Finding(number, False, message)


def _judgement(played: PlayedMatch, match: Match, current: Round) -> Finding:
    """Return the finding on a challenge: whether the bid holds by the rules, why, and who loses.

    `match` is the match after the challenge.
    """
    judged, outcome = current.judgement, current.outcome
    assert judged is not None
    assert outcome is not None
    names, terms = played.names, played.rules.terms
    bid = played.rules.wording.say(judged.standing.bid)
    head = f"{names[judged.challenger]} {terms.challenged} {names[judged.standing.seat]}'s {bid}."
    if judged.proof.holds:
        verdict = f"By the rules it holds: {cards_text(judged.proof.cards)}."
    else:
        verdict = f"By the rules it fails, lacking {lacking_text(judged.proof.lacking)}."
    loser = outcome.loser
    if loser is None:
        end = "Nobody gains a card."
    elif outcome.eliminated:
        end = f"{names[loser]} is out."
    else:
        end = f"{names[loser]} now holds {count(match.seats[loser].cards, 'card')}."
    return Finding(current.number, True, f"{head} {verdict} {end}")


def _wrong_claims(file: MatchFile, states: list[Match]) -> Iterable[Finding]:
    """Yield a finding for each round that the file describes differently from its log.

    If the numbers of rounds differ, yield only a finding about that.
    """
    if file.claimed is None:
        return
    rules = file.played.rules
    followed = rounds_of(rules, states)
    if len(file.claimed) != len(followed):
        message = f"The file tells of {len(file.claimed)} rounds, and its log has {len(followed)}."
        yield Finding(None, False, message)
        return
    for claimed, right in zip(file.claimed, followed, strict=True):
        if claimed != right:
            yield Finding(right["round"], False, _wrong_claim(claimed, right))


def _wrong_claim(claimed: object, right: dict[str, Any]) -> str:
    """Return a sentence that says which claim about a round is wrong."""
    if not isinstance(claimed, dict):
        return "What the file says of this round cannot be read."
    judged, truly = claimed.get("judgement"), right["judgement"]
    if judged != truly and isinstance(judged, dict) and truly is not None:
        if judged.get("holds") != truly["holds"]:
            really = "it holds" if truly["holds"] else "it fails"
            return f"The file judges the showdown otherwise: by the rules {really}."
        return "The file tells the showdown otherwise than its log."
    for key, part in _PART_NAMES.items():
        if claimed.get(key) != right[key]:
            return f"The file tells {part} otherwise than its log."
    return "The file tells this round otherwise than its log."


_PART_NAMES = {
    "hands": "the hands",
    "middle": "the middle hand",
    "bids": "the bidding",
    "judgement": "the showdown",
    "loser": "who lost",
    "out": "who is out",
    "seal": "the seal",
    "opener": "who opened",
}
