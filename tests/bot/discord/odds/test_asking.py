"""Who may ask about bids, what fills in and who may see it: without Discord."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.discord.odds.asking import (
    MINE,
    Asker,
    OddsNotAllowed,
    TypedOptions,
    bid_question,
    chosen_options,
    of_game,
    rules_for,
)
from bot.tables.live import Dealt, LiveTable, dealt_to
from bot.tables.model import Status, Table
from bot.tables.table_options import defaults
from engine.actions import MakeBid
from engine.cards import Cards
from engine.errors import RulesetError, TextError
from engine.play import apply, start
from engine.ruleset import OptionValue
from engine.variants import VARIANTS, ruleset
from tests.dealing import stacked_deal

LIARS, THAI = VARIANTS["liars_poker"], VARIANTS["thai_poker"]
ANN, BOB = 1, 2
HELD = {ANN: "Ah Kd", BOB: "2c 3c"}  # in the order of their seats


def live(channel: int = 7, *, odds: str = "on", **chosen: OptionValue) -> LiveTable:
    """A table of Liars' Poker where Ann holds Ah Kd and Bob 2c 3c, and nothing is bid yet."""
    options = defaults(LIARS.key) | chosen | {"odds_at_table": odds}
    rules = ruleset(LIARS.key, {key: options[key] for key in LIARS.values()})
    match = start(rules, (ANN, BOB))
    match = apply(match, stacked_deal(match, dict(enumerate(HELD.values()))))
    table = Table(
        id=channel,
        guild_id=1,
        channel_id=channel,
        host_id=ANN,
        status=Status.PLAYING,
        variant=LIARS.key,
        options=options,
        players=(ANN, BOB),
        version=1,
        created_at=0,
        updated_at=0,
    )
    return LiveTable(table, match, match.seq)


def held(*tables: LiveTable, player: int = ANN) -> tuple[Dealt, ...]:
    """The tables as `player` sees them; all of them dealt them cards."""
    found = [dealt_to(table, player) for table in tables]
    return tuple(dealt for dealt in found if dealt is not None)


def ask(*dealt: LiveTable, channel: int = 7, player: int = ANN, **typed: object):
    """What becomes of a question."""
    return bid_question(LIARS, Asker(channel, held(*dealt, player=player)), TypedOptions(**typed))  # type: ignore[arg-type]


def test_at_ones_table_cards_rules_and_the_number_in_play_fill_in():
    for cards in (None, MINE, f" {MINE.upper()} "):
        question, private = ask(live(jokers=0), cards=cards)
        assert private
        assert question.known == Cards.parse(HELD[ANN])
        assert question.in_play == 4
        assert question.rules.deck.size == 52
        assert question.at_table
    question, _ = ask(live(), player=BOB)
    assert question.known == Cards.parse(HELD[BOB])


def with_a_call(table: LiveTable, text: str = "pair of fours") -> LiveTable:
    """The table once Ann has called."""
    assert table.match is not None
    key = table.match.ruleset.wording.parse(text).key
    match = apply(table.match, MakeBid(0, key))
    return replace(table, match=match)


def test_what_is_typed_is_the_question_and_the_tables_cards_and_call_stay_out_of_it():
    table = with_a_call(live())
    asked = "pair of threes"
    for typed, known in (
        ({"in_play": 9}, ""),
        ({"in_play": 9, "cards": "Qs"}, "Qs"),
        ({"in_play": 9, "cards": MINE}, HELD[ANN]),
    ):
        question, private = ask(table, bid=asked, **typed)
        assert private
        assert (question.known, question.in_play) == (Cards.parse(known), 9)
        assert question.standing is None
        assert question.asked is not None
        assert question.asked.key == "pair:3"
        assert not question.at_table
    with pytest.raises(TextError, match="Say how many cards are in play"):
        ask(table, cards="Qs")


def test_a_bid_alone_is_asked_of_the_live_table():
    question, _ = ask(with_a_call(live()), bid="pair of aces")
    assert question.known == Cards.parse(HELD[ANN])
    assert question.in_play == 4
    assert question.standing is not None
    assert (question.standing.key, question.asked and question.asked.key) == ("pair:4", "pair:A")


def test_what_is_typed_at_a_table_is_asked_by_its_house_rules():
    question, _ = ask(live(jokers=0), in_play=9)
    assert question.rules.deck.size == 52
    question, _ = ask(live(jokers=0), in_play=9, chosen={"jokers": 2})
    assert question.rules.deck.size == 54


def test_elsewhere_nothing_fills_in_and_everybody_may_see_the_answer():
    question, private = ask(live(), channel=8, cards="Qs", in_play=9)
    assert not private
    assert (question.known, question.in_play) == (Cards.parse("Qs"), 9)
    with pytest.raises(TextError, match="Say how many cards are in play"):
        ask(live(), channel=8)
    with pytest.raises(TextError, match="You hold no cards at a live table"):
        ask(live(), channel=8, in_play=9, cards=MINE)


def test_a_table_without_odds_refuses_its_players_wherever_they_ask():
    for channel in (7, 8):
        with pytest.raises(OddsNotAllowed):
            ask(live(), live(9, odds="off"), channel=channel, in_play=9, cards="Qs")


def test_only_tables_of_the_same_game_matter():
    (table,) = held(live(odds="off"))
    assert of_game(LIARS, [table]) == (table,)
    assert of_game(THAI, [table]) == ()


def test_suggestions_follow_the_rules_of_the_table():
    asker = Asker(7, held(live(jokers=0)))
    assert rules_for(LIARS, asker, {}).deck.size == 52
    assert rules_for(LIARS, asker, {"jokers": 2}).deck.size == 54
    assert rules_for(LIARS, replace(asker, dealt=()), {}).deck.size == 54


def test_choices_are_understood_as_discord_brings_them():
    options = LIARS.odds_options
    assert chosen_options(options, {"jokers": 0, "flush_card": "highest"}) == {
        "jokers": 0,
        "flush_card": "highest",
    }
    assert chosen_options(options, {"jokers": "0"}) == {"jokers": 0}
    assert chosen_options(options, {"jokers": 7, "cards": "Ah"}) == {}


def test_an_option_that_the_game_lacks_is_no_rule():
    with pytest.raises(RulesetError):
        ask(in_play=9, chosen={"suits": 5})
