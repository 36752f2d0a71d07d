"""Whole sessions in one process, in virtual time, with every choice from one seed.

The real bot (client library, handlers, tables, clock, store) and the local Discord meet without
sockets, threads or waiting. `loop` is an event loop whose time jumps ahead when no task can run;
`wire` carries requests and events; `disk` executes SQLite's statements in the loop. `people` press
what they see, `run` causes faults, and `judge` checks after every step. The same seed repeats a
failure exactly: `python -m tests.sessions --seed 17 --sessions 1`.

`pace` plays without faults, as fast as friends do, and checks that the right seat is there on every
turn: `python -m tests.sessions.pace --people 6 --pace 10`. `costs` counts the requests.

The model is the simulations of FoundationDB (Zhou et al., SIGMOD 2021) and TigerBeetle.
"""
