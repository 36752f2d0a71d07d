"""Which bot tokens the emulator takes: only made-up ones."""

import logging
import re

log = logging.getLogger(__name__)

PREFIX = "sandbox"
_REAL = re.compile(r"[A-Za-z0-9_=-]+\.[A-Za-z0-9_=-]+\.[A-Za-z0-9_=-]+")


def is_sandbox_token(token: str) -> bool:
    """Whether the token begins with "sandbox" and does not look like one of the real Discord's."""
    if _REAL.fullmatch(token):
        log.error(
            "refused a token that looks like a real Discord token: this is a simulation; "
            'start the bot with a token such as "sandbox" instead'
        )
        return False
    return token.startswith(PREFIX)
