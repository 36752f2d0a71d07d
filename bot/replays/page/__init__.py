"""A replay as one self-contained page: its cards move, and it loads nothing from the network.

All texts come from here; the page's script only shows them. Names reach the page as text in a block
of JSON, never as markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import Any, Final

from bot.language.words import capital
from bot.pictures import palette
from bot.replays.narration import Voice, advice_sentences, ending_text, known_chance, step_text
from bot.replays.played import PlayedMatch, Step, steps_of
from bot.replays.text import headline
from engine.actions import Challenge, Deal, Forfeit
from engine.cards import Card, Cards
from engine.players.coaching.decisions import Advice

_NOTHING: Mapping[int, Advice] = {}
_KINDS: Final = {Deal: "deal", Challenge: "doubt", Forfeit: "leave"}
_COLOURS: Final[dict[str, palette.Colour]] = {
    "felt": palette.FELT,
    "felt-edge": palette.FELT_EDGE,
    "gold": palette.GOLD,
    "gold-edge": palette.GOLD_EDGE,
    "ivory": palette.IVORY,
    "sky": palette.SKY,
    "sage": palette.SAGE,
    "loser": palette.LOSER_FRAME,
    "card": palette.CARD_PAPER,
    "resting": palette.RESTING_PAPER,
    "card-edge": palette.CARD_EDGE,
    "suit-h": palette.SUIT_RED,
    "suit-s": palette.SUIT_BLACK,
    "suit-c": palette.SUIT_GREEN,
    "suit-d": palette.SUIT_BLUE,
    "joker": palette.STAND_IN,
    "back": palette.BACK,
    "weave": palette.BACK_WEAVE,
    "dark-paper": palette.CHART_PAPER,
    "dark-ink": palette.CHART_INK,
    "dark-muted": palette.CHART_MUTED,
    "dark-line": palette.CHART_TRACK,
    "light-paper": palette.REPORT_PAPER,
    "light-ink": palette.REPORT_INK,
    "light-muted": palette.REPORT_FOLD,
    "light-line": palette.REPORT_GRID,
}
_LABELS: Final = {
    "first": "To the beginning",
    "round_back": "The round before",
    "back": "One step back",
    "play": "Play",
    "pause": "Pause",
    "next": "One step on",
    "round_on": "The next round",
    "coach": "Coach",
    "middle": "Middle",
    "out": "out",
    "left": "has left",
    "deck": "deck",
    "steps": "Steps of the match",
    "keys": "Space plays and pauses. Arrow keys: left and right a step, up and down a round.",
}


def page_html(played: PlayedMatch, advice: Mapping[int, Advice] = _NOTHING) -> str:
    """Return the page as HTML. `advice`: the coach's advice by action number, if requested."""
    data = json.dumps(as_data(played, advice), ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":  # so that no text can end the script block
        data = data.replace(char, f"\\u{ord(char):04x}")
    colours = "".join(f"--{name}:{palette.web(colour)};" for name, colour in _COLOURS.items())
    parts = {
        "TITLE": escape(headline(played)),
        "STYLE": f":root{{{colours}}}\n{_asset('replay.css')}",
        "DATA": data,
        "SCRIPT": _asset("replay.js"),
    }
    # in one pass, so that a placeholder within a name isn't replaced
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], _asset("replay.html"))


def as_data(played: PlayedMatch, advice: Mapping[int, Advice] = _NOTHING) -> dict[str, Any]:
    """Return the data of the page's script, as JSON values."""
    steps, voice = steps_of(played), Voice(played.names)
    return {
        "title": headline(played),
        "names": list(played.names),
        "characters": [seat.character for seat in played.seated],
        "labels": _LABELS,
        "deck": [_card(card) for card in played.rules.deck.order],
        "rounds": _rounds(steps, len(played.deals)),
        "steps": [_step(played, step, voice, advice.get(step.seq)) for step in steps]
        + _end(played, steps, voice),
    }


def _asset(name: str) -> str:
    return files("bot.replays.page").joinpath(name).read_text("utf-8")


def _card(card: Card) -> dict[str, Any]:
    if card.is_joker:
        return {"number": card.number, "rank": "★", "suit": "", "kind": "joker"}
    return {
        "number": card.number,
        "rank": card.rank.label,
        "suit": card.suit.symbol,
        "kind": card.suit.char,
    }


def _numbers(cards: Cards) -> list[int]:
    return [card.number for card in cards]


def _rounds(steps: tuple[Step, ...], rounds: int) -> list[dict[str, Any]]:
    """Return each round's number, heading, cards and index of its first step.

    `rounds`: the number of rounds in the match.
    """
    return [
        {
            "number": step.round.number,
            "told": f"Round {step.round.number} of {rounds}",
            "first": place,
            "hands": [_numbers(hand) for hand in step.round.hands],
            "middle": _numbers(step.round.middle),
        }
        for place, step in enumerate(steps)
        if isinstance(step.action, Deal)
    ]


def _step(played: PlayedMatch, step: Step, voice: Voice, advice: Advice | None) -> dict[str, Any]:
    current, rules, outcome = step.round, played.rules, step.round.outcome
    standing = current.standing
    judged = isinstance(step.action, Challenge)
    return {
        "round": current.number,
        "kind": _KINDS.get(type(step.action), "bid"),
        "seat": step.seat,
        "told": step_text(step, voice),
        "known": known_chance(step, voice),
        "coach": list(advice_sentences(advice, step, voice)) if advice is not None else [],
        "standing": capital(rules.wording.say(standing.bid)) if standing is not None else "",
        "bidder": standing.seat if standing is not None else None,
        "says": rules.terms.challenge if judged else "",
        "used": _numbers(step.proof.cards) if step.proof is not None else [],
        "holds": step.proof.holds if step.proof is not None else None,
        "loser": outcome.loser if outcome is not None else None,
        "standings": [str(seat.standing) for seat in step.match.seats],
        "winner": None,
    }


def _end(played: PlayedMatch, steps: tuple[Step, ...], voice: Voice) -> list[dict[str, Any]]:
    """Return the match's end as one more step."""
    last = steps[-1]
    final = _step(played, last, voice, None)
    return [
        final
        | {
            "kind": "end",
            "seat": last.match.winner,
            "told": ending_text(last, voice, won=played.won),
            "known": "",
            "says": "",
            "winner": last.match.winner,
        }
    ]
