"""What lies over the table for a while: the rules, and the question before leaving."""

from __future__ import annotations

from typing import ClassVar

from rich.markdown import Markdown
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static


class RulesScreen(ModalScreen[None]):
    """The rules of the game, to be scrolled; any of the usual keys closes them."""

    AUTO_FOCUS = "VerticalScroll"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, "dismiss", "Close") for key in ("escape", "r", "question_mark", "q", "enter")
    ]

    def __init__(self, title: str, rules: str) -> None:
        super().__init__()
        self._title, self._rules = title, rules

    def compose(self) -> ComposeResult:
        """The rules, and the key that closes them."""
        with Vertical(classes="over") as over:
            over.border_title = self._title
            with VerticalScroll():
                yield Static(Markdown(self._rules))
            yield Static("↑ ↓ scroll · Esc closes", classes="keys")


class LeaveScreen(ModalScreen[bool]):
    """Asks whether to leave a match that is not over; True to leave."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "leave", "Leave"),
        *(Binding(key, "stay", "Stay") for key in ("n", "escape", "q")),
    ]

    def compose(self) -> ComposeResult:
        """The question and its keys."""
        with Vertical(classes="over question"):
            yield Static("Leave the match? It is not kept.")
            yield Static("y leaves · n or Esc plays on", classes="keys")

    def action_leave(self) -> None:
        """Leave."""
        self.dismiss(True)

    def action_stay(self) -> None:
        """Play on."""
        self.dismiss(False)
