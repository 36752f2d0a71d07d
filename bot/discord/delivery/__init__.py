"""Keep everything that people's screens show of a table up to date.

Read `machine` first: what to send next, and what to learn from what became of it. `driver` sends
it, one task for each stale surface. The four surfaces are `tables`, `seats`, `letters`
(seats by direct message) and `reminders`; `private` has what both kinds of seats share, `budget`
chooses whose token redraws a table, and `delivery` wires them together. `resuming` brings tables
back after a start, and `checkpoint` stores which of them need nothing.
"""
