"""Ten people with the longest names in any script: every message is one that Discord takes.

The local Discord's rules (40 components, 4,000 characters, lengths of labels) and, where it is
beside the repository, Discord's own description both judge everything that was sent.
"""

from __future__ import annotations

import unicodedata

import pytest

from bot.sandbox.driver import Person
from bot.sandbox.rules.bodies import GALLERY
from tests.bot.conftest import Seat
from tests.bot.house import Table, choose, letters_too, whispered
from tests.bot.test_whole_matches import assert_all_taken, assert_nobody_is_called

LIARS, THAI = "Liars' Poker", "Thai Poker"
LONGEST = 32  # characters of a name
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
NAMES = tuple(
    (part * LONGEST)[:LONGEST]
    for part in (
        "龍井茶館",
        "ポーカーの夜",
        "포커의밤",
        "لعبة الخداع ",
        "משחק הבלוף ",
        "เกมไพ่โป๊กเกอร์",
        "खिलाड़ी",
        FAMILY,
        "e\u0301\u0302\u0303\u0323",  # accents upon accents
        "**_`~|>\u202e<@1>",  # markdown, right to left, a mention
    )
)


async def gathered(table: Seat) -> Table:
    at = await table(0)
    at.people = [at.world.add_person(name) for name in NAMES]
    assert {len(one.name) for one in at.people} == {LONGEST}
    return at


async def open_pad(at: Table, person: Person) -> int:
    """Walk through every kind of the pad; how many components its fullest step has."""
    fullest = 0
    kinds = [one for one in at.seat(person).buttons if one not in PLAIN]
    for kind in kinds:
        await person.click(at.seat(person), kind)
        fullest = max(fullest, len(at.seat(person).components))
        await person.click(at.seat(person), "Back")
    return max(fullest, len(at.seat(person).components))


PLAIN = {"Rules", "Type…", "Bring up to date", "Challenge", "Check bid", "Back"}


def alt(at: Table) -> str:
    pictures = [one for one in at.shown().components if one["type"] == GALLERY]
    return "\n".join(item["description"] for one in pictures for item in one["items"])


@pytest.mark.parametrize("game", [LIARS, THAI])
async def test_every_message_is_taken_at_ten_players_whatever_they_are_called(
    table: Seat, game: str
) -> None:
    at = await gathered(table)
    await letters_too(at, game)
    await whispered(at.people[9].slash(at.channel, "help", game=game))
    await at.open(game)
    assert "10 of 10" in at.shown().text
    stranger = at.world.add_person(NAMES[0][::-1])
    for label in ("How to play", "Options…"):
        await whispered(stranger.click(at.shown(), label))
    await at.option(stranger, "Tell me when a table opens")
    await choose(
        at,
        "Time and messages…",
        Length_of_the_match="Shorter, with one card more at the start",
        Reminders="On every turn",
    )
    await at.host.click(at.shown(), "Start")
    await at.settle()
    fullest = await open_pad(at, at.turn())
    assert fullest > 10
    for _ in range(11):  # more calls than a table shows, and than there are players
        await at.call(at.turn())
    await at.settle()
    await open_pad(at, at.turn())
    await whispered(at.people[2].click(at.shown(), "Bidding"))
    for voter in (5, 6):
        await whispered(
            at.people[voter].slash(at.channel, "leave", what="away", player=at.people[7])
        )
    await at.forfeit(at.people[8])
    await at.challenge(at.turn())
    assert "Showdown" in at.shown().text
    # what cannot be drawn is numbered or left out, never a bare line
    assert all(line.partition(":")[0].strip() for line in alt(at).splitlines())
    await whispered(stranger.click(at.shown(), "Join the next match"))
    await at.settle()
    assert f"In the next match: <@{stranger.id}>" in at.shown().text
    folded = at.public()[-2]
    assert "Round 1 · 11 " in folded.text
    await whispered(at.people[1].click(folded, "Bidding"))
    await whispered(at.people[0].click(at.shown(), "Fair deal ✓"))
    await at.host.click(at.shown(), "Next round")
    await at.settle()
    for person in at.people[1:]:
        live = (await at.live()).match
        assert live is not None
        if live.seats[live.seat_of(int(person.id)) or 0].live and len(live.live) > 1:
            await at.forfeit(person)
    await at.settle()
    assert "wins the match" in at.shown().text
    await whispered(at.people[6].click(at.shown(), "Whole match"))
    assert_nobody_is_called(at)
    await at.host.click(at.shown(), "Play again")  # which calls those who are asked
    await at.settle()
    assert "tap **I'm in**" in at.shown().text
    assert_all_taken(at)


def test_the_names_are_of_many_scripts() -> None:
    letters = {
        unicodedata.name(char).split()[0] for name in NAMES for char in name if char.isalpha()
    }
    assert {"CJK", "KATAKANA", "HANGUL", "ARABIC", "HEBREW", "THAI", "DEVANAGARI"} <= letters
