"""Kill the real bot at random moments and at named points while people play: `make crash`.

`points` names the points and `seams` wraps the places in the bot where they lie. `victim` is the
bot's process, which kills itself at one of these points. `discord` is the local Discord, which
keeps a journal of all requests and screens. `run` plays and kills; `ledger` reads the SQLite file
after each kill, and `judge` compares file and journal.

No check calls the bot's own code. `tests/README.md` explains the words of all fault tests.
"""
