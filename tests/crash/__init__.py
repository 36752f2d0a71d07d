"""The real bot, killed at random moments and at named points while people play: `make crash`.

`points` names the points, `seams` finds them in the bot, `victim` is the bot's process with one of
them armed, `discord` the local Discord with a journal of all requests and screens. `run` plays and
kills; `ledger` reads the SQLite file after each kill, and `judge` compares file and journal.
Nothing that judges asks the bot's own code. `tests/README.md` has the words of all fault tests.
"""
