"""Discord's own description of its API, to check the bot's requests against.

The description is optional test data beside the repository (or where DISCORD_OPENAPI says);
without it `load` gives None.
Operations are compiled on first use. One relaxation: snowflakes may be integers.
"""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema_rs

from bot.sandbox.state import RecordedRequest

BESIDE = Path(__file__).parents[2] / "shared" / "docs" / "discord" / "openapi.json"
DESCRIPTION = Path(os.environ.get("DISCORD_OPENAPI", BESIDE))


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


def load(path: Path = DESCRIPTION) -> OpenApi | None:
    """The description, or None where it is not beside the repository."""
    if not path.exists():
        return None
    document = json.loads(path.read_text())
    document["components"]["schemas"]["SnowflakeType"] = {
        "anyOf": [
            {"type": "string", "pattern": "^(0|[1-9][0-9]*)$"},
            {"type": "integer", "minimum": 0},
        ]
    }
    return OpenApi(document)
