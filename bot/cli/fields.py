"""What `simulate` and `play` are told: a game, its options, the players by name."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Annotated, Final

import typer

from bot.cli.failing import one_sentence, refuse, shown
from bot.cli.games import typed
from bot.language.words import listed
from engine.ruleset import OptionValue, Ruleset, Variant
from engine.variants import VARIANTS

SHORT: Final = [variant.short for variant in VARIANTS.values()]

Game = Annotated[
    str,
    typer.Option("--game", metavar="|".join(SHORT), help="The game."),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="KEY=VALUE",
        help="An option of the game, such as length=one_more; may be given several times.",
    ),
]


def rules_of(game: str, options: Sequence[str] | None) -> Ruleset:
    """The ruleset that was asked for; anything else is refused in a sentence."""
    found = [one for one in VARIANTS.values() if game in (one.short, one.key)]
    if not found:
        raise refuse(
            f"--game is {listed(SHORT, 'or')}, not {shown(game)}. Example: --game {SHORT[0]}"
        )
    chosen = dict(_option(found[0], text) for text in options or [])
    with one_sentence():
        return found[0].ruleset(chosen)


def _option(variant: Variant, text: str) -> tuple[str, OptionValue]:
    key, _, value = text.partition("=")
    known = {option.key: option for option in variant.all_options}
    option = known.get(key.strip().replace("-", "_"))
    if option is None:
        example = next(iter(known.values()))
        raise refuse(
            f"{variant.title} has no option {shown(key)}; it has {listed(known)}."
            f" Example: --option {example.key}={typed(example.default)}"
        )
    for choice in option.choices:
        if typed(choice.value) == value.strip():
            return option.key, choice.value
    offered = listed((typed(choice.value) for choice in option.choices), "or")
    raise refuse(
        f"option {option.key} is {offered}, not {shown(value)}."
        f" Example: --option {option.key}={typed(option.choices[-1].value)}"
    )


def names_in(text: str, flag: str, known: Sequence[str]) -> list[str]:
    """The players named in `text`, separated by commas; an unknown one is refused."""
    names = [name.strip().lower() for name in text.split(",")]
    for name in names:
        if name in known:
            continue
        said = f"there is no computer player {shown(name)}" if name else "a name is empty"
        meant = get_close_matches(name, known, 1)
        hint = f"did you mean {meant[0]}? There are" if meant else "there are"
        example = ",".join(known[1:3])
        raise refuse(f"{said}; {hint} {listed(known)}. Example: {flag} {example}")
    return names
