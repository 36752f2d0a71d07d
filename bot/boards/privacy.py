"""The data stored about a person and why, in plain words, and the question before deleting it.

Only the person sees these boards. A host publishes a longer text: docs/privacy.md.
"""

from __future__ import annotations

from bot.boards.board import Board, Button, Text
from bot.language.catalogues import N_, tr, trn
from bot.language.words import join_words
from bot.pictures.palette import GREEN, GREY, RED
from bot.privacy.results import DataSummary

WHAT: str = N_(
    "- **Your Discord id and display name**, so your seat is yours and pictures can say who"
    " played.\n"
    "- **The matches you play**: who sat where, the words you cut the cards with, the deals, what"
    " everyone bid and when, and how it ended. That's how a match survives a restart, how anyone"
    " can check the deals, and where stats and replays come from.\n"
    "- **Your results in deals of the day**, and which of your decisions the **Quiz** asks about.\n"
    "- **Your settings**: `/preferences`, the language of your Discord, the channels you want"
    " new-table pings from, the game nights you planned or signed up for, the hour and time zone of"
    " your daily digest, whether direct messages reach you, and when they reminded you.\n"
    "- **Ranges of hands** that you named for `/odds`.\n"
    "That's all: no messages, no email address, no member list. Nothing is shared."
)


def privacy_board(summary: DataSummary, matches_days: int | None, policy_url: str | None) -> Board:
    """Return what is stored about a person, and what they can do about it.

    `matches_days` is how many days matches are kept; None means for ever.
    """
    if stored_parts := _stored_parts(summary):
        stored = tr("**We currently store:** {what}.", what=join_words(stored_parts))
    else:
        stored = tr("**We currently store:** nothing.")
    if matches_days is None:
        lasts = tr("Matches are kept as long as the bot is in their server.")
    else:
        lasts = trn(
            "Matches are deleted a day after they end.",
            "Matches are deleted {number} days after they end.",
            matches_days,
        )
    hidden = tr("You're hidden from leaderboards.") if summary.hidden else ""
    texts = [Text(f"{tr('**Your data**')}\n{tr(WHAT)}")]
    texts.append(Text(" ".join(part for part in (stored, lasts, hidden) if part)))
    if policy_url:
        texts.append(Text(tr("-# Full privacy policy: {link}", link=policy_url)))
    show = Button("showme", tr("Show me on leaderboards again"))
    hide = Button("hideme", tr("Hide me from leaderboards"))
    row = (
        Button("mydata", tr("Export my data"), "primary"),
        show if summary.hidden else hide,
        Button("forgetme", tr("Delete my data…"), "danger"),
    )
    return Board(GREEN, tuple(texts), (row,))


def _stored_parts(summary: DataSummary) -> list[str]:
    parts = [tr("your name")] if summary.name is not None else []
    if summary.preferences:
        parts.append(tr("your preferences"))
    if summary.language:
        parts.append(tr("the language of your Discord"))
    if summary.matches:
        parts.append(trn("{number} match", "{number} matches", summary.matches))
    elif summary.tables:  # a match has a table, so tables are named only without matches
        parts.append(
            trn("{number} table that names you", "{number} tables that name you", summary.tables)
        )
    if summary.stats:
        parts.append(tr("your stats"))
    if summary.daily_results:
        parts.append(tr("your results in deals of the day"))
    if summary.quiz:
        parts.append(tr("decisions for the Quiz"))
    if summary.listens:
        listens = trn(
            "{number} channel you want new-table pings from",
            "{number} channels you want new-table pings from",
            summary.listens,
        )
        parts.append(listens)
    if summary.digest:
        parts.append(tr("the hour of your daily digest"))
    if summary.reminders:
        parts.append(tr("when you were last reminded of a match"))
    if summary.planned_nights:
        parts.append(
            trn(
                "{number} game night you planned",
                "{number} game nights you planned",
                summary.planned_nights,
            )
        )
    if summary.nights:
        parts.append(
            trn(
                "{number} game night you signed up for",
                "{number} game nights you signed up for",
                summary.nights,
            )
        )
    if summary.ranges:
        parts.append(trn("{number} range you named", "{number} ranges you named", summary.ranges))
    if summary.direct_messages:
        parts.append(tr("whether direct messages reach you"))
    if summary.known and not parts:
        parts.append(tr("your Discord id"))
    return parts


def forgetting_board() -> Board:
    """Return the question whether to delete a person's data: what goes and what stays."""
    text = tr(
        "**Delete all your data?** You can't undo this.\n"
        "- **Goes:** everything the bot stores about you, from your name and settings to your"
        " practice matches and the words you cut the cards with. In matches with other people, a"
        " nameless *former player* takes your place.\n"
        "- **Stays:** the deals and bids of those matches, without you, so other people keep their"
        " results and ratings and every deal can still be checked. Messages already in Discord's"
        " channels stay there too.\n"
        "If you play again, you start from scratch. Want to keep your data? Export it first."
    )
    row = (
        Button("forgetyes", tr("Yes, delete everything"), "danger"),
        Button("forgetno", tr("Keep my data")),
    )
    return Board(RED, (Text(text),), (row,))


def forgotten_board(matches: int | None, unread: int = 0) -> Board:
    """Return what was deleted.

    `matches`: the number of matches in which a nameless player replaced the person; None if
    nothing was stored. `unread`: the number of damaged tables and matches that may still
    contain words that the person typed.
    """
    if matches is None:
        text = tr("We store nothing about you, so there was nothing to delete.")
    elif matches == 0 and unread:
        text = tr("**Your data is deleted.**")
    elif matches == 0:
        text = tr("**Your data is deleted.** Nothing about you is left.")
    else:
        text = trn(
            "**Your data is deleted.** In {number} match a nameless player took your place.",
            "**Your data is deleted.** In {number} matches a nameless player took your place.",
            matches,
        )
    if unread:
        text += "\n" + trn(
            "{number} table or match is damaged and can't be read. Your id is gone from it, but"
            " words you cut the cards with may be left. The bot's log names it, so its host can"
            " remove them.",
            "{number} tables or matches are damaged and can't be read. Your id is gone from them,"
            " but words you cut the cards with may be left. The bot's log names them, so its host"
            " can remove them.",
            unread,
        )
    return Board(GREY, (Text(text),))
