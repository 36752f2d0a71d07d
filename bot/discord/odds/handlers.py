"""Answer `/odds`: every question in the same way, whatever it is about.

Each person has one question at a time. If a question takes longer than a second, a message says so,
with a button that cancels it. Counting has a time limit. If Discord does not take an answer, the
log says so. The button that shows the hands made has the whole question in its custom id, so it
works for ever. If the question is too long for that, the answer shows the hands at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from typing import Any, Final

import aiohttp
import discord
import structlog
from discord import app_commands

from bot.boards.bid_odds import BidQuestion, bids_board, counts_board
from bot.boards.board import Board, Text
from bot.boards.named_ranges import deleted_board, kept_board, ranges_board
from bot.boards.showdown_words import GAME_NAMES, Look
from bot.computing.process import Computing
from bot.computing.question import ComputingError, ProcessLost, Question, QueueFull, TookTooLong
from bot.discord import answers, ids
from bot.discord.answers import Interaction
from bot.discord.errors import misread, sentence
from bot.discord.layout import Component, shelf_of
from bot.discord.odds import asking, questions
from bot.discord.odds.asking import Asker, FileUnreadable, OddsNotAllowed, TypedOptions
from bot.discord.odds.questions import Counted, TypedShowdown, Understood
from bot.discord.odds.suggestions import showdown_suggestions
from bot.discord.press import public_language
from bot.language.catalogues import N_, figure, speaking, spoken, tr, trn
from bot.language.wordings import bid_text, cards_in_letters, game_words
from bot.language.words import (
    TypedText,
    capital,
    escape_markdown,
    join_words,
    quote_words,
    truncate,
)
from bot.pictures.palette import GREY
from bot.recent import Recent
from bot.services.tables import Tables
from bot.storage.named_ranges import SqlNamedRanges
from bot.tables.errors import RefusedError
from engine import errors
from engine.cards import cards_in_order
from engine.errors import EngineError, TextError, UnclearText, printable
from engine.odds.showdown.definitions import split_definition
from engine.odds.showdown.games import GAMES
from engine.odds.showdown.hand_history import has_history
from engine.odds.showdown.named_ranges import name_key
from engine.odds.showdown.question import guess_game
from engine.odds.showdown.question_words import (
    BOARDS,
    CONDITION,
    DEFINITION,
    DEFINITION_EXAMPLE,
    DRAWS,
    STAKES,
    WILD,
)
from engine.ruleset import Ruleset, Variant
from engine.wording import BidTextError

log = structlog.get_logger(__name__)

SOON: Final = 1.0  # seconds until a message says that the answer takes longer
LONGEST: Final = 30.0  # seconds of counting after which to give up
SUGGESTED_WITHIN: Final = 2.0  # seconds; Discord takes no suggestions after three
ANSWERS_KEPT: Final = 64
CARDS_LENGTH: Final = 200  # characters of typed cards
LARGEST_FILE: Final = 200_000  # bytes: some hundred hands
MOST_RANGES: Final = 40  # named by a person
LONGEST_HANDS: Final = 1000  # characters of a named range
_CHOICE_LENGTH: Final = 100  # characters of a suggestion
_HAND_FILES: Final = (".phh", ".phhs", ".txt")
_LABEL: Final = 80  # characters of a button
_LOOKS: Final = {
    ids.GRID: Look.NEXT_CARD,
    ids.HANDS: Look.EACH_HAND,
    ids.HITS: Look.HITS,
    ids.CURVE: Look.CURVE,
}
_VERBS: Final = {look: verb for verb, look in _LOOKS.items()}
_WORKING: Final = N_("Counting…")
BUSY: Final = N_("I'm still working on your last question. Wait for it, or cancel it.")
NOT_YOURS: Final = N_("Only the person who asked can cancel this question.")
TOO_LATE: Final = N_("That question is finished, so there's nothing to cancel.")
CANCELLED: Final = N_("Cancelled.")
NOT_ALLOWED: Final = N_("Your table's house rules don't allow odds during a match.")
FULL: Final = N_("I'm busy with other questions right now. Please ask again in a moment.")
LOST: Final = N_(
    "I had to restart my calculator, so that answer is lost. Please ask again in a moment."
)
_USUAL: Final = "AhKd vs QQ"
_SHOWN: Final = 60  # characters of a quoted text
_READ: Final = 200  # characters of a question that was found in a message
_CHOICE: Final = 300  # characters of possible meanings, if no button offers them
# a thread of its own: the end of a match is read in the loop's default threads, and must not queue
# here
_counting: Final = ThreadPoolExecutor(1, thread_name_prefix="odds")

Words = Callable[[Exception], str]
# label and custom id of each button; None for an id that would be too long
Buttons = tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, and the buttons under it."""

    board: Board
    buttons: Buttons = ()


@dataclass(eq=False, slots=True)
class _UnderWay:
    """A person's question in progress, with the id of the interaction that asked it.

    The work may replace `meanwhile`, the board shown until the work is done.
    """

    id: int
    work: asyncio.Task[Reply]
    meanwhile: Board


Work = Callable[[], Coroutine[Any, Any, Reply]]


# -- what is refused -----------------------------------------------------------------------------


def refusal_words(error: Exception) -> str:
    """Return the sentence for an error; log an unforeseen error."""
    match error:
        case OddsNotAllowed():
            return tr(NOT_ALLOWED)
        case FileUnreadable(name=name, too_large=True):
            return tr(
                "{file} is too large: I read files of up to {most} kB. Paste one hand instead.",
                file=escape_markdown(quote_words(truncate(printable(name), _SHOWN))),
                most=LARGEST_FILE // 1000,
            )
        case FileUnreadable(name=name):
            return tr(
                "Discord didn't let me read {file}. Paste the hand instead.",
                file=escape_markdown(quote_words(truncate(printable(name), _SHOWN))),
            )
        case TookTooLong(seconds=seconds):
            return tr(
                "I gave up after {seconds} seconds of counting. Ask again with fewer unknown"
                " cards.",
                seconds=figure(seconds, "g"),
            )
        case QueueFull():
            return tr(FULL)
        case ProcessLost():
            return tr(LOST)
        case errors.UnclearWeight(typed=given, per_cent=per_cent):
            return tr(
                "Does @{given} mean {given}% or {per_cent}%?",
                given=given,
                per_cent=per_cent,
            )
        case errors.UnclearGame(cards=cards):
            return trn(
                "Several games deal {number} card. Which one do you mean?",
                "Several games deal {number} cards. Which one do you mean?",
                cards,
            )
        case errors.UnclearDraw():
            return tr("Up to which rank do players keep the cards they draw?")
        case errors.UnclearBoard(cards=cards):
            board = " ".join(card.symbol for card in cards_in_order(cards))
            return tr("Is {cards} the board?", cards=board)
        case UnclearText():
            typed = error.typed if isinstance(error, errors.UnclearHands) else error.text
            return tr(
                "{text} could mean several things. Which one?",
                text=escape_markdown(quote_words(truncate(printable(typed), _SHOWN))),
            )
        case EngineError() | RefusedError():
            return sentence(error)
        case _:
            log.error("odds: unforeseen", exc_info=error)
            return sentence(error)


def misread_words(error: BidTextError, rules: Ruleset, *, offered: bool) -> str:
    """Return a sentence that says why a text is not a bid of the game.

    If buttons for possible bids are `offered` below it, ask instead which bid is meant.
    """
    if not offered:
        return escape_markdown(misread(error, rules, error.meant))
    a_bid = game_words(rules).a_bid
    text = tr('I didn\'t get "{text}". Do you mean one of these?', text=error.shown, a_bid=a_bid)
    return escape_markdown(text)


def showdown_words(
    typed: TypedShowdown, has_buttons: Callable[[Exception], bool] = lambda _: False
) -> Callable[[Exception], str]:
    """Return a function that turns an error about a showdown into a sentence with an example.

    The example uses the same options as `typed`. For an ambiguous text, the function lists the
    possible meanings, unless buttons offer them (`has_buttons`).
    """

    def word(error: Exception) -> str:
        if isinstance(error, UnclearText) and not has_buttons(error):
            choices = join_words(
                (quote_words(truncate(printable(choice), _CHOICE)) for choice in error.choices),
                "or",
            )
            return f"{refusal_words(error)} {escape_markdown(choices)}"
        if isinstance(error, TextError) and not isinstance(error, UnclearText):
            example = showdown_example(typed)
            if error.text == WILD:
                example = example.replace("hands: ", "hands: deuces wild, ")
            elif error.text == CONDITION:
                example = f"/odds showdown hands: {_USUAL}, when board pairs"
            elif error.text == BOARDS:
                example = f"/odds showdown hands: {_USUAL}, run it twice"
            elif error.text == DEFINITION:
                example = "/odds showdown hands: btn = 22+, A2s+"
            elif error.text == DRAWS:
                example = "/odds showdown hands: " + error.example.strip('"')
            elif error.text == STAKES:
                example = "/odds showdown hands: AA(50) vs KK(100) vs QQ(100)"
            error = TextError(error.text, error.reason, example)
        return refusal_words(error)

    return word


def showdown_example(typed: TypedShowdown) -> str:
    """Return a valid question for the same game that uses the same options."""
    preset = typed.preset if typed.preset in GAME_NAMES else ""  # don't repeat a forged one
    guessed = guess_game(typed.hands, typed.board) or "holdem"
    game = GAMES[preset or guessed]
    if not preset and guess_game(game.hand) != guessed:  # its cards alone do not identify the game
        preset = guessed
    hands = _USUAL if game.rules.private == 2 else f"{game.hand} vs random"
    parts = [f"/odds showdown hands: {hands}"]
    if preset:
        parts.append(f"game: {tr(GAME_NAMES[preset])}")
    if typed.board and game.rules.public:
        parts.append("board: 9c 8d 7s")
    if typed.dead:
        parts.append("dead: Jc Jd")
    return " ".join(parts)


# -- the handlers --------------------------------------------------------------------------------


class OddsHandlers:
    """Answers `/odds` and the buttons under its answers."""

    def __init__(self, tables: Tables, computing: Computing, ranges: SqlNamedRanges) -> None:
        self._tables = tables
        self._ranges = ranges
        self._computing = computing
        self._under_way: dict[int, _UnderWay] = {}
        self._counted = Recent[tuple[str, str], Counted](ANSWERS_KEPT)

    # -- what is asked ----------------------------------------------------------------------------

    async def bids(self, interaction: Interaction, variant: Variant, typed: TypedOptions) -> None:
        """Answer with the chances of bids, for typed cards or those at the asker's live table."""
        asked_question = await self._bid_question(interaction, variant, typed)
        if asked_question is None:
            return
        question, private = asked_question

        async def work() -> Reply:
            board = await in_thread(bids_board, question)
            return Reply(board, ((tr("Counts"), _counts_id(variant, question)),))

        await self._answer(interaction, work, private=private)

    async def _counts(
        self, interaction: Interaction, variant: Variant, typed: TypedOptions
    ) -> None:
        asked_question = await self._bid_question(interaction, variant, typed)
        if asked_question is None:
            return

        async def work() -> Reply:
            return Reply(await in_thread(counts_board, asked_question[0]))

        await self._answer(interaction, work, private=True)

    async def _bid_question(
        self, interaction: Interaction, variant: Variant, typed: TypedOptions
    ) -> tuple[BidQuestion, bool] | None:
        """Return (the question, whether only the asker may see the answer).

        If the question is refused, send the reason, and return None.
        """
        try:
            asker = await self._asker(interaction, variant)
            return asking.bid_question(variant, asker, typed)
        except BidTextError as error:
            rules = asking.rules_for(variant, asker, typed.chosen)
            packed = [
                asking.pack_bids(variant, replace(typed, bid=bid.key)) for bid in error.suggestions
            ]
            buttons = tuple(
                (capital(bid_text(rules, bid)), ids.of_odds(ids.BIDS, question))
                for bid, question in zip(error.suggestions, packed, strict=True)
            )
            offered = _shelf(*buttons) is not None
            refused = misread_words(error, rules, offered=offered)
            await _refuse(interaction, refused, buttons)
        except Exception as error:
            await answers.reply_privately(interaction, refusal_words(error))
        return None

    async def three_card(self, interaction: Interaction, question: questions.ThreeCard) -> None:
        """Answer a question about Three Card Poker: play or fold, or the house edge."""

        async def work() -> Reply:
            board = await self._computing.ask(question, LONGEST)
            if not question.asks_house_edge:
                return Reply(board)
            # if the tables are too long for an id, the answer shows them, and the button the usual
            # ones
            about = ids.of_odds(ids.PAY, question.packed_tables) or ids.of_odds(ids.PAY, ";;")
            return Reply(board, ((tr("Pay tables"), about),))

        await self._answer(interaction, work)

    async def showdown(self, interaction: Interaction, typed: TypedShowdown) -> None:
        """Answer how often each player wins, or store the range that the text defines."""
        is_definition = split_definition(typed.hands) is not None

        async def work() -> Reply:
            if is_definition:
                return Reply(await self._keep_range(interaction.user.id, typed.hands))
            counted = await self._count(interaction.user.id, typed)
            return Reply(counted.board, _looks(counted))

        def choices(error: Exception) -> Buttons:
            return _meanings(error, typed)

        def has_buttons(error: Exception) -> bool:
            return all(about is not None for _, about in choices(error))

        words = showdown_words(typed, has_buttons)
        await self._answer(interaction, work, private=is_definition, words=words, choices=choices)

    async def _keep_range(self, person: int, text: str) -> Board:
        """Store the range that a text defines; return the board to show.

        Raises `TextError` for a wrong text or too many ranges, `ComputingError` if the computing
        process can't answer, and `RefusedError` if the store can't.
        """
        ranges = await self._ranges.of_player(person)
        question = questions.ReadDefinition(text, tuple(ranges.items()))
        named = await self._computing.ask(question, LONGEST)
        if len(named.hands) > LONGEST_HANDS:
            reason = tr("A named range has at most {most} characters", most=LONGEST_HANDS)
            raise TextError(DEFINITION, reason, DEFINITION_EXAMPLE)
        if not await self._ranges.keep(person, named.name, named.hands, MOST_RANGES):
            reason = tr(
                "You can name {most} ranges. Delete one first: /odds ranges", most=MOST_RANGES
            )
            raise TextError(DEFINITION, reason, DEFINITION_EXAMPLE)
        return kept_board(named.name, named.hands, named.combos, named.share)

    async def ranges(self, interaction: Interaction, name: str | None) -> None:
        """Show the asker their named ranges; if `name` is given, delete that range."""

        async def build_board() -> Board:
            ranges = await self._ranges.of_player(interaction.user.id)
            if name is None:
                return ranges_board(ranges, MOST_RANGES)
            typed = name.strip().lower()
            hands = next(
                (held for known, held in ranges.items() if name_key(known) == name_key(typed)), None
            )
            await self._ranges.drop(interaction.user.id, typed)
            return deleted_board(TypedText(typed), hands, ranges)

        await answers.reply(interaction, build_board())

    async def suggest_ranges(
        self, interaction: Interaction, _: None, typed: str
    ) -> list[app_commands.Choice[str]]:
        """Suggest the asker's named ranges that begin with the typed text.

        Suggest none if the store is down.
        """
        try:
            ranges = await self._ranges.of_player(interaction.user.id)
        except RefusedError:
            return []
        return [
            app_commands.Choice(name=truncate(f"{name} = {hands}", _CHOICE_LENGTH), value=name)
            for name, hands in ranges.items()
            if name.startswith(typed.strip().lower())
        ][: asking.MOST_CHOICES]

    async def message(
        self, interaction: Interaction, text: str, file: discord.Attachment | None = None
    ) -> None:
        """Answer a showdown question in a message, or a played hand in the message or its `file`.

        Only the asker sees the answer.
        """
        asked_question: list[TypedShowdown] = []

        async def work() -> Reply:
            written = text
            if file is not None and not has_history(text):
                try:
                    written = await read_file(file)
                except FileUnreadable:
                    if not text.strip():  # otherwise the message itself may be the question
                        raise
            if has_history(written):
                history = questions.ReadHistory(written)
                return Reply(await self._computing.ask(history, LONGEST))
            question = await self._computing.ask(questions.FindShowdown(text), LONGEST)
            asked_question.append(TypedShowdown(question))
            counted = await self._count(interaction.user.id, asked_question[0])
            return Reply(_with_question(counted.board, question), _looks(counted))

        def choices(error: Exception) -> Buttons:
            return _meanings(error, asked_question[0]) if asked_question else ()

        def words(error: Exception) -> str:
            if not asked_question:
                return refusal_words(error)
            offered = all(about is not None for _, about in choices(error))
            (typed,) = asked_question
            wrong = showdown_words(typed, lambda _: offered)(error)
            return f"{_read_as(typed.hands)}\n{wrong}"

        await self._answer(interaction, work, private=True, words=words, choices=choices)

    async def press(self, interaction: Interaction, verb: str, question_text: str) -> None:
        """Answer a press of a button under an answer, or under a question not answered yet.

        `verb`: the kind of button, listed in `ids`. `question_text`: the rest of the button's
        custom id, mostly a packed question.
        """
        if verb == ids.STOP:
            await self._cancel(interaction, question_text)
        elif verb in (ids.ASK, ids.BIDS, ids.COUNTS):
            await self._ask_again(interaction, verb, question_text)
        elif verb in _LOOKS:
            await self._look(interaction, questions.LookClosely(question_text, _LOOKS[verb]))
        elif verb == ids.PAY:
            try:
                question = questions.PayTableEdges.unpack(question_text)
            except TextError as error:
                await answers.reply_privately(interaction, refusal_words(error))
            else:
                await self._look(interaction, question)
        elif (counted := self._counted.get((spoken().key, question_text))) is not None:
            await answers.show(interaction, counted.ranks, ephemeral=True)
        else:  # dropped from the cache, or from before a restart: compute it again

            async def work() -> Reply:
                return Reply((await self._count(interaction.user.id, question_text)).ranks)

            await self._answer(interaction, work, private=True)

    async def _look(self, interaction: Interaction, question: Question[Board]) -> None:
        """Show only the asker the board that a button under an answer asks for."""

        async def work() -> Reply:
            return Reply(await self._computing.ask(question, LONGEST))

        await self._answer(interaction, work, private=True)

    async def _ask_again(self, interaction: Interaction, verb: str, question_text: str) -> None:
        try:
            if verb == ids.ASK:
                await self.showdown(interaction, asking.unpack_showdown(question_text))
                return
            variant, typed = asking.unpack_bids(question_text)
        except TextError as error:
            await answers.reply_privately(interaction, refusal_words(error))
            return
        ask = self.bids if verb == ids.BIDS else self._counts
        await ask(interaction, variant, typed)

    # -- what is suggested ------------------------------------------------------------------------

    async def suggest_cards(
        self, interaction: Interaction, variant: Variant, typed: str
    ) -> list[app_commands.Choice[str]]:
        """Suggest the next card, and the asker's own cards at a live table."""
        asker = await self._typing(interaction, variant)
        rules = asking.rules_for(variant, asker, _chosen_so_far(interaction, variant))
        return asking.card_choices(
            cards_in_letters(typed[:CARDS_LENGTH]), rules, seated=asker.table is not None
        )

    async def suggest_bids(
        self, interaction: Interaction, variant: Variant, typed: str
    ) -> list[app_commands.Choice[str]]:
        """Suggest the bids that the typed text may become."""
        asker = await self._typing(interaction, variant)
        rules = asking.rules_for(variant, asker, _chosen_so_far(interaction, variant))
        return asking.bid_choices(typed, rules, rules.ladder.rungs)

    async def suggest_hands(
        self, interaction: Interaction, _: None, typed: str
    ) -> list[app_commands.Choice[str]]:
        """Suggest questions about a showdown that the typed text may become."""
        chosen = {key: str(value) for key, value in vars(interaction.namespace).items()}
        game = chosen.get("game")
        preset = game if game in GAMES else None
        suggestions = showdown_suggestions(
            typed, preset, chosen.get("board", ""), chosen.get("dead", "")
        )
        return [
            app_commands.Choice(name=question, value=question)
            for question in suggestions[: asking.MOST_CHOICES]
        ]

    async def suggest_pay(
        self, _: Interaction, option: str, typed: str
    ) -> list[app_commands.Choice[str]]:
        """Suggest common pay tables; none while the computing process is busy or starting."""
        try:
            async with asyncio.timeout(SUGGESTED_WITHIN):
                pay_tables = await self._computing.ask(questions.PayChoices(option, typed))
        except (ComputingError, TimeoutError):
            return []
        return [app_commands.Choice(name=name, value=value) for name, value in pay_tables]

    # -- one way of answering ---------------------------------------------------------------------

    async def _answer(
        self,
        interaction: Interaction,
        work: Work,
        *,
        private: bool = False,
        words: Words = refusal_words,
        choices: Callable[[Exception], Buttons] = lambda _: (),
    ) -> None:
        """Answer with the result of `work`, or with the `words` and `choices` for its error.

        Refuse instead if the person's last question is still in progress. `private`: only the asker
        sees the answer.
        """
        person = interaction.user.id
        # public answers are in the server's language, refusals in the person's
        language = spoken().key if private else await public_language(interaction, self._tables)
        if person in self._under_way:  # nothing may be awaited between this check and the new entry
            await answers.reply_privately(interaction, tr(BUSY))
            return
        with speaking(language):
            task = asyncio.create_task(work(), name="odds")
            meanwhile = Board(GREY, (Text(tr(_WORKING)),))
        mine = self._under_way[person] = _UnderWay(interaction.id, task, meanwhile)
        try:
            soon = await is_soon(task)
            if not soon:
                with speaking(language):
                    cancel = tr("Cancel")
                row = _shelf((cancel, ids.of_odds(ids.STOP, f"{person}:{mine.id}")))
                message_id = await answers.show(interaction, mine.meanwhile, row, ephemeral=private)
                if message_id is None:
                    return  # the answer can't be shown to anyone
                await asyncio.wait({task})
            buttons: Buttons = ()
            try:
                reply = task.result()
            except asyncio.CancelledError:
                refused = tr(CANCELLED)
            except Exception as error:
                refused, buttons = words(error), choices(error)
            else:
                shelf = _shelf(*reply.buttons)
                if soon:
                    await answers.show(interaction, reply.board, shelf, ephemeral=private)
                else:
                    await answers.redraw(interaction, reply.board, shelf)
                return
            if soon:
                await _refuse(interaction, refused, buttons)
            else:
                await answers.redraw(interaction, Board(GREY, (Text(refused),)), _shelf(*buttons))
        finally:
            task.cancel()  # nobody wants its result any more
            del self._under_way[person]

    async def _cancel(self, interaction: Interaction, question_text: str) -> None:
        person, _, question = question_text.partition(":")
        mine = self._under_way.get(interaction.user.id)
        if person != str(interaction.user.id):
            await answers.reply_privately(interaction, tr(NOT_YOURS))
        elif mine is None or str(mine.id) != question:
            await answers.reply_privately(interaction, tr(TOO_LATE))
        else:
            mine.work.cancel()
            await answers.acknowledge(interaction)

    async def _count(self, person: int, request: questions.ShowdownRequest) -> Counted:
        request, understood = await self._understand(person, request)
        self._under_way[person].meanwhile = understood.meanwhile
        key = (spoken().key, understood.packed) if understood.packed else None
        cached = self._counted.get(key) if key else None
        if cached is not None and cached.names == understood.names:
            return cached
        counted = await self._computing.ask(questions.CountShowdown(request), LONGEST)
        if key:
            self._counted[key] = counted
        return counted

    async def _understand(
        self, person: int, request: questions.ShowdownRequest
    ) -> tuple[questions.ShowdownRequest, Understood]:
        """Return (the question, what it means), after adding the person's named ranges if needed.

        Named ranges are needed only if the question can't be read without them. Raises `TextError`
        if the question is ambiguous or can't be read at all, `ComputingError` if the computing
        process can't answer, and `RefusedError` if the store can't.
        """
        try:
            return request, await self._computing.ask(questions.ReadShowdown(request), LONGEST)
        except UnclearText:
            raise
        except TextError:
            if isinstance(request, str):
                raise
            ranges = await self._ranges.of_player(person)
        request = replace(request, ranges=tuple(ranges.items()))
        return request, await self._computing.ask(questions.ReadShowdown(request), LONGEST)

    async def _typing(self, interaction: Interaction, variant: Variant) -> Asker:
        """Return the asker for suggestions, or one without tables if the lookup is refused."""
        try:
            return await self._asker(interaction, variant)
        except RefusedError:
            return Asker(None, ())

    async def _asker(self, interaction: Interaction, variant: Variant) -> Asker:
        dealt = asking.of_game(variant, await self._tables.where_dealt(interaction.user.id))
        return Asker(interaction.channel_id, dealt)


def hand_file(files: Sequence[discord.Attachment]) -> discord.Attachment | None:
    """Return the first file that may have a played hand, by its name; None if there is none."""
    return next((file for file in files if file.filename.lower().endswith(_HAND_FILES)), None)


async def read_file(file: discord.Attachment) -> str:
    """Return the text of a file. Raises `FileUnreadable` if it's too large or can't be fetched."""
    if file.size > LARGEST_FILE:
        raise FileUnreadable(file.filename, too_large=True)
    try:
        content = await file.read()
    except (discord.HTTPException, aiohttp.ClientError, TimeoutError) as error:
        raise FileUnreadable(file.filename) from error
    return content.decode("utf-8-sig", "replace")


async def in_thread(work: Callable[[BidQuestion], Board], question: BidQuestion) -> Board:
    """Return the board of a question about bids, made in a thread in the current language.

    Raises whatever `work` raises, and `TookTooLong` after `LONGEST` seconds; the thread then ends
    by itself, and its result is dropped.
    """
    loop, spoken_here = asyncio.get_running_loop(), copy_context()
    try:
        async with asyncio.timeout(LONGEST):
            return await loop.run_in_executor(_counting, spoken_here.run, work, question)
    except TimeoutError:
        raise TookTooLong(LONGEST) from None


async def is_soon(work: asyncio.Task[Reply]) -> bool:
    """Wait for `work` for at most `SOON` seconds; return whether it is done."""
    finished, _ = await asyncio.wait({work}, timeout=SOON)
    return bool(finished)


async def _refuse(interaction: Interaction, refused: str, buttons: Buttons) -> None:
    """Show only the asker what is wrong, with buttons for possible meanings."""
    shelf = _shelf(*buttons)
    if shelf is None:
        await answers.reply_privately(interaction, refused)
    else:
        await answers.show(interaction, Board(GREY, (Text(refused),)), shelf, ephemeral=True)


def _meanings(error: Exception, typed: TypedShowdown) -> Buttons:
    """Return a button for each meaning of an unclear question; none for another error."""
    meant = error.choices if isinstance(error, UnclearText) else ()
    return tuple(
        (hands, ids.of_odds(ids.ASK, asking.pack_showdown(replace(typed, hands=hands))))
        for hands in meant
    )


def _read_as(question: str) -> str:
    text = escape_markdown(truncate(" ".join(question.split()), _READ))
    return tr('I read it as "{question}".', question=text)


def _with_question(board: Board, question: str) -> Board:
    """Return an answer with the question above it."""
    return replace(board, blocks=(Text(f"-# {_read_as(question)}"), *board.blocks))


def _looks(counted: Counted) -> Buttons:
    """Return the buttons under a showdown's odds: "Final hands", and one for each closer look.

    Return none if the question doesn't fit a custom id.
    """
    if counted.packed is None:
        return ()
    verbs = [(look.label, _VERBS[look.look]) for look in counted.closer]
    every = [(tr("Final hands"), ids.RANKS), *verbs]
    return tuple((label, ids.of_odds(verb, counted.packed)) for label, verb in every)


def _counts_id(variant: Variant, question: BidQuestion) -> str | None:
    """Return the custom id of the button for the counts behind an answer.

    Return None if the question is about no bid, or if the id would be too long.
    """
    bid = question.bid or question.standing
    about = question.kind.label if question.kind is not None else bid.key if bid else None
    if about is None:
        return None
    options = dict(question.rules.options)
    chosen = {option.key: options[option.key] for option in variant.odds_options}
    typed = TypedOptions(question.in_play, str(question.known), about, chosen)
    return ids.of_odds(ids.COUNTS, asking.pack_bids(variant, typed))


def _chosen_so_far(interaction: Interaction, variant: Variant) -> Mapping[str, Any]:
    """Return the options already chosen in a command that is still being typed."""
    return asking.chosen_options(variant.odds_options, vars(interaction.namespace))


def _shelf(*buttons: tuple[str, str | None]) -> Component | None:
    """Return a row of the buttons whose custom ids are short enough; None if there are none."""
    fitting = [(truncate(label, _LABEL), about) for label, about in buttons if about is not None]
    return shelf_of(*fitting) if fitting else None
