"""Questions in people's own words: clear ones are answered, otherwise the bot asks back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.computing.warming import load_kernels
from bot.discord import ids
from bot.discord.odds.asking import (
    MINE,
    TypedOptions,
    pack_bids,
    pack_showdown,
    unpack_bids,
    unpack_showdown,
)
from bot.discord.odds.questions import TypedShowdown
from bot.language.words import percent
from engine.bids import Kind
from engine.cards import Cards
from engine.errors import TextError
from engine.odds import kind_chances
from engine.variants import VARIANTS, ruleset
from tests.bot.conftest import Seat
from tests.bot.discord.odds.screen import ask_showdown, last, plant_button, private_text
from tests.bot.harness import Table, plain

LIARS = ruleset("liars_poker")


@pytest.fixture(scope="module", autouse=True)
def compile_before() -> None:
    """Load compiled code first, so that no answer waits for the compiler."""
    load_kernels()


def speaks(at: Table, locale: str) -> None:
    """Set the language of everybody's Discord and of the server."""
    for user in at.world.state.users.values():
        user.locale = locale
    for guild in at.world.state.guilds.values():
        guild.locale = locale


KINDS = [
    ("en", "flush", Kind.FLUSH, "Any flush"),
    ("en", "two pairs", Kind.TWO_PAIR, "Any two pair"),
    ("en", "any straight", Kind.STRAIGHT, "Any straight"),
    ("pl", "kolor", Kind.FLUSH, "Dowolny układ „kolor”"),
    ("pl", "dwie pary", Kind.TWO_PAIR, "Dowolny układ „dwie pary”"),
    ("pl", "dowolny strit", Kind.STRAIGHT, "Dowolny układ „strit”"),
]


async def test_a_kind_of_hand_alone_is_any_hand_of_it(table: Seat) -> None:
    at = await table(1)
    for language, typed, kind, words in KINDS:
        speaks(at, language)
        out = await at.host.slash(at.channel, "odds liars", in_play=12, bid=typed)
        (chance,) = kind_chances([kind], LIARS.deck, 12).values()
        share = percent(chance.probability)
        assert f"**{words}**: " in plain(out.text)
        assert (share if language == "en" else share.replace(".", ",")) in plain(out.text)


async def test_cards_are_understood_in_words(table: Seat) -> None:
    at = await table(1)
    for language, typed in (
        ("en", "joker, ace of hearts and king of diamonds"),
        ("en", "the ace of hearts, K of diamonds, a joker"),
        ("pl", "joker, as kier i król karo"),
    ):
        speaks(at, language)
        out = await at.host.slash(at.channel, "odds liars", in_play=12, cards=typed)
        assert "★ A♥ K♦" in plain(out.text)
    suggestions = await at.host.autocomplete(at.channel, "odds liars", "cards", "ace of hearts")
    assert suggestions[0]["value"] == "Ah"


SHOWDOWNS = [
    ("en", "AK QQ", ("P1 AK", "P2 QQ")),
    ("en", "AhKd QhQs", ("P1 A♥ K♦", "P2 Q♠ Q♥")),
    ("en", "ace king suited vs pocket queens", ("P1 AKs", "P2 QQ")),
    ("en", "ace of hearts king of hearts vs two queens", ("P1 A♥ K♥", "P2 QQ")),
    ("pl", "as król w kolorze vs para dam", ("P1 AKs", "P2 QQ")),
    ("pl", "as kier król kier vs damy", ("P1 A♥ K♥", "P2 QQ")),
]


async def test_hands_in_words_and_without_vs_are_hands(table: Seat) -> None:
    at = await table(1)
    for language, typed, players in SHOWDOWNS:
        speaks(at, language)
        text = plain((await ask_showdown(at, hands=typed, board="2c 3d 9c 9d")).text)
        for player in players:
            assert player in text


async def test_more_hands_without_vs_are_asked_about_with_buttons(table: Seat) -> None:
    at = await table(1)
    out = await at.host.slash(at.channel, "odds showdown", hands="aa kk qq", board="2c 3d 9c")
    assert '"AA KK QQ" could mean several things' in private_text(out)
    assert out.seen.buttons == ["AA vs KK vs QQ", "AA, KK, QQ"]
    await at.host.click(out.seen, "AA vs KK vs QQ")
    assert "P3 QQ" in (await last(at, "P3")).text
    assert "board 9♣ 3♦ 2♣" in (await last(at, "P3")).text
    await at.host.click(out.seen, "AA, KK, QQ")
    assert "P2 unknown" in (await last(at, "unknown")).text


async def test_a_weight_that_may_mean_two_is_chosen_by_a_button(table: Seat) -> None:
    at = await table(1)
    for language, asks in (
        ("en", "Does @0.5 mean 0.5% or 50%?"),
        ("pl", "Czy @0.5 to 0.5%, czy 50%?"),
    ):
        speaks(at, language)
        typed = {"hands": "QQ@0.5, AA vs KK", "board": "2c 3d 9c 9d"}
        out = await at.host.slash(at.channel, "odds showdown", **typed)
        assert asks in private_text(out)
        assert out.seen.buttons == ["QQ@0.5%, AA vs KK", "QQ@50, AA vs KK"]
        await at.host.click(out.seen, "QQ@50, AA vs KK")
        assert "P1 QQ@50, AA" in (await last(at, "P1")).text


ASKED_BACK = (
    ("AhKdQQ", '"AhKdQQ" could mean several things', "AhKd vs QQ", "P2 QQ"),
    ("AK/QQ", '"AK/QQ" could mean several things', "AK, QQ", "P1 AK, QQ"),
    ("10s vs AK", '"10s vs AK" could mean several things', "TT vs AK", "P1 TT"),
    ("AK vs suited connectors", '"suited connectors" could mean', "AK vs JTs-54s", "P2 JTs-54s"),
    ("50% QQ vs AK", '"50% QQ" could mean several things', "QQ@50 vs AK", "P1 QQ@50"),
)


async def test_an_ambiguous_question_is_chosen_by_button_and_keeps_its_board(table: Seat) -> None:
    at = await table(1)
    for typed, asks, chosen, says in ASKED_BACK:
        out = await at.host.slash(at.channel, "odds showdown", hands=typed, board="2c 3d 9c")
        assert asks in private_text(out)
        await at.host.click(out.seen, chosen)
        assert "board 2♣ 3♦ 9♣" in (answer := (await last(at, says)).text) or "board 9♣" in answer


async def test_cards_that_can_only_be_the_board_are_one_press_away(table: Seat) -> None:
    at = await table(1)
    for language, asks in (
        ("en", "Is 9♣ 8♦ 7♠ the board?"),
        ("pl", "Czy 9♣ 8♦ 7♠ to karty wspólne?"),
    ):
        speaks(at, language)
        out = await at.host.slash(at.channel, "odds showdown", hands="AhKd vs QQ 9c8d7s")
        assert asks in private_text(out)
        assert out.seen.buttons == ["AhKd vs QQ, board 9c 8d 7s"]
        await at.host.click(out.seen, "AhKd vs QQ, board 9c 8d 7s")
        assert "9♣ 8♦ 7♠" in (await last(at, "QQ")).text


async def test_a_choice_too_long_for_a_button_is_asked_in_words(table: Seat) -> None:
    at = await table(1)
    terms = [f"{rank}2{kind}+" for rank in "AKQJT9" for kind in "so"]
    hands = f"QQ@0.5, 22+, {', '.join(terms)} vs KK, QQ"
    out = await at.host.slash(at.channel, "odds showdown", hands=hands)
    assert not out.seen.buttons
    assert "0.5%, 22+, A2s+, A2o+" in private_text(out)


@pytest.mark.long
async def test_hands_that_fit_two_games_are_asked_about_with_buttons(table: Seat) -> None:
    at = await table(1)
    typed = {"hands": "AsAhKs vs QdQcQh", "dead": "2c"}
    out = await at.host.slash(at.channel, "odds showdown", **typed)
    assert "deal 3 cards" in private_text(out)
    assert out.seen.buttons == ["stud AsAhKs vs QdQcQh", "omaha AsAhKs vs QdQcQh"]
    await at.host.click(out.seen, "omaha AsAhKs vs QdQcQh")
    assert "Omaha" in (await last(at, "P1")).text


async def test_a_bid_that_may_mean_several_is_chosen_by_a_button(table: Seat) -> None:
    at = await table(1)
    for language, typed, meant in (
        ("en", "three", "Three threes"),
        ("en", "fluhs of 9", "Nine high heart flush"),
        ("pl", "trojka", "Trójka trójek"),
    ):
        speaks(at, language)
        out = await at.host.slash(
            at.channel, "odds liars", in_play=9, cards="Ah *", bid=typed, jokers=2
        )
        private_text(out)
        label = next((label for label in out.seen.buttons if label == meant), out.seen.buttons[0])
        answer = await at.host.click(out.seen, label)
        assert f"**{label}**: " in plain(answer.text)
        assert "★ A♥" in plain(answer.text)


async def test_an_invalid_bid_is_refused_in_the_readers_language(table: Seat) -> None:
    at = await table(1)
    speaks(at, "pl")
    out = await at.host.slash(at.channel, "odds liars", in_play=9, bid="zupa z królika")
    assert "is not a bid" not in private_text(out)
    assert "zupa z królika" in private_text(out)


def test_typed_text_survives_being_packed_in_a_button() -> None:
    variant = VARIANTS["liars_poker"]
    for typed in (
        TypedOptions(12, "* Ah Kd", "pair:3", {"jokers": 0, "flush_card": "highest"}),
        TypedOptions(None, MINE, "flush"),
        TypedOptions(9, None, "full_house:A,K"),
    ):
        unpacked, again = unpack_bids(pack_bids(variant, typed))
        assert unpacked is variant
        assert again.names_own_cards == typed.names_own_cards
        if not typed.names_own_cards:
            assert Cards.parse(again.cards or "") == Cards.parse(typed.cards or "")
        assert (again.in_play, again.bid, dict(again.chosen)) == (
            *(typed.in_play, typed.bid),
            dict(typed.chosen),
        )
    showdown = TypedShowdown("AA vs KK, QQ", "omaha", "2c3d", "9h", 3)
    assert pack_showdown(replace(showdown, board="2c 3d")) == pack_showdown(showdown)
    assert unpack_showdown(pack_showdown(showdown)) == showdown


@pytest.mark.parametrize("text", ["", "x", "chess;9;;;flush", "liars;9x;;;", "liars;" + "9" * 9])
def test_a_forged_question_is_no_question(text: str) -> None:
    with pytest.raises(TextError):
        unpack_bids(text)


@pytest.mark.parametrize("text", ["", "x", "holdem;9x;;;AA", "holdem;9999;;;AA", "holdem;1;;AA"])
def test_a_forged_showdown_is_no_question(text: str) -> None:
    with pytest.raises(TextError):
        unpack_showdown(text)


async def test_a_forged_button_gets_one_sentence(table: Seat) -> None:
    at = await table(1)
    for verb in (ids.ASK, ids.BIDS, ids.COUNTS, ids.PAY):
        for tail in ("x", "chess;9;;;flush", "liars;9;Zz;;flush", "holdem;900;;;AA"):
            old = await plant_button(at, f"bh:{verb}:{tail}")
            text = private_text(await at.host.click(old, "Old"))
            assert "Example" in text or "0 to 22" in text
            assert "went wrong" not in text


async def test_a_draw_is_answered_and_asks_for_its_game(table: Seat) -> None:
    at = await table(1)
    answer = await ask_showdown(at, hands="27: 2347 draw 1 vs 8765K pat")
    assert "65.1%" in plain(answer.text)
    out = await at.host.slash(at.channel, "odds showdown", hands="2347 draw 1 vs 8765K pat")
    games = ["27: 2347 draw 1 vs 8765K pat", "a5: 2347 draw 1 vs 8765K pat"]
    assert out.seen.buttons == games
    hands = "27: 2347 draw 2 vs 8765K pat"
    refused = private_text(await at.host.slash(at.channel, "odds showdown", hands=hands))
    assert "/odds showdown hands: 27: 2347 draw 1 vs 8765K pat" in plain(refused)


async def test_several_draws_ask_which_cards_stay(table: Seat) -> None:
    at = await table(1)
    hands = "27: 2347 draw 1 vs 8765K pat, 3 draws left"
    out = await at.host.slash(at.channel, "odds showdown", hands=hands)
    assert "Up to which rank" in plain(private_text(out))
    limits = ("8", "9", "T")
    assert out.seen.buttons == [
        f"27: 2347 draw 1 until {rank} vs 8765K pat, 3 draws left" for rank in limits
    ]
    answer = await ask_showdown(at, hands=out.seen.buttons[1])
    assert "3 draws left · P1 keeps cards up to 9" in plain(answer.text)
    assert "83.6%" in plain(answer.text)
    hands_made = await at.host.click(answer, "Final hands")
    assert "87.94" in hands_made.text  # 74.42 with one draw
    refused = private_text(
        await at.host.slash(at.channel, "odds showdown", hands=hands.replace("3 draws", "4 draws"))
    )
    assert "Expected 1 to 3 draws left" in plain(refused)
    assert "until 9 vs 8765K pat, 2 draws left" in plain(refused)
