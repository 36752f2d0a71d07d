"""Checks of a session, after each step and at its end, from the database file and the screens."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any, Final

from benchmarks.reading import LIVE, NATURAL, TURN
from bot.roster import nameless_number
from bot.sandbox.interactions import AUTOCOMPLETE
from bot.sandbox.screen import SeenMessage
from bot.tables.table_options import TURN_CLOCK
from engine.actions import from_json
from engine.cutting import read_cut
from engine.play import apply, start
from engine.ruleset import Ruleset
from engine.state import Match, Phase
from engine.variants import ruleset
from tests.crash.ledger import actions_in, log_of, matches_in
from tests.crash.referee import judge_match
from tests.hostile import NAMES, harms
from tests.sessions.people import Act
from tests.sessions.setup import Setup
from tests.sessions.sight import Dealt, Sight

LEAST_TIME: Final = 19.0  # seconds that everybody gets after a start, whatever the clocks say
LESS: Final = 2.0  # seconds by which a turn may be shorter than its clock
WAITED: Final = 10.0  # further seconds, if the previous move waited for a locked file
_CUTS: Final = tuple(read_cut(name) for name in NAMES)  # shown as code
OVERDUE: Final = 60.0  # seconds after which a deadline should have been served by a healthy bot


def _with_forgotten(before: Match, now: Match) -> Match:
    """Return `before` with the player ids of `now` where a player has had their data deleted."""
    seats = (
        replace(seat, player=current.player)
        if nameless_number(current.player) is not None
        else seat
        for seat, current in zip(before.seats, now.seats, strict=True)
    )
    return replace(before, seats=tuple(seats))


@cache
def _rules(variant: str, options: str, version: int) -> Ruleset:
    return ruleset(variant, json.loads(options), version)


class Judge:
    """Checks one bot. Each check raises AssertionError with what it saw."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self.acknowledged: dict[int, str] = {}  # interactions whose answer confirms the move
        self.excused: set[str] = set()  # interactions that met a fault or a dead bot
        self._versions: dict[int, int] = {}
        self._length: dict[int, int] = {}
        # when each match's log has grown, and in which life of the bot
        self._moved: dict[int, tuple[float, int]] = {}
        self._late: dict[int, bool] = {}  # whether its last move had to wait for the file
        self._known: dict[int, Match] = {}  # each match as far as its log was read
        self._file: sqlite3.Connection | None = None
        self.sight = Sight(setup)
        self._looked_at = 0  # how many of the bot's requests were checked

    def _read(self, sql: str, *values: object) -> list[Any]:
        if self._file is None:
            self._file = sqlite3.connect(self._setup.file, isolation_level=None)
        return self._file.execute(sql, values).fetchall()

    def close(self) -> None:
        """Close the file, so that it can be replaced; the next read opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    # -- after each commit ------------------------------------------------------------------------

    def judge_commit(self) -> None:
        """Check that logs only grow and have no gaps, and that no table's version goes back.

        Also check that the bot doesn't move for a player before the player's time is up.
        """
        for table, version in self._read("SELECT id, version FROM tables"):
            assert version >= self._versions.get(table, 0), f"table {table} went back"
            self._versions[table] = version
        logs = self._read("SELECT match_id, count(*), max(seq) FROM actions GROUP BY match_id")
        for match, count, last in logs:
            before = self._length.get(match, 0)
            assert count == last, f"match {match} has a hole in its log"
            assert count >= before, f"match {match} lost an action"
            if count > before:
                self._in_time(match, count)
            self._length[match] = count

    def _in_time(self, match: int, count: int) -> None:
        """Check that the bot first moves for a player only after the player's time is up.

        This also holds if clocks jump. `count` is the length of the log after the latest action.
        """
        now, life = self._setup.clock.now(), self._setup.starts
        since, lived = self._moved.get(match, (now, life))
        waited = now - since
        late = self._late.get(match, False)
        rows = self._read(
            "SELECT a.by_house, a.body, t.absent, m.players, t.options FROM actions a"
            " JOIN matches m ON m.id = a.match_id JOIN tables t ON t.match_id = m.id"
            " WHERE a.match_id = ? AND a.seq = ?",
            match,
            count,
        )
        for by_house, body, absent, players, options in rows:
            action = json.loads(body)
            if action["kind"] != "forfeit":  # the turn goes on when another player leaves
                self._moved[match] = now, life
                self._late[match] = self._setup.disk.was_locked
            if not by_house:
                continue
            player = json.loads(players)[action["seat"]]
            missed = json.loads(absent).get(str(player), 0)
            clock = json.loads(options)[TURN_CLOCK.key]
            less = LESS + (WAITED if late else 0.0)
            least = clock - less if lived == life else LEAST_TIME
            assert missed != 1 or waited >= least, (
                f"match {match}: the clock of {player} ran out after {waited:.1f} s"
            )

    # -- after each act ---------------------------------------------------------------------------

    def judge_act(self, act: Act) -> None:
        """Check that confirmed moves are stored, and that no hidden card or markup is shown."""
        self._acknowledge(act)
        self.nothing_lost()
        self.no_foreign_card()
        self.sight.judge_answer(act)
        self.harmless()

    def harmless(self) -> None:
        """Check that names and typed texts never act as markup in what the bot sends."""
        requests = self._setup.world.state.requests
        for request in islice(requests, self._looked_at, None):
            markup = list(harms(request.body, _CUTS)) if isinstance(request.body, dict) else []
            assert not markup, f"{request.method} {request.route}: {markup[0]}"
        self._looked_at = len(requests)

    def _acknowledge(self, act: Act) -> None:
        out = act.outcome
        if out is None or act.interaction is None or out.message is None:
            return
        text = out.text
        public = not out.message.ephemeral
        visible = out.kind in ("update", "message") and public  # a showdown is a message of its own
        moved = visible and act.verb in ("raise", "call", "challenge")
        if moved or text.startswith("Bid: "):
            self.acknowledged[int(act.interaction)] = f"{act.person.name}: {act.label}"

    def nothing_lost(self) -> None:
        """Check that every confirmed move is in a log, once."""
        rows = self._read("SELECT interaction_id FROM actions WHERE interaction_id IS NOT NULL")
        stored = [row[0] for row in rows]
        assert len(stored) == len(set(stored)), "a press was played twice"
        lost = [
            move
            for interaction, move in self.acknowledged.items()
            if interaction not in set(stored)
        ]
        assert not lost, f"confirmed, and not stored: {lost}"

    def matches(self, *, anew: bool = False) -> Iterator[tuple[int, str, Match]]:
        """Yield each match's id, its status, and the state to which its log leads.

        Replay only actions that are new since the last call, and note each new state in `sight`.
        `anew`: replay whole logs instead, without noting or keeping any state.
        """
        sql = "SELECT id, status, variant, variant_version, options, players, opener FROM matches"
        for number, status, variant, version, options, players, opener in self._read(sql):
            known = None if anew else self._known.get(number)
            if known is None:
                known = start(_rules(variant, options, version), json.loads(players), opener)
            rows = self._read(
                "SELECT body, at FROM actions WHERE match_id=? AND seq>? ORDER BY seq",
                number,
                known.seq,
            )
            for body, _ in rows:
                known = apply(known, from_json(json.loads(body)))
                if not anew:
                    self.sight.note_state(number, known)
            if not anew:
                self._known[number] = known
            yield number, status, known

    def no_foreign_card(self) -> None:
        """Check that nobody can read a card that is hidden from them, on any screen."""
        playing = self._read(
            "SELECT match_id, message_id, channel_id FROM tables"
            " WHERE status='playing' AND match_id NOT NULL"
        )
        current = {match: (message, channel) for match, message, channel in playing}
        if not current:
            return
        dealt = [
            Dealt(number, match, *current[number])
            for number, _, match in self.matches()
            if number in current and match.phase is Phase.BIDDING
        ]
        self.sight.no_foreign_card(dealt)

    def screen_follows(self) -> None:
        """Check that during the bidding at most one public message asks a player to act.

        The message must be the one that the table has stored, and must ask the player whose turn it
        is. For a computer player, only the number of messages is checked.
        """
        state = self._setup.world.state
        rows = self._read(
            "SELECT message_id, match_id FROM tables WHERE status='playing' AND channel_id > 0"
        )
        current = {match: message for message, match in rows}
        for number, _, match in self.matches():
            if number not in current or match.phase is not Phase.BIDDING:
                continue
            assert match.round is not None
            player = match.seats[match.round.turn].player
            public = [
                message
                for message in state.messages.get(self._setup.channel.id, {}).values()
                if message.visible_to is None and TURN.search(SeenMessage(message.payload).text)
            ]
            turns = [TURN.search(SeenMessage(message.payload).text) for message in public]
            assert len(turns) <= 1, f"{len(turns)} messages of match {number} ask for an act"
            if player < 0 or not public:  # a computer player thinks; the message was deleted
                continue
            assert str(public[0].id) == str(current[number]), "an old message asks for an act"
            assert turns[0] is not None
            assert turns[0][1] == str(player), f"match {number}: the table asks somebody else"

    def nothing_old_can_be_pressed(self) -> None:
        """Check that a public message has a `LIVE` button only if it is a live table's message."""
        rows = self._read(
            "SELECT message_id FROM tables WHERE status IN ('lobby', 'playing') AND channel_id > 0"
        )
        current = {str(row[0]) for row in rows}
        for message in self._setup.world.state.messages.get(self._setup.channel.id, {}).values():
            if message.visible_to is None and not message.payload.get("content"):
                controls = LIVE & set(SeenMessage(message.payload).buttons)
                assert not controls or message.id in current, (
                    f"message {message.id} still has {controls}"
                )

    def direct_messages_are_sent(self) -> None:
        """Check that the hole cards of rounds being bid were sent to all who want direct messages.

        No direct message may show another player's cards, or come twice without a restart.
        """
        noted = self._read("SELECT match_id, round, player FROM deliveries WHERE state = 'sent'")
        self.sight.check_direct_messages([(int(a), int(b), int(c)) for a, b, c in noted])
        rows = self._read(
            "SELECT d.match_id, d.round, d.player, d.state FROM deliveries d"
            " JOIN tables t ON t.match_id = d.match_id JOIN players p ON p.id = d.player"
            " WHERE t.status = 'playing' AND p.choices LIKE '%\"letters\":\"yes\"%'"
            " AND d.state = 'pending'"
        )
        for number, _, match in self.matches():
            if match.phase is Phase.BIDDING and match.round is not None:
                late = [row for row in rows if row[:2] == (number, match.round.number)]
                assert not late, f"hole cards never sent: {late}"

    # -- now and then -----------------------------------------------------------------------------

    def nothing_overdue(self) -> None:
        """Check that no deadline is over `OVERDUE` seconds late. Call this long after any fault."""
        late = self._setup.wall.now() - int(OVERDUE * 1000)
        rows = self._read(
            "SELECT id, deadline_kind, deadline FROM tables"
            " WHERE status IN ('lobby', 'playing') AND deadline < ?",
            late,
        )
        assert not rows, (
            f"overdue by {[(late - row[2]) / 1000 + OVERDUE for row in rows]} s: {rows}"
        )

    def all_answered(self) -> None:
        """Check that every interaction except autocompletion was answered, unless it met a fault.

        Presses of a message that is gone don't count either: when a deal replaces a seat in that
        moment, Discord refuses the answer with 10008, and no message is left to show an error on.
        """
        state = self._setup.world.state
        for interaction in state.interactions.values():
            if interaction.id in self.excused or interaction.type == AUTOCOMPLETE:
                continue
            if (
                interaction.message_id
                and state.message(interaction.channel_id, interaction.message_id) is None
            ):
                continue
            assert not interaction.failed, (
                f"no answer to {interaction.body.get('custom_id') or interaction.body}"
            )

    # -- at the end -------------------------------------------------------------------------------

    def goes_on(self) -> bool:
        """Return whether the channel has a live table; practices don't count."""
        live = "SELECT 1 FROM tables WHERE status IN ('lobby', 'playing') AND channel_id > 0"
        return bool(self._read(live))

    def all_over(self) -> None:
        """Check that every match except practices has ended, and that no log was rewritten.

        Also check that the channel has no live table.
        """
        practice = {
            row[0] for row in self._read("SELECT match_id FROM tables WHERE channel_id < 0")
        }
        before = {number: match for number, _, match in self.matches()}
        for number, status, match in self.matches(anew=True):
            known = _with_forgotten(before[number], match)
            assert match == known, f"match {number}: its log was rewritten"
            waits = number in practice and status == "playing"
            assert waits or status in ("won", "abandoned"), f"match {number} is still {status}"
        assert not self.goes_on(), "a table that never ends"

    def logs_are_sound(self) -> None:
        """Judge every log by the rules alone: legal actions, deals as sealed, results as stored."""
        seeds: dict[int, dict[int, bytes]] = defaultdict(dict)
        for match, number, seed in self._read("SELECT match_id, round, seed FROM round_seeds"):
            seeds[match][number] = seed
        places: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
        for match, player, *place in self._read(
            "SELECT match_id, player, place, rounds FROM results"
        ):
            places[match][player] = (place[0], place[1])
        assert self._file is not None
        rows = actions_in(self._file)
        for row in matches_in(self._file):
            result = judge_match(row, log_of(rows, row.id), seeds[row.id])
            assert not result.broken, result.broken
            assert not result.unsealed, result.unsealed
            assert (row.status == "won") == (result.winner is not None), f"match {row.id}: {row}"
            assert places[row.id] == result.places, f"match {row.id}: {places[row.id]}"

    def nothing_in_the_log(self) -> None:
        """Check that no line of the bot's log has a card or a secret."""
        secrets = [row[0] for row in self._read("SELECT seed FROM round_seeds")]
        roots = self._read("SELECT chain_root FROM tables WHERE chain_root IS NOT NULL")
        secrets += [row[0] for row in roots]
        forms = [form for secret in secrets for form in (secret.hex(), repr(secret)[2:-1])]
        hands = {hand for dealt in self.sight.rounds.values() for hand in dealt.written}
        several = [hand for hand in hands if " " in hand]  # one card alone may stand for a rank
        for line in self._setup.lines.lines:
            cards = NATURAL.findall(line) or [hand for hand in several if hand in line]
            assert not cards, f"cards in the log: {line[:300]}"
            assert not any(form in line for form in forms), f"a secret in the log: {line[:300]}"

    def screen_is_true(self) -> None:
        """Check that the message of each won match says that somebody won it."""
        rows = self._read(
            "SELECT t.message_id, m.status FROM tables t JOIN matches m ON m.id = t.match_id"
            " WHERE t.status = 'finished' AND t.message_id IS NOT NULL"
        )
        state = self._setup.world.state
        for message_id, status in rows:
            message = state.message(self._setup.channel.id, str(message_id))
            if message is None or status != "won":
                continue
            text = json.dumps(message.payload, ensure_ascii=False)
            shows_end = "wins the match" in text or "Mecz wygrywa" in text
            assert shows_end, f"message {message_id} does not show the end"
