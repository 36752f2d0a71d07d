"""A separate process for what would block the bot: compiled code and long computations.

`process` runs in the bot, and `worker` in the separate process. They exchange the messages of
`protocol`; a request is a `question`. The bot's own process never imports numba.
"""
