"""Measure how strong and how fast the computer players are: `python -m benchmarks.players`.

This measures the figures of docs/computer-players.md, in named rows: `--list` prints their
names, `--row heads-up` measures one, `--quick` plays a tenth of the matches. The rows from
heads-up to other-game measure a network alone: the shipped network, or the one in
`--weights`. The other rows measure the shipped players. `Simulation` plays each deal in
several seatings. For the 95 % intervals, a deal with all its seatings is one observation.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable, Iterator
from math import sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks import decisions, estimate, openings, reader, tilts
from benchmarks.training.response import best_response
from bot.computing.warming import load_players
from engine.players.forms import NETWORK, SHARP
from engine.players.kernels.match import BIDS, BLUFFS, CHALLENGES, DECISIONS
from engine.players.networks import Entry, index, network_from, network_of
from engine.players.simulation import Interval, Simulation, student
from engine.ruleset import Ruleset
from engine.variants import VARIANTS, by_short

HERE: Final = Path(__file__).resolve().parent
PAGE: Final = HERE.parent / "docs/adding-a-game.md"
RIVALS: Final = ("truthful", "hider", "threshold", "careful")
RESPONSES: Final = 3
RESPONSE_ROUNDS: Final = 2_000_000
PARTS: Final = 40  # of the deals, for intervals of rates

Lines = Iterator[str]
Others = dict[str, Entry]


def share_text(share: Interval) -> str:
    """Return a share as text, with half the width of its interval."""
    return f"{share.share:.3f} ± {(share.high - share.low) / 2:.3f}"


def first_of(
    rules: Ruleset,
    entry: Entry,
    opponent: str,
    seats: int,
    deals: int,
    others: Others | None = None,
) -> Interval:
    """Return the share of matches that `entry` wins against `seats` - 1 seats of `opponent`.

    `opponent` is a player's name; `others` are more players, compiled, by name.
    """
    names = ["first", *[opponent] * (seats - 1)]
    simulation = Simulation(rules, names, seed=2026, others=(others or {}) | {"first": entry})
    simulation.play(deals)
    return simulation.results()[0].interval


def heads_up(game: Ruleset, network: Entry, scale: float) -> Lines:
    """Yield the network's score heads-up against each of the four simple players, and the mean."""
    shares = []
    for name in RIVALS:
        score = first_of(game, network, name, 2, round(3000 * scale))
        shares.append(score.share)
        yield f"against {name}: {share_text(score)}"
    yield f"mean: {np.mean(shares):.3f}"


def among_three(game: Ruleset, network: Entry, scale: float) -> Lines:
    """Yield how often the network wins among three copies of each simple player (fair: .250)."""
    for name in RIVALS:
        score = first_of(game, network, name, 4, round(600 * scale))
        yield f"among three {name}: {share_text(score)}"


def among_nine(game: Ruleset, network: Entry, scale: float) -> Lines:
    """Yield a line with what the network wins among nine of each simple player (fair: .100)."""
    for name in RIVALS:
        score = first_of(game, network, name, 10, round(120 * scale))
        yield f"among nine {name}: {share_text(score)}"


def response(game: Ruleset, network: Entry, scale: float) -> Lines:
    """Train networks to beat `network`, and measure what they win against it heads-up."""
    rounds = round(RESPONSE_ROUNDS * scale)
    strongest = 0.0
    for seed in range(1, RESPONSES + 1):
        answer = best_response(game, network, rounds, seed)
        score = first_of(game, answer, "met", 2, round(3000 * scale), {"met": network})
        strongest = max(strongest, score.share)
        yield f"a best response (run {seed}, {rounds:,} rounds): {share_text(score)}"
    yield f"the strongest: {strongest:.3f}"


def characters(game: Ruleset, network: Entry, scale: float) -> Lines:
    """Measure the habits of four players (careful, sly, network, wild) in all 24 seatings."""
    simulation = Simulation(game, ["careful", "sly", NETWORK, "wild"], seed=2026)
    parts = []
    for _ in range(PARTS):
        before = simulation.counted.copy()
        simulation.play(max(1, round(10 * scale)))
        parts.append(simulation.counted - before)
    counted = np.array(parts)
    for place, result in enumerate(simulation.results()):
        bluffs = rate(counted[:, place], BLUFFS, BIDS)
        challenges = rate(counted[:, place], CHALLENGES, DECISIONS)
        yield f"{result.name}: bluffs {bluffs} of its bids, challenges {challenges} of its turns"
        yield f"{result.name}: wins {share_text(result.interval)}"


def rate(counted: Any, part: int, whole: int) -> str:
    """Return the mean of the ratios `part` / `whole` as text, with half its 95 % interval.

    `counted` has a row of counts for each portion of the deals; `part` and `whole` are columns.
    """
    each = counted[:, part] / counted[:, whole]
    return f"{each.mean():.3f} ± {student(len(each) - 1) * each.std(ddof=1) / sqrt(len(each)):.3f}"


def speed(game: Ruleset, network: Entry, scale: float) -> Lines:
    """Measure heads-up matches per second of processor time, on one thread, best of five runs."""
    rates: dict[str, list[float]] = {"careful": [], NETWORK: []}
    for _ in range(5):
        for name, speeds in rates.items():
            simulation = Simulation(game, [name] * 2, seed=3, others={NETWORK: network})
            simulation.play(1)
            began = time.process_time()
            simulation.play(round(2000 * scale))
            speeds.append((simulation.matches - 1) / (time.process_time() - began))
    for name, speeds in rates.items():
        yield f"{name}: {max(speeds):,.0f} matches a second"


def other_game(game: Ruleset, network: Entry, scale: float) -> Lines:
    """Measure `network` in the game of docs/adding-a-game.md, which has no network of its own.

    `scale` multiplies the number of deals.
    """
    block = re.search(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    if block is None:
        raise ValueError(f"{PAGE} shows no game")
    module: dict[str, Any] = {}
    exec(compile(block[1], str(PAGE), "exec"), module)
    variant = module["VARIANT"]
    shipped = "the fallback" if index()["fallback"] == game.key else "not the fallback"
    for options in ({}, {"jokers": 2}):
        rules = variant.ruleset(options)
        for seats in (2, 4):
            deals = round(3000 * scale / seats)
            score = first_of(rules, network, "careful", seats, deals)
            title = f"{options['jokers']} jokers" if options else "no jokers"
            yield f"{title}, among {seats - 1} careful: {share_text(score)} ({shipped})"


def reader_row(game: Ruleset, network: Entry, scale: float) -> Lines:
    """Compare the reader with the network alone, on the same deals, against the same opponents."""
    met = reader.opponents(game)
    yield from reader.rows(game, met, [2], round(100 * scale))
    yield from reader.rows(game, {"careful": met["careful"]}, [4], round(30 * scale))


def strangers_row(game: Ruleset, network: Entry, scale: float) -> Lines:
    """Compare the reader with the network alone, against players outside the reader's models."""
    yield from reader.stranger_rows(game, round(500 * scale))


def sharp_row(game: Ruleset, network: Entry, scale: float) -> Lines:
    """Play sharp heads-up, as it plays at tables, against each rival; yield a line for each."""
    for name in (*RIVALS, NETWORK):
        simulation = Simulation(game, [SHARP, name], seed=2026)
        simulation.play(round(500 * scale))
        yield f"against {name}: {share_text(simulation.results()[0].interval)}"


def sharp_at_tables(game: Ruleset, network: Entry, scale: float) -> Lines:
    """Play sharp among two and three networks, and among two and three sly (fair: .333, .250)."""
    for seats in (3, 4):
        for name in (NETWORK, "sly"):
            simulation = Simulation(game, [SHARP, *[name] * (seats - 1)], seed=2026)
            simulation.play(round(500 * scale))
            yield f"among {seats - 1} {name}: {share_text(simulation.results()[0].interval)}"


def sharp_response(game: Ruleset, network: Entry, scale: float) -> Lines:
    """Train networks against sharp without its look-ahead; yield what they win against sharp."""
    rounds = round(RESPONSE_ROUNDS * scale)
    best: tuple[float, Entry | None] = (0.0, None)
    for seed in range(1, RESPONSES + 2):
        begin = best[1] if seed > RESPONSES else None  # the last goes on from the strongest
        answer = best_response(game, network, rounds, seed, solved=True, begin=begin)
        score = first_of(game, answer, SHARP, 2, round(500 * scale))
        best = max(best, (score.share, answer), key=lambda each: each[0])
        yield f"a best response (run {seed}, {rounds:,} rounds): {share_text(score)}"


def among_sharp(game: Ruleset, network: Entry, scale: float) -> Lines:
    """Train a network at tables of four with sharp, and play it among three sharp (fair: .250)."""
    rounds = round(RESPONSE_ROUNDS * scale)
    answer = best_response(game, network, rounds, seed=1, seats=4, solved=True)
    score = first_of(game, answer, SHARP, 4, round(100 * scale))
    yield f"a best response (run 1, twice {rounds:,} rounds): {share_text(score)}"


def openings_row(game: Ruleset, network: Entry, scale: float) -> Lines:
    """Measure the share of each character's most frequent opening, by cards in play."""
    for seats in openings.SEATS:
        yield from openings.rows(game, seats, round(100 * scale))


def estimate_row(game: Ruleset, network: Entry, scale: float) -> Lines:
    """Yield scores of the shipped estimate of a bid's chance, for each key of `TABLES`."""
    for tables in estimate.TABLES:
        yield from estimate.report_lines(game, round(40_000 * scale), 1001, tables)


def decisions_row(game: Ruleset, network: Entry, scale: float) -> Lines:
    """Measure the processor time of a decision at a table."""
    load_players()
    for seats in decisions.SIZES:
        yield f"{seats} players:"
        yield from decisions.costs(game, seats, round(300 * scale))


def tilts_row(game: Ruleset, network: Entry, scale: float) -> Lines:
    """Measure the tilt: how much each extra card helps within a round, by number of players."""
    for players in range(2, game.most_players + 1):
        tilt, error = tilts.fit_tilt(
            *tilts.simulate_rounds(game, players, round(20_000 * scale), 1)
        )
        yield f"{players} players: {tilt:+.3f} ± {1.96 * error:.3f}"


ROWS: Final[dict[str, Callable[[Ruleset, Entry, float], Lines]]] = {
    "heads-up": heads_up,
    "among-three": among_three,
    "among-nine": among_nine,
    "best-response": response,
    "characters": characters,
    "speed": speed,
    "other-game": other_game,
    "reader": reader_row,
    "strangers": strangers_row,
    "sharp": sharp_row,
    "sharp-response": sharp_response,
    "sharp-tables": sharp_at_tables,
    "among-sharp": among_sharp,
    "openings": openings_row,
    "estimate": estimate_row,
    "decisions": decisions_row,
    "tilts": tilts_row,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--row", choices=ROWS, action="append", help="measure this row alone")
    parser.add_argument("--game", action="append", help="short name, such as thai")
    parser.add_argument("--quick", action="store_true", help="a tenth of the matches and rounds")
    parser.add_argument("--weights", type=Path, help="another network than the shipped one (.npy)")
    parser.add_argument("--list", action="store_true", help="say what each row is, and end")
    options = parser.parse_args()
    if options.list:
        for name, row in ROWS.items():
            print(f"{name}: {row.__doc__}")
        return
    scale = 0.1 if options.quick else 1.0
    for short in options.game or [variant.short for variant in VARIANTS.values()]:
        game = by_short(short).ruleset()
        played = network_from(np.load(options.weights)) if options.weights else network_of(game.key)
        for name in options.row or ROWS:
            print(f"{game.title}, {name}: {ROWS[name].__doc__}")
            for line in ROWS[name](game, played, scale):
                print(f"  {line}", flush=True)


if __name__ == "__main__":
    main()
