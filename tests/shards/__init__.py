"""Several processes on one PostgreSQL, killed, paused and cut off from it while people play.

`python -m tests.shards` (or `make shards`) plays as many matches as are asked for in all shards;
`test_shards.py` plays a few. Who plays and who judges is `tests.crash`'s.
"""
