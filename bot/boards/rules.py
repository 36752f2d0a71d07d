"""The rules of a game, short enough for a message; every word of it is read from the ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from bot.boards.board import Board, Rule, Text
from bot.pictures.palette import GREEN
from bot.tables.house import game_options
from bot.words import KIND_LABELS, count, listed
from engine.bids import Bid, Kind
from engine.cards import Rank
from engine.readings import RANK_WORDS
from engine.ruleset import FEWEST_PLAYERS, Options, Ruleset
from engine.variants import ruleset

STANDARD_ORDER: Final = (  # of poker hands, weakest first
    Kind.HIGH_CARD,
    Kind.PAIR,
    Kind.TWO_PAIR,
    Kind.THREE,
    Kind.STRAIGHT,
    Kind.FLUSH,
    Kind.FULL_HOUSE,
    Kind.FOUR,
    Kind.STRAIGHT_FLUSH,
    Kind.ROYAL_FLUSH,
    Kind.FIVE,
)


def rules_board(key: str, options: Options | None = None) -> Board:
    """How a game is played, with the house rules of `options` or the usual ones."""
    rules = ruleset(key, game_options(options or {}))
    return Board(
        GREEN,
        (
            Text(f"## {rules.title}\n{_cards(rules)}"),
            Text(_play(rules)),
            Rule(),
            Text(f"**From the weakest hand to the strongest**\n{_ladder(rules)}"),
            Text(_limits(rules)),
        ),
    )


def how_it_ends(rules: Ruleset) -> str:
    """Who wins a match, in one short sentence."""
    if rules.length == "first_out":
        return "The first out ends it: the fewest cards win."
    return "Last one in wins."


def _cards(rules: Ruleset) -> str:
    """What the deck holds, and how the hands differ from the poker that everybody knows."""
    deck = rules.deck
    lowest, highest = deck.ranks[0], deck.ranks[-1]
    whole = len(deck.ranks) == len(Rank)
    ranks = "" if whole else f", {RANK_WORDS[lowest][0]} to {RANK_WORDS[highest][0]}"
    said = f"{deck.size} cards{ranks}"
    if deck.jokers == 1:
        said += ", one of them a joker: it stands for any card"
    elif deck.jokers:
        said += f", {deck.jokers} of them jokers: each stands for any card"
    return f"{said}.{_unusual(rules.ladder.kinds)}"


def _unusual(kinds: Sequence[Kind]) -> str:
    """Which hands beat one that beats them in standard poker."""
    upset = [
        f"{stronger.with_article} beats {weaker.with_article}"
        for weaker, stronger in combinations(kinds, 2)
        if STANDARD_ORDER.index(stronger) < STANDARD_ORDER.index(weaker)
    ]
    return f" Unlike in standard poker, {listed(upset)}." if upset else ""


def _play(rules: Ruleset) -> str:
    terms = rules.terms
    who = (
        f"Anybody but the {terms.bidder} may {terms.doubt}, at any time."
        if rules.challengers == "anyone"
        else f"Only the next player may {terms.doubt}."
    )
    return (
        f"Everybody gets cards in private. In turn, {terms.verb} a poker hand that might be made"
        f" from **all** cards in play, always a higher one than the last; or {terms.doubt}. {who}\n"
        f"Then all cards are shown. If the hand is there, whoever {terms.challenged} loses the"
        f" round; if not, the {terms.bidder} does. The loser gets one more card from then on and"
        f" opens the next round; with too many cards they are out{_end(rules)}"
    )


def _end(rules: Ruleset) -> str:
    if rules.length != "first_out":
        return ". The last one left wins."
    return (
        ", and that ends the match: whoever then holds the fewest cards wins. A tie is played off:"
        " whoever loses a round of that is out."
    )


def _ladder(rules: Ruleset) -> str:
    lines = []
    for kind in rules.ladder.kinds:
        rungs = [rung for rung in rules.ladder.rungs if rung[0].kind is kind]
        lines.append(f"- **{KIND_LABELS[kind]}**: {_span(rules, rungs)}")
    return "\n".join(lines)


def _span(rules: Ruleset, rungs: Sequence[tuple[Bid, ...]]) -> str:
    """The weakest and the strongest bid of a kind.

    Where bids of several suits share a rung, both are said of one suit, so that the words do not
    rank what the rules leave equal.
    """
    first = rungs[0][0]
    last = next((bid for bid in rungs[-1] if bid.suit == first.suit), rungs[-1][-1])
    ends = [rules.wording.say(first), rules.wording.say(last)]
    said = ends[0] if first == last else " … ".join(ends)
    alike = first.suit is not None and len(rungs[0]) > 1
    return f"{said}, and the same in any other suit" if alike else said


def _limits(rules: Ruleset) -> str:
    starts = sorted(set(rules.starting_cards[FEWEST_PLAYERS:]))
    limits = sorted(set(rules.card_limits[FEWEST_PLAYERS:]))
    counted = "are left" if rules.limit_counts == "live" else "played at the start"
    start = " (depending on how many play)" if len(starts) > 1 else ""
    limit = f", depending on how many players {counted}" if len(limits) > 1 else ""
    middle = " One more hand is dealt face down to nobody." if rules.middle_hand else ""
    return (
        f"-# {FEWEST_PLAYERS} to {rules.most_players} players. Everybody starts with"
        f" {_range(starts, 'card')}{start} and may hold at most"
        f" {_range(limits, 'card')}{limit}.{middle}"
    )


def _range(numbers: Sequence[int], noun: str) -> str:
    """`5 cards`, `2 to 6 cards`."""
    most = count(numbers[-1], noun)
    return most if len(numbers) == 1 else f"{numbers[0]} to {most}"
