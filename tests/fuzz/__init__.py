"""Random odd input in great numbers: what nobody would type, send or store on purpose.

Each kind makes odd input from a seed and has an independent judge check the result: `wording`
(typed bids, which `slow_reader` reads a second time), `payloads` (interactions, sent to the real
client by `interactions`), `machine` (a hypothesis state machine over tables, with two processes on
one database), and the others in `kinds`. `python -m tests.fuzz` is the long form; each failure is
printed with the command that repeats it.
"""
