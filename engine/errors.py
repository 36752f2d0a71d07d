"""Errors with facts as attributes; callers (`bot`, the command line) turn them into sentences.

EngineError
├── TextError              a text could not be understood: the text, the reason, an example
│   └── UnclearText        it may mean several things
│       ├── UnclearHands   it may be several ranges of hands
│       ├── UnclearWeight  a weight of 0.5: one half, or half a per cent
│       ├── UnclearBoard   cards that must be the board, but aren't labelled so
│       ├── UnclearGame    the cards fit several games
│       └── UnclearDraw    it doesn't say which cards a player keeps before the last draw
├── RulesetError           rules or options that cannot be played
└── RuleViolation          an action the rules refuse (see the classes below)
"""

from __future__ import annotations

from dataclasses import dataclass


class EngineError(Exception):
    """Base of the errors that the engine raises on purpose."""


class Reason(str):
    """A clause that says what is wrong: a `template` in English and the `facts` in it.

    As a `str` it is the English text. A translation fills the same facts into its own template. A
    fact is a whole number, a text, or a tuple of texts, which are joined by commas.
    """

    template: str
    facts: dict[str, int | str | tuple[str, ...]]

    def __new__(cls, template: str, /, **facts: object) -> Reason:
        """Fill in the template. Without facts, keep it as it is, even if it has braces."""
        plain = {name: _fact(value) for name, value in facts.items()}
        printed = {
            name: f"{value:,}"
            if isinstance(value, int)
            else value
            if isinstance(value, str)
            else ", ".join(value)
            for name, value in plain.items()
        }
        self = super().__new__(cls, template.format(**printed) if printed else template)
        self.template, self.facts = template, plain
        return self


def _fact(value: object) -> int | str | tuple[str, ...]:
    """Return an int or a tuple unchanged, and any other value as `printable` text."""
    return value if isinstance(value, (int, tuple)) else printable(str(value))


def reason_template(template: str) -> str:
    """Return `template` unchanged; the call marks it as a `Reason`'s text to translate."""
    return template


class TextError(EngineError, ValueError):
    """A text could not be understood.

    `text` is the input, `reason` (a `Reason` if it can be translated) is a clause that says what is
    wrong with it, `example` is a text of the expected form. `str()` of the error is a text to show.
    """

    def __init__(self, text: str, reason: str, example: str) -> None:
        super().__init__(f"{reason}. Example: {example}")
        self.text = text
        self.reason = reason
        self.example = example


class UnclearText(TextError):
    """A text that may mean several things; each of `choices` is a text that means one of them.

    `reason` says what those things are, if the choices don't. The default reason only says that the
    text may mean several things.
    """

    def __init__(self, text: str, choices: tuple[str, ...], reason: str = "") -> None:
        super().__init__(text, reason or f"{quote(text)} may mean several things", "")
        self.choices = choices

    @property
    def choices(self) -> tuple[str, ...]:
        """Texts that each mean one of the things; the error's example and `str()` repeat them."""
        return self._choices

    @choices.setter
    def choices(self, choices: tuple[str, ...]) -> None:
        self._choices = choices
        self.example = " or ".join(map(quote, choices))
        self.args = (f"{self.reason}. Example: {self.example}",)


class UnclearHands(UnclearText):
    """Words, as `typed`, that may mean several ranges of hands."""

    def __init__(self, text: str, choices: tuple[str, ...], typed: str) -> None:
        super().__init__(text, choices, f"{quote(typed)} may mean several things")
        self.typed = typed


class UnclearBoard(UnclearText):
    """A text with `cards` that can only be the board, but aren't labelled as the board."""

    def __init__(self, text: str, choices: tuple[str, ...], cards: str) -> None:
        super().__init__(text, choices, f"if {quote(cards)} is the board, say so")
        self.cards = cards


class UnclearWeight(UnclearText):
    """A weight that may be a fraction or a percentage, such as 0.5: half, or half a per cent.

    `typed` is the weight as typed; `per_cent` is the same weight read as a fraction, in per cent:
    "50" for "0.5".
    """

    def __init__(self, text: str, choices: tuple[str, ...], typed: str, per_cent: str) -> None:
        reason = f'"@{typed}" may be {typed} per cent or {per_cent} per cent'
        super().__init__(text, choices, reason)
        self.typed = typed
        self.per_cent = per_cent


class UnclearGame(UnclearText):
    """Hands of `cards` cards each, which fit several games."""

    def __init__(self, text: str, choices: tuple[str, ...], cards: int) -> None:
        super().__init__(text, choices, f"hands of {cards} cards fit several games")
        self.cards = cards


class UnclearDraw(UnclearText):
    """A text that doesn't say up to which rank a player keeps cards drawn before the last draw."""

    def __init__(self, text: str, choices: tuple[str, ...]) -> None:
        super().__init__(text, choices, "say up to which rank a player keeps a card that they draw")


class RulesetError(EngineError, ValueError):
    """Unplayable rules or options; `str()` of the error is a sentence to show."""


class RuleViolation(EngineError):
    """An action that the rules refuse; the match is unchanged."""

    def __str__(self) -> str:
        return repr(self)


@dataclass(eq=False)
class MatchIsOver(RuleViolation):
    """The match has a winner."""

    winner: int


@dataclass(eq=False)
class NotDealt(RuleViolation):
    """No round is being played, so there is nothing to bid on or to challenge."""


@dataclass(eq=False)
class AlreadyDealt(RuleViolation):
    """A round is being played, so it cannot be dealt again."""


@dataclass(eq=False)
class BadDeal(RuleViolation):
    """A deal that does not fit the match; `reason` says why."""

    reason: str


@dataclass(eq=False)
class NotInMatch(RuleViolation):
    """The seat does not exist, or its player is out of the match."""

    seat: int


@dataclass(eq=False)
class NotYourTurn(RuleViolation):
    """`seat` acted, but seat `turn` has the turn."""

    seat: int
    turn: int


@dataclass(eq=False)
class UnknownBid(RuleViolation):
    """The ladder has no bid with this key."""

    key: str


@dataclass(eq=False)
class BidTooLow(RuleViolation):
    """The bid is not higher than the standing one. `bid` and `standing` are canonical keys."""

    bid: str
    standing: str


@dataclass(eq=False)
class NothingToChallenge(RuleViolation):
    """No bid has been made yet in this round."""


@dataclass(eq=False)
class OwnBid(RuleViolation):
    """A player cannot challenge the bid they made."""

    seat: int


def printable(text: str) -> str:
    """Return `text` in one line, with invisible characters written like `\\u202e`."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def quote(text: str) -> str:
    """Return `text` in quotation marks, made `printable`."""
    return f'"{printable(text)}"'
