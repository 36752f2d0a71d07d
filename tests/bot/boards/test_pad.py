"""The bid pad: every legal bid in at most four presses, and nothing else."""

from __future__ import annotations

import pytest

from bot.boards.pad import PadOffer, Pick, step_of
from engine.bids import Bid
from engine.variants import VARIANTS, ruleset


def walks(legal: list[Bid], pick: Pick, presses: int) -> dict[str, int]:
    """Every bid that can be reached from a pick, and after how many presses it is made."""
    step = step_of(legal, pick)
    if step.bid is not None:
        return {step.bid.key: presses + 1}  # the last press says Call
    found: dict[str, int] = {}
    for value, _ in step.choices:
        more = walks(legal, step.pick.and_then(value), presses + 1)
        assert not found.keys() & more.keys(), "one bid, one way"
        found |= more
    return found


@pytest.mark.parametrize("key", list(VARIANTS))
@pytest.mark.parametrize("above", [0, 1, 17, 40, 60])
def test_every_legal_bid_is_reached_in_four_presses_and_no_other(key: str, above: int) -> None:
    legal = [bid for rung in ruleset(key).ladder.rungs[above:] for bid in rung]
    found = walks(legal, Pick(), 0)
    assert set(found) == {bid.key for bid in legal}
    assert max(found.values()) <= 4


def test_a_bid_chosen_whole_is_confirmed_at_once() -> None:
    rules = ruleset("liars_poker")
    legal = list(rules.ladder)
    assert step_of(legal, Pick(key="full_house:A,Q")).bid == rules.ladder.bid("full_house:A,Q")


@pytest.mark.parametrize(
    "text", ["no_such_kind", "pair.X", "=pair:Z", "....", "=", "pair.A.A.A.A", "two_pair.A.A"]
)
def test_a_forged_pick_does_no_harm(text: str) -> None:
    legal = list(ruleset("liars_poker").ladder)
    step = step_of(legal, Pick.read(text))
    assert step.bid is not None or step.choices


def test_a_pick_that_became_too_low_begins_anew() -> None:
    legal = [bid for rung in ruleset("liars_poker").ladder.rungs[100:] for bid in rung]
    assert step_of(legal, Pick.read("high_card")).pick == Pick()
    assert step_of(legal, Pick.read("=pair:2")).pick == Pick()


@pytest.mark.parametrize("text", ["", "full_house", "full_house.A", "=full_house:A,Q"])
def test_a_pick_is_read_as_it_was_written(text: str) -> None:
    assert Pick.read(text).text == text


def test_one_step_back_is_where_one_came_from() -> None:
    pick = Pick.read("full_house.A")
    assert pick.back == Pick.read("full_house")
    assert pick.back.back == Pick()
    assert Pick().back == Pick()


def test_what_is_offered_says_what_it_is() -> None:
    legal = list(ruleset("thai_poker").ladder)
    kinds = step_of(legal, Pick())
    assert ("full_house", "Full house") in kinds.choices
    assert step_of(legal, Pick.read("flush")) == PadOffer(
        Pick(("flush",)),
        "suit",
        (("c", "♣ Clubs"), ("d", "♦ Diamonds"), ("h", "♥ Hearts"), ("s", "♠ Spades")),
    )
