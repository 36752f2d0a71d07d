"""Loads the kernels of heavy odds and of the computer players before the first question.

`python -m bot.computing.warming` compiles them into numba's cache and ends: a process that has
compiled keeps the compiler in memory, and one that loads from the cache doesn't.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import Final

# A question for each kernel, those that sample apart from those that count. A sampled one is first
# among either: until there is compiled code, arrays count.
_TO_SAMPLE: Final = (
    ("AhKd vs QcQs vs random", False),
    ("QQ+ vs AKs vs random", False),
    ("AhKd(50) vs random(60)", False),
    ("draw AsAhKsKh vs 9c9d8h8s", True),
    ("deuces wild, AhKd(50) vs QcQs(60), board 9c 8d 7s", True),
)
_TO_COUNT: Final = (
    ("AhKd vs QcQs, flop monotone", False),
    ("AhKd vs QcQs", True),
    ("AhKd vs QcQs vs random", True),
    ("AhKd vs QcQs, flop monotone", True),
    ("AhKd vs QcQs, board K**", True),
    ("AhKd vs QcQs, board 9c 8d 7s, turn heart and river heart", True),
    ("AhKd vs QcQs, board 9c 8d 7s, run it twice", True),
)
_SAMPLED: Final = (
    1500  # more than one block of deals, since full and partial blocks use different kernels
)


def load_kernels() -> None:
    """Load every kernel of odds."""
    load_sampling()
    load_counting()


def load_sampling() -> None:
    """Load the kernels that sample deals or list them, by asking questions that need them."""
    _answer_all(_TO_SAMPLE)


def load_counting() -> None:
    """Load the kernels that count deals, by asking questions that need them."""
    from engine.odds import Effort, equity_curve, parse_question, showdown_odds

    _answer_all(_TO_COUNT)
    two = parse_question("AhKd vs QcQs, board 9c 8d 7s")
    showdown_odds(two, Effort(exact=True, ranked=False))  # without ranks, as for each next card
    equity_curve(parse_question("AhKd vs QQ, board 9c 8d 7s 2h"))  # scores many hands at once


def _answer_all(questions: tuple[tuple[str, bool], ...]) -> None:
    """Answer questions, exactly where their second part is true."""
    from engine.odds import Effort, parse_question, showdown_odds

    for text, exact in questions:
        effort = Effort(exact=True, table=False) if exact else Effort(deals=_SAMPLED)
        showdown_odds(parse_question(text), effort)


def load_players() -> None:
    """Load the kernels of the computer players and the coach, by having each decide in a round."""
    from engine.actions import Deal, MakeBid
    from engine.play import apply, start
    from engine.players import CHARACTERS, Memory, choose, observe
    from engine.players.coaching.advising import advise
    from engine.players.coaching.decisions import decisions_of
    from engine.players.sharp import prepare
    from engine.shuffle import SEED_BYTES, VERSION, commitment, shuffle
    from engine.variants import VARIANTS, ruleset
    from engine.view import view_of

    seed = bytes(SEED_BYTES)
    for game in VARIANTS:
        rules = ruleset(game)
        prepare(rules)
        for players in (2, 3):
            dealt = shuffle(seed, rules.deck.order, players)
            deal = Deal(dealt.order, commitment(seed), VERSION, dealt.drawn)
            first = start(rules, range(players), opener=0)
            match = apply(first, deal)
            for character in CHARACTERS:
                position = observe(view_of(match, 0), Memory(character, 1))
                if position is not None:
                    choose(position, rules)
    # by a third seat: heads-up the coach looks up solved rounds, and reads no bids
    bids = [MakeBid(seat, rules.ladder.at(seat).key) for seat in range(2)]
    *_, decision = decisions_of(first, (deal, *bids))
    advise(decision, rules, readings=1)


def compile_apart() -> None:
    """Compile all kernels into numba's cache in another process, and wait until it ends.

    The other process ends when this one does.
    """
    command = [sys.executable, "-P", "-m", "bot.computing.warming"]
    # the pipe is open until either process ends
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=nowhere, stderr=nowhere) as child:
        child.wait()


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    load_players()
    load_kernels()
    os._exit(0)  # without waiting for the reading thread
