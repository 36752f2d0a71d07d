"""The lobby's board: who sits, what was chosen, and the buttons that change it."""

from __future__ import annotations

from typing import Final

from bot.boards.board import Address, Board, Button, Menu, Rule, Text
from bot.boards.company import company_menu, in_short, mark, seat_line
from bot.boards.howto import Stage
from bot.boards.rules import how_it_ends
from bot.pictures.palette import GREEN, GREY
from bot.tables.house import LETTERS, chosen, said, unusual
from bot.tables.live import chosen_ruleset
from bot.tables.records import DeadlineKind, Status, Table
from bot.words import capital, count, listed, mention, number_word
from engine.ruleset import FEWEST_PLAYERS, Ruleset
from engine.variants import variant

PITCH: Final = "Claim a poker hand hidden among everybody's cards. Go higher, or doubt."
LISTED: Final = 4  # players who have a line each; more of them share lines
USUAL: Final = "-# The usual house rules."


def lobby_board(
    table: Table, closed_dms: frozenset[int] = frozenset(), most_computers: int = 0
) -> Board:
    """The message of a table in its lobby. `closed_dms`: whose cards cannot be sent to them.

    `most_computers`: how many computer players the house seats at a table.
    """
    rules = chosen_ruleset(table)
    asked = (_invitation(table),) if table.invited else ()
    blocks = (
        Text(
            f"## {rules.title}\n{PITCH} {how_it_ends(rules)}\n-# {variant(table.variant).summary}"
            f"{_cards_each(rules)}"
        ),
        Rule(),
        Text(f"**At the table** · {len(table.players)} of {rules.most_players}\n{_seats(table)}"),
        *asked,
        Text(f"{_chosen(table)}\n{_footer(table, closed_dms)}"),
    )
    answer = (Button("in", "I'm in", "success"), Button("decline", "Not this time"))
    # in this order the labels of each row break into the fewest lines on a phone
    buttons = (
        Button("join", "Join", "success", disabled=len(table.players) >= rules.most_players),
        Button("leave", "Leave"),
        Button("start", "Start", "primary", disabled=len(table.players) < FEWEST_PLAYERS),
        Button("cancel", "Cancel", "danger"),
    )
    more = (
        Button("rules", "House rules…"),
        Button("howto", "How to play", choice=Stage().text),
        Button("pace", "Time and messages…"),
        Button("tell", "Tell me when a table opens"),
    )
    rows: list[tuple[Button, ...] | Menu] = [answer] if asked else []
    menu = company_menu(table, most_computers)
    rows += (buttons, *([menu] if menu is not None else []), more)
    return Board(GREEN, blocks, tuple(rows), Address(table.id))


def departed_board(table: Table) -> Board:
    """What is left of a lobby's message: the match began, or nothing came of it."""
    title = chosen_ruleset(table).title
    if table.status is Status.CLOSED:
        return Board(GREY, (Text(f"### {title}\nThis table is closed. `/play` opens another."),))
    people = listed(mention(player) for player in table.players)
    blocks = (Text(f"### {title}\nThe cards are dealt: {people} play."), Text(house_rules(table)))
    return Board(GREEN, blocks)


def unposted_board(table: Table) -> Board:
    """Stands where the table was last shown when it may not be posted anew."""
    text = (
        f"### {chosen_ruleset(table).title}\nThe table goes on, but I may not post it here. Please"
        " give me the permissions **View Channel**, **Send Messages** and **Attach Files** again;"
        " `/table` shows it until then."
    )
    return Board(GREY, (Text(text),))


def moved_board(table: Table, link: str) -> Board:
    """Stands where the table was before somebody brought it down."""
    text = f"-# {chosen_ruleset(table).title}: the table is [further down]({link})."
    return Board(GREY, (Text(text),))


def house_rules(table: Table) -> str:
    """What was chosen that differs from the usual, a line an option."""
    lines = [
        f"-# {option.label}: {said(table, option)}"
        for option in unusual(table.variant, table.options)
    ]
    return "\n".join(lines) or USUAL


def _cards_each(rules: Ruleset) -> str:
    """With how many cards each begins and how many are too many, where that is always the same."""
    starts = set(rules.starting_cards[FEWEST_PLAYERS:])
    limits = set(rules.card_limits[FEWEST_PLAYERS:])
    if len(starts) != 1 or len(limits) != 1:
        return ""
    first, most = starts.pop(), limits.pop()
    cards = f"{capital(number_word(first))} {'card' if first == 1 else 'cards'}"
    return f" {cards} each at first; {number_word(most + 1)} are too many."


def _chosen(table: Table) -> str:
    """The house rules, headed where there is anything to read."""
    rules = house_rules(table)
    return rules if rules == USUAL else f"**House rules**\n{rules}"


def waiting_line(table: Table) -> str:
    """Who will be asked to join the next match, in small print; empty if nobody waits."""
    if not table.waiting:
        return ""
    people = listed(mention(player) for player in table.waiting)
    return f"-# In the next match: {people}"


def _invitation(table: Table) -> Text:
    """Asks the people of the last match to tap in, and says when it starts."""
    people = listed(mention(player) for player in table.invited)
    if table.deadline_kind is DeadlineKind.REMATCH and table.deadline is not None:
        starts = f"It starts <t:{table.deadline // 1000}:R>, or as soon as everybody has answered."
    else:
        starts = "It starts when everybody has answered, or 30 s after the second player is in."
    return Text(f"**Play again?** {people}: tap **I'm in**.\n-# {starts}")


def _seats(table: Table) -> str:
    """Who sits, in the order of joining: a line each as long as that leaves room on a phone."""
    if len(table.players) > LISTED:
        return ", ".join(
            f"{in_short(player)}{' (host)' if player == table.host_id else ''}"
            for player in table.players
        )
    return "\n".join(
        f"{number}. {seat_line(player)}{' · host' if player == table.host_id else ''}"
        for number, player in enumerate(table.players, start=1)
    )


def _footer(table: Table, closed_dms: frozenset[int]) -> str:
    lines = []
    missing = max(0, FEWEST_PLAYERS - len(table.players))
    waiting = f"Waiting for {count(missing, 'more player')}. " if missing else ""
    closed = [player for player in table.players if player in closed_dms]
    if closed:
        people = listed(mention(player) for player in closed)
        lines.append(f"-# {people}: direct messages are closed, so use **My seat** at the table.")
    marked = mark(table.players)
    if marked:
        lines.append(f"-# A match {marked}.")
    where = (
        "come by direct message too" if chosen(table, LETTERS) == "yes" else "are in **My seat**"
    )
    lines.append(f"-# {waiting}{mention(table.host_id)} starts the match. Your cards {where}.")
    return "\n".join(lines)
