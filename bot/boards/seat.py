"""A player's own seat: the bidding, whose turn it is, their cards, and on their turn the bid pad.

All of it is one private message, posted again below the table at each deal; as a direct message, it
stays the same for the match. Everything that a player needs for a decision is close to the
buttons: the standing bid, the cards, a notice, the pad. The small line on top names the match and
the round, so that cards of an earlier round aren't mistaken for the current ones.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, pairwise
from operator import attrgetter
from typing import Final

from bot.boards.bidding import (
    PLAY_OFF,
    bot_move_note,
    call_lines,
    cards_in_play,
    everyone_away_line,
)
from bot.boards.board import Address, Block, Board, Button, Hand, Style, Text
from bot.boards.computer_players import full_mention
from bot.boards.pad import EXACT, MORE, PadOffer, Pick, grid_of, kind_pages, step_of, steps_to
from bot.boards.rules import only_lower
from bot.boards.showdown import ending, own_line
from bot.language.catalogues import N_, spoken, tr, trc, trn
from bot.language.moments import stamp
from bot.language.wordings import bid_text, bid_with_ranks, game_words, headings
from bot.language.words import (
    NUMBERS,
    capital,
    cards_counted,
    kind_label,
    lacking_text,
    mention,
    number_word,
    rough_percent,
    together,
)
from bot.pictures.palette import AMBER, GREEN, GREY
from bot.recent import Recent
from bot.roster import is_computer
from bot.tables.absence import has_timed_out, is_attended, is_away
from bot.tables.live import LiveTable
from bot.tables.model import Player, Status, Table
from bot.tables.preferences import CARDS, DECK, language_of, preference
from bot.tables.table_options import seat_odds_shown
from engine.actions import Challenge, MakeBid
from engine.bids import Bid, Kind, Need, holds
from engine.cards import Cards, Rank
from engine.odds.bids.exact import seat_odds
from engine.rotation import card_limit, penalise, playing_off
from engine.ruleset import Ruleset
from engine.state import Cause, Match
from engine.view import EndedRound, RoundView, View, view_of

LATEST: Final = 3  # bids of the round to list above a pad: a phone's screen has no room for more
LATEST_APART: Final = 5  # the same, in a seat apart from its table
MOST_LINES: Final = 4  # lines of kinds or ranks
Row = tuple[Button, ...]
SURE: Final = "sure"  # marks a challenge made though the player's own cards make the bid
WHICH_RANK: Final = N_("{kind}: which rank?")
WHICH_SUIT: Final = N_("{kind}: which suit?")
_RANK_QUESTIONS: Final = {  # kinds for which "which rank" would be ambiguous
    Kind.TWO_PAIR: N_("{kind}: the higher pair?"),
    Kind.FULL_HOUSE: N_("{kind}: three of which rank?"),
    Kind.STRAIGHT: N_("{kind}: up to which rank?"),
    Kind.STRAIGHT_FLUSH: N_("{kind}: up to which rank?"),
}
_OF_RANKS: Final = (Kind.PAIR, Kind.THREE, Kind.TWO_PAIR, Kind.FULL_HOUSE)


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice in a seat: why a move was refused and what was probably meant, or a hint.

    `meant`: bids to offer, which the player must confirm. `ends`: the text asks whether to end a
    practice. `doubts`: the text asks whether to challenge anyway; the challenge button then does so
    at once.

    `hint`: the text of a hint, which stays while the player uses the pad. A hint adds no button:
    once the pad changes, a press on it could hit another button.
    """

    text: str
    meant: tuple[Bid, ...] = ()
    ends: bool = False
    doubts: bool = False
    hint: str = ""

    @property
    def hint_alone(self) -> Notice | None:
        """Return the notice's hint without its other words; None if it has no hint."""
        return Notice(self.hint, hint=self.hint) if self.hint else None


def seat_board(
    live: LiveTable,
    player: int,
    pick: Pick = Pick(),
    notice: Notice | None = None,
    link: str | None = None,
    *,
    learning: bool = False,
    heading: str = "",
    apart: bool = False,
    whole: bool = True,
    hints: bool = False,
) -> Board:
    """Return a player's own seat. `pick` is their progress on the pad; `link` leads to the table.

    If the player is `learning`, explain what the standing bid claims and what losing a round costs;
    otherwise, only warn a player who would be out. `heading` replaces the title, in a practice. If
    the seat is `apart` from its table, it repeats what the table shows. With `hints`, the pad
    offers a hint.

    If not `whole`, a player with nothing to do in this round gets a calm seat: their cards, and
    nothing that changes while others bid. So bids don't make it outdated (see `seat_state`).
    """
    if notice is not None and notice.meant:
        pick = Pick()  # the question about typed text replaces the pad's first step
    table, match, seat = live.table, live.match, _seat_shown(live, player)
    address = Address(table.id, table.match_id or 0, match.seq if match is not None else 0)
    if match is None or seat is None:
        return _waiting(live, player, address, notice, link)
    view = view_of(match, seat)
    current = view.round
    if current is None:
        return _waiting(live, player, address, notice, link)
    if not whole and _is_calm(table, match, seat):
        return _calm(live, view, current, seat, notice, link, apart=apart)
    ended = isinstance(current, EndedRound) or table.status is not Status.PLAYING
    chances = {} if ended else _chances(live, view, current)
    learning = learning and not ended and view.seats[seat].live
    table_lines = _table_summary(live, view, current) if apart and not ended else ""
    last_chance = not ended and _is_last_chance(view, seat)
    title = heading or _title(live, view, current, link)
    hinted = notice is not None and bool(notice.hint)  # the words of a hint need the room
    has_stake = (learning and not hinted) or last_chance
    lines = (title, table_lines, stake(view) if has_stake else "")
    latest = LATEST_APART if apart else 1 if hinted else LATEST - learning
    blocks: list[Block] = [Text(_round_so_far(view, current, lines, latest))]
    step = None if ended else _pad_step(live, view, seat, pick, notice)
    if not ended:
        blocks += _decision_blocks(
            live, view, current, seat, chances, step, notice, learning=learning
        )
    if current.hole is not None:
        blocks.append(Hand(current.hole))
    if notice is not None and (ended or not notice.doubts):
        blocks.append(Text(f"> {notice.text}"))
    if ended:
        how = ending(live) if apart else ""
        if how:
            blocks.append(Text(how))
        blocks.append(Text(_after(live, view, current, seat, loser_named=bool(how))))
        return Board(GREY, tuple(blocks), (_refresh(),), address)
    rows = _controls(live, view, seat, step, pick.page, chances, notice, hints=hints)
    accent = AMBER if view.legal.bidder == seat else GREEN
    return Board(accent, tuple(blocks), rows, address)


def seat_state(live: LiveTable, player: int, *, whole: bool = True) -> Hashable:
    """Return a value that changes when a player's seat must be redrawn.

    While the value stays, `seat_board` with the same other arguments draws the same board.
    There is one exception, if `whole` is False: when a round ends and the match goes on,
    players who had nothing to do keep their value. The table's next message shows the showdown,
    and the next deal brings a new seat.

    The player who had to act gets a new value, since the buttons in their seat no longer work.
    So does everybody at the end of the match, when no deal follows.
    """
    table, match = live.table, live.match
    seat = _seat_shown(live, player)
    if match is None or match.round is None or seat is None:
        seq = match.seq if match is not None else 0
        if table.status is Status.LOBBY:
            joined = player in table.players, player in table.awaited_players
            return "lobby", table.match_id, seq, joined
        return "watching", table.match_id, seq, table.status.live
    if not whole:
        bidding = match if match.round.outcome is None else live.before
        if bidding is not None and _is_calm(table, bidding, seat):
            player_state = bidding.seats[seat].live, _sleeps(table, bidding, seat)
            missed = _missed_move(live, seat)
            return "calm", table.match_id, match.round.number, player_state, missed
    if match.round.outcome is not None or table.status is not Status.PLAYING:
        playing = table.status is Status.PLAYING
        return "ended", table.match_id, match.seq, playing, _missed_move(live, seat)
    return "bidding", table.match_id, match.seq, _turn_state(table, match, seat, match.round.turn)


def _turn_state(table: Table, match: Match, seat: int, turn: int) -> Hashable:
    """Return the parts of a turn that a seat shows and that can change without a move.

    For a player who is away, that is whether anybody is present. On the player's own turn, it is
    when the turn ends and who reported the player as away. Otherwise, it is whether the player to
    act is away.
    """
    if _sleeps(table, match, seat):
        return "sleeps", is_attended(table, match)
    if turn == seat:
        return table.turn_ends, table.votes.get(match.seats[seat].player)
    return is_away(table, match.seats[turn].player)


def _seat_shown(live: LiveTable, player: int) -> int | None:
    """Return the number of a player's seat in a match that has begun; None without a seat."""
    if live.match is None or live.match.round is None or live.table.status is Status.LOBBY:
        return None
    return live.match.seat_of(player)


def _is_calm(table: Table, match: Match, seat: int) -> bool:
    """Return whether a round is being bid and the seat's player has nothing to do.

    Where anybody may challenge, waiting players challenge at the table, not from their seats.
    With the challenge in the seats, each bid would have to redraw all seats; for six seats,
    Discord doesn't allow that many requests. The bot plays for absent players, so they have
    nothing to do even on their turn.
    """
    current = match.round
    if table.status is not Status.PLAYING or current is None or current.outcome is not None:
        return False
    if _sleeps(table, match, seat):
        return True
    return seat != current.turn


def _calm(
    live: LiveTable,
    view: View,
    current: RoundView,
    seat: int,
    notice: Notice | None,
    link: str | None,
    *,
    apart: bool,
) -> Board:
    """Return the seat of a player who has nothing to do. Bids of the round don't change it.

    The controls have the action number of the deal, since the latest action's number changes with
    each bid.
    """
    table_lines = _table_summary(live, view, current) if apart else ""
    blocks: list[Block] = [
        Text("\n".join(filter(None, (_title(live, view, current, link), table_lines))))
    ]
    blocks.append(Text(_waiting_reason(live, view, seat, link)))
    if current.hole is not None:
        blocks.append(Hand(current.hole))
    if notice is not None:
        blocks.append(Text(f"> {notice.text}"))
    row = _back() if _sleeps(live.table, view, seat) else _refresh()
    address = Address(live.table.id, live.table.match_id or 0, live.news_seq)
    return Board(GREEN, tuple(blocks), (row,), address)


def _waiting_reason(live: LiveTable, view: View, seat: int, link: str | None) -> str:
    """Return why a player has nothing to do, in words that stay true after the showdown.

    They don't say whose turn it is: that changes with each bid, but the seat isn't redrawn.
    """
    if _sleeps(live.table, view, seat):
        return tr("**You're away.** Press **I'm back** to make your own moves again.")
    text = tr("It's not your turn. When it is, you bid here.")
    if not view.seats[seat].live:
        text = _out_text(live, seat)
    detail = tr("The table shows whose turn it is, and the bids.")
    if link:
        detail = tr("[The table]({link}) shows whose turn it is, and the bids.", link=link)
    if view.seats[seat].live and view.ruleset.challengers == "anyone":
        detail += " " + tr("You can challenge any bid there.")
    return "\n".join(filter(None, (_timeout_line(live, seat), text, f"-# {detail}")))


def _missed_move(live: LiveTable, seat: int) -> MakeBid | Challenge | None:
    """Return the move that the bot just made for a seat whose player ran out of time, or None."""
    match = live.match
    if match is None or not has_timed_out(live.table, match.seats[seat].player):
        return None
    return live.stand_in_moves.get(seat)


def _timeout_line(live: LiveTable, seat: int) -> str:
    """Return a line on what the bot did for a player who just ran out of time; otherwise empty."""
    move, match = _missed_move(live, seat), live.match
    if move is None or match is None:
        return ""
    rules = match.ruleset
    if isinstance(move, Challenge):
        challenged = game_words(rules).challenged
        return tr("**Time ran out:** the bot {challenged} for you.", challenged=challenged)
    bid = bid_text(rules, rules.ladder.bid(move.key))
    return tr("**Time ran out:** the bot played **{said}** for you.", said=bid)


def _waiting(
    live: LiveTable, player: int, address: Address, notice: Notice | None, link: str | None
) -> Board:
    where = tr("at [the table]({link})", link=link) if link else tr("at the table")
    lobby = live.table.status is Status.LOBBY
    if lobby and player in live.table.players:
        text = tr(
            "**You have a seat {where}.**\nYour cards will appear here when the match starts."
        )
    elif lobby and player in live.table.awaited_players:
        text = tr("**Play again?** Tap **I'm in** {where}.")
    elif lobby:
        text = tr("The next match is about to start. **Join** gives you a seat {where}.")
    elif not live.table.status.live:
        text = tr("This match is over. See what's next {where}.")
    else:
        text = tr("You're not in this match. You can watch it {where}.")
    text = text.format(where=where)
    notices = [Text(f"> {notice.text}")] if notice is not None else []
    return Board(GREEN, (Text(text), *notices), (_refresh(),), address)


def rules_button() -> Button:
    """Return the button that shows the table's rules privately."""
    return Button("rulebook", tr("Rules"))


def _refresh() -> Row:
    return Button("refresh", tr("Refresh")), rules_button()


def _back() -> Row:
    return Button("back", tr("I'm back"), "success"), rules_button()


# -- what is known ---------------------------------------------------------------------------------


def _chances(live: LiveTable, view: View, current: RoundView) -> Mapping[str, float]:
    """Return each bid's chance, by key, given the player's cards; empty if seats show no odds."""
    if not seat_odds_shown(live.table) or current.hole is None:
        return {}
    return seat_chances(view.ruleset, current.in_play, current.hole)


def _round_so_far(view: View, current: RoundView, lines: Iterable[str], latest: int) -> str:
    """Return `lines`, then the last `latest` bids of the round except the standing one.

    In a seat apart from its table (`latest` is `LATEST_APART`), say how many earlier bids there
    are. Once the round has ended, return only `lines`.
    """
    texts = list(filter(None, lines))
    if not isinstance(current, EndedRound):
        if len(current.bids) > latest == LATEST_APART:
            number = len(current.bids) - latest
            texts.append(trn("-# {number} earlier bid", "-# {number} earlier bids", number))
        texts += call_lines(view, current, latest=latest)[:-1]
    return "\n".join(texts)


def _title(live: LiveTable, view: View, current: RoundView, link: str | None) -> str:
    """Return the game, the match and the round of a seat, in small print."""
    title = tr(view.ruleset.title)
    return tr(
        "-# {title} · match {match} · Round {number}",
        title=f"[{title}]({link})" if link else title,
        match=live.table.match_id,
        number=current.number,
    )


def _table_summary(live: LiveTable, view: View, current: RoundView) -> str:
    """Return how many cards each player holds, and how the last round ended, in small print.

    The table's messages show the same.
    """
    dealt = zip(view.seats, current.dealt, strict=True)  # including players who have left since
    held = " · ".join(f"{mention(seat.player)}\u00a0{cards}" for seat, cards in dealt if cards)
    lines = [f"-# {cards_in_play(current)}: {held}"]
    before = live.before.round if live.before is not None else None
    if before is not None and before.number == current.number - 1:
        how = ending(replace(live, match=live.before))
        lines.insert(0, f"-# {tr('Round {number}', number=before.number)}: {how}")
    return "\n".join(lines)


def _decision_blocks(
    live: LiveTable,
    view: View,
    current: RoundView,
    seat: int,
    chances: Mapping[str, float],
    step: PadOffer | None,
    notice: Notice | None,
    *,
    learning: bool,
) -> list[Block]:
    """Return the standing bid, with the challenge next to it, and whose turn it is.

    The challenge button is only here. No other button takes this place, and it is far from the pad,
    so nobody who reaches for another button challenges by accident. If the pad asks a question, or
    `notice` asks whether to challenge anyway, the question replaces the line about the turn, so
    that little moves on the screen. If `notice` asks, the challenge button confirms the challenge.
    """
    doubts = notice is not None and notice.doubts
    question = _question(view, step, notice, chances)
    standing, turn = _standing(live, view, current), _turn(live, view, seat, question)
    if current.standing is None:
        return [Text("\n".join(filter(None, (standing, turn))))]
    small, bid = [], current.standing.bid
    hinted = notice is not None and bool(notice.hint)  # the words of a hint need the room
    if bid.key in chances and not hinted:
        chance = rough_percent(chances[bid.key])  # not bold: the bid itself may say more
        if chances[bid.key] == 1:
            small.append(_certain_text(bid, current.hole or Cards()))
        elif current.standing.seat != view.seat:
            small.append(tr("{chance} likely by your cards, before they bid it.", chance=chance))
        else:
            small.append(tr("{chance} likely by your cards alone.", chance=chance))
    if learning and not hinted:
        small.append(claim(view.ruleset, bid, current.in_play))
    lines = [f"-# {' '.join(small)}", turn] if small else [turn]
    doubt = None
    if seat in view.legal.challengers and not _sleeps(live.table, view, seat):
        label, sure = game_words(view.ruleset).challenge, SURE if doubts else ""
        if doubts:  # short, so that a second tap where the challenge was does nothing
            label = tr("Yes")
        doubt = Button("doubt", label, "danger", choice=sure)
    return [Text(standing, doubt), Text("\n".join(lines))]


def _certain_text(bid: Bid, hole: Cards) -> str:
    """Return why a bid is certain, given a player's own cards."""
    if holds(bid, hole.naturals):
        return tr("You hold it.")
    if holds(bid, hole):
        return tr("You hold it, with a joker.")
    return tr("It's there, whatever the others hold.")  # nearly the whole deck is in play


def _standing(live: LiveTable, view: View, current: RoundView) -> str:
    """Return the standing bid and its bidder.

    If nobody has bid, say so; for the opener, return an empty text.
    """
    rules, standing = view.ruleset, current.standing
    if standing is None:
        if view.legal.bidder == view.seat:
            return ""
        return tr("### No {noun} yet", noun=game_words(rules).noun)
    is_own = standing.seat == view.seat
    by = tr("by you") if is_own else tr("by {who}", who=mention(view.seats[standing.seat].player))
    if live.last_by_house:
        by += f" · {bot_move_note()}"
    return f"### {headings(rules)[standing.bid.key]}\n-# {by}"


def _turn(live: LiveTable, view: View, seat: int, question: str) -> str:
    bidder = view.legal.bidder
    if bidder is None:
        return ""
    out = "" if view.seats[seat].live else _out_text(live, seat) + "\n"
    return out + _who_acts(live, view, seat, bidder, question) + _stake(view)


def _out_text(live: LiveTable, seat: int) -> str:
    """Return that a player is out of the match and, if the rules don't tell, why."""
    match live.departure_cause(seat):
        case Cause.ABSENT:
            return tr("You ran out of time, so you're out of this match.")
        case Cause.DROPPED:
            return tr("You were removed from this match.")
    return tr("You're out of this match.")


def _who_acts(live: LiveTable, view: View, seat: int, bidder: int, question: str) -> str:
    table, terms = live.table, game_words(view.ruleset)
    if _sleeps(live.table, view, seat):
        return everyone_away_line(live) or tr(
            "**You're away:** the bot plays for you until you press **I'm back**."
        )
    if bidder != seat and question:
        return question
    if bidder != seat:
        player = view.seats[bidder].player
        if is_computer(player):
            return tr("{who} is thinking.", who=full_mention(player))
        if is_away(table, player):
            return tr("It's {who}'s turn (away: the bot plays).", who=mention(player))
        return tr("It's {who}'s turn.", who=mention(player))
    until = ""
    if table.turn_ends is not None:
        until = "\n" + tr("-# turn ends {clock}", clock=stamp(table.turn_ends, "R"))
    reporters = table.votes.get(view.seats[seat].player, ())
    if reporters:
        reporter = mention(reporters[0])
        text = N_("-# {who} says you're away. Any move shows that you aren't.")
        until += "\n" + tr(text, who=reporter)
    if not view.legal.challengers:
        text = tr("**Your turn:** open with any {noun}.")
    elif not view.legal.rungs:
        text = tr("**Your turn:** nothing is higher, so you have to {doubt}.")
    else:
        text = tr("**Your turn:** {verb} higher, or {doubt}: say it isn't there.")
    text = question or text.format(noun=terms.noun, verb=terms.verb, doubt=terms.doubt)
    return text + until


def _sleeps(table: Table, match: Match | View, seat: int) -> bool:
    """Return whether the bot plays for a seat, as its player is away but not out of the match."""
    return match.seats[seat].live and is_away(table, match.seats[seat].player)


def _stake(view: View) -> str:
    """Return a line break and what losing a play-off round costs; empty outside play-offs."""
    return f"\n-# {tr(PLAY_OFF)}" if playing_off(view.ruleset, view.seats) else ""


def _after(live: LiveTable, view: View, current: RoundView, seat: int, *, loser_named: bool) -> str:
    outcome = _outcome(live, view, current, seat, loser_named=loser_named)
    for_player = own_line(live, view.seats[seat].player)
    return "\n".join(filter(None, (_timeout_line(live, seat), outcome, for_player)))


def _outcome(
    live: LiveTable, view: View, current: RoundView, seat: int, *, loser_named: bool
) -> str:
    """Return what a round's end means for a player.

    `loser_named`: the board already says who lost the round.
    """
    if view.winner is not None:
        won = view.winner == seat
        return tr("**You won the match!**") if won else tr("The match is over.")
    if live.table.status is not Status.PLAYING:
        return tr("The match was ended.")
    player_seat = view.seats[seat]
    if not player_seat.live:
        return _out_text(live, seat)
    loser = current.outcome.loser if isinstance(current, EndedRound) else None
    over = tr("You lost the round.") if loser == seat else tr("This round is over.")
    text = tr(
        "Next round you'll have **{cards}** ({limit} is the limit).",
        cards=together(cards_counted(player_seat.cards)),
        limit=card_limit(view.ruleset, view.seats),
    )
    return (text if loser_named else f"{over} {text}") + _stake(view)


# -- the pad ---------------------------------------------------------------------------------------


def _pad_step(
    live: LiveTable, view: View, seat: int, pick: Pick, notice: Notice | None
) -> PadOffer | None:
    """Return the step that a seat's pad shows; None if the seat shows no pad."""
    legal = _legal(view)
    meant = notice is not None and notice.meant
    if _sleeps(live.table, view, seat) or view.legal.bidder != seat or not legal or meant:
        return None
    step = step_of(legal, Pick() if pick.page else pick)
    if step.bid is not None and step.pick.key:
        return step_of(legal, steps_to(legal, step.bid))
    return step


def _controls(
    live: LiveTable,
    view: View,
    seat: int,
    step: PadOffer | None,
    page: int,
    chances: Mapping[str, float],
    notice: Notice | None,
    *,
    hints: bool,
) -> tuple[Row, ...]:
    """Return a seat's buttons: on its player's turn, the pad, or bids that they may have meant.

    If the player is away, return the button to come back; if it isn't their turn, **Refresh**;
    if no bid is legal, the button for the rules.

    The pad has the same height at every step. First comes a grid of the kinds or the ranks,
    where the chosen kind or rank stays visible. The next line has the lowest bid, or instead
    the suits or the chosen bid. The last line has the button for the form.
    """
    if _sleeps(live.table, view, seat):
        return (_back(),)
    if view.legal.bidder != seat:
        return (_refresh(),)
    legal = _legal(view)
    if not legal:
        return ((rules_button(),),)
    form = Button("type", tr("Type…"))
    hint = (Button("hint", tr("Hint")),) if hints else ()  # three short ones fit a phone's line
    if step is None:
        suggested = _suggestion_rows(view, legal, notice or Notice(""), chances)
        return (*suggested, (form, *hint, _to(Pick())))
    grid, chosen = grid_of(legal, step)
    if grid.part == "kind":
        rows = _kinds(view, grid, chosen, chances, page)
    else:
        rows = _ranks(view, grid, chosen)
    first = not page and step.pick == Pick()
    side_button = rules_button() if first else _to(grid.pick.back)
    last = (form, *hint, side_button)
    if step.part == "suit":
        return (*rows, _choice_row(view, step, chances), last)
    lowest = legal if grid.part == "kind" else step.left
    return (*rows, _next(view, lowest, chances, of_kind=grid.part != "kind"), last)


def _legal(view: View) -> list[Bid]:
    return list(chain.from_iterable(view.legal.rungs))


def _to(pick: Pick) -> Button:
    """Return the button that leads back to a step of the pad."""
    return Button("pad", tr("Back"), choice=pick.text or EXACT)


def _grid_lines(rules: Ruleset) -> int:
    """Return how many lines the grid of kinds or ranks has."""
    return max(2, min(MOST_LINES, -(-len(rules.deck.ranks) // 2)))


def _kinds(
    view: View, step: PadOffer, chosen: str, chances: Mapping[str, float], number: int
) -> tuple[Row, ...]:
    """Return the buttons on page `number` of the kinds, or on the page with the `chosen` kind.

    Kinds that are too low are disabled. If later pages have legal kinds, the last button leads
    to them.
    """
    best: dict[Kind, float] = {}
    for kind, bids in groupby(step.left, attrgetter("kind")):
        best[kind] = max([best.get(kind, 0.0), *[chances.get(bid.key, 0.0) for bid in bids]])
    rules = view.ruleset
    pages = kind_pages(rules.ladder.kinds, list(best), 2 * _grid_lines(rules))
    if chosen:
        number = next(place for place, page in enumerate(pages) if Kind(chosen) in page.able)
    page = pages[number % len(pages)]
    buttons = []
    for kind in page.visible:
        on, words = kind in page.able, step.short(kind.value)
        if on and chances:
            words += f" {_hundredths(best[kind])}"
        style: Style = "primary" if kind.value == chosen else "secondary"
        buttons.append(Button("pad", together(words), style, disabled=not on, choice=kind.value))
    if page.left:
        buttons.append(Button("pad", tr("More…"), choice=MORE * (number + 1)))
    starts = range(0, len(buttons), 2)  # two in a row: each row is one line on a phone
    return tuple(tuple(buttons[start : start + 2]) for start in starts)


def _ranks(view: View, step: PadOffer, chosen: str) -> tuple[Row, ...]:
    """Return all ranks of the deck, each always in its place; ranks that are too low are grey."""
    offered = {value for value, _ in step.choices}
    buttons = [
        Button(
            "pad",
            "10" if rank is Rank.TEN else rank.char,
            "primary" if rank.char == chosen else "secondary",
            disabled=rank.char not in offered,
            choice=step.pick.and_then(rank.char).text,
            rank=rank,
            beside_card="",
        )
        for rank in view.ruleset.deck.ranks
    ]
    lines, number = _grid_lines(view.ruleset), len(buttons)
    starts = [number * line // lines for line in range(lines + 1)]
    return tuple(tuple(buttons[start:end]) for start, end in pairwise(starts))


def _choice_row(view: View, step: PadOffer, chances: Mapping[str, float]) -> Row:
    """Return the suits to choose from, or the chosen bid."""
    if step.bid is not None:
        return (_bid_button(view, step.bid, chances, "success"),)
    return tuple(
        Button("pad", step.short(value), choice=step.pick.and_then(value).text)
        for value, _ in step.choices
    )


def _question(
    view: View, step: PadOffer | None, notice: Notice | None, chances: Mapping[str, float]
) -> str:
    """Return the text that replaces the line about the turn; empty if the line stays.

    The text is a question or, next to a hint, a shorter line about the turn.
    """
    if notice is not None and notice.doubts:
        return notice.text
    if step is not None and step.bid is None and step.part != "kind":
        best = max(step.left, key=lambda bid: chances.get(bid.key, 0.0))
        text = f"**{_step_question(step)}**"
        if not chances.get(best.key) or (notice is not None and notice.hint):
            return text
        share = together(rough_percent(chances[best.key]))
        likeliest = tr("Likeliest: {said}, {share}", said=bid_text(view.ruleset, best), share=share)
        return f"{text}\n-# {likeliest}"
    if step is not None and notice is not None and notice.hint and view.legal.challengers:
        terms = game_words(view.ruleset)  # a hint needs the room
        return tr("**Your turn:** {verb} or {doubt}.", verb=terms.verb, doubt=terms.doubt)
    return ""


def _step_question(step: PadOffer) -> str:
    """Return the question of a step that offers ranks or suits."""
    bid = step.left[0]
    kind = kind_label(bid.kind)
    if step.part == "suit":
        return tr(WHICH_SUIT, kind=kind)
    if step.part == "rank":
        return tr(_RANK_QUESTIONS.get(bid.kind, WHICH_RANK), kind=kind)
    ranks = spoken().vocabulary.ranks[bid.ranks[0]]["several"]
    if bid.kind is Kind.FULL_HOUSE:
        return tr("Three {ranks} and which pair?", ranks=ranks)
    return tr("{ranks} and which lower pair?", ranks=capital(ranks))


def _next(
    view: View, legal: Sequence[Bid], chances: Mapping[str, float], *, of_kind: bool = False
) -> Row:
    """Return the button that makes the lowest of the `legal` bids in one press.

    `of_kind`: the bids are all of the chosen kind, so the button says "lowest", not "next". For the
    opener, the button always says "lowest".
    """
    following = legal[0]
    opens = view.round is None or view.round.standing is None
    text = tr("{bid} lowest: {said}") if opens or of_kind else tr("{bid} next: {said}")
    verb, claimed = game_words(view.ruleset).bid, bid_with_ranks(view.ruleset, following)
    words = text.format(bid=verb, said=claimed) + _likely(following, chances)
    return (Button("call", words, choice=following.key, rank=following.first_rank),)


def _hundredths(chance: float) -> str:
    """Return a chance in percent, without the sign, so that two kinds fit on a phone's line."""
    return "<1" if 0 < chance < 0.01 else str(round(min(chance, 0.99) * 100) if chance < 1 else 100)


def _bid_button(
    view: View, bid: Bid, chances: Mapping[str, float], style: Style = "secondary"
) -> Button:
    """Return the button that makes a bid in one press."""
    verb, claimed = game_words(view.ruleset).bid, bid_with_ranks(view.ruleset, bid)
    words = tr('{bid} "{said}"', bid=verb, said=claimed) + _likely(bid, chances)
    return Button("call", words, style, choice=bid.key, rank=bid.first_rank)


def _likely(bid: Bid, chances: Mapping[str, float]) -> str:
    """Return a bid's chance as text to put after it on a button; empty without odds."""
    return together(f" · {rough_percent(chances[bid.key])}") if bid.key in chances else ""


def _suggestion_rows(
    view: View, legal: Sequence[Bid], notice: Notice, chances: Mapping[str, float]
) -> tuple[Row, ...]:
    """Return a button, in its own line, for each bid that the player may have meant.

    The lowest legal bid is in the last line if it is one of them, or if there is room. There
    are no more lines than in the grid, so the controls below don't move.
    """
    room = _grid_lines(view.ruleset)
    meant = [bid for bid in notice.meant if bid != legal[0]]
    if legal[0] in notice.meant or len(meant) < room:
        rows = [(_bid_button(view, bid, chances),) for bid in meant[: room - 1]]
        return (*rows, _next(view, legal, chances))
    return tuple((_bid_button(view, bid, chances),) for bid in meant[:room])


def with_card_preferences(board: Board, player: Player) -> Board:
    """Return a private board with its cards as `player` prefers them."""
    if preference(player, CARDS) == "text":
        return replace(board, deck="words", language=language_of(player))
    return replace(board, deck="four" if preference(player, DECK) == "four" else "two")


MOST_HANDS: Final = 512  # hands to remember
# The key has the rules' id, since comparing two rulesets compares all their bids. The value keeps
# the rules, so that no other rules get the same id.
_chances_of: Recent[tuple[int, int, Cards], tuple[Ruleset, Mapping[str, float]]] = Recent(
    MOST_HANDS
)


def seat_chances(ruleset: Ruleset, in_play: int, hole: Cards) -> Mapping[str, float]:
    """Return the chance of every bid of a game, by key, given `hole` out of `in_play` cards.

    The latest `MOST_HANDS` hands are remembered, since a seat is redrawn at every move and every
    step on its pad.
    """
    key = id(ruleset), in_play, hole
    if key not in _chances_of:
        odds_of_bids = seat_odds(ruleset, in_play, hole)
        _chances_of[key] = ruleset, {odds.bid.key: odds.chance.probability for odds in odds_of_bids}
    return _chances_of[key][1]


def claim(rules: Ruleset, bid: Bid, in_play: int) -> str:
    """Return an explanation of a bid: the cards that make it true, and what doesn't matter."""
    needs, number = _claimed_cards(bid), in_play
    text = tr("True if the {number} cards include {needs}.", number=number, needs=needs)
    if bid.kind in _OF_RANKS:
        text = tr(
            "True if the {number} cards include {needs} or more.",
            number=number,
            needs=needs,
        )
    return " ".join([text, *_no_matter(rules, bid)])


def stake(view: View) -> str:
    """Return a line on what losing a round costs, or an empty text in a play-off.

    If losing this round would put the player out, the line says only that. Otherwise it says
    that the loser gets a card, and how many cards put a player out.
    """
    if playing_off(view.ruleset, view.seats):
        return ""
    if view.seat is not None and _is_last_chance(view, view.seat):
        return tr("-# Lose this round and you're out.")
    return tr(
        "-# Lose a round: +1 card. At {amount} you're out.",
        amount=number_word(card_limit(view.ruleset, view.seats) + 1),
    )


def _is_last_chance(view: View, seat: int) -> bool:
    """Return whether losing this round would put a player out of the match.

    False in a play-off, where every loser is out and another line says so.
    """
    if playing_off(view.ruleset, view.seats) or not view.seats[seat].live:
        return False
    return not penalise(view.ruleset, view.seats, seat)[seat].live


def _claimed_cards(bid: Bid) -> str:
    """Return the cards that a bid claims: "two kings", "the 8♣ and four more clubs"."""
    if bid.kind is not Kind.FLUSH or bid.suit is None:
        return lacking_text(bid.needs)
    *named, others = bid.needs
    if not named:
        return tr("{amount} cards of {suit}", amount=_amount(others), suit=bid.suit.symbol)
    if not only_lower(bid):
        return lacking_text(bid.needs)
    lower = tr("{amount} lower cards of {suit}", amount=_amount(others), suit=bid.suit.symbol)
    return tr("{first} and {last}", first=lacking_text(named), last=lower)


def _amount(need: Need) -> str:
    return trc("lacking", NUMBERS[need.count])


def _no_matter(rules: Ruleset, bid: Bid) -> list[str]:
    """Return notes for newcomers: which cards or suits don't matter, and what a joker is."""
    notes = []
    if bid.kind is Kind.HIGH_CARD and bid.ranks[0] is not rules.deck.ranks[-1]:
        notes.append(tr("Other cards don't matter."))
    elif bid.kind is Kind.STRAIGHT:
        notes.append(tr("Any suits."))
    elif bid.kind is Kind.FLUSH and bid.ranks and not only_lower(bid):
        notes.append(tr("Higher ones don't matter."))
    if rules.deck.jokers:
        notes.append(tr("A joker is any card."))
    return notes
