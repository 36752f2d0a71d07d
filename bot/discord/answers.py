"""Answer each interaction once, within Discord's time limits.

Discord waits three seconds, so an interaction is deferred if the work takes longer than one
second. If Discord does not take the answer, the move still counts, and the caller must
redraw the table.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final, TypeVar, cast

import discord
import structlog

from bot.boards.board import Board
from bot.discord.drawing import draw
from bot.discord.layout import Component, Rendered, render
from bot.discord.outcomes import ANSWERED, ARCHIVED, NOT_TAKEN, UNKNOWN_INTERACTION, code_of
from bot.discord.picture_job import act_when_drawn
from bot.discord.sending import only, reopen_thread

log = structlog.get_logger(__name__)
T = TypeVar("T")
Interaction = discord.Interaction[discord.Client]

DEFER_AFTER: Final = 1.0  # seconds
# The library retries a refused answer for 25 s, but Discord takes none after these limits, in
# seconds
FIRST_WITHIN: Final = 3.0
LATER_WITHIN: Final = 10.0
# error codes after which Discord may have taken the answer; 0: no reply, or a fault of Discord's
# own
PERHAPS_TAKEN: Final = (0, ANSWERED)
# the interaction's own answer, in place of the number of a message
ORIGINAL: Final = cast("int", "@original")
# keys of an interaction's extras: the seconds it waited for this process to take over; another
# process may answer it; it was answered by editing its message; the answer will be public; the id
# of its latest new message that only the asker sees
HELD: Final = "held"
UNCLAIMED: Final = "unclaimed"
_KEPT_PROMISE: Final = "kept-promise"
_OPEN_PROMISE: Final = "open-promise"
_PRIVATE: Final = "private"
# callbacks for answers that were not taken: a running bot adds itself
hearing: Final[set[Callable[[Exception], None]]] = set()
# by message, the task of the latest drawing that adds a slow picture to it later
_awaiting: dict[int, asyncio.Task[None]] = {}
Late = Callable[[], Awaitable[object]]


async def in_time(
    interaction: Interaction,
    work: Awaitable[T],
    *,
    ephemeral: bool = False,
    changes: bool = True,
    anew: bool = False,
) -> T:
    """Return the result of `work`; defer the interaction if the work takes more than a second.

    `ephemeral`: only the asker will see the answer. `anew`: the answer will be a new message, so
    Discord shows meanwhile that the bot is thinking.

    If the work `changes` something and another process may answer too, first claim the interaction.
    Raises `AnsweredElsewhere`, without doing the work, if the other process was first.
    """
    if changes and interaction.extras.pop(UNCLAIMED, False) and not interaction.response.is_done():
        try:
            await _claim(interaction)
        except BaseException:
            if asyncio.iscoroutine(work):
                work.close()  # it will not be awaited
            raise
    promising: list[asyncio.Task[None]] = []

    def defer() -> None:
        if not interaction.response.is_done():
            promise = _promise(interaction, ephemeral=ephemeral, anew=anew)
            promising.append(asyncio.create_task(promise))

    wait = DEFER_AFTER - (interaction.extras.get(HELD, 0.0) if changes else 0.0)
    late = asyncio.get_running_loop().call_later(max(0.0, wait), defer)
    try:
        return await work
    finally:
        late.cancel()
        for promise in promising:
            await promise


class AnsweredElsewhere(Exception):
    """Another process has answered an interaction, so this process does nothing."""


async def _claim(interaction: Interaction) -> None:
    """Defer a press, so that no other process answers it; check that a command is unanswered.

    Raises `AnsweredElsewhere` if another process was first. A command isn't deferred, since
    deferring would already decide who sees the answer.
    """
    try:
        async with limit(interaction):
            if interaction.type is not discord.InteractionType.application_command:
                await interaction.response.defer()
                return
            await interaction.original_response()
    except discord.NotFound as error:
        if error.code == UNKNOWN_INTERACTION:
            raise AnsweredElsewhere from error
    except NOT_TAKEN as error:
        if code_of(error) == ANSWERED:
            raise AnsweredElsewhere from error
        not_taken(error)  # the work is done all the same, and its answer tried
    except discord.ClientException:  # the library knows no channel to look in
        pass
    else:
        raise AnsweredElsewhere


async def _promise(interaction: Interaction, *, ephemeral: bool, anew: bool) -> None:
    interaction.extras[_OPEN_PROMISE] = not ephemeral
    async with trying(interaction):
        await interaction.response.defer(ephemeral=ephemeral, thinking=anew)


@asynccontextmanager
async def trying(interaction: Interaction) -> AsyncIterator[None]:
    """Apply Discord's time limit to the block; log and suppress errors in `NOT_TAKEN`."""
    try:
        async with limit(interaction):
            yield
    except NOT_TAKEN as error:
        not_taken(error)


async def redraw(interaction: Interaction, board: Board, shelf: Component | None = None) -> None:
    """Redraw the pressed message, or the interaction's answer.

    If there is neither, send a new message to the asker only. `shelf`: a row of controls to add
    below the board. When a slow picture is ready, redraw once more.
    """
    pressed = interaction.message
    if pressed is None and not interaction.response.is_done():
        await show(interaction, board, shelf, ephemeral=True)
        return
    message_id = None
    if pressed is not None and not interaction.response.is_done():
        message_id = pressed.id
        _awaiting.pop(message_id, None)  # a picture that was still to come is no longer wanted
    edit = partial(edit_in_place, interaction)
    try:
        async with limit(interaction):
            ready, edited = await draw(board, edit, shelf, reopening(interaction))
    except NOT_TAKEN as error:
        not_taken(error)
        return
    message_id = edited.id if edited is not None else message_id
    _follow(ready, message_id, partial(redraw, interaction, board, shelf))


def reopening(interaction: Interaction) -> Callable[[], Awaitable[bool]]:
    """Return a function that reopens the interaction's thread, and returns whether it could."""
    return partial(reopen_thread, interaction.client, interaction.channel_id)


async def edit_in_place(interaction: Interaction, ready: Rendered) -> discord.Message | None:
    """Edit the pressed message; if the interaction has been answered, edit the answer instead.

    Return the edited message, or None if Discord's reply doesn't contain it. Every edit lists all
    files of the message: Discord removes those that aren't listed.
    """
    if interaction.response.is_done():
        return await _edit_original(interaction, view=ready.view, attachments=ready.files)
    answer = await interaction.response.edit_message(view=ready.view, attachments=ready.files)
    return _message_of(answer)


async def send(
    interaction: Interaction, *, files: Sequence[discord.File] = (), ephemeral: bool, **fields: Any
) -> discord.Message | None:
    """Answer with a new message, or send a further one if the interaction has been answered.

    Return the message, or None if Discord's reply doesn't contain it. If the interaction was
    deferred for a new message, edit the placeholder; `ephemeral` then has no effect. `fields`: the
    message's other fields, by discord.py's names.
    """
    response = interaction.response
    message: discord.Message | None
    if not response.is_done():
        answer = await response.send_message(files=files, ephemeral=ephemeral, **fields)
        message = _message_of(answer)
    elif _is_owed(interaction):
        return await _edit_original(interaction, attachments=files, **fields)
    else:
        message = await interaction.followup.send(
            files=files, ephemeral=ephemeral, wait=True, **fields
        )
    if ephemeral and message is not None:
        interaction.extras[_PRIVATE] = message.id
    return message


def private_answer(interaction: Interaction) -> int:
    """Return the id of the latest private message that `send` made for the interaction, or 0.

    A placeholder that `send` edited doesn't count.
    """
    message_id: int = interaction.extras.get(_PRIVATE, 0)
    return message_id


async def _edit_original(interaction: Interaction, **fields: Any) -> discord.Message:
    edited = await interaction.edit_original_response(**fields)
    interaction.extras[_KEPT_PROMISE] = True
    return edited


def _message_of(
    answer: discord.InteractionCallbackResponse[discord.Client] | None,
) -> discord.Message | None:
    resource = answer.resource if answer is not None else None
    return resource if isinstance(resource, discord.Message) else None


def is_follow_up(message: discord.Message | None) -> bool:
    """Return whether a message that `send` returned is a further one, not the answer itself."""
    return isinstance(message, discord.WebhookMessage)


async def show(
    interaction: Interaction,
    board: Board,
    shelf: Component | None = None,
    *,
    ephemeral: bool,
    pinged: Sequence[int] = (),
) -> int | None:
    """Answer with a new message; return its id, or None if Discord did not take it.

    `shelf`: as in `redraw`. `pinged`: ids of the people to ping. If it is unknown whether Discord
    took a public message, ask Discord. In a locked thread, show the message to the asker only, and
    return None.
    """
    then: Late = partial(redraw, interaction, board, shelf)
    answer = partial(send, interaction, ephemeral=ephemeral, allowed_mentions=only(pinged))
    message_id = None
    try:
        async with limit(interaction):
            ready, message = await draw(
                board,
                lambda ready: answer(view=ready.view, files=ready.files),
                shelf,
                None if ephemeral else reopening(interaction),
            )
    except NOT_TAKEN as error:
        if code_of(error) == ARCHIVED and not ephemeral:
            # the asker sees the answer even in a locked thread
            await show(interaction, board, shelf, ephemeral=True)
            return None
        not_taken(error)
        if ephemeral or code_of(error) not in PERHAPS_TAKEN:
            return None
        ready = await render(board, shelf)
        with contextlib.suppress(*NOT_TAKEN):
            message_id = await own_message(interaction)
    else:
        message_id = message.id if message is not None else None
        if message is not None and is_follow_up(message):
            then = partial(complete, message, board, shelf)
    _follow(ready, message_id, then)
    return message_id


async def reply(
    interaction: Interaction, work: Awaitable[Board], *, ephemeral: bool = True
) -> None:
    """Send the board from `work` as a new message; defer the answer if the work is slow."""
    board = await in_time(interaction, work, ephemeral=ephemeral, anew=ephemeral)
    await show(interaction, board, ephemeral=ephemeral)


async def show_own(interaction: Interaction, board: Board) -> None:
    """Show a board to the asker only: redraw a private pressed message, or send a new one."""
    if is_private(interaction):
        await redraw(interaction, board)
    else:
        await show(interaction, board, ephemeral=True)


async def own_message(interaction: Interaction) -> int | None:
    """Return the id of the new, public message that answered an interaction; None if none did.

    Raises one of `NOT_TAKEN` if Discord can't be asked.
    """
    try:
        async with asyncio.timeout(LATER_WITHIN):
            message = await interaction.original_response()
    except (discord.NotFound, discord.ClientException):
        return None
    pressed = interaction.message.id if interaction.message is not None else None
    # a placeholder is no answer; a press may have been answered in place; and a press delivered
    # again after a start may have got an ephemeral refusal before
    another = message.flags.ephemeral or message.id == pressed
    if message.flags.loading or another:
        return None
    interaction.extras[_KEPT_PROMISE] = True
    return message.id


def _follow(ready: Rendered, message_id: int | None, late: Late) -> None:
    """Call `late` when the slow pictures are drawn, unless the message was redrawn meanwhile."""
    if message_id is None:
        return
    _awaiting.pop(message_id, None)
    if not ready.late:
        return

    async def redraw_late() -> None:
        if _awaiting.get(message_id) is following:
            await late()

    def done(_: object) -> None:  # runs when the picture is drawn, failed, or given up
        if _awaiting.get(message_id) is following:
            del _awaiting[message_id]

    following = _awaiting[message_id] = act_when_drawn(ready.late, redraw_late)
    following.add_done_callback(done)


async def complete(message: discord.Message, board: Board, shelf: Component | None = None) -> None:
    """Edit a message that was sent without a slow picture, now that the picture is drawn."""
    ready = await render(board, shelf)
    try:
        await message.edit(view=ready.view, attachments=ready.files)
    except NOT_TAKEN as error:
        not_taken(error)


async def acknowledge(interaction: Interaction) -> None:
    """Answer a press, if it is unanswered, without changing its message."""
    if not interaction.response.is_done():
        async with trying(interaction):
            await interaction.response.defer()


async def reply_privately(interaction: Interaction, text: str) -> None:
    """Send a line that only the asker sees."""
    async with trying(interaction):
        await send(interaction, content=text, ephemeral=True)


async def reply_with_result(interaction: Interaction, work: Awaitable[str]) -> None:
    """Await `work`, and send the text that it returns to the asker only."""
    await reply_privately(interaction, await in_time(interaction, work, ephemeral=True))


async def suggest_nothing(interaction: Interaction) -> None:
    """Answer an autocomplete request with no suggestions."""
    async with trying(interaction):
        await interaction.response.autocomplete([])


async def reply_to_all(interaction: Interaction, text: str) -> None:
    """Send a line that everybody in the channel sees; it pings nobody.

    In a locked thread only the asker sees it.
    """
    try:
        async with limit(interaction):
            await send(interaction, content=text, ephemeral=False)
    except NOT_TAKEN as error:
        if code_of(error) != ARCHIVED:
            not_taken(error)
            return
        again = await reopening(interaction)()
        async with trying(interaction):
            await send(interaction, content=text, ephemeral=not again)


async def hand_over(interaction: Interaction, text: str, contents: Mapping[str, bytes]) -> None:
    """Send a text and files to the asker only; `contents`: each file's bytes by its name."""
    files = [discord.File(io.BytesIO(content), filename=name) for name, content in contents.items()]
    async with trying(interaction):
        await send(interaction, content=text, files=files, ephemeral=True)


def is_private(interaction: Interaction) -> bool:
    """Return whether only the asker sees the message with the button or list that they used."""
    message = interaction.message
    if message is None or not message.flags.ephemeral:
        return False
    # Discord lets nobody else use it; what is drawn there has hidden cards, so check that this is
    # true
    made_for = message.interaction_metadata
    return made_for is None or made_for.user.id == interaction.user.id


def takes_more(interaction: Interaction) -> bool:
    """Return whether a new message would be a further one, not the interaction's answer."""
    return interaction.response.is_done() and not _is_owed(interaction)


def is_owed_to_all(interaction: Interaction) -> bool:
    """Return whether the interaction was deferred and its public message is still to come."""
    return _is_owed(interaction) and bool(interaction.extras.get(_OPEN_PROMISE))


def _is_owed(interaction: Interaction) -> bool:
    """Return whether the interaction was deferred for a new message that is still to come."""
    promised = interaction.response.type is discord.InteractionResponseType.deferred_channel_message
    return promised and _KEPT_PROMISE not in interaction.extras


def answered_in_place(interaction: Interaction) -> bool:
    """Return whether the answer, sent or deferred, is an edit of the pressed message."""
    return interaction.response.type in (
        discord.InteractionResponseType.message_update,
        discord.InteractionResponseType.deferred_message_update,
    )


def is_direct_message(interaction: Interaction) -> bool:
    """Return whether the button or list that was used is in a direct message from the bot."""
    message = interaction.message
    return message is not None and not message.flags.ephemeral and interaction.context.dm_channel


def limit(interaction: Interaction) -> asyncio.Timeout:
    """Return the timeout for one request: 3 s for the first answer, 10 s for what follows it."""
    return asyncio.timeout(LATER_WITHIN if interaction.response.is_done() else FIRST_WITHIN)


def not_taken(error: Exception) -> None:
    """Log that Discord did not take an answer, and pass the error to each callback in `hearing`."""
    log.warning("answer: not taken", error=type(error).__name__, code=code_of(error))
    for hear in tuple(hearing):
        hear(error)


def _without_late_suggestions(record: logging.LogRecord) -> bool:
    """Return whether to log a record; if it reports refused suggestions, log one line instead."""
    error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
    if not isinstance(error, NOT_TAKEN):
        return True
    log.warning("suggestions: not taken", error=type(error).__name__, code=code_of(error))
    return False


def quieten_late_suggestions() -> None:
    """Log discord.py's late suggestions in one line, without a traceback, from now on."""
    logging.getLogger("discord.app_commands.tree").addFilter(_without_late_suggestions)
