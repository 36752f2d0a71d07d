"""Serves the bot's requests: reads, checks and records each, applies faults, and answers."""

import json
import logging
import math
import re
import time
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from email.utils import formatdate
from typing import Any

from aiohttp import web

from bot.sandbox.discord_state import Json, RecordedRequest
from bot.sandbox.emulator import Emulator
from bot.sandbox.errors import ApiError, BodyErrors, refusal
from bot.sandbox.faults import RestFault
from bot.sandbox.gateway import is_sandbox_token
from bot.sandbox.limits import Allowance
from bot.sandbox.messages import Upload, Uploads
from bot.sandbox.rules.json_schema import Schema

log = logging.getLogger(__name__)

PREFIX = "/api/v10"
UNREADABLE = object()  # stands for invalid JSON
PLENTY = Allowance(1000, 999, 0.001)  # for the headers if `limits` enforces none


@dataclass
class Call:
    """A request as a handler gets it."""

    world: Emulator
    params: dict[str, str]
    query: dict[str, str]
    content: Any
    uploads: Uploads

    @property
    def body(self) -> Json:
        """The JSON object of the request; empty if there was none."""
        return self.content or {}


@dataclass(frozen=True)
class Created:
    """An answer with status 201; `body` is what the request created."""

    body: Json


Handler = Callable[[Call], Awaitable[Any]]


@dataclass(frozen=True)
class Route:
    """A route. `needs_token`: whether it needs the bot's token (webhook routes have their own).

    `body` and `query`: the allowed values of the request's JSON and query. A request that
    `needs_body` must have JSON. `states_limits`: whether answers have rate-limit headers.
    """

    method: str
    template: str
    handler: Handler
    needs_token: bool = True
    body: Schema | None = None
    query: Schema | None = None
    needs_body: bool = False
    states_limits: bool = True

    def check(self, call: Call) -> None:
        """Raise ApiError for invalid JSON, or for values that Discord would refuse."""
        if call.content is UNREADABLE or (call.content is None and self.needs_body):
            raise refusal("The request body contains invalid JSON.")
        form = BodyErrors()
        if self.body is not None and call.content is not None:
            self.body.check(form, (), call.content)
        if self.query is not None:
            self.query.check(form, (), call.query)
        form.raise_if_wrong()


def add_routes(app: web.Application, world: Emulator, routes: tuple[Route, ...]) -> None:
    """Serve `routes` below /api/v10. Other paths below /api are answered by 404 and recorded."""
    for route in routes:
        app.router.add_route(route.method, PREFIX + route.template, answering(world, route))

    async def unknown_route(request: web.Request) -> web.Response:
        line = f"{request.method} {request.path}"
        log.error("unknown route: %s", line)
        world.state.unknown_requests.append(line)
        return json_response({"message": "404: Not Found", "code": 0}, 404)

    app.router.add_route("*", "/api/{rest:.*}", unknown_route)


def json_response(
    body: Any, status: int = 200, headers: dict[str, str] | None = None
) -> web.Response:
    """Return a JSON response; for a `body` of None an empty one with status 204.

    The response's Content-Type has no charset: discord.py accepts no other.
    """
    if body is None:
        return web.Response(status=204, headers=headers)
    return web.Response(
        body=json.dumps(body).encode(),
        status=status,
        headers={"Content-Type": "application/json"} | (headers or {}),
    )


def answering(world: Emulator, route: Route) -> Callable[[web.Request], Awaitable[web.Response]]:
    """Return the handler for requests of this route."""

    async def serve(request: web.Request) -> web.Response:
        content, uploads = await _read(request)
        fault = world.faults.take(route.method, route.template)
        if fault is not None and not fault.after:
            if fault.hangs:
                await world.faults.until_cleared()
            response = _spoilt(world, fault, route)
            if fault.cut and request.transport is not None:
                request.transport.abort()
        elif (
            allowance := _take_allowance(world, route, request)
        ) is not None and allowance.refused_for:
            response = _too_many(world, route, allowance)
        else:
            call = Call(world, dict(request.match_info), dict(request.query), content, uploads)
            response = await _answer(route, request, call)
            if route.states_limits:
                response.headers.update(_limit_headers(world, route, allowance or PLENTY))
            if fault is not None:
                log.info("fault: the answer to %s %s is lost", route.method, route.template)
                if fault.cut and request.transport is not None:
                    request.transport.abort()
                response = json_response({"message": "Internal Server Error", "code": 0}, 500)
                response.set_status(fault.status)
        if world.faults.clock_ahead:
            date = time.time() + world.faults.clock_ahead
            response.headers["Date"] = formatdate(date, usegmt=True)
        world.state.requests.append(
            RecordedRequest(
                route.method,
                route.template,
                request.path.removeprefix(PREFIX),
                dict(request.query),
                None if content is UNREADABLE else content,
                tuple(upload.filename for upload in uploads.values()),
                response.status,
                world.clock.now(),
                world.mark() + 1,
            )
        )
        return response

    return serve


async def _answer(route: Route, request: web.Request, call: Call) -> web.Response:
    try:
        if route.needs_token:
            _authorize(request)
        route.check(call)
        body = await route.handler(call)
    except ApiError as error:
        log.info("%s %s: %s %s", route.method, request.path, error, error.errors or "")
        return json_response(error.body(), error.status)
    except Exception:
        log.exception("the emulator broke on %s %s", route.method, request.path)
        return json_response({"message": "500: Internal Server Error", "code": 0}, 500)
    if isinstance(body, Created):
        return json_response(body.body, 201)
    return json_response(body)


def _authorize(request: web.Request) -> None:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme != "Bot" or not is_sandbox_token(token):
        raise refusal("401: Unauthorized")


def _take_allowance(world: Emulator, route: Route, request: web.Request) -> Allowance | None:
    """Count the request under the bot's limits and return the allowance to report, if any.

    The first answer to an interaction has no limit.
    """
    now, named = world.clock.now(), request.match_info
    if route.needs_token:
        writes = route.method in ("POST", "PATCH") and "/messages" in route.template
        channel = named["channel_id"] if writes else ""
        return world.limits.ask(f"{route.method} {route.template}", channel, now)
    interaction = world.state.by_token.get(named.get("webhook_token", ""))
    if interaction is None:
        return None
    return world.limits.ask_by_token(interaction.token, interaction.channel_id, now)


def _limit_headers(world: Emulator, route: Route, allowance: Allowance) -> dict[str, str]:
    """Return the headers that describe an answer's bucket.

    Without them discord.py sends one request at a time per route, and hikari can't know how fast to
    send.
    """
    reset_at = world.clock.now() + world.faults.clock_ahead + allowance.reset_after
    return {
        "X-RateLimit-Limit": str(allowance.limit),
        "X-RateLimit-Remaining": str(allowance.remaining),
        "X-RateLimit-Reset": f"{reset_at:.3f}",
        "X-RateLimit-Reset-After": f"{allowance.reset_after:.3f}",
        "X-RateLimit-Bucket": f"{zlib.crc32(f'{route.method} {route.template}'.encode()):08x}",
    }


def _too_many(world: Emulator, route: Route, allowance: Allowance) -> web.Response:
    headers = {
        "Retry-After": str(math.ceil(allowance.refused_for)),
        "Via": "1.1 sandbox",
        "X-RateLimit-Scope": allowance.scope,
    }
    everywhere = allowance.scope == "global"
    if everywhere:
        headers["X-RateLimit-Global"] = "true"
    else:
        headers |= _limit_headers(world, route, allowance)
    return _rate_limit_response(round(allowance.refused_for, 3), everywhere, headers)


def _rate_limit_response(seconds: float, everywhere: bool, headers: dict[str, str]) -> web.Response:
    message = "You are being rate limited."
    body = {"message": message, "retry_after": seconds, "global": everywhere}
    return json_response(body, 429, headers)


def _spoilt(world: Emulator, fault: RestFault, route: Route) -> web.Response:
    if fault.status != 429:
        return json_response({"message": fault.message, "code": fault.code}, fault.status)
    headers = {}
    if fault.headers:
        scope = "global" if fault.everywhere else "shared" if fault.shared else "user"
        headers = {"Retry-After": str(fault.retry_after), "X-RateLimit-Scope": scope}
        if fault.everywhere:
            headers["X-RateLimit-Global"] = "true"
        else:
            headers |= _limit_headers(
                world, route, replace(PLENTY, remaining=0, reset_after=fault.retry_after)
            )
    if fault.via:
        headers["Via"] = "1.1 sandbox"
    return _rate_limit_response(fault.retry_after, fault.everywhere, headers)


_FILE_FIELD = re.compile(r"files\[(\d+)\]")


async def _read(request: web.Request) -> tuple[Any, Uploads]:
    """Return the request's JSON and its files; a form has the JSON in its field `payload_json`.

    The JSON is None if it is missing, and `UNREADABLE` if it is invalid.
    """
    if request.content_type == "multipart/form-data":
        content: Any = None
        uploads: Uploads = {}
        try:
            form = await request.post()
        except (ValueError, AssertionError):  # not a form, or invalid text
            return UNREADABLE, {}
        for name, value in form.items():
            field = _FILE_FIELD.fullmatch(name)
            if name == "payload_json":
                # a part that names its Content-Type, as the documentation's examples do, is bytes
                content = UNREADABLE if isinstance(value, web.FileField) else _parse(value)
            elif field and isinstance(value, web.FileField):
                uploads[field[1]] = Upload(
                    value.filename,
                    value.content_type or "application/octet-stream",
                    value.file.read(),
                )
        return content, uploads
    text = await request.read()
    return (_parse(text) if text else None), {}


def _parse(text: str | bytes | bytearray) -> Any:
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_number)
    except (ValueError, RecursionError):  # nested too deeply
        return UNREADABLE


def _number(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _no_number(digits)


def _no_number(word: str) -> float:
    """Refuse numbers that Python accepts and JSON doesn't have. Raises ValueError."""
    raise ValueError(word)
