"""Keep the messages that show a table up to date.

Read `machine` first: it decides which request to send next, and learns from its outcome. `driver`
sends the requests. There are four kinds of messages: `tables`, `seats` (each player's private cards
and buttons), `direct_seats` (the same as direct messages) and `reminders`. Both kinds of seats
share the code in `private`. `budget` chooses the token that redraws a table. `delivery` connects
these modules. After a start, `resuming` updates the tables that `checkpoint` did not store as up to
date.
"""
