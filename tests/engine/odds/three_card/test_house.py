"""The exact figures of Three Card Poker, compared with published figures."""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest

from engine.errors import TextError
from engine.odds.three_card import (
    BEST,
    AnteBonus,
    Category,
    Outcomes,
    PairPlus,
    SixCardBonus,
    TableRules,
    best_fold_line,
    blind_seats,
    house_edge,
    parse_line,
    parse_pay,
    parse_qualifying,
    played_values,
    seventeen_outcomes,
    showdowns,
    survey,
)
from engine.odds.three_card.hands import all_hands, suit_classes
from tests import naive_three_card as naive

NO_BONUS = TableRules(bonus=AnteBonus(0, 0, 0))
OUTCOMES_FROM_Q64 = {
    Category.STRAIGHT_FLUSH: Outcomes(617_044, 144, 968, 266_196),
    Category.THREE_OF_A_KIND: Outcomes(665_776, 0, 3_312, 288_960),
    Category.STRAIGHT: Outcomes(8_975_484, 18_288, 270_504, 4_001_004),
    Category.FLUSH: Outcomes(12_793_544, 3_288, 1_260_596, 6_135_276),
    Category.PAIR: Outcomes(36_168_624, 11_232, 11_873_520, 20_926_080),
    Category.HIGH_CARD: Outcomes(38_134_212, 234_696, 77_992_716, 53_876_136),
}


def test_hands_come_as_often_as_published() -> None:
    classes = suit_classes()
    assert (len(classes.hands), classes.hands.sum(), len(classes.keys)) == (1_755, 22_100, 741)
    assert classes.deals == 407_170_400
    counted = np.bincount(classes.category, weights=classes.hands).astype(int)
    assert counted.tolist() == [16_440, 3_744, 1_096, 720, 52, 48]
    assert np.count_nonzero(all_hands().strength >= showdowns().qualifies) == 15_380


def test_the_house_edge_is_13733780_antes_in_407170400_deals() -> None:
    edge = house_edge()
    assert (edge.net, edge.deals) == (-13_733_780, 407_170_400)
    assert edge.expected_value == pytest.approx(-0.0337298, abs=5e-8)
    assert edge.average_bet == pytest.approx(1.674208, abs=5e-7)
    assert edge.element_of_risk == pytest.approx(0.0201467, abs=5e-8)
    assert edge.six_card == pytest.approx(-0.102248, abs=5e-7)
    royal = TableRules(bonus=AnteBonus(1, 4, 5, mini_royal=9))  # four hands
    assert house_edge(rules=royal).net == edge.net + 4 * 4 * 18_424


@pytest.mark.parametrize("line", ["best", "Q64"])
def test_every_outcome_of_the_best_line_is_counted(line: str) -> None:
    edge = house_edge(parse_line(line))
    assert edge.outcomes == OUTCOMES_FROM_Q64
    assert edge.folded == 132_652_800
    assert sum(ends.deals for ends in edge.outcomes.values()) + edge.folded == edge.deals


@pytest.mark.parametrize(
    ("line", "edge"),
    [
        ("always", -0.129389),
        ("queen", -0.087342),
        ("Q64", -0.086580),
        ("jack", -0.100696),
        ("J32", -0.100696),
    ],
)
def test_lines_without_ante_bonus_have_their_known_edges(line: str, edge: float) -> None:
    counted = house_edge(parse_line(line), NO_BONUS).expected_value
    assert counted == pytest.approx(edge, abs=5e-7)


def test_the_best_line_is_queen_six_four_and_no_play_hand_by_hand_does_better() -> None:
    best = best_fold_line()
    assert (best.name, best.net, best.hand_by_hand) == ("Q64", -13_733_780, True)
    assert sum(net == best.net for net in best.nets) == 1
    for text in ("always", "queen", "Q63", "Q65", "K32", "22A"):
        line = parse_line(text)
        assert line.lowest is not None
        assert best.nets[line.lowest] == house_edge(line).net
    assert best.nets[-1] == -suit_classes().deals  # every hand folded
    assert ((played_values() > -1) == (all_hands().strength >= best.lowest)).all()


def test_the_seventeen_outcomes_of_the_enumeration_are_those_counted() -> None:
    counted = seventeen_outcomes(house_edge())
    assert len(counted) == 17
    assert sum(counted.values()) == 407_170_400
    assert counted["fold", "none"] == 132_652_800
    assert counted["win", "none"] == 38_134_212 + 36_168_624 + 12_793_544
    assert counted["tie", "none"] == 234_696 + 11_232 + 3_288
    assert counted["lose", "none"] == 77_992_716 + 11_873_520 + 1_260_596
    assert counted["dealer_not_qualified", "none"] == 53_876_136 + 20_926_080 + 6_135_276
    for category in (Category.STRAIGHT, Category.THREE_OF_A_KIND, Category.STRAIGHT_FLUSH):
        ends = OUTCOMES_FROM_Q64[category]
        assert counted["win", category.key] == ends.win
        assert counted["tie", category.key] == ends.tie
        assert counted["lose", category.key] == ends.lose
        assert counted["dealer_not_qualified", category.key] == ends.dealer_not_qualified


def test_every_dealer_hand_meets_exactly_18424_player_hands() -> None:
    bits = all_hands().bits
    shared = 3 * comb(49, 2) + 3 * 49 + 1
    assert (shared, 22_100 - shared) == (3_676, 18_424)
    for dealer in bits[::97]:
        assert np.count_nonzero(bits & dealer == 0) == 18_424
    played = showdowns()
    met = played.win + played.tie + played.lose + played.not_qualified
    assert (met == 18_424).all()


@pytest.mark.parametrize(
    ("table", "edge"),
    [
        (PairPlus(40, 30, 6, 4, 1), -0.023167),
        (PairPlus(40, 30, 6, 3, 1), -0.072760),
        # "With the 50-1 mini-royal payoff added, the house edge is reduced to 7.10 percent"
        (PairPlus(40, 30, 6, 3, 1, mini_royal=50), -0.070950),
    ],
)
def test_pair_plus_has_its_known_edges(table: PairPlus, edge: float) -> None:
    counted = house_edge(rules=TableRules(pair_plus=table)).pair_plus
    assert counted == pytest.approx(edge, abs=5e-7)


def test_the_survey_shows_published_elements_of_risk_and_edges() -> None:
    rows = {str(row.table): row for row in survey()}
    assert rows["1/4/5"].element_of_risk == pytest.approx(0.0201, abs=6e-5)
    assert rows["1/3/5"].element_of_risk == pytest.approx(0.0216, abs=6e-5)
    assert rows["1000/200/50/25/20/10/5"].expected_value == pytest.approx(-0.1023, abs=6e-5)
    assert rows["40/30/6/4/1"].element_of_risk is None


def test_the_survey_begins_with_tables_asked_for_that_are_not_usual() -> None:
    rules = TableRules(
        AnteBonus(2, 2, 2), PairPlus(9, 9, 9, 9, 9), SixCardBonus(7, 6, 5, 4, 3, 2, 1)
    )
    titles = Counter(row.table.TITLE for row in survey(rules=rules))
    usual = Counter(row.table.TITLE for row in survey())
    assert titles == usual + Counter(usual.keys())
    assert survey(rules=rules)[0].table == rules.bonus
    assert survey(BEST)[0].table == AnteBonus()


def test_a_lower_qualifying_hand_helps_the_player_who_holds_well() -> None:
    easier = house_edge(rules=TableRules(qualifies=parse_qualifying("always")))
    assert all(ends.dealer_not_qualified == 0 for ends in easier.outcomes.values())
    assert house_edge(rules=TableRules(qualifies=parse_qualifying("queen"))).net == -13_733_780


def test_every_blind_seat_has_the_same_edge() -> None:
    dealt = comb(52, 3)
    for seats in range(1, 7):
        table = blind_seats(house_edge(), seats)
        assert table.net * 407_170_400 == -13_733_780 * table.deals
        dealt *= comb(52 - 3 * seats, 3)
        assert table.deals == dealt
    for seats in (0, 7):
        with pytest.raises(ValueError, match="1 to 6 seats"):
            blind_seats(house_edge(), seats)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (" Best ", "best"),
        ("ALWAYS", "always"),
        ("Queen", "queen"),
        ("ace", "ace"),
        ("4q6", "Q64"),
        ("Q-6-4", "Q64"),
        ("10 4 2", "T42"),
        ("k77", "77K"),
        ("a23", "32A"),
    ],
)
def test_a_line_is_understood_in_many_forms(text: str, name: str) -> None:
    assert parse_line(text).name == name


@pytest.mark.thorough
@pytest.mark.parametrize(("face", "rank"), [("jack", 9), ("queen", 10), ("king", 11), ("ace", 12)])
def test_a_line_named_by_a_face_folds_exactly_the_lower_high_cards(face: str, rank: int) -> None:
    lower = sum(
        naive.hand_value(hand) < (naive.HIGH_CARD, rank) for hand in combinations(range(52), 3)
    )
    assert house_edge(parse_line(face)).folded == lower * 18_424


@pytest.mark.parametrize("text", ["", "Q6", "Q642", "frog", "Q6x", "1064x"])
def test_an_unknown_line_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(TextError, match=r'a hand to play from. Example: "queen"'):
        parse_line(text)
    with pytest.raises(TextError, match=r'dealer could qualify with. Example: "queen"'):
        parse_qualifying(text or "best")


def test_a_pay_table_is_understood_in_many_forms() -> None:
    for text in ("1/4/5", " 1 / 4 / 5 ", "1,4,5", "1:4:5", "1 4 5"):
        assert AnteBonus.parse(text) == AnteBonus(1, 4, 5)
    assert str(AnteBonus.parse("1 4 5")) == "1/4/5"
    assert parse_pay("50", '"50"') == 50
    with pytest.raises(TextError, match='Example: "50"'):
        parse_pay("5.5", '"50"')


@pytest.mark.parametrize(
    ("table", "text", "sentence"),
    [
        (AnteBonus, "1/4", 'expected 3 payouts for the ante bonus .*got 2. Example: "1/4/5"'),
        (PairPlus, "40/30/6/4", 'expected 5 payouts for Pair Plus .*Example: "40/30/6/4/1"'),
        (SixCardBonus, "", "expected 7 payouts for the six-card bonus .*got 0"),
        (AnteBonus, "1//5", "expected 3 payouts"),
        (AnteBonus, "1/x/5", 'a payout is a whole number from 0 to 1,000,000, not "x"'),
        (AnteBonus, "1/-4/5", 'not "-4"'),
        (AnteBonus, "1/4/1000001", 'not "1000001"'),
        (AnteBonus, "1/4/½", 'not "½"'),
    ],
)
def test_a_pay_table_with_an_entry_missing_or_wrong_is_refused(
    table: type[AnteBonus], text: str, sentence: str
) -> None:
    with pytest.raises(TextError, match=sentence):
        table.parse(text)
