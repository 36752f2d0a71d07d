"""The help: buttons for everything a person can do, and a game's rules, short enough for a message.

The rules are worded from the ruleset alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from bot.boards.board import Board, Button, Rule, Text
from bot.language.catalogues import ENGLISH, N_, spoken, tr, trn
from bot.language.wordings import bid_text, bid_with_ranks, game_words
from bot.language.words import cards_counted, join_words, kind_label, number_word, rank_word
from bot.pictures.palette import GREEN
from bot.tables.table_options import game_options
from engine.bids import Bid, Kind
from engine.cards import Rank
from engine.ruleset import FEWEST_PLAYERS, Options, Ruleset, Variant
from engine.variants import VARIANTS, ruleset, variant

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
EXPECTED: Final = tuple(  # a royal flush is the best straight flush, and five need a joker
    kind for kind in STANDARD_ORDER if kind not in (Kind.ROYAL_FLUSH, Kind.FIVE)
)
# topic -> label; a topic with a command is named after it
TABLES: Final = {"play": N_("Play"), "table": N_("Table")}
ANYWHERE: Final = (  # short enough for two in a row on a phone, in any language
    {"practice": N_("Practice"), "rules": N_("Rules")},
    {"odds": N_("Odds"), "history": N_("Matches")},
    {"records": N_("Stats"), "preferences": N_("Preferences")},
)
WHICH: Final[Mapping[str, str]] = {
    "play": N_("**Which game?** A table opens here, and everyone can join."),
    "practice": N_("**Which game?** You play against the computer, and only you see it."),
    "rules": N_("**Which game's rules?**"),
}


def rules_board(key: str, options: Options | None = None) -> Board:
    """Return how to play a game with the house rules of `options`, or with the standard ones."""
    rules = ruleset(key, game_options(options or {}))
    published_words = variant(key).published_words
    words = f"\n-# {tr(published_words)}" if published_words else ""
    return Board(
        GREEN,
        (
            Text(f"## {tr(rules.title)}\n{deck_text(rules)}"),
            Text(_play(rules)),
            Rule(),
            Text(f"**{tr('From the weakest hand to the strongest')}**\n{_ladder(rules)}"),
            Text(_limits(rules) + words),
        ),
    )


def how_it_ends(rules: Ruleset) -> str:
    """Return who wins a match, in one short sentence."""
    if rules.length == "first_out":
        return tr("It ends when the first player is out: the fewest cards win.")
    return tr("Last one in wins.")


def deck_text(rules: Ruleset) -> str:
    """Return what is in the deck, and how the ranking of hands differs from standard poker."""
    deck = rules.deck
    lowest, highest = deck.ranks[0], deck.ranks[-1]
    whole = len(deck.ranks) == len(Rank)
    held = cards_counted(deck.size - deck.jokers)
    if not whole:
        ends = {"lowest": rank_word(lowest), "highest": rank_word(highest)}
        held += ", " + tr("{lowest} to {highest}", **ends)
    if deck.jokers:
        amount = number_word(deck.jokers)
        held = trn(
            "{cards} plus {amount} joker, which counts as any card",
            "{cards} plus {amount} jokers, which count as any card",
            deck.jokers,
            cards=held,
            amount=amount,
        )
    return f"{held}.{_unusual(rules.ladder.kinds)}"


def _unusual(kinds: Sequence[Kind]) -> str:
    """Return which hands beat a hand that would win in standard poker, and which are missing.

    Each of the two sentences follows a space; either may be left out.
    """
    upset = [
        tr("{stronger} beats {weaker}", stronger=_a_kind(stronger), weaker=_a_kind(weaker))
        for weaker, stronger in combinations(kinds, 2)
        if STANDARD_ORDER.index(stronger) < STANDARD_ORDER.index(weaker)
    ]
    texts = [tr("Unlike in standard poker, {upset}.", upset=_join_clauses(upset))] if upset else []
    missing = [kind_label(kind).lower() for kind in EXPECTED if kind not in kinds]
    if missing:
        texts.append(tr("Not in this game: {hands}.", hands=join_words(missing)))
    return "".join(f" {text}" for text in texts)


def _join_clauses(clauses: Sequence[str]) -> str:
    """Join clauses: "a beats b, and c beats d"; a comma keeps their ends apart."""
    *head, tail = clauses
    return tr("{first}, and {last}", first=", ".join(head), last=tail) if head else tail


def _a_kind(kind: Kind) -> str:
    """Return the kind's name for use in a sentence, in English with its article."""
    if spoken().key == ENGLISH:
        return kind.with_article
    return spoken().vocabulary.kinds[kind]


def _play(rules: Ruleset) -> str:
    terms = game_words(rules)
    challengers = (
        tr("Anyone but the {bidder} can {doubt}, at any time.")
        if rules.challengers == "anyone"
        else tr("Only the next player can {doubt}.")
    ).format(bidder=terms.bidder, doubt=terms.doubt)
    play = tr(
        "Everyone gets cards in private. On your turn, {verb} a poker hand that **all** the cards"
        " in play together could make, higher than the last one; or {doubt}.",
        verb=terms.verb,
        doubt=terms.doubt,
    )
    showdown = tr(
        "Then everyone shows their cards. If the hand is there, the player who {challenged} loses"
        " the round. If not, the {bidder} does.",
        challenged=terms.challenged,
        bidder=terms.bidder,
    )
    return f"{play} {challengers}\n{showdown} {_end(rules)}"


def _end(rules: Ruleset) -> str:
    if rules.length != "first_out":
        return tr(
            "The loser gets one more card from then on, and opens the next round. With too many"
            " cards you're out. The last player left wins."
        )
    return tr(
        "The loser gets one more card from then on, and opens the next round. The first player"
        " with too many cards is out, and that ends the match: the fewest cards win. Ties are"
        " played off: lose a round of that and you're out."
    )


def _ladder(rules: Ruleset) -> str:
    lines = []
    for kind in rules.ladder.kinds:
        rungs = [rung for rung in rules.ladder.rungs if rung[0].kind is kind]
        lines.append(f"- **{kind_label(kind)}**: {_span(rules, rungs)}{_named_card(rungs[0][0])}")
    return "\n".join(lines)


def _named_card(bid: Bid) -> str:
    """Return, after a space, which cards a flush with a named card needs; empty for other bids."""
    if bid.kind is not Kind.FLUSH or not bid.ranks:
        return ""
    if only_lower(bid):
        return " " + tr("(the named card and four lower ones of its suit)")
    return " " + tr("(the named card and any four others of its suit, higher or lower)")


def only_lower(flush: Bid) -> bool:
    """Return whether the other cards of a flush must be lower than the card that its bid names."""
    return all(card.rank < flush.ranks[0] for card in flush.needs[-1].cards)


def _span(rules: Ruleset, rungs: Sequence[tuple[Bid, ...]]) -> str:
    """Return the weakest and the strongest bid of a kind of hand.

    If several suits share a rung, both bids are named in one suit, and the text adds that no
    suit is higher.
    """
    first = rungs[0][0]
    last = next((bid for bid in rungs[-1] if bid.suit == first.suit), rungs[-1][-1])
    ends = [bid_with_ranks(rules, first), bid_with_ranks(rules, last)]
    span = ends[0] if first == last else " … ".join(ends)
    alike = first.suit is not None and len(rungs[0]) > 1
    return tr("{span}, or in any other suit: no suit is higher", span=span) if alike else span


def _limits(rules: Ruleset) -> str:
    starts = sorted(set(rules.starting_cards[FEWEST_PLAYERS:]))
    limits = sorted(set(rules.card_limits[FEWEST_PLAYERS:]))
    start, limit = _range(starts), _range(limits)
    if len(starts) > 1:
        start = tr("{cards} (depending on how many play)", cards=start)
    if len(limits) > 1:
        text = (
            tr("{cards}, depending on how many players are left")
            if rules.limit_counts == "live"
            else tr("{cards}, depending on how many players played at the start")
        )
        limit = text.format(cards=limit)
    text = tr(
        "-# {fewest} to {most} players. Everyone starts with {start} and can hold at most {limit}.",
        fewest=FEWEST_PLAYERS,
        most=rules.most_players,
        start=start,
        limit=limit,
    )
    if rules.middle_hand:
        text += " " + tr("One extra hand is dealt face down.")
    return text


def _range(numbers: Sequence[int]) -> str:
    """Return a number or range of cards: `5 cards`, `2 to 6 cards`."""
    if len(numbers) == 1:
        return cards_counted(numbers[0])
    return trn(
        "{fewest} to {number} card", "{fewest} to {number} cards", numbers[-1], fewest=numbers[0]
    )


def help_board(*, in_server: bool) -> Board:
    """Return the help, with a button for each topic. Outside servers, leave out table topics."""
    games = join_words(tr(variant.title) for variant in VARIANTS.values())
    text = tr(
        "**{games}**\n"
        "Everyone gets cards in private and bids on the best hand that *all* the cards in play"
        " could make, until someone challenges. What would you like to do?",
        games=games,
    )
    rows: tuple[Mapping[str, str], ...] = ANYWHERE
    if in_server:
        rows = (TABLES, *ANYWHERE)
        foot = tr("-# `/leave`: leave a match, end it, or report someone away.")
        text = f"{text}\n{foot}"
    return Board(GREEN, (Text(text),), tuple(_row(topics) for topics in rows))


def which_game_board(topic: str) -> Board:
    """Return the board that asks which game a topic (a key of `WHICH`) is about."""
    games = [
        Button("help", tr(variant.title), "primary", choice=f"{topic}.{key}")
        for key, variant in VARIANTS.items()
    ]
    return Board(GREEN, (Text(tr(WHICH[topic])),), ((*games, _back()),))


def odds_board() -> Board:
    """Return how to ask for odds, with an example of each kind of question."""
    examples = [
        *(_of_bids(variant) for variant in VARIANTS.values()),
        tr("`/odds showdown hands:AhKd vs QQ`: each hand's win odds"),
        tr("`/odds three-card hand:Qs 6h 4d`: whether to play it"),
    ]
    text = "\n".join([tr("**Odds, exactly**"), *(f"- {line}" for line in examples)])
    return Board(GREEN, (Text(text),), ((_back(),),))


def _of_bids(variant: Variant) -> str:
    rules = variant.ruleset()
    bids = list(rules.ladder)
    return tr(
        "`/odds {game} in_play:12 bid:{bid}`: a bid with 12 cards in play; at a table just `/odds"
        " {game}`",
        game=variant.short,
        bid=bid_text(rules, bids[len(bids) // 4]),
    )


def _row(topics: Mapping[str, str]) -> tuple[Button, ...]:
    return tuple(
        Button("help", tr(label), "primary" if topic == "play" else "secondary", choice=topic)
        for topic, label in topics.items()
    )


def _back() -> Button:
    return Button("help", tr("Back"))
