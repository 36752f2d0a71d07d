"""Rounds by wire: who leaves, what a showdown shows, what comes next."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import re
from collections.abc import Iterator

from benchmarks.reading import NATURAL
from bot.sandbox.errors import CannotDo
from tests.bot.conftest import Seat
from tests.bot.discord.tables.clocked import Clocked, passes
from tests.bot.house import (
    Table,
    bid_by_form,
    choose,
    cut_with,
    hands_shown,
    is_news,
    letters_too,
    whispered,
)
from tests.people import until

LIARS, THAI = "Liars' Poker", "Thai Poker"


# -- leaving ------------------------------------------------------------------------------------


async def test_a_bidder_who_forfeits_leaves_the_bid_standing_and_nobody_pays(table: Seat) -> None:
    at = await table(3)
    await at.start(THAI)
    bidder = at.turn()
    await bid_by_form(at, bidder, text="royal flush spades")
    await at.forfeit(bidder)
    text = at.shown().text
    assert f"<@{bidder.id}> has left, 2 cards still in play" in text
    assert "6 cards in play" in text
    doubter = at.turn()
    await at.challenge(doubter)
    text = at.shown().text
    assert "The bidder has left the match: nobody gains a card." in text
    assert len(hands_shown(at)) == 3


async def test_whoever_forfeits_in_turn_passes_the_turn_on(table: Seat) -> None:
    at = await table(3)
    await at.start(THAI)
    leaving = at.turn()
    await at.forfeit(leaving)
    assert at.turn() is not leaving
    assert "open the round" in at.shown().text
    said = await whispered(leaving.slash(at.channel, "leave"))
    assert said == "You are out of this match."
    out = await leaving.click(at.shown(), "My seat")
    assert set(NATURAL.findall(out.text)) == at.own_cards(leaving)
    assert len(at.own_cards(leaving)) == 2


async def test_the_last_to_stay_wins_and_the_seed_is_shown(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    ann, bob = at.people
    await at.call(at.turn())
    await at.forfeit(ann)
    text = at.shown().text
    assert f"<@{bob.id}> wins the match" in text
    assert "ends without a showdown" in text
    assert re.search(r"Seed\n```\n[0-9a-f]{64}\n```", await at.check_deal(bob))
    assert len(hands_shown(at)) == 2
    said = await whispered(bob.slash(at.channel, "challenge"))
    assert said.startswith(f"The match is over: <@{bob.id}> has won.")


async def test_whoever_is_away_too_long_forfeits_but_not_who_has_just_bid(table: Seat) -> None:
    at = await table(3, turn_minutes=1)
    await at.open(THAI)
    pace = {"Reminders": "Never", "When_time_runs_out": "Out of the match"}
    await choose(at, "Time and messages…", **pace)
    await at.host.click(at.shown(), "Start")
    await at.settle()
    away = at.turn()
    due = (await at.live()).table
    assert due.deadline_kind == "turn"
    await at.call(away)
    await at.bot.tables.on_deadline(due)  # comes at the very moment of the bid
    await at.settle()
    assert "has left" not in at.shown().text
    away = at.turn()
    await at.bot.tables.on_deadline((await at.live()).table)
    await at.settle()
    assert f"<@{away.id}> has left" in at.shown().text
    assert at.turn() is not away


# -- showdowns ----------------------------------------------------------------------------------


def sha256(message: bytes) -> bytes:
    return hashlib.sha256(message).digest()


def stranger_deals(seed: bytes, players: int, *texts: str) -> tuple[list[str], int]:
    """A deck order and a drawn opener, recomputed from the published layout alone."""
    cuts = b"".join(
        sha256(b"bluffhouse/cut/2" + len(text.encode()).to_bytes(4, "big") + text.encode())
        for text in texts
    )
    key = sha256(b"bluffhouse/deal/2" + seed + len(texts).to_bytes(4, "big") + cuts)

    def words() -> Iterator[int]:
        for block in itertools.count():
            digest = sha256(b"bluffhouse/stream/2" + key + block.to_bytes(8, "big"))
            for at in range(0, 32, 4):
                yield int.from_bytes(digest[at : at + 4], "big")

    stream = words()

    def below(bound: int) -> int:
        top = (1 << 32) - (1 << 32) % bound
        return next(word for word in stream if word < top) % bound

    deck = [rank + suit for suit in "♣♦♥♠" for rank in ("9", "10", "J", "Q", "K", "A")]
    for last in range(len(deck) - 1, 0, -1):
        other = below(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck, below(players)


async def test_the_shown_seed_opens_the_commitment_and_deals_the_very_hands(table: Seat) -> None:
    at = await table(4)
    lobby = await at.open(THAI)
    found = re.search(r"seal `([0-9a-f]{32})`", lobby.text)
    assert found is not None
    await cut_with(at, at.people[1], " Purple\u200b   giraffe`7` ")
    await cut_with(at, at.people[2], "@everyone **7**")
    await cut_with(at, at.people[1], "zażółć")  # in place of what she said before, and last
    texts = ("@everyone **7**", "zażółć")
    assert "Purple" not in at.shown().text
    await at.host.click(at.shown(), "Start")
    await at.settle()
    record, shown = at.public()[-2:]
    said = f"Cut by <@{at.people[2].id}> `{texts[0]}` and <@{at.people[1].id}> `{texts[1]}`"
    for message in (lobby, record):
        assert found[0] in message.text  # the seal stays in the channel, and so do the words
    assert said in record.text
    assert not re.search(r"`[0-9a-f]{16,}`", shown.text)  # only the lobby's seal is in sight
    assert "seed" not in shown.text
    opener = at.people.index(at.turn())
    own = {person.id: at.own_cards(person) for person in at.people}
    before = await at.check_deal(at.people[3])
    assert before.count("```") == 2  # the seal alone
    await at.call(at.turn())
    await at.challenge(at.turn())
    assert not re.search(r"`[0-9a-f]{16,}`", at.shown().text)
    said = await at.check_deal(at.people[3])
    sealed, opened = re.findall(r"```\n([0-9a-f]{64})\n```", said)
    assert sealed.startswith(found[1])
    for place, (person, text) in enumerate(zip(at.people[2:0:-1], texts, strict=True), start=1):
        assert f"{place}. <@{person.id}> `{text}`" in said
    seed = bytes.fromhex(opened)
    assert hashlib.sha256(seed).hexdigest() == sealed
    assert "Checked just now: the seed has this seal, and the seed and these words give" in said
    deck, drawn = stranger_deals(seed, 4, *texts)
    assert drawn == opener
    dealt = iter(deck)
    hands: dict[str, set[str]] = {person.id: set() for person in at.people}
    for _ in range(2):
        for place in range(4):
            hands[at.people[(opener + place) % 4].id].add(next(dealt))
    assert hands == own
    assert {owner: set(cards) for owner, cards in hands_shown(at).items()} == hands


async def judge(at: Table, typed: str) -> str:
    """Bid it, have it doubted; the text of the showdown."""
    await bid_by_form(at, at.turn(), text=typed)
    await at.challenge(at.turn())
    return at.shown().text


async def test_a_showdown_names_the_loser_the_counts_and_what_decided(table: Seat) -> None:
    at = await table(3)
    await at.start(THAI)
    pool = sorted(set().union(*(at.own_cards(one) for one in at.people)))
    rank = NATURAL.findall(pool[0])[0][:-1]
    bidder = at.turn()
    words = {"J": "jack", "Q": "queen", "K": "king", "A": "ace", "9": "nine", "10": "ten"}
    text = await judge(at, f"high card {words[rank]}")
    challenger = re.search(r"<@(\d+)> checked <@(\d+)>'s", text)
    assert challenger is not None
    assert challenger[2] == bidder.id
    assert "**It holds.**" in text
    held = re.search(r"\[([^\]]+)\]", text)  # marked among the hands, in the picture's words
    assert held is not None
    assert held[1][:-1] == rank
    assert held[1] in pool
    assert f"<@{challenger[1]}> loses the round and now holds **3 cards**" in text
    await at.host.click(at.shown(), "Next round")
    await at.settle()
    assert at.turn().id == challenger[1]
    text = await judge(at, "royal flush spades")
    missing = {"10♠", "J♠", "Q♠", "K♠", "A♠"} - set().union(
        *(set(cards) for cards in hands_shown(at).values())
    )
    short = re.search(r"\*\*It fails\*\*\. Missing: (.+)", text)
    assert short is not None
    assert set(NATURAL.findall(short[1])) == missing
    assert f"<@{challenger[1]}> loses the round and now holds **4 cards**" in text
    picture = at.shown().attachments
    assert len(picture) == 1
    assert all(one in at.shown().text for one in missing)


async def test_the_next_round_is_dealt_by_itself(clocked: Clocked) -> None:
    async with clocked(2, next_round_seconds=20.0) as (at, clock):
        await at.start(THAI)
        await at.call(at.turn())
        await at.challenge(at.turn())
        assert "Showdown" in at.shown().text
        passes(at, clock, 20.0)
        await until(lambda: "Round 2" in at.shown().text and "Bid…" in at.shown().text)
        await at.settle()
        folded, showdown, _ = at.public()[-3:]
        assert folded.text.startswith("Round 1 · 1 bid · ")
        assert folded.buttons == ["Bidding"]
        assert "Showdown" in showdown.text  # stays as a record
        assert showdown.attachments
        assert showdown.buttons == []


async def test_only_who_sits_here_deals_the_next_round_and_only_once(table: Seat) -> None:
    at = await table(3)
    onlooker = at.people.pop()
    await at.start(THAI)
    await at.call(at.turn())
    await at.challenge(at.turn())
    message = at.shown()
    assert "no seat" in await whispered(onlooker.click(message, "Next round"))
    outs = await asyncio.gather(
        *(person.click(message, "Next round") for person in at.people * 3), return_exceptions=True
    )
    answered = [out for out in outs if not isinstance(out, CannotDo)]
    assert sum(is_news(out) for out in answered) == 1
    await at.settle()
    assert len([one for one in at.public() if "Round 2" in one.text]) == 1


async def test_who_is_out_is_told_and_dealt_nothing_more(table: Seat) -> None:
    at = await table(3)
    await letters_too(at, THAI)
    await at.start(THAI)
    loser = at.turn()
    for _ in range(20):  # the loser opens each round and bids what cannot be
        if "is out of the match" in at.shown().text:
            break
        if "Next round" in at.shown().buttons:
            await at.host.click(at.shown(), "Next round")
            await at.settle()
        await judge(at, "royal flush spades")
    assert f"<@{loser.id}> **is out of the match**." in at.shown().text
    count = len(loser.dm_messages())
    await at.people[0].click(at.shown(), "Next round")
    await at.settle()
    assert f"<@{loser.id}> is out" in at.shown().text
    assert len(loser.dm_messages()) == count
    seat = await whispered(loser.click(at.shown(), "My seat"))
    assert not NATURAL.findall(seat)
    assert "Bid" not in seat
    assert await whispered(loser.click(at.shown(), "Bid…")) == "You are out of this match."
