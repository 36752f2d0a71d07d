"""/odds showdown, as people see it in the local Discord."""

from __future__ import annotations

import asyncio
import re

import discord
import pytest

from bot.boards.showdown_odds import GAME_NAMES, ranks_board, showdown_board
from bot.computing.question import ProcessLost, QueueFull, TookTooLong
from bot.computing.warming import load_kernels
from bot.discord.odds import desk, packing, questions, refusing
from bot.discord.odds.questions import CountShowdown, TypedShowdown
from bot.sandbox.driver import Outcome
from bot.sandbox.errors import CannotDo, InteractionFailed
from bot.sandbox.screen import SeenMessage
from bot.words import percent
from engine.cards import Cards
from engine.errors import TextError
from engine.odds import PRESETS, HandRank, Scenario, parse_question, showdown_odds
from tests.bot.conftest import Seat
from tests.bot.discord.odds.bench import Bench
from tests.bot.house import Table, plain, running_bot, settings

MOST_TEXT = 4000


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """No answer of these tests waits for the compiler."""
    load_kernels()


def texts(message: SeenMessage) -> str:
    return "".join(part["content"] for part in message.components if part["type"] == 10)


def whispered(out: Outcome) -> str:
    assert out.message is not None
    assert out.message.ephemeral
    return out.text


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person is told at once that it takes longer."""
    monkeypatch.setattr(desk, "SOON", 0.01)


def held(house: Table) -> Bench:
    """The bench, which does not count before it is let go."""
    bench = house.bot.computing
    assert isinstance(bench, Bench)
    bench.hold(CountShowdown)
    return bench


async def until(house: Table, message: SeenMessage, says: str) -> SeenMessage:
    """The message, once it says something."""
    for _ in range(1000):
        now = await house.host.current(message)
        if says in plain(now.text):
            return now
        await asyncio.sleep(0.01)
    raise AssertionError(f"{says!r} is not said: {now.text}")


async def last(house: Table, says: str) -> SeenMessage:
    """The newest message in the channel, once it says something."""
    for _ in range(1000):
        seen = house.host.visible(house.channel)
        if seen and says in plain(seen[-1].text):
            return seen[-1]
        await asyncio.sleep(0.01)
    raise AssertionError(f"nothing says {says!r}: {[one.text for one in seen]}")


async def test_an_exact_answer_tells_what_the_engine_counts(table: Seat) -> None:
    house = await table(1)
    out = await house.host.slash(
        house.channel, "odds showdown", hands="AhKd vs QQ", board="9c 8d 2s"
    )
    exact = showdown_odds(parse_question("AhKd vs QQ, board 9c 8d 2s"))
    first = exact.players[0]
    assert f"wins {percent(first.win / exact.deals)}" in plain(out.text)
    assert f"exact: all {exact.deals:,} deals counted" in plain(out.text)
    assert "board 9♣ 8♦ 2♠" in plain(out.text)
    assert out.message is not None
    assert out.message.attachments
    assert not out.message.ephemeral


FORGIVEN: list[tuple[dict[str, object], str]] = [
    ({"hands": "ahkd VS qq, Board 9C 8d 2s"}, "AhKd vs QQ board 9c 8d 2s"),
    ({"hands": "omaha AsAhKsKh v JsTs9s8h on 3d 4d 5d"}, "omaha AsAhKsKh v JsTs9s8h on 3d4d5d"),
    (
        {"hands": "AsAh / KK", "dead": "K♣", "board": "2c,3d,4h,9s"},
        "AsAh v KK on 2c3d4h9s dead Kc",
    ),
    ({"hands": "A♠ A♥", "board": "2c 3d 4h 10s"}, "AsAh v random on 2c3d4hTs"),
    ({"hands": "KsQs", "game": "shortdeck", "opponents": 1}, "short deck KsQs v random"),
]


async def test_questions_are_read_forgivingly(table: Seat) -> None:
    house = await table(1)
    for typed, question in FORGIVEN:
        answer = showdown_odds(parse_question(question))
        await house.host.slash(house.channel, "odds showdown", **typed)
        said = await last(house, f"{answer.deals:,} deals")
        for player in answer.players:
            assert f"wins {percent(player.win / answer.deals)}" in plain(said.text)


async def test_the_hands_made_are_on_a_button_for_everybody(table: Seat) -> None:
    house = await table(2)
    out = await house.host.slash(
        house.channel, "odds showdown", hands="AhKd vs QQ vs 2s2d vs random", board="9c 8d 2h 5c"
    )
    assert out.message is not None
    house.bot.odds._counted.clear()  # as after a restart
    ranks = await house.people[1].click(out.message, "Which hands?")
    assert whispered(ranks) == whispered(await house.people[1].click(out.message, "Which hands?"))
    answer = showdown_odds(parse_question("AhKd vs QQ vs 2s2d v random, board 9c 8d 2h 5c"))
    share = 100 * answer.players[2].ranks[HandRank.THREE] / answer.deals
    assert f"{share:.2f}" in plain(ranks.text)
    assert out.message.id == house.host.visible(house.channel)[-1].id


async def planted(house: Table, custom_id: str) -> SeenMessage:
    """A message of the bot with a button of that custom id, as an older version may have left."""
    channel = house.bot.client.get_partial_messageable(int(house.channel.id))
    view = discord.ui.View()
    view.add_item(discord.ui.Button(label="Old", custom_id=custom_id))
    await channel.send("old", view=view)
    view.stop()
    return house.host.visible(house.channel)[-1]


FORGED = ("x", "holdem;é/b;;", "holdem;aa;;", ";;;", "holdem;=zz+;;", "omaha5;" + "/" * 80 + ";;")


async def test_a_forged_button_is_refused_in_one_sentence(table: Seat) -> None:
    house = await table(1)
    for rest in FORGED:
        old = await planted(house, f"bho:ranks:{rest}")
        text = whispered(await house.host.click(old, "Old"))
        assert "Example" in text
        assert "went wrong" not in text


async def test_a_long_question_says_so_and_is_followed_up(table: Seat) -> None:
    house = await table(1)
    bench = held(house)
    out = await house.host.slash(house.channel, "odds showdown", hands="AhKd vs QcQs")
    assert "dealing" in plain(out.text)
    assert out.message is not None
    assert out.message.buttons == ["Cancel"]
    await asyncio.sleep(2.2)  # beyond the three seconds that Discord gives a first answer
    bench.go.set()
    answered = await last(house, "exact: all 1,712,304 deals counted")
    assert answered.id == out.message.id
    assert answered.buttons == ["Which hands?"]
    assert answered.attachments


@pytest.mark.usefixtures("soon")
async def test_only_who_asked_can_cancel_and_only_that_question(table: Seat) -> None:
    house = await table(2)
    bench = held(house)
    asker, other = house.people
    out = await asker.slash(house.channel, "odds showdown", hands="AhKd vs QcQs")
    assert out.message is not None
    assert whispered(await other.click(out.message, "Cancel")) == refusing.NOT_YOURS
    cancel = out.message.button("Cancel")
    assert bench.dropped.empty()
    assert (await asker.click(out.message, "Cancel")).kind == "deferred_update"
    await bench.dropped.get()
    await last(house, refusing.CANCELLED)
    # the old button is pressed once more while the next question runs: it is not that one's
    again = await asker.slash(house.channel, "odds showdown", hands="AhKc vs QcQs")
    assert again.message is not None
    assert again.message.button("Cancel") != cancel
    old = await planted(house, cancel)
    assert whispered(await asker.click(old, "Old")) == refusing.TOO_LATE
    assert bench.dropped.empty()
    bench.go.set()
    answered = await until(house, again.message, "exact")
    late = await planted(house, again.message.button("Cancel"))
    assert whispered(await asker.click(late, "Old")) == refusing.TOO_LATE
    assert "wins" in plain(answered.text)
    with pytest.raises(CannotDo):
        await asker.click(again.message, "Cancel")


@pytest.mark.usefixtures("soon")
async def test_a_person_has_one_running_question_and_others_have_theirs(table: Seat) -> None:
    house = await table(2)
    asker, other = house.people
    done = await (await asker.slash(house.channel, "odds showdown", hands="AhKd vs QcQh")).settled()
    assert done.message is not None
    await until(house, done.message, "exact")
    bench = held(house)
    first = await asker.slash(house.channel, "odds showdown", hands="AhKd vs QcQs")
    house.bot.odds._counted.clear()
    answered = await house.host.current(done.message)
    for asked in (
        asker.slash(house.channel, "odds showdown", hands="AhKd vs JcJs"),
        asker.slash(house.channel, "odds liars", in_play=12),
        asker.slash(house.channel, "odds three-card"),
        asker.click(answered, "Which hands?"),
    ):
        assert whispered(await asked) == refusing.BUSY
    others = await other.slash(house.channel, "odds showdown", hands="AhKd vs TcTs")
    assert "dealing" in plain(others.text)
    assert bench.begun.qsize() == 2
    bench.go.set()
    assert first.message is not None
    assert others.message is not None
    await until(house, first.message, "exact")
    await until(house, others.message, "exact")


FAILED: list[tuple[Exception, str]] = [
    (TookTooLong(30.0), "counting took longer than 30 seconds. Ask again with fewer unknown cards"),
    (ProcessLost(), "the process that counts had to be restarted. Please ask again"),
    (QueueFull(), "Too many questions are being worked out just now"),
    (RuntimeError("unforeseen"), "Something went wrong on our side"),
]


@pytest.mark.parametrize(("error", "says"), FAILED)
@pytest.mark.parametrize("told", [False, True])
async def test_what_went_wrong_is_said_and_nobody_is_said_to_have_cancelled(
    table: Seat, error: Exception, says: str, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await table(1)
    bench = held(house)
    bench.raises[CountShowdown] = error
    if told:
        monkeypatch.setattr(desk, "SOON", 0.01)
        out = await house.host.slash(house.channel, "odds showdown", hands="AhKd vs QcQs")
        assert out.message is not None
        bench.go.set()
        text = (await until(house, out.message, says)).text
    else:
        bench.go.set()
        text = whispered(
            await house.host.slash(house.channel, "odds showdown", hands="AhKd vs QcQs")
        )
        assert says in plain(text)
    assert "Cancelled" not in text


@pytest.mark.usefixtures("soon")
async def test_a_message_that_discord_does_not_take_ends_the_question(table: Seat) -> None:
    house = await table(1)
    bench = held(house)
    house.world.faults.server_error("POST /interactions/*", times=1, status=400)
    asking = asyncio.create_task(
        house.host.slash(house.channel, "odds showdown", hands="AhKd vs QcQs")
    )
    await bench.dropped.get()
    await house.bot.client.drained()
    assert not house.bot.odds._under_way
    with pytest.raises(InteractionFailed):
        await asking


@pytest.mark.usefixtures("soon")
async def test_an_answer_that_discord_does_not_take_leaves_no_traceback(
    table: Seat, caplog: pytest.LogCaptureFixture
) -> None:
    house = await table(1)
    bench = held(house)
    await house.host.slash(house.channel, "odds showdown", hands="AhKd vs QcQs")
    house.world.faults.expire_tokens()
    bench.go.set()
    await house.bot.client.drained()
    assert not house.bot.odds._under_way
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.usefixtures("soon")
async def test_moves_and_pictures_do_not_wait_behind_heavy_questions(table: Seat) -> None:
    house = await table(8)
    bench = held(house)
    for person, rank in zip(house.people[1:], "23456789", strict=False):
        hands = f"AhKd vs {rank}c{rank}s"
        assert "dealing" in plain(
            (await person.slash(house.channel, "odds showdown", hands=hands)).text
        )
    out = await house.host.slash(house.channel, "odds liars", in_play=12)  # draws a picture
    assert out.message is not None
    assert bench.begun.qsize() == 7
    bench.go.set()
    await last(house, "exact")
    await house.bot.client.drained()


BAD: list[tuple[dict[str, object], str]] = [
    ({"hands": "AhKd vs AhQd"}, "given twice"),
    ({"hands": "AhK vs QQ"}, "missing its suit"),
    ({"hands": "omaha AsAhKsKh", "opponents": 10}, "at most 10 players, got 11"),
    ({"hands": "draw AsAhKsKh2d", "opponents": 12}, "the pack has 52"),
    ({"hands": "AhKd vs QQ", "board": "2c 3c 4c 5c 6c 7c"}, "6 public cards"),
    ({"hands": "Ah* vs QQ"}, "jokers"),
    ({"hands": "AA vs AA vs AA"}, "leave no hand"),
    ({"hands": " vs "}, "at least one player"),
    ({"hands": "<@1> @everyone **x**"}, "not a card"),
    ({"hands": "AhKd " * 99}, "494 characters"),
    ({"hands": "AhKd " * 60}, "given twice"),
    ({"hands": "2c3c", "game": "shortdeck"}, "not in the pack of 36"),
]


async def test_bad_questions_get_one_sentence_with_an_example(table: Seat) -> None:
    house = await table(1)
    for typed, says in BAD:
        text = whispered(await house.host.slash(house.channel, "odds showdown", **typed))
        assert says in text
        assert "Example:" in text
        assert "\n" not in text
        assert " -s " not in text  # an option of the command line is no example here
        assert "--game" not in text
        assert '"ad,8d"' not in text
        assert "/odds showdown hands: " in text
        for live in ("<@1>", "@everyone", "**x**"):
            assert live not in text


async def test_ranges_that_leave_no_deal_are_refused_without_holding_up_the_loop(
    table: Seat,
) -> None:
    house = await table(1)
    hands = " vs ".join(["A2o+"] * 5)  # four aces for five players: too many ways to try them all
    await house.host.slash(house.channel, "odds showdown", hands=hands)
    text = (await last(house, "Example")).text
    assert "the ranges almost never leave a hand for everybody" in text


WIDE = "22+, A2s+, K2s+, Q2s+, J2s+, T2s+, 92s+, 82s+, 72s+, 62s+, 52s+, A2o+, K2o+, Q2o+, J2o+"


@pytest.mark.parametrize(
    "typed",
    [
        {"hands": "AhKd", "opponents": 22},
        {"hands": f"{WIDE} vs {WIDE} vs {WIDE} vs AA", "opponents": 19},
        {"hands": f"{WIDE} vs QQ"},
        {"hands": "AsAhKsKh2d", "game": "omaha5", "opponents": 8},
        {"hands": "random", "game": "draw", "opponents": 9, "dead": "2c 2d"},
    ],
)
async def test_full_tables_and_long_ranges_fit_discords_limits(
    table: Seat, typed: dict[str, object]
) -> None:
    house = await table(1)
    await (await house.host.slash(house.channel, "odds showdown", **typed)).settled()
    answered = await last(house, "deals")
    assert len(texts(answered)) <= MOST_TEXT
    assert answered.attachments
    if answered.buttons:
        ranks = await (await house.host.click(answered, "Which hands?")).settled()
        assert ranks.message is not None
        assert len(texts(ranks.message)) <= MOST_TEXT
        assert "Str. flush" in plain(ranks.text)
    else:
        assert "Str. flush" in plain(answered.text) or "fewer players" in plain(
            plain(answered.text)
        )


def test_every_question_about_cards_fits_a_button() -> None:
    deck = list(Cards((1 << 52) - 1))
    for key, rules in PRESETS.items():
        cards = [card for card in deck if card in rules.deck]
        size = rules.private
        seats = min((len(cards) - rules.public) // size, rules.most_players or 99)
        hands = [Cards.of(cards[at * size : at * size + size]) for at in range(seats)]
        board = Cards.of(cards[seats * size : seats * size + rules.public])
        dead = Cards.of(cards[seats * size + rules.public :])
        scenario = Scenario(rules, tuple(hands), board, dead)
        packed = packing.packed(scenario)
        assert packed is not None, key
        assert packing.unpacked(packed) == scenario


@pytest.mark.parametrize("text", ["QQ+, AKs vs AhKd", "random, 22 vs JJ", "AhKd vs 76s-54s"])
def test_a_packed_range_is_the_same_range(text: str) -> None:
    scenario = parse_question(text)
    packed = packing.packed(scenario)
    assert packed is not None
    assert packing.unpacked(packed) == scenario


def test_a_forged_text_is_no_question() -> None:
    with pytest.raises(TextError):
        packing.unpacked("chess;a;b;c")


def test_the_hands_that_follow_a_long_question_are_left_out_if_they_do_not_fit() -> None:
    few = showdown_odds(parse_question("AhKd vs QcQs, board 2c 3d 4h"))
    blocks = showdown_board(few, hands_too=True).blocks
    assert any("Str. flush" in getattr(block, "markdown", "") for block in blocks)
    assert "```" in str(ranks_board(few).blocks)


PRESET_OPTIONS = [None, "holdem", "omaha", "omaha5", "draw", "shortdeck", "a5", "27"]


@pytest.mark.parametrize("preset", PRESET_OPTIONS)
@pytest.mark.parametrize("board", ["", "typed"])
@pytest.mark.parametrize("dead", ["", "typed"])
def test_every_example_is_a_question_that_has_an_answer(
    preset: str | None, board: str, dead: str
) -> None:
    example = refusing.showdown_example(TypedShowdown("", preset, board, dead))
    found = re.fullmatch(
        r"/odds showdown hands: (.+?)(?: game: (.+?))?(?: board: (.+?))?(?: dead: (.+?))?", example
    )
    assert found is not None, example
    by_name = {name: key for key, name in GAME_NAMES.items()}
    hands, game, public, gone = found.groups(default="")
    assert by_name.get(game) == preset
    scenario = parse_question(hands, preset, public, gone)
    assert bool(scenario.dead) is bool(dead)
    assert refusing.showdown_words(TypedShowdown("", preset, board, dead))(
        TextError("x", "x is not a card", "-s 5")
    ) == (f"x is not a card. Example: {example}")


def test_the_games_that_are_offered_are_those_that_can_be_counted() -> None:
    assert questions.PRESETS == GAME_NAMES
    assert list(questions.PRESETS) == list(PRESETS)


async def test_a_bot_that_restarts_keeps_its_buttons(table: Seat, tmp_path: object) -> None:
    house = await table(1)
    out = await house.host.slash(house.channel, "odds showdown", hands="AhKd vs QcQs")
    assert out.message is not None
    await house.bot.stop()
    from pathlib import Path

    folder = Path(str(tmp_path)) / "again"
    folder.mkdir()
    async with running_bot(house.world, settings(folder), computing=Bench()):
        ranks = await house.host.click(out.message, "Which hands?")
        assert "What they make" in whispered(ranks)
