"""Alembic's migrations, shipped with the package so that an installed bot can run them.

`bot.storage.migrate` runs them at start, and so does `bluffhouse store migrate`; there is no
alembic.ini. Each file in `versions/` is named `NNNN_what.py`, where NNNN is its revision; its first
line says why.
"""
