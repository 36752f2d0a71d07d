"""Stats, leaderboards, seasons, and the deal of the day, over real sockets."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.boards.board import Text
from bot.boards.practice import practice_board
from bot.boards.seat import Notice
from bot.sandbox.driver import ActOutcome, Person
from bot.sandbox.errors import CannotDo
from bot.services.tables import Tables
from bot.storage.store import SqlStore
from bot.tables.model import Player
from tests.bot.conftest import Seat
from tests.bot.discord.odds.bench import Bench
from tests.bot.discord.tables.test_costs import Costs
from tests.bot.discord.tables.test_practice import screen, settled_screen, wait_for_button
from tests.bot.harness import Table, plain, private_reply, running_bot, settings
from tests.bot.practising import practise
from tests.bot.stats.seasons import keep, simulate_matches
from tests.bot.storage.persons import store_person

LIARS, THAI = "Liars' Poker", "Thai Poker"
DAY_WITH_A_CHOICE = 739_948  # 28 November 2026


@asynccontextmanager
async def after_matches(
    table: Seat, folder: Path, people: int = 4, matches: int = 16
) -> AsyncIterator[Table]:
    """Store `matches` random matches of `people` people, then yield their table."""
    at = await table(people, serve=False)
    store = await SqlStore.open(f"sqlite:///{folder / 'house.db'}")
    ids = tuple(int(person.id) for person in at.people)
    for match in simulate_matches("an evening", matches, int(at.channel.guild_id or 0), ids):
        await keep(store, match)
    for person in at.people:
        await store_person(store, Player(int(person.id), person.name))
    await store.close()
    async with running_bot(at.world, settings(folder)) as bot:
        at.bot = bot
        yield at


async def ask(at: Table, page: str, person: Person | None = None, **options: object) -> str:
    """Return what `/stats` shows publicly, with the descriptions of its pictures."""
    asker = person or at.host
    out = await (await asker.slash(at.channel, "stats", what=page, **options)).settle()
    assert out.message is not None, out
    assert not out.message.ephemeral
    return plain(out.message.text)


async def test_a_match_that_has_just_ended_is_in_the_statistics(table: Seat) -> None:
    at = await table(2)
    ann, bob = at.people
    answer = await ask(at, "statistics")
    assert f"<@{ann.id}> hasn't finished a match that counts here yet" in answer
    assert "Nobody's finished a match" in await ask(at, "leaderboard")
    await at.start(LIARS)
    await at.play_round()
    await at.forfeit(bob)
    answer = await ask(at, "statistics", game=LIARS)
    assert "Ann: Liars' Poker · Season 1" in answer
    assert "match: 1 (1 round)" in answer
    assert "win: 1 (0.5 expected)" in answer
    assert "provisional" in answer
    assert "Favourite victim: Bob (1–0)" in answer
    bobs = await ask(at, "statistics", player=bob)
    assert "Bob: All games · Season 1" in bobs
    assert "wins: 0 (0.5 expected)" in bobs
    assert "Nemesis: Ann (0–1)" in bobs
    challenges = [text.count("Successful challenges: none yet") for text in (answer, bobs)]
    assert sorted(challenges) == [0, 1]  # one of them challenged
    board = await ask(at, "leaderboard", game=LIARS)
    assert re.search(r"1. Ann: \d+\?, 1 of 1 won\n2. Bob: \d+\?, 0 of 1 won", board)
    assert "hasn't finished a match" in await ask(at, "statistics", game=THAI)


async def test_in_a_direct_message_stats_are_the_askers_own_in_the_server_played_in_last(
    table: Seat,
) -> None:
    at = await table(2)
    ann, bob = at.people
    mail = at.world.places.dm_channel(at.world.state.users[ann.id])
    out = await (await ann.slash(mail, "stats")).settle()
    assert "hasn't finished a match that counts here yet" in out.text
    await at.start(LIARS)
    await at.call(at.turn())
    await at.forfeit(bob)
    out = await (await ann.slash(mail, "stats")).settle()
    assert "Ann: All games · Season 1" in plain(out.text)
    for page in ("leaderboard", "seasons"):
        reply = await private_reply(ann.slash(mail, "stats", what=page))
        assert reply == "Each server has its own leaderboard and seasons. Please ask in the server."


async def test_the_leaderboard_turns_its_pages_in_place(table: Seat, tmp_path: Path) -> None:
    async with after_matches(table, tmp_path, people=11, matches=24) as at:
        out = await at.host.slash(at.channel, "stats", what="leaderboard")
        first = out.seen
        rows = re.findall(r"(\w+): \d+\??, \d+ of \d+ won", first.text)
        assert len(rows) == 10
        assert "Everyone starts at 1000" in first.text
        turned = await at.people[1].click(first, "Lower")
        assert turned.kind == "update"
        last = next(message for message in at.host.visible(at.channel) if message.id == first.id)
        assert "page 2 of 2" in last.text
        (eleventh,) = re.findall(r"(\w+): \d+\??, \d+ of \d+ won", last.text)
        assert {*rows, eleventh} == {person.name for person in at.people}
        await at.host.click(last, "Higher")
        again = next(message for message in at.host.visible(at.channel) if message.id == first.id)
        assert again.text == first.text


async def new_season(at: Table, name: str = "") -> ActOutcome:
    """Begin a season as the host, who must be a moderator."""
    seasons = await (await at.host.slash(at.channel, "stats", what="seasons")).settle()
    assert seasons.seen.ephemeral
    form = await at.host.click(seasons.seen, "New season…")
    return await at.host.submit(form.form, {"Its name": name} if name else {})


@pytest.mark.thorough
async def test_a_moderator_begins_a_season_and_the_old_one_stays_readable(
    table: Seat, tmp_path: Path
) -> None:
    async with after_matches(table, tmp_path) as at:
        at.world.server("The Snug").make_moderator(at.host)
        before = await ask(at, "leaderboard")
        begun = await new_season(at, "Winter *2027*")
        assert not begun.seen.ephemeral
        assert r"Winter \*2027\* has started" in begun.text
        assert "Nobody's finished a match" in await ask(at, "leaderboard")
        assert await ask(at, "leaderboard", season="1") == before
        assert await ask(at, "leaderboard", season="season 1") == before
        assert "Ann: All games · All seasons" in await ask(at, "statistics", season="all")
        offered = await at.host.autocomplete(at.channel, "stats", "season", "")
        assert [suggestion["name"] for suggestion in offered] == [
            "Winter *2027*",
            "Season 1",
            "All seasons",
        ]
        offered = await at.host.autocomplete(at.channel, "stats", "season", "wint")
        assert [suggestion["value"] for suggestion in offered] == ["2"]
        reply = await private_reply(at.host.slash(at.channel, "stats", season="7th"))
        assert 'no season "7th"' in reply
        assert '"Season 1" or "All seasons"' in reply
        assert "Winter \\*2027\\*" in reply  # a name is no markup
        reply = await private_reply(at.host.slash(at.channel, "stats", season="kind" * 1500))
        assert 'no season "kindkind' in reply
        assert len(reply) < 300


async def test_an_unnamed_seasons_name_is_in_each_readers_language(
    table: Seat, tmp_path: Path
) -> None:
    async with after_matches(table, tmp_path, matches=3) as at:
        at.world.server("The Snug").make_moderator(at.host)
        at.world.state.users[at.host.id].locale = "pl"
        seasons = await (await at.host.slash(at.channel, "stats", what="seasons")).settle()
        form = await at.host.click(seasons.seen, "Nowy sezon…")
        begun = await at.host.submit(form.form, {"Jego nazwa": "Sezon 2"})
        assert "**Season 2 has started.**" in begun.text  # for everybody, in the server's language
        for reader, named in ((at.people[1], "Season 2"), (at.host, "Sezon 2")):
            offered = await reader.autocomplete(at.channel, "stats", "season", "")
            assert offered[0]["name"] == named
        assert "Season 2" in await ask(at, "leaderboard", at.people[1], season="Season 2")


async def test_a_season_is_begun_only_once_and_only_by_moderators(
    table: Seat, tmp_path: Path
) -> None:
    async with after_matches(table, tmp_path, matches=3) as at:
        reply = await private_reply(at.people[1].slash(at.channel, "stats", what="seasons"))
        assert reply.startswith("Only moderators")
        server = at.world.server("The Snug")
        server.make_moderator(at.host)
        seasons = await (await at.host.slash(at.channel, "stats", what="seasons")).settle()
        form = await at.host.click(seasons.seen, "New season…")
        late = await at.host.click(seasons.seen, "New season…")
        await at.host.submit(form.form, {})
        reply = await private_reply(at.host.submit(late.form, {}))
        assert reply.startswith("The table has moved on")
        listed = await (await at.host.slash(at.channel, "stats", what="seasons")).settle()
        assert "Season 2** (now)" in listed.text
        button = listed.seen.button("New season…")
        with pytest.raises(CannotDo):  # Discord does not take it from who cannot see it
            await at.people[1].forge(listed.seen, button)


async def test_statistics_and_leaderboards_are_one_request_each(
    table: Seat, tmp_path: Path
) -> None:
    async with after_matches(table, tmp_path, matches=4) as at:
        for page in ("statistics", "leaderboard"):
            costs = Costs(at)
            await ask(at, page)
            assert (await costs.since()).total() == 1


# -- the deal of the day: played in private, shared by a press -------------------------------------

DAILY = "Deal of the day: the same for everyone, one try"
SQUARES = "🟦⬜🟧"


async def play_today(at: Table, game: str, *, first: str = "Bid next: ") -> str:
    """Play the host's deal of today to its end; return the text on the screen then.

    The host challenges as soon as possible. `first`: any value but the default makes the host bid
    at the first opportunity to challenge.
    """
    await practise(at.host, at.channel, game, against=DAILY)
    while True:
        now = await settled_screen(at, at.channel)
        if "Share" in now.buttons:
            return now.text
        if "Next round" in now.buttons:
            assert "Give up" in now.buttons
            await at.host.click(now, "Next round")
            continue
        assert "Hint" not in now.buttons
        doubt = ["Challenge"] if "Challenge" in now.buttons else []
        if doubt and first == "Bid next: ":
            await at.host.click(now, doubt[0])
            continue
        first = "Bid next: " if doubt else first
        await at.host.click(now, await wait_for_button(at, at.channel, "Bid next: ", "Bid lowest"))


def as_host(at: Table, person: Person) -> Table:
    return Table(at.world, at.bot, at.channel, [person, *at.people])


@pytest.mark.long
async def test_a_deal_is_played_in_private_once_and_shared_once(
    table: Seat,
) -> None:
    at = await table(2, fair_use={"posts_per_minute": 2})
    text = await play_today(at, LIARS)
    assert f"**Deal of the day · {LIARS}**" in text
    squares = next(line for line in text.splitlines() if set(line) <= set(SQUARES) and line)
    assert "survived" in text
    assert at.people[1].visible(at.channel) == []  # nobody else has seen anything

    await at.host.click(screen(at, at.channel), "Board")
    board = screen(at, at.channel).text
    assert f"1. <@{at.host.id}>" in board
    assert squares in board
    assert "This week" in board
    assert at.people[1].visible(at.channel) == []

    await practise(at.host, at.channel, LIARS, against=DAILY)  # once a day
    again = screen(at, at.channel)
    assert squares in again.text
    assert "The next deal comes" in again.text

    taps = await asyncio.gather(*(at.host.click(again, "Share") for _ in range(2)))
    replies = [(await out.settle()).text for out in taps]
    assert sum("You've already shared this here." in text for text in replies) == 1
    (shared,) = at.people[1].visible(at.channel)
    assert squares in shared.text
    assert f"<@{at.host.id}>" in shared.text
    # it tells of no card and of no bid
    assert "pair" not in shared.text.lower()
    for row in shared.components:
        assert row.get("label") is None

    assert "That was a lot at once" in await private_reply(at.host.click(again, "Share"))
    assert len(at.people[1].visible(at.channel)) == 1
    await at.people[1].slash(at.channel, "stats", what="Deal of the day")
    public = at.people[1].visible(at.channel)[-1]
    assert squares in public.text


async def test_a_deal_says_that_the_computer_players_are_still_loading(table: Seat) -> None:
    bench = Bench()
    bench.plan_warming()
    at = await table(1, computing=bench)
    await practise(at.host, at.channel, LIARS, against=DAILY)
    now = screen(at, at.channel)
    if "is thinking" not in now.text:  # it depends on the day who opens
        await at.host.click(now, await wait_for_button(at, at.channel, "Bid lowest"))
        await at.settle()
    now = screen(at, at.channel)
    assert "is thinking" in now.text
    assert "The computer players are still getting ready." in now.text
    bench.warmed.set()
    assert "getting ready" not in (await settled_screen(at, at.channel)).text


async def test_without_the_bot_in_the_server_a_deal_is_played_but_not_ranked(table: Seat) -> None:
    at = await table(2)
    at.world.state.users[at.host.id].has_app = True
    at.world.server("The Snug").remove_bot()
    assert at.bot is not None
    await at.bot.client.wait_for("guild_remove")
    await practise(at.host, at.channel, THAI, against=DAILY)
    live = await at.bot.tables.in_channel(-int(at.host.id))
    assert live.table.daily_guild == 0


@pytest.mark.long
async def test_the_coach_shows_where_most_others_decided_differently(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    # on some days the computer players leave no choice between a bid and a challenge
    monkeypatch.setattr(Tables, "today", lambda _: DAY_WITH_A_CHOICE)
    at = await table(2)
    await play_today(at, THAI, first="bid")
    over = screen(at, at.channel)
    await at.host.click(over, "What others did")
    assert "compared with" not in screen(at, at.channel).text  # with nobody yet
    second_host = as_host(at, at.people[1])
    await play_today(second_host, THAI)
    await at.host.click(over, "What others did")
    text = screen(at, at.channel).text
    assert "compared with 1 other who" in text
    assert "you chose" in text
    assert "1 of 1 chose" in text
    assert "after your move" in text
    assert at.people[1].name not in text


@pytest.mark.thorough
async def test_a_practice_waits_for_the_deal_and_a_forged_button_shows_nothing(
    table: Seat,
) -> None:
    at = await table(2)
    await practise(at.host, at.channel, THAI, against=DAILY)
    await practise(at.host, at.channel, LIARS)
    now = await settled_screen(at, at.channel)
    (live,) = at.bot.tables.runtime.all()
    assert live.table.variant == "thai_poker"
    names = await at.bot.client.handlers.people.people_at(live.table)
    notice = Notice("the deal comes first")
    board = practice_board(live, int(at.host.id), names.names, notice=notice)
    assert Text("> the deal comes first") in board.blocks
    for choice in ("thai_poker.739581", "whist.739581", "thai_poker.0", "thai_poker", "x.1"):
        for verb in ("dshare", "dfield"):
            forged = at.host.forge(now, f"bh:{verb}:0:0:0:{choice}")
            assert "moved on" in await private_reply(forged)
    assert "moved on" in await private_reply(at.host.forge(now, "bh:dboard:0:0:0:thai_poker"))
    assert "moved on" in await private_reply(at.host.forge(now, "bh:daily:0:0:0:whist"))
    assert "moved on" in await private_reply(at.host.forge(now, f"bh:hint:{live.table.id}:0:0"))
