"""Messages: created, changed and removed, for the bot and people, and published to their audience.

Files sent with a message become attachments; `attachment://name` in a component is resolved to
their address. Such a file is not among the message's `attachments`; as at Discord, the component
says which file it shows.

Where Discord was sometimes strict and sometimes lenient, this module is strict: an edit shows a
file that the message already has only if its `attachments` name the file by id and filename.
"""

import re
import struct
import unicodedata
from dataclasses import dataclass, replace
from urllib.parse import quote

from bot.sandbox.clock import iso
from bot.sandbox.core import Core
from bot.sandbox.discord_state import (
    COMPONENTS_V2,
    EPHEMERAL,
    LOADING,
    TOKEN_SECONDS,
    Attachment,
    Channel,
    Json,
    Message,
    User,
    copy_json,
)
from bot.sandbox.errors import BodyErrors, refusal
from bot.sandbox.gateway import Gateway
from bot.sandbox.payloads import (
    ATTACHMENT_SIZE_LIMIT,
    channel_payload,
    number_components,
    page_message,
    page_read,
    user_payload,
    walk,
)
from bot.sandbox.permissions import bot_sees
from bot.sandbox.rules.bodies import CONTAINER, SEPARATOR, STRING_SELECT, TEXT
from bot.sandbox.rules.components import check_allowed_mentions, check_message

NONCE_SECONDS = 300.0

_DEFAULTS: dict[int, Json] = {  # fields that Discord fills in, by component type
    STRING_SELECT: {"min_values": 1, "max_values": 1},
    SEPARATOR: {"divider": True, "spacing": 1},
    CONTAINER: {"accent_color": None, "spoiler": False},
}
_MENTION = re.compile(r"<@!?(\d+)>")
_CODE = re.compile(r"```.*?```|``.*?``|`[^`\n]*`", re.DOTALL)


@dataclass(frozen=True)
class Upload:
    """A file that came with a request, as field `files[index]`."""

    filename: str
    content_type: str
    content: bytes


Uploads = dict[str, Upload]


class Reads:
    """Everybody's unread marks and pings (the red badge).

    As in Discord, a new message marks its channel unread for everybody in it except its author, and
    counts as a ping for people it mentions, or for the recipient of a direct message. An edit does
    neither. Deleting a message removes its ping but not the unread mark. An ephemeral message
    neither marks nor pings: we assume that its reader is looking, since it answers what they just
    did.
    """

    def __init__(self, core: Core) -> None:
        self._core = core

    def came(self, channel: Channel, message: Message) -> None:
        """Record a new message for everybody who can see it, unless it is ephemeral."""
        state = self._core.state
        if message.visible_to is not None:
            return
        channel.last_message_id = message.id
        author = message.payload["author"]["id"]
        called = {user["id"] for user in message.payload["mentions"]}
        for person in state.audience(channel):
            if person == author:
                self.caught_up(person, channel)
                continue
            if channel.guild_id is None or person in called:
                state.read_of(person, channel).pings.append(message.id)
            self._publish(person, channel)

    def gone(self, channel: Channel, message: Message) -> None:
        """Record that a message was deleted: remove its pings, keep the unread mark."""
        for person in self._core.state.audience(channel, message):
            pings = self._core.state.read_of(person, channel).pings
            if message.id in pings:
                pings.remove(message.id)
                self._publish(person, channel)

    def caught_up(self, person: str, channel: Channel) -> None:
        """Record that the person has read everything in the channel."""
        read = self._core.state.read_of(person, channel)
        read.last = channel.last_message_id or read.last
        read.pings.clear()
        self._core.save_soon()
        self._publish(person, channel)

    def _publish(self, person: str, channel: Channel) -> None:
        if not self._core.stream.reaches((person,)):
            return
        event = {"type": "read"} | page_read(self._core.state, person, channel)
        self._core.stream.publish(event, [person])


class Messages:
    """Sends, edits and deletes the sandbox's messages."""

    def __init__(self, core: Core, gateway: Gateway, reads: Reads) -> None:
        self._core = core
        self._gateway = gateway
        self._reads = reads

    def find_repeat(self, channel: Channel, author: User, body: Json) -> Message | None:
        """Return the message already sent with the body's nonce, if it is enforced; else None.

        Only the last `NONCE_SECONDS` count; Discord says "in the past few minutes". Raises ApiError
        10008 if the message has been deleted: it is not sent again.
        """
        nonce = body.get("nonce")
        if nonce is None or not body.get("enforce_nonce"):
            return None
        since = self._since()
        for message in reversed(self._core.state.messages.get(channel.id, {}).values()):
            if message.payload["timestamp"] < since:
                break
            if message.nonce == str(nonce) and message.payload["author"]["id"] == author.id:
                return message
        if self._core.state.spent_nonces.get(f"{channel.id} {author.id} {nonce}", "") >= since:
            raise refusal("Unknown Message")
        return None

    async def create(
        self,
        channel: Channel,
        author: User,
        body: Json,
        uploads: Uploads | None = None,
        *,
        visible_to: str | None = None,
        loading: bool = False,
        extra: Json | None = None,
    ) -> Message:
        """Add a message to the channel. Raises ApiError if Discord would refuse it.

        `visible_to` is the only person who sees an ephemeral message; `loading` creates the empty
        "thinking" message of a deferred answer; `extra` is merged into the payload (interaction
        metadata).
        """
        uploads = _name_uploads(body, uploads or {})
        if channel.locked and author.bot and visible_to is None:
            raise refusal("Thread is archived")
        flags = int(body.get("flags") or 0) & COMPONENTS_V2
        content = {key: body.get(key) for key in ("content", "components")}
        check_allowed_mentions(body.get("allowed_mentions"))
        if not loading:
            self._check_emoji(content["components"])
            names = [upload.filename for upload in uploads.values()]
            check_message(content | {"flags": flags}, names)
        files = self._store(channel.id, body, uploads)
        if visible_to is not None:
            flags |= EPHEMERAL
        payload: Json = {
            "id": self._core.snowflakes.next(),
            "channel_id": channel.id,
            "type": 0,
            "author": user_payload(author),
            "content": content["content"] or "",
            "timestamp": iso(self._core.clock.now()),
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "pinned": False,
            "attachments": [],
            "embeds": [],
            "components": [],
            "flags": flags | (LOADING if loading else 0),
        } | (extra or {})
        if body.get("nonce") is not None:
            payload["nonce"] = body["nonce"]
        self._dress(payload, files, content["components"])
        self._mention(payload, body.get("allowed_mentions"))
        nonce = None if body.get("nonce") is None else str(body["nonce"])
        message = Message(payload, visible_to, nonce, files=files)
        self._core.state.messages.setdefault(channel.id, {})[message.id] = message
        if channel.archived and visible_to is None:  # a new message reopens a thread
            await self.set_archived(channel, archived=False)
        self._publish("create", channel, message)
        self._reads.came(channel, message)
        return message

    def edit(
        self,
        message: Message,
        body: Json,
        uploads: Uploads | None = None,
        *,
        in_answer: bool = False,
    ) -> Message:
        """Change the fields that the body has. Raises ApiError if Discord would refuse the result.

        Without `attachments` the message keeps its files, but they can't be referenced by name; in
        the answer to a press (`in_answer`) they are removed. Mentions in new text are computed
        again, by the body's own `allowed_mentions`. An edit pings nobody.
        """
        uploads = _name_uploads(body, uploads or {})
        if message.visible_to is None:
            check_open(self._core.state.channels[message.channel_id])
        check_allowed_mentions(body.get("allowed_mentions"))
        payload = copy_json(message.payload)
        flags = payload["flags"] & ~LOADING
        flags |= int(body.get("flags") or 0) & COMPONENTS_V2
        named = body.get("attachments")
        if named is None and in_answer:
            named = []
        filenames = {str(entry.get("id")): entry.get("filename") for entry in named or []}
        kept_files = [file for file in message.files if named is None or file["id"] in filenames]
        content = {
            key: body[key] if key in body else payload[key] for key in ("content", "components")
        }
        new = [upload.filename for upload in uploads.values()]
        known = [
            file["filename"] for file in kept_files if filenames.get(file["id"]) == file["filename"]
        ]
        names = [file["filename"] for file in kept_files] + new
        check_message(content | {"flags": flags}, names, frozenset(known + new))
        if "components" in body:
            self._check_emoji(body["components"])
        files = kept_files + self._store(message.channel_id, body, uploads)
        payload["content"] = content["content"] or ""
        payload["flags"] = flags
        if not message.flags & LOADING:
            payload["edited_timestamp"] = iso(self._core.clock.now())
        self._dress(payload, files, content["components"])
        if "content" in body or "components" in body:
            self._mention(payload, body.get("allowed_mentions"))
        for gone in {file["id"] for file in message.files} - {file["id"] for file in files}:
            self._core.state.attachments.pop(gone, None)
        message.payload, message.files = payload, files
        self._core.state.settle_presses(message)
        self._publish("update", self._core.state.channels[message.channel_id], message)
        return message

    def delete(self, message: Message) -> None:
        """Remove the message and its files, and notify the people who saw it."""
        channel = self._core.state.channels[message.channel_id]
        self._drop(message)
        self._core.stream.publish(
            {"type": "message_delete", "channel_id": channel.id, "id": message.id},
            self._core.state.audience(channel, message),
        )
        self._reads.gone(channel, message)
        self._core.save_soon()

    async def set_archived(self, thread: Channel, *, archived: bool) -> None:
        """Archive a thread or reopen it; notify the bot if it sees the thread."""
        thread.archived = archived
        self._core.save_soon()
        if bot_sees(self._core.state, thread):
            body = channel_payload(self._core.state, thread)
            await self._gateway.dispatch("THREAD_UPDATE", body, thread.guild_id)

    def put_away(self, message: Message) -> None:
        """Hide an ephemeral message from its person for good.

        As at Discord, the bot isn't notified. While the interaction's token is valid, the bot can
        keep changing the hidden message; after that the emulator forgets the message.
        """
        event = {"type": "message_delete", "channel_id": message.channel_id, "id": message.id}
        self._core.stream.publish(event, [message.visible_to] if message.visible_to else [])
        now = self._core.clock.now()
        message.dismissed_at = now
        for inside in self._core.state.messages.values():
            for old in list(inside.values()):
                if old.dismissed_at is not None and now - old.dismissed_at > TOKEN_SECONDS:
                    self._drop(old)
        self._core.save_soon()

    def _drop(self, message: Message) -> None:
        del self._core.state.messages[message.channel_id][message.id]
        self._core.state.settle_presses(message)
        spent, since = self._core.state.spent_nonces, self._since()
        for old in [nonce for nonce, sent in spent.items() if sent < since]:
            del spent[old]
        if message.nonce is not None:
            author = message.payload["author"]["id"]
            nonce = f"{message.channel_id} {author} {message.nonce}"
            spent[nonce] = message.payload["timestamp"]
        for file in message.files:
            self._core.state.attachments.pop(file["id"], None)

    def _since(self) -> str:
        """Return the time before which nonces are no longer remembered."""
        return iso(self._core.clock.now() - NONCE_SECONDS)

    def _mention(self, payload: Json, allowed: Json | None) -> None:
        users = self._core.state.users
        called = [users[user_id] for user_id in mentions_of(payload, allowed) if user_id in users]
        payload["mentions"] = [user_payload(user) for user in called]

    def _publish(self, change: str, channel: Channel, message: Message) -> None:
        self._core.save_soon()
        audience = self._core.state.audience(channel, message)
        if self._core.stream.reaches(audience):
            event = {"type": f"message_{change}", "message": page_message(message)}
            self._core.stream.publish(event, audience)

    def _check_emoji(self, components: list[Json] | None) -> None:
        """Raise ApiError for a control with an emoji that the application doesn't have."""
        known, form = {emoji["id"] for emoji in self._core.state.emojis}, BodyErrors()
        for part in walk(components or []):
            for control in (part, *(part.get("options") or [])):
                if (control.get("emoji") or {}).get("id") not in {None, *known}:
                    form.wrong(("components",), "COMPONENT_INVALID_EMOJI", "Invalid emoji")
        form.raise_if_wrong()

    def _store(self, channel_id: str, body: Json, uploads: Uploads) -> list[Json]:
        entries = {str(entry.get("id")): entry for entry in body.get("attachments") or []}
        stored: list[Json] = []
        for index, upload in uploads.items():
            if len(upload.content) > ATTACHMENT_SIZE_LIMIT:
                raise refusal("Request entity too large")
            entry = entries.get(index, {})
            attachment = Attachment(
                self._core.snowflakes.next(),
                channel_id,
                upload.filename,
                upload.content_type,
                upload.content,
            )
            self._core.state.attachments[attachment.id] = attachment
            stored.append(self._attachment_payload(attachment, entry.get("description")))
        return stored

    def _attachment_payload(self, attachment: Attachment, description: str | None) -> Json:
        url = (
            f"{self._core.base_url}/attachments/{attachment.channel_id}/{attachment.id}/"
            f"{quote(attachment.filename)}"
        )
        shape: Json = {
            "id": attachment.id,
            "filename": attachment.filename,
            "size": len(attachment.content),
            "url": url,
            "proxy_url": url,
            "content_type": attachment.content_type,
        }
        if description:
            shape["description"] = description
        size = picture_size(attachment.content)
        if size is not None:
            shape["width"], shape["height"] = size
        return shape

    def _dress(
        self,
        payload: Json,
        attached: list[Json],
        components: list[Json] | None,
    ) -> None:
        """Put components and attachments into the payload.

        Resolve the components' files and fill in missing fields. A file that a component shows is
        left out of the attachments.
        """
        files = {file["filename"]: file for file in attached}
        media_ids = {
            item["media"]["url"]: item["media"].get("id")
            for part in walk(payload["components"])
            for item in part.get("items", [])
        }
        payload["components"] = copy_json(components or [])
        number_components(payload["components"])
        displayed: set[str] = set()
        for part in walk(payload["components"]):
            for name, value in _DEFAULTS.get(part["type"], {}).items():
                if part.get(name) is None:
                    part[name] = value
            for item in part.get("items", []):
                media = _media(item["media"]["url"], files)
                media["id"] = media_ids.get(media["url"]) or self._core.snowflakes.next()
                item |= {"description": item.get("description"), "spoiler": False, "media": media}
                displayed.add(media["url"])
        payload["attachments"] = [file for file in attached if file["url"] not in displayed]


def mentions_of(payload: Json, allowed: Json | None) -> list[str]:
    """Return the ids of the users a message mentions, in order of first mention.

    Mentions in code don't count. `allowed` is the body's `allowed_mentions`; None allows all.
    """
    texts = [str(payload["content"])]
    texts += [str(part["content"]) for part in walk(payload["components"]) if part["type"] == TEXT]
    named = [user for text in texts for user in _MENTION.findall(_CODE.sub(" ", text))]
    if allowed is not None and "users" not in (allowed.get("parse") or []):
        listed = {str(user) for user in allowed.get("users") or []}
        named = [user for user in named if user in listed]
    return list(dict.fromkeys(named))


def check_open(channel: Channel) -> None:
    """Raise ApiError 50083 in an archived or locked thread, where nothing can be changed."""
    if channel.archived or channel.locked:
        raise refusal("Thread is archived")


def _name_uploads(body: Json, uploads: Uploads) -> Uploads:
    """Return a request's files, with the filenames that the body gives or else their own."""
    chosen = {str(file["id"]): file.get("filename") for file in body.get("attachments") or []}
    return {
        index: replace(upload, filename=stored_filename(chosen.get(index) or upload.filename))
        for index, upload in uploads.items()
    }


def stored_filename(name: str) -> str:
    """Return a filename as Discord stores it: only alphanumerics, hyphen, dot, underscore.

    An `attachment://` address must have the stored name; Discord promises nothing about other names
    (discord-api-docs #7754, #2102).
    """
    plain = unicodedata.normalize("NFKD", name.replace("/", " ")).encode("ascii", "ignore").decode()
    allowed = re.sub(r"[^A-Za-z0-9_.-]", "", "_".join(plain.split()))
    return allowed.strip("._") or "unknown"


def _media(url: str, files: dict[str, Json]) -> Json:
    file = files.get(url.removeprefix("attachment://")) if url.startswith("attachment://") else None
    if file is None:
        file = next((known for known in files.values() if known["url"] == url), None)
    if file is None:
        return {"url": url, "proxy_url": url, "width": 0, "height": 0, "loading_state": 2}
    return {
        "url": file["url"],
        "proxy_url": file["url"],
        "width": file.get("width"),
        "height": file.get("height"),
        "content_type": file["content_type"],
        "attachment_id": file["id"],
        "loading_state": 2,
    }


def picture_size(content: bytes) -> tuple[int, int] | None:
    """Return width and height of a PNG in pixels; None for any other file."""
    if content.startswith(b"\x89PNG\r\n\x1a\n") and len(content) >= 24:
        width, height = struct.unpack(">II", content[16:24])
        return int(width), int(height)
    return None
