"""Training recipes: shipped networks can be trained again, and unknown fields are refused."""

from __future__ import annotations

import hashlib
import json
import sys

import numpy as np
import pytest

from benchmarks import train_players
from benchmarks.training.recipes import (
    HEADS_UP,
    MORE,
    SHIPPED,
    RecipeError,
    recipe_from,
    recipe_of,
)
from engine.players.kernels.network import WEIGHTS
from engine.variants import VARIANTS

PLAIN = {MORE: {"rounds": 20_480}, HEADS_UP: {"rounds": 20_480, "seed": 3, "sizes": [0, 0, 1]}}


@pytest.mark.parametrize("game", VARIANTS)
def test_the_shipped_recipe_trains_one_set_heads_up_and_one_for_more_seats(game):
    recipe = recipe_of(game, SHIPPED)
    assert [size for size, often in enumerate(recipe[HEADS_UP].sizes) if often] == [2]
    seats = [size for size, often in enumerate(recipe[MORE].sizes) if often]
    assert (seats[0], seats[-1]) == (3, 10)


def test_a_recipe_in_a_file_names_what_differs_from_the_usual_plan(tmp_path):
    path = tmp_path / "my.json"
    path.write_text(json.dumps(PLAIN))
    recipe = recipe_of("thai_poker", str(path))
    assert (recipe[HEADS_UP].seed, recipe[HEADS_UP].sizes) == (3, (0, 0, 1))
    assert recipe[MORE] == recipe_from(PLAIN)[MORE]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ([], "has the parts more and heads-up"),
        ({MORE: PLAIN[MORE]}, "has the parts more and heads-up"),
        (PLAIN | {MORE: {"rounds": 5, "speed": 9}}, "in the part more, speed means nothing"),
        (PLAIN | {HEADS_UP: {"seed": 1}}, "in the part heads-up, rounds are missing"),
        (PLAIN | {HEADS_UP: 7}, "in the part heads-up, 7 means nothing"),
    ],
    ids=str,
)
def test_what_is_no_recipe_is_refused_with_an_example(wrong, reason):
    with pytest.raises(RecipeError, match=f"{reason}.*Example: .*heads-up"):
        recipe_from(wrong)


def test_a_recipe_that_is_not_there_is_refused(tmp_path):
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    for game, named, reason in [
        ("thai_poker", "nowhere.json", "there is no recipe nowhere.json"),
        ("thai_poker", str(broken), "is no JSON"),
        ("dacha_poker", SHIPPED, "no network is shipped for dacha_poker, only for"),
    ]:
        with pytest.raises(RecipeError, match=reason):
            recipe_of(game, named)


@pytest.mark.long
def test_training_a_part_saves_its_weights_and_says_their_digest(tmp_path, monkeypatch, capsys):
    recipe, out = tmp_path / "recipe.json", tmp_path / "one.npy"
    recipe.write_text(json.dumps(PLAIN))
    words = ["train", "thai", "--recipe", str(recipe), "--part", HEADS_UP, "--until", "10240"]
    monkeypatch.setattr(sys, "argv", [*words, "--out", str(out)])
    train_players.main()
    printed = capsys.readouterr().out
    assert f"{HEADS_UP}:     10240 rounds" in printed
    assert f"sha256 {hashlib.sha256(out.read_bytes()).hexdigest()}" in printed
    assert np.load(out).shape == (WEIGHTS,)


def test_a_wrong_recipe_ends_in_one_sentence(tmp_path, monkeypatch, capsys):
    words = ["train", "thai", "--recipe", "nowhere.json", "--out", str(tmp_path / "x.npy")]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit):
        train_players.main()
    assert "there is no recipe nowhere.json" in capsys.readouterr().err
