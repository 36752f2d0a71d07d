"""Application commands: the lists of the whole application and of single guilds."""

from bot.sandbox.errors import missing_access, unauthorized, unknown
from bot.sandbox.rest.call import Call, Route
from bot.sandbox.rules.bodies import COMMAND, COMMAND_EDIT, COMMANDS
from bot.sandbox.rules.commands import check_commands, check_installs
from bot.sandbox.state import Json, copied

EVERYWHERE = ""


def _scope(call: Call) -> str:
    if call.params["application_id"] != call.world.state.bot.id:
        raise unauthorized()
    guild_id = call.params.get("guild_id", EVERYWHERE)
    if guild_id and guild_id not in call.world.state.guilds:
        raise missing_access()
    return guild_id


def _listed(call: Call, scope: str) -> list[Json]:
    return call.world.state.commands.setdefault(scope, [])


def _completed(call: Call, scope: str, wanted: Json) -> Json:
    """The command as Discord stores it: an id that stays with its name, defaults filled in."""
    kind = wanted.get("type") or 1
    id_ = next(
        (
            known["id"]
            for known in _listed(call, scope)
            if (known["type"], known["name"]) == (kind, wanted["name"])
        ),
        None,
    )
    command: Json = {
        "description": "",
        "name_localizations": None,
        "description_localizations": None,
        "default_member_permissions": None,
        "integration_types": call.world.state.installs,
        "contexts": None,
        "nsfw": False,
        "options": [],
    } | copied({key: value for key, value in wanted.items() if value is not None})
    command |= {
        "id": id_ or call.world.snowflakes.next(),
        "application_id": call.world.state.bot.id,
        "version": call.world.snowflakes.next(),
        "type": kind,
    }
    if scope:
        command["guild_id"] = scope
    return command


def _store(call: Call, scope: str, commands: list[Json]) -> None:
    check_commands(commands)
    call.world.state.commands[scope] = commands
    call.world.core.changed()
    call.world.stream.publish({"type": "commands"})


def _one(call: Call, scope: str) -> Json:
    for command in _listed(call, scope):
        if command["id"] == call.params["command_id"]:
            return command
    raise unknown("Application Command")


async def list_all(call: Call) -> list[Json]:
    """`GET`: every command of the scope."""
    return _listed(call, _scope(call))


async def overwrite(call: Call) -> list[Json]:
    """`PUT`: replace all commands of the scope; one of the same name and type keeps its id."""
    scope = _scope(call)
    wanted: list[Json] = call.content
    check_commands(wanted)
    check_installs(wanted, call.world.state.installs)
    commands = [_completed(call, scope, command) for command in wanted]
    _store(call, scope, commands)
    return commands


async def upsert(call: Call) -> Json:
    """`POST`: add one command, or replace that of the same name and type."""
    scope = _scope(call)
    check_commands([call.body])
    check_installs([call.body], call.world.state.installs)
    command = _completed(call, scope, call.body)
    others = [known for known in _listed(call, scope) if known["id"] != command["id"]]
    _store(call, scope, [*others, command])
    return command


async def get(call: Call) -> Json:
    """`GET`: one command. 10063 if unknown."""
    return _one(call, _scope(call))


async def edit(call: Call) -> Json:
    """`PATCH`: change the fields that are given; the version rises."""
    scope = _scope(call)
    command = _one(call, scope)
    changed = command | call.body | {"version": call.world.snowflakes.next()}
    _store(call, scope, [changed if c is command else c for c in _listed(call, scope)])
    return changed


async def delete(call: Call) -> None:
    """`DELETE`: remove one command. 10063 if unknown."""
    scope = _scope(call)
    command = _one(call, scope)
    _store(call, scope, [known for known in _listed(call, scope) if known is not command])


def _routes(base: str) -> tuple[Route, ...]:
    return (
        Route("GET", base, list_all),
        Route("PUT", base, overwrite, body=COMMANDS, needs_body=True),
        Route("POST", base, upsert, body=COMMAND, needs_body=True),
        Route("GET", base + "/{command_id}", get),
        Route("PATCH", base + "/{command_id}", edit, body=COMMAND_EDIT, needs_body=True),
        Route("DELETE", base + "/{command_id}", delete),
    )


ROUTES = (
    *_routes("/applications/{application_id}/commands"),
    *_routes("/applications/{application_id}/guilds/{guild_id}/commands"),
)
