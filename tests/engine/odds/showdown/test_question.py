"""Questions in words: their meaning and game, unclear questions, and refusals."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import pytest

from engine.cards import Cards
from engine.errors import TextError, UnclearGame, UnclearText
from engine.odds.showdown import hand_history, phh
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.game_words import _UNKNOWN, game_key, named_game
from engine.odds.showdown.games import GAMES, HOLDEM, PRESETS, ShowdownRules
from engine.odds.showdown.question import _WITH_BOARD, game_named, guess_game, parse_question
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import Scenario, parse_scenario
from tests.fuzz.wording import work_of
from tests.typed_questions import QUESTIONS, outcome

# what the questions that people sent do not show; several texts are a player each
MORE: tuple[tuple[str | list[str], str], ...] = (
    ("ahkd v qhqd on 9c 2d 3h, dead 4s", "holdem AhKd vs QhQd, board 9c 2d 3h, dead 4s"),
    (
        "ah kh against two opponents flop 2c3c4c turn 5h",
        "holdem AhKh vs random vs random, board 2c 3c 4c 5h",
    ),
    ("10h10d vs A♠K♠ | board: 2h", "holdem ThTd vs AsKs, board 2h"),
    ("i've got AK vs QQ", "holdem AK vs QQ"),
    ("AhKd, Q♥ and J♣", "! put vs between the players"),
    ("Ah* vs QQ", "! there is no joker in this deck"),
    ("As* vs Ks★, joker wild", "! more jokers than the deck's 1"),
    ("omaha AhKdQh, 9c8c7c", "omaha AhKdQh vs 9c8c7c"),
    ("stud AhKd, QhJhTh9c8d7s", "stud AhKd vs QhJhTh9c8d7s"),
    ("in hold'em, Ah and Kh vs any", "holdem AhKh vs random"),
    ("AhKd vs an unknown hand", "holdem AhKd vs random"),
    ("AhKh, AhKd vs 99", "holdem AhKh, AhKd vs 99"),
    ("{AhKh, AhKd} vs 99", "holdem AhKh, AhKd vs 99"),
    ("{QdQs, QhQc} vs 77", "holdem QsQd, QhQc vs 77"),
    ("top 10% vs AhXh on 9h 8h 2c", "holdem 10% vs AhXh, board 9h 8h 2c"),
    ("AhKd vs QQ, 2 others", "holdem AhKd vs QQ vs random vs random"),
    ("6-handed AhKd vs QQ", "holdem AhKd vs QQ vs random vs random vs random vs random"),
    ("AhKd vs 4 players", "holdem AhKd vs random vs random vs random vs random"),
    ("♥A♦K vs Q♠Q♥", "holdem AhKd vs QsQh"),
    ("[Ah Kd] [Qs Qh]", "holdem AhKd vs QsQh"),
    ("10 10+ vs [50]QQ[/50]", "holdem TT+ vs QQ@50"),
    # where players and boards begin
    ("QhJh2c: AhKd vs 99", "holdem AhKd vs 99, board Qh Jh 2c"),
    ("Board: 9c 8d 7s\nHero: Ah Kd\nVillain: QQ", "holdem AhKd vs QQ, board 9c 8d 7s"),
    ("AhKd vs QQ board (9c 8d 7s)", "holdem AhKd vs QQ, board 9c 8d 7s"),
    ("AhKh vs QQ, random", "holdem AhKh vs QQ vs random"),
    ("AhKh vs QQ and a random hand", "holdem AhKh vs QQ vs random"),
    ("AhKh vs QQ plus random", "holdem AhKh vs QQ vs random"),
    ("QQ random", "holdem QQ vs random"),
    ("omaha AAKK random", "omaha AAKK vs random"),
    ("AA vs 2x random", "holdem AA vs random vs random"),
    ("AA vs random x2", "holdem AA vs random vs random"),
    ("AhKh, QdQc, JJ", "holdem AhKh vs QdQc vs JJ"),
    ("A♡K♡ 🆚 QQ", "holdem AhKh vs QQ"),
    ("QQ + 2 random", "holdem QQ vs random vs random"),
    ("AhKh vs QQ, 2 more players", "holdem AhKh vs QQ vs random vs random"),
    ("AA, KK, random", "! put vs between the players"),
    ("random without AA vs KK", "holdem random, !AA vs KK"),
    ("AhKh vs QQ vs villain", "holdem AhKh vs QQ vs random"),
    ("AKs (BTN), QQ (BB)", "holdem AKs vs QQ"),
    ("my AK, his QQ", "holdem AK vs QQ"),
    ("my hand: AK, his hand: QQ", "holdem AK vs QQ"),
    ("AAvsKKvQQ", "holdem AA vs KK vs QQ"),
    ("AhKh-QdQc", "holdem AhKh vs QdQc"),
    ("> AhKh vs QQ", "holdem AhKh vs QQ"),
    (["'AhKh", "vs", "QQ'"], "holdem AhKh vs QQ"),
    ("AA vs 1", "holdem AA vs random"),
    ("AhKh vs JJ, board 9c 8d 7s, turn 2c or 3c", '! "or" isn\'t a card'),
    ("AK vs QQ after the flop Kd7c2s", "holdem AK vs QQ, board Kd 7c 2s"),
    ("AsKs vs QdQh, Kxx", "? AsKs vs QdQh, board Kxx"),
    ("AsKs vs QQ K72r", "? AsKs vs QQ, board K72r"),
    ("AsKs vs QdQh, board 9c 8d 7s, turn is the Ad", "holdem AsKs vs QhQd, board 9c 8d 7s Ad"),
    # hands in words
    ("pocket 8s vs A10 offsuit", "holdem 88 vs ATo"),
    ("pair of 10's vs J10 suited", "holdem TT vs JTs"),
    ("7 2 off vs 109 suited", "holdem 72o vs T9s"),
    ("AK(s) vs QQ", "holdem AKs vs QQ"),
    ("QQ:50%, AKs vs JJ", "holdem QQ@50, AKs vs JJ"),
    ("AhKh vs 20% minus 5%", "holdem AhKh vs 20%, !5%"),
    ("AhKh vs top 20% without top 5%", "holdem AhKh vs 20%, !5%"),
    ("odds AhKh vs QQ", "holdem AhKh vs QQ"),
    ("!odds AK vs QQ", "holdem AK vs QQ"),
    ("hooks vs AK", "holdem JJ vs AK"),
    ("what are my odds with AKs against QQ", "holdem AKs vs QQ"),
    ("chance of AA beating KK", "holdem AA vs KK"),
    ("how often does AA win vs KK?", "holdem AA vs KK"),
    ("can AA over your KK", "holdem AA vs KK"),
    ("AhKh vs villain's range: QQ+, AKs", "holdem AhKh vs QQ+, AKs"),
    # the game that is named, or that the cards tell
    ("plo6 random vs random", "omaha6 random vs random"),
    ("omaha 6 random", "omaha random vs random vs random vs random vs random vs random"),
    ("AsAhKsKhQs v random in 5 card omaha", "omaha5 AsAhKsKhQs vs random"),
    ("5-card draw: AhKhQhJh vs ?", "draw AhKhQhJh vs random"),
    ("2-7 lowball 7h5d4c3s2h vs xx", "27 7h5d4c3s2h vs random"),
    ("omaha 8 or better AsAh2s3h v random", "omaha8 AsAh3h2s vs random"),
    ("5-card omaha hi-lo AsAh2s3h4d v xx", "omaha85 AsAh4d3h2s vs random"),
    ("omaha 8h8dKsKh v random", "omaha KsKh8h8d vs random"),
    ("6-card omaha AsAh2s3h4d5d v xx", "omaha6 AsAh5d4d3h2s vs random"),
    ("seven card stud AsAhKd v xx", "stud AsAhKd vs random"),
    ("stud 8 AsAh2d v random", "stud8 AsAh2d vs random"),
    ("short deck trips over straights AhKd vs QQ", "shortdeck-trips AhKd vs QQ"),
    ("Ah vs Kd", "holdem Ah vs Kd"),
    ("AsAh2s vs KdKcQdJd", "omaha AsAh2s vs KdKcQdJd"),
    ("AxKx vs QQ", "omaha AxKx vs QQ"),
    ("AA** vs $ds@50, $np:KQJT", "omaha AA** vs $ds@50, $np:KQJT"),
    ("JT98-7654 vs AA", "omaha JT98-7654 vs AA"),
    ("As Ks * * vs AA", "omaha AsKs** vs AA"),
    ("[A-T][A-T]s, QQ@50 vs [A,K,Q]9", "holdem [AKQJT][AKQJT]s, QQ@50 vs [AKQ]9"),
    ("Ann: [A - K]Q vs [Ah Ks], board 2c 3c 4c", "holdem [AK]Q vs AhKs, board 2c 3c 4c"),
    ("[A,K]Qs vs [Q-9]h9, 9h 5h 2c", "? [AK]Qs vs [QJT9]h9, board 9h 5h 2c"),
    ("[A,K]Q vs [A-J]", "holdem [AK]Q vs [AKQJ]X"),
    ("RRONds vs $B$Bds", "omaha RRONds vs [AKQJ][AKQJ]ds"),
    ("omaha 5 [A-T][A-T]*** v AA", "omaha5 [AKQJT][AKQJT]*** vs AA"),
    ("As-Ah-Ks-Kh", "omaha AsAhKsKh vs random"),
    ("sA hA sK hK vs random", "omaha AsAhKsKh vs random"),
    (
        "AhKhQhJhTh vs 9s9d2c2h3d, board 2s 3s 4s",
        "omaha5 AhKhQhJhTh vs 9s9d3d2h2c, board 2s 3s 4s",
    ),
    ("AsAhKsKhQd vs AA", "omaha5 AsAhKsKhQd vs AA"),
    ("AAKQJ vs AsAhKsKhQd", "omaha5 AAKQJ vs AsAhKsKhQd"),
    ("AsAhKsKhQsJs2d vs 3d3c", "stud AsAhKsKhQsJs2d vs 3d3c"),
    # texts that stand apart
    (["ad,ac", "kh,ks", ""], "holdem AdAc vs KsKh vs random"),
    (["AhKh, AdKd", "QQ"], "holdem AhKh, AdKd vs QQ"),
    (["AhKd", "vs", "QQ", "board", "9c", "8d", "7s"], "holdem AhKd vs QQ, board 9c 8d 7s"),
    (["AhKd", "2 random"], "holdem AhKd vs random vs random"),
    (["AhKd", "4 players"], "holdem AhKd vs random vs random vs random"),
    ([""], "holdem random vs random"),
    (["omaha AsAh", "KdKc"], "omaha AsAh vs KdKc"),
    (["AhKd", "QsQc 9c 8d 7s"], "? AhKd vs QsQc, board 9c 8d 7s"),
    (["Ah|Kd", "Ts|Tc"], "? AhKd vs TsTc ? Ah vs Kd vs T♠ vs Tc"),
    (["AhKd", "💥"], '! "💥" is neither cards nor a range'),
    (["27", "7h5d4c3s2h", "8h6d5c3c2c"], "27 7h5d4c3s2h vs 8h6d5c3c2c"),
    (["JTs+", "AA"], "? JTs vs AA ? JTs-AKs vs AA"),
    ("AhKd vs 54s+, 9c 8d 7s", "? AhKd vs 54s+, board 9c 8d 7s"),
    (["Ah", "Kd"], "? AhKd ? Ah vs Kd"),
    (["Ah", "Kd", "Qs"], "? AhKdQs ? Ah vs Kd vs Qs"),
    (["AsAhKsKhQsJs", ""], "? stud AsAhKsKhQsJs vs random ? omaha6 AsAhKsKhQsJs vs random"),
    # what cannot be
    ("", "! expected at least one player's cards"),
    ("AhKd vs Q", '! "Q" is missing its suit'),
    ("x" * 1001, "! that's too long for one question: 1,001 characters"),
    ("omaha AhKdQcJc vs 10 random", "! Omaha seats at most 10 players, got 11"),
    ("AhKd QQ+", "! put vs between the players"),
    ("AhKd or foo vs QQ", "! put vs between the players"),
    ("AhKd, Qs, Qh", "! put vs between the players"),
    ("flop 9c8d7s vs QQ", "! put the hands before the board"),
    ("AhKd vs 200%-300%, 9c 8d 7s", '! "200%-300%" is more than all hands'),
    (
        "omaha AsAhKsKh, KdKcQdJd2c",
        "! one player has 5 cards (Kd Kc Qd Jd 2c), but Omaha deals 4",
    ),
    ("AA vs KK, flop 9c", "! a flop has three cards, got 1 (9c)"),
    ("AA vs KK, flop", "! name the flop's three cards, or what it must be"),
    ("AK misses the flop", "! name the flop's three cards, or what it must be"),
    ("AhKd vs QcQs vs JcJs, 2 players", "! 3 players have cards, but you said 2 in total"),
    ("draw AhKhQhJhTh, board 2c", "! you gave 1 board cards, but Five-card draw has 0"),
    (
        "AsAhKsKhQdQcJdJc",
        "! one player has 8 cards (As Ah Ks Kh Qd Qc Jd Jc), but Seven-card stud deals 7",
    ),
)


def reading_of(texts: str | list[str], **fields: object) -> str:
    return outcome(lambda: parse_question(texts, **fields))  # type: ignore[arg-type]


@pytest.mark.parametrize(("texts", "question"), [*QUESTIONS, *MORE])
def test_a_way_to_ask_is_just_this_question(texts: str | list[str], question: str) -> None:
    assert reading_of(texts) == question


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ann: AhKd, Bob has QQ", ("Ann", "Bob")),
        ("Big Al: AhKd vs QQ", ("Big Al", "")),
        ("omaha, ŁUKASZ: AsAhKsKh vs 2 random", ("ŁUKASZ", "", "")),
        ("board 9c 8d 7s, AhKd, Bob: QQ", ("", "Bob")),
        ("<@17>: AhKd, me: QQ", ("<@17>", "me")),
        ("UTG: AhKd BTN: QQ, 2 others, dead 2c", ("UTG", "BTN", "", "")),
        ("Ann: AhKd QQ", ("Ann", "")),
        ("P2: AhKd, P1: QQ", ("P2", "P1")),
        ("P1: AhKd, Player 2: QQ", ()),
        ("AhKd vs QQ", ()),
        (["Ann: AhKd", "Bob: QQ"], ("Ann", "Bob")),
        (["AhKd", "QQ"], ()),
    ],
)
def test_what_is_taken_for_a_name_is_the_players_name(
    text: str | list[str], names: tuple[str, ...]
) -> None:
    scenario = parse_question(text)
    assert scenario.names == names
    assert [scenario.name(seat) for seat in range(len(names))] == [*names]
    players = showdown_odds(scenario, Effort(deals=50)).to_json()["players"]
    assert [player.get("name", "") for player in players] == [
        scenario.name(seat) for seat in range(len(players))
    ]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        *((key, key) for key in PRESETS),
        ("6+ Hold'em", "shortdeck"),
        ("PLO8", "omaha8"),
        ("2-7", "27"),
        ("A to 5 lowball", "a5"),
        ("no limit holdem", "holdem"),
    ],
)
def test_a_game_is_chosen_by_any_of_its_names(name: str, key: str) -> None:
    assert game_key(name) == key
    assert parse_question([""], game=name).rules.plays_like(PRESETS[key].dealt_to(2))


@pytest.mark.parametrize("key", GAMES)
def test_a_question_may_name_a_game_by_its_key_and_its_name(key: str) -> None:
    game = GAMES[key]
    for name in (key, game.name):
        refused = _UNKNOWN.search(name)
        assert refused is None, (
            f'"{name}" is refused: take "{refused[0]}" out of _UNKNOWN in'
            " engine/odds/showdown/game_words.py"
        )
        assert named_game([f"{name}: {game.hand} vs random"]).key == key, (
            f'the pattern of "{key}" in engine/odds/showdown/games.py doesn\'t match "{name}"'
        )
    assert reading_of(f"{key}: {game.hand} vs random").startswith(f"{key} ")


NUMBERS = {
    (rules.private, rules.public > 0)
    for rules in PRESETS.values()
    if rules.ranking is Ranking.HIGH and not rules.hi_lo
}


@pytest.mark.parametrize(("number", "has_board"), sorted(NUMBERS))
def test_a_whole_hand_without_a_games_name_means_a_game_that_deals_it(
    number: int, has_board: bool
) -> None:
    """Ask with a board if a game has one, and without: a choice must deal as many cards, too."""
    hand = "".join(map(str, list(Cards.parse("2h 3d 4s 5c 7h 8d 9s Tc Jh Qd Ks Ac"))[:number]))
    for board in ("", ", board 6c 6d 6h")[: 1 + has_board]:
        outcome_of = reading_of(f"{hand} vs random{board}")
        keys = [text.split()[0] for text in outcome_of.removeprefix("? ").split(" ? ")]
        assert any(
            PRESETS[key].private == number and (PRESETS[key].public or not board)
            for key in keys
            if key in PRESETS
        ), f"{outcome_of}: see `_which_game` in engine/odds/showdown/question.py"


def test_with_a_board_a_number_of_cards_means_the_game_that_the_page_says() -> None:
    assert _WITH_BOARD == {2: "holdem", 4: "omaha", 5: "omaha5", 6: "omaha6"}, (
        "with a board, another number of hole cards means a game now: the first high one in"
        " `GAMES`. Say so in docs/showdown.md (**Game**), then here"
    )


def test_percentages_and_played_hands_are_read_of_the_games_that_the_page_says() -> None:
    percentages = set()
    for key in GAMES:
        with contextlib.suppress(TextError):
            parse_question(f"{key}: 15% vs random")
            percentages.add(key)
    assert percentages == {"holdem", "shortdeck", "shortdeck-trips", "omaha"}, (
        "say in docs/showdown.md (**Percentages**) which games have them, then here"
    )
    played = {key for _, key in hand_history._GAMES if key is not None} | {*phh.GAMES.values()}
    assert played == {"holdem", "shortdeck", "omaha", "omaha8", "omaha5", "omaha85", "omaha6"}, (
        "say in docs/showdown.md (**Played hands**) of which games they are read, then here"
    )


@pytest.mark.parametrize(
    "name", ["bridge", "pineapple", "omaha AsAh", "", "AsAh", "short deck PLO"]
)
def test_what_is_no_game_is_chosen_by_nobody(name: str) -> None:
    assert game_key(name) is None
    with pytest.raises(TextError, match=f"isn't a game; choose one of {', '.join(PRESETS)}"):
        parse_question(["AsAh"], game=name or " ")


def test_the_game_that_is_chosen_is_the_one_that_is_named() -> None:
    low = "lowball 7h5d4c3s2h vs random"
    assert reading_of(low, game="27").startswith("27 7h")
    assert reading_of("plo AsAh2s3h vs random", game="omaha8").startswith("omaha8")
    assert (
        reading_of("plo AsAh2s3h vs random", game="holdem") == "! Omaha and Hold'em are two games"
    )
    assert reading_of(low, game="draw") == "! lowball and Five-card draw are two games"
    assert reading_of("lowball", game="lowball") == "? a5 ? 27"
    assert parse_question(low, replace(PRESETS["27"], jokers=1)).rules.jokers == 1
    for text in (low, "27: 7h5d4c3s2h vs random"):
        assert "but the rules given are for another game" in reading_of(text, game=PRESETS["draw"])
    assert game_named("omaha stud") is None
    assert guess_game("pineapple AhKd") == "holdem"  # what an example is of


def test_a_joker_on_the_board_is_a_card_of_the_flop() -> None:
    rules = replace(HOLDEM, jokers=2)
    fields = {"change": lambda _: rules, "game": "holdem"}
    for board in ("*, Ks, Kd", "Ks * Kd", "*Ks*"):
        scenario = parse_question(["6h,Qd", "7d,Ah"], board=board, **fields)  # type: ignore[arg-type]
        assert len(scenario.board) == 3
        assert scenario.board.jokers == board.count("*")
    assert "got 2 (* Ks)" in reading_of("6hQd vs 7dAh, flop * Ks", **fields)
    text = "board: joker, Ks, Kd, 6hQd vs 7dAh"
    assert parse_question(text, **fields).board.jokers == 1  # type: ignore[arg-type]


UNDERSTOOD = sorted({question for _, question in QUESTIONS if question[0] not in "?!"})
ASKED_BACK = sorted({question for _, question in QUESTIONS if question[0] == "?"})


def test_the_plainest_form_of_a_question_means_itself() -> None:
    for question in UNDERSTOOD:
        game, hands = question.split(" ", 1)
        assert reading_of(hands, game=game) == question


@pytest.mark.parametrize("question", ASKED_BACK)
def test_every_choice_is_a_question_of_its_own(question: str) -> None:
    choices = question.removeprefix("? ").split(" ? ")
    understood = set(map(reading_of, choices))
    assert len(understood) == len(choices)
    assert not any(text[0] in "?!" for text in understood)


@pytest.mark.parametrize(
    "text", [text for text, _ in QUESTIONS if " vs " in text and "," not in text]
)
def test_words_of_a_shell_are_the_same_question(text: str) -> None:
    """Compare a question with the list of words that a shell passes if the quotes are missing."""
    assert reading_of(text.split()) == reading_of(text)


def test_fields_of_a_form_add_to_the_text() -> None:
    fields = {"game": "omaha", "board": "3d 4d", "dead": "2c", "opponents": 2}
    assert reading_of("AsAhKsKh, board 5d", **fields) == (
        "omaha AsAhKsKh vs random vs random, board 3d 4d 5d, dead 2c"
    )
    assert reading_of("AsAhKsKhQdJd", board="2s 3s 4s").startswith("omaha6")
    assert parse_question(["AhKd"], PRESETS["omaha"]).players == parse_question("AhKd").players[:1]
    assert reading_of("22 vs AA", game="shortdeck").endswith("the 36-card deck starts at the 6")
    assert reading_of("AhKd", game="bridge").startswith('! "bridge" isn\'t a game; choose one of')
    assert reading_of("AhKd", opponents=23) == "! expected 0 to 22 opponents, got 23"


@pytest.mark.parametrize(
    ("text", "game", "example"),
    [
        ("1h2d vs AA", None, "Hold'em"),
        ("AhKd, 24 players", None, "Hold'em against 22 unknown"),
        ("-5% vs AA", None, "5%"),
        ("22 vs AA", "shortdeck", "T9s-87s"),
        ("2c3c vs AA", "shortdeck", "Short deck"),
        ("AA vs KK, flop 9c 8d", None, "9c 8d 7s"),
        ("omaha AAds vs KK**, flop 9c 8d", None, "in Omaha"),
        ("AhKd vs QcQs vs JcJs, 2 players", None, "3 players"),
        ("draw AhKhQhJhTh, board 2c", None, "Five-card draw"),
    ],
)
def test_an_example_is_of_the_game_that_is_played(text: str, game: str, example: str) -> None:
    with pytest.raises(TextError) as caught:
        parse_question(text, game)
    assert example in caught.value.example
    assert "Example:" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "board", "game"),
    [
        ("omaha AhKd", "", "omaha"),
        ("AhKhQhJhTh", "", "draw"),
        ("AhKhQhJhTh", "2c 3c 4c", "omaha5"),
        ("As2s3s vs 4d5d6d", "", None),
        ("no cards at all", "", "holdem"),
        ("deuces wild, AsAhKsKh vs random", "", "omaha"),
        ("deuces wild", "", "holdem"),
    ],
)
def test_the_game_of_a_question_is_told_by_itself(text: str, board: str, game: str | None) -> None:
    assert guess_game(text, board) == game
    assert game_named(text) == (game if text.startswith("omaha") else None)


def test_what_fits_two_games_names_them() -> None:
    with pytest.raises(UnclearGame) as caught:
        parse_question("As2s3s vs 4d5d6d")
    assert caught.value.cards == 3


def test_a_reason_without_facts_is_said_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: object) -> None:
        raise TextError("QQ", "not today", "AA")

    monkeypatch.setattr("engine.odds.showdown.question.parse_scenario", refuses)
    assert reading_of("AhKd vs QQ") == "! not today"


# -- what is wild ---------------------------------------------------------------------------------

DEUCES = "2s 2h 2d 2c"
WILD = {
    "2s 2h 2d 2c": (
        "deuces wild: AsAh vs KsKh | AsAh vs KsKh deuces wild | **Deuces Wild** AsAh vs KsKh"
        " | AsAh vs KsKh (deuces wild) | wild 22, AsAh vs KsKh | The deuce is wild, AsAh vs KsKh"
    ),
    "Ts Th Td Tc": "AsAh vs KsKh, with all tens wild",
    "6s 6h 6d 6c": "the six is wild, AsAh vs KsKh",
    "9s 9h 9d 9c 3s 3h 3d 3c": "the threes and nines are wild, AsAh vs KsKh",
    "2d 2c": (
        "AsAh vs KsKh, wild cards: 2c2♦ | AsAh vs KsKh, wild: 2c, 2d"
        " | wild: 2c 2d, AsAh vs KsKh | wild cards: 2c, 2d, AsAh vs KsKh"
    ),
    "2h 2d 2c": "wild cards 2c, 2d and 2h; AsAh vs KsKh",
    "Kh Js Jh": "one-eyed jacks & the suicide king wild, AsAh vs KsKh",
    "*": "AsAh vs KsKh, joker wild | 1 wild joker; AsAh vs KsKh",
    "* *": (
        "AsAh vs KsKh, jokers wild | AsAh vs KsKh, * * wild | AsAh vs KsKh with two wild jokers"
    ),
    "* * *": "AsAh vs KsKh, three jokers wild",
    "* * 2s 2h 2d 2c": "AsAh vs KsKh, the jokers and deuces are wild",
}


@pytest.mark.parametrize(
    ("text", "wild"), [(text, wild) for wild, texts in WILD.items() for text in texts.split(" | ")]
)
def test_what_is_wild_is_said_in_the_question(text: str, wild: str) -> None:
    scenario, cards = parse_question(text), Cards.parse(wild)
    assert [*map(str, scenario.players)] == ["As Ah", "Ks Kh"]
    assert scenario.rules == replace(HOLDEM, wild=cards.naturals, jokers=cards.jokers)


def test_what_is_wild_leaves_the_game_and_the_other_texts() -> None:
    draw = parse_question("draw, deuces wild, AsAhKsKh2d vs random").rules
    assert draw == replace(PRESETS["draw"], wild=Cards.parse(DEUCES))
    question = parse_question("AsAh vs KsKh, deuces wild")
    assert parse_question(["AsAh", "KsKh", "deuces wild"]) == question
    assert parse_question("AsAh vs KsKh, deuces wild", HOLDEM) == question
    assert reading_of("deuces vs AsAh") == "holdem 22 vs AsAh"


@pytest.mark.parametrize(
    "text",
    [
        *("AsAh vs KsKh wild", "AhKd vs Qs Qh wild 2s", "P1: AsAh P2: KsKh wild: deuces"),
        *("AsAh vs KsKh, deuces, treys wild", "AsAh vs KsKh, wild: deuces, treys and fours"),
        *("AsAh vs KsKh, deuces or treys wild", "AsAh vs KsKh without deuces wild"),
        *("AsAh vs deuces wild", "AsAh against the deuces wild", "AsAh vs the deuce is wild"),
        *("kings and queens wild vs aces", "AsAh vs KsKh board 9c 8d 7s 2s wild"),
        *("draw AsAhKsKh * wild vs random", "black wild: AsAh vs KsKh"),
        *("wild cards 2c AsAh vs KsKh", "wild cards: 2c, As Ah vs KsKh"),
        *("AsAh, wild: 2c, 2d vs KsKh", "AsAh vs KsKh, the four wild cards"),
        *("wild: 2c, AsAh; KsKh", "wild: 2c, 2d, AsAh, 7 opponents"),
        "AsAh vs KsKh, wild: 9c, 2c3d4h",
    ],
)
def test_what_is_wild_is_never_guessed(text: str) -> None:
    with pytest.raises(TextError, match="isn't clear which cards are wild"):
        parse_question(text)


def asked_or_none(text: str) -> Scenario | None:
    try:
        return parse_question(text)
    except TextError:
        return None


@pytest.mark.thorough
@pytest.mark.parametrize("form", ["deuces wild, {}", "{}; deuces wild"])
def test_what_is_wild_changes_nothing_else_of_a_question(form: str) -> None:
    texts = [text for text, _ in QUESTIONS[::3]]
    both = 0
    for text in texts:
        tame, wild = asked_or_none(text), asked_or_none(form.format(text))
        if wild is not None:
            assert tame is not None
            assert wild.rules == replace(tame.rules, wild=Cards.parse(DEUCES))
            assert (wild.players, wild.board, wild.dead) == (tame.players, tame.board, tame.dead)
            both += 1
    assert both > 0.9 * len([text for text in texts if asked_or_none(text)])


def test_what_is_asked_back_keeps_what_is_wild() -> None:
    with pytest.raises(UnclearText) as caught:
        parse_question("AA/KK, deuces and jokers wild")
    wild = {parse_question(choice).rules for choice in caught.value.choices}
    assert wild == {replace(HOLDEM, wild=Cards.parse(DEUCES), jokers=2)}
    with pytest.raises(TextError, match="Omaha ranges don't work with wild cards"):
        parse_question("omaha AA vs KK, deuces wild")


# -- scenarios and rules --------------------------------------------------------------------------


def test_jokers_of_several_texts_are_different_cards() -> None:
    scenario = parse_scenario(["*", "*"], dead="*", rules=ShowdownRules(jokers=3))
    assert [cards.jokers for cards in (*scenario.known, scenario.dead)] == [1, 1, 1]
    assert scenario.left.jokers == 0


@pytest.mark.parametrize(
    ("players", "rules", "sentence"),
    [
        (["*"], ShowdownRules(), "there is no joker in this deck"),
        (["2c"], PRESETS["shortdeck"], "2c isn't in the 36-card deck"),
        ([], HOLDEM, "1 to 60 players"),
        (["*" * 7, "*" * 6], ShowdownRules(private=7, jokers=12), "at most 12 jokers"),
        (["AA", "AA", "AA"], HOLDEM, "don't leave a hand for everyone"),
        (["QQ+", ""], PRESETS["draw"], "two hole cards, or four or five in Omaha"),
    ],
)
def test_a_scenario_that_cannot_be_is_refused(
    players: list[str], rules: ShowdownRules, sentence: str
) -> None:
    with pytest.raises(TextError, match=sentence):
        parse_scenario(players, rules=rules)


def test_a_range_needs_hands_of_the_games_size() -> None:
    whole = parse_scenario(["AA"]).players[0]
    with pytest.raises(TextError, match="hands of the wrong size"):
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
    with pytest.raises(TextError, match="don't leave a hand for everyone"):
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
        ({"wild": Cards.parse("*")}, "\\* isn't a card of this deck"),
        (
            {"wild": Cards.parse("2c"), "ranking": Ranking.SHORT_DECK},
            "2c isn't a card of this deck",
        ),
        ({"private": 4, "ranking": Ranking.WORST}, "lowball needs five usable cards"),
        ({"private": 30, "private_used": 15, "public": 1}, "too many ways"),
        ({"private": 20, "private_used": 3, "public": 20, "public_used": 3}, "too many ways"),
        ({"private": 4, "ranking": Ranking.BADUGI, "jokers": 1}, "badugi is played without wild"),
        ({"private": 3, "ranking": Ranking.BADUGI}, "badugi needs four usable cards"),
        ({"hi_lo": True, "ranking": Ranking.ACE_FIVE}, "between a high and a low hand"),
        ({"hi_lo": True, "jokers": 1}, "a split pot is played without wild cards"),
        ({"hi_lo": True, "private": 4}, "a low hand needs five usable cards"),
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


@pytest.mark.parametrize("text", [text for text, outcome in QUESTIONS if outcome.startswith("?")])
def test_an_unclear_question_shows_all_its_choices_as_they_are_typed(text: str) -> None:
    """Even the wild cards, the condition or the chips that were taken out of it first."""
    with pytest.raises(UnclearText) as unclear:
        parse_question(f"{text}, when turn heart")
    assert all(f'"{choice}"' in str(unclear.value) for choice in unclear.value.choices)
    assert all(choice.endswith("turn heart") for choice in unclear.value.choices)
