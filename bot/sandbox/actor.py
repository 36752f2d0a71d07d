"""The verbs of one person: `await ann.slash(table, "play", game="Thai Poker")`.

Controls are found by what they say. Who carries the verbs out is left open: `driver.Person` does it
in this process, `remote.RemotePerson` over the page's HTTP API.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from bot.sandbox.discord_state import Channel, Json
from bot.sandbox.errors import CannotDo
from bot.sandbox.screen import SeenMessage, SeenModal, option_values

Place = Channel | str  # a channel, or its id


@dataclass(frozen=True)
class ActOutcome:
    """How the bot answered an act: `kind` is message, update, deferred, deferred_update, modal,
    choices or none."""

    actor: "Actor"
    kind: str
    interaction_id: str | None
    message: SeenMessage | None
    modal: SeenModal | None
    choices: list[Json]

    @property
    def seen(self) -> SeenMessage:
        """The message of the answer. Raises CannotDo if it has none."""
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
        """Everything readable in the answer, or "" if there is nothing to read."""
        shown = self.message or self.modal
        return shown.text if shown is not None else ""

    async def settled(self) -> "ActOutcome":
        """The outcome once a deferral has been followed up; waits for it."""
        if self.kind not in ("deferred", "deferred_update") or self.interaction_id is None:
            return self
        return await self.actor.act("settle", interaction_id=self.interaction_id)


def id_of(place: Place) -> str:
    """The id of a channel given as an object or as its id."""
    return place if isinstance(place, str) else place.id


class Actor(ABC):
    """The verbs of one person. Each raises CannotDo for what the person could not do, and
    InteractionFailed when the bot gives no valid answer within 3 s."""

    id: str
    name: str

    @abstractmethod
    async def act(self, kind: str, **body: object) -> ActOutcome:
        """Carry out one act of the page's contract."""

    @abstractmethod
    async def current(self, message: SeenMessage) -> SeenMessage:
        """The message as it is now. Raises CannotDo if the person no longer sees it."""

    async def slash(self, channel: Place, name: str, /, **options: object) -> ActOutcome:
        """Type a command; subcommands are joined by spaces, people are given as objects or ids."""
        given = {key: _plain(value) for key, value in options.items()}
        return await self.act("slash", channel=id_of(channel), name=name, options=given)

    async def autocomplete(
        self, channel: Place, name: str, option: str, partial: str, /, **others: object
    ) -> list[Json]:
        """What the bot suggests for `option` after `partial` was typed: names and values."""
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
        """Press a button of the message as it is now, found by its label or custom_id."""
        if (label is None) == (custom_id is None):
            raise CannotDo('Name the button by its label or its custom_id, such as label="Join".')
        now = await self.current(message)
        wanted = now.button(label, custom_id)
        return await self.act("click", channel=now.channel_id, message=now.id, custom_id=wanted)

    async def select(
        self, message: SeenMessage, wanted: str | None, values: "str | list[str]"
    ) -> ActOutcome:
        """Choose in the select with that placeholder or custom_id (None: the only one), by the
        options' labels or values."""
        now = await self.current(message)
        select = now.select(wanted)
        chosen = option_values(select, [values] if isinstance(values, str) else list(values))
        return await self.act(
            "select",
            channel=now.channel_id,
            message=now.id,
            custom_id=select["custom_id"],
            values=chosen,
        )

    async def submit(self, modal: SeenModal | None, typed: dict[str, object]) -> ActOutcome:
        """Send a form, filled in by label; what is not named keeps its default."""
        if modal is None:
            raise CannotDo("No form is open.")
        return await self.act(
            "submit", interaction_id=modal.interaction_id, values=modal.values(typed)
        )

    async def say(self, channel: Place, content: str) -> ActOutcome:
        """Write an ordinary message."""
        return await self.act("send", channel=id_of(channel), content=content)

    async def dismiss(self, message: SeenMessage) -> ActOutcome:
        """Remove an ephemeral message from one's own view."""
        return await self.act("dismiss", channel=message.channel_id, message=message.id)

    async def read(self, channel: Place) -> ActOutcome:
        """Look at a channel: its unread mark and its pings are gone."""
        return await self.act("read", channel=id_of(channel))

    async def open_thread(
        self, channel: Place, name: str, *, private: bool = False, content: str = ""
    ) -> ActOutcome:
        """Open a thread below a server's channel; `name` has 1 to 100 letters.

        Below a forum that is a post, which begins with `content`.
        """
        return await self.act(
            "thread", channel=id_of(channel), name=name, private=private, content=content
        )

    async def forge(
        self, message: SeenMessage, custom_id: str, values: list[str] | None = None
    ) -> ActOutcome:
        """Use a control that need not exist or be visible, as a hostile client could."""
        return await self.act(
            "forge",
            channel=message.channel_id,
            message=message.id,
            custom_id=custom_id,
            values=values,
        )

    def outcome(self, answer: Json) -> ActOutcome:
        """An answer of `/page/act` as an `ActOutcome`."""
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
