"""Polish over real sockets: the table in its server's language, a seat in its player's."""

from __future__ import annotations

import re

import pytest

from bot.sandbox.driver import Person
from bot.tables.preferences import LANGUAGE
from tests.bot.conftest import Seat
from tests.bot.harness import Table, plain, private_reply
from tests.bot.practising import newest
from tests.people import press_in_command, until

THAI = "Thai Poker"
TO_ACT = re.compile(r"<@(\d+)>[^\n]* \*\*na ruchu\*\*")
MOST_MOVES = 400
VERDICT = re.compile(r".+ sprawdza odzywkę \*\*.+\*\* \(.+\)\. \*\*(?:Jest|Nie ma)\b")
# words of every English sentence of a table, a seat or a form; names and cards are none of them
ENGLISH = re.compile(
    r"\b(?:the|you|your|is|are|of|with|cards?|round|match|seat|higher|pair|flush|next|no)\b",
    re.IGNORECASE,
)


def polish(at: Table, *people: Person) -> None:
    """Make the server and these people's clients Polish."""
    for guild in at.world.state.guilds.values():
        guild.locale = "pl"
    for person in people:
        at.world.state.users[person.id].locale = "pl"


def to_act(at: Table) -> Person:
    match = TO_ACT.search(at.message().text)
    assert match is not None, at.message().text
    return at.person(match[1])


async def start_match(at: Table, game: str = THAI) -> None:
    out = await at.host.slash(at.channel, "play", game=game)
    for person in at.people[1:]:
        await person.click(out.seen, "Dołącz")
    await at.press("Start")


def read(at: Table, viewer: Person) -> str:
    """Return all the text that a person sees in the channel, with alt texts and buttons' labels."""
    messages = viewer.visible(at.channel)
    labels = [label for message in messages for label in message.buttons]
    return plain("\n".join([*(message.text for message in messages), *labels]))


async def test_a_whole_match_is_played_in_polish(table: Seat) -> None:
    at = await table(3)
    polish(at, *at.people)
    await start_match(at)
    for move in range(MOST_MOVES):
        message = at.message()
        for viewer in at.people:
            assert not ENGLISH.findall(read(at, viewer)), read(at, viewer)
        if "Gramy jeszcze raz" in message.buttons:
            break
        if "Następna runda" in message.buttons:
            await at.host.click(message, "Następna runda")
            await at.settle()
            continue
        person = to_act(at)
        if "Sprawdzam" in message.buttons and move % 3 == 2:
            await person.click(message, "Sprawdzam")
            await at.settle()
            assert VERDICT.search(at.message().text)
        else:
            await at.call(person, option=move % 4)
    else:
        raise AssertionError("the match did not end")
    assert "Mecz wygrywa" in at.message().text
    for page, title in (("statistics", "**Statystyki: "), ("leaderboard", "**Ranking**")):
        answer = await (await at.host.slash(at.channel, "stats", what=page)).settle()
        assert title in answer.seen.text
        assert not ENGLISH.findall(plain(answer.seen.text)), answer.seen.text
    assert [request for request in at.world.state.requests if request.status >= 400] == []


async def test_a_seat_is_in_its_persons_language_and_the_table_in_its_servers(table: Seat) -> None:
    at = await table(2)
    ann, bob = at.people
    polish(at, ann)
    await start_match(at)
    assert "Poker tajski · Runda 1" in at.message(bob).text
    for language, title in (
        (ann, "Poker tajski · mecz 1 · Runda 1"),
        (bob, "Thai Poker · match 1 · Round 1"),
    ):
        game, _, tail = title.partition(" · ")  # a link, once it is known where the table is
        assert game in at.seat(language).text
        assert f" · {tail}" in at.seat(language).text
    first = to_act(at)
    # a seat that is redrawn because somebody else moved keeps its language
    await at.call(first, option=0)
    await at.settle()
    assert "Sprawdzam" in at.message(bob).buttons
    assert "Refresh" in at.seat(bob).buttons or "Challenge" in at.seat(bob).buttons
    assert "Odśwież" in at.seat(ann).buttons or "Sprawdzam" in at.seat(ann).buttons
    reply = {
        ann: await private_reply(ann.slash(at.channel, "leave", what="drop", player=ann)),
        bob: await private_reply(bob.slash(at.channel, "leave", what="drop", player=bob)),
    }
    assert reply[ann].startswith("Kto taki?")
    assert reply[bob].startswith("Who? Name them")


async def test_cards_in_words_are_in_their_persons_language_whoever_moves(table: Seat) -> None:
    at = await table(2)
    ann, bob = at.people
    polish(at, ann)
    for person in at.people:
        await at.bot.client.handlers.people.choose(int(person.id), {"cards": "text"})
    await start_match(at)
    for _ in range(2):  # both seats are redrawn by the one's move, then by the other's
        for person, words in (
            (ann, "(?:pik|kier|karo|trefl)"),
            (bob, "of (?:spade|heart|diam|club)"),
        ):
            assert re.search(rf"^### \w+ {words}", at.seat(person).text, re.MULTILINE), person.name
        await at.call(to_act(at))
        await at.settle()


async def test_a_private_answer_is_in_the_language_of_the_persons_discord(
    table: Seat,
) -> None:
    at = await table(1)
    polish(at, at.host)
    form = await press_in_command(at.host, at.channel, "preferences", "Zmień…")
    assert "**Twoje ustawienia**" in await private_reply(at.host.submit(form.modal, {}))


async def test_bids_are_typed_in_either_language_and_shown_in_the_tables(table: Seat) -> None:
    at = await table(2)
    ann, _ = at.people
    polish(at, ann)
    await start_match(at)
    for polish_text, english_text, line in (
        ("para", "nonsense", ""),
        ("para dziewiątek", "pair of nines", "Para dziewiątek"),
        ("trójka waletów", "three jacks", "Trójka waletów"),
        ("full asy na damach", "aces full of queens", "Full asy na damach"),
    ):
        person = to_act(at)
        text = polish_text if person is ann else english_text
        answer = await private_reply(person.slash(at.channel, "bid", hand=text))
        await at.settle()
        if line:
            assert line in at.message().text
        else:
            asks = "to za mało: jaki to" if person is ann else "is not a bid here"
            assert asks in answer


async def test_a_server_chooses_its_language_for_all_games_and_a_person_theirs(table: Seat) -> None:
    at = await table(2)
    ann, bob = at.people
    at.world.server("The Snug").make_moderator(ann)
    settings_page = await ann.slash(at.channel, "settings", game="Liars' Poker")
    form = await ann.click(settings_page.seen, "Language…")
    out = await ann.submit(form.modal, {"Language of the tables": ["Polski"]})
    assert "-# Language of the tables: polski" in out.text
    form = await press_in_command(bob, at.channel, "preferences", "Change…")
    reply = await private_reply(bob.submit(form.modal, {LANGUAGE.label: ["Polski"]}))
    assert "**Twoje ustawienia**" in reply
    await start_match(at)  # of the other game
    assert "Poker tajski · Runda 1" in at.message().text
    assert "-# Język" not in at.message().text
    assert "match 1" in at.seat(ann).text
    assert "mecz 1" in at.seat(bob).text


async def test_commands_are_described_in_polish_and_called_alike_by_every_client(
    table: Seat,
) -> None:
    at = await table(1)
    known = {command["name"]: command for command in at.world.state.commands}
    play = known["play"]
    assert not play.get("name_localizations")
    assert play["description_localizations"] == {"pl": "Otwiera stół na tym kanale."}
    game = play["options"][0]
    assert not game.get("name_localizations")
    assert {"pl": "Poker tajski"} in [option["name_localizations"] for option in game["choices"]]
    inner = {option["name"]: option for option in known["odds"]["options"]}
    assert not inner["thai"].get("name_localizations")


async def test_odds_are_answered_in_the_servers_language_and_refused_in_the_persons(
    table: Seat,
) -> None:
    at = await table(2)
    ann, bob = at.people
    polish(at, ann)
    command = bob.slash(at.channel, "odds thai", in_play=9, bid="mały strit")
    answer = await (await command).settle()
    text = plain(answer.seen.text)
    assert "## Poker tajski\n-# 9 kart w grze · nie znasz żadnej karty" in text
    assert re.search(r"\*\*Mały strit\*\*: szansa \*\*\d+,\d%\*\*\.", text)
    assert not ENGLISH.findall(text)
    for person, sentence in (
        (ann, "Podaj, ile kart jest w grze łącznie"),
        (bob, "Say how many cards"),
    ):
        assert (await private_reply(person.slash(at.channel, "odds thai"))).startswith(sentence)


@pytest.mark.thorough
async def test_a_practice_and_its_hint_are_in_the_persons_language(table: Seat) -> None:
    at = await table(1)
    at.world.state.users[at.host.id].locale = "pl"
    await at.host.slash(at.channel, "practice", game=THAI)
    for label in ("Dalej", "Sprawdzam", "Pokaż karty", "Zacznij trening"):
        seat = newest(at.host, at.channel)
        assert not ENGLISH.findall(plain(seat.text)), seat.text
        await (await at.host.click(seat, label)).settle()
    await until(lambda: "Rada" in at.seat(at.host).buttons)  # the computer player may begin
    hinted = await at.host.click(at.seat(at.host), "Rada")
    await hinted.settle()
    await until(lambda: "Zastanawiam się…" not in at.seat(at.host).text)
    text = plain(at.seat(at.host).text)
    assert "**Rada.** " in text
    assert not ENGLISH.findall(text), text


async def test_the_language_of_a_person_who_never_played_is_not_stored(table: Seat) -> None:
    at = await table(1)
    at.world.state.users[at.host.id].locale = "pl"
    reply = await private_reply(at.host.slash(at.channel, "help", game=THAI))
    assert "Od najsłabszego układu do najsilniejszego" in reply
    people = at.bot.client.handlers.people
    stored = await people._store.people.players((int(at.host.id),))
    assert [value.choices for value in stored.values()] in ([], [{}])
    assert await people.language_of(int(at.host.id)) == "pl"


async def test_privacy_texts_and_former_players_are_in_polish(table: Seat) -> None:
    at = await table(2)
    ann, bob = at.people
    polish(at, ann, bob)
    await start_match(at)
    leaving = (await (await ann.slash(at.channel, "leave")).settle()).message
    assert leaving is not None
    await ann.click(leaving, "Tak, odchodzę")
    await at.settle()
    over = at.message()
    page = (await press_in_command(ann, at.channel, "preferences", "Moje dane…")).message
    assert page is not None
    for button, line in (
        ("Usuń moje dane…", "**Usunąć wszystkie Twoje dane?**"),
        ("Zostaw moje dane", "Twoja nazwa, język Twojego Discorda, 1 mecz i Twoje statystyki."),
        ("Usuń moje dane…", "**Zniknie:**"),
        ("Tak, usuń wszystko", "W 1 meczu Twoje miejsce zajął bezimienny gracz."),
    ):
        assert not ENGLISH.findall(plain(page.text)), page.text
        await (await ann.click(page, button)).settle()
        page = await ann.current(page)
        assert line in page.text
    await at.settle()
    assert "Były gracz 1" in (await bob.current(over)).text
    opened = await press_in_command(bob, at.channel, "matches", "Ostatni mecz tutaj")
    replay = (await opened.settle()).message
    assert replay is not None
    assert "Były gracz 1" in replay.text
    saved = (await (await bob.click(replay, "Pobierz")).settle()).message
    assert saved is not None
    for attached in saved.attachments:  # both are English
        content = at.world.state.attachments[attached["id"]].content.decode()
        assert "Former player 1" in content
        assert "Były gracz" not in content
