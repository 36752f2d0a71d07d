"""Word each refusal as one clear sentence: the only place that turns errors into text."""

from __future__ import annotations

from math import ceil
from typing import Final

from bot.discord import posting
from bot.discord.links import invite_link
from bot.language.catalogues import ENGLISH, N_, spoken, tr, trn
from bot.language.wordings import bid_text, game_words, reason_text, wording
from bot.language.words import (
    TypedText,
    capital,
    cards_text,
    escape_markdown,
    join_words,
    kind_label,
    kind_word,
    mention,
    quote_words,
)
from bot.tables import errors as refusals
from bot.tables import nights
from bot.tables.live import LiveTable
from bot.tables.local_time import EXAMPLE_HOUR, EXAMPLE_ZONE, NotAnHour, NotAZone
from engine import errors
from engine.bids import Bid
from engine.cutting import CUT_EXAMPLE, CutTextError
from engine.odds.chance import OddsError
from engine.play import legal
from engine.ruleset import Ruleset
from engine.state import Match, Phase
from engine.wording import BidTextError, bids_to_offer, kind_left_open

MOVED_ON: Final = N_("The table has moved on.")
BROKEN: Final = N_("Something went wrong on my side. Nothing was lost, so please try again.")
# refusals whose sentence needs only their facts (`_facts`), if any
_PLAIN: Final[dict[type[refusals.RefusedError], str]] = {
    nights.TooManyComers: N_("This night is full."),
    nights.MayNotPlan: N_(
        "Only moderators and people who can create events here can plan a game night."
    ),
    refusals.NoTable: N_("There's no match in this channel. Open a table with `/play`."),
    refusals.NoChannel: N_(
        "Discord didn't say which channel this is, so nothing happened. Please try again."
    ),
    refusals.NoServer: N_("That only works in a server. Please try it there."),
    refusals.NotStarted: N_("The match hasn't started, so no cards are dealt yet."),
    refusals.NotSeated: N_("You're not at this table."),
    refusals.Oneself: N_("That's you. Name someone else under `player`."),
    refusals.TooFewToVote: N_(
        "With two of you left there's no vote: the clock decides who's away. No clock? `/leave` can"
        " also end the match."
    ),
    refusals.NotAway: N_("You're not marked as away."),
    refusals.NotInvited: N_("You weren't asked for this rematch, but **Join** gets you a seat."),
    refusals.AlreadySeated: N_("You're already at this table."),
    refusals.AskedAnyway: N_("You'll be asked anyway when this match is over."),
    refusals.Repeated: N_("That's already done."),
    refusals.NoComputers: N_("Computer players aren't available here."),
    refusals.NoneLeft: N_(
        "Every computer player of that style is already here. Choose another style."
    ),
    refusals.TooFewPlayers: N_("A match needs at least two players."),
    refusals.NotModerator: N_("Only moderators (people who can manage messages) can do that."),
    refusals.ChannelHasTable: N_(
        "This channel already has a table. `/table` moves it back to the bottom."
    ),
    refusals.OfServers: N_(
        "Each server has its own leaderboard and seasons. Please ask in the server."
    ),
    refusals.DidNotPlay: N_(
        "The coach only looks at your own decisions, and you didn't play in this match."
    ),
    refusals.CoachIsBusy: N_("The coach is already looking at a match for you."),
    refusals.CoachIsAway: N_("The coach can't answer right now. Please try again in a moment."),
    refusals.SplitsTheDay: N_(
        "The computer players were updated today, so today's deal is closed. The next one is"
        " tomorrow."
    ),
    refusals.MaybeStored: N_(
        "The database stopped answering while I was saving your move, so it may not have counted."
        " The table will show it once the database is back."
    ),
    refusals.StoreUnavailable: N_(
        "The database isn't available right now, so nothing happened. Please try again."
    ),
    refusals.NotHere: N_("{who} isn't playing at this table."),
    refusals.AlreadyAway: N_("{who} is already away, and the bot is playing for them."),
    refusals.NotAsked: N_("Only {who} can answer that."),
    refusals.TableFull: N_("All {most} seats are taken."),
    refusals.TooManyForRules: N_(
        "With these house rules at most {most} can play, but {seated} are here. I changed nothing."
    ),
    refusals.NotHost: N_("Only the host ({host}) or a moderator can do that."),
    refusals.StillPlaying: N_(
        "Match {number} is still being played. You can replay it when it's over."
    ),
    refusals.StillSeated: N_(
        "You're playing at a table in {channel}. Leave it (`/leave` there), then ask again."
        " Nothing was deleted."
    ),
}

# refusals by the rules; the player to act, the winner and the game's words are filled in
_OF_RULES: Final[dict[type[errors.RuleViolation], str]] = {
    errors.NotYourTurn: N_("It isn't your turn. Waiting for {who}."),
    errors.NothingToChallenge: N_(
        "There's nothing to {doubt} yet. You open the round with any {noun}."
    ),
    errors.OwnBid: N_("You can't {doubt} your own {noun}."),
    errors.NotInMatch: N_("You're out of this match."),
    errors.NotDealt: N_("The next round isn't dealt yet."),
    errors.MatchIsOver: N_("The match is over and {who} won. Press **Play again** for another."),
    errors.UnknownBid: N_("There's no such {noun} in {title}."),
}


def sentence(error: Exception, live: LiveTable | None = None) -> str:
    """Return the sentence for an error at the table `live`; a generic one for an unforeseen error.

    Without `live`, a refusal by the rules says only that the table has moved on.
    """
    match error:
        case BidTextError(doubts=True) if live is not None and live.match is not None:
            return _point_to_doubt(live.match)
        case BidTextError():
            return escape_markdown(_misread(error, live))
        case errors.RuleViolation():
            return _rule(error, live)
        case posting.CannotPost():
            return _posting_refusal(error)
        case refusals.OwnCardsMakeIt() if live is not None and live.match is not None:
            text = N_("**You hold it:** {cards}. {challenge} anyway?")
            if error.cards.jokers:
                text = N_("**You hold it:** {cards} (wild). {challenge} anyway?")
            doubt = game_words(live.match.ruleset).challenge
            return tr(text, cards=cards_text(error.cards), challenge=doubt)
        case refusals.RefusedError():
            return _refusal(error)
        case CutTextError():
            return _cut_refusal(error)
        case errors.TextError() | OddsError():
            reason = capital(reason_text(error.reason))
            return escape_markdown(
                tr(
                    "{reason}. Example: {example}",
                    reason=reason,
                    example=error.example,
                )
            )
        case errors.EngineError():
            return escape_markdown(str(error))
        case _:
            return tr(BROKEN)


def still_meant(error: BidTextError, live: LiveTable | None) -> tuple[Bid, ...]:
    """Return the bids that a misread text may mean and that are legal now.

    If no bidding is under way, return all bids that the text may mean.
    """
    if live is None or live.match is None or live.match.phase is not Phase.BIDDING:
        return error.meant
    higher = {bid for rung in legal(live.match).rungs for bid in rung}
    return tuple(bid for bid in error.meant if bid in higher)


def misread(
    error: BidTextError, rules: Ruleset | None, meant: tuple[Bid, ...], instead: str = ""
) -> str:
    """Return why a text is not a bid of a game, and what to do about it.

    `meant`: legal bids that the text may mean. The sentence names them or, if they are too many,
    what the text leaves open. `instead`: what the player can do if no such bid is high enough.
    Without `rules`, return the error's own text.
    """
    if rules is None:
        return str(error)
    a_bid = game_words(rules).a_bid
    if error.lacks is not None and spoken().key != ENGLISH:
        kind = kind_label(error.lacks)
        reason = tr("{title} has no such hand: {kind}", title=tr(rules.title), kind=kind)
    elif error.lacks is not None:
        reason = error.reason
    elif error.shown:
        reason = tr('"{text}" is not {a_bid} here', text=error.shown, a_bid=a_bid)
    else:
        reason = tr("Expected {a_bid}", a_bid=a_bid)
    if bids := bids_to_offer(meant):
        words = join_words((quote_words(bid_text(rules, bid)) for bid in bids), "or")
        return tr("{reason}. Did you mean {said}?", reason=reason, said=words)
    if meant:
        return _ask_which(error.shown, meant, quote_words(bid_text(rules, meant[0])))
    if error.suggestions:
        words = join_words((quote_words(bid_text(rules, bid)) for bid in error.suggestions), "or")
        return tr(
            "{reason}, and {said} would not be higher. {instead}",
            reason=reason,
            said=words,
            instead=instead,
        )
    if instead:
        return f"{reason}. {instead}"
    return tr("{reason}. Example: {example}", reason=reason, example=wording(rules).example)


def _ask_which(text: str, meant: tuple[Bid, ...], example: str) -> str:
    """Return a sentence about what a text leaves open, with an example."""
    kind = kind_left_open(meant)
    if kind is None:
        template = N_('"{text}" does not say which hand. Example: {example}')
        return tr(template, text=text, example=example)
    return tr(
        '"{text}" does not say which {kind}. Example: {example}',
        text=text,
        kind=kind_word(kind),
        example=example,
    )


def _point_to_doubt(match: Match) -> str:
    """Return which button to press, for a player who typed "I call" or "check" as a bid.

    If the bidding is over or no bid stands, the sentence says that instead.
    """
    terms = game_words(match.ruleset)
    if match.phase is not Phase.BIDDING:  # another player was quicker
        return tr(MOVED_ON)
    if match.round is None or match.round.standing is None:
        return tr(_OF_RULES[errors.NothingToChallenge], doubt=terms.doubt, noun=terms.noun)
    return tr(
        "To {doubt} the last {noun}, press **{button}**.",
        doubt=terms.doubt,
        noun=terms.noun,
        button=game_words(match.ruleset).challenge,
    )


def _misread(error: BidTextError, live: LiveTable | None) -> str:
    """Return the sentence for a misread text; it suggests no bid that would be refused."""
    match = live.match if live is not None else None
    if match is None:
        return misread(error, None, ())
    return misread(error, match.ruleset, still_meant(error, live), _instead(match))


def _instead(match: Match) -> str:
    """Return what the player to act can do, with the lowest bid that is high enough.

    Return an empty text for the opener: any bid will do. If the bidding is over, the text says that
    the table has moved on.
    """
    if match.phase is not Phase.BIDDING:  # another player was quicker
        return tr(MOVED_ON)
    if match.round is not None and match.round.standing is None:
        return ""
    rules, rungs = match.ruleset, legal(match).rungs
    terms = game_words(rules)
    if not rungs:
        return capital(tr("nothing is higher: you must {doubt}.", doubt=terms.doubt))
    return tr(
        "{bid} higher, such as {example}, or {doubt}.",
        bid=terms.bid,
        example=_quote_bid(rules, rungs[0][0].key),
        doubt=terms.doubt,
    )


def _cut_refusal(error: CutTextError) -> str:
    """Return why the typed words can't cut the cards."""
    reason = (
        tr("That looks empty")
        if error.longest is None
        else trn(
            "That is longer than {number} character",
            "That is longer than {number} characters",
            error.longest,
        )
    )
    return tr("{reason}. Example: {example}", reason=reason, example=tr(CUT_EXAMPLE))


def _rule(error: errors.RuleViolation, live: LiveTable | None) -> str:
    match = live.match if live is not None else None
    if match is None:
        return tr(MOVED_ON)
    rules = match.ruleset
    if isinstance(error, errors.BidTooLow):
        return tr(
            "{said} is not higher than {standing}. {instead}",
            said=_quote_bid(rules, error.bid),
            standing=_quote_bid(rules, error.standing),
            instead=_instead(match),
        )
    terms, seat = game_words(rules), getattr(error, "turn", getattr(error, "winner", None))
    return tr(
        _OF_RULES.get(type(error), MOVED_ON),
        who=mention(match.seats[seat].player) if seat is not None else "",
        doubt=terms.doubt,
        noun=terms.noun,
        title=tr(rules.title),
    )


def _zone_refusal(error: NotAZone) -> str:
    """Return why a typed time zone is unknown or ambiguous."""
    if error.suggestions:
        return tr(
            'There\'s no time zone "{typed}". Did you mean {zones}?',
            typed=TypedText(error.typed),
            zones=join_words(error.suggestions, "or"),
        )
    return tr(
        '"{typed}" isn\'t a time zone. Try a region and city such as {example}.',
        example=EXAMPLE_ZONE,
        typed=TypedText(error.typed),
    )


def _refusal(error: refusals.RefusedError) -> str:
    match error:
        case NotAZone():
            return _zone_refusal(error)
        case nights.TooManyNights():
            return tr("A server can have at most {most} game nights.", most=nights.MOST)
        case NotAnHour():
            return tr(
                '"{typed}" isn\'t a time. Type one such as {example}.',
                example=EXAMPLE_HOUR,
                typed=TypedText(error.typed),
            )
        case refusals.GuildIsFull():
            return trn(
                "This server already has {number} live table, which is the limit.",
                "This server already has {number} live tables, which is the limit.",
                error.most,
            )
        case refusals.HostsTooMany():
            return trn(
                "You're already hosting {number} live table, which is the limit. Close it with"
                " `/leave`, or ask someone else to open this one.",
                "You're already hosting {number} live tables, which is the limit. Close one with"
                " `/leave`, or ask someone else to open this one.",
                error.most,
            )
        case refusals.TooOften():
            return trn(
                "That was a lot at once. Please try again in {number} second. Your matches go on"
                " as usual.",
                "That was a lot at once. Please try again in {number} seconds. Your matches go on"
                " as usual.",
                max(1, ceil(error.wait)),
            )
        case refusals.Oneself(player=int(who)):
            return tr("Who? Name them under `player`: {who}, for example.", who=mention(who))
        case refusals.NoSeason():
            return _no_season(error)
        case refusals.NoSuchMatch(number=None):
            return tr(
                "You don't have a finished match yet. `/matches` lists your matches once they're"
                " over."
            )
        case refusals.NoSuchMatch():
            return tr(
                "I can't show you match {number}: you didn't play in it, or can't see its"
                " channel. `/matches` lists your matches.",
                number=error.number,
            )
        case refusals.Damaged(where={"match": number}):
            return tr(
                "Match {number} is damaged in the database, so I can't show it. `/matches` lists"
                " your other matches.",
                number=number,
            )
        case refusals.Damaged():
            return tr(
                "This table is damaged in the database, so I've set it aside. The bot's host can"
                " fix it with `bluffhouse store repair`. All other tables go on."
            )
        case _:
            return tr(_PLAIN.get(type(error), MOVED_ON), **_facts(error))


def _facts(error: refusals.RefusedError) -> dict[str, object]:
    """Return the values to fill into a refusal's sentence, by placeholder."""
    facts: dict[str, object] = dict(vars(error))
    for fact, placeholder in (("player", "who"), ("host", "host")):
        if isinstance(person := facts.get(fact), int):
            facts[placeholder] = mention(person)
    if "channel" in facts:
        facts["channel"] = f"<#{facts['channel']}>"
    return facts


def _posting_refusal(error: posting.CannotPost) -> str:
    """Return why a table can't be shown in a place, and what the asker can do."""
    match error:
        case posting.NotInServer():
            return tr(
                "Only my commands are in this server, not me. Someone who can manage the server"
                " can [invite me]({link}).",
                link=invite_link(error.application),
            )
        case posting.NotInThread():
            return tr(
                "I'm not in this private thread, so I can't post here. Mention me once ({bot}),"
                " then try again.",
                bot=mention(error.bot),
            )
        case posting.TimedOut():
            return tr(
                "I can't post here: I'm timed out in this server until {when}. A moderator can"
                " end that sooner.",
                when=f"<t:{error.until:.0f}:f>",
            )
        case posting.NotAllowed():
            names = join_words(f"**{tr(name)}**" for name in error.permissions)
            refused = (
                tr("I can't open a thread here. Please give me this permission first: {names}.")
                if isinstance(error, posting.NoThreads)
                else tr("I can't post here. Please give me this permission first: {names}.")
            )
            return refused.format(names=names)
        case posting.ThreadNotOpened():
            return tr("Discord didn't open a thread just now. Please try again in a moment.")
        case _:
            return tr(
                "This thread is locked, so I can't post here. Ask a moderator to unlock it, or"
                " open a table elsewhere with `/play`."
            )


def _no_season(error: refusals.NoSeason) -> str:
    return tr(
        "This server has no season {asked}. Choose {known}.",
        asked=quote_words(str(TypedText(error.name))),
        known=join_words((quote_words(str(TypedText(name))) for name in error.names), "or"),
    )


def _quote_bid(rules: Ruleset, key: str) -> str:
    return quote_words(bid_text(rules, rules.ladder.bid(key)))
