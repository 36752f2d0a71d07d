"""Forms that stay open while their values change elsewhere, or whose values a phone remembers."""

from __future__ import annotations

import pytest

from bot.discord import ids
from bot.discord.forms import Submitted, changed_values
from bot.sandbox.driver import Person
from bot.sandbox.screen import SeenModal
from bot.tables.preferences import PREFERENCES
from bot.tables.table_options import options_of
from engine.variants import VARIANTS
from tests.bot.conftest import Seat
from tests.bot.harness import Table
from tests.people import press_in_command

LIARS = "Liars' Poker"


async def options_form(at: Table, person: Person, button: str) -> SeenModal:
    """Open the form behind this button of a lobby's options."""
    message = await (await person.click(at.message(), "Options…")).settle()
    return (await person.click(message.seen, button)).form


async def settings_form(at: Table, person: Person, button: str) -> SeenModal:
    """Open the form behind this button of a server's usual rules for Liars' Poker."""
    message = await (await person.slash(at.channel, "settings", game=LIARS)).settle()
    return (await person.click(message.seen, button)).form


def id_of(form: SeenModal) -> str:
    return str(form.payload["custom_id"])


async def test_a_lobbys_form_changes_only_what_differs_from_what_it_showed(table: Seat) -> None:
    at = await table(2)
    await at.open(LIARS)
    stale = await options_form(at, at.host, "House rules…")
    newer = await options_form(at, at.host, "House rules…")
    assert id_of(stale) == id_of(newer)
    await at.host.submit(newer, {"Jokers": ["None"]})
    await at.settle()
    assert "-# Jokers: none" in at.message().text
    after = await options_form(at, at.host, "House rules…")
    assert id_of(after) != id_of(stale)  # a phone shows what it first saw under an id
    await at.host.submit(stale, {"Middle hand": ["One hand, face down"]})
    await at.settle()
    options = (await at.live()).table.options
    assert (options["jokers"], options["middle_hand"]) == (0, True)


async def test_a_moderators_old_form_does_not_undo_newer_usual_rules(
    table: Seat,
) -> None:
    at = await table(2)
    ann, bob = at.people
    for person in at.people:
        at.world.server("The Snug").make_moderator(person)
    stale = await settings_form(at, bob, "House rules…")
    out = await ann.submit(await settings_form(at, ann, "House rules…"), {"Jokers": ["None"]})
    assert "-# Jokers: none" in out.text
    out = await bob.submit(stale, {"Middle hand": ["One hand, face down"]})
    assert "-# Jokers: none" in out.text
    assert "-# Middle hand: one hand, face down" in out.text
    assert id_of(await settings_form(at, bob, "House rules…")) != id_of(stale)


async def test_an_old_form_does_not_undo_newer_preferences(
    table: Seat,
) -> None:
    at = await table(1)
    stale = await press_in_command(at.host, at.channel, "preferences", "Change…")
    form = await press_in_command(at.host, at.channel, "preferences", "Change…")
    await at.host.submit(form.form, {"Deck": ["Two colours"]})
    out = await at.host.submit(stale.form, {"Your language": ["Polski"]})
    assert "dwa kolory" in out.text


async def test_an_old_form_does_not_undo_a_newer_daily_digest(table: Seat) -> None:
    at = await table(1)
    stale = await press_in_command(at.host, at.channel, "turns", "Daily digest…")
    form = await press_in_command(at.host, at.channel, "turns", "Daily digest…")
    out = await at.host.submit(form.form, {"When": ["8:00"], "Time zone": "Europe/Warsaw"})
    assert "8:00" in (await out.settle()).text
    out = await at.host.submit(stale.form, {})
    assert "8:00" in (await out.settle()).text
    again = await press_in_command(at.host, at.channel, "turns", "Daily digest…")
    assert id_of(again.form) != id_of(stale.form)


def test_no_two_values_of_a_field_have_the_same_mark() -> None:
    options = [*PREFERENCES, *(option for game in VARIANTS for option in options_of(game))]
    for option in options:
        marks = {ids.mark(option.key, str(choice.value)) for choice in option.choices}
        assert len(marks) == len(option.choices), option.key


def test_all_fields_of_a_form_of_an_earlier_version_without_marks_count() -> None:
    submitted: Submitted = {"jokers": ("0",), "middle_hand": ("False",)}
    old = ids.read("bh:rules:7:0:0")
    assert isinstance(old, ids.OfTable)
    assert changed_values(submitted, old.opened) == submitted
    now = ids.read(ids.of_form("bh:rules:7:0:0", [("jokers", "0"), ("middle_hand", "True")]))
    assert isinstance(now, ids.OfTable)
    assert (now.verb, now.address.table, now.choice) == ("rules", 7, "")
    assert changed_values(submitted, now.opened) == {"middle_hand": ("False",)}


@pytest.mark.parametrize("fields", [1, 5])
def test_a_forms_id_is_short_enough_and_can_be_read_back(fields: int) -> None:
    opened = [(f"key{n}", "x" * 60) for n in range(fields)]
    about = "bh:usuallanguage:0:0:0:liars_poker"
    text = ids.of_form(about, opened)
    read = ids.read(text)
    assert len(text) <= ids.MOST
    assert isinstance(read, ids.OfTable)
    assert (read.verb, read.choice, len(read.opened)) == ("usuallanguage", "liars_poker", fields)
    longest = f"bh:rules:{'9' * 15}:{'9' * 15}:{'9' * 9}"
    assert len(ids.of_form(longest, opened)) <= ids.MOST
    for odd in ("~", "~abc", "~ABCDEF", f"~{'a' * 36}", "~zzzzzz"):
        assert ids.read(about + odd) is None
