"""Where the named points lie in the bot: functions that the victim wraps.

Each is looked up by name. If one was renamed or moved, the victim ends at once and names it, so
that no point is skipped silently.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from importlib import import_module
from typing import Any, Final

from tests.crash.points import BY_NAME

PassPoint = Callable[[str], None]

# the first words of the points that the current or just committed transaction passes
_about: ContextVar[tuple[str, ...]] = ContextVar("about", default=())
_deadline: ContextVar[str | None] = ContextVar("deadline", default=None)
DEADLINES: Final = {"nudge": "nudge", "turn": "turn", "house": "house", "next_round": "next"}


class SeamGone(Exception):
    """A function that a named point needs is no longer where it was."""


def seam(where: str) -> tuple[Any, str, Any]:
    """Look up `module:Class.name`; return the owner of the attribute, and its name and value.

    Raises `SeamGone`, or ModuleNotFoundError if there is no such module.
    """
    module, _, path = where.partition(":")
    value: Any = import_module(module)
    owner = value
    for name in path.split("."):
        owner, value = value, getattr(value, name, None)
        if value is None:
            raise SeamGone(f"{where} is not there: mend tests/crash/seams.py")
    return owner, name, value


def change(where: str, value: object) -> None:
    """Replace the attribute at `where` (`module:Class.name`). Raises what `seam` raises."""
    owner, name, _ = seam(where)
    setattr(owner, name, value)


def replacement_of(where: str) -> Callable[[Callable[..., Any]], None]:
    """Return a decorator that puts a function in place of the one at `where`.

    The new function gets the old one as its first argument. The decorator raises what `seam`
    raises.
    """

    def put(instead: Callable[..., Any]) -> None:
        _, _, original = seam(where)
        change(
            where,
            functools.wraps(original)(lambda *args, **kwargs: instead(original, *args, **kwargs)),
        )

    return put


def around(
    pass_point: PassPoint,
    where: str,
    *,
    before: str = "",
    after: str = "",
    of: Callable[..., bool] = lambda *_, **__: True,
    when: Callable[[Any], bool] = lambda _: True,
) -> None:
    """Wrap a coroutine function: each call passes point `before` first, and point `after` last.

    An empty name is no point. Only calls whose arguments `of` accepts count; for `after`, `when`
    must accept the result too.
    """

    @replacement_of(where)
    async def wrapper(work: Any, *args: Any, **kwargs: Any) -> Any:
        counts = of(*args, **kwargs)
        if before and counts:
            pass_point(before)
        answer = await work(*args, **kwargs)
        if after and counts and when(answer):
            pass_point(after)
        return answer


def around_plain(pass_point: PassPoint, where: str, *, before: str = "", after: str = "") -> None:
    """Wrap a plain function: each call passes point `before` first, and point `after` last."""

    @replacement_of(where)
    def wrapper(work: Any, *args: Any, **kwargs: Any) -> Any:
        if before:
            pass_point(before)
        answer = work(*args, **kwargs)
        if after:
            pass_point(after)
        return answer


def install(pass_point: PassPoint) -> None:
    """Wrap every function that a point needs; `pass_point` is called with each point's name.

    Raises what `seam` raises.
    """
    _transactions(pass_point)
    _moves(pass_point)
    _screens(pass_point)
    _starts_and_stops(pass_point)


def shorten_pauses(grace_ms: int, slow_ms: int, bot_move_ms: int) -> None:
    """Set the time that a start grants, the delay of reminders, and the pause between bot moves.

    All are in milliseconds. Also load compiled code only when it is needed. Raises what `seam`
    raises.
    """
    change("bot.app:GRACE_AFTER_START", grace_ms)
    change("bot.tables.turns:SLOW_TURN", slow_ms)
    change("bot.tables.turns:HOUSE_PAUSE", bot_move_ms)
    skip_warming()


def skip_warming() -> None:
    """Have the bot load compiled code only when it is needed. Raises what `seam` raises."""

    @replacement_of("bot.computing.process:Computing.start")
    def start_without_warming(start: Any, self: Any, *, warm: bool = False) -> None:
        if not warm:
            start(self)


def pace_identifies(seconds: float) -> None:
    """Set the pause between two identifies to `seconds`; the local Discord allows short pauses."""
    change("bot.discord.sessions:IDENTIFY_SECONDS", seconds)


def wait_patiently(seconds: float) -> None:
    """Allow `seconds` for each step of stopping and of handing over, for a busy machine."""
    change("bot.discord.client:ANSWERED_WITHIN", seconds)
    change("bot.storage.session:ASKED_WITHIN", seconds)
    change("bot.operations.process_lifetime:STOP_WITHIN", seconds)
    _, _, budget = seam("bot.app:STOP")
    change("bot.app:STOP", type(budget)(*(seconds for _ in dataclasses.fields(budget))))


def _transactions(pass_point: PassPoint) -> None:
    """Wrap `Database.write` to pass `before-commit` points: work done, transaction still open."""

    @replacement_of("bot.storage.database:Database.write")
    async def write_and_pass(write: Any, self: Any, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        about = _about.get()

        def work_and_pass(c: Any) -> Any:
            result = work(c, *args, **kwargs)
            for subject in about:
                pass_point(f"{subject}.before-commit")
            return result

        return await write(self, work_and_pass)


def _moves(pass_point: PassPoint) -> None:
    @replacement_of("bot.storage.tables:SqlTables.commit")
    async def commit_and_pass(commit: Any, self: Any, change: Any) -> Any:
        about = _subjects(change)
        if "move" in about:
            pass_point("move.planned")
        return await _pass_after_commit(pass_point, about, commit(self, change))

    @replacement_of("bot.storage.tables:SqlTables.open")
    async def open_and_pass(opens: Any, *args: Any) -> Any:
        return await _pass_after_commit(pass_point, ("open",), opens(*args))

    @replacement_of("bot.services.tables:Tables.on_deadline")
    async def serve_with_kind(serve: Any, self: Any, due: Any) -> Any:
        token = _deadline.set(due.deadline_kind)
        try:
            return await serve(self, due)
        finally:
            _deadline.reset(token)


def _subjects(change: Any) -> tuple[str, ...]:
    """Return the words that begin the names of the points a stored change passes: "move"."""
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


async def _pass_after_commit(
    pass_point: PassPoint, about: tuple[str, ...], work: Coroutine[Any, Any, Any]
) -> Any:
    token = _about.set(about)
    try:
        result = await work
    finally:
        _about.reset(token)
    for subject in about:
        pass_point(f"{subject}.after-commit")
    return result


def _screens(pass_point: PassPoint) -> None:
    """Wrap the functions that send and record answers, messages, direct messages and reminders."""

    def of_table(*_: Any, **kwargs: Any) -> bool:
        nonce = str(kwargs.get("nonce") or "")
        # these begin the nonces of direct messages and reminders
        return bool(nonce) and nonce[0] not in "hlr"

    before, after = "message.before-post", "message.posted"
    around(pass_point, "discord.abc:Messageable.send", before=before, after=after, of=of_table)
    answered = "bot.discord.delivery.tables:TablePlace._post_as_answer"
    around(
        pass_point,
        answered,
        before=before,
        after=after,
        when=lambda outcome: bool(outcome.messages),
    )
    around(
        pass_point,
        "bot.discord.delivery.driver:Driver.answer",
        after="move.after-answer",
        when=lambda outcome: outcome.name == "TAKEN",
    )
    around(pass_point, "bot.storage.tables:SqlTables.note_message", after="message.noted")
    note = "bot.storage.matches:SqlMatches.note_delivery"
    around(pass_point, note, before="letter.sent", after="letter.noted")
    post = "bot.discord.delivery.direct_seats:DirectSeatPlace._post"
    around(pass_point, post, before="letter.before-send")
    around(
        pass_point,
        "bot.services.runtime:TableRuntime.note_nudge",
        before="reminder.posted",
        after="reminder.noted",
        of=lambda self, table, message, *_: message is not None,
    )


def _starts_and_stops(pass_point: PassPoint) -> None:
    """Wrap what happens at a start and after SIGTERM."""
    around_plain(pass_point, "bot.storage.files:LockFile.take", after="start.locked")
    around(pass_point, "bot.storage.store:SqlStore.open", after="start.opened")
    granting = "bot.services.runtime:TableRuntime.grant_time"
    around(pass_point, granting, before="start.granting", after="start.granted")
    delivery = "bot.discord.delivery.delivery:TableDelivery"
    around(pass_point, f"{delivery}.resume", before="start.resuming", after="start.resumed")
    around_plain(pass_point, "bot.tables.scheduler:DeadlineClock.start", before="start.serving")
    around(pass_point, "bot.app:Bot.stop", before="stop.begun")
    around(pass_point, "bot.discord.client:BotClient.leave_handlers", before="stop.draining")
    around_plain(pass_point, f"{delivery}.close", before="stop.leaving")
    around(pass_point, "bot.storage.store:SqlStore.close", before="stop.closing")
    around_plain(pass_point, "bot.storage.files:LockFile.release", before="stop.closed")


def point_name(name: str) -> str:
    """Return `name` if it is the name of a point. Raises ValueError if it isn't."""
    if name not in BY_NAME:
        raise ValueError(f"there is no point {name!r}; `python -m tests.crash --points` lists them")
    return name
