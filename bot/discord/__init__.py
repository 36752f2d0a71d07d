"""Connect Bluffhouse to Discord; see docs/architecture.md."""
