"""Boards measured on a phone in headless Chromium: the private seat, and showdowns of six players.

Boards, pictures and messages are real, with cards as the bot's emoji; only the rounds are made up.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from typing import Final

import discord
import pytest
from playwright.async_api import Locator, expect

from bot.boards.board import Board
from bot.boards.pad import Pick
from bot.boards.practice import hint_notice, practice_board
from bot.boards.seat import Notice, seat_board
from bot.boards.table import table_board
from bot.discord.errors import sentence, still_meant
from bot.discord.layout import render
from bot.language.catalogues import speaking
from bot.language.wordings import parse_typed_bid
from bot.language.words import TypedText
from bot.sandbox.clock import ManualClock
from bot.tables import errors
from bot.tables.live import LiveTable
from bot.tables.model import DeadlineKind
from engine.actions import Challenge, MakeBid
from engine.cards import Cards
from engine.play import start
from engine.state import Match
from engine.variants import ruleset
from engine.wording import BidTextError
from tests.bot.boards.rounds import LIARS, THAI, bid, table
from tests.bot.browser_seat import DRAWN, Gallery, Premises, Seat, premises
from tests.dealing import play, stacked_deal
from tests.engine.rounds import with_cards

pytestmark = pytest.mark.browser

TALLEST: Final = 520  # pixels of an iPhone's screen, with its large buttons
TURN: Final = 690  # of a seat on its player's turn, with what a newcomer is told
STEADY: Final = 40  # by which a step of the pad may differ from its first


@pytest.fixture(autouse=True)
def cards_in_text() -> None:
    """Override the fixture: cards must be emoji here, since they take more room."""


@dataclass(slots=True)
class Wall:
    """A channel to post boards in, and a phone that shows it."""

    clock: ManualClock
    at: Premises
    phone: Seat
    gallery: Gallery

    async def hang(self, board: Board, name: str) -> Locator:
        """Post a board in a new message; return the message as the phone shows it."""
        self.clock.advance(600)  # as what comes after a pause it is headed by its author's name
        ready = await render(board)
        assert not ready.late
        channel = self.at.bot.client.get_partial_messageable(int(self.at.channel.id))
        nobody = discord.AllowedMentions.none()
        sent = await channel.send(view=ready.view, files=ready.files, allowed_mentions=nobody)
        node = self.phone.page.locator(f'#messages .message[data-id="{sent.id}"]')
        await expect(node.locator(".author")).to_be_visible()
        await self.phone.page.evaluate("document.fonts.ready")
        await self.phone.page.evaluate(DRAWN)
        await self.gallery.keep(self.phone.page, f"{name}-phone")
        return node


@asynccontextmanager
async def wall(
    folder: Path, clock: ManualClock, gallery: Gallery, names: tuple[str, ...] = ()
) -> AsyncIterator[Wall]:
    async with premises(folder, clock, names, "a wall") as at, at.tab("Ann", gallery) as phone:
        yield Wall(clock, at, phone, gallery)


async def box_of(node: Locator) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of a node, in pixels."""
    box = await node.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


async def height(first: Locator, last: Locator) -> float:
    """Return the height from the top of `first` to the bottom of `last`, in pixels."""
    return (await box_of(last))[3] - (await box_of(first))[1]


# -- one's own seat: what one decides by, and the pad ----------------------------------------------

CHALLENGE: Final = re.compile("^(Challenge|Sprawdzam|Yes|Tak)$")
TYPE: Final = re.compile("^(Type…|Pisz)$")
HINT: Final = (
    "**Hint.** Challenge, unless you believe it: it's only 23% likely by your cards, and nothing"
    " higher is above 21%."
)


def round_of(
    players: int, cards: int, *bids: str, game: str = LIARS, odds: str = "seats"
) -> LiveTable:
    """Return a table of `players` people with `cards` cards each, after these bids."""
    people = tuple(range(101, 101 + players))
    match = with_cards(start(ruleset(game), people, 0), *[cards] * players)
    match = play(match, stacked_deal(match, {}))
    at = table(game, players=people, options={"odds_at_table": odds})
    return LiveTable(at, bid(match, *bids))


LONGEST_BIDDING: Final = (
    "nine high",
    "ten high",
    "pair of nines",
    "kings and fives",
    "three fours",
)


def seat_of_who_is_to_act(
    live: LiveTable,
    language: str,
    pick: str = "",
    notice_text: str = "",
    *,
    notice: Notice | None = None,
    learning: bool = False,
) -> Board:
    """Return the seat of the player to act, as they see it with two minutes left.

    `pick`: the step of the pad. `notice_text`: shown instead of `notice` if not empty. If
    `learning`, explain the standing bid.
    """
    assert live.match is not None
    assert live.match.round is not None
    player = live.match.seats[live.match.round.turn].player
    # or a slow machine would show a time that was up before the round was hung
    live = replace(live, table=replace(live.table, turn_ends=int(time.time() * 1000) + 120_000))
    notice, link = (
        Notice(notice_text) if notice_text else notice,
        "https://discord.com/channels/1/2/3",
    )
    with speaking(language):
        return seat_board(live, player, Pick.read(pick), notice, link, learning=learning)


async def test_ones_seat_fits_a_phone_at_every_step_in_every_language(
    tmp_path: Path, unhurried: ManualClock, gallery: Gallery
) -> None:
    async with wall(tmp_path, unhurried, gallery) as on:
        for language in ("en", "pl"):
            await every_step_fits(on, language)
            await the_cards_and_the_challenge_are_on_one_screen(on, language)
            await a_refused_bid_moves_no_button(on, language)
            await the_question_before_a_challenge_moves_nothing(on, language)
            await a_practice_fits_too(on, language)


# how many cards each of six players holds, and what was bid
STAGES: Final[dict[str, dict[str, tuple[int, tuple[str, ...]]]]] = {
    LIARS: {"opening": (2, ()), "early": (3, LONGEST_BIDDING[:2]), "late": (4, LONGEST_BIDDING)},
    THAI: {"opening": (2, ()), "late": (2, ("high card nine", "pair of nines", "three aces"))},
}
STEPS: Final = {
    LIARS: (",", "pair", "pair.A", "full_house.A", "full_house.A.Q", "flush.A", "flush.A.h"),
    THAI: (",", "pair", "full_house.A", "full_house.A.Q", "flush", "flush.h", "royal_flush"),
}


async def every_step_fits(on: Wall, language: str) -> None:
    """Check that a seat at a table of six fits a phone.

    Each step of the pad is about as high as the first.
    """
    for game, stages in STAGES.items():
        for stage, (cards, bids) in stages.items():
            for odds in ("on", "seats"):
                live = round_of(6, cards, *bids, game=game, odds=odds)
                name = f"own-{game}-{stage}-{odds}"
                board = seat_of_who_is_to_act(live, language, learning=True)
                container = (await on.hang(board, f"{name}-new-{language}")).locator(".container")
                assert await height(container, container) <= TURN, name
                if odds == "on":
                    continue  # its other steps are as below, with fewer lines and shorter labels
                first, heights = seat_of_who_is_to_act(live, language), {}
                for step in ("", *STEPS[game]):
                    board = seat_of_who_is_to_act(live, language, step)
                    if step and board.rows == first.rows:
                        continue  # it is too low
                    container = (await on.hang(board, f"{name}-{step}-{language}")).locator(
                        ".container"
                    )
                    heights[step] = await height(container, container)
                least, most = min(heights.values()), max(heights.values())
                assert heights[""] - STEADY <= least <= most <= heights[""] + STEADY, heights


# stages at which the pad is high and low, and what is typed there that is no bid
REFUSED: Final = {
    "opening": (round_of(6, 3), "pair of threeze"),
    "raising": (round_of(6, 3, "nine high", "pair of nines", "kings and fives"), "five threez"),
    "late": (
        round_of(6, 3, "nine high", "pair of nines", "three fours", "four kings"),
        "five acez",
    ),
    "few-cards": (round_of(2, 1), "aces ful of kingz"),
}
LINE: Final = 22  # pixels
GAP: Final = 20  # pixels above a block, and of the second line of a button's label


async def a_refused_bid_moves_no_button(on: Wall, language: str) -> None:
    """Check that a refused bid adds only its explanation to the seat, and moves no lower button."""
    for name, (live, typed) in REFUSED.items():
        pad, pad_buttons = await measure_seat(on, live, language, f"pad-{name}-{language}")
        with speaking(language):
            with pytest.raises(BidTextError) as caught:
                parse_typed_bid(ruleset(LIARS), typed)
            notice = Notice(sentence(caught.value, live), still_meant(caught.value, live))
        assert notice.meant
        refused, its_buttons = await measure_seat(
            on, live, language, f"refused-{name}-{language}", notice
        )
        words = on.phone.page.locator("blockquote").last
        assert refused - await height(words, words) <= pad + GAP, name
        assert its_buttons == pad_buttons, name


async def measure_seat(
    on: Wall,
    live: LiveTable,
    language: str,
    name: str,
    notice: Notice | None = None,
    *,
    button: re.Pattern[str] = TYPE,
) -> tuple[float, list[tuple[float, float]]]:
    """Return the seat's height and the place of each button that matches `button`, in pixels.

    A place has the distances from the seat's left edge to the button's, and from the seat's bottom
    to the button's top.
    """
    board = seat_of_who_is_to_act(live, language, notice=notice)
    container = (await on.hang(board, f"own-{name}")).locator(".container")
    left, _, _, bottom = await box_of(container)
    places = []
    for control in await container.get_by_role("button", name=button).all():
        box = await box_of(control)
        places.append((box[0] - left, bottom - box[1]))
    return await height(container, container), places


async def a_practice_fits_too(on: Wall, language: str) -> None:
    """Check that a practice fits a phone, with its additional button, remarks and hints.

    With a hint, each step of the pad is about as high as the first.
    """
    for game, stages in STAGES.items():
        for stage, (cards, bids) in stages.items():
            live = practice_of(game, cards, *bids)
            for learning in (True, False):
                name = f"practice-{game}-{stage}-{'new' if learning else 'old'}-{language}"
                assert await height_of_practice(on, live, language, name, learning) <= TURN, name
            assert live.match is not None
            with speaking(language):
                notice = hint_notice(live.match, HUMAN)
            heights = {}
            for step in ("", *STEPS[game]):
                name = f"practice-{game}-{stage}-hint-{step}-{language}"
                heights[step] = await height_of_practice(
                    on, live, language, name, True, step, notice
                )
            assert heights[""] <= TURN, heights
            least, most = min(heights.values()), max(heights.values())
            assert heights[""] - STEADY <= least <= most <= heights[""] + STEADY, heights


async def height_of_practice(
    on: Wall,
    live: LiveTable,
    language: str,
    name: str,
    learning: bool,
    step: str = "",
    notice: Notice | None = None,
) -> float:
    with speaking(language):
        board = practice_board(live, HUMAN, {}, Pick.read(step), notice, learning=learning)
    container = (await on.hang(board, name)).locator(".container")
    return await height(container, container)


HUMAN: Final = 101
ROXY: Final = -401  # a computer player that talks a lot


def practice_of(game: str, cards: int, *bids: str) -> LiveTable:
    """Return a practice after these bids, in which it is the person's turn."""
    order = (ROXY, HUMAN) if len(bids) % 2 else (HUMAN, ROXY)
    match = with_cards(start(ruleset(game), order, 0), cards, cards)
    match = play(match, stacked_deal(match, {}))
    at = table(game, players=order, options={"odds_at_table": "seats"})
    return LiveTable(replace(at, guild_id=0, channel_id=-HUMAN), bid(match, *bids))


HELD: Final = {"pair": "Kd Kh", "five": "Ac Ad Ah As *"}  # cards that make a bid


async def the_question_before_a_challenge_moves_nothing(on: Wall, language: str) -> None:
    """Check that the question before a challenge takes the place of the turn's line.

    The button that confirms is in **Challenge**'s line, further right: a double tap doesn't hit it.
    """
    live = round_of(6, 5, *LONGEST_BIDDING)
    plain, place = await measure_seat(on, live, language, f"doubt-{language}", button=CHALLENGE)
    for name, cards in HELD.items():
        with speaking(language):
            text = sentence(errors.OwnCardsMakeIt(Cards.parse(cards)), live)
        notice = Notice(text, doubts=True)
        label = f"doubted-{name}-{language}"
        question_height, its_place = await measure_seat(
            on, live, language, label, notice, button=CHALLENGE
        )
        # it may be a line lower at its top: the short button leaves the bid more room
        assert plain - GAP - LINE <= question_height <= plain + GAP, name
        for (left, above), (left_before, above_before) in zip(its_place, place, strict=True):
            assert above == pytest.approx(above_before, abs=GAP + LINE), name
            assert left > left_before + GAP, "a second tap in the same place mostly does nothing"


async def the_cards_and_the_challenge_are_on_one_screen(on: Wall, language: str) -> None:
    """Check that cards and buttons fit on screen after the longest bidding, also with a hint."""
    for name, hint in (("bidding", ""), ("hinted", HINT)):
        board = seat_of_who_is_to_act(round_of(6, 5, *LONGEST_BIDDING), language, notice_text=hint)
        node = await on.hang(board, f"own-{name}-{language}")
        hand, challenge = node.locator(".md-h1"), node.get_by_role("button", name=CHALLENGE)
        for part in (hand, challenge, node.get_by_role("button", name=TYPE)):
            await expect(part).to_be_in_viewport(ratio=1)


# -- the tallest showdowns -------------------------------------------------------------------------

LONGEST: Final = 32  # characters of a name
A_ROW: Final = 60  # of hands in the picture


def six_of(letters: str, length: int = LONGEST) -> tuple[str, ...]:
    """Return six different names of this length, which repeat `letters`."""
    return tuple("".join(islice(cycle(letters), n, n + length - 1)) + "αβγδεζ"[n] for n in range(6))


USUAL: Final = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn")
NAMES: Final = {
    "usual": USUAL,
    "latin": six_of("Maximiliane von Wolkenstein "),
    "wide": six_of("W"),
    "chinese": six_of("漢字仮名交文"),
}


def end_round(match: Match, game: str, people: tuple[int, ...]) -> LiveTable:
    """Return a table with `match`, whose round is over; the next is dealt in 15 seconds."""
    soon = {"deadline": int(time.time() * 1000) + 15_000, "deadline_kind": DeadlineKind.NEXT_ROUND}
    return LiveTable(replace(table(game, players=people, host_id=people[0]), **soon), match)  # type: ignore[arg-type]


def show_down(
    people: tuple[int, ...],
    game: str,
    bid_text: str,
    hands: dict[int, str],
    *cards: int,
    **options: object,
) -> LiveTable:
    """Return a table after a showdown: the first of `people` bids, the second challenges.

    `hands`: the cards to deal, by seat. `cards`: each seat's number of cards. `options`: house
    rules.
    """
    match = with_cards(start(ruleset(game, options), people, 0), *cards)  # type: ignore[arg-type]
    match = play(match, stacked_deal(match, hands))
    key = match.ruleset.wording.parse(bid_text).key
    return end_round(play(match, MakeBid(0, key), Challenge(1)), game, people)


async def test_a_showdown_of_six_fits_a_phone_whatever_they_are_called(
    tmp_path: Path, unhurried: ManualClock, gallery: Gallery
) -> None:
    everybody = tuple(name for six in NAMES.values() for name in six)
    async with wall(tmp_path, unhurried, gallery, everybody) as on:
        for called, names in NAMES.items():
            people = [on.at.world.person(name) for name in names]
            await showdowns_fit(
                on, called, {int(person.id): TypedText(person.name) for person in people}
            )


async def showdowns_fit(on: Wall, called: str, names: dict[int, TypedText]) -> None:
    six, fives = tuple(names), (5,) * 6
    flush = "queen high diamond straight flush"
    scenes = {
        # two kinds of cards are missing, or all that holds it is told
        "two-pair": show_down(six, LIARS, "pair of queens, pair of jacks", {}, *fives, jokers=0),
        "holds": show_down(six, LIARS, flush, {0: "Qd Jd Td 9d 8d"}, *fives),
        "fails": show_down(six, LIARS, flush, {1: "Qs Js Ts 9s 8s"}, *fives),
        "cards": show_down(six, LIARS, "pair of sevens, pair of sixes", {}, 4, 4, 5, 5, 5, 5),
        "middle": show_down(six, LIARS, "queens full of jacks", {}, *fives, middle_hand=True),
        "tie": show_down(six, LIARS, "five queens", {}, 5, 3, 3, 4, 4, 4, length="first_out"),
        "ties": show_down(six, LIARS, "five queens", {}, 5, 3, 3, 3, 3, 3, length="first_out"),
        "thai": show_down(six, THAI, "spade royal flush", {}, *(4,) * 6),
    }
    heights = {}
    for name, live in scenes.items():
        node = await on.hang(table_board(live, names), f"{called}-{name}")
        await expect(node.locator("img.picture")).to_be_visible()
        heights[name] = await height(node, node)
    with_middle = heights.pop("middle")  # seven hands: another row of them
    assert {name: pixels for name, pixels in heights.items() if pixels >= TALLEST} == {}, (
        called,
        heights,
    )
    assert with_middle < TALLEST + A_ROW
