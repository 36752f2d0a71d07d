"""Answers to interactions: the first one, and what the token allows for 15 minutes after it."""

from bot.sandbox.discord_state import EPHEMERAL, LOADING, Interaction, Json, Message
from bot.sandbox.rest.call import Call, Route
from bot.sandbox.rules.bodies import ANSWER, CALLBACK, EDIT


async def callback(call: Call) -> Json | None:
    """`POST`: the first answer to an interaction; told back only if `with_response` is asked."""
    params = call.params
    interaction, message = await call.world.interactions.callback(
        params["interaction_id"], params["interaction_token"], call.body, call.uploads
    )
    if call.query.get("with_response", "").lower() not in ("1", "true"):
        return None
    answer: Json = {"id": interaction.id, "type": interaction.type}
    reply: Json = {"interaction": answer}
    if message is not None:
        answer |= {
            "response_message_id": message.id,
            "response_message_loading": bool(message.flags & LOADING),
            "response_message_ephemeral": bool(message.flags & EPHEMERAL),
        }
        reply["resource"] = {"type": interaction.callback, "message": message.payload}
    return reply


def _interaction(call: Call) -> Interaction:
    return call.world.interactions.by_token(call.params["webhook_id"], call.params["webhook_token"])


def _message(call: Call, interaction: Interaction) -> Message:
    wanted = call.params.get("message_id", "@original")
    return call.world.interactions.message_of(interaction, wanted)


async def follow_up(call: Call) -> Json:
    """`POST`: a further message. 50035 while a deferral is open: that wants an edit."""
    message = await call.world.interactions.follow_up(_interaction(call), call.body, call.uploads)
    return message.payload


async def get(call: Call) -> Json:
    """`GET`: the first answer, by the interaction's token."""
    return _message(call, _interaction(call)).payload


async def edit(call: Call) -> Json:
    """`PATCH`: change it. 50027 once 15 minutes have passed."""
    interaction = _interaction(call)
    message = _message(call, interaction)
    return call.world.interactions.edit(interaction, message, call.body, call.uploads).payload


async def delete(call: Call) -> None:
    """`DELETE`: remove it. 50027 once 15 minutes have passed."""
    interaction = _interaction(call)
    call.world.interactions.delete(interaction, _message(call, interaction))


_BASE = "/webhooks/{webhook_id}/{webhook_token}"

ROUTES = (
    Route(
        "POST",
        "/interactions/{interaction_id}/{interaction_token}/callback",
        callback,
        needs_token=False,
        body=CALLBACK,
        needs_body=True,
    ),
    Route("POST", _BASE, follow_up, needs_token=False, body=ANSWER),
    Route("GET", _BASE + "/messages/@original", get, needs_token=False),
    *(
        route
        for path in (f"{_BASE}/messages/@original", f"{_BASE}/messages/{{message_id}}")
        for route in (
            Route("PATCH", path, edit, needs_token=False, body=EDIT),
            Route("DELETE", path, delete, needs_token=False),
        )
    ),
)
