"""A hint in words: what stands, what to do and why, in the game's own words."""

from __future__ import annotations

import pytest

from bot.boards.hint import hint_sentences
from engine.actions import Challenge, MakeBid
from engine.play import start
from engine.players import hint
from engine.state import Match
from engine.variants import ruleset
from engine.view import view
from tests.bot.boards.rounds import LIARS, THAI
from tests.dealing import play, stacked_deal


def round_of(key: str, bids: list[str], hands: dict[int, str], seats: int = 3, **options) -> Match:
    match = start(ruleset(key, options), range(seats), 0)
    match = play(match, stacked_deal(match, hands))
    for number, text in enumerate(bids):
        key = match.ruleset.wording.parse(text).key
        match = play(match, MakeBid(number % seats, key))
    return match


def said(match: Match, seat: int, solved: tuple[int | None, float] | None = None) -> str:
    given = hint(view(match, seat), solved)
    assert given is not None
    return " ".join(hint_sentences(given, match.ruleset)).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("match", "seat", "words"),
    [
        (
            round_of(LIARS, [], {0: "9c 2d"}),
            0,
            'Call "two high": your own cards make it good.',
        ),
        (
            round_of(THAI, ["pair of aces"], {1: "9c 9d"}),
            1,
            "Pair of aces holds in 13.5% of deals, by your own cards. Check: you are right in"
            " 86.5% of deals, and no higher bid holds in more than 33.8%.",
        ),
        (
            round_of(LIARS, ["pair of twos"], {1: "3c 2d"}),
            1,
            "Pair of twos holds in 34.1% of deals, by your own cards. Challenge: you are right in"
            " 65.9% of deals, and no higher call holds in more than 34.1%.",
        ),
        (
            round_of(LIARS, ["spades royal flush"], {0: "2c 3c", 1: "2d 3d"}, seats=2, jokers=0),
            1,
            "Spade royal flush cannot hold, by your own cards. Challenge: no cards of the others"
            " can make it good.",
        ),
        (
            round_of(LIARS, ["five aces"], {1: "Ac Ad"}),
            1,
            "Five aces holds in 0.071% of deals, by your own cards. Challenge: nothing is higher.",
        ),
        (
            round_of(LIARS, ["three high"], {1: "3c Kd"}),
            1,
            "Three high holds for certain: your own cards make it good."
            ' Call "king high": your own cards make it good.',
        ),
        (
            round_of(LIARS, ["pair of twos"], {2: "Kc Kd"}, challengers="anyone"),
            2,
            "Pair of twos holds in 6.1% of deals, by your own cards. Wait: another player is to"
            " act, and to challenge wrongly costs a card.",
        ),
    ],
)
def test_what_is_said(match: Match, seat: int, words: str) -> None:
    assert said(match, seat) == words


@pytest.mark.parametrize(
    ("bids", "bid", "often", "words"),
    [
        (
            [],
            "pair of aces",
            0.624,
            'Bid "pair of aces": it holds in 38.6% of deals. A solver does so in 62%.',
        ),
        (
            ["pair of kings"],
            None,
            0.996,
            "Pair of kings holds in 8.0% of deals, by your own cards. Check: you are right in"
            " 92.0% of deals. A solver does so in 99%.",
        ),
        (
            ["pair of kings"],
            "three aces",
            1.0,
            "Pair of kings holds in 8.0% of deals, by your own cards."
            ' Bid "three aces" as a bluff: it holds in 4.1% of deals. A solver always does so.',
        ),
        (
            [],
            "ace high",
            0.3,
            'Bid "high card ace": your own cards make it good.',
        ),
    ],
)
def test_a_solver_is_said_to_do_it_as_often_as_it_does(
    bids: list[str], bid: str | None, often: float, words: str
) -> None:
    seat = len(bids)
    match = round_of(THAI, bids, {seat: "Ac 9c Td"}, seats=2)
    rules = match.ruleset
    place = rules.ladder.place(rules.wording.parse(bid)) if bid else None
    assert said(match, seat, (place, often)) == words


def test_the_likeliest_of_uncertain_bids_says_how_likely() -> None:
    match = round_of(LIARS, ["ace high"], {1: "3c Ad"}, seats=8)
    assert said(match, 1).endswith(
        'Call "pair of threes": it holds in 80.7% of deals, and no higher call is likelier.'
    )


def test_a_challenge_that_must_lose_is_not_recommended() -> None:
    match = round_of(LIARS, ["king high"], {1: "Kc Ad"})
    assert "Challenge" not in said(match, 1)
    given = hint(view(match, 1))
    assert given is not None
    assert given.action != Challenge(1)
