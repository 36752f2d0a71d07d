"""Services over the store: running tables, archived matches, practices, people's stored data.

`bot.tables` says what a change is; these judge it under a table's lock, store it, and announce it.
"""
