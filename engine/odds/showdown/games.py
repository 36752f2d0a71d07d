"""The games of showdowns: cards dealt, cards usable, the deck, wild cards and the ranking."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Final

from engine.cards import MAX_JOKERS, NATURAL_BITS, Cards, rank_bits
from engine.errors import Reason, TextError, reason_template
from engine.odds.showdown.ranking import Ranking

NO_CARDS: Final = Cards()
RULES_EXAMPLE: Final = "-n 2 -s 5 for hold'em, -n 4 -s 5 -N 2 -S 3 for Omaha"
_MOST_PICKS: Final = 20_000
_FIVE: Final = 5
_OMAHA_SEATS: Final = 10
_STUD_CARDS: Final = 7
_SHORT_RANKS: Final = range(4)  # the short deck of 36 cards lacks deuce to five
_COUNTED: Final = (
    reason_template("expected {least} to {most} private cards per player, got {given}"),
    reason_template("expected {least} to {most} board cards, got {given}"),
    reason_template("expected {least} to {most} private cards usable, got {given}"),
    reason_template("expected {least} to {most} board cards usable, got {given}"),
    reason_template("expected {least} to {most} jokers, got {given}"),
)


@dataclass(frozen=True, slots=True)
class ShowdownRules:
    """The rules of a poker game's showdown. Raises `TextError` for impossible rules.

    `private` and `public` cards are dealt to each player and to the board; at most `private_used`
    and `public_used` of them may be part of a hand (None: all). `jokers` are in the pack; `wild`
    are natural cards that are wild too. With `hi_lo`, half of the pot is for the lowest hand of
    five different ranks up to the eight, if anybody has one. Aces are low in it, and straights and
    flushes don't matter. The defaults are those of the pan2 program: five-card draw.
    """

    private: int = 5
    public: int = 0
    private_used: int | None = None
    public_used: int | None = None
    jokers: int = 0
    wild: Cards = NO_CARDS
    ranking: Ranking = Ranking.HIGH
    hi_lo: bool = False

    def __post_init__(self) -> None:
        counts = (
            (self.private, 1, 52),
            (self.public, 0, 52),
            (self.usable_private, 0, self.private),
            (self.usable_public, 0, self.public),
            (self.jokers, 0, MAX_JOKERS),
        )
        for (count, least, most), template in zip(counts, _COUNTED, strict=True):
            if not least <= count <= most:
                reason = Reason(template, least=least, most=most, given=count)
                raise TextError(str(count), reason, RULES_EXAMPLE)
        strange = self.wild - self.naturals
        if strange:
            reason = Reason(
                "{card} isn't a card of this deck that could be wild",
                card=next(iter(strange)),
            )
            raise TextError(str(self.wild), reason, '"2c 2d" for two wild deuces')
        usable = self.usable_private + self.usable_public
        if usable == 0:
            raise TextError("0", Reason("a hand needs at least one usable card"), RULES_EXAMPLE)
        needed = self.ranking.cards
        if self.ranking.is_low and usable < needed:
            reason = (
                Reason("badugi needs four usable cards, these rules leave {given}", given=usable)
                if needed == 4
                else Reason(
                    "lowball needs five usable cards, these rules leave {given}", given=usable
                )
            )
            raise TextError(str(usable), reason, RULES_EXAMPLE)
        self._check_split(usable)
        if len(self.hole_picks()) * len(self.board_picks()) > _MOST_PICKS:
            raise TextError(
                str(self.private), Reason("too many ways to choose a hand"), RULES_EXAMPLE
            )

    def _check_split(self, usable: int) -> None:
        """Raise `TextError` for badugi with wild cards, or a split pot that can't be split."""
        if self.ranking is Ranking.BADUGI and self.five_possible:
            raise TextError("", Reason("badugi is played without wild cards"), "--game badugi")
        if not self.hi_lo:
            return
        if self.ranking.is_low or self.ranking.is_short:
            reason = Reason(
                "a pot is split between a high and a low hand, not in {ranking}",
                ranking=self.ranking.label,
            )
            raise TextError("", reason, "--game omaha8")
        if self.five_possible:
            raise TextError("", Reason("a split pot is played without wild cards"), "--game stud8")
        if usable < _FIVE:
            reason = Reason(
                "a low hand needs five usable cards, these rules leave {given}", given=usable
            )
            raise TextError(str(usable), reason, "--game omaha8")

    @property
    def usable_private(self) -> int:
        """The number of hole cards that may be used."""
        return self.private if self.private_used is None else self.private_used

    @property
    def usable_public(self) -> int:
        """The number of board cards that may be used."""
        return self.public if self.public_used is None else self.public_used

    @property
    def deck(self) -> Cards:
        """All cards of the pack, jokers from number 52 on."""
        return Cards(self.naturals.bits | ((1 << self.jokers) - 1) << 52)

    @property
    def naturals(self) -> Cards:
        """The pack without its jokers."""
        if self.ranking.is_short:
            return Cards(NATURAL_BITS & ~sum(rank_bits(rank) for rank in _SHORT_RANKS))
        return Cards(NATURAL_BITS)

    @property
    def tame(self) -> ShowdownRules:
        """These rules without jokers and wild cards."""
        return replace(self, jokers=0, wild=NO_CARDS) if self.five_possible else self

    def plays_like(self, others: ShowdownRules) -> bool:
        """Return whether both are the same game, however their usable cards are specified."""
        mine, theirs = (
            (
                *(rules.private, rules.public, rules.usable_private, rules.usable_public),
                *(rules.jokers, rules.wild, rules.ranking, rules.hi_lo),
            )
            for rules in (self, others)
        )
        return mine == theirs

    @property
    def most_players(self) -> int | None:
        """The largest number of players: ten in Omaha; None if the pack is the only limit."""
        return _OMAHA_SEATS if self.private >= 4 and self.usable_private == 2 else None

    def dealt_to(self, players: int, dead: int = 0) -> ShowdownRules:
        """Return these rules at a table of `players`, with `dead` cards out of play.

        If the pack has too few cards for everybody's seventh card in stud, the last card is dealt
        face up in the middle and shared, as casinos do.
        """
        stud = self.private == self.usable_private == _STUD_CARDS and self.public == 0
        if not stud or players * _STUD_CARDS + dead <= len(self.deck):
            return self
        shared = replace(
            self, private=_STUD_CARDS - 1, private_used=None, public=1, public_used=None
        )
        fits = players * shared.private + shared.public + dead <= len(self.deck)
        return shared if fits else self

    @property
    def whole_hands(self) -> bool:
        """Whether more than five cards may be scored at once; the best five of them count.

        True for the high rankings. True also for A-5 lowball, where only ranks matter, unless a
        limit on the cards used can change the result.
        """
        if self.ranking is not Ranking.ACE_FIVE:
            return not self.ranking.is_low
        private = self._at_once(self.private, self.usable_private, self.usable_public)
        public = self._at_once(self.public, self.usable_public, self.usable_private)
        return (private, public) == (self.private, self.public)

    def _at_once(self, dealt: int, usable: int, others: int) -> int:
        """Return how many of the `dealt` cards are scored at once.

        A hand may use `usable` of them, and `others` cards of the other side (board or hole cards).
        If `others` is 0 and `usable` is enough for a whole hand, all `dealt` cards are scored at
        once, since scoring finds the best five. Otherwise `usable` cards are.
        """
        return dealt if others == 0 and usable >= self.ranking.cards else usable

    @property
    def five_possible(self) -> bool:
        """Whether wild cards allow five of a kind."""
        return bool(self.jokers or self.wild)

    def hole_picks(self) -> list[tuple[int, ...]]:
        """Return the choices of hole cards (indexes) that can be part of a hand: see `_picks`."""
        return self._picks(self.private, self.usable_private, self.usable_public)

    def board_picks(self) -> list[tuple[int, ...]]:
        """Return the choices of board cards (indexes) that can be part of a hand."""
        return self._picks(self.public, self.usable_public, self.usable_private)

    def _picks(self, dealt: int, usable: int, others: int) -> list[tuple[int, ...]]:
        """Return the choices of cards, as tuples of indexes, that are worth trying.

        A high hand only gets better with more cards, so every choice is as large as allowed.
        Lowball needs sets of exactly five, badugi of four, so choices have any size that the other
        side can complete. Raises `TextError` if there are too many choices.
        """
        cards = self.ranking.cards
        sizes = range(max(0, cards - others), min(cards, usable) + 1)
        if self.whole_hands:
            size = self._at_once(dealt, usable, others)
            sizes = range(size, size + 1)
        if sum(comb(dealt, size) for size in sizes) > _MOST_PICKS:
            raise TextError(str(dealt), Reason("too many ways to choose a hand"), RULES_EXAMPLE)
        return [places for size in sizes for places in combinations(range(dealt), size)]


@dataclass(frozen=True, slots=True)
class ShowdownGame:
    """A game that people ask about by name. A new game is an entry in `GAMES`.

    `name` is its display name, `rules` its deal and ranking, `pattern` matches its names in a
    question, the key in `GAMES` and `name` among them, `hand` is an example of a player's cards.
    Each of its names has one of `words`, in lower case. `_UNKNOWN` in `game_words` lists names to
    refuse: take a new game's out of it.
    """

    name: str
    rules: ShowdownRules
    pattern: str
    hand: str
    words: tuple[str, ...]


HOLDEM: Final = ShowdownRules(private=2, public=5)
_OMAHA: Final = ShowdownRules(private=4, public=5, private_used=2, public_used=3)
_NO_SEATS: Final = (  # in "omaha 8 players", the 8 belongs to the players
    r"(?! ?(?:players?|handed|way|max|opponents?|others?|villains?|callers?|hands?)"
    r"|(?<=[ -]\d) ?(?:random|unknown))"
)
_HI_LO: Final = (
    r"(?:hi(?:gh)?(?: ?/ ?|[ -]?|-and-| and )lo(?:w)?|h/l|split|(?:8|eight)[ -]or[ -]better"
    rf"|8b?{_NO_SEATS}|eight)"
)
_HIGH: Final = r"(?:[ -]hi(?:gh)?(?: only)?)?"
_LIMIT: Final = r"(?:(?:(?:no|pot|fixed|spread)[ -]?limit|limit|nl|pl|fl) )?"
_HOLDEM: Final = r"hold[ '-]{0,2}em"
_PLO: Final = r"(?:omaha|plo)"
_EM: Final = rf"(?:[ -]{_HOLDEM})?"
_FIVE_CARD: Final = r"(?:five|5)[ -]?card"
_SIX_CARD: Final = r"(?:six|6)[ -]?card"
_SEVEN_CARD: Final = r"(?:seven|7)[ -]?card"
_STUD: Final = rf"(?:{_SEVEN_CARD}[ -]?|(?:seven|7)[ -]?)?stud|7[ -]?cs"
_STUD_WORDS: Final = ("stud", "7cs", "7 cs", "7-cs")
_SHORT: Final = (
    rf"(?:{_HOLDEM} )?(?:short[ -]?deck|(?:six|6)[ -]?plus|6\+|36[ -]card(?:[ -]deck)?){_EM}"
)
LOW_DRAW: Final = r"(?:[ -]?(?:lowball|draw|(?:triple|single)[ -]?draw|td|sd))"
GAMES: Final = {
    "holdem": ShowdownGame(
        "Hold'em",
        HOLDEM,
        rf"{_LIMIT}(?:texas )?{_HOLDEM}|texas|(?:nl|fl|pl)he|nlh|lhe",
        "AhKd",
        ("hold", "texas", "lhe", "nlh"),
    ),
    "omaha": ShowdownGame(
        "Omaha",
        _OMAHA,
        rf"{_LIMIT}(?:(?:four|4)[ -]?card )?(?:omaha-?4?|plo-?4?|nlo){_EM}{_HIGH}",
        "AsAhKsKh",
        ("omaha", "plo", "nlo"),
    ),
    "omaha8": ShowdownGame(
        "Omaha hi/lo",
        replace(_OMAHA, hi_lo=True),
        rf"{_LIMIT}{_PLO}{_EM}[ /-]?{_HI_LO}|hi(?:gh)?[ /-]?low? {_PLO}"
        r"|(?:pl|nl|fl|l)?o[/-]?8(?:b|[ -]or[ -]better)?",
        "AsAh2s3h",
        ("omaha", "plo", "o8", "o/8", "o-8"),
    ),
    "omaha5": ShowdownGame(
        "Five-card Omaha",
        replace(_OMAHA, private=5),
        rf"{_LIMIT}{_FIVE_CARD}[ -]{_LIMIT}{_PLO}{_EM}{_HIGH}|{_PLO}[ -]?5{_NO_SEATS}{_HIGH}",
        "AsAhKsKh2d",
        ("omaha", "plo"),
    ),
    "omaha85": ShowdownGame(
        "Five-card Omaha hi/lo",
        replace(_OMAHA, private=5, hi_lo=True),
        rf"{_LIMIT}{_FIVE_CARD}[ -]{_LIMIT}{_PLO}{_EM}[ /-]?{_HI_LO}|{_FIVE_CARD} o8|{_PLO}[ -]?85"
        rf"|{_PLO}[ -]?5[ /-]{_HI_LO}|big[ -]?o(?:[ -]?8)?",
        "AsAh2s3h4d",
        ("omaha", "plo", "o8", "big"),
    ),
    "omaha6": ShowdownGame(
        "Six-card Omaha",
        replace(_OMAHA, private=6),
        rf"{_LIMIT}{_SIX_CARD}[ -]{_LIMIT}{_PLO}{_EM}{_HIGH}|{_PLO}[ -]?6{_NO_SEATS}{_HIGH}",
        "AsAhKsKhQdJd",
        ("omaha", "plo"),
    ),
    "stud": ShowdownGame(
        "Seven-card stud",
        ShowdownRules(private=7),
        rf"{_LIMIT}(?:{_STUD}){_HIGH}",
        "AsAhKd",
        _STUD_WORDS,
    ),
    "stud8": ShowdownGame(
        "Stud hi/lo",
        ShowdownRules(private=7, hi_lo=True),
        rf"{_LIMIT}(?:{_STUD})[ /-]?{_HI_LO}|hi(?:gh)?[ /-]?low? (?:{_STUD})",
        "AsAh2d",
        _STUD_WORDS,
    ),
    "razz": ShowdownGame(
        "Razz",
        ShowdownRules(private=7, ranking=Ranking.ACE_FIVE),
        rf"{_LIMIT}razz(?: lowball)?|(?:{_STUD})[ -]low?(?:ball)?|{_SEVEN_CARD}[ -]lowball",
        "As2h3d",
        ("razz", "lowball", *_STUD_WORDS),
    ),
    "draw": ShowdownGame(
        "Five-card draw",
        ShowdownRules(),
        rf"{_LIMIT}(?:{_FIVE_CARD}[ -])?(?<!flush )(?<!straight )draw(?: poker)?{_HIGH}"
        rf"|{_FIVE_CARD}[ -](?:stud|poker){_HIGH}|5[ -]?cd",
        "AsAhKsKh2d",
        ("draw", "stud", "poker", "5cd", "5 cd", "5-cd"),
    ),
    "shortdeck": ShowdownGame(
        "Short deck",
        replace(HOLDEM, ranking=Ranking.SHORT_DECK),
        _SHORT,
        "AhKd",
        ("deck", "plus", "6+", "36"),
    ),
    "shortdeck-trips": ShowdownGame(
        "Short deck, trips over straights",
        replace(HOLDEM, ranking=Ranking.SHORT_TRIPS),
        rf"{_SHORT}[ ,-]*(?:with )?trips(?: (?:over|above|beat) straights?)?",
        "AhKd",
        ("trips",),
    ),
    "a5": ShowdownGame(
        "Ace-to-five lowball",
        ShowdownRules(ranking=Ranking.ACE_FIVE),
        rf"{_LIMIT}(?:(?:(?:a|ace)(?: to |-to-)(?:5|five)|ace-(?:5|five)|a-five){LOW_DRAW}*"
        rf"|a-?(?:to)?-?5{LOW_DRAW}+|california(?: lowball)?|lowball a-?5)",
        "7c5d4h3sAc",
        (" to ", "-to-", "to5", "five", "a5", "-5", "california"),
    ),
    "27": ShowdownGame(
        "Deuce-to-seven lowball",
        ShowdownRules(ranking=Ranking.DEUCE_SEVEN),
        rf"{_LIMIT}(?:(?:2|two|deuces?)(?: to |-to-)(?:7|sevens?){LOW_DRAW}*"
        rf"|(?:2-sevens?|deuces?-(?:7|sevens?)){LOW_DRAW}*|2-?(?:to)?-?7{LOW_DRAW}+"
        r"|kansas city(?: lowball)?|lowball 2-?7)",
        "7c5d4h3s2c",
        (" to ", "-to-", "to7", "-seven", "-7", "27", "kansas"),
    ),
    "badugi": ShowdownGame(
        "Badugi",
        ShowdownRules(private=4, ranking=Ranking.BADUGI),
        rf"{_LIMIT}badugi{LOW_DRAW}*",
        "As2h3d4c",
        ("badugi",),
    ),
}
"""All games by key, in the order in which they are listed."""
PRESETS: Final = {key: game.rules for key, game in GAMES.items()}
"""The rules of all games by key."""


def example_of(rules: ShowdownRules) -> str:
    """Return an example for an error: a player's cards in the game with these rules.

    If no game has these rules, return options of the command line instead, `-n 2 -s 5` and so on.
    """
    key = game_of(rules, 2)
    return RULES_EXAMPLE if key is None else f'"{GAMES[key].hand}" in {GAMES[key].name}'


def game_of(rules: ShowdownRules, players: int, dead: int = 0) -> str | None:
    """Return the key of the game with these rules at a table of `players`, if there is one."""
    for key, preset in PRESETS.items():
        if preset.dealt_to(players, dead).plays_like(rules):
            return key
    return None
