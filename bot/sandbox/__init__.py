"""The local Discord: an emulator that lets the real client library play without an account.

It serves the parts of Discord's REST API and gateway that the bot uses, keeps Discord's limits,
and lets people act: as Python objects (`driver`), over HTTP from another process (`remote`) and
in a web page (`web`). It knows nothing of the rest of the project, and only speaks on loopback.

`world.Sandbox` ties the parts together; `python -m bot.sandbox` runs one.
"""

from bot.sandbox.world import Sandbox

__all__ = ["Sandbox"]
