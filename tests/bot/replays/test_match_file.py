"""The file of a match: reading it gives the same match, and changes to it are detected."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.language.words import TypedText
from bot.replays.checking import Finding, check
from bot.replays.match_file import (
    MOST_BYTES,
    FileError,
    MatchFile,
    as_dict,
    file_text,
    read_bytes,
    read_file,
    validate,
)
from bot.replays.played import PlayedMatch, Seated, played_from, seated_from
from bot.roster import CHARACTERS, nameless
from bot.tables.model import MatchStatus, StoredAction, StoredMatch
from engine.actions import Deal, MakeBid, to_json
from engine.cutting import cut
from engine.shuffle import commitment
from engine.variants import VARIANTS
from tests.bot.replays.matches import deals_of, whole
from tests.dealing import seed_from
from tests.naive import holds

# -- reading ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", VARIANTS)
def test_a_match_comes_back_from_its_file_as_it_was(game, tmp_path: Path) -> None:
    options = {"middle_hand": True} if game == "liars_poker" else None
    for players in (2, 5):
        match = whole(game, players, f"{game} {players}", options, leave=1)
        seated = (*match.seated[:-1], Seated("Roxy", "wild"))
        log = (replace(match.log[0]), replace(match.log[1], by_house=True), *match.log[2:])
        match = replace(match, seated=seated, log=log)
        file = tmp_path / "match.json"
        file.write_text(file_text(match), "utf-8")
        assert validate(read_file(file)) == match


def test_a_file_names_nobody_by_an_id() -> None:
    match = whole()
    ids = {seat: 900_000_000_000_000_000 + seat for seat in range(3)}
    stored = StoredMatch(
        *(12, 1, match.rules.key, match.rules.version, dict(match.rules.options)),
        *((ids[0], ids[1], -401), None, MatchStatus.WON, match.started_at, match.ended_at),
        tuple(
            StoredAction(at, to_json(entry.action), entry.at, 10**18 + at)
            for at, entry in enumerate(match.log, start=1)
        ),
    )
    unplayed = {len(match.deals) + 1: b"secret" * 5}
    text = file_text(
        played_from(stored, {**match.seeds, **unplayed}, {ids[0]: TypedText("Ann\u202e")})
    )
    assert not re.search(r"\d{15}", re.sub(r'"(seed|seal|commitment)": "\w*"', "", text))
    assert [player["name"] for player in json.loads(text)["players"]] == ["Ann", "Player 2", "Roxy"]
    assert json.loads(text)["players"][2]["computer"] in CHARACTERS
    assert [entry["round"] for entry in json.loads(text)["seeds"]] == list(match.seeds)


def test_rounds_hold_what_follows_from_the_log() -> None:
    match = whole()
    document = as_dict(match)
    assert [entry["round"] for entry in document["rounds"]] == list(range(1, len(match.deals) + 1))
    last = match.states()[-1]
    assert last.round is not None
    judged = last.round.judgement
    assert judged is not None
    assert document["rounds"][-1]["judgement"]["holds"] is judged.proof.holds
    assert document["rounds"][-1]["hands"][0] == [str(card) for card in last.round.hands[0]]
    assert document["winner"] == last.winner


WHOLE = whole()


def broken(**changes: object) -> bytes:
    """Return the file of a match with these fields changed (None: left out)."""
    document = as_dict(WHOLE) | changes
    return json.dumps({key: value for key, value in document.items() if value is not None}).encode()


def entry(**changes: object) -> bytes:
    """Return the file with fields of its first action changed."""
    log = as_dict(WHOLE)["log"]
    return broken(log=[log[0] | changes, *log[1:]])


DEEP = b"[" * 200_000
HOSTILE = {
    "nothing": b"",
    "binary": bytes(range(256)),
    "deep": DEEP,
    "deep in a field": b'{"format": "bluffhouse-match", "version": 1, "log": ' + DEEP,
    "a list": b"[]",
    "another format": b'{"format": "chess"}',
    "nan": b'{"format": "bluffhouse-match", "version": NaN}',
    "a number too long": b'{"format": "bluffhouse-match", "version": ' + b"9" * 5000 + b"}",
    "huge": b" " * (MOST_BYTES + 1),
    "another version": broken(version=2),
    "a version that is true": broken(version=True),
    "no game": broken(game=None),
    "an unknown game": broken(game="snap" * 1000),
    "another version of the rules": broken(rules=99),
    "options of a wrong kind": broken(options={"jokers": [1]}),
    "an unknown option": broken(options={"cheating": True}),
    "an option that cannot be seen": broken(options={"length": "\u202e\n"}),
    "a long option that cannot be seen": broken(options={"length": "\x0b" * 150}),
    "options as a list": broken(options=[]),
    "one player": broken(players=[{"name": "Ann"}]),
    "too many players": broken(players=[{"name": "Ann"}] * 60),
    "far too many players": broken(players=[{"name": "Ann"}] * 6000),
    "players as names": broken(players=["Ann", "Bob", "Cleo"]),
    "a name that is a number": broken(players=[{"name": 1}, {"name": 2}, {"name": 3}]),
    "an opener elsewhere": broken(opener=7),
    "a match of number zero": broken(match=0),
    "a time beyond time": broken(started=10**18),
    "a time that is a text": broken(ended="yesterday"),
    "an empty log": broken(log=[]),
    "a log of numbers": broken(log=[1, 2, 3]),
    "an endless log": broken(log=[{}] * 10_001),
    "an action of no kind": entry(kind="cheat"),
    "an action of another schema": entry(v=9),
    "a deck of no cards": entry(order=[]),
    "a deck of impossible cards": entry(order=[10**30]),
    "a deck of words": entry(order=["As"]),
    "a seal that is none": entry(commitment="<script>"),
    "a time of an action": entry(at="now"),
    "played by whom": entry(house="yes"),
    "seeds as a list of texts": broken(seeds=["00"]),
    "seeds that are no digits": broken(seeds=[{"round": 1, "seed": "zz"}]),
    "a seed twice": broken(seeds=[{"round": 1, "seed": "00"}] * 2),
    "rounds as a text": broken(rounds="all well"),
}


@pytest.mark.parametrize("damage", HOSTILE)
def test_a_hostile_file_is_one_sentence(damage: str) -> None:
    with pytest.raises(FileError) as refused:
        validate(read_bytes(HOSTILE[damage]))
    sentence = str(refused.value)
    assert sentence
    assert len(sentence) < 400
    assert sentence.isprintable()


def otherwise_judged() -> bytes:
    """Return the file with the wrong verdict on the first challenge."""
    rounds = as_dict(WHOLE)["rounds"]
    rounds[0]["judgement"]["holds"] ^= True
    return broken(rounds=rounds)


LYING = {
    "another winner": (broken(winner=None), "does not end as it says"),
    "a match without its end": (broken(log=as_dict(WHOLE)["log"][:-1]), "does not end as"),
    "a round too few": (broken(rounds=as_dict(WHOLE)["rounds"][:-1]), "does not follow from"),
    "a move out of turn": (
        broken(log=[as_dict(WHOLE)["log"][0], {"v": 1, "kind": "challenge", "seat": 0}]),
        "breaks the rules",
    ),
    "a verdict": (otherwise_judged(), "does not follow from its log"),
}


@pytest.mark.parametrize("damage", LYING)
def test_a_file_that_does_not_fit_its_own_log_is_refused(damage: str) -> None:
    content, sentence = LYING[damage]
    with pytest.raises(FileError, match=sentence):
        validate(read_bytes(content))


def test_a_file_may_omit_derived_data_and_mark_unknown_data() -> None:
    match_file = read_bytes(broken(rounds=None, remark="a fine evening"))
    assert match_file.claimed is None
    assert validate(match_file) == whole()


def test_names_are_made_safe_and_an_empty_name_is_replaced_by_the_seat() -> None:
    players = [{"name": "<b>\u202e\nAnn"}, {"name": " "}, {"name": "x" * 5000, "computer": "?"}]
    ann, nobody, long = read_bytes(broken(players=players)).played.seated
    assert (ann.name, nobody.name) == ("<b> Ann", "Player 2")
    assert len(long.name) == 80
    assert long.character in CHARACTERS


@given(st.integers(0, 1 << 30), st.integers(0, 255))
@settings(max_examples=60)
def test_a_changed_byte_raises_no_unexpected_error(place: int, byte: int) -> None:
    content = file_text(WHOLE).encode()
    at = place % len(content)
    with contextlib.suppress(FileError):
        validate(read_bytes(content[:at] + bytes([byte]) + content[at + 1 :]))


def test_a_forgotten_person_is_a_former_player_as_in_messages() -> None:
    seated = seated_from((101, nameless(3)), {101: TypedText("Ann")})
    assert seated == (Seated("Ann"), Seated("Former player 3"))


# -- checking --------------------------------------------------------------------------------------


def wrong(match: PlayedMatch, claimed: list[object] | None = None) -> list[Finding]:
    """Check a match's file; return the findings that report a fault.

    `claimed`: the rounds that the file claims, if any.
    """
    match_file = MatchFile(match, tuple(claimed) if claimed is not None else None)
    return [finding for finding in check(match_file) if not finding.well]


@pytest.mark.parametrize("game", VARIANTS)
def test_an_unchanged_match_passes_all_checks(game: str) -> None:
    for players in (2, 4):
        match = whole(game, players, f"well {game}", leave=2)
        rounds = as_dict(match)["rounds"]
        findings = check(MatchFile(match, tuple(rounds)))
        assert all(finding.well for finding in findings)
        judged = sum(round["judgement"] is not None for round in rounds)
        assert len(findings) == len(match.deals) + judged


def other_deal(match: PlayedMatch, at: int, change: Callable[[Deal], Deal]) -> PlayedMatch:
    """Return the match with the deal at this index of the log changed."""
    entry = match.log[at]
    assert isinstance(entry.action, Deal)
    changed = replace(entry, action=change(entry.action))
    return replace(match, log=(*match.log[:at], changed, *match.log[at + 1 :]))


def swap_last_cards(deal: Deal) -> Deal:
    """Return the deal with the last two cards of its deck swapped; nobody holds them."""
    *first_cards, last_card, bottom = deal.order
    return replace(deal, order=(*first_cards, bottom, last_card))


def test_a_deal_in_another_order_is_found() -> None:
    match = whole()
    (problem,) = wrong(other_deal(match, deals_of(match)[1], swap_last_cards))
    assert (problem.round, problem.text) == (
        2,
        "The cards were not dealt, or the opener not drawn, as the sealed seed says.",
    )


def test_another_seed_is_found_by_its_seal() -> None:
    match = whole()
    (problem,) = wrong(replace(match, seeds={**match.seeds, 3: seed_from("another")}))
    assert (problem.round, problem.text) == (3, "The seed does not have the seal that was shown.")


def test_an_exchanged_seed_with_its_seal_is_found_by_the_cards() -> None:
    match, seed = whole(), seed_from("exchanged")
    forged = other_deal(match, 0, lambda deal: replace(deal, commitment=commitment(seed)))
    (problem,) = wrong(replace(forged, seeds={**match.seeds, 1: seed}))
    assert problem.round == 1
    assert "as the sealed seed says" in problem.text


def test_the_first_opener_follows_from_the_seed_too() -> None:
    match = whole()
    deal = match.deals[0]
    changed_deal = replace(deal, drawn=(deal.drawn + 1) % 3)
    assert any(
        "the opener not drawn" in problem.text
        or problem.text.startswith("Action")  # what followed was another seat's turn
        for problem in wrong(other_deal(match, 0, lambda _: changed_deal))
    )


def test_a_missing_seed_and_an_unknown_shuffle_are_reported() -> None:
    match = whole()
    seeds = {number: seed for number, seed in match.seeds.items() if number != 2}
    (missing,) = wrong(replace(match, seeds=seeds))
    assert "seed of the deal is missing" in missing.text
    at = deals_of(match)[0]
    (unknown,) = wrong(other_deal(match, at, lambda deal: replace(deal, shuffle_version=99)))
    assert "does not know: not checked" in unknown.text


CUTS = (cut(1, "purple giraffe 7"), cut(0, "żółw"))


def from_file(match: PlayedMatch) -> MatchFile:
    """Return the match as read from its file."""
    return read_bytes(file_text(match).encode())


def test_a_match_that_was_cut_verifies_by_its_file_with_and_without_the_words() -> None:
    match = whole(cuts=CUTS)
    nobodys = tuple(replace(cut, text=None) for cut in CUTS)
    for original in (match, whole(cuts=nobodys)):
        match_file = from_file(original)
        assert match_file.played == original
        texts = [
            finding.text for finding in check(match_file) if "cuts give the cards" in finding.text
        ]
        assert len(texts) == len(match.deals)
        assert wrong(match_file.played, list(match_file.claimed or ())) == []
    assert [deal.order for deal in whole(cuts=nobodys).deals] == [d.order for d in match.deals]


def test_words_that_were_put_into_a_cut_afterwards_are_found() -> None:
    match = whole(cuts=CUTS)
    put = (CUTS[0], replace(CUTS[1], text="other words"))
    changed = other_deal(match, deals_of(match)[1], lambda deal: replace(deal, cuts=put))
    (problem,) = wrong(from_file(changed).played)
    assert (problem.round, problem.text) == (
        2,
        "The words of a cut are not those that were counted.",
    )
    left_out = other_deal(match, deals_of(match)[0], lambda deal: replace(deal, cuts=CUTS[:1]))
    (problem,) = wrong(from_file(left_out).played)
    assert (problem.round, "as the sealed seed says" in problem.text) == (1, True)


def test_a_move_against_the_rules_is_found_and_nothing_after_it_is_judged() -> None:
    match = whole()
    bid = next(at for at, entry in enumerate(match.log) if isinstance(entry.action, MakeBid))
    wrongly = replace(match.log[bid], action=MakeBid(2, "no:bid"))
    problems = wrong(replace(match, log=(*match.log[:bid], wrongly, *match.log[bid + 1 :])))
    assert [problem.text for problem in problems] == [
        f"Action {bid + 1} of the log breaks the rules of the game."
    ]


def test_a_false_verdict_is_found_in_its_round() -> None:
    match = whole()
    rounds = as_dict(match)["rounds"]
    judged = rounds[1]["judgement"]
    judged["holds"] = not judged["holds"]
    (problem,) = wrong(match, rounds)
    really = "it fails" if judged["holds"] else "it holds"
    assert problem == Finding(
        2, False, f"The file judges the showdown otherwise: by the rules {really}."
    )


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("hands", [[], [], []], "the hands"),
        ("loser", 9, "who lost"),
        ("judgement", None, "the showdown"),
        ("seal", "0" * 64, "the seal"),
        ("unknown", 1, "this round"),
    ],
)
def test_every_other_false_statement_of_a_file_is_named(
    key: str, value: object, sentence: str
) -> None:
    match = whole()
    rounds = as_dict(match)["rounds"]
    rounds[0][key] = value
    (problem,) = wrong(match, rounds)
    assert (problem.round, problem.text) == (
        1,
        f"The file tells {sentence} otherwise than its log.",
    )


def test_missing_or_unreadable_rounds_and_a_false_winner_are_found() -> None:
    match = whole()
    rounds = as_dict(match)["rounds"]
    (fewer,) = wrong(match, rounds[:-1])
    assert fewer.round is None
    (unreadable,) = wrong(match, [7, *rounds[1:]])
    assert unreadable.text == "What the file says of this round cannot be read."
    (problem,) = wrong(replace(match, won=False))
    assert problem.text.startswith("The match is not as it says")


def test_every_judgement_agrees_with_a_judge_that_does_not_use_the_engine() -> None:
    match = whole("liars_poker", 4, "judged apart")
    sentences = {
        finding.round: finding.text
        for finding in check(MatchFile(match))
        if "By the rules" in finding.text
    }
    for state in match.states():
        current = state.round
        if current is not None and current.judgement is not None:
            standing = current.judgement.standing
            held = holds(standing.bid.key, [str(card) for card in current.pool])
            assert ("By the rules it holds" in sentences[current.number]) is held
