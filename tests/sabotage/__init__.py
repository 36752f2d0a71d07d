"""The judge is judged: what could be wrong with the house is put into a copy, and must be found.

Each file in `patches` is one act of sabotage, as a sly or tired programmer might commit it: a
unified diff under a head that says what it breaks, which commands must fail because of it (`Caught
by`), and what these must say (`Says`), so that they fail for the right reason. `nursery` runs such
a command in a copy of the tree, `bench` applies and judges, `python -m tests.sabotage [NAME ...]`
is `make sabotage`.
"""
