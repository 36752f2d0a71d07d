"""Who is called what in the picture of a replay."""

from __future__ import annotations

from bot.boards.replay import replay_picture
from bot.language.catalogues import speaking
from bot.language.words import TypedText
from bot.replays.played import seated_from
from bot.replays.steps import steps_of
from bot.roster import nameless
from tests.bot.replays.matches import whole


def test_a_forgotten_player_is_called_alike_in_the_picture_and_beside_it() -> None:
    match = whole(players=2)
    first = steps_of(match)[0]
    players = (11, nameless(3))
    for language, called in (("en", "Former player 3"), ("pl", "Były gracz 3")):
        with speaking(language):
            picture = replay_picture(match, players, first)
        assert [row.name for row in picture.rows] == [match.names[0], called]
        assert called in picture.alt


def test_who_has_no_name_is_called_by_their_seat() -> None:
    for language, called in (("en", "Player 2"), ("pl", "Gracz 2")):
        with speaking(language):
            ann, nobody = seated_from((11, 12), {11: TypedText("Ann")})
        assert (ann.name, nobody.name) == ("Ann", called)
