"""Keeping a process healthy and observed: logs, metrics, health, error reports, its lifetime."""
