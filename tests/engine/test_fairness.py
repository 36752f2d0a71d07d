"""Checks of a match's deals: sealed deals pass, and every change is detected."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import cutting, shuffle
from engine.actions import BadLog, Challenge, Deal, MakeBid, from_json, to_json
from engine.cutting import Cut, cut, cut_shuffle, round_seed
from engine.errors import BadDeal
from engine.fairness import Check, CheckedDeal, check_match, deal_again
from engine.play import apply, start
from engine.shuffle import commitment
from engine.variants import ruleset
from tests.dealing import fair_deal, seed_from

ROOT = seed_from("a root")
FAIR = Check(sealed=True, worded=True, dealt=True, chained=True)
WORDS = "purple giraffe 7"
CUTS = (cut(2, WORDS), cut(0, "seven"))
DIGEST = CUTS[0].digest


def cut_deal(match, number, cuts=CUTS, root=ROOT):
    seed = round_seed(root, number)
    digests = [cut.digest for cut in cuts]
    dealt = cut_shuffle(seed, digests, match.ruleset.deck.order, len(match.live))
    return Deal(dealt.order, commitment(seed), cutting.VERSION, dealt.drawn, cuts)


def begin(players=(1, 2, 3)):
    return start(ruleset("thai_poker"), players)


def over(match):
    """Return the actions that end the round."""
    turn = match.round.turn
    return MakeBid(turn, "high_card:9"), Challenge((turn + 1) % 3)


def log_of(*deals):
    """Return a log of rounds: each function makes a deal, and all rounds but the last are ended."""
    match, log = begin(), []
    for deal in deals:
        if match.round is not None:
            for action in over(match):
                log.append(action)
                match = apply(match, action)
        log.append(deal(match))
        match = apply(match, log[-1])
    return log


def three_rounds():
    return log_of(*(lambda match, number=number: cut_deal(match, number) for number in (1, 2, 3)))


SEEDS = {number: round_seed(ROOT, number) for number in (1, 2, 3)}


def checks_of(log, seeds=SEEDS):
    return [row.check for row in check_match(begin(), log, seeds)]


def with_deal(log, number, **changes):
    """Return the log with these fields of its deal number `number`, from 1, changed."""
    deals = [at for at, action in enumerate(log) if isinstance(action, Deal)]
    changed = [*log]
    changed[deals[number - 1]] = replace(changed[deals[number - 1]], **changes)
    return changed


def test_deals_as_they_were_sealed_are_fair_and_chained():
    log = three_rounds()
    deals = [action for action in log if isinstance(action, Deal)]
    first = replace(FAIR, chained=None)
    expected = tuple(
        CheckedDeal(number, deal, SEEDS[number], check)
        for number, deal, check in zip((1, 2, 3), deals, (first, FAIR, FAIR), strict=True)
    )
    stored = [from_json(to_json(action)) for action in log]
    assert check_match(begin(), log, SEEDS) == check_match(begin(), stored, SEEDS) == expected
    assert all(row.check is not None and row.check.fair for row in expected)


def test_a_deal_whose_seed_is_not_known_yet_is_not_checked_nor_chained_to():
    log = three_rounds()
    assert checks_of(log, {}) == [None, None, None]
    assert checks_of(log, {2: SEEDS[2]}) == [None, replace(FAIR, chained=None), None]
    assert checks_of(log, {1: SEEDS[1], 2: SEEDS[2]})[2] is None


def test_another_seed_has_not_the_seal():
    wrong = round_seed(seed_from("another root"), 2)
    first, second, third = checks_of(three_rounds(), SEEDS | {2: wrong})
    assert first.fair
    assert second == Check(sealed=False, worded=True, dealt=False, chained=True)
    assert third == replace(FAIR, chained=False)
    assert not second.fair
    assert not third.fair
    # one that was drawn later, and sealed then, breaks the chain
    better = seed_from("a better root")
    log = log_of(lambda match: cut_deal(match, 1), lambda match: cut_deal(match, 2, root=better))
    first, second = checks_of(log, {1: SEEDS[1], 2: round_seed(better, 2)})
    assert first.fair
    assert second == replace(FAIR, chained=False)


def test_cuts_that_were_left_out_changed_or_invented_are_found():
    log = three_rounds()
    for cuts in ((), CUTS[:1], CUTS[::-1], (*CUTS, cut(1, "mine"))):
        check = checks_of(with_deal(log, 1, cuts=cuts))[0]
        assert check == Check(sealed=True, worded=True, dealt=False, chained=None), cuts
    reworded = (replace(CUTS[0], text="purple giraffe 8"), CUTS[1])
    check = checks_of(with_deal(log, 1, cuts=reworded))[0]
    assert check == Check(sealed=True, worded=False, dealt=True, chained=None)
    assert not check.fair


def test_forgotten_words_and_other_names_change_nothing():
    forgotten = tuple(Cut(each.seat, each.digest, None) for each in CUTS)
    log = with_deal(three_rounds(), 1, cuts=forgotten)
    again = [from_json(to_json(action)) for action in log]
    others = start(ruleset("thai_poker"), (900, 901, 902))
    checks = [each.check for each in check_match(others, again, SEEDS)]
    assert all(check is not None and check.fair for check in checks)


def test_another_order_or_draw_is_found():
    log = three_rounds()
    deal = next(action for action in log if isinstance(action, Deal))
    last, *unused = reversed(deal.order[6:])  # cards that nobody was dealt
    swapped = (*deal.order[:6], last, *reversed(unused))
    assert checks_of(with_deal(log, 1, order=swapped))[0] == replace(
        FAIR, dealt=False, chained=None
    )
    drawn = (deal.drawn + 1) % 3
    one_round = with_deal([deal], 1, drawn=drawn)
    assert checks_of(one_round)[0] == replace(FAIR, dealt=False, chained=None)


def test_deals_of_version_1_are_checked_as_ever_and_chained_to_nothing():
    names = ("one", "two")
    log = log_of(
        *(lambda match, name=name: fair_deal(match, seed_from(name)) for name in names),
        lambda match: cut_deal(match, 3),  # the server was updated between two rounds
    )
    seeds = {1: seed_from("one"), 2: seed_from("two"), 3: SEEDS[3]}
    assert checks_of(log, seeds) == [replace(FAIR, chained=None)] * 3
    slipped_in = with_deal(log, 1, cuts=CUTS)  # words that do not count, as if they did
    assert checks_of(slipped_in, seeds)[0] == replace(FAIR, worded=False, chained=None)


def test_a_version_of_the_future_is_no_guess():
    with pytest.raises(ValueError, match="version 3; this code knows 1 and 2"):
        deal_again(3, SEEDS[1], (), ruleset("thai_poker").deck.order, 2)
    assert (shuffle.VERSION, cutting.VERSION) == (1, 2)


def test_each_seat_cuts_once_and_a_deal_without_cuts_is_stored_as_ever():
    match = begin()
    for seats in ((0, 0), (3,), (-1,)):
        with pytest.raises(BadDeal, match="each seat may cut once"):
            apply(match, cut_deal(match, 1, tuple(cut(seat, "x") for seat in seats)))
    assert "cuts" not in to_json(cut_deal(match, 1, ()))
    assert to_json(cut_deal(match, 1))["cuts"][0] == {"seat": 2, "digest": DIGEST, "text": WORDS}


CUT = {"seat": 0, "digest": DIGEST, "text": "a"}


@pytest.mark.parametrize(
    "cuts",
    [
        *(None, {}, ["a"], [{}], [{"seat": 0, "digest": DIGEST}], [CUT | {"seat": "0"}]),
        *([CUT | {"digest": digest}] for digest in (DIGEST[1:], DIGEST.upper(), None)),
        *([CUT | {"text": text}] for text in (5, "\ud800")),
    ],
)
def test_damaged_cuts_are_refused(cuts):
    stored = to_json(cut_deal(begin(), 1)) | {"cuts": cuts}
    with pytest.raises(BadLog):
        from_json(stored)
