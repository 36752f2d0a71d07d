"""Keep everything that people's screens show of a table up to date.

Read `machine` first: it decides what to send next and learns from the outcome. `driver` sends it,
with one task for each stale surface. The four surfaces are `tables`, `seats`, `direct_seats` (by
direct message) and `reminders`; `private` has what both kinds of seats share, `budget` chooses the
token for redrawing a table, and `delivery` wires them together. `resuming` brings tables up to date
after a start, and `checkpoint` stores which of them need nothing.
"""
