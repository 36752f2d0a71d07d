"""Measure how openings vary: `python -m benchmarks.openings thai --seats 4 --cards 11 12`.

For each number of cards in play, split at random among the seats, --hands hands are dealt to an
opener. A line gives the share of each character's most frequent opening. The goal is .6 or less,
since people who often play against a character meet the same numbers of cards again and again.

`--costs` compares other openings with the network's favourite. For up to six kinds of bid, it takes
the bid of that kind that the network likes best, other than the favourite. After the opening,
everyone plays like *sharp*, without notes of each other. The figure is the gain of the opening
minus the gain of the favourite; a negative figure is a cost, and -1 is as bad as losing one more
round. All openings are played on the same deals with the same random numbers.

`--varied` measures how much more often *sharp* wins a match because it varies its openings.
The openings come from matches among networks. Rounds are played to their end twice: after
the varied opening (`other_bid`), and after the opening that *sharp* would make otherwise.
With `--among careful sly wild`, these characters are the opponents, instead of *sharp*.
`--hurry 4` divides the work of each decision by four.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from engine.actions import MakeBid
from engine.odds.compiling import njit
from engine.players.arrays import Floats, Masks, RuleArrays
from engine.players.characters import CHARACTERS
from engine.players.deciding import chosen_by
from engine.players.equity import match_equity
from engine.players.forms import READING, compiled_form, reader_entry
from engine.players.kernels.cards import (
    RoundArrays,
    deal,
    end_round,
    loser_of,
    next_live,
    round_arrays,
)
from engine.players.kernels.deciding import weigh
from engine.players.kernels.features import Work, workspace
from engine.players.kernels.match import COUNTED, Readers, play_round
from engine.players.kernels.reading import MODELS
from engine.players.kernels.search import Reader, fill_worths, look_ahead
from engine.players.networks import network_of
from engine.players.networks import rows as entry_rows
from engine.players.position import Position
from engine.players.reader import new_outlook, other_bid, reading_of, table_to_play_on
from engine.players.simulation import student
from engine.ruleset import Ruleset
from engine.variants import VARIANTS, by_short

SEATS: Final = (2, 3, 4)
MOST_CARDS: Final = 20  # in play
ROUNDS: Final = 24  # deals on which a hand's openings are played on
FEW: Final = 4  # the same for `--varied`
MATCHES: Final = 1000  # matches among networks that openings come from
KINDS: Final = 6  # the most kinds of bids to compare with the favourite


def positions(rules: Ruleset, seats: int, in_play: int, hands: int) -> Iterator[Position]:
    """Yield `hands` random positions of the opener, seat 0, with `in_play` cards in play."""
    rng = np.random.default_rng([seats, in_play])
    limit = card_limit(rules, seats)
    deck = [card.number for card in rules.deck.order]
    while hands:
        dealt = rng.integers(1, limit + 1, seats)
        if dealt.sum() != in_play:
            continue
        hands -= 1
        hole = sum(1 << int(card) for card in rng.choice(deck, dealt[0], replace=False))
        cards, live = tuple(map(int, dealt)), tuple(range(seats))
        yield opener_position(rules, 0, hole, cards, live, int(rng.integers(1 << 62)))


def opener_position(
    rules: Ruleset, seat: int, hole: int, dealt: tuple[int, ...], live: tuple[int, ...], seed: int
) -> Position:
    """Return the position of `seat`, the opener, in a match without earlier rounds."""
    return Position(
        game=rules.key,
        version=rules.version,
        options=rules.options,
        number=1,
        seat=seat,
        turn=seat,
        opener=seat,
        hole=hole,
        dealt=dealt,
        live=live,
        middle_size=0,
        playing_off=False,
        bids=(),
        challengers=(),
        rounds=(),
        character="",
        seed=seed,
    )


def card_limit(rules: Ruleset, seats: int) -> int:
    """Return the most cards that a seat may hold while `seats` seats are live."""
    return int(reading_of(rules, seats).arrays.limits[seats])


def opening_key(name: str, position: Position, rules: Ruleset) -> str:
    """Return the key of the bid with which the character `name` opens."""
    action = chosen_by(CHARACTERS[name].load(), position, rules).action
    assert isinstance(action, MakeBid)
    return action.key


def card_counts(rules: Ruleset, seats: int) -> list[int]:
    """Return the numbers of cards in play to measure, from `seats` to at most `MOST_CARDS`."""
    return list(range(seats, min(MOST_CARDS, seats * card_limit(rules, seats)) + 1))


def rows(
    rules: Ruleset,
    seats: int,
    hands: int,
    cards: list[int] | None = None,
    names: list[str] | None = None,
) -> Iterator[str]:
    """Yield a line per number of cards in play: each character's most frequent opening."""
    for in_play in cards or card_counts(rules, seats):
        dealt = list(positions(rules, seats, in_play, hands))
        shares = []
        for name in names or CHARACTERS:
            counted = Counter(opening_key(name, position, rules) for position in dealt)
            key, times = counted.most_common(1)[0]
            shares.append(f"{name} {times / hands:.2f} {key}")
        yield f"{seats} seats, {in_play} cards: {', '.join(shares)}"


def cost_rows(
    rules: Ruleset, seats: int, hands: int, cards: list[int] | None = None
) -> Iterator[str]:
    """Yield a line per number of cards in play: mean gains by kind of bid, with 95 % intervals."""
    for in_play in cards or card_counts(rules, seats):
        gains: dict[str, list[float]] = defaultdict(list)
        for position in positions(rules, seats, in_play, hands):
            for kind, gain in opening_gains(rules, position).items():
                gains[kind].append(gain)
        texts = []
        for kind, each in gains.items():
            if len(each) > 1:
                half = student(len(each) - 1) * np.std(each, ddof=1) / len(each) ** 0.5
                texts.append(f"{kind} {np.mean(each):+.3f} ± {half:.3f} ({len(each)} hands)")
        yield f"{seats} seats, {in_play} cards: {', '.join(texts)}"


def opening_gains(rules: Ruleset, position: Position) -> dict[str, float]:
    """Return, by kind of bid, how much better an opening of that kind does than the favourite.

    The favourite is the opening that the network likes best. Each kind's opening is the one
    that the network likes best among the other bids. At most `KINDS` kinds are tried. A gain of
    1 is worth as much as not losing one round.
    """
    seats, me = len(position.dealt), position.seat
    reading = reading_of(rules, seats)
    g, work = reading.arrays, workspace(reading.arrays.rung.size)
    table = table_to_play_on(position, rules)
    bids, _ = weigh(g, work, reading.models.players[0], reading.models.nets[0], table, me)
    by_score = [int(work.places[at]) for at in np.argsort(-work.scores[:bids], kind="stable")]
    actions = {"favourite": by_score[0]}
    for place in by_score[1:]:
        if len(actions) <= KINDS:
            actions.setdefault(rules.ladder.at(place).key.split(":")[0], place)
    worths = np.zeros(seats + 1)
    fill_worths(g, reading.reader, table, me, worths)
    openings = list(actions.values())
    gained = worths[play_out(rules, position, openings, ROUNDS, [READING], reading.reader)]
    means = (gained - gained[:, :1]).mean(axis=0)
    return {kind: float(means[at]) for at, kind in enumerate(actions) if at}


def play_out(
    rules: Ruleset,
    position: Position,
    actions: list[int],
    rounds: int,
    others: list[str],
    reader: Reader,
) -> Any:
    """Play on after each opening in `actions`, `rounds` times; return the seats that lose.

    The result has the shape (rounds, openings). The opener plays on as the reader; the other seats'
    players are drawn from the names `others`. `reader` has the settings of all readers.
    """
    seats, me = len(position.dealt), position.seat
    reading = reading_of(rules, seats)
    g, work = reading.arrays, workspace(reading.arrays.rung.size)
    table = table_to_play_on(position, rules)
    readers = Readers(
        *(reading.models, reader, round_arrays(seats, g.rung.size)),
        *(np.zeros((seats, MODELS)), reading.hands(seats), new_outlook()),
    )
    rng = np.random.default_rng(position.chance)
    met = rng.permutation((others * seats)[: max(seats - 1, len(others))])[: seats - 1]
    entries = [compiled_form(str(name), rules) for name in met]
    entries.insert(me, reader_entry(rules))
    players, nets = entry_rows([entry for entry in entries if entry is not None])
    unseen = [card.number for card in rules.deck.order if not position.hole >> card.number & 1]
    losers = np.zeros((rounds, len(actions)), np.int64)
    for number in range(rounds):
        dealt, luck = rng.permutation(unseen), rng.integers(1 << 63, dtype=np.uint64)
        for column, place in enumerate(actions):
            at = 0
            for seat in range(seats):
                if seat != me:
                    held = dealt[at : at + position.dealt[seat]]
                    table.hands[seat] = sum(1 << int(card) for card in held)
                    at += len(held)
            table.bids[0], table.by[0] = place, me
            table.state[:2] = next_live(table.live, me), 1
            challenger, held = play_on(
                *(g, work, players, nets, readers, table, np.array([luck], np.uint64)),
                np.zeros((seats, COUNTED)),
            )
            losers[number, column] = loser_of(table, challenger, held)
    return losers


def match_openings(rules: Ruleset, seats: int) -> list[Position]:
    """Return the openers' positions in `MATCHES` matches of networks."""
    reading = reading_of(rules, seats)
    g, work = reading.arrays, workspace(reading.arrays.rung.size)
    players, nets = entry_rows([network_of(rules.key)] * seats)
    rng, table = np.random.default_rng(seats), round_arrays(seats, g.rung.size)
    opened: list[Position] = []
    for _ in range(MATCHES):
        table.cards[:], table.live[:] = g.starting[seats], True
        table.state[:] = rng.integers(seats), 0, 0, 0
        while table.live.sum() > 1:
            luck = rng.integers(1 << 63, size=1, dtype=np.uint64)
            deal(g, table, g.deck.copy(), luck, g.middle)
            live = tuple(map(int, np.flatnonzero(table.live)))
            seat, dealt = int(table.state[0]), tuple(map(int, table.cards))
            hole, seed = int(table.hands[seat]), int(rng.integers(1 << 62))
            opened.append(opener_position(rules, seat, hole, dealt, live, seed))
            stats = np.zeros((seats, COUNTED))
            challenger, held = play_on(g, work, players, nets, None, table, luck, stats)
            end_round(g, table, challenger, held)
    return opened


def varied_row(rules: Ruleset, seats: int, hands: int, others: list[str], hurry: int) -> str:
    """Return a line about the gain of a seat that varies its openings, in chance to win a match.

    The gain has a 95 % interval, from `hands` openings that may be varied. Decisions take the
    usual work divided by `hurry`.
    """
    opened = [at for at in match_openings(rules, seats) if other_bid(at, rules) is not None]
    count = len(opened) / MATCHES / seats
    chosen = np.random.default_rng(1).permutation(len(opened))[:hands]
    gains = [varied_gain(rules, opened[int(number)], others, hurry) for number in chosen]
    if len(gains) < 2:
        return f"{seats} seats: openings don't vary"
    half = student(len(gains) - 1) * np.std(gains, ddof=1) / len(gains) ** 0.5
    return f"{seats} seats: {np.mean(gains) * count:+.4f} ± {half * count:.4f} ({len(gains)} hands)"


def varied_gain(rules: Ruleset, position: Position, others: list[str], hurry: int = 1) -> float:
    """Return how much varying this opening raises the opener's chance to win the match.

    The gain is multiplied by the chance that *sharp* varies this opening. Decisions take the usual
    work divided by `hurry`.
    """
    seats, me = len(position.dealt), position.seat
    reading, varied = reading_of(rules, seats), other_bid(position, rules)
    assert varied is not None
    chance = float(reading.reader.varied[len(position.live), position.in_play])
    equity, cards = match_equity(rules, seats), [position.dealt[seat] for seat in position.live]
    wins = np.zeros(seats)
    for place, seat in enumerate(position.live):
        wins[seat] = equity.after_loss(cards, place)[position.live.index(me)]
    reader = reading.reader
    reader = reader._replace(looks=reader.looks // hurry, deals=reader.deals // hurry)
    never = np.zeros_like(reader.varied)
    usual = look_ahead(
        *(reading.arrays, workspace(reading.arrays.rung.size), reading.models),
        *(reader._replace(varied=never), table_to_play_on(position, rules), me),
        *(np.zeros((seats, MODELS)), reading.hands(seats)),
        *(np.array([position.chance], np.uint64), new_outlook()),
    )
    gained = wins[play_out(rules, position, [int(usual), varied], FEW, others, reader)]
    return chance * float((gained[:, 1] - gained[:, 0]).mean())


@njit(nogil=True)
def play_on(
    g: RuleArrays,
    w: Work,
    players: Any,
    nets: Floats,
    readers: Any,
    t: RoundArrays,
    rng: Masks,
    stats: Any,
) -> Any:
    """Play the rest of the round; return the challenger, and whether the standing bid was true."""
    return play_round(g, w, players, nets, readers, t, np.uint64(0), rng, stats)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="short name, such as thai")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--cards", type=int, nargs="*", help="in play; all of them if left out")
    parser.add_argument("--hands", type=int, default=100)
    parser.add_argument("--player", choices=CHARACTERS, action="append", help="this one alone")
    parser.add_argument("--costs", action="store_true", help="what other openings cost")
    parser.add_argument("--varied", action="store_true", help="what sharp gains by varying them")
    among = ("careful", "sly", "wild", READING)
    parser.add_argument("--hurry", type=int, default=1, help="divide the work by this: 1 to 8")
    parser.add_argument("--among", choices=among, nargs="+", default=[READING])
    options = parser.parse_args()
    if options.game not in {variant.short for variant in VARIANTS.values()}:
        parser.error(f"there is no game {options.game}; an example is thai")
    rules = by_short(options.game).ruleset()
    if options.hands < 2 or not 2 <= options.seats <= rules.most_players:
        parser.error(f"hands are 2 or more, seats 2 to {rules.most_players}")
    if not 1 <= options.hurry <= 8:
        parser.error("--hurry is 1 to 8")
    seats, hands, cards = options.seats, options.hands, options.cards
    if options.varied:
        print(varied_row(rules, seats, hands, options.among, options.hurry))
        return
    costs = cost_rows(rules, seats, hands, cards)
    for line in costs if options.costs else rows(rules, seats, hands, cards, options.player):
        print(line, flush=True)


if __name__ == "__main__":
    main()
