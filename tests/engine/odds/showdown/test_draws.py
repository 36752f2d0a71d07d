"""Draws in 2-7, A-5 and badugi: counts agree with a slow oracle, bad questions are refused."""

from __future__ import annotations

import contextlib
import re
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from engine.cards import Card, Cards
from engine.errors import TextError, UnclearHands
from engine.odds import Effort, parse_question, showdown_odds
from engine.odds.showdown.drawing import DRAWN_AGAIN
from engine.odds.showdown.game_words import game_key
from engine.odds.showdown.games import GAMES, PRESETS
from engine.odds.showdown.question import game_named
from tests.naive_showdown import five, naive

PACK = [Card(number) for number in range(52)]
PAGE = Path(__file__).parents[4] / "docs" / "showdown.md"
# games with several draws
LOW_DRAWS = [
    key
    for key, rules in PRESETS.items()
    if rules.ranking in DRAWN_AGAIN and rules.private == rules.ranking.cards
]
EXACT = Effort(exact=True)


def slow_values(
    ranking: str, hands: list[tuple[list[Card], int]], dead: list[Card]
) -> list[Fraction]:
    """Return each player's mean share of the pot over all ways to draw: the lowest hand wins.

    `hands` are each player's cards and the number of cards drawn; ties split the pot.
    """
    known = {card for held, _ in hands for card in held} | set(dead)
    total, shares = 0, [Fraction(0)] * len(hands)

    def draw(seat: int, left: list[Card], finished: list[list[Card]]) -> None:
        nonlocal total
        if seat == len(hands):
            scores = [five(tuple(map(naive, sorted(hand))), ranking) for hand in finished]
            best = [at for at, score in enumerate(scores) if score == min(scores)]
            total += 1
            for at in best:
                shares[at] += Fraction(1, len(best))
            return
        held, many = hands[seat]
        for cards in combinations(left, many):
            remaining = [card for card in left if card not in cards]
            draw(seat + 1, remaining, [*finished, [*held, *cards]])

    draw(0, [card for card in PACK if card not in known], [])
    return [share / total for share in shares]


def written(cards: list[Card]) -> str:
    return "".join(map(str, cards))


@pytest.mark.thorough
@pytest.mark.parametrize("key", LOW_DRAWS)
def test_every_draw_is_counted(key: str) -> None:
    size, ranking = PRESETS[key].private, PRESETS[key].ranking.value
    random = Random(size * 100 + len(key))
    for draws in ((1, 0), (1, 1), (2, 0), (1, 0, 0), (0, 1)) * 2:
        cards = random.sample(PACK, 52)
        hands = []
        for many in draws:
            hands.append((cards[: size - many], many))
            del cards[: size - many]
        dead = cards[: random.randrange(4)]
        sides = [
            f"{written(held)} {random.choice(('draw', 'draws', 'drawing'))} {many}"
            if many
            else f"{written(held)} {random.choice(('pat', 'stands pat', 'is pat', 'draws none'))}"
            for held, many in hands
        ]
        text = f"{key}: {' vs '.join(sides)}" + (f", dead {written(dead)}" if dead else "")
        answer = showdown_odds(parse_question(text), EXACT)
        values = [player.value for player in answer.players]
        assert values == slow_values(ranking, hands, dead), text


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("ranking", "ranks"),
    [
        ("27", (("2347", 1), ("8765K", 0))),
        ("27", (("2357", 1), ("2348", 1))),
        ("27", (("TT98", 1), ("9876", 1))),
        ("a5", (("A234", 1), ("8765K", 0))),
        ("a5", (("55A2", 1), ("2346", 1))),
    ],
)
def test_ranks_alone_mean_any_suits_without_a_flush(
    ranking: str, ranks: tuple[tuple[str, int], ...]
) -> None:
    """Compare with the oracle for random suits without a flush: they don't change the answer."""
    sides = [f"{held} {f'draw {many}' if many else 'pat'}" for held, many in ranks]
    answer = showdown_odds(parse_question(f"{ranking}: {' vs '.join(sides)}"), EXACT)
    values = [player.value for player in answer.players]
    random = Random(7)
    for _ in range(6):
        hands = deal_suits(ranks, random)
        if ranking == "27" and any(len({card.suit for card in held}) == 1 for held, _ in hands):
            continue
        assert slow_values(ranking, hands, []) == values


def deal_suits(ranks: tuple[tuple[str, int], ...], random: Random) -> list[tuple[list[Card], int]]:
    """Return random cards of these ranks; each hand keeps its number of cards to draw."""
    free = random.sample(PACK, 52)
    hands = []
    for held, many in ranks:
        hand = []
        for rank in held:
            card = next(card for card in free if str(card)[0] == rank)
            free.remove(card)
            hand.append(card)
        hands.append((hand, many))
    return hands


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("2-7 triple draw: 2347 draw 1 vs 8765K pat", (4, 5)),
        ("27: 2 3 4 7 draws one vs K 8 7 6 5 stands pat", (4, 5)),
        ("27: 10 8 7 6 draw 1 vs T8764 pat", (4, 5)),
        ("a5: A23 takes 2 cards vs 8765K", (3, 5)),
        ("As2h4d draw 1 vs 8c7d6h5s pat", (3, 4)),
        ("five-card draw: AsAhKd draw 2 vs QsQhQd draw 2", (3, 3)),
        ("27: 2347 draw 1 vs 8765K pat, last draw", (4, 5)),
        ("a5: A234 draw 1 vs random", (4, 0)),
    ],
)
def test_a_player_who_draws_keeps_the_named_cards(text: str, sizes: tuple[int, ...]) -> None:
    players = parse_question(text).players
    assert [len(held) for held in players if isinstance(held, Cards)] == list(sizes)


def test_players_given_one_by_one_draw() -> None:
    typed = parse_question(["2347 draw 1", "8765K pat"], game="27")
    assert typed.players == parse_question("27: 2347 draw 1 vs 8765K pat").players
    named = parse_question("27: Ann: 2347 draw 1 vs Bob: 8765K pat")
    assert named.names == ("Ann", "Bob")


def test_dead_cards_are_not_drawn() -> None:
    text = "27: 2347 draw 1 vs 8765K pat, dead 5d 5h 5s 6d 6h 6s 8d 8h 8s"
    dead = Cards.parse("5d 5h 5s 6d 6h 6s 8d 8h 8s")
    scenario = parse_question(text)
    assert scenario.dead == dead
    assert not any(isinstance(held, Cards) and held & dead for held in scenario.players)
    answer = showdown_odds(scenario).players[0]
    assert (answer.win, answer.lose) == (19, 15)  # nines to queens and three kings win


@pytest.mark.parametrize("text", ["2347 draw 1 vs 8765K pat", "lowball: 2347 draw 1 vs 8765K pat"])
def test_a_draw_without_a_game_asks_which(text: str) -> None:
    with pytest.raises(UnclearHands) as unclear:
        parse_question(text)
    games = [parse_question(choice).rules.ranking.value for choice in unclear.value.choices]
    assert games == ["27", "a5"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("27: 2347K draw 1 vs 8765K pat", "5 kept and 1 drawn"),
        ("27: 2347 vs 8765K pat", "say how many cards each player draws"),
        ("a5: A234 draw 1 vs draw 2", "say which cards are kept by a player who draws 2"),
        ("27: 2347 draw 1 vs 8765K pat, 2 draws left", "say up to which rank"),
        ("27: 2347 draw 1 vs random", "somebody may make a flush"),
        ("27: 2 draw 4 vs 8765K pat", "somebody may make a flush"),
        ("27: 2c3c4c7c draw 1 vs 8765K pat", "somebody may make a flush"),
        ("badugi: A24 draw 1 vs 8765 pat", "suits matter in this game"),
        ("27: 7777 draw 1 vs 7832K pat", "aren't enough cards"),
        ("holdem: AhKh draw 1 vs QQ", "draws go with"),
        ("razz: As2h3d draw 4 vs random", "draws go with"),
    ],
)
def test_a_draw_that_makes_no_sense_is_refused(text: str, says: str) -> None:
    with pytest.raises(TextError) as refused:
        parse_question(text)
    assert says in str(refused.value)
    assert 'Example: "' in str(refused.value)


def test_the_page_and_the_refusals_name_the_games_with_draws() -> None:
    """Ask every game with one draw, and with two: those that refuse are not named."""
    drawn: set[str] = set()
    again: set[str] = set()
    for key, rules in PRESETS.items():
        held = "".join(map(str, list(Cards.parse(GAMES[key].hand))[: rules.private - 1]))
        for games, later in ((drawn, ("", "")), (again, (" until 9", ", 2 draws left"))):
            with contextlib.suppress(TextError):
                parse_question(f"{key}: {held} draw 1{later[0]} vs random{later[1]}")
                games.add(key)
    assert again == {*LOW_DRAWS}
    head = re.search(r"^\*\*Draws\*\* \((.+?)\)", PAGE.read_text(), re.MULTILINE)
    assert head is not None
    assert {*re.findall(r"`(\w+)`", head[1])} == drawn, (
        "docs/showdown.md, **Draws**: name the games with draws, and say for each whether ranks"
        " alone do, and which drawn cards are replaced"
    )
    for text, games in (
        ("holdem: AhKh draw 1 vs QQ", drawn),
        ("draw: AsAhKsKh draw 1 until 9 vs random, 2 draws left", again),
    ):
        with pytest.raises(TextError, match="go with") as refused:
            parse_question(text)
        names = str(refused.value).partition("go with ")[2].partition(".")[0]
        named = {
            game_key(name) for name in re.split(", (?!without)| and ", names.split(", without")[0])
        }
        assert named == games, (
            f"{str(refused.value)!r} names {sorted(map(str, named))}, but these games have such"
            f" draws: {sorted(games)}. Change the `Reason` (engine/odds/showdown/draw_words.py,"
            " scenario.py), and translate it"
        )


def test_two_games_are_refused() -> None:
    with pytest.raises(TextError, match="two games"):
        parse_question("a5: A234 draw 1 vs 8765K pat", game="27")


@pytest.mark.parametrize(
    "text", ["five-card draw 2 players AsAhKsKh2d", "triple draw a5: 2c3d4h5s6c vs 7c8d9hTsJc"]
)
def test_a_game_s_name_is_no_draw(text: str) -> None:
    assert all(len(held) in (0, 5) for held in parse_question(text).players)


def test_the_game_may_be_given_as_rules_and_must_be_known() -> None:
    text = "2347 draw 1 vs 8765K pat"
    assert parse_question(text, PRESETS["27"]).players == parse_question(text, "27").players
    with pytest.raises(TextError, match="isn't a game"):
        parse_question(text, "snap")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("8765K pat vs 2347 draw 1", "a5"),
        ("Ac2d3h draw 1 vs 4s5c6d7h pat", "badugi"),
    ],
)
def test_the_number_of_cards_tells_badugi(text: str, key: str) -> None:
    if key == "badugi":
        assert parse_question(text).rules == PRESETS[key]
        return
    with pytest.raises(UnclearHands):
        parse_question(text)
    with pytest.raises(UnclearHands):  # with names to look up too
        parse_question(text, ranges={})


@pytest.mark.parametrize("text", ["draw 1 vs pat", "draw 1 vs Ac2d3h4s pat", "8765K vs pat"])
def test_a_draw_without_cards_is_refused(text: str) -> None:
    assert game_named(text) is None
    with pytest.raises(TextError):
        parse_question(text)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("27: 2347 draw 1 vs 8765K pat", "27"),
        ("omaha: AsAhKsKh vs QsQhJsJh, pat", None),
        ("AhKh vs a pat hand", None),
    ],
)
def test_the_game_of_a_draw_is_found(text: str, key: str | None) -> None:
    assert game_named(text) == key


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("27 2347 draw 1 vs pat 86543", "27: 2347 draw 1 vs 86543 pat"),
        ("A-5 A234 draw 1 vs 87654 pat", "a5: A234 draw 1 vs 87654 pat"),
        ("27: 2347 draws one, 86543 pat", "27: 2347 draw 1 vs 86543 pat"),
        ("27: 2347 drawing 1 vs 86543 standing pat", "27: 2347 draw 1 vs 86543 pat"),
        ("27: 8♥K♣️4♡A❤️ draw 1 vs 8♦7♢6♦5♦3♧ pat", "27: 8hKc4hAh draw 1 vs 8d7d6d5d3c pat"),
        (["27:", "2347", "draw", "1", "vs", "86543", "pat"], "27: 2347 draw 1 vs 86543 pat"),
    ],
)
def test_draws_are_read_however_they_are_typed(question: str | list[str], plain: str) -> None:
    assert parse_question(question) == parse_question(plain)


def test_a_draw_with_suits_may_be_of_five_card_draw_too() -> None:
    with pytest.raises(UnclearHands) as unclear:
        parse_question("AsAhKd draws 2 vs QsQhQd draws 2")
    assert [choice.split(":")[0] for choice in unclear.value.choices] == ["draw", "27", "a5"]


def test_draws_left_without_a_number_of_cards_are_asked_for() -> None:
    with pytest.raises(TextError, match="say how many cards each player draws, or pat"):
        parse_question("27td 2347 vs 2346, one draw left")
