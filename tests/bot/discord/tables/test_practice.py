"""Practices, computer players, and the how-to-play example, over real sockets."""

from __future__ import annotations

import asyncio
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.reading import HAND, NATURAL, TURN
from bot.boards.practice import hint_notice
from bot.computing.player_questions import Coaching, ComputingDecider, HintAdvice
from bot.computing.process import Computing
from bot.computing.question import Question
from bot.discord import answers
from bot.sandbox.driver import ActOutcome, Place
from bot.sandbox.screen import SeenMessage
from bot.settings.schema import ComputersSettings
from engine.players import Memory, Position, observe
from engine.players.blueprint import values
from engine.players.blueprint.values import likeliest_action
from engine.players.coaching.decisions import Advice
from engine.view import view_of
from tests.bot.conftest import Seat
from tests.bot.discord.tables.test_costs import ANSWER, Costs
from tests.bot.harness import Held, Table, private_reply, running_bot, settings
from tests.bot.practising import practise, press_through_example
from tests.bot.troubled import run_with_troubled_store
from tests.people import PATIENCE, until

LIARS, THAI = "Liars' Poker", "Thai Poker"


def screen(at: Table, place: Place) -> SeenMessage:
    """Return the practice's message: the host's lowest private board in `place`."""
    return [
        message for message in at.host.visible(place) if message.ephemeral and message.components
    ][-1]


async def settled_screen(at: Table, place: Place) -> SeenMessage:
    """Return the practice's message once each press is answered and no computer player thinks.

    Without the wait, an older redraw still in flight may briefly replace a newer answer.
    """
    while True:
        await at.bot.client.drain()
        await at.bot.delivery.settle()
        if "is thinking" not in screen(at, place).text:
            return screen(at, place)
        await until(lambda: "is thinking" not in screen(at, place).text)


async def wait_for_button(at: Table, place: Place, *starts: str) -> str:
    """Wait for a button whose label begins with one of `starts`; return the first such label."""

    def found() -> list[str]:
        return [label for label in screen(at, place).buttons if label.startswith(starts)]

    await until(found)
    return found()[0]


async def play(at: Table, place: Place, chance: random.Random, rounds: int = 99) -> bool:
    """Play this round and at most `rounds` more by the buttons.

    Return whether the match is over.
    """
    dealt = 0
    while True:
        now = await settled_screen(at, place)
        if "wins the match" in now.text:
            return True
        if "Next round" in now.buttons:
            if dealt == rounds:
                return False
            await at.host.click(now, "Next round")
            dealt += 1
            continue
        doubt = ["Challenge"] if "Challenge" in now.buttons else []
        if doubt and (len(now.buttons) < 6 or chance.random() < 0.5):
            await at.host.click(now, doubt[0])
            continue
        await at.host.click(now, await wait_for_button(at, place, "Bid next: ", "Bid lowest"))


@pytest.mark.long
async def test_a_whole_practice_in_a_server_that_nobody_else_sees_and_that_is_restarted(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(2, serve=False)
    chance = random.Random(3)
    async with running_bot(at.world, settings(tmp_path)) as bot:
        at = replace(at, bot=bot)
        await practise(at.host, at.channel, LIARS)
        assert "Agnes" in screen(at, at.channel).text
        assert (
            "At six you're out" in (await settled_screen(at, at.channel)).text
        )  # who is new is told
        over = await play(at, at.channel, chance, rounds=0)
        assert not over
        before = screen(at, at.channel)
    async with running_bot(at.world, settings(tmp_path)) as bot:
        at = replace(at, bot=bot)
        await at.host.click(before, "Next round")  # a button of the process before
        assert "Round 2" in screen(at, at.channel).text
        assert await play(at, at.channel, chance)
        assert "with computer players, not rated" in screen(at, at.channel).text
        await at.host.click(screen(at, at.channel), "Play again")
        assert "Round 1" in (await settled_screen(at, at.channel)).text
    assert at.people[1].visible(at.channel) == []  # nobody else sees anything
    assert at.host.dm_messages() == []
    assert [request for request in at.world.state.requests if request.status >= 400] == []


@pytest.mark.thorough
async def test_it_is_played_in_a_direct_message_too(table: Seat) -> None:
    at = await table(1)
    await at.host.act("open_dm")
    (place,) = at.host.dms()
    await practise(at.host, place, THAI, against="Wild: loves to bluff")
    assert "Roxy" in screen(at, place).text
    assert not await play(at, place, random.Random(1), rounds=0)
    await at.host.click(screen(at, place), "Next round")
    assert "Round 2" in (await settled_screen(at, place)).text


async def ask_hint(at: Table, now: SeenMessage) -> SeenMessage:
    """Ask for a hint; return the screen that shows it."""
    await at.host.click(now, "Hint")
    await until(lambda: "**Hint.**" in screen(at, at.channel).text)
    return screen(at, at.channel)


async def follow_hint(at: Table, seen: SeenMessage) -> None:
    """Do what the hint on a seat says: challenge, or type the bid."""
    (hint,) = re.findall(r"\*\*Hint\.\*\* (.+)", seen.text)
    advised = re.search(r'^Bid "(.+?)"', hint)
    if advised is None:
        await at.host.click(seen, "Challenge")
        return
    form = await at.host.click(seen, "Type…")
    await (await at.host.submit(form.form, {"text": advised[1]})).settle()


async def test_a_hint_tells_the_standing_bids_chance_and_a_sensible_action(table: Seat) -> None:
    at = await table(1)
    await practise(at.host, at.channel, THAI)
    now = await settled_screen(at, at.channel)
    reply = await ask_hint(at, now)
    if "any bid" in now.text:
        assert '> **Hint.** Bid "' in reply.text
    assert reply.buttons == now.buttons  # nothing that a thumb is on the way to becomes another act
    await follow_hint(at, reply)
    await until(lambda: "Hint." not in screen(at, at.channel).text)


class Solver(Computing):
    """A computing process that is always available and answers in the test's own process."""

    at_hand = True

    async def ask(self, question: Question[Any], limit: float | None = None) -> Any:
        return question.answer(lambda: False)


async def test_in_a_solved_round_the_hint_follows_the_solution(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(values, "SLIPS", 0.0)  # whatever the opponent bids, the table speaks
    at = await table(1)
    at.bot.client.handlers.practice._computing = Solver()
    await practise(at.host, at.channel, THAI)
    now = await settled_screen(at, at.channel)
    live = await at.bot.tables.in_channel(-int(at.host.id))
    assert live.match is not None
    position = observe(view_of(live.match, live.seat(int(at.host.id))), Memory("", 0))
    assert position is not None
    solved = likeliest_action(position, live.match.ruleset)
    assert solved is not None
    reply = await ask_hint(at, now)
    notice = hint_notice(live.match, int(at.host.id), solved)
    assert notice.text in reply.text.replace("> ", "")


class Coach(Solver):
    """A `Solver` that gives hints, and judges only decisions for which it has given a hint."""

    def __init__(self) -> None:
        super().__init__()
        self.hints: dict[Position, Any] = {}
        self.judged: tuple[Advice, ...] = ()

    async def ask(self, question: Question[Any], limit: float | None = None) -> Any:
        if isinstance(question, Coaching):
            decisions = tuple(
                decision for decision in question.decisions if decision.position in self.hints
            )
            self.judged = await super().ask(Coaching(decisions))
            return self.judged
        answer = await super().ask(question)
        if isinstance(question, HintAdvice):
            self.hints[question.position] = answer
        return answer


@pytest.mark.long
async def test_the_coachs_hints_are_no_clear_mistakes_to_the_coach(table: Seat) -> None:
    at = await table(1, seeds="hints that are followed")
    coach = Coach()
    handlers = at.bot.client.handlers
    handlers.practice._computing = handlers.replays._coach._computing = coach
    at.bot.thinking._decider = ComputingDecider(coach)  # always in time: the same match each time
    await practise(at.host, at.channel, LIARS)
    while "wins the match" not in (now := await settled_screen(at, at.channel)).text:
        if "Next round" in now.buttons:
            await at.host.click(now, "Next round")
            continue
        reply = await ask_hint(at, now)
        await follow_hint(at, reply)
    coaching = (await (await at.host.click(now, "Coach")).settle()).seen
    assert "None of your decisions was clearly wrong" in coaching.text
    assert any(coach.hints.values())  # where the plain hint would have been a clear mistake
    assert len(coach.judged) == len(coach.hints)
    assert not any(advice.clear for advice in coach.judged)


class SlowSolver(Solver):
    """A `Solver` that answers only after `let` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.let = asyncio.Event(), asyncio.Event()

    async def ask(self, question: Question[Any], limit: float | None = None) -> Any:
        self.asked.set()
        await self.let.wait()
        return await super().ask(question, limit)


async def test_a_hint_that_comes_after_a_move_shows_no_older_table(table: Seat) -> None:
    at = await table(1)
    at.bot.client.handlers.practice._computing = solver = SlowSolver()
    await practise(at.host, at.channel, THAI)
    now = await settled_screen(at, at.channel)
    hint = await at.host.click(now, "Hint")
    assert "> Thinking it over…" in hint.seen.text, "it is said at once"
    assert hint.seen.buttons == now.buttons
    await solver.asked.wait()
    for choice in ("Three", "A"):
        message = screen(at, at.channel)
        await at.host.click(
            message, next(label for label in message.buttons if label.startswith(choice))
        )
    bid = next(label for label in screen(at, at.channel).buttons if label.startswith('Bid "'))
    moved = await at.host.click(screen(at, at.channel), bid)
    assert moved.message is not None
    solver.let.set()
    await hint.settle()
    await at.settle()
    assert "Hint." not in screen(at, at.channel).text


async def test_a_hint_stays_while_its_player_looks_around_on_the_pad(table: Seat) -> None:
    at = await table(1, seeds="a hint that stays")
    await practise(at.host, at.channel, THAI)
    await settled_screen(at, at.channel)

    async def press(begins: str) -> SeenMessage:
        message = screen(at, at.channel)
        await at.host.click(
            message, next(label for label in message.buttons if label.startswith(begins))
        )
        await at.settle()
        return screen(at, at.channel)

    three = await press("Three")  # the pad stays where it was when the hint comes
    assert "which rank?" in three.text
    reply = await ask_hint(at, three)
    assert "which rank?" in reply.text
    for begins in ("Back", "Three", "A", "Back"):
        assert "**Hint.**" in (await press(begins)).text
    form = await at.host.click(screen(at, at.channel), "Type…")
    await (await at.host.submit(form.form, {"text": "two pair"})).settle()
    refused = screen(at, at.channel)
    assert "no two pair" in refused.text
    back = await press("Three")
    assert "**Hint.**" in back.text
    await follow_hint(at, back)
    await until(lambda: "Hint" not in screen(at, at.channel).text)


async def test_practice_again_shows_the_match_under_way_and_another_game_ends_it(
    table: Seat,
) -> None:
    at = await table(1)
    await practise(at.host, at.channel, THAI)
    heading = (await settled_screen(at, at.channel)).text.splitlines()[0]
    await practise(at.host, at.channel, THAI)
    assert (await settled_screen(at, at.channel)).text.splitlines()[0] == heading
    await practise(at.host, at.channel, LIARS)
    assert LIARS in (await settled_screen(at, at.channel)).text
    live = await at.bot.tables.in_channel(-int(at.host.id))
    assert live.table.variant == "liars_poker"


async def test_a_practice_does_not_disturb_the_table_of_the_channel(table: Seat) -> None:
    at = await table(2, plays=THAI)
    before = at.message().text
    await practise(at.host, at.channel, THAI)
    await settled_screen(at, at.channel)
    assert at.message().text == before


async def test_nobody_else_can_press_in_it(table: Seat) -> None:
    at = await table(2, plays=THAI)
    await practise(at.host, at.channel, THAI)
    practice_seat = await settled_screen(at, at.channel)
    stranger = at.people[1]
    mine = [message for message in stranger.visible(at.channel) if message.ephemeral][-1]
    before = screen(at, at.channel).text
    hint = next(
        part["custom_id"] for part in practice_seat.components if part.get("label") == "Hint"
    )
    for custom_id in (hint, hint.replace("hint", "pend")):
        await stranger.forge(mine, custom_id)
        cards = set(await _cards(at))
        assert not cards & set(_read(stranger.visible(at.channel)[-1]))
    assert screen(at, at.channel).text == before


async def _cards(at: Table) -> list[str]:
    live = await at.bot.tables.in_channel(-int(at.host.id))
    assert live.match is not None
    assert live.match.round is not None
    return [card.symbol for hand in live.match.round.hands for card in hand]


def _read(message: SeenMessage) -> list[str]:

    return NATURAL.findall(message.text)


@pytest.mark.thorough
async def test_a_half_opened_practice_is_not_reported_as_failed_and_begins_at_the_next_press(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(1, serve=False)
    async with run_with_troubled_store(at, tmp_path, {"commit"}) as store:
        store.failing = set()
        await at.host.slash(at.channel, "practice", game=THAI)
        for label in ("Next", "Challenge", "Show the cards"):
            await (await at.host.click(screen(at, at.channel), label)).settle()
        store.failing = {"commit"}
        reply = await private_reply(at.host.click(screen(at, at.channel), "Practice now"))
        assert "it may not have counted" in reply  # the lobby is stored, its start is not
        store.failing = set()
        await practise(at.host, at.channel, THAI)
        assert "Round 1" in (await settled_screen(at, at.channel)).text


async def test_only_people_who_never_played_a_game_are_shown_its_example(
    table: Seat,
) -> None:
    at = await table(1)
    await at.host.slash(at.channel, "practice", game=THAI)
    assert "**How to play Thai Poker · 1 of 4**" in screen(at, at.channel).text
    assert not at.bot.tables.runtime.all()  # looking at it stores nothing
    await press_through_example(at.host, at.channel)
    assert "Round 1" in (await settled_screen(at, at.channel)).text
    assert len([message for message in at.host.visible(at.channel) if message.ephemeral]) == 1
    await at.host.slash(at.channel, "practice", game=THAI)  # straight to the cards
    assert "Round 1" in (await settled_screen(at, at.channel)).text
    await at.host.slash(at.channel, "practice", game=LIARS)
    assert "**How to play Liars' Poker · 1 of 4**" in screen(at, at.channel).text


async def test_ending_a_practice_asks_first_and_a_press_from_an_older_screen_asks_nothing(
    table: Seat,
) -> None:
    at = await table(1)
    await practise(at.host, at.channel, THAI)
    practice_seat = await settled_screen(at, at.channel)
    hint = next(
        part["custom_id"] for part in practice_seat.components if part.get("label") == "Hint"
    )
    assert "End" not in practice_seat.buttons
    await at.host.forge(practice_seat, hint.replace("hint", "pend"))
    assert "End this match?" not in screen(at, at.channel).text
    assert not await play(at, at.channel, random.Random(1), rounds=0)
    await at.host.click(screen(at, at.channel), "End")
    assert "End this match?" in screen(at, at.channel).text
    await at.host.click(screen(at, at.channel), "No, keep playing")
    assert "End this match?" not in screen(at, at.channel).text
    await at.host.click(screen(at, at.channel), "End")
    await at.host.click(screen(at, at.channel), "Yes, end it")
    assert "**The match was ended** without a winner." in screen(at, at.channel).text
    await at.host.click(screen(at, at.channel), "Play again")
    assert "Round 1" in (await settled_screen(at, at.channel)).text


async def test_the_example_leads_to_the_game_and_the_player_that_were_asked_for(
    table: Seat,
) -> None:
    at = await table(1)
    await at.host.slash(at.channel, "practice", game=LIARS, against="Wild: loves to bluff")
    await press_through_example(at.host, at.channel)
    assert "Roxy" in screen(at, at.channel).text
    assert LIARS in screen(at, at.channel).text


async def test_a_forged_example_begins_nothing(table: Seat) -> None:
    at = await table(1)
    await at.host.slash(at.channel, "practice", game=THAI)
    message = screen(at, at.channel)
    for choice in ("chess.careful", "thai_poker.boss", "x", "thai_poker"):
        for verb in ("howto", "pstart"):
            assert "moved on" in await private_reply(
                at.host.forge(message, f"bh:{verb}:0:0:0:{choice}")
            )
    assert not at.bot.tables.runtime.all()


async def test_the_rules_are_shown_beside_the_seat_which_stays(table: Seat) -> None:
    at = await table(2, plays=LIARS)
    await at.host.click(at.message(), "My seat")
    before = at.seat(at.host)
    out = await (await at.host.click(before, "Rules")).settle()
    assert out.seen.ephemeral
    assert "From the weakest hand to the strongest" in out.seen.text
    assert (await at.host.current(before)).text == before.text
    await at.host.click(out.seen, "My seat")
    await at.settle()
    assert at.seat(at.host).id > out.seen.id, "the seat is below the rules"
    left = await (await at.host.click(out.seen, "Leave the match…")).settle()
    assert "Leave this match for good?" in left.seen.text
    await at.host.click(left.seen, "Yes, leave")
    await at.settle()
    assert "wins the match" in at.message().text
    after = await (await at.host.forge(out.seen, out.seen.button("Leave the match…"))).settle()
    assert "Leave this match" not in after.text, "it is over"


async def test_a_practice_begins_with_its_deck_and_how_its_hands_differ(table: Seat) -> None:
    at = await table(1)
    await at.host.slash(at.channel, "practice", game=THAI)
    await press_through_example(at.host, at.channel)
    assert "24 cards, nine to ace. Unlike in standard poker" in screen(at, at.channel).text
    assert not await play(at, at.channel, random.Random(1), rounds=0)
    await at.host.click(screen(at, at.channel), "Next round")
    assert "Unlike in standard poker" not in screen(at, at.channel).text


async def test_an_answer_is_promised_while_the_store_is_slow_to_take_a_name(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(1)
    met = Held(monkeypatch, at.bot.client.handlers.practice._people, "note_name")
    monkeypatch.setattr(answers, "DEFER_AFTER", 0.0)
    async with asyncio.timeout(PATIENCE):
        out = await at.host.slash(at.channel, "practice", game=THAI)
    assert out.kind == "deferred"
    met.let.set()
    message = (await out.settle()).message
    assert message is not None
    assert "How to play Thai Poker · 1 of 4" in message.text


# -- the example: private, one request a press -----------------------------------------------------


def private(at: Table, who: int) -> list[SeenMessage]:
    person = at.people[who]
    return [message for message in person.visible(at.channel) if message.ephemeral]


@pytest.mark.parametrize(("game", "way"), [(LIARS, "Challenge"), (THAI, "Higher: pair of aces")])
async def test_a_stranger_plays_the_example_in_four_presses_of_one_request_each(
    table: Seat, game: str, way: str
) -> None:
    at = await table(2)
    stranger = at.people.pop()
    await at.open(game)
    before = at.message().text
    at.people.append(stranger)
    await at.settle()
    costs = Costs(at)
    out = await stranger.click(at.message(), "How to play")
    assert out.seen.ephemeral
    for pressed in ("Next", way, "Show the cards"):
        assert HAND.search((await stranger.current(out.seen)).text)
        await stranger.click(out.seen, pressed)
    assert await costs.since() == {ANSWER: 4}
    message = await stranger.current(out.seen)
    assert "It's there" in message.text
    assert "4 of 4" in message.text
    assert private(at, 0) == [
        message for message in private(at, 0) if "How to play" not in message.text
    ]
    assert at.message().text == before
    await stranger.click(out.seen, "Show me again")
    assert "1 of 4" in (await stranger.current(out.seen)).text


async def test_the_example_goes_on_after_the_match_began(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    bob = at.people[1]
    out = await bob.click(at.message(), "How to play")
    await at.press("Start")
    await bob.click(out.seen, "Next")
    assert "2 of 4" in (await bob.current(out.seen)).text


async def test_the_example_ends_with_what_its_reader_can_do_at_the_table(table: Seat) -> None:
    at = await table(3)
    stranger = at.people.pop()
    await at.open(THAI)
    for person, words in (
        (at.host, "You have a seat: press **Start** once the others have joined."),
        (at.people[1], f"You have a seat, and <@{at.host.id}> starts the match."),
        (stranger, "Press **Join** at the table."),
    ):
        out = await person.click(at.message(), "How to play")
        for pressed in ("Next", "Challenge", "Show the cards"):
            await person.click(out.seen, pressed)
        assert f"That's all. {words}" in (await person.current(out.seen)).text


async def test_house_rules_are_explained_in_the_form_where_they_are_chosen(table: Seat) -> None:
    at = await table(2)
    await at.open(LIARS)
    for label, explained in (
        ("House rules…", "A joker counts as any card"),
        ("House rules…", "needs the 8♣, and four other clubs: any, or only lower ones."),
        ("Time…", "Pick 1 day for a match played over several days."),
        ("Messages…", "at most once a minute"),
    ):
        form = await at.option(at.host, label)
        assert explained in form.form.text


# -- computer players: the lobby, the table, whole matches -----------------------------------------

MENU = "Computer players"
MOST_MOVES = 3000


async def choose(at: Table, value: str) -> ActOutcome:
    """Choose this value from the menu of the lobby's options."""
    out = await at.host.select(await at.options(at.host), MENU, value)
    await at.settle()
    return out


async def begin(at: Table, game: str, computers: int) -> None:
    """Open a table with this many computer players and start the match."""
    await at.host.slash(at.channel, "play", game=game, computers=computers)
    await at.press("Start")


async def play_all(at: Table, chance: random.Random, rounds: int = MOST_MOVES) -> bool:
    """Play this round and at most `rounds` more as the only person.

    Return whether the match is over.
    """
    dealt = 0
    while True:
        message = at.message()
        if "wins the match" in message.text:
            return True
        if "Next round" in message.buttons:
            if dealt == rounds:
                return False
            await at.host.click(message, "Next round")
            await at.settle()
            dealt += 1
            continue
        turn = TURN.search(message.text)
        if turn is None:  # somebody else thinks

            def has_moved(seen: tuple[str, str] = (message.id, message.text)) -> bool:
                return (at.message().id, at.message().text) != seen

            await until(has_moved)
            continue
        doubt = {"Challenge"} & set(message.buttons)
        if doubt and ("nothing is higher" in message.text or chance.random() < 0.4):
            await at.challenge(at.host)
        else:
            await at.call(at.host, option=chance.randrange(6))


# -- the lobby -------------------------------------------------------------------------------------
async def test_a_host_seats_computer_players_and_takes_one_away(table: Seat) -> None:
    at = await table(1)
    await at.open(THAI)
    await choose(at, "add.careful")
    await choose(at, "add.wild")
    assert "2. Agnes · careful computer player\n3. Roxy · wild computer player" in at.message().text
    assert "A match with computer players, not rated." in at.message().text
    await choose(at, "take.-101")
    assert "Agnes" not in at.message().text
    assert "2. Roxy · wild computer player" in at.message().text


async def test_each_press_seats_a_computer_player_of_another_character(
    table: Seat,
) -> None:
    at = await table(1)
    await at.open(THAI)
    for _ in range(3):
        out = await at.host.click(at.message(), "Computer player")
        assert out.kind == "update"
    assert "2. Agnes · careful computer player\n3. Mira · sly computer player" in at.message().text
    assert "4. Blaise · sharp computer player" in at.message().text


async def test_play_seats_as_many_computer_players_as_are_asked_for(table: Seat) -> None:
    at = await table(1)
    await at.host.slash(at.channel, "play", game=LIARS, computers=9)
    assert "10 of 10" in at.message().text
    assert "Computer player" not in at.message().buttons
    message = await at.options(at.host)
    *taken, silent = [option["value"] for option in message.select(MENU)["options"]]
    assert len(taken) == 9
    assert all(value.startswith("take.") for value in taken)
    assert silent == "talk.off"


async def test_a_forged_choice_of_the_menu_changes_nothing(table: Seat) -> None:
    at = await table(1)
    await at.open(THAI)
    await choose(at, "add.careful")
    before = at.message().text
    message = await at.options(at.host)
    custom_id = message.select(MENU)["custom_id"]
    for value in ("add.nobody", "add.", "take.-999", "take.11", "take.x", ""):
        assert await private_reply(at.host.forge(message, custom_id, [value]))
        assert at.message().text == before


async def test_a_house_without_computer_players_offers_none(table: Seat, tmp_path: Path) -> None:
    at = await table(1, serve=False)
    chosen = settings(tmp_path).model_copy(update={"computers": ComputersSettings(allowed=False)})
    async with running_bot(at.world, chosen) as bot:
        at = replace(at, bot=bot)
        reply = await private_reply(at.host.slash(at.channel, "play", game=THAI, computers=1))
        assert reply == "Computer players aren't available here."
        await at.open(THAI)
        assert MENU not in [part.get("placeholder") for part in at.message().components]


# -- the match -------------------------------------------------------------------------------------
@pytest.mark.long
async def test_one_person_plays_a_whole_match_and_the_bot_is_restarted_meanwhile(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(1, serve=False)
    chance = random.Random(2)
    async with running_bot(at.world, settings(tmp_path)) as bot:
        at = replace(at, bot=bot)
        await begin(at, LIARS, 2)
        over = await play_all(at, chance, rounds=1)
    async with running_bot(at.world, settings(tmp_path)) as bot:
        at = replace(at, bot=bot)
        assert over or await play_all(at, chance)
    assert "with computer players, not rated" in at.message().text
    assert [request for request in at.world.state.requests if request.status >= 400] == []
