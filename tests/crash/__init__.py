"""The real bot, killed at random moments and at named points while people play: `make crash`.

`points` names the points, `seams` finds them in the bot, `victim` is the bot's process with one of
them armed, `discord` the local Discord with a journal of all that is asked and shown. `evening` is
a run; `ledger` reads the SQLite file after each kill, and what `judge` makes of file and journal
is the verdict. Nothing that judges asks the bot's own code.
"""
