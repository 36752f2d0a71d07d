"""The how-to-play example: one small round in four steps, for one person, played with buttons.

A game always shows the same cards, dealt from its own deck. Both ways to play the round show that
all cards in play count. A person's progress is kept only in the buttons (`ExampleStage`), so the
example works after a restart and nothing is stored. A lobby offers it, and a person's first
practice begins with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, Self

from bot.boards.board import Address, Block, Board, Button, Hand, ShowdownPicture, Text
from bot.boards.rules import how_it_ends
from bot.language.card_marks import mark_cards
from bot.language.catalogues import tr, trn
from bot.language.wordings import bid_text, game_words
from bot.language.words import cards_counted, mention, number_word
from bot.pictures.cards import ShowdownRow
from bot.pictures.palette import AMBER, GREEN
from bot.tables.model import Status, Table
from engine.bids import Bid, cards_of_rank, holds, proof
from engine.cards import Card, Cards, Rank
from engine.ruleset import Ruleset

STEPS: Final = 4
# names of the other two players: from each list, the first that nobody present has
HIS_NAMES: Final = ("Milo", "Hugo", "Ivo")
HER_NAMES: Final = ("Vera", "Nora", "Lena")
Way = Literal["", "higher", "doubt"]
_WAYS: Final[dict[str, Way]] = {"higher": "higher", "doubt": "doubt"}


@dataclass(frozen=True, slots=True)
class ExampleStage:
    """A person's progress in the example, and their choice in its second step."""

    step: int = 1
    way: Way = ""

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the stage that a button's `text` encodes; for any other text, the first stage."""
        number, _, chosen = text.partition(".")
        way = _WAYS.get(chosen, "")
        if number == "2" and not chosen:
            return cls(2)
        if number in ("3", "4") and way:
            return cls(int(number), way)
        return cls()

    @property
    def text(self) -> str:
        """Return the stage as a button encodes it: `2.`, `3.doubt`."""
        return f"{self.step}.{self.way}"


@dataclass(frozen=True, slots=True)
class Cast:
    """The names of the other two players in the example."""

    bob: str = HIS_NAMES[0]
    cleo: str = HER_NAMES[0]

    @classmethod
    def beside(cls, present: Iterable[str]) -> Self:
        """Return a cast with names that nobody in `present` has.

        If all of a player's possible names are taken, use the first of these names.
        """
        taken = {word for name in present for word in name.casefold().split()}
        free = (
            next((name for name in names if name.casefold() not in taken), names[0])
            for names in (HIS_NAMES, HER_NAMES)
        )
        return cls(*free)


@dataclass(frozen=True, slots=True)
class Example:
    """The example's round: Bob bids `first`, then you may raise to `higher`. Both bids are true."""

    yours: Cards
    bobs: Cards
    cleos: Cards
    first: Bid
    higher: Bid

    @property
    def pool(self) -> Cards:
        """Return all cards in play."""
        return self.yours | self.bobs | self.cleos


def example(rules: Ruleset) -> Example:
    """Return a round of three people with two cards each, from the game's own deck.

    Bob's bid is true, and so is your higher bid, but nobody's two cards are enough for either.
    If the game has no two such bids, use its weakest and strongest true bids.
    """
    ranks = sorted(rules.deck.ranks)
    top, low, side, middle = (
        _of_rank(rules, rank) for rank in (ranks[-1], ranks[0], ranks[-2], ranks[len(ranks) // 2])
    )
    yours = Cards.of([top[-1], side[1 % len(side)]])
    bobs = Cards.of([top[len(top) // 2], low[-1]])
    cleos = Cards.of([low[0], middle[2 % len(middle)]])
    pool = yours | bobs | cleos
    true = [bid for rung in rules.ladder.rungs for bid in rung if holds(bid, pool)]
    together = [bid for bid in true if not any(holds(bid, hand) for hand in (yours, bobs, cleos))]
    # a game without such bids uses its weakest and its strongest true bid
    first, higher = together[:2] if len(together) > 1 else (true[0], true[-1])
    return Example(yours, bobs, cleos, first, higher)


def howto_board(
    rules: Ruleset,
    stage: ExampleStage,
    address: Address,
    cast: Cast = Cast(),
    practice: str = "",
    onwards: str = "",
) -> Board:
    """Return one step of the example, with the buttons that lead on.

    `practice`: the practice that the last step offers, as a button encodes it. If it is empty, the
    last step ends with `onwards`: what to do at the table that offered the example.
    """
    example_round = example(rules)
    head = tr(
        "**How to play {title} · {step} of {steps}**",
        title=tr(rules.title),
        step=stage.step,
        steps=STEPS,
    )
    blocks: list[Block] = [Text(head)]
    row: tuple[Button, ...]

    def on(
        label: str,
        then: ExampleStage,
        style: Literal["primary", "secondary", "danger"] = "secondary",
    ) -> Button:
        choice = f"{practice}.{then.text}" if practice else then.text
        return Button("howto", label, style, choice=choice)

    match stage.step:
        case 2:
            blocks += (Hand(example_round.yours), Text(_bid(rules, example_round, cast)))
            higher = tr("Higher: {said}", said=bid_text(rules, example_round.higher))
            row = (
                on(higher, ExampleStage(3, "higher"), "primary"),
                on(game_words(rules).challenge, ExampleStage(3, "doubt"), "danger"),
            )
        case 3:
            blocks += (
                Hand(example_round.yours),
                Text(_doubt(rules, example_round, cast, stage.way)),
            )
            row = (on(tr("Show the cards"), ExampleStage(4, stage.way), "primary"),)
        case 4:
            end = _end(rules, example_round, cast, stage.way)
            what_next = _practice_text() if practice else onwards
            blocks += (_picture(example_round, cast, stage.way), Text(f"{end}\n{what_next}"))
            row = (on(tr("Show me again"), ExampleStage()),)
            if practice:
                row = (Button("pstart", tr("Practice now"), "success", choice=practice), *row)
        case _:
            blocks += (Text(_begin(example_round, cast)), Hand(example_round.yours))
            row = (on(tr("Next"), ExampleStage(2), "primary"),)
    accent = AMBER if stage.step == STEPS else GREEN
    return Board(accent, tuple(blocks), (row,), address)


def _begin(example_round: Example, cast: Cast) -> str:
    return trn(
        "An example: you're playing with {bob} and {cleo}. Everyone holds {amount} card and can't"
        " see the others. Here's yours:",
        "An example: you're playing with {bob} and {cleo}. Everyone holds {amount} cards and can't"
        " see the others. Here are yours:",
        len(example_round.yours),
        bob=cast.bob,
        cleo=cast.cleo,
        amount=number_word(len(example_round.yours)),
    )


def _bid(rules: Ruleset, example_round: Example, cast: Cast) -> str:
    return trn(
        "{bob} opens with **{said}**, claiming that **all** {amount} card together contains it."
        " {bob} sees only two of them, just like you, and may be bluffing.\nYou're next. Go higher,"
        " or {doubt}?",
        "{bob} opens with **{said}**, claiming that **all** {amount} cards together contain it."
        " {bob} sees only two of them, just like you, and may be bluffing.\nYou're next. Go higher,"
        " or {doubt}?",
        len(example_round.pool),
        bob=cast.bob,
        said=bid_text(rules, example_round.first),
        amount=number_word(len(example_round.pool)),
        doubt=game_words(rules).doubt,
    )


def _doubt(rules: Ruleset, example_round: Example, cast: Cast, way: Way) -> str:
    terms = game_words(rules)
    if way == "doubt":
        return tr(
            "You {challenged} {bob}'s **{said}**. Now everyone shows their cards.",
            challenged=terms.challenged,
            bob=cast.bob,
            said=bid_text(rules, example_round.first),
        )
    return tr(
        "You go higher: **{said}**. Your own cards aren't enough: you're betting that somebody else"
        " has the rest. {cleo} is next, doesn't believe you, and has {challenged} it. Now everyone"
        " shows their cards.",
        said=bid_text(rules, example_round.higher),
        cleo=cast.cleo,
        challenged=terms.challenged,
    )


def _end(rules: Ruleset, example_round: Example, cast: Cast, way: Way) -> str:
    bid = example_round.first if way == "doubt" else example_round.higher
    cards = mark_cards(proof(bid, example_round.pool).cards)
    next_hand = cards_counted(len(example_round.yours) + 1)
    text = (
        tr(
            "**It's there**: {cards}. Everyone's cards count. You {challenged} and were wrong, so"
            " you lose this round and have to play the next with **{more}**. If it hadn't been"
            " there, {bob} would have lost.\nAt {limit} cards you're out. {end}"
        )
        if way == "doubt"
        else tr(
            "**It's there**: {cards}. Everyone's cards count. {cleo} {challenged} and was wrong, so"
            " {cleo} loses this round and has to play the next with **{more}**. If it hadn't been"
            " there, you'd have lost.\nAt {limit} cards you're out. {end}"
        )
    )
    return text.format(
        cards=cards,
        challenged=game_words(rules).challenged,
        more=next_hand,
        bob=cast.bob,
        cleo=cast.cleo,
        limit=rules.card_limit(3, 3) + 1,
        end=how_it_ends(rules),
    )


def onwards_text(table: Table, player: int) -> str:
    """Return what a reader of the example can do at the table that offered it."""
    if table.status is not Status.LOBBY:
        return tr("That's all.")
    if player not in table.players:
        return tr("That's all. Press **Join** at the table.")
    if player == table.host_id:
        return tr("That's all. You have a seat: press **Start** once the others have joined.")
    host = mention(table.host_id)
    return tr("That's all. You have a seat, and {host} starts the match.", host=host)


def _practice_text() -> str:
    """Return the text before a first practice: how to bid there, and what helps.

    The help is what the how-to-play example lacks, such as chances, hints and rules.
    """
    return tr(
        "**Practice now** deals you cards against the computer. Pick a kind of hand, then its rank."
        " The number after a kind is the chance of its likeliest hand in percent, by your cards"
        " alone. **Hint** suggests a move; **Rules** lists the hands."
    )


def _picture(example_round: Example, cast: Cast, way: Way) -> ShowdownPicture:
    you = tr("You")
    bidder, challenger = (cast.bob, you) if way == "doubt" else (you, cast.cleo)
    bid = example_round.first if way == "doubt" else example_round.higher
    rows = (
        ShowdownRow(
            name,
            cards,
            loser=name == challenger,
            bidder=name == bidder,
            challenger=name == challenger,
        )
        for name, cards in (
            (cast.bob, example_round.bobs),
            (you, example_round.yours),
            (cast.cleo, example_round.cleos),
        )
    )
    return ShowdownPicture.of(rows, Cards(), proof(bid, example_round.pool).cards)


def _of_rank(rules: Ruleset, rank: Rank) -> list[Card]:
    return sorted(rules.deck.cards & cards_of_rank(rank))
