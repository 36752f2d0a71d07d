"""Delivery: everything that the bot keeps on people's screens of a table.

Read `machine` first: what to send next, and what to learn from what became of it. `driver` sends
it, one task for each surface that is behind. The four surfaces are `tables`, `seats`, `letters`
(seats by direct message) and `reminders`; `private` has what both kinds of seats share, `budget`
says by whose token a table is redrawn, and `delivery` wires them together. `resuming` brings tables
back after a start, and `checkpoint` stores which of them need nothing.
"""
