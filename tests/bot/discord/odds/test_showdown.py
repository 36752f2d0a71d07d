"""`/odds showdown` and `/odds three-card`, as people see them in the local Discord."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from bot.boards.showdown_words import GAME_NAMES
from bot.computing.warming import load_kernels
from bot.discord.odds import handlers, questions
from bot.discord.odds.handlers import LONGEST
from bot.discord.odds.questions import SAMPLED_WITHIN, CountShowdown, TypedShowdown
from bot.discord.odds.suggestions import showdown_suggestions
from bot.language.catalogues import speaking
from bot.language.questions import parse_typed_question
from bot.language.words import percent
from bot.sandbox.screen import SeenMessage
from engine.cards import Cards
from engine.errors import TextError, UnclearText
from engine.odds import PRESETS, HandRank, Scenario, parse_question, showdown_odds
from engine.odds.three_card import AnteBonus, PairPlus, TableRules, advice, house_edge
from tests.bot.conftest import Seat
from tests.bot.discord.odds.screen import ask_showdown, last, plant_button, private_text
from tests.bot.harness import plain

MOST_TEXT = 4000


@pytest.fixture(scope="module", autouse=True)
def compile_before() -> None:
    """Load compiled code first, so that no answer waits for the compiler."""
    load_kernels()


def texts(message: SeenMessage) -> str:
    return "".join(part["content"] for part in message.components if part["type"] == 10)


async def test_an_exact_answer_shows_what_the_engine_counts(table: Seat) -> None:
    at = await table(1)
    message = await ask_showdown(at, hands="AhKd vs QQ", board="9c 8d 2s")
    exact = showdown_odds(parse_question("AhKd vs QQ, board 9c 8d 2s"))
    first = exact.players[0]
    assert f"{percent(float(first.value))}  P1 A♥ K♦" in plain(message.text)
    assert "\nexact" in plain(message.text).replace("-# ", "")
    assert "board 9♣ 8♦ 2♠" in plain(message.text)
    assert message.attachments
    assert not message.ephemeral


async def test_a_condition_is_answered_with_its_chance(table: Seat) -> None:
    at = await table(1)
    message = await ask_showdown(at, hands="AhKh vs QcQs, when river is a heart", board="9h 5h 2c")
    words = 'Counted: only deals that fit "river is a heart", 20.0% of all'
    assert words in plain(message.text)
    alone = await ask_showdown(at, hands="JTs, flop two pair+")
    assert '5.6% of deals fit "flop two pair+"' in plain(alone.text)
    assert not alone.attachments
    refused = await at.host.slash(at.channel, "odds showdown", hands="AA, when pigs fly")
    assert private_text(refused).endswith("AhKd vs QQ, when board pairs")


async def test_two_boards_and_pots_are_answered_in_words(table: Seat) -> None:
    at = await table(1)
    twice = plain((await ask_showdown(at, hands="AhKd vs QQ, boards 9c8d7s | 2h3h4d")).text)
    assert "boards 9♣ 8♦ 7♠ and 4♦ 3♥ 2♥" in twice
    assert "(6 combos, 0.45% of hands): scoops " in twice
    question = "AA(50) vs KK(120) vs QQ(100), stacks 50 200 100 80, pays 50 30 20"
    pots = plain((await ask_showdown(at, hands=question)).text)
    assert "main pot of 150: P1 " in pots
    assert "side pot of 100: P2 " in pots
    assert "20 go back to P2" in pots
    assert "P4: worth " in pots
    refused = private_text(await at.host.slash(at.channel, "odds showdown", hands="AA(5) vs KK"))
    assert refused.endswith("hands: AA(50) vs KK(100) vs QQ(100)")
    refused = "AA vs KK, run it three times"
    out = await at.host.slash(at.channel, "odds showdown", hands=refused)
    assert private_text(out).endswith("AhKd vs QQ, run it twice")


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
    at = await table(1)
    for typed, question in FORGIVEN:
        answer = showdown_odds(parse_question(question))
        board = await ask_showdown(at, **typed)
        for number, player in enumerate(answer.players, start=1):
            assert f"{percent(float(player.value))}  P{number} " in plain(board.text)


async def test_the_same_cards_of_others_are_answered_with_their_own_names(table: Seat) -> None:
    at = await table(1)
    for names in (("Ann", "Bob"), ("Cleo", "Dan")):
        hands = f"{names[0]}: AhKd vs {names[1]}: QQ"
        message = await ask_showdown(at, hands=hands, board="9c 8d 2s")
        assert f"P1 {names[0]} · A♥ K♦" in plain(message.text)
        assert f"P2 {names[1]} · QQ" in plain(message.text)
    message = await ask_showdown(at, hands="AhKd vs QQ", board="9c 8d 2s")
    assert "P1 A♥ K♦" in plain(message.text)


async def test_a_polish_name_keeps_its_accents_and_a_pronoun_is_not_a_name(table: Seat) -> None:
    at = await table(1)
    message = await ask_showdown(at, hands="Łucja ma AhKd, on ma QQ", board="9c 8d 2s")
    assert "P1 Łucja · A♥ K♦" in plain(message.text)
    assert "P2 QQ" in plain(message.text)


async def test_wild_cards_are_named_above_the_answer(table: Seat) -> None:
    at = await table(1)
    message = await ask_showdown(at, hands="AsAh vs KsKh, deuces and jokers wild", board="2c 9h 5h")
    assert "Hold'em, wild: 2♠ 2♥ 2♦ 2♣, 2 jokers" in message.text
    answer = showdown_odds(parse_question("AsAh vs KsKh on 2c9h5h, deuces and jokers wild"))
    assert f"{percent(float(answer.players[1].value))}  P2 " in plain(message.text)


async def test_an_unclear_wild_card_is_refused_with_an_example(table: Seat) -> None:
    at = await table(1)
    reply = private_text(await at.host.slash(at.channel, "odds showdown", hands="AA vs KK wild"))
    assert reply.startswith("It isn't clear which cards are wild. Example: ")
    assert reply.endswith("/odds showdown hands: deuces wild, AhKd vs QQ")
    assert parse_question("deuces wild, AhKd vs QQ").rules.wild


async def test_a_hand_alone_is_told_its_place_among_all_hands(table: Seat) -> None:
    at = await table(1)
    text = plain((await ask_showdown(at, hands="AKs")).text)
    assert "Among the top 3.5% of hands against one random hand" in text
    assert "Among the top" not in plain((await ask_showdown(at, hands="AKs vs QQ")).text)


async def test_the_hands_made_are_on_a_button_for_everybody(table: Seat) -> None:
    at = await table(2)
    message = await ask_showdown(at, hands="AhKd vs QQ vs 2s2d vs random", board="9c 8d 2h 5c")
    at.bot.client.handlers.odds._counted.clear()  # as after a restart
    ranks = await at.people[1].click(message, "Final hands")
    assert private_text(ranks) == private_text(await at.people[1].click(message, "Final hands"))
    answer = showdown_odds(parse_question("AhKd vs QQ vs 2s2d v random, board 9c 8d 2h 5c"))
    share = 100 * answer.players[2].ranks[HandRank.THREE] / answer.deals
    assert f"{share:.2f}" in plain(ranks.text)
    assert message.id == at.host.visible(at.channel)[-1].id


async def test_the_grids_are_on_a_button_for_everybody(table: Seat) -> None:
    at = await table(2)
    message = await ask_showdown(at, hands="AhKh vs QcQd", board="2c 9h 5h")
    assert "has 15 outs: 9 hearts, 3 aces, 3 kings" in plain(message.text)
    at.bot.client.handlers.odds._counted.clear()  # as after a restart
    grid = await at.people[1].click(message, "Card by card")
    assert "100% with J♥" in plain(private_text(grid))
    message = await ask_showdown(at, hands="AhKd vs 22+, A2s+")
    grid = await at.people[1].click(message, "Hand by hand")
    assert "against" in private_text(grid)
    message = await ask_showdown(at, hands="AhKd vs 22+, A2s+", board="2c 9h 5h")
    grid = await at.people[1].click(message, "Card by card")
    assert "After the next card" in private_text(grid)
    grid = await at.people[1].click(message, "Hand by hand")
    assert "is the favourite against" in plain(private_text(grid))


async def test_the_hits_of_a_range_are_on_a_button_for_everybody(table: Seat) -> None:
    at = await table(2)
    message = await ask_showdown(at, hands="AhKd vs QQ+, 99, AQs", board="2c 9h 5h")
    at.bot.client.handlers.odds._counted.clear()  # as after a restart
    hits = await at.people[1].click(message, "What it hits")
    assert "What it hits" in private_text(hits)
    assert hits.seen.attachments
    hits = await at.people[1].click(message, "Equity curve")
    assert "gets half of the pot or more against" in plain(private_text(hits))
    old = await plant_button(at, "bh:hits:holdem;a/b;;")
    assert "Example" in private_text(await at.host.click(old, "Old"))


FORGED = ("x", "holdem;é/b;;", "holdem;aa;;", ";;;", "holdem;=zz+;;", "omaha5;" + "/" * 80 + ";;")


async def test_a_forged_button_is_refused_in_one_sentence(table: Seat) -> None:
    at = await table(1)
    for tail in FORGED:
        old = await plant_button(at, f"bho:ranks:{tail}")
        text = private_text(await at.host.click(old, "Old"))
        assert "Example" in text
        assert "went wrong" not in text


BAD: list[tuple[dict[str, object], str]] = [
    ({"hands": "AhKd vs AhQd"}, "given twice"),
    ({"hands": "AhK vs QQ"}, "missing its suit"),
    ({"hands": "omaha AsAhKsKh", "opponents": 10}, "at most 10 players, got 11"),
    ({"hands": "draw AsAhKsKh2d", "opponents": 12}, "the deck has 52"),
    ({"hands": "AhKd vs QQ", "board": "2c 3c 4c 5c 6c 7c"}, "6 board cards"),
    ({"hands": "Ah* vs QQ"}, "no joker in this deck"),
    ({"hands": "AA vs AA vs AA"}, "don't leave a hand"),
    ({"hands": " vs "}, "at least one player"),
    ({"hands": "<@1> @everyone **x**"}, "isn't a card"),
    ({"hands": "AhKd " * 99}, "494 characters"),
    ({"hands": "AhKd " * 60}, "given twice"),
    ({"hands": "2c3c", "game": "shortdeck"}, "isn't in the 36-card deck"),
    ({"hands": "AA vs KK, flop 9c 8d"}, "A flop has three cards, got 2"),
    ({"hands": "AA vs KK", "board": "9c 8d"}, "A flop has three cards, got 2"),
    ({"hands": "AhKd, 24 players"}, "24 players, the board and the dead cards take 53 cards"),
    ({"hands": "1h2d vs AA"}, '"1h" isn\'t a card'),
    ({"hands": "-5% vs AA"}, '"-5%" is less than no hand'),
    ({"hands": "22 vs AA in short deck"}, "hands: AhKd vs QQ game: Short deck"),
    ({"hands": "AsAhKsKh vs AsQdJdTd"}, "hands: AsAhKsKh vs random"),
    ({"hands": "stud As2s3s vs As"}, "game: Seven-card stud"),
]


async def test_bad_questions_get_one_sentence_with_an_example(table: Seat) -> None:
    at = await table(1)
    for typed, says in BAD:
        text = private_text(await at.host.slash(at.channel, "odds showdown", **typed))
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
    at = await table(1)
    hands = " vs ".join(["A2o+"] * 5)  # four aces for five players: too many ways to try them all
    await at.host.slash(at.channel, "odds showdown", hands=hands)
    text = (await last(at, "Example")).text
    assert re.search(r"almost never leave a hand for everyone: [\d,]+ tries", text)


WIDE = "22+, A2s+, K2s+, Q2s+, J2s+, T2s+, 92s+, 82s+, 72s+, 62s+, 52s+, A2o+, K2o+, Q2o+, J2o+"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "typed",
    [
        {"hands": "AhKd", "opponents": 22},
        {"hands": f"{WIDE} vs {WIDE} vs {WIDE} vs AA", "opponents": 19},
        {"hands": "random", "game": "draw", "opponents": 9, "dead": "2c 2d"},
    ],
)
async def test_full_tables_and_long_ranges_fit_discords_limits(
    table: Seat, typed: dict[str, object]
) -> None:
    at = await table(1)
    await (await at.host.slash(at.channel, "odds showdown", **typed)).settle()
    answered = await last(at, "Pot share")
    assert len(texts(answered)) <= MOST_TEXT
    assert answered.attachments
    if answered.buttons:
        ranks = await (await at.host.click(answered, "Final hands")).settle()
        assert len(texts(ranks.seen)) <= MOST_TEXT
        assert "Str. flush" in plain(ranks.text)
    else:
        assert "Str. flush" in plain(answered.text) or "Ask about fewer" in plain(
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
        packed = questions.pack_scenario(scenario)
        assert packed is not None, key
        assert questions.unpack_scenario(packed) == scenario


@pytest.mark.parametrize("text", ["QQ+, AKs vs AhKd", "random, 22 vs JJ", "AhKd vs 76s-54s"])
def test_a_packed_range_is_the_same_range(text: str) -> None:
    scenario = parse_question(text)
    packed = questions.pack_scenario(scenario)
    assert packed is not None
    assert questions.unpack_scenario(packed) == scenario


def test_a_forged_text_is_no_question() -> None:
    with pytest.raises(TextError):
        questions.unpack_scenario("chess;a;b;c")


PRESET_OPTIONS = [None, "holdem", "omaha", "omaha5", "draw", "shortdeck", "a5", "27"]


@pytest.mark.parametrize("preset", PRESET_OPTIONS)
@pytest.mark.parametrize("board", ["", "typed"])
@pytest.mark.parametrize("dead", ["", "typed"])
def test_every_example_is_a_question_that_has_an_answer(
    preset: str | None, board: str, dead: str
) -> None:
    example = handlers.showdown_example(TypedShowdown("", preset, board, dead))
    match = re.fullmatch(
        r"/odds showdown hands: (.+?)(?: game: (.+?))?(?: board: (.+?))?(?: dead: (.+?))?", example
    )
    assert match is not None, example
    by_name = {name: key for key, name in GAME_NAMES.items()}
    hands, game, public, gone = match.groups(default="")
    assert by_name.get(game) == preset
    scenario = parse_question(hands, preset, public, gone)
    assert bool(scenario.dead) is bool(dead)
    assert handlers.showdown_words(TypedShowdown("", preset, board, dead))(
        TextError("x", "x is not a card", "-s 5")
    ) == (f"X is not a card. Example: {example}")


def test_a_forged_game_is_refused_like_any_other_mistake() -> None:
    sentence = handlers.showdown_words(TypedShowdown("QQ", "snap"))(
        TextError("snap", "no game", "x")
    )
    assert sentence == "No game. Example: /odds showdown hands: AhKd vs QQ"


def test_choices_of_an_unclear_question_are_one_line_whatever_was_typed() -> None:
    error = UnclearText("AK\x11QQ", ("AK vs QQ\u202e", "AK, QQ\x11"))
    sentence = handlers.showdown_words(TypedShowdown("AK QQ"))(error)
    assert all(char.isprintable() or char in "\u200b\u00a0" for char in sentence)


def test_the_games_that_are_offered_are_those_that_can_be_counted() -> None:
    assert list(GAME_NAMES) == list(PRESETS)


def test_a_question_out_of_time_is_answered_with_the_deals_so_far(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits: list[float] = []

    def at_once(seconds: float) -> Callable[[], bool]:
        limits.append(seconds)
        return lambda: True

    monkeypatch.setattr("bot.discord.odds.questions.deadline", at_once)
    counted = CountShowdown(TypedShowdown("AhKh vs random vs random")).answer(lambda: False)
    assert re.search(r"sampled, standard error up to 0\.[1-9]", repr(counted.board))
    assert limits == [SAMPLED_WITHIN]
    assert SAMPLED_WITHIN < LONGEST  # or the handlers give up first


# -- three-card ------------------------------------------------------------------------------------


async def test_typed_three_card_hands_and_pay_tables_are_counted(table: Seat) -> None:
    at = await table(1)
    out = await at.host.slash(
        at.channel, "odds three-card", hand="qs6h4d", seen="Ah Kd 2c", pair_plus="35/25/5/3/1"
    )
    assert "Q♠ 6♥ 4♦" in plain(out.text)
    assert f"{advice('Qs 6h 4d', seen='Ah Kd 2c').expected_value:+.4f}" in plain(out.text)
    assert not out.seen.ephemeral
    chosen = await at.host.slash(
        at.channel,
        "odds three-card",
        bonus="1/3/4",
        pair_plus="40/30/5/4/1",
        six_card="500/100/50/25/15/10/5",
    )
    rules = TableRules(bonus=AnteBonus(1, 3, 4), pair_plus=PairPlus(40, 30, 5, 4, 1))
    edge = house_edge(rules=rules)
    assert percent(-edge.expected_value, 3) in plain(chosen.text)
    assert percent(-edge.pair_plus, 3) in plain(chosen.text)
    assert "500/100/50/25/15/10/5" in plain(chosen.text)
    tables = private_text(await at.host.click(chosen.seen, "Pay tables"))
    assert f"40/30/5/4/1: {percent(-edge.pair_plus, 3)}" in plain(tables)
    rich = await at.host.slash(
        at.channel,
        "odds three-card",
        pair_plus="/".join(["1000000"] * 5),
        six_card="/".join(["1000000"] * 7),
    )
    usual = private_text(await at.host.click(rich.seen, "Pay tables"))
    assert "40/30/6/4/1: 2.317%" in plain(usual)
    for option, first in (("bonus", "1/4/5"), ("pair_plus", "40/30/6/4/1")):
        suggestions = await at.host.autocomplete(at.channel, "odds three-card", option, "")
        assert suggestions[0]["value"] == first
        assert "house edge" in suggestions[0]["name"]
        none = await at.host.autocomplete(at.channel, "odds three-card", option, "@x")
        assert none == []
    for typed, says in (
        ({"hand": "Q6"}, "Expected three cards, got 2"),
        ({"hand": "Qs 6h 4d", "seen": "Qs"}, "both in your hand"),
        ({"six_card": "1/2/3"}, "Expected 7 payouts"),
        ({"hand": "<@1> @everyone **x**"}, "isn't a card"),
    ):
        reply = plain(private_text(await at.host.slash(at.channel, "odds three-card", **typed)))
        assert says in reply
        assert "Example:" in reply
        assert "<@1>" not in reply


# -- suggestions while typing ----------------------------------------------------------------------

TYPED = (
    *("", "A", "Ah", "AhK", "AhKd", "AhKd ", "AhKd v", "AhKd vs", "AhKd vs ", "AhKd vs Q"),
    *("AhKd vs QQ", "AhKd vs QQ, b", "AhKd vs QQ, board ", "AhKd vs QQ, board 9h 5h 2c", "om"),
    *("omaha ", "omaha AsAhKs", "AsAhKsKh", "omaha8 AsAh2s3h vs ", "AK", "10", "badugi", "1"),
    *("ace of hearts, K", "AhKd vs r", "AhKd vs 15%", "AhKd vs QcQs dead 2", "shortdeck AhKd v"),
)


@pytest.mark.parametrize("typed", TYPED)
def test_a_suggestion_is_a_whole_question_or_adds_one_card(typed: str) -> None:
    suggestions = showdown_suggestions(typed)
    assert suggestions
    assert len(set(suggestions)) == len(suggestions)
    for question in suggestions:
        assert len(question) <= 100
        whole = re.search(r" vs \S|opponents$", question)
        if whole and not re.search(r" vs \w[cdhs]$", question):
            assert len(parse_typed_question(question).players) >= 2


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("AhK", ["AhKs", "AhKh", "AhKd", "AhKc"]),
        ("AhAs vs A", ["AhAs vs AA", "AhAs vs Ad", "AhAs vs Ac"]),
        ("AhKd", ["AhKd vs QQ", "AhKd vs random"]),
        ("AhKd vs QQ", ["AhKd vs QQ", "AhKd vs QQ+", "AhKd vs QQ, board 9h 5h 2c"]),
        ("omaha8", ["omaha8 AsAh2s3h vs random"]),
        ("AhKd vs QQ, board 9h 5h 2", ["AhKd vs QQ, board 9h 5h 2s"]),
        ("xyzzy", []),
        ("A" * 101, []),
        (" " * 4000, []),
    ],
)
def test_an_unfinished_showdown_is_completed(typed: str, first: list[str]) -> None:
    assert showdown_suggestions(typed)[: len(first)] == first
    assert first or not showdown_suggestions(typed)


def test_suggestions_keep_to_the_options_that_are_chosen() -> None:
    assert showdown_suggestions("", "omaha8") == ["AsAh2s3h vs random"]
    assert not [
        suggestion
        for suggestion in showdown_suggestions("AhKd vs QQ", board="9h 5h 2c")
        if "board" in suggestion
    ]
    assert "9h" not in str(showdown_suggestions("AhKd vs 9", board="9h 5h 2c"))
    with speaking("pl"):
        assert showdown_suggestions("AhKd przeciw Q")[0] == "AhKd przeciw QQ"


async def test_a_showdown_is_suggested_while_it_is_typed(table: Seat) -> None:
    at = await table(1)
    for typed in ("", "AhKd vs ", "Ah", "\0", "[(", "★", "A" * 100):
        suggestions = await at.host.autocomplete(at.channel, "odds showdown", "hands", typed)
        assert len(suggestions) <= 25
    chosen = await at.host.autocomplete(at.channel, "odds showdown", "hands", "", game="omaha8")
    assert [suggestion["value"] for suggestion in chosen] == ["AsAh2s3h vs random"]
    message = await ask_showdown(at, hands="AhKd vs QQ, board 9h 5h 2c")
    assert "P1 A♥ K♦" in plain(message.text)


def test_a_button_s_id_has_the_draws_that_are_left() -> None:
    scenario = parse_question("badugi: As2h4d draw 1 until T vs 8c7d6h5s pat, 3 draws left")
    packed = questions.pack_scenario(scenario)
    assert packed is not None
    assert questions.unpack_scenario(packed) == scenario
    for forged in ("1T-", "9T-", "3T", "3T-x", "3xT", "", "3"):
        with pytest.raises(TextError):
            questions.unpack_scenario(f"{packed.rpartition(';')[0]};{forged}")
