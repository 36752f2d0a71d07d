"""What Alembic runs: the migrations, on the connection and in the transaction it is given."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    transactional_ddl=True,  # SQLite's too: the caller has begun, and all or nothing is stored
    render_as_batch=True,  # SQLite alters a table by copying it
)
with context.begin_transaction():
    context.run_migrations()
