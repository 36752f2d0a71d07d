"""Settings: what may be set, where values come from, and which servers a process serves."""
