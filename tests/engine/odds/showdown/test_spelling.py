"""Other ways to write cards, ranges and weights, and what is asked back."""

from __future__ import annotations

import pytest

from engine.cards import Cards
from engine.errors import TextError, UnclearWeight
from engine.odds.showdown.games import PRESETS
from engine.odds.showdown.question import parse_question
from engine.odds.showdown.ranges import Range, kinds_of
from engine.odds.showdown.spelling import spelled
from tests.fuzz.wording import work_of


@pytest.mark.parametrize(
    "text",
    [
        "Ah/Kd vs Qs/Qh",
        "Ah-Kd vs Qs-Qh",
        "[Ah Kd] vs [Qs, Qh]",
        "[Ah Kd] [Qs Qh]",
        "Ah/Kd / Qs/Qh",
        "AhKd/QsQh",
        "hA dK vs sQ hQ",
        "hAdK vs sQhQ",
        "♥A♦K vs Q♠Q♥",
        "ace of hearts king of diamonds vs queen of spades, queen of hearts",
    ],
)
def test_two_hands_in_many_spellings_are_the_same(text: str) -> None:
    assert [*map(str, parse_question(text).players)] == ["Ah Kd", "Qs Qh"]


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("Ah/Kd", "Ah Kd"),
        ("Ah-Kd-Qc", "Ah Kd Qc"),
        ("[Ah Kd]", "Ah Kd"),
        ("hA dK", "Ah Kd"),
        ("h10 d10", "Th Td"),
        ("Ah dK *", "* Ah Kd"),
    ],
)
def test_cards_may_be_written_with_the_suit_first_and_with_signs_between(
    text: str, cards: str
) -> None:
    assert str(Cards.parse(text)) == cards


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("88- AA", "88-22, AA"),
        ("99- 66", "99-22"),
        ("T6o- T9s+", "T6o-T2o, T9s"),
        ("99– 66", "99-22"),
        ("99 - 66", "99-66"),
        ("88 -", "88-22"),
        ("5%- 15%", "5%-15%"),
        ("QQ or better", "QQ+"),
        ("QQ and up, AJs or higher", "QQ+, AJs+"),
        ("55 or worse", "55-"),
        ("10 10+", "TT+"),
        ("10 10", "TT"),
        ("10 9s", "T9s"),
        ("A K", "AK"),
        ("[50]QQ[/50], AA", "QQ@50, AA"),
        ("[50]QQ, JJ[/50], AA", "QQ@50, JJ@50, AA"),
        ("[0.5]QQ[/0.5], AA", "QQ@0.5%, AA"),
        ("[QQ+, AK]", "QQ+, AK"),
        ("QQ:0.5, AA", "QQ@50, AA"),
        ("QQ:.125, AA:1", "QQ@12.5, AA"),
        ("QQ+:0.25, 88-:1.0", "QQ+@25, 88-"),
        ("hAdK", "AhKd"),
        ("QQ@50, AA@0.5", "QQ@50, AA@0.5%"),
    ],
)
def test_a_range_in_another_spelling_is_the_same_range(text: str, same: str) -> None:
    found, wanted = Range.parse(text), Range.parse(same)
    assert (found.bits, found.weights) == (wanted.bits, wanted.weights)
    again = Range.parse(found.text)
    assert (again.bits, again.weights) == (wanted.bits, wanted.weights)


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("AK suited vs QQ or better", ["AKs", "QQ+"]),
        ("pocket queens or better vs AhKd", ["QQ+", "Ah Kd"]),
        ("10 10+ vs [50]QQ[/50]", ["TT+", "QQ@50"]),
        ("88- AA vs 99- 66", ["88-, AA", "99-, 66"]),
        ("15%:AXs vs QQ:0.5", ["15%:AXs", "QQ@50"]),
    ],
)
def test_spellings_are_read_in_a_question(text: str, players: list[str]) -> None:
    assert [*map(str, parse_question(text).players)] == players


@pytest.mark.parametrize("text", ["A K Q J", "[As Ah Ks Kh]", "sA hA sK hK", "As-Ah-Ks-Kh"])
def test_hands_of_omaha_have_the_same_spellings(text: str) -> None:
    assert parse_question(f"{text} vs random").rules == PRESETS["omaha"]


@pytest.mark.parametrize(
    ("text", "choices", "reason"),
    [
        ("QQ@0.5", ("QQ@0.5%", "QQ@50"), "0.5 per cent or 50 per cent"),
        ("AA, QQ@.25", ("AA, QQ@0.25%", "AA, QQ@25"), "0.25 per cent or 25 per cent"),
        ("QQ@1", ("QQ@1%", "QQ@100"), "1 per cent or 100 per cent"),
    ],
)
def test_a_weight_of_at_most_one_is_asked_back(
    text: str, choices: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(UnclearWeight, match=reason) as asked:
        Range.parse(text)
    assert asked.value.choices == choices
    with pytest.raises(UnclearWeight) as asked:
        parse_question(f"{text} vs KK")
    assert asked.value.choices == tuple(f"{choice} vs KK" for choice in choices)
    for choice in asked.value.choices:
        parse_question(choice)


def test_texts_without_other_spellings_stay_as_they_were() -> None:
    for text in ("ahkd vs qq, board 9c 8d 7s", "axkx", "10 random", "76s-54s, 5%-15%", "<@1>"):
        assert spelled(text) == text


def test_a_long_text_is_spelled_in_no_time() -> None:
    for text in ("[5]", "[", "ah/", "s", "10 ", "a ", "qq or "):
        assert work_of(lambda text=text: spelled(text * (1000 // len(text)))) < 20_000  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("88- AA", "AA, 88-22"),
        ("99-, 66", "99-22"),
        ("T6o- T9s+", "T9s, T6o-T2o"),
        ("A5s-A2s, AJ+", "AJs+, A5s-A2s, AJo+"),
        ("AK, KQ", "AK, KQ"),
        ("QQ+, AhKd@50, JJ@25", "QQ+, AhKd@50, JJ@25"),
        ("AhXh", "AhKh, AhQh, AhJh, AhTh, Ah9h, Ah8h, Ah7h, Ah6h, Ah5h, Ah4h, Ah3h, Ah2h"),
    ],
)
def test_a_range_is_said_by_its_kinds_of_hands(text: str, kinds: str) -> None:
    found = Range.parse(text)
    assert kinds_of(found) == kinds
    again = Range.parse(kinds)
    assert (again.bits, again.weights) == (found.bits, found.weights)


def test_every_share_of_all_hands_is_said_by_kinds_that_can_be_read_again() -> None:
    for text in (*(f"{low}%-{low + 13}%" for low in range(0, 87, 3)), "22+", "A2s+, K9-", "100%"):
        found = Range.parse(text)
        assert Range.parse(kinds_of(found)).bits == found.bits


@pytest.mark.parametrize(
    ("text", "game", "sentence", "example"),
    [
        ("1h2d vs AA", None, '"1h" is not a card', "Hold'em"),
        ("AhKd, 24 players", None, "24 players need 53 cards", "Hold'em against 22 unknown"),
        ("AhKd vs 23 random", None, "24 players need 53 cards", "Hold'em"),
        ("-5% vs AA", None, '"-5%" is less than no hand', "5%"),
        ("22 vs AA", "shortdeck", '"22" leaves no hand: the pack of 36', "T9s-87s"),
        ("2c3c vs AA", "shortdeck", "3c is not in the pack of 36|2c is not", "Short deck"),
        ("AA vs KK, flop 9c 8d", None, "a flop has three cards, got 2 .9c 8d.", "9c 8d 7s"),
        ("AA vs KK, board 9c 8d", None, "a flop has three cards, got 2", "Hold'em"),
        ("AA vs KK, flop 9c", None, "a flop has three cards, got 1", "Hold'em"),
        ("AA vs KK, flop", None, "a flop has three cards, got none", "Hold'em"),
        ("omaha AAds vs KK**, flop 9c 8d", None, "a flop has three cards", "in Omaha"),
        ("AhKd vs QcQs vs JcJs, 2 players", None, "3 players have cards, there are 2", "3 players"),
        ("draw AhKhQhJhTh, board 2c", None, "Five-card draw has 0", "Five-card draw"),
        ("omaha AsAhKsKhQd", None, "has 5 cards .*, Omaha deals 4", "Omaha"),
    ],
)
def test_what_cannot_be_is_said_with_the_very_card_or_number(
    text: str, game: str | None, sentence: str, example: str
) -> None:
    with pytest.raises(TextError, match=sentence) as caught:
        parse_question(text, game)
    assert example in caught.value.example


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("AhKd, 7 opponents", 8),
        ("AhKd 3 opponents", 4),
        ("AhKd and 2 random hands", 3),
        ("AhKd vs QQ, 2 others", 4),
        ("AhKd, 6 players", 6),
        ("6-handed AhKd vs QQ", 6),
        ("AhKd vs 6 players", 7),
        ("nine players AhKd", 9),
    ],
)
def test_players_are_counted_with_and_without_vs(text: str, seats: int) -> None:
    assert len(parse_question(text).players) == seats


def test_texts_side_by_side_are_a_player_each_or_a_question_in_words() -> None:
    for texts, players in (
        (["AhKd", "QQ"], ["Ah Kd", "QQ"]),
        (["ad,ac", "kh,ks", ""], ["Ad Ac", "Ks Kh", ""]),
        (["AhKd", "vs", "QQ", "board", "9c", "8d", "7s"], ["Ah Kd", "QQ"]),
        (["AhKd vs QQ, board 9c 8d 7s"], ["Ah Kd", "QQ"]),
        (["AhKd", "2 random"], ["Ah Kd", "", ""]),
        (["AhKd", "4 players"], ["Ah Kd", "", "", ""]),
        (["AhKd"], ["Ah Kd", ""]),
        ([""], ["", ""]),
    ):
        assert [*map(str, parse_question(texts).players)] == players
