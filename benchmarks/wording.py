"""What a typed bid costs the event loop: `python -m benchmarks.wording`.

Processor time of one text in milliseconds, the median of many, on the longest ladder: a bid that is
understood, one that is misspelt (with what may have been meant), and a keystroke of autocomplete.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from statistics import median
from time import process_time

from bot.language.catalogues import KEYS, speaking
from bot.language.wordings import others, understood, wording
from engine.variants import VARIANTS, ruleset
from engine.wording import BidTextError

TIMES = 201
MOST_CHOICES = 25
UNDERSTOOD = ("pair of threes", "33", "8c flush", "para trójek", "full asy na damach")
MISSPELT = ("piar of thres", "fulll of aces", "pra trojek", "full asy na dmach", "asdf qwer zxcv")
KEYSTROKES = ("", "p", "pa", "full of", "para ", "kareta d")


def milliseconds(work: Callable[[], object]) -> float:
    """The median processor time of `work`."""
    taken = []
    for _ in range(TIMES):
        began = process_time()
        work()
        taken.append(process_time() - began)
    return median(taken) * 1000


def main() -> None:
    """Print a line for each text."""
    rules = max((ruleset(key) for key in VARIANTS), key=lambda one: len(one.ladder))

    def read(text: str) -> None:
        with contextlib.suppress(BidTextError):
            understood(rules, text)

    def completed(text: str) -> None:
        wording(rules).complete(text, rules.ladder.rungs, others(rules), MOST_CHOICES)

    kinds = (("understood", UNDERSTOOD, read), ("misspelt", MISSPELT, read))
    for key in KEYS:
        with speaking(key):
            read("nothing")  # what is made once is made
            for name, texts, work in (*kinds, ("keystroke", KEYSTROKES, completed)):
                for text in texts:
                    taken = milliseconds(lambda text=text, work=work: work(text))  # type: ignore[misc]
                    print(f"{key}  {name:10}  {text!r:24} {taken:6.2f} ms")


if __name__ == "__main__":
    main()
