"""Decide which request to send next for a surface, and learn from its outcome.

A *surface* is one place where the bot shows something: a table's message, a private seat, a seat by
direct message, or the reminder of a turn. What it should show (`Target`) follows from stored state
alone. `decide` returns the next request, `learn` takes in its outcome. Both are pure, so tests can
try every order of events.

A target has two numbers that only grow. A higher `epoch` needs a new message. A higher `version`
needs a redraw of the existing message.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final, NamedTuple

from bot.discord.outcomes import RequestOutcome

Message = tuple[int, int]  # a message's id and its epoch
# searches of a channel whose history cannot be read, until the next start
SEARCHES: Final = 3


class Target(NamedTuple):
    """The state that a surface should show. If not `present`, the surface should show nothing."""

    epoch: int
    version: int
    present: bool = True


class Act(Enum):
    """The kind of a request."""

    POST = auto()  # a new message
    EDIT = auto()  # redraw the message
    RETIRE = auto()  # turn an earlier message into a record of its state, or delete it
    ACKNOWLEDGE = auto()  # answer a press without a change: the redraw it needs is in flight
    FIND = auto()  # ask whether a press was answered, if the receipt of the answer was lost
    SEARCH = auto()  # search the channel for messages of the surface that are not stored
    NOTE = auto()  # store which message is the surface's


class Request(NamedTuple):
    """One request. `press`: the id of the interaction that it answers, if any."""

    number: int
    act: Act
    epoch: int = 0
    version: int = 0
    message: int | None = None  # the message it is about; None for a new one
    press: int | None = None


class Surface(NamedTuple):
    """The known state of one place where the bot shows something, and what it should show."""

    target: Target
    message: int | None = None
    epoch: int = -1  # the epoch of that message
    drawn: int = -1  # the last version that it is known to show
    doubt: bool = False  # an older drawing may have arrived last
    crossed: bool = False  # two drawings of the message have been in flight at once
    complete_from: int = 0  # drawings with a lower request number lack a picture that is ready now
    # the epoch of a post to retry, which may have been taken the first time
    retried_epoch: int | None = None
    retire: tuple[Message, ...] = ()  # earlier messages still to retire
    refused_retire: tuple[Message, ...] = ()  # retried once a post is taken
    noted: bool = True  # whether the current message is stored
    searched: bool = True  # whether all its messages in the channel are known
    failed_searches: int = 0  # failures in a row; from `SEARCHES` on, don't search
    press: int | None = None  # a press that waits for its answer
    press_may_post: bool = False  # whether a new message may answer it
    lost_answer: int | None = None  # a press whose answer's receipt was lost
    refused_post: tuple[int, int] | None = None  # (epoch, version) of a post not to try again
    refused_edit: tuple[int, int] | None = None
    waiting: bool = False  # until it is time for the next try
    in_flight: tuple[Request, ...] = ()
    sent: int = 0  # number of requests so far

    @property
    def needs_post(self) -> bool:
        """Return whether a new message is wanted."""
        return self.target.present and self.target.epoch > self.epoch

    @property
    def is_stuck(self) -> bool:
        """Return whether the new message was refused, so the current one is edited instead."""
        refused = self.refused_post
        return self.needs_post and refused is not None and refused[0] == self.target.epoch

    @property
    def can_edit(self) -> bool:
        """Return whether updates go to the current message, not to a new one."""
        is_there = self.message is not None and self.target.present
        return is_there and (not self.needs_post or self.is_stuck)


def search(surface: Surface) -> Surface:
    """Plan a search of the channel for the surface's messages that aren't stored."""
    return surface._replace(searched=False)


def change(surface: Surface, target: Target) -> Surface:
    """Set a new target. A request that waits for its retry may be sent at once."""
    return surface._replace(target=target, waiting=False)


def press(surface: Surface, interaction: int, *, may_post: bool = True) -> Surface:
    """Plan to answer the press `interaction` (its id). `may_post`: a new message may answer it."""
    return surface._replace(press=interaction, press_may_post=may_post)


def meet(surface: Surface, *messages: Message) -> Surface:
    """Add messages found to be the surface's own: the newest becomes the current one."""
    return _with_messages(surface, messages)


def mark_stale(surface: Surface) -> Surface:
    """Plan to redraw the message once more, for example with a picture that it lacked."""
    return surface._replace(doubt=surface.message is not None, complete_from=surface.sent)


def try_again(surface: Surface) -> Surface:
    """Plan to retry refused requests and to redraw the message."""
    return mark_stale(surface)._replace(
        refused_post=None,
        refused_edit=None,
        retire=(*surface.retire, *surface.refused_retire),
        refused_retire=(),
    )


def decide(surface: Surface) -> Request | None:
    """Return the next request to send; None if there is none now."""
    target, number = surface.target, surface.sent
    key = target.epoch, target.version
    if surface.press is not None:  # a person waits, whatever else is in flight
        return _answer(surface, key)
    if surface.in_flight or surface.waiting:
        return None
    if surface.lost_answer is not None:
        return Request(number, Act.FIND, *key, press=surface.lost_answer)
    posts = surface.needs_post and surface.refused_post != key
    # the nonce finds a lost post only if the same news is posted again
    overtaken = surface.retried_epoch is not None and not (
        posts and surface.retried_epoch == target.epoch
    )
    if not surface.searched or overtaken:
        return Request(number, Act.SEARCH)
    if posts:
        return Request(number, Act.POST, *key)
    behind = surface.doubt or surface.drawn < target.version
    if surface.can_edit and behind and surface.refused_edit != key:
        return Request(number, Act.EDIT, *key, surface.message)
    if surface.message is not None and not target.present:
        return Request(number, Act.RETIRE, surface.epoch, message=surface.message)
    if surface.retire:
        message, epoch = surface.retire[0]
        return Request(number, Act.RETIRE, epoch, message=message)
    # last: after a crash before this, the earlier message is stored, and a search finds both
    if not surface.noted:
        return Request(number, Act.NOTE, surface.epoch, message=surface.message)
    if 0 < surface.failed_searches < SEARCHES:
        return Request(number, Act.SEARCH)
    return None


def _answer(surface: Surface, key: tuple[int, int]) -> Request:
    """Return the answer to the press: a redraw or a post if possible, else an acknowledgement."""
    number, waits = surface.sent, surface.press
    if surface.can_edit:
        return Request(number, Act.EDIT, *key, surface.message, waits)
    free = not surface.in_flight and surface.lost_answer is None and surface.searched
    once = surface.retried_epoch is None and surface.refused_post != key
    if surface.needs_post and free and once and surface.press_may_post:
        return Request(number, Act.POST, *key, press=waits)
    return Request(number, Act.ACKNOWLEDGE, press=waits)


def begin(surface: Surface, request: Request) -> Surface:
    """Return the surface with one more request in flight."""
    crossed = request.act is Act.EDIT and any(
        sent.act is Act.EDIT and sent.message == request.message for sent in surface.in_flight
    )
    return surface._replace(
        in_flight=(*surface.in_flight, request),
        crossed=surface.crossed or crossed,
        press=None if request.press == surface.press else surface.press,
        # set already now: a message that comes up meanwhile must be stored again
        noted=surface.noted or request.act is Act.NOTE,
        sent=surface.sent + 1,
    )


def learn(
    surface: Surface, request: Request, outcome: RequestOutcome, messages: tuple[Message, ...] = ()
) -> Surface:
    """Return the surface after a request's outcome.

    `messages`: the messages that the request made or found, oldest first.
    """
    others = tuple(sent for sent in surface.in_flight if sent.number != request.number)
    now = surface._replace(in_flight=others)
    is_own = request.press is None
    match request.act, outcome:
        case Act.POST | Act.FIND | Act.SEARCH, RequestOutcome.TAKEN:
            return _learn_messages(now, request, messages)
        case Act.POST, RequestOutcome.MAYBE if not is_own:
            only = now.lost_answer is None  # otherwise a search finds both
            return now._replace(lost_answer=request.press, searched=now.searched and only)
        case Act.POST, RequestOutcome.MAYBE:
            return now._replace(retried_epoch=request.epoch, waiting=True)
        case Act.POST, RequestOutcome.REFUSED if is_own:
            return now._replace(refused_post=(request.epoch, request.version), doubt=True)
        case Act.FIND, RequestOutcome.GONE:
            return now._replace(lost_answer=None)
        case Act.FIND, RequestOutcome.REFUSED:  # Discord doesn't say, so the channel must
            return now._replace(lost_answer=None, searched=False)
        case Act.FIND, _:
            return now._replace(waiting=True)
        case Act.SEARCH, RequestOutcome.REFUSED:
            return now._replace(searched=True, retried_epoch=None, failed_searches=SEARCHES)
        case Act.SEARCH, _:
            return _without_search(now)
        case Act.NOTE, RequestOutcome.TAKEN | RequestOutcome.REFUSED:
            return now
        case Act.NOTE, _:
            return now._replace(noted=False, waiting=True)
        case Act.RETIRE, RequestOutcome.TAKEN | RequestOutcome.GONE | RequestOutcome.REFUSED:
            return _learn_retired(now, request, outcome)
        case Act.EDIT, _ if request.message != now.message:
            return now  # replaced meanwhile, and retired anyway
        case Act.EDIT, RequestOutcome.GONE if is_own:
            # it may only be too old to edit: delete the old message
            gone = (request.message or 0, now.epoch)
            lost = now._replace(message=None, epoch=-1, drawn=-1, doubt=False, crossed=False)
            return lost._replace(retire=(*now.retire, gone))
        case Act.EDIT, RequestOutcome.TAKEN | RequestOutcome.MAYBE:
            return _learn_edit(now, request, outcome)
        case Act.EDIT, RequestOutcome.REFUSED if is_own:
            return now._replace(refused_edit=(request.epoch, request.version), doubt=False)
        case Act.ACKNOWLEDGE, _:
            return now
        case _:  # not yet; or an answer was not taken: another request will show the surface
            return now._replace(waiting=is_own)


def _learn_edit(now: Surface, request: Request, outcome: RequestOutcome) -> Surface:
    last = not any(sent.act is Act.EDIT for sent in now.in_flight)
    complete = request.number >= now.complete_from
    certain = last and outcome is RequestOutcome.TAKEN and complete and not now.crossed
    return now._replace(
        drawn=request.version if outcome is RequestOutcome.TAKEN else now.drawn,
        doubt=not certain,
        crossed=now.crossed and not last,
        waiting=request.press is None and outcome is RequestOutcome.MAYBE,
    )


def _learn_retired(now: Surface, request: Request, outcome: RequestOutcome) -> Surface:
    if outcome is RequestOutcome.REFUSED and request.message is not None:
        refused = (*now.refused_retire, (request.message, request.epoch))
        now = now._replace(refused_retire=refused)
    if request.message == now.message:
        return now._replace(message=None, epoch=-1, drawn=-1, noted=False)
    return now._replace(retire=tuple(row for row in now.retire if row[0] != request.message))


def _without_search(now: Surface) -> Surface:
    """Continue after a failed search; plan another, up to `SEARCHES` in a row."""
    failed = min(now.failed_searches + 1, SEARCHES)
    now = now._replace(searched=True, retried_epoch=None, failed_searches=failed)
    return now._replace(waiting=decide(now._replace(failed_searches=0)) is None)


def _learn_messages(now: Surface, request: Request, messages: tuple[Message, ...]) -> Surface:
    fresh = None
    if request.act is Act.FIND:
        now = now._replace(lost_answer=None)
    elif request.act is Act.SEARCH:
        now = now._replace(searched=True, retried_epoch=None, failed_searches=0)
    else:
        is_own = request.press is None
        # the nonce may have found the message of an earlier try, with an older drawing
        earlier = is_own and (now.retried_epoch == request.epoch or now.failed_searches > 0)
        if not earlier and request.number >= now.complete_from:
            fresh = request.version
        again = (*now.retire, *now.refused_retire)
        now = now._replace(
            retried_epoch=None if is_own else now.retried_epoch, retire=again, refused_retire=()
        )
    return _with_messages(now, messages, fresh)


def _with_messages(
    now: Surface, messages: tuple[Message, ...], fresh: int | None = None
) -> Surface:
    """Make the newest message the surface's own; plan to replace or delete the others.

    `fresh`: the version shown by a message that was just posted; None: unknown.
    """
    for message, epoch in messages:
        if message == now.message:
            continue
        older = tuple(row for row in now.retire if row[0] != message)
        if epoch < now.epoch or (now.message is not None and message < now.message):
            now = now._replace(retire=(*older, (message, epoch)))
            continue
        if now.message is not None:
            older = (*older, (now.message, now.epoch))
        now = now._replace(
            message=message,
            epoch=epoch,
            drawn=-1 if fresh is None else fresh,
            doubt=fresh is None,
            crossed=False,
            retire=older,
            noted=False,
            refused_post=None,
            refused_edit=None,
        )
    return now
