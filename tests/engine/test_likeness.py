"""Texts that are alike: against a slow search, and how little is compared for it."""

from __future__ import annotations

from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.language.catalogues import KEYS, language
from engine import likeness
from engine.bids import Bid
from engine.likeness import Likeness, longest_common, positions
from engine.readings import normalise
from engine.ruleset import Ruleset
from engine.variants import VARIANTS, ruleset
from engine.wording import BidTextError

LETTERS = st.text(alphabet="abć ", max_size=9)
LONGEST = ruleset("liars_poker")
MISSPELT = [
    *("piar of thres", "fulll of aces", "straigt flush", "thre kigs", "flsh to the ace", "3"),
    *("pra trojek", "full asy na dmach", "kolr kier", "mały srit", "dwie pry", "karta dma"),
    *("asdf qwer zxcv", "a" * 100),
]


@lru_cache
def naive_common(one: str, other: str) -> int:
    """The length of the longest common subsequence, by its definition."""
    if not one or not other:
        return 0
    if one[0] == other[0]:
        return 1 + naive_common(one[1:], other[1:])
    return max(naive_common(one[1:], other), naive_common(one, other[1:]))


def naive_likeness(one: str, other: str) -> float:
    length = len(one) + len(other)
    return 2 * naive_common(one, other) / length if length else 1.0


@given(LETTERS, LETTERS)
def test_the_longest_common_subsequence_is_as_its_definition_says(one: str, other: str) -> None:
    assert longest_common(positions(one), other) == naive_common(one, other)


@given(
    st.lists(LETTERS, max_size=12),
    LETTERS,
    st.integers(1, 4),
    st.floats(0, 1.5),
    st.data(),
)
def test_the_nearest_are_those_of_a_search_through_all(
    texts: list[str], typed: str, most: int, at_least: float, data: st.DataObject
) -> None:
    places = range(len(texts))
    among = data.draw(st.sets(st.sampled_from(places))) if texts else set()
    bonus = data.draw(st.dictionaries(st.sampled_from(places), st.floats(0, 1))) if texts else {}
    scores = {at: naive_likeness(typed, texts[at]) + bonus.get(at, 0.0) for at in among}
    wanted = sorted((at for at in among if scores[at] >= at_least), key=lambda at: -scores[at])
    found = Likeness(texts).nearest(typed, most, at_least, sorted(among), bonus)
    assert found == sorted(wanted, key=lambda at: (-scores[at], at))[:most]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("text", MISSPELT)
def test_few_bids_are_compared_with_what_was_misspelt(
    key: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wording = LONGEST.wording_in(language(key).vocabulary)
    compared: list[str] = []

    def counted(letters: dict[str, int], other: str) -> int:
        compared.append(other)
        return longest_common(letters, other)

    monkeypatch.setattr(likeness, "longest_common", counted)
    with pytest.raises(BidTextError):
        wording.parse(text)
    assert len(compared) <= 150, "of 385"


def naive_completions(rules: Ruleset, key: str, text: str, offered: list[Bid]) -> list[Bid]:
    """Every bid with a word of its own for each word that was typed, and that begins so."""
    vocabulary = language(key).vocabulary
    wording = rules.wording_in(vocabulary)
    found = []
    for bid in offered:
        left = normalise(wording.say(bid), vocabulary.lexicon).split()
        for word in normalise(text, vocabulary.lexicon).split():
            hit = next((one for one in left if one.startswith(word)), None)
            if hit is None:
                break
            left.remove(hit)
        else:
            found.append(bid)
    meant = wording.names(text)
    if meant is None:
        try:
            meant = wording.parse(text)
        except BidTextError:
            return found
    return [meant, *(bid for bid in found if bid != meant)] if meant in offered else found


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
    found = rules.wording_in(language(key).vocabulary).complete(text, rungs, most=most)
    assert found == naive_completions(rules, key, text, offered)[:most]
