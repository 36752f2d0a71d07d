"""The rules of a game, short enough for a message; the ladder is read from the ruleset."""

from __future__ import annotations

from bot.boards.board import Board, Rule, Text
from bot.boards.lobby import FELT
from bot.tables.house import game_options
from bot.words import KIND_LABELS
from engine.ruleset import Options, Ruleset
from engine.variants import ruleset, variant


def rules_board(key: str, options: Options | None = None) -> Board:
    """How a game is played, with the house rules of `options` or the usual ones."""
    rules = ruleset(key, game_options(options or {}))
    return Board(
        FELT,
        (
            Text(f"## {rules.title}\n{variant(key).summary}"),
            Text(_play(rules)),
            Rule(),
            Text(f"**From the weakest hand to the strongest**\n{_ladder(rules)}"),
            Text(_limits(rules)),
        ),
    )


def _play(rules: Ruleset) -> str:
    call, doubt = rules.terms.bid.lower(), rules.terms.challenge.lower()
    who = (
        f"Anybody but the bidder may {doubt}, at any time."
        if rules.challengers == "anyone"
        else f"Only the next player may {doubt}."
    )
    return (
        "Everybody gets cards in private. In turn, "
        f"{call} a poker hand that might be made from **all** cards in play, always a higher one"
        f" than the last; or {doubt}. {who}\n"
        f"Then all cards are shown. If the hand is there, whoever {rules.terms.challenged} loses"
        " the round; if not, the bidder does. The loser gets one more card from then on and opens"
        " the next round; with too many cards they are out. The last one left wins."
    )


def _ladder(rules: Ruleset) -> str:
    lines = []
    for kind in rules.ladder.kinds:
        said = [rules.wording.say(bid) for bid in rules.ladder if bid.kind is kind]
        shown = said[0] if len(said) == 1 else f"{said[0]} … {said[-1]}"
        lines.append(f"- **{KIND_LABELS[kind]}**: {shown}")
    return "\n".join(lines)


def _limits(rules: Ruleset) -> str:
    jokers = rules.deck.jokers
    wild = f" The {jokers} jokers are wild: each stands for any card." if jokers else ""
    limits = sorted(set(rules.card_limits[2:]))
    most = str(limits[0]) if len(limits) == 1 else f"{limits[0]} to {limits[-1]}, by players left"
    return (
        f"-# {rules.deck.size} cards, 2 to {rules.most_players} players. Card limit: {most}.{wild}"
    )
