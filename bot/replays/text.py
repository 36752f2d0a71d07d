"""A replay as text for a terminal 80 columns wide: a block for each round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from bot.language.words import cards_text, count, join_words
from bot.replays.narration import Voice, advice_sentences, ending_text, known_chance, step_text
from bot.replays.played import PlayedMatch, Step, steps_of
from engine.actions import Deal
from engine.players.coaching.decisions import Advice

_NOTHING: Mapping[int, Advice] = {}


def text_lines(played: PlayedMatch, advice: Mapping[int, Advice] = _NOTHING) -> Iterator[str]:
    """Yield the lines of a replay. `advice`: the coach's advice by action number, if requested."""
    steps, voice = steps_of(played), Voice(played.names)
    yield headline(played)
    for step in steps:
        if isinstance(step.action, Deal):
            yield ""
            yield step_text(step, voice)
            yield from _hands(played, step)
        else:
            yield f"  {step_text(step, voice)}"
            if step.chance is not None:
                yield f"      {known_chance(step, voice)}"
            if step.seq in advice:
                for line in advice_sentences(advice[step.seq], step, voice):
                    yield f"      {line}"
    if steps and (end := ending_text(steps[-1], voice, won=played.won)):
        yield ""
        yield end


def headline(played: PlayedMatch) -> str:
    """Return the match in a line: game, number, players, rounds, and the day of its start (UTC)."""
    title = played.rules.title
    which = f"{title}, match {played.number}" if played.number is not None else title
    day = datetime.fromtimestamp(played.started_at / 1000, UTC).date().isoformat()
    rounds = count(len(played.deals), "round")
    return f"{which}: {join_words(played.names)}, {rounds}, {day}"


def _hands(played: PlayedMatch, step: Step) -> Iterator[str]:
    """Yield each player's cards and the middle hand, a line each."""
    widest = max(len(name) for name in played.names)
    for seat, hand in enumerate(step.round.hands):
        if hand:
            yield f"  {played.names[seat]:<{widest}}  {cards_text(hand)}"
    if step.round.middle:
        yield f"  {'Middle':<{widest}}  {cards_text(step.round.middle)}"
