"""Boards for named ranges of hands: a range was saved or deleted, and a person's list.

Both names and hands can be shown as code: a name is a word, and the engine writes the
hands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.boards.board import Board, Text
from bot.boards.showdown_words import combos_text
from bot.language.catalogues import tr, trn
from bot.language.words import TypedText, escape_markdown, join_words, truncate
from bot.pictures.palette import GREEN, GREY

_SHOWN: Final = 60  # characters of a range in the list, so that the list fits a message


def kept_board(range_name: str, hands: str, combos: int, share: float) -> Board:
    """Return the board about a saved range: `combos` hands, which are a `share` (0 to 1) of all."""
    lines = [
        tr("**{name}** is saved: {hands}", name=escape_markdown(range_name), hands=f"`{hands}`"),
        combos_text(combos, share),
        tr(
            "-# Use it: `/odds showdown hands: {name} vs QQ`. Your ranges: `/odds ranges`.",
            name=range_name,
        ),
    ]
    return Board(GREEN, (Text("\n".join(lines)),))


def ranges_board(ranges: Mapping[str, str], most: int) -> Board:
    """Return the list of a person's ranges (hands by name); they may have at most `most`."""
    if not ranges:
        text = tr("You haven't named a range yet. Try `/odds showdown hands: btn = 22+, A2s+`.")
        return Board(GREY, (Text(text),))
    heading = trn(
        "**You've named {number} range** (of {most} at most)",
        "**You've named {number} ranges** (of {most} at most)",
        len(ranges),
        most=most,
    )
    lines = [f"`{name} = {truncate(hands, _SHOWN)}`" for name, hands in ranges.items()]
    small = tr(
        "-# Add or change one: `/odds showdown hands: btn = 22+, A2s+`."
        " Delete one: `/odds ranges delete: {name}`.",
        name=next(iter(ranges)),
    )
    return Board(GREEN, (Text(heading), Text("\n".join(lines)), Text(small)))


def deleted_board(typed: TypedText, hands: str | None, ranges: Mapping[str, str]) -> Board:
    """Return the board about a deleted range, which contained `hands`.

    If `hands` is None, the person has no range of the `typed` name: list their `ranges` instead.
    """
    if hands is not None:
        text = tr("**{name}** is deleted. It was: {hands}", name=typed, hands=f"`{hands}`")
        return Board(GREEN, (Text(text),))
    if not ranges:
        return ranges_board(ranges, 0)
    names = join_words(f"**{escape_markdown(name)}**" for name in ranges)
    text = tr("You have no range named {name}. Yours: {names}.", name=typed, names=names)
    return Board(GREY, (Text(text),))
