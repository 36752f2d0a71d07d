"""The verbs of buttons and forms: each drawn verb has one method that answers it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from bot.discord.delivery.delivery import TableDelivery
from bot.discord.router import Router, on_form, on_press
from tests.bot.conftest import Seat
from tests.fuzz.payloads import VERBS

BOT = Path(__file__).parents[3] / "bot"
NOT_OF_TABLES = ("sandbox", "cli", "terminal")
BIDS = {"bid", "typed"}  # forms of `bid_form`: the table's and the seat's
OF_EARLIER_VERSIONS = {"mine"}


def first_arguments(*functions: str) -> Iterator[tuple[str, ast.expr]]:
    """Yield the place ("file:line") and first argument of the bot's calls of these functions.

    Leave out the folders in `NOT_OF_TABLES`.
    """
    for path in sorted(BOT.rglob("*.py")):
        if path.relative_to(BOT).parts[0] in NOT_OF_TABLES:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name in functions:
                    yield f"{path.name}:{node.lineno}", node.args[0]


def constant(verb: ast.expr) -> str:
    assert isinstance(verb, ast.Constant), ast.unparse(verb)
    return str(verb.value)


async def test_every_button_and_list_that_is_drawn_is_answered(table: Seat) -> None:
    router = (await table(1)).bot.client.handlers.router
    drawn = {constant(verb) for _, verb in first_arguments("Button", "Menu")}
    assert len(drawn) > 50
    assert drawn <= router.presses.keys()
    assert router.presses.keys() - drawn == OF_EARLIER_VERSIONS


async def test_odd_input_is_tried_with_every_verb(table: Seat) -> None:
    router = (await table(1)).bot.client.handlers.router
    assert router.presses.keys() | router.forms.keys() <= set(VERBS)


async def test_every_form_that_is_opened_is_answered(table: Seat) -> None:
    router = (await table(1)).bot.client.handlers.router
    verbs = [verb for _, verb in first_arguments("of_table") if isinstance(verb, ast.Constant)]
    of_options = {  # whose forms have the verb of the button that opens them
        verb
        for verb, handler in router.presses.items()
        if cast(Any, handler).__name__ in ("open_rules", "open_usual")
    }
    assert {constant(verb) for verb in verbs} | BIDS | of_options == router.forms.keys()


class First:
    @on_press("join", "in")
    async def join(self, *_: object) -> None: ...

    @on_form("join")
    async def submit(self, *_: object) -> None: ...


class Second:
    @on_press("in", looks=True)
    async def enter(self, *_: object) -> None: ...


def route(*handlers: object) -> Router:
    return Router(cast(TableDelivery, None), cast(Any, None), handlers)


def test_a_method_is_marked_for_several_verbs_and_a_form_is_no_press() -> None:
    router = route(first := First())
    assert router.presses == {"join": first.join, "in": first.join}
    assert router.forms == {"join": first.submit}
    assert router.looks == set()
    assert route(Second()).looks == {"in"}


def test_two_methods_for_a_verb_are_refused_at_the_start() -> None:
    with pytest.raises(ValueError, match=r"two methods answer 'in': First.join and Second.enter"):
        route(First(), Second())
