"""The games, as data: a key names a variant, a variant with options is a ruleset.

A further game is a file beside these and a line in `VARIANTS` (docs/adding-a-game.md).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.errors import RulesetError
from engine.ruleset import Options, OptionValue, Ruleset, Variant
from engine.variants import liars_poker, thai_poker

VARIANTS: Final[dict[str, Variant]] = {
    variant.key: variant for variant in (liars_poker.VARIANT, thai_poker.VARIANT)
}


def variant(key: str) -> Variant:
    """The variant with this key. Raises RulesetError if there is none."""
    try:
        return VARIANTS[key]
    except KeyError:
        raise RulesetError(f"there is no game {key!r}; there are {', '.join(VARIANTS)}") from None


def ruleset(key: str, options: Options | None = None, version: int | None = None) -> Ruleset:
    """The ruleset of a game with some options chosen, or as a stored match pinned it.

    Raises RulesetError for an unknown game, option or value, and for a `version` other than the
    one this code plays.
    """
    found = variant(key)
    if version is not None and version != found.version:
        raise RulesetError(f"{found.title} is at version {found.version} here, not {version}")
    return _built(key, tuple(found.values(options).items()))


@lru_cache(maxsize=64)
def _built(key: str, values: tuple[tuple[str, OptionValue], ...]) -> Ruleset:
    return VARIANTS[key].ruleset(dict(values))
