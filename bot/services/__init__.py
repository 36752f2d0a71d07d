"""Services over the store: running tables, archived matches, practices, people's stored data.

`bot.tables` computes changes; the services apply a change under its table's lock, store it, and
announce it.
"""
