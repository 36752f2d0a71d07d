"""A replay: a finished match, step by step, with all cards, the bids so far and the coach.

The history lists a player's finished matches, with a menu to replay one of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.boards.board import Address, Block, Board, Button, Menu, ShowdownPicture, Text
from bot.boards.computer_players import face_of
from bot.boards.showdown import stand_ins
from bot.language.catalogues import ENGLISH, spoken, tr, trn
from bot.language.moments import stamp
from bot.language.wordings import bid_text, game_words
from bot.language.words import accountless_name, join_words, mention
from bot.pictures.cards import ShowdownRow
from bot.pictures.palette import AMBER, GREEN, GREY, RED
from bot.replays.narration import (
    Voice,
    action_text,
    advice_sentences,
    ending_text,
    known_chance,
    step_text,
)
from bot.replays.played import PlayedMatch, Step
from bot.tables.model import HistoryLine
from engine.actions import Challenge, Deal
from engine.errors import RulesetError
from engine.players.coaching.decisions import Advice
from engine.state import SeatStatus
from engine.variants import variant

LATEST: Final = 8  # earlier steps of the round that are listed in words
WITH_COACH: Final = "c"
_NOTHING: Mapping[int, Advice] = {}


def voice_of(players: Sequence[int]) -> Voice:
    """Return how a message names players and stresses words."""
    return Voice([mention(player) for player in players], lambda words: f"**{words}**")


def replay_board(
    played: PlayedMatch,
    players: Sequence[int],
    steps: Sequence[Step],
    place: int,
    address: Address,
    advice: Mapping[int, Advice] | None = None,
    *,
    looking: bool = False,
) -> Board:
    """Return the board of the step at `place` in `steps`; `players` are the ids by seat.

    `advice` is the coach's advice by action number, or None if the coach was not asked. While the
    coach is `looking`, no button leads to another step.
    """
    step, voice = steps[place], voice_of(players)
    blocks: list[Block] = [Text(_heading(played, step, place, len(steps)))]
    blocks.append(replay_picture(played, players, step))
    blocks.append(Text(_bidding(steps, place, voice)))
    lines = [step_text(step, voice), _small(known_chance(step, voice))]
    if place == len(steps) - 1:
        lines.append(ending_text(step, voice, won=played.won))
    blocks.append(Text("\n".join(filter(None, lines))))
    if advice is not None and step.seq in advice:
        lines = [tr("**Coach**"), *advice_sentences(advice[step.seq], step, voice)]
        blocks.append(Text("\n".join(lines)))
    elif advice is not None:
        blocks.append(Text(tr("-# Coach: no decision here.")))
    elif looking:
        blocks.append(Text(tr("-# The coach is looking at this round…")))
    step_address = Address(address.table, address.match, step.seq)
    rows = _rows(place, len(steps), coach=looking or advice is not None, looking=looking)
    return Board(
        _accent(step), tuple(block for block in blocks if _has_content(block)), rows, step_address
    )


def replay_picture(played: PlayedMatch, players: Sequence[int], step: Step) -> ShowdownPicture:
    """Return a picture of everybody's cards in a step.

    At a showdown, the cards that make the bid are outlined.
    """
    current, doubted = step.round, isinstance(step.action, Challenge)
    standing = current.standing
    rows = (
        ShowdownRow(
            accountless_name(players[seat]) or played.names[seat],
            cards,
            note=_fate(step, seat),
            loser=doubted and current.outcome is not None and current.outcome.loser == seat,
            bidder=standing is not None and standing.seat == seat,
            challenger=doubted and step.seat == seat,
            face=face_of(players[seat]),
        )
        for seat, cards in enumerate(current.hands)
        if cards
    )
    if step.proof is None or step.about is None:
        return ShowdownPicture.of(rows, current.middle)
    jokers = stand_ins(step.about.bid, step.proof)
    return ShowdownPicture.of(rows, current.middle, step.proof.cards, jokers)


def costliest_board(
    played: PlayedMatch,
    players: Sequence[int],
    steps: Sequence[Step],
    advice: Sequence[Advice],
    judged: int,
    address: Address,
) -> Board:
    """Return a player's costliest decisions, the worst first, out of `judged` decisions."""
    voice = voice_of(players)
    which = tr("-# {title} · match {number}", title=tr(played.rules.title), number=address.match)
    head = f"**{tr('Coach')}**\n{which}"
    if not advice:
        looked = trn(
            "-# {number} decision checked",
            "-# {number} decisions checked",
            judged,
        )
        none = tr("None of your decisions was clearly wrong. Nothing to add.")
        return Board(GREEN, (Text(f"{head}\n{looked}"), Text(none)), _leads(()), address)
    looked = trn(
        "-# {number} decision checked; these cost you most.",
        "-# {number} decisions checked; these cost you most.",
        judged,
    )
    blocks: list[Block] = [Text(f"{head}\n{looked}")]
    by_seq = {step.seq: step for step in steps}
    for number, decision in enumerate(advice, start=1):
        step = by_seq[decision.seq]
        place = tr("**{place}.** Round {number}:", place=number, number=step.round.number)
        lines = [f"{place} {own_action_text(step, decision, voice)}"]
        lines += [
            known_chance(step, voice, to_player=True),
            *advice_sentences(decision, step, voice),
        ]
        blocks.append(Text("\n".join(lines)))
    return Board(AMBER, tuple(blocks), _leads([decision.seq for decision in advice]), address)


def decisions_button() -> Button:
    """Return the button that leads to the costliest decisions of the player who presses it."""
    return Button("coach", tr("Coach"))


def own_action_text(step: Step, advice: Advice, voice: Voice) -> str:
    """Return the reader's own bid or challenge in a step; empty if the step is another action."""
    rules = step.match.ruleset
    if step.about is None:
        return ""
    if advice.chosen.key is None:
        return tr(
            "you {challenged} {bidder}'s {said}.",
            challenged=game_words(rules).challenged,
            bidder=voice.names[step.about.seat],
            said=voice.strong(bid_text(rules, step.about.bid)),
        )
    before = step.before.round.standing if step.before.round is not None else None
    action = voice.strong(action_text(advice.chosen, rules))
    if before is None:
        return tr("you opened with {said}.", said=action)
    return tr("{said}, over {standing}.", said=action, standing=bid_text(rules, before.bid))


def _leads(numbers: Sequence[int]) -> tuple[tuple[Button, ...], ...]:
    """Return buttons for the quiz, and for the replay at the actions `numbers`.

    If `numbers` is empty, a single button opens the replay at its beginning.
    """
    mistakes = Button("mistakes", tr("Quiz"))
    if not numbers:
        return ((Button("replay", tr("Replay"), choice="open"), mistakes),)
    buttons = (
        Button("replay", tr("Show {place}", place=place), choice=f"at.{seq}.{WITH_COACH}")
        for place, seq in enumerate(numbers, start=1)
    )
    return (tuple(buttons), (mistakes,))


def _heading(played: PlayedMatch, step: Step, place: int, steps: int) -> str:
    title = tr("**{title} · Match {number}**", title=tr(played.rules.title), number=played.number)
    where = tr(
        "-# Round {number} of {rounds} · step {step} of {steps}",
        number=step.round.number,
        rounds=len(played.deals),
        step=place + 1,
        steps=steps,
    )
    return f"{title}\n{where}"


def _bidding(steps: Sequence[Step], place: int, voice: Voice) -> str:
    """Return the round's latest steps before `place`, except the deal, in small print."""
    number = steps[place].round.number
    before = [step for step in steps[:place] if step.round.number == number]
    lines = [_small(step_text(step, voice)) for step in before if not isinstance(step.action, Deal)]
    return "\n".join(lines[-LATEST:])


def _rows(place: int, steps: int, *, coach: bool, looking: bool) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons that lead to other steps and to the coach."""
    first, last = looking or place == 0, looking or place == steps - 1
    switch = tr("Coach off") if coach else tr("Coach")
    mark = f".{WITH_COACH}" if coach else ""
    toggle = "stay" if coach else f"stay.{WITH_COACH}"
    # three in a row: a phone would wrap a fourth
    rows: list[tuple[Button, ...]] = [
        (
            Button("replay", tr("‹ Back"), disabled=first, choice=f"back{mark}"),
            Button("replay", tr("Next ›"), "primary", disabled=last, choice=f"next{mark}"),
            Button("replay", switch, disabled=looking, choice=toggle),
        ),
        (
            Button("replay", tr("« Round"), disabled=first, choice=f"roundback{mark}"),
            Button("replay", tr("Round »"), disabled=last, choice=f"roundon{mark}"),
            Button("keep", tr("Download")),
        ),
    ]
    if coach:
        rows.append(
            (Button("coach", tr("My costliest moves")),)
        )  # the coach's advice on the whole match
    return tuple(rows)


def _fate(step: Step, seat: int) -> str:
    player, outcome = step.match.seats[seat], step.round.outcome
    if player.standing is SeatStatus.FORFEITED:
        return tr("has left")
    if outcome is None:
        return ""
    if outcome.loser == seat:
        if outcome.eliminated:
            return tr("out")
        return trn("now {number} card", "now {number} cards", player.cards)
    return "" if player.live else tr("out")


def _accent(step: Step) -> int:
    if not isinstance(step.action, Challenge) or step.proof is None:
        return GREEN
    return AMBER if step.proof.holds else RED


def _small(line: str) -> str:
    return f"-# {line}" if line else ""


def _has_content(block: Block) -> bool:
    return not isinstance(block, Text) or bool(block.markdown)


IN_A_PAGE: Final = 10
_ORDINALS: Final = {1: "1st", 2: "2nd", 3: "3rd"}


def history_board(
    player: int, lines: Sequence[HistoryLine], *, older: bool, first: bool, match_here: bool = True
) -> Board:
    """Return a page of a player's matches, the latest first.

    `older`: whether there are older matches. `first`: whether this is the first page. `match_here`:
    whether any match is over in this channel, no matter who played it.
    """
    if not lines:
        text = tr("No match of yours has a winner yet. `/play` opens a table.")
        row = (Button("recall", tr("Last match here")),)
        return Board(GREY, (Text(text),), (row,) if match_here else ())
    text = "\n".join(_line(player, line) for line in lines)
    options = tuple((str(line.match_id), _option(line), _short(line)) for line in lines)
    rows: list[tuple[Button, ...] | Menu] = [
        Menu("recall", tr("Replay a match…"), options, str(lines[0].match_id)),
        (Button("recall", tr("Last match here")), decisions_button()),
        (Button("mistakes", tr("Quiz")),),
    ]
    if older or not first:
        newest = Button("history", tr("Latest"), disabled=first, choice="0")
        then = Button("history", tr("Older"), disabled=not older, choice=str(lines[-1].match_id))
        rows.append((newest, then))
    return Board(GREEN, (Text(tr("**Your matches**")), Text(text)), tuple(rows), Address(0))


def title_of(game: str) -> str:
    """Return the title of a stored match's game, or its key if the bot no longer has the game."""
    try:
        return tr(variant(game).title)
    except RulesetError:
        return game


def place_text(line: HistoryLine) -> str:
    """Return a player's place in a match: `2nd of 4`."""
    return tr("{place} of {people}", place=ordinal(line.place), people=len(line.players))


def ordinal(place: int) -> str:
    """Return a place as an English ordinal, `2nd`; in other languages as a number."""
    english = spoken().key == ENGLISH
    return _ORDINALS.get(place, f"{place}th") if english else str(place)


def _option(line: HistoryLine) -> str:
    return tr("Match {number}: {title}", number=line.match_id, title=title_of(line.variant))


def _rounds(line: HistoryLine) -> str:
    return trn("{number} round", "{number} rounds", line.rounds)


def _line(player: int, line: HistoryLine) -> str:
    others = join_words(mention(player_id) for player_id in line.players if player_id != player)
    won = tr("**won**") if line.place == 1 else place_text(line)
    when = stamp(line.ended_at, "f")
    return (
        f"`{line.match_id}` {title_of(line.variant)} · {won} · {_rounds(line)}\n"
        f"-# {when} · {tr('with {people}', people=others)}"
    )


def _short(line: HistoryLine) -> str:
    return f"{place_text(line)}, {_rounds(line)}"
