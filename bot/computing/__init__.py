"""A process of its own for what would hold up the bot: compiled code, and arithmetic that is long.

`process` is the bot's side and `worker` the other one; between them go the messages of `protocol`.
What may be asked is a `question`. The bot's own process never imports numba.
"""
