"""Small words in the current language: counts, percentages, lists, names, cards.

Whole sentences are in the modules that use them. Every text that a person typed and others read,
above all their name, is a `TypedText`, and every text with a limited number of characters goes
through `truncate`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import floor, log10
from typing import Final, Literal

from bot.language.catalogues import N_, figure, percent_text, spoken, tr, trc, trn
from bot.roster import NAMELESS, computer, is_computer, nameless_number
from engine.bids import Kind, Need
from engine.cards import Card, Cards, Rank, Suit
from engine.lexicon import RANK_WORDS, SUIT_WORDS
from engine.terms import with_article
from engine.visible import visible

NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
)

KIND_LABELS: Final[dict[Kind, str]] = {  # in English, for the command line
    kind: kind.label[0].upper() + kind.label[1:] for kind in Kind
}

BAR_WIDTH: Final = 20
CARD_NAME: Final = "{rank} of {suits}"  # a phrase, as games have them for bids
ELLIPSIS: Final = "…"
_EIGHTHS: Final = " ▏▎▍▌▋▊▉"
LONGEST_NAME: Final = 80
# shown as an invitation even without markup
_INVITATION: Final = re.compile(r"(discord(?:app)?\.\w+)/", re.IGNORECASE)
_LISTED: Final = re.compile(r"^-(?= )", re.MULTILINE)  # begins a list


def mention(player: int) -> str:
    """Return a mention, so that each reader sees the name they know.

    For a computer player or a former player, return the name.
    """
    return accountless_name(player) or f"<@{player}>"


def accountless_name(player: int) -> str | None:
    """Return the name of a computer player or a former player; None for people with accounts."""
    if is_computer(player):
        return computer(player).name
    if player not in NAMELESS:
        return None
    return tr("Former player {number}", number=nameless_number(player))


def count(number: int, noun: str) -> str:
    """Return "1 card" or "3 cards", in English: for the command line."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def cards_counted(number: int) -> str:
    """Return "1 card" or "3 cards" in the current language."""
    return trn("{number} card", "{number} cards", number)


def capital(words: str) -> str:
    """Capitalise the first letter, after any markup for emphasis; leave the other letters alone."""
    first = len(words) - len(words.lstrip("*"))
    return words[:first] + words[first : first + 1].upper() + words[first + 1 :]


def together(words: str) -> str:
    """Replace spaces with non-breaking spaces."""
    return words.replace(" ", "\u00a0")


@dataclass(frozen=True, slots=True)
class TypedText:
    """A text that a person typed, such as their name. Show such texts only through this class.

    In a sentence (`f"{name} said"`, `tr(..., who=name)`) it is escaped for a message automatically.
    Where nothing is markup (pictures and their alt texts, choices, files), use `visible_text`.
    """

    text: str
    longest: int = LONGEST_NAME  # how many characters of it to show

    def __str__(self) -> str:
        return escape_markdown(self.visible_text)

    def __bool__(self) -> bool:
        """Return whether the text has any visible character."""
        return bool(self.visible_text)

    @property
    def visible_text(self) -> str:
        """The text as one line of visible characters, for places without markup."""
        return truncate(visible(self.text, self.longest + 1), self.longest)

    @property
    def code(self) -> str:
        """The text in code marks, where nothing is markup, a link or a mention."""
        text = self.visible_text.replace("`", "'")
        return f"`{text}`"


Names = Mapping[int, TypedText]  # players' names, by their ids


def plain_name(names: Names, player: int, otherwise: str) -> str:
    """Return a player's name for places without markup; `otherwise` if the name is unknown."""
    return (names[player].visible_text if player in names else "") or otherwise


def plain(text: str) -> str:
    """Return a typed `text` as one line of visible characters, to put in a sentence.

    The text is normalised. Invisible characters, those that change the writing direction, and
    everything after the 80th character are left out. May be empty.
    """
    return visible(text, LONGEST_NAME)


def escape_markdown(text: str) -> str:
    """Make a typed `text` safe in a message: no markup, no mention, no link."""
    text = text.replace("://", ":\u200b//")
    for char in "\\*_~`|>@<#[":
        text = text.replace(char, f"\\{char}" if char not in "@<" else f"{char}\u200b")
    text = _INVITATION.sub("\\1\u200b/", text)
    return _LISTED.sub(r"\\-", text)


def truncate(text: str, room: int) -> str:
    """Cut `text` to at most `room` (1 or more) characters, with an ellipsis where it was cut."""
    return text if len(text) <= room else text[: max(0, room - 1)].rstrip(" ,;") + ELLIPSIS


def short_kind(label: str) -> str:
    """Shorten the name of a kind: `Three`, `Str. flush`."""
    return label.removesuffix(" of a kind").replace("Straight f", "Str. f")


def number_word(number: int) -> str:
    """Return a number as a word, such as "three"; above ten, in digits."""
    return trc("number", NUMBERS[number]) if number < len(NUMBERS) else str(number)


def percent(probability: float, decimals: int | None = None) -> str:
    """Format a share for people: `65.5%`, `0.24%`, `>99.9%`; `0%` and `100%` are exact.

    With `decimals`, always show that many: `-3.3730%`.
    """
    if decimals is not None:
        return percent_text(figure(probability * 100, f".{decimals}f"))
    if probability in (0, 1):
        return percent_text(f"{probability * 100:.0f}")
    if probability > 0.9994:
        return f">{percent_text(figure(99.9, '.1f'))}"
    if probability >= 0.00995:  # one decimal from 1.0% on
        return percent_text(figure(probability * 100, ".1f"))
    significant = 1 - floor(log10(probability * 100))  # two significant digits
    return percent_text(figure(probability * 100, f".{significant}f"))


def rough_percent(probability: float) -> str:
    """Format a share briefly: `65%`, `<1%`; anything uncertain is at most `99%`."""
    if 0 < probability < 0.01:
        return f"<{percent_text('1')}"
    capped = probability if probability == 1 else min(probability, 0.99)
    return percent_text(f"{capped * 100:.0f}")


def bar(probability: float, width: int = BAR_WIDTH) -> str:
    """Return a bar of `width` characters; anything possible shows at least a sliver."""
    eighths = round(probability * width * 8)
    if probability > 0:
        eighths = max(1, eighths)
    full, part = divmod(eighths, 8)
    filled = "█" * full + (_EIGHTHS[part] if part else "")
    return filled + "░" * (width - len(filled))


def join_words(parts: Iterable[str], last: Literal["and", "or"] = "and") -> str:
    """Join words: "a, b and c", or with `last` "or": "a, b or c"."""
    *head, tail = list(parts) or [""]
    if not head:
        return tail
    join = N_("{first} and {last}") if last == "and" else N_("{first} or {last}")
    return tr(join, first=", ".join(head), last=tail)


def quote_words(words: str) -> str:
    """Put words in the current language's quotation marks."""
    return tr('"{words}"', words=words)


def cards_text(cards: Cards, used: Cards | None = None) -> str:
    """Return cards as people read them, strongest first; those in `used` in bold.

    Return "no cards" if there are none.
    """

    def write(card: Card) -> str:
        return f"**{card.symbol}**" if used is not None and card in used else card.symbol

    return " ".join(write(card) for card in cards) or tr("no cards")


def card_names(cards: Iterable[Card]) -> str:
    """Return cards in words, for reading aloud: "ace of spades, ten of hearts, joker"."""
    return ", ".join(_card_name(card) for card in cards) or tr("no cards")


def _card_name(card: Card) -> str:
    if card.is_joker:
        return tr("joker")
    vocabulary = spoken().vocabulary
    rank, suit = vocabulary.ranks[card.rank]["one"], vocabulary.suits[card.suit]
    phrase = vocabulary.phrase(CARD_NAME) or CARD_NAME
    return phrase.format(rank=rank, suit=suit["one"], suits=suit["several"])


def kind_word(kind: Kind) -> str:
    """Return the name of a kind of hand: "full house"."""
    return spoken().vocabulary.kinds[kind]


def kind_label(kind: Kind) -> str:
    """Return the name of a kind of hand with a capital: "Full house"."""
    return capital(kind_word(kind))


def rank_word(rank: Rank) -> str:
    """Return the word for one card of a rank: "ten"."""
    return spoken().vocabulary.ranks[rank]["one"]


def suit_words(suit: Suit) -> str:
    """Return the word for several cards of a suit: "clubs"."""
    return spoken().vocabulary.suits[suit]["several"]


def lacking_text(lacking: Iterable[Need]) -> str:
    """Return what a bid lacks, in words: "a ten and two clubs"."""
    return join_words(_need_text(need) for need in lacking)


# singular and plural, written out for the catalogues
RANKS_LACKING: Final = {
    rank: (with_article(singular), f"{{amount}} {plural}")
    for rank, (singular, plural) in RANK_WORDS.items()
}
SUITS_LACKING: Final = {
    suit: (f"{{amount}} more {singular}", f"{{amount}} more {plural}")
    for suit, (singular, plural) in SUIT_WORDS.items()
}


def _need_text(need: Need) -> str:
    cards = list(need.cards)
    amount = trc("lacking", NUMBERS[need.count])
    if not cards:  # every natural card is already used, as in five of a kind
        return trn("a joker", "{amount} jokers", need.count, amount=amount)
    if len(cards) == 1:
        return tr("the {card}", card=cards[0].symbol)
    ranks = {card.rank for card in cards}
    suits = {card.suit for card in cards}
    if len(ranks) == 1:
        return trn(*RANKS_LACKING[ranks.pop()], need.count, amount=amount)
    if len(suits) == 1 and len(cards) > 2:
        return trn(*SUITS_LACKING[suits.pop()], need.count, amount=amount)
    return join_words((tr("the {card}", card=card.symbol) for card in cards), "or")
