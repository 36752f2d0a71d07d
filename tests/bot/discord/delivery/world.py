"""Try the delivery machine against a Discord that loses, delays and refuses requests.

A surface is a message that the bot keeps up to date. A `World` is one surface, the content of
Discord and the store, and the number of events of each kind that may still happen. `events` yields
every world that may come next. So every order of events can be tried within bounds (`explore`), and
random orders beyond them (`walk`). Once no event is pending, `find_fault` checks the result.

Three surfaces are tried, as they differ:

- A table's message: a retry by nonce and a search find a lost post; a post may answer a press.
- A seat: its epoch is its message's id, which must exceed the id of the table's message. A lost
  seat is never found, and an earlier seat is deleted.
- A reminder: it is posted and deleted, and nobody presses it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum, auto
from typing import Any, Final, NamedTuple

from bot.discord.delivery.machine import (
    SEARCHES,
    Act,
    Message,
    Request,
    Surface,
    Target,
    begin,
    change,
    decide,
    learn,
    mark_stale,
    meet,
    press,
    search,
    try_again,
)
from bot.discord.outcomes import RequestOutcome

AT_REST_WITHIN: Final = 600  # steps without trouble
QUIET: Final = frozenset({"send", "apply", "hear", "time", "find"})  # they come by themselves
REQUESTS: Final = 4, 8  # for each event that costs any, and for a start


class Kind(IntEnum):
    TABLE = auto()
    SEAT = auto()
    REMINDER = auto()


class State(IntEnum):
    LIVING = auto()
    RECORD = auto()  # of what was: nobody can press anything there
    DELETED = auto()


class Post(NamedTuple):
    epoch: int
    version: int
    state: State = State.LIVING
    nonce: tuple[int, int | None] | None = None  # the news, and the message that was known then
    press: int | None = None  # that it answers
    has_picture: bool = True
    is_aged: bool = False  # too old to edit
    is_adopted: bool = False  # a search found it, so nobody knows of which news it is
    is_lost: bool = False  # nothing can find it any more
    is_table: bool = False  # the table's message, of a seat's world


class Receipt(NamedTuple):
    """The answer to a request, which the bot hasn't heard yet."""

    number: int
    outcome: RequestOutcome
    messages: tuple[Message, ...] = ()


class World(NamedTuple):
    """The bot, Discord, the store, and how many events of each kind may still happen."""

    kind: Kind
    bot: Surface
    posts: tuple[Post, ...] = ()
    receipts: tuple[Receipt, ...] = ()
    stored: tuple[int | None, int] = (None, -1)  # message and its epoch
    noted: Target | None = None  # which reminder was stored
    known: int | None = None  # the newest message that was heard of
    nonce: tuple[int, int | None] | None = None  # of the post in flight that answers no press
    searched_from: int = -1  # messages after this one may be unknown
    unsearched: bool = False  # the table has not looked for reminders since a start
    # the bot may post nothing, nor change an earlier table; a seat's player has no token
    barred: bool = False
    history_fails: bool = False  # for ever
    failed_searches: int = 0  # in a row
    gave_up: bool = False  # after so many
    is_ready: bool = True  # the picture
    without_picture: tuple[int, ...] = ()  # requests in flight that were drawn before
    presses: int = 0
    answers: tuple[int, ...] = ()  # presses that an answer was sent to, in that order
    spent: int = 0  # events so far, each of which may cost requests
    # how many of each may still come
    changes: int = 0
    clicks: int = 0
    commands: int = 0
    faults: int = 0
    crashes: int = 0
    deletions: int = 0
    bars: int = 0
    pictures: int = 0


def first_world(kind: Kind, **bounds: Any) -> World:
    """Return the world before the surface's first message is posted.

    `bounds`: how many events of each kind may happen.
    """
    posts = (Post(0, 0, is_table=True),) if kind is Kind.SEAT else ()
    version = -1 if kind is Kind.REMINDER else 0
    surface = Surface(Target(0, version))
    return World(kind, surface, posts, is_ready="pictures" not in bounds, **bounds)


def events(world: World) -> Iterator[tuple[str, World]]:
    """Yield the name of every event that may come next, and the world after it.

    Raises AssertionError if the bot has sent too many requests.
    """
    bot = world.bot
    each, start = REQUESTS
    assert bot.sent <= each * world.spent + start, "too many requests"
    if (request := decide(bot)) is not None:
        yield "send", _send(world, request)
    yield from _at_discord(world)
    yield from _heard(world)
    if bot.waiting:
        yield "time", world._replace(bot=bot._replace(waiting=False))
    if world.unsearched:
        others = tuple(
            (number, 0)
            for number, post in enumerate(world.posts)
            if post.state is State.LIVING and number != bot.message
        )
        after = bot._replace(retire=(*bot.retire, *others))
        yield "find", world._replace(bot=after, unsearched=False)
    if world.changes:
        yield from _changes(world)
    if world.clicks and world.kind is not Kind.REMINDER:
        yield from _presses(world)
    if world.commands and world.kind is not Kind.REMINDER:
        yield "command", _command(world)
    yield from _troubles(world)


def _at_discord(world: World) -> Iterator[tuple[str, World]]:
    decided = {receipt.number for receipt in world.receipts}
    for request in world.bot.in_flight:
        if request.number in decided:
            continue
        yield "apply", _apply(world, request)
        if not world.faults:
            continue
        troubled = world._replace(faults=world.faults - 1, spent=world.spent + 1)
        yield "drop", _hear_later(troubled, request, RequestOutcome.NOT_YET)
        if request.act in (Act.POST, Act.EDIT):
            yield "vanish", _hear_later(troubled, request, RequestOutcome.MAYBE)
        if request.act in (Act.POST, Act.EDIT, Act.RETIRE, Act.FIND):
            yield "refuse", _hear_later(troubled, request, RequestOutcome.REFUSED)


def _heard(world: World) -> Iterator[tuple[str, World]]:
    for receipt in world.receipts:
        request = next(row for row in world.bot.in_flight if row.number == receipt.number)
        receipts = tuple(row for row in world.receipts if row is not receipt)
        remaining = world._replace(receipts=receipts)
        yield "hear", _learn(remaining, request, receipt.outcome, receipt.messages)
        taken = receipt.outcome is RequestOutcome.TAKEN
        if world.faults and taken and request.act in (Act.POST, Act.EDIT, Act.RETIRE):
            troubled = remaining._replace(faults=world.faults - 1, spent=world.spent + 1)
            if world.kind is Kind.SEAT and request.act is Act.POST:
                for number, _ in receipt.messages:
                    posts = _put(troubled.posts, number, is_lost=True)
                    troubled = troubled._replace(posts=posts)
            yield "deaf", _learn(troubled, request, RequestOutcome.MAYBE)


def _changes(world: World) -> Iterator[tuple[str, World]]:
    target = world.bot.target
    after = world._replace(changes=world.changes - 1, spent=world.spent + 1)
    if world.kind is Kind.REMINDER:
        bot = world.bot._replace(noted=False)
        yield "due", after._replace(bot=change(bot, Target(target.epoch + 1, -1)))
        yield "turn", after._replace(bot=change(bot, target._replace(present=not target.present)))
        return
    yield "redraw", _redraw(after)
    if world.kind is Kind.SEAT:
        table = Post(0, 0, is_table=True)
        latest = Target(len(world.posts), target.version + 1)
        yield "deal", after._replace(bot=change(world.bot, latest), posts=(*world.posts, table))
    else:
        yield "news", after._replace(bot=change(world.bot, _news(target)))


def _redraw(world: World) -> World:
    target = world.bot.target
    latest = target._replace(version=target.version + (world.kind is not Kind.REMINDER))
    return world._replace(bot=change(world.bot, latest))


def _news(target: Target) -> Target:
    return Target(target.epoch + 1, target.version + 1)


def _presses(world: World) -> Iterator[tuple[str, World]]:
    """Yield (event, world) for each press that may come, with and without a change of the table.

    The table judges a press before the delivery machine receives it. So if the press changes the
    table, the surface's target is already the new state. Every press is answered at once.
    """
    target = world.bot.target
    judged = [("press", target, 0)]
    if world.changes:
        judged.append(("move", target._replace(version=target.version + 1), 1))
        if world.kind is Kind.TABLE:
            judged.append(("deal", _news(target), 1))
    for number, post in enumerate(world.posts):
        if post.state is not State.LIVING or post.is_table:
            continue
        for name, latest, cost in judged:
            after = world._replace(
                bot=change(world.bot, latest) if cost else world.bot,
                barred=world.barred and world.kind is Kind.TABLE,
                presses=world.presses + 1,
                clicks=world.clicks - 1,
                changes=world.changes - cost,
                spent=world.spent + 2,
            )
            if number < (world.bot.message if world.bot.message is not None else -1):
                after = after._replace(answers=(*after.answers, world.presses))
                if world.kind is Kind.SEAT:  # it goes
                    yield name, _meet(after, number, number)
                continue
            if number != world.bot.message:
                fresh = post.epoch == latest.epoch
                epoch = latest.epoch - (0 if fresh else 1)
                after = _meet(after, number, number if world.kind is Kind.SEAT else epoch)
            yield name, (answered := _answer(after, may_post=True))
            if answered.bot.in_flight[-1].act is Act.POST:
                yield name, _answer(after, may_post=False)


def _answer(world: World, *, may_post: bool) -> World:
    number = world.presses - 1
    bot = press(world.bot, number, may_post=may_post)
    request = decide(bot)
    assert request is not None, "a press waits"
    assert request.press == number, "a press waits"
    assert may_post or request.act is not Act.POST, "a new message answers what it may not"
    return _send(world._replace(bot=bot), request)


def _command(world: World) -> World:
    """Return the world after a command: `/table` for a table, **My seat** for a seat."""
    bot = world.bot
    if world.kind is Kind.TABLE and not bot.needs_post:
        bot = change(bot, bot.target._replace(epoch=bot.target.epoch + 1))
    target, number = bot.target, world.presses
    request = Request(bot.sent, Act.POST, target.epoch, target.version, press=number)
    after = world._replace(
        bot=bot,
        barred=world.barred and world.kind is Kind.TABLE,
        presses=number + 1,
        commands=world.commands - 1,
        spent=world.spent + 2,
    )
    return _send(after, request)


def _troubles(world: World) -> Iterator[tuple[str, World]]:
    bot = world.bot
    if world.deletions:
        after = world._replace(deletions=world.deletions - 1, spent=world.spent + 2)
        for number, post in enumerate(world.posts):
            if post.state is State.DELETED or post.is_table:
                continue
            yield "delete", after._replace(posts=_put(world.posts, number, state=State.DELETED))
            if world.kind is Kind.TABLE and not post.is_aged:
                yield "age", after._replace(posts=_put(world.posts, number, is_aged=True))
    if world.bars and not world.barred:
        yield "bar", world._replace(barred=True, bars=world.bars - 1, spent=world.spent + 1)
    if world.barred and world.kind is not Kind.SEAT:
        yield "allow", _allow(world)
    if world.pictures and world.kind is not Kind.REMINDER:
        early = tuple(request.number for request in bot.in_flight)
        yield (
            "picture",
            world._replace(
                bot=mark_stale(bot),
                is_ready=True,
                without_picture=early,
                pictures=world.pictures - 1,
                spent=world.spent + 1,
            ),
        )
    if world.crashes:
        yield "crash", _crash(world)


def _allow(world: World) -> World:
    return world._replace(bot=try_again(world.bot), barred=False, spent=world.spent + 2)


def _crash(world: World) -> World:
    """Return the world in which the bot has restarted and knows only what was stored."""
    bot, posts = world.bot, world.posts
    message, epoch = world.stored
    match world.kind:
        case Kind.TABLE:
            surface = search(Surface(bot.target, message, epoch))
        case Kind.REMINDER:
            surface = Surface(bot.target, message, epoch, -1, noted=False)
        case Kind.SEAT:
            surface = Surface(bot.target)
            message = None
            posts = tuple(post if post.is_table else post._replace(is_lost=True) for post in posts)
    return world._replace(
        bot=surface._replace(sent=bot.sent + 1),
        posts=posts,
        receipts=(),
        known=message,
        nonce=None,
        searched_from=-1 if message is None else message,
        unsearched=world.kind is Kind.REMINDER,
        barred=world.barred or world.kind is Kind.SEAT,
        failed_searches=0,
        without_picture=(),
        crashes=world.crashes - 1,
        spent=world.spent + 4,
    )


def _send(world: World, request: Request) -> World:
    answers = world.answers
    if request.press is not None and request.act is not Act.FIND:
        assert request.press not in answers, "a press is answered twice"
        answers = (*answers, request.press)
    nonce = world.nonce
    if request.act is Act.POST and request.press is None and world.kind is not Kind.SEAT:
        nonce = request.epoch, world.known
    after = world._replace(bot=begin(world.bot, request), answers=answers, nonce=nonce)
    if request.act is Act.ACKNOWLEDGE:  # it says nothing, so one way for it will do
        return _hear_later(after, request, RequestOutcome.TAKEN)
    return after


def _apply(world: World, request: Request) -> World:
    """Return the world in which Discord or the store has carried out a request."""
    outcome, messages = RequestOutcome.TAKEN, tuple[Message, ...]()
    match request.act:
        case Act.POST:
            return _apply_post(world, request)
        case Act.EDIT | Act.RETIRE:
            assert request.message is not None
            post = world.posts[request.message]
            unpressed = request.press is None
            if post.state is State.DELETED or (
                post.is_aged and unpressed and request.act is Act.EDIT
            ):
                outcome = RequestOutcome.GONE
            elif world.barred and world.kind is Kind.TABLE and request.act is Act.RETIRE:
                outcome = RequestOutcome.REFUSED
            else:
                world = _draw(world, request, request.message)
        case Act.FIND:
            messages = tuple(
                (number, post.epoch)
                for number, post in enumerate(world.posts)
                if post.press == request.press and post.state is State.LIVING
            )
            outcome = RequestOutcome.TAKEN if messages else RequestOutcome.GONE
        case Act.SEARCH if world.history_fails:
            outcome = RequestOutcome.NOT_YET
        case Act.SEARCH if world.kind is Kind.TABLE:
            # of which news they are can't be told
            posts, epoch = world.posts, world.bot.target.epoch
            for number in range(world.searched_from + 1, len(posts)):
                if posts[number].state is State.LIVING:
                    messages = (*messages, (number, epoch))
                    posts = _put(posts, number, is_adopted=True)
            world = world._replace(posts=posts)
        case Act.SEARCH if world.kind is Kind.REMINDER:
            messages = tuple(
                (number, 0)
                for number, post in enumerate(world.posts)
                if post.state is State.LIVING and number != world.bot.message
            )
        case Act.NOTE:
            noted = world.bot.target if world.kind is Kind.REMINDER else None
            world = world._replace(stored=(request.message, request.epoch), noted=noted)
        case _:
            pass
    return _hear_later(world, request, outcome, messages)


def _apply_post(world: World, request: Request) -> World:
    nonce = world.nonce if request.press is None else None
    for number, post in enumerate(world.posts):
        if nonce is not None and post.nonce == nonce and post.state is not State.DELETED:
            posts = _put(world.posts, number, is_lost=False)
            return _hear_later(
                world._replace(posts=posts),
                request,
                RequestOutcome.TAKEN,
                ((number, request.epoch),),
            )
    if world.barred and request.press is None:
        return _hear_later(world, request, RequestOutcome.REFUSED)
    number = len(world.posts)
    epoch = number if world.kind is Kind.SEAT else request.epoch
    post = Post(
        epoch,
        request.version,
        nonce=nonce,
        press=request.press,
        has_picture=world.is_ready and request.number not in world.without_picture,
    )
    world = world._replace(posts=(*world.posts, post))
    return _hear_later(world, request, RequestOutcome.TAKEN, ((number, epoch),))


def _draw(world: World, request: Request, number: int) -> World:
    if request.act is Act.EDIT:
        ready = world.is_ready and request.number not in world.without_picture
        posts = _put(
            world.posts, number, version=request.version, state=State.LIVING, has_picture=ready
        )
    elif world.kind is Kind.TABLE and not world.posts[number].is_aged:
        posts = _put(world.posts, number, state=State.RECORD)
    else:
        posts = _put(world.posts, number, state=State.DELETED)
    return world._replace(posts=posts)


def _hear_later(
    world: World, request: Request, outcome: RequestOutcome, messages: tuple[Message, ...] = ()
) -> World:
    receipt = Receipt(request.number, outcome, messages)
    return world._replace(receipts=(*world.receipts, receipt))


def _learn(
    world: World, request: Request, outcome: RequestOutcome, messages: tuple[Message, ...] = ()
) -> World:
    if world.kind is Kind.SEAT and request.act is Act.POST and outcome is RequestOutcome.MAYBE:
        outcome = RequestOutcome.REFUSED  # as the driver does where a lost post can't be found
    failed, gave_up = world.failed_searches, world.gave_up
    if request.act is Act.SEARCH:
        failed = 0 if outcome is RequestOutcome.TAKEN else failed + 1
        gave_up |= failed >= SEARCHES
    newest = max((number for number, _ in messages), default=-1)
    known = world.known
    if newest > (-1 if known is None else known):
        known = newest
    return world._replace(
        bot=learn(world.bot, request, outcome, messages),
        known=known,
        nonce=None if request.act is Act.POST and request.press is None else world.nonce,
        failed_searches=failed,
        gave_up=gave_up,
        without_picture=tuple(
            number for number in world.without_picture if number != request.number
        ),
    )


def _meet(world: World, number: int, epoch: int) -> World:
    posts = _put(world.posts, number, is_lost=False)
    known = number if world.known is None else max(world.known, number)
    return world._replace(bot=meet(world.bot, (number, epoch)), posts=posts, known=known)


def _put(posts: tuple[Post, ...], number: int, **fields: Any) -> tuple[Post, ...]:
    changed = posts[number]._replace(**fields)
    return (*posts[:number], changed, *posts[number + 1 :])


def find_fault(world: World) -> str | None:
    """Return what is wrong with a world that has no pending events, or None."""
    bot, target = world.bot, world.bot.target
    refused = {number for number, _ in bot.refused_retire}
    others = [
        number
        for number, post in enumerate(world.posts)
        if post.state is State.LIVING
        and number != bot.message
        and number not in refused
        and not (post.is_lost or post.is_table or world.gave_up)
    ]
    if others:
        return f"other messages stand: {others}"
    if target.present and (fault := _find_fault_in_message(world)) is not None:
        return fault
    if not target.present and bot.message is not None:
        return "a message stands, and none should"
    if sorted(world.answers) != list(range(world.presses)):
        return f"presses answered: {world.answers} of {world.presses}"
    if world.kind is Kind.REMINDER and world.noted not in (None, target):
        return f"{world.noted} is stored, not {target}"
    if bot.message is not None and world.stored[0] != bot.message:
        return f"message {world.stored[0]} is stored, and {bot.message} stands"
    return None


def _find_fault_in_message(world: World) -> str | None:
    bot, target = world.bot, world.bot.target
    key = target.epoch, target.version
    if bot.message is None:
        refused = world.barred or bot.refused_post == key
        return None if refused else "nothing is shown"
    post = world.posts[bot.message]
    if bot.refused_edit != key:
        if post.version != target.version:
            return f"version {post.version} is shown, not {target.version}"
        if world.is_ready and not post.has_picture:
            return "the picture is missing"
    if bot.is_stuck:
        return None if world.barred or bot.refused_post == key else "an old message is kept"
    if world.kind is Kind.SEAT:
        return None if bot.message > target.epoch else "the seat stands above the table"
    if post.epoch != target.epoch and not post.is_adopted:
        return f"news {post.epoch} is shown, not {target.epoch}"
    return None


def _is_unnoticed(world: World) -> bool:
    """Return whether the surface's message was deleted; Discord doesn't report this to the bot."""
    message = world.bot.message
    return message is not None and world.posts[message].state is State.DELETED


def finish(world: World, pick: Callable[[Sequence[World]], World]) -> World:
    """Let all pending events happen, without more faults, and return the world at rest.

    `pick` chooses one of the worlds that may come next. When no event is pending, allow refused
    requests again; allow a seat's requests only if a post is due. Redraw a surface whose
    message was deleted or refused, unless it is a reminder. Raises AssertionError if a world
    without pending events has a fault, or if there are still events after `AT_REST_WITHIN`
    steps.
    """
    for _ in range(AT_REST_WITHIN):
        going = [after for name, after in events(world) if name in QUIET]
        if going:
            world = pick(going)
            continue
        if not _is_unnoticed(world) and (fault := find_fault(world)) is not None:
            raise AssertionError(fault)
        bot = world.bot
        key = bot.target.epoch, bot.target.version
        refused = bot.refused_post == key or bot.refused_edit == key
        if world.kind is Kind.REMINDER and (refused or _is_unnoticed(world)):
            return world  # it is tried once, and never redrawn
        if bot.refused_retire or (world.barred and world.kind is not Kind.SEAT):
            world = _allow(world)
        elif world.barred and bot.needs_post:
            world = _redraw(world._replace(barred=False))
        elif _is_unnoticed(world) or refused:
            world = _redraw(world._replace(spent=world.spent + 1))
        else:
            return world
    raise AssertionError(f"never at rest: {world.bot}")


def walk(seed: int, kind: Kind, **bounds: Any) -> None:
    """Play a random order of events, then `finish`. Raises AssertionError if there is a fault."""
    source = random.Random(seed)
    world = first_world(kind, **bounds)
    trace = []
    try:
        for _ in range(source.randrange(10, 120)):
            options = list(events(world))
            if not options:
                break
            name, world = source.choice(options)
            trace.append(name)
        finish(world, source.choice)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{kind} {seed}: {' '.join(trace)}\n{world}") from None


def explore(kind: Kind, **bounds: Any) -> int:
    """Try every order of events within bounds; return the number of worlds that were reached.

    `bounds`: how many events of each kind may happen. Raises AssertionError at the first fault; the
    message names the events that led there.
    """
    first = first_world(kind, **bounds)
    visited, stack = {first}, [first]
    before: dict[World, tuple[str, World]] = {}
    while stack:
        world = stack.pop()
        try:
            options = list(events(world))
            at_rest = not any(name in QUIET for name, _ in options) and not _is_unnoticed(world)
            if at_rest and (fault := find_fault(world)) is not None:
                raise AssertionError(fault)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{kind}: {_trace(world, before)}\n{world}") from None
        for name, after in options:
            if after not in visited:
                visited.add(after)
                stack.append(after)
                before[after] = name, world
    return len(visited)


def _trace(world: World, before: dict[World, tuple[str, World]]) -> str:
    """Return the names of the events that led to a world."""
    names = []
    while world in before:
        name, world = before[world]
        names.append(name)
    return " ".join(reversed(names))
