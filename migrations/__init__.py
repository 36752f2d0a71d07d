"""Alembic's migrations, shipped with the package so that an installed bot can run them."""
