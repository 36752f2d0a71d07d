"""The delivery state machine, in every order of a few events and in longer random orders."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.discord.delivery import machine
from bot.discord.delivery.machine import Act, Surface, Target, begin, decide, learn, press
from bot.discord.outcomes import RequestOutcome
from tests.bot.discord.delivery.world import Kind, explore, walk

WALKS = 500  # of each sort


def _bounds_name(bounds: dict[str, int]) -> str:
    return "_".join(f"{number}_{name}" for name, number in bounds.items())


@pytest.mark.parametrize(
    ("kind", "bounds"),
    [
        (Kind.TABLE, {"changes": 1, "clicks": 1, "faults": 1}),
        (Kind.TABLE, {"changes": 2, "clicks": 1}),
        (Kind.TABLE, {"changes": 1, "clicks": 2}),
        (Kind.TABLE, {"changes": 1, "clicks": 1, "pictures": 1}),
        (Kind.TABLE, {"changes": 2, "pictures": 1}),
        (Kind.TABLE, {"changes": 1, "clicks": 1, "crashes": 1}),
        (Kind.TABLE, {"changes": 2, "crashes": 1}),
        (Kind.TABLE, {"changes": 1, "clicks": 1, "deletions": 1}),
        (Kind.TABLE, {"changes": 1, "clicks": 1, "bars": 1}),
        (Kind.TABLE, {"changes": 2, "bars": 1}),
        (Kind.TABLE, {"changes": 1, "clicks": 1, "commands": 1}),
        (Kind.TABLE, {"changes": 1, "commands": 1, "faults": 1}),
        (Kind.TABLE, {"commands": 2, "faults": 2}),
        (Kind.SEAT, {"changes": 2, "clicks": 1}),
        (Kind.SEAT, {"changes": 1, "clicks": 1, "faults": 1}),
        (Kind.SEAT, {"changes": 1, "clicks": 1, "crashes": 1}),
        (Kind.SEAT, {"changes": 1, "clicks": 1, "bars": 1}),
        (Kind.SEAT, {"changes": 1, "clicks": 1, "pictures": 1}),
        (Kind.SEAT, {"changes": 1, "clicks": 1, "commands": 1}),
        (Kind.REMINDER, {"changes": 3}),
        (Kind.REMINDER, {"changes": 2, "faults": 1}),
        (Kind.REMINDER, {"changes": 2, "crashes": 1}),
        (Kind.REMINDER, {"changes": 1, "faults": 1, "crashes": 1}),
        (Kind.REMINDER, {"changes": 2, "deletions": 1}),
    ],
    ids=lambda value: value.name if isinstance(value, Kind) else _bounds_name(value),
)
def test_every_order_of_events_ends_well(kind: Kind, bounds: dict[str, int]) -> None:
    assert explore(kind, **bounds) > 100


TROUBLE = {"faults": 5, "crashes": 2, "deletions": 2, "bars": 2, "pictures": 2}


@pytest.mark.parametrize(
    ("kind", "bounds"),
    [
        (Kind.TABLE, {"changes": 6, "clicks": 5, "commands": 2, **TROUBLE}),
        (Kind.SEAT, {"changes": 6, "clicks": 5, "commands": 2, **TROUBLE}),
        (Kind.REMINDER, {"changes": 8, **TROUBLE}),
        (Kind.TABLE, {"changes": 4, "clicks": 4, "commands": 1, "faults": 1}),
        (Kind.TABLE, {"changes": 6, "clicks": 4, "faults": 3, "crashes": 1, "history_fails": True}),
    ],
    ids=["table", "seat", "reminder", "calm_table", "failing_history"],
)
def test_random_orders_of_events_end_well(kind: Kind, bounds: dict[str, int]) -> None:
    for seed in range(WALKS):
        walk(seed, kind, **bounds)


def settled_surface() -> Surface:
    """Return an up-to-date surface: it shows message 1 in version 1 of epoch 1."""
    return Surface(Target(1, 1), message=1, epoch=1, drawn=1)


def test_presses_are_answered_at_once_whatever_is_in_flight() -> None:
    surface = settled_surface()
    for number in range(1, 4):
        surface = press(surface, number)
        request = decide(surface)
        assert request is not None
        assert (request.act, request.press) == (Act.EDIT, number)
        surface = begin(surface, request)
    assert [request.press for request in surface.in_flight] == [1, 2, 3]
    assert decide(surface) is None


def test_a_press_that_no_new_message_may_answer_is_acknowledged() -> None:
    surface = machine.change(settled_surface(), Target(2, 2))
    acts = []
    for may_post in (True, False):
        request = decide(press(surface, 7, may_post=may_post))
        assert request is not None
        acts.append(request.act)
    assert acts == [Act.POST, Act.ACKNOWLEDGE]


def test_no_second_message_answers_a_press_while_a_first_one_may_exist() -> None:
    behind = machine.change(settled_surface(), Target(2, 2))
    post = decide(behind)
    answer = decide(press(behind, 7))
    assert post is not None
    assert answer is not None
    assert (post.act, answer.act) == (Act.POST, Act.POST)
    in_flight = begin(behind, post)
    lost = learn(in_flight, post, RequestOutcome.MAYBE)
    lost_answer = learn(begin(press(behind, 7), answer), answer, RequestOutcome.MAYBE)
    started = machine.search(Surface(Target(2, 2), 1, 1))
    for surface in (in_flight, lost, lost_answer, started):
        second = decide(press(surface, 8))
        assert second is not None
        assert second.act is Act.ACKNOWLEDGE


def test_if_posting_is_refused_the_existing_message_shows_the_state_and_answers() -> None:
    surface = machine.change(settled_surface(), Target(2, 2))
    post = decide(surface)
    assert post is not None
    assert post.act is Act.POST
    surface = learn(begin(surface, post), post, RequestOutcome.REFUSED)
    assert surface.is_stuck
    edit = decide(surface)
    assert edit is not None
    assert (edit.act, edit.message, edit.version) == (Act.EDIT, 1, 2)
    surface = learn(begin(surface, edit), edit, RequestOutcome.TAKEN)
    assert decide(surface) is None
    answer = decide(press(surface, 7))
    assert answer is not None
    assert (answer.act, answer.press) == (Act.EDIT, 7)


def test_a_history_that_fails_for_ever_is_asked_a_few_times_and_holds_nothing_up() -> None:
    surface = machine.search(Surface(Target(2, 2), 1, 1, 1))
    acts: Counter[Act] = Counter()
    for _ in range(30):
        request = decide(surface)
        if request is None:
            if not surface.waiting:
                break
            surface = machine.change(surface, surface.target)
            continue
        acts[request.act] += 1
        failed = request.act is Act.SEARCH
        messages = ((2, 2),) if request.act is Act.POST else ()
        outcome = RequestOutcome.NOT_YET if failed else RequestOutcome.TAKEN
        surface = learn(begin(surface, request), request, outcome, messages)
    # the post may have found an earlier message, so it is drawn once more
    once = dict.fromkeys((Act.POST, Act.EDIT, Act.RETIRE, Act.NOTE), 1)
    assert acts == {Act.SEARCH: machine.SEARCHES, **once}


def test_the_earlier_message_is_retired_before_the_new_one_is_stored() -> None:
    surface = machine.change(settled_surface(), Target(2, 2))
    order: list[Act] = []
    while (request := decide(surface)) is not None and len(order) < 9:
        order.append(request.act)
        messages = ((2, 2),) if request.act is Act.POST else ()
        surface = learn(begin(surface, request), request, RequestOutcome.TAKEN, messages)
    assert order == [Act.POST, Act.RETIRE, Act.NOTE]
