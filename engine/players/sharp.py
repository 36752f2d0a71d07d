"""The sharp player at a table: a solved strategy until it knows better, else the reader.

`simulate` also measures the network alone (`network`) and the reader on it (`reader`); where each
of them helps is in docs/computer-players.md.
"""

from __future__ import annotations

from engine.players import reader
from engine.players.blueprint.playing import blueprint_choice
from engine.players.estimate import estimate
from engine.players.memory import Shown
from engine.players.position import Choice, Position
from engine.players.recognition import plays_simply
from engine.ruleset import Ruleset


def choose(position: Position, rules: Ruleset) -> Choice:
    """What the strongest player that we have does.

    A solved strategy cannot be bluffed and wins little from who plays simply; so once it is sure of
    such an opponent it plays to exploit them, as it does where nothing is solved.
    """
    choice = blueprint_choice(position, rules)
    if choice is not None:
        (other,) = (seat for seat in position.live if seat != position.seat)
        if not plays_simply(position, rules, other):
            return choice
    return reader.choose(position, rules)


def prepare(rules: Ruleset) -> None:
    """Load all that decisions and estimates of this game need, so that the next ones are quick."""
    hands = tuple(1 << card.number for card in rules.deck.order[:3])
    shown = Shown(1, 0, hands, 0, ((0, 0),), 1, 0)
    for players in range(2, rules.most_players + 1):
        reader.reading_of(rules, players)
    position = Position(
        game=rules.key,
        version=rules.version,
        options=rules.options,
        number=2,
        seat=1,
        turn=1,
        opener=0,
        hole=hands[1],
        dealt=(1, 1, 1)[: min(3, rules.most_players)],
        live=tuple(range(min(3, rules.most_players))),
        middle_size=0,
        playing_off=False,
        bids=((0, 1),),
        challengers=(1,),
        shown=(shown,) if rules.most_players > 2 else (),
        character="sharp",
        seed=1,
    )
    choose(position, rules)
    plays_simply(position, rules, 0)
    estimate(position, rules)
