"""Conditions on boards and hands: the language, and every count against the oracle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from engine.cards import Card, Cards
from engine.errors import TextError, UnclearText
from engine.odds import Effort, Showdown, ShowdownCancelled, parse_question, showdown_odds
from engine.odds.showdown import condition_jobs
from engine.odds.showdown.conditions import split_conditions
from engine.odds.showdown.games import PRESETS
from tests.naive_conditions import PAIRS, Condition, count
from tests.naive_hits import Pair

HEARTS = 2
EXACT = Effort(exact=True, longest=1000)


def ask(question: str, effort: Effort = EXACT) -> Showdown:
    return showdown_odds(parse_question(question), effort)


# -- against the oracle ---------------------------------------------------------------------------

CONDITIONS: dict[str, Condition] = {
    "flop monotone": lambda deal: deal.suits() == 1,
    "flop two-tone": lambda deal: deal.suits() == 2,
    "the flop is rainbow": lambda deal: deal.suits() == 3,
    "turn rainbow": lambda deal: deal.suits(4) == 4,
    "when flop paired": lambda deal: deal.alike(3) > 1,
    "when board pairs": lambda deal: deal.alike() > 1,
    "when the board is not paired": lambda deal: deal.alike() == 1,
    "board trips on the turn": lambda deal: deal.alike(4) > 2,
    "when turn pairs the board": lambda deal: deal.turn[0] in deal.ranks(),
    "when river pairs": lambda deal: deal.river[0] in deal.ranks(4),
    "board 9**": lambda deal: 9 in deal.ranks(),
    "flop 99*": lambda deal: deal.ranks().count(9) > 1,
    "board 987 two-tone": lambda deal: deal.ranks() == [7, 8, 9] and deal.suits() == 2,
    "board 98**": lambda deal: {8, 9} <= set(deal.ranks(4)),
    "turn any heart": lambda deal: deal.turn[1] == HEARTS,
    "when river is a heart": lambda deal: deal.river[1] == HEARTS,
    "when river is a nine or red": lambda deal: deal.river[0] == 9 or deal.river[1] in (1, 2),
    "turn 9+": lambda deal: deal.turn[0] >= 9,
    "flop two hearts": lambda deal: [suit for _, suit in deal.flop].count(HEARTS) == 2,
    "board three hearts or more": lambda deal: (
        sum(suit == HEARTS for _, suit in deal.board(5)) >= 3
    ),
    "flop no nine": lambda deal: 9 not in deal.ranks(),
    "flop a heart and river not a heart": lambda deal: (
        any(suit == HEARTS for _, suit in deal.flop) and deal.river[1] != HEARTS
    ),
    "when (flop monotone or turn 8) and river not 7": lambda deal: (
        (deal.suits() == 1 or deal.turn[0] == 8) and deal.river[0] != 7
    ),
    "when not (flop monotone or turn 8)": lambda deal: deal.suits() > 1 and deal.turn[0] != 8,
    "flop unpaired": lambda deal: deal.alike(3) == 1,
    "board 9** paired": lambda deal: 9 in deal.ranks() and deal.alike(3) > 1,
    "board 9** unpaired": lambda deal: 9 in deal.ranks() and deal.alike(3) == 1,
    "when river is not 9h": lambda deal: deal.river != (9, HEARTS),
    "flop two pair+": lambda deal: deal.at_least(0, 3, "two pair"),
    "flop pair": lambda deal: deal.hand_class(0, 3) in PAIRS,
    "flop pair or better": lambda deal: deal.at_least(0, 3, "low pair"),
    "when hero flops a flush draw": lambda deal: "flush draw" in deal.draws(0, 3),
    "turn flush draw": lambda deal: "flush draw" in deal.draws(0, 4),
    "turn nut flush draw": lambda deal: "nut flush draw" in deal.draws(0, 4),
    "flop backdoor flush": lambda deal: "backdoor flush" in deal.draws(0, 3),
    "flop backdoor straight or overcards": lambda deal: bool(
        {"backdoor straight", "overcards"} & deal.draws(0, 3)
    ),
    "turn straight draw": lambda deal: bool({"wrap", "open-ended", "gutshot"} & deal.draws(0, 4)),
    "when villain has top pair+ on the turn": lambda deal: deal.at_least(
        1, 4, "top pair weak kicker"
    ),
    "river flush": lambda deal: deal.hand_class(0, 5) == "flush",
    "river straight+": lambda deal: deal.at_least(0, 5, "straight"),
    "when hero makes a set or trips": lambda deal: deal.hand_class(0, 5) in ("set", "trips"),
    "when P2 does not have a pair+ on the river": lambda deal: not deal.at_least(1, 5, "low pair"),
    "when hero flops a pair and river 9": lambda deal: (
        deal.hand_class(0, 3) in PAIRS and deal.river[0] == 9
    ),
    "when hero flops a pair and P2 rivers two pair": lambda deal: (
        deal.hand_class(0, 3) in PAIRS and deal.hand_class(1, 5) == "two pair"
    ),
}


def pairs(cards: Cards) -> tuple[Pair, ...]:
    return tuple((int(card.rank) + 2, int(card.suit)) for card in cards)


def random_question(random: Random, game: str) -> tuple[list[list[Cards]], list[Card], list[Card]]:
    """Return the possible hands of two players, the board so far and the dead cards.

    Most cards are dead, so that the oracle can try every deal. The live cards are often of the
    same ranks and suits.
    """
    pack = list(PRESETS[game].deck)
    random.shuffle(pack)
    middle = [card for card in pack if card.rank.char in "6789T" or random.random() < 0.2]
    alive = middle[:12]
    holders = [[Cards.of(alive[:2])], [Cards.of(alive[2:4])]]
    if random.random() < 0.4:
        holders[1].append(Cards.of(alive[3:5]))
    stub = alive[5:]
    dealt = stub[: random.choice((0, 0, 1, 2, 3, 4))]
    return holders, dealt, [card for card in pack if card not in alive]


@pytest.mark.parametrize("text", CONDITIONS)
@pytest.mark.parametrize(
    "game",
    [
        "holdem",
        *(
            pytest.param(game, marks=pytest.mark.thorough)
            for game in ("shortdeck", "shortdeck-trips")
        ),
    ],
)
def test_chance_and_shares_are_those_of_every_deal(text: str, game: str) -> None:
    random = Random(f"{text} {game}")
    for _ in range(2):
        holders, dealt, dead = random_question(random, game)
        hands = [" ".join(str(hand).replace(" ", "") for hand in held) for held in holders]
        against = f"({', '.join(hands[1].split())})" if len(holders[1]) > 1 else hands[1]
        scenario = parse_question(f"{hands[0]} vs {against}, {text}", game, "", _text(dead))
        scenario = replace(scenario, board=Cards.of(dealt), dealt=tuple(dealt))
        expected = count(
            [[pairs(hand) for hand in held] for held in holders],
            [pair for card in dealt for pair in pairs(Cards.of([card]))],
            pairs(Cards.of(dead)),
            CONDITIONS[text],
            PRESETS[game].ranking.value,
        )
        if not expected.chance:
            with pytest.raises(TextError, match="no deal fits"):
                showdown_odds(scenario, EXACT)
            continue
        answer = showdown_odds(scenario, EXACT)
        assert answer.condition is not None
        assert answer.exact
        assert Fraction(answer.condition.favourable, answer.condition.total) == expected.chance
        assert [player.value for player in answer.players] == expected.values


def _text(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


# -- what people ask ------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize(
    "question",
    [
        "AhKh vs QQ, flop monotone",
        "AhKh vs QsQd vs JsTs, flop two hearts",
        "AhKh vs QQ, board 2h3h4c, turn red",
        "AhKh vs QQ, board 2h3h4h5c, when river is a heart",
        "8h9h vs 2c2d, turn straight draw",
        "AhKh vs Qs9d, board 9h, when board is paired",
        "AKs vs QsJs, board 9h5s2d, turn pairs the board",
        "AKs vs 9h9d, when villain flops a flush draw",
        "AhKh vs 9c9d, board two hearts",
        "AhKh vs 9c9d, board 2h3h4c, flop two hearts",
        "AhKd vs 9c9d, when villain flops a set",
        "shortdeck: AhKh vs 9s9d, flop A**",
    ],
)
def test_one_street_is_counted_like_all_streets_in_order(question: str) -> None:
    """Compare the two ways of counting on whole packs; the river is certainly red or black."""
    plain, ordered = ask(question), ask(f"{question} and (river red or river black)")
    assert plain.condition is not None
    assert ordered.condition is not None
    chances = [
        Fraction(each.favourable, each.total) for each in (plain.condition, ordered.condition)
    ]
    assert chances[0] == chances[1] > 0
    times = Fraction(ordered.deals, plain.deals)
    for counted, in_order in zip(plain.players, ordered.players, strict=True):
        assert counted.value == in_order.value
        assert [times * deals for deals in (counted.win, counted.tie)] == [
            in_order.win,
            in_order.tie,
        ]
        assert {rank: ways * times for rank, ways in counted.ranks.items()} == in_order.ranks


@pytest.mark.parametrize(
    ("text", "by_ranks"),
    [
        ("board K** or turn 9+", False),
        ("board K** or flop not paired", True),
        ("when board pairs", True),
        ("turn pairs the board", True),
        ("flop pair", True),
        ("flop a set or trips", True),
        ("flop two pair+", False),
        ("hero flops ace high", False),
        ("turn pair", False),
        ("flop overcards", False),
        ("flop monotone", False),
        ("turn any heart", False),
        ("flop Ah72", False),
    ],
)
def test_a_condition_knows_whether_suits_matter(text: str, by_ranks: bool) -> None:
    condition = parse_question(f"AhKh vs QQ, {text}").condition
    assert condition is not None
    assert condition.by_ranks == by_ranks


@pytest.mark.parametrize(
    ("question", "favourable", "total"),
    [
        ("JhTh, flop flush", 161, 19_600),  # C(11, 3), less four straight flushes
        ("JTo, flop straight+", 276, 19_600),  # 4 * 64, 18 full houses, 2 fours
        ("7h7d, flop set+", 2_352, 19_600),  # a seven, or three of another rank
        ("AhKh, flop flush draw", 2_145, 19_600),  # C(11, 2) * 39
        ("AhKd vs QcQs, flop monotone", 880, 17_296),  # 2 * C(12, 3) + 2 * C(11, 3) less two
        ("AhKd vs QcQs, turn any heart", 12, 48),
    ],
)
def test_counts_that_a_pencil_gives(question: str, favourable: int, total: int) -> None:
    chance = ask(question).condition
    assert chance is not None
    assert Fraction(chance.favourable, chance.total) == Fraction(favourable, total)


@pytest.mark.parametrize(
    ("phrase", "variant"),
    [
        ("AhKh vs QQ, when board pairs", "AhKh vs QQ when the board is paired?"),
        ("AhKh vs QQ, board K**", "AhKh vs QQ, flop K * *"),
        ("AhKh vs QQ, board A72 rainbow", "AhKh vs QQ on a flop of A 7 2 rainbow"),
        ("AhKh vs QQ, flop two pair+", "AhKh vs QQ, when hero flops two pair or better"),
        ("AhKh vs QQ, flop flush draw", "AhKh vs QQ, if P1 flopped a flush draw"),
        ("AhKh vs QQ, turn any heart", "AhKh vs QQ (when the turn is a heart)"),
        ("AhKh vs QQ, flop monotone, turn ace", "AhKh vs QQ, when flop monotone and turn is an A"),
        ("Ann: AhKh vs Bob: QQ, when Bob flops a set", "AhKh vs QQ, when villain flops a set"),
        ("AhKh vs QQ, QQ flops a set", "AhKh vs QQ, when villain flops a set"),
        ("AhKh vs QQ when QQ flops a set", "AhKh vs QQ, when villain flops a set"),
        ("Ann: AhKh vs Bob: QQ, Bob flops a set", "AhKh vs QQ, when villain flops a set"),
        ("AhKh vs QQ, flop no ace or king", "AhKh vs QQ, flop no ace and flop no king"),
        ("AhKh vs QQ, flop neither ace nor king", "AhKh vs QQ, flop no ace or king"),
        ("AhKh vs QQ, flop no ace or rainbow", "AhKh vs QQ, flop no ace and flop not rainbow"),
        ("AhKh vs QQ, flop no 3 or turn is a 4", "AhKh vs QQ, when (flop not 3) or (turn 4)"),
        ("AhKh vs QQ, flop no 3 or has a four", "AhKh vs QQ, when (flop not 3) or (flop 4)"),
        ("AhKh vs QQ, flop three of a kind", "AhKh vs QQ, hero flops three of a kind"),
        ("AhKh vs QQ, flop exactly one ace", "AhKh vs QQ, flop one ace"),
        ("AhKh vs QQ on a monotone flop", "AhKh vs QQ, flop monotone"),
        ("AhKh vs QQ on an ace high flop", "AhKh vs QQ, flop an ace"),
        ("AhKh vs QQ on a king-high flop", "AhKh vs QQ, flop king high"),
        ("AhKh vs QQ, K72 rainbow flop", "AhKh vs QQ, flop K72 rainbow"),
        ("AhKh vs QQ on K72r", "AhKh vs QQ, board K72 rainbow"),
        ("AhKh vs QQ, flop K72tt", "AhKh vs QQ, flop K72 two-tone"),
        ("AhKh vs QQ, flop K72 turn 3", "AhKh vs QQ, flop K72, turn 3"),
        ("AhKh vs QQ, flop 9h5h2c turn K", "AhKh vs QQ, board 9h5h2c, turn K"),
        ("AhKh vs QQ, a heart on the turn", "AhKh vs QQ, turn a heart"),
        ("AhKh vs QQ, turn a ♥️", "AhKh vs QQ, turn a heart"),
        ("AhKh vs QQ, flop no jacks", "AhKh vs QQ, flop no J"),
        ("AhKh vs QQ, flop a jack or ten", "AhKh vs QQ, when flop has a J or a T"),
        ("AhKh vs QQ on a jack high flop", "AhKh vs QQ, flop J high"),
        ("AhKh vs QQ, jack on the turn", "AhKh vs QQ, turn J"),
        ("AhKh vs QQ with an ace on the flop", "AhKh vs QQ, flop an ace"),
        ("AhKh vs QQ, turn isn't a heart", "AhKh vs QQ, turn not heart"),
        ("AhKh vs QQ, river isnt a 9", "AhKh vs QQ, river no nine"),
        ("AhKh vs QQ, villain doesn’t flop a set", "AhKh vs QQ, when villain flops no set"),
        ("AhKh vs QQ, P2 never flops a set", "AhKh vs QQ, when villain flops no set"),
        ("JTs, flop pair + FD", "JTs, flop a pair and flush draw"),
        ("AhKh vs QQ, flop Qh**", "AhKh vs QQ, flop Qhxx"),
        ("AhKh vs QQ, flop two Ks", "AhKh vs QQ, flop two kings"),
        ("AhKh vs QdQs, QQ flops a set", "AhKh vs QdQs, when villain flops a set"),
        ("AhKh vs QdQs, queens flop a set", "AhKh vs QdQs, when villain flops a set"),
        ("AhKh vs QdQs, QdQs flops a set", "AhKh vs QdQs, when villain flops a set"),
        ("QdQs vs AhKh, AKs flops a pair", "QdQs vs AhKh, when villain flops a pair"),
        ("AhKh vs QQ, p2: flops a set", "AhKh vs QQ, when villain flops a set"),
        ("AhKh vs QQ, flop 2 or 3 hearts", "AhKh vs QQ, when flop two hearts or three hearts"),
        ("AhKh vs QQ, flop one or two aces", "AhKh vs QQ, when flop one ace or two aces"),
        ("AhKh vs QQ, no queen by the river", "AhKh vs QQ, board no queen"),
        ("AhKh vs QQ, board pairs by the river", "AhKh vs QQ, when board is paired"),
        ("AhKh vs QQ, flop all hearts", "AhKh vs QQ, flop three hearts"),
        ("AhKh vs QQ, two tone flop", "AhKh vs QQ, flop two-tone"),
        ("AhKh hits a flush by the river", "AhKh, river flush"),
        ("how often do I flop a set with 77", "77, flop a set"),
        ("odds of hitting a flush with AhKh", "AhKh, river flush"),
    ],
)
def test_two_ways_to_say_the_same(phrase: str, variant: str) -> None:
    first, second = (parse_question(text).condition for text in (phrase, variant))
    assert first is not None
    assert second is not None
    assert (first.atoms, first.program) == (second.atoms, second.program)


@pytest.mark.parametrize(
    ("question", "players"),
    [("JTs, flop two pair+", 1), ("JTs, flop monotone", 2), ("any, turn flush draw", 1)],
)
def test_only_a_hand_that_hits_needs_no_opponent(question: str, players: int) -> None:
    assert len(parse_question(question).players) == players


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("AhKh vs QQ, when pigs fly", "pigs"),
        ("AhKh vs QQ, flop monotonous", "monotonous"),
        ("AhKh vs QQ, flop monotone quickly", "monotone quickly"),
        ("AhKh vs QQ, flop K*", "k"),
        ("AhKh vs QQ, turn T-", '"t-"'),
        ("AhKh vs QQ, flop 8- rainbow", '"8- rainbow"'),
        ("AhKh vs QQ, hero and villain flop a pair", '"hero" isn\'t a condition'),
        ("AhKh vs QQ, JJ flops a set", '"jj set" isn\'t a condition'),
        ("AhKh, QQ flops a set", '"qq set" isn\'t a condition'),
        ("AhKh vs AdKd, AKs flops a pair", '"aks pair" isn\'t a condition'),
        ("AK vs QQ, no queen on flop or turn", '"or" isn\'t a range'),
        ("99 vs AK if no overcards flop", "say which cards"),
        ("99 vs AK, flop no overcards", "say which cards"),
        ("AK vs QQ, turn overcard", "say which cards"),
        ("AhKh vs QQ, turn 2-5", "2 5"),
        ("hitting gold with AhKh", "hitting"),
        ("AhKh vs QQ, hero flops set with QQ", "set qq"),
        ("AhKh vs QQ on monotone boards", "on which street"),
        ("AhKh vs QQ, board monotone", "on which street"),
        ("AhKh vs QQ, river flush draw", "on the river there are none"),
        ("AhKh vs QQ, when hero has a flush draw", "on which street"),
        ("AhKh vs QQ, when (flop monotone", "flop monotone"),
        ("AhKh vs QQ, flop flush draw+", "draws aren't ranked"),
        ("omaha AsAhKsKh vs QQ**, flop monotone", "hold'em and short deck"),
        ("AhKh vs QQ, when P3 flops a set", "player 3"),
        ("AhKh vs QQ, when flop monotone)", ")"),
        ("AhKh vs QQ, when flop monotone and", "flop monotone and"),
        ("AhKh vs QQ, when flop turn monotone", "flop turn monotone"),
        ("AhKh vs QQ, when " + " or ".join(["flop monotone"] * 13), "at most 12 parts"),
        ("AhKh vs QQ, flop K***", "isn't a whole board"),
        ("AhKh vs QQ, flop K** quickly", "quickly"),
        ("AhKh vs QQ, when flop is ***", "***"),
        ("AhKh vs QQ, board ***", "joker"),
        ("AhKh vs QQ, when flop several hearts", "several hearts"),
        ("AhKh vs QQ, when two hearts", "on which street"),
        ("AhKh vs QQ, when board flush draw", "board flush draw"),
        ("AhKh vs QcQs, board 9h 5h 2c, flop monotone", "no deal fits"),
    ],
)
def test_what_is_not_understood_is_refused_in_a_sentence_with_an_example(
    question: str, words: str
) -> None:
    with pytest.raises(TextError) as refused:
        showdown_odds(parse_question(question))
    assert words in str(refused.value)
    assert "Example: " in str(refused.value)


def test_a_text_that_is_only_a_condition_is_no_hand() -> None:
    assert split_conditions(["flop monotone", "AhKh"]) == (["AhKh"], "", ["flop monotone"])


def test_players_with_the_same_range_have_the_same_share() -> None:
    first, second = ask("QQ+ vs QQ+, flop monotone").players
    assert first.value == second.value


def test_cards_on_a_street_are_no_condition() -> None:
    for text in ("flop 9c 8d 7s", "board is the ace of hearts, 9c 2d", "flop 9c8d7s, turn 2h"):
        assert parse_question(f"AhKd vs QQ, {text}".replace("Ah", "Ac")).condition is None


def test_choices_keep_the_condition() -> None:
    with pytest.raises(UnclearText) as unclear:
        parse_question("AK/QQ, flop monotone")
    assert all(parse_question(choice).condition is not None for choice in unclear.value.choices)


@pytest.mark.parametrize(
    ("question", "choices"),
    [
        ("AK, flop hearts", ("AK, when flop a heart", "AK, when flop three hearts")),
        ("AK, red flop", ("AK, when flop one or more red", "AK, when flop three red")),
        (
            "AK vs QQ, board 9c8d7s, turn a 2, when board hearts",
            (
                "AK vs QQ, board 9c8d7s, when board a heart, when turn a 2",
                "AK vs QQ, board 9c8d7s, when board five hearts, when turn a 2",
            ),
        ),
        (
            "AK, hearts on the flop",
            ("AK, when a heart on the flop", "AK, when three hearts on the flop"),
        ),
        ("AK, flop ace high", ("AK, when flop an ace", "AK, when hero flops ace high")),
        ("AK, flop A-high", ("AK, when flop an ace", "AK, when hero flops ace high")),
    ],
)
def test_a_condition_that_may_mean_two_things_is_asked_about(
    question: str, choices: tuple[str, ...]
) -> None:
    with pytest.raises(UnclearText) as unclear:
        parse_question(question)
    assert unclear.value.choices == choices
    assert all(parse_question(choice).condition is not None for choice in choices)


def test_a_board_option_keeps_its_cards_among_the_choices() -> None:
    with pytest.raises(UnclearText) as unclear:
        parse_question(["AK, board hearts"], board="9c 8d 7s")
    assert unclear.value.choices[0] == "AK, board 9c 8d 7s, when board a heart"


def test_a_king_high_flop_has_a_king_and_no_ace() -> None:
    chance = ask("AhQh, flop king high").condition
    # of 50 cards left, 4 are kings and 3 aces: flops without an ace, less those without a king too
    assert chance is not None
    assert Fraction(chance.favourable, chance.total) == Fraction(16_215 - 12_341, 19_600)


def test_the_board_option_takes_a_partial_board() -> None:
    scenario = parse_question(["AhKh", "QQ"], board="K**")
    assert scenario.condition == parse_question("AhKh vs QQ, board K**").condition


@pytest.mark.thorough
@pytest.mark.parametrize(
    "question",
    ["AhKh vs QQ, flop monotone and river not a heart", "JTs, flop pair", "any, flop pair"],
)
def test_a_sample_is_within_its_error(question: str) -> None:
    exact, sampled = ask(question), ask(question, Effort(deals=400_000, seed=3))
    assert exact.condition is not None
    assert sampled.condition is not None
    assert not sampled.exact
    assert sampled.condition.standard_error is not None
    off = abs(exact.condition.probability - sampled.condition.probability)
    assert off < 4 * sampled.condition.standard_error
    for player, estimate in zip(exact.players, sampled.players, strict=True):
        assert abs(player.value - estimate.value) <= 4 * (estimate.standard_error or 0)


@pytest.mark.parametrize(
    ("question", "exact"),
    [
        ("AhKh vs random, flop monotone", True),
        ("22 vs random, flop monotone", True),
        ("AhKh vs random, turn any heart", True),
        ("AhKh vs random, when hero flops a flush draw", True),
        ("AhKh vs random, river red", True),
        ("AhKh vs random, when board pairs", True),
        ("22+ vs random, flop two-tone", False),
        ("random vs random, flop two-tone", False),
        ("AhKh vs random, when villain flops a flush draw", True),
        ("AhKh vs random, board pairs and turn any heart", False),
        ("TT+ vs 9c9d, flop two hearts", True),
    ],
)
def test_boards_are_counted_where_that_is_quicker_than_sampling(question: str, exact: bool) -> None:
    scenario = parse_question(question)
    condition = scenario.condition
    assert condition is not None
    table = condition_jobs.table_of_condition(scenario, condition, ranked=True)
    sampler = condition_jobs.Sampler(scenario, table, seed=0)
    assert (condition_jobs.counting_seconds(scenario, condition, sampler, 1.0) <= 1) is exact


@pytest.mark.parametrize(
    "question",
    [
        "random vs AhKh, flop monotone",
        "AhKh vs random, turn any heart",
        "AhKh vs random, board 2h, when hero flops a flush draw",
        "AhKh vs random, board K**",
        "AhKh vs random vs QcQd, when P3 flops a set",
    ],
)
def test_unknown_hands_under_a_condition_are_those_counted_one_by_one(
    question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_board = question.replace(", board 2h", "")
    scenario = parse_question(one_board)
    if one_board != question:
        board = Cards.parse("2h")
        scenario = replace(scenario, board=board, dealt=tuple(board))
    at_once = showdown_odds(scenario, EXACT)
    monkeypatch.setattr(condition_jobs, "unknown_seat", lambda _: None)
    assert at_once == showdown_odds(scenario, EXACT)


def test_the_answer_does_not_depend_on_the_threads() -> None:
    effort = Effort(deals=300_000, seed=5)
    question = "AKs vs random, flop paired"
    assert ask(question, effort) == ask(question, replace(effort, threads=2))


def test_unknown_opponents_share_the_pot() -> None:
    answer = ask("AhKh vs 2 random, flop monotone", Effort(deals=200_000, seed=1))
    assert sum(player.value for player in answer.players) == 1


def test_a_hand_that_never_hits_has_a_chance_of_nought() -> None:
    answer = ask("AhKd, board 9c8c7c2c, river straight+")
    assert answer.only_hits
    assert answer.condition is not None
    assert answer.condition.probability == 0
    values = answer.to_json()["condition"]
    assert (values["favourable"], values["probability"]) == (0, 0)


def test_what_cannot_be_counted_is_refused_if_it_is_to_be_exact() -> None:
    for question in ("random vs random, flop monotone", "any vs any vs any, flop monotone"):
        with pytest.raises(TextError, match="too many deals to count exactly"):
            ask(question, Effort(exact=True, longest=1))


@pytest.mark.parametrize("exact", [True, False])
def test_a_condition_tells_its_progress_and_can_be_cancelled(exact: bool) -> None:
    scenario = parse_question("AKs vs QQ+, flop monotone")
    effort = EXACT if exact else Effort(exact=False, deals=300_000)
    steps: list[tuple[int, int]] = []
    showdown_odds(scenario, effort, progress=lambda *step: steps.append(step))
    assert steps == sorted(steps)
    assert steps[-1][0] >= steps[-1][1] > 0
    with pytest.raises(ShowdownCancelled):
        showdown_odds(scenario, effort, cancelled=lambda: True)


def test_a_sample_ends_when_it_is_precise_or_when_it_is_enough() -> None:
    answer = ask("random vs random, flop monotone", Effort(exact=False, error=0.01))
    assert answer.standard_error is not None
    assert answer.standard_error <= 0.01
    few = ask("random vs random, flop monotone", Effort(exact=False, enough=lambda: True))
    assert 0 < few.deals < answer.deals


def test_a_count_that_is_given_up_is_sampled_or_refused() -> None:
    question = "AK vs random, flop monotone"
    assert not ask(question, Effort(enough=lambda: True)).exact
    with pytest.raises(TextError, match="time ran out"):
        ask(question, replace(EXACT, enough=lambda: True))


def test_what_is_counted_hand_by_hand_takes_no_condition() -> None:
    parse_question("AhKh vs QQ").check_no_condition()
    with pytest.raises(TextError, match="take no condition"):
        parse_question("AhKh vs QQ, flop monotone").check_no_condition()


def test_a_plus_sign_before_a_board_is_no_condition() -> None:
    assert parse_question("AhKh vs QQ", board="+ 9h 5h 2c").board == Cards.parse("9h 5h 2c")
    with pytest.raises(TextError, match='"or"'):
        parse_question("AhKh vs QQ", board="or better")


def test_a_condition_may_go_over_several_words_of_a_shell() -> None:
    scenario = parse_question(["AhKh vs", "QQ when board", "pairs"])
    assert scenario == parse_question("AhKh vs QQ, when board pairs")
