"""What a bid claims, in one line: true to the rules, for every kind of hand of every game."""

from __future__ import annotations

import pytest

from bot.boards.seat import claim, seat_board, stake
from bot.language.catalogues import KEYS, speaking
from engine.play import start
from engine.ruleset import Options, Ruleset
from engine.variants import VARIANTS, ruleset
from engine.view import view
from tests.bot.boards.rounds import ANN, BOB, LIARS, THAI, bid, dealt, live, said
from tests.bot.boards.test_short_matches import first_out

LONGEST = 140  # characters in small print
JOKER = "a joker is any card"
# of each kind of hand: what its line says
LINES = {
    LIARS: {
        "two high": f"a two among all 12 cards; higher cards do no harm; {JOKER}",
        "pair of kings": f"two kings among all 12 cards; three kings are fine too; {JOKER}",
        "tens and threes": f"two tens and two threes among all 12 cards; more is fine; {JOKER}",
        "three sixes": f"three sixes among all 12 cards; four sixes are fine too; {JOKER}",
        "eight high club flush": "the 8♣ and four more clubs among all 12 cards; higher ones do no"
        f" harm; {JOKER}",
        "ten high straight": "a six, a seven, an eight, a nine and a ten among all 12 cards; of"
        f" any suits; {JOKER}",
        "tens over jacks": f"three tens and two jacks among all 12 cards; more is fine; {JOKER}",
        "four queens": f"four queens among all 12 cards; {JOKER}",
        "six high spade straight flush": "the 2♠, the 3♠, the 4♠, the 5♠ and the 6♠ among all 12"
        f" cards; {JOKER}",
        "five sevens": f"five sevens among all 12 cards; {JOKER}",
    },
    THAI: {
        "high card nine": "a nine among all 12 cards; higher cards do no harm",
        "pair of kings": "two kings among all 12 cards; three kings are fine too",
        "small straight": "a nine, a ten, a jack, a queen and a king among all 12 cards; of any"
        " suits",
        "three aces": "three aces among all 12 cards; four aces are fine too",
        "aces over tens": "three aces and two tens among all 12 cards; more is fine",
        "club flush": "five cards of ♣ among all 12 cards",
        "four jacks": "four jacks among all 12 cards",
        "heart straight flush": "the 10♥, the J♥, the Q♥, the K♥ and the A♥ or the 9♥ among all 12"
        " cards",
        "spade royal flush": "the 10♠, the J♠, the Q♠, the K♠ and the A♠ among all 12 cards",
    },
}


def test_every_kind_of_every_game_is_looked_at() -> None:
    for game, lines in LINES.items():
        rules = ruleset(game)
        assert {rules.wording.parse(text).kind for text in lines} == set(rules.ladder.kinds)


@pytest.mark.parametrize("language", KEYS)
def test_every_bid_has_a_line_that_fits_two_of_a_phones(language: str) -> None:
    for game in VARIANTS:
        rules = ruleset(game)
        with speaking(language):
            lines = {claim(rules, one, 30) for one in rules.ladder}
        assert max(map(len, lines)) <= LONGEST


@pytest.mark.parametrize(("game", "text"), [(game, text) for game in LINES for text in LINES[game]])
def test_a_line_says_what_a_bid_needs_and_what_makes_it_good_too(game: str, text: str) -> None:
    rules = ruleset(game)
    line = claim(rules, rules.wording.parse(text), 12)
    assert line == f"-# It needs {LINES[game][text]}."


def other_rules(game: str, **options: object) -> Ruleset:
    chosen: Options = options  # type: ignore[assignment]
    return ruleset(game, chosen)


def test_a_deck_without_jokers_has_none_to_speak_of() -> None:
    rules = other_rules(LIARS, jokers=0)
    line = claim(rules, rules.wording.parse("four queens"), 6)
    assert line == "-# It needs four queens among all 6 cards."


def test_a_flush_called_by_its_highest_card_needs_lower_ones() -> None:
    rules = other_rules(LIARS, jokers=0, flush_card="highest")
    line = claim(rules, rules.wording.parse("eight high club flush"), 12)
    assert line == "-# It needs the 8♣ and four lower cards of ♣ among all 12 cards."


def test_a_claim_is_as_well_said_in_polish() -> None:
    rules = ruleset(LIARS)
    with speaking("pl"):
        line = claim(rules, rules.wording.parse("pair of kings"), 12)
    assert line == (
        "-# Potrzeba dwóch króli wśród wszystkich 12 kart; w razie trzech króli też się zgadza;"
        " joker to dowolna karta."
    )


@pytest.mark.parametrize(
    ("game", "players", "too_many"),
    [
        (LIARS, 2, "six"),
        (LIARS, 5, "six"),
        (THAI, 2, "seven"),
        (THAI, 4, "six"),
        (THAI, 9, "three"),
    ],
)
def test_how_many_cards_are_too_many_is_as_the_rules_have_it(
    game: str, players: int, too_many: str
) -> None:
    people = tuple(range(ANN, ANN + players))
    seen = view(start(ruleset(game), people, 0))
    assert stake(seen) == (
        f"-# Who loses a round holds one more card; with {too_many} you are out."
    )


def test_a_play_off_has_a_stake_of_its_own() -> None:
    assert stake(view(first_out(5, 2, 2))) == ""


def test_who_is_learning_is_told_in_their_seat_what_stands_and_what_a_loss_costs() -> None:
    shown = live(bid(dealt(), "nine high", "pair of threes"))
    board = said(seat_board(shown, ANN, learning=True))
    assert "three threes are fine too" in board
    assert "with six you are out" in board
    known = said(seat_board(shown, ANN))
    assert "It needs" not in known
    assert "you are out" not in known


def test_before_a_bid_there_is_only_the_stake() -> None:
    board = said(seat_board(live(dealt()), BOB, learning=True))
    assert "It needs" not in board
    assert "with six you are out" in board
