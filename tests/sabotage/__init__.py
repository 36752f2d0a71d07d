"""The judge is judged: what could be wrong with the bot is put into a copy, and must be found.

`mutants.toml` has the mutants, as a sly or tired programmer might write them: what each breaks,
which commands must fail because of it (`caught_by`), and what these must say (`says`), so that they
fail for the right reason. `bench` applies and judges in a copy of the tree.
`python -m tests.sabotage [NAME ...]` is `make sabotage`.
"""
