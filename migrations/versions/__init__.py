"""One file a change of the schema, forward-only."""
