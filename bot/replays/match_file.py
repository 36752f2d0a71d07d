"""A finished match as a file: JSON in a documented, versioned format (docs/replays.md).

The log is authoritative. `rounds` repeats the log's results for programs that don't know the rules;
when a file is read, `rounds` is compared with the log and not trusted. A file may come from
anywhere, so it is read within limits, and any mistake raises an error of one sentence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from bot.language.words import plain, truncate
from bot.replays.played import LogEntry, PlayedMatch, Seated, usual_name
from bot.roster import CHARACTERS
from engine.actions import SCHEMA, BadLog, Deal, from_json, to_json
from engine.cards import Cards
from engine.errors import RulesetError, RuleViolation, printable
from engine.play import apply, start
from engine.ruleset import Ruleset
from engine.state import Match, Round
from engine.variants import ruleset

FORMAT: Final = "bluffhouse-match"
VERSION: Final = 1
MOST_BYTES: Final = 4_000_000  # a long match of ten has about 200,000
MOST_ACTIONS: Final = 10_000
_LATEST: Final = 253_402_300_799_999  # milliseconds since 1970, the end of the year 9999
_SEED_BYTES: Final = 64
_SEAL: Final = re.compile(r"[0-9a-f]{64}")

T = TypeVar("T")


class FileError(Exception):
    """The file is not a finished match. `str()` is a sentence without its full stop."""


@dataclass(frozen=True, slots=True)
class MatchFile:
    """A file's content: the match from its log, and its claims per round (None: no claims)."""

    played: PlayedMatch
    claimed: tuple[Any, ...] | None = None


def file_text(played: PlayedMatch) -> str:
    """Return a match as the text of a file. Raises `RuleViolation` if its log breaks a rule."""
    return json.dumps(as_dict(played), ensure_ascii=False, indent=1) + "\n"


def as_dict(played: PlayedMatch) -> dict[str, Any]:
    """Return a match as JSON values for a file. Raises `RuleViolation` if its log breaks a rule."""
    states = played.states()
    last = states[-1] if states else played.first()
    return {
        "format": FORMAT,
        "version": VERSION,
        "match": played.number,
        "game": played.rules.key,
        "rules": played.rules.version,
        "options": dict(played.rules.options),
        "players": [
            {"name": seat.name} | ({"computer": seat.character} if seat.character else {})
            for seat in played.seated
        ],
        "opener": played.opener,
        "started": played.started_at,
        "ended": played.ended_at,
        "winner": last.winner,
        "log": [
            to_json(entry.action) | {"at": entry.at} | ({"house": True} if entry.by_house else {})
            for entry in played.log
        ],
        "seeds": [{"round": number, "seed": seed.hex()} for number, seed in played.seeds.items()],
        "rounds": rounds_of(played.rules, states),
    }


def read_file(path: Path) -> MatchFile:
    """Read a match file.

    Raises `FileError` for any other content, OSError if the file can't be read, and ValueError if
    the path is impossible, such as one with a null character.
    """
    if not (path.is_file() or path.is_dir()) and path.exists():  # reading it might never end
        raise FileError("it is a pipe or a device, and no file")
    with path.open("rb") as opened:
        return read_bytes(opened.read(MOST_BYTES + 1))


def read_bytes(content: bytes) -> MatchFile:
    """Parse the content of a match file. Raises `FileError` for any other content."""
    if len(content) > MOST_BYTES:
        raise FileError(f"it is larger than {MOST_BYTES // 1_000_000} MB, and no match is")
    try:
        values = json.loads(content.decode("utf-8-sig"), parse_constant=_no_number)
    except (ValueError, RecursionError):  # invalid UTF-8 is a ValueError too
        raise FileError("it is no JSON text") from None
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise FileError(f'it is no match: a match begins with {{"format": "{FORMAT}"')
    if type(values.get("version")) is not int or values["version"] != VERSION:
        raise FileError(f"it is of another version than {VERSION}, the one that is read here")
    return _FieldReader(values).match()


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number of JSON")


class _FieldReader:
    """Reads a file's values field by field."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    def match(self) -> MatchFile:
        rules, seated = self._rules(), self._players()
        opener = self._optional("opener", 0, len(seated) - 1)
        try:
            start(rules, range(len(seated)), opener)
        except RulesetError as error:
            raise FileError(f"its players do not fit its game: {error}") from None
        played = PlayedMatch(
            number=self._optional("match", 1, _LATEST),
            rules=rules,
            seated=seated,
            opener=opener,
            started_at=self._number("started"),
            ended_at=self._number("ended"),
            won=self._optional("winner", 0, len(seated) - 1) is not None,
            log=self._log(),
            seeds=self._seeds(),
        )
        claimed = self._values.get("rounds")
        if claimed is not None and not isinstance(claimed, list):
            raise _wrong("rounds", "a list")
        return MatchFile(played, tuple(claimed) if claimed is not None else None)

    def _rules(self) -> Ruleset:
        game, version = self._field("game", str), self._field("rules", int)
        options = self._field("options", dict)
        if not all(type(value) in (str, int, bool) for value in options.values()):
            raise _wrong("options", "words, whole numbers, true and false")
        try:
            return ruleset(game[:80], options, version)
        except RulesetError as error:
            raise FileError(
                f"its game cannot be played here: {truncate(printable(str(error)), 200)}"
            ) from None

    def _players(self) -> tuple[Seated, ...]:
        listed = self._field("players", list)
        if not 2 <= len(listed) <= 64:
            raise _wrong("players", "a list of two players or more")
        return tuple(_seat(seat, value) for seat, value in enumerate(listed))

    def _log(self) -> tuple[LogEntry, ...]:
        lines = self._field("log", list)
        if not 1 <= len(lines) <= MOST_ACTIONS:
            raise _wrong("log", f"a list of 1 to {MOST_ACTIONS:,} actions")
        return tuple(_entry(number, line) for number, line in enumerate(lines, start=1))

    def _seeds(self) -> dict[int, bytes]:
        seeds: dict[int, bytes] = {}
        for entry in self._field("seeds", list):
            number = entry.get("round") if isinstance(entry, dict) else None
            written = entry.get("seed") if isinstance(entry, dict) else None
            if type(number) is not int or not isinstance(written, str) or number in seeds:
                raise _wrong("seeds", 'a list such as [{"round": 1, "seed": "00ff..."}]')
            try:
                seeds[number] = bytes.fromhex(written[: 2 * _SEED_BYTES + 1])
            except ValueError:
                raise _wrong("seeds", "written in hexadecimal digits") from None
        return seeds

    def _field(self, key: str, kind: type[T]) -> T:
        value = self._values.get(key)
        if type(value) is not kind:
            raise _wrong(key, _KINDS[kind])
        return value

    def _number(self, key: str, lowest: int = 0, highest: int = _LATEST) -> int:
        value = self._field(key, int)
        if not lowest <= value <= highest:
            raise _wrong(key, f"a number from {lowest} to {highest}")
        return value

    def _optional(self, key: str, lowest: int, highest: int) -> int | None:
        return None if self._values.get(key) is None else self._number(key, lowest, highest)


_KINDS: Final[dict[type, str]] = {
    str: "a text",
    int: "a whole number",
    dict: "an object",
    list: "a list",
}


def _seat(seat: int, value: object) -> Seated:
    name = value.get("name") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(name, str):
        raise _wrong("players", 'a list such as [{"name": "Ann"}, {"name": "Bob"}]')
    character = value.get("computer", "")
    if character not in ("", *CHARACTERS):
        character = CHARACTERS[0]  # unknown, from a newer version: same as in `bot.roster.computer`
    return Seated(plain(name) or usual_name(seat), character)


def _entry(number: int, line: object) -> LogEntry:
    if not isinstance(line, dict):
        raise _wrong("log", f"a list of actions, and number {number} is none")
    at, by_house = line.get("at", 0), line.get("house", False)
    if type(at) is not int or not 0 <= at <= _LATEST or type(by_house) is not bool:
        raise _wrong("log", f"well formed, and the time or the player of action {number} is not")
    try:
        action = from_json(line)
    except (BadLog, OverflowError):
        raise FileError(
            f"action {number} of its log cannot be read; one is"
            f' {{"v": {SCHEMA}, "kind": "challenge", "seat": 0}}, for example'
        ) from None
    if isinstance(action, Deal) and not _SEAL.fullmatch(action.commitment):
        raise FileError(f"the seal of action {number} of its log is not 64 hexadecimal digits")
    return LogEntry(action, at, by_house)


def _wrong(key: str, expected: str) -> FileError:
    return FileError(f'its "{key}" is not {expected}')


def validate(file: MatchFile) -> PlayedMatch:
    """Return the file's match if its log is one whole match and all claims follow from it.

    Raises `FileError` otherwise.
    """
    played = file.played
    states = states_of(played)
    complaint = ending_complaint(played, states[-1])
    if complaint is not None:
        raise FileError(complaint)
    if file.claimed is not None and list(file.claimed) != rounds_of(played.rules, states):
        raise FileError("what it says of its rounds does not follow from its log")
    return played


def states_of(played: PlayedMatch) -> tuple[Match, ...]:
    """Return a match's state after each action. Raises `FileError` if its log breaks a rule."""
    match, states = played.first(), []
    for number, action in enumerate(played.actions, start=1):
        try:
            match = apply(match, action)
        except RuleViolation:
            raise FileError(f"action {number} of its log breaks the rules of the game") from None
        states.append(match)
    return tuple(states)


def ending_complaint(played: PlayedMatch, last: Match) -> str | None:
    """Return what is wrong with a log's end; None if it agrees with the match's result."""
    if played.won != (last.winner is not None):
        return "its log does not end as it says: with a winner, or without one"
    if last.round is None:
        return "nothing is dealt in its log"
    return None


def rounds_of(rules: Ruleset, states: Sequence[Match]) -> list[dict[str, Any]]:
    """Return each round's final state as JSON values: hands, bids and outcome."""
    last: dict[int, Match] = {}
    for match in states:
        if match.round is not None:
            last[match.round.number] = match
    return [_round(rules, match.round) for match in last.values() if match.round is not None]


def _round(rules: Ruleset, current: Round) -> dict[str, Any]:
    judged, outcome = current.judgement, current.outcome
    return {
        "round": current.number,
        "seal": current.commitment,
        "shuffle": current.shuffle_version,
        "opener": current.opener,
        "hands": [_cards(hand) for hand in current.hands],
        "middle": _cards(current.middle),
        "bids": [
            {"seat": bid.seat, "bid": bid.bid.key, "words": rules.wording.say(bid.bid)}
            for bid in current.bids
        ],
        "judgement": None
        if judged is None
        else {
            "challenger": judged.challenger,
            "bidder": judged.standing.seat,
            "bid": judged.standing.bid.key,
            "holds": judged.proof.holds,
            "cards": _cards(judged.proof.cards),
        },
        "loser": outcome.loser if outcome is not None else None,
        "out": outcome is not None and outcome.eliminated,
    }


def _cards(cards: Cards) -> list[str]:
    return [str(card) for card in cards]
