"""A match checked after the fact: each deal against its seal, each judgement against the rules.

What is found is said in words a player understands. Nothing that a file claims is believed: the
cards are dealt anew from the seed, and the rules judge anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.language.words import cards_text, lacking_text
from bot.replays.match_file import MatchFile, ending_complaint, rounds_of
from bot.replays.played import PlayedMatch
from engine.actions import Action, Challenge, Deal
from engine.errors import RuleViolation
from engine.fairness import CheckedDeal, check_match
from engine.play import apply
from engine.state import Match, Round


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: the round it is of (None: the whole match), and whether it is
    as it should be."""

    round: int | None
    well: bool
    text: str


def check(found: MatchFile) -> tuple[Finding, ...]:
    """Every finding about a match, in the order of its rounds."""
    played, findings, states = found.played, [], []
    match = played.first()
    for number, action in enumerate(played.actions, start=1):
        try:
            match = apply(match, action)
        except RuleViolation:
            at = match.round.number if match.round is not None else None
            said = f"Action {number} of the log breaks the rules of the game."
            findings.append(Finding(at, False, said))
            return tuple(findings)
        states.append(match)
        if isinstance(action, Deal) and match.round is not None:
            kept = played.actions[:number]
            findings.append(_dealt(played, kept, match.round.number, action))
        elif isinstance(action, Challenge) and match.round is not None:
            findings.append(_judgement(played, match.round))
    findings += _claims(found, states)
    complaint = ending_complaint(played, match)
    if complaint is not None:
        findings.append(Finding(None, False, f"The match is not as it says: {complaint}."))
    return tuple(findings)


def _dealt(played: PlayedMatch, log: Sequence[Action], number: int, deal: Deal) -> Finding:
    """The last deal of `log`, checked with those before it."""
    # the seed of the round before tells whether the seals were fixed together
    for first in (number - 1, number):
        seeds = {one: seed for one, seed in played.seeds.items() if first <= one <= number}
        try:
            checked = check_match(played.first(), log, seeds)[-1]
        except ValueError:  # a version, or a seed of a length, that this code does not know
            continue
        return _deal(checked, number, deal.shuffle_version)
    return _deal(None, number, deal.shuffle_version)


def _deal(checked: CheckedDeal | None, number: int, version: int) -> Finding:
    """Whether a deal is the one that was sealed; None: its version is not known here."""
    check = checked.check if checked is not None else None
    if checked is None:
        said = (
            f"It was dealt by version {version} of the shuffle, or from a seed, that this program"
            " does not know: not checked."
        )
    elif check is None:
        said = "The seed of the deal is missing: it cannot be checked."
    elif not check.sealed:
        said = "The seed does not have the seal that was shown."
    elif not check.worded:
        said = "The words of a cut are not those that were counted."
    elif not check.dealt:
        said = "The cards were not dealt, or the opener not drawn, as the sealed seed says."
    elif check.chained is False:
        said = "Its seal was not fixed together with the round before."
    elif checked.deal.cuts:
        said = "The seed has the seal that was shown; it and the cuts give the cards as dealt."
        return Finding(number, True, said)
    else:
        said = "The seed has the seal that was shown, and the cards were dealt in its order."
        return Finding(number, True, said)
    return Finding(number, False, said)


def _judgement(played: PlayedMatch, current: Round) -> Finding:
    """What the rules say of a challenge, with the reason."""
    judged, outcome = current.judgement, current.outcome
    assert judged is not None
    assert outcome is not None
    names, terms = played.names, played.rules.terms
    said = played.rules.wording.say(judged.standing.bid)
    head = f"{names[judged.challenger]} {terms.challenged} {names[judged.standing.seat]}'s {said}."
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
        end = f"{names[loser]} gains a card."
    return Finding(current.number, True, f"{head} {verdict} {end}")


def _claims(found: MatchFile, states: list[Match]) -> Iterable[Finding]:
    """What a file says otherwise than its log."""
    if found.claimed is None:
        return
    rules = found.played.rules
    followed = rounds_of(rules, states)
    if len(found.claimed) != len(followed):
        said = f"The file tells of {len(found.claimed)} rounds, and its log has {len(followed)}."
        yield Finding(None, False, said)
        return
    for claimed, right in zip(found.claimed, followed, strict=True):
        if claimed != right:
            yield Finding(right["round"], False, _otherwise(claimed, right))


def _otherwise(claimed: object, right: dict[str, Any]) -> str:
    """What of a round the file says otherwise."""
    if not isinstance(claimed, dict):
        return "What the file says of this round cannot be read."
    judged, truly = claimed.get("judgement"), right["judgement"]
    if judged != truly and isinstance(judged, dict) and truly is not None:
        if judged.get("holds") != truly["holds"]:
            really = "it holds" if truly["holds"] else "it fails"
            return f"The file judges the showdown otherwise: by the rules {really}."
        return "The file tells the showdown otherwise than its log."
    for key, what in _TOLD.items():
        if claimed.get(key) != right[key]:
            return f"The file tells {what} otherwise than its log."
    return "The file tells this round otherwise than its log."


_TOLD = {
    "hands": "the hands",
    "middle": "the middle hand",
    "bids": "the bidding",
    "judgement": "the showdown",
    "loser": "who lost",
    "out": "who is out",
    "seal": "the seal",
    "opener": "who opened",
}
