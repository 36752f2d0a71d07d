"""/odds showdown, as people see it in the local Discord."""

from __future__ import annotations

import asyncio
import threading
import time

import discord
import pytest

from bot.boards.showdown_odds import ranks_board, showdown_board
from bot.discord.odds import desk, packing
from bot.sandbox.driver import Outcome
from bot.sandbox.errors import CannotDo
from bot.sandbox.screen import SeenMessage
from bot.warming import QUESTIONS, load_kernels
from bot.words import percent
from engine.cards import Cards
from engine.errors import TextError
from engine.odds import PRESETS, Scenario, Showdown, parse_question, showdown_odds
from tests.bot.conftest import Seat
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


class Slow:
    """`showdown_odds` that is not done before it is let go, or cancelled."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        import engine.odds.showdown.equity as module

        self.go = threading.Event()
        self.seen_cancelled = threading.Event()
        self.asked = 0
        real = module.showdown_odds

        def slow(scenario: Scenario, **given: object) -> Showdown:
            self.asked += 1
            cancelled = given["cancelled"]
            assert callable(cancelled)
            while not self.go.wait(0.01):
                if cancelled():
                    self.seen_cancelled.set()
                    break
            return real(scenario, cancelled=cancelled)

        monkeypatch.setattr(module, "showdown_odds", slow)

    async def until_cancelled(self) -> None:
        assert await asyncio.to_thread(self.seen_cancelled.wait, 5)


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
    house.bot.odds._answers.clear()  # as after a restart
    ranks = await house.people[1].click(out.message, "Which hands?")
    assert whispered(ranks) == whispered(await house.people[1].click(out.message, "Which hands?"))
    answer = showdown_odds(parse_question("AhKd vs QQ vs 2s2d v random, board 9c 8d 2h 5c"))
    from engine.odds import HandRank

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


async def test_a_long_question_says_so_and_is_followed_up(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await table(1)
    slow = Slow(monkeypatch)
    out = await house.host.slash(house.channel, "odds showdown", hands="AhKd vs QcQs")
    assert "dealing" in plain(out.text)
    assert out.message is not None
    assert out.message.buttons == ["Cancel"]
    await asyncio.sleep(2.2)  # beyond the three seconds that Discord gives a first answer
    slow.go.set()
    answered = await last(house, "exact: all 1,712,304 deals counted")
    assert answered.id == out.message.id
    assert answered.buttons == ["Which hands?"]
    assert answered.attachments


async def test_only_who_asked_can_cancel_and_only_that_question(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await table(2)
    slow = Slow(monkeypatch)
    asker, other = house.people
    out = await asker.slash(house.channel, "odds showdown", hands="AhKd vs QcQs")
    assert out.message is not None
    assert whispered(await other.click(out.message, "Cancel")) == desk.NOT_YOURS
    cancel = out.message.button("Cancel")
    await asyncio.sleep(0.05)
    assert not slow.seen_cancelled.is_set()
    assert (await asker.click(out.message, "Cancel")).kind == "deferred_update"
    await slow.until_cancelled()
    await last(house, desk.GIVEN_UP)
    # the old button is pressed once more while the next question runs: it is not that one's
    slow.seen_cancelled.clear()
    again = await asker.slash(house.channel, "odds showdown", hands="AhKc vs QcQs")
    assert again.message is not None
    assert again.message.button("Cancel") != cancel
    old = await planted(house, cancel)
    assert whispered(await asker.click(old, "Old")) == desk.TOO_LATE
    slow.go.set()
    answered = await until(house, again.message, "exact")
    assert not slow.seen_cancelled.is_set()
    late = await planted(house, again.message.button("Cancel"))
    assert whispered(await asker.click(late, "Old")) == desk.TOO_LATE
    assert "wins" in plain(answered.text)
    with pytest.raises(CannotDo):
        await asker.click(again.message, "Cancel")


async def test_a_person_has_one_running_question_and_others_have_theirs(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await table(2)
    asker, other = house.people
    done = await asker.slash(house.channel, "odds showdown", hands="AhKd vs QcQh")
    slow = Slow(monkeypatch)
    first = await asker.slash(house.channel, "odds showdown", hands="AhKd vs QcQs")
    second = await asker.slash(house.channel, "odds showdown", hands="AhKd vs JcJs")
    assert whispered(second) == desk.BUSY
    assert done.message is not None
    house.bot.odds._answers.clear()
    assert whispered(await asker.click(done.message, "Which hands?")) == desk.BUSY
    others = await other.slash(house.channel, "odds showdown", hands="AhKd vs TcTs")
    assert "dealing" in plain(others.text)
    assert slow.asked == 2
    slow.go.set()
    assert first.message is not None
    await last(house, "exact")


async def test_a_question_that_takes_too_long_is_given_up(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await table(1)
    slow = Slow(monkeypatch)
    monkeypatch.setattr(desk, "LONGEST", 0.3)
    await house.host.slash(house.channel, "odds showdown", hands="AhKd vs QcQs")
    await slow.until_cancelled()
    await last(house, desk.GIVEN_UP)


async def test_a_stopping_bot_does_not_wait_for_a_long_question(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await table(1)
    slow = Slow(monkeypatch)
    await house.host.slash(house.channel, "odds showdown", hands="AhKd vs QcQs")
    house.bot.odds.close()
    await slow.until_cancelled()


async def test_moves_and_pictures_do_not_wait_behind_heavy_questions(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await table(8)
    slow = Slow(monkeypatch)
    asking = [
        asyncio.create_task(
            person.slash(house.channel, "odds showdown", hands=f"AhKd vs {rank}c{rank}s")
        )
        for person, rank in zip(house.people[1:], "23456789", strict=False)
    ]
    await asyncio.sleep(0.1)
    out = await house.host.slash(house.channel, "odds liars", in_play=12)  # draws a picture
    assert out.message is not None
    assert out.kind == "message"
    for said in await asyncio.gather(*asking):
        assert "dealing" in plain(said.text)
    slow.go.set()
    await last(house, "exact")


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


async def test_the_loop_stays_free_while_a_heavy_question_runs(table: Seat) -> None:
    house = await table(1)
    question = {"hands": "omaha5 AsAhKsKh2d", "opponents": 8}
    showdown_odds(parse_question("omaha5 AsAhKsKh2d v random"))  # compiled beforehand
    asking = asyncio.create_task(house.host.slash(house.channel, "odds showdown", **question))
    lags = []
    until = time.monotonic() + 0.8
    while time.monotonic() < until:
        before = time.monotonic()
        await asyncio.sleep(0.005)
        lags.append(time.monotonic() - before - 0.005)
    lags.sort()
    assert lags[len(lags) // 2] < 0.05  # a loop that computes itself would lag by all of it
    await asking
    await last(house, "deals")


async def test_a_warmed_bot_has_its_kernels_before_the_first_question(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await table(1)
    asked: list[Scenario] = []
    import engine.odds.showdown.equity as module

    real = module.showdown_odds

    def noted(scenario: Scenario, *given: object, **named: object) -> Showdown:
        asked.append(scenario)
        return real(scenario, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "showdown_odds", noted)
    new = desk.OddsDesk()
    new.warm()
    assert new._warming is not None
    await new._warming
    assert len(asked) == len(QUESTIONS)
    assert house.bot.ready.is_set()
    new.close()


async def test_a_bot_that_restarts_keeps_its_buttons(table: Seat, tmp_path: object) -> None:
    house = await table(1)
    out = await house.host.slash(house.channel, "odds showdown", hands="AhKd vs QcQs")
    assert out.message is not None
    await house.bot.stop()
    from pathlib import Path

    folder = Path(str(tmp_path)) / "again"
    folder.mkdir()
    async with running_bot(house.world, settings(folder)):
        ranks = await house.host.click(out.message, "Which hands?")
        assert "What they make" in whispered(ranks)
