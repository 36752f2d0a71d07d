"""The screen of a match in the terminal, and its keys.

Everything is redrawn from the table after each move. Computer players choose in a thread, one after
the other; a person may challenge meanwhile, if the rules allow it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from threading import Thread
from typing import ClassVar, Final, ParamSpec, TypeVar

from rich.markdown import Markdown
from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.suggester import Suggester
from textual.widgets import Input, Static

from bot.boards.board import Text as Paragraph
from bot.boards.hint import hint_sentences, surest_bid
from bot.boards.pad import Pick
from bot.boards.rules import rules_board
from bot.language.words import capital
from bot.pictures import palette
from bot.pictures.palette import web
from bot.terminal import sentences, styled_text
from bot.terminal.pad import Pad
from bot.terminal.table import PERSON, DailyTable, TerminalTable
from engine.actions import Challenge, MakeBid
from engine.bids import Bid
from engine.errors import BidTooLow, EngineError, RuleViolation
from engine.players import Choice, Memory, Position, choose, hint, observe
from engine.players.blueprint.shipped import has_blueprints
from engine.ruleset import Ruleset
from engine.state import Phase
from engine.view import EndedRound, View
from engine.wording import BidTextError, Wording, bids_to_offer

PAUSE: Final = 0.9  # seconds before a computer player acts, even if it decides faster
_SLOW: Final = 1.5  # seconds before explaining a wait
PATIENCE: Final = 5.0  # seconds after that until careful decides instead
HINT_SECONDS: Final = 2.0  # seconds to wait for a hint
_STANDS_IN: Final = "careful"  # the character that needs nothing compiled
_UNTIL_READY: Final = (
    "Getting the players ready takes a minute or two, the first time only. Until then, careful"
    " plays for them."
)
_LOG: Final = 11  # lines of the list of bids
P = ParamSpec("P")
T = TypeVar("T")


class BidSuggester(Suggester):
    """Suggests the lowest legal bid whose words begin with the typed text."""

    def __init__(self, legal: Callable[[], list[Bid]], wording: Wording) -> None:
        super().__init__(use_cache=False, case_sensitive=False)
        self._legal = legal
        self._wording = wording

    async def get_suggestion(self, value: str) -> str | None:
        """Return the words of the lowest legal bid whose words begin with `value`, or None.

        `value` is in lower case.
        """
        wordings = (self._wording.say(bid) for bid in self._legal())
        return next((words for words in wordings if words.lower().startswith(value)), None)


class RulesScreen(ModalScreen[None]):
    """The rules of the game, scrollable; Escape and other usual keys close them."""

    AUTO_FOCUS = "VerticalScroll"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, "dismiss", "Close") for key in ("escape", "r", "question_mark", "q", "enter")
    ]

    def __init__(self, title: str, rules: str) -> None:
        super().__init__()
        self._title, self._rules = title, rules

    def compose(self) -> ComposeResult:
        """Yield the rules, and the key that closes them."""
        with Vertical(classes="over") as over:
            over.border_title = self._title
            with VerticalScroll():
                yield Static(Markdown(self._rules))
            yield Static("↑ ↓ scroll · Esc closes", classes="keys")


class LeaveScreen(ModalScreen[bool]):
    """Asks whether to leave an unfinished match; returns True to leave."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", "Quit"),
        *(Binding(key, "dismiss(False)", "Stay") for key in ("n", "escape", "q")),
    ]

    def compose(self) -> ComposeResult:
        """Yield the question and its keys."""
        with Vertical(classes="over question"):
            yield Static("Quit this match? It won't be saved.")
            yield Static("y quit · n keep playing", classes="keys")


class TerminalApp(App[None]):
    """A match against computer players.

    The computer players act `pause` seconds after the last move. If one is undecided after another
    `patience` seconds, the careful player decides in its place. If `patience` is None, as always in
    a `DailyTable`, computer players and hints have no time limit.
    """

    CSS = f"""
    Screen {{ background: {web(palette.FELT)}; color: {web(palette.IVORY)}; overflow: hidden; }}
    #head {{ height: 1; padding: 0 1; background: {web(palette.FELT_EDGE)}; color: black; }}
    #head {{ text-style: bold; }}
    #middle {{ height: 1fr; min-height: 11; }}
    #seats {{ width: 3fr; padding: 0 1; }}
    #bids {{ width: 2fr; height: 100%; padding: 0 1; border-left: solid {web(palette.FELT_EDGE)}; }}
    #say {{ height: 3; padding: 0 1; color: {web(palette.IVORY)}; }}
    #own {{ height: 4; }}
    #cards {{ width: auto; min-width: 8; padding: 0 1; }}
    #prompt {{ width: 1fr; padding: 0 1; }}
    #pad {{ height: 4; padding: 0 1; }}
    #typed {{ height: 1; border: none; margin: 0 1 3 1; padding: 0 1; display: none; }}
    #typed {{ background: {web(palette.CARD_PAPER)}; color: black; }}
    #keys, .keys {{ height: 1; padding: 0 1; color: {web(palette.SAGE)}; }}
    ModalScreen {{ align: center middle; background: black 60%; }}
    .over {{ width: 76; max-width: 96%; height: auto; max-height: 92%; padding: 1 2; }}
    .over {{ background: {web(palette.FELT)}; border: round {web(palette.GOLD)}; }}
    .over {{ border-title-color: {web(palette.GOLD)}; border-title-style: bold; }}
    .over VerticalScroll {{ height: auto; max-height: 16; }}
    .over VerticalScroll {{ scrollbar-color: {web(palette.SAGE)}; }}
    .over VerticalScroll {{ scrollbar-background: {web(palette.FELT_EDGE)}; }}
    .over VerticalScroll {{ scrollbar-size-vertical: 1; }}
    .question {{ width: 40; }}
    """
    AUTO_FOCUS = None  # keys go to the app except while typing a bid
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", "Quit", priority=False),
        Binding("ctrl+c", "leave", "Quit", priority=True),
    ]

    def __init__(
        self,
        table: TerminalTable,
        pause: float = PAUSE,
        patience: float | None = PATIENCE,
    ) -> None:
        super().__init__()
        self.title = table.rules.title
        self.table = table
        self._pause = pause
        self._patience = None if isinstance(table, DailyTable) else patience
        self._pad = Pad()
        self._said = ""
        self._choosing: asyncio.Task[Choice] | None = None  # the latest choice, possibly unfinished

    def compose(self) -> ComposeResult:
        """Yield the parts of the screen, from top to bottom."""
        yield Static(id="head")
        with Horizontal(id="middle"):
            yield Static(id="seats")
            yield Static(id="bids")
        yield Static(id="say")
        with Horizontal(id="own"):
            yield Static(id="cards")
            yield Static(id="prompt")
        yield Static(id="pad")
        wording = self.table.rules.wording
        yield Input(
            id="typed",
            placeholder=f"such as {wording.example}",
            suggester=BidSuggester(self.legal, wording),
        )
        yield Static(id="keys")

    def on_mount(self) -> None:
        """Deal the first round."""
        self._deal()

    # -- what can be done --------------------------------------------------------------------------

    def legal(self) -> list[Bid]:
        """Return the bids that the person may make now."""
        if not self.table.may_bid:
            return []
        return [bid for rung in self.table.seen.legal.rungs for bid in rung]

    def on_key(self, event: events.Key) -> None:
        """Apply a key: Enter, Escape, an arrow, a choice on the pad, or a command."""
        if len(self.screen_stack) > 1 or self._typing:
            if event.key == "escape" and self._typing:
                self._type(False)
            return
        key, char = event.key, event.character or ""
        legal = self.legal()
        picking = self._pad.pick != Pick() or bool(self._pad.meant)
        if key == "enter":
            self._enter(legal)
        elif key == "escape":
            self._pad.back()
        elif key in ("left", "right", "up", "down"):
            self._pad.move(key, legal)
        elif (chosen := self._pad.by_key(char, legal)) is not None and (picking or char.isdigit()):
            self._pad.choose(chosen)
        elif picking or not self._command(char, legal):
            return
        event.prevent_default()  # otherwise a screen just opened would get the key too
        event.stop()
        self.redraw()

    def _command(self, char: str, legal: list[Bid]) -> bool:
        """Run the command of a key; return False if the key has no command now."""
        if char in ("r", "?"):
            rules = self.table.rules
            self.push_screen(RulesScreen(rules.title, _rules_text(rules)))
        elif char == "n" and legal:
            self._pad.choose(Pick(key=legal[0].key))
        elif char == "/" and legal:
            self._type(True)
        elif char == "c" and self.table.may_challenge:
            self._play(Challenge(PERSON))
        elif char == "h" and not isinstance(self.table, DailyTable):
            self._hint()
        else:
            return False
        return True

    def _enter(self, legal: list[Bid]) -> None:
        if self.table.match.phase is not Phase.BIDDING:
            # a deal of the day is played only once
            if not (self.table.is_over and isinstance(self.table, DailyTable)):
                self._deal()
            return
        if not legal:
            return
        bid = self._pad.step(legal).bid if not self._pad.meant else None
        if bid is not None:
            self._play(MakeBid(PERSON, bid.key))
        elif choices := self._pad.choices(legal):
            self._pad.choose(choices[min(self._pad.cursor, len(choices) - 1)][2])

    @work(exclusive=True, group="hint")
    async def _hint(self) -> None:
        """Show a hint, unless the match went on before the hint was found."""
        table, before = self.table, self.table.seen
        solved = None  # if that takes too long, use careful's hint
        with suppress(TimeoutError):
            async with asyncio.timeout(HINT_SECONDS if self._patience is not None else None):
                solved = await in_background(_solved_advice, before)
        if self.table is not table or table.seen.seq != before.seq:
            return
        advice = hint(before, solved)
        self._said = "Hints are for your turn."
        if advice is not None:
            self._said = " ".join(hint_sentences(advice, table.rules, surest_bid(before)))
        self.redraw()

    async def action_leave(self) -> None:
        """Leave; ask first during a match."""
        if self.table.is_over:
            self.exit()
        elif not isinstance(self.screen, LeaveScreen):
            self.push_screen(LeaveScreen(), lambda leaves: self.exit() if leaves else None)

    # -- typing a bid ------------------------------------------------------------------------------

    @property
    def _typing(self) -> bool:
        return bool(self.query_one("#typed", Input).display)

    def _type(self, begin: bool) -> None:
        field = self.query_one("#typed", Input)
        field.display = begin
        self.query_one("#pad").display = not begin
        field.value = ""
        if begin:
            field.focus()
        else:
            self.set_focus(None)
        self.redraw()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Play the typed bid; if the text isn't a legal bid, say so and offer possible meanings."""
        text = event.value
        self._type(False)
        if not text.strip() or not self.legal():  # a computer player may have challenged meanwhile
            return
        try:
            self._play(MakeBid(PERSON, self.table.rules.wording.parse(text).key))
        except BidTextError as error:
            legal, say = self.legal(), self.table.rules.wording.say
            still = [bid for bid in error.meant if bid in legal]
            meant = bids_to_offer(still)
            example = f'Example: "{say((still or legal)[0])}".'  # the lowest, which is legal
            asks = " or ".join(f'"{say(bid)}"' for bid in meant)
            self._said = f"{error.reason}. {f'Did you mean {asks}?' if meant else example}"
            if error.doubts and self.table.may_challenge:
                terms = self.table.rules.terms
                self._said = f"To {terms.doubt} the last {terms.noun}, press c."
            self._pad = Pad(meant=meant)
        self.redraw()

    # -- the match goes on -------------------------------------------------------------------------

    def _deal(self) -> None:
        if self.table.is_over:
            self.table = self.table.again()
        self.table.deal()
        self._said = ""
        self._go_on()

    def _play(self, action: MakeBid | Challenge) -> None:
        """Play the person's action. An illegal one shows a message and changes nothing."""
        try:
            self.table.play(action)
        except BidTooLow as error:
            say, ladder = self.table.rules.wording.say, self.table.rules.ladder
            self._said = (
                f"{capital(say(ladder.bid(error.bid)))} isn't higher than"
                f" {say(ladder.bid(error.standing))}. Press n for the next one up."
            )
            return
        except RuleViolation:
            self._said = f"You can't do that now. {sentences.prompt(self.table)}"
            return
        self._said = ""
        self._go_on()

    def _go_on(self) -> None:
        self._pad = Pad()
        self.redraw()
        self._others()

    @work(exclusive=True)
    async def _others(self) -> None:
        """Let the computer players act until it is the person's turn, or the round is over.

        An action of the person cancels this task and starts it again. If a computer player breaks
        the rules, end the app with an error.
        """
        table = self.table
        while (position := table.next_position()) is not None:
            await asyncio.sleep(self._pause)
            seq = table.match.seq
            slow = self.set_timer(_SLOW, self._explain)
            try:
                choice, stood_in = await self._choice(position)
            except EngineError as error:  # a computer player broke the rules
                self.exit(return_code=1, message=f"bluffhouse: {error}")
                return
            finally:
                slow.stop()
            table.take(position, choice)
            if table.match.seq != seq:
                self._said = _UNTIL_READY if stood_in else ""
                self._pad = Pad()
            self.redraw()

    async def _choice(self, position: Position) -> tuple[Choice, bool]:
        """Return a computer player's choice, and whether the careful player made it instead.

        The first choice after an installation compiles for a minute or more, in the background.
        Meanwhile the careful player chooses, since its code needs no compiling.
        """
        rules = self.table.rules
        if self._choosing is None or self._choosing.done():
            self._choosing = asyncio.create_task(in_background(choose, position, rules))
            # if it fails unattended, the next choice fails as well and reports it
            self._choosing.add_done_callback(lambda task: task.cancelled() or task.exception())
            # unlike wait_for, this keeps the choice running, even after a cancellation
            await asyncio.wait({self._choosing}, timeout=self._patience)
            if self._choosing.done():
                return self._choosing.result(), False
        careful = replace(position, character=_STANDS_IN)
        return await in_background(choose, careful, rules), True

    def _explain(self) -> None:
        """Tell the person why a computer player takes long."""
        self._said = _UNTIL_READY
        self.redraw()

    # -- drawing -----------------------------------------------------------------------------------

    def redraw(self) -> None:
        """Redraw everything from the table."""
        if not self._there("#head"):
            return
        table, current, legal = self.table, self.table.seen.round, self.legal()
        message = self._said
        if isinstance(current, EndedRound):
            message = sentences.verdict(table, current)
        self._show("#head", sentences.heading(table))
        self._show("#seats", styled_text.seats_text(table))
        if current is not None:
            self._show("#bids", styled_text.bids_text(table, current, _LOG))
            hole = current.hole
            self._show("#cards", styled_text.large_cards(hole) if hole is not None else "")
        self._show("#say", message)
        self._show("#prompt", f"{sentences.prompt(table)}\n{sentences.card_limit_line(table)}")
        self._show("#pad", self._pad_text(legal))
        self._show("#keys", self._keys(legal))

    def _there(self, selector: str) -> bool:
        return bool(self.screen_stack) and bool(self.screen_stack[0].query(selector))

    def _show(self, selector: str, content: object) -> None:
        self.screen_stack[0].query_one(selector, Static).update(content)  # type: ignore[arg-type]

    def _pad_text(self, legal: list[Bid]) -> object:
        table = self.table
        if not legal:
            return ""
        bid = self._pad.step(legal).bid if not self._pad.meant else None
        if bid is not None:
            return f"{sentences.bid_with_verb(table, bid.key)}?\nEnter confirms, Esc goes back."
        words = {meant.key: capital(table.rules.wording.say(meant)) for meant in self._pad.meant}
        return self._pad.text(legal, words)

    def _keys(self, legal: list[Bid]) -> str:
        table, terms = self.table, self.table.rules.terms
        if self._typing:
            return "Enter plays it · → accepts the suggestion · Esc goes back"
        if table.is_over and isinstance(table, DailyTable):
            return "r rules · q quits"
        if table.is_over:
            return "Enter plays again · r rules · q quits"
        if table.match.phase is Phase.DEAL:
            return "Enter deals the next round · r rules · q quits"
        keys = []
        if legal:
            keys += [f"n next: {table.rules.wording.say(legal[0])}", f"/ type a {terms.noun}"]
        if table.may_challenge:
            keys.append(f"c {terms.doubt}")
        if table.may_bid and not isinstance(table, DailyTable):
            keys.append("h hint")
        return " · ".join([*keys, "r rules", "q quits"])


def _rules_text(rules: Ruleset) -> str:
    """Return the rules as on Discord, without heading and small-print marks."""
    board = rules_board(rules.key, dict(rules.options))
    texts = [block.markdown for block in board.blocks if isinstance(block, Paragraph)]
    return "\n\n".join(texts).replace("-# ", "").partition("\n")[2]


def _solved_advice(situation: View) -> tuple[int | None, float] | None:
    """Return the move that a solved strategy makes most often, for `hint`, and its probability.

    The move is a bid's place in the ladder, or None for a challenge. Return None if no solved
    strategy covers the position. The coach is not available here.
    """
    position = observe(situation, Memory(_STANDS_IN, 0))
    if position is None or len(position.live) != 2 or not has_blueprints(situation.ruleset):
        return None
    from engine.players.blueprint.values import likeliest_action  # this loads compiled code

    return likeliest_action(position, situation.ruleset)


async def in_background(function: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Return the result of `function`, called in a new thread. Raises whatever `function` raises.

    Python doesn't wait for this thread when it exits, as it would for a thread of `to_thread`: a
    first choice may compile for a minute or more.
    """
    loop = asyncio.get_running_loop()
    result: asyncio.Future[T] = loop.create_future()

    def finish(settle: Callable[[T], None] | Callable[[Exception], None], value: object) -> None:
        if not result.done():  # not cancelled
            settle(value)  # type: ignore[arg-type]

    def run() -> None:
        try:
            returned = function(*args, **named)
        except Exception as error:
            settle, value = result.set_exception, error
        else:
            settle, value = result.set_result, returned  # type: ignore[assignment]
        with suppress(RuntimeError):  # the loop has closed
            loop.call_soon_threadsafe(finish, settle, value)

    Thread(target=run, daemon=True).start()
    return await result
