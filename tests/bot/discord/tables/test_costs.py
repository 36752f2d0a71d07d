"""The number of requests to Discord that a move costs, counted by the local Discord."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import discord
import pytest

from bot.discord.delivery import budget
from bot.discord.delivery.tables import TablePlace
from bot.sandbox.discord_state import RecordedRequest
from bot.tables import turns
from tests.bot.conftest import Seat
from tests.bot.harness import Held, Table, doubt_in, private_reply, send_cards_directly
from tests.people import until

LIARS, THAI = "Liars' Poker", "Thai Poker"
ANSWER = "POST /interactions/{interaction_id}/{interaction_token}/callback"
POST = "POST /channels/{channel_id}/messages"
EDIT = "PATCH /channels/{channel_id}/messages/{message_id}"
OPEN_DM = "POST /users/@me/channels"
FOLLOW_UP = "POST /webhooks/{webhook_id}/{webhook_token}"
OWN_ANSWER = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"
# how open seats follow the table: by the tokens of presses, outside the limit for the whole bot
SEATS = (OWN_ANSWER, "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}")
GONE = tuple(route.replace("PATCH", "DELETE") for route in SEATS)  # those that came anew below
DRAWN = "the table's message, by the token of a press"
BY_TOKENS = (ANSWER, FOLLOW_UP, DRAWN, *SEATS, *GONE)


@pytest.fixture(autouse=True)
def without_reminders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn off reminders and the limit per interaction token.

    Treat the bot's own budget as heavily used, so that tables are redrawn by tokens.
    """
    monkeypatch.setattr(budget, "LITTLE_USED", 0.0)
    monkeypatch.setattr(turns, "SLOW_TURN", 3_600_000)
    monkeypatch.setattr(budget, "IN_SECONDS", 0.0)


class Costs:
    """The bot's requests since the last `mark`."""

    def __init__(self, at: Table) -> None:
        self._at = at
        self.mark()

    def mark(self) -> None:
        self._from = len(self._at.world.state.requests)

    async def since(self) -> Counter[str]:
        """Wait until the table settles, then count the requests by method and route.

        Leave out the edits and deletions of seats.
        """
        requests = await self._all()
        follow = (*SEATS, *GONE)
        return Counter({route: times for route, times in requests.items() if route not in follow})

    async def seats(self) -> int:
        """Count the edits of open seats."""
        requests = await self._all()
        return sum(requests[route] for route in SEATS)

    async def gone(self) -> int:
        """Count the seats that were deleted because a new one was posted below them."""
        requests = await self._all()
        return sum(requests[route] for route in GONE)

    async def limited_requests(self) -> int:
        """Count the requests to which Discord's limit of fifty a second for each bot applies."""
        requests = await self._all()
        return sum(times for route, times in requests.items() if route not in BY_TOKENS)

    async def _all(self) -> Counter[str]:
        await self._at.settle()
        return Counter(
            self._kind(request) for request in list(self._at.world.state.requests)[self._from :]
        )

    def _kind(self, one: RecordedRequest) -> str:
        """Return the method and route; `DRAWN` if a token was used to edit a public message."""
        route = f"{one.method} {one.route}"
        if route not in SEATS:
            return route
        state, (token, _, which) = self._at.world.state, one.path.split("/")[-3:]
        interaction = state.by_token[token]
        edited = interaction.original_id if which == "@original" else which
        message = state.message(interaction.channel_id, edited or "")
        return DRAWN if message is not None and message.visible_to is None else route


async def test_a_move_at_the_table_is_one_request(table: Seat) -> None:
    at = await table(2, plays=THAI)
    costs = Costs(at)
    await at.call(at.turn())
    assert await costs.since() == {ANSWER: 1}
    assert await costs.seats() == 2  # of who acts next, and of who bid at the table
    person = at.turn()
    form = await person.click(at.message(), "Type…")
    costs.mark()
    await person.submit(form.modal, {"text": "four kings"})  # nobody holds them, so none is asked
    assert await costs.since() == {ANSWER: 1}
    costs.mark()
    await at.challenge(at.turn())  # the showdown is the answer; the round is folded
    assert await costs.since() == {ANSWER: 1, DRAWN: 1}
    assert await costs.seats() == 1  # of who was to act
    assert at.message().attachments


async def test_a_move_in_a_seat_is_two_requests_and_each_step_on_the_way_one(table: Seat) -> None:
    at = await table(3, plays=LIARS, seeds="no pair of aces")
    person = at.turn()
    costs = Costs(at)
    for label in ("Pair", "A"):
        choice = next(text for text in at.seat(person).buttons if text.startswith(label))
        await person.click(at.seat(person), choice)
        assert await costs.since() == {ANSWER: 1}
        assert await costs.seats() == 0
        costs.mark()
    (bid,) = [text for text in at.seat(person).buttons if text.startswith('Bid "')]
    await person.click(at.seat(person), bid)
    assert await costs.since() == {ANSWER: 1, DRAWN: 1}
    assert await costs.seats() == 1  # of who acts next; one's own is the answer
    costs.mark()
    doubter = at.turn()
    await doubter.click(at.seat(doubter), "Challenge")
    assert await costs.since() == {ANSWER: 1, DRAWN: 1, POST: 1}


async def test_a_round_at_the_table_costs_no_request_of_those_that_count(table: Seat) -> None:
    at = await table(6, plays=THAI)
    costs = Costs(at)
    for _ in range(3):
        await at.bid()
    await at.challenge(at.turn())
    await at.host.click(at.message(), "Next round")
    assert await costs.since() == {ANSWER: 4 + 1, DRAWN: 2, FOLLOW_UP: 6}
    assert await costs.seats() == 3 * 2 + 1  # two for each bid, and of who challenged
    assert await costs.gone() == 6
    assert (
        await costs.limited_requests() == 0
    )  # the showdown and the next round answer their presses


async def test_a_round_in_seats_costs_two_requests_of_those_that_count(table: Seat) -> None:
    at = await table(4, plays=THAI)
    await play_in_seats(at, 1)
    costs = Costs(at)
    await at.press("Next round")
    await play_in_seats(at, 5)
    requests = await costs.since()
    assert (requests[DRAWN], requests[EDIT], requests[POST]) == (5 + 1, 1, 1)
    assert await costs.limited_requests() == 2  # the record of the showdown before, and the new one
    costs.mark()
    await at.deal()  # by the clock: each move costs an edit
    await at.settle()
    await play_in_seats(at, 5)
    assert await costs.limited_requests() == 3 + 5 + 1


async def test_a_round_at_the_table_that_the_clock_deals_costs_its_deal(table: Seat) -> None:
    at = await table(2, plays=THAI)
    costs = Costs(at)
    await at.call(at.turn())
    await at.challenge(at.turn())
    await at.deal()
    await at.settle()
    await at.call(at.turn())
    assert (await costs.since())[POST] == 1
    assert await costs.limited_requests() == 1


async def play_in_seats(at: Table, bids: int) -> None:
    """Make this many bids by command, then challenge in a seat; use no button of the table."""
    for _ in range(bids):
        await private_reply(at.turn().slash(at.channel, "bid", hand=await _next(at)))
        await at.settle()
    doubter = at.turn()
    seat = at.seat(doubter)
    await doubt_in(doubter, seat)
    await at.settle()


async def test_a_direct_seat_is_edited_at_its_players_turns_and_at_the_end_of_a_round(
    table: Seat,
) -> None:
    at = await table(6)
    await send_cards_directly(at, THAI)
    await at.start(THAI)
    costs = Costs(at)
    for _ in range(3):
        await at.bid()
    await at.challenge(at.turn())
    await at.host.click(at.message(), "Next round")
    requests = await costs.since()
    assert requests[ANSWER] == 4 + 1  # a move each, and the press on Next round
    assert requests[POST] == 0  # the showdown and the next round answer their presses
    # whose turn it was and whose it becomes, at each call; all at the showdown and at the deal
    assert requests[EDIT] == 3 * 2 + 6 + 6
    assert await costs.limited_requests() == 18


async def test_looking_at_cards_opening_a_form_and_a_refusal_are_one_request_each(
    table: Seat,
) -> None:
    at = await table(2, plays=THAI)
    person = at.turn()
    opponent = next(player for player in at.people if player is not person)
    for act in (
        lambda: person.click(at.message(), "My seat"),
        lambda: person.click(at.seat(person), "Type…"),
        lambda: person.click(at.message(), "Type…"),
        lambda: at.call(opponent),
    ):
        costs = Costs(at)
        await act()
        assert await costs.since() == {ANSWER: 1}


async def test_a_bid_command_is_its_answer_and_one_edit_of_the_table(table: Seat) -> None:
    at = await table(2, plays=THAI)
    costs = Costs(at)
    await private_reply(at.turn().slash(at.channel, "bid", hand="99"))
    assert await costs.since() == {ANSWER: 1, DRAWN: 1}
    costs.mark()
    await at.turn().autocomplete(at.channel, "bid", "hand", "pair")
    assert await costs.since() == {ANSWER: 1}


async def join_cost(at: Table, costs: Costs) -> Counter[str]:
    """Open a lobby without the last person; count the requests when that person joins."""
    last = at.people.pop()
    await at.open(THAI)
    await at.settle()
    at.people.append(last)
    costs.mark()
    await last.click(at.message(), "Join")
    return await costs.since()


async def test_a_deal_is_one_new_message_that_answers_its_press(table: Seat) -> None:
    at = await table(3)
    costs = Costs(at)
    assert await join_cost(at, costs) == {ANSWER: 1, FOLLOW_UP: 1}
    costs.mark()
    await at.host.click(at.message(), "Start")
    assert await costs.since() == {ANSWER: 1, DRAWN: 1, FOLLOW_UP: 3}
    assert (await costs.seats(), await costs.gone()) == (0, 3)
    assert await costs.limited_requests() == 0


async def test_cards_by_direct_message_cost_one_message_a_player_and_deal(
    table: Seat,
) -> None:
    at = await table(3)
    await send_cards_directly(at, THAI)
    costs = Costs(at)
    assert await join_cost(at, costs) == {ANSWER: 1, OPEN_DM: 1, POST: 1, FOLLOW_UP: 1}
    costs.mark()
    await at.host.click(at.message(), "Start")
    assert await costs.since() == {ANSWER: 1, DRAWN: 1, POST: 3, FOLLOW_UP: 3}
    assert await costs.limited_requests() == 3
    await at.call(at.turn())
    await at.challenge(at.turn())
    costs.mark()
    await at.host.click(at.message(), "Next round")  # the direct seats that are there are edited
    assert await costs.since() == {ANSWER: 1, DRAWN: 1, EDIT: 3, FOLLOW_UP: 3}


async def test_a_bot_in_few_servers_leaves_the_channels_tokens_to_its_seats(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "LITTLE_USED", 0.5)
    at = await table(6, plays=THAI)
    costs = Costs(at)
    for _ in range(3):
        await at.bid()
    await at.challenge(at.turn())
    await at.press("Next round")
    assert await costs.since() == {ANSWER: 4 + 1, EDIT: 2, FOLLOW_UP: 6}  # two records
    assert await costs.seats() == 3 * 2 + 1
    costs.mark()
    await private_reply(at.turn().slash(at.channel, "bid", hand=await _next(at)))
    assert (await costs.since())[EDIT] == 1


async def test_redraws_of_one_table_are_coalesced(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(6, plays=LIARS)
    costs = Costs(at)
    drawing = Held(monkeypatch, TablePlace, "_edit_message")
    for _ in range(10):
        await private_reply(
            at.turn_of(await at.live()).slash(at.channel, "bid", hand=await _next(at))
        )
    drawing.let.set()
    requests = await costs.since()
    assert await costs.seats() <= 10 * len(at.people)
    assert requests[ANSWER] == 10 + 10  # what to bid is asked of autocomplete
    assert requests[DRAWN] == 2  # the one under way, and one for all that happened meanwhile
    before_text, live = at.message().text, await at.live()
    assert live.match is not None
    assert live.match.round is not None
    assert live.match.round.standing is not None
    bid_text = live.match.ruleset.wording.say(live.match.round.standing.bid)
    assert bid_text in before_text.lower()


async def test_edits_of_a_seat_are_joined_while_one_is_under_way(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(3, plays=LIARS)
    costs = Costs(at)
    answer = Held(monkeypatch, discord.Interaction, "edit_original_response")
    follow_up = Held(monkeypatch, discord.Webhook, "edit_message")
    for _ in range(6):
        await private_reply(
            at.turn_of(await at.live()).slash(at.channel, "bid", hand=await _next(at))
        )
    for held in (answer, follow_up):
        held.let.set()
    assert await costs.seats() <= 2 * len(at.people)  # the one under way, and one for the rest
    assert at.standing() in at.seat(at.turn()).text


async def _next(at: Table) -> str:
    """Return the next higher bid in words: the first that autocomplete offers."""
    offered = await at.host.autocomplete(at.channel, "bid", "hand", "")
    return str(offered[0]["value"])


async def test_a_computer_players_move_is_one_request_and_the_open_seat(table: Seat) -> None:
    at = await table(1)
    runtime = at.bot.tables.runtime
    runtime._limits = replace(runtime._limits, computer_pause=200)
    await at.host.slash(at.channel, "play", game=THAI, computers=1)
    await at.press("Start")
    costs = Costs(at)
    for _ in range(4):  # of both: the person's answer and the computer player's edit
        await until(lambda: "is thinking" not in at.message().text)
        if "Showdown" in at.message().text:
            break
        costs.mark()
        await at.call(at.host)
        assert "is thinking" in at.message().text
        assert await costs.since() == {ANSWER: 1}
        costs.mark()
        await until(lambda: "is thinking" not in at.message().text)
        spent = await costs.since()
        if "Showdown" not in at.message().text:
            assert spent == {DRAWN: 1}
            assert await costs.seats() == 1
