"""Odds questions close to their grammar: an answer or one sentence, and no absurd amount of work.

The work of reading a question is measured in calls, not in time. Showdowns are read but not
answered, since that takes a second process: only the estimate of an answer's work, and the question
packed into the answer's button, are checked. Bids and Three Card Poker are answered.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Final

from bot.boards.bid_odds import bids_board
from bot.discord.errors import BROKEN
from bot.discord.odds import handlers, questions
from bot.discord.odds.asking import Asker, TypedOptions, bid_question
from bot.discord.odds.questions import ReadShowdown, ThreeCard, TypedShowdown
from engine.errors import EngineError
from engine.odds import PRESETS, Range, Scenario, parse_question
from engine.odds.showdown.counting import cheapest
from engine.odds.showdown.equity import Effort
from engine.variants import VARIANTS
from tests.fuzz import odd
from tests.fuzz.discord_rules import check_board
from tests.fuzz.slow_reader import KEYS
from tests.fuzz.texts import typed_bid
from tests.fuzz.wording import work_of

LONGEST: Final = 800
# characters that the bot puts into its sentences
OURS: Final = {ord("\u00a0"): " ", ord("\u200b"): None}
MOST_WORK: Final = 200_000  # calls to read a question; 10,768 were the most in 1,500 questions
RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
_WORDS: Final = (
    "vs", "v", "against", "or", "|", "/", ",", ";", "and", "&", "board", "on", "flop:", "dead",
    "folded", "random", "any", "2 random", "99 opponents", "nine others", "??", "xx", "*", "**",
    "holdem", "omaha", "plo5", "short deck", "deuce to seven", "ace-to-five", "draw", "in", "100%",
    "22+", "A2s+", "KTo", "76s-54s", "AA-22", "AKs, QQ", "T9o-", "+", "-", "10h", "1h", "Ahh",
)  # fmt: skip
_PAYS: Final = (
    "1/4/5", "40/30/6/4/1", "1000/200/50/25/20/10/5", "0/0/0", "1-4-5", "-1/4/5", "1/4", "1/4/5/6",
    "1e9/1/1", "9" * 40, "nan/1/1", "½/1/1", "1 / 4 / 5", "none", "",
)  # fmt: skip


@cache
def _load_reader() -> None:
    """Read some questions, since the modules that the first one imports are not its work."""
    for text in ("AhKd vs QQ+, flop monotone", "stud: 2c3d4h vs KsQdJh", "AA(50) vs KK(100)"):
        parse_question(text)


def judge(chance: Random) -> str:
    """Ask one question; return its kind and outcome. Raises AssertionError if a check fails."""
    _load_reader()
    ask = chance.choice((_showdown, _showdown, _forged_button, _bids, _three_card))
    name = ask.__name__[1:]
    try:
        return f"{name}: {ask(chance)}"
    except EngineError as error:
        _sentence(handlers.refusal_words(error))
        return f"{name}: refused"


def _sentence(text: str) -> None:
    assert text != BROKEN, "nobody knows why it is refused"
    assert 0 < len(text) <= LONGEST, f"a sentence of {len(text)} characters: {text[:200]!r}"
    assert text.translate(OURS).isprintable(), f"not one line that can be shown: {text!r}"


# --- showdowns ------------------------------------------------------------------------------------


def _card(chance: Random) -> str:
    return chance.choice(RANKS) + chance.choice(SUITS)


def _cards(chance: Random, many: int) -> list[str]:
    """Return `many` different cards of one pack."""
    return chance.sample([rank + suit for rank in RANKS for suit in SUITS], many)


def _hand(chance: Random) -> str:
    match chance.randrange(4):
        case 0:
            return chance.choice(_WORDS)
        case 1:
            return "".join(chance.choices(RANKS, k=2)) + chance.choice(("", "s", "o", "+"))
    return chance.choice(("", " ")).join(
        _card(chance) for _ in range(chance.choice((2, 2, 2, 4, 5)))
    )


def _hands(chance: Random) -> str:
    if chance.random() < 0.4:  # a correct question
        size = chance.choice((2, 2, 2, 4, 5))
        pack = _cards(chance, 26)
        hands = ["".join(pack[at : at + size]) for at in range(0, size * 3, size)]
        text = " vs ".join(hands[: chance.choice((1, 2, 3))])
        return text + chance.choice(("", "", " on " + " ".join(pack[20:23]), f" dead {pack[25]}"))
    hands = [_hand(chance) for _ in range(chance.choice((1, 2, 2, 2, 3, 9)))]
    text = chance.choice((" vs ", " vs ", " v ", ", ", " | ", " ")).join(hands)
    match chance.randrange(6):
        case 0:
            return odd.alter(chance, text)
        case 1:
            return odd.text(chance, _WORDS)
        case 2:
            return " ".join(chance.choices((*_WORDS, _card(chance)), k=chance.randrange(1, 200)))
    return text


def _some_cards(chance: Random) -> str:
    if chance.random() < 0.7:
        return ""
    return odd.text(chance, (_card(chance), f"{_card(chance)} {_card(chance)}", "*", "2c2d2h"))


def _showdown(chance: Random) -> str:
    question = TypedShowdown(
        _hands(chance),
        chance.choice((None, None, *PRESETS, "snap")),
        _some_cards(chance),
        _some_cards(chance),
        chance.choice((0, 0, 0, 1, 2, 22, 23, -1)),
    )
    refused: list[EngineError] = []
    read: list[Scenario] = []

    def reading() -> None:
        try:
            read.append(
                parse_question(
                    question.hands,
                    question.preset,
                    question.board,
                    question.dead,
                    question.opponents,
                )
            )
        except EngineError as error:
            refused.append(error)

    work = work_of(reading)
    assert work <= MOST_WORK, f"{work} calls to read {question}"
    if refused:
        _sentence(handlers.showdown_words(question)(refused[0]))
        raise refused[0]
    scenario = read[0]
    understood = ReadShowdown(question).answer(lambda: False)
    check_board(understood.meanwhile)
    return _check_estimate(scenario, understood.packed)


def _check_estimate(scenario: Scenario, packed: str | None) -> str:
    """Check that the answer's button asks the same question; return the outcome in words.

    `packed` is that button's question, or None. The outcome is `counted` if all deals could be
    counted in time, else `sampled`, followed by `, no button` if `packed` is None.
    """
    plan = cheapest(scenario)
    counted = plan is not None and plan.seconds <= Effort().seconds
    if packed is not None:
        try:
            again = questions.unpack_scenario(packed)
        except EngineError as error:
            raise AssertionError(f"{packed!r} of {scenario} is not read back") from error
        assert _meaning(again) == _meaning(scenario), f"{packed!r} asks otherwise than {scenario}"
        assert questions.pack_scenario(again) == packed
    return ("counted" if counted else "sampled") + ("" if packed else ", no button")


def _meaning(scenario: Scenario) -> object:
    """Return a scenario's content in a comparable form, which ignores how its ranges were typed."""
    players = [held.combos if isinstance(held, Range) else held for held in scenario.players]
    return scenario.rules, players, scenario.board, scenario.dead


def _forged_button(chance: Random) -> str:
    """Unpack a button's question, usually after random changes; return the outcome.

    Raises EngineError if the question is refused.
    """
    text = packed = chance.choice(
        (
            "holdem;aN/yz;;", "omaha;abcd/efgh;ijk;l", "holdem;=QQ+/=AKs;;", "27;abcde/;;",
            "draw;/;;", "shortdeck;zy/;;", "holdem;=any/=random;;Z",
        )
    )  # fmt: skip
    if chance.random() < 0.9:
        text = odd.alter(chance, packed)
    read: list[Scenario] = []
    refused: list[EngineError] = []

    def reading() -> None:
        try:
            read.append(questions.unpack_scenario(text))
        except EngineError as error:
            refused.append(error)

    work = work_of(reading)
    assert work <= MOST_WORK, f"{work} calls to read {text!r}"
    if refused:
        raise refused[0]
    return _check_estimate(read[0], questions.pack_scenario(read[0]))


# --- bids and Three Card Poker --------------------------------------------------------------------


def _bids(chance: Random) -> str:
    game = chance.choice(sorted(KEYS))
    variant = VARIANTS[game]
    deck = [str(card) for card in variant.ruleset({}).deck.cards]
    cards = " ".join(chance.sample(deck, chance.randrange(6)))
    if chance.random() < 0.4:
        cards = odd.text(chance, (cards, "*", "**", "A♠", "10h", "Ah Ah"))
    bid = typed_bid(chance, game)[0] if chance.random() < 0.6 else None
    chosen = {
        option.key: chance.choice(option.choices).value
        for option in variant.odds_options
        if chance.random() < 0.5
    }
    in_play = chance.choice((None, 6, 7, 8, 0, -1, 1, 5, 9, 12, 24, 30, 54, 55, 10**9))
    options = TypedOptions(in_play, cards if chance.random() < 0.9 else None, bid, chosen)
    question, private = bid_question(variant, Asker(1, ()), options)
    assert not private  # nobody sits at a table here
    check_board(bids_board(question))
    return "answered"


def _three_card(chance: Random) -> str:
    hand = chance.choice(("", " ".join(_cards(chance, 3))))
    fields = [
        odd.text(chance, (hand, "Qs 6h 4d")) if chance.random() < 0.3 else hand,
        _some_cards(chance),
        *(
            right if chance.random() < 0.8 else odd.text(chance, _PAYS, 60)
            for right in chance.choices((_PAYS[:3], ("", "", "")))[0]
        ),
    ]
    check_board(ThreeCard(*fields).answer(lambda: False))
    return "answered"
