"""A small run without faults, made by hand, which the judge's own tests damage."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from sqlalchemy import create_engine

from bot.storage import schema
from tests.crash.judge import Case
from tests.crash.ledger import Ledger, MatchRow
from tests.crash.people import Act
from tests.crash.record import Record
from tests.crash.referee import RANKS, deal_order, deck, judge_match, naturals
from tests.naive import Referee

ANN, BOB = 71, 72
CHANNEL: Final = 501
DIRECT_MESSAGES: Final = {ANN: 601, BOB: 602}  # the channels of their direct messages
STEP_MS: Final = 1000
FIRST_MS: Final = 1_000_000
OPTIONS: Final[dict[str, Any]] = {}
TABLE: Final = (
    "insert into tables (id, guild_id, channel_id, host_id, status, variant, options, players,"
    " version, created_at, updated_at, match_id, message_id, announced_seq, deadline,"
    " deadline_kind) values (1, 9, ?, 71, 'finished', 'thai_poker', '{}', '[71, 72]', 50, 0, 0, 1,"
    " 800, 1, null, null)"
)


class SoundRun:
    """The file and the journal of a whole match of two players."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "house.db"
        self.lines: list[dict[str, Any]] = []
        self.acts: list[Act] = []
        self.actions: list[tuple[Any, ...]] = []
        self.seeds: dict[int, bytes] = {}
        self.hands: dict[int, dict[int, frozenset[str]]] = {}
        self.at = FIRST_MS
        self._play()
        self._store()

    def _play(self) -> None:
        """Play rounds until a player is out: the opener bids four aces, the other challenges."""
        referee = Referee("thai_poker", OPTIONS, 2, None)
        number = 0
        while referee.winner is None:
            number += 1
            self._deal(referee, number)
            seat = referee.turn or 0
            self._act(seat, {"kind": "bid", "seat": seat, "bid": "four:A"}, "bid", "four:A")
            referee.bid(seat, "four:A")
            opponent = 1 - seat
            self._act(opponent, {"kind": "challenge", "seat": opponent}, "doubt", None)
            referee.challenge(opponent)
            self._show("shown", f"Round {number} · Showdown {self._hand_text(number, None)}", None)

    def _deal(self, referee: Referee, number: int) -> None:
        seed = sha256(b"root").digest()
        for _ in range(1000 - number):
            seed = sha256(seed).digest()
        self.seeds[number] = seed
        order, drawn = deal_order(seed, [], deck(ROW), 2)
        referee.deal(order, drawn)
        self.hands[number] = {
            (ANN, BOB)[seat]: naturals(cards) for seat, cards in referee.hands.items()
        }
        seal = sha256(seed).hexdigest()
        body = {
            "kind": "deal",
            "order": [RANKS.index(card[0]) + 13 * "cdhs".index(card[1]) for card in order],
            "commitment": seal,
            "shuffle": 2,
            "drawn": drawn,
        }
        self._act(0, body, "start" if number == 1 else "next", None)
        if number == 1:
            self._show("shown", f"The cards are dealt\nseal `{seal[:32]}`", None)
        self._show("shown", f"Round {number}\n[at the table]", None)
        for player in (ANN, BOB):
            hand = f"Thai Poker · Round {number}\n# {self._hand_text(number, player)}"
            self._show("shown", hand, player)
            look = f"Round {number}\n{self._hand_text(number, player)}"
            self.acts.append(Act(0, player, "look", None, look, self.at))

    def _hand_text(self, number: int, player: int | None) -> str:
        """Return the hand of `player` in round `number` as screens show it; None: all hands."""
        hands = self.hands[number]
        chosen = hands.values() if player is None else [hands[player]]
        return " ".join(card for hand in chosen for card in sorted(hand))

    def _act(self, seat: int, body: dict[str, Any], kind: str, bid: str | None) -> None:
        self.at += STEP_MS
        seq = len(self.actions) + 1
        interaction, player = 900 + seq, (ANN, BOB)[seat]
        text = json.dumps({"v": 1} | body)
        self.actions.append((1, seq, 1, text, self.at, interaction, 0))
        self.at += 5
        self.acts.append(Act(interaction, player, kind, bid, "", self.at))
        path = f"/interactions/{interaction}/token{interaction}/callback"
        line = {"what": "request", "at": self.at, "method": "POST", "path": path}
        self.lines.append(line | {"status": 200, "type": 7, "text": "", "choices": []})

    def _show(self, kind: str, text: str, player: int | None) -> None:
        self.at += 5
        number = 800 + len(self.lines)
        channel = CHANNEL if player is None else DIRECT_MESSAGES[player]
        to = [ANN, BOB] if player is None else [player]
        line = {"what": kind, "at": self.at, "id": str(number), "channel": str(channel)}
        details = {"new": True, "private": False, "to": to, "text": text, "bot": True}
        self.lines.append(line | details)

    def _store(self) -> None:
        engine = create_engine(f"sqlite:///{self.file}")
        with engine.begin() as connection:
            schema.metadata.create_all(connection)
        engine.dispose()
        result = judge_match(ROW, [(a[0], a[1], a[3], a[5], a[4], a[6]) for a in self.actions], {})
        rows = [(1, player, *place) for player, place in result.places.items()]
        people = [(player, int(player == result.winner)) for player in (ANN, BOB)]
        with closing(sqlite3.connect(self.file)) as file, file:
            file.execute(TABLE, (CHANNEL,))
            match = "1, 1, 'thai_poker', 1, '{}', '[71, 72]', null, 'won', 0, 1"
            file.execute(f"insert into matches values ({match})")
            file.executemany("insert into actions values (?, ?, ?, ?, ?, ?, ?)", self.actions)
            file.executemany("insert into round_seeds values (1, ?, ?)", self.seeds.items())
            file.executemany("insert into results values (?, ?, ?, ?)", rows)
            file.execute("insert into recorded_matches values (9, 1, 1, 1)")
            for player, won in people:
                file.execute(_PERSON, (player, won))
            sent = [(number, seat, (ANN, BOB)[seat]) for number in self.seeds for seat in (0, 1)]
            file.executemany("insert into deliveries values (1, ?, ?, ?, 'sent')", sent)

    def case(self) -> Case:
        """Return the run's case, not judged yet, with one death in the middle of the match."""
        ledger = Ledger(self.file)
        ledger.look(FIRST_MS + 3.5 * STEP_MS, FIRST_MS, None, whole=False)
        return Case(ledger, Record(), self.acts, {ANN: CHANNEL, BOB: CHANNEL})

    def end(self, case: Case) -> Case:
        """Add to the case the bot's death at the match's end, and the journal; return the case."""
        case.ledger.look(self.at + STEP_MS, FIRST_MS, None, whole=True)
        case.record = Record().read(self.lines)
        return case


_PERSON: Final = (
    "insert into person_records select 9, 0, '', ?, 1, ?, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,"
    " null, null, null, null, null, null, null, null, 0, 0, 0, 0"
)


ROW: Final = MatchRow(1, 1, "thai_poker", OPTIONS, [ANN, BOB], None, "won")


def hidden_from(run: SoundRun, number: int, player: int) -> Iterator[str]:
    """Yield the cards of the player's opponent in round `number`."""
    for holder, hand in run.hands[number].items():
        if holder != player:
            yield from sorted(hand)
