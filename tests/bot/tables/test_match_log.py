"""What a host reads of matches in the log, and what never stands there."""

from __future__ import annotations

import structlog
from structlog.testing import LogCapture

from benchmarks.reading import CARD
from bot.tables import errors
from bot.tables.match_log import result_of
from engine.errors import NothingToChallenge
from tests.bot.conftest import Seat
from tests.bot.troubled import another_move

THAI = "Thai Poker"


async def test_a_match_is_said_from_its_beginning_to_its_end_with_its_number(
    table: Seat,
) -> None:
    capture = LogCapture()
    before = structlog.get_config()["processors"]
    at = await table(2)
    structlog.configure(processors=[structlog.contextvars.merge_contextvars, capture])
    try:
        await at.start(THAI)
        await another_move(at)
        await at.forfeit(at.turn())
        await at.settle()
    finally:
        structlog.configure(processors=before)
    ours = [line for line in capture.entries if line["event"].startswith(("match: ", "move: "))]
    assert [(line["event"], line.get("kind")) for line in ours] == [
        ("match: begun", None),
        ("move: stored", "deal"),
        ("move: stored", "bid"),
        ("move: stored", "forfeit"),
        ("match: ended", None),
    ]
    assert {line["match"] for line in ours} == {1}
    assert [line["seq"] for line in ours] == [1, 1, 2, 3, 3]
    assert ours[-1]["how"] == "won"
    assert [line["log_level"] for line in ours] == ["info", "debug", "debug", "debug", "info"]
    said = " ".join(str(value) for line in capture.entries for value in line.values())
    assert not CARD.search(said)
    assert all(person.name not in said for person in at.people)


def test_each_refusal_is_counted_by_what_it_is() -> None:
    assert result_of(errors.Repeated()) == "repeated"
    assert result_of(errors.MovedOn()) == "moved_on"
    assert result_of(errors.StoreUnavailable()) == "unavailable"
    assert result_of(NothingToChallenge()) == "refused"
