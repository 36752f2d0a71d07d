"""Bids said and understood: what is typed is one bid of the ladder, or refused and not played."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bid_parser import normalise, read
from engine.bids import Kind
from engine.cards import Rank
from engine.variants import ruleset
from engine.wording import BidTextError

LIARS = ruleset("liars_poker")
BARE = ruleset("liars_poker", {"jokers": 0})
THAI = ruleset("thai_poker")
LADDERS = {"liars": LIARS, "bare": BARE, "thai": THAI}
STANDING = LIARS.ladder.bid("full_house:A,K")


def understood(rules, text):
    return rules.wording.parse(text).key


def refusal(rules, text):
    with pytest.raises(BidTextError) as caught:
        rules.wording.parse(text)
    return caught.value


@pytest.mark.parametrize("name", LADDERS)
def test_every_bid_is_understood_from_its_own_words_and_from_its_key(name):
    rules = LADDERS[name]
    for bid in rules.ladder:
        said = rules.wording.say(bid)
        for text in (said, said.upper(), f"  {said}. ", said.replace(" ", "-"), bid.key):
            assert rules.wording.parse(text) == bid
        assert rules.wording.parse(bid.key.upper()) == bid


@pytest.mark.parametrize("name", LADDERS)
def test_what_is_said_of_a_bid_is_the_short_form_of_no_other(name):
    wording = LADDERS[name].wording
    tops = [bid.ranks[0] for bid in LADDERS[name].ladder if bid.kind is Kind.STRAIGHT]
    for bid in LADDERS[name].ladder:
        reading = read(normalise(wording.say(bid)))
        assert reading.key(set(LADDERS[name].ladder.kinds), tops) == bid.key


@pytest.mark.parametrize("name", LADDERS)
def test_no_two_bids_are_said_alike(name):
    rules = LADDERS[name]
    assert len({rules.wording.say(bid) for bid in rules.ladder}) == len(rules.ladder)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("high_card:J", "jack high"),
        ("pair:3", "pair of threes"),
        ("two_pair:T,3", "pair of tens, pair of threes"),
        ("three:6", "three sixes"),
        ("flush:8c", "eight high club flush"),
        ("straight:A", "straight to the ace"),
        ("full_house:T,J", "tens over jacks"),
        ("four:Q", "four queens"),
        ("straight_flush:Qh", "queen high heart straight flush"),
        ("straight_flush:As", "spade royal flush"),
        ("five:7", "five sevens"),
    ],
)
def test_liars_poker_is_said_as_its_source_says_it(key, said):
    assert LIARS.wording.say(LIARS.ladder.bid(key)) == said


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("high_card:A", "high card ace"),
        ("straight:K", "small straight"),
        ("straight:A", "big straight"),
        ("flush:c", "club flush"),
        ("straight_flush:h", "heart straight flush"),
        ("royal_flush:s", "spade royal flush"),
    ],
)
def test_thai_poker_is_said_as_its_source_says_it(key, said):
    assert THAI.wording.say(THAI.ladder.bid(key)) == said


SHORT_FORMS = {
    "33": "pair:3",
    "pair 3": "pair:3",
    "3 3": "pair:3",
    "3-3": "pair:3",
    "pair of three": "pair:3",
    "a pair of threes": "pair:3",
    "two threes": "pair:3",
    "two 3s": "pair:3",
    "2 3's": "pair:3",
    "pair of deuces": "pair:2",
    "1010": "pair:T",
    "10 10": "pair:T",
    "pair a": "pair:A",
    "pair of as": "pair:A",
    "aa": "pair:A",
    "Ａ Ａ": "pair:A",
    "qq jj": "two_pair:Q,J",
    "jj qq": "two_pair:Q,J",
    "qqjj": "two_pair:Q,J",
    "t t 3 3": "two_pair:T,3",
    "tens and threes": "two_pair:T,3",
    "tens & threes": "two_pair:T,3",
    "two pair 3 t": "two_pair:T,3",
    "2pair tens threes": "two_pair:T,3",
    "pair 3 pair t": "two_pair:T,3",
    "two tens two threes": "two_pair:T,3",
    "666": "three:6",
    "trips 6": "three:6",
    "set of 6s": "three:6",
    "3 of a kind 6": "three:6",
    "three of a kind sixes": "three:6",
    "three 6s": "three:6",
    "3 6s": "three:6",
    "8c flush": "flush:8c",
    "8s flush": "flush:8s",
    "10s flush": "flush:Ts",
    "8 c flush": "flush:8c",
    "flush 8c": "flush:8c",
    "8♣ flush": "flush:8c",
    "8♣\ufe0f flush": "flush:8c",
    "8♤ flush": "flush:8s",
    "8 of clubs flush": "flush:8c",
    "8 high clubs": "flush:8c",
    "8s high": "flush:8s",
    "eight high flush of clubs": "flush:8c",
    "an ace high spade flush": "flush:As",
    "a high flush c": "flush:Ac",
    "straight a": "straight:A",
    "straight to the ace": "straight:A",
    "ten high straight": "straight:T",
    "str8 10": "straight:T",
    "run to 10": "straight:T",
    "straight 6 to 10": "straight:T",
    "9 to k straight": "straight:K",
    "straight ace to five": "straight:5",
    "straight a to 5": "straight:5",
    "jacks full of tens": "full_house:J,T",
    "jacks over tens": "full_house:J,T",
    "jjjtt": "full_house:J,T",
    "ttjjj": "full_house:J,T",
    "tt jjj": "full_house:J,T",
    "full house j t": "full_house:J,T",
    "full house tt jjj": "full_house:J,T",
    "boat jacks tens": "full_house:J,T",
    "three jacks two tens": "full_house:J,T",
    "jjj over tt": "full_house:J,T",
    "a over k": "full_house:A,K",
    "qqqq": "four:Q",
    "4 queens": "four:Q",
    "quads q": "four:Q",
    "four of a kind queens": "four:Q",
    "sf qh": "straight_flush:Qh",
    "straight flush qh": "straight_flush:Qh",
    "straight flush to the queen of hearts": "straight_flush:Qh",
    "qs straight flush": "straight_flush:Qs",
    "straightflush q h": "straight_flush:Qh",
    "royal spades": "straight_flush:As",
    "royal flush s": "straight_flush:As",
    "as royal": "straight_flush:As",
    "ace high spade straight flush": "straight_flush:As",
    "77777": "five:7",
    "five 7s": "five:7",
    "5 of a kind 7": "five:7",
    "jack": "high_card:J",
    "j": "high_card:J",
    "j high": "high_card:J",
    "a king high": "high_card:K",
    "high card 3": "high_card:3",
    "3 high": "high_card:3",
    "trey high": "high_card:3",
}


@pytest.mark.parametrize("text", SHORT_FORMS)
def test_the_short_forms_that_players_type_are_understood(text):
    assert understood(LIARS, text) == SHORT_FORMS[text]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("small straight", "straight:K"),
        ("straight small", "straight:K"),
        ("little str8", "straight:K"),
        ("big straight to the ace", "straight:A"),
        ("straight a", "straight:A"),
        ("straight 9 to k", "straight:K"),
        ("flush c", "flush:c"),
        ("flush of clubs", "flush:c"),
        ("♥ flush", "flush:h"),
        ("straight flush h", "straight_flush:h"),
        ("sf hearts", "straight_flush:h"),
        ("royal h", "royal_flush:h"),
        ("rf hearts", "royal_flush:h"),
        ("a royal flush of hearts", "royal_flush:h"),
        ("kk", "pair:K"),
        ("9", "high_card:9"),
        ("kings full of nines", "full_house:K,9"),
    ],
)
def test_the_short_forms_of_thai_poker_are_understood(text, key):
    assert understood(THAI, text) == key


@pytest.mark.parametrize(
    "text",
    [
        # incomplete: the player had not finished
        *("pair", "pair of", "two pair", "three", "3", "two", "five", "three of", "three of a"),
        *("3 of a", "four of a kind", "straight", "flush", "full house", "jacks full", "jacks"),
        *("8c", "8 clubs", "straight flush", "royal flush", "royal", "high", "high card", "clubs"),
        *("flush clubs", "two pair kings up", "kings and", "a pair", "a straight", "a spade flush"),
        # contradictions
        *("three and kings", "2 & aces", "five with nines", "9 to 9"),
        *("33 33", "three 333", "3 333", "33 3 3", "tens and tens", "tens over tens", "3 three"),
        *("pair of threes, pair of threes", "two pair tens tens", "333 pair", "pair of three 3s"),
        *("33 over 222", "pair of threes over three twos", "straight 99", "straight tens"),
        *("flush 8c d", "flush 8 8 c", "8c flush pair", "straight pair", "pair of kings hearts"),
        *("flush over 8c", "straight over 9", "full flush 8c", "straight 9 to a", "straight k 9"),
        *("small straight", "big straight", "small flush 8c", "big royal s", "high pair 3"),
        *("straight a to k", "straight a 9", "straight 6 7 8 9 10", "high straight 9 to k"),
        *("king of hearts high card", "royal flush k s", "8 9 c flush", "333333", "king queen"),
        *("k a", "a k", "a k high", "a a a k", "a qq", "33 22 44", "three tens over jacks"),
        # not in this game
        *("1", "11", "pair of ones", "straight 3", "2 high club flush", "small", "joker"),
        # not a bid at all
        *("no pair of threes", "not 33", "pair of threes please", "challenge", "/bid 33", "3×3"),
        *("<@333>", "<@&33>", "<#33>", "@33", "33 <", "$33", "#33", "33%", "`33`", "https://33"),
        *("pair\u200b3", "33\u202e", "٣٣", "", "   ", "?!", ":", "pair:", ":3"),
        "33" + " " * 100 + "44",
        "pair of threes" + "!" * 100,
        *("33" * 5000, "x" * 10_000, "pair " * 2000, "\ud800" * 200),
    ],
)
def test_nothing_surprising_is_ever_played(text):
    error = refusal(LIARS, text)
    assert error.text == text
    assert str(error).startswith(('"', "Expected a call"))
    assert "Did you mean" in str(error) or "Example: " in str(error)
    assert len(str(error)) < 250
    assert str(error).isprintable()


@pytest.mark.parametrize("text", ["aces full", "aces full of", "aces over"])
def test_who_names_the_triplet_of_a_full_house_alone_means_one_of_these(text):
    meant = refusal(LIARS, text).suggestions
    assert {(bid.kind, bid.ranks[0]) for bid in meant} == {(Kind.FULL_HOUSE, Rank.ACE)}


@pytest.mark.parametrize(
    "text",
    [
        *(
            "33",
            "qq jj",
            "two pair q j",
            "8c flush",
            "8 high clubs",
            "9 high club flush",
            "five 9s",
        ),
        *("a high flush c", "high flush c", "small big straight", "small high straight"),
        *("small straight to the ace", "straight flush qh", "three", "ten high straight"),
        *("small flush c", "big flush c", "small", "pair of threes"),
    ],
)
def test_what_thai_poker_lacks_is_not_played_there(text):
    refusal(THAI, text)


def test_five_of_a_kind_is_not_understood_without_jokers():
    assert str(refusal(BARE, "77777")) == (
        'Liars\' Poker has no five of a kind without jokers. Example: "pair of twos" or "22"'
    )
    assert understood(LIARS, "77777") == "five:7"


WORDS = """
    two three four five six ten jack queen king ace twos threes tens jacks kings aces
    2 3 8 9 10 t j q k a 33 aa kkk 9999 22222 8c qh as 3s 10s : , high_card: flush: x <@
    pair two-pair trips quads flush straight full house over high card small big
    royal straight-flush of kind the to and clubs hearts spade d ♥
"""
ALPHABET = st.sampled_from([*WORDS.split(), "\u200b"])


@pytest.mark.untraced
@given(st.lists(ALPHABET, max_size=7).map(" ".join) | st.text(max_size=200))
@settings(max_examples=500)
def test_any_text_is_one_bid_of_the_ladder_or_a_bid_text_error(text):
    for rules in (LIARS, THAI):
        try:
            bid = rules.wording.parse(text)
        except BidTextError as error:
            problem = error
        else:
            assert bid in rules.ladder
            continue
        assert all(suggested in rules.ladder for suggested in problem.suggestions)
        assert str(problem).isprintable()


@pytest.mark.untraced
@given(st.lists(ALPHABET, min_size=1, max_size=6))
@settings(max_examples=100)
def test_a_text_with_a_word_that_is_not_understood_is_never_played(words):
    for at in (0, len(words) // 2, len(words)):
        refusal(LIARS, " ".join([*words[:at], "bluff", *words[at:]]))


@pytest.mark.untraced
@given(st.sampled_from([*LIARS.ladder]), st.data())
@settings(max_examples=300)
def test_a_bid_with_its_last_word_missing_is_not_taken_for_a_higher_one(bid, data):
    words = LIARS.wording.say(bid).split()
    kept = words[: data.draw(st.integers(0, len(words) - 1))]
    try:
        understood_bid = LIARS.wording.parse(" ".join(kept))
    except BidTextError:
        return
    assert LIARS.ladder.number(understood_bid) <= LIARS.ladder.number(bid)


def test_a_kind_alone_is_named_and_one_with_ranks_or_a_suit_is_a_bid() -> None:
    assert LIARS.wording.kind_named("any flush") is Kind.FLUSH
    assert LIARS.wording.kind_named("a straight") is Kind.STRAIGHT
    for text in ("flush of hearts", "pair of kings", "king", "", "purple"):
        assert LIARS.wording.kind_named(text) is None, text
