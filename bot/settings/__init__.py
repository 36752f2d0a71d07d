"""Settings: the available keys, the sources of their values, and the servers of a process."""
