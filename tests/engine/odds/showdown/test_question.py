"""Questions in words: what each means, of which game, and what is asked back or refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

import engine.odds
from engine.cards import Cards
from engine.errors import TextError, UnclearBoard, UnclearGame, UnclearText
from engine.odds.showdown.games import HOLDEM, PRESETS, ShowdownRules, game_of
from engine.odds.showdown.question import game_asked, game_named, parse_question
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import Scenario, parse_scenario
from tests.asked import ASKED, told
from tests.fuzz.wording import work_of


def understood(text: str, **fields: object) -> tuple[list[str], str, str]:
    scenario = parse_question(text, **fields)  # type: ignore[arg-type]
    return [*map(str, scenario.players)], str(scenario.board), str(scenario.dead)


@pytest.mark.parametrize(
    ("text", "players", "board", "dead"),
    [
        ("AhKd vs QQ, board 9c", ["Ah Kd", "QQ"], "9c", ""),
        ("ahkd v qhqd on 9c 2d 3h, dead 4s", ["Ah Kd", "Qh Qd"], "9c 3h 2d", "4s"),
        ("AhKd, QhQd", ["Ah Kd", "Qh Qd"], "", ""),
        ("AhKd, QQ+", ["Ah Kd", "QQ+"], "", ""),
        ("Ah Kd and Qh Qd", ["Ah Kd", "Qh Qd"], "", ""),
        ("Ah Kh", ["Ah Kh", ""], "", ""),
        ("ah kh against two opponents flop 2c3c4c turn 5h", ["Ah Kh", "", ""], "5h 4c 3c 2c", ""),
        ("QQ+, AKs vs 76s-54s", ["QQ+, AKs", "76s-54s"], "", ""),
        ("10h10d vs A♠K♠ | board: 2h", ["Th Td", "As Ks"], "2h", ""),
        ("Ah Kd vs 3 random", ["Ah Kd", "", "", ""], "", ""),
        ("Ah Kd vs ?", ["Ah Kd", ""], "", ""),
        ("in hold'em, Ah and Kh vs any", ["Ah Kh", ""], "", ""),
        ("AhKd/QsQd/xx", ["Ah Kd", "Qs Qd", ""], "", ""),
        ("AhKd, the board is 9c", ["Ah Kd", ""], "9c", ""),
        ("AhKd vs an unknown hand", ["Ah Kd", ""], "", ""),
        ("AhKh, AhKd vs 99", ["AhKh, AhKd", "99"], "", ""),
        ("(AhKh, AdKd) vs 99", ["AhKh, AdKd", "99"], "", ""),
        ("QQ@50, AdKd@25 vs AhKh", ["QQ@50, AdKd@25", "Ah Kh"], "", ""),
        ("15%, !AA vs TT-", ["15%, !AA", "TT-"], "", ""),
        ("top 10% vs AhXh on 9h 8h 2c", ["10%", "AhXh"], "9h 8h 2c", ""),
    ],
)
def test_a_typed_question_is_understood(
    text: str, players: list[str], board: str, dead: str
) -> None:
    assert understood(text) == (players, board, dead)


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("omaha AsAhKsKh v 2 random on 3d 4d 5d", PRESETS["omaha"]),
        ("AsAhKsKhQs v random in 5 card omaha", PRESETS["omaha5"]),
        ("5-card draw: AhKhQhJh vs ?", PRESETS["draw"]),
        ("2-7 lowball 7h5d4c3s2h vs xx", PRESETS["27"]),
        ("a-5: 7h5d4c3s2h vs xx", PRESETS["a5"]),
        ("short deck AsKs vs QQ", PRESETS["shortdeck"]),
        ("AsKs vs QQ", HOLDEM),
        ("omaha hi/lo: AsAh2s3h v random", PRESETS["omaha8"]),
        ("omaha 8 or better AsAh2s3h v random", PRESETS["omaha8"]),
        ("5-card omaha hi-lo AsAh2s3h4d v xx", PRESETS["omaha85"]),
        ("omaha 8h8dKsKh v random", PRESETS["omaha"]),
        ("6-card omaha AsAh2s3h4d5d v xx", PRESETS["omaha6"]),
        ("seven card stud AsAhKd v xx", PRESETS["stud"]),
        ("stud 8 AsAh2d v random", PRESETS["stud8"]),
        ("razz As2h3d v 4d5d6d", PRESETS["razz"]),
        ("badugi As2h3d4c v ?", PRESETS["badugi"]),
        ("6+ AhKd v QQ", PRESETS["shortdeck"]),
        ("short deck trips over straights AhKd vs QQ", PRESETS["shortdeck-trips"]),
        ("omaha AA**, KKds vs AsKsQdJd", PRESETS["omaha"]),
    ],
)
def test_a_game_named_in_the_question_is_played(text: str, rules: ShowdownRules) -> None:
    assert parse_question(text).rules == rules


@pytest.mark.parametrize(
    ("text", "wild", "jokers"),
    [
        ("deuces wild: AsAh vs KsKh", "2s 2h 2d 2c", 0),
        ("AsAh vs KsKh deuces wild", "2s 2h 2d 2c", 0),
        ("**Deuces Wild** AsAh vs KsKh", "2s 2h 2d 2c", 0),
        ("AsAh vs KsKh (deuces wild)", "2s 2h 2d 2c", 0),
        ("AsAh vs KsKh, with all tens wild", "Ts Th Td Tc", 0),
        ("wild 22, AsAh vs KsKh", "2s 2h 2d 2c", 0),
        ("the threes and nines are wild, AsAh vs KsKh", "9s 9h 9d 9c 3s 3h 3d 3c", 0),
        ("AsAh vs KsKh, wild cards: 2c2♦", "2d 2c", 0),
        ("wild cards 2c, 2d and 2h; AsAh vs KsKh", "2h 2d 2c", 0),
        ("one-eyed jacks & the suicide king wild, AsAh vs KsKh", "Kh Js Jh", 0),
        ("AsAh vs KsKh, jokers wild", "", 2),
        ("AsAh vs KsKh, the jokers and deuces are wild", "2s 2h 2d 2c", 2),
        ("AsAh vs KsKh, three jokers wild", "", 3),
        ("AsAh vs KsKh, joker wild", "", 1),
        ("AsAh vs KsKh, * * wild", "", 2),
        ("AsAh vs KsKh with two wild jokers", "", 2),
        ("1 wild joker; AsAh vs KsKh", "", 1),
        ("The deuce is wild, AsAh vs KsKh", "2s 2h 2d 2c", 0),
        ("the six is wild, AsAh vs KsKh", "6s 6h 6d 6c", 0),
        ("AsAh vs KsKh, wild: 2c, 2d", "2d 2c", 0),
        ("wild: 2c 2d, AsAh vs KsKh", "2d 2c", 0),
        ("wild cards: 2c, 2d, AsAh vs KsKh", "2d 2c", 0),
    ],
)
def test_what_is_wild_is_said_in_the_question(text: str, wild: str, jokers: int) -> None:
    scenario = parse_question(text)
    assert [*map(str, scenario.players)] == ["As Ah", "Ks Kh"]
    assert scenario.rules == replace(HOLDEM, wild=Cards.parse(wild), jokers=jokers)


def test_what_is_wild_leaves_the_game_and_the_other_texts() -> None:
    deuces = Cards.parse("2c 2d 2h 2s")
    draw = parse_question("draw, deuces wild, AsAhKsKh2d vs random").rules
    assert draw == replace(PRESETS["draw"], wild=deuces)
    asked = parse_question("AsAh vs KsKh, deuces wild")
    assert parse_question(["AsAh", "KsKh", "deuces wild"]) == asked
    assert parse_question("AsAh vs KsKh, deuces wild", HOLDEM) == asked
    assert game_asked("deuces wild, AsAhKsKh vs random") == "omaha"
    assert game_asked("deuces wild") == "holdem"
    assert [*map(str, parse_question("deuces vs AsAh").players)] == ["22", "As Ah"]


@pytest.mark.parametrize(
    "text",
    [
        "AsAh vs KsKh wild",
        "AhKd vs Qs Qh wild 2s",
        "P1: AsAh P2: KsKh wild: deuces",
        "AsAh vs KsKh, deuces, treys wild",
        "AsAh vs KsKh, wild: deuces, treys and fours",
        "AsAh vs KsKh, deuces or treys wild",
        "AsAh vs KsKh without deuces wild",
        "AsAh vs deuces wild",
        "AsAh against deuces wild",
        "AsAh against the deuces wild",
        "kings and queens wild vs aces",
        "AsAh vs KsKh board 9c 8d 7s 2s wild",
        "draw AsAhKsKh * wild vs random",
        "black wild: AsAh vs KsKh",
        "wild cards 2c AsAh vs KsKh",
        "wild cards: 2c, As Ah vs KsKh",
        "AsAh, wild: 2c, 2d vs KsKh",
        "AsAh vs KsKh, the four wild cards",
        "AsAh vs the deuce is wild",
        "wild: 2c, AsAh; KsKh",
        "wild: 2c, 2d, AsAh, 7 opponents",
        "AsAh vs KsKh, wild: 9c, 2c3d4h",
    ],
)
def test_what_is_wild_is_never_guessed(text: str) -> None:
    with pytest.raises(TextError, match="not clear which cards are wild"):
        parse_question(text)


def asked_or_none(text: str) -> Scenario | None:
    try:
        return parse_question(text)
    except TextError:
        return None


@pytest.mark.parametrize("form", ["deuces wild, {}", "{}; deuces wild"])
def test_what_is_wild_changes_nothing_else_of_a_question(form: str) -> None:
    both = 0
    for text, _ in ASKED:
        tame, wild = asked_or_none(text), asked_or_none(form.format(text))
        if wild is not None:
            assert tame is not None
            assert wild.rules == replace(tame.rules, wild=Cards.parse("2c 2d 2h 2s"))
            assert (wild.players, wild.board, wild.dead) == (tame.players, tame.board, tame.dead)
            both += 1
    assert both > 0.9 * len([text for text, _ in ASKED if asked_or_none(text)])


def test_what_is_asked_back_keeps_what_is_wild() -> None:
    with pytest.raises(UnclearText) as asked:
        parse_question("AA/KK, deuces and jokers wild")
    wild = {parse_question(choice).rules for choice in asked.value.choices}
    assert wild == {replace(HOLDEM, wild=Cards.parse("2c 2d 2h 2s"), jokers=2)}


def test_a_range_of_omaha_has_no_wild_cards() -> None:
    with pytest.raises(TextError, match="ranges of Omaha are known without wild cards"):
        parse_question("omaha AA vs KK, deuces wild")


def test_fields_of_a_form_add_to_the_text() -> None:
    fields = {"game": "omaha", "board": "3d 4d", "dead": "2c", "opponents": 2}
    assert understood("AsAhKsKh, board 5d", **fields) == (
        ["As Ah Ks Kh", "", ""],
        "5d 4d 3d",
        "2c",
    )


@pytest.mark.parametrize(
    ("text", "fields", "sentence"),
    [
        ("", {}, "at least one player"),
        ("AhKd vs AhQd", {}, "Ah is given twice"),
        ("AhKd vs Q", {}, '"Q" is missing its suit'),
        ("AhKd vs banana", {}, "is not a card"),
        ("AhKd", {"game": "bridge"}, '"bridge" is not a game'),
        ("AhKd", {"opponents": 23}, "0 to 22 opponents"),
        ("x" * 1001, {}, "expected one question"),
        ("AhKd vs AA", {"opponents": 22}, "the pack has 52"),
        ("omaha AhKdQcJc vs 10 random", {}, "at most 10 players, got 11"),
        ("AhKdQc vs QQ", {}, "has 3 cards .Ah Kd Qc., Hold'em deals 2"),
        ("AhKd vs QQ on 2c3c4c5c6c7c", {}, "6 board cards are given"),
        ("AhKd QQ+", {}, "expected vs between two players"),
        ("AhKd vs AKz", {}, "is not a range of hands"),
    ],
)
def test_a_question_that_is_not_understood_gets_a_sentence_and_an_example(
    text: str, fields: dict[str, object], sentence: str
) -> None:
    with pytest.raises(TextError, match=sentence) as caught:
        parse_question(text, **fields)  # type: ignore[arg-type]
    assert "Example:" in str(caught.value)


def test_jokers_of_several_texts_are_different_cards() -> None:
    scenario = parse_scenario(["*", "*"], dead="*", rules=ShowdownRules(jokers=3))
    assert [cards.jokers for cards in (*scenario.known, scenario.dead)] == [1, 1, 1]
    assert scenario.left.jokers == 0


@pytest.mark.parametrize(
    ("players", "board", "rules", "sentence"),
    [
        (["*"], "", ShowdownRules(), "the pack has 0 jokers"),
        (["2c"], "", PRESETS["shortdeck"], "2c is not in the pack of 36 cards"),
        ([], "", HOLDEM, "1 to 60 players"),
        (["*" * 7, "*" * 6], "", ShowdownRules(private=7, jokers=12), "at most 12 jokers"),
        (["AA", "AA", "AA"], "", HOLDEM, "leave no hand for everybody"),
        (["QQ+", ""], "", PRESETS["draw"], "two hole cards and for Omaha"),
    ],
)
def test_a_scenario_that_cannot_be_is_refused(
    players: list[str], board: str, rules: object, sentence: str
) -> None:
    with pytest.raises(TextError, match=sentence):
        parse_scenario(players, board, rules=rules)  # type: ignore[arg-type]


def test_a_range_needs_hands_of_the_games_size() -> None:
    whole = parse_scenario(["AA"]).players[0]
    with pytest.raises(TextError, match="another number of cards"):
        Scenario(ShowdownRules(), (whole,))


@pytest.mark.parametrize("all_hands", ["*", "9+ Ks", "Ks, *@50"])
def test_a_range_of_all_hands_is_not_gone_through_one_by_one(all_hands: str) -> None:
    rules = PRESETS["omaha"]
    parse_scenario(["6d Qs 6s Th", all_hands], rules=rules)  # what is made once
    work = work_of(lambda: parse_scenario(["6d Qs 6s Th", all_hands], rules=rules))
    assert work < 3_000  # they are up to 270,725 hands


def test_a_range_is_looked_through_as_far_as_it_takes() -> None:
    # of each range a single hand is left, the last one
    dead = "Ac Ad Kc Kd"
    parse_scenario(["AA", "KK"], dead=dead)
    with pytest.raises(TextError, match="leave no hand for everybody"):
        parse_scenario(["AA", "KK", "AhXs"], dead=dead)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"private": 0}, "1 to 52 private cards"),
        ({"public": 53}, "0 to 52 board cards"),
        ({"private_used": 6}, "0 to 5 private cards usable"),
        ({"public_used": 1}, "0 to 0 board cards usable"),
        ({"jokers": 13}, "0 to 12 jokers"),
        ({"private_used": 0}, "at least one usable card"),
        ({"wild": Cards.parse("*")}, "\\* is not a natural card of this pack"),
        ({"wild": Cards.parse("2c"), "ranking": Ranking.SHORT_DECK}, "2c is not a natural card"),
        ({"private": 4, "ranking": Ranking.WORST}, "lowball needs five usable cards"),
        ({"private": 30, "private_used": 15, "public": 1}, "too many ways"),
        ({"private": 20, "private_used": 3, "public": 20, "public_used": 3}, "too many ways"),
    ],
)
def test_rules_that_cannot_be_are_refused(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(TextError, match=sentence):
        ShowdownRules(**options)  # type: ignore[arg-type]


def test_defaults_are_five_card_draw_like_pan2() -> None:
    rules = ShowdownRules()
    assert (rules.private, rules.public, rules.usable_private, rules.jokers) == (5, 0, 5, 0)
    assert rules.ranking.label == "high"
    assert not rules.five_possible
    assert ShowdownRules(wild=Cards.parse("2c")).five_possible


def test_public_names_are_loaded_when_first_used() -> None:
    assert engine.odds.parse_question is parse_question
    assert "showdown_odds" in dir(engine.odds)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = engine.odds.nothing  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("AK QQ", ["AK", "QQ"]),
        ("AKs TT", ["AKs", "TT"]),
        ("AhKd QQ", ["Ah Kd", "QQ"]),
        ("AhKd QhQs", ["Ah Kd", "Qs Qh"]),
        ("AK and QQ and JJ", ["AK", "QQ", "JJ"]),
        ("ace king suited vs pocket queens", ["AKs", "QQ"]),
        ("ace of hearts, king of hearts", ["Ah Kh", ""]),
        ("two queens vs 2 random", ["QQ", "", ""]),
        ("AK, QQ", ["AK, QQ", ""]),
        ("QQ+ AKs", ["QQ+, AKs", ""]),
        ("AK QQ vs JJ", ["AK, QQ", "JJ"]),
    ],
)
def test_hands_side_by_side_are_players_unless_they_have_the_signs_of_a_range(
    text: str, players: list[str]
) -> None:
    assert understood(text)[0] == players


def test_three_hands_side_by_side_may_be_players_or_a_range() -> None:
    with pytest.raises(UnclearText) as asked:
        parse_question("aa aks qq")
    assert asked.value.choices == ("AA vs AKs vs QQ", "AA, AKs, QQ")
    for text in asked.value.choices:
        parse_question(text)


def played(hands: str | list[str], board: str = "") -> str | None:
    scenario = parse_question(hands, board=board)
    return game_of(scenario.rules, len(scenario.players))


@pytest.mark.parametrize(
    ("hands", "board", "game"),
    [
        (["ad,ac", "kh,ks"], "", "holdem"),
        ("AhKd vs QcQs", "", "holdem"),
        ("AhKd, QcQs", "", "holdem"),
        ("AhKd QcQs", "", "holdem"),
        ("AK vs QQ", "", "holdem"),
        ("Ah and Kd", "", "holdem"),
        ("Ah vs Kd", "", "holdem"),
        ("AhXh vs 15%", "", "holdem"),
        (["AhKh, AdKd", "QQ"], "", "holdem"),
        (["", ""], "", "holdem"),
        (["ad,ac,kh,ks", "qd,qc,jd,jc"], "", "omaha"),
        ("AsAh2s vs KdKcQdJd", "", "omaha"),
        ("As Ah Ks Kh vs random", "", "omaha"),
        ("AsAhKsKh vs QQ+", "", "omaha"),
        ("AA** vs KKds", "", "omaha"),
        ("AxKx vs QQ", "", "omaha"),
        ("AA** vs $ds@50, $np:KQJT", "", "omaha"),
        ("JT98-7654 vs AA", "", "omaha"),
        ("As Ks * * vs AA", "", "omaha"),
        (["AhKhQhJhTh", ""], "", "draw"),
        ("AhKhQhJhTh vs 9s9d2c2h3d", "", "draw"),
        ("AhKhQhJhTh vs 9s9d2c2h3d, board 2s 3s 4s", "", "omaha5"),
        ("AhKhQhJhTh", "2s 3s 4s", "omaha5"),
        ("AsAhKsKhQd vs AA", "", "omaha5"),
        ("AAKQJ vs AsAhKsKhQd", "", "omaha5"),
        ("AsAhKsKhQdJd", "2s 3s 4s", "omaha6"),
        ("AsAhKsKhQsJs2d vs 3d3c", "", "stud"),
        ("stud As2s3s, 7 opponents", "", "stud"),
        (["stud", "As2s3s,", "7", "opponents"], "", "stud"),
        (["omaha AsAh", "KdKc"], "", "omaha"),
    ],
)
def test_the_cards_of_a_hand_tell_the_game(hands: str | list[str], board: str, game: str) -> None:
    asked = parse_question(hands, board=board)
    assert game_of(asked.rules, len(asked.players)) == game


@pytest.mark.parametrize(
    ("hands", "choices"),
    [
        ("As2s3s vs 4d5d6d", ("stud As2s3s vs 4d5d6d", "omaha As2s3s vs 4d5d6d")),
        (["AsAhKsKhQsJs", ""], ("stud AsAhKsKhQsJs vs random", "omaha6 AsAhKsKhQsJs vs random")),
    ],
)
def test_what_fits_two_games_is_asked_back(
    hands: str | list[str], choices: tuple[str, ...]
) -> None:
    with pytest.raises(UnclearGame) as asked:
        parse_question(hands)
    assert asked.value.choices == choices
    assert [played(choice) for choice in choices] == [choice.split()[0] for choice in choices]


def test_what_is_no_hand_of_any_game_is_said() -> None:
    with pytest.raises(TextError, match=r"has 3 cards .Ah Kd Qc., Hold'em deals 2"):
        parse_question("AhKdQc vs QQ")
    with pytest.raises(TextError, match=r"has 8 cards .*, Seven-card stud deals 7"):
        parse_question("AsAhKsKhQdQcJdJc")
    with pytest.raises(TextError, match='"AKz" is not a range'):
        parse_question("AKz vs QQ")


def test_a_game_that_is_named_goes_before_the_cards() -> None:
    assert parse_question("AhKd", "omaha").rules == PRESETS["omaha"]
    assert parse_question("short deck AhKd").rules == PRESETS["shortdeck"]
    assert parse_question(["AhKd"], PRESETS["omaha"]).players == parse_question("AhKd").players[:1]


@pytest.mark.parametrize(
    ("text", "board", "game"),
    [
        ("omaha AhKd", "", "omaha"),
        ("AhKhQhJhTh", "", "draw"),
        ("AhKhQhJhTh", "2c 3c 4c", "omaha5"),
        ("As2s3s vs 4d5d6d", "", None),
        ("no cards at all", "", "holdem"),
    ],
)
def test_the_game_of_a_question_that_cannot_be_answered_is_told_too(
    text: str, board: str, game: str | None
) -> None:
    assert game_asked(text, board) == game
    assert game_named(text) == (game if text.startswith("omaha") else None)


@pytest.mark.parametrize(
    ("hands", "example"),
    [
        ("AhKd vs QsQc, 9c 8d 7s 2h", "AhKd vs QsQc, board 9c 8d 7s 2h"),
        ("AhKd vs QsQc 9c 8d 7s", "AhKd vs QsQc, board 9c 8d 7s"),
        (["AhKd", "QsQc 9c 8d 7s"], "AhKd vs QsQc, board 9c 8d 7s"),
    ],
)
def test_a_board_that_stands_with_a_hand_makes_no_other_game(
    hands: str | list[str], example: str
) -> None:
    with pytest.raises(UnclearBoard, match="the board") as refused:
        parse_question(hands)
    assert refused.value.choices == (example,)
    assert str(parse_question(example).board) == example.partition("board ")[2]


def test_hands_of_other_sizes_beside_two_cards_are_no_board() -> None:
    assert played("AhKd vs QsQc vs JsJc") == "holdem"
    assert played("AhKd9c8d vs QsQc") == "omaha"


@pytest.mark.parametrize(("text", "question"), ASKED)
def test_a_way_to_ask_is_just_this_question(text: str, question: str) -> None:
    assert told(lambda: parse_question(text)) == question


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (["flop 9c8d7s vs QQ"], "! expected the hands before the board"),
        (["AhKd or foo vs QQ"], "! expected vs between two players"),
        (["AhKd, Qs, Qh"], "! expected vs between two players"),
        (["AhKd vs 200%-300%, 9c 8d 7s"], '! "200%-300%" is more than all hands'),
        (["Ah", "Kd"], "? AhKd ? Ah vs Kd"),
        (["Ah", "Kd", "Qs"], "? AhKdQs ? Ah vs Kd vs Qs"),
    ],
)
def test_what_is_no_question_by_itself_is_refused_or_asked_back(
    texts: list[str], question: str
) -> None:
    assert told(lambda: parse_question(texts if len(texts) > 1 else texts[0])) == question


def test_a_reason_without_facts_is_said_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: object) -> None:
        raise TextError("QQ", "not today", "AA")

    monkeypatch.setattr("engine.odds.showdown.question.parse_scenario", refuses)
    assert told(lambda: parse_question("AhKd vs QQ")) == "! not today"


UNDERSTOOD = sorted({question for _, question in ASKED if question[0] not in "?!"})
ASKED_BACK = sorted({question for _, question in ASKED if question[0] == "?"})


@pytest.mark.parametrize("question", UNDERSTOOD)
def test_the_plainest_form_of_a_question_means_itself(question: str) -> None:
    game, hands = question.split(" ", 1)
    assert told(lambda: parse_question(hands, game)) == question


@pytest.mark.parametrize("question", ASKED_BACK)
def test_every_choice_is_a_question_of_its_own(question: str) -> None:
    choices = question.removeprefix("? ").split(" ? ")
    understood = {told(lambda choice=choice: parse_question(choice)) for choice in choices}  # type: ignore[misc]
    assert len(understood) == len(choices)
    assert not any(one[0] in "?!" for one in understood)


@pytest.mark.parametrize("text", [text for text, _ in ASKED if " vs " in text and "," not in text])
def test_words_of_a_shell_are_the_same_question(text: str) -> None:
    """As an unquoted question comes to the command line."""
    assert told(lambda: parse_question(text.split())) == told(lambda: parse_question(text))
