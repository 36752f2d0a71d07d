"""Fields in which somebody reads: `matches.Contest` on the same deals, with look-ahead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.players.arrays import arrays_of
from engine.players.kernels.cards import table_of
from engine.players.kernels.deciding import NETWORK
from engine.players.kernels.reading_match import READER, play_reading_field
from engine.players.matches import Contest, Entry
from engine.players.networks import Network, network_of
from engine.players.reader import Reading, found, reading_of
from engine.ruleset import Ruleset


def network_entry(network: Network) -> Entry:
    """The network alone, as a player of a field."""
    return Entry(NETWORK, network.cut, network.weights, network.sensible, network.many)


def reader_entry(rules: Ruleset) -> Entry:
    """The reader: the game's network, look-ahead on top of it."""
    return replace(network_entry(network_of(rules.key)), kind=READER)


class ReadingContest(Contest):
    """A field of entries, some of them readers; as `Contest`, which is faster without any.

    All readers of a field play by one `reading`, the usual one of the rules for None.
    """

    def __init__(
        self,
        rules: Ruleset,
        entries: Sequence[Entry],
        counts: Sequence[int],
        seed: int = 1,
        reading: Reading | None = None,
    ) -> None:
        players = sum(counts)
        self._reading = reading or reading_of(rules, players)
        super().__init__(self._reading.arrays, entries, counts, seed)
        self._seen = table_of(players, len(rules.ladder))
        self._hands = self._reading.hands(players)
        self._found = found()

    def play(self, deals: int) -> None:
        """Play so many further deals, each in every seating. Compiled; lets go of the lock."""
        won = np.zeros((deals, self.wins.shape[1]))
        with np.errstate(over="ignore"):
            play_reading_field(
                *(self._g, self._work, self._reading.models, self._reading.reader),
                *(self._players, self._nets, self._seatings, self._table, self._seen),
                *(self._hands, self._found, self._seed, len(self.wins), won, self.stats),
            )
        self.wins = np.concatenate([self.wins, won])


def contest(
    rules: Ruleset, entries: Sequence[Entry], counts: Sequence[int], seed: int = 1
) -> Contest:
    """A field of any entries, by the quicker loops if nobody reads."""
    if any(entry.kind == READER for entry in entries):
        return ReadingContest(rules, entries, counts, seed)
    return Contest(arrays_of(rules), entries, counts, seed)
