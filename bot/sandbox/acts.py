"""What a person can do, and nothing more: one door for the driver, the page and other processes.

Each act checks what Discord's client would check (the message is visible, the button exists and is
enabled, the option is offered), makes the interaction, and waits for the bot's answer.
"""

from collections import Counter
from dataclasses import dataclass

from bot.sandbox.core import Core
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
from bot.sandbox.messages import Messages
from bot.sandbox.payloads import shown_channel, shown_message, walk
from bot.sandbox.places import Places
from bot.sandbox.reads import Reads
from bot.sandbox.rules.bodies import BUTTON, STRING_SELECT
from bot.sandbox.state import (
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
from bot.sandbox.typed import Focus, Typed, Values, check_chosen, interaction_body, submission

ANSWER_NAMES = {
    MESSAGE: "message",
    DEFER: "deferred",
    DEFER_UPDATE: "deferred_update",
    UPDATE: "update",
    CHOICES: "choices",
    MODAL: "modal",
}


@dataclass(frozen=True)
class Answer:
    """How the bot answered: `kind` is one of `ANSWER_NAMES`' values, or "none" for an act that
    nobody answers. `message` and `modal` are in Discord's shape."""

    kind: str
    interaction_id: str | None = None
    message: Json | None = None
    modal: Json | None = None
    choices: list[Json] | None = None
    channel: Json | None = None

    def as_json(self) -> Json:
        """The body of `/page/act`: what there is of the answer, without empty fields."""
        shown: Json = {"ok": True, "answer": self.kind}
        for name in ("interaction_id", "message", "modal", "choices", "channel"):
            if getattr(self, name) is not None:
                shown[name] = getattr(self, name)
        return shown


TAPS = ("click", "slash", "submit", "send", "dismiss", "open_dm", "thread")


def taps_of(kind: str, body: Json) -> int:
    """How many taps an act takes on a telephone: 1 for a button, for sending a command, a form or a
    message; a list takes one to open it and one for each choice. What is typed or chosen inside a
    command or a form is not counted, and what nobody does with a finger counts 0."""
    if kind == "select":
        return 1 + len(body["values"])
    return int(kind in TAPS)


class Acts:
    """Every act raises CannotDo for what the person cannot do, InteractionFailed after 3 s.

    `taps` counts everybody's taps (`taps_of`) since the emulator started, by the person's id.
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

    def person(self, user_id: str) -> User:
        """The person of that id. Raises CannotDo for the bot or an unknown id."""
        user = self._core.state.users.get(user_id)
        if user is None or user.bot:
            raise CannotDo("There is no such person.")
        return user

    def channel(self, user_id: str, channel_id: str) -> Channel:
        """The channel, if the person is in it."""
        channel = self._core.state.channels.get(channel_id)
        if channel is None or not self._core.state.can_see(user_id, channel):
            raise CannotDo("There is no such channel.")
        return channel

    def message(self, user_id: str, channel_id: str, message_id: str) -> Message:
        """The message, if the person sees it."""
        channel = self.channel(user_id, channel_id)
        message = self._core.state.message(channel.id, message_id)
        if message is None or not message.seen_by(user_id):
            raise CannotDo("That message is not there, or only others can see it.")
        return message

    def _check_unlocked(self, user_id: str, channel: Channel) -> None:
        """Raise CannotDo where the person cannot write: in a locked thread; presses still go."""
        if channel.locked and not self._core.state.guilds[channel.guild_id or ""].manages(user_id):
            raise CannotDo("This thread is locked.")

    async def perform(self, user_id: str, kind: str, body: Json) -> Answer:
        """Carry out one act of `/page/act`. Raises CannotDo, InteractionFailed, KeyError."""
        self.person(user_id)
        taps = taps_of(kind, body)
        self.taps[user_id] += taps
        try:
            return await self._perform(user_id, kind, body)
        except (CannotDo, KeyError):
            self.taps[user_id] -= taps  # there was nothing to tap on
            raise

    async def _perform(self, user_id: str, kind: str, body: Json) -> Answer:
        match kind:
            case "slash":
                return await self.slash(
                    user_id, body["channel"], body["name"], body["options"] or {}
                )
            case "autocomplete":
                focus = Focus(body["focused"], body["value"])
                options = body.get("options") or {}
                return await self.autocomplete(
                    user_id, body["channel"], body["name"], focus, options
                )
            case "submit":
                return await self.submit(user_id, body["interaction_id"], body["values"])
            case "send":
                return await self.send(user_id, body["channel"], body["content"])
            case "settle":
                return await self.settle(user_id, body["interaction_id"])
            case "read":
                return await self.read(user_id, body["channel"])
            case "open_dm":
                return await self.open_dm(user_id)
            case "thread":
                private, content = bool(body.get("private")), str(body.get("content") or "")
                return await self.thread(
                    user_id, body["channel"], body["name"], private=private, content=content
                )
        if kind not in ("click", "select", "dismiss", "forge"):
            raise CannotDo(f"There is no act {kind!r}.")
        where = (user_id, body["channel"], body["message"])
        match kind:
            case "click":
                return await self.click(*where, body["custom_id"])
            case "select":
                return await self.select(*where, body["custom_id"], list(body["values"]))
            case "dismiss":
                return await self.dismiss(*where)
        return await self.forge(*where, body["custom_id"], body.get("values"))

    async def slash(
        self, user_id: str, channel_id: str, path: str, options: dict[str, object]
    ) -> Answer:
        """Send a command; `path` is "odds liars" for a subcommand, `options` go by name."""
        user, channel = self.person(user_id), self.channel(user_id, channel_id)
        self._check_unlocked(user_id, channel)
        body = interaction_body(self._core.state, Typed(user, channel, path, options))
        return await self._answer(self._open(COMMAND, user_id, channel, body))

    async def autocomplete(
        self, user_id: str, channel_id: str, path: str, focus: Focus, options: dict[str, object]
    ) -> Answer:
        """Ask for suggestions for the focused option, the others filled in so far."""
        user, channel = self.person(user_id), self.channel(user_id, channel_id)
        others = {name: value for name, value in options.items() if name != focus.name}
        body = interaction_body(self._core.state, Typed(user, channel, path, others), focus)
        return await self._answer(self._open(AUTOCOMPLETE, user_id, channel, body))

    async def click(self, user_id: str, channel_id: str, message_id: str, custom_id: str) -> Answer:
        """Press a button that is on the message now, and enabled."""
        message = self.message(user_id, channel_id, message_id)
        button = self._control(message, custom_id)
        if button["type"] != BUTTON:
            raise CannotDo("That is not a button to press.")
        return await self._use(user_id, message, {"component_type": BUTTON}, button)

    async def select(
        self, user_id: str, channel_id: str, message_id: str, custom_id: str, values: list[str]
    ) -> Answer:
        """Choose in a select that is on the message now; `values` are option values."""
        message = self.message(user_id, channel_id, message_id)
        select = self._control(message, custom_id)
        if select["type"] != STRING_SELECT:
            raise CannotDo("That is not a list to choose from.")
        check_chosen(select, select.get("placeholder") or custom_id, values)
        body: Json = {"component_type": STRING_SELECT, "values": values}
        return await self._use(user_id, message, body, select)

    def _control(self, message: Message, custom_id: str) -> Json:
        for component in walk(message.payload["components"]):
            if component.get("custom_id") == custom_id:
                if component.get("disabled"):
                    raise CannotDo("That control is disabled.")
                return component
        raise CannotDo("That control is no longer on the message.")

    async def _use(self, user_id: str, message: Message, body: Json, control: Json) -> Answer:
        body |= {"custom_id": control["custom_id"], "id": control["id"]}
        channel = self._core.state.channels[message.channel_id]
        interaction = self._open(COMPONENT, user_id, channel, body, message_id=message.id)
        return await self._answer(interaction)

    async def submit(self, user_id: str, interaction_id: str, values: Values) -> Answer:
        """Send the form that the bot opened with that interaction; once, and only by its person."""
        opener = self._core.state.interactions.get(interaction_id)
        if opener is None or opener.user_id != user_id or not opener.modal_open:
            raise CannotDo("That form is not open for you.")
        channel = self._core.state.channels[opener.channel_id]
        body = submission(opener.modal or {}, values)
        interaction = self._open(
            MODAL_SUBMIT,
            user_id,
            channel,
            body,
            message_id=opener.message_id,
            opener_id=opener.id,
        )
        return await self._answer(interaction)

    async def settle(self, user_id: str, interaction_id: str) -> Answer:
        """Wait until a deferred answer was followed up or edited; the answer as it is then."""
        interaction = self._core.state.interactions.get(interaction_id)
        if interaction is None or interaction.user_id != user_id:
            raise CannotDo("That interaction is not yours.")
        await interaction.settled.wait()
        return self.answer_to(interaction)

    async def send(self, user_id: str, channel_id: str, content: str) -> Answer:
        """Write an ordinary message of 1 to 2,000 letters."""
        channel = self.channel(user_id, channel_id)
        if not content.strip() or len(content) > 2000:
            raise CannotDo("A message has 1 to 2,000 letters.")
        if channel.type == FORUM:
            raise CannotDo("In a forum one writes posts.")
        self._check_unlocked(user_id, channel)
        body = {"content": content}
        message = await self._messages.create(channel, self.person(user_id), body)
        if channel.is_thread:
            users = self._core.state.users
            for one in message.payload["mentions"]:
                self._places.add_to_thread(channel, users[one["id"]])
        return Answer("none", message=shown_message(message))

    async def dismiss(self, user_id: str, channel_id: str, message_id: str) -> Answer:
        """Put an ephemeral message of one's own away; the bot does not hear of it."""
        message = self.message(user_id, channel_id, message_id)
        if not message.flags & EPHEMERAL:
            raise CannotDo("Only a message that just you see can be dismissed.")
        self._messages.put_away(message)
        return Answer("none")

    async def read(self, user_id: str, channel_id: str) -> Answer:
        """Look at a channel: its unread mark and pings are gone."""
        self._reads.caught_up(user_id, self.channel(user_id, channel_id))
        return Answer("none")

    async def open_dm(self, user_id: str) -> Answer:
        """Open the direct messages with the bot; the answer names their channel."""
        channel = self._places.dm_channel(self.person(user_id))
        return Answer("none", channel=shown_channel(channel))

    async def thread(
        self,
        user_id: str,
        channel_id: str,
        name: str,
        *,
        private: bool = False,
        content: str = "",
    ) -> Answer:
        """Open a thread below a server's channel; `name` has 1 to 100 letters.

        Below a forum that is a post, which begins with `content`.
        """
        channel = self.channel(user_id, channel_id)
        if channel.type not in (TEXT_CHANNEL, ANNOUNCEMENT_CHANNEL, FORUM):
            raise CannotDo("A thread can only be opened in a server's channel.")
        if private and channel.type != TEXT_CHANNEL:
            raise CannotDo("Private threads can only be opened in a text channel.")
        if not 1 <= len(name) <= 100:
            raise CannotDo("A thread's name has 1 to 100 letters.")
        if channel.type == FORUM and not content:
            raise CannotDo("A post begins with a message.")
        made = self._places.add_thread(channel, name, self.person(user_id), private=private)
        if content:
            await self.send(user_id, made.id, content)
        return Answer("none", channel=shown_channel(made))

    async def forge(
        self,
        user_id: str,
        channel_id: str,
        message_id: str,
        custom_id: str,
        values: list[str] | None,
    ) -> Answer:
        """Use a control that need not exist or be visible, as a hostile client could. For tests.

        Raises CannotDo on a message that only others see: Discord takes no press of it.
        """
        channel = self._core.state.channels.get(channel_id)
        if channel is None:
            raise CannotDo("There is no such channel.")
        message = self._core.state.message(channel_id, message_id)
        if message is not None and message.visible_to not in (None, user_id):
            raise CannotDo("That message is not there, or only others can see it.")
        body: Json = {"custom_id": custom_id, "id": 1, "component_type": BUTTON}
        if values is not None:
            body |= {"component_type": STRING_SELECT, "values": values}
        interaction = self._open(COMPONENT, user_id, channel, body, message_id=message_id)
        return await self._answer(interaction)

    async def forge_submit(
        self, user_id: str, channel_id: str, message_id: str | None, body: Json
    ) -> Answer:
        """Submit a form that was never opened: `body` is the interaction's data. For tests."""
        channel = self._core.state.channels[channel_id]
        interaction = self._open(MODAL_SUBMIT, user_id, channel, body, message_id=message_id)
        return await self._answer(interaction)

    def _open(
        self,
        kind: int,
        user_id: str,
        channel: Channel,
        body: Json,
        *,
        message_id: str | None = None,
        opener_id: str | None = None,
    ) -> Interaction:
        return self._interactions.open(
            kind, user_id, channel, body, message_id=message_id, opener_id=opener_id
        )

    async def _answer(self, interaction: Interaction) -> Answer:
        await self._interactions.answered(interaction)
        return self.answer_to(interaction)

    def answer_to(self, interaction: Interaction) -> Answer:
        """The answer as it stands now: after a deferral the message may have been filled in."""
        state = self._core.state
        message = state.message(interaction.channel_id, interaction.original_id or "")
        return Answer(
            ANSWER_NAMES[interaction.callback or MESSAGE],
            interaction.id,
            message=shown_message(message) if message is not None else None,
            modal=interaction.modal,
            choices=interaction.choices,
        )
