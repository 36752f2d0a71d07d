"""The local Discord: an emulator with which the real client library works without an account.

It serves the parts of Discord's REST API and gateway that the bot uses, enforces Discord's limits,
and lets people act: as Python objects (`driver`), over HTTP from another process (`remote`) and in
a web page (`web`). It doesn't depend on the rest of the project, and listens only on loopback.

`world.Sandbox` connects the parts; `python -m bot.sandbox` runs one.
"""

from bot.sandbox.world import Sandbox

__all__ = ["Sandbox"]
