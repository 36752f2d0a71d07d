"""Rulesets and their options."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from engine.bids import Kind
from engine.cards import DeckSpec, Rank
from engine.errors import RulesetError
from engine.ladder import Ladder
from engine.ruleset import LENGTH, Option, OptionChoice
from engine.variants import VARIANTS, by_short, catalogue, ruleset, variant
from tests import third_game

EVERY_CHOICE = [
    (game.key, dict(zip((o.key for o in game.all_options), values, strict=True)))
    for game in VARIANTS.values()
    for values in product(*([c.value for c in o.choices] for o in game.all_options))
]


@pytest.mark.thorough
@pytest.mark.parametrize(("key", "options"), EVERY_CHOICE)
def test_every_combination_of_options_makes_a_playable_ruleset(key, options):
    rules = ruleset(key, options)
    assert dict(rules.options) == options
    game = variant(key)
    assert (rules.key, rules.version, rules.title) == (key, game.version, game.title)
    assert rules.challengers == options.get("challengers", "next")
    assert rules.middle_hand == options.get("middle_hand", False)
    assert rules.deck.jokers == options.get("jokers", 0)
    assert rules.limit_counts == options.get("limit_counts", "live")
    for option in game.all_options:
        assert option.label_of(options[option.key])


@pytest.mark.parametrize("key", VARIANTS)
def test_the_first_choice_of_each_option_is_the_default(key):
    assert dict(ruleset(key).options) == {o.key: o.default for o in variant(key).all_options}
    assert ruleset(key) is ruleset(key, {})
    assert variant(key).ruleset() == ruleset(key)


def test_the_defaults_are_the_decisions_of_the_rules():
    assert dict(ruleset("liars_poker").options) == {
        "jokers": 2,
        "middle_hand": False,
        "challengers": "next",
        "flush_card": "in_play",
        "length": "whole",
    }
    assert dict(ruleset("thai_poker").options) == {
        "two_player_limit": 6,
        "limit_counts": "live",
        "challengers": "next",
        "length": "whole",
    }


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"jokers": 1}, "jokers is one of 2, 0, not 1"),
        ({"jokers": "2"}, "jokers is one of 2, 0, not 2"),
        ({"jokers": False}, "jokers is one of 2, 0, not False"),
        ({"jokers": [2]}, r"jokers is one of 2, 0, not \[2\]"),
        ({"jokers": None}, "jokers is one of 2, 0, not None"),
        ({"middle_hand": 1}, "middle_hand is one of False, True, not 1"),
        ({"challengers": "all"}, "challengers is one of next, anyone, not all"),
        ({"length": "long"}, "length is one of whole, one_more, first_out, not long"),
        ({"joker": 2}, "Liars' Poker has no option joker; it has challengers, flush_card, jokers"),
    ],
)
def test_a_bad_option_is_refused_in_a_sentence(options, sentence):
    with pytest.raises(RulesetError, match=sentence):
        ruleset("liars_poker", options)


@pytest.mark.parametrize(
    ("key", "changes", "sentence"),
    [
        ("liars_poker", {"starting_cards": (2, 2, 2)}, "differ in length"),
        (
            "liars_poker",
            {"starting_cards": (2, 2), "card_limits": (5, 5)},
            "fewer than 2 players fit",
        ),
        ("liars_poker", {"starting_cards": (6,) * 11}, "2 players start with 6 of 5"),
        ("liars_poker", {"middle_hand": True}, "10 players with 5 cards each do not fit"),
        (
            "liars_poker",
            {"deck": DeckSpec(ranks=tuple(Rank)[1:], jokers=6)},
            "needs cards that the deck lacks",
        ),
        ("liars_poker", {"deck": DeckSpec()}, "five:2 can never hold, not with all 52 cards in pl"),
        ("thai_poker", {"ladder": Ladder(())}, "thai_poker: the ladder is empty: write one rung"),
        ("thai_poker", {"challengers": "all"}, "challengers is one of next, anyone, not all"),
        ("thai_poker", {"limit_counts": 5}, "limit_counts is one of live, starting, not 5"),
        ("thai_poker", {"length": "long"}, "length is one of whole, one_more, first_out, not long"),
    ],
)
def test_rules_that_cannot_be_played_cannot_be_made(key, changes, sentence):
    with pytest.raises(RulesetError, match=sentence):
        replace(ruleset(key), **changes)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (Kind.FLUSH, r'for a flush \(flush:c\): write one, such as \(Kind.FLUSH, None\): "{suit}'),
        (Kind.THREE, r"for three of a kind \(three:9\): write one, such as \(Kind.THREE, None\): "),
        (Kind.FOUR, r'write one, such as \(Kind.FOUR, None\): "four {ranks}"'),
    ],
)
def test_a_kind_without_words_is_refused_when_the_ruleset_is_made(kind, sentence):
    rules = ruleset("thai_poker")
    others = {key: words for key, words in rules.phrases.items() if key[0] is not kind}
    # nor does a phrase for one rank speak for the others
    for phrases in (others, others | {(kind, None): ""}, others | {(kind, Rank.ACE): "rockets"}):
        with pytest.raises(RulesetError, match=sentence):
            replace(rules, phrases=phrases)


@pytest.mark.parametrize(
    ("key", "phrase", "sentence"),
    [
        (
            Kind.PAIR,
            "pair of {rnks}",
            'pair:9 cannot fill the phrase "pair of {rnks}" of Kind.PAIR',
        ),
        (Kind.PAIR, "pair of {ranks} {suit}", "write it with {rank}, {ranks}$"),
        (Kind.FLUSH, "{rank} {suit} flush", "write it with {suit}$"),
        (Kind.FULL_HOUSE, "{ranks} over {other}", "write it with {rank}, {ranks}, {others}$"),
        (Kind.PAIR, "pair of {}", "cannot fill the phrase"),
        (Kind.PAIR, "pair of {ranks", "cannot fill the phrase"),
        (Kind.PAIR, "pair of {ranks!r}", "cannot fill the phrase"),
        (Kind.PAIR, "pair of {ranks:>9}", "cannot fill the phrase"),
        (Kind.PAIR, "pair of {ranks.upper}", "cannot fill the phrase"),
    ],
)
def test_a_phrase_with_a_field_that_its_bids_do_not_fill_is_refused(key, phrase, sentence):
    rules = ruleset("thai_poker")
    with pytest.raises(RulesetError, match=sentence):
        replace(rules, phrases={**rules.phrases, (key, None): phrase})


@pytest.mark.parametrize("again", ["pair of {ranks}", "Pair of  {ranks}!"])
def test_two_bids_that_are_said_alike_are_refused_when_the_ruleset_is_made(again):
    rules = ruleset("thai_poker")
    with pytest.raises(RulesetError) as caught:
        replace(rules, phrases={**rules.phrases, (Kind.THREE, None): again})
    assert str(caught.value).startswith("Thai Poker: pair:9 and three:9 are both said ")
    assert "give one a phrase that differs" in str(caught.value)
    with pytest.raises(RulesetError, match='flush:c and flush:d are both said "flush"'):
        replace(rules, phrases={**rules.phrases, (Kind.FLUSH, None): "flush"})


@pytest.mark.parametrize("short", ["", "Liars", "liars poker", "l" * 33, "liars_poker", "líars"])
def test_a_short_name_that_could_not_be_typed_as_a_command_is_refused(short):
    with pytest.raises(RulesetError, match="is no short name: write 1 to 32 lower-case letters"):
        replace(variant("liars_poker"), short=short)


@pytest.mark.parametrize("field", ["key", "short", "title"])
def test_two_games_of_one_name_cannot_stand_side_by_side(field):
    first, second = variant("liars_poker"), variant("thai_poker")
    alike = replace(second, **{field: getattr(first, field)})
    with pytest.raises(RulesetError, match=f"two games have the {field} .*: give one another"):
        catalogue((first, alike))


@pytest.mark.parametrize(
    "game", [*VARIANTS.values(), third_game.VARIANT], ids=lambda variant: variant.short
)
def test_the_options_that_change_a_chance_are_those_that_change_the_deck_or_the_ladder(game):
    usual = game.ruleset()
    options = []
    for option in game.options:
        others = [game.ruleset({option.key: choice.value}) for choice in option.choices]
        if any((changed.deck, changed.ladder) != (usual.deck, usual.ladder) for changed in others):
            options.append(option)
    assert [*game.odds_options] == options


def test_an_option_is_a_key_and_different_choices():
    with pytest.raises(
        RulesetError, match="option jokers has no choices: write one OptionChoice for"
    ):
        Option("jokers", "Jokers", ())
    for again in (2, "2"):
        with pytest.raises(RulesetError, match="option jokers offers 2 twice"):
            Option("jokers", "Jokers", (OptionChoice(2, "two"), OptionChoice(again, "two again")))
    with pytest.raises(RulesetError, match='"Middle hand" is no key of an option: write 1 to 32'):
        Option("Middle hand", "Middle hand", (OptionChoice(True, "yes"),))
    liars = variant("liars_poker")
    for options, twice in (((*liars.options, liars.options[0]), "jokers"), ((LENGTH,), "length")):
        with pytest.raises(RulesetError, match=f"liars_poker has two options {twice}"):
            replace(liars, options=options)


def test_a_game_is_found_by_its_key_its_version_and_what_people_type_for_it():
    liars, thai = variant("liars_poker"), variant("thai_poker")
    assert (by_short("liars"), by_short("thai")) == (liars, thai)
    with pytest.raises(RulesetError, match='no game "chess"; there are liars, thai'):
        by_short("chess")
    with pytest.raises(RulesetError, match='no game "chess"; there are liars_poker, thai_poker'):
        ruleset("chess")
    assert ruleset("thai_poker", version=1) == ruleset("thai_poker")
    with pytest.raises(RulesetError, match="Thai Poker is at version 1 here, not 2"):
        ruleset("thai_poker", version=2)
    with pytest.raises(RulesetError, match="liars_poker: build makes thai_poker, version 1"):
        replace(liars, build=lambda options: thai.ruleset()).ruleset()
    with pytest.raises(RulesetError, match=r"liars_poker: build drops the options: write options="):
        replace(liars, build=lambda options: replace(liars.build(options), options=())).ruleset()
