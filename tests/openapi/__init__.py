"""Discord's own description of its API, to check the bot's requests against.

`discord.json` beside this is a part of what Discord publishes, under the licence beside it: the
operations that the local Discord serves and the bodies they take. `cut` makes it, and says from
what. Operations are compiled on first use. One relaxation: snowflakes may be integers.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema_rs

from bot.sandbox.discord_state import RecordedRequest

DESCRIPTION = Path(__file__).with_name("discord.json")


@dataclass
class OpenApi:
    """Validators by operation."""

    document: dict[str, Any]
    _compiled: dict[tuple[str, str], Any] = field(default_factory=dict)

    def faults(self, request: RecordedRequest) -> list[str]:
        """What is wrong with the request, a sentence each; an unknown operation is wrong too."""
        operation = self.document["paths"].get(request.route, {}).get(request.method.lower())
        if operation is None:
            return [f"{request.method} {request.route} is not an operation of Discord's"]
        if "requestBody" not in operation:
            return [] if request.body is None else [f"{request.route} takes no body"]
        if request.body is None:
            required = operation["requestBody"].get("required") and not request.files
            return [f"{request.method} {request.route} lacks its body"] if required else []
        validator = self._validator(request.method.lower(), request.route, operation)
        return [
            f"{request.method} {request.route}: {error.message} at {list(error.instance_path)}"
            for error in validator.iter_errors(request.body)
        ]

    def _validator(self, method: str, route: str, operation: dict[str, Any]) -> Any:
        if (method, route) not in self._compiled:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            whole = {**schema, "components": self.document["components"]}
            self._compiled[method, route] = jsonschema_rs.Draft202012Validator(whole)
        return self._compiled[method, route]


def checksum_of(path: Path) -> Path:
    """The file with a description's checksum, as `sha256sum -c` reads it."""
    return path.with_name(f"{path.name}.sha256")


def load(path: Path = DESCRIPTION) -> OpenApi:
    """The description. Raises ValueError if it is not what was cut: nobody mends it by hand."""
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() not in checksum_of(path).read_text().split():
        raise ValueError(f"{path} was changed: make it anew with python -m tests.openapi.cut")
    document = json.loads(content)
    document["components"]["schemas"]["SnowflakeType"] = {
        "anyOf": [
            {"type": "string", "pattern": "^(0|[1-9][0-9]*)$"},
            {"type": "integer", "minimum": 0},
        ]
    }
    return OpenApi(document)
