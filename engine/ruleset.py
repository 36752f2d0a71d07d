"""Rulesets: everything that makes one game differ from another, as data that checks itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, get_args

from engine.bids import Phrases
from engine.cards import DeckSpec
from engine.errors import RulesetError, quote
from engine.ladder import Ladder
from engine.terms import Terms
from engine.vocabulary import ENGLISH, Vocabulary

if TYPE_CHECKING:
    from engine.wording import Wording

OptionValue = bool | int | str
Options = Mapping[str, OptionValue]
Challengers = Literal["next", "anyone"]
LimitCounts = Literal["live", "starting"]
Length = Literal["whole", "one_more", "first_out"]
FEWEST_PLAYERS: Final = 2
_SHORT: Final = re.compile(r"[a-z0-9-]{1,32}")
_OPTION_KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,31}")


def _first_repeat(names: Iterable[str]) -> str | None:
    """Return the first name that occurs a second time; None if none does."""
    earlier: set[str] = set()
    for name in names:
        if name in earlier:
            return name
        earlier.add(name)
    return None


@dataclass(frozen=True)
class Ruleset:
    """One game with every option chosen.

    `starting_cards[n]` is the number of cards that each of `n` players starts with.
    `card_limits[n]` is the most cards that a player may hold with `n` players; `limit_counts`
    says whether these are the players still in the match or those who started it. Both tables
    go from 0 to the most players; the first two entries are unused. `options` has the value of
    every option, so that a stored match keeps its rules. If `length` is `first_out`, the match
    ends once a player is out, after any tie for the fewest cards is played off (docs/rules.md).

    Raises RulesetError for fields that can't be played, such as a full table that doesn't fit
    the deck, and for a bid that can never come true or has no words of its own. `wording`,
    which writes and understands the bids in English, is made from the other fields.
    """

    key: str
    version: int
    title: str
    terms: Terms
    deck: DeckSpec
    ladder: Ladder
    phrases: Phrases
    starting_cards: tuple[int, ...]
    card_limits: tuple[int, ...]
    limit_counts: LimitCounts
    challengers: Challengers
    middle_hand: bool
    options: tuple[tuple[str, OptionValue], ...]
    length: Length = "whole"
    wording: Wording = field(init=False, repr=False, compare=False)
    _wordings: dict[str, Wording] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        self._check_figures()
        self._check_bids()
        object.__setattr__(self, "wording", self._new_wording(ENGLISH))

    def __hash__(self) -> int:
        """Hash only the key, version and options, as the mapping `phrases` has no hash."""
        return hash((self.key, self.version, self.options))

    def wording_in(self, vocabulary: Vocabulary) -> Wording:
        """Return the wording of the bids in a language; it is cached.

        Raises RulesetError if a bid has no words in the language, or two bids have the same words.
        """
        if vocabulary is ENGLISH:
            return self.wording
        if vocabulary.key not in self._wordings:
            self._wordings[vocabulary.key] = self._new_wording(vocabulary)
        return self._wordings[vocabulary.key]

    def _new_wording(self, vocabulary: Vocabulary) -> Wording:
        from engine.wording import Wording  # slow; a list of the games doesn't need it

        return Wording(
            self.ladder, self.phrases, self.terms, self.title, self.deck.jokers, vocabulary
        )

    def _check_figures(self) -> None:
        for name, allowed in (
            ("limit_counts", LimitCounts),
            ("challengers", Challengers),
            ("length", Length),
        ):
            value, known = getattr(self, name), get_args(allowed)
            if value not in known:
                raise RulesetError(f"{self.key}: {name} is one of {', '.join(known)}, not {value}")
        if len(self.starting_cards) != len(self.card_limits):
            raise RulesetError(f"{self.key}: starting cards and card limits differ in length")
        if self.most_players < FEWEST_PLAYERS:
            raise RulesetError(f"{self.key}: fewer than {FEWEST_PLAYERS} players fit")
        for players in range(FEWEST_PLAYERS, self.most_players + 1):
            start, limit = self.starting_cards[players], self.card_limits[players]
            if not 1 <= start <= limit:
                raise RulesetError(f"{self.key}: {players} players start with {start} of {limit}")
            if (players + self.middle_hand) * limit > self.deck.size:
                raise RulesetError(
                    f"{self.key}: {players} players with {limit} cards each do not fit the deck"
                )

    def _check_bids(self) -> None:
        if not self.ladder.rungs:
            raise RulesetError(f"{self.key}: the ladder is empty: write one rung for each bid")
        naturals, jokers = self.deck.cards.naturals.bits, self.deck.jokers
        for bid in self.ladder:
            short = 0
            for need in bid.needs:
                needed = need.cards.bits
                if needed & ~naturals:
                    raise RulesetError(f"{self.key}: {bid.key} needs cards that the deck lacks")
                short += max(0, need.count - needed.bit_count())
            if short > jokers:
                raise RulesetError(
                    f"{self.key}: {bid.key} can never hold, not with all {self.deck.size} cards"
                    " in play: leave it out, or add jokers to the deck"
                )

    @property
    def most_players(self) -> int:
        """The number of players at a full table."""
        return len(self.card_limits) - 1

    def card_limit(self, live: int, started: int) -> int:
        """Return the most cards a player may hold when `live` of the `started` players are left."""
        return self.card_limits[live if self.limit_counts == "live" else started]


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """One value of an option, and its text."""

    value: OptionValue
    label: str


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule that a host may choose; the first choice is the default.

    `about` explains the option to people who choose it. `changes_odds`: a choice changes the deck
    or the ladder, so questions about odds offer the option too.
    """

    key: str
    label: str
    choices: tuple[OptionChoice, ...]
    about: str = ""
    changes_odds: bool = False

    def __post_init__(self) -> None:
        if not _OPTION_KEY.fullmatch(self.key):
            raise RulesetError(
                f"{quote(self.key)} is no key of an option: write 1 to 32 lower-case letters,"
                ' digits and underscores, a letter first, such as "middle_hand"'
            )
        if not self.choices:
            raise RulesetError(
                f"option {self.key} has no choices: write one OptionChoice for each value, the"
                ' default first, such as OptionChoice(0, "none")'
            )
        # a form carries choices as text, so it can't tell a choice of 1 from one of "1"
        values = [str(choice.value) for choice in self.choices]
        if twice := _first_repeat(values):
            raise RulesetError(f"option {self.key} offers {twice} twice: give each choice a value")

    @property
    def default(self) -> OptionValue:
        """The value of the first choice, which is the default."""
        return self.choices[0].value

    def label_of(self, value: OptionValue) -> str:
        """Return the text of `value`. Raises RulesetError if it is not a choice."""
        for choice in self.choices:
            # compare types too: True == 1, but they are choices of different options
            if choice.value == value and type(choice.value) is type(value):
                return choice.label
        known = ", ".join(str(choice.value) for choice in self.choices)
        raise RulesetError(f"{self.key} is one of {known}, not {value}")


LENGTH: Final = Option(
    "length",
    "Length of the match",
    (
        OptionChoice("whole", "until one player is left"),
        OptionChoice("one_more", "shorter: everyone starts with one extra card"),
        OptionChoice("first_out", "shortest: ends when the first player is out"),
    ),
    (
        "The shortest match ends when the first player is out: the fewest cards win, ties are"
        " played off."
    ),
)
EVERY_GAME: Final = (LENGTH,)  # options of every game, after its own


@dataclass(frozen=True)
class Variant:
    """A game that can be dealt: its options, and a function from options to a ruleset.

    `key` is used in stored matches and never changes. `short` is what people type for the game in
    commands: 1 to 32 lower-case letters, digits and dashes, different from other games'. The
    options of `EVERY_GAME` are added automatically. `published_words` is a sentence for the rules
    page only: it explains words of the game's published rules that the bot avoids because poker
    players would misread them.
    """

    key: str
    short: str
    version: int
    title: str
    summary: str
    options: tuple[Option, ...]
    build: Callable[[Options], Ruleset]
    published_words: str = ""

    def __post_init__(self) -> None:
        if not _SHORT.fullmatch(self.short):
            raise RulesetError(
                f"{self.key}: {quote(self.short)} is no short name: write 1 to 32 lower-case"
                ' letters, digits and dashes, such as "stud-5"'
            )
        if twice := _first_repeat(option.key for option in self.all_options):
            raise RulesetError(f"{self.key} has two options {twice}: give one another key")

    @property
    def all_options(self) -> tuple[Option, ...]:
        """The game's own options, then the options of every game."""
        return (*self.options, *EVERY_GAME)

    def values(self, chosen: Options | None = None) -> dict[str, OptionValue]:
        """Return the value of every option: the `chosen` ones, defaults for the rest.

        Raises RulesetError for an option the game lacks or a value it does not offer.
        """
        chosen = chosen or {}
        known = {option.key for option in self.all_options}
        for key in chosen:
            if key not in known:
                offered = ", ".join(sorted(known)) or "none"
                raise RulesetError(f"{self.title} has no option {key}; it has {offered}")
        values = {option.key: chosen.get(option.key, option.default) for option in self.all_options}
        for option in self.all_options:
            option.label_of(values[option.key])
        return values

    def ruleset(self, chosen: Options | None = None) -> Ruleset:
        """Return the ruleset with `chosen` options, defaults for the rest.

        Raises RulesetError for an option the game lacks or a value it does not offer. Also raises
        it if `build` returns the ruleset of another game or drops the options.
        """
        values = self.values(chosen)
        built = self.build(values)
        if (built.key, built.version, built.title) != (self.key, self.version, self.title):
            raise RulesetError(
                f"{self.key}: build makes {built.key}, version {built.version}, "
                f"{quote(built.title)}: take the variant's key, version and title"
            )
        if dict(built.options) != values:
            raise RulesetError(
                f"{self.key}: build drops the options: write options=tuple(options.items())"
            )
        return _of_length(built, values[LENGTH.key])

    @cached_property
    def odds_options(self) -> tuple[Option, ...]:
        """The options that can change a chance, in their order."""
        return tuple(option for option in self.options if option.changes_odds)


def _of_length(rules: Ruleset, length: OptionValue) -> Ruleset:
    """Return the rules for a match of this length; starting cards stay within the card limit."""
    if length == "first_out":
        return replace(rules, length="first_out")
    if length == "one_more":
        cards = zip(rules.starting_cards, rules.card_limits, strict=True)
        starting_cards = tuple(min(start + 1, limit) for start, limit in cards)
        return replace(rules, length="one_more", starting_cards=starting_cards)
    return rules
