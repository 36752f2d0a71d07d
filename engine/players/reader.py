"""The reader: a network that also reads the other seats' bids, and looks ahead.

It guesses by Bayes' rule which hands every other seat may hold, under each of several models of how
people play (`MIXTURE`). Each model is weighed by how well it explains the seat's actions in the
latest shown rounds. Then the reader tries a few actions by playing the round on. Its work is
limited by the number of evaluations of the network (`looks`), not by time, so that the same
position gives the same choice on any machine.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import combinations_with_replacement
from math import comb, log
from typing import Any, Final

import numba
import numpy as np
from numpy.typing import NDArray

from engine.players.arrays import RuleArrays, arrays_of
from engine.players.equity import MatchEquity, match_equity
from engine.players.kernels.cards import CHALLENGE, NOBODY, RoundArrays, round_arrays
from engine.players.kernels.deciding import weigh
from engine.players.kernels.features import workspace
from engine.players.kernels.reading import CLEAR, MODELS, Hands, Models, note_round
from engine.players.kernels.search import TRIED, Outlook, Reader, look_ahead, other_opening
from engine.players.learned import TEMPERS, table_from
from engine.players.memory import ShownRound
from engine.players.networks import BASELINES, Entry, network_of, rows
from engine.players.position import LETS_IT_STAND, Choice, Position
from engine.ruleset import Ruleset

# the belief in each model for a player who has shown no cards yet
MIXTURE: Final = {
    "network": 0.30,
    "sly": 0.10,
    "wild": 0.10,
    "truthful": 0.15,
    "hider": 0.10,
    "threshold": 0.10,
    "careful": 0.15,
}
FLOOR: Final = 0.05  # fraction of a player's actions that no model would explain
HEAT: Final = 0.05
MOST_HANDS: Final = 96  # hands to guess for each seat
MOST_DEALS: Final = 128
FEWEST_DEALS: Final = 16  # even if they cost more than the budget
# microseconds of a look on a slow machine: a constant, plus an amount for each bid of the ladder
LOOK: Final = (4.0, 0.06)
PLAIN: Final = 150.0  # how many times as long it takes if numba's compilation is switched off
BUDGET: Final = 20_000.0  # microseconds for looks in a decision
MOST_NOTED: Final = 12  # latest shown rounds that count


@dataclass(frozen=True, eq=False)
class Reading:
    """A game's arrays, its models of players and the settings of the look-ahead, for kernels."""

    arrays: RuleArrays
    models: Models
    reader: Reader

    def hands(self, seats: int) -> Hands:
        """Return scratch memory for guesses of the hands of `seats` seats."""
        return Hands(
            np.zeros((seats, MOST_HANDS), np.uint64),
            np.zeros((seats, MOST_HANDS * MODELS)),
            np.zeros(seats, np.int64),
        )


def new_outlook() -> Outlook:
    """Return scratch memory for the result of a look-ahead."""
    return Outlook(np.zeros(3, np.int64), np.zeros(TRIED, np.int64), *np.zeros((3, TRIED)))


@cache
def reading_of(rules: Ruleset, started: int) -> Reading:
    """Return the game's `Reading` for a match that `started` players began; cached."""
    return make_reading(rules, started, network_of(rules.key))


def make_reading(
    rules: Ruleset,
    started: int,
    network: Entry,
    *,
    budget: float = BUDGET,
    floor: float = FLOOR,
) -> Reading:
    """Return a `Reading` that uses `network`, for a match that `started` players began.

    `budget` is the time in microseconds for evaluating the network in a decision. `floor` is the
    fraction of a player's actions that no model explains.
    """
    g = arrays_of(rules)
    tempers = [network.with_temper(*temper) for temper in TEMPERS.values()]
    players, nets = rows([*tempers, *(BASELINES[name] for name in list(MIXTURE)[len(tempers) :])])
    models = Models(
        players=players,
        nets=nets,
        tempers=np.array(list(TEMPERS.values()), np.float64),
        prior=np.array([log(share) for share in MIXTURE.values()]),
        floor=floor,
    )
    look, fewest = LOOK[0] + LOOK[1] * len(rules.ladder), FEWEST_DEALS
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        look, fewest = look * PLAIN, 2
    others, varied = other_openings(rules)
    bounds = Reader(
        looks=int(budget / look),
        fewest=fewest,
        deals=MOST_DEALS,
        heat=HEAT,
        equity=equity_table(match_equity(rules, started)),
        first_out=rules.length == "first_out",
        others=others,
        varied=varied,
    )
    return Reading(g, models, bounds)


@cache
def shipped_openings() -> dict[str, Any]:
    """Return how openings vary, by game, live seats and cards in play.

    An entry is a kind of bid, or a bid's key, and how often an opening is such a bid instead of the
    usual one. Varying openings lowers a game's share of matches won by at most .01.
    """
    text = files("engine.players").joinpath("weights/openings.json").read_text("utf-8")
    openings: dict[str, Any] = json.loads(text)["openings"]
    return openings


@cache
def other_openings(rules: Ruleset) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Return the game's `shipped_openings` as arrays: `Reader.others` and `Reader.varied`."""
    shape = len(rules.card_limits), len(rules.deck.order) + 1
    others, varied = np.zeros((*shape, len(rules.ladder)), np.bool_), np.zeros(shape)
    for live, by_cards in shipped_openings().get(rules.key, {}).items():
        for in_play, (term, chance) in by_cards.items():
            at = int(live), int(in_play)
            others[at] = [term in (bid.key, bid.kind) for bid in rules.ladder]
            varied[at] = chance
    return others, varied


def choose(position: Position, rules: Ruleset) -> Choice:
    """Return the reader's choice; out of turn, it lets every bid stand."""
    if not position.may_bid:
        return LETS_IT_STAND
    reading = reading_of(rules, len(position.dealt))
    work = workspace(reading.arrays.rung.size)
    seats = len(position.dealt)
    notes = notes_from(position, rules)
    result = new_outlook()
    rng = np.array([position.chance], np.uint64)
    # integer overflow is intended; numpy warns about it only with the JIT off
    with np.errstate(over="ignore"):
        action = look_ahead(
            *(reading.arrays, work, reading.models, reading.reader),
            *(table_to_play_on(position, rules), position.seat, notes, reading.hands(seats)),
            *(rng, result),
        )
    if action == CHALLENGE:
        return Choice.challenge(position)
    return Choice.bid(position, rules.ladder.at(int(action)))


def other_bid(position: Position, rules: Ruleset) -> int | None:
    """Return the place of the bid that may vary this opening, or None if there is none."""
    reading = reading_of(rules, len(position.dealt))
    if position.bids or not reading.reader.varied[len(position.live), position.in_play]:
        return None
    work, table = workspace(reading.arrays.rung.size), table_to_play_on(position, rules)
    # integer overflow is intended; numpy warns about it only with the JIT off
    with np.errstate(over="ignore"):
        bids, _ = weigh(
            *(reading.arrays, work, reading.models.players[0], reading.models.nets[0]),
            *(table, position.seat),
        )
        place = other_opening(work, bids, reading.reader, table)
    return None if place == NOBODY else int(place)


def table_to_play_on(position: Position, rules: Ruleset) -> RoundArrays:
    """Return the position as arrays for kernels, with room for every later bid."""
    table = table_from(position)
    padding = (0, len(rules.ladder) + 1 - table.bids.size)
    return table._replace(bids=np.pad(table.bids, padding), by=np.pad(table.by, padding))


def notes_from(position: Position, rules: Ruleset) -> NDArray[np.float64]:
    """Return how well each model explains each seat's actions in the latest shown rounds.

    At most `MOST_NOTED` rounds are used. The figures are logarithms, (seats, MODELS); a seat's best
    model has 0.
    """
    notes = np.zeros((len(position.dealt), MODELS))
    for shown_round in position.rounds[-MOST_NOTED:]:
        notes = np.clip(notes + round_notes(rules, shown_round), -CLEAR, None)
        notes -= notes.max(axis=1, keepdims=True)
    return notes


@lru_cache(maxsize=512)
def round_notes(rules: Ruleset, ended: ShownRound) -> NDArray[np.float64]:
    """Return how well each model explains each seat's actions in a shown round.

    The figures are logarithms, (seats, MODELS); a seat's best model has 0. The result is cached,
    since each decision of a match needs the figures of the same rounds.
    """
    seats = len(ended.hands)
    reading = reading_of(rules, seats)
    table = table_shown(ended)
    notes = np.zeros((seats, MODELS))
    challenger = NOBODY if ended.challenger is None else ended.challenger
    work = workspace(reading.arrays.rung.size)
    with np.errstate(over="ignore"):
        note_round(reading.arrays, work, reading.models, table, challenger, NOBODY, notes)
    return notes


def table_shown(ended: ShownRound) -> RoundArrays:
    """Return a shown round after its last bid as arrays for kernels, with all hands."""
    table = round_arrays(len(ended.hands), len(ended.bids))
    table.hands[:] = ended.hands
    table.cards[:] = [hand.bit_count() for hand in ended.hands]
    table.live[:] = table.cards > 0
    for number, (seat, place) in enumerate(ended.bids):
        table.by[number], table.bids[number] = seat, place
    in_play = int(table.cards.sum()) + ended.middle.bit_count()
    table.state[:] = ended.opener, len(ended.bids), in_play, 0
    return table


def equity_table(equity: MatchEquity) -> NDArray[np.float64]:
    """Return a seat's chance to win the match as `table[live, state, cards]`.

    `live` is the number of live seats, `state` the index that `kernels.search.state_of` gives,
    `cards` the seat's number of cards. The shape is (seats + 1, states, most cards + 1).
    """
    limits = equity.limits
    most = max(limits)
    states = max(comb(limits[live] - 1 + live, live) for live in range(2, len(limits)))
    table = np.zeros((len(limits), max(states, most), most + 1))
    for live in range(1, len(limits)):
        limit = limits[live] if live > 1 else most
        for cards in combinations_with_replacement(range(1, limit + 1), live):
            number = state_number(cards)
            for held, chance in zip(cards, equity.chances(cards), strict=True):
                table[live, number, held] = chance
    return table


def state_number(cards: Any) -> int:
    """Return the same index as `kernels.search.state_of`, in a slow but simple way."""
    return sum(comb(held - 1 + place, place + 1) for place, held in enumerate(cards))
