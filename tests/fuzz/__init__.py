"""What nobody would type, send or store on purpose, by chance and in great numbers.

Each kind makes odd input from a seed and has an independent judge look at what came of it:
`wording` (typed bids, read once more by `slow_reader`), `payloads` (sent to the real client by
`interactions`) and `machine` (a hypothesis state machine over tables, two processes on one
database). `python -m tests.fuzz` is the long form; a failure is printed with what repeats it.
"""
