"""Services over the store: running tables, archived matches, practices, people's stored data.

`bot.tables` says what a change is; the services judge a change under its table's lock, store it,
and announce it.
"""
