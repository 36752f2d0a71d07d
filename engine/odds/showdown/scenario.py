"""A scenario: the rules, each player's known cards or range, the board so far, the dead cards.

A scenario is checked when it is created; kernels then rely on it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations, count
from typing import TYPE_CHECKING, Final

from engine.cards import CARDS_EXAMPLE, MAX_JOKERS, Card, Cards, cards_in_order
from engine.errors import Reason, TextError, reason_template
from engine.odds.loading import np
from engine.odds.showdown.games import (
    GAMES,
    HOLDEM,
    NO_CARDS,
    ShowdownRules,
    example_of,
    game_of,
)
from engine.odds.showdown.question_words import (
    BOARDS,
    DRAWS,
    LATER_DRAWS_EXAMPLE,
    STAKES,
    STAKES_EXAMPLE,
)
from engine.odds.showdown.ranges import Range, looks_like_range

if TYPE_CHECKING:
    from engine.odds.showdown.conditions import Condition
    from engine.odds.showdown.drawing import Drawing
    from engine.odds.showdown.pots import Stakes

Holding = Cards | Range
PLAYERS_EXAMPLE: Final = '"ad,8d" "ah,2d" (an empty text for a player whose cards are unknown)'
RANGES_EXAMPLE: Final = '"QQ+" "AKs, JJ"'
NO_HAND_FOR_ALL: Final = Reason("these ranges and cards don't leave a hand for everyone")
TWICE_EXAMPLE: Final = '"AhKh vs QQ, boards 9c8d7s | 2h3h4d" or "AhKh vs QQ, run it twice"'
MOST_PLAYERS: Final = 60
MOST_IN_POTS: Final = 6
_MOST_STEPS: Final = 100_000


@dataclass(frozen=True, slots=True)
class Scenario:
    """A question about a showdown. Each of `players` holds known cards, if any, or a range.

    `dealt` is the board in the order in which it was dealt, if known; `names` are the players'
    names, empty if not given. Only deals that fit the `condition` count. `second` are the known
    cards of a second board, for half of the pot; if the rest of a board is run twice, `second`
    equals `board`. `stakes` are the chips in the pots. `drawing` says how the players draw, if more
    than one draw is left. Raises `TextError` if the question isn't possible: for example if a card
    is held twice, or the pack has too few cards for everybody.
    """

    rules: ShowdownRules
    players: tuple[Holding, ...]
    board: Cards = NO_CARDS
    dead: Cards = NO_CARDS
    dealt: tuple[Card, ...] = field(default=(), compare=False)
    names: tuple[str, ...] = field(default=(), compare=False)
    condition: Condition | None = None
    second: Cards | None = None
    stakes: Stakes | None = None
    drawing: Drawing | None = None

    def __post_init__(self) -> None:
        if not 1 <= len(self.players) <= MOST_PLAYERS:
            reason = Reason(
                "expected 1 to {most} players, got {given}",
                most=MOST_PLAYERS,
                given=len(self.players),
            )
            raise TextError("", reason, PLAYERS_EXAMPLE)
        most = self.rules.most_players
        if most is not None and len(self.players) > most:
            reason = Reason(
                "Omaha seats at most {most} players, got {given}",
                most=most,
                given=len(self.players),
            )
            raise TextError("", reason, 'ten hands, or "AsAhKsKh" against 9 unknown ones')
        self._check_counts()
        self._check_pack()
        if self.is_joint:
            self._check_joint()
        if self.drawing is not None:
            self._check_drawing(self.drawing)
        if not self.has_deal():
            raise TextError("", NO_HAND_FOR_ALL, RANGES_EXAMPLE)

    def _check_counts(self) -> None:
        rules = self.rules
        if len(self.board) > rules.public:
            reason = Reason(
                "you gave {given} board cards, but {game} has {most}",
                given=len(self.board),
                game=self._game,
                most=rules.public,
            )
            example = f'"9c 8d 7s" in {self._game}' if rules.public >= 3 else example_of(rules)
            raise TextError(str(self.board), reason, example)
        for holding in self.players:
            if isinstance(holding, Range):
                if holding.private != rules.private:
                    reason = Reason(
                        "that range has hands of the wrong size: {game} deals {number} cards",
                        number=rules.private,
                        game=self._game,
                    )
                    raise TextError(holding.text, reason, '"QQ+" in hold\'em, "AA**" in Omaha')
            elif len(holding) > rules.private:
                reason = Reason(
                    "one player has {number} cards ({cards}), but {game} deals {dealt}",
                    number=len(holding),
                    cards=holding,
                    game=self._game,
                    dealt=rules.private,
                )
                raise TextError(str(holding), reason, example_of(rules))

    def _check_pack(self) -> None:
        used = Cards()
        public = self.board if self.second is None else self.board | self.second
        for cards in (public, self.dead, *self.known):
            twice = used & cards
            if twice:
                reason = Reason("{card} is given twice", card=next(iter(twice)))
                raise TextError(str(cards), reason, example_of(self.rules))
            used |= cards
        strange = used - self.rules.deck
        if strange:
            card = next(iter(strange))
            if card.is_joker:
                if not self.rules.jokers:
                    reason = Reason("there is no joker in this deck")
                    raise TextError(str(used), reason, '"AsAh vs Ks*, joker wild"')
                reason = Reason("more jokers than the deck's {number}", number=self.rules.jokers)
                raise TextError(str(used), reason, '"Ah Kd" in a pack without jokers')
            reason = Reason(
                "{card} isn't in the {number}-card deck",
                card=card,
                number=len(self.rules.deck),
            )
            raise TextError(str(used), reason, f"{example_of(self.rules)}, sixes to aces")
        boards = self.rules.public
        if self.second is not None:
            boards += self.rules.public - len(self.board & self.second)
        needed = len(self.players) * self.rules.private + boards + len(self.dead)
        if needed > len(self.rules.deck):
            reason = Reason(
                "{number} players, the board and the dead cards take {wanted} cards, but the deck"
                " has {pack}",
                number=len(self.players),
                wanted=needed,
                pack=len(self.rules.deck),
            )
            spare = len(self.rules.deck) - boards - len(self.dead)
            most = spare // self.rules.private
            example = f"{example_of(self.rules)} against {most - 1} unknown hands"
            raise TextError("", reason, example if most > 1 else example_of(self.rules))

    def _check_joint(self) -> None:
        """Raise `TextError` if two boards or pots can't be counted for this scenario."""
        twice = self.second is not None
        text, example = (BOARDS, TWICE_EXAMPLE) if twice else (STAKES, STAKES_EXAMPLE)
        if twice and not self.rules.public:
            raise TextError(text, Reason("this game has no board that could be run twice"), example)
        if twice and len(self.second or ()) > self.rules.public:
            reason = Reason(
                "you gave {given} board cards, but {game} has {most}",
                given=len(self.second or ()),
                game=self._game,
                most=self.rules.public,
            )
            raise TextError(text, reason, example)
        if twice and self.stakes is not None:
            raise TextError(text, Reason("pots can't be counted on two boards"), example)
        if self.condition is not None:
            reason = Reason("a condition doesn't go with two boards or with pots")
            raise TextError(text, reason, example)
        if self.rules.hi_lo:
            reason = Reason("two boards and pots work only in games without a low half")
            raise TextError(text, reason, example)
        if self.stakes is not None:
            if len(self.players) > MOST_IN_POTS:
                reason = Reason(
                    "pots are counted for at most {most} players, got {given}",
                    most=MOST_IN_POTS,
                    given=len(self.players),
                )
                raise TextError(text, reason, example)
            self.stakes.check(len(self.players))

    def _check_drawing(self, drawing: Drawing) -> None:
        """Raise `TextError` if these draws are impossible here or take too many cards."""
        from engine.odds.showdown.drawing import DRAWN_AGAIN, check_number

        if self.rules.ranking not in DRAWN_AGAIN or self.rules.five_possible:
            reason = Reason("several draws go with 2-7, A-5 and badugi, without wild cards")
            raise TextError(DRAWS, reason, LATER_DRAWS_EXAMPLE)
        check_number(drawing.draws)
        if self.condition is not None or self.stakes is not None:
            reason = Reason("conditions and pots don't go with several draws")
            raise TextError(DRAWS, reason, LATER_DRAWS_EXAMPLE)
        most, left = sum(self.turn_sizes()), len(self.left)
        if most > left:
            reason = Reason(
                "the players may draw {most} cards, but only {left} are left",
                most=most,
                left=left,
            )
            raise TextError(DRAWS, reason, LATER_DRAWS_EXAMPLE)

    def turn_sizes(self) -> list[int]:
        """Return the most cards drawn at each player's turn; empty without `drawing`."""
        first = [self.rules.private - len(held) for held in self.known]
        return [] if self.drawing is None else self.drawing.turn_sizes(first)

    @property
    def is_joint(self) -> bool:
        """Whether the answer needs the results of all players together: two boards, or pots."""
        return self.second is not None or self.stakes is not None

    @property
    def has_halves(self) -> bool:
        """Whether the pot has two halves: a high and a low one, or one for each board."""
        return self.rules.hi_lo or self.second is not None

    @property
    def _game(self) -> str:
        """The game's name for use in a sentence."""
        key = game_of(self.rules.tame, len(self.players), len(self.dead))
        return reason_template("this game") if key is None else GAMES[key].name

    def check_one_board(self) -> None:
        """Raise `TextError` if there are two boards."""
        if self.second is not None:
            reason = Reason("outs, streets, grids and hits are shown for one board, not two")
            raise TextError(BOARDS, reason, '"AhKh vs QQ, board 9h 5h 2c"')

    def check_no_condition(self) -> None:
        """Raise `TextError` for a condition or two boards."""
        self.check_one_board()
        if self.condition is not None:
            reason = Reason("grids, curves and what a range hits take no condition")
            raise TextError(self.condition.text, reason, '"AhKh vs QQ, board 9h 5h 2c"')

    def name(self, seat: int) -> str:
        """Return the name of the player in `seat`; empty if not given."""
        return self.names[seat] if seat < len(self.names) else ""

    def limit(self, seat: int) -> str:
        """Return the letter of the highest rank that a player keeps; empty if they draw once."""
        return "" if self.drawing is None else self.drawing.limit(seat, self.rules.ranking)

    @property
    def in_order(self) -> tuple[Card, ...]:
        """The board in the order in which it was dealt, if known, else in the order of `Cards`."""
        return self.dealt if Cards.of(self.dealt) == self.board else tuple(self.board)

    @property
    def known(self) -> tuple[Cards, ...]:
        """The cards that each player certainly holds; none for a range."""
        return tuple(Cards() if isinstance(held, Range) else held for held in self.players)

    @property
    def left(self) -> Cards:
        """The cards that may still be dealt, also to players with ranges."""
        gone = self.board.bits | self.dead.bits
        if self.second is not None:
            gone |= self.second.bits
        for held in self.players:
            if not isinstance(held, Range):
                gone |= held.bits
        return Cards(self.rules.deck.bits & ~gone)

    @property
    def undealt(self) -> int:
        """The number of cards left when every player has all hole cards."""
        missing = sum(self.rules.private - len(cards) for cards in self.known)
        return len(self.left) - missing

    def combos(self, seat: int) -> Sequence[int]:
        """Return the combos of a seat's range that are still possible, sorted, each as bits."""
        holding = self.players[seat]
        assert isinstance(holding, Range)
        gone = ~self.left.bits
        if isinstance(holding.bits, array):
            return _pick_free(holding.bits, holding.bits, gone)
        return [combo for combo in holding.bits if not combo & gone]

    def weighted_combos(self, seat: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return the seat's combos that are still possible, as `combos` does, and their weights."""
        holding = self.players[seat]
        assert isinstance(holding, Range)
        left, gone = self.combos(seat), ~self.left.bits
        if not holding.weights:
            return left, [1] * len(left)
        if isinstance(holding.bits, array):
            return left, _pick_free(holding.weights, holding.bits, gone)
        pairs = zip(holding.bits, holding.weights, strict=True)
        return left, [weight for combo, weight in pairs if not combo & gone]

    def holdings(self, seat: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return the hands that the player in that seat may hold, as bits, and their weights."""
        held = self.players[seat]
        if isinstance(held, Range):
            return self.weighted_combos(seat)
        missing = self.rules.private - len(held)
        if not missing:
            return [held.bits], [1]
        bits = [1 << card.number for card in self.left]
        hands = [held.bits + sum(added) for added in combinations(bits, missing)]
        return hands, [1] * len(hands)

    def with_unknown_cards(self) -> Scenario:
        """Return the scenario with ranges of all hands replaced by unknown cards."""
        players = tuple(
            Cards() if isinstance(held, Range) and held.is_everything else held
            for held in self.players
        )
        return self if players == self.players else replace(self, players=players)

    def has_deal(self) -> bool:
        """Return whether the ranges leave every player a hand, as far as a short search can tell.

        If the search gives up, this returns True; then dealing may find no deal.
        """
        # by identity of the range: players with the same range share its hands
        combos: dict[int, Sequence[int]] = {}
        for seat, held in enumerate(self.players):
            if isinstance(held, Range) and id(held) not in combos:
                combos[id(held)] = self.combos(seat)
        ranges = [combos[id(held)] for held in self.players if isinstance(held, Range)]
        return _disjoint(sorted(ranges, key=len), 0, count(1))


def _pick_free(numbers: Sequence[int], hands: array[int], gone: int) -> array[int]:
    """Return the `numbers` of those `hands` that have no card in `gone`."""
    free = np.frombuffer(hands, np.uint64) & np.uint64(gone & (1 << 64) - 1) == 0
    return array("Q", np.array(numbers, np.uint64)[free].tobytes())


def _disjoint(ranges: list[Sequence[int]], taken: int, steps: Iterator[int]) -> bool:
    """Return whether the ranges have combos that share no card; after many steps, assume so.

    The search stops at the first solution, so it tries hardly any combos of a large range.
    """
    if not ranges:
        return True
    for combo in ranges[0]:
        if next(steps) > _MOST_STEPS:
            return True
        if not combo & taken and _disjoint(ranges[1:], taken | combo, steps):
            return True
    return False


def parse_scenario(
    players: Sequence[str],
    board: str = "",
    dead: str = "",
    rules: ShowdownRules = HOLDEM,
    names: Sequence[str] = (),
) -> Scenario:
    """Return a scenario from texts: cards ("ad,8d"), a range ("QQ+") or "" for each player.

    Every `*` is a different joker, except in ranges. Rules of stud are adapted to this many players
    (`ShowdownRules.dealt_to`). Raises `TextError` if a text isn't understood, and as `Scenario`
    does.
    """
    used = 0  # jokers are numbered across all texts

    def parse_cards(text: str) -> Cards:
        nonlocal used
        try:
            cards = Cards.parse(text)
        except TextError as error:  # give it an example from this game
            raise TextError(error.text, error.reason, example_of(rules)) from None
        first, used = used, used + cards.jokers
        if used > MAX_JOKERS:
            reason = Reason("there are at most {number} jokers", number=MAX_JOKERS)
            raise TextError(text, reason, CARDS_EXAMPLE)
        return cards.naturals | Cards.of(map(Card.joker, range(first, used)))

    board_cards, gone = parse_cards(board), parse_cards(dead)
    played = rules.dealt_to(len(players), len(gone))
    dealt = () if board_cards.jokers else cards_in_order(board)
    # players with the same range share one object, which may have 2.6 million hands
    range_of = cache(lambda text: Range.parse(text, played))
    held = [
        range_of(text) if looks_like_range(text, played) else parse_cards(text.strip().strip("?-"))
        for text in players
    ]
    return Scenario(played, tuple(held), board_cards, gone, dealt, tuple(names))
