"""The doctor's checks of Discord itself.

`look` (`bluffhouse store doctor --online`) checks that Discord can be reached and accepts the
token. It changes nothing: it opens no session and registers no command.

`try_out` (`bluffhouse store doctor --discord`) makes the checks that need a real server, in a
channel that the host chooses. Each `LiveCheck` states an assumption, tries it, and reports what
happened and what that means for the bot. Its posts, command and emoji are deleted afterwards. The
report holds no id, no token and no name.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import re
import secrets
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from typing import Any, Final

import aiohttp

from bot.language.moments import APART, seconds_ahead
from bot.retry import RetryPolicy
from bot.settings.proxies import UnusableProxy, proxy_for, without_password, without_passwords
from bot.storage.doctor import Diagnosis

API: Final = "https://discord.com/api/v10"
HOUR: Final = 3600.0
WITHIN: Final = 30.0  # seconds for a request
NO_IPV4: Final = (
    "This machine has no IPv4, and Discord has no IPv6: give it IPv4 access, such as NAT64 with"
    " DNS64, or a proxy named in HTTPS_PROXY"
)
PRESSED_WITHIN: Final = 120.0  # seconds to wait for a person's press
PACE: Final = 0.5  # seconds between edits with one token; Discord takes five in two seconds
SHARE: Final = 24  # edits a minute with all tokens of a channel, which the bot relies on
MOST_EDITS: Final = 36
NAME: Final = "bluffhouse_doctor"  # of the command and the emoji
PICTURE: Final = "doctor.png"
RETRY: Final = RetryPolicy(first=5.0, longest=60.0)  # reopens a lost session
_HEARTBEAT, _IDENTIFY = 1, 2
_OVER: Final = (7, 9)  # opcodes with which Discord asks for a new session
_V2: Final = 1 << 15
_PRIVATE: Final = 1 << 6
_REPLIES: Final = (19, 20)  # types of messages that reply to another message or to a command
_TRIES: Final = 4
# errors of a request that was lost, or of an answer that was cut off or came from something in
# between
_NO_ANSWER: Final = (aiohttp.ClientError, OSError, json.JSONDecodeError)
_IDS: Final = re.compile(r"\d{15,}|[\w-]{40,}")


async def look(token: str, api_url: str | None, gateway_url: str | None) -> list[Diagnosis]:
    """Return findings about the token, this machine's clock and the gateway's greeting.

    If the proxy is unusable, or if Discord can't be reached or refuses the token, that is the only
    finding.
    """
    base = (api_url or API).rstrip("/")
    timeout = aiohttp.ClientTimeout(total=WITHIN)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        try:
            gateway, clock = await _gateway_bot(session, base, token)
        except UnusableProxy as error:
            return [Diagnosis("proxy", str(error), well=False)]
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            advice = "; look at discord.api_url" if api_url else ""
            advice += f". {NO_IPV4}" if isinstance(error, OSError) and not has_ipv4() else ""
            sentence = f"{base} cannot be reached ({_error_text(error)}{_way(base)}){advice}"
            return [Diagnosis("discord", sentence, well=False)]
        if isinstance(gateway, Diagnosis):
            return [gateway]
        limit = gateway["session_start_limit"]
        sentence = (
            f"{base} takes the token{_way(base)}; it advises {gateway.get('shards', 1)} shards, and"
            f" allows {limit.get('remaining', '?')} of {limit.get('total', '?')} sessions more"
            " today"
        )
        diagnosis = Diagnosis("discord", sentence)
        return [
            diagnosis,
            *clock,
            await _gateway(session, gateway_url or str(gateway.get("url", ""))),
        ]


async def _gateway_bot(
    session: aiohttp.ClientSession, base: str, token: str
) -> tuple[dict[str, Any] | Diagnosis, list[Diagnosis]]:
    headers = {"Authorization": f"Bot {token}"}
    sent_at = time.time()
    async with session.get(f"{base}/gateway/bot", headers=headers, proxy=proxy_for(base)) as answer:
        clock = _clock(answer.headers.get("Date"), sent_at)
        if answer.status != 200:
            sentence = f"{base} answers {answer.status} instead of 200: look at discord.api_url"
            if answer.status == 401:
                sentence = (
                    f"{base} refuses the token: copy it again from your application's Bot page"
                )
            return Diagnosis("discord", sentence, well=False), clock
        body = await answer.json() if answer.content_type == "application/json" else None
        if not isinstance(body, dict) or not isinstance(body.get("session_start_limit"), dict):
            raise ValueError("it does not answer as Discord does")
        return body, clock


async def _gateway(session: aiohttp.ClientSession, url: str) -> Diagnosis:
    try:
        async with (
            asyncio.timeout(WITHIN),
            session.ws_connect(f"{url}/?v=10&encoding=json", proxy=proxy_for(url)) as opened,
        ):
            first = await opened.receive_json()
            if first.get("op") != 10:
                raise ValueError("it does not greet as Discord does")
    except (aiohttp.ClientError, TimeoutError, ValueError, TypeError) as error:
        return Diagnosis("gateway", f"{url} cannot be reached ({_error_text(error)})", well=False)
    return Diagnosis("gateway", f"{url} greets{_way(url)}")


def _way(address: str) -> str:
    proxy = proxy_for(address)
    return "" if proxy is None else f", by the proxy {without_password(proxy)}"


def _clock(date: str | None, sent_at: float) -> list[Diagnosis]:
    """Return a finding if this machine's clock differs from Discord's; else an empty list."""
    ahead = seconds_ahead(date, sent_at, time.time())
    if ahead is None or abs(ahead) < APART:
        return []
    side = "ahead of" if ahead > 0 else "behind"
    sentence = f"this machine's clock is {abs(ahead):.0f} s {side} Discord's: have it set by NTP"
    return [Diagnosis("clock", sentence, well=False)]


def has_ipv4() -> bool:
    """Return whether this machine has a route to IPv4 addresses; nothing is sent."""
    try:  # if the system was built without IPv4, creating the socket fails
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as tried:
            tried.connect(("192.0.2.1", 9))  # an address reserved for documentation
    except OSError:
        return False
    return True


def _error_text(error: Exception) -> str:
    return without_passwords(str(error)) or type(error).__name__


class NoTrial(Exception):
    """The checks cannot run at all; `str()` is a sentence for the host."""


class NotPressed(Exception):
    """No one pressed the button in time, or Ctrl-C ended the wait."""


class Otherwise(Exception):
    """Discord did not behave as assumed; `str()` says how."""


@dataclass(frozen=True, slots=True)
class Response:
    """Discord's answer to a request."""

    status: int
    body: Any
    headers: dict[str, str]  # keys in lower case

    @property
    def well(self) -> bool:
        """Whether Discord did what the request asked for."""
        return 200 <= self.status < 300

    @property
    def has_picture(self) -> bool:
        """Whether the request succeeded and its message has a picture, even in a component."""
        if not self.well:
            return False
        items = [item for part in self.body.get("components", []) for item in part.get("items", [])]
        return bool(self.body.get("attachments")) or any("media" in item for item in items)

    def __str__(self) -> str:
        if self.well:
            return str(self.status)
        body = self.body if isinstance(self.body, dict) else {}
        inner = re.findall(r'"code": "(\w+)"', json.dumps(body.get("errors", {})))
        reason = " ".join(map(str, [body.get("code", ""), body.get("message", ""), *inner[:2]]))
        return f"{self.status} {reason}".strip()


@dataclass(frozen=True, slots=True)
class Seen:
    """An observation of Discord, and whether it is as the bot assumes."""

    text: str
    as_assumed: bool


Act = Callable[["CheckRun"], Awaitable[Seen]]


@dataclass(frozen=True, slots=True)
class LiveCheck:
    """A check that needs a real server.

    `assumed`: what Discord should do; `means`: why that matters to the bot.
    """

    name: str
    assumed: str
    means: str
    act: Act  # may raise `NotPressed` and `Otherwise`


@dataclass(slots=True)
class CheckRun:
    """A run of the checks: the connection to Discord, the channel, and the messages made so far."""

    session: aiohttp.ClientSession
    base: str
    token: str
    channel: str
    ask: Callable[[str], None]  # asks a person to press something
    hour: float = HOUR
    patience: float = PRESSED_WITHIN
    pace: float = PACE
    application: str = ""
    message: str = ""  # the message that most checks use
    nonce: str = field(default_factory=lambda: secrets.token_hex(12))
    posted: list[str] = field(default_factory=list)  # messages to delete
    later: str = ""  # the message to press after an hour
    began: float = 0.0  # when that message was posted
    edited: dict[str, str] = field(default_factory=dict)  # headers of an edit's answer
    pressed: str = ""  # the token of a press
    presses: asyncio.Queue[dict[str, Any]] = field(default_factory=asyncio.Queue)

    async def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        picture: bool = False,
        tries: int = _TRIES,
        must: str | None = None,
    ) -> Response:
        """Send a request, with the picture if `picture`; try again if Discord asks to wait.

        If Discord refuses the request and `must` is given, raise `Otherwise`; its text is `must`,
        then Discord's answer. If no answer can be read, raise one of `_NO_ANSWER`.
        """
        url = f"{self.base}{path}"
        proxy = proxy_for(url)
        headers = {"User-Agent": "DiscordBot (bluffhouse doctor, 1)"}
        if not path.startswith(("/interactions/", "/webhooks/")):
            headers["Authorization"] = f"Bot {self.token}"
        for tried in range(tries):
            sent: dict[str, Any] = {"json": body} if body is not None else {}
            if picture:
                form = aiohttp.FormData(quote_fields=False)
                form.add_field("payload_json", json.dumps(body), content_type="application/json")
                form.add_field(
                    "files[0]", sample_picture(), filename=PICTURE, content_type="image/png"
                )
                sent = {"data": form}
            async with self.session.request(
                method, url, headers=headers, proxy=proxy, **sent
            ) as answer:
                text = await answer.text()
                content = json.loads(text) if answer.content_type == "application/json" else None
                named = {name.lower(): value for name, value in answer.headers.items()}
                response = Response(answer.status, content, named)
            wait = content.get("retry_after", 1.0) if isinstance(content, dict) else 1.0
            if response.status != 429 or tried == tries - 1 or wait > WITHIN:
                break
            await asyncio.sleep(wait)
        if must is not None and not response.well:
            raise Otherwise(f"{must}{response}")
        return response

    async def post(self, body: Any, *, picture: bool = False, must: str = "") -> str:
        """Post a message and return its id; the message is deleted at the end.

        If Discord refuses the message, raise `Otherwise` with the text `must`, then Discord's
        answer.
        """
        response = await self.request("POST", self.messages, body, picture=picture, must=must)
        message_id: str = response.body["id"]
        if message_id not in self.posted:
            self.posted.append(message_id)
        return message_id

    async def make_and_remove(self, path: str, body: Any) -> Seen:
        """POST `body` to `path`, delete what that creates, and report whether the deletion worked.

        Raises `Otherwise` if Discord refuses the creation.
        """
        creation = await self.request("POST", path, body, must="")
        deletion = await self.request("DELETE", f"{path}/{creation.body['id']}")
        return Seen(f"taken ({creation}), removed ({deletion})", deletion.well)

    @property
    def messages(self) -> str:
        """The path of the channel's messages."""
        return f"/channels/{self.channel}/messages"

    @property
    def itself(self) -> str:
        """The path of the message that most checks use."""
        return f"{self.messages}/{self.message}"

    async def press(
        self, button: str, question: str, within: float | None = None
    ) -> dict[str, Any]:
        """Ask a person to press a button, and return the press.

        `button`: its custom id. `within`: seconds to wait, by default the run's `patience`. Raises
        `NotPressed` if no one presses in time.
        """
        self.ask(question)
        try:
            async with asyncio.timeout(within or self.patience):
                while True:
                    press = await self.presses.get()
                    if press.get("data", {}).get("custom_id") == button:
                        return press
        except TimeoutError:
            raise NotPressed("nobody pressed it in time") from None

    def token_of_press(self) -> str:
        """Return the token of the press on the Table button.

        Raises `NotPressed` if no one pressed the button.
        """
        if not self.pressed:
            raise NotPressed("nobody pressed it in time")
        return self.pressed

    async def answer(
        self, press: dict[str, Any], kind: int, data: dict[str, Any], **options: Any
    ) -> Response:
        """Answer a press, with the `options` of `request`. `kind`: Discord's type of the answer."""
        path = f"/interactions/{press['id']}/{press['token']}/callback?with_response=true"
        return await self.request("POST", path, {"type": kind, "data": data}, **options)

    async def redraw(self, path: str, body: dict[str, Any]) -> Response:
        """Edit a message, sending the picture with it."""
        return await self.request("PATCH", path, body, picture=True)

    def original(self, token: str, message: str = "@original") -> str:
        """Return the path for editing a message with a press's token.

        `message`: the message's id; by default, the answer to the press.
        """
        return f"/webhooks/{self.application}/{token}/messages/{message}"


def parts(text: str, *buttons: tuple[str, str], picture: bool = False) -> list[dict[str, Any]]:
    """Return components: a text, a picture if `picture`, and buttons (custom id and label)."""
    components: list[dict[str, Any]] = [{"type": 10, "content": text}]
    if picture:
        components.append({"type": 12, "items": [{"media": {"url": f"attachment://{PICTURE}"}}]})
    if buttons:
        row = [
            {"type": 2, "style": 2, "custom_id": custom_id, "label": label}
            for custom_id, label in buttons
        ]
        components.append({"type": 1, "components": row})
    return components


def drawing(text: str, *buttons: tuple[str, str]) -> dict[str, Any]:
    """Return the body of a message with a text, the sample picture and buttons."""
    attachments = [{"id": 0, "filename": PICTURE}]
    return {"components": parts(text, *buttons, picture=True), "attachments": attachments}


@cache
def sample_picture() -> bytes:
    """Return a small picture: 128 by 128, one colour."""
    from PIL import Image

    png = BytesIO()
    Image.new("RGB", (128, 128), (0x2E, 0x7D, 0x5B)).save(png, "PNG")
    return png.getvalue()


TABLE: Final = ("doctor:table", "Table")
SEAT: Final = ("doctor:seat", "Seat")
LATER: Final = ("doctor:later", "After an hour")
CHECKS: Final[list[LiveCheck]] = []  # in the order in which they run


def _check(name: str, assumed: str, means: str) -> Callable[[Act], Act]:
    """Return a decorator that registers a function as a check."""

    def add(act: Act) -> Act:
        CHECKS.append(LiveCheck(name, assumed, means, act))
        return act

    return add


@_check(
    "post",
    "accepts components with a picture; the same nonce returns the same message",
    "retrying a table's post doesn't duplicate it",
)
async def _check_post(trial: CheckRun) -> Seen:
    body = drawing("Bluffhouse's doctor tries things here.", TABLE, SEAT)
    body |= {"flags": _V2, "nonce": trial.nonce, "enforce_nonce": True}
    trial.message = await trial.post(body, picture=True)
    same = await trial.post(body, picture=True, must="taken; again: ") == trial.message
    which = "the same message" if same else "a second message"
    return Seen(f"taken; the same nonce again: {which}", same)


@_check(
    "edit",
    "an edit by id replaces the picture",
    "a table is redrawn with its picture",
)
async def _check_edit(trial: CheckRun) -> Seen:
    response = await trial.redraw(trial.itself, drawing("Edited by its id.", TABLE, SEAT))
    trial.edited = response.headers
    lost = "; the picture is gone" if response.well and not response.has_picture else ""
    return Seen(f"{response}{lost}", response.has_picture)


@_check(
    "limits",
    "a channel takes five edits in five seconds, according to its headers",
    "if fewer: tables in one channel are redrawn more slowly",
)
async def _check_limits(trial: CheckRun) -> Seen:
    most, after = (trial.edited.get(f"x-ratelimit-{name}") for name in ("limit", "reset-after"))
    if most is None or after is None:
        raise Otherwise("the headers tell none")
    return Seen(f"{most} edits, anew after {after} s", int(float(most)) >= 5)


@_check(
    "clock",
    "this machine's clock is within two seconds of Discord's",
    "otherwise the bot shows times by Discord's clock, and logs it once",
)
async def _check_clock(trial: CheckRun) -> Seen:
    sent_at = time.time()
    response = await trial.request("GET", "/gateway")
    ahead = seconds_ahead(response.headers.get("date"), sent_at, time.time())
    if ahead is None:
        raise Otherwise("it cannot be told")
    return Seen(f"this machine is {ahead:+.1f} s from it", abs(ahead) < 2)


@_check(
    "command",
    "accepts and deletes a command for servers and users, with a Polish description",
    "commands are described in all languages; a tick may be missing on the Installation page",
)
async def _check_command(trial: CheckRun) -> Seen:
    body = {
        "name": NAME,
        "type": 1,
        "description": "Tried by the doctor",
        "description_localizations": {"pl": "Próba lekarza"},
        "integration_types": [0, 1],
        "contexts": [0, 1, 2],
    }
    return await trial.make_and_remove(f"/applications/{trial.application}/commands", body)


@_check(
    "emoji",
    "the application accepts a 128 by 128 emoji, and deletes it",
    "cards are application emoji; if they are refused, cards are text",
)
async def _check_emoji(trial: CheckRun) -> Seen:
    path = f"/applications/{trial.application}/emojis"
    listed = await trial.request("GET", path, must="the list: ")
    for emoji in listed.body["items"]:  # emoji left over from an interrupted run
        if emoji["name"] == NAME:
            await trial.request("DELETE", f"{path}/{emoji['id']}")
    image = "data:image/png;base64," + base64.b64encode(sample_picture()).decode()
    return await trial.make_and_remove(path, {"name": NAME, "image": image})


@_check(
    "table button",
    "updating the message in place replaces its image",
    "a move at the table is one request",
)
async def _check_table_press(trial: CheckRun) -> Seen:
    press = await trial.press(TABLE[0], "Please press *Table* in the channel.")
    trial.pressed = press["token"]
    body = drawing("Table: answered.", TABLE, SEAT)
    response = await trial.answer(press, 7, body, picture=True, must="")
    has_picture = (await trial.request("GET", trial.itself)).has_picture
    return Seen(
        f"{response}; {'with its picture' if has_picture else 'the picture is gone'}", has_picture
    )


@_check(
    "token redraw",
    "a press's token can edit the pressed message, as @original and by its id",
    "redraws of a table don't count towards the bot's requests",
)
async def _check_token_redraw(trial: CheckRun) -> Seen:
    token = trial.token_of_press()
    body = drawing("Redrawn by a press.", TABLE, SEAT)
    as_own, by_id = [
        await trial.redraw(trial.original(token, message), body)
        for message in ("@original", trial.message)
    ]
    has_picture = as_own.has_picture and by_id.has_picture
    lost = "; the picture is gone" if as_own.well and by_id.well and not has_picture else ""
    return Seen(f"as its own message: {as_own}; by its id: {by_id}{lost}", has_picture)


@_check(
    "seat button",
    "after a private deferral, editing @original answers, with components and a file",
    "seats that take long to draw still arrive, and only their player sees them",
)
async def _check_seat_press(trial: CheckRun) -> Seen:
    press = await trial.press(SEAT[0], "Please press *Seat*.")
    await trial.answer(press, 5, {"flags": _PRIVATE}, must="to wait: ")
    body = drawing("Seat: for you alone.") | {"flags": _V2}
    path = trial.original(press["token"])
    response = await trial.request("PATCH", path, body, picture=True, must="the answer: ")
    private = bool(response.body.get("flags", 0) & _PRIVATE)
    return Seen(f"{response}; {'for them alone' if private else 'for all to see'}", private)


@_check(
    "token limits",
    "tokens in one channel can edit 24 times a minute, and four times in two seconds",
    "if fewer: the bot falls back to its own token after a refusal, and its requests count again",
)
async def _check_token_limits(trial: CheckRun) -> Seen:
    taken, refused = 0, None
    body = {"components": parts("Edited often.", TABLE, SEAT), "attachments": []}
    began = time.monotonic()
    path = trial.original(trial.token_of_press())
    while taken < MOST_EDITS and refused is None:
        response = await trial.request("PATCH", path, body, tries=1)
        if response.well:
            taken += 1
            await asyncio.sleep(trial.pace)
        else:
            refused = response
    text = f"{taken} edits in {time.monotonic() - began:.0f} s"
    if refused is not None:
        after = refused.body.get("retry_after") if isinstance(refused.body, dict) else None
        scope = refused.headers.get("x-ratelimit-scope", "no scope")
        text += f", then {refused.status} ({scope}), anew after {after} s"
    return Seen(text, taken >= SHARE)


@_check(
    "new message",
    "a press can be answered by a new message with a picture, even past the token limits",
    "a deal or showdown is the answer to the press that caused it",
)
async def _check_new_message(trial: CheckRun) -> Seen:
    press = await trial.press(TABLE[0], "Please press *Table* again.")
    data = drawing("News: the answer to a press.") | {"flags": _V2}
    response = await trial.answer(press, 4, data, picture=True, must="the answer: ")
    message = response.body["resource"]["message"]
    trial.posted.append(message["id"])
    replies = message.get("message_reference") or message.get("type") in _REPLIES
    text = f"{response}; {'a reply' if replies else 'a message of its own'}"
    return Seen(text, not message.get("flags", 0) & _PRIVATE)


@_check(
    "press after an hour",
    "an hour-old message can be updated in place; an hour-old token is refused",
    "old tables answer; a seat unused for 15 minutes waits for a press",
)
async def _check_late_press(trial: CheckRun) -> Seen:
    minutes = trial.hour / 60
    request = (
        f"Please press *After an hour* in {minutes:.0f} minutes, and leave this running until then."
        " Ctrl-C ends without it."
    )
    try:
        while True:
            press = await trial.press(LATER[0], request, trial.hour + trial.patience)
            left = trial.hour - (time.monotonic() - trial.began)
            if left <= 0:
                break
            request = f"Too early: please press *After an hour* in {left / 60:.0f} minutes."
            await trial.answer(press, 4, {"flags": _PRIVATE, "content": request})
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        raise NotPressed("not waited for") from None
    response = await trial.answer(
        press, 7, {"components": parts("After an hour: answered.", LATER)}
    )
    edit = {"components": parts("After an hour: edited.", LATER)}
    byid = await trial.request("PATCH", f"{trial.messages}/{trial.later}", edit)
    by_token = {"components": parts("By a token of an hour ago.", TABLE, SEAT), "attachments": []}
    old = await trial.request("PATCH", trial.original(trial.pressed or "none"), by_token)
    text = f"the answer: {response}; an edit by id: {byid}; by a token of an hour ago: {old}"
    return Seen(text, response.well and not old.well)


@_check(
    "fold",
    "an edit without attachments removes the picture",
    "a finished round keeps no picture",
)
async def _check_fold(trial: CheckRun) -> Seen:
    before = await trial.redraw(trial.itself, drawing("To be folded."))
    if not before.has_picture:
        raise Otherwise(f"a picture to take away: {before}")
    body = {"components": parts("Folded."), "attachments": []}
    response = await trial.request("PATCH", trial.itself, body)
    left = "; the picture is still there" if response.has_picture else ""
    return Seen(f"{response}{left}", response.well and not response.has_picture)


@_check(
    "delete",
    "a deleted message is gone, and its nonce then returns Unknown Message",
    "a post that meets this is sent with another nonce",
)
async def _check_delete(trial: CheckRun) -> Seen:
    body = {
        "flags": _V2,
        "components": parts("To be deleted."),
        # a nonce of its own: Discord forgets a nonce after some minutes, and an hour may have
        # passed
        "nonce": secrets.token_hex(12),
        "enforce_nonce": True,
    }
    posted = await trial.post(body)
    gone = await trial.request("DELETE", f"{trial.messages}/{posted}")
    if gone.well:
        trial.posted.remove(posted)
    again = await trial.request("POST", trial.messages, body)
    if again.well and again.body["id"] not in trial.posted:
        trial.posted.append(again.body["id"])
    return Seen(f"{gone}; its nonce again: {again}", gone.well and again.status == 404)


async def try_out(
    token: str,
    channel: str,
    ask: Callable[[str], None],
    api_url: str | None = None,
    gateway_url: str | None = None,
    *,
    hour: float = HOUR,
    patience: float = PRESSED_WITHIN,
    pace: float = PACE,
    checks: Sequence[LiveCheck] | None = None,
) -> list[tuple[LiveCheck, Seen | None]]:
    """Run `checks`, by default all, in a channel; a check's result is None if no one pressed.

    `ask` shows a person what to press. All in seconds: `hour` until the late press, `patience` for
    a person to press, `pace` between edits with one token. Raises `NoTrial` if the checks can't
    run.
    """
    timeout = aiohttp.ClientTimeout(total=WITHIN)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        base = (api_url or API).rstrip("/")
        trial = CheckRun(session, base, token, channel, ask, hour, patience, pace)
        try:
            await _find_out(trial)
            async with _listening(trial, gateway_url):
                await _post_for_later(trial)
                try:
                    return [(check, await _run_check(check, trial)) for check in checks or CHECKS]
                finally:
                    for message in trial.posted:
                        with contextlib.suppress(*_NO_ANSWER):  # the results are valid anyway
                            await trial.request("DELETE", f"{trial.messages}/{message}")
        except UnusableProxy as error:
            raise NoTrial(str(error)) from None
        except (*_NO_ANSWER, ValueError) as error:
            reason = _error_text(error)
            raise NoTrial(f"Discord does not answer as it should ({reason}); try again") from None


async def _run_check(check: LiveCheck, trial: CheckRun) -> Seen | None:
    try:
        return await check.act(trial)
    except NotPressed:
        return None
    except Otherwise as error:
        return Seen(str(error), as_assumed=False)
    except _NO_ANSWER as error:  # the other checks still run, and their results stay
        return Seen(f"no answer ({type(error).__name__})", as_assumed=False)
    except (KeyError, TypeError, AttributeError) as error:  # an answer in an unexpected format
        return Seen(f"an answer that cannot be read ({type(error).__name__})", as_assumed=False)


async def _find_out(trial: CheckRun) -> None:
    """Look up the application's id, and check the channel.

    Raises `NoTrial` if Discord refuses the token, if the bot can't see the channel, or if the
    channel isn't in a server.
    """
    about = await trial.request("GET", "/oauth2/applications/@me")
    if about.status == 401:
        raise NoTrial("Discord refuses the token: copy it again from the application's Bot page")
    place = await trial.request("GET", f"/channels/{trial.channel}")
    if not about.well or not place.well or not isinstance(place.body, dict):
        raise NoTrial(
            f"the bot can't see that channel ({place}): give the number from *Copy Channel ID*"
            ", in a server that has the bot, for example --discord 1234567890123456789"
        )
    trial.application = about.body["id"]
    if not place.body.get("guild_id"):
        raise NoTrial("that isn't a server channel: make one for this, and give its number")


async def _post_for_later(trial: CheckRun) -> None:
    body = {"flags": _V2, "components": parts("To be pressed after an hour.", LATER)}
    try:
        trial.later = await trial.post(body)
    except Otherwise as error:
        raise NoTrial(f"the bot can't post in that channel ({error})") from None
    trial.began = time.monotonic()


@asynccontextmanager
async def _listening(trial: CheckRun, gateway_url: str | None) -> AsyncIterator[None]:
    """Receive presses during the block, in a gateway session.

    Discord allows a thousand sessions a day, and this uses at least one.
    """
    url = gateway_url or (await trial.request("GET", "/gateway")).body["url"]
    address = f"{str(url).rstrip('/')}/?v=10&encoding=json"
    ready = asyncio.Event()
    listening = asyncio.create_task(_listen(trial, address, ready), name="listening")
    try:
        async with asyncio.timeout(WITHIN):
            await ready.wait()
        yield
    finally:
        listening.cancel()
        await asyncio.wait({listening})


async def _listen(trial: CheckRun, address: str, ready: asyncio.Event) -> None:
    """Receive presses until cancelled; reconnect when Discord asks or the connection is lost."""
    for pause in RETRY.pauses():
        with contextlib.suppress(aiohttp.ClientError, OSError, ValueError, TypeError, KeyError):
            async with trial.session.ws_connect(address, proxy=proxy_for(address)) as socket:
                await _converse(socket, trial, ready)
        await asyncio.sleep(pause)


async def _converse(
    socket: aiohttp.ClientWebSocketResponse, trial: CheckRun, ready: asyncio.Event
) -> None:
    """Run one session until it ends: set `ready` when it has begun, and queue each press."""
    latest: list[int | None] = [None]  # the number of the latest event

    async def beat(every: float) -> None:
        while True:
            await asyncio.sleep(every)
            await socket.send_json({"op": _HEARTBEAT, "d": latest[0]})

    hello = await socket.receive_json(timeout=WITHIN)
    beating = asyncio.create_task(beat(hello["d"]["heartbeat_interval"] / 1000), name="beating")
    names = {"os": "linux", "browser": "bluffhouse", "device": "bluffhouse"}
    identify = {"token": trial.token, "intents": 0, "properties": names}
    try:
        await socket.send_json({"op": _IDENTIFY, "d": identify})
        async for frame in socket:
            event = json.loads(frame.data)
            latest[0] = event.get("s") or latest[0]
            if event.get("op") in _OVER:
                return
            if event.get("t") == "READY":
                ready.set()
            elif event.get("t") == "INTERACTION_CREATE":
                await trial.presses.put(event["d"])
    finally:
        beating.cancel()
        await asyncio.wait({beating})


def report(results: Sequence[tuple[LiveCheck, Seen | None]]) -> list[tuple[str, str]]:
    """Return the results as lines without ids, each as (label, text)."""
    lines: list[tuple[str, str]] = []
    for check, observation in results:
        mark = "--" if observation is None else "ok" if observation.as_assumed else "NO"
        text = "nobody pressed it" if observation is None else _IDS.sub("…", observation.text)
        lines += [
            (f"{mark}  ", check.name),
            ("    assumed  ", check.assumed),
            ("    seen     ", text),
            ("    here     ", check.means),
        ]
    return lines
