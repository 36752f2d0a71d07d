"""The board of a round that has ended: the verdict, everybody's cards, and who pays for it; how a
match ends; and what is left of a table's message once the latest news has a message of its own.

A deal leaves the showdown before it as a record; a showdown folds the round's table to one line,
with the bidding behind a button.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.boards.aftermath import table_line
from bot.boards.board import Address, Board, Button, ShowdownPicture, StripPicture, Text
from bot.boards.calls import by_house
from bot.boards.company import face_of, mark
from bot.boards.cutting import fair_button
from bot.boards.lobby import departed_board, waiting_line
from bot.boards.stand_ins import stand_ins
from bot.boards.talk import Occasion, remark
from bot.boards.winner import Told, evening_text, fitting_strip, story_text
from bot.language.catalogues import tr, trn
from bot.language.wordings import bid_text, game_words
from bot.language.words import (
    ELLIPSIS,
    Names,
    capital,
    cards_counted,
    drawn,
    escaped,
    lacking_text,
    listed,
    mention,
    number_word,
)
from bot.pictures.cards import ShowdownRow, showdown_alt_text
from bot.pictures.fonts import drawable, fitted
from bot.pictures.palette import AMBER, GREY, RED
from bot.tables.live import LiveTable
from bot.tables.model import Status
from engine.cards import Cards
from engine.rotation import card_limit, playing_off
from engine.state import Judgement, Outcome, Phase, SeatStatus
from engine.view import EndedRound, RoundView, View, view

# of the pictures' typeface, which is as wide as a phone's: less than half a line there
NAME_SIZE: Final = 16
NAME_ROOM: Final = 130


def showdown_board(
    live: LiveTable,
    seen: View,
    current: EndedRound,
    names: Names,
    address: Address | None,
    told: Told | None = None,
    *,
    again: bool = True,
) -> Board:
    """The board of a round that has ended; without an `address` its buttons are gone.

    `told` is what is told of a match that is over with it; whether it is played `again` may be
    asked but once.

    It fits a phone's screen: the verdict in a line, the picture, who pays. Everybody's cards are in
    the picture and in its alternative text, not written a second time.
    """
    judged = current.judgement
    verdict = tr("It ends without a showdown.")
    if judged is not None:
        verdict = _verdict(live, seen, judged, names)
    if judged is not None:
        doubter = seen.seats[judged.challenger].player
        verdict += _remark(live, current, doubter, "doubts")
    check = fair_button(current.number) if address is not None else None
    blocks: list[Text | ShowdownPicture | StripPicture] = [
        Text(_heading(current), check),
        Text(verdict),
    ]
    blocks.append(_picture(seen, current, names))
    over = seen.winner is not None
    ended = live.table.status is Status.CLOSED
    lines = [
        winner_text(seen, current, seen.winner)
        + _remark(live, current, seen.seats[seen.winner].player, "wins")
        if seen.winner is not None
        else _penalty(seen, current.outcome, names)
    ]
    strip = fitting_strip(seen, current, told.story, names) if told is not None else None
    if told is not None:
        lines += filter(None, (evening_text(told.evening), story_text(seen, told.story)))
    if ended and not over and live.table.daily_day is None:  # there it is over for its person
        lines.append(tr("**The match was ended** without a winner."))
    elif not over:
        lines += filter(None, (_new_limit(seen, current),))
    if not over and not ended:
        lines += filter(None, (table_line(live),))
    if address is not None and not ended and live.table.waiting:
        lines.append(waiting_line(live.table))
    blocks.append(Text("\n".join(lines)))
    if strip is not None:
        blocks.append(strip)
    rows: tuple[tuple[Button, ...], ...] = ()
    if address is not None:
        if over:
            # a table that is closed has made room for another one in its channel
            asks = again and not ended
            anew = (Button("again", tr("Play again"), "success"),) if asks else ()
            whole = () if strip is not None else (Button("story", tr("Whole match")),)
            rows = ((*anew, *whole, Button("replay", tr("Replay"), choice="open")),)
        elif not ended:
            following = Button("next", tr("Next round"), "primary")
            join = Button("wait", tr("Join the next match"))
            rows = ((following, Button("seat", tr("My seat")), join),)
    accent = AMBER if over or judged is None or judged.proof.holds else RED
    accent = GREY if ended and not over else accent
    return Board(accent, tuple(blocks), rows, address or Address(0))


def _remark(live: LiveTable, current: EndedRound, player: int, occasion: Occasion) -> str:
    """What a player says, on a line of its own; mostly nothing."""
    heard = remark(live.table, player, occasion, current.commitment, len(current.bids))
    return f"\n{heard}" if heard else ""


def _heading(current: EndedRound) -> str:
    if current.judgement:
        return tr("**Round {number} · Showdown**", number=current.number)
    return tr("**Round {number}**", number=current.number)


def _verdict(live: LiveTable, seen: View, judged: Judgement, names: Names) -> str:
    made, proof = judged.made, judged.proof
    challenger = _named(seen.seats[judged.challenger].player, names)
    bidder = _named(seen.seats[made.seat].player, names)
    head = tr(
        "{challenger} {challenged} {bidder}'s **{said}**.",
        challenger=challenger,
        challenged=game_words(seen.ruleset).challenged,
        bidder=bidder,
        said=bid_text(seen.ruleset, made.bid),
    )
    if live.last_by_house:
        head += f" {capital(by_house())}."
    if proof.holds:  # by which cards is outlined in the picture
        return f"{head} {tr('**It holds.**')}"
    lacking = lacking_text(proof.lacking)
    return f"{head} {tr('**It fails**. Missing: {lacking}', lacking=lacking)}"


def _rows(seen: View, current: EndedRound, names: Names) -> tuple[ShowdownRow, ...]:
    outcome, made = current.outcome, current.standing
    rows = []
    for number, cards in enumerate(current.hands):
        if not cards:
            continue
        seat = seen.seats[number]
        rows.append(
            ShowdownRow(
                drawn(names, seat.player, tr("Seat {number}", number=number + 1)),
                cards,
                note=_fate(seen, outcome, number),
                loser=number == outcome.loser,
                bidder=made is not None and number == made.seat,
                challenger=number == outcome.challenger,
                face=face_of(seat.player),
            )
        )
    return tuple(rows)


def _picture(seen: View, current: EndedRound, names: Names) -> ShowdownPicture:
    rows, middle, judged = _rows(seen, current, names), current.middle, current.judgement
    used, jokers = Cards(), {}
    if judged is not None:
        used, jokers = judged.proof.cards, stand_ins(judged.made.bid, judged.proof)
    middle_name = tr("Middle")
    alt = showdown_alt_text(rows, used, middle=middle, middle_name=middle_name, stands_for=jokers)
    return ShowdownPicture(rows, used, middle, alt, tuple(jokers.items()), middle_name=middle_name)


def _fate(seen: View, outcome: Outcome, number: int) -> str:
    seat = seen.seats[number]
    if number == outcome.loser:
        return ""  # what they pay is said in words
    if seat.standing is SeatStatus.FORFEITED:
        return tr("has left")
    return "" if seat.live else tr("out")  # outdone: only who was dealt in has a row


def _named(player: int, names: Names) -> str:
    """A person who is in the picture too: by a mention, or by as much of a long name as has room.

    Three mentions of 32 characters take six lines of a phone's screen: the verdict would not fit.
    """
    name = drawn(names, player, "")
    # the reader's device may have letters that no typeface here has: each gets the room of a W
    measured = "".join("W" if char.isalpha() and not drawable(char) else char for char in name)
    short = fitted(measured, NAME_SIZE, NAME_ROOM)
    if short == measured:
        return mention(player)
    return f"**{escaped(name[: len(short) - len(ELLIPSIS)] + ELLIPSIS)}**"


def _penalty(seen: View, outcome: Outcome, names: Names) -> str:
    if outcome.loser is None:
        bidder = game_words(seen.ruleset).bidder
        return tr("The {bidder} has left the match: nobody gains a card.", bidder=bidder)
    seat = seen.seats[outcome.loser]
    who = _named(seat.player, names)
    if outcome.eliminated:
        return tr("{who} **is out of the match**.", who=who) + _outdone(seen, names)
    cards = cards_counted(seat.cards)
    return tr("{who} loses the round and now holds **{cards}**.", who=who, cards=cards)


def _new_limit(seen: View, current: EndedRound) -> str:
    """That fewer players may hold more cards, or fewer, from the next deal on; mostly nothing."""
    rules, started = seen.ruleset, len(seen.seats)
    dealt = sum(1 for cards in current.hands if cards)
    before, now = rules.card_limit(dealt, started), card_limit(rules, seen.seats)
    if before == now or playing_off(rules, seen.seats):
        return ""
    return trn(
        "-# From now on at most **{number} card**.",
        "-# From now on at most **{number} cards**.",
        now,
    )


def _outdone(seen: View, names: Names) -> str:
    """What it means for the others that somebody is out, where that ends the match for some."""
    if not playing_off(seen.ruleset, seen.seats):
        return ""
    left = [seat.player for seat in seen.seats if seat.live]
    named = [_named(player, names) for player in left]
    people = listed(named)
    if len(left) > 2 or named != [mention(player) for player in left]:  # too long, all together
        people = trn(
            "{amount} player",
            "{amount} players",
            len(left),
            amount=capital(number_word(len(left))),
        )
    return " " + tr("{people} tie, and play off who wins.", people=people)


def card_counts(seen: View) -> str:
    """How many cards everybody still in the match holds, in small print."""
    live = [seat for seat in seen.seats if seat.live]
    return "-# " + " · ".join(f"{mention(seat.player)} {seat.cards}" for seat in live)


def winner_text(seen: View, current: EndedRound, champion: int) -> str:
    """Who won the match (the seat `champion`), and first who is out.

    In small print, with how many cards where the fewest win, and the mark of a match with computer
    players.
    """
    winner = mention(seen.seats[champion].player)
    small = [mark(seat.player for seat in seen.seats)]
    if playing_off(seen.ruleset, seen.seats):
        small.insert(0, tr("with {cards}", cards=cards_counted(seen.seats[champion].cards)))
    lines = [tr("## {who} wins the match", who=winner)]
    if any(small):
        lines.append("-# " + " · ".join(filter(None, small)))
    loser = current.outcome.loser
    if loser is not None:
        outdone = any(
            seat.standing is SeatStatus.OUT and current.hands[number] and number != loser
            for number, seat in enumerate(seen.seats)
        )
        who = mention(seen.seats[loser].player)
        out = (
            tr("{who} is out, and that ends it: the fewest cards win.", who=who)
            if outdone
            else tr("{who} is out.", who=who)
        )
        lines.insert(0, out)
    return "\n".join(lines)


def abandoned_board(seen: View, current: RoundView, address: Address) -> Board:
    """A match that was ended while a round was being bid."""
    text = f"### {tr(seen.ruleset.title)}\n{tr('The match was ended without a winner.')}"
    blocks = (Text(text, fair_button(current.number)), Text(card_counts(seen)))
    return Board(
        GREY,
        blocks,
        address=address,
    )


def record_board(live: LiveTable, names: Names) -> Board:
    """The message before the latest deal or showdown, as it stays in the channel."""
    match, before = live.match, live.before
    if match is None or match.round is None:
        return departed_board(live.table)
    if match.phase is Phase.BIDDING:
        if before is None or before.round is None:
            return departed_board(live.table)
        seen = view(before)
        if isinstance(seen.round, EndedRound):
            ended = replace(live, match=before)
            return showdown_board(ended, seen, seen.round, names, None)
    seen = view(match)
    if not isinstance(seen.round, EndedRound):
        return departed_board(live.table)
    return _folded(live, seen, seen.round)


def _folded(live: LiveTable, seen: View, ended: EndedRound) -> Board:
    """A round's table in one line."""
    terms = game_words(seen.ruleset)
    made = trn(
        "{number} {noun}",
        "{number} {plural}",
        len(ended.bids),
        noun=terms.noun,
        plural=terms.plural,
    )
    judged = ended.judgement
    if judged is None:
        how = tr("it ended without a showdown")
    else:
        how = tr(
            "{challenger} {challenged} {bidder}'s {said}",
            challenger=mention(seen.seats[judged.challenger].player),
            challenged=terms.challenged,
            bidder=mention(seen.seats[judged.made.seat].player),
            said=bid_text(seen.ruleset, judged.made.bid),
        )
    address = Address(live.table.id, live.table.match_id or 0, seen.seq)
    rows = ((Button("bidding", tr("Bidding"), choice=str(ended.number)),),) if ended.bids else ()
    return Board(
        GREY,
        (Text(f"{tr('Round {number}', number=ended.number)} · {made} · {how}"),),
        rows,
        address,
    )
