"""Why the engine refuses something, in the language that is spoken: its facts in our templates."""

from __future__ import annotations

from bot.language.catalogues import ENGLISH, figure, spoken, tr, trn
from engine.errors import Reason


def reason_said(reason: str) -> str:
    """A reason in the language that is spoken; as it is, where it is none of the engine's."""
    if not isinstance(reason, Reason) or spoken().key == ENGLISH:
        return reason
    shown = {name: _said(fact) for name, fact in reason.facts.items()}
    number = reason.facts.get("number")
    if isinstance(number, int):
        del shown["number"]
        return trn(reason.template, reason.template, number, **shown)
    return tr(reason.template, **shown)


def _said(fact: int | str | tuple[str, ...]) -> str:
    """A fact as people read it; names of games and of hands are texts of the catalogue."""
    if isinstance(fact, int):
        return figure(fact, ",")
    return tr(fact) if isinstance(fact, str) else ", ".join(map(tr, fact))
