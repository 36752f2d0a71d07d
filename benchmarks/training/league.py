"""A league: one network learns, an exploiter learns to beat it, and copies of both are kept.

Self-play alone gives a network that is strong against fixed players, but loses nine matches of ten
to an opponent who studies it. So most rounds are played against other players: the baselines, an
exploiter that keeps training against the network, and copies of earlier exploiters and networks.
Players that beat the network are met more often. The result depends only on the seed and the number
of rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from benchmarks.training.practice import (
    MANY,
    Drill,
    Learner,
    Records,
    learner_of,
    practise,
    records_for_round,
)
from benchmarks.training.solved import solved_rounds
from benchmarks.training.stakes import Stakes, stakes_of
from engine.players.arrays import Floats, RuleArrays
from engine.players.kernels.deciding import NETWORK
from engine.players.kernels.features import BID, Work, workspace
from engine.players.kernels.network import DOUBT_LINEAR_AT, LINEAR_AT, WEIGHTS
from engine.players.learned import TEMPERS
from engine.players.networks import BASELINES, OWN_CARDS, OWN_CHANCE, Entry, rows

MET: Final = ("truthful", "hider", "threshold", "careful")
CUT: Final = 0.05  # choices below this share of the top one are dropped, as at tables
BATCH: Final = 256
EPOCH: Final = 40  # batches of the network before its opponents' shares are updated


@dataclass(frozen=True)
class Plan:
    """The settings of a training run. `Drill` explains those without a comment.

    `rate` and `heat` are pairs: at the start and at the end.
    """

    rounds: int  # of the network
    seed: int = 1
    warm_up: float = 0.06  # fraction of the rounds that are played before there is a league
    chase: float = 0.6  # rounds of the exploiter for each round of the network
    life: int = 600_000  # rounds of an exploiter before it is copied and a new one starts
    copies: int = 14  # the most copies in the league
    # by turns, how far each exploiter starts from the network towards its wild temper, to try what
    # bluffing wins
    wild: tuple[float, ...] = (0.0,)
    sensible: float = 0.03
    rate: tuple[float, float] = (2e-3, 1e-4)
    heat: tuple[float, float] = (0.02, 0.003)
    alone: float = 0.7
    middle: float = 0.0
    pull: float = 0.0
    follow: float = 0.005
    worth: float = 0.8
    baselines: float = 0.3  # fraction of the rounds against others
    # the shares of rounds by number of live seats, from 0
    sizes: tuple[float, ...] = (0, 0, 0.45, 0.12, 0.17, 0.05, 0.07, 0.02, 0.03, 0.02, 0.07)
    until: int | None = None  # stop early, after this many rounds


@dataclass
class Member:
    """A player in the league, and the network's reward against it, as a running mean."""

    name: str
    entry: Entry
    reward: float = 0.0


@dataclass
class League:
    """A training in progress. `tables` are the rulesets to train on, each with its weight.

    `report` is called after each epoch.
    """

    plan: Plan
    tables: Sequence[tuple[RuleArrays, float]]
    network: Learner
    report: Callable[[League], None]
    rounds_done: int = 0
    members: list[Member] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._records: Records = records_for_round()
        self._work: list[Work] = [workspace(g.rung.size) for g, _ in self.tables]
        self._stakes: list[Stakes] = [stakes_of(g) for g, _ in self.tables]
        self._solved = solved_rounds(None)  # a network learns to play every round by itself
        self._share = np.array([share for _, share in self.tables])
        self._rng = np.array([self.plan.seed * 7919 + 13], np.uint64)
        self._draw = np.random.default_rng(self.plan.seed)
        self._lives = self._age = 0
        self._exploiter: Learner = self.network
        self.members = [Member(name, BASELINES[name]) for name in MET]
        self._begin_life()

    @property
    def progress(self) -> float:
        """The fraction of the training that is done."""
        return min(1.0, self.rounds_done / self.plan.rounds)

    def run(self) -> Floats:
        """Train to the end of the plan; return the network's mean weights.

        If the plan has `until`, stop after that many rounds.
        """
        rounds = self.plan.rounds
        while self.rounds_done < min(rounds, self.plan.until or rounds):
            warm = self.progress < self.plan.warm_up
            self._practise_network(warm)
            self.rounds_done += EPOCH * BATCH
            if not warm:
                self._practise_exploiter()
            self.report(self)
        return self.network.mean

    def _practise_network(self, warm: bool) -> None:
        plan, progress = self.plan, self.progress
        members = self.members[: len(MET)] if warm else self.members
        players, nets = rows([member.entry for member in members])
        results = self._train_on(
            self.network,
            self._drill(
                players,
                nets,
                _often(members, plan.baselines),
                alone=0.3 if warm else plan.alone,
                rate=between(plan.rate, max(0.0, progress - 0.3) / 0.7),
                heat=between(plan.heat, min(1.0, progress * 1.1)),
            )._replace(pull=plan.pull, follow=plan.follow),
            EPOCH,
        )
        for member, (got, met) in zip(members, results, strict=True):
            if met:
                share = min(1.0, met / 4000)
                member.reward += share * (got / met - member.reward)

    def _practise_exploiter(self) -> None:
        plan = self.plan
        age = min(1.0, self._age / plan.life)
        players, nets = rows([Entry(NETWORK, CUT, self.network.mean, plan.sensible, MANY)])
        drill = self._drill(
            players,
            nets,
            np.ones(1, np.float32),
            alone=1.0,
            rate=between((2e-3, 4e-4), age),
            heat=between((0.015, 0.002), age),
        )
        batches = round(EPOCH * plan.chase)
        self._train_on(self._exploiter, drill, batches)
        self._age += batches * BATCH
        self.members[-1] = Member(
            "exploiter", self._entry(self._exploiter), self.members[-1].reward
        )
        if self._age >= plan.life:
            self._begin_life()

    def _begin_life(self) -> None:
        """Start a new exploiter, after adding a copy of the last one, if any, to the members.

        Every other time, add a copy of the network too. If there are too many copies
        (`Plan.copies`), each new one replaces the copy against which the network's reward is
        highest.
        """
        if self._lives:
            self.members.pop()
            self._keep(f"exploiter {self._lives}", self._exploiter)
            if self._lives % 2:
                self._keep(f"network {self._lives}", self.network)
        self._lives += 1
        self._age = 0
        start = self.network.mean.copy()
        share = self.plan.wild[self._lives % len(self.plan.wild)]
        start[OWN_CHANCE] += np.float32(share * TEMPERS["wild"][0])
        start[OWN_CARDS] += np.float32(share * TEMPERS["wild"][1])
        self._exploiter = learner_of(start, self.plan.seed * 1000 + self._lives)
        self.members.append(Member("exploiter", self._entry(self._exploiter)))

    def _keep(self, name: str, learner: Learner) -> None:
        copies = self.members[len(MET) :]
        if len(copies) >= self.plan.copies:
            self.members.remove(max(copies, key=lambda member: member.reward))
        self.members.append(Member(name, self._entry(learner)))

    def _entry(self, learner: Learner) -> Entry:
        return Entry(NETWORK, CUT, learner.mean.copy(), self.plan.sensible, MANY)

    def _drill(
        self,
        players: np.ndarray,
        nets: Floats,
        often: Floats,
        alone: float,
        rate: float,
        heat: float,
    ) -> Drill:
        plan = self.plan
        if nets.shape[1] != WEIGHTS:
            nets = np.zeros((len(players), WEIGHTS), np.float32)
        sizes = np.array(plan.sizes, np.float32)
        return Drill(
            sizes=sizes / sizes.sum(),
            fewest=1,
            opponents=players,
            nets=nets,
            solved=self._solved,
            often=often,
            alone=alone,
            alike=0.5,
            middle=plan.middle,
            worth=plan.worth,
            sensible=plan.sensible,
            rounds=BATCH,
            rate=rate,
            heat=heat,
            pull=0.0,
            follow=0.005,
        )

    def _train_on(self, learner: Learner, drill: Drill, batches: int) -> np.ndarray:
        """Train on a random one of the rulesets; return (sum of rewards, rounds) by opponent."""
        at = int(self._draw.choice(len(self.tables), p=self._share / self._share.sum()))
        results = np.zeros((len(drill.opponents), 2))
        g = self.tables[at][0]
        most = min(len(drill.sizes), g.limits.size)
        sizes = drill.sizes[:most] / drill.sizes[:most].sum()
        practise(
            *(g, self._work[at], self._stakes[at], drill._replace(sizes=sizes)),
            *(learner, self._records, batches, results, self._rng, None),
        )
        return results


def _often(members: Sequence[Member], baselines: float) -> Floats:
    """Return the share of rounds against each member.

    If all members are baselines, they share all rounds. Otherwise the baselines together get
    the share `baselines`. The live exploiter (the last member) gets 30 % of the remaining
    share, and its earlier copies get the rest of it. Without copies, the exploiter gets all of
    it. A baseline or copy gets more rounds if the network loses to it.
    """
    often = np.array([np.exp(-4 * member.reward) for member in members])
    fixed, copies = often[: len(MET)], often[len(MET) :]
    if not len(copies):
        alone: Floats = (fixed / fixed.sum()).astype(np.float32)
        return alone
    fixed *= baselines / fixed.sum()
    live = 0.3 if len(copies) > 1 else 1.0
    copies[-1] = 0.0
    if len(copies) > 1:
        copies *= (1 - live) * (1 - baselines) / copies.sum()
    copies[-1] = live * (1 - baselines)
    together: Floats = np.concatenate([fixed, copies]).astype(np.float32)
    return together


def between(ends: tuple[float, float], share: float) -> float:
    """Return the geometric interpolation between two ends.

    `share` is limited to 0 to 1: 0 gives the first end, 1 the second.
    """
    return float(ends[0] * (ends[1] / ends[0]) ** min(1.0, max(0.0, share)))


def fresh(seed: int) -> Floats:
    """Return initial weights, with which likely bids are made and unlikely bids challenged."""
    rng = np.random.default_rng(seed)
    p = (rng.standard_normal(WEIGHTS) * 0.1).astype(np.float32)
    p[LINEAR_AT : LINEAR_AT + BID] = 0
    p[LINEAR_AT + 4] = p[LINEAR_AT + 5] = 9
    p[DOUBT_LINEAR_AT:] = 0
    p[DOUBT_LINEAR_AT] = 1
    p[DOUBT_LINEAR_AT + 7] = p[DOUBT_LINEAR_AT + 8] = -3
    return p
