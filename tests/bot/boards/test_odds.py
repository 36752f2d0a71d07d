"""Boards that answer questions about odds, and their pictures."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from io import BytesIO

import pytest
from PIL import Image

from bot.boards.bid_odds import BidQuestion, advice_chart, bids_board, counts_board
from bot.boards.board import ChartPicture
from bot.boards.showdown_odds import (
    MOST_HITS,
    close_looks,
    curve_board,
    game_name,
    hand_grid_board,
    hits_board,
    next_card_board,
    ranks_board,
    seats_with_hits,
    showdown_board,
    working_board,
)
from bot.boards.showdown_words import outs_text, range_size
from bot.boards.three_card_odds import (
    PayTables,
    hand_name,
    pay_choices,
    pay_tables_board,
    three_card_board,
)
from bot.language.catalogues import speaking
from bot.language.words import percent
from bot.pictures.charts import BarChart, CurveChart, HeatMap, HitChart
from bot.pictures.palette import GREEN, GREY, RED
from engine.bids import Kind
from engine.cards import Cards
from engine.errors import TextError
from engine.odds import (
    PRESETS,
    Effort,
    Range,
    Scenario,
    Showdown,
    advise,
    bid_chance,
    equity_curve,
    hand_grid,
    hits,
    kind_chances,
    next_cards,
    parse_question,
    parse_scenario,
    showdown_odds,
    streets,
)
from engine.odds.three_card import Category
from engine.ruleset import Options
from engine.variants import ruleset
from tests.bot.boards.rounds import LIARS, THAI, board_text, chart_of, hands

# -- bids ------------------------------------------------------------------------------------------

RULES = ruleset(LIARS)
KNOWN = Cards.parse("Ah Kd 8c *")


def bids_said(
    game: str,
    in_play: int,
    known: str = "",
    standing: str = "",
    bid: str = "",
    options: Options | None = None,
) -> str:
    rules = ruleset(game, options)
    parse = rules.wording.parse
    question = BidQuestion(
        rules,
        in_play,
        Cards.parse(known),
        parse(standing) if standing else None,
        parse(bid) if bid else None,
    )
    return board_text(bids_board(question)).replace("\u00a0", " ")


def test_the_standing_bid_comes_after_the_asked_one_and_the_count_is_called_exact() -> None:
    text = bids_said(LIARS, 12, "Ah Kd *", standing="pair of threes", bid="three aces")
    assert "Current bid: **pair of threes**, **63.8%** likely." in text
    assert text.index("**Three aces**: **55.2%** likely.") < text.index("Current bid: ")
    assert text.splitlines()[-1] == "-# exact count"


def test_no_higher_bid_and_no_possible_higher_bid_have_different_sentences() -> None:
    none = "With these cards nothing higher is possible: {}."
    for game, in_play, standing, words in (
        (LIARS, 12, "five aces", "Nothing is higher: challenge."),
        (THAI, 9, "spade royal flush", "Nothing is higher: challenge."),
        (LIARS, 2, "pair of aces", none.format("challenge")),
        (THAI, 1, "high card ace", none.format("challenge")),
        ("royal_bluff", 1, "a ace", none.format("doubt")),
        (THAI, 5, "aces full of kings", "Every higher bid is under 50% likely."),
    ):
        options: Options = {"jokers": 0} if in_play == 2 else {}
        text = bids_said(game, in_play, standing=standing, options=options)
        assert words in text
        assert ("Nothing is higher" in text) == ("Nothing is higher" in words)


def test_the_chart_has_the_best_bids_and_the_strongest_above_the_standing_one() -> None:
    advice = advise(RULES, 14, KNOWN, RULES.ladder.bid("three:6"))
    chart = advice_chart(RULES, advice)
    assert (chart.title, chart.subtitle) == ("The best higher bids", "54-card deck")
    first = chart.bars[0]
    assert (first.words, first.remark) == ("straight to the ace", "highest over 50%")
    assert len(chart.bars) == len(advice.best)
    advice = advise(RULES, 14, KNOWN, above=0.02)
    assert advice.strongest is not None
    assert advice.strongest not in advice.best  # and is added
    chart = advice_chart(RULES, advice)
    assert [entry.remark for entry in chart.bars] == ["", "", "", "", "", "highest over 2%"]
    assert chart.bars[-1].words == "five aces"


@pytest.mark.parametrize("language", ["en", "pl"])
def test_every_chance_is_shown_once_in_words_or_in_the_chart(language: str) -> None:
    parse = RULES.wording.parse
    for question in (
        BidQuestion(RULES, 12, KNOWN, bid=parse("three aces")),
        BidQuestion(RULES, 12, KNOWN, standing=parse("pair of threes"), bid=parse("four aces")),
        BidQuestion(RULES, 12, KNOWN, kind=Kind.FLUSH),
    ):
        with speaking(language):
            board = bids_board(question)
            words = board_text(board)
        with speaking(language):
            drawn = [percent(bar.probability) for bar in chart_of(board, BarChart).bars]
        plain_words = words.replace("\u00a0", " ")
        assert not [
            share for share in drawn if f"*{share}" in plain_words or f" {share}" in plain_words
        ]
        assert not re.search(r"\d{4}|\d[, \u00a0]\d{3}", plain_words), (
            "counts that nobody asked for"
        )


def test_any_hand_of_a_kind_is_as_likely_as_the_engine_says() -> None:
    board = bids_board(BidQuestion(RULES, 12, Cards.parse("Ah Kd *"), kind=Kind.FLUSH))
    (chance,) = kind_chances([Kind.FLUSH], RULES.deck, 12, Cards.parse("Ah Kd *")).values()
    text = board_text(board).replace("\u00a0", " ")
    assert f"**Any flush**: **{percent(chance.probability)}** likely." in text
    labels = [bar.words for bar in chart_of(board, BarChart).bars]
    assert labels[:2] == ["High card", "Pair"]
    assert "Flush" not in labels


def test_the_counts_are_there_on_request() -> None:
    chance = bid_chance(RULES.wording.parse("33"), RULES.deck, 12, KNOWN)
    question = BidQuestion(RULES, 12, KNOWN, standing=RULES.wording.parse("33"))
    counted = f"**Pair of threes**: true in {chance.favourable:,} of {chance.total:,} deals"
    assert counted in board_text(counts_board(question))


def test_the_charts_words_say_all_that_it_shows() -> None:
    standing = RULES.ladder.bid("three:6")
    board = bids_board(BidQuestion(RULES, 14, KNOWN, standing))
    assert board.picture is not None
    chart = chart_of(board, BarChart)
    assert board.picture.alt == chart.text
    for entry in chart.bars:
        assert f"{percent(entry.probability)}  {entry.words}" in board.picture.alt
        assert entry.remark in board.picture.alt
    assert chart.title in board.picture.alt


# -- showdowns -------------------------------------------------------------------------------------


def scenario_of(*players: str, board: str = "", game: str = "holdem") -> Scenario:
    return parse_scenario(players, board, "", PRESETS[game])


def odds_of(*players: str, board: str = "", game: str = "holdem") -> Showdown:
    return showdown_odds(scenario_of(*players, board=board, game=game), Effort())


def test_every_player_has_a_bar_and_no_number_is_shown_twice() -> None:
    board = showdown_board(odds_of("AdAc", "KhKs", board="2c 7d 9h 3s"))
    text = board_text(board).replace("\u00a0", " ")
    assert text.startswith("## Hold'em\n-# board 9♥ 7♦ 3♠ 2♣")
    assert "%" not in text, "the picture says it"
    assert text.splitlines()[-1] == "-# exact count"
    assert [bar.words for bar in chart_of(board, BarChart).bars] == ["P1 A♦ A♣", "P2 K♠ K♥"]


def test_a_name_that_the_question_gives_is_shown_with_the_players_cards() -> None:
    question = parse_question("Ann: AdKc, Bob_the_Great_of_them_all: AhKs, <@17>: QQ")
    board = showdown_board(showdown_odds(question, Effort(deals=500)))
    assert [bar.words for bar in chart_of(board, BarChart).bars] == [
        "P1 Ann · A♦ K♣",
        "P2 Bob_the_Great_of_th… · A♥ K♠",
        "P3 QQ",  # nobody is mentioned in a picture
    ]
    text = words(board_text(board))
    assert "Ann" not in text, "the picture names her"
    assert "-# **P3 <@17> · QQ**: 6 combos, 0.45% of hands" in text


def test_a_mentioned_player_is_named_beside_the_picture() -> None:
    question = parse_question("<@17>: AdAc vs KhKs, board 2c 7d 9h 3s")
    text = board_text(showdown_board(showdown_odds(question)))
    assert "**P1 <@17> · A♦ A♣**: " in words(text)


def test_markup_in_a_name_is_escaped_in_messages() -> None:
    question = parse_question("Bob_the_Great_of_them_all: QQ vs AhKs, board 2c 7d 9h 3s")
    text = words(board_text(showdown_board(showdown_odds(question))))
    assert r"**P1 Bob\_the\_Great\_of\_th… · QQ**: " in text


def test_the_picture_shows_the_pot_share_and_how_much_of_it_are_ties() -> None:
    answer = odds_of("AdKc", "AhKs", board="2c 7d 9d 3d")
    chart = chart_of(showdown_board(answer), BarChart)
    assert (chart.title, chart.subtitle) == ("Pot share", "lighter: ties")
    for bar, player in zip(chart.bars, answer.players, strict=True):
        assert bar.probability == pytest.approx(float(player.value))
        assert bar.probability - bar.shared == pytest.approx(player.win / answer.deals)
        wins, ties = (percent(part / answer.deals) for part in (player.win, player.tie))
        assert bar.remark == f"wins {wins}, ties {ties}"
    chart = chart_of(showdown_board(odds_of("AdAc", "KhKs", board="2c 7d 9h 3s")), BarChart)
    assert [(bar.remark, bar.shared) for bar in chart.bars] == [("", 0)] * 2


@pytest.mark.parametrize(
    ("game", "players", "board"),
    [
        ("holdem", ("AA", "KK", "QQ"), "9h 5h 2c"),
        ("holdem", ("AhKd", "QQ"), ""),
        ("holdem", ("<@17>: AhKh", "QcQd"), "2c 9h 5h 4s"),
        ("omaha8", ("AsAh2s3h", "KdKcQd7c"), "4c 5d 8s"),
        ("omaha8", ("AsAh2s3h", "KK**"), "4c 5d 8s 9s"),
    ],
)
def test_every_line_about_a_player_says_something_and_no_share_of_the_pot_twice(
    game: str, players: tuple[str, ...], board: str
) -> None:
    question = parse_question(" vs ".join(players), game, board)
    answer = showdown_board(showdown_odds(question, Effort(deals=5000)))
    text = words(board_text(answer))
    about = [line for line in text.splitlines() if "**P" in line]
    assert not [line for line in about if line.endswith(("**", ")**"))]
    drawn = [percent(bar.probability) for bar in chart_of(answer, BarChart).bars]
    if "<@" not in text:  # a picture names nobody by a mention
        assert not [share for share in drawn if f" {share} of the pot" in text]


def test_hands_are_named_shortly_in_a_table_that_a_phone_shows() -> None:
    text = board_text(ranks_board(odds_of("AdAc", "KhKs", board="2c 7d 9h 3s")))
    table = text.split("```")[1].strip("\n").splitlines()
    assert [line[:15].strip() for line in table[1:]] == [
        *("High card", "Pair", "Two pair", "Three of a kind", "Straight", "Flush"),
        *("Full house", "Four of a kind", "Straight flush"),
    ]
    assert all(len(line) <= 32 for line in table)
    text = board_text(ranks_board(odds_of("AdAc", "KhKs", "QhQs", board="2c 7d 9h 3s")))
    assert text.count("```") == 2, "three players stand side by side"
    assert "\nThrees " in text


@pytest.mark.parametrize("game", ["holdem", "badugi"])
@pytest.mark.parametrize("language", ["en", "pl"])
def test_hand_names_are_whole_words_and_the_table_fits_a_phone(language: str, game: str) -> None:
    hands = ("As2h3d4c", "KsQhJd", "") if game == "badugi" else ("AdAc", "KhKs", "2d2h")
    answer = odds_of(*hands, board="" if game == "badugi" else "2c 7d 9h 3s", game=game)
    with speaking(language):
        text = board_text(ranks_board(answer))
    assert "…" not in text
    assert all(len(line) <= 32 for table in text.split("```")[1::2] for line in table.splitlines())
    if language == "pl":
        assert ("Wysoka karta" if game == "holdem" else "Trzy karty") in text


def test_a_long_range_is_cut_so_that_a_message_has_room_for_it() -> None:
    pairs = ", ".join(rank * 2 for rank in "23456789TJQKA")
    text = board_text(ranks_board(odds_of("AhKh", f"{pairs}, " * 20 + "AKs", board="2c 7d 9h 3s")))
    (line,) = [line for line in text.splitlines() if line.startswith("-# P2: ")]
    assert line.endswith("…")
    assert len(line) < 300


def test_while_counting_the_board_says_how_many_players_the_question_has() -> None:
    scenario = parse_scenario(("AhKh", ""), "", "", PRESETS["holdem"])
    assert board_text(working_board(scenario)).strip() == "**Hold'em**, 2 players: dealing…"


def words(text: str) -> str:
    return text.replace("\u00a0", " ")


def test_outs_are_listed_in_few_words() -> None:
    text = board_text(showdown_board(odds_of("AhKh", "QcQd", board="2c 9h 5h")))
    assert "**P1** has 15 outs: 9 hearts, 3 aces, 3 kings" in text
    assert "**P2** is ahead" in text
    text = board_text(showdown_board(odds_of("AhKh", "QcQd", "2d3c", board="Qh Qs 5h")))
    assert "**P3** has no outs" in text
    text = board_text(showdown_board(odds_of("Ah2h", "AcQd", board="Kd Ks Jh 8c")))
    assert "**P1** ties with" in text
    text = board_text(showdown_board(odds_of("AhKh", "", board="2c 9h 5h")))
    assert "out" not in text


def test_outs_are_declined_in_polish() -> None:
    with speaking("pl"):
        assert outs_text(Cards.parse("2h3h4h5h6h 9c9d Ts")) == "5 kierów, 2 dziewiątki, 10♠"


def test_a_range_shows_its_size_and_a_range_of_combos_is_shown_as_typed() -> None:
    for typed, size in (("QQ+", "18 combos, 1.4% of hands"), ("AhKh", "1 combo, 0.075% of hands")):
        assert words(range_size(Range.parse(typed))) == size
    text = words(board_text(showdown_board(odds_of("AhKh, AdKd", "QcQs", board="2c 9h 5h 4s"))))
    assert "**P1 AhKh, AdKd**: 2 combos, 0.15% of hands" in text


def test_a_split_pot_says_who_takes_which_half_and_how_often_one_is_quartered() -> None:
    board = showdown_board(odds_of("AsAh2s3h", "KdKcQd7c", board="4c 5d 8s", game="omaha8"))
    text = words(board_text(board))
    assert "## Omaha hi/lo" in text
    assert "**P1 A♠ A♥ 3♥ 2♠**: best high 81.7%, best low 100%" in text
    assert "quartered" not in text
    assert chart_of(board, BarChart).subtitle == "lighter: split pots"
    board = showdown_board(odds_of("AsAh2s3h", "Ad2cKdKc", board="4c 5d 8s", game="omaha8"))
    quartered = "wins three quarters 61.3%, gets quartered 15.6%"
    assert quartered in words(board_text(board))


def test_badugi_lists_its_own_hands() -> None:
    text = board_text(ranks_board(odds_of("As2h3d4c", "KsQhJd", game="badugi")))
    table = text.split("```")[1].strip("\n").splitlines()
    kinds = [line[:12].strip() for line in table[1:]]
    assert kinds == ["One card", "Two cards", "Three cards", "Badugi"]


def test_the_next_card_is_a_picture_of_52_cells_and_the_same_in_words() -> None:
    scenario = scenario_of("AhKh", "QcQd", board="2c 9h 5h")
    board = next_card_board(scenario, next_cards(scenario), streets(scenario))
    assert board.picture is not None
    rows = chart_of(board, HeatMap).rows
    assert [len(row) for row in rows] == [13] * 4
    assert sum(cell.share is not None for row in rows for cell in row) == 45
    text = words(board_text(board))
    assert "**P1 A♥ K♥**: 55.1% now, 100% with J♥, 15.9% with Q♠" in text
    assert "exact count for every card" in text
    assert "**P1** 46.2% → 55.1%" in text
    assert "→" not in board_text(next_card_board(scenario, next_cards(scenario)))
    assert "A♠: 98 98 16 34" in board.picture.alt
    assert chart_of(board, HeatMap).png().startswith(b"\x89PNG")


def test_a_hand_against_a_range_is_a_grid_of_169_cells_and_the_same_in_words() -> None:
    scenario = scenario_of("AhKd", "99+, AQs, 22", board="2c 9h 5h Ts")
    board = hand_grid_board(scenario, hand_grid(scenario))
    assert board.picture is not None
    rows = chart_of(board, HeatMap).rows
    assert [len(row) for row in rows] == [13] * 13
    labels = [cell.label for row in rows for cell in row if cell.share is not None]
    assert labels == ["AA", "AQs", "KK", "QQ", "JJ", "TT", "99", "22"]
    text = words(board_text(board))
    assert "A♥ K♦ is the favourite against 3 of" in text
    assert len(board.picture.alt) <= 1024
    assert chart_of(board, HeatMap).png().startswith(b"\x89PNG")


# -- what a range hits, and equity curves ----------------------------------------------------------


@dataclass
class Hit:
    """A picture of how a range hits a board, and its alt text."""

    chart: HitChart
    alt: str


def hit(scenario: Scenario) -> list[Hit]:
    board = hits_board(
        scenario, [(seat, hits(scenario, seat)) for seat in seats_with_hits(scenario)]
    )
    drawn = [picture for picture in board.pictures if isinstance(picture, ChartPicture)]
    return [
        Hit(picture.chart, picture.alt) for picture in drawn if isinstance(picture.chart, HitChart)
    ]


def size(png: bytes) -> tuple[int, int]:
    with Image.open(BytesIO(png)) as image:
        return image.size


def test_a_ranges_hits_are_one_picture_with_the_same_content_in_words() -> None:
    scenario = scenario_of("AhKd", "QQ+, QJs, 99@50, 55", board="9h 5h 2c")
    (picture,) = hit(scenario)
    drawn = picture.chart
    assert (drawn.title, drawn.subtitle) == ("P2 QQ+, QJs, 99@50, 55", "9♥ 5♥ 2♣ · 22 hands")
    assert [words for words, _ in drawn.groups] == [
        *("two pair and better", "overpair, top pair", "weaker pairs", "no pair"),
    ]
    assert sum(share for _, share in drawn.groups) == pytest.approx(1)
    assert [(row.words, row.hands) for row in drawn.classes] == [
        *(("set", "6"), ("overpair", "12"), ("air", "4")),
    ]
    assert [row.words for row in drawn.draws] == [
        *("flush draw", "overcards", "backdoor flush", "backdoor straight"),
    ]
    text = words(picture.alt)
    assert "overpair 58.5% (12)" in text
    assert "and draws\nflush draw 4.9% (1)" in text
    width, height = size(drawn.png())
    assert width == 800
    assert height <= 2 * 844  # of a phone whose screen is 390 by 844, at 390 wide


def test_the_fullest_picture_fits_a_phone_and_its_words_an_alternative_text() -> None:
    for game, board in (("holdem", "9h 8h 2c"), ("omaha", "9h 8h 2c 9c"), ("holdem", "9h 8h 7h")):
        (picture,) = hit(scenario_of("", board=board, game=game))
        assert len(picture.alt) <= 1024
        width, height = size(picture.chart.png())
        assert height / width <= 844 / 390
        with speaking("pl"):
            (picture,) = hit(scenario_of("", board=board, game=game))
            assert len(picture.alt) <= 1024
            assert size(picture.chart.png()) == (width, height)


def test_a_range_without_draws_has_no_section_for_draws() -> None:
    (picture,) = hit(scenario_of("99", board="9h 8d 2c Ks"))
    assert picture.chart.draws == ()
    assert "draws" not in picture.alt
    assert picture.chart.png().startswith(b"\x89PNG")


def test_each_range_is_shown_once_and_no_more_than_fit() -> None:
    assert seats_with_hits(scenario_of("", "QQ", "", "AhKd", board="9h 5h 2c")) == [0, 1]
    many = scenario_of("QQ", "JJ", "TT", "88", board="9h 5h 2c")
    assert len(hit(many)) == MOST_HITS


def test_an_equity_curve_is_a_picture_and_the_same_in_words() -> None:
    scenario = scenario_of("AhKd", "QQ, 7c6c, AcQc", board="9h 5h 2c 2d")
    board = curve_board(scenario, equity_curve(scenario))
    assert size(chart_of(board, CurveChart).png()) == (800, 640)
    assert board.picture is not None
    text = words(board_text(board))
    assert "P1 A♥ K♦ gets half of the pot or more against 25.0% of hands" in text
    assert "10% of hands: at least 86% of the pot" in words(board.picture.alt)
    of_a_range = scenario_of("QQ, 72o", "KK", board="9h 5h 2c 2d")
    board = curve_board(of_a_range, equity_curve(of_a_range))
    assert "P1 QQ, 72o gets half of the pot or more with" in words(board_text(board))
    assert board.picture is not None
    assert "by fraction of their own hands" in board.picture.alt


def test_a_grid_of_two_ranges_is_about_the_hands_of_the_first() -> None:
    scenario = scenario_of("QQ+, 72o", "KK, AKs", board="9h 5h 2c 2d")
    board = hand_grid_board(scenario, hand_grid(scenario))
    assert board.picture is not None
    text = words(board_text(board))
    assert "each hand of QQ+, 72o" in board.picture.alt
    assert "QQ+, 72o is the favourite with" in text


def test_a_question_offers_exactly_the_looks_that_it_has() -> None:
    card, hand, hits, curve = "Card by card", "Hand by hand", "What it hits", "Equity curve"
    flop = "9h 5h 2c"
    for players, board, game, looks in (
        (("AhKd", "QQ+"), flop, "holdem", [card, hand, hits, curve]),
        (("AhKd", "QcQd"), flop, "holdem", [card]),
        (("AsAhKsKh", "JJ**"), flop, "omaha", [card, hits]),
        (("QQ", "KK"), "", "holdem", [hand, curve]),
        (("AhKd", "99+"), "", "holdem", [hand, curve]),
        (("AhKh", "QcQd"), "", "holdem", []),
        (("AhKh", "QcQd"), "2c 9h 5h 4s 3s", "holdem", []),
    ):
        scenario = scenario_of(*players, board=board, game=game)
        assert [look.label for look in close_looks(scenario)] == looks
    assert game_name(scenario_of(*[""] * 8, game="stud")) == "Seven-card stud"


def test_a_long_range_is_a_title_of_two_lines() -> None:
    held = "22+, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, AhKd@50, AhQd@25"
    pictures = [hit(scenario_of("6c6d", text, board="9h 8h 2c"))[0] for text in ("22+", held)]
    assert pictures[1].chart.title == f"P2 {held}"
    assert len(pictures[1].alt) <= 1024
    short, long = (
        size(replace(pictures[1].chart, title=picture.chart.title).png()) for picture in pictures
    )
    assert long[1] == short[1] + 42
    assert long[1] / long[0] <= 844 / 390


# -- Three Card Poker ------------------------------------------------------------------------------


def test_a_hand_is_played_or_folded_with_its_figures() -> None:
    board = three_card_board("Qs 6h 4d")
    assert board_text(board).startswith("## Play\nQueen high, Q-6-4")
    assert "Expected value in antes: play **−0.9934**, fold −1." in board_text(board)
    assert hands(board) == [Cards.parse("Qs 6h 4d")]
    assert (board.accent, three_card_board("Qs 6h 3d").accent) == (GREEN, RED)


def test_cards_may_be_typed_as_words_and_seen_cards_may_change_the_decision() -> None:
    for language, typed in (
        ("en", "queen of spades, six of hearts, 4d"),
        ("pl", "dama pik, 6 kier, 4d"),
    ):
        with speaking(language):
            board = three_card_board(typed)
        assert hands(board) == [Cards.parse("Qs 6h 4d")]
    text = board_text(three_card_board("Qs 6h 3d", "Ah Kd 2c"))
    assert ", and that changes the decision (without that: −" in text


def test_without_a_hand_the_house_edge_is_shown() -> None:
    board = three_card_board("")
    assert "House edge: **3.373%** of the ante" in words(board_text(board))
    assert "40/25/6/4/1" not in board_text(board), "other pay tables are behind a button"
    assert board.accent == GREY
    table = board_text(board).split("```")[1]
    assert all(len(line) <= 30 for line in table.splitlines())  # a phone shows so many


def test_pay_tables_are_listed_with_their_house_edge_the_typed_one_first() -> None:
    text = words(board_text(pay_tables_board()))
    assert "- 1/4/5: 3.373%" in text
    assert "- 40/25/6/4/1: 3.493%" in text
    with_typed = words(board_text(pay_tables_board(PayTables(bonus="2/4/5"))))
    assert with_typed.index("- 2/4/5: ") < with_typed.index("- 1/4/5: ")


def test_columns_and_hands_of_the_house_edge_are_whole_words_in_polish() -> None:
    with speaking("pl"):
        text = board_text(three_card_board(""))
    table = text.split("```")[1]
    assert table.split()[:4] == ["W", "R", "P", "K"]
    assert "W: wygrana, R: remis, P: przegrana, K: krupier bez kwalifikacji" in text
    assert "…" not in table
    assert all(len(line) <= 30 for line in table.splitlines())


def test_pay_tables_are_suggested_with_their_edge_and_invalid_ones_refused() -> None:
    suggestions = pay_choices("bonus", "1/4")
    assert suggestions == [("1/4/5: house edge 3.37%", "1/4/5")]
    with pytest.raises(TextError, match="1/4/5"):
        three_card_board("", tables=PayTables(bonus="1"))


def test_hands_are_named_in_the_rank_words_of_all_games() -> None:
    for category, ranks, words in (
        (Category.PAIR, (0, 0, 12), "a pair of twos with an ace"),
        (Category.THREE_OF_A_KIND, (4, 4, 4), "three sixes"),
        (Category.FLUSH, (6, 3, 1), "an eight-high flush, 8-5-3"),
        (Category.HIGH_CARD, (9, 4, 2), "jack high, J-6-4"),
    ):
        assert hand_name(category, ranks) == words


def test_three_ranks_are_a_hand_of_example_suits() -> None:
    for typed, name in (
        ("Q64", "Queen high, Q-6-4"),
        ("queen six four", "Queen high, Q-6-4"),
        ("10 9 5", "Ten high, 10-9-5"),
        ("QQ4", "A pair of queens with a four"),
        ("Q64s", "A queen-high flush, Q-6-4"),
    ):
        text = board_text(three_card_board(typed))
        assert name in text
        assert "You gave no suits, so this is an example." in text
    assert "You gave no suits" not in board_text(three_card_board("Qs 6h 4d"))
    # and none of them a card that was seen
    assert "You saw Q♠ 6♠ 6♥" in board_text(three_card_board("Q64", "Qs 6s 6h"))
