"""Several processes on one PostgreSQL, killed, paused and cut off from it while people play.

`python -m tests.shards` (or `make shards`) plays any number of matches in all shards;
`test_shards.py` plays a few. The people and the judge are those of `tests.crash`.
"""
