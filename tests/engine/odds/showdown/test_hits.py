"""How a range hits a board: classes and draws against the oracle, sums, filters."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from engine.cards import Cards
from engine.errors import TextError
from engine.odds.showdown.games import PRESETS, ShowdownRules
from engine.odds.showdown.hand_marks import DRAWS, marks
from engine.odds.showdown.hits import hits, keep_hits, open_seats
from engine.odds.showdown.made_hands import Draw, Made, made_order, parse_keep
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import Scenario, parse_scenario
from tests.naive_hits import ORDERS, Naive
from tests.naive_showdown import naive

GAMES = ("holdem", "shortdeck", "shortdeck-trips", "omaha", "omaha5")


def ask(*players: str, board: str, game: str = "holdem", dead: str = "") -> Scenario:
    return parse_scenario(players, board, dead, PRESETS[game])


def class_and_draws(
    hand: str, board: str, game: str = "holdem", dead: str = ""
) -> tuple[str, set[str]]:
    """Return the class and the draws of one known hand."""
    report = hits(ask(hand, board=board, game=game, dead=dead), 0)
    (label,) = (hand_class.label for hand_class, part in report.made_hands.items() if part.hands)
    return label, {draw.label for draw, part in report.draws.items() if part.hands}


def naively(cards: Cards) -> list[tuple[int, int]]:
    return [value for card in cards if (value := naive(card)) is not None]


# -- against the oracle ---------------------------------------------------------------------------


def random_deal(random: Random, game: str) -> tuple[Scenario, list[Cards]]:
    """Return a random question about a range's hits, and up to 25 hands to classify.

    The boards are often paired. Sometimes there are dead cards, sometimes another player's hand.
    """
    rules = PRESETS[game]
    pack = list(rules.deck)
    near = random.sample(pack, random.choice((5, 9, len(pack))))
    cards = random.sample(near, random.choice((3, 4)))
    others = [card for card in pack if card not in cards]
    random.shuffle(others)
    dead = [others.pop() for _ in range(random.choice((0, 0, 3)))]
    known = [others.pop() for _ in range(random.choice((0, rules.private)))]
    # hands of few cards, so that much fits together
    close = [card for card in near if card in others] + others[:12]
    hands = {Cards.of(random.sample(list(dict.fromkeys(close)), rules.private)) for _ in range(25)}
    players = (Cards(), *([Cards.of(known)] if known else []))
    return Scenario(rules, players, Cards.of(cards), Cards.of(dead)), sorted(
        hands, key=lambda hand: hand.bits
    )


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_classes_and_draws_are_those_of_the_oracle(game: str, pytestconfig: pytest.Config) -> None:
    random = Random(2024)
    labels: set[str] = set()
    times = 3 if pytestconfig.getoption("--long") else 1
    for _ in range(times * (12 if game.startswith("omaha") else 40)):
        scenario, hands = random_deal(random, game)
        known = scenario.known[-1]
        oracle = Naive(
            naively(scenario.board),
            naively(scenario.dead),
            naively(known),
            ranking=scenario.rules.ranking.value,
            omaha=scenario.rules.private > 2,
        )
        marked = marks(np.array([hand.bits for hand in hands], np.uint64), scenario)
        order = made_order(scenario.rules.ranking)
        for hand, place, bits in zip(hands, marked.classes, marked.draws.tolist(), strict=True):
            deal = (str(hand), str(scenario.board), str(scenario.dead), str(known))
            drawn = {draw.label for at, draw in enumerate(DRAWS) if bits >> at & 1}
            assert (order[place].label, drawn) == (
                oracle.hand_class(naively(hand)),
                oracle.draws(naively(hand)),
            ), deal
            labels |= {order[place].label, *drawn}
    rare = {"straight flush", "four of a kind", "wrap"}  # a wrap needs more than two hole cards
    assert {mark.label for mark in (*Made, *Draw)} - labels <= rare


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_a_known_hand_has_the_draws_of_the_oracle_when_few_cards_are_left(game: str) -> None:
    random = Random(49)
    rules = PRESETS[game]
    for _ in range(60 if rules.private == 2 else 15):
        pack = sorted(rules.deck, key=lambda card: (card.suit, random.random()))
        several = random.sample(pack[: len(pack) // 2], rules.private + 4)
        hand, board = several[: rules.private], several[rules.private :]
        others = [card for card in pack if card not in several]
        dead = random.sample(others, len(others) - rules.public - random.choice((1, 3, 8)))
        deal = " ".join(map(str, hand)), " ".join(map(str, board)), game, "".join(map(str, dead))
        oracle = Naive(
            naively(Cards.of(board)),
            naively(Cards.of(dead)),
            ranking=rules.ranking.value,
            omaha=rules.private > 2,
        )
        held = naively(Cards.of(hand))
        hand_class, draws = class_and_draws(*deal)
        # the oracle's nuts also count a higher card that can only come, not be held
        nuts = {"nut flush draw"}
        assert (hand_class, draws - nuts) == (oracle.hand_class(held), oracle.draws(held) - nuts), (
            deal
        )


@pytest.mark.parametrize("board", ["Kc 7d 7h", "9h 8h 2c 3s"])
def test_a_full_range_is_counted_hand_by_hand(board: str) -> None:
    scenario = ask("100%", board=board)
    oracle = Naive(naively(scenario.board))
    report = hits(scenario, 0)
    classes = [oracle.hand_class(naively(Cards(hand))) for hand in scenario.combos(0)]
    assert report.hands == report.weight == len(classes) == (1176 if len(board) == 8 else 1128)
    for hand_class, part in report.made_hands.items():
        assert part.hands == part.weight == classes.count(hand_class.label)
        assert part.share == Fraction(classes.count(hand_class.label), len(classes))


# -- by example -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "board", "label", "draws"),
    [
        ("AhKh", "9h 5h 2c", "ace high", {"flush draw", "nut flush draw", "overcards"}),
        ("JhTh", "9h 8h 2c", "air", {"flush draw", "open-ended", "combo draw", "overcards"}),
        ("7s6s", "9h 5h 2c", "air", {"gutshot"}),
        ("9c9d", "9h 5h 2c", "set", set()),
        ("9c2d", "9h 5h 2c", "two pair", set()),
        ("KcKd", "9h 5h 2c", "overpair", set()),
        ("KcKd", "9h 9s 2c", "overpair", set()),
        ("As9c", "9h 5h 2c", "top pair top kicker", set()),
        ("Js9c", "9h 5h 2c", "top pair good kicker", set()),
        ("Ts9c", "9h 5h 2c", "top pair weak kicker", set()),
        ("7c7d", "9h 5h 2c", "pocket pair below top", set()),
        ("Kc5c", "9h 5h 2c", "second pair", {"backdoor flush"}),
        ("4c4d", "9h 5h 2c", "underpair", set()),
        ("Kd2d", "9h 5h 2c", "low pair", set()),
        ("AcKd", "9h 9c 9d 9s", "ace high", {"overcards"}),
        ("2c2d", "9h 9s Kd Kh", "air", set()),
        ("3c2d", "3h 2s Kd Kh", "second pair", set()),
        ("AhTd", "5c 6d 7h 8s", "ace high", {"gutshot", "overcards"}),  # the nine, not the four
        ("AhKd", "5c 6d 7h 8s", "ace high", {"overcards"}),
        ("5d3d", "9c 8h 6s", "air", {"gutshot"}),
        ("AhAd", "8h 7h 6h", "overpair", {"flush draw", "nut flush draw"}),
    ],
)
def test_a_hand_of_holdem(hand: str, board: str, label: str, draws: set[str]) -> None:
    assert class_and_draws(hand, board) == (label, draws)


def test_a_king_is_the_nut_draw_only_when_the_ace_is_gone_for_good() -> None:
    draw = ("KhQh", "9h 5h 2c")
    assert "nut flush draw" not in class_and_draws(*draw)[1]
    assert "nut flush draw" in class_and_draws(*draw, dead="Ah")[1]
    scenario = ask("KhQh", "AhAd", board="9h 5h 2c")
    assert hits(scenario, 0).draws[Draw.NUT_FLUSH].hands == 0  # somebody has it


def test_omaha_takes_two_of_the_hand_and_three_of_the_board() -> None:
    assert class_and_draws("JsTs7d6d", "9h 8c 2h", "omaha") == ("air", {"wrap", "overcards"})
    # no flush of one heart
    assert class_and_draws("AhKs7d6c", "9h 8h 2h 3h", "omaha")[0] == "ace high"
    assert class_and_draws("AsKc9d9c", "9h 9s 2h 2c", "omaha")[0] == "four of a kind"


def test_a_draw_to_cards_that_the_hand_holds_itself_is_none() -> None:
    def ranks(dead: str) -> list[int]:
        held = "(QsJs9d9c, AsAdKsKd)"
        report = hits(ask(held, board="8h Th 2c", game="omaha", dead=dead), 0)
        return [report.draws[draw].hands for draw in (Draw.WRAP, Draw.OPEN_ENDED, Draw.GUTSHOT)]

    sevens = "7c7d7h7s"
    assert ranks(sevens) == [1, 0, 0]  # a nine, a queen or a jack; aces and kings need two cards
    assert ranks(sevens + "9h9s") == [0, 1, 0]


def test_short_deck_has_a_wheel_of_its_own_and_flushes_above_full_houses() -> None:
    assert class_and_draws("AhKd", "6c 7d 8h 9s", "shortdeck")[0] == "straight"
    assert class_and_draws("9h8d", "9c 6h 8h 8s", "shortdeck")[0] == "full house"
    assert class_and_draws("Jh9h", "9c Js Jd 6h", "shortdeck") == ("full house", set())
    assert class_and_draws("Jh9h", "9c Jc 6h Kh", "shortdeck") == ("two pair", {"flush draw"})
    report = hits(ask("100%", board="9c 8h 6s", game="shortdeck-trips"), 0)
    classes = list(report.made_hands)
    assert classes.index(Made.SET) < classes.index(Made.STRAIGHT)


# -- sums, weights and what is gone ---------------------------------------------------------------


def test_weights_count_in_shares_and_gone_cards_do_not() -> None:
    scenario = ask("QQ@50, AKs, 99", "QhJh", board="9h 5h 2c", dead="As")
    report = hits(scenario, 0)
    assert (report.hands, report.weight) == (9, 3 * 1 + 3 * 2 + 3 * 2)
    assert report.made_hands[Made.OVERPAIR].hands == 3
    assert report.made_hands[Made.OVERPAIR].share == Fraction(3, 15)
    assert report.made_hands[Made.SET].share == Fraction(6, 15)
    assert report.draws[Draw.NUT_FLUSH].share == Fraction(2, 15)
    assert sum(part.share for part in report.made_hands.values()) == 1


def test_unknown_cards_are_any_hand_and_a_range_of_nothing_left_is_empty() -> None:
    assert hits(ask("", "AhKh", board="9h 5h 2c"), 0) == hits(
        ask("100%", "AhKh", board="9h 5h 2c"), 0
    )
    assert open_seats(ask("QQ", "AhKh", "", board="9h 5h 2c")) == [0, 2]
    # the short search for a hand for everybody lets it through, where others have to be asked
    scenario = ask("QQ", "QcQd", board="9h 5h 2c")
    assert hits(scenario, 0).hands == 1
    object.__setattr__(scenario, "dead", Cards.parse("Qh"))
    assert hits(scenario, 0).made_hands[Made.AIR].share == 0


# -- filters --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("conditions", "remaining"),
    [
        ("sets", "99"),
        ("two pair+", "99"),
        ("overpair", "QQ@50"),
        ("Overpair; nut flush draws", "QQ@50, AhKh"),
        ("ace high : flush draw", "AhKh"),
        ("ace high ! flush draw", "AcKc, AdKd, AsKs"),
        ("!ace high", "QQ@50, 99"),
        ("set+, ace high, !nfd", "AcKc, AdKd, AsKs, 99"),
        ("three of a kind", "99"),
        ("AIR+", "QQ@50, AKs, 99"),
    ],
)
def test_a_filter_keeps_a_range_that_can_be_typed_again(conditions: str, remaining: str) -> None:
    scenario = ask("QQ@50, AKs, 99", board="9h 5h 2c")
    filtered = keep_hits(scenario, 0, conditions)
    # a weight is one beside others: alone it says nothing
    alone = remaining.replace("@50", "") if remaining == "QQ@50" else remaining
    assert set(filtered.text.split(", ")) == set(alone.split(", "))
    assert typed_again(filtered, scenario) == (
        filtered.bits,
        filtered.weights or (1,) * len(filtered),
    )
    assert filtered.of == 1326


def typed_again(remaining: Range, scenario: Scenario) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Parse the range's text; return its hands that can be held, and their weights."""
    again = Range.parse(remaining.text)
    weights = again.weights or (1,) * len(again)
    pairs = [
        (hand, weight)
        for hand, weight in zip(again.bits, weights, strict=True)
        if not hand & ~scenario.left.bits
    ]
    return tuple(hand for hand, _ in pairs), tuple(weight for _, weight in pairs)


@pytest.mark.thorough
def test_what_is_kept_is_what_is_counted() -> None:
    for game, held in (("holdem", "100%"), ("omaha", "AA**, KQJT"), ("shortdeck", "")):
        scenario = ask(held, board="9h 8h 7c", game=game)
        report = hits(scenario, 0)
        parts = {hand_class.label: part.hands for hand_class, part in report.made_hands.items()}
        parts |= {draw.label: part.hands for draw, part in report.draws.items()}
        for label, hands in parts.items():
            if hands:
                assert len(keep_hits(scenario, 0, label)) == hands


def test_what_is_too_long_to_be_typed_says_what_was_kept_of_what() -> None:
    filtered = keep_hits(ask("AA**, KQJT", board="9h 8h 7c", game="omaha"), 0, " wrap, set+ ")
    assert filtered.text == "wrap, set+ of AA**, KQJT"
    assert len(filtered) > 100


def test_odd_weights_are_written_to_the_hundredth() -> None:
    scenario = ask("QQ@30, AKs@70, 99@99.99", board="9h 5h 2c")
    filtered = keep_hits(scenario, 0, "overpair, ace high")
    assert set(filtered.weights) == {3, 7}
    assert typed_again(filtered, scenario) == (filtered.bits, filtered.weights)


@pytest.mark.parametrize(
    ("conditions", "reason"),
    [
        ("", "expected at least one class"),
        ("top pear", '"top pear" isn\'t a made hand or a draw'),
        (":set", "isn't a made hand"),
        ("!set:trips", "isn't a made hand"),
        ("flush draw+", "draws aren't ranked"),
        ("straight flush", "leaves no hand of the range"),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused(conditions: str, reason: str) -> None:
    with pytest.raises(TextError, match=reason) as refused:
        keep_hits(ask("QQ, AKs", board="9h 5h 2c"), 0, conditions)
    assert refused.value.example == '"top pair+, flush draw"'


def test_plus_goes_up_in_the_order_of_the_ranking() -> None:
    for ranking in (Ranking.HIGH, Ranking.SHORT_DECK, Ranking.SHORT_TRIPS):
        assert (
            tuple(hand_class.label for hand_class in made_order(ranking)) == ORDERS[ranking.value]
        )
    ((term,),) = (parse_keep("full house+", Ranking.SHORT_DECK)[0],)
    assert term[0][0] == {Made.STRAIGHT_FLUSH, Made.FOUR, Made.FLUSH, Made.FULL_HOUSE}


@pytest.mark.parametrize(
    ("players", "board", "game", "reason"),
    [
        (["QQ"], "", "holdem", "not 0 board cards"),
        (["QQ"], "2c 3c 4c 5c 9h", "holdem", "not 5 board cards"),
        (["AsAhKd"], "", "stud", "only in hold'em, short deck and Omaha, without wild cards"),
        (["Ah"], "2c 3c 4c", "holdem", "Ah is only part of a hand"),
    ],
)
def test_where_there_is_nothing_to_hit_it_says_so(
    players: list[str], board: str, game: str, reason: str
) -> None:
    with pytest.raises(TextError, match=reason):
        hits(ask(*players, board=board, game=game), 0)


def test_a_flop_of_a_game_without_hits_is_not_what_it_lacks() -> None:
    for rules in (ShowdownRules(private=3, public=5), replace(PRESETS["holdem"], jokers=1)):
        with pytest.raises(TextError, match="only in hold'em") as refused:
            hits(parse_scenario([""], "2c 3c 4c", rules=rules), 0)
        assert "board cards" not in str(refused.value)
