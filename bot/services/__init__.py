"""Services over the store: running tables, archived matches, practices, and stored data of people.

`bot.tables` says what a change is; these judge it under a table's lock, store it, and announce it.
"""
