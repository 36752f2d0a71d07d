"""Custom ids: what is written is read again, and what older versions wrote is understood."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.boards.board import Address
from bot.boards.pad import Pick
from bot.discord import ids
from bot.discord.ids import OfOdds, OfTable
from engine.bids import Bid
from engine.variants import VARIANTS, ruleset


@given(
    st.from_regex(r"[a-z]{1,16}", fullmatch=True),
    st.integers(0, 10**15 - 1),
    st.integers(0, 10**15 - 1),
    st.integers(0, 10**9 - 1),
)
def test_a_tables_control_says_its_verb_and_the_state_it_shows(verb, table, match, seq) -> None:
    written = ids.of_table(verb, Address(table, match, seq))
    assert len(written) <= ids.MOST
    assert ids.read(written) == OfTable(verb, Address(table, match, seq))


@pytest.mark.parametrize("bid", [bid for key in VARIANTS for bid in ruleset(key).ladder])
def test_every_bid_fits_a_button_as_what_it_is_about(bid: Bid) -> None:
    for choice in (bid.key, Pick(key=bid.key).text):
        written = ids.of_table("call", Address(10**15 - 1, 10**15 - 1, 10**9 - 1), choice)
        assert len(written) <= ids.MOST
        read = ids.read(written)
        assert isinstance(read, OfTable)
        assert read.choice == choice


@pytest.mark.parametrize("verb", [ids.RANKS, ids.GRID, ids.HANDS, ids.HITS, ids.CURVE, ids.STOP])
def test_a_button_of_odds_carries_what_it_is_about(verb: str) -> None:
    written = ids.of_odds(verb, "holdem;Zx/=AA,KK;;")
    assert written is not None
    assert ids.read(written) == OfOdds(verb, "holdem;Zx/=AA,KK;;")


def test_what_does_not_fit_a_custom_id_is_not_written() -> None:
    fits = "x" * (ids.MOST - len("bh:ranks:"))
    assert ids.of_odds(ids.RANKS, fits) is not None
    assert ids.of_odds(ids.RANKS, fits + "x") is None


@pytest.mark.parametrize(
    ("earlier", "now"),
    [
        ("bhf:bid:7:8:9", OfTable("bid", Address(7, 8, 9))),
        ("bho:ranks:holdem;ab/cd;;", OfOdds(ids.RANKS, "holdem;ab/cd;;")),
        ("bho:cancel:11:12", OfOdds(ids.STOP, "11:12")),
    ],
)
def test_the_spellings_of_earlier_versions_are_understood(earlier: str, now: object) -> None:
    assert ids.read(earlier) == now


@pytest.mark.parametrize(
    "forged",
    [
        None, 7, "", "bh:", "bh:join", "bh:join:1:2", "bh:join:-1:2:3", "bh:join:1:2:3:",
        "bh:pad:1:2:3:a b", "bh:pad:1:2:3:" + "x" * 33,
        "bh:join:1:2:3\n", "bh:JOIN:1:2:3", "bhx:join:1:2:3", "bh:join:9999999999999999:0:0",
        "bho:other:1", "bh:ranks:", "other",
    ],
)  # fmt: skip
def test_what_is_not_ours_is_not_read(forged: object) -> None:
    assert ids.read(forged) is None
