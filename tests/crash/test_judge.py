"""The judge of `make crash` finds each kind of damage, and nothing in a sound run."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.crash.judge import Case, judge
from tests.crash.ledger import Death, TableRow
from tests.crash.logs import violations_in
from tests.crash.people import Act
from tests.crash.record import Record, Redelivery
from tests.crash.sound import BOB, STEP_MS, SoundRun, hidden_from

LATE = 100 * STEP_MS


@pytest.fixture
def run(tmp_path: Path) -> SoundRun:
    return SoundRun(tmp_path)


def names(case: Case) -> set[str]:
    return {name for name, sentences in case.violations.items() if sentences}


def test_a_sound_run_is_clean_and_everything_was_looked_at(run: SoundRun) -> None:
    case = judge(run.end(run.case()))
    assert case.clean, case.violations
    rounds = len(run.seeds)
    assert rounds > 3
    assert case.figures["rounds"] == rounds
    assert case.figures["seals"] == 1  # a lobby shows that of its first deal
    assert case.figures["acknowledged"] == 2 * rounds
    assert case.figures["looks"] == case.figures["letters"] == 2 * rounds
    assert case.figures["screens"] == 4 * rounds + 1
    assert (case.figures["won"], case.figures["unanswered"]) == (1, 0)


FILE = [
    ("delete from actions where seq = 9", {"lost", "rewritten", "broken", "results", "records"}),
    ("update actions set body = replace(body, 'four:A', 'four:K') where seq = 2",
     {"altered", "rewritten"}),
    ("update actions set body = replace(body, '\"seat\": 0', '\"seat\": 1') where seq in (2, 3)",
     {"altered", "rewritten", "broken", "results", "records", "doubled"}),
    ("insert into interactions values (903, 1, 0)", {"doubled"}),
    ("insert into interactions values (77, 1, 0)", {"doubled"}),
    ("update round_seeds set seed = zeroblob(32) where round = 2", {"unsealed"}),
    ("delete from round_seeds where round = 1", {"unsealed"}),
    ("update results set place = 3 - place", {"results"}),
    ("update results set rounds = rounds - 1 where place = 2", {"results"}),
    ("update matches set status = 'playing'", {"results"}),
    ("delete from recorded_matches", {"records"}),
    ("update person_records set matches = 2 where player = 71", {"records"}),
    ("delete from person_records where player = 72", {"records"}),
]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize(("statement", "expected"), FILE)
def test_each_damage_to_the_file_is_counted_as_what_it_is(
    run: SoundRun, statement: str, expected: set[str]
) -> None:
    case = run.case()
    with closing(sqlite3.connect(run.file)) as file, file:
        file.execute(statement)
    assert expected <= names(judge(run.end(case)))


def test_a_deal_in_another_order_than_was_sealed_is_found(run: SoundRun) -> None:
    case = run.case()
    with closing(sqlite3.connect(run.file)) as file, file:
        body = json.loads(file.execute("select body from actions where seq = 1").fetchone()[0])
        body["order"][0], body["order"][-1] = body["order"][-1], body["order"][0]
        file.execute("update actions set body = ? where seq = 1", (json.dumps(body),))
    assert {"unsealed", "rewritten", "cards"} <= names(judge(run.end(case)))


def test_a_damaged_file_is_found(run: SoundRun) -> None:
    case = run.case()
    content = bytearray(run.file.read_bytes())
    content[3 * 4096 : 6 * 4096] = bytes(3 * 4096)
    run.file.write_bytes(content)
    case.ledger.look(1.0, None, None, whole=True)
    assert case.ledger.unsound


def shown_line(run: SoundRun, text: str) -> dict[str, object]:
    return next(line for line in run.lines if text in str(line.get("text")))


def show_anns_cards_to_all(run: SoundRun) -> None:
    hidden = " ".join(hidden_from(run, 1, BOB))
    shown_line(run, "[at the table]")["text"] = f"Round 1 {hidden}"


def swap_readers(run: SoundRun) -> None:
    first, second = (line for line in run.lines if "· Round 2\n" in str(line.get("text")))
    first["text"], second["text"] = second["text"], first["text"]


def send_a_direct_message_twice(run: SoundRun) -> None:
    run.lines.append(dict(shown_line(run, "· Round 1\n"), at=run.at))


def send_no_direct_message(run: SoundRun) -> None:
    run.lines.remove(shown_line(run, "· Round 1\n"))


def publish_another_seal(run: SoundRun) -> None:
    line = shown_line(run, "The cards are dealt")
    line["text"] = f"The cards are dealt\nseal `{'0123456789abcdef' * 2}`"


def look_at_other_cards(run: SoundRun) -> None:
    at = next(n for n, act in enumerate(run.acts) if act.kind == "look")
    run.acts[at] = replace(run.acts[at], text="Round 1\nA♣ K♣")


def suggest_a_hidden_card(run: SoundRun) -> None:
    at = next(n for n, act in enumerate(run.acts) if act.kind == "look")
    hidden = " ".join(hidden_from(run, 1, run.acts[at].player))
    run.acts.append(replace(run.acts[at], kind="suggested", text=hidden))


def say_that_a_stored_move_is_not(run: SoundRun) -> None:
    line = next(entry for entry in run.lines if entry.get("type") == 7)
    line["text"] = "The database isn't available right now, so nothing happened. Please try again."


SCREENS: list[tuple[Callable[[SoundRun], None], set[str]]] = [
    (show_anns_cards_to_all, {"leaked"}),
    (swap_readers, {"leaked", "cards"}),
    (send_a_direct_message_twice, {"letters"}),
    (send_no_direct_message, {"letters"}),
    (publish_another_seal, {"unsealed"}),
    (look_at_other_cards, {"cards"}),
    (suggest_a_hidden_card, {"leaked"}),
    (say_that_a_stored_move_is_not, {"refused"}),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("damage", "expected"), SCREENS)
def test_each_wrong_screen_is_counted_as_what_it_is(
    run: SoundRun, damage: Callable[[SoundRun], None], expected: set[str]
) -> None:
    damage(run)
    assert names(judge(run.end(run.case()))) == expected


@pytest.mark.parametrize("text", ["**Not there**. Missing: {}", "Player 1: [joker as {}], K"])
def test_cards_that_an_old_showdown_only_speaks_of_are_nobodys_secret(
    run: SoundRun, text: str
) -> None:
    hidden = " ".join(hidden_from(run, 2, BOB))
    line = shown_line(run, "· Round 2\n")
    text = f"Round 1 · Showdown {text.format(hidden)}"
    run.lines.append(dict(line, channel="501", to=[BOB], text=text))
    assert judge(run.end(run.case())).clean
    run.lines[-1]["text"] = f"{text}\n{hidden}"
    assert names(judge(run.end(run.case()))) == {"leaked"}


def test_a_direct_message_may_come_again_where_a_crash_met_its_note(run: SoundRun) -> None:
    line = shown_line(run, "· Round 1\n")
    assert isinstance(line["to"], list)
    reader = int(line["to"][0])
    case = run.end(run.case())
    again = dict(line, at=run.at + LATE)
    case.record.read([again])
    between = Death(run.at + LATE / 2, None, "letter.sent", pending=frozenset({(1, 1, reader)}))
    case.ledger.deaths.insert(-1, between)
    assert judge(case).clean, case.violations


def test_a_run_of_which_nothing_was_seen_is_not_clean(run: SoundRun) -> None:
    run.lines = [line for line in run.lines if line["what"] != "shown"]
    run.acts = [act for act in run.acts if act.kind != "look"]
    assert "blind" in names(judge(run.end(run.case())))


def table(version: int, deadline: int) -> TableRow:
    return TableRow(1, 501, "playing", version, 1, 800, deadline, "turn", 0, None)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("before", "after", "presses", "wrong"),
    [
        (table(50, 1_000_000), table(50, 1_000_000), 60, True),  # it was passed over
        (table(50, 1_000_000), table(50, 1_000_000), 0, False),  # the machine had no time
        (table(50, 1_000_000), table(51, 1_010_400), 0, False),  # what a start gives back
        (table(50, 1_000_000), table(51, 1_011_500), 0, True),  # and more than that
        (table(50, 1_000_000), table(52, 1_011_500), 0, False),  # somebody has moved
    ],
)
def test_deadlines_are_held_against_what_else_the_bot_did(
    run: SoundRun, before: TableRow, after: TableRow, presses: int, wrong: bool
) -> None:
    case = run.end(run.case())
    ready, died = 1_010_000.0, 1_020_000.0
    case.ledger.deaths += [
        Death(1_009_000.0, None, None, {1: before}),
        Death(died, ready, None, {1: after}),
    ]
    case.record.tries += [(ready + 10 * n, 1) for n in range(presses)]
    assert ("deadlines" in names(judge(case))) == wrong


def test_an_interaction_that_is_delivered_again_is_to_be_answered(run: SoundRun) -> None:
    case = run.end(run.case())
    at = run.at + 10 * STEP_MS
    case.record.redeliveries.append(Redelivery(at, 901, answered=True))
    case.record.tries += [(at + n, 902) for n in range(1, 60)]
    assert names(judge(case)) == {"repeats"}
    answered = run.end(run.case())
    answered.record.redeliveries.append(Redelivery(at, 901, answered=True))
    answered.record.tries += [(at + n, 901) for n in range(1, 60)]
    assert judge(answered).clean


@pytest.mark.parametrize(("first", "wrong"), [(-1, set()), (-3, {"repeats"})])
def test_what_the_same_bot_has_answered_before_is_not_to_be_answered_again(
    run: SoundRun, first: int, wrong: set[str]
) -> None:
    case = run.end(run.case())
    at = run.at + 10 * STEP_MS
    case.ledger.deaths.append(replace(case.ledger.deaths[-1], at=at - 2))
    case.record.tries.append((at + first, 901))
    case.record.redeliveries.append(Redelivery(at, 901, answered=True))
    case.record.tries += [(at + n, 902) for n in range(1, 60)]
    assert names(judge(case)) == wrong


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ('{"level": "info", "event": "bot: ready", "invite": "https://example.org"}', 0),
        ('{"level": "info", "event": "dealt 10♥ and A♠"}', 1),
        (f'{{"level": "info", "event": "seed {"ab" * 32}"}}', 1),
        ('{"level": "error", "event": "publisher: not shown"}', 1),
        ("Traceback (most recent call last):", 1),
    ],
)
def test_logs_have_no_cards_no_seeds_and_no_errors(tmp_path: Path, line: str, number: int) -> None:
    log = tmp_path / "bot-1.log"
    log.write_text(f"{line}\n")
    assert len(violations_in(log)) == number


@pytest.mark.parametrize(("edited", "acknowledged"), [("@original", True), ("77", False)])
def test_a_late_answer_is_the_message_of_the_press_and_no_other(
    edited: str, acknowledged: bool
) -> None:
    """Only an edit of the pressed message (`@original`) acknowledges a deferred press."""
    webhook = {"what": "request", "status": 200, "text": ""}
    lines = [
        {"at": 1.0, "method": "POST", "path": "/interactions/5/tok/callback", "type": 6},
        {"at": 2.0, "method": "PATCH", "path": f"/webhooks/1/tok/messages/{edited}", "type": None},
    ]
    record = Record().read([webhook | {"choices": []} | line for line in lines])
    assert record.answers[5].acknowledges(Act(5, 1, "bid", "pair:A")) is acknowledged
