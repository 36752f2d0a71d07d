"""Spans: what an interaction cost and where, and nothing of what it was about."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Sequence
from contextvars import copy_context
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from bot.meters import REMEMBERED, Meters
from bot.reports import CannotReport
from bot.sections import Reports
from bot.spans import KEPT, Narrow, TracedMeters, metering, template_of
from tests.bot.conftest import Seat
from tests.bot.house import TOKEN, running_bot, settings
from tests.people import PATIENCE

CARDS = "A♠ K♥ joker"
SEED = "5eed" * 16
URL = "http://127.0.0.1:9/v1/traces"


def collecting() -> tuple[InMemorySpanExporter, TracerProvider]:
    spans, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(Narrow(spans)))  # type: ignore[arg-type]
    return spans, provider


def written(spans: InMemorySpanExporter) -> str:
    return "\n".join(one.to_json() for one in spans.get_finished_spans())


def named(spans: InMemorySpanExporter, name: str) -> list[ReadableSpan]:
    return [one for one in spans.get_finished_spans() if one.name == name]


@pytest.mark.usefixtures("unhurried")
async def test_a_press_is_a_span_with_its_requests_and_transactions_in_it(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(2, serve=False)
    spans, provider = collecting()
    async with running_bot(at.world, settings(tmp_path), meters=TracedMeters(provider)) as at.bot:
        await at.start("Thai Poker")
        before = {one.context.span_id for one in spans.get_finished_spans()}
        await at.call(at.turn())
        await at.settle()
        everybodys = set().union(*(at.own_cards(one) for one in at.people))
    fresh = [one for one in spans.get_finished_spans() if one.context.span_id not in before]
    (press,) = [one for one in fresh if one.name == "interaction"]
    inside = [one for one in fresh if one.parent == press.context]
    assert {one.name for one in inside} >= {"request", "transaction"}
    assert press.attributes == {"bluffhouse.result": "stored"}
    (answer,) = [
        one.attributes
        for one in inside
        if one.attributes and "callback" in str(one.attributes.get("url.template"))
    ]
    assert answer["url.template"] == "/interactions/*/*/callback"
    assert {key for one in fresh for key in one.attributes or {}} <= {*KEPT}
    told = written(spans)
    assert everybodys
    for secret in (*everybodys, TOKEN):
        assert secret not in told
    assert not re.search(r"\b\d{15,19}\b", re.sub(r'"[a-z_]+_time": "[^"]+"', "", told))


def test_a_planted_card_seed_or_token_never_gets_out() -> None:
    spans, provider = collecting()
    tracer = provider.get_tracer("somebody")
    planted = {
        "cards": CARDS,
        "bluffhouse.result": CARDS,
        "url.template": f"/channels/{SEED}",
        "http.request.method": TOKEN,
    }
    with tracer.start_as_current_span("interaction", attributes=planted) as span:
        span.add_event("dealt", {"seed": SEED})
        span.record_exception(KeyError(f"{CARDS} {SEED} {TOKEN}"))
        span.set_status(StatusCode.ERROR, f"{CARDS} {SEED} {TOKEN}")
    with tracer.start_as_current_span(f"deal {CARDS}"):
        pass
    (left,) = spans.get_finished_spans()
    assert left.name == "interaction"
    assert dict(left.attributes or {}) == {}
    for secret in (*CARDS.split(), SEED, TOKEN, "KeyError"):
        assert secret not in written(spans)


@pytest.mark.parametrize(
    ("path", "template"),
    [
        ("/api/v10/channels/123/messages/456", "/channels/*/messages/*"),
        ("/api/v10/interactions/123/aW50ZXJ/callback", "/interactions/*/*/callback"),
        ("/api/v10/interactions/123/lowercase/callback", "/interactions/*/*/callback"),
        ("/api/v10/webhooks/1/token/messages/@original", "/webhooks/*/*/messages/@original"),
        ("/users/@me", "/users/@me"),
        ("/api/v10/gateway/bot", "/gateway/bot"),
    ],
)
def test_a_path_is_told_without_ids_and_tokens(path: str, template: str) -> None:
    assert template_of(path) == template
    assert KEPT["url.template"].fullmatch(template)


def test_an_interaction_that_is_never_answered_ends_all_the_same() -> None:
    spans, provider = collecting()
    meters = TracedMeters(provider)
    for number in range(REMEMBERED + 3):  # each in a task's context of its own
        copy_context().run(meters.arrived, number)
    assert len(named(spans, "interaction")) == 3


def test_spans_go_where_the_setting_says_until_the_block_ends() -> None:
    spans = InMemorySpanExporter()
    chosen = Reports(traces_url=URL, traces_share=1)
    with metering(chosen, spans) as meters:
        meters.requested("GET", "/api/v10/users/@me", 200, 0.25)
    (request,) = spans.get_finished_spans()
    assert request.end_time is not None
    assert request.start_time is not None
    assert request.end_time - request.start_time == 250_000_000
    assert request.resource.attributes["service.name"] == "bluffhouse"


def test_of_a_share_of_none_nothing_is_sent() -> None:
    spans = InMemorySpanExporter()
    with metering(Reports(traces_url=URL, traces_share=0), spans) as meters:
        meters.requested("GET", "/api/v10/users/@me", 200, 0.25)
    assert spans.get_finished_spans() == ()


class Stuck(InMemorySpanExporter):
    """An exporter whose collector takes the request and never answers."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.released = threading.Event(), threading.Event()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.begun.set()
        self.released.wait()
        return super().export(spans)


def test_a_collector_that_never_answers_keeps_nobody_from_leaving() -> None:
    stuck = Stuck()
    with metering(Reports(traces_url=URL, traces_share=1), stuck) as meters:
        meters.requested("GET", "/api/v10/users/@me", 200, 0.25)
    assert stuck.begun.wait(PATIENCE)  # the block has ended, and it is still stuck
    assert not stuck.released.is_set()
    stuck.released.set()


def test_without_the_setting_there_are_no_spans() -> None:
    with metering(Reports()) as meters:
        assert type(meters) is Meters


def test_without_the_package_the_setting_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(CannotReport, match="EXTRAS=watching"), metering(Reports(traces_url=URL)):
        pass
