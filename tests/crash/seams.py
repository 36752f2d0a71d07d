"""Where the named points lie in the bot: public functions of its rooms, wrapped in the victim.

Each seam is looked up by name, and one that was renamed or moved away ends the victim at once, with
a sentence: a point is never skipped silently.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from importlib import import_module
from typing import Any, Final

from sqlalchemy import event
from sqlalchemy.engine import Engine

from tests.crash.points import BY_NAME

Reached = Callable[[str], None]
Async = Callable[..., Coroutine[Any, Any, Any]]

# what the transaction under way, or the one just committed, is about: the points' first words
_about: ContextVar[tuple[str, ...]] = ContextVar("about", default=())
_deadline: ContextVar[str | None] = ContextVar("deadline", default=None)
DEADLINES: Final = {"nudge": "nudge", "turn": "turn", "house": "house", "next_round": "next"}


class SeamGone(Exception):
    """A named point's place in the bot is not where it was."""


def seam(module: str, *names: str) -> tuple[Any, str, Any]:
    """The owner of an attribute, its name and itself. Raises `SeamGone`."""
    found: Any = import_module(module)
    owner = found
    for name in names:
        owner, found = found, getattr(found, name, None)
        if found is None:
            raise SeamGone(f"{module}.{'.'.join(names)} is not there: mend tests/crash/seams.py")
    return owner, names[-1], found


def around(reached: Reached, where: str, *, before: str = "", after: str = "") -> None:
    """Have a coroutine function pass a point before its work, or after it."""
    module, _, path = where.partition(":")
    owner, name, work = seam(module, *path.split("."))

    @functools.wraps(work)
    async def wrapped(*args: Any, **kwargs: Any) -> Any:
        if before:
            reached(before)
        done = await work(*args, **kwargs)
        if after:
            reached(after)
        return done

    setattr(owner, name, wrapped)


def around_plain(reached: Reached, where: str, *, before: str = "", after: str = "") -> None:
    """The same for a function that awaits nothing."""
    module, _, path = where.partition(":")
    owner, name, work = seam(module, *path.split("."))

    @functools.wraps(work)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if before:
            reached(before)
        done = work(*args, **kwargs)
        if after:
            reached(after)
        return done

    setattr(owner, name, wrapped)


def install(reached: Reached) -> None:
    """Wrap every seam. `reached` is called with a point's name at each passing of it.

    Raises `SeamGone`.
    """
    _transactions(reached)
    _moves(reached)
    _shows(reached)
    _comes_and_goes(reached)
    _makes_database(reached)


def hasten(grace_ms: int, slow_ms: int, house_ms: int) -> None:
    """Have evenings be short: what a start gives back, and the pauses of turns. Raises `SeamGone`.

    Computing is not warmed either: no compiled code is asked for here.
    """
    for module, name, value in (
        ("bot.app", "GRACE_AFTER_START", grace_ms),
        ("bot.tables.turns", "SLOW_TURN", slow_ms),
        ("bot.tables.turns", "HOUSE_PAUSE", house_ms),
    ):
        owner, attribute, _ = seam(module, name)
        setattr(owner, attribute, value)
    leave_cold()


def leave_cold() -> None:
    """Have no compiled code be loaded before it is asked for. Raises `SeamGone`."""
    owner, name, start = seam("bot.computing.process", "Computing", "start")

    @functools.wraps(start)
    def cold(self: Any, *, warm: bool = False) -> None:
        if not warm:
            start(self)

    setattr(owner, name, cold)


def pace_identifies(seconds: float) -> None:
    """Have shards identify as quickly one after another as the local Discord lets them."""
    owner, name, _ = seam("bot.discord.sessions", "IDENTIFY_SECONDS")
    setattr(owner, name, seconds)


def unhurry(seconds: float) -> None:
    """Have one process wait for another, and be drained, as long as a busy machine takes."""
    for module, limit in (
        ("bot.discord.client", "ANSWERED_WITHIN"),
        ("bot.storage.session", "ASKED_WITHIN"),
    ):
        owner, name, _ = seam(module, limit)
        setattr(owner, name, seconds)
    owner, name, budget = seam("bot.app", "STOP")
    setattr(owner, name, type(budget)(*(seconds for _ in dataclasses.fields(budget))))
    owner, name, _ = seam("bot.operations.process_lifetime", "STOP_WITHIN")
    setattr(owner, name, seconds)


def _transactions(reached: Reached) -> None:
    """What is about to be committed: the work is done, the transaction is still open."""
    owner, name, write = seam("bot.storage.database", "Database", "write")

    @functools.wraps(write)
    async def wrapped(self: Any, work: Any, /, *args: Any, **more: Any) -> Any:
        about = _about.get()

        def noted(c: Any) -> Any:
            done = work(c, *args, **more)
            for one in about:
                reached(f"{one}.before-commit")
            return done

        return await write(self, noted)

    setattr(owner, name, wrapped)


def _moves(reached: Reached) -> None:
    owner, name, commit = seam("bot.storage.tables", "SqlTables", "commit")

    @functools.wraps(commit)
    async def stored(self: Any, change: Any) -> Any:
        about = _subjects(change)
        if "move" in about:
            reached("move.planned")
        return await _told(reached, about, commit(self, change))

    setattr(owner, name, stored)
    owner, name, opens = seam("bot.storage.tables", "SqlTables", "open")

    @functools.wraps(opens)
    async def opened(self: Any, *given: Any) -> Any:
        return await _told(reached, ("open",), opens(self, *given))

    setattr(owner, name, opened)
    owner, name, serve = seam("bot.tables.service", "Tables", "on_deadline")

    @functools.wraps(serve)
    async def served(self: Any, due: Any) -> Any:
        token = _deadline.set(due.deadline_kind)
        try:
            return await serve(self, due)
        finally:
            _deadline.reset(token)

    setattr(owner, name, served)


def _subjects(change: Any) -> tuple[str, ...]:
    """What a change of the store is about."""
    kinds = [action.body["kind"] for action in change.actions]
    by_itself = _deadline.get()
    about = []
    if change.interaction_id is not None:
        about.append("move")
    if "deal" in kinds:
        about.append("deal")
    if change.ending is not None and change.ending.results:
        about.append("end")
    if by_itself == "turn" and "forfeit" in kinds:
        about.append("forfeit")
    elif by_itself in DEADLINES:
        about.append(DEADLINES[by_itself])
    return tuple(about)


async def _told(reached: Reached, about: tuple[str, ...], work: Coroutine[Any, Any, Any]) -> Any:
    token = _about.set(about)
    try:
        done = await work
    finally:
        _about.reset(token)
    for one in about:
        reached(f"{one}.after-commit")
    return done


def _shows(reached: Reached) -> None:
    """Answers, messages, letters and reminders."""
    owner, name, redraw = seam("bot.discord.answers", "redraw")

    @functools.wraps(redraw)
    async def redrawn(*args: Any, **kwargs: Any) -> Any:
        taken = await redraw(*args, **kwargs)
        if taken:
            reached("move.after-answer")
        return taken

    setattr(owner, name, redrawn)
    owner, name, send = seam("discord.abc", "Messageable", "send")

    @functools.wraps(send)
    async def sent(self: Any, *args: Any, **kwargs: Any) -> Any:
        nonce = str(kwargs.get("nonce") or "")
        of_table = bool(nonce) and nonce[0] not in "hr"  # of a letter, of a reminder
        if of_table:
            reached("message.before-post")
        message = await send(self, *args, **kwargs)
        if of_table:
            reached("message.posted")
        return message

    setattr(owner, name, sent)
    owner, name, answer = seam("bot.discord.publisher.publisher", "Publisher", "_answer")

    @functools.wraps(answer)
    async def answered(self: Any, news: Any, *rest: Any) -> Any:
        waits = news.offer is not None
        if waits:
            reached("message.before-post")
        done = await answer(self, news, *rest)
        if waits and done is not None:
            reached("message.posted")
        return done

    setattr(owner, name, answered)
    around(reached, "bot.storage.tables:SqlTables.note_message", after="message.noted")
    note = "bot.storage.matches:SqlMatches.note_delivery"
    around(reached, note, before="letter.sent", after="letter.noted")
    around(reached, "bot.discord.seats.direct:DirectSeats.write", before="letter.before-send")
    owner, name, nudged = seam("bot.tables.runtime", "TableRuntime", "note_nudge")

    @functools.wraps(nudged)
    async def noted(self: Any, table: int, message: int | None, *rest: Any) -> Any:
        if message is not None:
            reached("reminder.posted")
        done = await nudged(self, table, message, *rest)
        if message is not None:
            reached("reminder.noted")
        return done

    setattr(owner, name, noted)


def _comes_and_goes(reached: Reached) -> None:
    """A start, and the end after SIGTERM."""
    around_plain(reached, "bot.storage.files:LockFile.take", after="start.locked")
    owner, name, opens = seam("bot.storage.store", "SqlStore", "open")

    async def opened(cls: Any, *args: Any, **kwargs: Any) -> Any:
        store = await opens.__func__(cls, *args, **kwargs)
        reached("start.opened")
        return store

    setattr(owner, name, classmethod(opened))
    granting = "bot.tables.runtime:TableRuntime.grant_time"
    around(reached, granting, before="start.granting", after="start.granted")
    resume = "bot.discord.publisher.publisher:Publisher.resume"
    around(reached, resume, before="start.resuming", after="start.resumed")
    around_plain(reached, "bot.tables.scheduler:DeadlineClock.start", before="start.serving")
    around(reached, "bot.app:Bot.stop", before="stop.begun")
    around(reached, "bot.discord.client:BotClient.leave_handlers", before="stop.draining")
    closed = "bot.discord.publisher.publisher:Publisher.close"
    around_plain(reached, closed, before="stop.leaving")
    around(reached, "bot.storage.store:SqlStore.close", before="stop.closing")
    around_plain(reached, "bot.storage.files:LockFile.release", before="stop.closed")


def _makes_database(reached: Reached) -> None:
    """A new database, and one of an old schema; both are migrations, told apart by the backup."""
    around_plain(reached, "bot.storage.database:Database.try_file", after="first.file")
    owner, name, copy = seam("bot.storage.migrate", "copy_database")
    kind = {"now": ""}

    @functools.wraps(copy)
    def copied(*args: Any, **kwargs: Any) -> Any:
        done = copy(*args, **kwargs)
        kind["now"] = "migration"
        reached("migration.backup")
        return done

    setattr(owner, name, copied)
    owner, name, migrate = seam("bot.storage.store", "migrate")

    @functools.wraps(migrate)
    async def migrated(*args: Any, **kwargs: Any) -> Any:
        kind["now"] = "first"
        done = await migrate(*args, **kwargs)
        made, kind["now"] = kind["now"], ""
        reached(f"{made}.after-commit")
        return done

    setattr(owner, name, migrated)

    @event.listens_for(Engine, "after_cursor_execute")
    def executed(*given: Any) -> None:
        statement: str = given[2]
        if not kind["now"]:
            return
        if "foreign_key_check" in statement:
            reached(f"{kind['now']}.before-commit")
        elif statement.split()[0].upper() in _CHANGES:
            reached(f"{kind['now']}.statement")


_CHANGES: Final = frozenset({"CREATE", "ALTER", "INSERT", "UPDATE", "DELETE", "DROP"})


def known(name: str) -> str:
    """A point's name, if it is one. Raises ValueError."""
    if name not in BY_NAME:
        raise ValueError(f"there is no point {name!r}; `python -m tests.crash --points` lists them")
    return name
