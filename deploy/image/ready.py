"""The image's health check: ask `/readyz` of the bot in the same container.

The exit code is 0 if the bot is ready or serves no port, otherwise 1. The answer, if any, is
printed.
"""

from __future__ import annotations

import os
import sys
from http.client import HTTPConnection, HTTPException

port = int(os.environ.get("BLUFFHOUSE_SERVING__PORT") or 0)
if port:
    try:
        asked = HTTPConnection("127.0.0.1", port, timeout=8)
        asked.request("GET", "/readyz")
        answer = asked.getresponse()
        said, ready = answer.read().decode(), answer.status == 200
    except (OSError, HTTPException) as error:
        said, ready = f"/readyz does not answer: {error}", False
    print(said)
    sys.exit(not ready)
