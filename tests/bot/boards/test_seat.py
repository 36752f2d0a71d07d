"""A player's private message at a table: the bid to beat, the cards, bid buttons and advice."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from bot.boards import seat
from bot.boards.board import Board, Button, Hand, Menu, Text
from bot.boards.hint import hint_sentences, surest_bid
from bot.boards.pad import MORE, PadOffer, Pick, step_of, steps_to
from bot.boards.seat import Notice, claim, seat_board, stake
from bot.boards.turns import reminder_direct_message, reminder_line
from bot.language.catalogues import KEYS, speaking
from bot.recent import Recent
from bot.tables.live import LiveTable
from bot.tables.model import Status
from engine.actions import Challenge, MakeBid
from engine.bids import Bid
from engine.cards import Cards, Rank
from engine.odds.bids.exact import seat_odds
from engine.play import legal, start
from engine.players import hint
from engine.ruleset import Options
from engine.state import Match, SeatStatus
from engine.variants import VARIANTS, ruleset
from engine.view import view_of
from tests.bot.boards.rounds import (
    ANN,
    BOB,
    CLEO,
    LIARS,
    NAMES,
    THAI,
    bid,
    board_text,
    dealt,
    doubt,
    live,
)
from tests.bot.boards.test_practice import AGNES
from tests.bot.boards.test_table import first_out
from tests.dealing import play, stacked_deal
from tests.engine.rounds import with_cards

LOBBY = Status.LOBBY
ODDS: dict[str, Any] = {"options": {"odds_at_table": "seats"}}
RULES = Button("rulebook", "Rules")  # in the last row of every seat
CHALLENGE = Button("doubt", "Challenge", "danger")
ACE_ALONE = {0: "As", 1: "9c"}


def two_with_a_card(*bids: str, **changes: Any) -> LiveTable:
    """Return a table where Ann holds an ace, Bob a nine, and these bids were made, Ann's first."""
    match = with_cards(start(ruleset(LIARS), (ANN, BOB), 0), 1, 1)
    match = play(match, stacked_deal(match, ACE_ALONE))
    return live(bid(match, *bids), players=(ANN, BOB), **changes)


def buttons(board: Board) -> list[Button]:
    return [button for row in board.rows if not isinstance(row, Menu) for button in row]


def labels(board: Board) -> list[str]:
    """Return the labels of the buttons in the board's rows."""
    return [button.label for button in buttons(board)]


def lines(board: Board) -> list[tuple[Button, ...]]:
    """Return the board's rows of buttons; each is one line on a phone."""
    return [row for row in board.rows if not isinstance(row, Menu)]


def test_the_bid_to_beat_is_at_the_bottom_and_the_cards_right_above_the_pad() -> None:
    live_table = live(bid(dealt(), "nine high", "pair of threes", "three nines"), **ODDS)
    before, standing, turn, hand = seat_board(live_table, ANN).blocks
    assert isinstance(before, Text)
    assert before.markdown.splitlines() == [
        "-# Liars' Poker · match 3 · Round 1",
        "-# You: nine high",
        f"-# <@{BOB}>: pair of threes",
    ]
    assert isinstance(standing, Text)
    assert standing == Text(f"### Three nines\n-# by <@{CLEO}>", CHALLENGE)
    assert turn == Text(
        "-# <1% likely by your cards, before they bid it.\n"
        "**Your turn:** bid higher, or challenge: say it isn't there."
    )
    assert isinstance(hand, Hand)


def test_a_players_own_standing_bid_is_called_theirs() -> None:
    live_table = live(bid(dealt(), "nine high", "pair of threes"))
    assert "### Pair of threes\n-# by you\n" in board_text(seat_board(live_table, BOB))
    assert f"-# <@{ANN}>: nine high" in board_text(seat_board(live_table, BOB))
    with speaking("pl"):
        assert "-# Twoja odzywka\n" in board_text(seat_board(live_table, BOB))
        assert "-# Ty: " in board_text(seat_board(live_table, ANN))


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("9c 9d", "-# You hold it."),
        ("9c *", "-# You hold it, with a joker."),
        ("9c Jd", " likely by your cards, before they bid it."),
    ],
)
def test_a_seat_says_why_the_standing_bid_is_certain(cards: str, words: str) -> None:
    match = start(ruleset(LIARS), (ANN, BOB), 0)
    match = bid(play(match, stacked_deal(match, {1: cards})), "pair of nines")
    assert words in board_text(seat_board(live(match, players=(ANN, BOB), **ODDS), BOB))


def test_the_opener_reads_that_they_open_and_others_read_who_opens() -> None:
    board = seat_board(live(dealt()), ANN)
    assert "**Your turn:** open with any bid." in board_text(board)
    assert "No bid yet" not in board_text(board), "which is what to open says"
    assert f"### No bid yet\nIt's <@{ANN}>'s turn." in board_text(seat_board(live(dealt()), BOB))
    learning = board_text(seat_board(live(dealt()), BOB, learning=True))
    assert "True if" not in learning
    assert "At six you're out" in learning


def test_nothing_is_coloured_by_advice_and_only_the_challenge_is_red() -> None:
    live_table = live(bid(dealt(), "nine high", "pair of threes", "three nines"))
    meant = (live_table.match.ruleset.wording.parse("four nines"),)  # type: ignore[union-attr]
    notice = Notice("Did you mean it?", meant)
    for board in (seat_board(live_table, ANN), seat_board(live_table, ANN, notice=notice)):
        assert {button.style for button in buttons(board)} == {"secondary"}
        assert [block.beside for block in board.blocks if isinstance(block, Text)] == [
            *(None, CHALLENGE, None),
            *([None] if len(board.blocks) == 5 else []),
        ]


def enabled_labels(board: Board) -> list[str]:
    """Return the labels of the buttons in the board's rows that can be pressed."""
    return [button.label.replace("\u00a0", " ") for button in buttons(board) if not button.disabled]


def test_kinds_have_their_best_chance_and_those_without_room_are_behind_one_button() -> None:
    live_table = two_with_a_card(**ODDS)
    board = seat_board(live_table, ANN)
    assert enabled_labels(board) == [
        *(
            "High card 100",
            "Pair 9",
            *("Two pair 0", "Three 0", "Flush 0", "Straight 0", "Full house 0"),
            "More…",
            "Bid lowest: two high · 11%",
            "Type…",
            "Rules",
        )
    ]
    assert [row[0].label for row in lines(board)[2:4]] == ["Flush\u00a00", "Full\u00a0house\u00a00"]
    (more_button,) = [button for button in buttons(board) if button.label == "More…"]
    further = seat_board(live_table, ANN, Pick.read(more_button.choice))
    assert enabled_labels(further)[:8] == [
        *("Two pair 0", "Three 0", "Flush 0", "Straight 0"),
        *("Full house 0", "Four 0", "Str. flush 0", "Five 0"),
    ]
    assert enabled_labels(further)[-1] == "Back"
    (back,) = [button for button in buttons(further) if button.label == "Back"]
    assert seat_board(live_table, ANN, Pick.read(back.choice)) == board
    with speaking("pl"):
        polish = enabled_labels(seat_board(two_with_a_card(**ODDS), ANN))
    assert polish[:2] == ["Karta 100", "Para 9"]
    top = seat_board(two_with_a_card("five kings", **ODDS), BOB)  # where nothing can hold
    assert enabled_labels(top) == ["Five 0", "Bid next: five aces · 0%", "Type…", "Rules"]


def test_likely_kinds_without_room_are_mentioned_as_higher_ones() -> None:
    live_table, player = table_at(LIARS, 6, "early", "seats")
    board = seat_board(live_table, player)
    assert "More…" in enabled_labels(board)
    assert "Four 14" not in enabled_labels(board)
    assert "Four 14" in enabled_labels(seat_board(live_table, player, Pick.read(MORE)))


@pytest.mark.parametrize("game", [LIARS, THAI])
def test_between_people_a_seat_says_no_number(game: str) -> None:
    for options in ({}, {"odds_at_table": "off"}):
        for pick in ("", MORE, "pair", "full_house", "flush", "pair.A"):
            silent = seat_board(live(dealt(game), game, options=options), ANN, Pick.read(pick))
            assert not any(
                re.search(r"\d$", button.label) for button in buttons(silent) if button.rank is None
            )
            assert "%" not in board_text(silent)
    few = seat_board(two_with_a_card(), ANN)
    assert enabled_labels(few)[7] == "More…", "in the order of the ladder"


def test_against_computers_alone_a_seat_says_how_likely_bids_are() -> None:
    match = with_cards(start(ruleset(LIARS), (ANN, AGNES), 0), 1, 1)
    match = play(match, stacked_deal(match, ACE_ALONE))
    for options, with_numbers in (({}, True), ({"odds_at_table": "off"}, False)):
        board = seat_board(live(match, players=(ANN, AGNES), options=options), ANN)
        assert ("High card 100" in enabled_labels(board)) is with_numbers
    both = seat_board(live(match, players=(ANN, AGNES, BOB)), ANN)
    assert "High card" in enabled_labels(both)


def test_a_step_asks_above_its_keys_in_place_of_the_line_about_the_turn() -> None:
    match = dealt()
    questions = {
        "pair": "Pair: which rank?",
        "two_pair": "Two pair: the higher pair?",
        "straight": "Straight: up to which rank?",
        "full_house": "Full house: three of which rank?",
        "full_house.A": "Three aces and which pair?",
        "two_pair.K": "Kings and which lower pair?",
        "flush.T": "Flush: which suit?",
    }
    for pick, words in questions.items():
        board = seat_board(live(match), ANN, Pick.read(pick))
        *_, turn, hand = board.blocks
        assert turn == Text(f"**{words}**")
        assert isinstance(hand, Hand)
        at_once = [button for button in buttons(board) if button.verb == "call"]
        assert bool(at_once) is (pick != "flush.T"), "the next bid, but where the suits are"
        assert not any(button.disabled for button in buttons(board) if button.rank is None)
    suits = lines(seat_board(live(match), ANN, Pick.read("flush.T")))[-2]
    assert [button.label for button in suits] == ["♣", "♦", "♥", "♠"]
    chosen = seat_board(live(match), ANN, Pick.read("full_house.A.Q"))
    assert "**Your turn:** open with any bid." in board_text(chosen)
    assert [button.label for button in lines(chosen)[-2]] == ['Bid "aces full of queens"']
    board = seat_board(live(match, **ODDS), ANN, Pick.read("pair.A"))
    assert re.fullmatch('Bid "pair of aces"\u00a0·\u00a0\\d\\d%', lines(board)[-2][0].label)


def test_the_question_says_which_of_a_kinds_bids_its_number_was_about() -> None:
    live_table = two_with_a_card(**ODDS)
    assert "High card 100" in enabled_labels(seat_board(live_table, ANN))
    board = seat_board(live_table, ANN, Pick.read("high_card"))
    assert "**High card: which rank?**\n-# Likeliest: ace high, 100%" in board_text(board)
    assert "Likeliest" not in board_text(seat_board(two_with_a_card(), ANN, Pick.read("high_card")))


HINT = Notice("**Hint.** Do it.", hint="**Hint.** Do it.")


def test_a_hint_moves_no_button_at_any_step_of_the_pad() -> None:
    live_table = live(bid(dealt(), "nine high", "pair of nines", "kings and fives"))
    visited, left = {""}, [""]
    while left:
        pick = Pick.read(left.pop())
        board = seat_board(live_table, ANN, pick, HINT, hints=True)
        assert "> **Hint.** Do it." in board_text(board)
        assert lines(board) == lines(seat_board(live_table, ANN, pick, hints=True))
        for button in buttons(board):
            if button.verb == "pad" and not button.disabled and button.choice not in visited:
                visited.add(button.choice)
                left.append(button.choice)
    assert Notice("Did you mean …?", hint=HINT.hint).hint_alone == HINT
    assert Notice("Did you mean …?").hint_alone is None


def test_a_hint_takes_the_room_of_an_earlier_bid() -> None:
    live_table = live(bid(dealt(), "nine high", "ten high", "pair of nines"))
    for notice, has_earlier_bid in ((None, True), (HINT, False)):
        words = board_text(seat_board(live_table, ANN, notice=notice, learning=True))
        assert (f"<@{BOB}>: ten high" in words) is has_earlier_bid
        assert ("Lose a round: +1 card" in words) is has_earlier_bid


def test_a_hint_leaves_out_what_it_makes_needless() -> None:
    live_table = live(bid(dealt(), "nine high", "pair of nines"))
    for notice, has_line in ((None, True), (HINT, False)):
        words = board_text(seat_board(live_table, CLEO, notice=notice, learning=True))
        assert ("say it isn't there" in words) is has_line
        assert ("True if the 6 cards" in words) is has_line
        assert ("**Your turn:** bid or challenge." in words) is not has_line


def test_ranks_are_cards_in_fixed_places_and_the_chosen_one_stays_visible() -> None:
    live_table = live(bid(dealt(), "pair of nines"))
    board = seat_board(live_table, BOB, Pick.read("pair"))
    assert [[button.label for button in row] for row in lines(board)[:4]] == [
        *(["2", "3", "4"], ["5", "6", "7"], ["8", "9", "10"], ["J", "Q", "K", "A"])
    ]
    ranks = [button for row in lines(board)[:4] for button in row]
    assert all(button.rank is not None and button.beside_card == "" for button in ranks)
    assert [button.label for button in ranks if not button.disabled] == ["10", "J", "Q", "K", "A"]
    for pick, chosen in (("pair.K", "K"), ("flush.T", "10"), ("flush.T.h", "10")):
        grid = [
            button
            for row in lines(seat_board(live_table, BOB, Pick.read(pick)))[:4]
            for button in row
        ]
        assert [button.label for button in grid if button.style == "primary"] == [chosen]
    for pick in ("flush", "flush.h"):  # in Thai Poker a flush has no rank
        thai = seat_board(live(dealt(THAI), THAI), ANN, Pick.read(pick))
        assert [button.label for button in buttons(thai) if button.style == "primary"] == ["Flush"]


def test_a_bid_has_its_first_rank_beside_it() -> None:
    live_table = live(bid(dealt(), "pair of nines"))
    for pick, label, rank in (
        ("", "Bid next: pair of tens", "T"),
        ("=four:9", 'Bid "four nines"', "9"),
    ):
        board = seat_board(live_table, BOB, Pick.read(pick))
        button = next(button for button in buttons(board) if button.label.startswith(label))
        assert button.rank is not None
        assert button.rank.char == rank
        assert button.beside_card is None, "the bid is said in words"
        assert button.verb == "call", "it acts at once"
    meant = Notice("Did you mean …?", (ruleset(LIARS).wording.parse("kings and fives"),))
    offered, *_ = buttons(seat_board(live(dealt()), ANN, notice=meant))
    assert offered.rank is Rank.KING


def test_a_notice_is_above_the_pad_and_the_bid_that_was_meant_comes_first() -> None:
    *_, hand, notice = seat_board(live(dealt()), ANN, notice=Notice("That is no bid.")).blocks
    assert isinstance(hand, Hand)
    assert notice == Text("> That is no bid.")
    parse = ruleset(LIARS).wording.parse
    meant = (parse("two high"), parse("pair of threes"))
    board = seat_board(live(dealt()), ANN, notice=Notice("Did you mean …?", meant))
    assert labels(board)[:2] == ['Bid "pair of threes"', "Bid lowest: two high"]


# cards each, and what was bid
STAGES: dict[str, dict[str, tuple[int, tuple[str, ...]]]] = {
    LIARS: {
        "few cards": (1, ()),
        "opening": (3, ()),
        "early": (3, ("nine high", "pair of nines")),
        "late": (4, ("nine high", "pair of nines", "kings and fives", "four kings")),
        "last": (4, ("five kings",)),
    },
    THAI: {
        "few cards": (1, ()),
        "opening": (3, ()),
        "early": (3, ("high card nine", "pair of nines")),
        "late": (4, ("high card nine", "pair of nines", "three aces", "four jacks")),
        "last": (4, ("heart royal flush",)),
    },
}


def table_at(game: str, players: int, stage: str, odds: str) -> tuple[LiveTable, int]:
    """Return a table at a stage of a round, and the player whose turn it is."""
    cards, bids = STAGES[game][stage]
    people = tuple(range(ANN, ANN + players))
    match = with_cards(start(ruleset(game), people, 0), *[cards] * players)
    match = bid(play(match, stacked_deal(match, {})), *bids)
    assert match.round is not None
    options = {"odds_at_table": odds}
    return live(match, game, players=people, options=options), people[match.round.turn]


@pytest.mark.parametrize("odds", ["seats", "on"])
@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize(
    ("game", "stage"), [(game, stage) for game, stages in STAGES.items() for stage in stages]
)
def test_the_pad_is_as_high_at_every_step_and_the_challenge_has_one_place(
    game: str, stage: str, players: int, odds: str
) -> None:
    live_table, player = table_at(game, players, stage, odds)
    pad = seat_board(live_table, player)
    challenge = [block.beside for block in pad.blocks if isinstance(block, Text)]
    assert (CHALLENGE in challenge) is bool(STAGES[game][stage][1])
    visited, left = {""}, [""]
    while left:
        board = seat_board(live_table, player, Pick.read(left.pop()))
        *above, turn, hand = board.blocks
        assert (above, hand) == ([*pad.blocks[:-2]], pad.blocks[-1])
        assert isinstance(turn, Text)
        assert len(lines(board)) == len(lines(pad))
        assert [len(row) <= 2 for row in lines(pad)] == [True] * len(lines(pad)), "a phone's line"
        assert all(len(row) <= 4 for row in lines(board))
        assert all(button.verb != "doubt" for button in buttons(board))
        controls = [(button.verb, button.choice) for button in buttons(board)]
        assert len(controls) == len(set(controls)), "Discord refuses two controls of one id"
        for button in buttons(board):
            if button.verb == "pad" and not button.disabled and button.choice not in visited:
                visited.add(button.choice)
                left.append(button.choice)


@pytest.mark.parametrize("odds", ["seats", "on"])
@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize(
    ("game", "stage"), [(game, stage) for game, stages in STAGES.items() for stage in stages]
)
def test_bids_that_were_meant_replace_the_pad_but_not_its_last_lines(
    game: str, stage: str, players: int, odds: str
) -> None:
    live_table, player = table_at(game, players, stage, odds)
    assert live_table.match is not None
    pad = seat_board(live_table, player)
    legal_bids = [legal_bid for rung in legal(live_table.match).rungs for legal_bid in rung]
    for meant in (legal_bids[:1], legal_bids[-3:], legal_bids[::-1][:2], legal_bids[:5]):
        notice = Notice("Did you mean …?", tuple(meant))
        board = seat_board(live_table, player, Pick.read("pair"), notice)
        assert len(lines(board)) <= len(lines(pad))
        others = [bid for bid in meant if bid != legal_bids[0]]  # that has its line already
        next_too = legal_bids[0] in meant or len(others) < len(lines(pad)) - 2
        if next_too:
            assert lines(board)[-2] == lines(pad)[-2]
        assert lines(board)[-1][0] == lines(pad)[-1][0]
        *rows, (_, back) = lines(board)
        offered = [button for row in rows[: len(rows) - next_too] for button in row]
        assert [(button.verb, button.choice) for button in offered] == [
            ("call", bid.key) for bid in others[: len(offered)]
        ], "one press makes it"
        assert bool(offered) is bool(others)
        assert (
            len({button.choice for button in buttons(board)} - {""}) == len(offered) + next_too + 1
        )
        assert back.label == "Back"
        assert seat_board(live_table, player, Pick.read(back.choice)) == pad


def taps_to_bids(shown: LiveTable) -> dict[str, int]:
    """Return the fewest taps, up to six, that make each bid in Ann's seat, by the bid's key."""
    taps: dict[str, int] = {}
    picks = {""}
    visited = set(picks)
    for tap in range(1, 7):
        following = set()
        for pick in picks:
            for button in buttons(seat_board(shown, ANN, Pick.read(pick))):
                if button.verb == "call":
                    taps.setdefault(button.choice, tap)
                elif button.verb == "pad" and not button.disabled and button.choice not in visited:
                    following.add(button.choice)
        visited |= following
        picks = following
    return taps


def test_the_next_bid_takes_a_tap_a_lowest_pair_two_another_three_two_ranks_four() -> None:
    live_table, _ = table_at(LIARS, 6, "opening", "on")
    taps_needed = taps_to_bids(live_table)
    assert taps_needed["high_card:2"] == 1
    assert [taps_needed[f"pair:{rank}"] for rank in "23456789TJQKA"] == [2, *[3] * 12]
    for kind in ("two_pair", "full_house"):
        assert max(taps for key, taps in taps_needed.items() if key.startswith(kind)) == 4


@pytest.mark.parametrize("odds", ["seats", "on", "off"])
@pytest.mark.parametrize("game", [LIARS, THAI])
def test_every_bid_is_made_in_four_presses_and_an_unlikely_one_in_one_or_two_more(
    game: str, odds: str
) -> None:
    live_table = live(dealt(game), game, options={"odds_at_table": odds})
    assert live_table.match is not None
    taps_needed = taps_to_bids(live_table)
    assert taps_needed.keys() == {
        legal_bid.key for rung in legal(live_table.match).rungs for legal_bid in rung
    }
    assert max(taps_needed.values()) <= 6
    assert max(taps for key, taps in taps_needed.items() if key.startswith(("high", "pair"))) <= 4


def test_the_rules_are_in_the_last_row_of_every_seat_and_never_where_the_challenge_is() -> None:
    opened = bid(dealt(), "nine high")
    for live_table in (
        live(dealt()),
        live(opened),
        live(doubt(opened)),
        live(None, status=LOBBY),
    ):
        for player in (ANN, BOB):
            board = seat_board(live_table, player)
            beside = [
                block.beside for block in board.blocks if isinstance(block, Text) and block.beside
            ]
            assert beside in ([], [CHALLENGE])
            assert lines(board)[-1][1] == RULES


LONGEST = 140  # characters in small print
JOKER = " A joker is any card."
# of each kind of hand: what its line says
LINES = {
    LIARS: {
        "two high": f"a two. Other cards don't matter.{JOKER}",
        "pair of kings": f"two kings or more.{JOKER}",
        "tens and threes": f"two tens and two threes or more.{JOKER}",
        "three sixes": f"three sixes or more.{JOKER}",
        "eight high club flush": f"the 8♣ and four more clubs. Higher ones don't matter.{JOKER}",
        "ten high straight": f"a six, a seven, an eight, a nine and a ten. Any suits.{JOKER}",
        "tens full of jacks": f"three tens and two jacks or more.{JOKER}",
        "four queens": f"four queens.{JOKER}",
        "six high spade straight flush": f"the 2♠, the 3♠, the 4♠, the 5♠ and the 6♠.{JOKER}",
        "five sevens": f"five sevens.{JOKER}",
    },
    THAI: {
        "high card nine": "a nine. Other cards don't matter.",
        "pair of kings": "two kings or more.",
        "small straight": "a nine, a ten, a jack, a queen and a king. Any suits.",
        "three aces": "three aces or more.",
        "aces full of tens": "three aces and two tens or more.",
        "club flush": "five cards of ♣.",
        "four jacks": "four jacks.",
        "heart straight flush": "the 10♥, the J♥, the Q♥, the K♥ and the A♥ or the 9♥.",
        "spade royal flush": "the 10♠, the J♠, the Q♠, the K♠ and the A♠.",
    },
}


@pytest.mark.parametrize("language", KEYS)
def test_every_bid_has_a_line_that_fits_two_of_a_phones(language: str) -> None:
    for game in VARIANTS:
        rules = ruleset(game)
        with speaking(language):
            claims = {claim(rules, bid, 30) for bid in rules.ladder}
        assert max(map(len, claims)) <= LONGEST


@pytest.mark.parametrize("game", LINES)
def test_a_line_tells_the_needed_cards_of_a_bid_and_what_else_satisfies_it(game: str) -> None:
    rules, kinds = ruleset(game), set()
    for text, needs in LINES[game].items():
        bid = rules.wording.parse(text)
        kinds.add(bid.kind)
        assert claim(rules, bid, 12) == f"True if the 12 cards include {needs}"
    assert kinds == set(rules.ladder.kinds)


@pytest.mark.parametrize(
    ("options", "text", "needs"),
    [
        ({"jokers": 0}, "four queens", "four queens"),
        (
            {"jokers": 0, "flush_card": "highest"},
            "eight high club flush",
            "the 8♣ and four lower cards of ♣",
        ),
    ],
)
def test_a_line_follows_the_house_rules(options: Options, text: str, needs: str) -> None:
    rules = ruleset(LIARS, options)
    line = claim(rules, rules.wording.parse(text), 12)
    assert line == f"True if the 12 cards include {needs}."


def test_a_claim_is_complete_in_polish_too() -> None:
    rules = ruleset(LIARS)
    with speaking("pl"):
        line = claim(rules, rules.wording.parse("pair of kings"), 12)
    assert line == "Potrzeba dwóch króli (lub więcej) wśród 12 kart. Joker to dowolna karta."


def test_the_number_of_cards_that_is_too_many_follows_the_rules() -> None:
    for game, players, too_many in (
        (LIARS, 2, "six"),
        (LIARS, 5, "six"),
        (THAI, 2, "seven"),
        (THAI, 4, "six"),
        (THAI, 9, "three"),
    ):
        view = view_of(start(ruleset(game), tuple(range(ANN, ANN + players)), 0))
        assert stake(view) == f"-# Lose a round: +1 card. At {too_many} you're out."
    assert stake(view_of(first_out(5, 2, 2))) == ""  # a play-off has one of its own


def test_a_beginners_seat_explains_the_standing_bid_and_the_cost_of_a_loss() -> None:
    live_table = live(bid(dealt(), "nine high", "pair of threes"))
    board = board_text(seat_board(live_table, ANN, learning=True))
    assert "include two threes or more." in board
    assert "At six you're out" in board
    known = board_text(seat_board(live_table, ANN))
    assert "True if" not in known
    assert "out" not in known


# -- the pad: every legal bid in at most four presses, and nothing else ----------------------------


def walks(legal: list[Bid], pick: Pick, presses: int) -> dict[str, int]:
    """Return how many presses make each bid that can be reached from a pick, by the bid's key.

    `presses`: the number of presses that made the pick; they are counted too.
    """
    step = step_of(legal, pick)
    if step.bid is not None:
        return {step.bid.key: presses + 1}  # the last press says Bid
    presses_needed: dict[str, int] = {}
    for value, _ in step.choices:
        further = walks(legal, step.pick.and_then(value), presses + 1)
        assert not presses_needed.keys() & further.keys(), "one bid, one way"
        presses_needed |= further
    return presses_needed


@pytest.mark.parametrize("key", list(VARIANTS))
def test_every_legal_bid_is_reached_in_four_presses_and_no_other(key: str) -> None:
    for above in (0, 1, 17, 60):
        legal = [bid for rung in ruleset(key).ladder.rungs[above:] for bid in rung]
        presses_needed = walks(legal, Pick(), 0)
        assert set(presses_needed) == {bid.key for bid in legal}
        assert max(presses_needed.values(), default=0) <= 4


def test_a_forged_or_too_low_pick_starts_over_and_a_complete_one_is_confirmed() -> None:
    rules = ruleset("liars_poker")
    legal = list(rules.ladder)
    assert step_of(legal, Pick(key="full_house:A,Q")).bid == rules.ladder.bid("full_house:A,Q")
    for text in ("no_such_kind", "pair.X", "=pair:Z", "....", "=", "pair.A.A.A.A", "two_pair.A.A"):
        step = step_of(legal, Pick.read(text))
        assert step.bid is not None or step.choices
    left = [bid for rung in rules.ladder.rungs[100:] for bid in rung]
    for text in ("high_card", "=pair:2"):
        assert step_of(left, Pick.read(text)).pick == Pick()


def test_a_pick_is_read_as_it_was_written_and_leads_back_step_by_step() -> None:
    for text in ("", "full_house", "full_house.A", "=full_house:A,Q"):
        assert Pick.read(text).text == text
    pick = Pick.read("full_house.A")
    assert pick.back == Pick.read("full_house")
    assert pick.back.back == pick.back.back.back == Pick()


@pytest.mark.parametrize("key", list(VARIANTS))
def test_the_steps_to_a_bid_lead_to_it(key: str) -> None:
    for above in (0, 60):
        legal = [bid for rung in ruleset(key).ladder.rungs[above:] for bid in rung]
        for legal_bid in legal:
            assert step_of(legal, steps_to(legal, legal_bid)).bid == legal_bid


def test_every_choice_on_the_pad_has_a_label() -> None:
    legal = list(ruleset("thai_poker").ladder)
    kinds = step_of(legal, Pick())
    assert ("full_house", "Full house") in kinds.choices
    assert step_of(legal, Pick.read("flush")) == PadOffer(
        Pick(("flush",)),
        "suit",
        (("c", "♣ Clubs"), ("d", "♦ Diamonds"), ("h", "♥ Hearts"), ("s", "♠ Spades")),
    )


# -- a hint in words: what stands, what to do and why ----------------------------------------------


def round_of(key: str, bids: list[str], hands: dict[int, str], seats: int = 3, **options) -> Match:
    match = start(ruleset(key, options), range(seats), 0)
    match = play(match, stacked_deal(match, hands))
    for number, text in enumerate(bids):
        key = match.ruleset.wording.parse(text).key
        match = play(match, MakeBid(number % seats, key))
    return match


def hint_said(match: Match, seat: int, advised: tuple[int | None, float] | None = None) -> str:
    advice = hint(view_of(match, seat), advised)
    assert advice is not None
    sure = surest_bid(view_of(match, seat))
    return " ".join(hint_sentences(advice, match.ruleset, sure)).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("match", "seat", "words"),
    [
        (
            round_of(LIARS, [], {0: "9c 2d"}),
            0,
            'Bid "two high": you hold it, so it can\'t fail. Start low and you give nothing away:'
            " later you can still go up to nine high.",
        ),
        (
            round_of(THAI, ["pair of aces"], {1: "9c 9d"}),
            1,
            "Pair of aces is 14% likely by your cards alone. Challenge, unless you believe it:"
            " it's only 14% likely by your cards, and nothing higher is above 34%.",
        ),
        (
            round_of(LIARS, ["pair of twos"], {1: "3c 2d"}),
            1,
            "Pair of twos is 34% likely by your cards alone. Challenge, unless you believe it:"
            " it's only 34% likely by your cards, and nothing higher is above 34%.",
        ),
        (
            round_of(LIARS, ["spades royal flush"], {0: "2c 3c", 1: "2d 3d"}, seats=2, jokers=0),
            1,
            "Spade royal flush can't be there, given your cards. Challenge: whatever the others"
            " hold, it can't be there.",
        ),
        (
            round_of(LIARS, ["five aces"], {1: "Ac Ad"}),
            1,
            "Five aces is <1% likely by your cards alone. Challenge: nothing is higher.",
        ),
        (
            round_of(LIARS, ["three high"], {1: "3c Kd"}),
            1,
            "Three high is there for sure: you hold it."
            ' Bid "king high": you hold it, so it can\'t fail.',
        ),
        (
            round_of(LIARS, ["pair of twos"], {2: "Kc Kd"}, challengers="anyone"),
            2,
            "Pair of twos is 6% likely by your cards alone. Wait: it isn't your turn, and a wrong"
            " challenge costs you a card.",
        ),
        (
            round_of(LIARS, ["ace high"], {1: "3c Ad"}, seats=8),
            1,
            "Ace high is there for sure: you hold it."
            ' Bid "pair of threes": it\'s 81% likely, and nothing higher is likelier.'
            " You don't have to hold it: bluffing is the game.",
        ),
    ],
)
def test_the_hints_words_are_right(match: Match, seat: int, words: str) -> None:
    assert hint_said(match, seat) == words


@pytest.mark.parametrize(
    ("bids", "bid", "often", "words"),
    [
        (
            [],
            "pair of aces",
            0.624,
            'Bid "pair of aces": it\'s 39% likely. Perfect play mostly does this.',
        ),
        (
            [],
            "pair of aces",
            0.18,
            'Bid "pair of aces": it\'s 39% likely. Perfect play mixes several moves here, and this'
            " is one of them.",
        ),
        (
            ["pair of kings"],
            None,
            0.996,
            "Pair of kings is 8% likely by your cards alone. Challenge: the bidder may hold it, but"
            " going higher is no better. Perfect play mostly does this.",
        ),
        (
            ["pair of kings"],
            "three aces",
            1.0,
            "Pair of kings is 8% likely by your cards alone."
            " Bid \"three aces\" as a bluff: it's 4% likely. You don't have to hold it: bluffing is"
            " the game. Perfect play always does this.",
        ),
        (
            [],
            "ace high",
            0.3,
            'Bid "high card ace": you hold it, so it can\'t fail.',
        ),
        (
            [],
            "pair of aces",
            0.0,
            'Bid "pair of aces": it\'s 39% likely. I find nothing better.',
        ),
        (
            ["pair of kings"],
            "three aces",
            0.0,
            "Pair of kings is 8% likely by your cards alone."
            " Bid \"three aces\" as a bluff: it's 4% likely. You don't have to hold it: bluffing is"
            " the game. Given the bids so far, I find nothing better.",
        ),
    ],
)
def test_advice_says_how_often_perfect_play_does_it_or_that_nothing_is_better(
    bids: list[str], bid: str | None, often: float, words: str
) -> None:
    seat = len(bids)
    match = round_of(THAI, bids, {seat: "Ac 9c Td"}, seats=2)
    rules = match.ruleset
    place = rules.ladder.place(rules.wording.parse(bid)) if bid else None
    assert hint_said(match, seat, (place, often)) == words


def test_a_challenge_that_must_lose_is_not_recommended() -> None:
    match = round_of(LIARS, ["king high"], {1: "Kc Ad"})
    assert "Challenge" not in hint_said(match, 1)
    advice = hint(view_of(match, 1))
    assert advice is not None
    assert advice.action != Challenge(1)


# -- the line that reminds somebody of their turn --------------------------------------------------


def test_it_says_whether_the_standing_bid_was_made_by_the_house() -> None:
    by_player = live(bid(dealt(), "nine high"))
    expected = BOB, f"<@{BOB}>, your turn: Ann bid **nine high**"
    assert reminder_line(by_player, NAMES, None) == expected
    match = by_player.match
    assert match is not None
    by_house = replace(by_player, by_house=frozenset({match.seq}))
    reminder = reminder_line(by_house, NAMES, None)
    assert reminder == (BOB, f"<@{BOB}>, your turn: Ann (played by the bot) bid **nine high**")
    assert "Ann (played by the bot) bid" in (reminder_direct_message(by_house, NAMES) or "")


def test_the_opener_of_a_round_is_told_that_they_open() -> None:
    reminder = reminder_line(live(dealt()), NAMES, "https://x.test/1")
    assert reminder is not None
    assert reminder[0] == ANN
    assert "you open round 1 of Liars' Poker · [to the table](https://x.test/1)" in reminder[1]


def test_an_eliminated_player_is_not_told_that_the_bot_plays_for_them() -> None:
    match = dealt()
    seats = (*match.seats[:2], replace(match.seats[2], standing=SeatStatus.OUT))
    board = seat_board(live(replace(match, seats=seats), absent={CLEO: 2}), CLEO)
    assert "You're out of this match." in board_text(board)
    assert "You are away" not in board_text(board)
    assert labels(board) == ["Refresh", "Rules"]


def test_away_from_its_table_a_seat_also_shows_the_middle_hand() -> None:
    match = dealt(options={"middle_hand": True})
    text = board_text(seat_board(live(match), ANN, apart=True))
    assert "-# 8 cards in play, two of them in the middle: <@101>\u00a02 · <@102>\u00a02" in text


# -- the chances a seat shows: counted once a hand, and never those of another ---------------------


def test_chances_are_right_in_whatever_order_and_however_often_they_are_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seat, "_chances_of", Recent(100))
    hands = [
        (ruleset(game), in_play, Cards.parse(hole))
        for game in (LIARS, THAI)
        for in_play in (6, 7)
        for hole in ("Ah Kd", "Ah Kc")
    ]
    for hand in (*hands, *reversed(hands)):
        expected = {odds.bid.key: odds.chance.probability for odds in seat_odds(*hand)}
        assert seat.seat_chances(*hand) == expected


def test_a_hand_is_counted_once_and_the_oldest_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted: Counter[Any] = Counter()

    def counting(*hand: Any) -> Any:
        counted[hand[1:]] += 1
        return seat_odds(*hand)

    monkeypatch.setattr(seat, "seat_odds", counting)
    monkeypatch.setattr(seat, "_chances_of", Recent(2))
    first, second, third = [(ruleset(LIARS), number, Cards.parse("Ah")) for number in (3, 4, 5)]
    for hand in (first, second, first, third, first, second):  # the third drives out the second
        seat.seat_chances(*hand)
    assert counted == {first[1:]: 1, second[1:]: 2, third[1:]: 1}
