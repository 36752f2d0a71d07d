"""A separate process for what would block the bot: compiled code and long computations.

`process` is the bot's side and `worker` the other one. They exchange the messages of `protocol`;
requests are `question`s. The bot's own process never imports numba.
"""
