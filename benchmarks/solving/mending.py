"""Improve a solved table's replies to opening bids: solve each opening again, safely.

The solver meets an opening that the table never makes mostly with hands drawn at random, but an
opponent chooses the hands to open like that. So the table's replies there lose most of what it
loses. Here each opening is a subgame in which each of the opener's hands may instead take what it
wins if both seats play by the table. The replier must hold each hand to that. Later, the replier
follows the table, but challenges the opener's third bid; the opener is free. A row of replies is
replaced only if the opener then gains less. The table needs no more memory of bids.

Source: the gadget of Burch, Johanson and Bowling, "Solving imperfect information games using
decomposition", 2014, with estimated values as in Brown and Sandholm, "Safe and nested subgame
solving for imperfect-information games", 2017.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from benchmarks.solving.response import Responder
from benchmarks.solving.tables import Choices, strategy_from
from engine.players.blueprint.abstraction import Abstraction
from engine.players.blueprint.strategy import CHALLENGE, Strategy

Array = np.ndarray[Any, Any]

ITERATIONS: Final = 100
WORTH_IT: Final = 1e-3  # openings by which the opener gains less stay as they are
REPLIES: Final = 12  # the most bids that may answer an opening: the table's likeliest
RAREST: Final = 2e-3  # and each at least this likely
SECOND: Final = 8  # the same for the replier's second bid
RAREST_SECOND: Final = 3e-3
NEVER: Final = np.float32(-1e9)
TINY: Final = np.float32(1e-30)


def mend_replies(abstraction: Abstraction, strategy: Strategy, levels: int) -> Strategy:
    """Return `strategy` with better replies to opening bids; chances are rounded to `levels`.

    The strategy must remember two or three bids.
    """
    opener = Responder(0, abstraction, strategy)
    chance = abstraction.chance
    table_value = chance.sum(axis=1) * [opener.play_value(i) for i in range(len(chance))]
    signed = np.where(abstraction.true, chance, -chance).astype(np.float32)
    rows: dict[int, Array] = {}
    for bid in range(len(abstraction.bids) - 1):
        subgame = Subgame(signed, strategy, bid, table_value.astype(np.float32))
        before = subgame.loss(subgame.table_row()) if subgame.replies else 0.0
        if before < WORTH_IT:
            continue
        row = subgame.solve(ITERATIONS)
        weights = np.rint(row / row.max(axis=0) * levels)
        if subgame.loss((weights / weights.sum(axis=0)).astype(np.float32)) < before:
            rows[bid] = subgame.all_actions(weights)
    choices = [*stored_choices(strategy, rows)]
    return strategy_from(abstraction, strategy.memory, choices, strategy.buckets)


def stored_choices(strategy: Strategy, rows: dict[int, Array]) -> Iterator[Choices]:
    """Yield the strategy's choices, with `rows` as the replies to some opening bids.

    A row has the weights of all bids and, last, of the challenge: (hands, bids + 1).
    """
    for seat, plan in enumerate(strategy.plans):
        hands, columns = plan.usual.shape
        actions = np.array([*range(columns - 1), CHALLENGE])
        for place, bits in enumerate(plan.situations):
            situation = int(bits)
            standing = situation.bit_length() - 1
            if seat == 1 and situation == 1 << standing and standing in rows:
                continue
            stored = slice(plan.first[place], plan.first[place + 1])
            action = plan.actions[stored].astype(int)
            weights = np.zeros((hands, columns))
            weights[plan.hands[stored], np.where(action == CHALLENGE, columns - 1, action)] = (
                plan.chances[stored]
            )
            yield seat, situation, standing, actions, weights
        if seat == 1:
            for bid, row in rows.items():
                yield seat, 1 << bid, bid, actions, row.copy()


class Subgame:
    """The rest of a round after the opening `bid`, with the replier's choice still to solve.

    A row of replies is (1 + replies, replier's hands): the chances of the challenge, then of each
    bid in `replies`. `signed[bid, opener's hand, replier's hand]` is the chance of the deal,
    negative if the bid is false. Values are the opener's, weighted by the chance of its hand.
    """

    def __init__(self, signed: Array, strategy: Strategy, bid: int, table_value: Array) -> None:
        self.signed, self.bid, self.table_value = signed, bid, table_value
        self.bids, hands, own_hands = signed.shape
        self._flat = signed.reshape(-1, own_hands)
        self._table = strategy.all_at([bid]).astype(np.float32)
        weight = np.abs(signed[0]).sum(axis=0)
        self.replies = _likeliest(self._table, weight, bid, REPLIES, RAREST)
        raised = [(i, b) for i, low in enumerate(self.replies) for b in range(low + 1, self.bids)]
        second, follow = [], []
        self._doubt = np.ones((len(self.replies), self.bids, own_hands), np.float32)
        for i, b in raised:
            reply = self.replies[i]
            chances = strategy.all_at([bid, reply, b]).astype(np.float32)
            reach = weight * self._table[:, reply]
            usual = _likeliest(chances, reach, b, SECOND, RAREST_SECOND)
            doubt, raises = _shares(chances, usual)
            second += [(i, b, own_bid) for own_bid in usual]
            follow += [*raises]
            self._doubt[i, b] = doubt
        self._reply, self._raise, self._own_bid = np.array(second, int).reshape(-1, 3).T
        self._follow = np.array(follow, np.float32).reshape(-1, own_hands)
        every = np.arange(self.bids)
        replies, last = np.array(self.replies, int)[:, None], self._own_bid[:, None]
        # the opener's actions: a challenge, then all bids
        self._may_raise = np.hstack([np.ones((len(replies), 1), bool), every > replies])
        self._may_end = np.hstack([np.ones((len(last), 1), bool), every > last])
        self._hands = hands

    def table_row(self) -> Array:
        """Return the table's replies, without the rare bids."""
        doubt, bids = _shares(self._table, self.replies)
        return np.vstack([doubt, bids])

    def all_actions(self, row: Array) -> Array:
        """Return a row with a column for each bid and, last, for the challenge."""
        out = np.zeros((row.shape[1], self.bids + 1))
        out[:, self.replies] = row[1:].T
        out[:, -1] = row[0]
        return out

    def loss(self, row: Array) -> float:
        """Return how much the best opener gains by this opening over its hands' table values."""
        raising, ending = self._after(row)
        raising = self._add(raising, np.where(self._may_end[..., None], ending, NEVER).max(axis=1))
        best = np.where(self._may_raise[..., None], raising, NEVER).max(axis=1)
        value = self.signed[self.bid] @ row[0] + best.sum(axis=0)
        return float(np.maximum(value - self.table_value, 0).sum())

    def solve(self, iterations: int) -> Array:
        """Return a row of replies, by CFR+ for both seats."""
        own_hands = self.signed.shape[2]
        regret = np.zeros((1 + len(self.replies), own_hands), np.float32)
        total = np.zeros(regret.shape)
        opens = np.zeros((2, self._hands), np.float32)
        raises = np.zeros((*self._may_raise.shape, self._hands), np.float32)
        ends = np.zeros((*self._may_end.shape, self._hands), np.float32)
        row = _match(regret, 0)
        for time in range(1, iterations + 1):
            raising, ending = self._after(row)
            chance = _match(ends, 1)
            value = (chance * ending).sum(axis=1)
            _learn(ends, ending - value[:, None], self._may_end)
            raising = self._add(raising, value)
            chance = _match(raises, 1)
            value = (chance * raising).sum(axis=1)
            _learn(raises, raising - value[:, None], self._may_raise)
            both = np.stack([self.signed[self.bid] @ row[0] + value.sum(axis=0), self.table_value])
            opens += both - (_match(opens, 0) * both).sum(axis=0)
            np.maximum(opens, 0, out=opens)
            worth = self._worth(_match(opens, 0)[0], _match(raises, 1), _match(ends, 1))
            regret += worth - (row * worth).sum(axis=0)
            np.maximum(regret, 0, out=regret)
            row = _match(regret, 0)
            total += float(time) ** 2 * row
        average: Array = total / total.sum(axis=0)
        return average

    def _after(self, row: Array) -> tuple[Array, Array]:
        """Return what the opener wins by its second bids if challenged, and by its third actions.

        Each has an entry for a challenge and for each bid: (replies or lines, 1 + bids, hands).
        """
        shape = len(self.replies), 1 + self.bids, self._hands
        raising = np.empty(shape, np.float32)
        raising[:, 0] = [
            -self.signed[own_bid] @ row[1 + i] for i, own_bid in enumerate(self.replies)
        ]
        doubted = (row[1:, None] * self._doubt).transpose(1, 2, 0)
        raising[:, 1:] = np.matmul(self.signed, doubted).transpose(2, 0, 1)
        ending = np.empty((len(self._own_bid), *shape[1:]), np.float32)
        reach = row[1 + self._reply] * self._follow
        for own_bid in np.unique(self._own_bid):  # the lines with the same standing bid
            lines, higher = self._own_bid == own_bid, own_bid + 1
            ending[lines, 0] = -reach[lines] @ self.signed[own_bid].T
            ending[lines, 1 : 1 + higher] = 0
            won = reach[lines] @ self._flat[higher * self._hands :].T
            ending[lines, 1 + higher :] = won.reshape(len(won), -1, self._hands)
        return raising, ending

    def _add(self, raising: Array, value: Array) -> Array:
        np.add.at(raising, (self._reply, 1 + self._raise), value)
        return raising

    def _worth(self, opens: Array, raises: Array, ends: Array) -> Array:
        """Return what each reply wins, by the replier's hands, against the opener's strategy."""
        worth = np.empty((1 + len(self.replies), self.signed.shape[2]), np.float32)
        worth[0] = -opens @ self.signed[self.bid]
        reach = opens * raises
        for i, own_bid in enumerate(self.replies):
            worth[1 + i] = reach[i, 0] @ self.signed[own_bid]
        doubted = np.matmul(self.signed.transpose(0, 2, 1), reach[:, 1:].transpose(1, 2, 0))
        worth[1:] -= (doubted.transpose(2, 0, 1) * self._doubt).sum(axis=1)
        reach = reach[self._reply, 1 + self._raise][:, None] * ends
        follow = np.empty_like(self._follow)
        for own_bid in np.unique(self._own_bid):
            lines, higher = self._own_bid == own_bid, own_bid + 1
            bids = reach[lines, 1 + higher :].reshape(lines.sum(), -1)
            follow[lines] = reach[lines, 0] @ self.signed[own_bid]
            follow[lines] -= bids @ self._flat[higher * self._hands :]
        np.add.at(worth, 1 + self._reply, follow * self._follow)
        return worth


def _likeliest(chances: Array, weight: Array, standing: int, most: int, least: float) -> list[int]:
    """Return the likeliest bids above `standing`, in order."""
    often = weight @ chances[:, :-1] / max(float(weight.sum()), 1e-9)
    bids = [bid for bid in np.argsort(-often)[:most].tolist() if bid > standing]
    return sorted(bid for bid in bids if often[bid] >= least)


def _shares(chances: Array, usual: list[int]) -> tuple[Array, Array]:
    """Return the chances of the challenge and of the `usual` bids, (bids, hands), without others.

    A hand that makes only other bids challenges.
    """
    doubt, bids = chances[:, -1], chances[:, usual].T
    total = doubt + bids.sum(axis=0)
    bids = bids / np.where(total > 0, total, 1)
    return 1 - bids.sum(axis=0), bids


def _match(regret: Array, axis: int) -> Array:
    """Return chances in proportion to regrets; the first action where there are none."""
    total = regret.sum(axis=axis, keepdims=True)
    first = np.zeros((regret.shape[axis], 1), np.float32)
    first[0] = 1
    return np.where(total > 0, regret / np.maximum(total, TINY), first)


def _learn(regret: Array, change: Array, may: Array) -> None:
    regret += change * may[..., None]
    np.maximum(regret, 0, out=regret)
