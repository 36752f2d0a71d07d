"""Read from the local Discord's journal how interactions were answered and who was shown what."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from tests.crash.people import CONFIRMATIONS, Act

MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES = 4, 5, 6, 7, 8
OK: Final = (200, 204)
NOT_STORED: Final = "database isn't available"


@dataclass
class Answers:
    """The answers to one interaction. `tried`: how many the bot sent, refused answers included."""

    tried: int = 0
    taken: int | None = None  # the kind of the answer that Discord took
    text: str = ""
    edited: bool = False  # after a deferral, its message was redrawn
    followup: str = ""  # after a deferral
    not_stored: bool = False  # the answer said so
    at: float = 0.0
    choices: list[str] = field(default_factory=list)

    def acknowledges(self, act: Act) -> bool:
        """Return whether the answer confirms that the move counts."""
        if self.taken == UPDATE or (self.taken == DEFER_UPDATE and self.edited):
            return True
        text = self.text if self.taken == MESSAGE else self.followup
        if self.taken == MESSAGE and act.kind == "doubt" and "· Showdown**" in text:
            return True
        return act.kind in ("bid", "doubt") and text.startswith(CONFIRMATIONS) and "**" in text


@dataclass(frozen=True)
class ShownMessage:
    """A message as shown to some people; `at` is in milliseconds."""

    at: float
    id: str
    channel: str
    new: bool
    private: bool
    to: frozenset[int]
    text: str


@dataclass(frozen=True)
class Redelivery:
    """An interaction that was delivered once more; `at` is in milliseconds."""

    at: float
    interaction: int
    answered: bool  # before


@dataclass
class Record:
    """The entries of the journal, in its order."""

    answers: dict[int, Answers] = field(default_factory=dict)
    messages: list[ShownMessage] = field(default_factory=list)
    forms: list[ShownMessage] = field(default_factory=list)
    redeliveries: list[Redelivery] = field(default_factory=list)
    # time and interaction of each try to answer
    tries: list[tuple[float, int]] = field(default_factory=list)
    deleted: set[str] = field(default_factory=set)
    _tokens: dict[str, int] = field(default_factory=dict)

    def read(self, lines: list[dict[str, Any]]) -> Record:
        """Add lines of the journal and return this record."""
        for line in lines:
            match line["what"]:
                case "request":
                    self._request(line)
                case "shown" if line["bot"]:
                    self.messages.append(_read_message(line))
                case "form":
                    self.forms.append(_read_message(line))
                case "again":
                    self.redeliveries.append(
                        Redelivery(line["at"], int(line["id"]), line["answered"])
                    )
                case "deleted":
                    self.deleted.add(line["id"])
        return self

    def _request(self, line: dict[str, Any]) -> None:
        parts = line["path"].strip("/").split("/")
        if parts[0] == "interactions":
            number, token = int(parts[1]), parts[2]
            self._tokens[token] = number
            answer = self.answers.setdefault(number, Answers())
            answer.tried += 1
            self.tries.append((line["at"], number))
            if line["status"] in OK:
                answer.taken, answer.text = line["type"], line["text"]
                answer.at, answer.choices = line["at"], line["choices"]
                answer.not_stored = NOT_STORED in line["text"]
        elif parts[0] == "webhooks" and len(parts) > 2 and line["status"] in OK:
            known = self.answers.get(self._tokens.get(parts[2], 0))
            if known is not None:
                # a seat posted by this press's token is edited by it too; so is the table, often,
                # even if the press was refused
                drawn = line["method"] == "PATCH" and parts[-1] == "@original"
                known.edited |= drawn and not known.followup
                known.followup = known.followup or line["text"]
                known.not_stored |= NOT_STORED in line["text"]


def _read_message(line: dict[str, Any]) -> ShownMessage:
    return ShownMessage(
        line["at"],
        line.get("id", ""),
        line.get("channel", ""),
        line.get("new", True),
        line.get("private", True),
        frozenset(map(int, line["to"])),
        line["text"],
    )
