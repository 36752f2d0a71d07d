"""Bids that look like a text or may be completed from it, compared with slow searches."""

from __future__ import annotations

from functools import lru_cache

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.language.catalogues import KEYS, language
from engine.bid_parser import normalise
from engine.bids import Bid
from engine.guessing import likeness_to
from engine.ruleset import Ruleset
from engine.variants import VARIANTS, ruleset
from engine.wording import BidTextError

LETTERS = st.text(alphabet="abć ", max_size=9)
SHOWN = LETTERS.filter(bool)


@lru_cache
def naive_common(text: str, variant: str) -> int:
    """Return the length of the texts' longest common subsequence, by its definition."""
    if not text or not variant:
        return 0
    if text[0] == variant[0]:
        return 1 + naive_common(text[1:], variant[1:])
    return max(naive_common(text[1:], variant), naive_common(text, variant[1:]))


@given(LETTERS, SHOWN)
def test_texts_are_as_alike_as_their_longest_common_subsequence_is_long(text: str, variant: str):
    expected = 2 * naive_common(text, variant) / (len(text) + len(variant))
    assert likeness_to(text)(variant) == expected


def naive_completions(rules: Ruleset, key: str, text: str, offered: list[Bid]) -> list[Bid]:
    """Return the bids of `offered` that `text` may become in the language `key`, by a slow search.

    Each typed word is the beginning of a different word of the bid. If the text means an
    offered bid, this bid comes first.
    """
    vocabulary = language(key).vocabulary
    wording = rules.wording_in(vocabulary)
    completions = []
    for bid in offered:
        left = normalise(wording.say(bid), vocabulary.lexicon).split()
        for word in normalise(text, vocabulary.lexicon).split():
            hit = next((candidate for candidate in left if candidate.startswith(word)), None)
            if hit is None:
                break
            left.remove(hit)
        else:
            completions.append(bid)
    meant = wording.names(text)
    if meant is None:
        try:
            meant = wording.parse(text)
        except BidTextError:
            return completions
    return (
        [meant, *(bid for bid in completions if bid != meant)] if meant in offered else completions
    )


WORDS = [
    *("p", "pa", "pair", "para", "of", "o", "t", "th", "tr", "trójek", "threes", "f", "full", "na"),
    *("a", "s", "st", "straight", "kareta", "da", "kk", "3", "q", "x"),
]
TYPED = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)


@settings(deadline=None)
@given(st.sampled_from(list(VARIANTS)), st.sampled_from(KEYS), TYPED, st.integers(0, 60), st.data())
def test_completions_are_those_of_a_search_through_all(
    game: str, key: str, text: str, standing: int, data: st.DataObject
) -> None:
    rules = ruleset(game)
    rungs = rules.ladder.rungs[standing:]
    offered = [bid for rung in rungs for bid in rung]
    most = data.draw(st.none() | st.integers(1, 25))
    completions = rules.wording_in(language(key).vocabulary).complete(text, rungs, most=most)
    assert completions == naive_completions(rules, key, text, offered)[:most]
