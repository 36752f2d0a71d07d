"""Ranges of hole cards: how many combos a text stands for, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import RANK_CHARS, Cards
from engine.errors import TextError
from engine.odds.showdown.ranges import Range, looks_like_range


@pytest.mark.parametrize(
    ("text", "combos"),
    [
        ("AA", 6),
        ("AKs", 4),
        ("AKo", 12),
        ("AK", 16),
        ("KA", 16),
        ("QQ+", 18),
        ("22+", 78),
        ("A2s+", 48),
        ("ATo+", 48),
        ("KTs+", 12),
        ("76s-54s", 12),
        ("54s-76s", 12),
        ("99-66", 24),
        ("A5s-A2s", 16),
        ("QQ+, AKs, 76s-54s", 34),
        ("QQ+;AKs", 22),
        ("AA, AA", 6),
        ("10 10", 0),
        ("AhKd", 1),
        ("AhKd, AK", 16),
        ("any", 1326),
        ("random", 1326),
        ("T9s – 87s", 12),
    ],
)
def test_a_range_has_its_combos(text: str, combos: int) -> None:
    if combos == 0:
        with pytest.raises(TextError, match="is not a range"):
            Range.parse(text)
    else:
        assert len(Range.parse(text)) == combos


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "at least one hand"),
        ("AAs", "neither suited nor offsuit"),
        ("QQ-AKs", "does not join"),
        ("QQ-AK", "does not join"),
        ("76s-54o", "does not join"),
        ("AK-AA", "does not join"),
        ("A2s-K2s", "does not join"),
        ("foo", '"foo" is not a range'),
        ("AhKdQc", "is not a range"),
        ("*2c", "is not a range"),
    ],
)
def test_a_text_that_is_no_range_is_refused_with_an_example(text: str, sentence: str) -> None:
    with pytest.raises(TextError, match=sentence) as caught:
        Range.parse(text)
    assert "Example:" in str(caught.value)


def test_a_range_is_kept_as_it_was_said() -> None:
    assert str(Range.parse("random, aks")) == "random, AKs"
    assert str(Range.parse("qq+,aks, 76s-54S")) == "QQ+, AKs, 76s-54s"


@given(high=st.sampled_from(RANK_CHARS), low=st.sampled_from(RANK_CHARS))
def test_suited_and_offsuit_make_up_the_whole(high: str, low: str) -> None:
    both = Range.parse(high + low).combos
    assert all(len(combo) == 2 for combo in both)
    if high == low:
        assert len(both) == 6
    else:
        suited, offsuit = Range.parse(high + low + "s").combos, Range.parse(high + low + "o").combos
        assert suited | offsuit == both
        assert not suited & offsuit


def test_cards_do_not_look_like_a_range() -> None:
    assert looks_like_range("QQ+, AKs")
    assert looks_like_range("ak")
    assert looks_like_range("any")
    assert not looks_like_range("AhKd")
    assert not looks_like_range("ah")
    assert not looks_like_range("")
    assert not looks_like_range("QQ+, AhKd")
    assert looks_like_range("QQ+, AhKd", combos=True)
    assert not looks_like_range("AhKd, QhQd", combos=True)
    assert not looks_like_range("QQ+, Ah", combos=True)
    assert str(Range.parse("qq+ khad")) == "QQ+, AdKh"
    assert Cards.parse("AhKd") in Range.parse("AK").combos
