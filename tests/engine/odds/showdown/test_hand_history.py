"""Hand histories of PokerStars: the hands shown, the dead cards and the board."""

from __future__ import annotations

import pytest

from engine.cards import Cards
from engine.errors import TextError
from engine.odds import streets
from engine.odds.showdown.games import game_of
from engine.odds.showdown.hand_history import has_history, parse_history, split_histories

HOLDEM = """\
PokerStars Hand #243490149326: Hold'em No Limit ($0.05/$0.10 USD) - 2023/05/01 12:00:00 ET
Table 'Ankaa' 6-max Seat #1 is the button
Seat 1: Ann: B ($10 in chips)
Seat 2: Bob (x) ($12.34 in chips)
Seat 3: Hero ($9 in chips)
Bob (x): posts small blind $0.05
Hero: posts big blind $0.10
*** HOLE CARDS ***
Dealt to Hero [2c 2d]
Ann: B: raises $0.20 to $0.30
Bob (x): calls $0.25
Hero: folds
*** FLOP *** [9h 5h 2h]
Bob (x): bets $9.70 and is all-in
Ann: B: calls $9.70 and is all-in
*** TURN *** [9h 5h 2h] [Kd]
*** RIVER *** [9h 5h 2h Kd] [3s]
*** SHOW DOWN ***
Bob (x): shows [Qs Qd] (a pair of Queens)
Ann: B: shows [Ah Kh] (a flush, Ace high)
Ann: B collected $20 from pot
*** SUMMARY ***
Total pot $20 | Rake $0.40
Board [9h 5h 2h Kd 3s]
Seat 1: Ann: B (button) showed [Ah Kh] and won ($20) with a flush, Ace high
Seat 2: Bob (x) (small blind) showed [Qs Qd] and lost with a pair of Queens
Seat 3: Hero (big blind) folded before Flop
"""
OMAHA = """\
PokerStars Zoom Hand #7: Omaha Pot Limit ($1/$2) - 2023/05/01
Dealt to Hero [As Ah Ks Kh]
*** FLOP *** [9c 8d 2c]
Villain: folds [Js Ts 9s 8h]
Other: bets $2
Third: shows [2h] (one card of two)
*** TURN *** [9c 8d 2c] [4c]
*** SUMMARY ***
Seat 1: Hero (button) mucked [As Ah Ks Kh]
Seat 4: Other showed [Jc Tc 7h 6h] and won ($3) with a flush
"""


# the hand of HOLDEM
PHH = """\
# between Ann and Bob
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [1234, 900, 1000]
actions = [
  "d dh p1 ????",
  "d dh p2 2c2d",
  "d dh p3 AhKh",  # Ann
  "p3 cbr 30 # from the button",
  "p1 cc", "p2 f",
  "d db 9h5h2h",
  "p1 cbr 970", "p3 cc",
  "p1 sm QsQd", "p3 sm AhKh",
  " d  db Kd ",
  "# nobody speaks", "",
  "d db 3s",
]
players = ["Bob (x)", "Hero", "Ann: B"]
"""


def test_shown_hands_their_names_the_board_and_dead_cards_are_read() -> None:
    history = parse_history(HOLDEM)
    scenario = history.scenario
    assert history.number == "243490149326"
    assert game_of(scenario.rules, 2) == "holdem"
    by_name = dict(zip(scenario.names, scenario.players, strict=True))
    assert by_name == {"Bob (x)": Cards.parse("QsQd"), "Ann: B": Cards.parse("AhKh")}
    assert " ".join(map(str, scenario.in_order)) == "9h 5h 2h Kd 3s"
    assert scenario.dead == Cards.parse("2c 2d")
    by_street = streets(scenario)
    ann = scenario.names.index("Ann: B")
    assert [name for name, _ in by_street] == ["preflop", "flop", "turn", "river"]
    assert by_street[-1][1].players[ann].value == 1
    assert by_street[0][1].deals == 1_370_754  # 46 cards are left


def test_omaha_mucked_hands_and_shown_folds_are_read() -> None:
    scenario = parse_history(OMAHA).scenario
    assert game_of(scenario.rules, 2) == "omaha"
    assert scenario.names == ("Hero", "Other")
    assert scenario.dead == Cards.parse("JsTs9s8h")


@pytest.mark.parametrize(
    ("head", "game"),
    [
        ("Tournament #1, $1+$0.10 USD Hold'em No Limit - Level I (10/20)", "holdem"),
        ("6+ Hold'em No Limit ($1)", "shortdeck"),
        ("Omaha Hi/Lo Pot Limit ($1/$2)", "omaha8"),
        ("5 Card Omaha Pot Limit ($1/$2)", "omaha5"),
    ],
)
def test_the_heading_names_the_game(head: str, game: str) -> None:
    cards = {"holdem": 2, "shortdeck": 2, "omaha8": 4, "omaha5": 5}[game]
    hands = ("As Ah Ks Kh Qs", "Jd Td 9d 8c 7c")
    text = f"PokerStars Hand #1: {head}\n" + "\n".join(
        f"P{number}: shows [{' '.join(hand.split()[:cards])}]" for number, hand in enumerate(hands)
    )
    assert game_of(parse_history(text).scenario.rules, 2) == game


def test_a_hand_in_phh_is_the_one_that_pokerstars_wrote() -> None:
    history, from_pokerstars = parse_history(PHH), parse_history(HOLDEM)
    assert history.number == "1"
    assert parse_history("hand = 17\n" + PHH).number == "17"
    for odd in ('"17"', "-3", '"**1** @everyone"', "[1]", "true", "1" * 30, '"٤"'):
        number = parse_history(f"hand = {odd}\n{PHH}").number
        assert number == ("17" if odd == '"17"' else "1")
    assert parse_history(f"[x]\n{PHH}").number == "1"
    assert history.scenario == from_pokerstars.scenario
    assert history.scenario.names == from_pokerstars.scenario.names == ("Bob (x)", "Ann: B")
    assert history.scenario.in_order == from_pokerstars.scenario.in_order


@pytest.mark.parametrize(
    ("variant", "game", "cards"),
    [("FT", "holdem", 2), ("NS", "shortdeck", 2), ("PO", "omaha", 4), ("FO/8", "omaha8", 4)],
)
def test_the_variant_of_phh_names_the_game(variant: str, game: str, cards: int) -> None:
    first, second = "AsAhKsKh"[: 2 * cards], "JdTd9d8c"[: 2 * cards]
    dealt = f"'d dh p1 {first[:4]}', 'd dh p1 {first[4:]}'" if cards > 2 else f"'d dh p1 {first}'"
    text = f"variant = '{variant}'\nactions = [{dealt}, 'd dh p2 {second}']\nplayers = ['A', 'A']"
    scenario = parse_history(text).scenario
    assert game_of(scenario.rules, 2) == game
    assert scenario.names == ("p1", "p2")  # two players with one name
    assert scenario.players == (Cards.parse(first), Cards.parse(second))


def test_several_hands_of_a_phh_file_and_a_fenced_one_are_found() -> None:
    file = f"[1]\n{PHH}\n[22]\n{PHH}"
    assert [parse_history(text).number for text in split_histories(file)] == ["1", "22"]
    (fenced,) = split_histories(f"Look:\n```toml\n{PHH}```\nWow")
    assert parse_history(fenced).scenario == parse_history(PHH).scenario
    assert has_history(fenced)
    assert not has_history("the variant = many")


@pytest.mark.parametrize("sign", ["> ", ">", ">>> "])
def test_a_quoted_hand_is_read_as_the_hand(sign: str) -> None:
    for history in (HOLDEM, OMAHA, PHH):
        quoted = "".join(f"{sign}{line}\n" for line in history.splitlines())
        assert has_history(quoted)
        assert parse_history(quoted) == parse_history(history)
        (text,) = split_histories(quoted)
        assert parse_history(text) == parse_history(history)


def test_several_hands_are_taken_apart_and_other_texts_are_none() -> None:
    both = split_histories(f"Hello\n{HOLDEM}\n\n{OMAHA}")
    assert [parse_history(text).number for text in both] == ["243490149326", "7"]
    assert has_history(both[0])
    assert not has_history("PokerStars is fun")
    assert split_histories("nothing") == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nothing", "isn't a hand in PokerStars' text or in PHH"),
        (PHH.replace('"NT"', '"F2L3D"'), 'of the variants FT, NT, NS, PO, FO/8, not of "F2L3D"'),
        (PHH.replace("]", ""), "that isn't TOML"),
        (PHH + "x = " + "[" * 3000, "that isn't TOML"),
        (PHH + "x = " + "1" * 5000, "that isn't TOML"),
        (PHH.replace("NT", "*" * 99), 'not of "' + "*" * 40 + '"'),
        (PHH.replace('"p2 f"', "3"), "has no list of actions"),
        (PHH.replace("actions", "acts"), "has no list of actions"),
        (PHH.replace("p2 f", "p2 folds"), '"p2 folds" isn\'t an action'),
        (PHH.replace("p1 sm QsQd", "p1 sm"), "has 1"),
        (PHH.replace("p3 sm AhKh", "p3 sm Ah??").replace("AhKh", "Ah"), "has 1"),
        (PHH.replace("QsQd", "QsAh"), "Ah is given twice"),
        (PHH.replace("9h5h2h", "9h5h2x"), '"2x" isn\'t a card'),
        ("[1]\nvariant = 'NT'\n[[2]]\n", "has no list of actions"),
        ("PokerStars Hand #1: Razz Limit", "not of other games"),
        ("PokerStars Hand #1: 6 Card Omaha Hi/Lo", "not of other games"),
        (HOLDEM.replace("Ann: B: shows [Ah Kh]", "").replace("showed [Ah Kh]", "won"), "has 1"),
        (HOLDEM.replace("*** TURN", "*** FIRST TURN"), "run more than once"),
        (HOLDEM.replace("[Ah Kh]", "[Qs Kh]"), "Qs is given twice"),
    ],
)
def test_a_hand_that_cannot_be_used_is_refused_with_an_example(text: str, reason: str) -> None:
    with pytest.raises(TextError) as refused:
        parse_history(text)
    assert reason in str(refused.value)
    assert "Example: " in str(refused.value)
