"""A player's own seat: the bidding, whose turn it is, their cards, and on their turn the bid pad.

One private message for the whole match. What one decides by stands next to the finger: the standing
bid, the cards, what is said once, the pad. The small line on top says which match and round it is,
so that the cards of an earlier round are not taken for these.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.boards.bidding import (
    PLAY_OFF,
    by_house,
    call_lines,
    card_of,
    cards_in_play,
    label,
    unattended,
)
from bot.boards.board import Address, Block, Board, Button, Hand, Menu, Style, Text
from bot.boards.company import introduced
from bot.boards.pad import EXACT, PadOffer, Pick, step_of, steps_to
from bot.boards.showdown import ending, own_line
from bot.language.catalogues import tr, trc
from bot.language.moments import stamp
from bot.language.wordings import bid_text, doubt_label, game_words
from bot.language.words import (
    NUMBERS,
    cards_counted,
    lacking_text,
    mention,
    number_word,
    percent,
    rough_percent,
    together,
)
from bot.pictures.palette import AMBER, GREEN, GREY
from bot.recent import Recent
from bot.roster import is_computer
from bot.tables.absence import is_attended, is_away
from bot.tables.live import LiveTable
from bot.tables.model import Player, Status, Table
from bot.tables.preferences import CARDS, DECK, language_of, preference
from bot.tables.table_options import odds_allowed
from engine.bids import Bid, Kind, Need
from engine.cards import Cards
from engine.odds.bids.exact import seat_odds
from engine.play import legal
from engine.rotation import card_limit, playing_off
from engine.ruleset import Ruleset
from engine.state import Match
from engine.view import EndedRound, RoundView, View, view

LATEST: Final = 5  # bids of the round that are listed
IN_A_ROW: Final = 5  # buttons that Discord takes in a row
OFFERED_IN_A_ROW: Final = 4  # of which a phone makes two full lines
Row = tuple[Button, ...]
_OF_ONE_RANK: Final = (Kind.PAIR, Kind.THREE)
_OF_TWO_RANKS: Final = (Kind.TWO_PAIR, Kind.FULL_HOUSE)


@dataclass(frozen=True, slots=True)
class Notice:
    """What is said once in a seat: why something was refused, and what was meant perhaps; a hint.

    What was `meant` is to be confirmed; what is `advised` is understood, and made at one press.
    """

    text: str
    meant: tuple[Bid, ...] = ()
    advised: Bid | None = None


def seat_board(
    live: LiveTable,
    player: int,
    pick: Pick = Pick(),
    notice: Notice | None = None,
    link: str | None = None,
    *,
    learning: bool = False,
    company: str = "",
    apart: bool = False,
    whole: bool = True,
) -> Board:
    """Return a player's own seat. `pick` is how far they are on the pad; `link` leads to the table.

    Who is `learning` is told what the standing bid claims, and what a round is played for. The
    `company` is said on top, where no table says it; where a seat is `apart` from its table, it
    says what is shown there.

    If not `whole`, a player with nothing to do in this round gets a calm seat: it has their cards
    and nothing that changes while others bid, so no bid makes it stale (see `seat_state`).
    """
    if notice is not None and notice.meant:
        pick = Pick()  # what was typed is asked about at the pad's first step
    table, match, seat = live.table, live.match, _seat_shown(live, player)
    address = Address(table.id, table.match_id or 0, match.seq if match is not None else 0)
    if match is None or seat is None:
        return _waiting(live, player, address, notice, link)
    seen = view(match, seat)
    current = seen.round
    if current is None:
        return _waiting(live, player, address, notice, link)
    if not whole and _is_calm(table, match, seat):
        return _calm(live, seen, current, seat, notice, link, apart=apart)
    ended = isinstance(current, EndedRound) or table.status is not Status.PLAYING
    chances = {} if ended else _chances(live, seen, current)
    learning = learning and not ended and seen.seats[seat].live
    told = _of_the_table(live, seen, current) if apart and not ended else ""
    lines = (company, told, stake(seen) if learning else "")
    blocks: list[Block] = [Text(_told_before(live, seen, current, link, lines))]
    if not ended:
        blocks += _to_decide(live, seen, current, seat, chances, learning=learning)
    if current.hole is not None:
        blocks.append(Hand(current.hole))
    if notice is not None:
        blocks.append(Text(f"> {notice.text}"))
    if ended:
        how = ending(live) if apart else ""
        if how:
            blocks.append(Text(how))
        blocks.append(Text(_after(live, seen, current, seat, told=bool(how)), rules_button()))
        return Board(GREY, tuple(blocks), (_refresh(),), address)
    rows = _controls(live, seen, seat, pick, chances, notice)
    if seen.legal.bidder == seat and (question := _question(seen, pick)):
        blocks.append(Text(question))
    accent = AMBER if seen.legal.bidder == seat else GREEN
    return Board(accent, tuple(blocks), rows, address)


def seat_state(live: LiveTable, player: int, *, whole: bool = True) -> Hashable:
    """Return what a seat shows of the table's state: redraw a standing seat when this changes.

    Two states are equal exactly where `seat_board`, given the same other arguments, draws the same
    board; with one exception, for a seat that is not `whole`. When a round ends and another will be
    dealt, whoever was only waiting keeps the state of their calm seat: the showdown is the table's
    next message, and the next deal brings a new seat, so a request for each seat would tell nobody
    anything. (A press on such a seat draws the ended round as always.) The player who had to act,
    and everybody who could challenge, get a new state, since the buttons in their seats are dead.
    So does everybody at the end of the match: no deal follows that would replace "your turn".
    """
    table, match = live.table, live.match
    seat = _seat_shown(live, player)
    if match is None or match.round is None or seat is None:
        seq = match.seq if match is not None else 0
        if table.status is Status.LOBBY:
            joined = player in table.players, player in table.awaited
            return "lobby", table.match_id, seq, joined
        return "watching", table.match_id, seq, table.status.live
    if not whole:
        bidding = match if match.round.outcome is None else live.before
        if bidding is not None and _is_calm(table, bidding, seat):
            own = bidding.seats[seat].live, _sleeps(table, bidding, seat)
            return "calm", table.match_id, match.round.number, own
    if match.round.outcome is not None or table.status is not Status.PLAYING:
        return "ended", table.match_id, match.seq, table.status is Status.PLAYING
    return "bidding", table.match_id, match.seq, _turn_state(table, match, seat, match.round.turn)


def _turn_state(table: Table, match: Match, seat: int, turn: int) -> Hashable:
    """Return what a seat shows of a turn that can change without a move: its end, who is away."""
    if _sleeps(table, match, seat):
        return "sleeps", is_attended(table, match)
    if turn == seat:
        return table.turn_ends
    return is_away(table, match.seats[turn].player)


def _seat_shown(live: LiveTable, player: int) -> int | None:
    """Return the seat of a player in a match that has begun; None if they have none to show."""
    if live.match is None or live.match.round is None or live.table.status is Status.LOBBY:
        return None
    return live.match.seat_of(player)


def _is_calm(table: Table, match: Match, seat: int) -> bool:
    """Whether a round is being bid in which a seat's player has nothing to do.

    The house plays for whoever is away, so they have nothing to do even on their turn.
    """
    current = match.round
    if table.status is not Status.PLAYING or current is None or current.outcome is not None:
        return False
    if _sleeps(table, match, seat):
        return True
    out_of_turn = match.ruleset.challengers == "anyone" and seat in legal(match).challengers
    return seat != current.turn and not out_of_turn


def _calm(
    live: LiveTable,
    seen: View,
    current: RoundView,
    seat: int,
    notice: Notice | None,
    link: str | None,
    *,
    apart: bool,
) -> Board:
    """Return the seat of somebody who has nothing to do. Every bid of a round leaves it as it is.

    Its controls carry the number of the deal: that of the latest action changes with each bid.
    """
    told = _of_the_table(live, seen, current) if apart else ""
    blocks: list[Block] = [Text("\n".join(filter(None, (_title(live, seen, current, link), told))))]
    blocks.append(Text(_waits(live, seen, current, seat), rules_button()))
    if current.hole is not None:
        blocks.append(Hand(current.hole))
    if notice is not None:
        blocks.append(Text(f"> {notice.text}"))
    row = _back() if _sleeps(live.table, seen, seat) else _refresh()
    address = Address(live.table.id, live.table.match_id or 0, live.news_seq)
    return Board(GREEN, tuple(blocks), (row,), address)


def _waits(live: LiveTable, seen: View, current: RoundView, seat: int) -> str:
    """Return why a player has nothing to do. A name is only said where it can't go stale."""
    if _sleeps(live.table, seen, seat):
        return tr("**You're away.** Press **I'm back** to make your own moves again.")
    others = [number for number, cards in enumerate(current.dealt) if cards and number != seat]
    if not seen.seats[seat].live:
        text = tr("You are out of this match.")
    elif len(others) == 1:
        text = tr("Waiting for {who}.", who=introduced(seen.seats[others[0]].player))
    else:
        text = tr("Waiting for your turn.")
    return f"{text}\n-# {tr('The table shows the bidding.')}"


def _waiting(
    live: LiveTable, player: int, address: Address, notice: Notice | None, link: str | None
) -> Board:
    where = tr("at [the table]({link})", link=link) if link else tr("at the table")
    lobby = live.table.status is Status.LOBBY
    if lobby and player in live.table.players:
        text = tr("**You have a place {where}.**\nYour cards come here when the match starts.")
    elif lobby and player in live.table.awaited:
        text = tr("**Play again?** Tap **I'm in** {where}.")
    elif lobby:
        text = tr("The next match is about to start. **Join** gives you a place {where}.")
    elif not live.table.status.live:
        text = tr("This match is over. What comes next is shown {where}.")
    else:
        text = tr("You do not play in this match. You may watch it {where}.")
    text = text.format(where=where)
    told = [Text(f"> {notice.text}")] if notice is not None else []
    return Board(GREEN, (Text(text, rules_button()), *told), (_refresh(),), address)


def rules_button() -> Button:
    """Shows the rules, by which its table plays, to who presses it alone."""
    return Button("rulebook", tr("Rules"))


def _refresh() -> Row:
    return (Button("refresh", tr("Bring up to date")),)


def _back() -> Row:
    return (Button("back", tr("I'm back"), "success"),)


# -- what is known ---------------------------------------------------------------------------------


def _chances(live: LiveTable, seen: View, current: RoundView) -> Mapping[str, float]:
    """Each bid's chance, by key, given one's own cards; nothing where the house allows no odds."""
    if not odds_allowed(live.table) or current.hole is None:
        return {}
    return seat_chances(seen.ruleset, current.in_play, current.hole)


def _told_before(
    live: LiveTable, seen: View, current: RoundView, link: str | None, lines: Iterable[str]
) -> str:
    """Which round it is, `lines`, and the bids below the standing one, all in small print."""
    told = [_title(live, seen, current, link), *filter(None, lines)]
    if not isinstance(current, EndedRound):
        if len(current.bids) > LATEST:
            told.append(tr("-# and {number} before", number=len(current.bids) - LATEST))
        told += call_lines(seen, current, latest=LATEST)[:-1]
    return "\n".join(told)


def _title(live: LiveTable, seen: View, current: RoundView, link: str | None) -> str:
    """Return which game, match and round a seat is of, in small print."""
    title = tr(seen.ruleset.title)
    if live.table.daily_day is not None:
        text = tr("-# {title} · Deal of the day · Round {number}")
        return text.format(title=title, number=current.number)
    return tr(
        "-# {title} · match {match} · Round {number}",
        title=f"[{title}]({link})" if link else title,
        match=live.table.match_id,
        number=current.number,
    )


def _of_the_table(live: LiveTable, seen: View, current: RoundView) -> str:
    """What the table shows of a round beside its bids: who holds how many, how the last one ended.

    All in small print.
    """
    dealt = zip(seen.seats, current.dealt, strict=True)  # to who has left since too
    held = " · ".join(f"{mention(seat.player)}\u00a0{cards}" for seat, cards in dealt if cards)
    lines = [f"-# {cards_in_play(current)}: {held}"]
    before = live.before.round if live.before is not None else None
    if before is not None and before.number == current.number - 1:
        how = ending(replace(live, match=live.before))
        lines.insert(0, f"-# {tr('Round {number}', number=before.number)}: {how}")
    return "\n".join(lines)


def _to_decide(
    live: LiveTable,
    seen: View,
    current: RoundView,
    seat: int,
    chances: Mapping[str, float],
    *,
    learning: bool,
) -> list[Block]:
    """What stands, and whose turn it is, with the rules beside it, where they take no height."""
    standing, turn = _standing(live, seen, current, chances), _turn(live, seen, seat)
    if current.standing is None:
        return [Text("\n".join(filter(None, (standing, turn))), rules_button())]
    if learning:
        standing += "\n" + claim(seen.ruleset, current.standing.bid, current.in_play)
    return [Text(standing), Text(turn, rules_button())]


def _standing(live: LiveTable, seen: View, current: RoundView, chances: Mapping[str, float]) -> str:
    """The standing bid, by whom, and its chance; nothing for who opens, who is told to."""
    rules, made = seen.ruleset, current.standing
    if made is None:
        if seen.legal.bidder == seen.seat:
            return ""
        return tr("### No {noun} yet", noun=game_words(rules).noun)
    chance = chances.get(made.bid.key)
    own = made.seat == seen.seat
    by = tr("by you") if own else tr("by {who}", who=mention(seen.seats[made.seat].player))
    if live.last_by_house:
        by += f" · {by_house()}"
    if chance is not None:
        by += " · " + tr("{chance} likely, with your cards", chance=f"**{percent(chance)}**")
    return f"### {label(rules, made.bid)}\n-# {by}"


def _turn(live: LiveTable, seen: View, seat: int) -> str:
    bidder = seen.legal.bidder
    if bidder is None:
        return ""
    out = "" if seen.seats[seat].live else tr("You are out of this match.") + "\n"
    return out + _whose(live, seen, seat, bidder) + _stake(seen)


def _whose(live: LiveTable, seen: View, seat: int, bidder: int) -> str:
    table, terms = live.table, game_words(seen.ruleset)
    if _sleeps(live.table, seen, seat):
        return unattended(live) or tr(
            "**You are away:** the house plays for you until you press **I'm back**."
        )
    if bidder != seat:
        player = seen.seats[bidder].player
        if is_computer(player):
            return tr("{who} is thinking.", who=introduced(player))
        if is_away(table, player):
            return tr("{who} is to act (away: the house plays).", who=mention(player))
        return tr("{who} is to act.", who=mention(player))
    until = ""
    if table.turn_ends is not None:
        until = "\n" + tr("-# time is up {clock}", clock=stamp(table.turn_ends, "R"))
    if not seen.legal.challengers:
        text = tr("**Your turn:** any {noun}.")
    elif not seen.legal.rungs:
        text = tr("**Your turn:** nothing is higher, so you must {doubt}.")
    else:
        text = tr("**Your turn:** {verb} higher, or {doubt}.")
    return text.format(noun=terms.noun, verb=terms.verb, doubt=terms.doubt) + until


def _sleeps(table: Table, match: Match | View, seat: int) -> bool:
    """Whether the house plays for a seat; it plays for nobody who is out."""
    return match.seats[seat].live and is_away(table, match.seats[seat].player)


def _stake(seen: View) -> str:
    """What a round of a play-off decides, on a line of its own; else nothing."""
    return f"\n-# {tr(PLAY_OFF)}" if playing_off(seen.ruleset, seen.seats) else ""


def _after(live: LiveTable, seen: View, current: RoundView, seat: int, *, told: bool) -> str:
    outcome = _outcome(live, seen, current, seat, told=told)
    return "\n".join(filter(None, (outcome, own_line(live, seen.seats[seat].player))))


def _outcome(live: LiveTable, seen: View, current: RoundView, seat: int, *, told: bool) -> str:
    """What the end of a round is to its player. `told`: who lost it is said already."""
    if seen.winner is not None:
        won = seen.winner == seat
        return tr("**You have won the match!**") if won else tr("The match is over.")
    if live.table.status is not Status.PLAYING:
        return tr("The match was ended.")
    own = seen.seats[seat]
    if not own.live:
        return tr("You are out of this match.")
    loser = current.outcome.loser if isinstance(current, EndedRound) else None
    over = tr("You lose this round.") if loser == seat else tr("This round is over.")
    text = tr(
        "In the next you hold **{cards}** of at most {limit}.",
        cards=together(cards_counted(own.cards)),
        limit=card_limit(seen.ruleset, seen.seats),
    )
    return (text if told else f"{over} {text}") + _stake(seen)


# -- the pad ---------------------------------------------------------------------------------------


def _controls(
    live: LiveTable,
    seen: View,
    seat: int,
    pick: Pick,
    chances: Mapping[str, float],
    notice: Notice | None,
) -> tuple[Row | Menu, ...]:
    """Return the rows of a seat; on its player's turn the pad, or what they may have meant.

    What a notice offers takes the place of something else, and the seat gains no row: bids that may
    have been `meant` stand where the pad's choices were, an `advised` one where the next bid was.
    The last row keeps its order, so nobody who reaches for Type… hits the challenge.
    """
    if _sleeps(live.table, seen, seat):
        return (_back(),)
    doubt = Button("doubt", doubt_label(seen.ruleset), "danger")
    if seen.legal.bidder != seat:
        row: Row = (_refresh()[0],)
        return ((*row, doubt),) if seat in seen.legal.challengers else (row,)
    may_doubt = (doubt,) if seat in seen.legal.challengers else ()
    legal = _legal(seen)
    if not legal:
        return (may_doubt,)
    step = step_of(legal, pick)
    if step.bid is not None:
        return _confirm(seen, step, chances)
    offered = _offered(seen, step, chances)
    if step.pick != Pick():
        back = Button("pad", tr("Back"), choice=step.pick.back.text or EXACT)
        return _with_last(offered, back)
    if notice is not None and notice.meant:
        # each may take a phone's whole line, and so may Back
        room = max(1, _phone_lines(offered) - 1)
        offered = (_meant(seen, notice.meant[:room]),)
    others = (Button("type", tr("Type…")), *may_doubt)
    if notice is not None and notice.advised is not None:
        return (*offered, (_made(seen, notice.advised, chances), *others))
    following = legal[0]
    # who opens has most to choose from: on a phone there is no room for the words of a bid
    opens = seen.round is None or seen.round.standing is None
    text = tr("Lowest") if opens else tr("Next: {said}", said=bid_text(seen.ruleset, following))
    choice = Pick(key=following.key).text
    quick = Button("pad", text, choice=choice, rank=card_of(following))
    return (*offered, (quick, *others))


def _legal(seen: View) -> list[Bid]:
    return [bid for rung in seen.legal.rungs for bid in rung]


def _question(seen: View, pick: Pick) -> str:
    """What a step of the pad asks, with what was chosen before it; nothing at its first."""
    step = step_of(_legal(seen), pick) if seen.legal.rungs else None
    if step is None or step.bid is not None or step.pick == Pick():
        return ""
    asks = {
        "rank": tr("**{chosen}:** which rank?"),
        "second": tr("**{chosen}:** which second rank?"),
        "suit": tr("**{chosen}:** which suit?"),
    }
    return asks[step.part].format(chosen=step.chosen)


def _offered(seen: View, step: PadOffer, chances: Mapping[str, float]) -> tuple[Row | Menu, ...]:
    """The choices of a step, each with the best chance that a bid behind it has.

    What cannot hold is in a list below, which nobody need open: so the few that can are in sight.
    """
    best = {value: _best(seen, step.bids_of(value), chances) for value, _ in step.choices}
    able = [value for value in best if best[value] > 0] or list(best)
    buttons = [_choice(step, value, best[value] if chances else None) for value in able]
    starts = range(0, len(buttons), OFFERED_IN_A_ROW)
    rows: tuple[Row | Menu, ...] = tuple(
        tuple(buttons[start : start + OFFERED_IN_A_ROW]) for start in starts
    )
    left = [(value, words) for value, words in step.choices if value not in able]
    if not left:
        return rows
    more = tuple((step.pick.and_then(value).text, words, None) for value, words in left)
    ranks = tuple(step.rank(value) for value, _ in left)
    return (*rows, Menu("pad", tr("More…"), more, choice=step.part, ranks=ranks))


def _best(seen: View, bids: Sequence[Bid], chances: Mapping[str, float]) -> float:
    """The best chance of these bids. Where none may be told: whether so many cards are in play."""
    if chances:
        return max(chances[bid.key] for bid in bids)
    in_play = seen.round.in_play if seen.round is not None else 0
    return max(float(sum(need.count for need in bid.needs) <= in_play) for bid in bids)


def _choice(step: PadOffer, value: str, chance: float | None) -> Button:
    """A choice of a step with its chance; a rank as a card, beside which the chance is enough."""
    words, rank, likely = step.short(value), step.rank(value), ""
    if chance is not None:
        likely = together(rough_percent(chance))
        apart = ":" if step.part in ("rank", "second") else ""  # "7: 18%" is no number of its own
        words = together(f"{words}{apart} {likely}")
    choice, beside = step.pick.and_then(value).text, None if rank is None else likely
    return Button("pad", words, choice=choice, rank=rank, beside_card=beside)


def _with_last(rows: tuple[Row | Menu, ...], button: Button) -> tuple[Row | Menu, ...]:
    """The rows with one more button, in the last of them if it has room: a phone is not high."""
    if rows and not isinstance(last := rows[-1], Menu) and len(last) < OFFERED_IN_A_ROW:
        return (*rows[:-1], (*last, button))
    return (*rows, (button,))


def _confirm(seen: View, step: PadOffer, chances: Mapping[str, float]) -> tuple[Row | Menu, ...]:
    if step.bid is None:
        return ()
    back = Button("pad", tr("Back"), choice=step.pick.back.text or EXACT)
    return ((_made(seen, step.bid, chances, "success"), back),)


def _made(seen: View, bid: Bid, chances: Mapping[str, float], style: Style = "secondary") -> Button:
    """Makes a bid at one press."""
    likely = together(f" · {percent(chances[bid.key])}") if bid.key in chances else ""
    rules = seen.ruleset
    words = tr('{bid} "{said}"', bid=game_words(rules).bid, said=bid_text(rules, bid)) + likely
    return Button("call", words, style, choice=bid.key, rank=card_of(bid))


def _meant(seen: View, meant: Sequence[Bid]) -> Row:
    """Return what a player may have meant, to confirm like any choice of the pad, and the way back.

    The choices are spelled step by step: spelled whole, one could be the next bid's button again,
    and Discord refuses a message with two controls of one id.
    """
    legal = _legal(seen)
    offered = [
        Button(
            "pad",
            tr('"{said}"?', said=bid_text(seen.ruleset, bid)),
            choice=steps_to(legal, bid).text,
            rank=card_of(bid),
        )
        for bid in meant[: IN_A_ROW - 1]
    ]
    return (*offered, Button("pad", tr("Back"), choice=EXACT))


def _phone_lines(rows: Sequence[Row | Menu]) -> int:
    """Return how many lines a phone makes of rows: a line for two of the pad's buttons."""
    return sum(1 if isinstance(row, Menu) else -(-len(row) // 2) for row in rows)


def as_liked(board: Board, player: Player) -> Board:
    """A private board, its cards as `player` likes them."""
    if preference(player, CARDS) == "text":
        return replace(board, deck="words", language=language_of(player))
    return replace(board, deck="four" if preference(player, DECK) == "four" else "two")


MOST_HANDS: Final = 512  # hands remembered
# By identity of the rules, which are kept with it: comparing two rulesets compares all their bids.
_chances_of: Recent[tuple[int, int, Cards], tuple[Ruleset, Mapping[str, float]]] = Recent(
    MOST_HANDS
)


def seat_chances(ruleset: Ruleset, in_play: int, hole: Cards) -> Mapping[str, float]:
    """The chance of every bid of the game, by its key, for who holds `hole` of `in_play` cards.

    Counted once for a hand: a seat is drawn anew at every move and every step on its pad.
    """
    key = id(ruleset), in_play, hole
    if key not in _chances_of:
        found = seat_odds(ruleset, in_play, hole)
        _chances_of[key] = ruleset, {odds.bid.key: odds.chance.probability for odds in found}
    return _chances_of[key][1]


def claim(rules: Ruleset, bid: Bid, in_play: int) -> str:
    """Which cards a bid says are among those in play, and what makes it good too."""
    needs = tr(
        "It needs {needs} among all {number} cards", needs=_claimed_cards(bid), number=in_play
    )
    return f"-# {'; '.join([needs, *_good_too(rules, bid)])}."


def stake(seen: View) -> str:
    """What who loses the round pays, and how many cards are too many; nothing in a play-off."""
    if playing_off(seen.ruleset, seen.seats):
        return ""
    return tr(
        "-# Who loses a round holds one more card; with {amount} you are out.",
        amount=number_word(card_limit(seen.ruleset, seen.seats) + 1),
    )


def _claimed_cards(bid: Bid) -> str:
    """The cards: "two kings", "the 8♣ and four more clubs"."""
    if bid.kind is not Kind.FLUSH or bid.suit is None:
        return lacking_text(bid.needs)
    *named, others = bid.needs
    if not named:
        return tr("{amount} cards of {suit}", amount=_amount(others), suit=bid.suit.symbol)
    if not _only_lower(bid):
        return lacking_text(bid.needs)
    lower = tr("{amount} lower cards of {suit}", amount=_amount(others), suit=bid.suit.symbol)
    return tr("{first} and {last}", first=lacking_text(named), last=lower)


def _amount(need: Need) -> str:
    return trc("lacking", NUMBERS[need.count])


def _only_lower(bid: Bid) -> bool:
    """Whether the others of a flush must be lower than the card that it names."""
    return all(card.rank < bid.ranks[0] for card in bid.needs[-1].cards)


def _good_too(rules: Ruleset, bid: Bid) -> list[str]:
    """What a stranger would ask: whether more, or higher, does harm, and what a joker does."""
    notes = []
    if bid.kind is Kind.HIGH_CARD:
        notes.append(tr("higher cards do no harm"))
    elif bid.kind in _OF_ONE_RANK:
        (need,) = bid.needs
        more = lacking_text([Need(need.cards, need.count + 1)])
        notes.append(tr("{more} are fine too", more=more))
    elif bid.kind in _OF_TWO_RANKS:
        notes.append(tr("more is fine"))
    elif bid.kind is Kind.STRAIGHT:
        notes.append(tr("of any suits"))
    elif bid.kind is Kind.FLUSH and bid.ranks and not _only_lower(bid):
        notes.append(tr("higher ones do no harm"))
    if rules.deck.jokers:
        notes.append(tr("a joker is any card"))
    return notes
