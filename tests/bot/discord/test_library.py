"""The undocumented names of discord.py that the bot uses: all exist and are in `UNPROMISED`.

Look here first when raising the version. All names exist in 2.7 and in the coming 2.8. Two
behaviours change in 2.8: more than ten files in a message raise ValueError (our boards have
fewer), and a select in a form is required by default (ours always state it).
"""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from bot.discord.sessions import LINES

# each by where the library has it: what for
UNPROMISED: Final[Mapping[str, str]] = {
    # other addresses: discord.api_url and discord.gateway_url, and the proxies that lead there
    "discord.http.Route.BASE": "the address of requests is a setting",
    "discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY": "so is the gateway's",
    "discord.http.HTTPClient.proxy": "requests and the gateway may have each their proxy",
    "discord.http.HTTPClient.ws_connect": "as above",
    # logging in again when Discord asks to wait
    "discord.http.HTTPClient.close": "each login makes a connection of its own",
    "discord.http.HTTPClient.clear": "as above",
    "discord.http.HTTPClient.connector": "as above",
    "discord.utils.MISSING": "what the library has where there is nothing",
    "discord.http.HTTPClient.request": "events that repeat: the library's own do not",
    # sessions
    "discord.client.Client._connection": "its parsers of events are guarded",
    "discord.state.ConnectionState.parsers": "an event that is odd must not end the connection",
    "discord.state.ConnectionState._get_websocket": "a READY that does not name its shard has one",
    "discord.state.ConnectionState._remove_guild": "a server that READY does not list is gone",
    "discord.http.HTTPClient.get_bot_gateway": "the shards and sessions that Discord allows",
    "discord.shard.AutoShardedClient.launch_shard": "shards of all processes wait for their turn",
    "discord.shard.ShardInfo._parent": "how a shard comes back after an outage",
    "discord.shard.Shard._backoff": "as above",
    "discord.shard.Shard.ws": "as above",
    "discord.shard.Shard.reconnect": "as above",
    "discord.shard.Shard.reidentify": "as above",
    "discord.gateway.DiscordWebSocket.session_id": "as above",
    "discord.gateway.DiscordWebSocket.gateway": "as above",
    "discord.gateway.ReconnectWebSocket": "as above",
    "discord.shard.Shard._task": "as above: a pause before it ends with its shard",
    "discord.shard.Shard._dispatch": "as above: in such a pause it counts as away",
    "discord.shard.Shard._queue_put": "as above: after it the library goes on by itself",
    "discord.shard.EventItem": "as above",
    "discord.shard.EventType": "as above",
    "discord.client.Client.dispatch": "a client that is closed tells nobody of anything",
    # commands
    "discord.app_commands.tree.CommandTree._call": "data that are odd are answered, not raised",
    "discord.app_commands.commands.Command.to_dict": "what Discord would be told",
    "discord.http.HTTPClient.bulk_upsert_global_commands": "it is told what was compared",
    "discord.voice_client.VoiceClient.warn_nacl": "nobody is called by voice",
    "discord.voice_client.VoiceClient.warn_dave": "as above",
    # messages
    "discord.ui.view.LayoutView.to_components": "a board is written as components at once",
    "discord.ui.view.LayoutView.has_components_v2": "as above",
    "discord.ui.view.LayoutView.is_finished": "the library keeps nothing of a message",
    "discord.message.Attachment.to_dict": "a file that is kept is named in the same way",
}

BOT = Path(__file__).parents[3] / "bot"
FILES = sorted([BOT / "app.py", *(BOT / "discord").rglob("*.py")])
# modules of the library that its documentation does not know
INNER = {f"discord.{name}" for name in ("http", "gateway", "shard", "state", "webhook", "backoff")}
LISTED = {name.rpartition(".")[2] for name in UNPROMISED}
DOCUMENTED = {"_replace"}  # of named tuples


def is_there(name: str) -> bool:
    """Return whether the installed library has this name, as an attribute or set on `self`."""
    parts = name.split(".")
    for size in range(len(parts) - 1, 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:size]))
        except ModuleNotFoundError:
            continue
        *path, last = parts[size:]
        for part in path:
            module = getattr(module, part)
        return hasattr(module, last) or f"self.{last}" in inspect.getsource(module)
    return False


@pytest.mark.parametrize("name", UNPROMISED)
def test_the_installed_library_has_every_undocumented_name_that_is_used(name: str) -> None:
    assert is_there(name)


def test_a_missing_name_is_reported() -> None:
    assert not is_there("discord.http.Route.BASIS")
    assert not is_there("discord.state.ConnectionState._renamed")


@pytest.mark.parametrize("logger", LINES)
def test_the_library_still_has_the_log_lines_that_are_replaced_here(logger: str) -> None:
    source = inspect.getsource(importlib.import_module(logger))
    assert [line for line in LINES[logger] if line not in source] == []


def private_names(tree: ast.Module) -> Iterator[str]:
    """Yield the undocumented names of the library that a module uses."""
    ours = own_names(tree).union(*map(own_names, parents_of(tree)))
    for part in ast.walk(tree):
        if isinstance(part, ast.ImportFrom) and part.module in INNER:
            yield from (name.name for name in part.names if name.name[0].isupper())
        if not isinstance(part, ast.Attribute):
            continue
        inner = isinstance(part.value, ast.Attribute) and part.value.attr == "http"
        private = part.attr.startswith("_") and not part.attr.startswith("__")
        private = private and part.attr not in DOCUMENTED
        is_own = ast.unparse(part.value) in ("self", "cls", "super()")
        if inner or (private and not (is_own and part.attr in ours)):
            yield part.attr


def own_names(tree: ast.Module) -> set[str]:
    """Return the names of a module's functions, and of the attributes that it sets on `self`."""
    return {
        part.attr for part in ast.walk(tree) if isinstance(part, ast.Attribute) and is_stored(part)
    } | {
        part.name
        for part in ast.walk(tree)
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def parents_of(tree: ast.Module) -> Iterator[ast.Module]:
    """Yield the syntax trees of our modules that define a base class of this module's classes."""
    bases = {
        base.id
        for part in ast.walk(tree)
        if isinstance(part, ast.ClassDef)
        for base in part.bases
        if isinstance(base, ast.Name)
    }
    for part in ast.walk(tree):
        if isinstance(part, ast.ImportFrom) and (part.module or "").startswith("bot."):
            file = BOT.parent.joinpath(*str(part.module).split(".")).with_suffix(".py")
            if bases & {name.name for name in part.names} and file.exists():
                yield ast.parse(file.read_text(encoding="utf-8"))


def is_stored(node: ast.Attribute) -> bool:
    """Return whether the node stands for an attribute of `self` that is assigned to."""
    return (
        isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    )


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(BOT)))
def test_no_unlisted_undocumented_name_is_used(file: Path) -> None:
    used = set(private_names(ast.parse(file.read_text(encoding="utf-8"))))
    used -= {"Route", "DiscordWebSocket"}  # of which attributes are listed
    assert used <= LISTED


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(BOT)))
def test_every_select_of_a_form_says_whether_it_is_required(file: Path) -> None:
    """Check that `required` is given: its default differs between Discord and library versions."""
    for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        name = call.func.attr if is_call_of_ui(call) else ""  # type: ignore[attr-defined]
        if name.endswith("Select") or name in ("RadioGroup", "CheckboxGroup", "FileUpload"):
            assert "required" in {keyword.arg for keyword in call.keywords}, call.lineno  # type: ignore[attr-defined]


def is_call_of_ui(node: ast.AST) -> bool:
    """Return whether the node is a call of a name in `discord.ui`."""
    func = node.func if isinstance(node, ast.Call) else None
    return isinstance(func, ast.Attribute) and ast.unparse(func.value) in ("ui", "discord.ui")
