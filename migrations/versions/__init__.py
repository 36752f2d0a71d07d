"""The migrations, one file for each change of the schema; none can be undone."""
