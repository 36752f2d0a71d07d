"""`odds <game>` and `analyze <game>` are made from the games' data: a third game gets both."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from bot.cli.parameters import house_rule
from engine import variants
from engine.odds import bid_chance
from engine.ruleset import Option, OptionChoice
from engine.variants import VARIANTS, ruleset
from tests.bot.cli.refused import json_of, refusal, run_and_print
from tests.third_game import VARIANT

ROOT = Path(__file__).parents[3]
# rooms of the bot that know of no game
FOLDERS = ("bot/boards", "bot/cli", "bot/pictures", "bot/language/words.py")
SPARED = ROOT / "bot/pictures/typefaces.py"  # names scripts of the world, Thai among them
SOURCES = sorted(
    path
    for folder in FOLDERS
    for path in ([ROOT / folder] if folder.endswith(".py") else (ROOT / folder).rglob("*.py"))
    if path != SPARED
)
NAMED = re.compile(
    "|".join([*VARIANTS, *(v.title for v in VARIANTS.values()), "liars?'?_?poker", "thai", "liar"]),
    re.IGNORECASE,
)


@pytest.fixture(autouse=True)
def third_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(variants.VARIANTS, VARIANT.key, VARIANT)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_game_is_named(path: Path) -> None:
    assert NAMED.findall(path.read_text(encoding="utf-8")) == []


def test_there_is_something_that_could_name_a_game() -> None:
    assert len(SOURCES) > 30
    assert NAMED.search('ruleset("thai_poker")')


def test_a_third_game_is_listed_beside_the_others() -> None:
    listed = " ".join(run_and_print("odds", "--help").split())
    assert f"{VARIANT.short} The exact chance of every claim in Royal Bluff." in listed
    assert VARIANT.short in run_and_print("analyze", "--help")


def test_its_odds_are_asked_by_its_short_name_with_its_own_options() -> None:
    rules = ruleset(VARIANT.key, {"jokers": 1})
    document = json_of("odds", VARIANT.short, *["--in-play", "5", "--jokers", "1", "--known", "*"])
    assert (document["game"], document["deck"], document["known"]) == (VARIANT.short, 17, ["*"])
    assert [entry["key"] for entry in document["bids"]] == [bid.key for bid in rules.ladder]
    chance = bid_chance(rules.ladder.bid("three:K"), rules.deck, 5)
    single = json_of("odds", VARIANT.short, "--in-play=5", "--jokers=1", "--bid", "kkk")
    assert single["bids"][0]["favourable"] == chance.favourable


def test_its_answers_are_in_its_own_words() -> None:
    assert "◄ marks every claim above 50%." in run_and_print(
        "odds", VARIANT.short, "--in-play", "6"
    )
    sentence = refusal("odds", VARIANT.short, "--in-play", "6", "--bid", "kkk", "--kinds")
    assert "--bid asks for one claim and --kinds for all kinds" in sentence


def test_its_options_are_offered_and_checked() -> None:
    about = " ".join(run_and_print("odds", VARIANT.short, "--help").split())
    assert "--jokers 0|1 Jokers: 0 (no joker) or 1 (one joker). [default: 0]" in about
    sentence = refusal("odds", VARIANT.short, "--in-play", "6", "--jokers", "2")
    assert '--jokers is 0 or 1, not "2". Example: --jokers 0' in sentence
    sentence = refusal("odds", VARIANT.short, "--in-play", "6", "--known", "*")
    assert "this deck has no jokers. Example: --jokers 1" in sentence


def test_its_analysis_covers_every_deck_it_can_be_played_with(tmp_path: Path) -> None:
    file = tmp_path / "odds.csv"
    output = run_and_print("analyze", VARIANT.short, "--csv", str(file))
    assert "Any hand of a kind, 16-card deck, in %" in output
    assert "Any hand of a kind, 17-card deck, in %" in output
    assert "claims" not in output  # the article's are about other decks
    numbers = sorted({int(line.split(",")[1]) for line in file.read_text().splitlines()[1:]})
    assert (numbers[0], numbers[-1]) == (2, 12)  # four players with three cards each
    assert "--middle-hands" not in run_and_print("analyze", VARIANT.short, "--help")


def test_all_answers_are_written_for_a_game_without_jokers(tmp_path: Path) -> None:
    file = tmp_path / "all.npy"
    output = run_and_print("analyze", VARIANT.short, "--answers", str(file), "--max", "3")
    assert "12 claims ×" in " ".join(output.split())
    assert file.stat().st_size > 0
    sentence = refusal("analyze", VARIANT.short, "--answers", str(file), "--holding", "9")
    assert "a holding has 0 to 3 cards, not 9" in sentence


def test_options_that_are_yes_or_no_are_typed_so() -> None:
    low = Option(
        "low_cards", "Low cards", (OptionChoice(False, "left out"), OptionChoice(True, "dealt too"))
    )
    command = click.Command("some", params=[house_rule(low)], callback=lambda **kwargs: kwargs)
    taken = [command.main(line, standalone_mode=False) for line in ([], ["--low-cards", "yes"])]
    assert taken == [{"low_cards": False}, {"low_cards": True}]
