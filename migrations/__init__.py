"""Alembic's migrations, shipped with the package so that an installed bot can run them.

Run by `bot.storage.migrate` at start and by `bluffhouse store migrate`; there is no alembic.ini.
Each file of `versions/` is named `NNNN_what.py`, its revision is that number, its first line says
why.
"""
