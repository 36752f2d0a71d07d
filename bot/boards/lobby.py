"""The lobby's board, its private *Options…*, and notifications about new tables.

The board shows who has joined, which options were chosen, and the buttons that change them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Final

from bot.boards.board import Address, Board, Button, Menu, Rule, Text
from bot.boards.computer_players import (
    computer_button,
    computer_menu,
    mark,
    may_add,
    seat_line,
    short_mention,
)
from bot.boards.cutting import fair_button, lobby_cuts_line, lobby_seal_line
from bot.boards.howto import ExampleStage
from bot.boards.rules import deck_text, how_it_ends
from bot.language.catalogues import N_, tr, trn
from bot.language.moments import stamp
from bot.language.words import join_words, mention, number_word
from bot.pictures.palette import GREEN, GREY
from bot.tables.live import LiveTable, chosen_ruleset
from bot.tables.model import DeadlineKind, Status, Table
from bot.tables.table_options import (
    DIRECT_CARDS,
    SERVER,
    TURN_CLOCK,
    choice_text,
    chosen,
    duration,
    unusual,
)
from bot.tables.turns import is_slow
from engine.ruleset import FEWEST_PLAYERS, Ruleset

PITCH: Final = N_("Claim a poker hand hidden among everybody's cards. Go higher, or challenge.")
# seconds a move and a showdown take among friends, to estimate a match's length
A_MOVE, A_SHOWDOWN = 12, 20
MATCHES_TRIED: Final = 20  # matches to simulate for the same estimate
LISTED: Final = 4  # up to this many players get a line each; more share lines
IN, OUT = "in", "out"  # what a press about the next match does
USUAL: Final = N_("-# Standard rules.")


def lobby_board(
    table: Table, closed_dms: frozenset[int] = frozenset(), *, seats_computers: bool = False
) -> Board:
    """Return the message of a table in its lobby.

    `closed_dms`: the players whose direct messages are closed. `seats_computers`: whether the bot
    seats computer players.
    """
    rules = chosen_ruleset(table)
    invitation = (_invitation(table),) if table.awaited_players else ()
    blocks = (
        Text(
            f"## {tr(rules.title)}\n{tr(PITCH)} {how_it_ends(rules)}\n"
            f"-# {deck_text(rules)}{_cards_each(rules)}"
        ),
        Rule(),
        Text(
            f"{_seat_count(table, rules)}\n{_seats(table)}",
            fair_button() if table.chain_root is not None else None,
        ),
        *invitation,
        Text(
            "\n".join(
                filter(None, (_chosen(table), _time_line(table, rules), _footer(table, closed_dms)))
            )
        ),
    )
    options = Button("options", tr("Options…"))
    rows: tuple[tuple[Button, ...], ...] = (
        (
            Button("join", tr("Join"), "success", disabled=_is_full(table)),
            Button("leave", tr("Leave")),
            start_button(table),
        ),
        (
            *((computer_button(),) if seats_computers and may_add(table) else ()),
            options,
            Button("howto", tr("How to play"), choice=ExampleStage().text),
        ),
    )
    if invitation:
        answer = (Button("in", tr("I'm in"), "success"), Button("decline", tr("Not this time")))
        rows = ((*answer, options),)
    return Board(GREEN, blocks, rows, Address(table.id))


def start_button(table: Table) -> Button:
    """Return the button that starts the match; it is disabled while too few players have joined.

    The button is never green, unlike **Join**, which people who haven't joined are looking for.
    """
    few = _is_short(table)
    return Button("start", tr("Start"), "secondary" if few else "primary", disabled=few)


def _is_short(table: Table) -> bool:
    return len(table.players) < FEWEST_PLAYERS


def _is_full(table: Table) -> bool:
    return len(table.players) >= chosen_ruleset(table).most_players


def departed_board(table: Table) -> Board:
    """Return what a lobby's message shows once the match has begun or the table has closed."""
    head = f"### {tr(chosen_ruleset(table).title)}"
    if table.status is Status.CLOSED:
        text = tr("This table is closed. `/play` opens another.")
        return Board(GREY, (Text(f"{head}\n{text}"),))
    people = join_words(mention(player) for player in table.players)
    text = f"{head}\n{tr('The cards are dealt. Playing: {people}.', people=people)}"
    small = (house_rules(table), lobby_cuts_line(table), lobby_seal_line(table))
    return Board(GREEN, (Text(text), Text("\n".join(filter(None, small)))))


def unposted_board(table: Table) -> Board:
    """Return the board for the table's last message when the table can't be posted again."""
    text = tr("The table goes on, but I can't post here any more. `/table` shows it and says why.")
    return Board(GREY, (Text(f"### {tr(chosen_ruleset(table).title)}\n{text}"),))


def moved_board(table: Table, link: str) -> Board:
    """Return the board for the table's old message after a player reposted the table."""
    text = tr("The table is [further down]({link}).", link=link)
    return Board(GREY, (Text(f"-# {tr(chosen_ruleset(table).title)} · {text}"),))


def in_thread_board(table: Table, link: str) -> Board:
    """Return the board for the table's old message after the table moved into a thread."""
    text = tr("The table has moved to [its own thread]({link}). Join it there.", link=link)
    return Board(GREEN, (Text(f"### {tr(chosen_ruleset(table).title)}\n{text}"),))


def house_rules(table: Table, *, timed: bool = True) -> str:
    """Return the options that differ from the standard rules, one line each.

    Leave out the options of the whole server (`SERVER`) and, if not `timed`, the time for a turn.
    If no option is left, return one line that says so.
    """
    lines = [
        f"-# {tr(option.label)}: {choice_text(table, option)}"
        for option in unusual(table.variant, table.options)
        if option not in SERVER and (timed or option is not TURN_CLOCK)
    ]
    return "\n".join(lines) or tr(USUAL)


def _cards_each(rules: Ruleset) -> str:
    """Return, after a space, the number of cards at the start, and the number that puts you out.

    Empty if either number depends on the number of players.
    """
    starts = set(rules.starting_cards[FEWEST_PLAYERS:])
    limits = set(rules.card_limits[FEWEST_PLAYERS:])
    if len(starts) != 1 or len(limits) != 1:
        return ""
    first, most = starts.pop(), limits.pop()
    return " " + trn(
        "Everyone starts with {first} card; at {many} you're out.",
        "Everyone starts with {first} cards; at {many} you're out.",
        first,
        first=number_word(first),
        many=number_word(most + 1),
    )


def _chosen(table: Table) -> str:
    """Return the house rules, with a heading if any differs from the standard."""
    rules = house_rules(table, timed=False)
    return rules if rules == tr(USUAL) else f"**{tr('House rules')}**\n{rules}"


def _time_line(table: Table, rules: Ruleset) -> str:
    """Return the time per turn, and about how long a match of this many players takes."""
    clock = int(chosen(table, TURN_CLOCK))
    turn = tr("{time} per turn", time=duration(clock)) if clock else tr("No time limit")
    if is_slow(table):
        return tr("-# {turn} · a match takes about a week", turn=turn)
    minutes = match_minutes(rules, max(FEWEST_PLAYERS, len(table.players)))
    match = trn("about {number} minute a match", "about {number} minutes a match", minutes)
    return f"-# {turn} · {match}"


def match_minutes(rules: Ruleset, players: int) -> int:
    """Return about how many minutes a match of `players` friends takes, in steps of five."""
    players = min(players, rules.most_players)
    seconds = _match_seconds(
        rules.starting_cards[players],
        rules.card_limits[: players + 1],
        players,
        live_limits=rules.limit_counts == "live",
        first_out=rules.length == "first_out",
    )
    return max(5, round(seconds / 300) * 5)


@lru_cache(256)
def _match_seconds(
    start: int, limits: tuple[int, ...], players: int, *, live_limits: bool, first_out: bool
) -> float:
    """Return the mean seconds of a few simulated matches; in each round, a random player loses.

    Everybody begins with `start` cards. `limits[n]` is the card limit with n players. If
    `live_limits`, n counts only the players still in the match, otherwise all. If `first_out`, the
    match ends when a player is out.
    """
    chance, seconds = Random(0), 0
    for _ in range(MATCHES_TRIED):
        held = [start] * players
        while len(held) > 1:
            seconds += A_SHOWDOWN + A_MOVE * (len(held) + 1)
            loser = chance.randrange(len(held))
            held[loser] += 1
            if held[loser] > limits[len(held) if live_limits else players]:
                del held[loser]
                if first_out:
                    break
    return seconds / MATCHES_TRIED


def waiting_line(table: Table) -> str:
    """Return who is queued for the next match, in small print; empty if nobody is."""
    if not table.waiting:
        return ""
    people = join_words(mention(player) for player in table.waiting)
    return tr("-# In the next match: {people}", people=people)


def latecomer_board(live: LiveTable, player: int) -> Board:
    """Return a private board for joining the next match, for a person who isn't in this one."""
    if player in live.table.waiting:
        text = tr("**You're in for the next match.** I'll ping you here when this one's over.")
        button = Button("wait", tr("Drop out"), choice=OUT)
    else:
        text = tr("**You're not in this match.** Want to play in the next one?")
        button = Button("wait", tr("Join the next match"), "success", choice=IN)
    return Board(GREEN, (Text(text),), ((button,),), Address(live.table.id))


def _invitation(table: Table) -> Text:
    """Return the invitation to the last match's players to play again, with the time of the start.

    If no time is set yet, say what the start waits for.
    """
    people = join_words(mention(player) for player in table.awaited_players)
    if table.deadline_kind is DeadlineKind.REMATCH and table.deadline is not None:
        when = stamp(table.deadline, "R")
        starts = tr("It starts {when}, or as soon as everyone has answered.", when=when)
    else:
        starts = tr("It starts once everyone has answered, or 30 s after the second player is in.")
    question = tr("**Play again?** {people}: tap **I'm in**.", people=people)
    return Text(f"{question}\n-# {starts}")


def _seat_count(table: Table, rules: Ruleset) -> str:
    return tr(
        "**At the table** · {seated} of {most}", seated=len(table.players), most=rules.most_players
    )


def _seats(table: Table) -> str:
    """Return the players in the order of joining.

    Up to `LISTED` players get a line each; more players share one line.
    """
    if len(table.players) > LISTED:
        return ", ".join(
            tr("{who} (host)", who=short_mention(player))
            if player == table.host_id
            else short_mention(player)
            for player in table.players
        )
    return "\n".join(
        f"{number}. {seat_line(player)}" + (f" · {tr('host')}" if player == table.host_id else "")
        for number, player in enumerate(table.players, start=1)
    )


def _footer(table: Table, closed_dms: frozenset[int]) -> str:
    lines = []
    missing = max(0, FEWEST_PLAYERS - len(table.players))
    waiting = (
        trn("Waiting for {number} more player.", "Waiting for {number} more players.", missing)
        + " "
        if missing
        else ""
    )
    closed = [player for player in table.players if player in closed_dms]
    if closed:
        people = join_words(mention(player) for player in closed)
        lines.append(
            tr(
                "-# {people}: direct messages are closed, so use **My seat** at the table.",
                people=people,
            )
        )
    marked = mark(table.players)
    if marked:
        lines.append(tr("-# A match {marked}.", marked=marked))
    where = (
        tr("{host} starts the match; your cards come by direct message too.")
        if chosen(table, DIRECT_CARDS) == "yes"
        else tr("{host} starts the match. Your cards come here, and only you see them.")
    )
    starting = where.format(host=mention(table.host_id))
    if not table.players:
        starting = tr("The first to join is the host.")
    if not table.awaited_players:  # otherwise the invitation says when the match starts by itself
        lines.append(f"-# {waiting}{starting}")
    lines += filter(None, (lobby_cuts_line(table),))
    return "\n".join(lines)


def new_table_board(table: Table, listeners: Sequence[int], link: str | None) -> Board:
    """Return the message that pings `listeners` about a new table, with a button to stop pings."""
    people = join_words(mention(player) for player in listeners)
    title = tr(chosen_ruleset(table).title)
    name = f"[{title}]({link})" if link else title
    host = mention(table.host_id)
    text = tr(
        "{people}: {host} has opened a **{name}** table.", people=people, host=host, name=name
    )
    return Board(GREEN, (Text(text),), ((_stop(),),), Address(table.id))


def _stop() -> Button:
    return Button("hush", tr("Stop notifying me"))


def notifications_board(address: Address, *, listens: bool) -> Board:
    """Return the reply to a person who turned notifications about new tables on or off."""
    if listens:
        text = tr(
            "I'll ping you here when a table opens in this channel, at most once an hour. To stop"
            " that, press **Stop notifying me**."
        )
        return Board(GREEN, (Text(text),), ((_stop(),),), address)
    text = tr("I won't ping you any more when a table opens in this channel.")
    again = Button("tell", tr("Notify me about new tables"))
    return Board(GREY, (Text(text),), ((again,),), address)


def options_board(
    table: Table,
    player: int,
    *,
    manages: bool,
    seats_computers: bool = False,
    has_threads: bool = False,
) -> Board:
    """Return the private *Options…* of `player`; one line once the lobby is over.

    `manages`: whether they choose the table's rules and may close it. `seats_computers`: whether
    the bot seats computer players. `has_threads`: whether the table can move into a thread.
    """
    if table.status is not Status.LOBBY:
        closed = tr("This table is closed. `/play` opens another.")
        begun = tr("The match has begun.")
        text = closed if table.status is Status.CLOSED else begun
        return Board(GREY, (Text(text),))
    lines = [f"**{tr('Options')}**", house_rules(table)]
    if not manages:
        lines.append(tr("-# {host} chooses the rules and the time.", host=mention(table.host_id)))
    rows: list[tuple[Button, ...] | Menu] = []
    if manages:
        menu = computer_menu(table, seats_computers=seats_computers)
        rules_button = Button("rules", tr("House rules…"))
        rows.append(
            (rules_button, Button("pace", tr("Time…")), Button("messages", tr("Messages…")))
        )
        rows += (menu,) if menu is not None else ()
    rows.append((Button("tell", tr("Notify me about new tables")),))
    if manages:
        start = (start_button(table),) if table.awaited_players else ()
        thread = (Button("thread", tr("Play in a thread")),) if has_threads else ()
        rows.append((*start, *thread, Button("cancel", tr("Close the table"), "danger")))
    return Board(GREEN, (Text("\n".join(lines)),), tuple(rows), Address(table.id))
