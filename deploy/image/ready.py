"""The image's health check: whether `/readyz` of the bot in the same container says that it is.

Ends with 0 where it is ready or nothing is served, else with 1 and one line.
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
