"""People as Python objects: `await ann.slash(table, "play", game="Thai Poker")`.

`Actor` holds the verbs, and finds controls by what they say; `Person` carries them out in this
process, `remote.RemotePerson` in another one over the page's HTTP API.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.sandbox.acts import Answer
from bot.sandbox.errors import CannotDo
from bot.sandbox.messages import shown_to_people
from bot.sandbox.screen import SeenMessage, SeenModal, option_values
from bot.sandbox.slash import Focus
from bot.sandbox.state import TEXT_CHANNEL, Channel, Guild, Interaction, Json

if TYPE_CHECKING:
    from bot.sandbox.world import Sandbox

Place = Channel | str  # a channel, or its id


@dataclass(frozen=True)
class Outcome:
    """How the bot answered an act: `kind` is message, update, deferred, deferred_update, modal,
    choices or none."""

    actor: "Actor"
    kind: str
    interaction_id: str | None
    message: SeenMessage | None
    modal: SeenModal | None
    choices: list[Json]

    @property
    def text(self) -> str:
        """Everything readable in the answer, or "" if there is nothing to read."""
        shown = self.message or self.modal
        return shown.text if shown is not None else ""

    async def settled(self) -> "Outcome":
        """The outcome once a deferral has been followed up; waits for it."""
        if self.kind not in ("deferred", "deferred_update") or self.interaction_id is None:
            return self
        return await self.actor.act("settle", interaction_id=self.interaction_id)


def id_of(place: Place) -> str:
    return place if isinstance(place, str) else place.id


class Actor(ABC):
    """The verbs of one person. Each raises CannotDo for what the person could not do, and
    InteractionFailed when the bot gives no valid answer within 3 s."""

    id: str
    name: str

    @abstractmethod
    async def act(self, kind: str, **body: object) -> Outcome:
        """Carry out one act of the page's contract."""

    @abstractmethod
    async def current(self, message: SeenMessage) -> SeenMessage:
        """The message as it is now. Raises CannotDo if the person no longer sees it."""

    async def slash(self, channel: Place, name: str, /, **options: object) -> Outcome:
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
    ) -> Outcome:
        """Press a button of the message as it is now, found by its label or custom_id."""
        if (label is None) == (custom_id is None):
            raise CannotDo('Name the button by its label or its custom_id, such as label="Join".')
        now = await self.current(message)
        wanted = now.button(label, custom_id)
        return await self.act("click", channel=now.channel_id, message=now.id, custom_id=wanted)

    async def select(
        self, message: SeenMessage, wanted: str | None, values: "str | list[str]"
    ) -> Outcome:
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

    async def submit(self, modal: SeenModal | None, typed: dict[str, object]) -> Outcome:
        """Send a form, filled in by label; what is not named keeps its default."""
        if modal is None:
            raise CannotDo("No form is open.")
        return await self.act(
            "submit", interaction_id=modal.interaction_id, values=modal.values(typed)
        )

    async def say(self, channel: Place, content: str) -> Outcome:
        """Write an ordinary message."""
        return await self.act("send", channel=id_of(channel), content=content)

    async def dismiss(self, message: SeenMessage) -> Outcome:
        """Remove an ephemeral message from one's own view."""
        return await self.act("dismiss", channel=message.channel_id, message=message.id)

    async def open_thread(self, channel: Place, name: str) -> Outcome:
        return await self.act("thread", channel=id_of(channel), name=name)

    async def forge(
        self, message: SeenMessage, custom_id: str, values: list[str] | None = None
    ) -> Outcome:
        """Use a control that need not exist or be visible, as a hostile client could."""
        return await self.act(
            "forge",
            channel=message.channel_id,
            message=message.id,
            custom_id=custom_id,
            values=values,
        )

    def outcome(self, answer: Json) -> Outcome:
        """An answer of `/page/act` as an Outcome."""
        interaction_id, message, modal = (
            answer.get("interaction_id"),
            answer.get("message"),
            answer.get("modal"),
        )
        return Outcome(
            self,
            answer["answer"],
            interaction_id,
            SeenMessage(message) if message else None,
            SeenModal(str(interaction_id), modal) if modal else None,
            answer.get("choices") or [],
        )


def _plain(value: object) -> object:
    return value.id if isinstance(value, Actor) else value


async def perform(world: "Sandbox", user_id: str, kind: str, body: Json) -> Answer:
    """Carry out one act of `/page/act`. Raises CannotDo, InteractionFailed, KeyError."""
    acts = world.acts
    acts.person(user_id)
    match kind:
        case "slash":
            return await acts.slash(user_id, body["channel"], body["name"], body["options"] or {})
        case "autocomplete":
            focus = Focus(body["focused"], body["value"])
            options = body.get("options") or {}
            return await acts.autocomplete(user_id, body["channel"], body["name"], focus, options)
        case "submit":
            return await acts.submit(user_id, body["interaction_id"], body["values"])
        case "send":
            return await acts.send(user_id, body["channel"], body["content"])
        case "settle":
            return await acts.settle(user_id, body["interaction_id"])
        case "open_dm":
            return await acts.open_dm(user_id)
        case "thread":
            return await acts.thread(user_id, body["channel"], body["name"])
    if kind not in ("click", "select", "dismiss", "forge"):
        raise CannotDo(f"There is no act {kind!r}.")
    where = (user_id, body["channel"], body["message"])
    match kind:
        case "click":
            return await acts.click(*where, body["custom_id"])
        case "select":
            return await acts.select(*where, body["custom_id"], list(body["values"]))
        case "dismiss":
            return await acts.dismiss(*where)
    return await acts.forge(*where, body["custom_id"], body.get("values"))


class Person(Actor):
    """Somebody in this process's world."""

    def __init__(self, world: "Sandbox", user_id: str) -> None:
        self._world = world
        self.id = user_id
        self.name = world.state.users[user_id].name

    async def act(self, kind: str, **body: object) -> Outcome:
        answer = await perform(self._world, self.id, kind, body)
        return self.outcome(answer.as_json())

    async def current(self, message: SeenMessage) -> SeenMessage:
        found = self._world.acts.message(self.id, message.channel_id, message.id)
        return SeenMessage(shown_to_people(found))

    def visible(self, channel: Place) -> list[SeenMessage]:
        """The messages the person sees there now, oldest first, their own ephemerals included."""
        found = self._world.acts.channel(self.id, id_of(channel))
        seen = self._world.state.seen_by(self.id, found)
        return [SeenMessage(shown_to_people(message)) for message in seen]

    def text(self, channel: Place) -> str:
        """All that can be read there."""
        return "\n".join(message.text for message in self.visible(channel))

    def dms(self) -> list[Channel]:
        """The person's direct-message channels (with the bot: at most one)."""
        channel = self._world.state.dm_with(self.id)
        return [channel] if channel is not None else []

    def dm_messages(self) -> list[SeenMessage]:
        return [message for channel in self.dms() for message in self.visible(channel)]

    def everything(self) -> str:
        """All that the person can read anywhere: for leak tests."""
        state = self._world.state
        places = [c for c in state.channels.values() if state.can_see(self.id, c)]
        return "\n".join(self.text(place) for place in places)

    def set_dms_open(self, is_open: bool) -> None:
        self._world.faults.dms_open(self.id, is_open)

    async def forge_submit(
        self, channel: Place, custom_id: str, components: list[Json], message: str | None = None
    ) -> Outcome:
        """Submit a form that the bot never opened; `components` as Discord would send them."""
        body = {"custom_id": custom_id, "components": components}
        answer = await self._world.acts.forge_submit(self.id, id_of(channel), message, body)
        return self.outcome(answer.as_json())

    def repeat(self, outcome: Outcome) -> Interaction:
        """Have Discord deliver the interaction behind an outcome once more."""
        interaction = self._world.state.interactions[outcome.interaction_id or ""]
        self._world.interactions.redeliver(interaction)
        return interaction


class Server:
    """A guild, to furnish with channels."""

    def __init__(self, world: "Sandbox", guild: Guild) -> None:
        self._world = world
        self.guild = guild
        self.id = guild.id

    def add_text_channel(self, name: str) -> Channel:
        return self._world.add_channel(TEXT_CHANNEL, name, guild_id=self.id)

    def channel(self, name: str) -> Channel:
        """The channel of that name. Raises KeyError if there is none."""
        for channel in self._world.state.channels.values():
            if channel.guild_id == self.id and channel.name == name:
                return channel
        raise KeyError(name)

    def make_moderator(self, person: Actor) -> None:
        """Give the person the permissions Manage Server, Manage Messages and Moderate Members."""
        self.guild.moderators.append(person.id)
        self._world.changed()
