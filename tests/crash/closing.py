"""The end of a run: a last start without a kill, after which everything must be right.

Each check waits for its condition, and gives up only after a time that is too long even for a busy
machine.
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

from benchmarks.reading import LIVE, TURN
from benchmarks.setup import PATIENCE
from bot.sandbox.errors import CannotDo, InteractionFailed
from tests.crash.judge import Case
from tests.crash.ledger import Ledger
from tests.crash.logs import violations_in
from tests.crash.people import Group
from tests.crash.record import Record, ShownMessage
from tests.crash.setup import Discord, Journal, NotUp
from tests.crash.standing import ask, direct_messages_owed, match_now

if TYPE_CHECKING:
    from tests.crash.run import Run

LOOK: Final = 0.1  # seconds between two looks
HURRY: Final = 2.0  # seconds after a start in which clicks from before it should be answered
PATIENT: Final = 20.0  # seconds after which the event waited for is printed
QUIET: Final = 60.0  # seconds without a new line in log and journal; the bot retries within eight
MOVES_ON: Final = ("bid", "doubt", "next", "start", "join", "open")
REMINDS: Final = "to the table]"
Condition = Callable[[], Awaitable[bool]]


async def finish_run(this: Run, playing: list[asyncio.Task[None]]) -> Case:
    """Start the bot once more, check that all tables recover and accept a move, and stop the bot.

    Return a case with the violations found; the case's `record` is still empty.
    """
    setup = this.setup
    case = case_of(this.ledger, this.groups)
    this.waiting = True
    setup.begin()
    try:
        await setup.until_ready()
    except NotUp as failure:
        this.failed_starts.append(str(failure))
        case.add("stuck", "the last start")
    else:
        this._open()
        this.is_over = True
        await last_moves(case, this.groups, playing, setup.discord, partial(_within, this))
        for group in this.groups:
            message = await group.table_message()
            for person in group.people if message is not None else ():
                if message is not None:
                    with suppress(CannotDo, InteractionFailed, TimeoutError):  # it is outdated
                        await group.look(person, message)
        await _check_recovery(this, case)
        setup.terminate()
        await this._wait_until_ended()
    setup.kill()
    this.log_violations.extend(violations_in(setup.log))
    this.ledger.look(time.time() * 1000, None, None, whole=True)
    case.acts = [act for group in this.groups for act in group.acts]
    return case


def case_of(ledger: Ledger, groups: list[Group]) -> Case:
    """Return a `Case` that holds only the ledger and the channel in which each person plays."""
    seats = {int(person.id): int(table.channel) for table in groups for person in table.people}
    return Case(ledger, Record(), [], seats)


async def last_moves(
    case: Case,
    groups: list[Group],
    playing: list[asyncio.Task[None]],
    discord: Discord,
    within: Callable[[str, Condition], Awaitable[bool]],
) -> None:
    """Let everybody finish, then check that each table accepts one more move.

    `playing` are the tasks that play; their errors are raised here. `within(event, condition)`
    waits for a condition, described by `event`, and returns whether it came true. Violations are
    added to `case`.
    """
    left = partial(wait_for_everybody, discord, playing)
    if not await within("everybody has stopped playing", left):
        case.add("stuck", "somebody's press is neither answered nor refused")
        for task in playing:
            task.cancel()
    for ended in await asyncio.gather(*playing, return_exceptions=True):
        if isinstance(ended, Exception):
            raise ended
    for group in groups:
        group.dawdles = 0.0
        if not await within(f"a move counts in {group.channel}", partial(make_move, group)):
            case.add("stuck", f"the table in {group.channel} accepts nothing")


async def _within(this: Run, event: str, condition: Condition) -> bool:
    """Wait until `condition` is true and return True; return False after `PATIENCE` seconds.

    Like `wait_until`, also return False if neither the bot's log nor the journal has grown for a
    minute.
    """
    files = (this.setup.log, this.setup.journal)
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            return await wait_until(event, condition, files)
    return False


async def wait_until(event: str, condition: Condition, files: Iterable[Path]) -> bool:
    """Wait until `condition` is true and return True; return False after a minute of silence.

    Silence means that none of `files` grows. `event` is the condition in words; it is printed after
    20 seconds.
    """
    begun = last = time.monotonic()
    printed, size = False, -1
    while not await condition():
        now, grown = time.monotonic(), sum(file.stat().st_size for file in files)
        if grown != size:
            last, size = now, grown
        if now - last > QUIET:
            return False
        if not printed and now - begun > PATIENT:
            printed = True
            print(f"waiting until {event}", file=sys.stderr, flush=True)
        await asyncio.sleep(LOOK)
    return True


async def wait_for_everybody(discord: Discord, playing: list[asyncio.Task[None]]) -> bool:
    """Wait at most `HURRY` seconds for the tasks in `playing`; return whether all have ended.

    Also let Discord's three seconds pass, so that unanswered clicks fail.
    """
    await asyncio.wait(playing, timeout=HURRY)
    discord.order("later")  # what was pressed while the bot was dead is never answered
    return all(task.done() for task in playing)


async def make_move(group: Group) -> bool:
    """Let a group act once; return whether the act was answered and moves the game on."""
    before = len(group.acts)
    await group.step()
    counted = [act for act in group.acts[before:] if act.at and act.kind in MOVES_ON]
    return bool(counted)


async def _check_recovery(this: Run, case: Case) -> None:
    """Wait for direct messages, deadlines and screens to catch up; add each failure to `case`.

    In each channel, at most one reminder with a stored id may remain. All reminders after a
    channel's first are counted in the figure `orphans`.
    """
    journal, record = Journal(this.setup.journal), Record()
    rows = (row for death in this.ledger.deaths for row in death.tables.values())
    noted = {str(row.nudge) for row in rows}
    read, file = 0, this.setup.database

    def read_journal() -> Record:
        nonlocal read
        lines = journal.read()
        record.read(lines[read:])
        read = len(lines)
        return record

    async def all_sent() -> bool:
        return not await asyncio.to_thread(direct_messages_owed, file)

    async def nothing_due() -> bool:
        late = int(time.time() * 1000) - 50
        due = "select id from tables where status in ('lobby', 'playing') and deadline < "
        return not ask(file, due + str(late))

    if not await _within(this, "every direct message is sent", all_sent):
        case.add("letters", f"never sent: {direct_messages_owed(file)}")
    if not await _within(this, "nothing is due", nothing_due):
        case.add("deadlines", "a table is due and nothing happens")
    for group in this.groups:

        async def follows(group: Group = group) -> bool:
            return not await _screen_mismatch(this, group)

        where = group.channel
        if not await _within(this, f"the screen in {where} follows the log", follows):
            case.add("screens", str(await _screen_mismatch(this, group)))

        async def few(channel: str = group.channel) -> bool:
            return len(_reminders(read_journal(), channel, noted)) <= 1

        if not await _within(this, f"one reminder stands in {where}", few):
            standing = _reminders(read_journal(), group.channel, noted)
            case.add(
                "reminders",
                *(f"in {reminder.channel}: {reminder.text}" for reminder in standing[:-1]),
            )
        alone = len(_reminders(read_journal(), group.channel)) - 1
        case.figures["orphans"] += max(0, alone)


async def _screen_mismatch(this: Run, group: Group) -> str | None:
    """Describe how a table's screen differs from its log; return None if they agree."""
    file = this.setup.database
    tables = ask(
        file,
        "select status, match_id, message_id from tables where status != 'closed'"
        f" and channel_id = {int(group.channel)} order by id desc limit 1",
    )
    status, match, message = tables[0] if tables else ("closed", None, None)
    public = await group.public_messages()
    old = [post for post in public if post.id != str(message) and LIVE & set(post.buttons)]
    if old:
        facts = [(message.id, message.text[:60], message.buttons) for message in old]
        return f"table of message {message} has others that can be pressed: {facts}"
    if status != "playing":
        return None
    turn = (await asyncio.to_thread(match_now, file, match)).turn
    asking = [message for message in public if TURN.search(message.text)]
    if turn is None:
        return (
            f"match {match}: {len(asking)} messages ask for an act, nobody is to"
            if asking
            else None
        )
    turns = [TURN.search(message.text) for message in asking]
    named = [int(turn[1]) for turn in turns if turn is not None]
    if named != [turn]:
        newest = [(message.id, message.text[:60]) for message in public[-3:]]
        return f"match {match}: {turn} is to act, the screen asks {named}; it shows {newest}"
    if str(message) != asking[0].id:
        return f"match {match}: message {message} is stored, {asking[0].id} asks"
    return None


def _reminders(record: Record, channel: str, noted: set[str] | None = None) -> list[ShownMessage]:
    """Return the reminders left in a channel; with `noted`, only reminders with these ids."""
    return [
        message
        for message in record.messages
        if message.channel == channel
        and message.new
        and message.text.startswith("<@")
        and REMINDS in message.text
        and message.id not in record.deleted
        and (noted is None or message.id in noted)
    ]
