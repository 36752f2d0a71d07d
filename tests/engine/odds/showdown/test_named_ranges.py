"""Named ranges: their use in questions, the allowed names, and the refused texts."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from engine.errors import TextError, UnclearHands, UnclearWeight
from engine.odds import NamedRange, Range, parse_definition, parse_question, showdown_odds
from engine.odds.showdown.definitions import split_definition
from engine.odds.showdown.games import PRESETS
from engine.odds.showdown.hand_words import _NICKNAMES

RANGES = {
    "btn": "22+, A2s+",
    "co": "22+, !AA",
    "utg+1": "QQ@50, AKs",
    "3bet": "QQ+, AK",
    "late_pos": "15%, !AKs, !99:9h9d",
    "rest": "!22+",
    "pots": "AA**, KK**!$ds",
}
OMAHA = PRESETS["omaha"]


def weights_of(held: Range) -> dict[int, Fraction]:
    """Return each hand's weight, by the hand's bits, scaled so that the highest weight is 1."""
    most = max(held.weights, default=1)
    return {
        hand: Fraction(weight, most)
        for hand, weight in zip(held.bits, held.weights or [1] * len(held.bits), strict=True)
    }


def slow_weights(text: str) -> dict[int, Fraction]:
    """Return the weights by hand of a range with names, computed as simply as possible.

    A name stands for its hands with their weights. If two terms have a hand, the later term
    counts. Terms that start with `!` remove their hands from the range. If all terms start with
    `!`, they remove their hands from the range of all hands.
    """
    weights: dict[int, Fraction] = {}
    gone: set[int] = set()
    terms = [term.strip() for term in text.split(",")]
    if all(term.startswith("!") for term in terms):
        weights = atom_weights("100%")
    for term in terms:
        expression, _, weight = term.partition("@")
        factor = Fraction(weight or "100") / 100
        if expression.startswith("!"):
            gone |= set(chain_weights(expression[1:]))
        else:
            for hand, share in chain_weights(expression).items():
                weights[hand] = share * factor
    return {hand: share for hand, share in weights.items() if hand not in gone}


def chain_weights(expression: str) -> dict[int, Fraction]:
    """Return the weights of atoms joined by `:` (and) and `!` (without), from left to right."""
    words = expression.replace(":", " : ").replace("!", " ! ").split()
    weights = atom_weights(words[0])
    for sign, atom in zip(words[1::2], words[2::2], strict=True):
        operand = atom_weights(atom)
        if sign == ":":
            weights = {
                hand: share * operand[hand] for hand, share in weights.items() if hand in operand
            }
        else:
            weights = {hand: share for hand, share in weights.items() if hand not in operand}
    return weights


def atom_weights(atom: str) -> dict[int, Fraction]:
    return slow_weights(RANGES[atom]) if atom in RANGES else weights_of(Range.parse(atom))


def scale(weights: dict[int, Fraction]) -> dict[int, Fraction]:
    most = max(weights.values())
    return {hand: share / most for hand, share in weights.items()}


def parse_opponent(text: str) -> Range:
    """Return the range of the second player in a question where that player holds `text`."""
    held = parse_question(f"random vs {text}", ranges=RANGES).players[1]
    assert isinstance(held, Range)
    return held


def random_term(random: Random) -> str:
    atoms = [*(name for name in RANGES if name != "pots"), "QQ+", "AXs", "76s-54s", "20%", "KhXh"]
    term = random.choice(atoms)
    for _ in range(random.choice((0, 0, 1, 1, 2))):
        sign = random.choice(":!") if not _ends_in_name(term) else "!"  # "btn:" is a player's name
        term += sign + random.choice(atoms)
    if random.random() < 0.15:
        return "!" + term
    return term + random.choice(("", "", "@50", "@20"))


def _ends_in_name(term: str) -> bool:
    return term in RANGES


def test_a_name_means_its_hands_in_any_term() -> None:
    random = Random(49)
    compared = 0
    while compared < 250:
        text = ", ".join(random_term(random) for _ in range(random.choice((1, 1, 2, 3))))
        slow = slow_weights(text)
        if not slow:
            with pytest.raises(TextError, match="leaves no hand"):
                parse_opponent(text)
            continue
        assert weights_of(parse_opponent(text)) == scale(slow), text
        compared += 1


def test_a_name_in_omaha() -> None:
    scenario = parse_question("pots vs AsAh2s3h", ranges=RANGES)
    held = scenario.players[0]
    assert isinstance(held, Range)
    assert scenario.rules.private == 4
    assert set(held.bits) == set(Range.parse("AA**, KK**!$ds", OMAHA).bits)


def test_a_question_with_names_is_the_question_with_their_hands() -> None:
    named = showdown_odds(parse_question("btn vs 3bet, board 9h 5h 2c", ranges=RANGES))
    typed = showdown_odds(parse_question("22+, A2s+ vs QQ+, AK, board 9h 5h 2c"))
    assert [player.value for player in named.players] == [player.value for player in typed.players]
    assert named.scenario.names == ("btn", "3bet")


@pytest.mark.parametrize(
    ("question", "hands", "names"),
    [
        ("BTN vs QQ+", ["22+, A2s+", "QQ+"], ("BTN", "")),
        ("AhKh vs utg+1", ["Ah Kh", "QQ@50%, AKs"], ("", "utg+1")),
        ("btn, AA vs QQ", ["22+, A2s+, AA", "QQ"], ()),
        ("btn or 3bet vs 99", ["22+, A2s+, QQ+, AK", "99"], ()),
        ("AhKh, btn vs 99", ["Ah Kh", "22+, A2s+", "99"], ()),
        ("btn and co", ["22+, A2s+", "22+!AA"], ("btn", "co")),
        ("Ann: btn vs Bob: co", ["22+, A2s+", "22+!AA"], ("Ann", "Bob")),
        ("btn: AhKh vs QQ", ["Ah Kh", "QQ"], ("btn", "")),
        ("btn(50) vs QQ(100)", ["22+, A2s+", "QQ"], ("btn", "")),
        ("deuces wild, btn vs 2 random", ["22+, A2s+", "", ""], ("btn", "", "")),
        ("btn vs QQ, 3 players", ["22+, A2s+", "QQ", ""], ("btn", "", "")),
    ],
)
def test_a_name_stands_where_a_range_may(
    question: str, hands: list[str], names: tuple[str, ...]
) -> None:
    scenario = parse_question(question, ranges=RANGES)
    assert [str(held) for held in scenario.players] == hands
    assert scenario.names == (names if any(names) else ())


def test_players_given_one_by_one_may_be_names() -> None:
    scenario = parse_question(["btn", "QQ+"], board="9h 5h 2c", ranges=RANGES)
    assert [str(held) for held in scenario.players] == ["22+, A2s+", "QQ+"]


def test_a_condition_may_name_the_range() -> None:
    scenario = parse_question("QQ vs btn, when btn flops a set", ranges=RANGES)
    assert scenario.condition is not None
    assert scenario.condition.seats == {1}


@pytest.mark.parametrize(
    ("text", "name", "hands", "combos"),
    [
        ("btn = 22+, A2s+", "btn", "22+, A2s+", 126),
        ("BTN=22+ , a2s+", "btn", "22+, A2s+", 126),
        ("utg+2 = top 20 percent", "utg+2", "20%", 264),
        ("3-bet = (AhKh, AdKd)", "3-bet", "AhKh, AdKd", 2),
        ("nit = AhKh", "nit", "AhKh", 1),
        ("wide = 3bet, 54s", "wide", "QQ+, AK, 54s", 38),
        ("wąska = QQ or better", "wąska", "QQ+", 18),
        ("big = AA**", "big", "AA**", 6961),
    ],
)
def test_a_definition_names_a_range(text: str, name: str, hands: str, combos: int) -> None:
    named = parse_definition(text, RANGES)
    assert isinstance(named, NamedRange)
    assert (named.name, str(named.range), len(named.range)) == (name, hands, combos)
    assert parse_definition(str(named)) == named


NOTATION = (
    *("AKs", "AK", "22+", "hj", "As", "AsKs", "10s", "kings", "ace", "aces", "hearts", "spades"),
    *("hero", "villain", "p1", "random", "any", "unknown", "vs", "against", "or", "and", "not"),
    *("holdem", "omaha", "plo", "stud", "razz", "badugi", "draw", "shortdeck", "lowball"),
    *("pair", "set", "trips", "flush", "straight", "monotone", "rainbow", "paired", "overpair"),
    *("top", "best", "suited", "wild", "jokers", "dead", "folded", "players", "opponents", "board"),
    *("stacks", "pays", "bets", "twice", "boards", "when", "if", "ds", "rainbow", "gutshot", "air"),
    *(nickname for names in _NICKNAMES for nickname in names.split("|") if nickname.isalpha()),
)


@pytest.mark.parametrize("name", NOTATION)
def test_no_name_shadows_notation(name: str) -> None:
    with pytest.raises(TextError) as refused:
        parse_definition(f"{name} = QQ+")
    assert "already means something" in str(refused.value) or "one word" in str(refused.value)


FREE = (
    *("btn", "button", "co", "cutoff", "hijack", "lj", "mp", "ep", "utg", "utg1", "utg+1", "sb"),
    *("bb", "open", "3bet", "4bet", "limp", "call", "nit", "loose", "tight", "fish", "range1"),
    *("ann", "kowalski", "wąska", "late_pos", "3-bet"),
)


@pytest.mark.parametrize("name", FREE)
def test_positions_and_people_may_be_names_and_are_understood(name: str) -> None:
    named = parse_definition(f"{name} = QQ+")
    for question in (f"{name} vs AK", f"AK vs {name}", f"{name}, 99 vs AK", f"99, {name} vs AK"):
        scenario = parse_question(question, ranges={named.name: str(named.range)})
        assert any("QQ+" in str(held) for held in scenario.players), question


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("my range = AA", "a name is one word"),
        ("b = AA", "a name is one word of 2 to 20"),
        ("abcdefghijklmnopqrstuvw = AA", "a name is one word of 2 to 20"),
        ("btn =", "put the hands after ="),
        ("btn = AA vs KK", "only the hands of one range"),
        ("btn = AA, board 9h 5h 2c", "only the hands of one range"),
        ("btn = AA, 3 players", "only the hands of one range"),
        ("btn = foo", '"foo" is neither cards nor one of your ranges: 3bet, btn'),
        ("btn = AA@0", "above 0 and at most 100"),
    ],
)
def test_a_definition_that_makes_no_sense_is_refused(text: str, says: str) -> None:
    with pytest.raises(TextError) as refused:
        parse_definition(text, RANGES)
    assert says in str(refused.value)
    assert 'Example: "' in str(refused.value)


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("btn = 54s+", ("btn = 54s", "btn = 54s-AKs")),
        ("btn = QQ@0.5", ("btn = QQ@0.5%", "btn = QQ@50")),
        ("btn = suited connectors", ("btn = AKs-32s", "btn = JTs-54s")),
    ],
)
def test_an_unclear_definition_asks_which_is_meant(text: str, choices: tuple[str, ...]) -> None:
    with pytest.raises((UnclearHands, UnclearWeight)) as unclear:
        parse_definition(text)
    assert unclear.value.choices == choices
    assert all(parse_definition(choice).name == "btn" for choice in choices)


@pytest.mark.parametrize(
    "question",
    [
        "hero = AhKh vs QQ",
        "hero = AhKh vs villain = QQ",
        "AhKh vs QQ, board = 9h 5h 2c",
        "p1 = AhKh vs QQ",
        "board = 9h 5h 2c, AhKh vs QQ",
        "AhKh vs QQ",
    ],
)
def test_a_question_with_an_equals_sign_is_no_definition(question: str) -> None:
    assert split_definition(question) is None


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("foo vs QQ", '"foo" is neither cards nor one of your ranges: 3bet, btn, co'),
        ("AA, foo vs QQ", '"foo" is neither cards nor one of your ranges'),
        ("utg+3 vs QQ", '"utg+3" is neither cards nor one of your ranges'),
        ("AhKx vs QQ", "isn't a card"),
        ("btn co", 'between "btn" and the hand'),
        ("btn AhKh vs QQ", 'between "btn" and the hand'),
        ("btn@0 vs QQ", "above 0 and at most 100"),
        ("btn@x vs QQ", "above 0 and at most 100"),
    ],
)
def test_a_question_with_a_wrong_name_is_refused(question: str, says: str) -> None:
    with pytest.raises(TextError) as refused:
        parse_question(question, ranges=RANGES)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("question", "with_colons"),
    [
        ("BTN AsKs vs BB QQ", "BTN: AsKs vs BB: QQ"),
        ("BTN AsKs, BB QQ", "BTN: AsKs vs BB: QQ"),
        ("UTG+1 22+, A2s+ vs QQ", "UTG+1: 22+, A2s+ vs QQ"),
        ("SB As Ks vs BB Qs Qh, board 9c 8d 2s", "SB: As Ks vs BB: Qs Qh, board 9c 8d 2s"),
        ("MP omaha AsKsQsJs vs button random", "omaha MP: AsKsQsJs vs button: random"),
    ],
)
def test_a_position_before_a_hand_is_a_players_name(question: str, with_colons: str) -> None:
    assert parse_question(question, ranges={}) == parse_question(with_colons)


def test_a_range_named_as_a_position_keeps_its_meaning() -> None:
    ranges = {"btn": "22+"}
    both = parse_question("btn vs BB QQ", ranges=ranges)
    assert (both.names, str(both.players[0])) == (("btn", "BB"), "22+")
    for text in ("btn", "btn vs QQ"):  # a position alone is no player
        with pytest.raises(TextError):
            parse_question(text, ranges={})


def test_without_any_names_a_word_is_refused_with_how_to_name_a_range() -> None:
    with pytest.raises(TextError, match='"btn" is neither cards nor a range that you named'):
        parse_question("btn vs QQ+", ranges={})
    with pytest.raises(TextError, match='"btn" isn\'t a card'):
        parse_question("btn vs QQ+")


def test_names_cannot_multiply_into_a_range_without_end() -> None:
    many = {"many": ", ".join(f"{rank}{rank}!AsAh:KsKh" for rank in "AKQJT98765432")}
    with pytest.raises(TextError, match="too long together"):
        parse_question("random vs 100%!many", ranges=many)


@pytest.mark.parametrize("text", ["AhKh vs QQ", "btn = AKs vs QQ", "btn = AhKh2c"])
def test_what_names_no_single_range_is_refused(text: str) -> None:
    with pytest.raises(TextError):
        parse_definition(text)
