"""Rounds over real sockets: bids, cuts, departures, showdowns, and the end and start of a match."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
import re
from collections.abc import Iterator

import pytest

from bot.discord.forms import example_of, in_letters
from bot.language.catalogues import KEYS, speaking
from bot.language.wordings import bid_text, parse_typed_bid
from bot.sandbox.discord_state import EPHEMERAL
from bot.sandbox.driver import Person
from bot.sandbox.errors import CannotDo
from bot.sandbox.interactions import MESSAGE
from bot.sandbox.screen import SeenModal
from engine.variants import VARIANTS, ruleset
from tests.bot.conftest import Seat
from tests.bot.discord.tables.clocked import Clocked, passes
from tests.bot.discord.tables.test_costs import ANSWER, POST, Costs
from tests.bot.harness import (
    FAIR,
    Table,
    bid_by_form,
    cut_form,
    cut_with,
    hands_shown,
    is_news,
    open_form,
    plain,
    private_reply,
    seat_names,
)
from tests.people import until

# -- bids: from the list, typed, chosen in the form, by command ------------------------------------

LIARS, THAI = "Liars' Poker", "Thai Poker"


async def test_a_bid_from_the_list_stands_at_once_in_the_same_message(table: Seat) -> None:
    at = await table(2)
    before = await at.start(THAI)
    bidder = at.turn()
    out = await bidder.select(before, None, "Pair of nines")
    assert out.kind == "update"
    assert at.message().id == before.id
    assert at.standing() == "Pair of nines"
    assert f"by <@{bidder.id}>" in at.message().text
    assert at.turn() is not bidder
    offered = [option["label"] for option in at.message().select()["options"]]
    assert offered[0] == "Pair of tens"


async def test_the_form_says_what_is_to_be_beaten_and_has_one_field_to_type_in(
    table: Seat,
) -> None:
    at = await table(2, plays=THAI)
    await bid_by_form(at, at.turn(), text="four kings")
    modal = await open_form(at, at.turn())
    assert list(modal.fields) == ["In words or shorthand"]
    assert "Higher than four kings. You hold " in str(modal.payload)
    assert modal.fields["In words or shorthand"]["placeholder"] == "heart straight flush"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("game", VARIANTS)
def test_the_forms_example_can_be_typed_as_shown(game: str, key: str) -> None:
    rules = ruleset(game)
    with speaking(key):
        for bid in rules.ladder:
            example, words, short = example_of(rules, bid), bid_text(rules, bid), in_letters(bid)
            assert example.startswith(words)
            assert example.endswith(f" {short}" if short else words)
            assert len(example) <= 100
            for typed in filter(None, (words, short)):
                assert parse_typed_bid(rules, typed) == bid


async def test_the_bid_command_completes_typed_text_and_makes_the_bid(table: Seat) -> None:
    at = await table(2, plays=THAI)
    first = at.turn()
    await private_reply(first.slash(at.channel, "bid", hand="pair of jacks"))
    await at.settle()
    assert at.standing() == "Pair of jacks"
    second = at.turn()
    offered = await second.autocomplete(at.channel, "bid", "hand", "pair")
    names = [choice["name"] for choice in offered]
    assert "pair of queens" in names
    assert "pair of tens" not in names
    assert await second.autocomplete(at.channel, "bid", "hand", "x" * 90) == []
    reply = await private_reply(second.slash(at.channel, "bid", hand=names[0]))
    assert reply == f"Bid: **{names[0]}**."


@pytest.mark.parametrize(
    ("standing", "says"),
    [
        ("pair of jacks", 'Did you mean "pair of queens"'),
        ("pair of aces", ', and "pair of queens" would not be higher. Bid higher, such as "'),
        ("four aces", ' would not be higher. Bid higher, such as "'),
    ],
)
async def test_possible_meanings_are_offered_only_if_they_are_higher(
    table: Seat, standing: str, says: str
) -> None:
    at = await table(2, plays=THAI)
    await bid_by_form(at, at.turn(), text=standing)
    await at.settle()
    person = at.turn()
    typed = await private_reply(person.slash(at.channel, "bid", hand="pair of queenss"))
    assert says in typed
    form = (await person.click(at.seat(person), "Type…")).modal
    assert form is not None
    await person.submit(form, {"text": "pair of queenss"})
    await at.settle()
    assert plain(typed) in plain(at.seat(person).text)
    named = set(re.findall('"([^"]+)"', typed.partition("Did you mean")[2]))
    buttons = at.seat(person).buttons
    assert all(any(name in label for label in buttons) for name in named), "one press makes it"


@pytest.mark.parametrize(
    ("plays", "locale", "typed", "first", "later"),
    [
        (
            *(LIARS, "en-US", "I call!"),
            "There's nothing to challenge yet. You open the round with any bid.",
            "To challenge the last bid, press Challenge.",
        ),
        (
            *(THAI, "en-US", "sprawdzam"),
            "There's nothing to challenge yet. You open the round with any bid.",
            "To challenge the last bid, press Challenge.",
        ),
        (
            *(THAI, "pl", "nie wierzę"),
            "Nie ma jeszcze czego sprawdzać: otwierasz rundę dowolną odzywką.",
            "Żeby sprawdzić ostatnią odzywkę, naciśnij Sprawdzam.",
        ),
    ],
)
async def test_a_player_who_types_a_challenge_is_told_which_button_to_press(
    table: Seat, plays: str, locale: str, typed: str, first: str, later: str
) -> None:
    at = await table(2, plays=plays)
    for person in at.people:
        at.world.state.users[person.id].locale = locale
    for expected in (first, later):
        person = at.turn()
        reply = await private_reply(person.slash(at.channel, "bid", hand=typed))
        assert reply.replace("*", "") == expected
        await at.call(person)
        await at.settle()


async def test_a_kind_of_hand_alone_is_asked_about_or_its_few_legal_bids_are_offered(
    table: Seat,
) -> None:
    at = await table(2, plays=LIARS)
    person = at.turn()
    reply = await private_reply(person.slash(at.channel, "bid", hand="full hous"))
    assert reply == '"full hous" does not say which full house. Example: "twos full of threes"'
    await bid_by_form(at, person, text="aces full of queens")
    await at.settle()
    reply = await private_reply(at.turn().slash(at.channel, "bid", hand="full hous"))
    assert reply.endswith('Did you mean "aces full of kings"?')
    reply = await private_reply(at.turn().slash(at.channel, "bid", hand="two pair"))
    assert reply.endswith('Bid higher, such as "aces full of kings", or challenge.')
    reply = await private_reply(at.turn().slash(at.channel, "bid", hand="jacks"))
    assert reply.endswith('Did you mean "four jacks" or "five jacks"?')


async def test_above_the_highest_bid_only_a_challenge_is_left(table: Seat) -> None:
    at = await table(2, plays=THAI)
    await bid_by_form(at, at.turn(), text="royal flush spades")
    text = at.message().text
    assert "nothing is higher: you must challenge" in text
    assert at.message().buttons == ["Fair deal ✓", "Challenge", "My seat"]
    person = at.turn()
    reply = await private_reply(person.slash(at.channel, "bid", hand="99"))
    assert "is not higher than" in reply
    assert reply.endswith("Nothing is higher: you must challenge.")
    reply = await private_reply(person.slash(at.channel, "bid", hand="pair of queenss"))
    assert "Did you mean" not in reply
    assert reply.endswith("Nothing is higher: you must challenge.")
    await at.challenge(person)
    assert "Showdown" in at.message().text


async def test_each_game_has_its_own_words(table: Seat) -> None:
    at = await table(2, plays=LIARS)
    assert {"Type…", "My seat"} <= set(at.message().buttons)
    await at.call(at.turn())
    assert "Challenge" in at.message().buttons
    doubter = at.turn()
    reply = await private_reply(doubter.slash(at.channel, "challenge"))
    assert reply.startswith("Challenge!")
    await at.settle()
    assert f"<@{doubter.id}> challenged" in at.message().text


# -- rounds ----------------------------------------------------------------------------------------


# -- leaving ------------------------------------------------------------------------------------


# -- showdowns ----------------------------------------------------------------------------------
def sha256(message: bytes) -> bytes:
    return hashlib.sha256(message).digest()


def stranger_deals(seed: bytes, players: int, *texts: str) -> tuple[list[str], int]:
    """Return a deck's order and the drawn opener's seat, computed as docs/fair-deals.md describes.

    `seed`: the deal's seed. `texts`: the texts that cut the deck, in order.
    """
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
        place = below(last + 1)
        deck[last], deck[place] = deck[place], deck[last]
    return deck, below(players)


async def test_the_shown_seed_matches_the_commitment_and_deals_the_same_hands(table: Seat) -> None:
    at = await table(4)
    lobby = await at.open(THAI)
    assert "seal" not in lobby.text
    (promised,) = digits(await at.check_deal(at.people[3]))
    await cut_with(at, at.people[1], " Purple\u200b   giraffe`7` ")
    await cut_with(at, at.people[2], "@everyone **7**")
    await cut_with(at, at.people[1], "zażółć")  # in place of what she said before, and last
    texts = ("@everyone **7**", "zażółć")
    assert "Purple" not in at.message().text
    await at.press("Start")
    record, table_message = at.public()[-2:]
    text_shown = f"Cut by <@{at.people[2].id}> `{texts[0]}` and <@{at.people[1].id}> `{texts[1]}`"
    assert f"seal `{promised[:32]}`" in record.text  # it stays in the channel, and so do the words
    assert text_shown in record.text
    assert not re.search(
        r"`[0-9a-f]{16,}`", table_message.text
    )  # only the lobby's seal is in sight
    assert "seed" not in table_message.text
    opener = at.people.index(at.turn())
    own_hands = {person.id: at.own_cards(person) for person in at.people}
    before = await at.check_deal(at.people[3])
    assert before.count("```") == 2  # the seal alone
    await at.play_round()
    assert not re.search(r"`[0-9a-f]{16,}`", at.message().text)
    text_shown = await at.check_deal(at.people[3])
    sealed, opened = re.findall(r"```\n([0-9a-f]{64})\n```", text_shown)
    assert sealed == promised
    for place, (person, text) in enumerate(zip(at.people[2:0:-1], texts, strict=True), start=1):
        assert f"{place}. <@{person.id}> `{text}`" in text_shown
    seed = bytes.fromhex(opened)
    assert hashlib.sha256(seed).hexdigest() == sealed
    assert "Checked just now: the seed fits the seal, and with these words it gives" in text_shown
    deck, drawn = stranger_deals(seed, 4, *texts)
    assert drawn == opener
    dealt = iter(deck)
    hands: dict[str, set[str]] = {person.id: set() for person in at.people}
    for _ in range(2):
        for place in range(4):
            hands[at.people[(opener + place) % 4].id].add(next(dealt))
    assert hands == own_hands
    assert {owner: set(cards) for owner, cards in hands_shown(at).items()} == hands


async def test_the_next_round_is_dealt_by_itself(with_clock: Clocked) -> None:
    async with with_clock(2, next_round_seconds=20.0) as (at, clock):
        await at.start(THAI)
        await at.play_round()
        assert "Showdown" in at.message().text
        passes(at, clock, 20.0)
        await until(lambda: "Round 2" in at.message().text and "Type…" in at.message().text)
        await at.settle()
        folded, showdown, _ = at.public()[-3:]
        assert folded.text.startswith("Round 1 · 1 bid · ")
        assert folded.buttons == ["Bidding"]
        assert "Showdown" in showdown.text  # stays as a record
        assert showdown.attachments
        assert showdown.buttons == []


async def test_only_a_seated_player_deals_the_next_round_and_only_once(table: Seat) -> None:
    at = await table(3)
    onlooker = at.people.pop()
    await at.start(THAI)
    await at.play_round()
    message = at.message()
    assert "not at this table" in await private_reply(onlooker.click(message, "Next round"))
    outs = await asyncio.gather(
        *(person.click(message, "Next round") for person in at.people * 3), return_exceptions=True
    )
    answered = [out for out in outs if not isinstance(out, CannotDo)]
    assert sum(is_news(out) for out in answered) == 1
    await at.settle()
    assert len([message for message in at.public() if "Round 2" in message.text]) == 1


# -- cutting the cards -----------------------------------------------------------------------------


def digits(text: str, length: int = 64) -> list[str]:
    """Return the seals and seeds in a text: its lowercase hex numbers of `length` digits."""
    return re.findall(rf"\b[0-9a-f]{{{length}}}\b", text)


def seal_in(form: SeenModal) -> str:
    seal = re.search(r"Sealed. Your words reshuffle it: ([0-9a-f ]+)", str(form.payload))
    assert seal is not None
    return seal[1].replace(" ", "")


async def test_the_seal_of_all_deals_is_behind_fair_deal_before_anybody_can_type(
    table: Seat,
) -> None:
    at = await table(2)
    out = await at.host.slash(at.channel, "play", game=THAI)
    assert digits(out.text, 32) == []  # one press away
    assert "Cut by" not in out.text
    (seal,) = digits(await at.check_deal(at.people[1]))
    assert seal_in(await cut_form(at, at.host)) == seal
    await at.people[1].click(at.message(), "Join")
    out = await cut_with(at, at.host, "purple giraffe 7")
    assert "purple giraffe 7" in out.text
    assert digits(out.text) == [seal]
    assert digits(await at.check_deal(at.people[1])) == [seal]


async def test_words_between_rounds_count_from_the_next_deal_and_hurry_or_delay_nobody(
    table: Seat,
) -> None:
    at = await table(2, plays=THAI, next_round_seconds=500.0)
    await at.play_round()
    due = (await at.live()).table.deadline
    ann, bob = at.people
    form = await cut_form(at, bob)
    coming = seal_in(form)
    (_, next_seal) = digits(await at.check_deal(bob))
    assert coming == next_seal  # the next seal is the seed that has just been shown
    out = await bob.submit(form, {"text": "between rounds"})
    cut = f"Next deal cut by <@{bob.id}> `between rounds`"
    assert cut in out.text
    assert cut in await at.check_deal(ann)
    assert (await at.live()).table.deadline == due
    await at.press("Next round")
    reply = await at.check_deal(ann)
    assert "Next deal cut" not in reply
    assert f"1. <@{bob.id}> `between rounds`" in reply
    (seal, first) = digits(reply)
    assert hashlib.sha256(bytes.fromhex(seal)).hexdigest() == first
    assert "Its SHA-256, taken 1 time, is this round's seal" in reply


async def test_words_that_come_after_the_deal_count_for_the_next(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    ann, bob = at.people
    form = await cut_form(at, bob)
    await at.press("Start", ann)
    drawn = at.message().id
    reply = await private_reply(bob.submit(form, {"text": "too late"}))
    assert reply == ("Round 1 was dealt before your words arrived. They'll count from round 2 on.")
    assert "Next deal cut by" in await at.check_deal(ann)
    assert at.message().id == drawn
    await at.call(at.turn())  # what stood on the screen is as good as before
    await at.challenge(at.turn())
    assert "Nobody has cut" in await at.check_deal(ann)
    await at.press("Next round")
    assert f"1. <@{bob.id}> `too late`" in await at.check_deal(ann)


# -- a short match ---------------------------------------------------------------------------------


# -- the story of a match that is over -------------------------------------------------------------


async def play_out(at: Table) -> None:
    """Play a match to its end, with false bids only."""
    await at.start(THAI)
    while "wins the match" not in at.message().text:
        await bid_by_form(at, at.turn(), text="royal flush clubs")
        await bid_by_form(at, at.turn(), text="royal flush spades")
        await at.challenge(at.turn())
        if "Next round" in at.message().buttons:
            await at.press("Next round")


async def test_the_end_of_a_match_stays_when_it_is_played_again(table: Seat) -> None:
    at = await table(2)
    await play_out(at)
    ann, bob = at.people
    ended = at.message()
    await bob.click(ended, "Play again")
    await at.settle()
    for _ in range(2):  # in the lobby, and when the next match is under way
        stays = await ann.current(ended)
        assert "**Boldest bluff:**" in stays.text
        assert "**Best catch:**" in stays.text
        kinds = [attachment["filename"].split("-")[0] for attachment in stays.attachments]
        assert kinds == ["showdown", "strip"]
        assert stays.buttons == ["Fair deal ✓", "Replay"]
        replay = await (await ann.click(stays, "Replay")).settle()
        assert "Round 1" in replay.text
        assert "Checked just now: the seed fits the seal" in await at.check_deal(ann, stays)
        if "I'm in" in at.message().buttons:
            await at.press("I'm in", ann)
    assert "Round 1" in at.message().text


async def test_a_strip_that_does_not_fit_is_shown_privately_by_a_button(
    table: Seat,
) -> None:
    at = await table(7, plays=THAI)
    for person in at.people[2:]:
        await at.forfeit(person)
    await at.forfeit(at.people[0])
    assert at.message().buttons == ["Fair deal ✓", "Play again", "Whole match", "Replay"]
    assert len(at.message().attachments) == 1
    out = await (await at.people[1].click(at.message(), "Whole match")).settle()
    assert out.seen.ephemeral
    assert "the whole match" in out.text
    assert len(out.seen.attachments) == 1
    assert all(person.name in out.text for person in at.people), "the picture in words"


async def test_the_evenings_score_counts_the_matches_of_this_channel(table: Seat) -> None:
    at = await table(3)
    ann, bob, cleo = at.people
    await let_win(at, ann)
    assert "**So far**" not in at.message().text  # of one match there is nothing to count
    elsewhere = at.elsewhere(at.world.server("The Snug").add_text_channel("high-stakes"))
    await let_win(elsewhere, cleo)
    assert "**So far**" not in elsewhere.message().text
    await let_win(at, bob)
    first = at.message()
    score = f"**So far**, 2 matches: <@{bob.id}>\u00a01 · <@{ann.id}>\u00a01"
    assert score in first.text
    await let_win(at, bob)
    score = f"**So far**, 3 matches: <@{bob.id}>\u00a02 · <@{ann.id}>\u00a01"
    assert score in at.message().text
    assert "3 matches" not in (await ann.current(first)).text


async def let_win(at: Table, winner: Person) -> None:
    """Play a match that everybody but the winner forfeits."""
    if "Play again" in [label for message in at.public() for label in message.buttons]:
        await at.press("Play again", winner)
        for person in at.people:
            if person is not winner:
                await person.click(at.message(), "I'm in")
        await at.settle()
    else:
        await at.start(THAI)
    for person in at.people:
        if person is not winner:
            await at.forfeit(person)
    await at.settle()


# -- play again ------------------------------------------------------------------------------------


async def play_forfeited_match(at: Table) -> None:
    """Play a match that everybody but the host forfeits at once."""
    await at.start(THAI)
    for person in at.people[1:]:
        await at.forfeit(person)
    await at.settle()


def pings_sent(at: Table) -> list[list[str]]:
    """Return the ids of the people whom each of the bot's public messages was allowed to ping."""
    bodies = []
    for request in at.world.state.requests:
        if (
            f"{request.method} {request.route}" == POST
            and f"/channels/{at.channel.id}/" in request.path
        ):
            bodies.append(request.body)
        elif f"{request.method} {request.route}" == ANSWER and request.body["type"] == MESSAGE:
            bodies += (
                [] if request.body["data"].get("flags", 0) & EPHEMERAL else [request.body["data"]]
            )
    return [[str(user) for user in body["allowed_mentions"].get("users", [])] for body in bodies]


async def test_play_again_asks_the_others_by_mention_and_starts_when_all_are_in(
    table: Seat,
) -> None:
    at = await table(3)
    await play_forfeited_match(at)
    ann, bob, cleo = at.people
    for _ in range(2):  # twice within a minute: each lobby is a message of its own
        ended = at.message()
        await bob.click(ended, "Play again")
        await at.settle()
        lobby = at.message()
        assert lobby.id != ended.id
        assert "Play again" not in (await ann.current(ended)).buttons
        line = next(line for line in lobby.text.splitlines() if "tap **I'm in**" in line)
        assert all(f"<@{person.id}>" in line for person in (ann, cleo))
        assert sorted(pings_sent(at)[-1]) == sorted([ann.id, cleo.id])
        assert seat_names(at) == ["Bob"]
        await cleo.click(lobby, "I'm in")
        assert "It starts <t:" in at.message().text
        assert seat_names(at) == ["Bob", "Cleo"]
        await ann.click(lobby, "I'm in")
        await at.settle()
        assert "Round 1" in at.message().text
        assert at.turn() is ann  # who won the match before opens
        assert pings_sent(at)[-1] == []
        for person in (bob, cleo):
            await at.forfeit(person)
        await at.settle()
        assert f"<@{ann.id}> wins the match" in at.message().text


async def test_a_second_press_of_play_again_shows_the_way_to_the_lobby(table: Seat) -> None:
    at = await table(3)
    await play_forfeited_match(at)
    _, bob, cleo = at.people
    ended = at.message()
    await asyncio.gather(*(person.click(ended, "Play again") for person in (bob, cleo)))
    await at.settle()
    (host,) = seat_names(at)
    slower = next(person for person in (bob, cleo) if person.name != host)
    assert "**Play again?** Tap **I'm in** at " in at.seat(slower).text
    assert "moved on" not in slower.text(at.channel)


async def test_a_rematch_does_not_wait_for_people_who_declined(table: Seat) -> None:
    at = await table(3)
    await play_forfeited_match(at)
    ann, bob, cleo = at.people
    await at.press("Play again", ann)
    await bob.click(at.message(), "Not this time")
    assert f"<@{bob.id}>" not in at.message().text
    reply = await private_reply(bob.click(at.message(), "Not this time"))
    assert reply.startswith("You weren't asked for this rematch, but")
    await at.press("I'm in", cleo)
    assert "Round 1" in at.message().text
    assert f"<@{bob.id}>" not in at.message().text


async def test_joining_a_rematch_with_an_open_seat_is_one_request(table: Seat) -> None:
    at = await table(3)
    await play_forfeited_match(at)
    ann, bob, _ = at.people
    await at.press("Play again", ann)
    await at.bot.delivery.settle()
    costs = Costs(at)
    await bob.click(at.message(), "I'm in")
    requests = await costs.since()
    assert requests.pop(ANSWER) == 1
    # besides, only seats that people have open follow the table
    assert all("webhooks" in request for request in requests), requests


async def test_latecomers_join_the_next_match_from_a_running_table(table: Seat) -> None:
    at = await table(3)
    late = at.people.pop()
    await at.start(THAI)
    await at.play_round()
    assert "Join the next match" not in at.message().buttons  # it's nothing for who plays
    prompt = await (await late.click(at.message(), "My seat")).settle()
    assert prompt.seen.ephemeral
    assert prompt.text.startswith("**You're not in this match.** Want to play in the next one?")
    taps = [late.click(prompt.seen, "Join the next match") for _ in range(2)]
    joined, _ = await asyncio.gather(*taps)
    assert joined.text.startswith("**You're in for the next match.**")
    await at.settle()
    assert f"In the next match: <@{late.id}>" in at.message().text
    out = await late.click(joined.seen, "Drop out")
    assert out.text.startswith("**You're not in this match.**")
    await at.settle()
    assert "In the next match" not in at.message().text
    await late.click(out.seen, "Join the next match")
    player = at.people[1]
    live = await at.live()
    reply = await private_reply(player.forge(at.message(), f"bh:wait:{live.table.id}:0:0"))
    assert reply == "You'll be asked anyway when this match is over."
    await at.press("Next round")
    assert f"In the next match: <@{late.id}>" in at.message().text
    await at.forfeit(player)
    await at.settle()
    await at.press("Play again")
    assert pings_sent(at)[-1] == [player.id, late.id]
    assert json.dumps(at.message().payload).count("I'm in") == 2  # asked in words, and the button


async def test_a_player_who_is_out_can_no_longer_cut(table: Seat) -> None:
    at = await table(3, plays=THAI)
    leaving = at.turn()
    await at.forfeit(leaving)
    assert f"<@{leaving.id}> has left, 2 cards still in play" in at.message().text
    await at.play_round()
    out = await (await leaving.click(at.message(), FAIR)).settle()
    assert out.seen.buttons == []
    live = await at.live()
    forged = f"bh:cut:{live.table.id}:{live.table.match_id}:1"
    reply = await private_reply(leaving.forge(out.seen, forged))
    assert reply == "You're out of this match."
