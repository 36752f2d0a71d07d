"""`bluffhouse odds showdown` and `analyze preflop`: options, tables, JSON, refusals."""

from __future__ import annotations

import gc
import re
import signal
import struct
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image

from bot.cli import app
from engine.odds.loading import COMPILING
from engine.odds.showdown.equity import Showdown, showdown_odds
from tests.bot.cli.refused import json_of, refusal, run_and_print
from tests.naive_showdown import NAMES

# -- pan2's options, the table, JSON and refusals --------------------------------------------------

PAN2 = ["-n", "2", "-s", "5", "-p", "js,6s,5h,7h", "ad,8d", "ah,2d"]
FLOP = ("--game", "holdem", "-p", "9h 5h 2c")
TURN = ("--game", "holdem", "-p", "9h 5h 2c 2d")
run, answer = partial(run_and_print, "odds", "showdown"), partial(json_of, "odds", "showdown")
refused = partial(refusal, "odds", "showdown")


def test_the_example_of_pan2_prints_its_heading_and_table() -> None:
    lines = run(*PAN2).splitlines()
    assert lines[:8] == [
        "Hold'em",
        "Private cards: 2 (2 usable)",
        "Board cards: 5 (5 usable)",
        "Ranking: high",
        "Board: Js 7h 6s 5h",
        "Player 1: Ad 8d",
        "Player 2: Ah 2d",
        "Exact: all 44 deals counted",
    ]
    rows = [line.split("  ")[0] for line in lines[10:] if not line.startswith("-")]
    assert rows == [
        *("High card", "Pair", "Two pair", "Threes", "Straight", "Flush", "Full house", "Fours"),
        *("Straight flush", "Win", "Tie", "Value"),
    ]
    table = {line[:15].strip(): line[15:].split() for line in lines[10:]}
    assert table["High card"] == ["43.2", "61.4"]
    assert table["Straight"] == ["18.2", "0.0"]
    assert table["Win"] == ["93.2", "6.8"]


@pytest.mark.parametrize(
    ("arguments", "first", "key"),
    [
        (["ad,ac", "kh,ks"], "Hold'em, by the cards of a hand (--game names another)", "holdem"),
        (["AhKd vs QQ, board 9c 8d 7s"], "Hold'em, by the cards of a hand", "holdem"),
        (["AsAhKsKh", "QdQcJdJc", "-p", "2c 3c 4c"], "Omaha, by the cards of a hand", "omaha"),
        (["AhKhQhJhTh2c3d", "9c9d9s2h2d4c5c"], "Seven-card stud, by the cards", "stud"),
        (["stud As2s3s, 7 opponents", "-i", "100"], "Seven-card stud", "stud"),
        (["-n", "2", "-s", "5", "ad,ac", "kh,ks"], "Hold'em", "holdem"),
        (["-n", "2", "-s", "5", "-N", "2", "-S", "5", "ad,ac", "kh,ks"], "Hold'em", "holdem"),
        (["-g", "stud", "-w", "2c", "AhKhQhJhTh2c3d", "9c9d9s2h2d4c5c"], "Seven-card stud", "stud"),
        (["-g", "draw", "-j", "2", "AhKhQhJhTh", "9c9d9s2h*"], "Five-card draw", "draw"),
        (["-n", "3", "AhKdQc", "2c2d2h"], "Private cards: 3 (3 usable)", None),
    ],
)
def test_the_first_line_says_the_game(arguments: list[str], first: str, key: str | None) -> None:
    output = run(*arguments).splitlines()[0]
    assert output.startswith(first)
    assert ("by the cards" in output) == ("by the cards" in first)
    assert answer(*arguments)["game"] == key


def test_json_names_the_wild_cards_besides_the_game() -> None:
    document = answer("-g", "stud", "-w", "2c,2d", "-j", "1", "AhKhQhJhTh2c3d", "9c9d9s2h2s4c5c")
    assert (document["game"], document["wild"], document["jokers"]) == ("stud", ["2d", "2c"], 1)
    assert "wild" not in answer("ad,ac", "kh,ks")


@pytest.mark.parametrize("words", [["AhKd vs QsQh"], ["AhKd", "vs", "QsQh"], ["AhKd", "QsQh"]])
def test_a_question_needs_no_name_of_a_command(words: list[str]) -> None:
    assert run_and_print("odds", *words, "-p", "9c8d7s") == run(*words, "-p", "9c8d7s")
    assert 'no such command "lairs". Did you mean "liars"?' in refusal("odds", "lairs")
    assert 'no such command "Liars". Did you mean "liars"?' in refusal("odds", "Liars")


def test_two_cards_a_hand_are_holdem_and_exact() -> None:
    assert answer("ad,ac", "kh,ks") == answer("--game", "holdem", "ad,ac", "kh,ks")
    assert answer("ad,ac", "kh,ks")["deals"] == 1_712_304


def test_a_question_in_words_is_that_of_its_parts() -> None:
    parts = answer("--game", "holdem", "AhKd", "QQ", "-p", "9c 8d 7s")
    for words in (
        ["AhKd", "vs", "QQ", "board", "9c", "8d", "7s"],
        ["ace of hearts king of diamonds against pocket queens, flop 9c 8d 7s"],
    ):
        assert answer(*words) == parts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("88- AA", "88-, AA (48 combos, 3.6% of hands): AA, 88-22"),
        ("QQ or better", "QQ+ (18 combos, 1.4% of hands)"),
        ("[50]QQ[/50], AA", "QQ@50, AA (12 combos, 0.68% of hands)"),
        ("random", "unknown"),
    ],
)
def test_the_heading_says_how_a_range_was_understood(text: str, expected: str) -> None:
    output = run("AhKd", text, "-p", "2c 3c 4d 9h").replace("\u00a0", " ")
    (line,) = (line for line in output.splitlines() if line.startswith("Player 2"))
    assert line == f"Player 2: {expected}"


def test_a_hand_alone_is_told_its_place_among_all_hands() -> None:
    assert "Strength: among the top 3.5% of hands against one random hand" in run("AKs")
    assert answer("AKs")["top_share"] == 46 / 1326
    assert "Strength" not in run("AKs", "QQ")
    assert "top_share" not in answer("AKs", "QQ")


def test_a_players_name_stands_in_the_heading_and_in_json() -> None:
    question = ["Ann: AhKd vs Big Al: QsQc, board 2c 3c 4d 9h"]
    assert "Player 1 (Ann): Ah Kd\nPlayer 2 (Big Al): Qs Qc\n" in run(*question)
    assert [player["name"] for player in answer(*question)["players"]] == ["Ann", "Big Al"]
    assert "name" not in answer("AhKd", "QsQc", "-p", "2c 3c 4d 9h")["players"][0]


@pytest.mark.parametrize(
    ("expected", "key"),
    [("6+ holdem", "shortdeck"), ("PLO8", "omaha8"), ("2-7", "27"), ("Short deck", "shortdeck")],
)
def test_a_game_is_chosen_by_the_names_people_use(expected: str, key: str) -> None:
    assert answer("-g", expected, "-i", "50", "", "")["game"] == key


def test_a_sample_for_a_single_hand_shows_its_error() -> None:
    document = answer("-n", "7", "")
    assert 0.0004 < document["standard_error"] <= 0.0005
    assert document["players"][0]["ranks"]["high_card"] == pytest.approx(0.1741, abs=0.0018)
    assert document["players"][0]["ranks"]["full_house"] == pytest.approx(0.0260, abs=0.0007)
    assert answer("-n", "7", "", "--error", "0.003")["standard_error"] <= 0.003


def test_a_joker_on_the_board_counts_as_a_flop_card() -> None:
    arguments = ["-j", "1", "-p", "*,Ks,Kd", "6h,Qd", "7d,Ah"]
    assert answer("-g", "holdem", *arguments)["players"] == answer(*arguments)["players"]


def test_json_has_integers_that_add_up_and_every_rank() -> None:
    document = answer(*PAN2)
    assert document["exact"] is True
    assert document["deals"] == 44
    assert document["standard_error"] is None
    players = document["players"]
    assert [player["cards"] for player in players] == ["Ad 8d", "Ah 2d"]
    for player in players:
        assert player["win"] + player["tie"] + player["lose"] == 44
        assert list(player["ranks"]) == NAMES


def test_unknown_players_are_listed_like_the_others() -> None:
    document = answer("--game", "holdem", "-p", "9c", "ad,kh", "2c,7d", "", "", "", "-i", "20000")
    players = document["players"]
    assert [player["cards"] for player in players] == ["Ad Kh", "7d 2c", "", "", ""]
    assert document["deals"] == 20_000
    assert document["exact"] is False
    assert document["standard_error"] > 0
    assert sum(player["value"] for player in players) == pytest.approx(1)


def test_presets_and_letters_say_the_same() -> None:
    hands = ("AhAdKhKd", "9h8h7c6c", "-p", "Th5h2c")
    assert answer("--game", "omaha", *hands) == answer(
        *("-n", "4", "-s", "5", "-N", "2", "-S", "3"), *hands
    )


def test_sampling_is_asked_for_by_iterations_error_or_by_name() -> None:
    hands = ("--game", "holdem", "AhKh", "2c2d")
    assert answer(*hands)["deals"] == 1_712_304
    assert answer(*hands, "--exact")["exact"] is True
    assert answer(*hands, "--sample")["deals"] == 10_000
    assert answer(*hands, "-i", "777", "--seed", "4")["deals"] == 777
    assert answer(*hands, "--error", "0.002")["standard_error"] <= 0.002


def test_threads_do_not_change_a_sample() -> None:
    hands = ("--game", "holdem", "AhKh", "", "", "-i", "100000")
    assert answer(*hands) == answer(*hands, "-t", "2")
    assert answer(*hands) != answer(*hands, "--seed", "1")


def test_wild_cards_jokers_and_lowball_are_named_in_the_heading() -> None:
    output = run("-j", "2", "-w", "2c,2d", "-l", "-i", "500", "AhKhQhJh*", "", "-d", "3c")
    assert "Wild cards: 2 jokers, 2d 2c" in output
    assert "Ranking: lowball (worst hand wins)" in output
    assert "Dead cards: 3c" in output
    assert "Player 2: unknown" in output
    assert "Five of a kind" in output
    output = run("-j", "1", "-i", "500", "AhKh", "")
    assert output.startswith("Hold'em, by the cards of a hand"), "jokers are no other game"
    assert "Wild cards: 1 joker\n" in output
    assert "Sampled: 500 deals, standard error" in output


def test_next_cards_are_listed_with_their_shares_and_outs() -> None:
    hands = ("--game", "holdem", "-p", "2c 9h 5h", "AhKh", "QcQd")
    document = answer(*hands, "--next")
    cards = document["next"]
    assert len(cards) == 45
    assert {"card", "values"} <= set(cards[0])
    jack = next(card for card in cards if card["card"] == "Jh")
    assert jack["values"] == [1.0, 0.0]
    total = sum(card["probability"] * card["values"][0] for card in cards)
    players = document["players"]
    assert total == pytest.approx(players[0]["value"])
    outs = document["outs"]
    assert [len(entry["wins"]) for entry in outs] == [15, 0]
    assert [entry["ahead"] for entry in outs] == [False, True]
    output = run(*hands, "--next")
    assert "Player 1 has 15 outs: 9 hearts, 3 aces, 3 kings" in output
    assert "Player 2 is ahead" in output
    assert "\nh     .    .   77  100  100    .  100" in output
    assert "next" not in answer(*hands)
    ranged = answer(*hands[:-1], "QQ+, AKs@50", "--next")
    assert "outs" not in ranged
    assert len(ranged["next"]) == 47


def test_streets_are_told_in_the_order_of_the_board() -> None:
    hands = ("--game", "holdem", "-p", "2c 9h 5h Js", "AhKh", "QcQd", "--streets")
    streets = answer(*hands)["streets"]
    assert [(street["street"], street["board"]) for street in streets] == [
        ("preflop", ""),
        ("flop", "2c 9h 5h"),
        ("turn", "2c 9h 5h Js"),
    ]
    assert "Turn 2c 9h 5h Js" in run(*hands)


def test_a_grid_has_a_share_against_each_hand_of_the_range() -> None:
    hands = ("--game", "holdem", "-p", "2c 9h 5h 4s", "AhKh", "QQ+, AQs", "--grid")
    grid = answer(*hands)["grid"]
    assert [(cell["hand"], cell["hands"]) for cell in grid] == [
        *(("AA", 3), ("AQs", 3), ("KK", 3), ("QQ", 6)),
    ]
    assert "A    K    Q" in run(*hands)


def test_ranges_are_counted_in_the_heading_and_in_json() -> None:
    hands = ("--game", "holdem", "-p", "2c 9h 5h 4s", "AhKh", "QQ+, AQs")
    assert "Player 2: QQ+, AQs (22 combos, 1.7% of hands)" in run(*hands).replace("\u00a0", " ")
    players = answer(*hands)["players"]
    assert players[1]["cards"] == "QQ+, AQs"
    assert players[1]["hands"] == 22
    assert players[1]["hands_share"] == pytest.approx(22 / 1326)
    assert "hands" not in players[0]


def test_a_split_pot_tells_its_halves() -> None:
    hands = ("--game", "omaha8", "-p", "4c 5d 8s", "AsAh2s3h", "KdKcQd7c")
    players = answer(*hands)["players"]
    first = players[0]
    assert first["low"] == 820
    assert first["scoop"] == first["win"] == first["high"]
    assert first["value"] == pytest.approx((first["high"] + first["low"]) / 2 / 820)
    output = run(*hands)
    for row in ("Scoop", "Part of it", "Best high", "Best low", "Value"):
        assert f"\n{row}" in output
    letters = ("-n", "4", "-s", "5", "-N", "2", "-S", "3", "--hi-lo")
    assert answer(*letters, *hands[2:]) == answer(*hands)


def test_badugi_lists_its_own_kinds() -> None:
    players = answer("--game", "badugi", "As2h3d4c", "KsQhJd")["players"]
    assert list(players[0]["ranks"]) == ["one_card", "two_cards", "three_cards", "badugi"]
    assert "Three cards" in run("--game", "badugi", "As2h3d4c", "KsQhJd")


def test_an_answer_leaves_the_search_for_garbage_as_it_was() -> None:
    assert gc.isenabled()
    run(*PAN2)
    assert gc.isenabled()


@pytest.mark.thorough
def test_a_chart_is_written_as_png(tmp_path: Path) -> None:
    file = tmp_path / "odds.png"
    run(*PAN2, "--chart", str(file))
    assert file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--game", "holdem", "AhKd", "AhQd"], "Ah is given twice"),
        (["--game", "bridge", "AhKd"], '"bridge" isn\'t a game'),
        (["--game", "lowball", "7h5d4c3s2h"], '"lowball" may mean several things'),
        (["--game", "holdem", "omaha AsAhKsKh vs QQ**"], "Omaha and Hold'em are two games"),
        (["-n", "5", "27: 7h5d4c3s2h vs xx"], "the rules given are for another game"),
        (["pineapple AhKdQc vs QsQdJs"], '"pineapple" isn\'t supported; choose one of'),
        (["AhKd", "\N{COLLISION SYMBOL}"], "is neither cards nor a range"),
        (["Ah|Kd", "Ts|Tc"], '"Ah|Kd" may mean several things'),
        (["54s+", "AA"], '"54s+" may mean several things. Example: "54s vs AA" or "54s-AKs vs AA"'),
        (["-l", "--game", "a5", "", ""], "-l does not go with --game a5"),
        (["-l", "-n", "3", "", ""], "lowball needs five usable cards"),
        (["*Ah", ""], "there is no joker in this deck"),
        (["-w", "*", "", ""], "isn't a card of this deck"),
        (["--exact", "-i", "5", "", ""], "can't be combined with a number of deals"),
        (["--game", "holdem", "--exact", *[""] * 5], "too many deals"),
        (["-i", "0", "", ""], "expected 1 to"),
        (["--game", "holdem", "AhKh", "QQ", "--next"], "at least three board cards"),
        (["--game", "stud", "AhKh", "", "--streets"], "street by street"),
        (["--game", "holdem", "AhKh", "QcQd", "--grid"], "against a range"),
        (["--hi-lo", "--game", "razz", "", ""], "between a high and a low hand"),
        (["-5%", "AA"], '"-5%" is less than no hand'),
        (["AA", "KK", "-p", "9c 8d"], "a flop has three cards, got 2 (9c 8d)"),
        (["--game", "holdem", "AhKd", "QQ", "--hits"], "a flop or turn, not 0 board cards"),
        (["-n", "3", "-s", "5", "-p", "9c 8d 7s", "AhKdQc", "", "--hits"], "only in hold'em"),
        ([*FLOP, "AhKd", "QcQd", "--hits"], "no range and no unknown hand"),
        ([*FLOP, "AhKd", "QcQd", "--keep", "set"], "no range and no unknown hand"),
        ([*FLOP, "AhKd", "QQ", "--keep", "sett"], '"sett" isn\'t a made hand'),
        ([*FLOP, "AhKd", "QQ", "--pot", "60"], "give both as numbers"),
        ([*FLOP, "AhKd", "QQ", "--pot", "nan", "--call", "1"], "give both as numbers"),
        ([*FLOP, "AhKd", "QQ", "--pot", "60", "--call", "0"], "a call of more than 0"),
        ([*FLOP, "AhKd", "QcQd", "--curve"], "an equity curve is for two players"),
        ([], "expected at least one player's cards"),
        *(
            (["--seconds", seconds, "AhKh", ""], "expected above 0 and at most 86400 seconds")
            for seconds in ("0", "-3", "1e9")
        ),
    ],
)
def test_bad_input_is_one_sentence_with_an_example_and_code_2(
    arguments: list[str], sentence: str
) -> None:
    text = refused(*arguments)
    assert sentence in text
    assert "Example: " in text


def test_help_lists_every_option_of_pan2_and_version_answers() -> None:
    output = run("--help")
    for option in ("-n", "-s", "-N", "-S", "-j", "-w", "-l", "-p", "-d", "-i", "-t"):
        assert re.search(rf" {option}[ ,]", output)
    assert run("--version").startswith("bluffhouse ")


def test_a_question_ends_when_its_seconds_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float] = []

    def at_once(seconds: float, clock: object) -> object:
        limits.append(seconds)
        return lambda: True

    monkeypatch.setattr("bot.computing.deadline.deadline", at_once)
    document = answer("--game", "holdem", "--seconds", "12", "AhKh", "", "")
    assert limits == [12.0]
    assert document["exact"] is False
    assert document["standard_error"] > 0.0005  # what it would have been sampled to
    sentence = refused("--game", "holdem", "--exact", "AhKh", "", "22+", "-p", "2h")
    assert "time ran out" in sentence
    closer = answer("--game", "holdem", "--next", "-p", "2h3h4h", "AhKh", "22+", "", "")
    assert closer["next"]


def test_the_time_limit_starts_after_compiling_and_a_terminal_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0

    def compiles(*args: Any, **named: Any) -> Showdown:
        nonlocal now
        (report,) = COMPILING
        report(True)
        now += 1000
        report(False)
        return showdown_odds(*args, **named)

    monkeypatch.setattr("bot.computing.deadline.monotonic", lambda: now)
    monkeypatch.setattr("engine.odds.showdown.equity.showdown_odds", compiles)
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True, raising=False)
    words = ["odds", "showdown", "--exact", "AhKh", "QcQd", "-p", "2h", "--seconds", "12"]
    process = CliRunner().invoke(app, words)
    assert "all 178,365 deals" in process.stdout
    assert process.stderr == "Compiling: the first question of a kind takes a few seconds more.\n"
    assert not COMPILING


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no such signal")
def test_work_that_ignores_its_time_limit_ends_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.cli.odds_showdown._LATE_SECONDS", 0.0)
    monkeypatch.setattr(
        "engine.odds.showdown.equity.showdown_odds", lambda *_, **__: Event().wait()
    )
    sentence = refused("--seconds", "0.1", "AhKh", "")
    assert "time was up after 0.1 s, before there was an answer" in sentence


def test_board_and_dead_cards_may_be_spelled_out() -> None:
    letters = answer("AhKh", "QcQd", "-p", "9h 5h 2c", "-d", "2d")
    assert answer("AhKh", "QcQd", "--board", "9h 5h 2c", "--dead", "2d") == letters


# -- --hits, --keep, --curve, --grid of ranges, --pot and --call -----------------------------------


def heading(*arguments: str) -> str:
    """Return the players printed above the answer, as one line that ends in a space."""
    return " ".join(run(*arguments).split("Exact")[0].replace("\u00a0", " ").split()) + " "


def test_hits_list_a_ranges_made_hands_and_draws() -> None:
    (hits,) = answer(*FLOP, "AhKd", "QQ+, QJs, 99", "--hits")["hits"]
    assert (hits["player"], hits["hands"]) == (2, 19)
    assert hits["made"]["overpair"] == {"hands": 12, "share": pytest.approx(12 / 19)}
    assert hits["made"]["set"]["hands"] == 3
    assert hits["draws"]["flush_draw"]["hands"] == 1
    output = run(*FLOP, "AhKd", "QQ+, QJs, 99", "--hits")
    assert "What player 2 has made on 9h 5h 2c, of 19 hands" in output
    rows = [line.split()[:-1] for line in output.splitlines() if line.startswith(("over", "gut"))]
    assert rows == [["overpair", "12", "63.2"], ["overcards", "4", "21.1"]]
    assert "straight flush  " not in output.split("What player 2")[1]  # which nobody has


def test_hits_of_unknown_cards_cover_every_hand() -> None:
    hits = answer(*TURN, "AhKd", "", "KcKs", "--hits")["hits"]
    assert [(entry["player"], entry["hands"]) for entry in hits] == [(2, 44 * 43 // 2)]


def test_keep_narrows_the_last_range_and_says_it_as_it_would_be_typed() -> None:
    hands = (*TURN, "AhKd", "22+, A2s+, KTs+, AJo+")
    output = run(*hands, "--keep", "two pair+, flush draw")
    title = heading(*hands, "--keep", "two pair+, flush draw")
    text = title.split("Player 2: ")[1].split(" (")[0]
    again = run(*TURN, "AhKd", text)
    assert again.split("Exact")[1] == output.split("Exact")[1]
    whole = answer(*hands, "--hits")["hits"][0]
    (hits,) = answer(*hands, "--keep", "full houses", "--hits")["hits"]
    assert hits["hands"] == whole["made"]["full_house"]["hands"] > 0


def test_keep_is_about_a_range_that_was_typed_before_anybody_unknown() -> None:
    alone = heading(*TURN, "22+", "--keep", "two pair+")
    assert "Player 1: 99, 55, 22" in alone
    assert "Player 2: unknown" in alone
    assert "Player 2: 99, 92s, 55" in heading(*TURN, "AhKd", "", "--keep", "full house")


def test_how_a_range_was_understood_takes_a_few_lines_at_most() -> None:
    title = heading(*TURN, "AhKd", "", "--keep", "top pair+")
    meant = title.rpartition(" of hands): ")[2]
    assert meant.endswith("… ")
    assert len(meant) < 170


def test_a_call_is_told_in_one_line() -> None:
    hands = (*TURN, "AhKh", "QcQd")
    document = answer(*hands, "--pot", "60", "--call", "20")
    held = document["players"][0]["value"]
    assert document["call"] == {
        "pot": 60,
        "call": 20,
        "needed": 0.25,
        "held": held,
        "worth": pytest.approx(80 * held - 20),
    }
    (line,) = (
        line
        for line in run(*hands, "--pot", "7.5", "--call", "2.5").splitlines()
        if line.startswith("To call")
    )
    assert line.startswith("To call 2.5 into 7.5: needs 25.0%, has ")
    behind = run(*TURN, "7c7d", "QcQd", "--pot", "10", "--call", "10")
    assert "worth −9.09" in behind
    sampled = run(*hands, "--pot", "60", "--call", "20", "-i", "1000")
    assert " ± " in next(line for line in sampled.splitlines() if line.startswith("To call"))


def test_a_grid_of_two_ranges_has_the_kinds_of_the_first() -> None:
    hands = (*TURN, "QQ+, AKs", "88, AKo", "--grid")
    grid = answer(*hands)["grid"]
    assert [cell["hand"] for cell in grid] == ["AA", "AKs", "KK", "QQ"]
    assert "in % of each hand of player 1" in run(*hands)
    assert "in % against each hand" in run(*TURN, "QcQd", "88", "--grid")


@pytest.mark.thorough
def test_an_equity_curve_is_a_table_json_and_a_picture(tmp_path: Path) -> None:
    hands = (*TURN, "AhKd", "QQ, 7c6c, AcQc", "--curve")
    curve = answer(*hands)["curve"]
    assert (curve["player"], curve["of_own_hands"]) == (1, False)
    values, parts = zip(*curve["points"], strict=True)
    assert list(values) == sorted(values, reverse=True)
    assert parts[-1] == 1
    lines = run(*hands).split("by part of the hands they meet\n")[1].splitlines()
    assert [line.split()[0] for line in lines] == [f"{step}%" for step in range(10, 101, 10)]
    output = run(*TURN, "AA, 72o", "KK", "--curve")
    assert "Player 1 has at least so much of the pot, by part of their own hands" in output
    heights = []
    for name, look in (("without", ()), ("with", ("--curve",))):
        file = tmp_path / f"{name}.png"
        run(*hands[:-1], *look, "--chart", str(file))
        heights.append(struct.unpack(">II", file.read_bytes()[16:24])[1])
    assert heights[1] > heights[0] + 300


def test_a_split_pot_says_how_often_one_is_quartered() -> None:
    hands = ("--game", "omaha8", "-p", "4c 5d 8s", "AsAh2s3h", "Ad2cKdKc")
    first_player, second_player = answer(*hands)["players"]
    assert first_player["quartered"] == second_player["three_quarters"] > 0
    assert second_player["quartered"] == first_player["three_quarters"] > first_player["quartered"]
    output = run(*hands)
    assert "\nThree quarters     61.3    15.6\nQuartered          15.6    61.3\n" in output


def test_with_eight_players_of_stud_the_shared_card_is_mentioned() -> None:
    output = run("--game", "stud", "AsAhKd", *[""] * 7, "-i", "100")
    assert "Board cards: 1 (1 usable): the last card is everybody's" in output
    assert "everybody's" not in run("--game", "stud", "AsAhKd", *[""] * 6, "-i", "100")


# -- analyze preflop -------------------------------------------------------------------------------


analyzed = partial(run_and_print, "analyze", "preflop")


def test_without_options_every_hand_is_shown_against_a_random_one() -> None:
    output = analyzed()
    lines = output.splitlines()
    assert lines[1].split() == list("AKQJT98765432")
    assert lines[2].split()[:3] == ["A", "85", "67"]  # aces 85.20%, AKs 67.04%
    assert "Most: AA 85.20, KK 82.40, QQ 79.93" in output
    assert output.rstrip().endswith("32o 32.30")
    assert all(len(line) <= 80 for line in lines)


def test_a_condition_stands_in_the_heading_with_its_chance() -> None:
    output = run("AhKh vs QcQs, board 9h 5h 2c, when turn is a heart")
    assert 'Given "turn is a heart": 20.0% of deals (9 of 45)' in output
    chance = answer("AhKh", "QcQs", "-p", "A72 rainbow")["condition"]
    assert chance["text"] == "board A72 rainbow"
    assert chance["probability"] == chance["favourable"] / chance["total"]
    assert chance["standard_error"] is None


def test_how_often_a_hand_hits_is_one_line_without_a_table() -> None:
    output = run("JTs, flop two pair+")
    assert 'Given "flop two pair+": 5.6% of deals (4,388 of 78,400)' in output
    assert "Win" not in output
    assert "no share of a pot" in refused("JTs, flop two pair+", "--pot", "60", "--call", "20")


def test_a_condition_is_refused_where_it_would_be_ignored() -> None:
    for look in (["--grid"], ["--curve"], ["--hits"], ["--keep", "air"]):
        sentence = refused("AhKh vs QQ+, board 9h 5h 2c, when river is a heart", *look)
        assert "take no condition. Example: " in sentence
    assert "isn't a condition" in refused("AhKh vs QQ, when pigs fly")


def test_one_hand_is_shown_against_each_other_hand() -> None:
    lines = analyzed("--hand", "kas").splitlines()
    assert lines[0].startswith("Share of the pot in % of AKs against each hand")
    assert lines[2].split()[:2] == ["A", "12"]  # against aces
    assert analyzed("--hand", "1010").startswith("Share of the pot in % of TT")
    for typed in ("AAs", "AK"):
        sentence = refusal("analyze", "preflop", "--hand", typed)
        assert "isn't one of the 169 starting hands. Example: --hand AKs" in sentence


def test_the_csv_file_has_every_two_kinds(tmp_path: Path) -> None:
    file = tmp_path / "preflop.csv"
    analyzed("--csv", str(file))
    lines = file.read_text("utf-8").splitlines()
    assert lines[0] == "hand,against,pairs,win,tie,value"
    assert len(lines) == 1 + 169 * 169
    rows = {tuple(line.split(",")[:2]): line.split(",")[2:] for line in lines[1:]}
    pairs, win, tie, value = rows["AA", "KK"]
    assert int(pairs) == 36
    assert float(value) == pytest.approx((int(win) + int(tie) / 2) / 36 / 1_712_304)
    assert float(value) + float(rows["KK", "AA"][3]) == pytest.approx(1)


def test_the_chart_has_a_cell_for_every_two_kinds(tmp_path: Path) -> None:
    file = tmp_path / "preflop.png"
    analyzed("--chart", str(file))
    with Image.open(file) as picture:
        assert min(picture.size) > 169 * 8
        red, _, blue = picture.convert("RGB").getpixel((66 + 8 * 150 + 4, 130 + 4))  # type: ignore[misc]
        assert blue > red  # aces against a weak hand
        red, _, blue = picture.convert("RGB").getpixel((66 + 4, 130 + 8 * 150 + 4))  # type: ignore[misc]
        assert red > blue


# -- two boards, pots, histories -------------------------------------------------------------------


def test_two_boards_have_scoops_and_splits_instead_of_kinds(tmp_path: Path) -> None:
    lines = run("AhKh vs QsQd, boards 9c8d7s | 2h3h4d").splitlines()
    assert "Boards: 9c 8d 7s | 4d 3h 2h, half of the pot each" in lines
    labels = [line[:15].strip() for line in lines[-7:]]
    assert labels == ["Scoop", "Split", "Lose", "Best on first", "Best on second", "Value"] or (
        labels[1:] == ["Scoop", "Split", "Lose", "Best on first", "Best on second", "Value"]
    )
    twice = run(
        "AhKh", "QsQd", "run it twice", "-p", "9c 8d 7s", "--chart", str(tmp_path / "o.png")
    )
    assert "Board: 9c 8d 7s, run twice" in twice
    with Image.open(tmp_path / "o.png") as picture:
        assert picture.height < 500  # no kinds of hands
    assert "Board: no cards yet, run twice" in run("AhKh vs QsQd, run it twice")
    assert "one board, not two" in refused("AhKh vs QsQd, board 9c 8d 7s, run it twice", "--next")


def test_pots_have_their_shares_and_expected_chips() -> None:
    text = run("AA(50) vs KK(120) vs QQ(100), stacks 50 200 100 80, pays 50 30 20")
    assert "Main pot, 150: P1 " in text
    assert "Side pot 1, 100: P2 " in text
    assert "Returned to P2: 20" in text
    assert "other 4" in text
    document = answer("AA(50) vs KK(120) vs QQ(100)")
    assert sum(document["pots"]["chips"]) == pytest.approx(270)
    assert document["players"][0]["ranks"] == {}
    sampled = run("AA(50) vs KK(60)", "-i", "2000")
    assert "Standard error" in sampled


def test_a_table_of_many_stacks_is_split() -> None:
    stacks = " ".join(str(number) for number in range(100, 1000, 100))
    text = run(f"AA vs KK, bets 50 50, stacks {stacks}, pays 50 30 20")
    assert text.count("Worth after") == 2


def test_a_draw_is_the_last_cards_of_a_hand() -> None:
    printed = run("27: 2347 draw 1 vs 8765K pat")
    assert printed.startswith("Deuce-to-seven lowball")
    assert "Exact: all 43 deals counted" in printed
    document = json_of("odds", "showdown", "-g", "27", "2347 draw 1", "8765K pat")
    assert [player["win"] for player in document["players"]] == [28, 15]
    assert "5 kept and 1 drawn" in refused("27: 2347K draw 1 vs 8765K pat")


def test_several_draws_are_counted_with_what_each_player_keeps() -> None:
    question = "27: 2347 draw 1 until 10 vs 8765K pat, 2 draws left"
    printed = run(question)
    assert "Draws left: 2" in printed
    assert "Player 1: 7d 4c 3c 2c, keeps cards up to T" in printed
    assert "Exact: all 1,806 deals counted" in printed
    document = json_of("odds", "showdown", question)
    assert document["draws_left"] == 2
    assert [player.get("keeps_up_to") for player in document["players"]] == ["T", None]
    assert "say up to which rank" in refused("27: 2347 draw 1 vs 8765K pat, 2 draws left")
