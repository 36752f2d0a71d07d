"""Game nights: the message that announces one, a server's list, and one-line messages."""

from __future__ import annotations

from collections.abc import Sequence

from babel.dates import get_day_names

from bot.boards.board import Board, Button, Menu, Rule, Text
from bot.boards.replay import title_of
from bot.language.catalogues import spoken, tr, trn
from bot.language.moments import stamp
from bot.language.words import capital, join_words, mention
from bot.pictures.palette import GREEN, GREY
from bot.tables.local_time import hour_text
from bot.tables.nights import Night


def day_names() -> tuple[str, ...]:
    """Return the days of the week in the current language, Monday first."""
    names = get_day_names("wide", "stand-alone", spoken().key)
    return tuple(str(names[day]) for day in range(7))


def night_board(night: Night) -> Board:
    """Return the message that announces a game night and lets people say they're coming."""
    title = f"### {tr('Game night: {title}', title=title_of(night.game))}"
    when = f"{stamp(night.starts_at, 'F')} · {stamp(night.starts_at, 'R')}"
    event = ""
    if night.event_id:
        link = f"https://discord.com/events/{night.guild_id}/{night.event_id}"
        event = f" · [{tr('in the events')}]({link})"
    coming = trn("**{number} going**", "**{number} going**", len(night.comers))
    people = ", ".join(map(mention, night.comers))
    going = f"{coming}: {people}" if people else tr("No one's in yet.")
    footer = tr("-# A table opens here ten minutes before, and everyone who's in gets a ping.")
    blocks = (Text(f"{title}\n{when}\n-# {_rhythm(night)}{event}"), Text(going))
    row = [Button("nightcome", tr("I'm in"), "success", choice=str(night.id))]
    if people:
        row.append(Button("nightskip", tr("Not this time"), choice=str(night.id)))
    return Board(GREEN, blocks, (tuple(row),), footer=footer)


def nights_board(nights: Sequence[Night], *, may_plan: bool) -> Board:
    """Return a server's game nights, soonest first.

    With `may_plan`, the reader can plan game nights and cancel them.
    """
    nights = sorted(nights, key=lambda night: night.starts_at)
    blocks: list[Text | Rule] = [Text(f"**{tr('Game nights')}**")]
    for night in nights:
        people = trn("{number} going", "{number} going", len(night.comers))
        where = f"<#{night.channel_id}>"
        if night.message_id:
            link = f"https://discord.com/channels/{night.guild_id}/{night.channel_id}/{night.message_id}"
            where = f"[{tr('to the message')}]({link})"
        lines = f"**{title_of(night.game)}** · {stamp(night.starts_at, 'F')}"
        blocks.append(Text(f"{lines}\n-# {_rhythm(night)} · {people} · {where}"))
    if not nights:
        none = tr("No game nights planned.")
        planners = tr("A moderator, or anyone who can create events here, can plan one.")
        blocks.append(Text(none if may_plan else f"{none} {planners}"))
    if may_plan and any(night.event_id for night in nights):
        moving = tr(
            "To move a night, cancel it and plan a new one. Moving its event in Discord doesn't"
            " move the night."
        )
        blocks.append(Text(f"-# {moving}"))
    rows: list[tuple[Button, ...] | Menu] = []
    if may_plan:
        rows.append((Button("nightplan", tr("Plan a night…"), "primary"),))
    if may_plan and nights:
        options = tuple((str(night.id), _short(night), title_of(night.game)) for night in nights)
        marks = ".".join(str(night.id) for night in nights)[:30]
        rows.append(Menu("nightoff", tr("Cancel a night…"), options, marks))
    return Board(GREEN if nights else GREY, tuple(blocks), tuple(rows))


def starting_text(night: Night) -> str:
    """Return the line that announces the open table and pings everyone who is coming, if any."""
    people = join_words(mention(player) for player in night.comers)
    begins = stamp(night.starts_at, "t")  # the line stays: "in 9 minutes" would become "ago"
    if not people:
        return tr("Game night starts at {when}. The table's open: press **Join**.", when=begins)
    return tr(
        "{people}: game night starts at {when}. The table's open: press **Join**.",
        people=people,
        when=begins,
    )


def playing_text(night: Night) -> str:
    """Return the line for a game night whose channel has a match under way.

    It pings everyone who is coming, if any.
    """
    people = join_words(mention(player) for player in night.comers)
    begins = stamp(night.starts_at, "t")
    if not people:
        return tr(
            "Game night starts at {when}. A match is still on here: press **My seat** to join the"
            " next one.",
            when=begins,
        )
    return tr(
        "{people}: game night starts at {when}. A match is still on here: press **My seat** to"
        " join the next one.",
        people=people,
        when=begins,
    )


def cancelled_text(night: Night) -> str:
    """Return the line that notifies everyone who was coming of a cancelled game night."""
    return tr(
        "{people}: the {when} game night is cancelled.",
        people=join_words(mention(player) for player in night.comers),
        when=stamp(night.starts_at, "F"),
    )


def unannounced_text(night: Night) -> str:
    """Return the reply for a person whose cancellation could not be announced."""
    return tr(
        "The game night is cancelled, but Discord won't take my message right now. Please tell"
        " {people}.",
        people=join_words(mention(player) for player in night.comers),
    )


def nobody_text() -> str:
    """Return the line for a game night that nobody joined."""
    return tr("Nobody joined the game night, so I closed its table.")


def missed_text(night: Night) -> str:
    """Return the line for a game night during which the bot was offline."""
    return tr(
        "I was offline for the {when} game night, so no table opened. Sorry!",
        when=stamp(night.starts_at, "F"),
    )


def full_text() -> str:
    """Return the line for a game night in a server that has no room for another table."""
    return tr("No table opened for the game night: this server has as many tables as it can have.")


def _rhythm(night: Night) -> str:
    hour = {"day": capital(day_names()[night.weekday]), "hour": hour_text(night.minute)}
    if night.weekly:
        return tr("{day}, {hour} ({zone}), every week", zone=night.zone, **hour)
    return tr("{day}, {hour} ({zone}), once", zone=night.zone, **hour)


def _short(night: Night) -> str:
    return f"{capital(day_names()[night.weekday])}, {hour_text(night.minute)}"
