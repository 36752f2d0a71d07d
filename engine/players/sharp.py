"""The sharp player at a table: exact where that can be had, else the reader on its network.

`simulate` measures the network alone (`sharp`) and the reader (`sharp+reader`) apart; where each of
them helps is in docs/computer-players.md.
"""

from __future__ import annotations

from engine.players import reader
from engine.players.choice import Choice
from engine.players.exact.playing import exact_choice
from engine.players.position import Position
from engine.ruleset import Ruleset


def choose(position: Position, rules: Ruleset) -> Choice:
    """What the strongest player that we have does."""
    return exact_choice(position, rules) or reader.choose(position, rules)
