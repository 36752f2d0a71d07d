"""Fair deals: recomputed by twenty independent lines, unbiased, and frozen for ever."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import shutil
import subprocess
import sys
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import shuffle as fair
from engine.cards import Card
from engine.cutting import (
    CUT_EXAMPLE,
    LONGEST_CUT,
    ROUNDS,
    Cut,
    cut,
    cut_digest,
    cut_shuffle,
    read_cut,
    round_seed,
)
from engine.errors import TextError
from engine.shuffle import commitment, shuffle
from engine.variants import VARIANTS, ruleset

DECKS = {
    "54": ruleset("liars_poker").deck.order,
    "52": ruleset("liars_poker", {"jokers": 0}).deck.order,
    "24": ruleset("thai_poker").deck.order,
}
ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "tests" / "golden" / "shuffles.json"
CUT_VECTORS = ROOT / "tests" / "golden" / "cut_shuffles.json"
PAGE = (ROOT / "docs" / "fair-deals.md").read_text(encoding="utf-8")


def dealt_by_a_stranger(blocks, deck, players):
    """Return the deck's order and the drawn opener, by docs/fair-deals.md alone.

    `blocks`: the blocks of the random stream.
    """
    stream = b"".join(blocks)
    words = [int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4)]

    def below(bound):
        while (word := words.pop(0)) >= 2**32 // bound * bound:
            pass
        return word % bound

    cards = list(deck)
    for last in range(len(cards) - 1, 0, -1):
        place = below(last + 1)
        cards[last], cards[place] = cards[place], cards[last]
    return cards, below(players)


@given(st.binary(min_size=32, max_size=32), st.sampled_from([*DECKS]), st.integers(1, 10))
def test_a_stranger_recomputes_every_deal(seed, name, players):
    shuffled = shuffle(seed, DECKS[name], players)
    blocks = (
        hmac.new(seed, b"bluffhouse/shuffle/1" + i.to_bytes(8, "big"), hashlib.sha256).digest()
        for i in range(60)
    )
    order, drawn = dealt_by_a_stranger(blocks, DECKS[name], players)
    assert (list(shuffled.order), shuffled.drawn) == (order, drawn)
    assert sorted(shuffled.order) == sorted(DECKS[name])


def test_known_seeds_give_known_shuffles_for_ever(request):
    known = []
    for name, deck in DECKS.items():
        for text in ("00" * 32, "ff" * 32, bytes(range(32)).hex()):
            shuffled = shuffle(bytes.fromhex(text), deck, 6)
            numbers = [card.number for card in shuffled.order]
            known.append({"cards": int(name), "seed": text, "players": 6, "order": numbers})
            known[-1] |= {
                "drawn": shuffled.drawn,
                "commitment": commitment(bytes.fromhex(text)),
            }
    if request.config.getoption("--update-golden"):
        lines = ",\n".join(json.dumps(vector) for vector in known)
        VECTORS.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    assert json.loads(VECTORS.read_text(encoding="utf-8")) == known


def test_the_docs_print_what_the_engine_deals():
    printed = re.search(r"\$ node deal.js (\w+) 24 6\n(\w+)\n(.+)\n(\d+)\n", PAGE)
    assert printed is not None
    seed, committed, order, drawn = printed.groups()
    shuffled = shuffle(bytes.fromhex(seed), DECKS["24"], 6)
    assert committed == commitment(bytes.fromhex(seed))
    assert order == " ".join(map(str, shuffled.order))
    assert int(drawn) == shuffled.drawn


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
@pytest.mark.parametrize("name", DECKS)
def test_the_program_in_the_docs_deals_as_the_engine_does(name):
    (program,) = re.findall(r"```js\n(.+?)```", PAGE, re.DOTALL)
    seed = hashlib.sha256(b"a stranger").digest()
    command = ["node", "-e", program, "deal.js", seed.hex(), name, "7"]
    # `node -e` has no script in its arguments: "deal.js" takes that place
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    shuffled = shuffle(seed, DECKS[name], 7)
    order = " ".join(map(str, shuffled.order))
    assert printed.split("\n") == [commitment(seed), order, str(shuffled.drawn), ""]


def dealt_uncut(number, deck):
    return shuffle(hashlib.sha256(b"uniform %d" % number).digest(), deck, 5)


def dealt_with_words(number, deck):
    return cut_shuffle(SEED, [cut_digest(f"word {number}")], deck, 5)


@pytest.mark.parametrize("deal", [dealt_uncut, dealt_with_words])
def test_every_card_is_as_likely_in_every_place(deal):
    deck, deals = DECKS["24"][:6], 3000
    counts = [[0] * len(deck) for _ in deck]
    draws = [0] * 5
    for number in range(deals):
        dealt = deal(number, deck)
        draws[dealt.drawn] += 1
        for place, card in enumerate(dealt.order):
            counts[place][deck.index(card)] += 1
    expected = deals / len(deck)
    statistic = sum((n - expected) ** 2 / expected for row in counts for n in row)
    assert statistic < 52.6  # chi-square with 25 degrees of freedom: one in a thousand is beyond
    assert sum((n - deals / 5) ** 2 / (deals / 5) for n in draws) < 18.5  # 4 degrees


def test_a_word_that_would_favour_small_numbers_is_skipped(monkeypatch):
    # below 3, 0xffffffff is skipped: 2**32 - 1 words share out evenly; below 2 every word is fair
    words = iter([0xFFFFFFFF, 0xFFFFFFFF, 7, 0xFFFFFFFE, 0xFFFFFFFF, 8])
    monkeypatch.setattr(fair, "_stream", lambda seed: words)
    shuffled = shuffle(b"\0" * 32, (Card(0), Card(1), Card(2)), 3)
    # 7 % 3 = 1: places 2 and 1 swap; 0xfffffffe % 2 = 0: places 1 and 0 swap; 8 % 3 = 2 is drawn
    assert shuffled.order == (Card(2), Card(0), Card(1))
    assert shuffled.drawn == 2
    assert next(words, None) is None


# -- cutting the cards: version 2 ------------------------------------------------------------------

SEED = bytes(range(32))
WORDS = ("purple giraffe 7", "żółw 🐢")


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


@given(
    st.binary(min_size=32, max_size=32),
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), max_size=10),
    st.sampled_from([*DECKS]),
    st.integers(1, 10),
)
def test_a_stranger_recomputes_every_cut_deal(seed, texts, name, players):
    dealt = cut_shuffle(seed, [cut_digest(text) for text in texts], DECKS[name], players)
    cuts = [
        sha(b"bluffhouse/cut/2", len(text.encode()).to_bytes(4, "big"), text.encode())
        for text in texts
    ]
    key = sha(b"bluffhouse/deal/2", seed, len(cuts).to_bytes(4, "big"), *cuts)
    blocks = (sha(b"bluffhouse/stream/2", key, i.to_bytes(8, "big")) for i in range(60))
    order, drawn = dealt_by_a_stranger(blocks, DECKS[name], players)
    assert (list(dealt.order), dealt.drawn) == (order, drawn)
    assert sorted(dealt.order) == sorted(DECKS[name])


def test_known_seeds_and_words_give_known_shuffles_for_ever(request):
    known = []
    for name, deck in DECKS.items():
        for texts in ((), WORDS[:1], WORDS, WORDS[::-1]):
            dealt = cut_shuffle(SEED, [cut_digest(text) for text in texts], deck, 6)
            numbers = [card.number for card in dealt.order]
            known.append({"cards": int(name), "seed": SEED.hex(), "cuts": texts, "players": 6})
            known[-1] |= {"order": numbers, "drawn": dealt.drawn}
    if request.config.getoption("--update-golden"):
        lines = ",\n".join(json.dumps(vector, ensure_ascii=False) for vector in known)
        CUT_VECTORS.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    recorded = json.loads(CUT_VECTORS.read_text(encoding="utf-8"))
    assert [vector | {"cuts": tuple(vector["cuts"])} for vector in recorded] == known


def test_the_program_in_the_docs_deals_what_it_prints_and_what_the_engine_deals():
    (program,) = re.findall(r"```python\n(.+?)```", PAGE, re.DOTALL)
    printed = re.search(r'\$ python deal\.py (\w+) 24 6 "(.+?)" "(.+?)"\n(.+?)```', PAGE, re.DOTALL)
    assert printed is not None
    seed, *texts, answer = printed.groups()
    for name, words in (("24", texts), ("52", []), ("54", [])):
        command = [sys.executable, "-c", program, seed, name, "6", *words]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        dealt = cut_shuffle(
            bytes.fromhex(seed), [cut_digest(text) for text in words], DECKS[name], 6
        )
        order = " ".join(map(str, dealt.order))
        assert output.split("\n") == [commitment(bytes.fromhex(seed)), order, str(dealt.drawn), ""]
        assert output == answer or not words


def test_the_steps_of_the_worked_example_are_as_printed():
    printed = re.findall(r"\| (.+?) \| `([0-9a-f]{64})` \|", PAGE)
    seed = bytes.fromhex(dict(printed)["seed"])
    cuts = [cut_digest(text) for text in ("purple giraffe 7", "seven")]
    key = hashlib.sha256(
        b"bluffhouse/deal/2" + seed + b"\0\0\0\2" + bytes.fromhex("".join(cuts))
    ).digest()
    block = hashlib.sha256(b"bluffhouse/stream/2" + key + bytes(8)).hexdigest()
    assert [value for _, value in printed] == [seed.hex(), *cuts, key.hex(), block]


def test_every_part_of_a_cut_changes_the_deal():
    def order(seed, *texts):
        return cut_shuffle(seed, [cut_digest(text) for text in texts], DECKS["54"], 3).order

    # what could be glued together to the same bytes is told apart
    variants = [(), ("",), ("a",), ("b",), ("a", "b"), ("b", "a"), ("ab",), ("a", "b", ""), ("A",)]
    orders = {order(SEED, *texts) for texts in variants}
    orders |= {order(hashlib.sha256(SEED).digest()), shuffle(SEED, DECKS["54"], 3).order}
    assert len(orders) == len(variants) + 2


def test_the_seal_of_a_round_is_the_seed_of_the_round_before():
    seeds = [round_seed(SEED, number) for number in range(1, 9)]
    for before, after in pairwise(seeds):
        assert commitment(after) == before.hex()
    hashed = seeds[7]
    for _ in range(8):
        hashed = hashlib.sha256(hashed).digest()
    assert hashed.hex() == commitment(seeds[0])  # the seal that the lobby shows
    assert round_seed(SEED, ROUNDS) == SEED
    assert len({*seeds}) == 8
    for number in (-1, 0, ROUNDS + 1):
        with pytest.raises(ValueError, match=f"rounds 1 to {ROUNDS}, not for {number}"):
            round_seed(SEED, number)


def test_no_match_is_longer_than_a_chain():
    # each round costs somebody a card or their seat, except one a forfeit; see the rules
    for key in VARIANTS:
        rules = ruleset(key)
        for players in range(2, rules.most_players + 1):
            most = max(rules.card_limit(live, players) for live in range(2, players + 1))
            assert players * (most + 1) + players <= ROUNDS


@pytest.mark.parametrize("size", [0, 31, 33])
def test_roots_seeds_and_digests_have_thirty_two_bytes(size):
    for wrong in (
        lambda: shuffle(bytes(size), DECKS["24"], 2),
        lambda: round_seed(bytes(size), 1),
        lambda: cut_shuffle(bytes(size), (), DECKS["24"], 2),
        lambda: cut_shuffle(SEED, [bytes(size).hex()], DECKS["24"], 2),
    ):
        with pytest.raises(ValueError, match=f"32 bytes, not {size}"):
            wrong()


# -- what is typed --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("purple giraffe 7", "purple giraffe 7"),
        ("  two\n\tlines  ", "two lines"),
        ("ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
        ("z\u0307o\u0301łw", "żółw"),
        ("a`b``", "a'b''"),
        ("\u202eleft\u200b\u2066", "left"),
        ("heart ❤\ufe0f", "heart ❤"),
        ("👩\u200d🚀", "👩🚀"),
        ("@everyone <@1> **b**", "@everyone <@1> **b**"),  # shown as code, where nothing is markup
        ("x" * LONGEST_CUT, "x" * LONGEST_CUT),
        ("7", "7"),
    ],
)
def test_words_are_read_as_they_will_be_shown(typed, read):
    assert read_cut(typed) == read
    assert read_cut(read) == read


@pytest.mark.parametrize("typed", ["", " ", "\u200b\u2060", "\ufe0f", "\u2800", "\u0301", "\ud800"])
def test_words_that_nobody_sees_are_refused(typed):
    with pytest.raises(TextError, match=r"That looks empty\. Example: purple"):
        read_cut(typed)


@pytest.mark.parametrize("typed", ["x" * (LONGEST_CUT + 1), "x" * 5000, "\ufdfa" * 3])
def test_words_that_are_too_long_are_refused_and_never_shortened(typed):
    with pytest.raises(TextError, match=r"longer than 32 characters\. Example: purple giraffe 7"):
        read_cut(typed)


@given(st.text(max_size=60))
def test_whatever_is_read_is_short_visible_and_stays_the_same(typed):
    try:
        read = read_cut(typed)
    except TextError:
        return
    assert 0 < len(read) <= LONGEST_CUT
    assert "`" not in read
    assert all(unicodedata.category(char)[0] != "C" for char in read)
    assert read_cut(read) == read
    assert cut(0, read).genuine


def test_a_cut_whose_text_was_forgotten_is_as_good_as_before():
    first = cut(3, CUT_EXAMPLE)
    assert first == Cut(3, cut_digest(CUT_EXAMPLE), CUT_EXAMPLE)
    assert first.genuine
    assert Cut(3, first.digest, None).genuine
    assert not Cut(3, first.digest, "purple giraffe 8").genuine
