"""The games, as data: each is a `Variant`, which makes a `Ruleset` from the chosen options.

A new game is a file in this folder and a line in `VARIANTS` (docs/adding-a-game.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from engine.errors import RulesetError, quote
from engine.ruleset import Options, OptionValue, Ruleset, Variant
from engine.variants import liars_poker, thai_poker


def catalogue(variants: Iterable[Variant]) -> dict[str, Variant]:
    """Return the variants by their keys.

    Raises RulesetError if two variants share a key, short name or title.
    """
    by_key: dict[str, Variant] = {}
    for added in variants:
        for known in by_key.values():
            for field in ("key", "short", "title"):
                value = getattr(added, field)
                if value == getattr(known, field):
                    raise RulesetError(
                        f"two games have the {field} {quote(value)}: give one another"
                    )
        by_key[added.key] = added
    return by_key


VARIANTS: Final[dict[str, Variant]] = catalogue((liars_poker.VARIANT, thai_poker.VARIANT))


def variant(key: str) -> Variant:
    """Return the variant with this key. Raises RulesetError if there is none."""
    try:
        return VARIANTS[key]
    except KeyError:
        raise RulesetError(
            f"there is no game {quote(key)}; there are {', '.join(VARIANTS)}"
        ) from None


def by_short(name: str) -> Variant:
    """Return the variant that people call `name` in commands, else raise RulesetError."""
    for game in VARIANTS.values():
        if game.short == name:
            return game
    known = ", ".join(game.short for game in VARIANTS.values())
    raise RulesetError(f"there is no game {quote(name)}; there are {known}")


def ruleset(key: str, options: Options | None = None, version: int | None = None) -> Ruleset:
    """Return the ruleset of the game `key` with `options` chosen, defaults for the rest; cached.

    For a stored match, pass its `version` too. Raises RulesetError for an unknown game, option or
    value, and for a version other than the one that this code plays.
    """
    game = variant(key)
    if version is not None and version != game.version:
        raise RulesetError(f"{game.title} is at version {game.version} here, not {version}")
    return _built(key, tuple(game.values(options).items()))


@lru_cache(maxsize=64)
def _built(key: str, values: tuple[tuple[str, OptionValue], ...]) -> Ruleset:
    return VARIANTS[key].ruleset(dict(values))
