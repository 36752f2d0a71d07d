"""The board of a round that has ended, and the message that ends a match.

A round's board has the verdict, everybody's cards, the meaning of each joker, the loser's penalty,
and a highlight. The end of a match adds a picture of its rounds and the session's score.

After the next deal, the showdown's message stays as a record. At the showdown, the message where
the round was bid is reduced to one line, with the bids behind a button.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from bot.boards.bidding import bot_move_note, timeout_note
from bot.boards.board import Address, Block, Board, Button, ShowdownPicture, StripPicture, Text
from bot.boards.computer_players import face_of, mark
from bot.boards.cutting import fair_button
from bot.boards.lobby import departed_board, waiting_line
from bot.boards.talk import Occasion, remark
from bot.language.catalogues import N_, tr, trn
from bot.language.moments import stamp
from bot.language.wordings import bid_text, game_words
from bot.language.words import (
    ELLIPSIS,
    Names,
    capital,
    cards_counted,
    escape_markdown,
    join_words,
    lacking_text,
    mention,
    number_word,
    percent,
    plain_name,
    rough_percent,
    together,
)
from bot.pictures.cards import ShowdownRow
from bot.pictures.faces import StandIn
from bot.pictures.fonts import drawable, fit_text
from bot.pictures.palette import AMBER, GREY, RED
from bot.pictures.strip import MOST_COLUMNS, Fate, StripCell, StripRow, strip_text
from bot.roster import is_computer
from bot.tables.highlights import (
    Bluff,
    Catch,
    Highlight,
    MatchHighlights,
    RoundDecision,
    RoundLine,
    decision,
    highlight,
)
from bot.tables.live import LiveTable
from bot.tables.model import DeadlineKind, Status, Table
from bot.tables.session_score import SessionScore
from bot.tables.table_options import odds_allowed, seat_odds_shown
from engine.bids import Bid, Need, Proof
from engine.cards import Card, Cards
from engine.odds.chance import Chance
from engine.rotation import card_limit, playing_off
from engine.ruleset import Ruleset
from engine.state import Cause, Judgement, Match, Outcome, Phase, SeatStatus
from engine.view import EndedRound, RoundView, View, view_of

THERE: Final = N_("**It's there.**")
# in the pictures' typeface, which is as wide as a phone's: a name takes less than half a line
NAME_SIZE: Final = 16
NAME_ROOM: Final = 130
SHORT: Final = 7  # ASCII characters that have room even if each is a W, the widest
FITTING: Final = 8  # rows of the last showdown and the strip together that fit on a phone's screen
SCORED: Final = 10  # winners listed in the session's score
EVEN: Final = 0.5


def showdown_board(
    live: LiveTable,
    view: View,
    current: EndedRound,
    names: Names,
    address: Address | None,
    match_end: MatchEnd | None = None,
    *,
    again: bool = True,
) -> Board:
    """Return the board of a round that has ended; without an `address` it has no buttons.

    `match_end` has the highlights and the session's score, if the match is over. If not `again`,
    leave out **Play again**, which another message already has.

    The board fits a phone's screen. Everybody's cards are in the picture and in its alternative
    text, so they aren't written a second time.
    """
    judged = current.judgement
    if judged is None:
        verdict = _departure_text(live, view, current, names)
    else:
        doubter = view.seats[judged.challenger].player
        note = bot_move_note() if address is None else timeout_note(live, doubter)
        verdict = _verdict(live, view, judged, names, note)
        verdict += _remark(live, current, doubter, "doubts")
    # next to the button, a second line needs hardly any room
    check = fair_button(current.number) if address is not None else None
    deal = _next_deal_line(live.table) if address is not None else ""
    blocks: list[Text | ShowdownPicture | StripPicture] = [
        Text(_heading(current) + deal, check),
        Text(verdict),
        showdown_picture(view, current, names),
    ]
    over = view.winner is not None
    ended = live.table.status is Status.CLOSED
    lines = [
        winner_text(view, current, view.winner)
        + _remark(live, current, view.seats[view.winner].player, "wins")
        if view.winner is not None
        else _penalty(live, view, current.outcome, names)
    ]
    strip = (
        fitting_strip(view, current, match_end.highlights, names) if match_end is not None else None
    )
    if match_end is not None:
        lines += filter(
            None, (session_score_text(match_end.score), highlights_text(view, match_end.highlights))
        )
    # after a deal of the day, there is no next match
    if ended and not over and live.table.daily_day is None:
        lines.append(tr("**The match was ended** without a winner."))
    elif not over:
        lines += filter(None, (_new_limit(view, current),))
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
            # a closed table can't start another match, as its channel may have a new table
            asks = again and not ended
            anew = (Button("again", tr("Play again"), "success"),) if asks else ()
            whole = () if strip is not None else (Button("story", tr("Whole match")),)
            rows = ((*anew, *whole, Button("replay", tr("Replay"), choice="open")),)
        elif not ended:
            following = Button("next", tr("Next round"), "primary")
            rows = ((following, Button("seat", tr("My seat"))),)
    accent = AMBER if over or judged is None or judged.proof.holds else RED
    accent = GREY if ended and not over else accent
    return Board(accent, tuple(blocks), rows, address or Address(0))


def showdown_picture(view: View, current: EndedRound, names: Names) -> ShowdownPicture:
    """Return the picture of a round that has ended."""
    judged, used, jokers = current.judgement, Cards(), dict[Card, StandIn]()
    if judged is not None:
        used, jokers = judged.proof.cards, stand_ins(judged.standing.bid, judged.proof)
    return ShowdownPicture.of(_rows(view, current, names), current.middle, used, jokers)


def _next_deal_line(table: Table) -> str:
    """Return a line about when the next round is dealt and how to deal it sooner.

    The text begins with a line break. It is empty at the end of a match, and in a practice,
    where the next round waits for a press.
    """
    if table.deadline_kind is not DeadlineKind.NEXT_ROUND or table.deadline is None:
        return ""
    when = stamp(table.deadline, "R")
    return "\n" + tr("-# Next round {when}, or press **Next round**.", when=when)


def ending(live: LiveTable) -> str:
    """Return how the latest round ended, for readers who don't see its table.

    Empty if the round hasn't ended.
    """
    view = view_of(live.match) if live.match is not None else None
    if view is None or not isinstance(current := view.round, EndedRound):
        return ""
    judged = current.judgement
    how = (
        _departure_text(live, view, current, {})
        if judged is None
        else _verdict(live, view, judged, {}, bot_move_note())
    )
    if view.winner is not None:
        won = tr("{who} wins the match.", who=mention(view.seats[view.winner].player))
        return f"{how} {won}"
    return f"{how} {_penalty(live, view, current.outcome, {})}"


def _remark(live: LiveTable, current: EndedRound, player: int, occasion: Occasion) -> str:
    """Return a player's remark after a line break; empty if they say nothing."""
    heard = remark(live.table, player, occasion, current.commitment, len(current.bids))
    return f"\n{heard}" if heard else ""


def _heading(current: EndedRound) -> str:
    if current.judgement:
        return tr("**Round {number} · Showdown**", number=current.number)
    return tr("**Round {number}**", number=current.number)


def _departure_text(live: LiveTable, view: View, current: EndedRound, names: Names) -> str:
    """Return who left, for a round that ended without a showdown because players left."""
    gone = [
        number
        for number, (seat, cards) in enumerate(zip(view.seats, current.dealt, strict=True))
        if cards and seat.standing is SeatStatus.FORFEITED
    ]
    people = join_words(_short_mention(view.seats[number].player, names) for number in gone)
    if {live.departure_cause(number) for number in gone} == {Cause.ABSENT}:
        return tr("{people} ran out of time, so it ends without a showdown.", people=people)
    return tr("{people} left, so it ends without a showdown.", people=people)


def _verdict(live: LiveTable, view: View, judged: Judgement, names: Names, note: str) -> str:
    """Return who challenged which bid, and who was right; `note` follows if the bot challenged."""
    standing, proof = judged.standing, judged.proof
    challenger = _short_mention(view.seats[judged.challenger].player, names)
    bidder = _short_mention(view.seats[standing.seat].player, names)
    head = tr(
        "{challenger} {challenged} {bidder}'s **{said}**.",
        challenger=challenger,
        challenged=game_words(view.ruleset).challenged,
        bidder=bidder,
        said=bid_text(view.ruleset, standing.bid),
    )
    if live.last_by_house:
        head += f" {capital(note)}."
    if proof.holds:  # the picture outlines the cards
        return f"{head} {tr(THERE)}"
    lacking = lacking_text(proof.lacking)
    return f"{head} {tr('**Not there**. Missing: {lacking}.', lacking=lacking)}"


def _rows(view: View, current: EndedRound, names: Names) -> Iterator[ShowdownRow]:
    outcome, standing = current.outcome, current.standing
    for number, (seat, cards) in enumerate(zip(view.seats, current.hands, strict=True)):
        if cards:
            yield ShowdownRow(
                plain_name(names, seat.player, tr("Seat {number}", number=number + 1)),
                cards,
                note=_fate(view, outcome, number),
                loser=number == outcome.loser,
                bidder=standing is not None and number == standing.seat,
                challenger=number == outcome.challenger,
                face=face_of(seat.player),
            )


def _fate(view: View, outcome: Outcome, number: int) -> str:
    seat = view.seats[number]
    if number == outcome.loser:
        return ""  # the text says how many cards the losers get
    if seat.standing is SeatStatus.FORFEITED:
        return tr("has left")
    # the round's loser took them out: only players who were dealt in have a row
    return "" if seat.live else tr("out")


def _short_mention(player: int, names: Names) -> str:
    """Return a player's mention for the line above the picture, or a shortened name if it is long.

    Three mentions of 32 characters take six lines of a phone's screen: the verdict would not fit.
    """
    name = plain_name(names, player, "")
    # measuring takes a while, and longer while a picture is being drawn
    if name.isascii() and len(name) <= SHORT:
        return mention(player)
    # the reader's device may have letters that our typefaces lack: count each as wide as a W
    measured = "".join("W" if char.isalpha() and not drawable(char) else char for char in name)
    short = fit_text(measured, NAME_SIZE, NAME_ROOM)
    if short == measured:
        return mention(player)
    return f"**{escape_markdown(name[: len(short) - len(ELLIPSIS)] + ELLIPSIS)}**"


def _penalty(live: LiveTable, view: View, outcome: Outcome, names: Names) -> str:
    if outcome.loser is None:
        bidder = game_words(view.ruleset).bidder
        return tr("The {bidder} has left the match: nobody gains a card.", bidder=bidder)
    seat = view.seats[outcome.loser]
    loser = _short_mention(seat.player, names)
    if outcome.eliminated:
        ended = live.table.status is Status.CLOSED
        # a deal of the day ends once its player is out, though others may be tied
        left = any(seat.live and not is_computer(seat.player) for seat in view.seats)
        if ended and live.table.daily_day is not None and not left:
            return tr("{who} is out, and that ends the match: the fewest cards win.", who=loser)
        # if the match ends with this round, there is no play-off
        follows = "" if ended else _outdone(view, names)
        return tr("{who} **is out of the match**.", who=loser) + follows
    cards = cards_counted(seat.cards)
    return tr("{who} loses the round and now holds **{cards}**.", who=loser, cards=cards)


def _new_limit(view: View, current: EndedRound) -> str:
    """Return a line with the new card limit, if it changed with the number of players; else "".

    Also empty in a play-off.
    """
    rules, started = view.ruleset, len(view.seats)
    dealt = sum(1 for cards in current.hands if cards)
    before, now = rules.card_limit(dealt, started), card_limit(rules, view.seats)
    if before == now or playing_off(rules, view.seats):
        return ""
    return trn(
        "-# From now on at most **{number} card**.",
        "-# From now on at most **{number} cards**.",
        now,
    )


def _outdone(view: View, names: Names) -> str:
    """Return, after a space, who is tied and goes into a play-off; empty without a play-off."""
    if not playing_off(view.ruleset, view.seats):
        return ""
    left = [seat.player for seat in view.seats if seat.live]
    named = [_short_mention(player, names) for player in left]
    people = join_words(named)
    if len(left) > 2 or named != [mention(player) for player in left]:  # too long if all are named
        people = trn(
            "{amount} player",
            "{amount} players",
            len(left),
            amount=capital(number_word(len(left))),
        )
    return " " + tr("{people} are tied. A play-off decides who wins.", people=people)


def card_counts(view: View) -> str:
    """Return how many cards everybody still in the match holds."""
    live = [seat for seat in view.seats if seat.live]
    return " · ".join(f"{mention(seat.player)}\u00a0{seat.cards}" for seat in live)


def winner_text(view: View, current: EndedRound, champion: int) -> str:
    """Return who is out, if the round has a loser, and who won the match (the seat `champion`).

    Small print adds the winner's number of cards if the fewest cards win, and the mark of a
    match with computer players.
    """
    winner = mention(view.seats[champion].player)
    small = [mark(seat.player for seat in view.seats)]
    if playing_off(view.ruleset, view.seats):
        small.insert(0, tr("with {cards}", cards=cards_counted(view.seats[champion].cards)))
    lines = [tr("## {who} wins the match", who=winner)]
    if any(small):
        lines.append("-# " + " · ".join(filter(None, small)))
    loser = current.outcome.loser
    if loser is not None:
        outdone = any(
            seat.standing is SeatStatus.OUT and current.hands[number] and number != loser
            for number, seat in enumerate(view.seats)
        )
        name = mention(view.seats[loser].player)
        out = (
            tr("{who} is out, and that ends the match: the fewest cards win.", who=name)
            if outdone
            else tr("{who} is out.", who=name)
        )
        lines.insert(0, out)
    return "\n".join(lines)


def abandoned_board(view: View, current: RoundView, address: Address) -> Board:
    """Return the board of a match that was ended while a round was being bid."""
    text = f"### {tr(view.ruleset.title)}\n{tr('The match was ended without a winner.')}"
    blocks = (Text(text, fair_button(current.number)), Text(f"-# {card_counts(view)}"))
    return Board(
        GREY,
        blocks,
        address=address,
    )


def record_board(live: LiveTable, names: Names) -> Board:
    """Return the new board of the message that the latest deal or showdown replaced.

    After a deal, this is the board of the last showdown, but without its buttons, or
    `departed_board` in the lobby's message. After a showdown, it is one line about the round.
    """
    match, before = live.match, live.before
    if match is None or match.round is None:
        return departed_board(live.table)
    if match.phase is Phase.BIDDING:
        if before is None or before.round is None:
            return departed_board(live.table)
        view = view_of(before)
        if isinstance(view.round, EndedRound):
            ended = replace(live, match=before)
            return showdown_board(ended, view, view.round, names, None)
    view = view_of(match)
    if not isinstance(view.round, EndedRound):
        return departed_board(live.table)
    return _one_line_record(live, view, view.round)


def _one_line_record(live: LiveTable, view: View, ended: EndedRound) -> Board:
    """Return a board with one line about a round, for the message that showed its bidding."""
    terms = game_words(view.ruleset)
    bids = trn(
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
            challenger=mention(view.seats[judged.challenger].player),
            challenged=terms.challenged,
            bidder=mention(view.seats[judged.standing.seat].player),
            said=bid_text(view.ruleset, judged.standing.bid),
        )
    address = Address(live.table.id, live.table.match_id or 0, view.seq)
    rows = ((Button("bidding", tr("Bidding"), choice=str(ended.number)),),) if ended.bids else ()
    return Board(
        GREY,
        (Text(f"{tr('Round {number}', number=ended.number)} · {bids} · {how}"),),
        rows,
        address,
    )


def stand_ins(bid: Bid, proof: Proof) -> dict[Card, StandIn]:
    """Return each joker that `proof` uses, and what it stands for in `bid`.

    A joker stands for a rank if any suit will do, for a suit if any rank will do, otherwise for one
    card. Jokers fill the needs in order, as `engine.bids.proof` assigns them.
    """
    jokers = sorted(proof.jokers)
    served: dict[Card, StandIn] = {}
    for need in bid.needs:
        short = need.count - len(proof.found & need.cards)
        taken, jokers = jokers[:short], jokers[short:]
        served |= {joker: _stand_in(need, proof) for joker in taken}
    return served


def _stand_in(need: Need, proof: Proof) -> StandIn:
    ranks = {card.rank for card in need.cards}
    suits = {card.suit for card in need.cards}
    # the missing cards have nothing in common: name the best of them
    if len(ranks) > 1 and len(suits) > 1:
        best = next(iter(need.cards - proof.found))
        return StandIn(best.rank, best.suit)
    return StandIn(
        ranks.pop() if len(ranks) == 1 else None,
        suits.pop() if len(suits) == 1 else None,
    )


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """The highlights of a match that is over, and the session's score."""

    highlights: MatchHighlights
    score: SessionScore


def fitting_strip(
    view: View, last: EndedRound, highlights: MatchHighlights, names: Names
) -> StripPicture | None:
    """Return the picture of a match's rounds, or None if it doesn't fit below the last showdown."""
    rows = len(view.seats) + sum(1 for hand in last.hands if hand)
    rounds_fit = len(highlights.rounds) <= MOST_COLUMNS
    return strip_picture(view, highlights, names) if rows <= FITTING and rounds_fit else None


def session_score_text(score: SessionScore) -> str:
    """Return how many matches each player won this session; empty after its first match.

    At most `SCORED` players are listed, followed by "…" if there are more.
    """
    if score.matches < 2:
        return ""
    scores = [f"{mention(player)}\u00a0{wins}" for player, wins in score.wins[:SCORED]]
    if len(score.wins) > SCORED:
        scores.append("…")
    return trn(
        "**So far**, {number} match: {wins}",
        "**So far**, {number} matches: {wins}",
        score.matches,
        wins=" · ".join(scores),
    )


def strip_picture(view: View, highlights: MatchHighlights, names: Names) -> StripPicture | None:
    """Return a picture of a match's rounds, or None if nothing was dealt.

    The winner's row comes first; the other rows are sorted by how long their players lasted.
    """
    if not highlights.rounds:
        return None

    def place(seat: int) -> tuple[bool, int]:
        return seat != view.winner, -sum(line.held[seat] > 0 for line in highlights.rounds)

    rows = tuple(
        StripRow(
            plain_name(names, view.seats[seat].player, tr("Seat {number}", number=seat + 1)),
            tuple(_cell(line, seat) for line in highlights.rounds),
            winner=seat == view.winner,
            face=face_of(view.seats[seat].player),
        )
        for seat in sorted(range(len(view.seats)), key=place)
    )
    return StripPicture(rows, strip_text(rows))


def highlights_board(view: View, highlights: MatchHighlights, names: Names) -> Board:
    """Return the board of a whole match: its rounds, the boldest bluff and the best catch."""
    picture = strip_picture(view, highlights, names)
    blocks: list[Block] = [Text(tr("**{title} · the whole match**", title=tr(view.ruleset.title)))]
    if picture is not None:
        blocks.append(picture)
    text = highlights_text(view, highlights)
    if text:
        blocks.append(Text(text))
    return Board(AMBER, tuple(blocks))


def highlights_text(view: View, highlights: MatchHighlights) -> str:
    """Return the boldest unchallenged bluff and the best catch; empty if there was neither.

    Each has one line. A further line says what their chances are based on. Lines are short, as
    a phone shows them below the showdown.
    """
    lines = []
    if highlights.bluff is not None:
        lines.append(_bluff_line(view, highlights.bluff))
    if highlights.catch is not None:
        lines.append(_catch_line(view, highlights.catch))
    if lines:
        lines.append(tr("-# odds use each player's own cards"))
    return "\n".join(lines)


def _cell(line: RoundLine, seat: int) -> StripCell:
    fate = Fate.KEPT
    if seat in line.left:
        fate = Fate.LEFT
    elif seat == line.loser:
        fate = Fate.OUT if line.out else Fate.LOST
    elif seat in line.outdone:
        fate = Fate.OUT
    return StripCell(line.held[seat], fate)


def _bluff_line(view: View, bluff: Bluff) -> str:
    bidder = mention(view.seats[bluff.made_bid.seat].player)
    return tr(
        "**Boldest bluff:** {who}'s **{said}** in round {number} ({share})",
        who=bidder,
        said=bid_text(view.ruleset, bluff.made_bid.bid),
        number=bluff.round,
        share=_share(bluff.chance),
    )


def _catch_line(view: View, catch: Catch) -> str:
    challenger = mention(view.seats[catch.challenger].player)
    bidder = mention(view.seats[catch.made_bid.seat].player)
    return tr(
        "**Best catch:** {who} {challenged} {bidder}'s **{said}** in round {number} ({share})",
        who=challenger,
        challenged=game_words(view.ruleset).challenged,
        bidder=bidder,
        said=bid_text(view.ruleset, catch.made_bid.bid),
        number=catch.round,
        share=_share(catch.chance),
    )


def _share(chance: Chance) -> str:
    return together(percent(chance.probability))


def table_line(live: LiveTable) -> str:
    """Return the latest round's highlight in small print; empty if the round has none.

    The highlight is one line, so that the showdown fits a phone. Always empty in a practice, where
    `own_line` takes its place.
    """
    match = live.match
    if match is None or live.table.is_practice:
        return ""
    latest = highlight(live, odds=odds_allowed(live.table))
    return f"-# {_highlight_text(latest, match)}" if latest is not None else ""


def _highlight_text(latest: Highlight, match: Match) -> str:
    name, share = mention(match.seats[latest.seat].player), rough_percent(latest.chance)
    match latest.theme:
        case "bluffed":
            return tr("{who} bid on a {share} chance and got away with it.", who=name, share=share)
        case "held":
            return tr("{who} bid on a {share} chance, and it was there.", who=name, share=share)
        case "caught":
            return tr("{who} bid on a {share} chance, and was caught.", who=name, share=share)
        case "right":
            return trn(
                "{who} has made {number} correct challenge in a row.",
                "{who} has made {number} correct challenges in a row.",
                latest.times,
                who=name,
            )
        case "lost":
            return trn(
                "{who} has lost {number} round in a row.",
                "{who} has lost {number} rounds in a row.",
                latest.times,
                who=name,
            )


def own_line(live: LiveTable, player: int) -> str:
    """Return how likely a bid of the latest round was, given the player's own cards.

    If the player made the round's last bid or challenged it, the line is about that bid;
    otherwise it is about their least likely false bid that went unchallenged. Empty if there is
    no such bid, if the bot moved for them in that round, or if seats show no odds.
    """
    match = live.match
    seat = match.seat_of(player) if match is not None else None
    if match is None or seat is None or not seat_odds_shown(live.table):
        return ""
    decided = decision(live, seat)
    return _decision_text(decided, match.ruleset) if decided is not None else ""


def _decision_text(decided: RoundDecision, rules: Ruleset) -> str:
    terms = game_words(rules)
    if not decided.judged:
        text = tr("Your {noun} (**{said}**) was {share} likely, and nobody {challenged}.")
    elif decided.challenged:
        text = _challenge_text(decided)
    elif decided.holds:
        text = tr("Your {noun} (**{said}**) was {share} likely, and it was there.")
    else:
        text = tr("Your {noun} (**{said}**) was {share} likely, and it wasn't there.")
    return text.format(
        share=rough_percent(decided.chance),
        said=bid_text(rules, decided.bid),
        noun=terms.noun,
        challenged=terms.challenged,
        doubt=terms.doubt,
    )


def _challenge_text(decided: RoundDecision) -> str:
    """Return whether a challenge was a good decision and whether it succeeded; these can differ."""
    if decided.chance > EVEN:
        return (
            tr("It was {share} likely by your cards alone: a bad {doubt}.")
            if decided.holds
            else tr("It was {share} likely by your cards alone: a bold {doubt}, and right.")
        )
    return (
        tr("It was {share} likely by your cards alone, but a {noun} is a clue too: it was there.")
        if decided.holds
        else tr("It was {share} likely by your cards alone: a good {doubt}.")
    )
