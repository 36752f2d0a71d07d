"""All bids of a game and their chances as text, 80 columns wide.

Successive bids of one kind with equal chances are grouped into runs, one row each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from textwrap import wrap
from typing import Final

from bot.cli.output import WIDTH, paragraph
from bot.language.words import KIND_LABELS, bar, percent
from engine.bids import Bid
from engine.cards import Suit
from engine.odds import BidOdds, Chance
from engine.odds.bids.exact import MORE_LIKELY_THAN_NOT, strongest
from engine.ruleset import Ruleset

MARK: Final = "◄"
_RUNGS: Final = 7
_BAR: Final = 10
_CHANCE: Final = 9
# the width that the other columns leave
_WORDS: Final = WIDTH - 2 - _RUNGS - 2 - 1 - _BAR - _CHANCE - 2


@dataclass(frozen=True, slots=True)
class BidRun:
    """Successive bids of one kind with the same chance, in one suit or in several.

    `bids` are those of the first suit; `suits` are all suits with the same run, empty if the bids
    name no suit.
    """

    bids: tuple[BidOdds, ...]
    suits: tuple[Suit, ...]

    @property
    def chance(self) -> Chance:
        """The chance of each of the bids."""
        return self.bids[0].chance

    def words(self, rules: Ruleset) -> list[str]:
        """Return lines with the run's first and last bid in words, and with its other suits."""
        first, last = self.bids[0].bid, self.bids[-1].bid
        begin, end = rules.wording.say(first), rules.wording.say(last)
        also = f" (also {' '.join(suit.symbol for suit in self.suits[1:])})"
        suits = also if len(self.suits) > 1 else ""
        if first == last:
            return wrap(f"{begin}{suits}", _WORDS)
        whole = f"{begin} … {end}{suits}"
        if len(whole) <= _WORDS:
            return [whole]
        return [*wrap(f"{begin} …", _WORDS), *wrap(f"{end}{suits}", _WORDS)]

    def rungs(self) -> str:
        """Return the bids' numbers on the ladder, such as `14–21`."""
        first, last = self.bids[0].rung, self.bids[-1].rung
        return str(first) if first == last else f"{first}–{last}"


def runs(odds: Iterable[BidOdds]) -> list[BidRun]:
    """Group bids of one kind, given in the ladder's order, into runs; return the weakest first."""
    entries = list(odds)
    suits = sorted({_suit(entry.bid) for entry in entries})
    by_key: dict[tuple[int, int, int], BidRun] = {}
    for suit in suits:
        of_suit = [entry for entry in entries if _suit(entry.bid) == suit]
        for _, group in groupby(of_suit, key=lambda entry: entry.chance):
            bids = tuple(group)
            same = (bids[0].rung, len(bids), bids[0].chance.favourable)
            named = (Suit(suit),) if suit >= 0 else ()
            before = by_key.get(same)
            by_key[same] = (
                BidRun(before.bids, before.suits + named) if before else BidRun(bids, named)
            )
    return sorted(by_key.values(), key=lambda run: run.bids[0].rung)


def _suit(bid: Bid) -> int:
    return -1 if bid.suit is None else int(bid.suit)


def ladder_lines(rules: Ruleset, odds: Sequence[BidOdds]) -> Iterator[str]:
    """Yield a row for each run of bids, by kind, weakest first; then mention bids above 50%."""
    for kind, entries in groupby(odds, lambda entry: entry.bid.kind):
        yield f"\n{KIND_LABELS[kind]}"
        for run in runs(entries):
            yield from _row(rules, run)
    terms = rules.terms
    yield ""
    best = strongest(odds, MORE_LIKELY_THAN_NOT)
    if best is None:
        yield f"No {terms.noun} is above 50%."
        return
    yield paragraph(
        f"{MARK} marks every {terms.noun} above 50%. The strongest of them:"
        f" {rules.wording.say(best.bid)}, {percent(best.chance.probability)}."
    )


def _row(rules: Ruleset, run: BidRun) -> Iterator[str]:
    first, *others = run.words(rules)
    share = run.chance.probability
    mark = f" {MARK}" if run.chance.above(MORE_LIKELY_THAN_NOT) else ""
    drawn = f"{bar(share, _BAR)}{percent(share):>{_CHANCE}}{mark}"
    yield f"  {run.rungs():>{_RUNGS}}  {first:<{_WORDS}} {drawn}"
    for words in others:
        yield f"  {'':>{_RUNGS}}  {words}"
