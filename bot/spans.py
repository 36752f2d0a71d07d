"""Spans for OpenTelemetry, for hosts who ask for them (`reports.traces_url`).

One for each interaction until its answer is taken, and in it one for each request to Discord and
each writing transaction. They are made where `Meters` is told of these. A span says a method, a
status, a result and a path whose ids and tokens are left out; whatever else a span is given, by
whomever, is dropped before it leaves (`Narrow`).
"""

from __future__ import annotations

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from bot.life import STOP
from bot.meters import ANSWER, REMEMBERED, Meters
from bot.reports import CannotReport
from bot.sections import Reports

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Span

NAMES: Final = frozenset({"interaction", "request", "transaction"})
# what each attribute may be; nothing else leaves
KEPT: Final = {
    "http.request.method": re.compile(r"[A-Z]{3,7}"),
    "http.response.status_code": re.compile(r"\d{1,3}"),
    "url.template": re.compile(r"(/(@?[a-z][a-z-]{1,19}|\*)){1,12}"),
    "bluffhouse.result": re.compile(r"stored|refused|repeated|moved_on|unavailable"),
}
_WORD: Final = re.compile(r"@?[a-z][a-z-]{1,19}")


def template_of(path: str) -> str:
    """A path of Discord's interface with `*` for ids, tokens and everything that is no word."""
    parts = path.removeprefix("/api").split("/")[1:]
    if parts and re.fullmatch(r"v\d+", parts[0]):
        del parts[0]
    # what follows a webhook's or an interaction's id is a token, whatever it looks like
    secret = {at + 2 for at, part in enumerate(parts) if part in ("webhooks", "interactions")}
    return "".join(
        f"/{part if at not in secret and _WORD.fullmatch(part) else '*'}"
        for at, part in enumerate(parts)
    )


class Narrow:
    """A `SpanExporter` before another: it lets through what is `KEPT`, and no words of errors."""

    def __init__(self, inner: SpanExporter) -> None:
        self._inner = inner

    def export(self, spans: Sequence[ReadableSpan]) -> Any:
        """Hand on the spans that are ours, narrowed."""
        return self._inner.export([_narrowed(one) for one in spans if one.name in NAMES])

    def shutdown(self) -> None:
        """End the other."""
        self._inner.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Have the other send what it holds."""
        return self._inner.force_flush(timeout_millis)


def _narrowed(span: ReadableSpan) -> ReadableSpan:
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.trace import Status

    given = span.attributes or {}
    attributes = {
        key: value
        for key, value in given.items()
        if key in KEPT and isinstance(value, (str, int)) and KEPT[key].fullmatch(str(value))
    }
    return ReadableSpan(
        span.name,
        span.context,
        span.parent,
        span.resource,
        attributes,
        kind=span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


class TracedMeters(Meters):
    """`Meters` that also makes spans of what it is told."""

    def __init__(self, provider: TracerProvider) -> None:
        super().__init__()
        self._tracer = provider.get_tracer("bluffhouse")
        self._open: OrderedDict[int, Span] = OrderedDict()

    def arrived(self, interaction_id: int) -> None:
        """Whatever the task that says so does from now on is part of this interaction."""
        from opentelemetry import context, trace

        super().arrived(interaction_id)
        span = self._tracer.start_span("interaction", kind=trace.SpanKind.SERVER)
        context.attach(trace.set_span_in_context(span))
        self._open[interaction_id] = span
        while len(self._open) > REMEMBERED:
            self._open.popitem(last=False)[1].end()

    def move(self, result: str) -> None:
        """The interaction's span says what became of it."""
        from opentelemetry import trace

        super().move(result)
        trace.get_current_span().set_attribute("bluffhouse.result", result)

    def requested(self, method: str, path: str, status: int, seconds: float = 0.0) -> None:
        """A request is a span of its own; one that answers ends its interaction's."""
        from opentelemetry import trace

        super().requested(method, path, status, seconds)
        end = time.time_ns()
        self._tracer.start_span(
            "request",
            kind=trace.SpanKind.CLIENT,
            start_time=end - round(seconds * 1e9),
            attributes={
                "http.request.method": method,
                "http.response.status_code": status,
                "url.template": template_of(path),
            },
        ).end(end)
        found = ANSWER.search(path)
        span = self._open.pop(int(found[1]), None) if found and 200 <= status < 300 else None
        if span is not None:
            span.end()

    @contextmanager
    def waiting(self) -> Iterator[Callable[[], None]]:
        """A writing transaction is a span, the wait for it included."""
        with super().waiting() as have, self._tracer.start_as_current_span("transaction"):
            yield have


@contextmanager
def metering(chosen: Reports, inner: SpanExporter | None = None) -> Iterator[Meters]:
    """`Meters`, which make spans until the block ends if the settings ask for them.

    `inner`: where spans go instead of the address, for tests. Raises `CannotReport`.
    """
    if chosen.traces_url is None:
        yield Meters()
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
    except ImportError:
        raise CannotReport(
            "reports.traces_url is set, but opentelemetry-sdk and its exporter are not installed."
            " Example: make extras EXTRAS=watching"
        ) from None
    about = {"service.name": "bluffhouse", "service.version": version("bluffhouse")}
    provider = TracerProvider(
        sampler=ParentBased(TraceIdRatioBased(chosen.traces_share)),
        resource=Resource(about),
        shutdown_on_exit=False,
    )
    exporter: Any = Narrow(inner or OTLPSpanExporter(chosen.traces_url))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    try:
        yield TracedMeters(provider)
    finally:
        # it sends what is left, and tries for twenty seconds where nobody listens
        ending = threading.Thread(target=provider.shutdown, daemon=True, name="last spans")
        ending.start()
        ending.join(STOP.spans)
