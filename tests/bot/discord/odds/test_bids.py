"""`/odds liars` and `/odds thai`, as people see them in the local Discord."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import cast

import pytest
from discord import app_commands

from benchmarks.reading import CARD
from bot.computing.question import ProcessLost, QueueFull
from bot.discord.odds import handlers
from bot.discord.odds.asking import (
    MINE,
    Asker,
    OddsNotAllowed,
    TypedOptions,
    bid_question,
    chosen_options,
    completions,
)
from bot.discord.odds.commands import odds_group
from bot.discord.odds.handlers import OddsHandlers
from bot.discord.odds.questions import PayChoices
from bot.language.words import percent
from bot.sandbox.driver import Person
from bot.tables import plans
from bot.tables.live import Dealt, LiveTable, dealt_to
from bot.tables.model import Status
from bot.tables.model import Table as StoredTable
from bot.tables.table_options import defaults
from engine import variants
from engine.actions import MakeBid
from engine.cards import Cards
from engine.errors import TextError
from engine.odds import advise, bid_chance
from engine.play import apply, start
from engine.ruleset import Option, OptionChoice, Options, OptionValue, Ruleset
from engine.variants import VARIANTS, ruleset
from tests import third_game
from tests.bot.conftest import Seat
from tests.bot.discord.odds.bench import Bench
from tests.bot.discord.odds.screen import private_text
from tests.bot.harness import Table, plain
from tests.dealing import stacked_deal

LIARS = ruleset("liars_poker")


def chance(text: str, in_play: int, known: str = "", **options: OptionValue) -> str:
    rules = ruleset("liars_poker", options)
    bid = rules.wording.parse(text)
    return percent(bid_chance(bid, rules.deck, in_play, Cards.parse(known)).probability)


async def at_table(at: Table, person: Person, place: str | None = None) -> Cards:
    """Return the cards that `person` holds in the engine, to compare with the screen."""
    (dealt,) = await at.bot.tables.where_dealt(int(person.id))
    assert dealt.match.round is not None
    seat = dealt.match.seat_of(int(person.id))
    assert seat is not None
    return dealt.match.round.hands[seat]


async def test_the_chance_of_a_bid_is_what_the_engine_returns(table: Seat) -> None:
    at = await table(1)
    out = await at.host.slash(
        at.channel, "odds liars", in_play=12, cards="Ah Kd *", bid="pair of threes"
    )
    assert f"**Pair of threes**: **{chance('33', 12, 'Ah Kd *')}** likely" in plain(out.text)
    advice = advise(LIARS, 12, Cards.parse("Ah Kd *"), LIARS.wording.parse("33"))
    for entry in advice.best:
        drawn = f"{percent(entry.chance.probability)}  {LIARS.wording.say(entry.bid)}"
        assert drawn in plain(out.text)
    assert not out.seen.ephemeral
    assert out.seen.attachments
    (alt,) = [part["items"][0]["description"] for part in out.seen.components if part["type"] == 12]
    assert "pair of threes" not in alt, "it is said in words"
    assert percent(advice.best[0].chance.probability) in alt


async def test_each_game_uses_its_own_deck_with_two_jokers_unless_turned_off(
    table: Seat,
) -> None:
    at = await table(1)
    with_two = await at.host.slash(at.channel, "odds liars", in_play=12, bid="33")
    without = await at.host.slash(at.channel, "odds liars", in_play=12, bid="33", jokers=0)
    assert chance("33", 12) in plain(with_two.text)
    assert chance("33", 12, jokers=0) in plain(without.text)
    assert chance("33", 12) not in plain(without.text)
    refused = await at.host.slash(at.channel, "odds liars", in_play=12, cards="Ah *", jokers=0)
    assert private_text(refused).startswith("This deck has no jokers")
    out = await at.host.slash(at.channel, "odds thai", in_play=9, cards="As Qh", bid="big straight")
    rules = ruleset("thai_poker")
    bid = rules.wording.parse("big straight")
    share = percent(bid_chance(bid, rules.deck, 9, Cards.parse("As Qh")).probability)
    assert f"**{share}** likely" in plain(out.text)
    refused = await at.host.slash(at.channel, "odds thai", in_play=9, cards="2h")
    assert "isn't in this 24-card deck" in private_text(refused)


async def test_a_players_cards_and_the_cards_in_play_fill_in(table: Seat) -> None:
    at = await table(3, plays="liars_poker")
    await at.call(at.turn(), 0)
    person = at.people[1]
    variants: list[dict[str, object]] = [{}, {"cards": MINE}, {"cards": f" {MINE.upper()} "}]
    for typed in variants:
        text = private_text(await person.slash(at.channel, "odds liars", **typed))
        assert "Your round\n-# 6 cards in play" in text
        own_cards = {card.symbol for card in await at_table(at, person)}
        assert set(CARD.findall(text)) == own_cards, "cards that are not one's own"
        assert "Current bid: **" in text


async def test_a_players_answer_at_the_table_is_private(table: Seat) -> None:
    at = await table(3, plays="liars_poker")
    before = {person.id: person.everything() for person in at.people}
    for typed in (
        {},
        {"cards": "Ah Kd", "in_play": 9},
        {"cards": MINE, "bid": "33"},
        {"cards": "Zz", "in_play": 9},
        {"in_play": 9},
    ):
        private_text(await at.people[1].slash(at.channel, "odds liars", **typed))
    for person in (at.people[0], at.people[2]):
        assert person.everything() == before[person.id]


async def choose(at: Table, **options: OptionValue) -> None:
    from bot.tables.requests import Ask

    live = await at.bot.tables.in_channel(int(at.channel.id))
    await at.bot.tables.change(live.table.id, Ask(int(at.host.id), 1), plans.choose, dict(options))


async def test_a_house_without_odds_refuses_its_players_wherever_they_ask(table: Seat) -> None:
    at = await table(3)
    lobby = await at.open("liars_poker")
    await choose(at, odds_at_table="off")
    await at.people[2].click(lobby, "Leave")
    await at.host.click(lobby, "Start")
    await at.settle()
    await at.host.act("open_dm")
    for place in (at.channel, at.host.dms()[0]):
        refused = await at.host.slash(place, "odds liars", cards="Ah Kd", in_play=12)
        assert "don't allow odds" in private_text(refused)
    second_answer = await at.people[2].slash(at.channel, "odds liars", in_play=12)
    assert "12 cards in play" in plain(second_answer.text)
    assert "9 cards" in (await at.host.slash(at.channel, "odds thai", in_play=9)).text


async def test_the_command_is_offered_to_servers_and_to_people(table: Seat) -> None:
    at = await table(1)
    (odds,) = [command for command in at.world.state.commands if command["name"] == "odds"]
    assert sorted(odds["integration_types"]) == [0, 1]
    assert sorted(odds["contexts"]) == [0, 1, 2]


async def test_a_restarted_bot_still_knows_whose_table_it_is(table: Seat) -> None:
    at = await table(2, plays="liars_poker")
    at.bot.tables.runtime._live.clear()  # what a new process starts with
    text = private_text(await at.host.slash(at.channel, "odds liars"))
    assert "Your round\n-# 4 cards in play" in text


BAD: list[tuple[dict[str, object], str]] = [
    ({"in_play": 12, "cards": "Ah Ah"}, "given twice"),
    (
        {"in_play": 2, "cards": "Ah Kd Qs"},
        "so at least that many must be in play, not 2. Example: 12",
    ),
    ({"in_play": 12, "bid": "six sevens"}, 'I didn\'t get "six sevens". Do you mean one of these?'),
    ({"in_play": 12, "cards": "A"}, "missing its suit"),
    ({"in_play": 54, "jokers": 0}, "1 to 52 cards"),
    ({"in_play": 12, "cards": MINE}, "no cards in a round"),
    ({"cards": "Ah"}, "Say how many cards are in play"),
    ({}, "Say how many cards are in play"),
    ({"in_play": 12, "cards": "* * *"}, "only 2 jokers"),
    ({"in_play": 12, "cards": "Ah " * 66}, "given twice"),
    ({"in_play": 12, "cards": "<@1> @everyone **x** `y`"}, "isn't a card"),
    ({"in_play": 12, "bid": "<@1> @everyone **x** [a](b)"}, "I didn't get "),
]


async def test_bad_input_gets_one_sentence_with_an_example(table: Seat) -> None:
    at = await table(1)
    for typed, says in BAD:
        out = await at.host.slash(at.channel, "odds liars", **typed)
        text = out.seen.content or out.seen.components[0]["components"][0]["content"]
        assert says in private_text(out)
        assert "Example:" in text or out.seen.buttons
        assert len(text) < 300
        assert "\n" not in text
        for live in ("<@1>", "@everyone", "**x**", "`y`"):
            assert live not in text


async def test_cards_are_completed_with_the_next_one(table: Seat) -> None:
    at = await table(1)
    suggestions = await at.host.autocomplete(at.channel, "odds liars", "cards", "Ah 10")
    assert [suggestion["value"] for suggestion in suggestions] == ["AhTs", "AhTh", "AhTd", "AhTc"]
    assert suggestions[1]["name"] == "A♥ 10♥"
    again = await at.host.autocomplete(at.channel, "odds liars", "cards", suggestions[1]["name"])
    assert again[0]["value"] == "AhTh"
    assert len(again) == 25
    out = await at.host.slash(
        at.channel, "odds liars", in_play=12, cards=again[1]["value"], bid="33"
    )
    assert "★ A♥ 10♥" in plain(out.text)


async def test_every_typed_text_gets_choices_that_discord_takes(table: Seat) -> None:
    at = await table(1)
    whole = " ".join(map(str, LIARS.deck.cards))
    for typed in (
        "",
        " ",
        "1",
        "10♥",
        "my",
        "♥",
        "zz",
        "Ah Ah",
        "*" * 30,
        whole,
        whole[:-3],
        "@" * 900,
    ):
        for option in ("cards", "bid"):
            suggestions = await at.host.autocomplete(at.channel, "odds liars", option, typed)
            assert len(suggestions) <= 25


@pytest.mark.parametrize(
    ("typed", "first"),
    [("10♥", "Th"), ("ahkd", "Ah Kd"), ("* ", "*"), ("★ 1", "* Ts"), ("k♦ q", "Kd Qs")],
)
def test_cards_are_understood_in_any_form(typed: str, first: str) -> None:
    assert str(completions(typed, LIARS)[0]) == first


def test_a_joker_is_suggested_while_the_deck_has_one() -> None:
    assert str(completions("", LIARS)[0]) == "*"
    assert all(cards.jokers == 2 for cards in completions("* *", LIARS))
    assert all(not cards.jokers for cards in completions("", ruleset("liars_poker", {"jokers": 0})))


async def test_my_cards_is_suggested_only_to_players_who_were_dealt_in(table: Seat) -> None:
    at = await table(3)
    lobby = await at.open("liars_poker")
    await at.people[2].click(lobby, "Leave")
    await at.host.click(lobby, "Start")
    await at.settle()
    for person, seated in zip(at.people, (True, True, False), strict=True):
        suggestions = await person.autocomplete(at.channel, "odds liars", "cards", "")
        assert (suggestions[0]["value"] == MINE) is seated
        if seated:
            assert not CARD.search(suggestions[0]["name"]), "a suggestion names cards"
        thai = await person.autocomplete(at.channel, "odds thai", "cards", "")
        assert thai[0]["value"] != MINE


async def test_bids_are_completed_by_the_rules_of_the_question(table: Seat) -> None:
    at = await table(1)
    five = await at.host.autocomplete(at.channel, "odds liars", "bid", "five ac")
    assert five[-1]["value"] == "five aces"
    none = await at.host.autocomplete(at.channel, "odds liars", "bid", "five ac", jokers=0)
    assert "five aces" not in [suggestion["value"] for suggestion in none]
    first = await at.host.autocomplete(at.channel, "odds thai", "bid", "")
    assert len(first) == 25


# -- who may ask, what fills in and who may see it: without Discord --------------------------------

LIARS_GAME, THAI_GAME = VARIANTS["liars_poker"], VARIANTS["thai_poker"]
ANN, BOB = 1, 2
HELD = {ANN: "Ah Kd", BOB: "2c 3c"}  # in the order of their seats


def live(channel: int = 7, *, odds: str = "on", **chosen: OptionValue) -> LiveTable:
    """Return a table of Liars' Poker where Ann holds Ah Kd, Bob 2c 3c, and nobody has bid."""
    options = defaults(LIARS_GAME.key) | chosen | {"odds_at_table": odds}
    rules = ruleset(LIARS_GAME.key, {key: options[key] for key in LIARS_GAME.values()})
    match = start(rules, (ANN, BOB))
    match = apply(match, stacked_deal(match, dict(enumerate(HELD.values()))))
    table = StoredTable(
        id=channel,
        guild_id=1,
        channel_id=channel,
        host_id=ANN,
        status=Status.PLAYING,
        variant=LIARS_GAME.key,
        options=options,
        players=(ANN, BOB),
        version=1,
        created_at=0,
        updated_at=0,
    )
    return LiveTable(table, match, match.seq)


def held(*tables: LiveTable, player: int = ANN) -> tuple[Dealt, ...]:
    """Return what `player` holds at each of the tables; skip tables where they have no cards."""
    holdings = [dealt_to(table, player) for table in tables]
    return tuple(dealt for dealt in holdings if dealt is not None)


def ask(*dealt: LiveTable, channel: int = 7, player: int = ANN, **typed: object):
    """Return the question that these options ask, and whether only the asker may see its answer."""
    options = TypedOptions(**typed)  # type: ignore[arg-type]
    return bid_question(LIARS_GAME, Asker(channel, held(*dealt, player=player)), options)


def test_at_the_askers_table_cards_rules_and_number_in_play_are_filled_in():
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
    """Return the table after Ann has made this bid."""
    assert table.match is not None
    key = table.match.ruleset.wording.parse(text).key
    match = apply(table.match, MakeBid(0, key))
    return replace(table, match=match)


def test_typed_words_alone_are_the_question_without_the_tables_cards_and_bid():
    table = with_a_call(live())
    question_seen = "pair of threes"
    for typed, known in (
        ({"in_play": 9}, ""),
        ({"in_play": 9, "cards": "Qs"}, "Qs"),
        ({"in_play": 9, "cards": MINE}, HELD[ANN]),
    ):
        question, private = ask(table, bid=question_seen, **typed)
        assert private
        assert (question.known, question.in_play) == (Cards.parse(known), 9)
        assert question.standing is None
        assert question.bid is not None
        assert question.bid.key == "pair:3"
        assert not question.at_table
    with pytest.raises(TextError, match="Say how many cards are in play"):
        ask(table, cards="Qs")


def test_a_bid_without_cards_is_asked_about_the_live_table():
    question, _ = ask(with_a_call(live()), bid="pair of aces")
    assert question.known == Cards.parse(HELD[ANN])
    assert question.in_play == 4
    assert question.standing is not None
    assert (question.standing.key, question.bid and question.bid.key) == ("pair:4", "pair:A")


def test_a_typed_question_at_a_table_uses_its_house_rules():
    question, _ = ask(live(jokers=0), in_play=9)
    assert question.rules.deck.size == 52
    question, _ = ask(live(jokers=0), in_play=9, chosen={"jokers": 2})
    assert question.rules.deck.size == 54


def test_away_from_a_table_nothing_is_filled_in_and_the_answer_is_public():
    question, private = ask(live(), channel=8, cards="Qs", in_play=9)
    assert not private
    assert (question.known, question.in_play) == (Cards.parse("Qs"), 9)
    with pytest.raises(TextError, match="Say how many cards are in play"):
        ask(live(), channel=8)
    with pytest.raises(TextError, match="You have no cards in a round"):
        ask(live(), channel=8, in_play=9, cards=MINE)


def test_a_table_without_odds_refuses_its_players_wherever_they_ask():
    for channel in (7, 8):
        with pytest.raises(OddsNotAllowed):
            ask(live(), live(9, odds="off"), channel=channel, in_play=9, cards="Qs")


def test_chosen_options_are_read_and_invalid_ones_ignored():
    options = LIARS_GAME.odds_options
    assert chosen_options(options, {"jokers": 0, "flush_card": "highest"}) == {
        "jokers": 0,
        "flush_card": "highest",
    }
    assert chosen_options(options, {"jokers": "0"}) == {"jokers": 0}
    assert chosen_options(options, {"jokers": 7, "cards": "Ah"}) == {}


# -- suggestions while people type -----------------------------------------------------------------


async def test_suggestions_that_come_too_late_log_no_traceback(
    table: Seat, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    at = await table(1)
    bench = at.bot.computing
    assert isinstance(bench, Bench)
    bench.hold(PayChoices)
    typing = asyncio.create_task(at.host.autocomplete(at.channel, "odds three-card", "bonus", ""))
    await bench.begun.get()
    at.world.faults.expire_tokens()  # Discord's time is over
    bench.go.set()
    await at.bot.client.drain()
    typing.cancel()
    await asyncio.wait({typing})
    assert not [record for record in caplog.records if record.exc_info]
    assert "10062" in capsys.readouterr().out + caplog.text


def test_other_errors_of_suggestions_are_still_logged(caplog: pytest.LogCaptureFixture) -> None:
    from bot.discord.answers import quieten_late_suggestions

    quieten_late_suggestions()
    lines = logging.getLogger("discord.app_commands.tree")
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        lines.exception("Ignoring exception in autocomplete")
    assert [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("error", [ProcessLost(), QueueFull()])
async def test_without_the_computing_process_there_are_no_suggestions(
    table: Seat, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    at = await table(1)
    at.bot.computing.raises[PayChoices] = error  # type: ignore[attr-defined]
    assert await at.host.autocomplete(at.channel, "odds three-card", "bonus", "") == []
    assert not [record for record in caplog.records if record.exc_info]


async def test_suggestions_do_not_wait_for_a_process_that_is_being_started(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handlers, "SUGGESTED_WITHIN", 0.01)
    at = await table(1)
    at.bot.computing.hold(PayChoices)  # type: ignore[attr-defined]
    assert await at.host.autocomplete(at.channel, "odds three-card", "bonus", "") == []


# -- a game that is added gets its own -------------------------------------------------------------

NOBODY = cast(OddsHandlers, None)  # these commands are looked at, not asked


def parameters(group: app_commands.Group, name: str) -> dict[str, app_commands.Parameter]:
    command = group.get_command(name)
    assert isinstance(command, app_commands.Command)
    return {parameter.name: parameter for parameter in command.parameters}


def test_every_game_has_a_command_with_the_options_that_change_a_chance() -> None:
    group = odds_group([*VARIANTS.values(), third_game.VARIANT], NOBODY)
    descriptions = {command.name: command.description for command in group.commands}
    assert descriptions["liars"] == "Odds of a bid in Liars' Poker"
    assert descriptions["thai"] == "Odds of a bid in Thai Poker"
    games = ["liars", "thai", "royal-bluff"]
    assert list(descriptions) == [*games, "three-card", "showdown", "ranges"]
    for name, cards in (("liars", 54), ("thai", 24), ("royal-bluff", 17)):  # in the largest deck
        in_play = parameters(group, name)["in_play"]
        assert (in_play.min_value, in_play.max_value) == (1, cards)
    liars = parameters(group, "liars")
    assert list(liars) == ["in_play", "cards", "bid", "jokers", "flush_card"]
    assert [(option.name, option.value) for option in liars["jokers"].choices] == [
        ("two, wild", 2),
        ("none", 0),
    ]
    assert [option.value for option in liars["flush_card"].choices] == ["in_play", "highest"]
    assert not any(value.required for value in liars.values())
    assert list(parameters(group, "thai")) == ["in_play", "cards", "bid"]
    for name in descriptions:
        for value in parameters(group, name).values():
            assert 0 < len(str(value.description)) <= 100


@pytest.fixture
def royal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a third game, the royal bluff."""
    monkeypatch.setitem(variants.VARIANTS, third_game.VARIANT.key, third_game.VARIANT)


@pytest.mark.usefixtures("royal")
async def test_a_third_game_is_asked_like_the_others(table: Seat) -> None:
    at = await table(1)
    out = await at.host.slash(
        at.channel, "odds royal-bluff", in_play=6, cards="Ah Kd", bid="three aces", jokers=1
    )
    rules = variants.ruleset("royal_bluff", {"jokers": 1})
    bid = rules.wording.parse("three aces")
    exact = bid_chance(bid, rules.deck, 6, Cards.parse("Ah Kd"))
    assert f"**Three aces**: **{percent(exact.probability)}** likely." in plain(out.text)
    refused = await at.host.slash(at.channel, "odds royal-bluff", in_play=6, cards="2c")
    assert "isn't in this 16-card deck" in private_text(refused)
    suggestions = await at.host.autocomplete(at.channel, "odds royal-bluff", "bid", "all")
    assert [suggestion["value"] for suggestion in suggestions][:1] == ["all the jacks"]
    joker = await at.host.autocomplete(at.channel, "odds royal-bluff", "cards", "", jokers=1)
    assert joker[0]["value"] == "*"


async def test_the_card_a_flush_is_called_by_can_be_chosen(table: Seat) -> None:
    at = await table(1)
    bid_text = "nine high heart flush"
    typed: dict[str, object] = {"in_play": 12, "cards": "9h 8h 7h 6h", "bid": bid_text}
    offered_texts = []
    for value in ("in_play", "highest"):
        out = await at.host.slash(at.channel, "odds liars", flush_card=value, **typed)
        rules = variants.ruleset("liars_poker", {"flush_card": value})
        bid = rules.wording.parse(bid_text)
        exact = bid_chance(bid, rules.deck, 12, Cards.parse("9h 8h 7h 6h"))
        counts = await at.host.click(out.seen, "Counts")
        assert f"in {exact.favourable:,} of {exact.total:,} deals" in private_text(counts)
        offered_texts.append(exact)
    assert offered_texts[0] != offered_texts[1]


def test_options_of_any_type_can_be_offered() -> None:
    """Check an option with the values True and False, which go to Discord as text."""
    short = Option(
        "short_deck",
        "Short deck",
        (OptionChoice(False, "no"), OptionChoice(True, "yes")),
        changes_odds=True,
    )

    def build(options: Options) -> Ruleset:
        usual = third_game._build({"jokers": int(options["short_deck"])})
        return replace(usual, options=tuple(options.items()))

    game = replace(third_game.VARIANT, options=(short,), build=build)
    offered = parameters(odds_group([game], NOBODY), "royal-bluff")["short_deck"].choices
    assert [choice.value for choice in offered] == ["False", "True"]
    assert chosen_options(game.odds_options, {"short_deck": "True"}) == {"short_deck": True}
