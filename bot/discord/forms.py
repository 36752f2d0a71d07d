"""Build forms: a typed bid, a cut, a table's options, a person's preferences.

A form is not kept in memory: its custom id says what it was opened for, and a submission is read
from the interaction itself, so it works even after a restart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

import discord
from discord import ui

from bot.boards.board import Address
from bot.discord import ids
from bot.discord.answers import Interaction, trying
from bot.language.catalogues import tr
from bot.language.wordings import bid_text, game_words
from bot.language.words import capital, cards_text, truncate
from bot.tables.game_fits import LONGEST_ABOUT
from bot.tables.local_time import EXAMPLE_ZONE
from bot.tables.model import Player
from bot.tables.preferences import PREFERENCES, preference
from bot.tables.table_options import MESSAGES, PACE, SERVER, WITH_COMPUTERS, options_of, value_text
from engine.bid_parser import LONGEST_TEXT
from engine.bids import Bid, Kind
from engine.cutting import CUT_EXAMPLE, LONGEST_CUT
from engine.ruleset import Option, Options, OptionValue, Ruleset
from engine.state import Match
from engine.view import View, view_of

Submitted = dict[str, tuple[str, ...]]
EXAMPLE: Final = 3  # the example in a form is this many bids above the standing one
# kinds of bid that are only a number of cards of each rank, but not a high card: "9" alone is
# ambiguous
_OF_RANKS: Final = (
    Kind.PAIR,
    Kind.TWO_PAIR,
    Kind.THREE,
    Kind.FULL_HOUSE,
    Kind.FOUR,
    Kind.FIVE,
)
LONGEST_ZONE: Final = 60  # characters


def form(title: str, custom_id: str, *fields: ui.Label[Any]) -> ui.Modal:
    """Return a form with these fields; its id changes with their values (see `ids`)."""
    values = [_initial_value(field.component) for field in fields]
    modal = ui.Modal(title=title, custom_id=ids.of_form(custom_id, values), timeout=None)
    for field in fields:
        modal.add_item(field)
    return modal


def _initial_value(field: ui.Item[Any]) -> tuple[str, str]:
    """Return (a field's key, its value when the form opens)."""
    if isinstance(field, ui.TextInput):
        return field.custom_id, field.default or ""
    assert isinstance(field, ui.Select)
    return field.custom_id, "".join(option.value for option in field.options if option.default)


def text_field(
    key: str,
    label: str,
    longest: int,
    about: str | None = None,
    *,
    example: str | None = None,
    default: str | None = None,
    required: bool = True,
) -> ui.Label[Any]:
    """Return a field for at most `longest` characters, filled with `default`.

    `about`: a line of explanation. `example`: shown while the field is empty.
    """
    text: ui.TextInput[Any] = ui.TextInput(
        custom_id=key, max_length=longest, placeholder=example, default=default, required=required
    )
    return ui.Label(text=label, description=about, component=text)


def choice_field(
    key: str,
    label: str,
    choices: Iterable[tuple[str, str]],
    chosen: str,
    about: str | None = None,
) -> ui.Label[Any]:
    """Return a select that shows the `chosen` value; `choices`: (value, label) each.

    `about`: a line of explanation.
    """
    options = [
        discord.SelectOption(value=value, label=capital(text), default=value == chosen)
        for value, text in choices
    ]
    select: ui.Select[Any] = ui.Select(custom_id=key, options=options, required=True)
    return ui.Label(text=label, description=about, component=select)


def zone_field(zone: str | None, *, required: bool = True) -> ui.Label[Any]:
    """Return a field for a time zone."""
    about = tr("For example Europe/Warsaw, or just the city.")
    return text_field(
        "zone",
        tr("Time zone"),
        LONGEST_ZONE,
        about,
        example=EXAMPLE_ZONE,
        default=zone,
        required=required,
    )


def bid_form(match: Match, seat: int, address: Address, verb: str, draft: str = "") -> ui.Modal:
    """Return a form with one field to type a bid in.

    `verb`: "typed" if the form opens from the player's own seat, otherwise "bid". `draft`: the
    text that the field has when the form opens.
    """
    view = view_of(match, seat)
    rules = view.ruleset
    higher = [bid for rung in view.legal.rungs for bid in rung]
    title = tr("{bid} a hand", bid=game_words(rules).bid)
    example, beat = example_of(rules, _example_bid(higher)), _what_to_beat(view)
    field = text_field(
        "text",
        tr("In words or shorthand"),
        LONGEST_TEXT,
        beat,
        example=example,
        default=draft or None,
    )
    return form(title, ids.of_table(verb, address), field)


def _example_bid(higher: list[Bid]) -> Bid:
    """Return one of the `higher` bids, near the lowest, if possible one with a short form."""
    above = higher[min(len(higher) - 1, EXAMPLE) :]
    return next(filter(in_letters, above), above[0])


def example_of(rules: Ruleset, bid: Bid) -> str:
    """Return a bid as a person may type it: in words, and also in letters if possible."""
    words, letters = bid_text(rules, bid), in_letters(bid)
    return tr("{said}, or {short}", said=words, short=letters) if letters else words


def in_letters(bid: Bid) -> str:
    """Return a bid as ranks, such as KK55 for two pair; empty if ranks alone don't describe it."""
    if bid.kind not in _OF_RANKS:
        return ""
    return "".join(rank.char * need.count for rank, need in zip(bid.ranks, bid.needs, strict=True))


def _what_to_beat(view: View) -> str:
    """Return a line with the standing bid and the player's cards, cut to a form's length."""
    current = view.round
    standing = current.standing if current is not None else None
    beat = (
        tr("Higher than {said}", said=bid_text(view.ruleset, standing.bid))
        if standing
        else tr("Open the round")
    )
    held = current.hole if current is not None else None
    if held:
        beat = tr("{beat}. You hold {cards}.", beat=beat, cards=cards_text(held))
    return truncate(beat, LONGEST_ABOUT)


def cut_form(address: Address, seal: str | None) -> ui.Modal:
    """Return a form with one field to cut the cards with; `seal`: the deal's seal to show."""
    about = tr("Your words count from the next deal on.")
    if seal is not None:  # in groups of letters, so that it can wrap
        groups = " ".join(seal[at : at + 16] for at in range(0, len(seal), 16))
        about = tr("Sealed. Your words reshuffle it: {seal}", seal=groups)
    label, about = tr("Type something random"), truncate(about, LONGEST_ABOUT)
    field = text_field("text", label, LONGEST_CUT, about, example=tr(CUT_EXAMPLE))
    return form(tr("Cut the cards"), ids.of_table("cut", address), field)


def options_form(
    game: str, chosen: Options, verb: str, address: Address, choice: str = ""
) -> ui.Modal:
    """Return a form of a table's options, each a select that shows the current choice.

    `chosen`: the current choices. `verb` selects the options: time, messages, the language of a
    server's tables, or the rules of the game. `choice`: as in `ids.of_table`.
    """
    offered: tuple[Option, ...]
    match verb:
        case "pace" | "usualpace":
            title, offered = tr("Time"), PACE
        case "messages" | "usualmessages":
            title, offered = tr("Messages"), MESSAGES
        case "usuallanguage":
            title, offered = tr("Language"), SERVER
        case _:
            elsewhere = (*PACE, *MESSAGES, *WITH_COMPUTERS, *SERVER)
            title = tr("House rules")
            offered = tuple(option for option in options_of(game) if option not in elsewhere)
    return _options_form(chosen, title, ids.of_table(verb, address, choice), offered)


def preferences_form(player: Player) -> ui.Modal:
    """Return the form of a person's preferences."""
    now = {option.key: preference(player, option) for option in PREFERENCES}
    return _options_form(now, tr("Your settings"), ids.of_table("me", Address(0)), PREFERENCES)


def _options_form(
    values: Options, title: str, custom_id: str, options: tuple[Option, ...]
) -> ui.Modal:
    fields = []
    for option in options:
        now = values.get(option.key, option.default)
        choices = [(str(choice.value), tr(choice.label)) for choice in option.choices]
        if all(choice.value != now for choice in option.choices):
            choices.insert(0, (str(now), value_text(option, now)))
        about = tr(option.about) if option.about else None
        fields.append(choice_field(option.key, tr(option.label), choices, str(now), about))
    return form(title, custom_id, *fields)


def read_chosen(options: Iterable[Option], submitted: Submitted) -> dict[str, OptionValue]:
    """Return the choices of `options` in a submitted form; skip unknown ones."""
    return {
        option.key: choice.value
        for option in options
        for choice in option.choices
        if submitted.get(option.key, ())[:1] == (str(choice.value),)
    }


def changed_values(submitted: Submitted, opened: Collection[str]) -> Submitted:
    """Return the fields of a form that were changed, so that an old form doesn't undo changes.

    `opened`: marks (`ids.mark`) of the initial values. A form of an earlier version has no marks,
    so all of its fields count as changed.
    """
    return {
        key: values
        for key, values in submitted.items()
        if ids.mark(key, "".join(values)) not in opened
    }


def submitted_values(components: Iterable[Mapping[str, Any]]) -> Submitted:
    """Return the values of every field of a submitted form, by custom id."""
    fields = [label["component"] for label in components]
    return {
        field["custom_id"]: tuple(field["values"]) if "values" in field else (field["value"],)
        for field in fields
    }


async def open_form(interaction: Interaction, modal: ui.Modal) -> None:
    """Show a form; the library doesn't keep it in memory."""
    modal.stop()
    # the press may be too old, or from before a restart: that is no error
    async with trying(interaction):
        await interaction.response.send_modal(modal)
