"""The command *Odds* in the menu of any message, as people use it in the local Discord."""

from __future__ import annotations

import pytest

from bot.computing.warming import load_kernels
from bot.discord.fair_use import COMMANDS
from bot.language.messages import question_in_message
from bot.language.words import percent
from bot.sandbox.driver import ActOutcome, Person
from bot.sandbox.errors import CannotDo
from engine.errors import TextError
from engine.odds import parse_question, showdown_odds
from tests.bot.conftest import Seat
from tests.bot.discord.odds.screen import private_text
from tests.bot.harness import Table, plain
from tests.engine.odds.showdown.test_hand_history import HOLDEM, PHH


@pytest.fixture(scope="module", autouse=True)
def compile_before() -> None:
    """Load compiled code first, so that no answer waits for the compiler."""
    load_kernels()


async def ask_about(at: Table, text: str, asker: Person | None = None) -> ActOutcome:
    """Have the last person write `text`; pick *Odds* in its menu as `asker` (default: the host)."""
    message = await at.people[-1].say(at.channel, text)
    return await (asker or at.host).menu(message.seen, "Odds")


async def test_a_message_is_answered_privately_with_what_was_read(table: Seat) -> None:
    at = await table(2)
    out = await ask_about(at, "he had AKs, flop Kh7d2c, I had jacks")
    message = out.seen
    exact = showdown_odds(parse_question("AKs vs JJ, board Kh 7d 2c"))
    assert message.ephemeral
    assert message.payload["interaction_metadata"]["target_message_id"]
    text = plain(message.text)
    assert 'I read it as "' in text
    assert f"{percent(float(exact.players[0].value))}  P1" in text
    assert "Final hands" in message.buttons
    assert "P1" not in at.people[-1].text(at.channel)


async def test_a_message_that_is_a_question_is_asked_as_it_is(table: Seat) -> None:
    at = await table(1)
    message = (await ask_about(at, "AhKd vs QQ, run it twice on 9c8d7s")).seen
    assert 'I read it as "AhKd vs QQ, run it twice on 9c8d7s".' in plain(message.text)
    assert "run twice" in plain(message.text)


async def test_of_a_flop_by_its_ranks_it_is_said_which_deals_are_counted(table: Seat) -> None:
    at = await table(1)
    text = plain((await ask_about(at, "AKs vs JJ, flop K72")).seen.text)
    assert "preflop" not in text
    assert "any board" in text
    assert 'Counted: only deals that fit "flop K72"' in text


async def test_an_unclear_message_offers_its_meanings(table: Seat) -> None:
    at = await table(1)
    out = await ask_about(at, "54s+ vs AA")
    assert 'I read it as "54s+ vs AA".' in plain(private_text(out))
    assert len(out.seen.buttons) == 2
    chosen = await at.host.click(out.seen, out.seen.buttons[0])
    assert "exact" in chosen.text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("see you at 10", "Found no hands in the message. Example: "),
        ("what a flop: 9c 8d 7s", 'Found "board 9c 8d 7s" in the message, but no hands.'),
        ("I had AhKd, he had AhQs", "Ah is given twice"),
    ],
)
async def test_a_message_without_a_question_says_what_was_found(
    table: Seat, text: str, says: str
) -> None:
    at = await table(1)
    assert says in plain(private_text(await ask_about(at, text)))


async def test_a_hand_history_is_answered_street_by_street(table: Seat) -> None:
    at = await table(1)
    message = (await ask_about(at, HOLDEM)).seen
    text = plain(message.text)
    assert "Hand 243490149326" in text
    assert text.count(" → ") == 6
    assert "dead 2♦ 2♣" in text
    quoted = (await ask_about(at, "> " + HOLDEM.replace("\n", "\n> "))).seen
    assert plain(quoted.text) == text
    block = (await ask_about(at, f"Look: ```{PHH}```")).seen
    assert plain(block.text) == text.replace("243490149326", "1")
    out = await ask_about(at, "PokerStars Hand #1: Razz Limit")
    assert "not of other games" in private_text(out)


async def ask_about_file(at: Table, text: str, name: str, content: str) -> ActOutcome:
    """Have the last person send a text and a file, and the host pick *Odds* in its menu."""
    message = await at.people[-1].say(at.channel, text, {name: content})
    return await at.host.menu(message.seen, "Odds")


@pytest.mark.parametrize("name", ["hands.txt", "Hand.PHH", "evening.phhs"])
async def test_a_hand_in_a_messages_file_is_answered(table: Seat, name: str) -> None:
    at = await table(1)
    content = f"[1]\nvariant = 'FB'\n[2]\n{PHH}\n[3]\n{PHH}" if name.endswith("s") else PHH
    message = (await ask_about_file(at, "", name, content)).seen
    text = plain(message.text)
    assert text.count(" → ") == 6
    assert ("The first of 3 hands here that has a showdown." in text) is name.endswith("s")
    assert ("Hand 2" if name.endswith("s") else "Hand 1") in text


async def test_a_message_comes_before_a_file_without_a_hand(table: Seat) -> None:
    at = await table(1)
    out = await ask_about_file(at, "AA vs KK", "notes.txt", "milk, eggs")
    assert 'I read it as "AA vs KK".' in plain(out.seen.text)
    out = await ask_about_file(at, HOLDEM, "hand.phh", PHH)
    assert "Hand 243490149326" in plain(out.seen.text)
    out = await ask_about_file(at, "AA vs KK", "log.txt", PHH * 500)
    assert 'I read it as "AA vs KK".' in plain(out.seen.text)
    out = await ask_about_file(at, "AA vs KK", "hand.json", PHH)
    assert 'I read it as "AA vs KK".' in plain(out.seen.text)


async def test_a_file_that_cannot_be_read_is_refused_in_a_sentence(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(1)
    out = await ask_about_file(at, "", "all.phhs", PHH * 500)
    assert "files of up to 200 kB. Paste one hand instead." in private_text(out)
    message = await at.host.say(at.channel, "", {"hand.phh": PHH})
    at.world.state.attachments.clear()
    out = await at.host.menu(message.seen, "Odds")
    assert 'Discord didn\'t let me read "hand.phh"' in plain(private_text(out))


async def test_the_menu_has_no_other_app_and_none_for_private_messages(table: Seat) -> None:
    at = await table(1)
    out = await ask_about(at, "nothing")
    with pytest.raises(CannotDo, match="only you see"):
        await at.host.menu(out.seen, "Odds")
    message = await at.host.say(at.channel, "AA vs KK")
    with pytest.raises(CannotDo, match="there are: Odds"):
        await at.host.menu(message.seen, "Chances")
    with pytest.raises(CannotDo, match="There is no command /Odds"):
        await at.host.slash(at.channel, "Odds")


def test_questions_by_the_menu_count_as_questions_about_odds() -> None:
    assert COMMANDS["Odds"] == COMMANDS["odds"]


def test_polish_messages_are_read_too() -> None:
    question = question_in_message("on miał AKs, ja miałem walety, stół Kh 7d 2c, ale pech")
    scenario = parse_question(question)
    assert {str(held) for held in scenario.players} == {"AKs", "JJ"}
    assert len(scenario.board) == 3
    with pytest.raises(TextError, match="no hands in the message"):
        question_in_message("do zobaczenia o 10")
