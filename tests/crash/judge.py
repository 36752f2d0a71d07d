"""The judge: compares the bot's file with what people did, the answers they got, and their screens.

Each check adds sentences, one for each violation, under a name; `VIOLATIONS` says what each name
counts. A run without violations is clean.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from benchmarks.reading import HAND, NATURAL, cards_seen
from tests.crash.ledger import Death, Ledger, TableRow, log_of
from tests.crash.people import MOVES, Act
from tests.crash.record import Record, ShownMessage
from tests.crash.referee import FOR_EVER, JudgedMatch, Round, judge_match

VIOLATIONS: Final = {
    "lost": "acknowledged moves that are not stored",
    "refused": "moves said not to be stored that are",
    "doubled": "actions stored twice, of nobody, or by a seat twice running",
    "altered": "actions stored otherwise than made",
    "rewritten": "stored actions gone or rewritten later",
    "unsound": "files that SQLite finds damaged",
    "broken": "logs that break a rule, by the referee",
    "unsealed": "deals that are not as they were sealed",
    "cards": "looks and direct messages with other cards than the log deals",
    "letters": "direct messages to the wrong person, doubled, or never sent",
    "leaked": "screens with a card of somebody else's before the showdown",
    "results": "results that are not the referee's",
    "records": "matches not recorded once for each of its people",
    "deadlines": "deadlines passed over, or given more time than a start may",
    "repeats": "redelivered interactions left unanswered",
    "reminders": "reminders left standing",
    "screens": "tables that show something else than the log says",
    "stuck": "tables that accept no legal act any more",
    "starts": "starts and stops that failed",
    "logged": "cards or seeds in the log, or errors there",
    "missed": "named points that were never reached",
    "blind": "kinds of evidence of which there is none",
}
ROUND: Final = re.compile(r"\b[Rr]ound (\d+)\b")
DIRECT_MESSAGE: Final = re.compile(r"(?:match (\d+) )?· Round (\d+)\b")
SEALED: Final = re.compile(r"seal `([0-9a-f]{32})`")
BEGUN: Final = "The cards are dealt"
# cards that nobody held: those named as missing, and those that a joker stands for
NOBODYS: Final = re.compile(r"\*\*Not there\*\*\. Missing: [^\n]*|\[joker as [^\]\n]*\]")
SLACK_MS: Final = 150.0  # between the bot's clock and the moment a line is written down
PASSED_OVER: Final = 40  # presses answered since a deadline, after which it should have fired
GRACE_MS: Final = 400
APART_MS: Final = 50  # a start sets overdue deadlines this far apart


@dataclass
class Case:
    """Everything known about a run, and the violations and figures found in it."""

    ledger: Ledger
    record: Record
    acts: list[Act]
    seats: dict[int, int]  # which channel each person plays in
    violations: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    figures: Counter[str] = field(default_factory=Counter)
    matches: list[JudgedMatch] = field(default_factory=list)

    def add(self, name: str, *sentences: str) -> None:
        """Add violations of the kind `name`, a sentence each."""
        assert name in VIOLATIONS, name
        self.violations[name] += sentences

    @property
    def clean(self) -> bool:
        """Whether there are no violations."""
        return not any(self.violations.values())


def judge(case: Case) -> Case:
    """Run every check that needs no running bot, add the violations to `case` and return it."""
    ledger = case.ledger
    case.add("rewritten", *ledger.rewritten)
    case.add("unsound", *ledger.unsound)
    seeds: dict[int, dict[int, bytes]] = defaultdict(dict)
    for match, number, seed in ledger.read("select match_id, round, seed from round_seeds"):
        seeds[match][number] = seed
    for row in ledger.matches():
        case.matches.append(judge_match(row, log_of(ledger.rows, row.id), seeds[row.id]))
    for result in case.matches:
        case.add("broken", *result.broken)
        case.add("unsealed", *result.unsealed)
    _moves(case)
    _results(case)
    _records(case)
    rounds = Rounds(case)
    _seals(case, rounds)
    _looks(case, rounds)
    _direct_messages(case, rounds)
    for sentence in _leaks(case, rounds):
        case.add("leaked", sentence)
    for before, after in zip(ledger.deaths, ledger.deaths[1:], strict=False):
        case.add("deadlines", *_overdue(case, before, after))
    _repeats(case)
    if case.figures["rounds"]:  # otherwise an empty journal would look like a good run
        case.add("blind", *(kind for kind in ("screens", "seals") if not case.figures[kind]))
    return case


# -- moves -----------------------------------------------------------------------------------------


def _moves(case: Case) -> None:
    """Add a violation for each move that is lost, altered, stored twice or stored though refused.

    A stored interaction that nobody made, and two actions in a row by the same seat, count as
    stored twice. Also count the presses by how they were answered.
    """
    ledger, record = case.ledger, case.record
    times: Counter[int] = Counter(row[3] for row in ledger.rows.values() if row[3] is not None)
    times.update(row[0] for row in ledger.read("select id from interactions"))
    acts = {act.interaction: act for act in case.acts}
    for act in case.acts:
        answer = record.answers.get(act.interaction)
        if answer is not None and answer.not_stored and times[act.interaction]:
            case.add("refused", f"{act.kind} {act.bid or ''} of {act.player}")
        if act.kind in ("look", "suggested"):
            continue
        case.figures["presses"] += 1
        if answer is None or answer.taken is None:
            case.figures["unanswered"] += 1
            case.figures["unanswered_stored"] += times[act.interaction] > 0
        elif act.kind in MOVES and answer.acknowledges(act):
            case.figures["acknowledged"] += 1
            case.figures["deferred"] += answer.taken in (5, 6)
            if not times[act.interaction]:
                case.add("lost", f"{act.kind} {act.bid or ''} of {act.player}: {answer.text!r}")
    for interaction, number in times.items():
        if number > 1:
            case.add("doubled", f"interaction {interaction} is stored {number} times")
        if interaction not in acts:
            case.add("doubled", f"interaction {interaction} is nobody's")
    last: tuple[int, int | None] | None = None
    for (match, seq), row in sorted(ledger.rows.items()):
        body = json.loads(row[2])
        if body["kind"] == "forfeit":  # may come out of turn
            continue
        actor = match, body.get("seat")
        if actor == last:
            case.add("doubled", f"match {match}, action {seq}: seat {actor[1]} twice running")
        last = actor
    players = {match.row.id: match.row.players for match in case.matches}
    for row in ledger.rows.values():
        act = acts.get(row[3]) if row[3] is not None else None  # type: ignore[assignment]
        if act is None:
            continue
        body = json.loads(row[2])
        if body["kind"] == "deal":
            same = act.kind in ("start", "next", "join")
        else:
            player = players[row[0]][body["seat"]]
            kind = {"bid": "bid", "challenge": "doubt"}.get(body["kind"])
            same = (kind, player, body.get("bid")) == (act.kind, act.player, act.bid)
        if not same:
            case.add("altered", f"{act} is stored as {body['kind']} {body.get('bid')}")


# -- ends ------------------------------------------------------------------------------------------


def _results(case: Case) -> None:
    stored: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
    for match, player, place, rounds in case.ledger.read(
        "select match_id, player, place, rounds from results"
    ):
        stored[match][player] = (place, rounds)
    for result in case.matches:
        row = result.row
        case.figures["matches"] += 1
        case.figures["rounds"] += len(result.rounds)
        case.figures["won"] += result.winner is not None
        expected = result.places if result.winner is not None else {}
        if stored[row.id] != expected:
            case.add("results", f"match {row.id}: {stored[row.id]}, the referee has {expected}")
        if (row.status == "won") != (result.winner is not None):
            case.add("results", f"match {row.id} is {row.status}, its winner {result.winner}")


def _records(case: Case) -> None:
    recorded = Counter(row[0] for row in case.ledger.read("select match_id from recorded_matches"))
    played: Counter[int] = Counter()
    won: Counter[int] = Counter()
    for match in case.matches:
        counts = match.winner is not None and not match.dropped and min(match.row.players) > 0
        if recorded[match.row.id] != counts:
            case.add("records", f"match {match.row.id} is recorded {recorded[match.row.id]} times")
        if counts:
            played.update(match.row.players)
            won[match.winner or 0] += 1
    rows = case.ledger.read(
        "select player, matches, wins from person_records where season = 0 and game = ''"
    )
    for player, matches, wins in rows:
        if (matches, wins) != (played[player], won[player]):
            expected = f"{played[player]} and {won[player]}"
            case.add("records", f"{player}: {matches} matches, {wins} won; expected {expected}")
    missing = set(played) - {row[0] for row in rows}
    case.add("records", *(f"{player} has no record" for player in missing))


# -- screens ---------------------------------------------------------------------------------------


class Rounds:
    """The rounds that a message can be about, by its channel, person and time."""

    def __init__(self, case: Case) -> None:
        tables = case.ledger.deaths[-1].tables if case.ledger.deaths else {}
        self._channel = {row.id: row.channel for row in tables.values()}
        self._seats = case.seats
        self.by_channel: dict[int, list[Round]] = defaultdict(list)
        for match in case.matches:
            for round in match.rounds:
                self.by_channel[self._channel.get(round.table, 0)].append(round)
        for rounds in self.by_channel.values():
            rounds.sort(key=lambda round: round.dealt_at)

    def for_message(self, message: ShownMessage) -> list[Round]:
        """Return the rounds dealt at a message's table before the message was shown, oldest first.

        For a direct message, the table is the one at which its reader plays.
        """
        channel = int(message.channel or 0)
        if channel not in self.by_channel:
            (person, *_) = message.to or (0,)
            channel = self._seats.get(person, 0)
        return [round for round in self.by_channel.get(channel, []) if round.dealt_at <= message.at]

    def latest_round(
        self, player: int, number: int, at: float, match: int | None = None
    ) -> Round | None:
        """Return the latest round with this `number` in which `player` had cards, or None.

        Only rounds dealt at or before `at` (in milliseconds) count and, if `match` (an id) is
        given, only that match's rounds.
        """
        latest = None
        for round in self.by_channel.get(self._seats.get(player, 0), []):
            fits = round.number == number and match in (None, round.match)
            if fits and round.dealt_at <= at and player in round.hands:
                latest = round
        return latest


def _seals(case: Case, rounds: Rounds) -> None:
    """Check that each seal published at a match's start is the seal of a first deal in the log."""
    for message in case.record.messages:
        seal = SEALED.search(message.text)
        if seal is None or BEGUN not in message.text or message.private:
            continue
        case.figures["seals"] += 1
        fitting = {
            round.commitment[:32] for round in rounds.for_message(message) if round.number == 1
        }
        if seal[1] not in fitting:
            case.add("unsealed", f"a match was published with the seal {seal[1]}")


def _looks(case: Case, rounds: Rounds) -> None:
    for act in case.acts:
        number, cards = ROUND.search(act.text), cards_seen(act.text)
        if act.kind != "look" or number is None or not cards:
            continue
        round = rounds.latest_round(act.player, int(number[1]), act.at)
        case.figures["looks"] += 1
        if round is None or (act.at < round.ended_at and round.hands[act.player] != cards):
            case.add("cards", f"{act.player} looked at {sorted(cards)} in {round}")


def _direct_messages(case: Case, rounds: Rounds) -> None:
    """Check that direct messages show the right cards to the right person, and come only once.

    A second message is allowed if a kill came before the first was stored as sent. An edit
    counts as a message only if the round's cards had not come before. Every message stored as
    sent must have come.
    """
    tables = {int(message.channel or 0) for message in case.record.messages} & set(
        rounds.by_channel
    )
    sent: dict[tuple[int, int, int], list[float]] = defaultdict(list)
    for message in case.record.messages:
        number, hand = DIRECT_MESSAGE.search(message.text), HAND.search(message.text)
        if message.private or int(message.channel) in tables or number is None or hand is None:
            continue
        (reader,) = message.to
        round = rounds.latest_round(reader, int(number[2]), message.at, int(number[1] or 0) or None)
        if round is None:
            case.add("letters", f"{reader} has cards of {number[0]} that they were not dealt")
            continue
        if frozenset(NATURAL.findall(hand[1])) != round.hands[reader]:
            case.add("cards", f"{reader} was sent {message.text!r} in match {round.match}")
        key = round.match, round.number, reader
        if message.new or key not in sent:  # an edit of cards that had come already doesn't count
            case.figures["letters"] += 1
            sent[key].append(message.at)
    for key, times in sent.items():
        for first, second in itertools.pairwise(times):
            between = [death for death in case.ledger.deaths if first < death.at < second]
            if not any(key in death.pending for death in between):
                case.add("letters", f"{key} was sent twice, and that it had been was known")
    noted = case.ledger.read("select match_id, round, player from deliveries where state='sent'")
    for key in noted:
        if tuple(key) not in sent:
            case.add("letters", f"{key} is noted as sent and never came")


def _leaks(case: Case, rounds: Rounds) -> Iterator[str]:
    """Describe screens with a card that their viewer may not see yet."""
    suggested = [
        ShownMessage(act.at, "", "", True, True, frozenset({act.player}), act.text)
        for act in case.acts
        if act.kind == "suggested"
    ]
    for message in (*case.record.messages, *case.record.forms, *suggested):
        cards = cards_seen(NOBODYS.sub("", message.text))
        case.figures["screens"] += 1
        if not cards:
            continue
        dealt = rounds.for_message(message)
        current = [round for round in dealt if message.at < round.ended_at]
        if not current:
            continue
        now, mentioned = current[-1], {int(number) for number in ROUND.findall(message.text)}
        if now.ended_at != FOR_EVER and message.at > now.ended_at - 1:
            continue
        allowed: set[str] = set()
        for round in dealt:
            if round.number in mentioned and round.ended_at <= message.at:
                allowed |= round.pool
        own_cards: frozenset[str] = frozenset()
        if len(message.to) == 1:
            own_cards = now.hands.get(next(iter(message.to)), frozenset())
        leaked = (cards - allowed - own_cards) & now.pool
        if leaked:
            where = f"match {now.match}, round {now.number}"
            yield f"{where}: {sorted(leaked)} in {message.text[:200]!r}"


# -- time ------------------------------------------------------------------------------------------


def _overdue(case: Case, before: Death, after: Death) -> Iterator[str]:
    """Describe each deadline that the bot missed in one life, or moved too far at its start.

    The life lies between the deaths `before` and `after`. A busy machine may serve deadlines
    late, but then it answers presses late too. So a deadline counts as missed when many presses
    were answered after it.
    """
    if after.ready_at is None:
        return
    until = after.at if after.stopping_at is None else after.stopping_at
    answered = [at for at, _ in case.record.tries if after.ready_at < at < until]
    for row in after.tables.values():
        if row.status not in ("lobby", "playing") or row.deadline is None:
            continue
        late = after.at - row.deadline
        since = sum(at > row.deadline + 1000 for at in answered)
        if late > 0:
            case.figures["latest_ms"] = max(case.figures["latest_ms"], int(late))
        if since > PASSED_OVER:
            yield (
                f"table {row.id}: {row.kind} has been due for {late:.0f} ms, "
                f"{since} presses were answered since"
            )
        was = before.tables.get(row.id)
        if was is not None and _only_granted(was, row, before, after):
            grace = GRACE_MS + APART_MS * len(after.tables)
            latest = max(was.deadline or 0, after.ready_at + grace + SLACK_MS)
            if row.deadline > latest:
                yield (
                    f"table {row.id}: {row.kind}, {row.deadline - latest:.0f} ms more than a start "
                    f"gives ({was} before, {row} after, ready at {after.ready_at:.0f})"
                )


def _only_granted(was: TableRow, row: TableRow, before: Death, after: Death) -> bool:
    """Return whether the time granted at a start is a table's only change between two deaths."""
    match = row.match or 0
    same = before.lengths.get(match, 0) == after.lengths.get(match, 0)
    return (
        same
        and row.version == was.version + 1
        and row.kind == was.kind
        and row.nudges == was.nudges
    )


def _repeats(case: Case) -> None:
    """Check that the bot tried to answer each redelivered interaction, unless killed soon after.

    A try before the redelivery counts too, if it came after the bot's latest start: the press may
    have reached the bot while it was starting.
    """
    for again in case.record.redeliveries:
        case.figures["redelivered"] += 1
        later = [at for at, number in case.record.tries if number == again.interaction]
        deaths = [death.at for death in case.ledger.deaths]
        began = max((at for at in deaths if at <= again.at), default=0.0)
        died = min((at for at in deaths if at > again.at), default=FOR_EVER)
        others = sum(again.at < at < died for at, _ in case.record.tries)
        tried = any(at > began for at in later)
        if not tried and others > PASSED_OVER:
            case.add("repeats", f"interaction {again.interaction}, delivered again, has no answer")
