"""Data to and from Discord: components, custom ids, and the texts of refusals."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, get_args

import discord
import pytest
from discord import ui
from hypothesis import given
from hypothesis import strategies as st

from bot.boards.board import (
    Address,
    Board,
    Button,
    Deck,
    Hand,
    Menu,
    Rule,
    ShowdownPicture,
    Style,
    Text,
)
from bot.boards.pad import Pick
from bot.discord import ids
from bot.discord.errors import BROKEN, MOVED_ON, sentence
from bot.discord.ids import OfOdds, OfTable
from bot.discord.layout import _in_words, board_view, file_name, shelf_of
from bot.discord.posting import CannotPost
from bot.language.catalogues import speaking
from bot.tables import errors as refusals
from bot.tables.live import LiveTable
from bot.tables.model import Status, Table
from engine import errors
from engine.bids import Bid
from engine.cards import Cards
from engine.cutting import CutTextError
from engine.play import start
from engine.terms import Terms
from engine.variants import VARIANTS, ruleset
from tests.bot.conftest import Seat

# -- boards as components, compared with discord.py's own classes ----------------------------------

BOARD = Board(
    0x2E7D32,
    (
        Text("## Liars' Poker · Round 2", Button("seal", "Fair deal ✓", choice="2")),
        Rule(),
        Hand(Cards.parse("Ah Kd")),
        ShowdownPicture((), Cards(), Cards(), "A♥ K♦" + "x" * 2000),
        Text("<@7>, call higher or challenge."),
    ),
    (
        Menu(
            "pick",
            "Call one of these hands" + "!" * 200,
            (("99", "Pair of nines" + "s" * 100, None), ("TT", "Pair of tens", "1 in 3")),
        ),
        tuple(Button("pad", style.title(), style, choice=style) for style in get_args(Style)),
        (Button("challenge", "Challenge", "danger", disabled=True),),
    ),
    Address(3, 4, 5),
    footer="-# sealed deal `0123456789abcdef`",
)


def as_the_library_has_a_button(button: Button, address: Address) -> ui.Button[Any]:
    return ui.Button(
        label=button.label,
        style=discord.ButtonStyle[button.style],
        disabled=button.disabled,
        custom_id=ids.of_table(button.verb, address, button.choice),
    )


def as_the_library_has_it(board: Board) -> list[dict[str, Any]]:
    """Return the board's components as the classes of discord.py build them."""
    panel: ui.Container[Any] = ui.Container(accent_colour=board.accent)
    for block in board.blocks:
        match block:
            case Text(beside=Button() as button):
                control = as_the_library_has_a_button(button, board.address)
                panel.add_item(ui.Section(ui.TextDisplay(block.markdown), accessory=control))
            case Text():
                panel.add_item(ui.TextDisplay(block.markdown))
            case Hand():
                panel.add_item(ui.TextDisplay("# A♥ K♦"))
            case Rule():
                panel.add_item(ui.Separator())
            case _:
                gallery: ui.MediaGallery[Any] = ui.MediaGallery()
                gallery.add_item(
                    media=f"attachment://{file_name(block)}", description=block.alt[:1024]
                )
                panel.add_item(gallery)
    for row in board.rows:
        shelf: ui.ActionRow[Any] = ui.ActionRow()
        if isinstance(row, Menu):
            shelf.add_item(
                ui.Select(
                    custom_id=ids.of_table(row.verb, board.address),
                    placeholder=row.placeholder[:150],
                    options=[
                        discord.SelectOption(
                            label=label[:100], value=value, description=description
                        )
                        for value, label, description in row.options
                    ],
                )
            )
        else:
            for button in row:
                shelf.add_item(as_the_library_has_a_button(button, board.address))
        panel.add_item(shelf)
    panel.add_item(ui.TextDisplay(board.footer))
    view = ui.LayoutView(timeout=None)
    view.add_item(panel)
    return [without(part, "required") for part in view.to_components()]  # of lists in forms only


def texts(board: Board) -> list[str]:
    """Return the texts of the message that a board becomes."""
    (panel,) = board_view(board).to_components()
    return [part["content"] for part in panel["components"] if "content" in part]


def without(part: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a component and its `components` without None and without the value `name`."""
    others = {key: value for key, value in part.items() if key != name and value is not None}
    if "components" in others:
        others["components"] = [without(part, name) for part in others["components"]]
    return others


async def test_a_board_is_what_the_library_would_send() -> None:
    sent = [without(part, "required") for part in board_view(BOARD).to_components()]
    assert sent == as_the_library_has_it(BOARD)


async def test_a_shelf_is_a_row_below_the_board() -> None:
    panel, shelf = board_view(BOARD, shelf_of(("Cancel", "bh:stop:1:2"))).to_components()
    assert [panel] == board_view(BOARD).to_components()
    assert [part["custom_id"] for part in shelf["components"]] == ["bh:stop:1:2"]


async def test_the_library_keeps_nothing_of_what_was_shown(table: Seat) -> None:
    at = await table(2, plays="Thai Poker")
    person = at.turn()
    await at.call(person)
    await at.press("My seat", person)
    await asyncio.sleep(0)
    view_store = at.bot.client._connection._view_store
    assert not view_store._views
    assert not view_store._dynamic_items
    assert not view_store._synced_message_views
    waiting = [str(task.get_coro()) for task in asyncio.all_tasks()]
    assert not [name for name in waiting if "timeout" in name]  # a task a message for 15 minutes


def test_names_in_the_words_of_a_late_picture_ping_nobody_and_make_no_link() -> None:
    alt = "<@&1> @everyone [a](https://example.org): A♠"
    board = Board(0, (ShowdownPicture((), Cards(), Cards(), alt),))
    (words,) = _in_words(board, tuple(board.pictures)).blocks
    assert isinstance(words, Text)
    assert words.markdown == (
        "<\u200b@\u200b&1\\> @\u200beveryone \\[a](https:\u200b//example.org): A♠"
    )


@pytest.mark.parametrize(
    ("deck", "language", "line"),
    [
        ("four", "en", "# ★ A♠ 10♥"),
        ("two", "pl", "# ★ A♠ 10♥"),
        ("words", "en", "### Joker, ace of spades, ten of hearts"),
        ("words", "pl", "### Joker, as pik, dziesiątka kier"),
    ],
)
def test_a_hand_is_a_heading_and_in_words_it_is_read_aloud(
    deck: Deck, language: str, line: str
) -> None:
    with speaking(language):
        assert texts(Board(0, (Hand(Cards.parse("10h As *")),), deck=deck)) == [line]


# -- custom ids ------------------------------------------------------------------------------------


@given(
    st.from_regex(r"[a-z]{1,16}", fullmatch=True),
    st.integers(0, 10**15 - 1),
    st.integers(0, 10**15 - 1),
    st.integers(0, 10**9 - 1),
)
def test_a_tables_control_says_its_verb_and_the_state_it_shows(verb, table, match, seq) -> None:
    written = ids.of_table(verb, Address(table, match, seq))
    assert len(written) <= ids.MOST
    assert ids.read(written) == OfTable(verb, Address(table, match, seq))


@pytest.mark.parametrize("bid", [bid for key in VARIANTS for bid in ruleset(key).ladder])
def test_every_bid_fits_a_buttons_custom_id(bid: Bid) -> None:
    for choice in (bid.key, Pick(key=bid.key).text):
        written = ids.of_table("call", Address(10**15 - 1, 10**15 - 1, 10**9 - 1), choice)
        assert len(written) <= ids.MOST
        read = ids.read(written)
        assert isinstance(read, OfTable)
        assert read.choice == choice


@pytest.mark.parametrize("verb", [ids.RANKS, ids.GRID, ids.HANDS, ids.HITS, ids.CURVE, ids.STOP])
def test_a_button_of_odds_carries_its_question(verb: str) -> None:
    written = ids.of_odds(verb, "holdem;Zx/=AA,KK;;")
    assert written is not None
    assert ids.read(written) == OfOdds(verb, "holdem;Zx/=AA,KK;;")


def test_a_too_long_question_gets_no_custom_id() -> None:
    fits = "x" * (ids.MOST - len("bh:ranks:"))
    assert ids.of_odds(ids.RANKS, fits) is not None
    assert ids.of_odds(ids.RANKS, fits + "x") is None


@pytest.mark.parametrize(
    ("earlier", "now"),
    [
        ("bhf:bid:7:8:9", OfTable("bid", Address(7, 8, 9))),
        ("bho:ranks:holdem;ab/cd;;", OfOdds(ids.RANKS, "holdem;ab/cd;;")),
        ("bho:cancel:11:12", OfOdds(ids.STOP, "11:12")),
    ],
)
def test_the_spellings_of_earlier_versions_are_understood(earlier: str, now: object) -> None:
    assert ids.read(earlier) == now


@pytest.mark.parametrize(
    "forged",
    [
        None, "", "bh:", "bh:join", "bh:join:1:2", "bh:join:-1:2:3", "bh:join:1:2:3:",
        "bh:pad:1:2:3:a b", "bh:pad:1:2:3:" + "x" * 33,
        "bh:join:1:2:3\n", "bh:JOIN:1:2:3", "bhx:join:1:2:3", "bh:join:9999999999999999:0:0",
        "bho:other:1", "bh:ranks:", "other",
    ],
)  # fmt: skip
def test_foreign_custom_ids_are_not_read(forged: str | None) -> None:
    assert ids.read(forged) is None


# -- every refusal has a sentence of its own -------------------------------------------------------

# what no player can bring about: these say that the table has moved on
SILENT = (errors.AlreadyDealt, errors.BadDeal, refusals.MovedOn, refusals.Stale)
FACTS = {
    "winner": 0,
    "seat": 0,
    "turn": 1,
    "key": "pair:Z",
    "bid": "pair:9",
    "standing": "pair:K",
    "reason": "-",
    "most": 9,
    "cards": Cards.parse("Ks Kd"),
    "seated": 10,
    "host": 11,
    "table_id": 1,
    "message_id": None,
    "player": 11,
    "wait": 30.0,
    "name": "spring",
    "typed": "half past",
    "suggestions": (),
    "names": ("autumn", "winter"),
    "number": 12,
    "match": 12,
    "permissions": ("Send Messages",),
    "bot": 30,
    "application": 31,
    "guild": 21,
    "channel": 22,
    "until": 1795895672.5,
}


def kinds(base: type[Exception]) -> Iterator[type[Exception]]:
    """Yield every class of error derived from `base`."""
    for kind in base.__subclasses__():
        yield kind
        yield from kinds(kind)


def make_error(kind: type[Exception]) -> Exception:
    """Return an error of this kind with its fields filled in."""
    if kind is refusals.Damaged:
        return refusals.Damaged("its log can't be replayed", match=7)
    fields = getattr(kind, "__dataclass_fields__", {})
    missing = fields.keys() - FACTS.keys()
    assert not missing, (
        f"add a value for {sorted(missing)} of {kind.__name__} to FACTS here, and its sentence to"
        " bot/discord/errors.py"
    )
    return kind(**{name: FACTS[name] for name in fields})


REFUSALS = sorted(
    {*kinds(refusals.RefusedError), *kinds(errors.RuleViolation)} - {CannotPost},  # its kinds are
    key=lambda kind: kind.__name__,
)


@pytest.mark.parametrize("game", list(VARIANTS))
@pytest.mark.parametrize("kind", REFUSALS, ids=lambda kind: kind.__name__)
def test_every_refusal_is_one_sentence_for_a_player(kind: type[Exception], game: str) -> None:
    match = start(ruleset(game, {}), (11, 12))
    lobby = Table(1, 1, 1, 11, Status.PLAYING, game, {}, (11, 12), 1, 0, 0)
    text = sentence(make_error(kind), LiveTable(lobby, match))
    assert text.lstrip("*")[0].isupper() or text[0] in '"<'
    assert text.rstrip().endswith((".", "?"))
    assert "\n" not in text
    assert kind.__name__ not in text
    assert (text == MOVED_ON) == (kind in SILENT)
    assert text != BROKEN


def test_a_question_about_the_players_own_joker_says_that_it_is_wild() -> None:
    match = start(ruleset("liars_poker", {}), (11, 12))
    live = LiveTable(
        Table(1, 1, 1, 11, Status.PLAYING, "liars_poker", {}, (11, 12), 1, 0, 0), match
    )
    plain, wild = (
        sentence(refusals.OwnCardsMakeIt(Cards.parse(cards)), live) for cards in ("Ks", "*")
    )
    assert "wild" not in plain
    assert "★ (wild)" in wild


def test_sentences_of_different_refusals_differ() -> None:
    match = start(ruleset("thai_poker", {}), (11, 12))
    lobby = Table(1, 1, 1, 11, Status.PLAYING, "thai_poker", {}, (11, 12), 1, 0, 0)
    texts_said = [
        sentence(make_error(kind), LiveTable(lobby, match))
        for kind in REFUSALS
        if kind not in SILENT
    ]
    assert len(set(texts_said)) == len(texts_said)


def test_refusals_have_the_right_facts() -> None:
    match = start(ruleset("liars_poker", {}), (11, 12))
    live = LiveTable(
        Table(1, 1, 1, 11, Status.PLAYING, "liars_poker", {}, (11, 12), 1, 0, 0), match
    )
    sentences = {
        errors.MatchIsOver: "The match is over and <@11> won. Press **Play again** for another.",
        errors.OwnBid: "You can't challenge your own bid.",
        refusals.TooFewToVote: (
            "With two of you left there's no vote: the clock decides who's away. No clock?"
            " `/leave` can also end the match."
        ),
        refusals.GuildIsFull: "This server already has 9 live tables, which is the limit.",
    }
    for kind, text in sentences.items():
        assert sentence(make_error(kind), live) == text


def test_refusals_name_a_bid_by_its_noun() -> None:
    terms = Terms("Call", "claim", "claims", "caller", "Doubt", "doubted")
    match = start(replace(ruleset("liars_poker", {}), terms=terms), (11, 12))
    table = Table(1, 1, 1, 11, Status.PLAYING, "liars_poker", {}, (11, 12), 1, 0, 0)
    refusal = make_error(errors.OwnBid)
    assert sentence(refusal, LiveTable(table, match)) == "You can't doubt your own claim."


@pytest.mark.parametrize(
    ("language", "longest", "line"),
    [
        ("en", None, "That looks empty. Example: purple giraffe 7"),
        ("pl", None, "Nic tu nie widać. Przykład: fioletowa żyrafa 7"),
        ("en", 32, "That is longer than 32 characters. Example: purple giraffe 7"),
        ("pl", 32, "To więcej niż 32 znaki. Przykład: fioletowa żyrafa 7"),
        ("pl", 25, "To więcej niż 25 znaków. Przykład: fioletowa żyrafa 7"),
    ],
)
def test_texts_that_cannot_cut_the_cards_are_refused_in_every_language(
    language: str, longest: int | None, line: str
) -> None:
    with speaking(language):
        assert sentence(CutTextError("typed", longest)) == line


def test_unexpected_errors_are_not_shown_to_players() -> None:
    assert sentence(KeyError("secret")) == BROKEN
