"""What people may read: cards on screens, in direct messages and in suggestions."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from benchmarks.reading import CARD, HAND, NATURAL
from bot.language.catalogues import KEYS, speaking
from bot.language.words import card_names
from bot.sandbox.driver import Person
from engine.cards import Card, Rank, Suit
from engine.state import Match, Phase
from tests.sessions.people import SCREENS, Act
from tests.sessions.screens import NUMBERED_ROUND, Screen
from tests.sessions.setup import Setup

Hand = frozenset[str]  # cards except jokers, as people read them
IN_WORDS: Final = re.compile(r"^### (.+)$", re.MULTILINE)  # a person's own cards in words
IN_A_PRACTICE: Final = re.compile(r"^-# .*(?:You|Ty)\u00a0\d", re.MULTILINE)  # who holds how many
TYPED: Final = re.compile(r"[2-9TJQKA][cdhs]|\*")  # a card as people type it


@dataclass
class Dealt:
    """A match with a round being bid, the message that shows its table, and its channel."""

    number: int
    match: Match
    message: int | None
    channel: int


@dataclass
class _Round:
    """One round: each player's cards, and the time of the deal on Discord's clock."""

    hands: dict[int, Hand]
    written: tuple[str, ...]  # the same as the engine writes them
    dealt_at: float


@dataclass
class Sight:
    """Checks everybody's screens. Its checks raise AssertionError."""

    setup: Setup
    rounds: dict[tuple[int, int], _Round] = field(default_factory=dict)  # by match and number

    def note_state(self, number: int, match: Match) -> None:
        """Store the cards and time of a new round in match `number`; call this for each state."""
        current = match.round
        if current is None or (number, current.number) in self.rounds:
            return
        held = (frozenset(card.symbol for card in cards.naturals) for cards in current.hands)
        hands = {match.seats[seat].player: hand for seat, hand in enumerate(held)}
        written = tuple(map(str, current.hands))
        self.rounds[number, current.number] = _Round(hands, written, self.setup.clock.now())

    # -- screens ----------------------------------------------------------------------------------

    def no_foreign_card(self, dealt: list[Dealt]) -> None:
        """Check that nobody can read another player's card while the round is being bid."""
        for dealt_match in dealt:
            if dealt_match.match.phase is not Phase.BIDDING or dealt_match.match.round is None:
                continue
            held = self.rounds[dealt_match.number, dealt_match.match.round.number].hands
            for viewer in self.setup.people:
                own_hand = held.get(int(viewer.id), frozenset())
                hidden = frozenset().union(*held.values()) - own_hand
                for message in self._candidates(viewer, dealt_match):
                    leaked = hidden & message.cards
                    assert not leaked, (
                        f"{viewer.name} sees a foreign card, {sorted(leaked)} in match"
                        f" {dealt_match.number}: {message.text[:300]!r}"
                    )

    def _candidates(self, viewer: Person, dealt: Dealt) -> list[Screen]:
        """Return the messages in which the viewer could read a card of this round."""
        assert dealt.match.round is not None
        number = dealt.match.round.number
        begun = self.rounds[dealt.number, number].dealt_at
        messages = []
        recent = self.setup.screens.recent(viewer, self.setup.channel, SCREENS)
        # a practice names no match: a player's practice is the latest message of one
        practices = [message for message in recent if IN_A_PRACTICE.search(message.text)]
        practice = practices[-1] if dealt.channel == -int(viewer.id) and practices else None
        for message in recent:
            of_past = message.rounds and number not in message.rounds
            if of_past:  # it may show that round's cards; so may the table's message, for a moment
                continue
            table = str(message.id) == str(dealt.message)
            seat = f"match {dealt.number} ·" in message.text
            seat = seat or message is practice
            line = dealt.channel > 0 and not message.rounds and message.updated_at > begun
            line = line and "**How to play" not in message.text  # its example has cards
            if table or seat or line:
                messages.append(message)
        return messages

    # -- answers ----------------------------------------------------------------------------------

    def judge_answer(self, act: Act) -> None:
        """Check that suggestions name no more cards than typed, and forms only the person's own.

        In a field for cards, a suggestion may name as many cards as it would fill in.
        """
        if act.outcome is None:
            return
        for choice in act.outcome.choices:
            cards = len(CARD.findall(str(choice["name"])))
            typed = str(choice["value"]) if act.cards_asked else act.typed
            most = len(TYPED.findall(typed))
            assert cards <= most, f"{act.person.name} is suggested {choice['name']}"
        if act.outcome.modal is not None:
            own_hand = frozenset(NATURAL.findall(act.outcome.modal.text))
            player = int(act.person.id)
            may = [dealt.hands.get(player, frozenset()) for dealt in self.rounds.values()]
            if own_hand and "hold" in act.outcome.modal.text:
                assert own_hand in may, (
                    f"the form shows {act.person.name} the cards {set(own_hand)}"
                )

    # -- direct messages --------------------------------------------------------------------------

    def check_direct_messages(self, noted: list[tuple[int, int, int]]) -> None:
        """Check that people got only their own cards, each hand at most once per start of the bot.

        Check also that the deliveries stored as sent came, unless a later message replaced them.
        `noted`: match, round and player of the deliveries stored as sent. A match's direct message
        to a player shows the latest of these rounds.
        """
        latest: dict[tuple[int, int], int] = {}
        for number, nth, player in noted:
            latest[number, player] = max(nth, latest.get((number, player), 0))
        expected: Counter[tuple[int, int, Hand]] = Counter()
        for (number, player), nth in latest.items():
            expected[player, nth, self.rounds[number, nth].hands[player]] += 1
        for person in self.setup.people:
            came: Counter[tuple[int, int, Hand]] = Counter()
            watched: set[int] = set()  # rounds that a message shows to a person without cards
            for message in self.setup.screens.direct_messages(person):
                title, held = NUMBERED_ROUND.search(message.text), own_cards(message.text)
                if title is None:
                    continue
                nth = int(title[1])
                if held is None:
                    watched.add(nth)
                else:
                    came[int(person.id), nth, held] += 1
            self._are_theirs(person, came, expected, watched)

    def _rounds_without(self, player: int) -> set[int]:
        """Return the numbers of the rounds, of any match, in which a player held no cards."""
        return {nth for (_, nth), held in self.rounds.items() if not held.hands.get(player)}

    def _are_theirs(
        self,
        person: Person,
        came: Counter[tuple[int, int, Hand]],
        expected: Counter[tuple[int, int, Hand]],
        watched: set[int],
    ) -> None:
        player = int(person.id)
        dealt = Counter(
            (player, nth, held.hands[player])
            for (_, nth), held in self.rounds.items()
            if player in held.hands
        )
        for key, times in came.items():
            assert key in dealt, f"a direct message of round {key[1]} shows {person.name} {key[2]}"
            # each start may resend one that the dead process had not noted
            again = self.setup.starts - 1
            assert times <= dealt[key] * (1 + again), f"{person.name} got round {key[1]} twice"
        for key, times in expected.items():
            # an eliminated player's message goes on to show how the match ends
            out = any(later > key[1] and later in self._rounds_without(player) for later in watched)
            if key[0] == player and not out:
                assert came[key] >= min(times, 1), (
                    f"noted as sent and never come: round {key[1]} for {person.name}"
                )


@cache
def _symbols_by_name() -> dict[str, str]:
    """Return each card's symbol by its name in every language; all jokers have the same symbol."""
    cards = (Card.joker(), *(Card.of(rank, suit) for rank in Rank for suit in Suit))
    named: dict[str, str] = {}
    for key in KEYS:
        with speaking(key):
            named |= {card_names((card,)): card.symbol for card in cards}
    return named


def own_cards(text: str) -> Hand | None:
    """Return the natural cards that a seat shows its person; None if the text shows no hand.

    The cards may be large or in words.
    """
    hand = HAND.search(text)
    if hand is not None:
        return frozenset(NATURAL.findall(hand[1]))
    for line in IN_WORDS.findall(text):
        held = [_symbols_by_name().get(name) for name in line.lower().split(", ")]
        if None not in held:
            return frozenset(card for card in held if card is not None and NATURAL.match(card))
    return None
