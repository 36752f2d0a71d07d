"""Every refusal has a sentence of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.discord.errors import BROKEN, MOVED_ON, sentence
from bot.discord.posting import CannotPost
from bot.language.catalogues import speaking
from bot.tables import errors as refusals
from bot.tables.live import LiveTable
from bot.tables.model import Status, Table
from engine import errors
from engine.cutting import CutTextError
from engine.play import start
from engine.variants import VARIANTS, ruleset

# what no player can bring about: these say that the table has moved on
SILENT = (errors.AlreadyDealt, errors.BadDeal, refusals.MovedOn, refusals.Stale)
FACTS = {
    "winner": 0,
    "seat": 0,
    "turn": 1,
    "key": "pair:Z",
    "bid": "pair:9",
    "standing": "pair:K",
    "reason": "-",
    "most": 9,
    "seated": 10,
    "host": 11,
    "table_id": 1,
    "message_id": None,
    "player": 11,
    "wait": 30.0,
    "asked": "spring",
    "typed": "half past",
    "suggestions": (),
    "names": ("autumn", "winter"),
    "number": 12,
    "match": 12,
    "permissions": ("Send Messages",),
    "bot": 30,
    "application": 31,
    "guild": 21,
    "channel": 22,
}


def kinds(base: type[Exception]) -> Iterator[type[Exception]]:
    """Every class of error below `base`."""
    for kind in base.__subclasses__():
        yield kind
        yield from kinds(kind)


def made(kind: type[Exception]) -> Exception:
    """An error of this kind, with facts."""
    if kind is refusals.Damaged:
        return refusals.Damaged("its log cannot be replayed", match=7)
    fields = getattr(kind, "__dataclass_fields__", {})
    return kind(**{name: FACTS[name] for name in fields})


REFUSALS = sorted(
    {*kinds(refusals.RefusedError), *kinds(errors.RuleViolation)} - {CannotPost},  # its kinds are
    key=lambda kind: kind.__name__,
)


@pytest.mark.parametrize("game", list(VARIANTS))
@pytest.mark.parametrize("kind", REFUSALS, ids=lambda kind: kind.__name__)
def test_every_refusal_is_one_sentence_for_a_player(kind: type[Exception], game: str) -> None:
    match = start(ruleset(game, {}), (11, 12))
    lobby = Table(1, 1, 1, 11, Status.PLAYING, game, {}, (11, 12), 1, 0, 0)
    said = sentence(made(kind), LiveTable(lobby, match))
    assert said[0].isupper() or said[0] in '"<'
    assert said.rstrip().endswith(".")
    assert "\n" not in said
    assert kind.__name__ not in said
    assert (said == MOVED_ON) == (kind in SILENT)
    assert said != BROKEN


def test_sentences_of_different_refusals_differ() -> None:
    match = start(ruleset("thai_poker", {}), (11, 12))
    lobby = Table(1, 1, 1, 11, Status.PLAYING, "thai_poker", {}, (11, 12), 1, 0, 0)
    said = [
        sentence(made(kind), LiveTable(lobby, match)) for kind in REFUSALS if kind not in SILENT
    ]
    assert len(set(said)) == len(said)


@pytest.mark.parametrize(
    ("language", "longest", "told"),
    [
        ("en", None, "Nothing was typed that can be seen. Example: purple giraffe 7"),
        ("pl", None, "Nie wpisano niczego, co widać. Przykład: fioletowa żyrafa 7"),
        ("en", 32, "That is longer than 32 characters. Example: purple giraffe 7"),
        ("pl", 32, "To więcej niż 32 znaki. Przykład: fioletowa żyrafa 7"),
        ("pl", 25, "To więcej niż 25 znaków. Przykład: fioletowa żyrafa 7"),
    ],
)
def test_words_that_cut_no_cards_are_refused_in_every_language(
    language: str, longest: int | None, told: str
) -> None:
    with speaking(language):
        assert sentence(CutTextError("typed", longest)) == told


def test_what_nobody_foresaw_is_not_shown_to_players() -> None:
    assert sentence(KeyError("secret")) == BROKEN
