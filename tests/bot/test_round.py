"""A round by wire: bids in every way, doubts, refusals, hostile input, forfeits, showdowns."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import itertools
import re
from collections.abc import Iterator

import pytest

from bot.sandbox.driver import Person
from bot.sandbox.errors import CannotDo
from bot.sandbox.screen import SeenMessage
from tests.bot.conftest import Seat
from tests.bot.house import NATURAL, Table, running_bot, settings, whispered
from tests.people import until

LIARS, THAI = "Liars' Poker", "Thai Poker"
MOVED_ON = "The table has moved on."
CARD = re.compile(r"(?:10|[2-9JQKA])[♣♦♥♠]|★")


async def open_form(at: Table, person: Person, label: str = "Bid…"):  # type: ignore[no-untyped-def]
    """Open the form for a bid."""
    out = await person.click(at.shown(), label)
    assert out.modal is not None
    return out.modal


async def bid_by_form(at: Table, person: Person, **fields: str):  # type: ignore[no-untyped-def]
    """Fill in the form by custom ids: text, kind, rank, second, suit."""
    modal = await open_form(at, person, "Call…" if "Call…" in at.shown().buttons else "Bid…")
    typed = {key: value if key == "text" else [value] for key, value in fields.items()}
    return await person.submit(modal, typed)


def hands_shown(at: Table) -> dict[str, list[str]]:
    """Every hand of a showdown by who held it ("middle" for nobody), as the text says."""
    found = {}
    for line in at.shown().text.splitlines():
        plain = line.replace("*", "")
        owner = re.match(r"-# (?:<@(\d+)>|(middle) hand) ", plain)
        if owner and CARD.search(plain):
            found[owner[1] or owner[2]] = CARD.findall(plain)
    return found


# -- bids ------------------------------------------------------------------------------------


async def test_a_bid_from_the_list_stands_at_once_in_the_same_message(table: Seat) -> None:
    at = await table(2)
    before = await at.start(THAI)
    bidder = at.turn()
    out = await bidder.select(before, None, "Pair of nines")
    assert out.kind == "update"
    assert at.shown().id == before.id
    assert at.standing() == "Pair of nines"
    assert f"by <@{bidder.id}>" in at.shown().text
    assert at.turn() is not bidder
    offered = [option["label"] for option in at.shown().select()["options"]]
    assert offered[0] == "Pair of tens"


@pytest.mark.parametrize(
    ("typed", "stands"),
    [("99", "Pair of nines"), ("straight a", "Big straight"), ("Pair of TENS", "Pair of tens")],
)
async def test_a_bid_is_typed_into_the_form(table: Seat, typed: str, stands: str) -> None:
    at = await table(2)
    await at.start(THAI)
    out = await bid_by_form(at, at.turn(), text=typed)
    assert out.kind == "update"
    assert at.standing() == stands


@pytest.mark.parametrize(
    ("game", "chosen", "stands"),
    [
        (THAI, {"kind": "flush", "suit": "h"}, "Heart flush ♥"),
        (THAI, {"kind": "full_house", "rank": "T", "second": "J"}, "Tens over jacks"),
        (LIARS, {"kind": "flush", "rank": "8", "suit": "c"}, "Eight high club flush ♣"),
        (
            LIARS,
            {"kind": "two_pair", "rank": "3", "second": "T"},
            "Pair of tens, pair of threes",
        ),
        (LIARS, {"kind": "pair", "rank": "3", "text": "33"}, "Pair of threes"),
    ],
)
async def test_a_bid_is_chosen_in_the_form(
    table: Seat, game: str, chosen: dict[str, str], stands: str
) -> None:
    at = await table(2)
    await at.start(game)
    out = await bid_by_form(at, at.turn(), **chosen)
    assert out.kind == "update", out.text
    assert at.standing() == stands


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({}, "Nothing was typed or chosen"),
        ({"rank": "A"}, "Choose the hand too"),
        ({"kind": "pair"}, "Choose the rank too"),
        ({"kind": "two_pair", "rank": "3"}, "Choose the second rank too"),
        ({"kind": "full_house", "second": "J"}, "Choose the rank too"),
        ({"kind": "flush", "rank": "8"}, "Choose the suit too"),
        ({"kind": "pair", "rank": "3", "suit": "h"}, "No hand that is still higher fits"),
        ({"kind": "full_house", "rank": "J", "second": "J"}, "No hand that is still higher fits"),
        ({"kind": "pair", "text": "three sixes"}, "What you typed and what you chose are two"),
        ({"text": "pair of thres"}, 'Did you mean "pair of threes"'),
        ({"text": "a royal mess"}, "Did you mean"),
    ],
)
async def test_a_form_that_is_not_one_bid_gets_one_sentence_and_no_bid(
    table: Seat, chosen: dict[str, str], said: str
) -> None:
    at = await table(2)
    await at.start(LIARS)
    person = at.turn()
    text = await whispered(bid_by_form(at, person, **chosen))
    assert said in text
    assert at.turn() is person
    assert at.standing() == "No call yet"


async def test_the_form_offers_only_what_can_still_be_legal(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    await bid_by_form(at, at.turn(), text="four kings")
    modal = await open_form(at, at.turn())
    offered = {
        field["custom_id"]: [option["value"] for option in field["options"]]
        for field in modal.fields.values()
        if field.get("options")
    }
    assert offered["kind"] == ["four", "straight_flush", "royal_flush"]
    assert offered["rank"] == ["A"]
    assert "second" not in offered
    assert sorted(offered["suit"]) == ["c", "d", "h", "s"]


async def test_a_bid_command_completes_what_is_typed_and_bids_it(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    first = at.turn()
    await whispered(first.slash(at.channel, "bid", hand="pair of jacks"))
    await at.settle()
    assert at.standing() == "Pair of jacks"
    second = at.turn()
    offered = await second.autocomplete(at.channel, "bid", "hand", "pair")
    names = [choice["name"] for choice in offered]
    assert "pair of queens" in names
    assert "pair of tens" not in names
    assert await second.autocomplete(at.channel, "bid", "hand", "x" * 90) == []
    said = await whispered(second.slash(at.channel, "bid", hand=names[0]))
    assert said == f"Bid: **{names[0]}**."


async def test_a_typo_in_the_command_is_asked_about_and_never_played(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    person = at.turn()
    said = await whispered(person.slash(at.channel, "bid", hand="pair of acess"))
    assert 'Did you mean "pair of aces"' in said
    assert at.standing() == "No bid yet"


async def test_the_top_of_the_ladder_leaves_nothing_but_to_doubt(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    await bid_by_form(at, at.turn(), text="royal flush spades")
    text = at.shown().text
    assert "nothing is higher: you must check" in text
    assert at.shown().buttons == ["Check", "My cards"]
    person = at.turn()
    said = await whispered(person.slash(at.channel, "bid", hand="99"))
    assert "is not higher than" in said
    await at.challenge(person)
    assert "Showdown" in at.shown().text


async def test_each_game_has_its_own_words(table: Seat) -> None:
    at = await table(2)
    await at.start(LIARS)
    assert {"Call…", "My cards"} <= set(at.shown().buttons)
    await at.call(at.turn())
    assert "Challenge" in at.shown().buttons
    doubter = at.turn()
    said = await whispered(doubter.slash(at.channel, "challenge"))
    assert said.startswith("Challenge!")
    await at.settle()
    assert f"<@{doubter.id}> challenged" in at.shown().text
    other = at.elsewhere(at.world.server("The Snug").add_text_channel("two"))
    await other.start(THAI)
    assert "Bid…" in other.shown().buttons
    await other.call(other.turn())
    checker = other.turn()
    await other.challenge(checker)
    assert f"<@{checker.id}> checked" in other.shown().text


# -- what is refused -----------------------------------------------------------------------------


async def test_whoever_is_not_to_act_is_told_who_is(table: Seat) -> None:
    at = await table(3)
    message = await at.start(THAI)
    turn = at.turn()
    other = next(one for one in at.people if one is not turn)
    said = f"It is not your turn: <@{turn.id}> is to act."
    assert await whispered(at.call(other)) == said
    assert await whispered(other.click(message, "Bid…")) == said
    assert await whispered(other.slash(at.channel, "bid", hand="99")) == said
    assert await whispered(other.slash(at.channel, "challenge")) == said
    opener = await whispered(turn.slash(at.channel, "challenge"))
    assert opener == "There is nothing to check yet: you open the round with any bid."
    assert at.standing() == "No bid yet"


async def test_an_onlooker_can_press_every_button_and_changes_nothing(table: Seat) -> None:
    at = await table(3)
    onlooker = at.people.pop()
    message = await at.start(THAI)
    await at.call(at.turn())
    before = at.shown().text
    for label in ("Bid…", "Check", "My cards"):
        said = await whispered(onlooker.click(message, label))
        assert said == "You have no seat at this table."
    value = at.shown().select()["options"][0]["value"]
    assert await whispered(onlooker.select(at.shown(), None, value)) == (
        "You have no seat at this table."
    )
    assert await whispered(onlooker.slash(at.channel, "forfeit")) == (
        "You have no seat at this table."
    )
    assert at.shown().text == before


async def test_a_button_of_an_older_round_is_stale(table: Seat) -> None:
    at = await table(2)
    first = await at.start(THAI)
    stale = dict(at.controls().items())
    await at.call(at.turn())
    await at.challenge(at.turn())
    await at.host.click(at.shown(), "Next round")
    await at.settle()
    now = at.shown()
    assert (await at.host.current(first)).buttons == []
    for label in ("Bid…", "Check"):
        said = await whispered(at.turn().forge(first, stale[label]))
        assert said.startswith(MOVED_ON)
        assert now.id in said
    assert at.standing() == "No bid yet"


@pytest.mark.parametrize(
    "custom_id",
    [
        "bh:challenge:999999999999999:1:1",
        "bh:challenge:1:999999999999999:1",
        "bh:challenge:1:1:999999999",
        "bh:challenge:99999999999999999999999999:1:1",
        "bh:pick:1:1:1",
        "bh:start:1:0:0",
        "bh:join:1:0:0",
        "bh:again:1:1:1",
        "bh:next:1:1:1",
        "bh:form:1:1:0",
        "bh:constructor:1:1:1",
        "bh:challenge:-1:1:1",
        "bh:challenge:1:1:1\n",
        "bh::::",
        "bh",
        "💥" * 50,
        "'; DROP TABLE tables; --",
        "bhf:bid:1:1:1",
    ],
)
async def test_a_forged_button_is_answered_and_changes_nothing(table: Seat, custom_id: str) -> None:
    at = await table(2)
    message = await at.start(THAI)
    before = at.shown().text
    for person in at.people:
        said = await whispered(person.forge(message, custom_id))
        assert said.count("\n") == 0
    await at.settle()
    assert at.shown().text == before


async def test_a_button_of_another_table_is_not_taken_here(table: Seat) -> None:
    at = await table(2)
    here = await at.start(THAI)
    other = at.elsewhere(at.world.server("The Snug").add_text_channel("two"))
    await other.start(THAI)
    select = other.shown().select()
    person = other.turn()
    said = await whispered(person.forge(here, select["custom_id"], [select["options"][0]["value"]]))
    assert said == MOVED_ON
    assert other.channel.id not in said
    assert other.standing() == "No bid yet"
    assert at.standing() == "No bid yet"


@pytest.mark.parametrize("key", ["", "pair:2", "five:7", "two_pair:9,T", "x" * 4000, "pair:9\x00"])
async def test_a_forged_choice_is_no_bid(table: Seat, key: str) -> None:
    at = await table(2)
    await at.start(THAI)
    person = at.turn()
    said = await whispered(person.forge(at.shown(), at.shown().select()["custom_id"], [key]))
    assert said == "There is no such bid in Thai Poker."
    assert at.standing() == "No bid yet"


async def test_a_bid_that_is_not_higher_is_refused_with_both_named(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    await bid_by_form(at, at.turn(), text="pair of kings")
    person = at.turn()
    said = await whispered(bid_by_form(at, person, text="99"))
    assert said == "“pair of nines” is not higher than “pair of kings”. Bid higher or check."
    said = await whispered(person.forge(at.shown(), at.shown().select()["custom_id"], ["pair:K"]))
    assert "is not higher than" in said
    assert at.standing() == "Pair of kings"


async def test_a_double_click_bids_once_and_both_are_answered(table: Seat) -> None:
    at = await table(2)
    message = await at.start(THAI)
    person = at.turn()
    outs = await asyncio.gather(*(at.call(person) for _ in range(2)))
    assert sorted(out.kind for out in outs) == ["message", "update"]
    await at.settle()
    assert at.turn() is not person
    assert at.shown().id == message.id


async def test_of_fifty_simultaneous_presses_one_is_accepted_and_all_are_answered(
    table: Seat,
) -> None:
    at = await table(2)
    await at.start(THAI)
    person = at.turn()
    values = [option["value"] for option in at.shown().select()["options"]]
    select = at.shown().select()["custom_id"]
    outs = await asyncio.gather(
        *(person.forge(at.shown(), select, [values[n % 25]]) for n in range(50))
    )
    assert [out.kind for out in outs].count("update") == 1
    refused = [out for out in outs if out.kind == "message"]
    assert len(refused) == 49
    assert all(out.message is not None and out.message.ephemeral for out in refused)
    live = await at.live()
    assert live.match is not None
    assert live.match.round is not None
    assert len(live.match.round.bids) == 1


async def test_fifty_people_who_press_start_deal_once(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    outs = await asyncio.gather(*(at.host.click(at.shown(), "Start") for _ in range(50)))
    assert [out.kind for out in outs].count("update") == 1
    await at.settle()
    rounds = [one for one in at.host.visible(at.channel) if "Round 1" in one.text]
    assert len(rounds) == 1
    assert all(len(one.dm_messages()) == 2 for one in at.people)


async def test_an_interaction_that_is_delivered_twice_is_applied_once(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    at.world.faults.duplicate_interactions(1)
    person = at.turn()
    await at.call(person)
    out = await at.call(at.turn(), option=2)
    person.repeat(out)
    await asyncio.sleep(0.05)
    await at.settle()
    live = await at.live()
    assert live.match is not None
    assert live.match.round is not None
    assert len(live.match.round.bids) == 2
    assert at.turn() is person
    await at.call(person)  # the table goes on


async def test_a_form_opened_before_a_restart_is_still_taken(table: Seat, tmp_path) -> None:  # type: ignore[no-untyped-def]
    at = await table(2, serve=False)
    async with running_bot(at.world, settings(tmp_path)) as bot:
        at.bot = bot
        await at.start(THAI)
        person = at.turn()
        modal = await open_form(at, person)
        stale_for = next(one for one in at.people if one is not person)
    async with running_bot(at.world, settings(tmp_path)) as bot:
        at.bot = bot
        out = await person.submit(modal, {"text": "pair of jacks"})
        assert out.kind == "update"
        assert at.standing() == "Pair of jacks"
        assert at.turn() is stale_for


HOSTILE = (
    "x" * 10_000,
    "@everyone @here <@1> <#2> <@&3> " * 20,
    "**bold** _it_ `code` ~~no~~ ||spoil|| > quote\n# head [a](http://evil.example)",
    "\u202epair\u0000😀" * 500,
    "９９ 𝟡𝟡 ⑨ ٩٩",
    " ",
    "{0.__class__} %s %n $(reboot) ${PATH}",
)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
async def test_hostile_text_in_a_form_gets_a_harmless_sentence(table: Seat, text: str) -> None:
    at = await table(2)
    await at.start(THAI)
    person = at.turn()
    modal = await open_form(at, person)
    field = {"type": 4, "id": 1, "custom_id": "text", "value": text}
    part = {"type": 18, "id": 2, "component": field}
    forged = person.forge_submit(
        at.channel, modal.payload["custom_id"], [part], message=at.shown().id
    )
    said = await whispered(forged)
    assert len(said) < 600
    assert not re.search(r"(?<!\\)[*_~`|>\[]|<[@#]|@everyone", said), said
    assert at.standing() == "No bid yet"


@pytest.mark.parametrize("text", [one[:100] for one in HOSTILE], ids=range(len(HOSTILE)))
async def test_hostile_text_in_the_command_gets_a_harmless_sentence(table: Seat, text: str) -> None:
    at = await table(2)
    await at.start(THAI)
    said = await whispered(at.turn().slash(at.channel, "bid", hand=text))
    assert not re.search(r"(?<!\\)[*_~`|>\[]|<[@#]|@everyone", said), said
    await at.turn().autocomplete(at.channel, "bid", "hand", text)
    assert at.standing() == "No bid yet"


async def test_a_form_of_nonsense_is_answered(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    here = at.shown().id
    seq = at.controls()["Bid…"].split(":", 2)[2]
    for custom_id in (f"bhf:bid:{seq}", "bhf:rules:1:0:0", "bhf:nothing:1:1:1", "what"):
        for parts in ([], [{"type": 18, "component": {"custom_id": "kind", "values": ["zzz"]}}]):
            said = await whispered(
                at.turn().forge_submit(at.channel, custom_id, parts, message=here)
            )
            assert said
    assert at.standing() == "No bid yet"


# -- leaving ------------------------------------------------------------------------------------


async def test_a_bidder_who_forfeits_leaves_the_bid_standing_and_nobody_pays(table: Seat) -> None:
    at = await table(3)
    await at.start(THAI)
    bidder = at.turn()
    await bid_by_form(at, bidder, text="royal flush spades")
    await whispered(bidder.slash(at.channel, "forfeit"))
    await at.settle()
    text = at.shown().text
    assert f"<@{bidder.id}> has left, 2 cards still in play" in text
    assert "6 cards in play" in text
    doubter = at.turn()
    await at.challenge(doubter)
    text = at.shown().text
    assert "Whoever bid has left the match: nobody gains a card." in text
    assert len(hands_shown(at)) == 3


async def test_whoever_forfeits_in_turn_passes_the_turn_on(table: Seat) -> None:
    at = await table(3)
    await at.start(THAI)
    leaving = at.turn()
    await whispered(leaving.slash(at.channel, "forfeit"))
    await at.settle()
    assert at.turn() is not leaving
    assert "open the round" in at.shown().text
    said = await whispered(leaving.slash(at.channel, "forfeit"))
    assert said == "You are out of this match."
    out = await leaving.click(at.shown(), "My cards")
    assert "your 2 cards" in out.text


async def test_the_last_to_stay_wins_and_the_seed_is_shown(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    ann, bob = at.people
    await at.call(at.turn())
    await whispered(ann.slash(at.channel, "forfeit"))
    await at.settle()
    text = at.shown().text
    assert f"<@{bob.id}> wins the match" in text
    assert "ends without a showdown" in text
    assert "seed `" in text
    assert len(hands_shown(at)) == 2
    said = await whispered(bob.slash(at.channel, "challenge"))
    assert said.startswith(f"The match is over: <@{bob.id}> has won.")


async def test_whoever_is_away_too_long_forfeits_but_not_who_has_just_bid(table: Seat) -> None:
    at = await table(3, turn_minutes=1)
    await at.start(THAI)
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


def stranger_deals(seed: bytes, players: int) -> tuple[list[str], int]:
    """A deck order and a drawn opener, recomputed from the published layout alone."""

    def words() -> Iterator[int]:
        for block in itertools.count():
            told = b"bluffhouse/shuffle/1" + block.to_bytes(8, "big")
            digest = hmac.new(seed, told, hashlib.sha256).digest()
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
    text = (await at.start(THAI)).text
    sealed = re.search(r"sealed deal `([0-9a-f]{64})`", text)
    assert sealed is not None
    assert "seed" not in text
    opener = at.people.index(at.turn())
    own = {person.id: at.own_cards(person) for person in at.people}
    await at.call(at.turn())
    await at.challenge(at.turn())
    shown = re.search(r"seed `([0-9a-f]{64})`", at.shown().text)
    assert shown is not None
    seed = bytes.fromhex(shown[1])
    assert hashlib.sha256(seed).hexdigest() == sealed[1]
    deck, drawn = stranger_deals(seed, players=4)
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
    held = re.search(r"### It holds: (.+)", text)
    assert held is not None
    assert held[1][:-1] == rank
    assert held[1] in pool
    assert f"<@{challenger[1]}> loses the round and now holds **3 cards**" in text
    assert f"<@{challenger[1]}> 3" in text
    assert f"**{held[1]}**" in text  # marked among the hands
    await at.host.click(at.shown(), "Next round")
    await at.settle()
    assert at.turn().id == challenger[1]
    text = await judge(at, "royal flush spades")
    missing = {"10♠", "J♠", "Q♠", "K♠", "A♠"} - set().union(
        *(set(cards) for cards in hands_shown(at).values())
    )
    short = re.search(r"### It fails: (.+) short", text)
    assert short is not None
    assert set(NATURAL.findall(short[1])) == missing
    assert f"<@{challenger[1]}> loses the round and now holds **4 cards**" in text
    picture = at.shown().attachments
    assert len(picture) == 1
    assert all(one in at.shown().text for one in missing)


async def test_the_next_round_is_dealt_by_itself(table: Seat) -> None:
    at = await table(2, next_round_seconds=0.2)
    await at.start(THAI)
    await at.call(at.turn())
    shown: SeenMessage = at.shown()
    await at.challenge(at.turn())
    assert "Next round <t:" in (await at.host.current(shown)).text
    await until(lambda: "Round 2" in at.shown().text and "Bid…" in at.shown().text)
    await at.settle()
    old = await at.host.current(shown)
    assert "Showdown" in old.text
    if "Next round" in old.buttons:  # nobody pressed it: it is stale, and says so
        assert (await whispered(at.host.click(old, "Next round"))).startswith(MOVED_ON)


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
    assert [out.kind for out in answered].count("update") == 1  # type: ignore[union-attr]
    await at.settle()
    assert len([one for one in at.host.visible(at.channel) if "Round 2" in one.text]) == 1


async def test_who_is_out_is_told_and_dealt_nothing_more(table: Seat) -> None:
    at = await table(3)
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
    said = await whispered(loser.click(at.shown(), "My cards"))
    assert said == "You hold no cards in this round."
    assert await whispered(loser.click(at.shown(), "Bid…")) == "You are out of this match."
