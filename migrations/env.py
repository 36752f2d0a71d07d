"""Alembic's entry point: run the migrations on the caller's connection, in its transaction."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    transactional_ddl=True,  # on SQLite too: the caller has begun a transaction
    render_as_batch=True,  # SQLite alters a table by copying it
)
with context.begin_transaction():
    context.run_migrations()
