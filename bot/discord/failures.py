"""What is refused, as one clear sentence. The only place where errors become words for players."""

from __future__ import annotations

from typing import Final

from bot.tables import refusals
from bot.tables.live import LiveTable
from bot.words import count, escaped, mention
from engine import errors
from engine.bids import Bid
from engine.errors import quoted
from engine.play import legal
from engine.ruleset import Ruleset
from engine.wording import BidTextError

MOVED_ON: Final = "The table has moved on."
BROKEN: Final = "Something went wrong on our side. Nothing was lost; please try again."


def sentence(error: Exception, live: LiveTable | None = None) -> str:
    """The sentence for an error; a generic one for what nobody foresaw."""
    match error:
        case BidTextError():
            return escaped(_misread(error, live))
        case errors.RuleViolation():
            return _rule(error, live)
        case refusals.RefusedError():
            return _refusal(error)
        case errors.EngineError():
            return escaped(str(error))
        case _:
            return BROKEN


def still_meant(error: BidTextError, live: LiveTable | None) -> tuple[Bid, ...]:
    """Which bids that may have been meant can be made now; all of them where nobody bids."""
    rungs = legal(live.match).rungs if live is not None and live.match is not None else ()
    higher = {bid for rung in rungs for bid in rung}
    return tuple(bid for bid in error.suggestions if bid in higher or not higher)


def _misread(error: BidTextError, live: LiveTable | None) -> str:
    """Asks what was meant, but never after a bid that would be refused."""
    meant = still_meant(error, live)
    if live is None or live.match is None or meant == error.suggestions:
        return str(error)
    wording, term = live.match.ruleset.wording, live.match.ruleset.terms.bid
    if not meant:
        return f"{error.reason}, and {error.said} would not be higher. {term} higher."
    said = " or ".join(quoted(wording.say(bid)) for bid in meant)
    return f"{error.reason}. Did you mean {said}?"


def _rule(error: errors.RuleViolation, live: LiveTable | None) -> str:
    match = live.match if live is not None else None
    if match is None:
        return MOVED_ON
    rules = match.ruleset
    call, doubt = rules.terms.bid.lower(), rules.terms.challenge.lower()
    match error:
        case errors.NotYourTurn():
            return f"It is not your turn: {mention(match.seats[error.turn].player)} is to act."
        case errors.BidTooLow():
            return (
                f"{_quoted(rules, error.bid)} is not higher than {_quoted(rules, error.standing)}."
                f" {rules.terms.bid} higher or {doubt}."
            )
        case errors.NothingToChallenge():
            return f"There is nothing to {doubt} yet: you open the round with any {call}."
        case errors.OwnBid():
            return f"You cannot {doubt} your own {call}."
        case errors.NotInMatch():
            return "You are out of this match."
        case errors.NotDealt():
            return "The next round is not dealt yet."
        case errors.MatchIsOver():
            winner = mention(match.seats[error.winner].player)
            return f"The match is over: {winner} has won. Press **Play again** for another."
        case errors.UnknownBid():
            return f"There is no such {call} in {rules.title}."
        case _:
            return MOVED_ON


def _refusal(error: refusals.RefusedError) -> str:
    match error:
        case refusals.NoTable():
            return "There is no match in this channel. `/play` opens a table."
        case refusals.NotStarted():
            return "The match has not begun: no cards are dealt yet."
        case refusals.NotHere():
            return f"{mention(error.player)} has no seat in this match."
        case refusals.NotSeated():
            return "You have no seat at this table."
        case refusals.Oneself():
            return "Name who else is away, such as `/away @Bob`; you are here."
        case refusals.TooFewToVote():
            return "With two players left, only the clock decides who is away."
        case refusals.AlreadyAway():
            return f"{mention(error.player)} is away already: the house plays for them."
        case refusals.NotAway():
            return "You are not away: your moves are your own."
        case refusals.NotInvited():
            return "You are not asked to play again here. **Join** gives you a place all the same."
        case refusals.AlreadySeated():
            return "You already have a seat here."
        case refusals.Repeated():
            return "That is already done."
        case refusals.TableFull():
            return f"All {error.most} seats are taken."
        case refusals.NoComputers():
            return "This house seats no computer players."
        case refusals.TooManyComputers():
            players = count(error.most, "computer player")
            return f"A table here seats at most {players}."
        case refusals.NoneLeft():
            return "Every computer player of that character sits here already; choose another."
        case refusals.TooFewPlayers():
            return "A match needs at least two players."
        case refusals.TooManyForRules():
            return (
                f"With these house rules at most {error.most} can play, and {error.seated}"
                " are seated. Nothing was changed."
            )
        case refusals.NotHost():
            return f"Only {mention(error.host)}, who hosts this table, or a moderator may do that."
        case refusals.NotModerator():
            return "Only a moderator of this server may do that (who may manage its messages)."
        case refusals.ChannelHasTable():
            return "This channel has a table already. `/table` brings it down here again."
        case refusals.GuildIsFull():
            tables = count(error.most, "live table")
            return f"This server has {tables}, which is as many as it may have."
        case refusals.StoreIsDown():
            return "Your move could not be stored, so nothing happened. Please try again."
        case refusals.SetAside():
            return (
                "This table is damaged in the database, so it is set aside. Whoever runs the bot"
                " can mend it with `bluffhouse repair`; every other table goes on."
            )
        case _:
            return MOVED_ON


def _quoted(rules: Ruleset, key: str) -> str:
    return quoted(rules.wording.say(rules.ladder.bid(key)))
