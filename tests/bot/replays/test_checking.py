"""A match checked: whatever was changed after the fact is found, and said of its round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.replays.checking import Finding, check
from bot.replays.match_file import MatchFile, as_dict, file_text, read_bytes
from bot.replays.played import PlayedMatch
from engine.actions import Deal, MakeBid
from engine.cutting import cut
from engine.shuffle import commitment
from engine.variants import VARIANTS
from tests.bot.replays.matches import deals_of, whole
from tests.dealing import seed_of
from tests.naive import holds


def wrong(match: PlayedMatch, claimed: list[object] | None = None) -> list[Finding]:
    """What is found that is not as it should be."""
    found = MatchFile(match, tuple(claimed) if claimed is not None else None)
    return [one for one in check(found) if not one.well]


@pytest.mark.parametrize("game", VARIANTS)
def test_of_a_match_as_it_was_played_everything_is_well(game: str) -> None:
    for players in (2, 4):
        match = whole(game, players, f"well {game}", leave=2)
        rounds = as_dict(match)["rounds"]
        findings = check(MatchFile(match, tuple(rounds)))
        assert all(one.well for one in findings)
        judged = sum(one["judgement"] is not None for one in rounds)
        assert len(findings) == len(match.deals) + judged


def other_deal(match: PlayedMatch, at: int, change: Callable[[Deal], Deal]) -> PlayedMatch:
    """The match with a deal changed."""
    entry = match.log[at]
    assert isinstance(entry.action, Deal)
    changed = replace(entry, action=change(entry.action))
    return replace(match, log=(*match.log[:at], changed, *match.log[at + 1 :]))


def swapped(deal: Deal) -> Deal:
    """The deck with its last two cards the other way round, which nobody holds."""
    *rest, one, other = deal.order
    return replace(deal, order=(*rest, other, one))


def test_a_deal_in_another_order_is_found() -> None:
    match = whole()
    (found,) = wrong(other_deal(match, deals_of(match)[1], swapped))
    assert (found.round, found.text) == (
        2,
        "The cards were not dealt, or the opener not drawn, as the sealed seed says.",
    )


def test_another_seed_is_found_by_its_seal() -> None:
    match = whole()
    (found,) = wrong(replace(match, seeds={**match.seeds, 3: seed_of("another")}))
    assert (found.round, found.text) == (3, "The seed does not have the seal that was shown.")


def test_a_seed_and_its_seal_that_were_both_exchanged_are_found_by_the_cards() -> None:
    match = whole()
    seed = seed_of("exchanged")
    at = deals_of(match)[0]
    forged = other_deal(match, at, lambda deal: replace(deal, commitment=commitment(seed)))
    (found,) = wrong(replace(forged, seeds={**match.seeds, 1: seed}))
    assert found.round == 1
    assert "as the sealed seed says" in found.text


def test_who_opens_the_first_round_is_drawn_by_the_seed_too() -> None:
    match = whole()
    deal = match.deals[0]
    other = replace(deal, drawn=(deal.drawn + 1) % 3)
    assert any(
        "the opener not drawn" in one.text
        or one.text.startswith("Action")  # what followed was another seat's turn
        for one in wrong(other_deal(match, 0, lambda _: other))
    )


def test_a_missing_seed_and_an_unknown_shuffle_are_said_and_not_passed_over() -> None:
    match = whole()
    seeds = {number: seed for number, seed in match.seeds.items() if number != 2}
    (missing,) = wrong(replace(match, seeds=seeds))
    assert "seed of the deal is missing" in missing.text
    at = deals_of(match)[0]
    (unknown,) = wrong(other_deal(match, at, lambda deal: replace(deal, shuffle_version=99)))
    assert "does not know: not checked" in unknown.text


CUTS = (cut(1, "purple giraffe 7"), cut(0, "żółw"))


def from_file(match: PlayedMatch) -> MatchFile:
    """The match as its file says it."""
    return read_bytes(file_text(match).encode())


def test_a_match_that_was_cut_verifies_by_its_file_with_and_without_the_words() -> None:
    match = whole(cuts=CUTS)
    nobodys = tuple(replace(one, text=None) for one in CUTS)
    for kept in (match, whole(cuts=nobodys)):
        found = from_file(kept)
        assert found.played == kept
        texts = [one.text for one in check(found) if "cuts give the cards" in one.text]
        assert len(texts) == len(match.deals)
        assert wrong(found.played, list(found.claimed or ())) == []
    assert [deal.order for deal in whole(cuts=nobodys).deals] == [d.order for d in match.deals]


def test_words_that_were_put_into_a_cut_afterwards_are_found() -> None:
    match = whole(cuts=CUTS)
    put = (CUTS[0], replace(CUTS[1], text="other words"))
    changed = other_deal(match, deals_of(match)[1], lambda deal: replace(deal, cuts=put))
    (found,) = wrong(from_file(changed).played)
    assert (found.round, found.text) == (2, "The words of a cut are not those that were counted.")
    left_out = other_deal(match, deals_of(match)[0], lambda deal: replace(deal, cuts=CUTS[:1]))
    (found,) = wrong(from_file(left_out).played)
    assert (found.round, "as the sealed seed says" in found.text) == (1, True)


def test_a_move_against_the_rules_is_found_and_nothing_after_it_is_judged() -> None:
    match = whole()
    bid = next(at for at, entry in enumerate(match.log) if isinstance(entry.action, MakeBid))
    wrongly = replace(match.log[bid], action=MakeBid(2, "no:bid"))
    found = wrong(replace(match, log=(*match.log[:bid], wrongly, *match.log[bid + 1 :])))
    assert [one.text for one in found] == [
        f"Action {bid + 1} of the log breaks the rules of the game."
    ]


def test_a_verdict_told_otherwise_is_found_in_its_round() -> None:
    match = whole()
    rounds = as_dict(match)["rounds"]
    judged = rounds[1]["judgement"]
    judged["holds"] = not judged["holds"]
    (found,) = wrong(match, rounds)
    really = "it fails" if judged["holds"] else "it holds"
    assert found == Finding(
        2, False, f"The file judges the showdown otherwise: by the rules {really}."
    )


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("hands", [[], [], []], "the hands"),
        ("loser", 9, "who lost"),
        ("judgement", None, "the showdown"),
        ("seal", "0" * 64, "the seal"),
        ("unknown", 1, "this round"),
    ],
)
def test_what_else_a_file_tells_otherwise_is_named(key: str, value: object, said: str) -> None:
    match = whole()
    rounds = as_dict(match)["rounds"]
    rounds[0][key] = value
    (found,) = wrong(match, rounds)
    assert (found.round, found.text) == (1, f"The file tells {said} otherwise than its log.")


def test_rounds_that_are_missing_or_unreadable_are_found() -> None:
    match = whole()
    rounds = as_dict(match)["rounds"]
    (fewer,) = wrong(match, rounds[:-1])
    assert fewer.round is None
    (unreadable,) = wrong(match, [7, *rounds[1:]])
    assert unreadable.text == "What the file says of this round cannot be read."


def test_a_match_that_claims_a_winner_it_has_not_is_found() -> None:
    match = whole()
    (found,) = wrong(replace(match, won=False))
    assert found.text.startswith("The match is not as it says")


def test_each_judgement_is_that_of_a_judge_who_knows_nothing_of_the_engine() -> None:
    match = whole("liars_poker", 4, "judged apart")
    said = {one.round: one.text for one in check(MatchFile(match)) if "By the rules" in one.text}
    for state in match.states():
        current = state.round
        if current is not None and current.judgement is not None:
            made = current.judgement.made
            held = holds(made.bid.key, [str(card) for card in current.pool])
            assert ("By the rules it holds" in said[current.number]) is held
