"""What is remembered of late, and what is forgotten for it."""

from __future__ import annotations

from bot.recent import Recent


def test_what_was_used_longest_ago_is_forgotten_first() -> None:
    remembered = Recent[str, int](2)
    remembered["one"], remembered["two"] = 1, 2
    assert remembered["one"] == 1  # so that it is the newest
    remembered["three"] = 3
    assert dict(remembered.items()) == {"one": 1, "three": 3}
    remembered["one"] = 4
    remembered["five"] = 5
    assert list(remembered) == ["one", "five"]


def test_to_look_without_taking_is_no_use() -> None:
    remembered = Recent[str, int](1)
    remembered["one"] = 1
    assert remembered.get("one") == 1
    assert "two" not in remembered
    assert remembered.pop("one") == 1
    assert remembered.get("one") is None
