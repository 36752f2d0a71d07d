"""Every mutant still applies and has catchers that exist; the quick ones are caught."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sabotage import bench

WANTED = {
    "answer_before_commit", "interaction_not_unique", "last_action_dropped_at_a_start",
    "commits_are_not_synced", "letters_to_the_next_seat_after_a_start", "a_third_is_not_resumed",
    "cards_in_the_log", "unsent_letters_stay_unsent", "seed_reversed", "stale_nonce",
    "wrong_seat_in_autocomplete", "letters_noted_before_they_are_sent",
}  # fmt: skip


def test_what_must_be_caught_is_there() -> None:
    assert {mutant.name for mutant in bench.all_mutants()} >= WANTED


def test_every_mutant_applies_and_its_catchers_exist(tmp_path: Path) -> None:
    for mutant in bench.all_mutants():
        for change in mutant.changes:
            broken = tmp_path / mutant.name / change.file
            broken.parent.mkdir(parents=True, exist_ok=True)
            if not broken.exists():
                broken.write_text((bench.ROOT / change.file).read_text())
        bench.apply(mutant, tmp_path / mutant.name)
        for change in mutant.changes:
            compile((tmp_path / mutant.name / change.file).read_text(), change.file, "exec")
        for catcher in mutant.catchers:
            if catcher.kind != "pytest":
                continue
            for node in catcher.arguments:
                file, *names = node.split("::")
                written = (bench.ROOT / file).read_text()
                for name in names:
                    test = name.partition("[")[0]
                    assert re.search(rf"def {test}\(", written), f"{mutant.name}: {node}"


def test_a_mutant_that_does_not_apply_any_more_is_reported(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("def a():\n    return 1\n\ndef b():\n    return 1\n")
    for within, why in (("b", "0 times in b"), ("c", "there is no c"), ("", "0 times in the file")):
        change = bench.Change("x.py", "    return 2\n", "    return 3\n", within)
        mutant = bench.Mutant("odd", "", (), "", (change,), quick=False)
        with pytest.raises(bench.Unfit, match=f"odd does not apply any more: x.py: .*{why}"):
            bench.apply(mutant, tmp_path)
    in_both = bench.Change("x.py", "    return 1\n", "    return 3\n")
    with pytest.raises(ValueError, match="2 times"):
        in_both.apply_to((tmp_path / "x.py").read_text())
    in_one = bench.Change("x.py", "    return 1\n", "    return 3\n", "b")
    assert in_one.apply_to((tmp_path / "x.py").read_text()).endswith("def b():\n    return 3\n")


def test_only_the_failure_of_the_named_test_is_evidence() -> None:
    catcher = bench.Catcher("pytest", ("tests/test_x.py::test_y",))
    assert catcher.evidence("FAILED tests/test_x.py::test_z - assert 1\nE   assert 1 == 2") == ""
    assert catcher.evidence("an internal error: assert 1 == 2") == ""
    evidence = catcher.evidence("E   assert 1 == 2\nFAILED tests/test_x.py::test_y - assert 1")
    assert evidence == "E   assert 1 == 2"
    assert bench.Catcher("sessions", ("--seed", "1")).evidence("x\nseed 3: lost") == "seed 3: lost"
    counted = "WRONG  1 letters to the wrong person (letters)\n           one never came"
    output = f"2 kills in 9 s\n{counted}\n       0 files that SQLite finds damaged"
    assert bench.Catcher("crash", ("--seed", "1")).evidence(output) == counted


@pytest.mark.long
def test_quick_mutants_are_caught_for_the_right_reason() -> None:
    command = [sys.executable, "-m", "tests.sabotage", "--quick", "--trust"]
    ran = subprocess.run(command, cwd=bench.ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
