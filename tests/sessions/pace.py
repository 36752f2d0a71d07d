"""Friends at a human pace: is the right seat there on every turn, and at what cost?

They join with the **Join** button and bid from the table's list, sometimes from their
seat's pad. They press nothing to get their seat. The bot has the settings of a new host;
the local Discord refuses requests above Discord's limits, including thirty requests a
minute by the tokens of one channel. Cards are shown as text, so that the test can read
them.

    python -m tests.sessions.pace --people 6 --pace 10 --rounds 5 --seed 1
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

import structlog

from benchmarks.reading import OWN_CARDS
from bot.discord import ids
from bot.sandbox.driver import Person
from bot.sandbox.errors import CannotDo, InteractionFailed
from bot.sandbox.limits import Limit
from bot.sandbox.screen import SeenMessage
from bot.settings.schema import DiscordSettings
from bot.tables.live import LiveTable
from bot.tables.turns import turn_of
from engine.play import legal
from tests.bot.harness import Table
from tests.sessions.costs import Costs, count, watch_edits
from tests.sessions.run import virtual
from tests.sessions.screens import Screen
from tests.sessions.setup import Setup
from tests.sessions.sight import own_cards

GAMES: Final = {"liars": "Liars' Poker", "thai": "Thai Poker"}
NAMES: Final = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo", "Jun")
SOON: Final = 3.0  # seconds within which the seat must be there
LOOK_EVERY: Final = 0.1  # seconds
GIVE_UP: Final = 120.0  # seconds without the next turn
ENDING: Final = 10.0  # seconds after the last act, for requests in flight
BY_PAD: Final = 0.15  # of the acts of players whose seat is there
PRESS_NEXT: Final = 0.5  # of the deals
NEAREST: Final = 3  # options of the table's list from which a bid is chosen


@dataclass(frozen=True)
class Party:
    """The people who play. `pace` is a player's mean time for a move, in seconds."""

    people: int
    pace: float
    game: str = "liars"
    direct: bool = False  # seats by direct message
    rounds: int = 5

    def __str__(self) -> str:
        where = " by direct message" if self.direct else ""
        return f"{self.people} people{where} at {self.pace:g} s a move"


@dataclass
class Turn:
    """A turn: how long the player's seat was missing, and what the player saw instead."""

    round: int
    number: int
    player: str
    without: float = 0.0  # the longest time in a row without the right seat
    was_there: bool = False
    line: bool = False  # whether a line with My seat came within `SOON`
    instead: str = ""  # what they saw instead of the seat

    @property
    def missing(self) -> bool:
        """Whether the seat came too late, or went away for too long."""
        return not self.was_there or self.without > SOON

    def __str__(self) -> str:
        line = "with the line" if self.line else "without the line"
        return (
            f"round {self.round}, turn {self.number}: {self.player} had no seat for"
            f" {self.without:.1f} s, {line}; saw {self.instead}"
        )


@dataclass
class Verdict:
    """The turns of a session, its requests, and what went wrong in it."""

    party: Party
    turns: list[Turn] = field(default_factory=list)
    costs: Costs = field(default_factory=Costs)
    redrawn: list[str] = field(default_factory=list)  # edits that changed nothing
    failed: int = 0  # presses that were not possible or not answered
    # seconds until a bidder's seat said that their turn was over
    calmed: list[float] = field(default_factory=list)

    @property
    def missing(self) -> list[Turn]:
        """The turns without the right seat."""
        return [turn for turn in self.turns if turn.missing]

    def report(self) -> str:
        """Return a summary, a row for each round, and a line for each violation.

        The violations are turns without the right seat, and edits that changed nothing.
        """
        numbers = dict.fromkeys(turn.round for turn in self.turns)
        return "\n".join(
            [
                f"{self.party}: no seat on {len(self.missing)} of {len(self.turns)} turns;"
                f" by tokens at most {self.costs.busiest} requests a minute,"
                f" {self.costs.refused} refused; {len(self.redrawn)} edits without a change,"
                f" {self.failed} failed presses;"
                f" a seat says that its turn is over at most {max(self.calmed, default=0):.1f} s"
                f" after a bid",
                "                                  requests by tokens:           by the bot:",
                "round  turns  no seat  longest    a bid  most  deal  showdown   a bid  deal",
                *map(self._row, numbers),
                *map(str, self.missing),
                *(f"drawn twice: {edit}" for edit in self.redrawn),
            ]
        )

    def _row(self, number: int) -> str:
        turns = [turn for turn in self.turns if turn.round == number]
        bids, by_bot = self.costs.by_tokens("bid", number), self.costs.by_bot("bid", number)
        return (
            f"{number:5}  {len(turns):5}  {sum(turn.missing for turn in turns):7}"
            f"  {max(turn.without for turn in turns):5.1f} s"
            f"  {sum(bids) / len(bids):7.1f}  {max(bids):4}"
            f"  {sum(self.costs.by_tokens('deal', number)):4}"
            f"  {sum(self.costs.by_tokens('challenge', number)):8}"
            f"  {sum(by_bot) / len(by_bot):6.1f}  {sum(self.costs.by_bot('deal', number)):4}"
        )


def play(party: Party, seed: int) -> Verdict:
    """Play a session in virtual time. Raises AssertionError if the session doesn't go on."""
    verdict = Verdict(party)

    async def play_session(folder: Path) -> None:
        await _Run(verdict, seed, folder).play()

    gc.collect()
    gc.disable()  # a session is short enough to keep its garbage
    try:
        with virtual(Random(f"order {seed}")) as (loop, folder):
            loop.run_until_complete(play_session(folder))
    finally:
        gc.enable()
    return verdict


class _Run:
    def __init__(self, verdict: Verdict, seed: int, folder: Path) -> None:
        self._verdict = verdict
        self._party = verdict.party
        self._chance = Random(f"friends {seed}")
        self._setup = Setup(folder, Random(f"premises {seed}"), self._party.people, NAMES)
        self._setup.pace = {}  # the settings of a new host
        self._setup.requests_per_second = DiscordSettings().requests_per_second
        self._setup.world.limits.everywhere = Limit(50, 1.0)
        self._bidders: dict[str, tuple[Person, float]] = {}  # whose seats still say "Your turn"
        watch_edits(self._setup.world, verdict.redrawn)

    async def play(self) -> None:
        setup = self._setup
        async with setup.active():
            if self._party.direct:
                setup.all_want_direct_messages()
            await setup.open()
            assert setup.bot is not None
            self._table = Table(setup.world, setup.bot, setup.channel, setup.people)  # type: ignore[arg-type]
            await self._sit_down()
            for number in range(1, self._party.rounds + 1):
                if number > 1:
                    await self._next_round()
                if not await self._play_round(number):
                    break
            await asyncio.sleep(ENDING)
            await setup.stop()
        self._verdict.costs = count(setup.world, setup.file)

    async def _sit_down(self) -> None:
        host, *others = self._setup.people
        await host.slash(self._setup.channel, "play", game=GAMES[self._party.game])
        for person in others:
            await asyncio.sleep(self._chance.uniform(1, 4))
            await person.click(self._table.message(), "Join")
        await asyncio.sleep(self._chance.uniform(2, 6))
        await host.click(self._table.message(), "Start")

    async def _next_round(self) -> None:
        """Press Next round, or leave the deal to the clock."""
        if self._chance.random() < PRESS_NEXT:
            await asyncio.sleep(self._chance.uniform(3, 12))
            try:
                await self._chance.choice(self._setup.people).click(
                    self._table.message(), "Next round"
                )
            except (CannotDo, InteractionFailed):
                self._verdict.failed += 1

    async def _play_round(self, number: int) -> bool:
        """Play a round up to its challenge; return False if the match is over before that."""
        bids = self._chance.randint(self._party.people - 1, self._party.people + 3)
        for turn in range(1, bids + 2):
            live = await self._turn_in(number)
            if live is None or live.match is None:
                return False
            challenges = turn > bids or not legal(live.match).rungs
            pause = self._party.pace * self._chance.uniform(0.5, 1.5)
            seat = await self._watch(live, turn, pause)
            await self._act(live, seat, challenges=challenges)
            if challenges:
                break
        return True

    async def _turn_in(self, number: int) -> LiveTable | None:
        """Wait for a turn in round `number` and return the table; None if the match is over.

        Raises AssertionError after `GIVE_UP` seconds.
        """
        for _ in range(int(GIVE_UP / LOOK_EVERY)):
            live = await self._table.live()
            turn = turn_of(live.match)
            if turn is not None and turn[0] == number:
                return live
            if not live.table.status.live:
                return None
            await asyncio.sleep(LOOK_EVERY)
        raise AssertionError(f"{self._party}: round {number} does not go on")

    # -- a turn ------------------------------------------------------------------------------------

    async def _watch(self, live: LiveTable, number: int, seconds: float) -> Screen | None:
        """Watch what the player to act sees for `seconds`, and add a `Turn` to the verdict.

        `number` is the turn's number in its round. Return the player's seat if it is there at the
        end, else None.
        """
        loop, person = asyncio.get_running_loop(), self._table.turn_of(live)
        assert live.match is not None
        assert live.match.round is not None
        turn = Turn(live.match.round.number, number, person.name)
        self._verdict.turns.append(turn)
        begun = since = loop.time()  # since when there has been no seat
        looked_at, lacking = None, ["everything"]
        while True:
            passed, lowest = loop.time() - begun, self._lowest(person)
            self._look_at_bidders(person)
            if lowest is not looked_at:  # a message that is drawn anew is another `Screen`
                looked_at, lacking = lowest, _lacks(lowest, live, person)
            without = loop.time() - since
            if lacking and without >= turn.without:
                if turn.without <= SOON:  # what they saw when the seat was due
                    turn.instead = _describe(lowest, lacking)
                turn.without = without
            if not lacking:
                turn.was_there, since = True, loop.time()
            if passed <= SOON:
                turn.line = turn.line or _is_line(self._lowest_in_channel(person), person)
            if passed >= seconds:
                return None if lacking else lowest
            await asyncio.sleep(min(LOOK_EVERY, max(seconds - passed, 0.001)))

    def _look_at_bidders(self, to_act: Person) -> None:
        """Record how many seconds a bidder's seat kept saying "Your turn" after the bid."""
        now = asyncio.get_running_loop().time()
        for player, (person, since) in list(self._bidders.items()):
            lowest = self._lowest(person)
            if person is to_act or lowest is None or "Your turn" not in lowest.text:
                del self._bidders[player]
                self._verdict.calmed.append(now - since)

    def _lowest(self, person: Person) -> Screen | None:
        """Return the lowest message where the person's seat should be, if any.

        That is the channel or, if seats come by direct message, the person's direct messages.
        """
        if not self._party.direct:
            return self._lowest_in_channel(person)
        messages = self._setup.screens.direct_messages(person)
        return messages[-1] if messages else None

    def _lowest_in_channel(self, person: Person) -> Screen:
        return self._setup.screens.recent(person, self._setup.channel, 1)[-1]

    async def _act(self, live: LiveTable, seat: Screen | None, *, challenges: bool) -> None:
        """Bid or challenge; if that fails, try again at the table.

        Raises AssertionError after `GIVE_UP` tries.
        """
        assert live.match is not None
        person, seq = self._table.turn_of(live), live.match.seq
        if self._chance.random() >= BY_PAD:
            seat = None
        for _ in range(int(GIVE_UP)):
            try:
                if seat is not None:
                    await self._act_in_seat(seat, person, seq, challenges=challenges)
                else:
                    await self._act_at_table(person, seq, challenges=challenges)
            except (CannotDo, InteractionFailed):
                self._verdict.failed += 1
            after = (await self._table.live()).match
            if after is None or after.seq != seq:
                if not challenges:
                    now = asyncio.get_running_loop().time()
                    self._bidders[person.id] = person, now
                return
            seat = None
            await asyncio.sleep(1)
        raise AssertionError(f"{self._party}: {person.name} could not act after action {seq}")

    async def _act_at_table(self, person: Person, seq: int, *, challenges: bool) -> None:
        table = self._table.message(person)
        if challenges:
            out = await person.click(table, custom_id=_control(table, "challenge", seq))
            await _confirm(person, out.message, seq)
            return
        bids = _control(table, "pick", seq)
        chosen = self._chance.choice(table.select(bids)["options"][:NEAREST])
        await person.select(table, bids, chosen["value"])

    async def _act_in_seat(
        self, seat: Screen, person: Person, seq: int, *, challenges: bool
    ) -> None:
        if challenges:
            await person.click(seat, custom_id=_control(seat, "doubt", seq))
            await _confirm(person, await person.current(seat), seq)
            return
        await person.click(seat, custom_id=_control(seat, "call", seq))


async def _confirm(person: Person, message: SeenMessage | None, seq: int) -> None:
    """Press Challenge anyway, if the seat asks because the person's own cards make the bid."""
    if message is not None and OWN_CARDS in message.text:
        await person.click(message, custom_id=_control(message, "doubt", seq))


# -- what is on a screen ---------------------------------------------------------------------------


def _lacks(message: Screen | None, live: LiveTable, person: Person) -> list[str]:
    """Name what a message lacks to be the seat of the player to act; an empty list if nothing."""
    match = live.match
    seat = match.seat_of(int(person.id)) if match is not None else None
    if message is None or match is None or match.round is None or seat is None:
        return ["everything"]
    private = message.ephemeral or message.channel_id != str(live.table.channel_id)
    cards = frozenset(card.symbol for card in match.round.hands[seat].naturals)
    verbs = {control.verb for _, control in _controls(message, match.seq)}
    has = {
        "privacy": private,
        "their cards": own_cards(message.text) == cards,
        "the round": match.round.number in message.rounds,
        "Your turn": "Your turn" in message.text,
        "the pad": "pad" in verbs or not legal(match).rungs,
        "Challenge": "doubt" in verbs or not match.round.bids,
    }
    return [name for name, present in has.items() if not present]


def _is_line(message: SeenMessage, person: Person) -> bool:
    """Return whether a message that isn't the table pings the person and offers My seat."""
    verbs = {control.verb for _, control in _controls(message)}
    return f"<@{person.id}>" in message.text and "seat" in verbs and "challenge" not in verbs


def _describe(message: SeenMessage | None, lacking: list[str]) -> str:
    if message is None:
        return "no message"
    verbs = {control.verb for _, control in _controls(message)}
    if verbs & {"refresh", "pad", "doubt"}:
        return f"a seat without {', '.join(lacking)}"
    if "challenge" in verbs:
        return "the table"
    if "seat" in verbs:
        return "a line with My seat"
    return " / ".join(message.text.splitlines())[:80]


def _controls(message: SeenMessage, seq: int | None = None) -> Iterator[tuple[str, ids.OfTable]]:
    """Yield (custom id, parsed id) of each control of a table that can be pressed.

    If `seq` is given, yield only controls for the state after action `seq`: others are refused as
    outdated.
    """
    for part in message.components:
        control = ids.read(part.get("custom_id"))
        if not isinstance(control, ids.OfTable) or part.get("disabled"):
            continue
        if seq in (None, control.address.seq):
            yield str(part["custom_id"]), control


def _control(message: SeenMessage, verb: str, seq: int, choice: str = "") -> str:
    """Return the custom id of the control of `verb` that was drawn after action `seq`.

    The control's choice must begin with `choice`. Raises CannotDo if there is no such control.
    """
    for custom_id, control in _controls(message, seq):
        if control.verb == verb and control.choice.startswith(choice):
            return custom_id
    raise CannotDo(f"The message has no control {verb!r} for the state after action {seq}.")


def main() -> int:
    """Play one session and print it; return 1 if a seat was missing, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.sessions.pace")
    parser.add_argument("--people", type=int, default=6, help="how many, 2 to 10 (6)")
    parser.add_argument("--pace", type=float, default=10, help="mean seconds a move (10)")
    parser.add_argument("--rounds", type=int, default=5, help="how many (5)")
    parser.add_argument("--seed", type=int, default=1, help="decides all that chance does (1)")
    parser.add_argument("--game", choices=GAMES, default="liars", help="the game (liars)")
    parser.add_argument("--direct", action="store_true", help="seats by direct message")
    options = parser.parse_args()
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    party = Party(options.people, options.pace, options.game, options.direct, options.rounds)
    verdict = play(party, options.seed)
    print(verdict.report())
    return 1 if verdict.missing else 0


if __name__ == "__main__":
    sys.exit(main())
