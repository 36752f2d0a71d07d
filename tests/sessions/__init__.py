"""Whole sessions in one process, in virtual time, every choice from one seed.

The real bot (client library, handlers, tables, clock, store) and the local Discord meet without a
socket, a thread or a real second: `loop` passes time only while nobody has anything to do, `wire`
carries requests and events, `disk` executes SQLite's statements in the loop. People press what they
see (`people`), faults come (`run`), and `judge` looks after every step. A seed that fails
fails again, to the step: `python -m tests.sessions --seed 17 --sessions 1`.

`pace` plays without faults, as fast as friends do, and looks whether the right seat is there on
every turn: `python -m tests.sessions.pace --people 6 --pace 10`. `costs` counts its requests.

After the simulations of FoundationDB (Zhou et al., SIGMOD 2021) and TigerBeetle.
"""
