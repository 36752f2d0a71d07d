"""The end of a run: a last start without a kill, after which everything must come right.

Each check waits for what should happen, and gives up when a machine however busy had its chance.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.premises import PATIENCE
from benchmarks.reading import LIVE, TURN
from bot.sandbox.errors import CannotDo, InteractionFailed
from tests.crash.house import Discord, Journal, NotUp
from tests.crash.judge import Case
from tests.crash.ledger import Ledger
from tests.crash.logs import faults_in
from tests.crash.people import Sitting
from tests.crash.record import Record, Shown
from tests.crash.standing import ask, letters_owed, match_now

if TYPE_CHECKING:
    from tests.crash.evening import Evening

LOOK: Final = 0.1  # seconds between two looks
HURRY: Final = 2.0  # seconds that clicks of before the start have to be answered after it
PATIENT: Final = 20.0  # seconds after which it is said what is waited for
QUIET: Final = 60.0  # seconds without a sign of life, of a bot that retries within eight
GOES_ON: Final = ("bid", "doubt", "next", "start", "join", "open")
REMINDS: Final = "to the table]"
Done = Callable[[], Awaitable[bool]]


async def closing_time(this: Evening, playing: list[asyncio.Task[None]]) -> Case:
    """Start the bot once more, and see that everything goes on; then stop it."""
    here = this.here
    case = case_of(this.ledger, this.sittings)
    this.waiting = True
    here.begin()
    try:
        await here.until_ready()
    except NotUp as failure:
        this.failed.append(str(failure))
        case.add("stuck", "the last start")
    else:
        this._open()
        this.over = True
        await last_moves(case, this.sittings, playing, here.discord, partial(_within, this))
        for sitting in this.sittings:
            message = await sitting.shown()
            for person in sitting.people if message is not None else ():
                if message is not None:
                    with suppress(CannotDo, InteractionFailed, TimeoutError):  # it has moved on
                        await sitting.look(person, message)
        await _comes_right(this, case)
        here.terminate()
        await this._ended()
    here.kill()
    this.faults.extend(faults_in(here.log))
    this.ledger.look(time.time() * 1000, None, None, whole=True)
    case.deeds = [deed for sitting in this.sittings for deed in sitting.deeds]
    return case


def case_of(ledger: Ledger, sittings: list[Sitting]) -> Case:
    """What is known from the beginning: who sits where, and who wants letters."""
    seats = {int(one.id): int(table.channel) for table in sittings for one in table.people}
    letters = frozenset(int(one.id) for table in sittings for one in table.people[:-1])
    return Case(ledger, Record(), [], seats, letters)


async def last_moves(
    case: Case,
    sittings: list[Sitting],
    playing: list[asyncio.Task[None]],
    discord: Discord,
    within: Callable[[str, Done], Awaitable[bool]],
) -> None:
    """Nobody plays any more; then one more move counts at every table."""
    left = partial(everybody_left, discord, playing)
    if not await within("everybody has stopped playing", left):
        case.add("stuck", "somebody's press is neither answered nor refused")
        for one in playing:
            one.cancel()
    for ended in await asyncio.gather(*playing, return_exceptions=True):
        if isinstance(ended, Exception):
            raise ended
    for sitting in sittings:
        sitting.dawdles = 0.0
        if not await within(f"a move counts in {sitting.channel}", partial(moves, sitting)):
            case.add("stuck", f"the table in {sitting.channel} accepts nothing")


async def _within(this: Evening, what: str, done: Done) -> bool:
    """The same by the bot's log and the journal, and for no longer than `PATIENCE`."""
    files = (this.here.log, this.here.journal)
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            return await comes_true(what, done, files)
    return False


async def comes_true(what: str, done: Done, files: Iterable[Path]) -> bool:
    """Whether something comes true. Given up when nothing happens any more.

    The bot is quiet while none of the files grows. What has to be waited for is said.
    """
    begun = last = time.monotonic()
    said, size = False, -1
    while not await done():
        now, grown = time.monotonic(), sum(one.stat().st_size for one in files)
        if grown != size:
            last, size = now, grown
        if now - last > QUIET:
            return False
        if not said and now - begun > PATIENT:
            said = True
            print(f"waiting until {what}", file=sys.stderr, flush=True)
        await asyncio.sleep(LOOK)
    return True


async def everybody_left(discord: Discord, playing: list[asyncio.Task[None]]) -> bool:
    """Whether nobody plays any more; who waits for an answer is told that none comes."""
    await asyncio.wait(playing, timeout=HURRY)
    discord.tell("later")  # what was pressed while the bot was dead is never answered
    return all(one.done() for one in playing)


async def moves(sitting: Sitting) -> bool:
    """Do what comes next at a table, and whether that was a move that counted."""
    before = len(sitting.deeds)
    await sitting.step()
    made = [deed for deed in sitting.deeds[before:] if deed.at and deed.kind in GOES_ON]
    return bool(made)


async def _comes_right(this: Evening, case: Case) -> None:
    """Screens follow the log, letters have come, nothing is due, and no reminder is left."""
    journal, record = Journal(this.here.journal), Record()
    rows = (row for death in this.ledger.deaths for row in death.tables.values())
    noted = {str(row.nudge) for row in rows}
    read, file = 0, this.here.database

    def seen() -> Record:
        nonlocal read
        lines = journal.read()
        record.read(lines[read:])
        read = len(lines)
        return record

    async def letters() -> bool:
        return not await asyncio.to_thread(letters_owed, file)

    async def nothing_due() -> bool:
        late = int(time.time() * 1000) - 50
        due = "select id from tables where status in ('lobby', 'playing') and deadline < "
        return not ask(file, due + str(late))

    if not await _within(this, "every letter is sent", letters):
        case.add("letters", f"never sent: {letters_owed(file)}")
    if not await _within(this, "nothing is due", nothing_due):
        case.add("deadlines", "a table is due and nothing happens")
    for sitting in this.sittings:

        async def follows(sitting: Sitting = sitting) -> bool:
            return not await _amiss(this, sitting)

        where = sitting.channel
        if not await _within(this, f"the screen in {where} follows the log", follows):
            case.add("screens", str(await _amiss(this, sitting)))

        async def few(channel: str = sitting.channel) -> bool:
            return len(_reminders(seen(), channel, noted)) <= 1

        if not await _within(this, f"one reminder stands in {where}", few):
            standing = _reminders(seen(), sitting.channel, noted)
            case.add("reminders", *(f"in {one.channel}: {one.text}" for one in standing[:-1]))
        alone = len(_reminders(seen(), sitting.channel)) - 1
        case.figures["orphans"] += max(0, alone)


async def _amiss(this: Evening, sitting: Sitting) -> str | None:
    """What a table's screen has that its log has not; None if they agree."""
    file = this.here.database
    tables = ask(
        file,
        "select status, match_id, message_id from tables where status != 'closed'"
        f" and channel_id = {int(sitting.channel)} order by id desc limit 1",
    )
    status, match, message = tables[0] if tables else ("closed", None, None)
    public = await sitting.public()
    old = [one for one in public if one.id != str(message) and LIVE & set(one.buttons)]
    if old:
        kept = [(one.id, one.text[:60], one.buttons) for one in old]
        return f"table of message {message} has others that can be pressed: {kept}"
    if status != "playing":
        return None
    turn = (await asyncio.to_thread(match_now, file, match)).turn
    asking = [one for one in public if TURN.search(one.text)]
    if turn is None:
        return (
            f"match {match}: {len(asking)} messages ask for an act, nobody is to"
            if asking
            else None
        )
    found = [TURN.search(one.text) for one in asking]
    named = [int(one[1]) for one in found if one is not None]
    if named != [turn]:
        return f"match {match}: {turn} is to act, the screen asks {named}"
    if str(message) != asking[0].id:
        return f"match {match}: message {message} is stored, {asking[0].id} asks"
    return None


def _reminders(record: Record, channel: str, noted: set[str] | None = None) -> list[Shown]:
    """The reminders that stand in a channel; of `noted` ones, where it is given."""
    return [
        one
        for one in record.shown
        if one.channel == channel
        and one.new
        and one.text.startswith("<@")
        and REMINDS in one.text
        and one.id not in record.deleted
        and (noted is None or one.id in noted)
    ]
