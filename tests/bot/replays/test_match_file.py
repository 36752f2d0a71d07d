"""The file of a match: reading returns the same match, and later changes are detected."""

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
    assert [one["name"] for one in json.loads(text)["players"]] == ["Ann", "Player 2", "Roxy"]
    assert json.loads(text)["players"][2]["computer"] in CHARACTERS
    assert [one["round"] for one in json.loads(text)["seeds"]] == list(match.seeds)


def test_rounds_hold_what_follows_from_the_log() -> None:
    match = whole()
    said = as_dict(match)
    assert [one["round"] for one in said["rounds"]] == list(range(1, len(match.deals) + 1))
    last = match.states()[-1]
    assert last.round is not None
    judged = last.round.judgement
    assert judged is not None
    assert said["rounds"][-1]["judgement"]["holds"] is judged.proof.holds
    assert said["rounds"][-1]["hands"][0] == [str(card) for card in last.round.hands[0]]
    assert said["winner"] == last.winner


def broken(**changes: object) -> bytes:
    """The file of a match with some fields otherwise (None: without them)."""
    said = as_dict(whole()) | changes
    return json.dumps({key: value for key, value in said.items() if value is not None}).encode()


def entry(**changes: object) -> bytes:
    """The file with its first action otherwise."""
    log = as_dict(whole())["log"]
    return broken(log=[log[0] | changes, *log[1:]])


WHOLE = whole()
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


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_is_one_sentence(what: str) -> None:
    with pytest.raises(FileError) as refused:
        validate(read_bytes(HOSTILE[what]))
    said = str(refused.value)
    assert said
    assert len(said) < 400
    assert said.isprintable()


def otherwise_judged() -> bytes:
    """The file with a verdict told otherwise."""
    rounds = as_dict(whole())["rounds"]
    rounds[0]["judgement"]["holds"] ^= True
    return broken(rounds=rounds)


LYING = {
    "another winner": (broken(winner=None), "does not end as it says"),
    "a match without its end": (broken(log=as_dict(whole())["log"][:-1]), "does not end as"),
    "a round too few": (broken(rounds=as_dict(whole())["rounds"][:-1]), "does not follow from"),
    "a move out of turn": (
        broken(log=[as_dict(whole())["log"][0], {"v": 1, "kind": "challenge", "seat": 0}]),
        "breaks the rules",
    ),
    "a verdict": (otherwise_judged(), "does not follow from its log"),
}


@pytest.mark.parametrize("what", LYING)
def test_a_file_that_does_not_fit_its_own_log_is_refused(what: str) -> None:
    content, said = LYING[what]
    with pytest.raises(FileError, match=said):
        validate(read_bytes(content))


def test_a_file_may_omit_derived_data_and_mark_unknown_data() -> None:
    found = read_bytes(broken(rounds=None, remark="a fine evening"))
    assert found.claimed is None
    assert validate(found) == whole()


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
    shown = seated_from((101, nameless(3)), {101: TypedText("Ann")})
    assert shown == (Seated("Ann"), Seated("Former player 3"))


# -- checking --------------------------------------------------------------------------------------


def wrong(match: PlayedMatch, claimed: list[object] | None = None) -> list[Finding]:
    """What is found that is not as it should be."""
    found = MatchFile(match, tuple(claimed) if claimed is not None else None)
    return [one for one in check(found) if not one.well]


@pytest.mark.parametrize("game", VARIANTS)
def test_an_unchanged_match_passes_all_checks(game: str) -> None:
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
    (found,) = wrong(replace(match, seeds={**match.seeds, 3: seed_from("another")}))
    assert (found.round, found.text) == (3, "The seed does not have the seal that was shown.")


def test_an_exchanged_seed_with_its_seal_is_found_by_the_cards() -> None:
    match, seed = whole(), seed_from("exchanged")
    forged = other_deal(match, 0, lambda deal: replace(deal, commitment=commitment(seed)))
    (found,) = wrong(replace(forged, seeds={**match.seeds, 1: seed}))
    assert found.round == 1
    assert "as the sealed seed says" in found.text


def test_the_first_opener_follows_from_the_seed_too() -> None:
    match = whole()
    deal = match.deals[0]
    other = replace(deal, drawn=(deal.drawn + 1) % 3)
    assert any(
        "the opener not drawn" in one.text
        or one.text.startswith("Action")  # what followed was another seat's turn
        for one in wrong(other_deal(match, 0, lambda _: other))
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


def test_a_false_verdict_is_found_in_its_round() -> None:
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
def test_every_other_false_statement_of_a_file_is_named(key: str, value: object, said: str) -> None:
    match = whole()
    rounds = as_dict(match)["rounds"]
    rounds[0][key] = value
    (found,) = wrong(match, rounds)
    assert (found.round, found.text) == (1, f"The file tells {said} otherwise than its log.")


def test_missing_or_unreadable_rounds_and_a_false_winner_are_found() -> None:
    match = whole()
    rounds = as_dict(match)["rounds"]
    (fewer,) = wrong(match, rounds[:-1])
    assert fewer.round is None
    (unreadable,) = wrong(match, [7, *rounds[1:]])
    assert unreadable.text == "What the file says of this round cannot be read."
    (found,) = wrong(replace(match, won=False))
    assert found.text.startswith("The match is not as it says")


def test_every_judgement_agrees_with_a_judge_that_does_not_use_the_engine() -> None:
    match = whole("liars_poker", 4, "judged apart")
    said = {one.round: one.text for one in check(MatchFile(match)) if "By the rules" in one.text}
    for state in match.states():
        current = state.round
        if current is not None and current.judgement is not None:
            made = current.judgement.standing
            held = holds(made.bid.key, [str(card) for card in current.pool])
            assert ("By the rules it holds" in said[current.number]) is held
