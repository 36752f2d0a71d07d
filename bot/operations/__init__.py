"""What keeps a process well and watched: logs, metrics, health, reports of errors, its lifetime."""
