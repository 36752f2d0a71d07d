"""A slow, readable oracle for a season's records, computed from stored logs without the bot's code.

A match is a dictionary of what the database has: `id`, `season`, `game`, `options`, `players`,
`opener`, and `log`, a list of pairs: the action as stored JSON, and whether the bot made it for an
absent player. The referee is that of `tests.naive`. Chances are counted by the cards drawn from
each class, ratings follow Weng and Lin's paper (JMLR 12, 2011, algorithm 4).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from tests.naive import JOKER, RANKS, RULES, SUITS, Referee, holds

StoredMatch = dict[str, Any]
MU, SIGMA, BETA, TAU, KAPPA = 25.0, 25 / 3, 25 / 6, 25 / 300, 0.0001


def card_text(number: int) -> str:
    """Return a card's text. Numbers run from the deuce up in each suit, then come the jokers."""
    return JOKER if number >= 52 else RANKS[number % 13] + SUITS[number // 13]


# -- chances ---------------------------------------------------------------------------------------


def classes_of(key: str, ranks: str, flush_card: str) -> list[tuple[frozenset[str], int]]:
    """Return what a bid needs: (set of cards, number of them) for each class."""
    kind, _, named = key.partition(":")

    def of_rank(rank: str) -> frozenset[str]:
        return frozenset(rank + suit for suit in SUITS)

    count = {"high_card": 1, "pair": 2, "three": 3, "four": 4, "five": 5}.get(kind)
    if count:
        return [(of_rank(named), count)]
    if kind in ("two_pair", "full_house"):
        first, second = named.split(",")
        return [(of_rank(first), 3 if kind == "full_house" else 2), (of_rank(second), 2)]
    if kind == "straight":
        return [(of_rank(rank), 1) for rank in _run(named)]
    if kind == "straight_flush" and len(named) == 2:
        return [(frozenset({rank + named[1]}), 1) for rank in _run(named[0])]
    if kind == "straight_flush":  # of the nine or of the ace, in Thai Poker
        ends = (frozenset({"9" + named, "A" + named}), 1)
        return [*((frozenset({rank + named}), 1) for rank in "TJQK"), ends]
    if kind == "royal_flush":
        return [(frozenset({rank + named}), 1) for rank in "TJQKA"]
    assert kind == "flush"
    if len(named) == 1:
        return [(frozenset(rank + named for rank in ranks), 5)]
    top = RANKS.index(named[0])
    others = RANKS[:top] if flush_card == "highest" else RANKS.replace(named[0], "")
    return [(frozenset({named}), 1), (frozenset(rank + named[1] for rank in others), 4)]


def _run(top: str) -> str:
    at = ("A" + RANKS).index(top, 1)
    return ("A" + RANKS)[at - 4 : at + 1]


def chance(
    key: str, hole: list[str], in_play: int, deck: list[str], flush_card: str = "in_play"
) -> Fraction:
    """Return the chance that a bid holds for a player with the cards `hole`.

    `in_play` is the number of cards that all players and the middle hand have together.
    `flush_card` is the value of the game's option with that name.
    """
    ranks = "".join(rank for rank in RANKS if rank + "c" in deck)
    known = set(hole) - {JOKER}
    naturals = set(deck) - {JOKER} - known
    own_jokers = hole.count(JOKER)
    needs: list[tuple[int, int]] = []
    for cards, count in classes_of(key, ranks, flush_card):
        needs.append((len(cards & naturals), count - len(cards & known)))
    jokers = deck.count(JOKER) - own_jokers
    return _chance_of(tuple(sorted(needs)), len(naturals), jokers, in_play - len(hole), own_jokers)


@cache
def _chance_of(
    needs: tuple[tuple[int, int], ...], naturals: int, jokers: int, draws: int, own_jokers: int
) -> Fraction:
    blanks = naturals - sum(size for size, _ in needs)
    good = 0
    for drawn in product(*(range(size + 1) for size, _ in needs)):
        ways = math.prod(
            math.comb(size, taken) for (size, _), taken in zip(needs, drawn, strict=True)
        )
        short = sum(max(0, count - taken) for (_, count), taken in zip(needs, drawn, strict=True))
        for jokers_drawn in range(jokers + 1):
            left = draws - sum(drawn) - jokers_drawn
            if left >= 0 and short <= own_jokers + jokers_drawn:
                good += ways * math.comb(jokers, jokers_drawn) * math.comb(blanks, left)
    return Fraction(good, math.comb(naturals + jokers, draws))


def trillionths(value: Fraction) -> int:
    """Return a value in trillionths, rounded to the nearest whole number, a half up."""
    return math.floor(value * 10**12 + Fraction(1, 2))


# -- ratings ---------------------------------------------------------------------------------------


def plackett_luce(
    before: list[tuple[float, float]], places: list[int]
) -> list[tuple[float, float]]:
    """Return the players' (mu, sigma) after a match, by algorithm 4 of the paper for teams of one.

    `TAU` keeps sigma from becoming too small.
    """
    mus = [mu for mu, _ in before]
    variances = [sigma**2 + TAU**2 for _, sigma in before]
    c = math.sqrt(sum(variance + BETA**2 for variance in variances))
    size = len(before)
    after = []
    for i in range(size):
        omega = delta = 0.0
        for q in range(size):
            if places[q] > places[i]:
                continue
            behind = sum(math.exp(mus[s] / c) for s in range(size) if places[s] >= places[q])
            equals = sum(places[s] == places[q] for s in range(size))
            p = math.exp(mus[i] / c) / behind
            omega += ((1 - p) if q == i else -p) / equals
            delta += p * (1 - p) / equals
        sigma = math.sqrt(variances[i])
        shrink = 1 - variances[i] / c**2 * delta * sigma / c
        after.append((mus[i] + variances[i] / c * omega, sigma * math.sqrt(max(shrink, KAPPA))))
    return after


# -- matches ---------------------------------------------------------------------------------------


def seat_lines(match: StoredMatch) -> dict[int, dict[str, Any]] | None:
    """Return the counts that a match adds to each seat's records; None if it doesn't count."""
    players = match["players"]
    if any(player < 0 for player in players):
        return None
    if any(body["kind"] == "forfeit" and body["cause"] == "dropped" for body, _ in match["log"]):
        return None
    options = match["options"]
    referee = Referee(match["game"], options, len(players), match["opener"])
    flush_card = options.get("flush_card", "in_play")
    suit_ranks = RULES[match["game"]].suit_ranks
    lines: dict[int, dict[str, Any]] = {
        seat: defaultdict(int, player=player, made=[], caught=[], beat=[])
        for seat, player in enumerate(players)
    }
    round_number, standing_by_house, deck = 0, False, []
    for body, by_house in match["log"]:
        live, cards = list(referee.live), dict(referee.cards)
        loser = None
        if body["kind"] == "deal":
            deck = [card_text(number) for number in body["order"]]
            referee.deal(deck, body["drawn"])
            round_number += 1
            for seat, hand in referee.hands.items():
                lines[seat]["rounds"] += bool(hand)
        elif body["kind"] == "bid":
            seat, key = body["seat"], body["bid"]
            referee.bid(seat, key)
            standing_by_house = by_house
            if not by_house:
                pool, hole = referee.pool(), referee.hands[seat]
                odds = trillionths(chance(key, hole, len(pool), deck, flush_card))
                holds_true = holds(key, pool, flush_card, suit_ranks)
                lines[seat]["made"].append((odds, holds_true, round_number, key))
        elif body["kind"] == "challenge":
            seat = body["seat"]
            caller, key = referee.bids[-1]
            pool = referee.pool()
            holds_true = holds(key, pool, flush_card, suit_ranks)
            loser = seat if holds_true else caller
            lines[loser]["lost"] += loser in live
            if not standing_by_house:
                lines[caller]["doubted"] += 1
                lines[caller]["doubted_held"] += holds_true
            if not by_house:
                lines[seat]["challenges"] += 1
                lines[seat]["challenges_right"] += not holds_true
                if not holds_true:
                    hole = referee.hands[seat]
                    odds = trillionths(chance(key, hole, len(pool), deck, flush_card))
                    lines[seat]["caught"].append((odds, round_number, key))
            if not by_house and not standing_by_house:
                winner = caller if holds_true else seat
                lines[winner]["beat"].append(loser)
            referee.challenge(seat)
        else:
            referee.forfeit(body["seat"])
        gone = [seat for seat in live if seat not in referee.live]
        for seat in gone:
            better = [
                seat_gone
                for seat_gone in gone
                if (seat_gone == loser, cards[seat_gone]) < (seat == loser, cards[seat])
            ]
            lines[seat]["place"] = len(referee.live) + len(better) + 1
    if referee.winner is None:
        return None
    lines[referee.winner]["place"] = 1
    return lines


def season(matches: Iterable[StoredMatch]) -> dict[str, dict[Any, dict[str, Any]]]:
    """Return the records of all matches that count, as {"people": ..., "pairs": ...}.

    People are by (season, game, player), pairs by (season, game, player, other); season 0 is all
    seasons, game "" all games.
    """
    people: dict[Any, dict[str, Any]] = {}
    pairs: dict[Any, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for match in matches:
        lines = seat_lines(match)
        if lines is None:
            continue
        places = [lines[seat]["place"] for seat in sorted(lines)]
        for scope in product((match["season"], 0), (match["game"], "")):
            rows = [
                people.setdefault(
                    (*scope, lines[seat]["player"]),
                    defaultdict(int, mu=MU, sigma=SIGMA, expected=Fraction(0)),
                )
                for seat in sorted(lines)
            ]
            ratings = plackett_luce([(row["mu"], row["sigma"]) for row in rows], places)
            for seat, (row, (mu, sigma)) in enumerate(zip(rows, ratings, strict=True)):
                _add(row, lines[seat], match["id"], len(lines))
                row["mu"], row["sigma"] = mu, sigma
            for seat, line in lines.items():
                for rival, beside in lines.items():
                    if seat == rival:
                        continue
                    pair = pairs[(*scope, line["player"], beside["player"])]
                    pair["matches"] += 1
                    pair["ahead"] += line["place"] < beside["place"]
                    pair["behind"] += line["place"] > beside["place"]
                    pair["won"] += line["beat"].count(rival)
                    pair["lost"] += beside["beat"].count(seat)
    return {"people": people, "pairs": dict(pairs)}


def _add(row: dict[str, Any], line: dict[str, Any], match_id: int, size: int) -> None:
    won = line["place"] == 1
    row["matches"] += 1
    row["wins"] += won
    row["expected"] += Fraction(1, size)
    row["streak"] = row["streak"] + 1 if won else 0
    row["longest"] = max(row["longest"], row["streak"])
    names = "rounds lost doubted doubted_held challenges challenges_right"
    for name in names.split():
        row[name] += line[name]
    row["calls"] += len(line["made"])
    row["chances"] += sum(odds for odds, *_ in line["made"])
    row["held"] += sum(held for _, held, *_ in line["made"])
    for odds, held, number, key in line["made"]:
        known = row.get("boldest")
        if held and (known is None or odds < known[3]):
            row["boldest"] = (match_id, number, key, odds)
    for odds, number, key in line["caught"]:
        known = row.get("catch")
        if known is None or odds > known[3]:
            row["catch"] = (match_id, number, key, odds)
