"""Kernels run from object files without numba, and by numba wherever that doesn't work."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.odds import kernel_folders, machine_code
from engine.odds.compiling import njit
from engine.odds.machine_code import Kernel, Unsupported, compile_kernel, kind_of, without_runtime

ROOT = Path(__file__).parents[3]
HERE = "tests.engine.odds.test_machine_code"


@njit()
def add_all(numbers, pair, half, weight):
    """Return (the sum of `numbers` and of `pair`, twice `weight`, half of `pair[1]`, `half`)."""
    some = numbers.copy()
    total = np.int64(0)
    for number in some:
        total += number
    row, count = pair
    for number in row[0]:
        total += np.int64(number)
    return total + count, np.uint64(weight * np.uint64(2)), count / 2, half


@njit()
def add_one(numbers):
    """Add 1 to each number; return nothing."""
    for place in range(numbers.shape[0]):
        numbers[place] += 1


@njit()
def fail(number):
    """Raise ValueError if `number` is 0; otherwise return it."""
    if number == 0:
        raise ValueError
    return number


@njit()
def fold(numbers):
    """Return the numbers as an array of two rows, a result that object files don't support."""
    return numbers.reshape(2, -1)


@njit()
def largest(numbers):
    """Return the largest number; numba's own way to find it needs numba's runtime."""
    return numbers.max()


@pytest.fixture(name="folder")
def _folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Store this module's object files below `tmp_path`, and yield that folder."""
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    kernel_folders.kernel_folder.cache_clear()
    yield tmp_path
    kernel_folders.kernel_folder.cache_clear()


def arguments() -> tuple[Any, ...]:
    row = np.arange(6, dtype=np.uint8).reshape(2, 3)
    return np.arange(5), (row, 7), True, np.uint64(1 << 63)


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("kernels-*/*.o"))


def forbid_compiling(*_: object) -> Any:
    raise AssertionError("compiled again")


def test_a_stored_kernel_gives_what_numba_gives(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = add_all(*arguments())
    first = Kernel(HERE, "add_all")
    assert first(*arguments()) == first(*arguments()) == expected == (20, 0, 3.5, True)
    assert len(files(folder)) == 1
    monkeypatch.setattr(machine_code, "compile_kernel", forbid_compiling)
    again = Kernel(HERE, "add_all")
    assert again(*arguments()) == expected
    assert [type(part) for part in again(*arguments())] == [int, int, float, bool]


def test_a_kernel_changes_its_arrays_and_may_return_nothing_or_one_number(folder: Path) -> None:
    numbers = np.arange(4)
    assert Kernel(HERE, "add_one")(numbers) is None
    assert numbers.tolist() == [1, 2, 3, 4]
    assert Kernel(HERE, "fail")(-5) == -5
    assert len(files(folder)) == 2


def test_each_kind_of_argument_has_a_file_of_its_own(folder: Path) -> None:
    for numbers in (np.arange(4), np.arange(4, dtype=np.int32), np.arange(5)):
        kernel = Kernel(HERE, "add_one")
        assert kernel(numbers) is None
    assert len(files(folder)) == 2
    kinds = kind_of((np.zeros((2, 3), np.uint8), 1, (True, np.uint64(2))))
    assert kinds == ("array u1 2", "int", ("bool", "uint64"))


@pytest.mark.parametrize("damage", [b"", b"cut", b"0" * 64 + b"\ni\n\nno code"])
def test_a_damaged_file_is_compiled_again(
    folder: Path, damage: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Kernel(HERE, "fail")(3) == 3
    (file,) = files(folder)
    file.write_bytes(damage)
    assert Kernel(HERE, "fail")(4) == 4
    monkeypatch.setattr(machine_code, "compile_kernel", forbid_compiling)
    assert Kernel(HERE, "fail")(5) == 5


def test_a_failing_kernel_is_an_error_that_says_so(folder: Path) -> None:
    kernel = Kernel(HERE, "fail")
    with pytest.raises(RuntimeError, match="a kernel failed"):
        kernel(0)
    assert kernel(3) == 3
    assert files(folder)


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("fold", np.arange(4)),  # its result
        ("add_one", np.arange(8)[::2]),  # an array with gaps
        ("add_one", np.zeros(2, "datetime64[s]").view("i8").astype(np.int16)),  # a type
        ("fail", np.float32(2)),
    ],
)
def test_numba_runs_what_no_object_file_is_for(folder: Path, name: str, numbers: Any) -> None:
    plain = numbers.copy()
    expected = getattr(sys.modules[HERE], name)(plain)
    result = Kernel(HERE, name)(numbers)
    assert np.array_equal(np.asarray(result), np.asarray(expected))
    assert np.array_equal(numbers, plain)
    assert not files(folder)


@pytest.mark.thorough
def test_numba_runs_kernels_that_need_more_of_its_runtime(folder: Path) -> None:
    assert Kernel(HERE, "largest")(np.arange(7)[::-1].copy()) == 6
    assert not files(folder)


def test_other_versions_of_numba_run_kernels_themselves(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_code, "TESTED", ((0, 1),))
    assert Kernel(HERE, "fail")(3) == 3
    assert not files(folder)


def test_the_version_of_numba_that_is_installed_is_tested() -> None:
    import numba

    assert numba.version_info.short in machine_code.TESTED


def test_code_for_any_processor_is_kept_apart(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, features in (("", None), ("generic", None), ("generic", "+sse4.2")):
        monkeypatch.setenv("NUMBA_CPU_NAME", name)
        if features is not None:
            monkeypatch.setenv("NUMBA_CPU_FEATURES", features)
        machine_code._processor.cache_clear()
        assert Kernel(HERE, "fail")(3) == 3
    machine_code._processor.cache_clear()
    assert len(files(folder)) == 3


def test_without_compiling_the_python_function_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert Kernel(HERE, "fail")(3) == 3
    assert not files(folder)


def test_numba_runs_kernels_for_which_a_function_is_missing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_code, "_CALLED_ANYHOW", {"no_such_function"})
    assert Kernel(HERE, "fail")(3) == 3


def test_an_array_without_data_may_be_of_any_size_and_read_only(folder: Path) -> None:
    numbers = np.zeros(0, np.int64)
    numbers.flags.writeable = False
    assert Kernel(HERE, "add_one")(numbers) is None
    assert files(folder)


def test_a_file_that_cannot_be_written_is_left_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError

    monkeypatch.setattr(Path, "write_bytes", refuse)
    assert Kernel(HERE, "fail")(3) == 3
    assert not files(folder)


def test_a_plain_function_is_no_kernel() -> None:
    with pytest.raises(Unsupported):
        compile_kernel(arguments, ())


def test_functions_of_numbas_runtime_are_replaced_and_unknown_ones_refused() -> None:
    assert "alloc_aligned(i64 %size, i32 16)" in without_runtime(
        "declare noalias ptr @NRT_MemInfo_alloc(i64) #2"
    )
    text = "@PyExc_ValueError = external global ptr\ndeclare void @numba_do_raise(ptr) #1\n"
    replaced = without_runtime(text)
    assert "@bluffhouse_PyExc_ValueError = internal global ptr null" in replaced
    assert "define internal void @bluffhouse_numba_do_raise(ptr)" in replaced
    for unknown in ("declare ptr @NRT_Reallocate(ptr)", "declare <2 x i64> @numba_unpickle(ptr)"):
        with pytest.raises(Unsupported):
            without_runtime(unknown)


def test_an_answer_with_stored_kernels_loads_no_numba() -> None:
    """Ask two times in new processes; the first stores the kernels if they aren't stored yet."""
    question = (
        "import sys; from engine.odds import parse_question, showdown_odds;"
        "odds = showdown_odds(parse_question('AhKd vs QcQs, board 9c 8d 7s, river is a heart'));"
        "print(odds.deals, 'numba' in sys.modules)"
    )
    first, second = (
        subprocess.run(
            [sys.executable, "-c", question], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(2)
    )
    assert second == [first[0], "False"]
