"""The worth of actions in a solved round, compared with a slow search through every deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import comb, prod

import numpy as np
import pytest

from engine.actions import MakeBid
from engine.bids import holds
from engine.cards import Card, Cards
from engine.play import start
from engine.players.blueprint import values
from engine.players.blueprint.playing import blueprint_of, chances_at, chances_of
from engine.players.blueprint.shipped import index
from engine.players.blueprint.values import OFTEN, SLIPS, likeliest_action, round_values
from engine.players.memory import Memory
from engine.players.position import Position, observe
from engine.variants import ruleset
from engine.view import view_of
from tests.dealing import play, stacked_deal
from tests.engine.rounds import with_cards

THAI = ruleset("thai_poker")
FOUR_ACES = THAI.ladder.place(THAI.ladder.bid("four:A"))


def place(text: str) -> int:
    return THAI.ladder.place(THAI.wording.parse(text))


def position_after(hands: Sequence[str], *bids: str, seats: int = 2) -> Position:
    """Return the position of the seat in turn after these bids; seat 0 opens."""
    match = with_cards(start(THAI, range(seats), 0), *(len(hand.split()) for hand in hands))
    match = play(match, stacked_deal(match, dict(enumerate(hands))))
    for number, text in enumerate(bids):
        match = play(match, MakeBid(number % seats, THAI.wording.parse(text).key))
    position = observe(view_of(match, len(bids) % seats), Memory("sharp", 7))
    assert position is not None
    return position


def slowly(position: Position, place: int | None) -> float:
    """Return the worth of the bid at `place` in the ladder, or of a challenge if it is None.

    Each seat has one card. Average over every card that the other seat may hold, and over all
    further bids.
    """
    me, bids_made = position.seat, [bid for _, bid in position.bids]
    left = [card for card in THAI.deck.order if card not in position.cards]
    chances = {
        seat: lambda card, bids, seat=seat: dict(chances_of(THAI, (1, 1), 0, seat, 1 << card, bids))
        for seat in (0, 1)
    }

    def challenge_worth(card: int, bids: list[int], by: int) -> float:
        true = holds(THAI.ladder.at(bids[-1]), position.cards | Cards(1 << card))
        return 1.0 if true == (by != me) else -1.0

    def after(card: int, bids: list[int], seat: int) -> float:
        card_held = position.cards.bits.bit_length() - 1 if seat == me else card
        return sum(
            chance
            * (
                challenge_worth(card, bids, seat)
                if b is None
                else after(card, [*bids, b], 1 - seat)
            )
            for b, chance in chances[seat](card_held, bids).items()
        )

    total = often = 0.0
    for card in left:
        weight = 1.0
        for at in range(1 - me, len(bids_made), 2):
            plan = chances[1 - me](card.number, bids_made[:at])
            slip = SLIPS / (len(blueprint_bids()) + 1)
            weight *= (1 - SLIPS) * plan.get(bids_made[at], 0.0) + slip
        often += weight
        total += weight * (
            challenge_worth(card.number, bids_made, me)
            if place is None
            else after(card.number, [*bids_made, place], 1 - me)
        )
    return total / often


def blueprint_bids() -> tuple[int, ...]:
    blueprint = blueprint_of(THAI, (1, 1))
    assert blueprint is not None
    return blueprint[0].bids


@pytest.mark.parametrize(
    ("hands", "bids"),
    [
        (("Qc", "Ad"), ()),
        (("Qc", "Td"), ("ten high",)),
        (("Tc", "Ad"), ("ten high", "king high")),
    ],
    ids=["opens", "answers", "answers an answer"],
)
def test_actions_are_worth_what_a_slow_one_finds_deal_by_deal(monkeypatch, hands, bids):
    monkeypatch.setattr(values, "RARE", 0.0)
    position = position_after(hands, *bids)
    above = THAI.ladder.first_above(position.standing)
    bids_tried = [bid for bid in blueprint_bids() if bid >= above][:6]
    outlook = round_values(position, THAI, bids_tried)
    assert outlook is not None
    assert (None in outlook.worth) == bool(bids)
    for action, worth in outlook.worth.items():
        assert worth == pytest.approx(slowly(position, action))


@pytest.mark.parametrize("rank", "9TJQKA")
def test_where_nothing_is_forgotten_nothing_is_worth_more_than_what_is_done(rank):
    position = position_after((f"{rank}c", "Ad" if rank != "A" else "Kd"))
    outlook = round_values(position, THAI, blueprint_bids())
    assert outlook is not None
    plan = dict(chances_of(THAI, (1, 1), 0, 0, position.hole, ()))
    usual = [outlook.worth[bid] for bid, chance in plan.items() if chance >= OFTEN]
    assert max(outlook.worth.values()) == pytest.approx(max(usual), abs=0.002)
    assert outlook.error < 0.002


def test_what_is_rare_is_judged_as_it_stands(monkeypatch):
    position = position_after(("9c Td Kh", "Kd Ks Ad"))
    worths = []
    for rare in (0.05, 1e-5):
        monkeypatch.setattr(values, "RARE", rare)
        outlook = round_values(position, THAI, [place("pair of kings")])
        assert outlook is not None
        worths.append(outlook.worth)
    assert worths[0] == pytest.approx(worths[1], abs=0.05)
    assert worths[0] != worths[1]


def test_a_table_that_forgets_says_what_it_may_be_off():
    outlook = round_values(position_after(("9c Td Kh", "Kd Ks Ad")), THAI, [FOUR_ACES])
    assert outlook is not None
    assert outlook.error >= index()["thai_poker"]["exploitability"]["3-3"] > 0.01
    assert outlook.worth[FOUR_ACES] < -0.9
    assert max(outlook.worth.values()) > -0.3


def test_who_holds_what_is_certain_and_knows_no_higher_bid_loses():
    outlook = round_values(position_after(("9c 9d 9h Td", "Kc Kd Ks Jd")), THAI, [FOUR_ACES])
    assert outlook is not None
    aces = 1 / comb(20, 4)  # the chance that the other holds them all, and may not challenge
    assert outlook.worth[FOUR_ACES] == pytest.approx(2 * aces - 1, abs=1e-9)


def often_made(bids: Sequence[int]) -> list[float]:
    """Return the plan's chance of making each bid after the bids before it.

    It is averaged over all cards, each weighted with the chance of the bidder's earlier bids.
    """

    def makes(card: Card, at: int) -> float:
        chances = chances_of(THAI, (1, 1), 0, at % 2, 1 << card.number, bids[:at])
        return dict(chances).get(bids[at], 0.0)

    shares = []
    for at in range(len(bids)):
        came = [prod(makes(card, by) for by in range(at % 2, at, 2)) for card in THAI.deck.order]
        likely = [makes(card, at) for card in THAI.deck.order]
        shares.append(float(np.average(likely, weights=came)) if sum(came) else 0.0)
    return shares


@pytest.mark.parametrize("line", ["", "9", "T", "A", "TJ", "TK", "9K", "9A", "TQK", "TJQ", "JQA"])
def test_once_a_bid_was_made_that_the_table_hardly_makes_nothing_is_said(line: str):
    often = often_made([place(f"{rank} high") for rank in line])
    position = position_after(("Qc", "Qd"), *(f"{rank} high" for rank in line))
    usual = min(often, default=1.0) >= SLIPS
    assert usual == (line in ("", "T", "A", "TJ", "TK"))
    assert (round_values(position, THAI, []) is not None) == usual
    assert (likeliest_action(position, THAI) is not None) == usual


@pytest.mark.parametrize(
    ("position", "place"),
    [
        (position_after(("Kc", "Ad", "9d"), seats=3), []),
        (position_after(("Kc Ad 9c", "9d Tc Td"), "spades flush"), []),
        (position_after(("Kc Ad 9c", "9d Tc Td"), "spades flush", "four nines"), []),
        (position_after(("Kc Ad 9c", "9d Tc Td")), [place("spades flush")]),
        (replace(position_after(("Kc", "Ad")), turn=1), []),
    ],
    ids=["three seats", "it knows no flush", "nor one before", "nor makes one", "out of turn"],
)
def test_elsewhere_nothing_is_said(position, place):
    assert round_values(position, THAI, place) is None


def test_advice_is_what_the_table_does_most_often_and_the_coach_calls_no_such_thing_a_mistake():
    rng = np.random.default_rng(11)
    deck = np.array([str(card) for card in THAI.deck.order])
    answers = 0
    for number in range(60):
        dealt = [" ".join(three) for three in rng.permutation(deck)[:6].reshape(2, 3)]
        bids = sorted(rng.choice(12, number % 3, replace=False))
        position = position_after(dealt, *(THAI.wording.say(THAI.ladder.at(bid)) for bid in bids))
        advice, values = likeliest_action(position, THAI), round_values(position, THAI, ())
        assert (advice is None) == (values is None)
        if advice is None or values is None:
            continue
        answers += 1
        chances = dict(chances_at(position, THAI))
        assert advice[1] == chances[advice[0]] == max(chances.values())
        best = max(values.worth.values())
        for action, chance in chances.items():
            if chance >= min(OFTEN, advice[1]):
                assert best - values.worth[action] <= values.error
    assert 20 < answers < 60


def test_where_the_table_says_nothing_there_is_no_advice():
    assert likeliest_action(position_after(("Kc", "Ad", "9d"), seats=3), THAI) is None
    assert likeliest_action(position_after(("Kc Ad 9c", "9d Tc Td"), "spades flush"), THAI) is None
