"""The inner loops of showdowns, compiled by numba.

Only what Python calls is kept on disk (`cache=True`): it contains the code of all that it calls.
"""
