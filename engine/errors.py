"""What can go wrong, as facts; sentences are made once, at the edge (`bot`, the command line).

EngineError
├── TextError              a text could not be understood: what was given, why, an example
├── RulesetError           options that do not make a playable ruleset
└── RuleViolation          an action the rules refuse (see the classes below)
"""

from __future__ import annotations


class EngineError(Exception):
    """Base of every error the engine raises on purpose."""


class TextError(EngineError, ValueError):
    """A text could not be understood.

    `text` is what was given, `reason` says in half a sentence what is wrong with it, `example`
    is a text of the expected form. `str()` of it is one sentence fit to be shown.
    """

    def __init__(self, text: str, reason: str, example: str) -> None:
        super().__init__(f"{reason}. Example: {example}")
        self.text = text
        self.reason = reason
        self.example = example


class RulesetError(EngineError, ValueError):
    """Options that do not make a playable ruleset; `str()` of it is a sentence fit to be shown."""
