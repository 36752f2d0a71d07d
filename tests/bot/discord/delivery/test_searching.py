"""The search in a channel for table messages whose receipts were lost."""

from __future__ import annotations

import pytest

from bot.discord.answers import Interaction
from bot.discord.delivery.driver import RequestResult
from bot.discord.delivery.machine import Act, Request
from bot.sandbox.screen import SeenMessage
from tests.bot.conftest import Seat
from tests.bot.harness import Table
from tests.people import until

THAI = "Thai Poker"


def playable(at: Table) -> list[SeenMessage]:
    """Return the channel's public messages that ask somebody to act."""
    messages = at.host.visible(at.channel)
    return [
        message for message in messages if not message.ephemeral and "**to act**" in message.text
    ]


@pytest.mark.parametrize("failing", [0, 1])
async def test_a_message_whose_receipt_was_lost_is_retired_though_a_search_fails(
    table: Seat, failing: int
) -> None:
    at = await table(2, plays=THAI)
    await at.settle()
    live = await at.live()
    tables = at.bot.delivery.tables
    place = tables._place(live)
    perform, acts = place.perform, list[Act]()

    async def fail_first(request: Request, interaction: Interaction | None) -> RequestResult:
        acts.append(request.act)
        if request.act is Act.SEARCH and acts.count(Act.SEARCH) <= failing:
            raise TimeoutError
        outcome = await perform(request, interaction)
        if acts == [Act.POST]:  # news comes before it can be posted again
            target = place.surface.target
            place.want(target._replace(epoch=target.epoch + 1))
            raise TimeoutError
        return outcome

    place.perform = fail_first  # type: ignore[method-assign]
    tables.repost(live)
    await until(lambda: Act.NOTE in acts and not tables.is_busy(live.table.id))
    await at.settle()
    assert acts.count(Act.SEARCH) == 1 + failing
    assert [message.id for message in playable(at)] == [at.message().id]
