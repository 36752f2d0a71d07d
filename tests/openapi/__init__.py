"""Check the bot's requests and the local Discord's answers against Discord's API description.

`discord.json` in this folder is part of Discord's published description, under the licence
next to it. It has the operations that the local Discord serves, with their request and
answer bodies. `cut` makes the file and writes its source into it. Schemas are compiled on
first use. They are relaxed in one point: snowflakes in requests may be integers.
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
REQUESTED = {
    "SnowflakeType": {
        "anyOf": [
            {"type": "string", "pattern": "^(0|[1-9][0-9]*)$"},
            {"type": "integer", "minimum": 0},
        ]
    }
}


@dataclass
class OpenApi:
    """Discord's description, with its compiled schemas."""

    document: dict[str, Any]
    _compiled: dict[tuple[str, ...], Any] = field(default_factory=dict)

    def faults(self, request: RecordedRequest) -> list[str]:
        """Return a request's faults, a sentence each; an unknown operation is a fault too."""
        operation = self._operation(request.method, request.route)
        if operation is None:
            return [f"{request.method} {request.route} is not an operation of Discord's"]
        if "requestBody" not in operation:
            return [] if request.body is None else [f"{request.route} takes no body"]
        if request.body is None:
            required = operation["requestBody"].get("required") and not request.files
            return [f"{request.method} {request.route} lacks its body"] if required else []
        name = (request.method, request.route)
        return self._errors(name, operation["requestBody"], REQUESTED, request.body)

    def answer_faults(self, method: str, route: str, status: int, body: Any) -> list[str]:
        """Return an answer's faults, a sentence each.

        Answers with an error status (400 or more) and answers to unknown operations have no faults.
        """
        operation = self._operation(method, route)
        if operation is None or status >= 400:
            return []
        answer = operation["responses"].get(str(status))
        if answer is None:
            return [f"{method} {route} is not answered by {status}"]
        if not answer:
            return [] if body is None else [f"{method} {route} has no answer's body"]
        return self._errors((method, route, str(status)), answer, {}, body)

    def part_faults(self, schema: str, value: Any) -> list[str]:
        """Return the faults of a part of an event or answer; `schema` names the part's schema."""
        reference = {"$ref": f"#/components/schemas/{schema}"}
        as_json = {"content": {"application/json": {"schema": reference}}}
        return self._errors((schema,), as_json, {}, value)

    def _operation(self, method: str, route: str) -> Any:
        return self.document["paths"].get(route, {}).get(method.lower())

    def _errors(
        self, name: tuple[str, ...], holder: dict[str, Any], further: dict[str, Any], value: Any
    ) -> list[str]:
        """Return the faults of `value` under the schema in `holder`, a sentence each.

        `further` has schemas, by name, to use in place of Discord's. The compiled schema is cached
        under `name`.
        """
        if name not in self._compiled:
            schema = holder["content"]["application/json"]["schema"]
            schemas = {**self.document["components"]["schemas"], **further}
            whole = {**schema, "components": {"schemas": schemas}}
            self._compiled[name] = jsonschema_rs.Draft202012Validator(whole)
        return [
            f"{' '.join(name)}: {error.message} at {list(error.instance_path)}"
            for error in self._compiled[name].iter_errors(value)
        ]


def checksum_of(path: Path) -> Path:
    """Return the path of a description's checksum, which `sha256sum -c` can read."""
    return path.with_name(f"{path.name}.sha256")


def load(path: Path = DESCRIPTION) -> OpenApi:
    """Load the description. Raises ValueError if the file was edited after it was cut."""
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() not in checksum_of(path).read_text().split():
        raise ValueError(f"{path} was changed: make it anew with python -m tests.openapi.cut")
    return OpenApi(json.loads(content))
