"""The line that reminds whoever is to act: a message of its own, since an edit pings nobody."""

from __future__ import annotations

from bot.boards.board import Address, Button
from bot.language.catalogues import tr, trn
from bot.language.moments import stamp
from bot.language.wordings import bid_text, game_words
from bot.language.words import Names, mention
from bot.tables.live import LiveTable
from engine.play import legal
from engine.view import view


def reminder_line(live: LiveTable, names: Names, link: str | None) -> tuple[int, str] | None:
    """Whom to remind and the line that does it; None while nobody is to act.

    Only the one reminded is mentioned; whoever bid last goes by their name in `names`.
    """
    found = what_is_asked(live, names)
    if found is None:
        return None
    player, told = found
    where = f" · [{tr('to the table')}]({link})" if link else ""
    return player, f"{mention(player)}, {told}{where}"


def reminder_letter(live: LiveTable, names: Names, others: int = 0) -> str | None:
    """The direct message that says the same; None while nobody is to act.

    `others` are the reader's other tables where they are asked for something.
    """
    found = what_is_asked(live, names)
    if found is None:
        return None
    channel = f"<#{live.table.channel_id}>"
    text = tr("It is your turn in {channel}: {told}", channel=channel, told=found[1])
    if others <= 0:
        return text
    waiting = trn(
        "{number} more table waits for you: `/turns` lists them.",
        "{number} more tables wait for you: `/turns` lists them.",
        others,
    )
    return f"{text}\n-# {waiting}"


def reminder_row(live: LiveTable) -> tuple[Address, Button]:
    """The way to their cards for whoever is reminded and has no seat that follows the table."""
    seq = live.match.seq if live.match is not None else 0
    address = Address(live.table.id, live.table.match_id or 0, seq)
    return address, Button("seat", tr("My seat"), "primary")


def reminded(live: LiveTable) -> int | None:
    """Whom a reminder is for; None while nobody is to act."""
    if live.match is None:
        return None
    seen = view(live.match)
    bidder = seen.legal.bidder
    return None if bidder is None or seen.round is None else seen.seats[bidder].player


def what_is_asked(live: LiveTable, names: Names) -> tuple[int, str] | None:
    """Who is to act, what they are to answer, and until when."""
    if live.match is None:
        return None
    seen = view(live.match)
    if seen.legal.bidder is None or seen.round is None:
        return None
    rules, player = seen.ruleset, seen.seats[seen.legal.bidder].player
    made = seen.round.standing
    if made is None:
        what = tr(
            "you open round {number} of {title}", number=seen.round.number, title=tr(rules.title)
        )
    else:
        who = str(names.get(seen.seats[made.seat].player) or tr("the player before you"))
        if live.last_by_house:
            who = tr("{who} (by the house)", who=who)
        text = (
            tr("{who} said **{said}**")
            if legal(live.match).rungs
            else tr("{who} said **{said}**: you must {doubt}")
        )
        what = text.format(who=who, said=bid_text(rules, made.bid), doubt=game_words(rules).doubt)
    ends = live.table.turn_ends
    clock = f" · {tr('time is up {clock}', clock=stamp(ends, 'R'))}" if ends else ""
    return player, f"{what}{clock}"
