"""The public names of the computer players, listed once: read by type checkers and by `loading`."""

from engine.players.characters import CHARACTERS as CHARACTERS
from engine.players.characters import OPENER as OPENER
from engine.players.characters import STAND_IN as STAND_IN
from engine.players.characters import Character as Character
from engine.players.characters import Player as Player
from engine.players.deciding import choose as choose
from engine.players.deciding import decide as decide
from engine.players.equity import MatchEquity as MatchEquity
from engine.players.equity import match_equity as match_equity
from engine.players.hints import Hint as Hint
from engine.players.hints import HintReason as HintReason
from engine.players.hints import hint as hint
from engine.players.memory import Memory as Memory
from engine.players.memory import ShownRound as ShownRound
from engine.players.memory import remember as remember
from engine.players.position import BadChoice as BadChoice
from engine.players.position import Choice as Choice
from engine.players.position import Position as Position
from engine.players.position import observe as observe
