"""Parse the chips in a question: "AA(50) vs KK(100), stacks 50 120 230, pays 50 30 20".

An amount in brackets after a hand is what that player has put in; "bets 50 100" lists these amounts
in the order of the hands. The module is loaded only if a text may have chips.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from engine.odds.showdown.pots import Stakes
from engine.patterns import compile_later

_UNITS: Final = r"(?:\.\d+)?(?:k(?!\w)|\s?(?:bbs?|chips)(?!\w)|[%$€£])?"
_AMOUNT: Final = rf"[$€£]?\d[\d']*{_UNITS}"
# in brackets, a comma can only separate thousands
_BRACKETED: Final = rf"\(\s*(?:[$€£]?\d{{1,3}}(?:,\d{{3}})+{_UNITS}|{_AMOUNT})\s*\)"
_BET: Final = compile_later(
    r"(?P<hand>[^\s,;|/():]+)(?<!\bvs)(?<!\bv)(?<!\bagainst)(?<!\bor)\s?"
    rf"(?P<bet>{_BRACKETED})",
    re.IGNORECASE,
)
# a list ends before a hand, such as the 22 of "stacks 50 100, 22 vs AK"
_LIST: Final = rf"{_AMOUNT}(?:[\s,;/]+(?:and\s+)?{_AMOUNT}(?![\w+*-]|\s*(?:vs|v|against)(?!\w)))*"
_BEGIN: Final = r"(?:^|[\s,;(]+)(?:(?:and|with|the|plus|icm:?)\s+)*"
_CLAUSES: Final = {
    name: compile_later(
        rf"{_BEGIN}(?:{words})(?:\s+(?:are|is|of))?\s*:?\s*(?P<amounts>{_LIST})(?![\w+*-])",
        re.IGNORECASE,
    )
    for name, words in (
        ("stacks", "stacks?"),
        ("pays", "pays?|pay-?outs?|prizes?|payouts? structure"),
        ("dead", "dead money"),
        ("bets", "bets"),
    )
}
# "AA(50), KK(100)": a comma between two such hands separates players
_NEXT_BET: Final = compile_later(
    rf"(?<=\))\s*[,;]\s*(?:and\s+)?(?=[^\s,;|/():]+\s?{_BRACKETED})", re.IGNORECASE
)
_NUMBER: Final = compile_later(_AMOUNT, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ChipWords:
    """The chips in a question; `bets` are in the order of the hands, empty if there are none.

    `as_typed` is the text of all clauses about chips. There, amounts in brackets are one clause,
    such as `bets 50 100`.
    """

    bets: tuple[Fraction, ...]
    dead_money: Fraction
    stacks: tuple[Fraction, ...]
    pays: tuple[Fraction, ...]
    as_typed: str

    def stakes(self, players: int) -> Stakes:
        """Return the stakes; without bets, each of the `players` has put in their whole stack."""
        return Stakes(self.bets or self.stacks[:players], self.dead_money, self.stacks, self.pays)


def split_chips(texts: Sequence[str]) -> tuple[list[str], ChipWords | None]:
    """Return the texts without chips, and the chips; None if the texts name none.

    Leave out texts that name only chips. If all texts do, return one empty text.
    """
    clauses: dict[str, tuple[Fraction, ...]] = {}
    typed: list[str] = []
    bets: list[Fraction] = []
    left = []
    for text in texts:
        remaining = text
        for name, pattern in _CLAUSES.items():
            match = pattern.search(remaining)
            if match is not None:
                clauses[name] = tuple(map(_chips, _NUMBER.findall(match["amounts"])))
                typed.append(match[0].strip(" ,;("))
                remaining = f"{remaining[: match.start()]} {remaining[match.end() :]}"
        bets += [_chips(match["bet"]) for match in _BET.finditer(remaining)]
        remaining = _BET.sub(r"\g<hand>", _NEXT_BET.sub(" vs ", remaining))
        if remaining != text:
            remaining = remaining.strip(" ,;\n")
        if remaining or remaining == text:
            left.append(remaining)
    if not bets and not clauses:
        return list(texts), None
    (dead_money, *_) = clauses.get("dead", (Fraction(0),))
    amounts = tuple(bets) or clauses.get("bets", ())
    if bets:
        typed.append(f"bets {' '.join(str(float(bet)) for bet in bets)}")
    words = ChipWords(
        amounts,
        dead_money,
        clauses.get("stacks", ()),
        clauses.get("pays", ()),
        ", ".join(typed),
    )
    return left or [""], words


def _chips(text: str) -> Fraction:
    digits = re.sub(r"[^\d.]", "", text).rstrip(".")
    return Fraction(digits) * (1000 if re.search(r"\dk", text, re.IGNORECASE) else 1)
