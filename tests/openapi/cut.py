"""Cut `discord.json` out of the API description that Discord publishes.

    python -m tests.openapi.cut <specs/openapi.json> <its commit>

The whole file is in https://github.com/discord/discord-api-spec and takes a megabyte. Only
what the checks need is kept: the operations that the local Discord serves, the JSON bodies
of their requests and answers, and the schemas in those bodies. These parts are unchanged,
one operation or schema a line. `x-cut-from` has the commit and the checksum of the whole
file.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.sandbox.rest import ROUTES
from tests.openapi import DESCRIPTION, checksum_of

REPOSITORY = "https://github.com/discord/discord-api-spec"
ABOUT = ("openapi", "info", "x-cut-from")
SCHEMAS = "#/components/schemas/"
IN_EVENTS = ("GuildResponse",)  # schemas that only the gateway sends


def cut(whole: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a description that is needed to check requests and answers.

    Cutting the result again changes nothing. Raises KeyError if the local Discord serves an
    operation that the description lacks.
    """
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        operation = whole["paths"][route.template][route.method.lower()]
        paths.setdefault(route.template, {})[route.method.lower()] = _as_json(operation)
    return {
        **{name: whole[name] for name in ABOUT if name in whole},
        "paths": {template: paths[template] for template in sorted(paths)},
        "components": {"schemas": _schemas_of(paths, whole["components"]["schemas"])},
    }


def _as_json(operation: dict[str, Any]) -> dict[str, Any]:
    """Return an operation with only its id, JSON request body and successful JSON answers."""
    reduced = {"operationId": operation["operationId"]}
    if "requestBody" in operation:
        body = operation["requestBody"]
        reduced["requestBody"] = {**body, "content": _json_of(body)}
    reduced["responses"] = {
        status: {"content": _json_of(answer)} if "content" in answer else {}
        for status, answer in operation["responses"].items()
        if status.startswith("2")
    }
    return reduced


def _json_of(body: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": body["content"]["application/json"]}


def _schemas_of(part: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the schemas that `part` or `IN_EVENTS` name, directly or through other schemas."""
    reached: dict[str, Any] = {}
    names = [*IN_EVENTS, *_names_in(part)]
    while names:
        name = names.pop()
        if name not in reached:
            reached[name] = schemas[name]
            names += _names_in(schemas[name])
    return {name: reached[name] for name in sorted(reached)}


def _names_in(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"].removeprefix(SCHEMAS)
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from _names_in(inner)


def text_of(document: dict[str, Any]) -> str:
    """Return the description as text with one operation or schema a line, for readable diffs."""
    about = [f"{_line(name)}: {_line(document[name])}" for name in ABOUT]
    paths = [
        f"{_line(template)}: {{\n{_lines(operations)}\n}}"
        for template, operations in document["paths"].items()
    ]
    inner = ",\n".join(paths)
    schemas = _lines(document["components"]["schemas"])
    parts = [*about, f'"paths": {{\n{inner}\n}}', f'"components": {{"schemas": {{\n{schemas}\n}}}}']
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(named: dict[str, Any]) -> str:
    return ",\n".join(f"{_line(name)}: {_line(value)}" for name, value in named.items())


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def main(source: Path, commit: str) -> None:
    """Write the part of `source` to keep, and a checksum; `commit` is the commit of `source`."""
    content = source.read_bytes()
    cut_from = {
        "file": f"{REPOSITORY}/blob/{commit}/specs/openapi.json",
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    text = text_of(cut(json.loads(content) | {"x-cut-from": cut_from}))
    DESCRIPTION.write_text(text, "utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()
    checksum_of(DESCRIPTION).write_text(f"{digest}  {DESCRIPTION.name}\n")
    print(f"{DESCRIPTION}: {len(text) / 1000:.0f} kB of {len(content) / 1000:.0f}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2])
