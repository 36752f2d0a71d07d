"""A person's acts as methods: `await ann.slash(table, "play", game="Thai Poker")`.

Controls are found by their text. Subclasses carry out the acts: `driver.Person` in this process,
`remote.RemotePerson` over the page's HTTP API.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from bot.sandbox.discord_state import Channel, Json
from bot.sandbox.errors import CannotDo
from bot.sandbox.screen import SeenMessage, SeenModal, option_values

Place = Channel | str  # a channel, or its id


@dataclass(frozen=True)
class ActOutcome:
    """The bot's answer to an act.

    `kind` is message, update, deferred, deferred_update, modal, choices, or none for an act that
    the bot doesn't answer. `message` is the answer's message, or the one that the person wrote.
    """

    actor: "Actor"
    kind: str
    interaction_id: str | None
    message: SeenMessage | None
    modal: SeenModal | None
    choices: list[Json]

    @property
    def seen(self) -> SeenMessage:
        """The answer's message. Raises CannotDo if there is none."""
        if self.message is None:
            raise CannotDo(f"The answer is no message, but {self.kind}.")
        return self.message

    @property
    def form(self) -> SeenModal:
        """The form that was opened. Raises CannotDo if none was."""
        if self.modal is None:
            raise CannotDo(f"No form was opened; the answer is {self.kind}.")
        return self.modal

    @property
    def text(self) -> str:
        """All readable text of the answer, or ""."""
        answer = self.message or self.modal
        return answer.text if answer is not None else ""

    async def settle(self) -> "ActOutcome":
        """Wait until a deferred answer is followed up or edited, and return the new outcome.

        If nothing was deferred, return this outcome at once.
        """
        if self.kind not in ("deferred", "deferred_update") or self.interaction_id is None:
            return self
        return await self.actor.act("settle", interaction_id=self.interaction_id)


def id_of(place: Place) -> str:
    """Return the id of a channel, given as an object or id."""
    return place if isinstance(place, str) else place.id


class Actor(ABC):
    """A person, with a method for each thing they can do.

    Each method raises CannotDo if the person can't do it, and InteractionFailed if the bot should
    answer and gives no valid answer within 3 s.
    """

    id: str
    name: str

    @abstractmethod
    async def act(self, kind: str, **body: object) -> ActOutcome:
        """Do what `kind` and `body` say, as `acts.Acts` defines them."""

    @abstractmethod
    async def current(self, message: SeenMessage) -> SeenMessage:
        """Return the message as it is now. Raises CannotDo if the person no longer sees it."""

    async def slash(self, channel: Place, name: str, /, **options: object) -> ActOutcome:
        """Send the command `name`, such as "odds liars". People in `options` are objects or ids."""
        values = {key: _plain(value) for key, value in options.items()}
        return await self.act("slash", channel=id_of(channel), name=name, options=values)

    async def menu(self, message: SeenMessage, name: str) -> ActOutcome:
        """Use an app's command in the context menu of a message, under *Apps*."""
        return await self.act("menu", channel=message.channel_id, message=message.id, name=name)

    async def autocomplete(
        self, channel: Place, name: str, option: str, partial: str, /, **others: object
    ) -> list[Json]:
        """Return the bot's suggestions for `option` with `partial` typed, each a name and value.

        `others`: the options filled in so far.
        """
        outcome = await self.act(
            "autocomplete",
            channel=id_of(channel),
            name=name,
            options={key: _plain(value) for key, value in others.items()},
            focused=option,
            value=partial,
        )
        return outcome.choices

    async def click(
        self, message: SeenMessage, label: str | None = None, *, custom_id: str | None = None
    ) -> ActOutcome:
        """Press the button with this label or custom id in the message's current version."""
        if (label is None) == (custom_id is None):
            raise CannotDo('Name the button by its label or its custom_id, such as label="Join".')
        now = await self.current(message)
        button_id = now.button(label, custom_id)
        return await self.act("click", channel=now.channel_id, message=now.id, custom_id=button_id)

    async def select(
        self, message: SeenMessage, named: str | None, values: "str | list[str]"
    ) -> ActOutcome:
        """Choose options by label or value in a select of the message.

        `named`: the select's placeholder or custom_id; None if the message has only one select.
        """
        now = await self.current(message)
        select = now.select(named)
        chosen = option_values(select, [values] if isinstance(values, str) else list(values))
        return await self.act(
            "select",
            channel=now.channel_id,
            message=now.id,
            custom_id=select["custom_id"],
            values=chosen,
        )

    async def submit(self, modal: SeenModal | None, typed: dict[str, object]) -> ActOutcome:
        """Send a form, filled in by label or custom_id; other fields keep their defaults."""
        if modal is None:
            raise CannotDo("No form is open.")
        return await self.act(
            "submit", interaction_id=modal.interaction_id, values=modal.values(typed)
        )

    async def say(
        self, channel: Place, content: str, files: Mapping[str, str] | None = None
    ) -> ActOutcome:
        """Write an ordinary message; `files` holds the texts of text files by filename."""
        attached = {"files": dict(files)} if files else {}
        return await self.act("send", channel=id_of(channel), content=content, **attached)

    async def dismiss(self, message: SeenMessage) -> ActOutcome:
        """Hide an ephemeral message from the person's view."""
        return await self.act("dismiss", channel=message.channel_id, message=message.id)

    async def read(self, channel: Place) -> ActOutcome:
        """Read a channel, which clears its unread mark and pings."""
        return await self.act("read", channel=id_of(channel))

    async def open_thread(
        self, channel: Place, name: str, *, private: bool = False, content: str = ""
    ) -> ActOutcome:
        """Open a thread in a server's channel; `name` has 1 to 100 characters.

        `content`: the thread's first message, if any; a forum needs it, as the thread is a post
        there.
        """
        return await self.act(
            "thread", channel=id_of(channel), name=name, private=private, content=content
        )

    async def forge(
        self, message: SeenMessage, custom_id: str, values: list[str] | None = None
    ) -> ActOutcome:
        """Use a control that may not exist or be visible, as a hostile client could."""
        return await self.act(
            "forge",
            channel=message.channel_id,
            message=message.id,
            custom_id=custom_id,
            values=values,
        )

    def outcome(self, answer: Json) -> ActOutcome:
        """Return an answer of `/page/act` as an `ActOutcome`."""
        interaction_id, message, modal = map(answer.get, ("interaction_id", "message", "modal"))
        return ActOutcome(
            self,
            answer["answer"],
            interaction_id,
            SeenMessage(message) if message else None,
            SeenModal(str(interaction_id), modal) if modal else None,
            answer.get("choices") or [],
        )


def _plain(value: object) -> object:
    return value.id if isinstance(value, Actor) else value
