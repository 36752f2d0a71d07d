"""Everything a person can do, for the driver, the page and other processes alike.

Each act checks what Discord's client would check (the message is visible, the button exists and is
enabled, the option is offered), creates the interaction, and waits for the bot's answer.
"""

from collections import Counter
from collections.abc import Awaitable, Callable

from bot.sandbox.client_input import (
    Focus,
    TypedCommand,
    Values,
    check_chosen,
    interaction_body,
    menu_body,
    submission,
)
from bot.sandbox.core import Core
from bot.sandbox.discord_state import (
    ANNOUNCEMENT_CHANNEL,
    EPHEMERAL,
    FORUM,
    TEXT_CHANNEL,
    Channel,
    Interaction,
    Json,
    Message,
    User,
)
from bot.sandbox.errors import CannotDo
from bot.sandbox.interactions import (
    AUTOCOMPLETE,
    CHOICES,
    COMMAND,
    COMPONENT,
    DEFER,
    DEFER_UPDATE,
    MESSAGE,
    MODAL,
    MODAL_SUBMIT,
    UPDATE,
    Interactions,
)
from bot.sandbox.messages import Messages, Reads, Upload
from bot.sandbox.payloads import page_channel, page_message, walk
from bot.sandbox.places import Places
from bot.sandbox.rules.bodies import BUTTON, STRING_SELECT

ANSWER_NAMES = {
    MESSAGE: "message",
    DEFER: "deferred",
    DEFER_UPDATE: "deferred_update",
    UPDATE: "update",
    CHOICES: "choices",
    MODAL: "modal",
}


def _answer(kind: str, **fields: object) -> Json:
    """Return an answer to a request to `/page/act`, without the fields that are None.

    `kind`: the kind of the bot's answer, a value of `ANSWER_NAMES`; "none" for an act without one.
    """
    known = {name: value for name, value in fields.items() if value is not None}
    return {"ok": True, "answer": kind} | known


TAPS = ("click", "slash", "menu", "submit", "send", "dismiss", "open_dm", "thread")


def taps_of(kind: str, body: Json) -> int:
    """Return how many taps an act takes on a phone.

    A button, a command, a form or a message takes 1. A list takes one tap to open it and one for
    each choice. Typing and choosing inside a command or form don't count, and acts that aren't done
    with a finger count 0.
    """
    if kind == "select":
        return 1 + len(body["values"])
    return int(kind in TAPS)


class Acts:
    """A person's acts.

    Each raises CannotDo if the person can't do it, InteractionFailed after 3 s without an answer,
    and KeyError for an incomplete body. `taps` counts the taps (`taps_of`) of each person, by id,
    since the emulator started.
    """

    def __init__(
        self,
        core: Core,
        messages: Messages,
        interactions: Interactions,
        places: Places,
        reads: Reads,
    ) -> None:
        self._core = core
        self._messages = messages
        self._interactions = interactions
        self._places = places
        self._reads = reads
        self.taps: Counter[str] = Counter()
        self._acts: dict[str, Callable[[User, Json], Awaitable[Json]]] = {
            "slash": self._slash,
            "menu": self._menu,
            "autocomplete": self._autocomplete,
            "click": self._click,
            "select": self._select,
            "submit": self._submit,
            "settle": self._settle,
            "send": self._send,
            "dismiss": self._dismiss,
            "read": self._read,
            "open_dm": self._open_dm,
            "thread": self._thread,
            "forge": self._forge,
        }

    async def perform(self, user_id: str, kind: str, body: Json) -> Json:
        """Do one act of `/page/act` and return the answer (`_answer`).

        The methods below document the bodies.
        """
        user = self.person(user_id)
        act = self._acts.get(kind)
        if act is None:
            raise CannotDo(f"There is no act {kind!r}.")
        taps = taps_of(kind, body)
        self.taps[user_id] += taps
        try:
            return await act(user, body)
        except (CannotDo, KeyError):
            self.taps[user_id] -= taps  # there was nothing to tap
            raise

    def person(self, user_id: str) -> User:
        """Return the person with that id. Raises CannotDo for the bot or an unknown id."""
        user = self._core.state.users.get(user_id)
        if user is None or user.bot:
            raise CannotDo("There is no such person.")
        return user

    def channel(self, user_id: str, channel_id: str) -> Channel:
        """Return the channel. Raises CannotDo if the person doesn't see it."""
        channel = self._core.state.channels.get(channel_id)
        if channel is None or not self._core.state.can_see(user_id, channel):
            raise CannotDo("There is no such channel.")
        return channel

    def message(self, user_id: str, channel_id: str, message_id: str) -> Message:
        """Return the message. Raises CannotDo if the person doesn't see it."""
        channel = self.channel(user_id, channel_id)
        message = self._core.state.message(channel.id, message_id)
        if message is None or not message.is_visible_to(user_id):
            raise CannotDo("That message is not there, or only others can see it.")
        return message

    def _writable(self, user: User, body: Json) -> Channel:
        """Return the body's channel, if the user may write in it.

        Raises CannotDo if the user doesn't see the channel, or if it is a locked thread and the
        user may not manage threads.
        """
        channel = self.channel(user.id, body["channel"])
        if channel.locked and not self._core.state.guilds[channel.guild_id or ""].manages(user.id):
            raise CannotDo("This thread is locked.")
        return channel

    async def _slash(self, user: User, body: Json) -> Json:
        """Send the command `name`, such as "odds liars"; `options` has values by option name."""
        channel = self._writable(user, body)
        typed = TypedCommand(user, channel, body["name"], body["options"] or {})
        return await self._open(COMMAND, user, channel, interaction_body(self._core.state, typed))

    async def _menu(self, user: User, body: Json) -> Json:
        """Use the app's command `name` in the menu of a `message`."""
        message = self.message(user.id, body["channel"], body["message"])
        channel = self._writable(user, body)
        data = menu_body(self._core.state, user, channel, body["name"], message)
        return await self._open(COMMAND, user, channel, data)

    async def _autocomplete(self, user: User, body: Json) -> Json:
        """Request suggestions for the option `focused` with `value` typed.

        `options`: the options filled in so far.
        """
        channel, focus = self.channel(user.id, body["channel"]), body["focused"]
        options = body.get("options") or {}
        others = {name: value for name, value in options.items() if name != focus}
        typed = TypedCommand(user, channel, body["name"], others)
        data = interaction_body(self._core.state, typed, Focus(focus, body["value"]))
        return await self._open(AUTOCOMPLETE, user, channel, data)

    async def _click(self, user: User, body: Json) -> Json:
        """Press the enabled button with `custom_id` on the current `message`."""
        message, button = self._control(user, body)
        if button["type"] != BUTTON:
            raise CannotDo("That is not a button to press.")
        return await self._use(user, message, {"component_type": BUTTON}, button)

    async def _select(self, user: User, body: Json) -> Json:
        """Choose in a select on the current message; `values` are option values."""
        values = list(body["values"])
        message, select = self._control(user, body)
        if select["type"] != STRING_SELECT:
            raise CannotDo("That is not a list to choose from.")
        check_chosen(select, select.get("placeholder") or body["custom_id"], values)
        used: Json = {"component_type": STRING_SELECT, "values": values}
        return await self._use(user, message, used, select)

    def _control(self, user: User, body: Json) -> tuple[Message, Json]:
        """Return the visible message and its enabled control with the given custom_id.

        Raises CannotDo if the message has no such control.
        """
        message = self.message(user.id, body["channel"], body["message"])
        for component in walk(message.payload["components"]):
            if component.get("custom_id") == body["custom_id"]:
                if component.get("disabled"):
                    raise CannotDo("That control is disabled.")
                return message, component
        raise CannotDo("That control is no longer on the message.")

    async def _use(self, user: User, message: Message, used: Json, control: Json) -> Json:
        used |= {"custom_id": control["custom_id"], "id": control["id"]}
        channel = self._core.state.channels[message.channel_id]
        if channel.locked:  # not even moderators can (discord-api-docs #7900)
            raise CannotDo("This thread is locked: nobody can press anything in it.")
        return await self._open(COMPONENT, user, channel, used, message_id=message.id)

    async def _submit(self, user: User, body: Json) -> Json:
        """Send the form that the bot opened with `interaction_id`, filled in with `values`.

        A form can be sent once, and only by the person it was opened for.
        """
        opener = self._core.state.interactions.get(body["interaction_id"])
        values: Values = body["values"]
        if opener is None or opener.user_id != user.id or not opener.modal_open:
            raise CannotDo("That form is not open for you.")
        return await self._open(
            MODAL_SUBMIT,
            user,
            self._core.state.channels[opener.channel_id],
            submission(opener.modal or {}, values),
            message_id=opener.message_id,
            opener_id=opener.id,
        )

    async def _settle(self, user: User, body: Json) -> Json:
        """Wait until a deferred answer is followed up or edited, and return the answer.

        Raises CannotDo if the interaction is unknown or somebody else's.
        """
        interaction = self._core.state.interactions.get(body["interaction_id"])
        if interaction is None or interaction.user_id != user.id:
            raise CannotDo("That interaction is not yours.")
        await interaction.settled.wait()
        return self._answer_to(interaction)

    async def _send(self, user: User, body: Json) -> Json:
        """Write an ordinary message: the `content`, of at most 2,000 characters, and text files.

        `files`: the texts by filename. Raises CannotDo if there are no files and no content.
        """
        content = body["content"]
        channel = self.channel(user.id, body["channel"])
        uploads = {
            str(index): Upload(str(name), "text/plain", str(text).encode())
            for index, (name, text) in enumerate(dict(body.get("files") or {}).items())
        }
        if (not content.strip() and not uploads) or len(content) > 2000:
            raise CannotDo("A message has 1 to 2,000 letters.")
        if channel.type == FORUM:
            raise CannotDo("In a forum one writes posts.")
        self._writable(user, body)
        message = await self._messages.create(channel, user, {"content": content}, uploads)
        if channel.is_thread:
            users = self._core.state.users
            for mention in message.payload["mentions"]:
                self._places.add_to_thread(channel, users[mention["id"]])
        return _answer("none", message=page_message(message))

    async def _dismiss(self, user: User, body: Json) -> Json:
        """Hide the person's ephemeral message; the bot is not notified."""
        message = self.message(user.id, body["channel"], body["message"])
        if not message.flags & EPHEMERAL:
            raise CannotDo("Only a message that just you see can be dismissed.")
        self._messages.put_away(message)
        return _answer("none")

    async def _read(self, user: User, body: Json) -> Json:
        """Read a channel, which clears its unread mark and pings."""
        self._reads.caught_up(user.id, self.channel(user.id, body["channel"]))
        return _answer("none")

    async def _open_dm(self, user: User, _: Json) -> Json:
        """Open the direct messages with the bot; the answer has their channel."""
        return _answer("none", channel=page_channel(self._places.dm_channel(user)))

    async def _thread(self, user: User, body: Json) -> Json:
        """Open a thread in a server's channel; `name` has 1 to 100 characters.

        `content`: the thread's first message, if any; a forum needs it, as the thread is a post
        there.
        """
        channel, name = self.channel(user.id, body["channel"]), body["name"]
        private, content = bool(body.get("private")), str(body.get("content") or "")
        if channel.type not in (TEXT_CHANNEL, ANNOUNCEMENT_CHANNEL, FORUM):
            raise CannotDo("A thread can only be opened in a server's channel.")
        if private and channel.type != TEXT_CHANNEL:
            raise CannotDo("Private threads can only be opened in a text channel.")
        if not 1 <= len(name) <= 100:
            raise CannotDo("A thread's name has 1 to 100 letters.")
        if channel.type == FORUM and not content:
            raise CannotDo("A post begins with a message.")
        thread = self._places.add_thread(channel, name, user, private=private)
        if content:
            await self._send(user, {"channel": thread.id, "content": content})
        return _answer("none", channel=page_channel(thread))

    async def _forge(self, user: User, body: Json) -> Json:
        """Use a control by its custom id, though it may not exist or be visible. For tests.

        A hostile client could do this. Raises CannotDo for an unknown channel, and for other
        people's ephemeral messages, where Discord accepts no press.
        """
        channel, message_id = self._core.state.channels.get(body["channel"]), body["message"]
        if channel is None:
            raise CannotDo("There is no such channel.")
        message = self._core.state.message(channel.id, message_id)
        if message is not None and message.visible_to not in (None, user.id):
            raise CannotDo("That message is not there, or only others can see it.")
        used: Json = {"custom_id": body["custom_id"], "id": 1, "component_type": BUTTON}
        if body.get("values") is not None:
            used |= {"component_type": STRING_SELECT, "values": body["values"]}
        return await self._open(COMPONENT, user, channel, used, message_id=message_id)

    async def forge_submit(
        self, user_id: str, channel_id: str, message_id: str | None, body: Json
    ) -> Json:
        """Submit a form that was never opened: `body` is the interaction's data. For tests."""
        user, channel = self.person(user_id), self._core.state.channels[channel_id]
        return await self._open(MODAL_SUBMIT, user, channel, body, message_id=message_id)

    async def _open(
        self,
        kind: int,
        user: User,
        channel: Channel,
        body: Json,
        *,
        message_id: str | None = None,
        opener_id: str | None = None,
    ) -> Json:
        """Create the interaction, and wait for the bot's answer."""
        interaction = self._interactions.open(
            kind, user.id, channel, body, message_id=message_id, opener_id=opener_id
        )
        await self._interactions.wait_for_answer(interaction)
        return self._answer_to(interaction)

    def _answer_to(self, interaction: Interaction) -> Json:
        """Return the current answer; a message that was deferred may have its content by now."""
        state = self._core.state
        message = state.message(interaction.channel_id, interaction.original_id or "")
        return _answer(
            ANSWER_NAMES[interaction.callback or MESSAGE],
            interaction_id=interaction.id,
            message=page_message(message) if message is not None else None,
            modal=interaction.modal,
            choices=interaction.choices,
        )
