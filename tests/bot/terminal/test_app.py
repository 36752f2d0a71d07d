"""A match in the terminal, played with the keyboard."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from threading import Event
from unittest.mock import ANY

import pytest

from bot.boards.hint import hint_sentences
from bot.cli.output import columns
from bot.pictures.palette import CARD_PAPER, GOLD, web
from bot.tables.daily import daily
from bot.terminal.app import TerminalApp
from bot.terminal.sentences import to_share, verdict
from bot.terminal.table import DailyTable, TerminalTable
from engine.actions import Challenge, MakeBid
from engine.cards import Rank
from engine.errors import BidTooLow
from engine.play import apply, start
from engine.players import CHARACTERS, Character, Choice, Memory, choose, hint, observe
from engine.players.blueprint.values import likeliest_action
from engine.players.careful import choose as careful
from engine.players.hints import HintReason
from engine.state import Outcome, Phase
from engine.variants import ruleset
from engine.view import EndedRound
from tests.bot.cli.refused import refusal
from tests.bot.terminal.screen import SIZE, Player, start_match
from tests.dealing import play, stacked_deal

LIARS, THAI = "liars_poker", "thai_poker"


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "word", "against"),
    [(LIARS, "Challenge:", ("sharp", "sly", "wild")), (THAI, "Check:", ("careful",))],
)
async def test_a_whole_match_is_played_by_keys(game, word, against) -> None:
    async with start_match(game, against, seed=5, length="first_out") as player:
        rounds = 1
        while player.phase is not Phase.OVER:
            if player.phase is Phase.DEAL:
                assert "Enter deals the next round" in player.text
                await player.press("enter")
                rounds += 1
                continue
            assert "Your turn" in player.text
            if rounds == 1:
                await player.press("h")
            doubts = player.app.table.may_challenge and word in player.text
            await player.press(*("c" if doubts else ("n", "enter")))
        assert rounds >= 3
        assert "the match" in player.text
        assert "Enter plays again" in player.text
        first = player.app.table.match
        await player.press("enter")
        assert player.app.table.match.seq < first.seq
        assert "Round 1" in player.text


async def test_any_bid_is_made_on_the_pad_by_its_keys() -> None:
    async with start_match(LIARS, ["careful"], seed=1) as player:
        while not player.app.legal():
            await player.press("enter")
        await player.press("7")  # full house
        assert "Which rank?" in player.text
        await player.press("Q")
        assert "And the second rank?" in player.text
        await player.press("2")
        assert 'Bid "queens full of twos"?' in player.text
        await player.press("escape")
        assert "And the second rank?" in player.text
        await player.press("2", "enter")
        assert "You: Queens full of twos" in player.text


async def test_the_arrows_choose_as_well_and_letters_of_suits_are_suits_while_one_is_chosen() -> (
    None
):
    async with start_match(LIARS, ["careful"], seed=1) as player:
        await player.press("right", "down", "left", "right", "enter")  # straight
        assert "Which rank?" in player.text
        await player.press("left", "right", "enter")
        assert 'Bid "straight to the six"?' in player.text
        await player.press("escape", "escape", "escape", "5", "8")  # a flush with the eight
        assert "Which suit?" in player.text
        await player.press("c")
        assert 'Bid "eight high club flush"?' in player.text
        await player.press("escape", "h")
        assert 'Bid "eight high heart flush"?' in player.text
        assert player.phase is Phase.BIDDING


async def test_an_unclear_typed_bid_is_asked_about_and_not_played() -> None:
    async with start_match(THAI, ["careful", "careful"], seed=3) as player:
        before, say = player.round, player.app.table.rules.wording.say
        example = say(player.app.legal()[0])
        await player.type("xyzzy")
        assert f'"xyzzy" is not a bid here. Example: "{example}".' in player.text
        await player.type("pair")
        assert '"pair" does not say which pair. Example: "' in player.text
        await player.type("aces")
        assert '"aces" is not a bid here. Did you mean' in player.text
        assert player.round == before
        offered = player.app.legal()
        await player.press("2", "enter")
        higher_bid = next(bid for bid in player.round.bids if bid not in before.bids)
        assert (higher_bid.seat, higher_bid.bid.ranks) == (0, (Rank.ACE,))
        assert higher_bid.bid in offered
        while not player.app.legal():
            await player.press("enter")
        await player.type("three aces")
        assert "You: Three aces" in player.text


async def test_typed_text_is_kept_while_somebody_challenges() -> None:
    async with start_match(THAI, ["careful", "careful"], challengers="anyone", seed=3) as player:
        await player.press("/")
        player.app.table.play(Challenge(1))
        await player.pilot.press(*"xyzzy", "enter")
        assert "Enter deals the next round" in player.text


async def test_a_bid_that_is_too_low_is_refused_in_a_sentence() -> None:
    async with start_match(THAI, ["careful", "careful"], seed=3) as player:
        table = player.app.table
        standing = player.round.standing
        assert standing is not None
        lowest = table.rules.ladder.at(0)
        with pytest.raises(BidTooLow):
            apply(table.match, MakeBid(0, lowest.key))
        await player.type(table.rules.wording.say(lowest))
        assert "isn't higher than" in player.text
        assert player.round.standing == standing


async def test_q_asks_before_it_leaves() -> None:
    async with start_match(THAI, ["careful"], seed=3) as player:
        await player.press("q")
        assert "Quit this match?" in player.text
        await player.press("n")
        assert "Quit this match?" not in player.text
        await player.press("q", "q")
        assert "Quit this match?" not in player.text
        assert player.app.is_running
        await player.press("ctrl+c")
        await player.pilot.press("y")
        await player.pilot.pause()
        assert not player.app.is_running


async def test_q_in_a_typed_bid_is_a_letter() -> None:
    async with start_match(LIARS, ["careful"], seed=1) as player:
        await player.press("/", "q", "q", "enter")
        assert "You: Pair of queens" in player.text


async def test_the_rules_are_a_key_away() -> None:
    async with start_match(THAI, ["careful"], seed=3) as player:
        for key in ("r", "?"):
            await player.press(key)
            assert "24 cards, nine to ace" in player.text
            assert "Thai Poker ─" in player.text
            assert "**" not in player.text
            await player.press("escape")
            assert "24 cards, nine to ace" not in player.text


async def test_a_hint_gives_the_chance_and_a_reason() -> None:
    async with start_match(THAI, ["careful", "careful"], seed=3) as player:
        assert "of deals" not in player.text
        await player.press("h")
        assert "by your cards alone" in player.text
        assert "you hold it" in player.text or "likely" in player.text


async def test_a_hint_in_a_solved_round_follows_the_solution() -> None:
    async with start_match(THAI, ["careful"], seed=7) as player:
        view = player.app.table.seen
        position = observe(view, Memory("careful", 0))
        assert position is not None
        solved = likeliest_action(position, view.ruleset)
        by_table, by_careful = (hint(view, advice) for advice in (solved, None))
        assert by_table is not None
        assert by_careful is not None
        assert by_table.reason is HintReason.SOLVED
        assert by_table.action != by_careful.action
        await player.press("h")
        assert " ".join(hint_sentences(by_table, view.ruleset)) in player.text


async def test_a_hint_that_comes_after_the_move_is_not_shown(monkeypatch) -> None:
    released = Event()
    monkeypatch.setattr("bot.terminal.app._solved_advice", lambda _: released.wait(60) and None)
    async with start_match(THAI, ["careful"], seed=7) as player:
        position = player.app.table.seen
        by_careful = hint(position, None)
        assert by_careful is not None
        await player.pilot.press("h")
        before = player.app.table.match.seq
        await player.pilot.press("n", "enter")
        released.set()
        await player.settle()
        assert player.app.table.match.seq > before
        assert " ".join(hint_sentences(by_careful, position.ruleset)) not in player.text


async def test_if_a_hint_takes_too_long_carefuls_hint_is_shown(monkeypatch) -> None:
    released = Event()
    monkeypatch.setattr("bot.terminal.app._solved_advice", lambda _: released.wait(60) and None)
    monkeypatch.setattr("bot.terminal.app.HINT_SECONDS", 0)
    app = TerminalApp(TerminalTable(ruleset(THAI), ["careful"], 7), pause=0)
    async with app.run_test(size=SIZE) as pilot:
        player = Player(app, pilot)
        await player.settle()
        position = app.table.seen
        by_careful = hint(position, None)
        assert by_careful is not None
        await player.press("h")
        assert not released.is_set()
        assert " ".join(hint_sentences(by_careful, position.ruleset)) in player.text
    released.set()


@pytest.mark.thorough
def test_without_a_solution_a_hint_imports_no_numpy_and_no_compiler() -> None:
    program = """
import sys
from bot.terminal.app import _solved_advice
from bot.terminal.table import TerminalTable
from engine.variants import ruleset
for game in ("thai_poker", "liars_poker"):
    table = TerminalTable(ruleset(game), ["careful"] * 2, 7)
    table.deal()
    assert table.may_bid
    assert _solved_advice(table.seen) is None
print(sorted({"numpy", "numba"} & set(sys.modules)))
"""
    process = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert process.stdout.strip() == "[]"


async def test_the_others_cards_are_not_on_the_screen_before_the_showdown() -> None:
    async with start_match(LIARS, ["careful", "sharp"], seed=1) as player:
        hidden = [card for hand in player.round.hands[1:] for card in hand]
        assert len(hidden) == 4
        for card in hidden:
            assert card.symbol not in player.text
        await player.type("five aces")
        assert player.phase is Phase.DEAL
        for card in hidden:
            assert card.symbol in player.text
        assert "It isn't there. Missing:" in player.text
        assert "→ 3 cards" in player.text


async def test_a_player_who_types_a_challenge_is_told_the_key() -> None:
    async with start_match(THAI, ["careful", "careful"], seed=3) as player:
        while not (player.app.legal() and player.app.table.may_challenge):
            await player.press(*(("n", "enter") if player.app.legal() else ("enter",)))
        before = player.round
        await player.type("I call!")
        assert "To challenge the last bid, press c." in player.text
        assert player.round == before


async def test_where_anyone_may_challenge_a_player_may_do_so_out_of_turn() -> None:
    app = TerminalApp(
        TerminalTable(ruleset(THAI, {"challengers": "anyone"}), ["careful", "careful"], 3), pause=60
    )
    async with app.run_test(size=(80, 24)) as pilot:
        table = app.table
        while not table.may_challenge or table.may_bid:  # until a bid stands that others answer
            position = table.next_position()
            if position is None:
                table.play(MakeBid(0, app.legal()[0].key))
            else:
                table.take(position, choose(position, table.rules))
        app.redraw()
        await pilot.pause()
        await pilot.press("c")
        await pilot.pause()
        assert Player(app, pilot).round.outcome == Outcome(0, ANY, ANY, ANY)


@pytest.mark.long
async def test_a_player_who_is_out_watches_to_the_end() -> None:
    async with start_match(THAI, ["careful", "careful"], seed=2) as player:
        for _ in range(400):
            if player.phase is Phase.OVER:
                break
            if player.phase is Phase.DEAL:
                await player.press("enter")
            elif legal := player.app.legal():  # the boldest bid there is loses quickly
                await player.type(player.app.table.rules.wording.say(legal[-1]))
            else:
                await player.press("c")
        assert player.phase is Phase.OVER
        assert not player.app.table.seen.seats[0].live
        assert "wins the match" in player.text


@pytest.mark.parametrize("game", [LIARS, THAI])
async def test_a_full_table_fits_eighty_by_twenty_four(game) -> None:
    async with start_match(game, ["careful"] * 9, seed=4) as player:
        for _ in range(2):
            assert len(player.lines) == 24
            assert all(columns(line) <= 80 for line in player.lines)
            for name in player.app.table.names:
                assert name in player.text
            assert "quits" in player.lines[-1]
            if player.phase is Phase.BIDDING:
                await player.press("h")
                assert "your cards" in player.text
                legal = player.app.legal()
                await player.type(player.app.table.rules.wording.say(legal[-1]))
        assert player.phase is Phase.DEAL


async def test_a_middle_hand_is_face_down_until_the_showdown() -> None:
    async with start_match(LIARS, ["careful"], seed=1, middle_hand=True) as player:
        assert "Middle ▮▮ face down" in player.text
        middle = next(iter(player.round.middle))
        assert middle.symbol not in player.text
        await player.type("five aces")
        assert middle.symbol in player.text


async def test_cards_that_make_a_bid_good_are_gold() -> None:
    async with start_match(THAI, ["careful"], seed=3) as player:
        table = player.app.table
        table.match = start(table.rules, range(2), 0)
        deal = stacked_deal(table.match, {0: "9c 9d Ah", 1: "Kc Kd 9h"})
        table.match = play(table.match, deal, MakeBid(0, "three:9"), Challenge(1))
        player.app.redraw()
        await player.settle()
        papers = {
            segment.text.strip(): segment.style.bgcolor.name
            for strip in player.app.screen._compositor.render_strips()
            for segment in strip
            if segment.style is not None and segment.style.bgcolor is not None
        }
        assert {papers[card] for card in ("9♣", "9♦", "9♥")} == {web(GOLD)}
        assert {papers[card] for card in ("A♥", "K♣", "K♦")} == {web(CARD_PAPER)}
        assert "Careful challenged your three nines. It's there: 9♥ 9♦ 9♣." in player.text


async def test_a_player_that_breaks_the_rules_ends_the_match_in_a_sentence(monkeypatch) -> None:
    monkeypatch.setitem(CHARACTERS, "odd", Character("odd", "", f"{__name__}:odd_choice"))
    app = TerminalApp(TerminalTable(ruleset(THAI), ["odd"], 1), pause=0, patience=None)
    async with app.run_test(size=(80, 24)) as pilot:
        if app.legal():
            await pilot.press("n", "enter")
        await app.workers.wait_for_complete()
    assert app.return_code == 1


def odd_choice(position, rules):
    return Choice(MakeBid(position.seat, "seven:9"))


async def test_careful_plays_while_another_character_is_loaded(monkeypatch) -> None:
    monkeypatch.setitem(CHARACTERS, "slow", Character("slow", "", f"{__name__}:slow_choice"))
    app = TerminalApp(TerminalTable(ruleset(THAI), ["slow"], 1), pause=0, patience=0)
    async with app.run_test(size=(80, 24)) as pilot:
        player = Player(app, pilot)
        try:
            await player.settle()
            while not READY.waited_for:
                await player.press("n", "enter")
            assert not READY.is_set()
            bids = player.round.bids
            assert bids, "careful has not acted"
            assert "Until then, careful plays for them." in player.text
            assert app.table.may_bid
        finally:
            READY.set()


class Ready(Event):
    """An event that lets the slow computer player decide; `waited_for`: whether it is awaited."""

    waited_for = False


READY = Ready()


def slow_choice(position, rules):
    READY.waited_for = True
    READY.wait()
    return careful(position, rules)


def test_players_of_one_character_have_different_names() -> None:
    table = TerminalTable(ruleset(THAI), ["sly", "sharp", "sly"], 3)
    assert table.names == ("You", "Sly 1", "Sharp", "Sly 2")


def test_the_same_seed_deals_the_same_match() -> None:
    matches = []
    for seed in (7, 7, 8):
        table = TerminalTable(ruleset(LIARS), ["wild", "careful"], seed)
        table.deal()
        while (position := table.next_position()) is not None:
            table.take(position, choose(position, table.rules))
        matches.append(table.match)
    assert matches[0] == matches[1] != matches[2]


def test_a_prepared_round_is_shown_correctly() -> None:
    table = TerminalTable(ruleset(THAI), ["sly", "sharp"], 1)
    table.match = start(table.rules, range(3), 0)
    table.match = play(table.match, stacked_deal(table.match, {0: "9c 9d", 1: "Ac Kd"}))
    table.play(MakeBid(0, "pair:9"))
    table.play(Challenge(1))
    ended = table.seen.round
    assert isinstance(ended, EndedRound)
    assert verdict(table, ended) == (
        "Sly challenged your pair of nines. It's there: 9♦ 9♣. Next round Sly has 3 cards."
    )


@pytest.mark.long
async def test_the_deal_of_the_day_is_played_without_hints_once_and_ends_in_a_result() -> None:
    table = DailyTable(daily(THAI, 739_581))
    app = TerminalApp(table, pause=0)
    async with app.run_test(size=SIZE) as pilot:
        player = Player(app, pilot)
        await player.settle()
        while not table.is_over:
            if player.phase is Phase.DEAL:
                await player.press("enter")
            else:
                assert "h hint" not in player.text
                await player.press("h")
                assert "Your turn" in player.text
                await player.press(*("c" if table.may_challenge else ("n", "enter")))
        assert "of 4 · " in player.text or "won · " in player.text
        assert " rounds survived" in player.text
        assert "The next deal comes at midnight UTC." in player.text
        seq = table.match.seq
        await player.press("enter")
        assert app.table is table
        assert table.match.seq == seq
    title, squares, fared = to_share(table).split("\n")
    assert title == "Deal of the day · Thai Poker · 2025-11-26"
    assert set(squares) <= set("🟦⬜🟧")
    assert "survived" in fared


# -- the command that opens it ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--game thai --against sharpe", "did you mean sharp? There are careful"),
        ("--game thai --against hider", 'there\'s no computer player "hider"; there are careful'),
        ("--game thai --against " + ",".join(["sly"] * 10), "9 at most can play against you"),
        ("--game thai", "--against is required: it says who plays against you. Example: --against"),
        ("--game thai --daily --seed 3", "--daily already says who plays, which cards are dealt"),
        ("--game thai --daily", "this isn't a terminal, and a match needs one"),
        ("--game thai --against sly", "this isn't a terminal, and a match needs one"),
    ],
)
def test_bad_options_are_refused_in_one_sentence(words: str, sentence: str) -> None:
    assert sentence in refusal("play", *words.split())


@pytest.mark.thorough
def test_the_command_opens_in_a_real_terminal_and_leaves_it() -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = "play --game thai --against careful,careful --seed 3 --option length=one_more"
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", *command.split()],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm-256color"},
        start_new_session=True,
    )
    os.close(theirs)
    wait_for(ours, b"Round 1")
    os.write(ours, b"q")
    wait_for(ours, b"Quit this match?")
    os.write(ours, b"y")
    assert process.wait() == 0
    os.close(ours)


def wait_for(terminal: int, words: bytes) -> None:
    """Read what is drawn until it contains these words."""
    drawn = b""
    while words not in drawn:
        drawn += os.read(terminal, 4096)
