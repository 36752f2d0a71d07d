"""Three Card Poker in words: advice on a hand, the house edge, the pay tables, seat two.

Lines have at most 80 columns, for a terminal; the figures come from `engine.odds.three_card`.
"""

from __future__ import annotations

import numpy as np

from bot.boards.three_card_odds import KINDS, RESULTS, hand_name, join_with_dashes
from bot.cli.output import paragraph
from bot.language.words import capital, percent
from engine.cards import Rank
from engine.lexicon import RANK_WORDS
from engine.odds.three_card import (
    AnteBonus,
    Category,
    FoldLine,
    HouseEdge,
    PairPlus,
    PayTable,
    SeatTwo,
    TableOdds,
    TableRules,
    ThreeCardAdvice,
    blind_seats,
    seventeen_outcomes,
    showdowns,
)
from engine.odds.three_card.hands import read_aloud


def strength_name(strength: int) -> str:
    """Return the ranks of the hands with this strength: `Q-6-4`."""
    classes = showdowns().classes
    high, middle, low = classes.ranks[classes.strength == strength][0]
    return join_with_dashes(read_aloud(int(high), int(middle), int(low)))


def advice_lines(advised: ThreeCardAdvice) -> list[str]:
    """Return whether to play or fold one hand, and the figures behind the advice."""
    cards = " ".join(card.symbol for card in advised.hand)
    verdict = "Play" if advised.play else "Fold"
    lines = [
        f"{cards}: {hand_name(advised.category, advised.ranks, advised.mini_royal)}",
        f"{verdict}. Playing is worth {advised.expected_value:+.4f} of the ante, folding -1.",
    ]
    if advised.seen_cards:
        seen_cards = " ".join(card.symbol for card in advised.seen_cards)
        without = f"{advised.blind_value:+.4f} without"
        effect = (
            f"That changes the decision ({without})"
            if advised.sight_matters
            else f"It was {without}"
        )
        lines.append(f"Seen in other hands: {seen_cards}. {effect}.")
    if advised.line.lowest is not None and advised.line_plays != advised.play:
        does = "play" if advised.line_plays else "fold"
        lines.append(f"Playing from {advised.line.name} would {does} it, at a loss.")
    lines.append("")
    for name, words in RESULTS.items():
        ways = int(getattr(advised.outcomes, name))
        share = percent(ways / advised.dealers, 3)
        lines.append(f"  {words:<24}{ways:>7,} of {advised.dealers:,}{share:>11}")
    lines.append("")
    if advised.bonus:
        lines.append(f"Ante bonus {advised.bonus} to 1 (in the figure above).")
    paid = f"pays {advised.pair_plus} to 1" if advised.pair_plus >= 0 else "loses"
    lines.append(f"Pair Plus {paid}; a six-card bonus bet now stands at {advised.six_card:+.4f}.")
    lines.append(
        f"Of the other 22,099 hands {advised.weaker:,} are weaker and {advised.equal:,} equal."
    )
    return lines


def edge_lines(edge: HouseEdge, best: FoldLine) -> list[str]:
    """Return the outcome table, the house edge, the element of risk and the best line.

    The last lines are about the side bets.
    """
    by_hand = "no hand is" if best.hand_by_hand else "some are"
    lines = [
        paragraph(
            f"{edge.deals:,} deals of a player and a dealer; {_line_words(edge)};"
            f" ante bonus {_pays(edge.rules.bonus)}; {_dealer_words(edge.rules)}."
        ),
        "",
        f"{'':<16}{'win':>13}{'tie':>10}{'lose':>13}{'not qualified':>15}",
    ]
    for category, ends in edge.outcomes.items():
        lines.append(
            f"{KINDS[category]:<16}{ends.win:>13,}{ends.tie:>10,}{ends.lose:>13,}"
            f"{ends.dealer_not_qualified:>15,}"
        )
    lines += [
        f"{'folded':<16}{edge.folded:>13,}",
        "",
        f"{'net':<24}{edge.net:>16,} antes",
        f"{'expected value':<24}{percent(edge.expected_value, 5):>16} of the ante",
        f"{'average bet':<24}{edge.average_bet:>16.6f} antes",
        f"{'element of risk':<24}{percent(edge.element_of_risk, 5):>16} of all that is staked",
        f"{'best line':<24}{best.name:>16} or better plays",
        f"{'':<41}({by_hand} better played otherwise)",
        f"{'Pair Plus':<24}{percent(edge.pair_plus, 4):>16} for {_pays(edge.rules.pair_plus)}",
        f"{'six-card bonus':<24}{percent(edge.six_card, 4):>16} for {edge.rules.six_card}",
    ]
    return lines


def _line_words(edge: HouseEdge) -> str:
    if edge.line.lowest is None:
        return "each hand is played where that pays more than folding"
    if edge.line.lowest == 0:
        return "every hand is played"
    return f"{edge.line.name}{' high' if edge.line.name.islower() else ''} or better is played"


def _dealer_words(rules: TableRules) -> str:
    qualifies = showdowns(rules.qualifies).qualifies
    if qualifies == 0:
        return "the dealer always qualifies"
    lowest = strength_name(qualifies)
    weakest = {
        "J-3-2": "jack high",
        "Q-3-2": "queen high",
        "K-3-2": "king high",
        "A-4-2": "ace high",
    }
    return f"the dealer qualifies with {weakest.get(lowest, lowest)} or better"


def _pays(table: PayTable) -> str:
    match table:
        case AnteBonus(mini_royal=int(pay)) | PairPlus(mini_royal=int(pay)):
            return f"{table}, Mini Royal {pay}"
        case _:
            return str(table)


def seats_lines(edge: HouseEdge, seats: int) -> list[str]:
    """Return the odds for several players who see only their own cards."""
    table = blind_seats(edge, seats)
    return [
        paragraph(
            f"{seats} at the table, each looking at their own cards: {table.deals:.4g} deals; every"
            f" seat's expected value is {percent(table.net / table.deals, 5)} of the ante,"
            f" the house's {percent(-seats * table.net / table.deals, 3)} of an ante a round."
        ),
    ]


def seventeen_lines(edge: HouseEdge) -> list[str]:
    """Return the seventeen outcomes: four results with each of four bonuses, and the fold."""
    counted = seventeen_outcomes(edge)
    bonuses = ("none", "straight", "three", "straight_flush")
    headings = ("none", "a straight's", "a three's", "str. flush's")
    lines = [f"{'ante bonus:':<24}" + "".join(f"{heading:>14}" for heading in headings)]
    for result, words in RESULTS.items():
        row = "".join(f"{counted[result, bonus]:>14,}" for bonus in bonuses)
        lines.append(f"{words:<24}{row}")
    lines.append(f"{'fold':<24}{counted['fold', 'none']:>14,}")
    return lines


def survey_lines(odds: tuple[TableOdds, ...]) -> list[str]:
    """Return a table of the expected value of each known pay table, grouped by bet.

    Pay tables of the ante bonus also have the element of risk.
    """
    lines = []
    title = ""
    for row in odds:
        if title != row.table.TITLE:
            title = row.table.TITLE
            lines.append(paragraph(f"{capital(title)} ({row.table.ENTRIES})", hanging="    "))
        line = f"  {_pays(row.table):<30}{percent(row.expected_value, 4):>12}"
        if row.element_of_risk is not None:
            line += f"   {percent(row.element_of_risk, 3)} of all that is staked"
        lines.append(line)
    return lines


def fold_line_lines(best: FoldLine, deals: int) -> list[str]:
    """Return a table of the hands around the best fold line.

    A row has the net win (antes, summed over all `deals`) and the expected value (per deal, in per
    cent of the ante) if the row's hand and all better ones are played.
    """
    lines = [f"{'played from':<14}{'net (antes)':>16}{'expected value':>17}"]
    for lowest in range(max(best.lowest - 3, 0), min(best.lowest + 4, len(best.nets) - 1)):
        mark = "  <- best" if lowest == best.lowest else ""
        net = best.nets[lowest]
        lines.append(f"{strength_name(lowest):<14}{net:>16,}{percent(net / deals, 5):>17}{mark}")
    return lines


def seat_two_lines(second: SeatTwo, bonus: AnteBonus) -> list[str]:
    """Return lines on what seat two gains by seeing seat one's cards, and its changed decisions."""
    blind, seeing = second.expected_values(bonus)
    lines = [
        f"{second.deals:,} deals of two players and a dealer, best play:",
        f"  blind              {percent(blind, 4):>12} of the ante (seat one's figure exactly)",
        f"  seeing seat one    {percent(seeing, 4):>12} of the ante",
        f"  decisions changed  {percent(second.changed / second.decisions, 3):>12} "
        f"({second.changed:,} of {second.decisions:,})",
        "",
        f"{'own hand':<12}{'blind':>7}{'decisions changed':>20}{'share':>10}{'gain (antes)':>15}",
    ]
    classes = second.blind.classes
    changeable = second.changed_hands > 0
    pairs = classes.dealers
    plays_blind = second.blind.net > -pairs
    for high in reversed(range(classes.deck_ranks)):
        for plays in (True, False):
            rows = changeable & (classes.ranks[:, 0] == high)
            rows &= plays_blind == plays
            if not rows.any():
                continue
            changed = int((classes.hands * second.changed_hands)[rows].sum())
            same_start = (classes.ranks[:, 0] == high) & (classes.category == Category.HIGH_CARD)
            same_start &= plays_blind == plays
            share = changed / (int(classes.hands[same_start].sum()) * pairs)
            gained = float((classes.hands * second.gain)[rows].sum()) / second.deals
            word = "plays" if plays else "folds"
            name = f"{RANK_WORDS[Rank(high)][0]} high"
            lines.append(f"{name:<12}{word:>7}{changed:>20,}{percent(share, 2):>10}{gained:>15.7f}")
    total = float(np.sum(classes.hands * second.gain)) / second.deals
    lines.append(f"{'together':<19}{second.changed:>20,}{'':>10}{total:>15.7f}")
    return lines
