"""The local Discord over plain HTTP, and over a gateway connection without a client library."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from yarl import URL

from bot.sandbox.clock import EPOCH_MS, ManualClock, Snowflakes, seconds_of, shard_of
from bot.sandbox.discord_state import Channel, Interaction
from bot.sandbox.limits import DAY, KEPT, Admission, Allowance, Limit, RateLimits
from bot.sandbox.world import Sandbox
from tests.bot.sandbox.raw import AUTHORIZATION, Raw, Socket, refusal
from tests.bot.sandbox.waiting import bot_going
from tests.people import Snug, start_world

# -- messages, files, channels and faults ----------------------------------------------------------

PICTURED = {
    "flags": 1 << 15,
    "components": [{"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}],
}
PNG = b"\x89PNG\r\n\x1a\n" + bytes(8) + struct.pack(">II", 40, 30) + bytes(8)


def path_of(message: Any) -> str:
    return f"/channels/{message['channel_id']}/messages/{message['id']}"


async def test_unknown_route_is_answered_404_and_remembered(snug: Snug, raw: Raw) -> None:
    assert refusal(await raw.api("GET", "/channels/1/pins")) == (404, 0)
    assert snug.world.state.unknown_requests == ["GET /api/v10/channels/1/pins"]


async def test_flags_that_are_not_emulated_are_refused(snug: Snug, raw: Raw) -> None:
    for flags in (1 << 2, 1 << 6, 1 << 12):
        status, body = await raw.send(snug.table.id, {"content": "x", "flags": flags})
        assert (status, body["code"]) == (400, 50035)
        assert body["errors"]["flags"]["_errors"][0]["code"] == "BITFIELD_TYPE_INVALID"


async def test_request_without_a_sandbox_token_is_unauthorized(snug: Snug, raw: Raw) -> None:
    for token in ("", "Bot abc", "sandbox", "Bot sandboxed.GabCde.abcdefgh"):
        status, _ = await raw.api("GET", "/users/@me", headers={"Authorization": token})
        assert status == 401
    url = snug.world.api_url + "/users/@me"
    async with raw.http.get(url, headers=AUTHORIZATION) as response:
        assert response.status == 200
        assert response.headers["Content-Type"] == "application/json"  # without a charset


async def test_picture_is_served_where_its_component_points(snug: Snug, raw: Raw) -> None:
    body = PICTURED | {"attachments": [{"id": 0, "filename": "a.png", "description": "a board"}]}
    _, sent = await raw.send(snug.table.id, body, files=[("a.png", PNG)])
    media = sent["components"][0]["items"][0]["media"]
    assert (media["width"], media["height"]) == (40, 30)
    async with raw.http.get(media["url"]) as response:
        assert response.content_type == "image/png"
        assert await response.read() == PNG
    assert sent["attachments"] == [], "what components show is not among them"


@pytest.mark.parametrize(
    ("named", "is_kept"),
    [
        (("id", "filename"), True),
        (("id",), False),  # seen refused on the real Discord in October 2026
        ((), False),
        (None, False),  # no `attachments` at all
    ],
)
async def test_an_edit_shows_a_file_that_is_there_if_it_names_it_by_id_and_name(
    snug: Snug, raw: Raw, named: tuple[str, ...] | None, is_kept: bool
) -> None:
    _, sent = await raw.send(snug.table.id, PICTURED, files=[("a.png", PNG)])
    media = sent["components"][0]["items"][0]["media"]
    file = {"id": media["attachment_id"], "filename": "a.png"}
    body = dict(PICTURED)
    if named is not None:
        body["attachments"] = [{key: file[key] for key in named}] if named else []
    status, edited = await raw.api("PATCH", path_of(sent), body)
    if is_kept:
        assert edited["components"][0]["items"][0]["media"] == media
    else:
        assert (status, edited["code"]) == (400, 50035)
        assert "REFERENCED_ATTACHMENT_NOT_FOUND" in json.dumps(edited["errors"])


async def test_a_message_has_at_most_ten_files_kept_ones_included(snug: Snug, raw: Raw) -> None:
    files = [(f"{n}.png", PNG) for n in range(10)]
    _, sent = await raw.send(snug.table.id, {"content": "x"}, files=files)
    assert len(sent["attachments"]) == 10
    assert (await raw.api("PATCH", path_of(sent), {"content": "y"}, files=files[:1]))[0] == 400
    _, edited = await raw.api("PATCH", path_of(sent), {"content": "y"})
    assert edited["attachments"] == sent["attachments"]
    eleven = await raw.send(snug.table.id, {"content": "x"}, files=[*files, ("ten.png", PNG)])
    assert eleven[0] == 400


async def test_a_nonce_whose_message_was_deleted_makes_no_other(snug: Snug, raw: Raw) -> None:
    body = {"content": "x", "nonce": "7", "enforce_nonce": True}
    _, sent = await raw.send(snug.table.id, body)
    assert (await raw.api("DELETE", path_of(sent)))[0] == 204
    assert refusal(await raw.api("GET", path_of(sent))) == (404, 10008)
    assert refusal(await raw.send(snug.table.id, body)) == (404, 10008)
    assert (await raw.send(snug.table.id, body | {"nonce": "8"}))[0] == 200
    assert (await raw.send(snug.table.id, body | {"enforce_nonce": False}))[0] == 200


@pytest.mark.parametrize(
    ("name_given", "stored"),
    [
        ("a b.png", "a_b.png"),
        ("_board.png", "board.png"),
        ("hello (world).png", "hello_world.png"),
        ("żółw.png", "zow.png"),
        ("../../etc/passwd", "etc_passwd"),
        ("画像", "unknown"),
        ("hand-0a1b.png", "hand-0a1b.png"),
    ],
)
async def test_a_file_is_stored_and_shown_by_the_name_that_discord_makes_of_its_own(
    snug: Snug, raw: Raw, name_given: str, stored: str
) -> None:
    def board(name: str) -> dict[str, object]:
        gallery = {"type": 12, "items": [{"media": {"url": f"attachment://{name}"}}]}
        return {"flags": 1 << 15, "components": [gallery]}

    status, sent = await raw.send(snug.table.id, board(stored), files=[(name_given, PNG)])
    assert status == 200
    assert sent["components"][0]["items"][0]["media"]["url"].endswith(f"/{stored}")
    named = {"attachments": [{"id": 0, "filename": name_given}]}
    status, _ = await raw.send(snug.table.id, board(stored) | named, files=[("x.png", PNG)])
    assert status == 200
    if name_given != stored:
        status, answer = await raw.send(snug.table.id, board(name_given), files=[(name_given, PNG)])
        assert (status, answer["code"]) == (400, 50035)
        assert "REFERENCED_ATTACHMENT_NOT_FOUND" in str(answer["errors"])


async def test_edit_keeps_only_the_attachments_it_names(snug: Snug, raw: Raw) -> None:
    files = [("a.png", PNG), ("b.png", PNG)]
    _, sent = await raw.send(snug.table.id, {"content": "two"}, files=files)
    path, attachment = path_of(sent), sent["attachments"][1]
    _, edited = await raw.api("PATCH", path, {"attachments": [{"id": attachment["id"]}]})
    assert [file["id"] for file in edited["attachments"]] == [attachment["id"]]
    async with raw.http.get(sent["attachments"][0]["url"]) as response:
        assert response.status == 404
    _, edited = await raw.api("PATCH", path, {"attachments": [{"id": 0}]}, files=[("c.png", PNG)])
    assert [file["filename"] for file in edited["attachments"]] == ["c.png"]


async def test_messages_are_listed_newest_first_and_paged(snug: Snug, raw: Raw) -> None:
    sent = [(await raw.send(snug.table.id, {"content": str(n)}))[1]["id"] for n in range(5)]
    path = f"/channels/{snug.table.id}/messages"
    _, newest = await raw.api("GET", f"{path}?limit=2")
    assert [message["content"] for message in newest] == ["4", "3"]
    _, before = await raw.api("GET", f"{path}?limit=2&before={sent[3]}")
    assert [message["content"] for message in before] == ["2", "1"]


async def test_other_peoples_messages_cannot_be_edited(snug: Snug, raw: Raw) -> None:
    message = (await snug.ann.say(snug.table, "mine")).seen
    answer = await raw.api("PATCH", path_of(message.payload), {"content": "yours"})
    assert refusal(answer) == (403, 50005)


async def test_missing_permissions_of_a_channel(snug: Snug, raw: Raw) -> None:
    for permission, code in (("send_messages", 50013), ("view_channel", 50001)):
        await snug.world.faults.deny(snug.table, permission)
        assert refusal(await raw.send(snug.table.id, {"content": "x"})) == (403, code)
    await snug.world.faults.deny(snug.table)
    assert (await raw.send(snug.table.id, {"content": "x"}))[0] == 200


async def test_rate_limit_hits_the_next_requests_of_its_route(snug: Snug, raw: Raw) -> None:
    snug.world.faults.rate_limit("POST /channels/*", times=2, retry_after=0.25)
    assert (await raw.api("GET", f"/channels/{snug.table.id}"))[0] == 200
    for _ in range(2):
        status, body = await raw.send(snug.table.id, {"content": "x"})
        assert (status, body["retry_after"]) == (429, 0.25)
    assert (await raw.send(snug.table.id, {"content": "x"}))[0] == 200
    assert len(snug.ann.visible(snug.table)) == 1


async def test_server_error_does_nothing_and_a_lost_answer_does_it(snug: Snug, raw: Raw) -> None:
    snug.world.faults.server_error(status=503)
    assert (await raw.send(snug.table.id, {"content": "never"}))[0] == 503
    snug.world.faults.lose_answer("POST /channels/{channel_id}/messages")
    assert (await raw.send(snug.table.id, {"content": "done"}))[0] == 500
    assert snug.ann.text(snug.table) == "done"


async def test_every_request_is_recorded_by_its_template(snug: Snug, raw: Raw) -> None:
    await raw.send(snug.table.id, {"content": "x"}, files=[("a.png", PNG)])
    requests = snug.world.state.requests[-1]
    assert (requests.method, requests.route) == ("POST", "/channels/{channel_id}/messages")
    assert requests.path == f"/channels/{snug.table.id}/messages"
    assert (requests.body, requests.files, requests.status) == ({"content": "x"}, ("a.png",), 200)


async def test_command_keeps_its_id_when_the_list_is_overwritten(snug: Snug, raw: Raw) -> None:
    path = f"/applications/{snug.world.state.bot.id}/commands"
    command = {"name": "play", "description": "d", "type": 1}
    _, first = await raw.api("PUT", path, [command])
    _, second = await raw.api("PUT", path, [{"name": "look", "description": "d"}, command])
    assert first[0]["id"] == second[1]["id"]
    assert second[0]["id"] != second[1]["id"]
    assert (await raw.api("GET", path))[1] == second


async def test_direct_messages_with_a_stranger_cannot_be_opened(snug: Snug, raw: Raw) -> None:
    answer = await raw.api("POST", "/users/@me/channels", {"recipient_id": "12"})
    assert refusal(answer) == (400, 50033)


async def test_ephemeral_message_cannot_be_fetched_from_its_channel(snug: Snug, raw: Raw) -> None:
    hidden = await snug.world.messages.create(
        snug.table, snug.world.state.bot, {"content": "secret"}, visible_to=snug.ann.id
    )
    path = f"/channels/{snug.table.id}/messages"
    assert (await raw.api("GET", f"{path}/{hidden.id}"))[0] == 404
    assert (await raw.api("GET", path))[1] == []


# -- the gateway's protocol ------------------------------------------------------------------------


async def test_a_heartbeats_answer_never_arrives_before_its_sending_is_noted(
    snug: Snug, raw: Raw
) -> None:
    """Check that a heartbeat is answered late, after READY and the first server.

    discord.py stores the time of a heartbeat only after it has sent it.
    """
    socket = await Socket.connect(raw)
    assert (await socket.hear())["d"]["heartbeat_interval"] < 10_000  # above that it warns
    await socket.say(1, None)
    await socket.identify()  # sent after the heartbeat, answered before it
    ready, guild = await socket.hear(), await socket.hear()
    assert (ready["t"], ready["s"]) == ("READY", 1)
    assert ready["d"]["guilds"] == [{"id": snug.server.id, "unavailable": True}]
    assert (guild["t"], guild["d"]["name"]) == ("GUILD_CREATE", "The Snug")
    assert (await socket.hear())["op"] == 11


async def test_bad_identity_closes_the_connection(snug: Snug, raw: Raw) -> None:
    for identity, code in (
        ({"token": "wrong"}, 4004),
        ({"token": "MTAxMDEwMTAx.GabCde.abcdefghijkl"}, 4004),
        ({"intents": 1 << 15}, 4014),
        ({"intents": 1 | 1 << 9}, 4013),
        ({"shard": [2, 2]}, 4010),
    ):
        socket = await Socket.connect_and_greet(raw)
        await socket.identify(**identity)
        assert await socket.hear() == code
    socket = await Socket.connect_and_greet(raw)
    await socket.say(3, {})  # before it is known who speaks
    assert await socket.hear() == 4003


async def test_an_unsupported_gateway_message_closes_the_connection(snug: Snug, raw: Raw) -> None:
    for operation in (4, 8, 99):  # voice, members, none of Discord's
        socket = await Socket.connect_and_greet(raw)
        await socket.identify()
        await socket.hear_event("GUILD_CREATE")
        await socket.say(operation, {})
        assert await socket.hear() == 4001


async def test_without_intents_only_interactions_are_received(snug: Snug, raw: Raw) -> None:
    socket = await Socket.connect_and_greet(raw)
    await socket.identify(intents=0)
    assert (await socket.hear())["t"] == "READY"
    for event in ("CHANNEL_CREATE", "INTERACTION_CREATE"):
        await snug.world.gateway.dispatch(event, {}, snug.server.id)
    assert (await socket.hear())["t"] == "INTERACTION_CREATE"


async def test_resume_replays_what_was_missed(snug: Snug, raw: Raw) -> None:
    socket = await Socket.connect_and_greet(raw)
    await socket.identify()
    ready, guild = await socket.hear(), await socket.hear()
    async with bot_going(snug.world, snug.ann):
        await snug.world.gateway.drop_sockets()
    await snug.world.gateway.dispatch("INTERACTION_CREATE", {"id": "missed"}, snug.server.id)
    again = await Socket.connect_and_greet(raw)
    resume = {"token": "sandbox", "session_id": ready["d"]["session_id"], "seq": guild["s"]}
    await again.say(6, resume)
    missed = await again.hear()
    assert (missed["t"], missed["s"]) == ("INTERACTION_CREATE", guild["s"] + 1)
    assert missed["d"] == {"id": "missed"}
    assert (await again.hear())["t"] == "RESUMED"


async def test_resume_of_an_unknown_or_cleanly_closed_session_is_invalid(
    snug: Snug, raw: Raw
) -> None:
    socket = await Socket.connect_and_greet(raw)
    await socket.identify()
    session = (await socket.hear())["d"]["session_id"]
    async with bot_going(snug.world, snug.ann):
        await socket.socket.close()
    for unknown in (session, "nobody"):
        again = await Socket.connect_and_greet(raw)
        await again.say(6, {"token": "sandbox", "session_id": unknown, "seq": 1})
        assert await again.hear() == {"op": 9, "d": False, "s": None, "t": None}


def test_snowflakes_rise_and_tell_their_time() -> None:
    clock = ManualClock()
    snowflakes = Snowflakes(clock)
    first, second = snowflakes.next(), snowflakes.next()
    assert int(second) == int(first) + 1
    assert seconds_of(first) == clock.now()
    assert int(first) == (int(clock.now() * 1000) - EPOCH_MS) << 22


# -- limits of requests ----------------------------------------------------------------------------

TOKEN = {"Authorization": "Bot sandbox"}


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(time.time())


@pytest_asyncio.fixture
async def snug(clock: ManualClock) -> AsyncIterator[Snug]:
    async with start_world(clock) as world:
        yield world


def left(allowance: Allowance | None) -> Allowance:
    """Return a limit's allowance; assert that the limit applies to the request."""
    assert allowance is not None
    return allowance


def test_no_second_takes_more_than_the_limit_of_all() -> None:
    limits = RateLimits(everywhere=Limit(3, 1.0))
    for at in (0.0, 0.1, 0.2):
        assert limits.ask("GET /a", "", at) is None
    allowance = left(limits.ask("POST /b", "7", 0.4))
    assert allowance.scope == "global"
    assert abs(allowance.refused_for - 0.6) < 1e-9
    assert limits.ask("GET /b", "", 1.05) is None
    assert limits.refused == 1


def test_a_channels_limit_belongs_to_one_route_and_shows_the_rest() -> None:
    limits = RateLimits(a_channel=Limit(2, 5.0))
    first, second, third = (left(limits.ask("POST /m", "1", at)) for at in (0.0, 1.0, 2.0))
    assert (first.remaining, first.reset_after) == (1, 2.5)
    assert (second.remaining, second.reset_after, second.refused_for) == (0, 4.0, 0.0)
    assert (round(third.refused_for, 3), third.reset_after, third.scope) == (0.5, 3.0, "user")
    for route, channel in (("PATCH /m", "1"), ("POST /m", "2")):
        assert left(limits.ask(route, channel, 2.0)).refused_for == 0
    assert limits.ask("GET /users/@me", "", 2.0) is None


@pytest.mark.parametrize("now", [0.0, 1_800_000_000.123])
def test_a_bucket_drains_evenly_so_its_reset_grows_with_use(now: float) -> None:
    limits = RateLimits()
    used = [left(limits.ask("POST /m", "1", now)) for _ in range(5)]
    assert [allowance.remaining for allowance in used] == [4, 3, 2, 1, 0]
    assert [round(allowance.reset_after, 3) for allowance in used] == [1, 2, 3, 4, 5]
    for second in range(1, 4):  # each gives room for one more, and no sooner
        assert left(limits.ask("POST /m", "1", now + second - 0.01)).refused_for == pytest.approx(
            0.01, abs=0.002
        )
        taken = left(limits.ask("POST /m", "1", now + second))
        assert (taken.refused_for, taken.remaining, round(taken.reset_after, 3)) == (0, 0, 5)


def test_by_a_token_five_in_two_seconds_and_by_all_of_a_channel_thirty_in_a_minute() -> None:
    limits = RateLimits()
    allowances = [left(limits.ask_by_token("a", "1", 0.01 * n)) for n in range(6)]
    assert [allowance.refused_for > 0 for allowance in allowances] == [False] * 5 + [True]
    assert allowances[-1].scope == "user"
    for n in range(25):
        assert not left(limits.ask_by_token(f"b{n}", "1", 3.0 + n)).refused_for
    last = left(limits.ask_by_token("c", "1", 40.0))
    assert (last.scope, last.refused_for) == ("shared", 20.0)
    assert not left(limits.ask_by_token("c", "2", 40.0)).refused_for


def test_requests_older_than_every_limit_are_forgotten() -> None:
    limits = RateLimits()
    for n in range(5 * KEPT):
        limits.ask_by_token(str(n), str(n), float(n))
    assert len(limits._used) < 2 * KEPT


async def test_rate_limits_apply_unless_the_sandboxs_clock_is_stopped() -> None:
    assert Sandbox().limits.a_channel == Limit(5, 5.0)
    assert Sandbox().limits.all_tokens == Limit(30, 60.0)
    assert Sandbox(ManualClock()).limits.all_tokens.most == 0


async def test_a_refusal_has_what_discords_client_looks_for() -> None:
    clock = ManualClock(1_800_000_000.0)
    world = Sandbox(clock)
    await world.start()
    channel = world.add_guild("The Snug").add_text_channel("poker-night")
    world.limits = RateLimits(everywhere=Limit(3, 1.0), a_channel=Limit(1, 5.0))
    body = {"content": "x"}
    address = f"{world.api_url}/channels/{channel.id}/messages"
    async with aiohttp.ClientSession(headers=TOKEN) as session:
        taken = await session.post(address, json=body)
        again = await session.post(address, json=body)
        await session.get(f"{world.api_url}/users/@me")
        everywhere = await session.get(f"{world.api_url}/users/@me")
        clock.advance(5.0)
        later = await session.post(address, json=body)
        bodies = [await response.json() for response in (again, everywhere)]
    await world.stop()
    assert [response.status for response in (taken, again, everywhere, later)] == [
        200,
        429,
        429,
        200,
    ]
    assert taken.headers["X-RateLimit-Remaining"] == "0"
    assert again.headers["X-RateLimit-Scope"] == "user"
    assert everywhere.headers["X-RateLimit-Global"] == "true"
    assert [error["global"] for error in bodies] == [False, True]
    assert all(response.headers["Via"] for response in (again, everywhere))
    assert 0 < bodies[1]["retry_after"] <= 1


LIMIT_HEADERS = {
    "X-RateLimit-Limit": "5",
    "X-RateLimit-Remaining": "3",
    "X-RateLimit-Reset-After": "2.000",
}


async def test_answers_name_their_rate_limit_bucket_except_first_interaction_answers(
    snug: Snug, raw: Raw
) -> None:
    snug.world.limits = RateLimits()
    url = f"{snug.world.api_url}/channels/{snug.table.id}/messages"
    for _ in range(2):
        async with raw.http.post(url, json={"content": "x"}, headers=AUTHORIZATION) as answer:
            headers = answer.headers
    assert {name: headers[name] for name in LIMIT_HEADERS} == LIMIT_HEADERS
    resets_at = snug.world.clock.now() + 2.0
    assert float(headers["X-RateLimit-Reset"]) == pytest.approx(resets_at, abs=0.002)
    interaction = _command(snug)
    answers = f"/interactions/{interaction.id}/{interaction.token}/callback"
    for status in (204, 400):  # the second is refused, as the first was taken
        async with raw.http.post(
            snug.world.api_url + answers, json={"type": 4, "data": {"content": "x"}}
        ) as answer:
            assert answer.status == status
            assert not [name for name in answer.headers if "ratelimit" in name.lower()]


async def test_the_sixth_message_and_the_sixth_edit_of_a_channel_come_too_soon(
    snug: Snug, raw: Raw
) -> None:
    snug.world.limits = RateLimits()
    sent = [await raw.send(snug.table.id, {"content": "x"}) for _ in range(6)]
    assert [status for status, _ in sent] == [200] * 5 + [429]
    path = path_of(sent[0][1])
    edits = [await raw.api("PATCH", path, {"content": str(n)}) for n in range(6)]
    assert [status for status, _ in edits] == [200] * 5 + [429]
    assert 0 < edits[-1][1]["retry_after"] <= 5
    assert (await raw.api("GET", path))[0] == 200


async def test_answers_by_token_are_limited_by_their_token_and_by_their_channel(
    snug: Snug, raw: Raw, clock: ManualClock
) -> None:
    snug.world.limits = RateLimits()
    path = await _answer_and_address(snug, raw)
    statuses = [(await raw.api("POST", path, {"content": "x"}))[0] for _ in range(6)]
    assert statuses == [200] * 5 + [429]
    for _ in range(5):
        clock.advance(2.0)
        statuses = [(await raw.api("POST", path, {"content": "x"}))[0] for _ in range(5)]
        assert statuses == [200] * 5
    clock.advance(2.0)
    second_answer = await _answer_and_address(snug, raw)
    async with raw.http.post(snug.world.api_url + second_answer, json={"content": "x"}) as answer:
        assert answer.status == 429
        assert answer.headers["X-RateLimit-Scope"] == "shared"
        assert answer.headers["Via"]


async def test_an_edit_too_many_of_messages_older_than_an_hour_is_refused_for_good(
    snug: Snug, raw: Raw, clock: ManualClock
) -> None:
    snug.world.limits = RateLimits()
    _, sent = await raw.send(snug.table.id, {"content": "x"})
    path = path_of(sent)
    clock.advance(3601.0)
    edits = [await raw.api("PATCH", path, {"content": str(n)}) for n in range(4)]
    assert [status for status, _ in edits] == [200] * 3 + [429]
    assert edits[-1][1]["code"] == 30046
    clock.advance(20.0)
    assert (await raw.api("PATCH", path, {"content": "later"}))[0] == 200


async def test_a_user_installation_allows_five_follow_up_messages(snug: Snug, raw: Raw) -> None:
    async def follow_ups(channel: Channel) -> list[tuple[int, Any]]:
        path = await _answer_and_address(snug, raw, channel)
        return [await raw.api("POST", path, {"content": "x"}) for _ in range(6)]

    letters = snug.world.places.dm_channel(snug.world.state.users[snug.ann.id])
    for free in (snug.table, letters):
        assert [status for status, _ in await follow_ups(free)] == [200] * 6
    snug.world.places.remove_bot(snug.world.state.guilds[snug.server.id])
    for bound in (snug.table, snug.world.add_group("weekend", snug.ann, snug.bob)):
        *_, last = answers = await follow_ups(bound)
        assert [status for status, _ in answers] == [200] * 5 + [400]
        assert last[1]["code"] == 40094


def _command(snug: Snug, channel: Channel | None = None) -> Interaction:
    """Open a command of Ann's, without waiting for its answer."""
    body = {"id": "1", "name": "play", "type": 1, "options": []}
    return snug.world.interactions.open(2, snug.ann.id, channel or snug.table, body)


async def _answer_and_address(snug: Snug, raw: Raw, channel: Channel | None = None) -> str:
    """Answer a command; return the address for follow-up messages."""
    interaction = _command(snug, channel)
    answer = {"type": 4, "data": {"content": "x"}}
    await raw.api("POST", f"/interactions/{interaction.id}/{interaction.token}/callback", answer)
    return f"/webhooks/{snug.world.state.bot.id}/{interaction.token}"


# -- requests that no client makes -----------------------------------------------------------------

DEEP = "[" * 100_000


async def test_a_zero_byte_in_a_path_names_no_file(snug: Snug, raw: Raw) -> None:
    for path in ("%00", "a%00.js", "..%2f%00", "%00%00.css"):
        url = URL(f"{snug.world.base_url}/page/static/{path}", encoded=True)
        async with raw.http.get(url) as answer:
            assert answer.status == 404


async def test_json_that_is_nested_too_deeply_is_refused(snug: Snug, raw: Raw) -> None:
    async with raw.http.post(f"{snug.world.base_url}/page/people", data=DEEP) as answer:
        assert answer.status == 400
        assert "Expected a JSON object" in (await answer.json())["error"]
    url = f"{snug.world.gateway_url}?v=10&encoding=json"
    async with raw.http.ws_connect(url) as socket:
        await socket.receive()
        await socket.send_str(DEEP[:4000])  # longer ones are refused unread
        closed = await socket.receive()
        assert (closed.type, closed.data) == (aiohttp.WSMsgType.CLOSE, 4002)


NO_JSON = ["{", DEEP, "\xff", '{"content": NaN}', '{"content": 1e999}', "{'content': 1}"]


@pytest.mark.parametrize("text", NO_JSON)
@pytest.mark.parametrize("manner", ["json", "form"])
async def test_a_body_that_is_no_json_is_refused_and_the_page_lists_the_requests_still(
    snug: Snug, text: str, manner: str
) -> None:
    url = f"{snug.world.api_url}/channels/{snug.table.id}/messages"
    as_json = {"Content-Type": "application/json"}
    sent: dict[str, object] = {"data": text.encode("latin-1"), "headers": as_json}
    if manner == "form":
        form = aiohttp.FormData()
        form.add_field("payload_json", text, content_type="application/json")
        form.add_field("files[0]", b"x", filename="a.txt")
        sent = {"data": form}
    async with aiohttp.ClientSession(headers=AUTHORIZATION) as session:
        async with session.post(url, **sent) as answer:  # type: ignore[arg-type]
            assert (answer.status, (await answer.json())["code"]) == (400, 50109)
        async with session.get(f"{snug.world.base_url}/page/requests") as listed:
            assert [request["status"] for request in (await listed.json())["requests"]] == [400]


async def test_the_json_of_a_form_may_name_its_type_as_in_discords_examples(
    snug: Snug, raw: Raw
) -> None:
    form = aiohttp.FormData()
    form.add_field("payload_json", '{"content": "said"}', content_type="application/json")
    form.add_field("files[0]", b"x", filename="a.txt", content_type="text/plain")
    url = f"{snug.world.api_url}/channels/{snug.table.id}/messages"
    answer = await raw.http.post(url, data=form, headers=AUTHORIZATION)
    sent = await answer.json()
    assert answer.status == 200
    assert (sent["content"], sent["attachments"][0]["filename"]) == ("said", "a.txt")


@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        ("limit=abc", "limit", "NUMBER_TYPE_COERCE"),
        ("limit=101", "limit", "NUMBER_TYPE_MAX"),
        ("limit=0", "limit", "NUMBER_TYPE_MIN"),
        ("before=abc", "before", "NUMBER_TYPE_COERCE"),
        ("before=-1", "before", "NUMBER_TYPE_COERCE"),
        ("around=1", "around", "SANDBOX_NOT_EMULATED"),
    ],
)
async def test_query_parameters_are_checked_like_a_body(
    snug: Snug, raw: Raw, query: str, field: str, code: str
) -> None:
    status, answer = await raw.api("GET", f"/channels/{snug.table.id}/messages?{query}")
    assert (status, answer["code"]) == (400, 50035)
    assert [fault["code"] for fault in answer["errors"][field]["_errors"]] == [code]


WHOLE = {"token": "sandbox", "intents": 1, "properties": {}}
RESUMED = {"token": "sandbox", "session_id": "a", "seq": 1}
NO_RESUMES: list[dict[str, object]] = [{"seq": "a"}, {"session_id": ["a"]}, {"seq": {}}]
ODD: dict[str, tuple[object, ...]] = {  # values of the fields of an introduction
    "intents": ("a", None, [1], 1.5, True, -1),
    "shard": ("ab", [1], [0, 1, 2], ["a", "b"], [None, 1], {"0": 1}, 7),
    "properties": (None, 7, []),
    "token": (7,),
}


async def test_a_malformed_identify_or_resume_is_closed_with_discords_code(
    snug: Snug, raw: Raw
) -> None:
    calls: list[tuple[object, object]] = [
        *(
            (number, body)
            for number in (2, 6)
            for body in (None, 7, "a", [7], {}, {"token": "sandbox"})
        ),
        *((2, WHOLE | {field: value}) for field, values in ODD.items() for value in values),
        *((6, RESUMED | wrong) for wrong in NO_RESUMES),
        *((number, WHOLE) for number in ("2", None, [2], True)),
    ]
    for operation, body in calls:
        socket = await Socket.connect_and_greet(raw)
        await socket.say(operation, body)  # type: ignore[arg-type]
        assert await socket.hear() == 4002, (operation, body)


# -- several shards --------------------------------------------------------------------------------

SHARDS = 3


@asynccontextmanager
async def spoken_to(admission: Admission) -> AsyncIterator[tuple[Raw, ManualClock]]:
    clock = ManualClock(1_700_000_000.0)
    world = Sandbox(clock, admission=admission)
    await world.start()
    try:
        async with Raw(world) as raw:
            yield raw, clock
    finally:
        await world.stop()


async def identify(raw: Raw, shard: int, count: int = SHARDS) -> tuple[Socket, Any]:
    """Return the socket of a shard that has identified, and the next message it received."""
    socket = await Socket.connect_and_greet(raw)
    await socket.identify(shard=[shard, count])
    return socket, await socket.hear()


def servers(world: Sandbox) -> Iterator[Any]:
    """Return a new server for each shard, in the order of shards."""
    by_status: dict[int, Any] = {}
    while len(by_status) < SHARDS:
        server = world.add_guild(f"Server {len(world.state.guilds)}")
        by_status.setdefault(shard_of(server.id, SHARDS), server)
        world.clock.advance(0.001)  # type: ignore[attr-defined]
    return (by_status[shard] for shard in range(SHARDS))


async def test_each_shard_receives_its_servers_and_the_first_direct_messages() -> None:
    async with spoken_to(Admission(SHARDS)) as (raw, _):
        listed_servers = list(servers(raw.world))
        ann = raw.world.add_person("Ann")
        channels = [server.add_text_channel("cards") for server in listed_servers]
        sockets = []
        for shard in range(SHARDS):
            socket, ready = await identify(raw, shard)
            assert ready["d"]["shard"] == [shard, SHARDS]
            listed = {guild["id"] for guild in ready["d"]["guilds"]}
            assert listed & {server.id for server in listed_servers} == {listed_servers[shard].id}
            sockets.append(socket)
        for channel in channels:
            listed_servers[channels.index(channel)].add_text_channel("more")
        for shard, socket in enumerate(sockets):
            heard = await socket.hear_event("CHANNEL_CREATE")
            assert heard["d"]["guild_id"] == listed_servers[shard].id
        letters = raw.world.places.dm_channel(raw.world.state.users[ann.id])
        pressed = raw.world.interactions.open(3, ann.id, letters, {"custom_id": "mine"})
        assert (await sockets[0].hear_event("INTERACTION_CREATE"))["d"]["id"] == pressed.id
        listed_servers[1].add_text_channel("still more")
        later = await sockets[1].hear()  # nothing came before it
        assert (later["t"], later["d"]["guild_id"]) == ("CHANNEL_CREATE", listed_servers[1].id)


async def test_shards_of_one_identify_bucket_wait_five_seconds() -> None:
    admission = Admission(4, max_concurrency=2, identify_seconds=5.0)
    async with spoken_to(admission) as (raw, clock):
        assert (await identify(raw, 0, 4))[1]["t"] == "READY"
        assert (await identify(raw, 1, 4))[1]["t"] == "READY"
        too_soon = (await identify(raw, 2, 4))[1]
        assert (too_soon["op"], too_soon["d"]) == (9, False)
        clock.advance(5.0)
        assert (await identify(raw, 2, 4))[1]["t"] == "READY"
        assert admission.refused == 1
        status, body = await raw.api("GET", "/gateway/bot")
        assert (status, body["shards"]) == (200, 4)
        assert body["session_start_limit"] == {
            "total": 1000,
            "remaining": 996,  # the one that was refused counts too
            "reset_after": (86_400 - 5) * 1000,
            "max_concurrency": 2,
        }


async def test_a_day_has_only_so_many_sessions() -> None:
    async with spoken_to(Admission(sessions_a_day=2)) as (raw, clock):
        for _ in range(2):
            assert (await identify(raw, 0, 1))[1]["t"] == "READY"
        assert (await raw.api("GET", "/gateway/bot"))[1]["session_start_limit"]["remaining"] == 0
        assert (await identify(raw, 0, 1))[1] == 4004
        clock.advance(DAY)
        assert (await identify(raw, 0, 1))[1]["t"] == "READY"


async def test_too_many_servers_for_a_shard_are_refused_until_there_are_more_shards() -> None:
    async with spoken_to(Admission(guilds_a_shard=2)) as (raw, _):
        list(servers(raw.world))
        assert (await identify(raw, 0, 1))[1] == 4011
        assert (await identify(raw, 2, SHARDS))[1]["t"] == "READY"
        assert (await identify(raw, 3, SHARDS))[1] == 4010
