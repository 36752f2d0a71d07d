"""Two boards, side pots and tournaments: counts against the oracle, samples, texts, refusals."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from engine.cards import Card, Cards
from engine.errors import TextError, UnclearText
from engine.odds import (
    Effort,
    Showdown,
    Stakes,
    parse_question,
    showdown_odds,
    tournament_values,
)
from engine.odds.showdown.counting import cheapest
from engine.odds.showdown.games import PRESETS, ShowdownRules
from engine.odds.showdown.pots import split_pots, values_after
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.scenario import Scenario
from engine.odds.showdown.stake_words import split_chips
from tests import naive_joint
from tests.naive_showdown import naive

EXACT = Effort(exact=True, longest=1000)
OFF_GAMES = {
    "holdem": ("high", 2, 5),
    "shortdeck": ("shortdeck", 2, 5),
    "omaha": ("high", 2, 3),
}


def ask(question: str, effort: Effort = EXACT) -> Showdown:
    return showdown_odds(parse_question(question), effort)


def chips(*amounts: int) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, amounts))


def pairs(cards: Cards) -> tuple[tuple[int, int], ...]:
    return tuple(pair for card in cards if (pair := naive(card)) is not None)


def small_deal(
    random: Random, game: str, players: int, alive: int, board: int
) -> tuple[list[list[Cards]], list[Card], list[Card]]:
    """Return each player's possible hands, `board` board cards, and all cards that are not dead.

    `alive`: how many cards are not dead, including hands and board. Many have equal ranks.
    """
    rules = PRESETS[game]
    pack = sorted(rules.deck, key=lambda card: random.random() + (card.rank.char in "789T") / 2)
    some = pack[-alive:]
    random.shuffle(some)
    size = rules.private
    holders = [[Cards.of(some[seat * size : (seat + 1) * size])] for seat in range(players)]
    if random.random() < 0.5:
        holders[-1].append(Cards.of(some[size * players - 1 : size * (players + 1) - 1]))
    stub = some[size * (players + 1) - 1 :]
    return holders, stub[:board], some


def scenario_of(
    holders: list[list[Cards]], game: str, board: list[Card], some: list[Card]
) -> Scenario:
    rules = PRESETS[game]
    players = tuple(
        held[0] if len(held) == 1 else Range.parse(f"({', '.join(map(_hand_text, held))})", rules)
        for held in holders
    )
    dead = rules.deck - Cards.of(some)
    return Scenario(rules, players, Cards.of(board), dead, tuple(board))


def _hand_text(hand: Cards) -> str:
    return str(hand).replace(" ", "")


# -- two boards -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", OFF_GAMES)
@pytest.mark.parametrize("kind", ["twice", "apart", "uneven"])
def test_scoops_and_splits_of_two_boards_are_those_of_every_deal(game: str, kind: str) -> None:
    random = Random(f"{game} {kind}")
    for _ in range(4):
        players = random.choice((2, 2, 3)) if game != "omaha" else 2
        dealt_out = {"twice": random.choice((3, 4)), "apart": 6, "uneven": 7}[kind]
        private = PRESETS[game].private
        alive = private * (players + 1) - 1 + dealt_out + random.choice((4, 5))
        holders, shared, some = small_deal(random, game, players, alive, dealt_out)
        first, second = (shared, shared) if kind == "twice" else (shared[:3], shared[3:])
        plain = scenario_of(holders, game, first, some)
        answer = showdown_odds(replace(plain, second=Cards.of(second)), EXACT)
        pack = list(pairs(Cards.of(some) - Cards.of(shared)))
        deals, results = naive_joint.two_boards(
            [[pairs(hand) for hand in held] for held in holders],
            (pairs(Cards.of(first)), pairs(Cards.of(second))),
            pack,
            OFF_GAMES[game],
        )
        assert answer.exact
        assert answer.deals == deals
        for player, (scoops, splits, losses, shares) in zip(answer.players, results, strict=True):
            assert chips(player.win, player.tie, player.lose) == (scoops, splits, losses)
            assert player.value == shares / deals


def test_a_whole_pack_is_run_twice_in_moments_and_a_share_stays_the_same() -> None:
    once, twice = ask("AhKh vs QsQd"), ask("AhKh vs QsQd, run it twice")
    assert twice.deals == 1_712_304 * 962_598
    assert [player.value for player in twice.players] == [player.value for player in once.players]
    first, second = twice.players
    assert first.win == second.lose > 0
    assert first.tie == second.tie
    assert first.win < once.players[0].win * 962_598
    assert first.halves is not None
    assert first.halves.high == first.halves.low
    assert first.ranks == {}


def test_ranges_on_two_flops_are_counted_and_a_sample_agrees() -> None:
    question = "QQ+, AKs vs 99, AdKd, boards 9c8d7s | 2h3h4d"
    exact = ask(question, Effort())
    sample = ask(question, Effort(deals=60_000, seed=2))
    assert exact.exact
    assert not sample.exact
    for counted, sampled in zip(exact.players, sample.players, strict=True):
        assert sampled.win / sample.deals == pytest.approx(counted.win / exact.deals, abs=0.01)
        assert sampled.tie / sample.deals == pytest.approx(counted.tie / exact.deals, abs=0.01)
        assert float(sampled.value) == pytest.approx(float(counted.value), abs=0.01)


def test_what_takes_too_long_is_sampled_or_refused() -> None:
    plain = parse_question("AhKh vs random vs random, run it twice")
    plan = cheapest(plain)
    assert plan is not None
    assert plan.seconds > 1000
    assert not showdown_odds(plain, Effort(deals=1000)).exact
    with pytest.raises(TextError, match="too many deals to count exactly"):
        showdown_odds(plain, EXACT)
    large = parse_question(
        "AhKh vs QsQd vs JsJd vs 2c2d vs 3c3d vs 4c4d vs 5c5d vs 6c6d, run it twice"
    )
    assert cheapest(large) is None  # too many sets of cards for the memory


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("AhKh vs QQ, boards 9c8d7s | 2h3h4d", "9c 8d 7s", "2h 3h 4d"),
        ("AhKh vs QQ, boards: 9c 8d 7s and 2h 3h 4d", "9c 8d 7s", "2h 3h 4d"),
        ("AhKh vs QQ boards 9c,8d,7s,2c, 2h,3h,4d,5s", "9c 8d 7s 2c", "2h 3h 4d 5s"),
        ("AhKh vs QQ, board 9♣8♦7♠ | 2♥3♥4♦5♠", "9c 8d 7s", "2h 3h 4d 5s"),
        ("AhKh vs QQ, board 1 9c8d7s, board 2: 2h3h4d", "9c 8d 7s", "2h 3h 4d"),
        ("double board: AhKh vs QQ, boards 9c8d7s | 2h3h4d", "9c 8d 7s", "2h 3h 4d"),
        ("boards 9c8d7s | 2h3h4d, AhKh vs QQ", "9c 8d 7s", "2h 3h 4d"),
        ("boards 9c8d7s, 2h3h4d, Ah Kh vs QQ", "9c 8d 7s", "2h 3h 4d"),
        ("AhKh vs QQ, boards 9c8d7s, 2c | 2h3h4d, 5s", "9c 8d 7s 2c", "2h 3h 4d 5s"),
        ("AhKh vs QQ, boards 9c8d7s2h | 9c8d7s3h", "9c 8d 7s 2h", "9c 8d 7s 3h"),
        ("AhKh vs QQ on 9c 8d 7s, run it twice", "9c 8d 7s", "9c 8d 7s"),
        ("AhKh vs QQ, board 9c 8d 7s, they run it 2x", "9c 8d 7s", "9c 8d 7s"),
        ("AhKh vs QQ, RIT", "", ""),
        ("AhKh vs QQ, two boards", "", ""),
        ("AhKh vs QQ, double board 9c8d7s 2h3h4d", "9c 8d 7s", "2h 3h 4d"),
        ("AhKh vs QQ, flop 9c8d7s, run the turn and river twice", "9c 8d 7s", "9c 8d 7s"),
    ],
)
def test_two_boards_are_read_in_many_words(question: str, first: str, second: str) -> None:
    scenario = parse_question(question)
    assert (scenario.board, scenario.second) == (Cards.parse(first), Cards.parse(second))
    assert len(scenario.players) == 2
    texts = parse_question(["AhKh", "QQ", "run it twice"], board="9c 8d 7s")
    assert texts.second == Cards.parse("9c 8d 7s")


@pytest.mark.parametrize(
    "question",
    [
        "AhKh vs QQ, board 9c 8d 7s | 2h | 3c",
        "omaha AhKhQdJd vs QsQc5h5d, board 9c 8d 7s",
        "how many times does AA beat KK",
        "JTs, flop two pair+",
        "AA vs KK, when hero flops top pair+",
    ],
)
def test_one_board_stays_one(question: str) -> None:
    assert parse_question(question).second is None


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("AhKh vs QQ, run it three times", 'a board can be run once or twice, not "three times"'),
        ("AhKh vs QQ, boards 9c8d7s | 9c3h4d", "9c is on both boards"),
        ("AhKh vs QQ, boards 9c8d7s | 2h3h", "two boards take at least a flop each"),
        ("AsKsQsJsTs vs random, run it twice", "no board that could be run twice"),
        ("AhKh vs QQ, run it twice, when board pairs", "a condition doesn't go with two boards"),
        ("omaha8 AsAh2s3h vs KdKcQd7c, run it twice", "only in games without a low half"),
        ("AA(50) vs KK(100), run it twice", "pots can't be counted on two boards"),
        ("shortdeck AsKs vs 17 random, run it twice", "the board and the dead cards take"),
        ("AhKh vs QQ, boards 9c8d7s | 2h3h4dAh", "Ah is given twice"),
    ],
)
def test_impossible_boards_are_refused_with_an_example(question: str, reason: str) -> None:
    with pytest.raises(TextError) as refused:
        parse_question(question)
    assert reason in str(refused.value)
    assert "Example: " in str(refused.value)


def test_an_unclear_hand_is_asked_about_with_both_boards() -> None:
    with pytest.raises(UnclearText) as unclear:
        parse_question("54s+ vs QQ, boards 9c8d7s | 2h3h4d")
    assert all(parse_question(choice).second for choice in unclear.value.choices)


def test_closer_looks_are_refused_for_two_boards() -> None:
    from engine.odds import equity_curve, hand_grid, hits, next_cards, streets
    from engine.odds.showdown.next_card import has_next_card

    scenario = parse_question("AhKh vs QQ+, board 9c 8d 7s, run it twice")
    assert not has_next_card(scenario)
    for look in (equity_curve, hand_grid, next_cards, streets, lambda of: hits(of, 1)):
        with pytest.raises(TextError, match="one board, not two"):
            look(scenario)


def test_wild_cards_and_lowball_run_twice_too() -> None:
    wild = ask("AsAh vs KsKh, deuces wild, board 9c 8d 7s, run it twice")
    once = ask("AsAh vs KsKh, deuces wild, board 9c 8d 7s")
    assert [player.value for player in wild.players] == [player.value for player in once.players]


def test_wild_cards_against_a_range_are_those_of_its_hands() -> None:
    question = "deuces wild, AhKd vs {}, board 9h 5h 7c 8s, run it twice"
    hands = [f"Q{first}Q{second}" for first, second in ("cd", "ch", "cs", "dh", "ds", "hs")]
    parts = [ask(question.format(hand)) for hand in hands]
    whole = ask(question.format("QQ"))
    assert whole.exact
    assert whole.deals == sum(part.deals for part in parts)
    values = [sum(part.players[seat].value for part in parts) / 6 for seat in (0, 1)]
    assert [player.value for player in whole.players] == pytest.approx(values)


def test_weights_too_large_to_add_up_are_sampled() -> None:
    ranges = ("QQ@99, KK", "JJ@99, TT", "99@99, 88", "77@99, 66", "AA@99, 55")
    heavy = parse_question(f"{' vs '.join(ranges)}, board 2c3d4h, run it twice")
    assert cheapest(heavy) is None
    assert not showdown_odds(heavy, Effort(deals=1000)).exact


def test_a_second_board_of_too_many_cards_is_refused() -> None:
    scenario = parse_question("AhKh vs QQ, boards 9c8d7s | 2h3h4d")
    with pytest.raises(TextError, match="you gave 6 board cards, but Hold'em has 5"):
        replace(scenario, second=Cards.parse("2h3h4d5c6c7c"))


# -- pots -----------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("game", OFF_GAMES)
def test_chips_and_values_are_those_of_every_deal(game: str) -> None:
    random = Random(game)
    for _ in range(5):
        players = 3 if game != "omaha" else 2
        private = PRESETS[game].private
        alive = private * (players + 1) - 1 + 3 + 7
        holders, board, some = small_deal(random, game, players, alive, 3)
        bets = tuple(Fraction(random.choice((20, 50, 50, 100, 125))) for _ in range(players))
        others = tuple(Fraction(random.choice((30, 75))) for _ in range(random.choice((0, 1, 2))))
        stacks = (*(bet + random.choice((0, 0, 40)) for bet in bets), *others)
        pays = tuple(map(Fraction, (50, 30, 20)[: random.choice((1, 2, len(stacks)))]))
        dead_money = Fraction(random.choice((0, 15)))
        stakes = Stakes(bets, dead_money, stacks, pays)
        scenario = replace(scenario_of(holders, game, board, some), stakes=stakes)
        answer = showdown_odds(scenario, EXACT)
        expected, values = naive_joint.pots(
            [[pairs(hand) for hand in held] for held in holders],
            pairs(Cards.of(board)),
            pairs(Cards.of(some) - Cards.of(board)),
            bets, dead_money, stacks, pays, OFF_GAMES[game],
        )  # fmt: skip
        assert answer.pots is not None
        assert answer.exact
        assert list(answer.pots.chips) == expected
        assert list(answer.pots.after) == values
        assert sum(answer.pots.chips) == sum(bets) + dead_money
        plain = showdown_odds(replace(scenario, stakes=None), EXACT)
        assert [(p.win, p.tie, p.value) for p in answer.players] == [
            (p.win, p.tie, p.value) for p in plain.players
        ]


def test_equal_bets_are_worth_the_pot_share() -> None:
    answer, plain = ask("AA(50) vs KK(50)"), ask("AA vs KK")
    assert answer.pots is not None
    assert [100 * player.value for player in plain.players] == list(answer.pots.chips)
    assert answer.pots.refund is None
    assert answer.pots.errors is None


def test_pots_of_a_game_with_wild_cards_are_worth_the_pot_share() -> None:
    wild, plain = (
        ask(f"deuces wild, AhKd{bet} vs QsQd{bet}, board 9h 5h 7c") for bet in ("(50)", "")
    )
    assert wild.exact
    assert wild.pots is not None
    assert [100 * player.value for player in plain.players] == list(wild.pots.chips)


def test_a_bet_that_nobody_matches_goes_back() -> None:
    pots, refund = split_pots(Stakes((Fraction(50), Fraction(120), Fraction(100))))
    assert [(int(pot.chips), pot.seats) for pot in pots] == [(150, (0, 1, 2)), (100, (1, 2))]
    assert refund == (1, Fraction(20))
    answer = ask("AA(50) vs KK(120) vs QQ(100)")
    assert answer.pots is not None
    assert sum(answer.pots.chips) == 270
    shares = answer.pots.pots[1].shares
    assert shares[0] == 0
    assert sum(shares) == 1


@pytest.mark.parametrize(
    "question", ["AA(50) vs KK(100) vs 3 random", "AhAd(50) vs QQ+(90) vs 22+(90)"]
)
def test_a_sample_of_pots_agrees_with_its_error(question: str) -> None:
    bets = {"AA(50) vs KK(100) vs 3 random": "AA vs KK vs 3 random, bets 50 100 60 60 70"}
    effort = Effort(deals=40_000, seed=3)
    first, second = (
        ask(bets.get(question, question), replace(effort, seed=seed)) for seed in (3, 4)
    )
    assert first.pots is not None
    assert second.pots is not None
    assert first.pots.errors is not None
    assert not first.exact
    for mine, theirs, error in zip(
        first.pots.chips, second.pots.chips, first.pots.errors, strict=True
    ):
        assert 0 < error < 2
        assert abs(float(mine - theirs)) < 6 * error


def test_weighted_samples_count_orders_by_weight() -> None:
    ranges = "AA, KK, QQ"
    tight = " vs ".join(f"{ranges}({bet})" for bet in (10, 20, 30, 30, 40, 40))
    answer = ask(tight, Effort(deals=20_000))
    assert answer.pots is not None
    assert float(sum(answer.pots.chips)) == pytest.approx(170)


@pytest.mark.parametrize(
    ("stacks", "pays"),
    [((5, 3, 2), (50, 30, 20)), ((1, 1), (1,)), ((7, 1, 4, 4, 9), (10, 6, 3)), ((4,), (9, 1))],
)
def test_stacks_are_worth_what_every_finishing_order_says(
    stacks: tuple[int, ...], pays: tuple[int, ...]
) -> None:
    exact = tuple(map(Fraction, stacks)), tuple(map(Fraction, pays))
    assert list(tournament_values(*exact)) == naive_joint.worth(*exact)


def test_who_had_more_chips_finishes_higher_when_two_go_out() -> None:
    before = tuple(map(Fraction, (100, 40, 60, 60)))
    after = tuple(map(Fraction, (260, 0, 0, 0)))
    pays = tuple(map(Fraction, (50, 30, 20)))
    assert values_after(before, after, pays) == chips(50, 0, 25, 25)


@pytest.mark.parametrize(
    ("question", "bets", "changes"),
    [
        ("AA(50) vs KK(100) vs QQ(100)", (50, 100, 100), {}),
        ("Ann: AA (1.5k) vs Bob: KK (2000 chips)", (1500, 2000), {}),
        ("AhKh(20bb) vs QQ+, AKs(20bb), board 9c 8d 7s", (20, 20), {}),
        ("AA vs KK, bets 50 100", (50, 100), {}),
        ("AA(50) vs KK(50), dead money 15", (50, 50), {"dead_money": 15}),
        (
            "AA vs KK, stacks 50, 120, 230, pays 50/30/20",
            (50, 120),
            {"stacks": (50, 120, 230), "pays": (50, 30, 20)},
        ),
        (
            "stacks: 500 1000, payouts: 60%, 40%. AA vs KK",
            (500, 1000),
            {"stacks": (500, 1000), "pays": (60, 40)},
        ),
    ],
)
def test_chips_are_read_in_many_words(
    question: str, bets: tuple[int, ...], changes: dict[str, object]
) -> None:
    scenario = parse_question(question)
    assert scenario.stakes == replace(Stakes(tuple(map(Fraction, bets))), **changes)  # type: ignore[arg-type]
    assert len(scenario.players) == len(bets)


def test_chips_of_separate_texts_belong_to_their_players() -> None:
    scenario = parse_question(["AA(50)", "KK(100)", "stacks 50 100, pays 10"])
    assert scenario.stakes == Stakes(
        (Fraction(50), Fraction(100)), Fraction(0), (Fraction(50), Fraction(100)), (Fraction(10),)
    )


def test_an_unclear_hand_is_asked_about_with_the_chips() -> None:
    with pytest.raises(UnclearText) as unclear:
        parse_question("54s+(50) vs QQ(100), stacks 50 100, pays 10")
    for choice in unclear.value.choices:
        stakes = parse_question(choice).stakes
        assert stakes is not None
        assert stakes.bets == chips(50, 100)
        assert stakes.pays == chips(10)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("AA(50) vs KK", "expected 2 amounts, one for each player in the pot, got 1"),
        ("AA(0) vs KK(50)", "has put in more than 0"),
        ("AA(50) vs KK(50), stacks 50 100", "takes both stacks and pays"),
        ("AA(50) vs KK(50), stacks 50, pays 10", "expected 2 to 10 stacks"),
        ("AA(50) vs KK(50), stacks 40 100, pays 10", "player 1 has put in 50, but has only 40"),
        ("AA(50) vs KK(50), stacks 50 100 0, pays 10", "a stack has more than 0 chips"),
        ("AA(50) vs KK(50), stacks 50 100, pays 10 20", "from the first place down"),
        ("7 players, AA vs KK, bets 1 1 1 1 1 1 1", "at most 6 players, got 7"),
        ("omaha8 AsAh2s3h(5) vs KdKcQd7c(5)", "only in games without a low half"),
        ("AA(50) vs KK(50), when board pairs", "a condition doesn't go with"),
    ],
)
def test_impossible_chips_are_refused_with_an_example(question: str, reason: str) -> None:
    with pytest.raises(TextError) as refused:
        parse_question(question)
    assert reason in str(refused.value)
    assert "Example: " in str(refused.value)


def test_words_that_may_be_chips_and_are_none_are_left_alone() -> None:
    assert split_chips(["a stack of kings"]) == (["a stack of kings"], None)


def test_a_board_of_more_than_five_cards_to_come_is_sampled() -> None:
    rules = ShowdownRules(private=2, public=6)
    scenario = parse_question(["AhKh(5)", "QsQd(5)"], rules)
    assert cheapest(scenario) is None
    assert not showdown_odds(scenario, Effort(deals=1000)).exact


def test_answers_are_plain_values_in_json() -> None:
    assert set(ask("AA(50) vs KK(50)").to_json()["pots"]) == {"pots", "chips", "standard_errors"}
    answer = ask("AA(50) vs KK(120), stacks 50 120 30, pays 50 30").to_json()
    assert answer["pots"]["returned"] == {"player": 2, "chips": 70}
    assert answer["pots"]["pots"][0]["players"] == [1, 2]
    assert len(answer["pots"]["tournament"]["after"]) == 3
    twice = ask("AhKh vs QQ, board 9c 8d 7s, run it twice").to_json()
    player = twice["players"][0]
    assert player["scoop"] == player["win"]
    assert [set(board) for board in player["boards"]] == [{"win", "tie"}] * 2


def test_an_answer_can_be_cut_short_and_then_is_a_sample() -> None:
    calls = iter([False, *[True] * 1000])
    scenario = parse_question("QQ+, AK vs 22+, A2s+, board 9c 8d 7s, run it twice")
    answer = showdown_odds(scenario, Effort(exact=None, seconds=60, enough=lambda: next(calls)))
    assert answer.deals > 0


def test_pots_with_too_many_holdings_are_sampled_and_never_counted_deal_by_deal() -> None:
    text = "AhKd(50) vs random(60) vs random(70) vs random(80), board 9c 8d 7s 2h 3c"
    question = parse_question(text)
    assert cheapest(question) is None
    answer = showdown_odds(question, Effort(deals=20_000))
    assert answer.pots is not None
    assert not answer.exact
    assert abs(float(sum(answer.pots.chips)) - 260) < 1e-6


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("AA(50), KK(100), and QQ(100)", "AA(50) vs KK(100) vs QQ(100)"),
        ("AA(1,000) vs KK($2,500.50)", "AA(1000) vs KK(2500.5)"),
        ("AA vs KK, bets 50 and 100", "AA(50) vs KK(100)"),
        (
            "AA vs KK, icm: stacks 50,100 and 230, pays 50,30,20",
            "AA(50) vs KK(100), stacks 50 100 230, pays 50 30 20",
        ),
        ("we run it twice: AA vs KK", "AA vs KK, run it twice"),
        ("boards 9c8d7s | 2h3h4d: AA vs KK", "AA vs KK, boards 9c8d7s | 2h3h4d"),
        ("AA vs KK, boards 9♣️8♦️7♠️ | 2♡3♡4♢", "AA vs KK, boards 9c8d7s | 2h3h4d"),
        ("AA vs KK, board 9c8d7s, we ran it once", "AA vs KK, board 9c8d7s"),
    ],
)
def test_chips_and_boards_are_read_however_they_are_typed(question: str, plain: str) -> None:
    assert parse_question(question) == parse_question(plain)
