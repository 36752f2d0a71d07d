"""What can go wrong, as facts; sentences are made once, at the edge (`bot`, the command line).

EngineError
├── TextError              a text could not be understood: what was given, why, an example
│   └── UnclearText        it may mean several things
│       ├── UnclearHands   it may be several ranges of hands
│       ├── UnclearWeight  half a per cent or one half
│       ├── UnclearBoard   cards beside the hands, which may be the board
│       └── UnclearGame    the cards fit several games
├── RulesetError           rules or options that cannot be played
└── RuleViolation          an action the rules refuse (see the classes below)
"""

from __future__ import annotations

from dataclasses import dataclass


class EngineError(Exception):
    """Base of every error the engine raises on purpose."""


class Reason(str):
    """Half a sentence that says what is wrong: a `template` in English and the `facts` in it.

    As a `str` it is the English text; who speaks another language fills the facts into their own
    template. Facts are whole numbers, texts, and tuples of texts, which are listed.
    """

    template: str
    facts: dict[str, int | str | tuple[str, ...]]

    def __new__(cls, template: str, /, **facts: object) -> Reason:
        """The template filled in. A template without facts stays as it is, braces and all."""
        plain = {name: _fact(value) for name, value in facts.items()}
        shown = {
            name: f"{value:,}"
            if isinstance(value, int)
            else value
            if isinstance(value, str)
            else ", ".join(value)
            for name, value in plain.items()
        }
        self = super().__new__(cls, template.format(**shown) if shown else template)
        self.template, self.facts = template, plain
        return self


def _fact(value: object) -> int | str | tuple[str, ...]:
    """A fact as plain data, which goes through a pipe to another process."""
    return value if isinstance(value, (int, tuple)) else printable(str(value))


def reason_template(template: str) -> str:
    """Mark a template that becomes a `Reason` elsewhere; it comes back as it is."""
    return template


class TextError(EngineError, ValueError):
    """A text could not be understood.

    `text` is what was given, `reason` (a `Reason`) says in half a sentence what is wrong with it,
    `example` is a text of the expected form. `str()` of it is one sentence fit to be shown.
    """

    def __init__(self, text: str, reason: str, example: str) -> None:
        super().__init__(f"{reason}. Example: {example}")
        self.text = text
        self.reason = reason
        self.example = example


class UnclearText(TextError):
    """A text that may mean several things; `choices` are texts that mean one each.

    `reason` says which things, if there is more to say than that.
    """

    def __init__(self, text: str, choices: tuple[str, ...], reason: str = "") -> None:
        either = " or ".join(map(quoted, choices))
        super().__init__(text, reason or f"{quoted(text)} may mean several things", either)
        self.choices = choices


class UnclearHands(UnclearText):
    """Words that may stand for several ranges: `said` is how they were typed."""

    def __init__(self, text: str, choices: tuple[str, ...], said: str) -> None:
        super().__init__(text, choices, f"{quoted(said)} may mean several things")
        self.said = said


class UnclearBoard(UnclearText):
    """Cards that nobody called the board, but which fit nothing else; `shown` are those cards."""

    def __init__(self, text: str, choices: tuple[str, ...], shown: str) -> None:
        super().__init__(text, choices, f"is {quoted(shown)} the board? It is named so")
        self.shown = shown


class UnclearWeight(UnclearText):
    """A weight `given` as a part of one or in per cent; as a part of one it is `per_cent`."""

    def __init__(self, text: str, choices: tuple[str, ...], given: str, per_cent: str) -> None:
        reason = f'"@{given}" may be {given} per cent or {per_cent} per cent'
        super().__init__(text, choices, reason)
        self.given = given
        self.per_cent = per_cent


class UnclearGame(UnclearText):
    """Hands of so many `cards`, which several games have."""

    def __init__(self, text: str, choices: tuple[str, ...], cards: int) -> None:
        super().__init__(text, choices, f"hands of {cards} cards fit several games")
        self.cards = cards


class RulesetError(EngineError, ValueError):
    """Rules or options that cannot be played; `str()` of it is a sentence fit to be shown."""


class RuleViolation(EngineError):
    """An action that the rules refuse; nothing has changed. Each kind carries the facts."""

    def __str__(self) -> str:
        return repr(self)


@dataclass(eq=False)
class MatchIsOver(RuleViolation):
    """The match has a winner."""

    winner: int


@dataclass(eq=False)
class NotDealt(RuleViolation):
    """Between rounds there is nothing to bid on or to challenge."""


@dataclass(eq=False)
class AlreadyDealt(RuleViolation):
    """A round is being played: it cannot be dealt again."""


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
    """Another seat is to act."""

    seat: int
    turn: int


@dataclass(eq=False)
class UnknownBid(RuleViolation):
    """The ladder has no bid with this key."""

    key: str


@dataclass(eq=False)
class BidTooLow(RuleViolation):
    """A bid must be strictly higher than the standing one. Both are canonical keys."""

    bid: str
    standing: str


@dataclass(eq=False)
class NothingToChallenge(RuleViolation):
    """No bid stands yet."""


@dataclass(eq=False)
class OwnBid(RuleViolation):
    """A player cannot challenge the bid they made."""

    seat: int


def printable(text: str) -> str:
    """`text` in one line; characters that cannot be seen are written as `\\u202e`."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def quoted(text: str) -> str:
    """`text` in quotation marks, as `printable` has it."""
    return f'"{printable(text)}"'
