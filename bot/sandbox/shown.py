"""What people are shown: messages, channels, people and forms in the shapes the page gets them in.

Messages and forms stay in Discord's shape; what Discord has no word for is added to it.
"""

from bot.sandbox.state import LOADING, Channel, Interaction, Json, Message, State, User, copied


def shown_message(message: Message) -> Json:
    """A message as the page gets it: Discord's payload, and whether it is still "thinking"."""
    payload = copied(message.payload)
    if message.flags & LOADING:
        payload["pending"] = True
    return payload


def shown_channel(channel: Channel) -> Json:
    """A channel as the page gets it."""
    return {
        "id": channel.id,
        "name": channel.name,
        "type": channel.type,
        "parent_id": channel.parent_id,
    }


def shown_read(state: State, user_id: str, channel: Channel) -> Json:
    """A person's marks at a channel: is it unread, how many messages call them, and the last
    message they have read."""
    read = state.read_of(user_id, channel)
    return {
        "channel_id": channel.id,
        "unread": state.unread(user_id, channel),
        "pings": len(read.pings),
        "last": read.last,
    }


def shown_person(user: User) -> Json:
    """A person as the page gets them."""
    return {"id": user.id, "name": user.name, "color": user.color, "dms_open": user.dms_open}


def shown_modal(interaction: Interaction) -> Json:
    """A modal as the page is told of it."""
    return {
        "type": "modal",
        "interaction_id": interaction.id,
        "modal": interaction.modal,
        "channel_id": interaction.channel_id,
        "message_id": interaction.message_id,
    }
