"""What is kept of a person and why, in plain words, and the question before it is deleted.

Only the person sees these boards. What a host publishes is longer: docs/privacy.md.
"""

from __future__ import annotations

from bot.boards.board import Board, Button, Text
from bot.language.catalogues import N_, tr, trn
from bot.language.words import listed
from bot.pictures.palette import GREEN, GREY, RED
from bot.privacy.service import Kept

WHAT: str = N_(
    "- **Your Discord id and your display name**, so that your seat is yours and pictures can say"
    " who played.\n"
    "- **The matches you play**: who sat where, the deals, what everybody called and when, and how"
    " it ended. They let a match go on after a restart, let anybody check the deals, and are what"
    " records and replays are made of.\n"
    "- **How you fared in deals of the day**, and which of your decisions **My mistakes** asks"
    " again.\n"
    "- **Your choices**: `/preferences`, the channels whose new tables you want to be told of, the"
    " hour of your daily digest, and whether direct messages reach you and when they reminded"
    " you.\n"
    "Nothing else: no messages, no e-mail address, no list of members. Nothing is passed on."
)


def privacy_board(kept: Kept, matches_days: int | None, policy_url: str | None) -> Board:
    """What is kept of somebody, and what they can do about it. `matches_days`: None for ever."""
    if what := _what(kept):
        stored = tr("**Stored of you now:** {what}.", what=listed(what))
    else:
        stored = tr("**Stored of you now:** nothing.")
    if matches_days is None:
        lasts = tr("Matches are kept for as long as the bot is in their server.")
    else:
        lasts = trn(
            "Matches are deleted a day after their end.",
            "Matches are deleted {number} days after their end.",
            matches_days,
        )
    hidden = tr("You are on no leaderboard.") if kept.hidden else ""
    texts = [Text(f"{tr('**Your data in this house**')}\n{tr(WHAT)}")]
    texts.append(Text(" ".join(part for part in (stored, lasts, hidden) if part)))
    if policy_url:
        texts.append(Text(tr("-# The whole text of this house: {link}", link=policy_url)))
    show = Button("showme", tr("Show me on leaderboards again"))
    hide = Button("hideme", tr("Hide me from leaderboards"))
    row = (
        Button("mydata", tr("Export my data"), "primary"),
        show if kept.hidden else hide,
        Button("forgetme", tr("Delete my data…"), "danger"),
    )
    return Board(GREEN, tuple(texts), (row,))


def _what(kept: Kept) -> list[str]:
    parts = [tr("your name")] if kept.name is not None else []
    if kept.matches:
        parts.append(trn("{number} match", "{number} matches", kept.matches))
    if kept.listens:
        listens = trn(
            "{number} channel whose new tables you want to be told of",
            "{number} channels whose new tables you want to be told of",
            kept.listens,
        )
        parts.append(listens)
    if kept.digest:
        parts.append(tr("the hour of your daily digest"))
    if kept.nights:
        parts.append(
            trn(
                "{number} game night to which you come",
                "{number} game nights to which you come",
                kept.nights,
            )
        )
    return parts


def forgetting_board() -> Board:
    """Asks whether somebody means it, and says what goes and what stays."""
    text = tr(
        "**Delete all your data?** It cannot be undone.\n"
        "- **Deleted:** your id, name and choices, your practice matches, and the words you cut"
        " the cards with. A nameless *former player* takes your place in the matches that others"
        " played too.\n"
        "- **Stays:** the deals and calls of those matches, without you, so that other people's"
        " results and ratings stand and every deal can still be checked. Messages that are in"
        " Discord's channels already stay there, too.\n"
        "Whoever plays again afterwards begins as somebody new. Export your data first, if you"
        " want to keep it."
    )
    row = (
        Button("forgetyes", tr("Yes, delete everything"), "danger"),
        Button("forgetno", tr("Keep my data")),
    )
    return Board(RED, (Text(text),), (row,))


def forgotten_board(matches: int | None, unread: int = 0) -> Board:
    """What was done; `matches` have a nameless player now. None: nothing was stored.

    `unread`: damaged tables and matches, in which words of theirs may be left.
    """
    if matches is None:
        text = tr("Nothing is stored of you, so there was nothing to delete.")
    elif matches == 0 and unread:
        text = tr("**Your data is deleted.**")
    elif matches == 0:
        text = tr("**Your data is deleted.** Nothing is left of you.")
    else:
        text = trn(
            "**Your data is deleted.** In {number} match a nameless player has your place.",
            "**Your data is deleted.** In {number} matches a nameless player has your place.",
            matches,
        )
    if unread:
        text += "\n" + trn(
            "{number} table or match is damaged and cannot be read: your id is gone from it, but"
            " words that you typed to cut the cards may be left. Whoever runs this bot finds it"
            " named in the log, and can remove them.",
            "{number} tables or matches are damaged and cannot be read: your id is gone from them,"
            " but words that you typed to cut the cards may be left. Whoever runs this bot finds"
            " them named in the log, and can remove them.",
            unread,
        )
    return Board(GREY, (Text(text),))
