"""What the rules pages say about play, checked against the engine in whole matches.

The rules page of a game reads the deck, the ladder, the limits and who may challenge from the
ruleset. But its statements about play are fixed texts, as are those of the documents, which a
changed rule would make false. So they are checked with every choice of every option.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from bot.boards.board import Menu
from bot.boards.rules import rules_board
from bot.boards.seat import seat_board, stake
from bot.boards.table import table_board
from bot.discord import errors
from bot.language.words import NUMBERS
from bot.tables.live import LiveTable
from bot.terminal.sentences import prompt
from bot.terminal.table import PERSON, TerminalTable
from engine.actions import Challenge, Deal, MakeBid
from engine.bids import holds
from engine.errors import NothingToChallenge
from engine.play import apply, legal, start
from engine.rotation import card_limit, playing_off
from engine.ruleset import Options
from engine.state import Match
from engine.variants import VARIANTS, ruleset
from engine.view import view_of
from tests.bot.boards.rounds import ANN, NAMES, board_text, live
from tests.dealing import Chooser, Habits, fair_deal, play, random_match, seed_from

DOCS = Path(__file__).parents[3] / "docs"
OPENS = "The loser gets one more card from then on, and opens the next round"
JUDGED = "If the hand is there, the player who"
HIGHER = "higher than the last one"
OUT = "too many cards"
WHO_OPENS = [  # the page, and what it says of who opens the next round
    (
        "rules.md",
        "The loser opens the next round. If that player is out, the next live player to their left"
        " opens.",
    ),
    (
        "rules.md",
        "no one gains a card, and the next live player to their left opens the next round.",
    ),
    ("playing.md", "The loser gets one more card and opens the next round."),
]
RECKONED = {1}  # the cards that a loss costs, as `_match_seconds` (bot/boards/lobby.py) reckons
COSTS = [  # the page, and what it says of the cards that the loser gets
    ("rules.md", "The loser gets one more card from the next round on"),
    ("rules.md", "A wrong bid costs a card"),
    ("playing.md", "The loser gets one more card"),
    ("adding-a-game.md", "the loser holds one more card from then on"),
    ("adding-a-game.md", "trumps, or another penalty"),
]
CHOICES: list[tuple[str, Options]] = [
    *((game, {}) for game in VARIANTS),
    *(
        (game, {option.key: choice.value})
        for game, variant in VARIANTS.items()
        for option in variant.all_options
        for choice in option.choices[1:]
    ),
]


def text_of(case: object) -> str:
    if isinstance(case, dict):
        return " ".join(f"{key}={value}" for key, value in case.items()) or "usual"
    return str(case)


@pytest.mark.parametrize(("game", "options"), CHOICES, ids=text_of)
def test_the_engine_plays_what_the_rules_page_says(game: str, options: Options) -> None:
    rules = ruleset(game, options)
    page = board_text(rules_board(game, options))
    for sentence in (OPENS, JUDGED, HIGHER, OUT):
        assert sentence in page, (
            f"bot/boards/rules.py doesn't say {sentence!r} with {options}: check here that the"
            " engine plays what it says instead"
        )
    only_next = "Only the next player can" in page
    judged = 0
    for number in range(3):
        standing = -1
        for match, action in random_match(start(rules, range(4)), Chooser(f"{number}"), Habits()):
            after = apply(match, action)
            if isinstance(action, Deal):
                standing = -1
            elif isinstance(action, MakeBid):
                rung = rules.ladder.number(rules.ladder.bid(action.key))
                assert rung > standing, HIGHER
                standing = rung
                challengers = legal(after).challengers
                assert len(challengers) == (1 if only_next else len(after.live) - 1)
            elif isinstance(action, Challenge):
                check_challenge(match, action, after)
                judged += 1
    assert judged > 20


@pytest.mark.parametrize(("game", "options"), CHOICES, ids=text_of)
def test_the_rules_page_says_what_each_choice_changes(game: str, options: Options) -> None:
    is_usual = board_text(rules_board(game, options)) == board_text(rules_board(game))
    assert not options or not is_usual, (
        f"the page of rules is the same with {text_of(options)} as with the usual rules: say in"
        " bot/boards/rules.py what the option changes"
    )


@pytest.mark.parametrize(("game", "options"), CHOICES, ids=text_of)
def test_a_round_opens_with_any_bid_where_players_read_that_it_does(
    game: str, options: Options
) -> None:
    rules = ruleset(game, options)
    match = start(rules, tuple(NAMES), opener=0)
    match = play(match, fair_deal(match, seed_from(game)))
    allowed = [bid.key for rung in legal(match).rungs for bid in rung]
    board = table_board(live(match, game, options=options), NAMES)
    offered = [key for menu in board.rows if isinstance(menu, Menu) for key, *_ in menu.options]
    assert offered
    assert set(offered) <= set(allowed), (
        "`_bid_menu` (bot/boards/bidding.py) offers bids that the engine refuses"
    )
    read = what_the_opener_reads(match, options)
    any_bid = f" with any {rules.terms.noun}"
    saying = [place for place, text in read.items() if any_bid in text]
    if allowed == [bid.key for bid in rules.ladder]:
        assert saying == list(read), (
            f"if one of these places no longer says{any_bid!r}, with no option, take it out of"
            " `what_the_opener_reads`"
        )
    else:
        assert not saying, (
            f"with {text_of(options)}, the engine lets a round open with {len(allowed)} of the"
            f" {len(rules.ladder)} bids, but the opener reads{any_bid!r}. Name the lowest one in"
            f" {', '.join(saying)}"
        )


@pytest.mark.parametrize(("game", "options"), CHOICES, ids=text_of)
def test_players_in_turn_read_that_they_may_challenge_where_they_may(
    game: str, options: Options
) -> None:
    rules = ruleset(game, options)
    match = start(rules, tuple(NAMES), opener=0)
    match = play(match, fair_deal(match, seed_from(game)))
    for _ in range(3):
        allowed = legal(match)
        assert allowed.bidder is not None
        may = allowed.bidder in allowed.challengers
        for place, text in what_who_acts_reads(match, options).items():
            says = re.search(rf"\b(?:or|must|to|can|so) {rules.terms.doubt}\b", text) is not None
            assert says == may, (
                f"with {text_of(options)}, who acts may {'' if may else 'not '}challenge, but"
                f" {place} says: {text}"
            )
        match = play(match, MakeBid(allowed.bidder, allowed.rungs[0][0].key))


def what_who_acts_reads(match: Match, options: Options) -> dict[str, str]:
    """Return the texts that tell the player in turn what to do, by their places in the code."""
    rules = match.ruleset
    seated = live(match, rules.key, options=options)
    in_turn = legal(match).bidder
    assert in_turn is not None
    terminal = TerminalTable(rules, ["careful"], seed=1)
    assert match.round is not None
    first = PERSON if len(match.round.bids) % 2 == 0 else 1 - PERSON
    terminal.match = start(rules, (0, 1), opener=first)
    terminal.deal()
    for entry in match.round.bids:
        bidder = legal(terminal.match).bidder
        assert bidder is not None
        terminal.match = play(terminal.match, MakeBid(bidder, entry.bid.key))
    player = match.seats[in_turn].player
    return {
        "`_what_to_do` (bot/boards/bidding.py)": table_line(seated),
        "`_who_acts` (bot/boards/seat.py)": seat_line(seated, player),
        "`prompt` (bot/terminal/sentences.py)": prompt(terminal),
    }


def table_line(seated: LiveTable) -> str:
    """Return the line of a table's message that asks the player in turn to act."""
    lines = board_text(table_board(seated, NAMES)).splitlines()
    return next(line for line in lines if re.match(r"<@\d+>, ", line))


def seat_line(seated: LiveTable, player: int) -> str:
    """Return the line of a seat that says that it is its player's turn."""
    lines = board_text(seat_board(seated, player)).splitlines()
    return next(line for line in lines if "Your turn" in line)


def what_the_opener_reads(match: Match, options: Options) -> dict[str, str]:
    """Return what players read when they open a round, by the place in the code that says it."""
    seated = live(match, match.ruleset.key, options=options)
    terminal = TerminalTable(match.ruleset, ["careful"], seed=1)
    terminal.match = start(match.ruleset, (0, 1), opener=PERSON)
    terminal.deal()
    return {
        "`_what_to_do` (bot/boards/bidding.py)": board_text(table_board(seated, NAMES)),
        "`_who_acts` (bot/boards/seat.py)": board_text(seat_board(seated, ANN)),
        "`prompt` (bot/terminal/sentences.py)": prompt(terminal),
        "`_OF_RULES` (bot/discord/errors.py)": errors.sentence(NothingToChallenge(), seated),
    }


def check_challenge(before: Match, challenge: Challenge, after: Match) -> None:
    """Assert that a challenge's loser gets a card and opens next, or is out, as the page says.

    Also assert that no other player's number of cards changes.
    """
    assert before.round is not None
    loser = loser_of(before, challenge)
    cards, now = before.seats[loser].cards, after.seats[loser]
    if now.live:
        assert now.cards == cards + 1, OPENS
        assert after.opener == loser, (
            f"bot/boards/rules.py says {OPENS!r}, but the engine lets seat {after.opener} open"
        )
    else:
        assert cards + 1 > card_limit(before.ruleset, before.seats), OUT
    for was, later in zip(before.seats, after.seats, strict=True):
        if later.live and was.player != now.player:
            assert later.cards == was.cards, OPENS


def loser_of(before: Match, challenge: Challenge) -> int:
    """Return the seat that a challenge lets lose; the bidder may have forfeited."""
    assert before.round is not None
    assert before.round.standing is not None
    standing = before.round.standing
    return challenge.seat if holds(standing.bid, before.round.pool) else standing.seat


@pytest.mark.parametrize(("game", "options"), CHOICES, ids=text_of)
def test_the_documents_say_who_opens_the_next_round(game: str, options: Options) -> None:
    """Check that the loser or the next to the left opens, or that the pages name the option."""
    first = start(ruleset(game, options), range(4))
    cases: Counter[str] = Counter()
    otherwise = ""
    for number in range(100):
        for before, action in random_match(first, Chooser(f"{number}"), Habits(leave=10)):
            if not isinstance(action, Challenge):
                continue
            after, loser = apply(before, action), loser_of(before, action)
            around = [(loser + step) % len(after.seats) for step in range(len(after.seats))]
            opener = next(seat for seat in around if after.seats[seat].live)
            cases["the loser" if opener == loser else "the next to the left"] += 1
            cases["after a forfeit"] += not before.seats[loser].live
            if after.opener != opener:
                otherwise = f"seat {after.opener} of {len(around)} opens after seat {loser} lost"
    assert min(cases.values()) > 0
    for page, sentence in WHO_OPENS:
        item, keys = item_with(page, sentence), [f"`{key}`" for key in options]
        assert not otherwise or (keys and all(key in item for key in keys)), (
            f"docs/{page} says {sentence!r}, but with {options or 'the usual rules'} {otherwise}:"
            f" change the sentence{', or name there the option ' if keys else ''}{' '.join(keys)}"
        )


@pytest.mark.parametrize(("game", "options"), CHOICES, ids=text_of)
def test_a_loss_costs_the_cards_that_players_read(game: str, options: Options) -> None:
    first = start(ruleset(game, options), range(3))
    costs = set()
    for number in range(10):
        for before, action in random_match(first, Chooser(f"{number}"), Habits()):
            if not isinstance(action, Challenge) or playing_off(first.ruleset, before.seats):
                continue
            loser = loser_of(before, action)
            cards, now = before.seats[loser].cards, apply(before, action).seats[loser]
            line = stake(view_of(before, loser))
            says = re.fullmatch(r"-# Lose a round: \+(\d) cards?\. At (\w+) you're out\.", line)
            then = cards + int(says[1]) if says is not None else 0
            stays = says is not None and then < NUMBERS.index(says[2])
            assert (then if stays else None) == (now.cards if now.live else None), (
                f"with {text_of(options)}, a seat with {cards} cards lost and"
                f" {f'holds {now.cards}' if now.live else 'is out'}, but `stake`"
                f" (bot/boards/seat.py) said {line!r}"
            )
            costs |= {now.cards - cards} if now.live else set()
    assert costs
    assert costs <= RECKONED, (
        f"with {text_of(options)} a loss may cost {sorted(costs)} cards: let the lobby's"
        " `_match_seconds` reckon with that, which says how long a match takes, and name it here"
    )
    for page, sentence in COSTS:
        item, keys = item_with(page, sentence), [f"`{key}`" for key in options]
        assert costs == {1} or (keys and all(key in item for key in keys)), (
            f"docs/{page} says {sentence!r}, but with {options or 'the usual rules'} a loser may"
            f" get {sorted(costs)} cards: change the sentence"
            f"{', or name there the option ' if keys else ''}{' '.join(keys)}"
        )


def item_with(page: str, sentence: str) -> str:
    """Return the paragraph or the item of a list in a page of the documents with a sentence."""
    items = re.split(r"\n(?=\s*(?:- |\d+\. |\n))", (DOCS / page).read_text())
    with_sentence = [text for item in items if sentence in (text := " ".join(item.split()))]
    assert with_sentence, (
        f"docs/{page} doesn't say {sentence!r}: check in WHO_OPENS or COSTS what it says instead"
    )
    return with_sentence[0]
