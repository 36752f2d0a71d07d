"""What is told when a match is over: the strip of its rounds, the boldest bluff, the best catch.

And the evening's score, where it was not the first match of the evening.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.boards.board import Block, Board, StripPicture, Text
from bot.boards.company import face_of
from bot.language.catalogues import tr, trn
from bot.language.wordings import bid_text, game_words
from bot.language.words import Names, drawn, mention, percent, together
from bot.pictures.palette import AMBER
from bot.pictures.strip import MOST_COLUMNS, Fate, StripCell, StripRow, strip_text
from bot.tables.highlights import Bluff, Catch, RoundLine, Story
from bot.tables.session_score import SessionScore
from engine.odds.chance import Chance
from engine.view import EndedRound, View

FITTING: Final = 8  # rows of the last showdown and of the strip that fit one screen of a phone
SCORED: Final = 10  # winners in the evening's score


@dataclass(frozen=True, slots=True)
class Told:
    """What is told when a match is over: its own story, and the evening's."""

    story: Story
    evening: SessionScore


def fitting_strip(seen: View, last: EndedRound, told: Story, names: Names) -> StripPicture | None:
    """The strip, if it fits into the winner's message below the `last` showdown.

    None where it does not: it is behind a button then.
    """
    rows = len(seen.seats) + sum(1 for hand in last.hands if hand)
    rounds_fit = len(told.rounds) <= MOST_COLUMNS
    return strip_picture(seen, told, names) if rows <= FITTING and rounds_fit else None


def evening_text(evening: SessionScore) -> str:
    """Who won how many matches this evening, in a line; empty after the first of them."""
    if evening.matches < 2:
        return ""
    shown = [f"{mention(player)}\u00a0{wins}" for player, wins in evening.wins[:SCORED]]
    if len(evening.wins) > SCORED:
        shown.append("…")
    return trn(
        "**This evening**, {number} match: {wins}",
        "**This evening**, {number} matches: {wins}",
        evening.matches,
        wins=" · ".join(shown),
    )


def strip_picture(seen: View, told: Story, names: Names) -> StripPicture | None:
    """The rounds of a match to be drawn, None if nothing was dealt.

    The winner's row comes first, then who lasted longest.
    """
    if not told.rounds:
        return None

    def place(seat: int) -> tuple[bool, int]:
        return seat != seen.winner, -sum(line.held[seat] > 0 for line in told.rounds)

    rows = tuple(
        StripRow(
            drawn(names, seen.seats[seat].player, tr("Seat {number}", number=seat + 1)),
            tuple(_cell(line, seat) for line in told.rounds),
            winner=seat == seen.winner,
            face=face_of(seen.seats[seat].player),
        )
        for seat in sorted(range(len(seen.seats)), key=place)
    )
    return StripPicture(rows, strip_text(rows))


def story_board(seen: View, told: Story, names: Names) -> Board:
    """A match that is over, round by round: the strip, the boldest bluff and the best catch."""
    picture = strip_picture(seen, told, names)
    blocks: list[Block] = [Text(tr("**{title} · the whole match**", title=tr(seen.ruleset.title)))]
    if picture is not None:
        blocks.append(picture)
    text = story_text(seen, told)
    if text:
        blocks.append(Text(text))
    return Board(AMBER, tuple(blocks))


def story_text(seen: View, told: Story) -> str:
    """The boldest bluff that nobody doubted and the best catch; empty if there was neither.

    A line each, and what their chances go by: a phone shows the showdown above them too.
    """
    lines = []
    if told.bluff is not None:
        lines.append(_bluff_line(seen, told.bluff))
    if told.catch is not None:
        lines.append(_catch_line(seen, told.catch))
    if lines:
        lines.append(tr("-# chances by their own cards"))
    return "\n".join(lines)


def _cell(line: RoundLine, seat: int) -> StripCell:
    fate = Fate.KEPT
    if seat in line.left:
        fate = Fate.LEFT
    elif seat == line.loser:
        fate = Fate.OUT if line.out else Fate.LOST
    elif seat in line.outdone:
        fate = Fate.OUT
    return StripCell(line.held[seat], fate)


def _bluff_line(seen: View, bluff: Bluff) -> str:
    who = mention(seen.seats[bluff.made.seat].player)
    return tr(
        "**Boldest bluff:** {who}'s **{said}** in round {number}, at {share}",
        who=who,
        said=bid_text(seen.ruleset, bluff.made.bid),
        number=bluff.round,
        share=_share(bluff.chance),
    )


def _catch_line(seen: View, catch: Catch) -> str:
    who = mention(seen.seats[catch.challenger].player)
    bidder = mention(seen.seats[catch.made.seat].player)
    return tr(
        "**Best catch:** {who} {challenged} {bidder}'s **{said}** in round {number}, at {share}",
        who=who,
        challenged=game_words(seen.ruleset).challenged,
        bidder=bidder,
        said=bid_text(seen.ruleset, catch.made.bid),
        number=catch.round,
        share=_share(catch.chance),
    )


def _share(chance: Chance) -> str:
    return together(percent(chance.probability))
