"""What is used of discord.py that it does not promise to keep, in one list.

A test holds it against the installed version, and the code against it: whoever raises the version
looks here first. Everything is there in 2.7 and in what is to be 2.8. What that changes beyond
names: more than ten files in a message are a ValueError (a board of ours has fewer), and a select
in a form is required unless it is told otherwise (ours always say).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

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
    "discord.client.Client.dispatch": "a client that is closed tells nobody of anything",
    # commands
    "discord.app_commands.tree.CommandTree._call": "data that are odd are answered, not raised",
    "discord.app_commands.commands.Command.get_translated_payload": "what Discord would be told",
    "discord.app_commands.commands.Command.to_dict": "as above",
    "discord.voice_client.VoiceClient.warn_nacl": "nobody is called by voice",
    "discord.voice_client.VoiceClient.warn_dave": "as above",
    # messages
    "discord.ui.view.LayoutView.to_components": "a board is written as components at once",
    "discord.ui.view.LayoutView.has_components_v2": "as above",
    "discord.ui.view.LayoutView.is_finished": "the library keeps nothing of a message",
    "discord.message.Attachment.to_dict": "a file that is kept is named in the same way",
}

# what it says in its log, which is said here in one line instead: by logger, how the lines begin
LINES: Final[Mapping[str, tuple[str, ...]]] = {
    "discord.shard": (
        "Attempting a reconnect for shard ID",
        "Failed to connect for shard_id",
    ),
    "discord.client": ("Attempting a reconnect in",),
    "discord.app_commands.tree": ("Ignoring exception in autocomplete for",),
}
