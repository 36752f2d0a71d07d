"""Fair deals: the same numbers from twenty independent lines, unbiased, and frozen for ever."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import shuffle as fair
from engine.cards import Card
from engine.shuffle import commitment, shuffle
from engine.variants import ruleset

DECKS = {
    "54": ruleset("liars_poker").deck.order,
    "52": ruleset("liars_poker", {"jokers": 0}).deck.order,
    "24": ruleset("thai_poker").deck.order,
}
ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "tests" / "golden" / "shuffles.json"
PAGE = (ROOT / "docs" / "fair-deals.md").read_text(encoding="utf-8")


def dealt_by_a_stranger(seed, deck, players):
    """The layout of docs/fair-deals.md, read by somebody who does not know the engine."""
    message, stream = b"bluffhouse/shuffle/1", b""
    block = 0
    while len(stream) < 4 * 400:
        counter = block.to_bytes(8, "big")
        stream += hmac.new(seed, message + counter, hashlib.sha256).digest()
        block += 1
    words = [int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4)]

    def below(bound):
        while (word := words.pop(0)) >= 2**32 // bound * bound:
            pass
        return word % bound

    cards = list(deck)
    for last in range(len(cards) - 1, 0, -1):
        other = below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards, below(players)


@given(st.binary(min_size=32, max_size=32), st.sampled_from([*DECKS]), st.integers(1, 10))
def test_a_stranger_recomputes_every_deal(seed, name, players):
    shuffled = shuffle(seed, DECKS[name], players)
    order, drawn = dealt_by_a_stranger(seed, DECKS[name], players)
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


def test_the_commitment_is_the_sha_256_of_the_seed():
    assert commitment(b"\0" * 32) == (
        "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    )


def test_every_card_is_as_likely_in_every_place():
    deck, deals = DECKS["24"][:6], 6000
    counts = [[0] * len(deck) for _ in deck]
    draws = [0] * 5
    for number in range(deals):
        shuffled = shuffle(hashlib.sha256(b"uniform %d" % number).digest(), deck, 5)
        draws[shuffled.drawn] += 1
        for place, card in enumerate(shuffled.order):
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


@pytest.mark.parametrize("seed", [b"", b"\0" * 31, b"\0" * 33])
def test_a_seed_has_thirty_two_bytes(seed):
    with pytest.raises(ValueError, match=f"32 bytes, not {len(seed)}"):
        shuffle(seed, DECKS["24"], 2)
