"""The sharp player at a table: it plays a solved strategy, or as `reader` where that is better.

The command "bluffhouse simulate" also measures the network alone ("network") and the reader
("reader"); docs/computer-players.md says where each of them helps.
"""

from __future__ import annotations

from engine.players import reader
from engine.players.blueprint.playing import blueprint_choice
from engine.players.estimate import estimate
from engine.players.memory import ShownRound
from engine.players.position import Choice, Position
from engine.players.recognition import plays_simply
from engine.ruleset import Ruleset


def choose(position: Position, rules: Ruleset) -> Choice:
    """Return the choice of the strongest available player.

    A solved strategy can hardly be exploited, but wins little against simple players. So the reader
    chooses if the opponent is very probably a simple player, or if the round is not solved.
    """
    choice = blueprint_choice(position, rules)
    if choice is not None:
        (opponent,) = (seat for seat in position.live if seat != position.seat)
        if not plays_simply(position, rules, opponent):
            return choice
    return reader.choose(position, rules)


def prepare(rules: Ruleset) -> None:
    """Load everything that decisions and estimates of this game need, so that they are fast."""
    hands = tuple(1 << card.number for card in rules.deck.order[:3])
    ended = ShownRound(1, 0, hands, 0, ((0, 0),), 1, 0)
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
        rounds=(ended,) if rules.most_players > 2 else (),
        character="sharp",
        seed=1,
    )
    choose(position, rules)
    plays_simply(position, rules, 0)
    estimate(position, rules)
