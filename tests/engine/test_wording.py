"""Bids in words, and typed bids: a text is one bid of the ladder, or it is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bid_parser import normalise, read
from engine.bids import Kind
from engine.cards import Rank
from engine.ladder import Ladder
from engine.variants import ruleset
from engine.wording import BidTextError, bids_to_offer

LIARS = ruleset("liars_poker")
BARE = ruleset("liars_poker", {"jokers": 0})
THAI = ruleset("thai_poker")


def understood(rules, text):
    return rules.wording.parse(text).key


def refusal(rules, text):
    with pytest.raises(BidTextError) as caught:
        rules.wording.parse(text)
    return caught.value


@pytest.mark.parametrize("rules", [LIARS, BARE, THAI], ids=["liars", "bare", "thai"])
def test_every_bid_is_understood_from_its_own_words_and_from_its_key(rules):
    tops = [bid.ranks[0] for bid in rules.ladder if bid.kind is Kind.STRAIGHT]
    for bid in rules.ladder:
        words = rules.wording.say(bid)
        for text in (words, words.upper(), f"  {words}. ", words.replace(" ", "-"), bid.key):
            assert rules.wording.parse(text) == bid
        assert rules.wording.parse(bid.key.upper()) == bid
        # what is said of one bid is the short form of no other
        assert read(normalise(words)).key(set(rules.ladder.kinds), tops) == bid.key


SAID = {
    "high_card:J": "jack high",
    "pair:3": "pair of threes",
    "two_pair:T,3": "pair of tens, pair of threes",
    "three:6": "three sixes",
    "flush:8c": "eight high club flush",
    "straight:A": "straight to the ace",
    "full_house:T,J": "tens full of jacks",
    "four:Q": "four queens",
    "straight_flush:Qh": "queen high heart straight flush",
    "straight_flush:As": "spade royal flush",
    "five:7": "five sevens",
}
SAID_IN_THAI_POKER = {
    "high_card:A": "high card ace",
    "straight:K": "small straight",
    "straight:A": "big straight",
    "flush:c": "club flush",
    "straight_flush:h": "heart straight flush",
    "royal_flush:s": "spade royal flush",
}


@pytest.mark.parametrize(("rules", "sentences"), [(LIARS, SAID), (THAI, SAID_IN_THAI_POKER)])
def test_bids_are_said_as_the_sources_say_them(rules, sentences):
    assert {key: rules.wording.say(rules.ladder.bid(key)) for key in sentences} == sentences


# by what they mean, parted by |
LIARS_FORMS = {
    "pair:3": (
        "33 | pair 3 | 3 3 | 3-3 | pair of three | a pair of threes | two threes | two 3s | 2 3's"
    ),
    "pair:2": "pair of deuces",
    "pair:T": "1010 | 10 10",
    "pair:A": "pair a | pair of as | aa | Ａ Ａ",
    "two_pair:Q,J": "qq jj | jj qq | qqjj",
    "two_pair:T,3": (
        "t t 3 3 | tens and threes | tens & threes | two pair 3 t | 2pair tens threes"
        " | pair 3 pair t | two tens two threes"
    ),
    "three:6": (
        "666 | trips 6 | set of 6s | 3 of a kind 6 | three of a kind sixes | three 6s | 3 6s"
    ),
    "flush:8c": (
        "8c flush | 8 c flush | flush 8c | 8♣ flush | 8♣\ufe0f flush | 8 of clubs flush"
        " | 8 high clubs | eight high flush of clubs"
    ),
    "flush:8s": "8s flush | 8♤ flush | 8s high",
    "flush:Ts": "10s flush",
    "flush:As": "an ace high spade flush",
    "flush:Ac": "a high flush c",
    "straight:A": "straight a | straight to the ace",
    "straight:T": "ten high straight | str8 10 | run to 10 | straight 6 to 10",
    "straight:K": "9 to k straight",
    "straight:5": "wheel straight | the wheel | straight ace to five | straight a to 5",
    "full_house:J,T": (
        "jacks full of tens | jacks full of tens | jjjtt | ttjjj | tt jjj | full house j t"
        " | full house tt jjj | boat jacks tens | three jacks two tens | jjj over tt"
    ),
    "full_house:A,K": "a over k",
    "four:8": "quad 8 | quad eights | 4oak 8",
    "three:9": "trip 9s | set of nines | triple 9 | three kind 9 | trips 9",
    "flush:8h": "flush ♥8 | ❤️8 flush | 8 ❤ flush",
    "straight_flush:5h": "steel wheel hearts",
    "pair:9": "double 9 | pairs of 9 | one pair of nines | 2 of a kind 9",
    "four:Q": "qqqq | 4 queens | quads q | four of a kind queens",
    "straight_flush:Qh": (
        "sf qh | straight flush qh | straight flush to the queen of hearts | straightflush q h"
    ),
    "straight_flush:Qs": "qs straight flush",
    "straight_flush:As": "royal spades | royal flush s | as royal | ace high spade straight flush",
    "five:7": "77777 | five 7s | 5 of a kind 7",
    "high_card:J": "jack | j | j high | one jack | one jack high",
    "high_card:A": "1 ace | a single ace | an ace | highest card ace",
    "high_card:K": "a king high",
    "high_card:3": "high card 3 | 3 high | trey high | one three",
}
THAI_FORMS = {
    "straight:K": "small straight | straight small | little str8 | straight 9 to k",
    "straight:A": "big straight to the ace | straight a",
    "flush:c": "flush c | flush of clubs",
    "flush:h": "♥ flush",
    "straight_flush:h": "straight flush h | sf hearts",
    "royal_flush:h": "royal h | rf hearts | a royal flush of hearts",
    "pair:K": "kk",
    "high_card:9": "9",
    "full_house:K,9": "kings full of nines",
}


def pairs(forms):
    """Return each short form with the key that it means."""
    return [(text, key) for key, texts in forms.items() for text in texts.split(" | ")]


@pytest.mark.parametrize(("text", "key"), pairs(LIARS_FORMS))
def test_the_short_forms_that_players_type_are_understood(text, key):
    assert understood(LIARS, text) == key


@pytest.mark.parametrize(("text", "key"), pairs(THAI_FORMS))
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
        *("33 33", "three 333", "3 333", "33 3 3", "tens and tens", "tens full of tens", "3 three"),
        *("pair of threes, pair of threes", "two pair tens tens", "333 pair", "pair of three 3s"),
        *("33 over 222", "pair of threes over three twos", "straight 99", "straight tens"),
        *("flush 8c d", "flush 8 8 c", "8c flush pair", "straight pair", "pair of kings hearts"),
        *("flush over 8c", "straight over 9", "full flush 8c", "straight 9 to a", "straight k 9"),
        *("small straight", "big straight", "small flush 8c", "big royal s", "high pair 3"),
        *("straight a to k", "straight a 9", "straight 6 7 8 9 10", "high straight 9 to k"),
        *("king of hearts high card", "royal flush k s", "8 9 c flush", "333333", "king queen"),
        *("k a", "a k", "a k high", "a a a k", "a qq", "33 22 44", "three tens full of jacks"),
        # not in this game
        *("1", "11", "pair of ones", "straight 3", "2 high club flush", "small", "joker"),
        # not a bid at all
        *("no pair of threes", "not 33", "pair of threes please", "challenge", "/bid 33", "3×3"),
        *("1 3", "one jacks", "one jack two kings", "pair one jack", "straight 9 up", "from 9"),
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
    assert str(error).startswith(('"', "Expected a bid"))
    assert "Did you mean" in str(error) or "Example: " in str(error)
    assert len(str(error)) < 250
    assert str(error).isprintable()


@pytest.mark.parametrize("text", ["aces full", "aces full of", "aces over"])
def test_who_names_the_triplet_of_a_full_house_alone_means_one_of_these(text):
    meant = refusal(LIARS, text).meant
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


WORDS = """
    two three four five six ten jack queen king ace twos threes tens jacks kings aces
    2 3 8 9 10 t j q k a 33 aa kkk 9999 22222 8c qh as 3s 10s : , high_card: flush: x <@
    pair two-pair trips quads flush straight full house over high card small big
    royal straight-flush of kind the to and clubs hearts spade d ♥
"""
ALPHABET = st.sampled_from([*WORDS.split(), "\u200b"])


@pytest.mark.thorough
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


@pytest.mark.thorough
@given(st.lists(ALPHABET, min_size=1, max_size=6))
@settings(max_examples=100)
def test_a_text_with_a_word_that_is_not_understood_is_never_played(words):
    for at in (0, len(words) // 2, len(words)):
        refusal(LIARS, " ".join([*words[:at], "bluff", *words[at:]]))


@pytest.mark.thorough
@given(st.sampled_from([*LIARS.ladder]), st.data())
@settings(max_examples=300)
def test_a_bid_with_its_last_word_missing_is_not_taken_for_a_higher_one(bid, data):
    words = LIARS.wording.say(bid).split()
    cut_short = words[: data.draw(st.integers(0, len(words) - 1))]
    try:
        understood_bid = LIARS.wording.parse(" ".join(cut_short))
    except BidTextError:
        return
    assert LIARS.ladder.number(understood_bid) <= LIARS.ladder.number(bid)


def test_a_kind_alone_is_named_and_one_with_ranks_or_a_suit_is_a_bid() -> None:
    assert LIARS.wording.kind_named("any flush") is Kind.FLUSH
    assert LIARS.wording.kind_named("a straight") is Kind.STRAIGHT
    for text in ("flush of hearts", "pair of kings", "king", "", "purple"):
        assert LIARS.wording.kind_named(text) is None, text


# -- what is offered for a text that is not played, or not whole yet -----------------------------


@pytest.mark.parametrize(
    "text",
    ["two pair", "qq jj", "two pair q j", "tens and jacks", "2pair", "ace and jack", "king queen"],
)
def test_a_kind_of_hand_that_the_game_lacks_is_named(text):
    error = refusal(THAI, text)
    assert str(error) == 'Thai Poker has no two pair. Example: "pair of nines" or "99"'
    assert error.suggestions == ()
    assert understood(THAI, "99") == understood(THAI, "pair of nines") == "pair:9"


def few_bids(*rungs):
    """Return Thai Poker with only these bids on its ladder."""
    return replace(THAI, ladder=Ladder(tuple((THAI.ladder.bid(key),) for key in rungs)))


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("pair of kings", "no pair"),
        ("kkk", "no three of a kind"),
        ("straight", "no straight"),
        ("heart flush", "no flush"),
        ("kings full of queens", "no full house"),
        ("four of a kind", "no four of a kind"),
        ("sf hearts", "no straight flush"),
        ("royal flush", "no royal flush"),
        ("five kings", "no five of a kind without jokers"),
    ],
)
def test_every_kind_of_hand_may_be_the_one_a_game_lacks(text, lacks):
    rules = few_bids("high_card:9", "high_card:A")
    assert str(refusal(rules, text)) == f'Thai Poker has {lacks}. Example: "high card nine"'
    assert str(refusal(few_bids("pair:9"), "king high")).startswith("Thai Poker has no high card.")


def test_a_royal_flush_is_not_lacking_where_it_is_a_straight_flush_to_the_ace():
    assert "Did you mean" in str(refusal(LIARS, "royal flush"))
    assert "has no" not in str(refusal(LIARS, "royal flush"))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("pair of therees", "pair:3"),
        ("qween high", "high_card:Q"),
        ("staight to the ace", "straight:A"),
        ("eight hgih club flush", "flush:8c"),
        ("tens ovr jacks", "full_house:T,J"),
        ("3", "high_card:3"),
        ("three", "high_card:3"),
        ("33 33", "pair:3"),
        ("tens and tens", "three:T"),
        ("33 over 222", "full_house:2,3"),
        ("royal flush", "straight_flush:As"),
        ("three sixs", "three:6"),
        ("royal flsh spades", "straight_flush:As"),
    ],
)
def test_a_typo_or_a_contradiction_is_asked_about_and_not_played(text, meant):
    error = refusal(LIARS, text)
    assert meant in [bid.key for bid in error.suggestions]
    assert f'Did you mean "{LIARS.wording.say(error.suggestions[0])}"' in str(error)
    assert 1 <= len(error.suggestions) <= 5


def meant(rules, text):
    """Return the keys of the bids that a refused text may mean, separated by spaces."""
    return " ".join(bid.key for bid in refusal(rules, text).meant)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("jacks", "pair:J three:J four:J five:J"),
        ("qeens", "pair:Q three:Q four:Q five:Q"),
        ("pare of kings", "pair:K three:K four:K five:K"),
        ("three 9", "three:9 two_pair:9,3"),
        ("three queen", "three:Q two_pair:Q,3"),
        ("5 aces pls", "five:A"),
        ("i bid 33", "pair:3"),
        ("33 🙏", "pair:3"),
        ("33🙏", "pair:3"),
        ("call 33", "pair:3"),
        ("no pair of threes", "pair:3"),  # asked, never played
        ("one jack pls", "high_card:J"),
        ("jack pls", "high_card:J pair:J three:J four:J five:J"),
        ("3x9", "three:9"),
        ("9x3", "three:9"),
        ("jjs", "pair:J"),
        ("kings x3", "three:K"),
        ("10 x 4", "four:T two_pair:T,4"),
        ("full house kq", "full_house:K,Q"),
        ("jhigh", "high_card:J"),
        ("threekings", "three:K"),
        ("aces high", "high_card:A"),
        ("at least 33", "pair:3"),
        ("pneumonoultramicroscopic 33", "pair:3"),
        ("56789", "straight:9"),
        ("straight 6 7 8 9 10", "straight:T"),
        ("5-9", "five:9 two_pair:9,5 straight:9"),
        ("ace and jack", "two_pair:A,J"),
        ("king queen", "two_pair:K,Q"),
        ("straight from 9", "straight:9 straight:K"),
        ("straight 9 up", "straight:9 straight:K"),
        ("tree kings", "three:K"),
        ("your pair of 9s", "pair:9"),
        ("8♥", "high_card:8 flush:8h straight_flush:8h"),
        ("9 flsh", "flush:9c flush:9d flush:9h flush:9s"),
        ("ace high flush", "flush:Ac flush:Ad flush:Ah flush:As"),
        ("sf k", "straight_flush:Kc straight_flush:Kd straight_flush:Kh straight_flush:Ks"),
        ("pair of kings and queens", "two_pair:K,Q"),
        ("pair of kings hearts", "pair:K"),
        ("222 and 3", "full_house:2,3"),
    ],
)
def test_what_is_offered_is_all_that_a_text_leaves_open(text, keys):
    assert meant(LIARS, text) == keys
    assert refusal(LIARS, text).suggestions == refusal(LIARS, text).meant


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("three 9", "three:9"),  # of what else it may mean nothing is in this game
        ("9 high flush hearts", "flush:h"),
        ("straight to 8", "straight:K straight:A"),
        ("small", "straight:K"),
        ("royal", "royal_flush:c royal_flush:d royal_flush:h royal_flush:s"),
    ],
)
def test_only_bids_of_the_game_are_offered(text, keys):
    assert meant(THAI, text) == keys


@pytest.mark.parametrize(
    ("rules", "text", "kind", "example"),
    [
        (LIARS, "full hous", "full house", "twos full of threes"),
        (LIARS, "full house", "full house", "twos full of threes"),
        (LIARS, "ful house", "full house", "twos full of threes"),
        (LIARS, "aces full", "full house", "aces full of twos"),
        (LIARS, "two pair", "two pair", "pair of threes, pair of twos"),
        (LIARS, "two pairs kings", "two pair", "pair of kings, pair of twos"),
        (LIARS, "kings up", "two pair", "pair of kings, pair of twos"),
        (LIARS, "three of a kind", "three of a kind", "three twos"),
        (LIARS, "strait", "straight", "straight to the five"),
        (LIARS, "flush hearts", "flush", "six high heart flush"),
        (LIARS, "high", "high card", "two high"),
        (LIARS, "hearts", "hand", "six high heart flush"),
        (THAI, "full house", "full house", "nines full of tens"),
    ],
)
def test_who_names_a_kind_of_hand_alone_is_asked_which_one(rules, text, kind, example):
    error = refusal(rules, text)
    assert str(error) == f'"{text}" does not say which {kind}. Example: "{example}"'
    assert error.suggestions == ()
    if kind != "hand":
        assert {bid.kind.label for bid in error.meant} == {kind}


def test_where_few_are_left_of_many_they_are_offered():
    error = refusal(LIARS, "full hous")
    standing = LIARS.ladder.number(LIARS.ladder.bid("full_house:A,J"))
    left = [bid for bid in error.meant if LIARS.ladder.number(bid) > standing]
    assert [bid.key for bid in bids_to_offer(left)] == ["full_house:A,Q", "full_house:A,K"]


DOUBTS = (
    *("i call", "call", "check", "challenge", "liar", "bluff!", "doubt it", "I don't believe you"),
    *("chalenge", "Call it!", "bullshit", "check pls", "I'm checking"),
)


@pytest.mark.parametrize("text", DOUBTS)
def test_who_types_that_they_challenge_is_told_apart(text):
    error = refusal(LIARS, text)
    assert error.doubts
    assert error.meant == ()


def test_a_text_of_many_strange_words_means_nothing_whatever_stands_among_them():
    strange = "lorem ipsum dolor sit amet consectetur adipiscing elit sed"
    assert meant(LIARS, f"{strange} 33") == ""
    assert meant(LIARS, "lorem ipsum 33 dolor sit amet") == "pair:3"


@pytest.mark.parametrize("text", ["call 33", "xyzzy", "33 over 222", "five sevens pls"])
def test_who_names_a_hand_does_not_challenge(text):
    assert not refusal(LIARS, text).doubts
    assert not refusal(BARE, "five sevens pls").doubts


def test_a_hand_that_the_game_lacks_is_named_in_a_text_with_other_words_too():
    assert refusal(BARE, "five sevens pls").lacks is Kind.FIVE
    assert refusal(BARE, "five 9").lacks is None  # fives and nines are possible
    assert refusal(THAI, "5 9").lacks is Kind.FIVE


@pytest.mark.thorough
@given(st.sampled_from([*LIARS.ladder]), st.data())
@settings(max_examples=200)
def test_a_bid_with_a_slip_of_the_finger_is_among_those_that_are_meant(bid, data):
    words = LIARS.wording.say(bid).split()
    long = [at for at, word in enumerate(words) if len(word) > 4]
    if not long:
        return
    at = data.draw(st.sampled_from(long))
    cut = data.draw(st.integers(1, len(words[at]) - 2))
    word = words[at]
    words[at] = word[:cut] + word[cut + 1] + word[cut] + word[cut + 2 :]
    try:
        may_be = [LIARS.wording.parse(" ".join(words))]
    except BidTextError as error:
        may_be = [*error.meant]
    assert bid in may_be, " ".join(words)


@pytest.mark.thorough
@given(
    st.sampled_from([*LIARS.ladder]),
    st.sampled_from(["pls", "i say", "ok", "🙏", "haha", "hmm…", "🔥🔥"]),
    st.booleans(),
)
def test_a_bid_with_a_word_too_many_is_the_one_that_is_offered(bid, word, before):
    words = LIARS.wording.say(bid)
    text = f"{word} {words}" if before else f"{words} {word}"
    assert refusal(LIARS, text).meant == (bid,)


@pytest.mark.parametrize(
    ("rules", "text", "beginning"),
    [
        (LIARS, "xyzzy", '"xyzzy" is not a bid here. Example: "pair of twos" or "22"'),
        (LIARS, "", "Expected a bid. Example: "),
        (LIARS, "x" * 10_000, f'"{"x" * 40}…" is not a bid here'),
        (THAI, "", 'Expected a bid. Example: "pair of nines" or "99"'),
        (THAI, "xyzzy", '"xyzzy" is not a bid here. Example: '),
        (
            BARE,
            "77777",
            'Liars\' Poker has no five of a kind without jokers. Example: "pair of twos" or "22"',
        ),
    ],
)
def test_a_refusal_names_what_was_typed_and_gives_an_example(rules, text, beginning):
    assert str(refusal(rules, text)).startswith(beginning)


def test_what_was_typed_is_completed_to_the_bids_it_may_become():
    wording, rungs = LIARS.wording, LIARS.ladder.rungs
    assert [bid.key for bid in wording.complete("pair of thr", rungs)][:1] == ["pair:3"]
    assert all("queen" in wording.say(bid) for bid in wording.complete("que", rungs))
    keys = [bid.key for bid in wording.complete("four q", rungs)]
    assert keys == ["two_pair:Q,4", "full_house:4,Q", "full_house:Q,4", "four:Q"]
    assert wording.complete("xyzzy", rungs) == []
    assert wording.complete("threes threes threes", rungs) == []
    top = LIARS.ladder.above(LIARS.ladder.bid("five:Q"))
    assert [bid.key for bid in wording.complete("", top)] == ["five:K", "five:A"]
    for text in ("33", "pair of threes"):  # a text that means one bid puts it first
        offered = wording.complete(text, rungs)
        assert offered[0].key == "pair:3"
        assert len(offered) == len(set(offered))


def test_a_text_that_means_a_bid_which_is_not_offered_is_completed_to_those_that_are():
    standing = LIARS.ladder.bid("full_house:A,K")
    above = LIARS.ladder.above(standing)
    for text in ("aa", "pair of aces", "pair:A", "33", "tens full of jacks"):
        assert LIARS.wording.complete(text, above) == []
    assert [bid.key for bid in LIARS.wording.complete("aaaa", above)] == ["four:A"]
    bids = LIARS.wording.complete("ace", above)
    assert bids
    assert all(LIARS.ladder.number(bid) > LIARS.ladder.number(standing) for bid in bids)


def test_completing_looks_for_no_bid_that_may_be_meant_instead(monkeypatch):
    def no_guess(*_):
        raise AssertionError("costly, and nobody asked")

    monkeypatch.setattr(type(LIARS.wording), "guess", no_guess)
    for text in ("qqj", "pair of", "zzz", "fuul house", ""):
        LIARS.wording.complete(text, LIARS.ladder.rungs)
