"""Interactions: created by a person, delivered over the gateway, answered by the bot within 3 s.

Afterwards the token is valid for 15 minutes: for follow-ups, and changes to the first answer.
Source: https://discord.com/developers/docs/interactions/receiving-and-responding
"""

import asyncio
import secrets

from bot.sandbox.core import Core
from bot.sandbox.discord_state import (
    EPHEMERAL,
    GROUP_DM,
    LOADING,
    TOKEN_SECONDS,
    Channel,
    Interaction,
    Json,
    Message,
    copy_json,
)
from bot.sandbox.errors import InteractionFailed, invalid_field, refusal
from bot.sandbox.faults import Faults
from bot.sandbox.gateway import Gateway
from bot.sandbox.messages import Messages, Uploads, check_open
from bot.sandbox.payloads import (
    integration_owners,
    interaction_payload,
    number_components,
    page_modal,
    user_payload,
)
from bot.sandbox.rules.bodies import MESSAGE_MENU, SUB_COMMAND
from bot.sandbox.rules.commands import check_choices
from bot.sandbox.rules.components import check_modal

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5
MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
ANSWERS = {
    COMMAND: (MESSAGE, DEFER, MODAL),
    COMPONENT: (MESSAGE, DEFER, DEFER_UPDATE, UPDATE, MODAL),
    AUTOCOMPLETE: (CHOICES,),
    MODAL_SUBMIT: (MESSAGE, DEFER),
}

ANSWER_SECONDS = 3.0
MOST_FOLLOW_UPS = 5  # for an application that a person has installed for themselves only


class Interactions:
    """Opens interactions, and accepts the bot's answers."""

    def __init__(self, core: Core, gateway: Gateway, faults: Faults, messages: Messages) -> None:
        self._core = core
        self._gateway = gateway
        self._faults = faults
        self._messages = messages

    # created by a person

    def open(
        self,
        kind: int,
        user_id: str,
        channel: Channel,
        body: Json,
        *,
        message_id: str | None = None,
        opener_id: str | None = None,
    ) -> Interaction:
        """Create an interaction and start delivering it.

        `message_id`: the message whose control was used. `opener_id`: the interaction that was
        answered with the form.
        """
        core = self._core
        interaction = Interaction(
            id=core.snowflakes.next(),
            token=secrets.token_urlsafe(48),
            type=kind,
            user_id=user_id,
            channel_id=channel.id,
            made_at=core.clock.now(),
            body=body,
            message_id=message_id,
            opener_id=opener_id,
        )
        core.state.forget_old_interactions(core.clock.now())
        core.state.keep(interaction)
        self._publish(interaction, "pending")
        self.deliver(interaction)
        return interaction

    def deliver(self, interaction: Interaction) -> None:
        """Start delivering an interaction, or deliver the same one once more."""
        self._gateway.later(lambda: self._faults.deliver(lambda: self._send(interaction)))

    async def _send(self, interaction: Interaction) -> None:
        channel = self._core.state.channels.get(interaction.channel_id)
        if channel is None:
            return  # it was deleted at the same moment
        body = interaction_payload(self._core.state, interaction)
        await self._gateway.dispatch("INTERACTION_CREATE", body, channel.guild_id)

    async def wait_for_answer(self, interaction: Interaction) -> None:
        """Wait for the first answer. Raises InteractionFailed after 3 s without one."""
        answer = asyncio.create_task(interaction.answered.wait())
        left = interaction.made_at + ANSWER_SECONDS - self._core.clock.now()
        limit = asyncio.create_task(self._core.clock.sleep(max(left, 0.0)))
        try:
            await asyncio.wait((answer, limit), return_when=asyncio.FIRST_COMPLETED)
        finally:
            answer.cancel()
            limit.cancel()
        if interaction.callback is None:
            interaction.failed = True
            self._publish(interaction, "failed")
            raise InteractionFailed(interaction.id)
        await interaction.answered.wait()

    # answered by the bot

    async def callback(
        self, interaction_id: str, token: str, body: Json, uploads: Uploads
    ) -> tuple[Interaction, Message | None]:
        """Accept an interaction's first answer; return the interaction and its message, if any.

        Raises ApiError: 10062 if the answer is too late or the interaction unknown, 40060 if there
        was an answer before, and others for an answer that Discord would refuse.
        """
        interaction = self._core.state.interactions.get(interaction_id)
        if interaction is None or interaction.token != token or interaction.failed:
            raise refusal("Unknown Interaction")
        if interaction.callback is not None:
            raise refusal("Interaction has already been acknowledged.")
        if self._core.clock.now() - interaction.made_at > ANSWER_SECONDS:
            raise refusal("Unknown Interaction")
        kind, content = body.get("type"), body.get("data") or {}
        allowed = ANSWERS[interaction.type]
        if interaction.type == MODAL_SUBMIT and interaction.message_id is not None:
            allowed = (*allowed, DEFER_UPDATE, UPDATE)
        if kind not in allowed:
            listed = ", ".join(map(str, allowed))
            raise invalid_field(("type",), "BASE_TYPE_CHOICES", listed)
        if kind in (DEFER, DEFER_UPDATE):
            check_deferral(content, uploads, hidden=kind == DEFER)
        interaction.callback = kind  # before any await, as a second answer must see it
        try:
            message = await self._apply(interaction, kind, content, uploads)
        except BaseException:  # refused for any reason: the request is over
            interaction.callback = None
            raise
        if kind not in (DEFER, DEFER_UPDATE):
            interaction.settled.set()
        self._close_modal(interaction)
        interaction.answered.set()
        self._publish(interaction, "answered")
        self._core.save_soon()
        return interaction, message

    async def _apply(
        self, interaction: Interaction, kind: int, content: Json, uploads: Uploads
    ) -> Message | None:
        if kind in (MESSAGE, DEFER):
            message = await self._answer_message(interaction, content, uploads, kind == DEFER)
            interaction.original_id = message.id
            return message
        if kind in (UPDATE, DEFER_UPDATE):
            interaction.original_id = interaction.message_id
            source = self._source(interaction)
            if kind == UPDATE:
                if source is None:
                    raise refusal("Unknown Message")
                self._messages.edit(source, content, uploads, in_answer=True)
            elif source is not None:
                self._core.state.put_off.setdefault(source.id, []).append(interaction)
            return source
        if kind == CHOICES:
            check_choices(content, _focused_kind(interaction.body.get("options")))
            interaction.choices = content["choices"]
        else:
            check_modal(content)
            interaction.modal = copy_json(content)
            number_components(interaction.modal["components"])
            interaction.modal_open = True
            modal = page_modal(interaction)
            self._core.stream.publish(modal, [interaction.user_id])
        return None

    async def _answer_message(
        self, interaction: Interaction, content: Json, uploads: Uploads, loading: bool
    ) -> Message:
        channel = self._core.state.channels.get(interaction.channel_id)
        if channel is None:
            raise refusal("Unknown Channel")
        hidden = bool(int(content.get("flags") or 0) & EPHEMERAL)
        if loading:
            content = {}
        if not hidden:
            check_open(channel)
        return await self._messages.create(
            channel,
            self._core.state.bot,
            content,
            uploads,
            visible_to=interaction.user_id if hidden else None,
            loading=loading,
            extra=self._provenance(interaction),
        )

    def _provenance(self, interaction: Interaction) -> Json:
        """Return the fields of an answer's message that describe the interaction."""
        state = self._core.state
        user = user_payload(state.users[interaction.user_id])
        metadata: Json = {
            "id": interaction.id,
            "type": interaction.type,
            "user": user,
            "authorizing_integration_owners": integration_owners(state, interaction),
        }
        extra: Json = {
            "application_id": state.bot.id,
            "webhook_id": state.bot.id,
            "interaction_metadata": metadata,
        }
        if interaction.type == COMMAND:
            metadata["name"] = _whole_name(interaction.body)
            extra["type"] = 20
            if interaction.body["type"] == MESSAGE_MENU:
                metadata["target_message_id"] = interaction.body["target_id"]
                extra["type"] = 23
        elif interaction.type == COMPONENT:
            metadata["interacted_message_id"] = interaction.message_id
        elif interaction.type == MODAL_SUBMIT:
            opener = state.interactions.get(interaction.opener_id or "")
            if opener is not None:
                inner = self._provenance(opener)["interaction_metadata"]
                metadata["triggering_interaction_metadata"] = inner
            else:
                metadata["triggering_interaction_metadata"] = metadata | {"type": COMMAND}
        return extra

    def _source(self, interaction: Interaction) -> Message | None:
        if interaction.message_id is None:
            return None
        return self._core.state.message(interaction.channel_id, interaction.message_id)

    def _close_modal(self, interaction: Interaction) -> None:
        opener = self._core.state.interactions.get(interaction.opener_id or "")
        if opener is not None:
            opener.modal_open = False

    def _publish(self, interaction: Interaction, state: str) -> None:
        if interaction.type == AUTOCOMPLETE:
            return
        event: Json = {
            "type": "interaction",
            "id": interaction.id,
            "state": state,
            "message_id": interaction.message_id,
            "custom_id": interaction.body.get("custom_id"),
        }
        self._core.stream.publish(event, [interaction.user_id])

    # afterwards, by token

    def by_token(self, application_id: str, token: str) -> Interaction:
        """Return the answered interaction of a webhook token.

        Raises ApiError 10015 before the first answer or for another application's id, and 50027
        after 15 minutes or for an unknown token.
        """
        interaction = self._core.state.by_token.get(token)
        if application_id != self._core.state.bot.id or (
            interaction and interaction.callback is None
        ):
            raise refusal("Unknown Webhook")
        if interaction is None or self._core.clock.now() - interaction.made_at > TOKEN_SECONDS:
            raise refusal("Invalid Webhook Token")
        return interaction

    def message_of(self, interaction: Interaction, message_id: str) -> Message:
        """Return the answer or follow-up with that id, or the first answer for "@original".

        Raises ApiError 10008 if there is none.
        """
        original = message_id == "@original"
        sought_id = interaction.original_id if original else message_id
        message = self._core.state.message(interaction.channel_id, sought_id or "")
        if message is None:
            raise refusal("Unknown Message")
        metadata = message.payload.get("interaction_metadata") or {}
        if metadata.get("id") != interaction.id and message.id != interaction.original_id:
            raise refusal("Unknown Message")
        return message

    async def follow_up(self, interaction: Interaction, body: Json, uploads: Uploads) -> Message:
        """Send a further message.

        Raises ApiError 50035 while a deferral is open, 40094 for a sixth message if the bot itself
        isn't in the channel, and others for a message that Discord would refuse. During a deferral,
        Discord used to edit the original instead, which failed with components and files
        (discord-api-docs #7529).
        """
        original = self._core.state.message(interaction.channel_id, interaction.original_id or "")
        if interaction.callback == DEFER and original is not None and original.flags & LOADING:
            raise invalid_field((), "INTERACTION_DEFERRED")
        if interaction.follow_ups >= MOST_FOLLOW_UPS and not self._is_here(interaction):
            raise refusal("This interaction has reached the maximum number of follow up messages")
        message = await self._answer_message(interaction, body, uploads, loading=False)
        interaction.follow_ups += 1
        interaction.settled.set()
        return message

    def _is_here(self, interaction: Interaction) -> bool:
        """Return whether the bot itself, not only its commands, is in the interaction's channel."""
        state = self._core.state
        channel = state.channels.get(interaction.channel_id)
        if channel is not None and channel.type == GROUP_DM:
            return False  # bots can't be in groups
        guild = state.guilds.get((channel.guild_id if channel else None) or "")
        return guild is None or guild.has_bot

    def edit(
        self, interaction: Interaction, message: Message, body: Json, uploads: Uploads
    ) -> Message:
        """Change the first answer or a follow-up. A deferred answer is then complete."""
        self._messages.edit(message, body, uploads)
        interaction.settled.set()
        return message

    def delete(self, interaction: Interaction, message: Message) -> None:
        """Remove the first answer or a follow-up. A deferred answer is then complete."""
        if message.visible_to is None:
            check_open(self._core.state.channels[message.channel_id])
        self._messages.delete(message)
        interaction.settled.set()


def _focused_kind(options: object) -> object:
    """Return the type of the option being typed, at any depth; None if there is none."""
    for option in options if isinstance(options, list) else ():
        if option.get("focused"):
            return option.get("type")
        if kind := _focused_kind(option.get("options")):
            return kind
    return None


def check_deferral(content: Json, uploads: Uploads, *, hidden: bool) -> None:
    """Raise ApiError if a deferral has content or files.

    Discord accepts `allowed_mentions` in a deferral and, if the answer may be `hidden`, the flag
    EPHEMERAL.
    """
    for name, value in content.items():
        taken = name == "allowed_mentions" or (hidden and name == "flags" and value == EPHEMERAL)
        if value and not taken:
            raise invalid_field(("data", name), "INTERACTION_DEFERRED")
    if uploads:
        raise invalid_field(("data",), "INTERACTION_DEFERRED")


def _whole_name(command: Json) -> str:
    """Return a command's name with its subcommand's, as in messages: "odds liars"."""
    name = str(command["name"])
    inner = [part for part in command.get("options") or [] if part["type"] == SUB_COMMAND]
    return f"{name} {inner[0]['name']}" if inner else name
