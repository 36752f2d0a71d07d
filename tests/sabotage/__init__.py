"""Test the tests: put a possible fault into a copy of the bot, and see that a test finds it.

`mutants.toml` has the mutants, as a sly or tired programmer might write them: what each breaks,
which commands must fail because of it (`caught_by`), and what their output must say (`says`), so
that they fail for the right reason. `bench` applies them to a copy of the tree and judges them
there. `python -m tests.sabotage [NAME ...]` is `make sabotage`.
"""
