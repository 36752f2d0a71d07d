"""Object files that LLVM writes are loaded and run without it, or left to it."""

from __future__ import annotations

import ctypes
import platform
import sys

import pytest

from engine.odds import object_file
from engine.odds.object_file import load_object

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="other files are for LLVM"
)
CODE = """
@table = internal constant [4 x i64] [i64 3, i64 1, i64 4, i64 15], align 32
@places = internal constant [2 x ptr] [
    ptr getelementptr (i8, ptr @table, i64 16), ptr getelementptr (i8, ptr @table, i64 24)]
@calls = global i64 0
@total = common global i64 0, align 16
@pair = common global [2 x i8] zeroinitializer, align 1
declare i64 @labs(i64)

define i64 @run(i64 %place, i64 %number) {
  %positive = call i64 @labs(i64 %number)
  %held = getelementptr [2 x ptr], ptr @places, i64 0, i64 %place
  %at = load ptr, ptr %held
  %value = load i64, ptr %at
  %sum = add i64 %positive, %value
  %calls = load i64, ptr @calls
  %more = add i64 %calls, 1
  store i64 %more, ptr @calls
  %before = load i64, ptr @total
  %after = add i64 %before, %sum
  store i64 %after, ptr @total
  ret i64 %sum
}
"""


def compile_code(code: str = CODE, model: str = "jitdefault") -> bytes:
    """Return an object file of LLVM code, with a model of addresses."""
    from llvmlite import binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(
        reloc="static", codemodel=model, jit=model == "jitdefault"
    )
    return bytes(machine.emit_object(llvm.parse_assembly(code)))


def address_of(name: str) -> int | None:
    function = getattr(ctypes.CDLL(None), name, None)
    return None if function is None else ctypes.cast(function, ctypes.c_void_p).value


def test_code_finds_its_tables_its_variables_and_functions_of_c() -> None:
    loaded = load_object(compile_code(), address_of)
    assert loaded is not None
    run = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(loaded.addresses["run"])
    assert [run(0, -5), run(1, 5), run(1, -1)] == [9, 20, 16]
    calls, total = (loaded.addresses[name] for name in ("calls", "total"))
    assert ctypes.c_int64.from_address(calls).value == 3
    assert ctypes.c_int64.from_address(total).value == 45
    assert total % 16 == 0


def test_each_load_has_variables_of_its_own() -> None:
    code = compile_code()
    first, second = load_object(code, address_of), load_object(code, address_of)
    assert first is not None
    assert second is not None
    assert first.addresses["calls"] != second.addresses["calls"]


def test_code_that_calls_an_unknown_function_is_left_to_llvm() -> None:
    assert load_object(compile_code(CODE.replace("@labs", "@no_such_function")), address_of) is None


def test_code_with_short_addresses_is_left_to_llvm() -> None:
    assert load_object(compile_code(model="small"), address_of) is None


@pytest.mark.parametrize(("place", "byte"), [(0, 0), (4, 1), (16, 3), (18, 183)])
def test_files_of_other_formats_and_processors_are_left_to_llvm(place: int, byte: int) -> None:
    code = bytearray(compile_code())
    code[place] = byte
    assert load_object(bytes(code), address_of) is None
    assert load_object(bytes(code[:40]), address_of) is None


def test_other_systems_are_left_to_llvm(monkeypatch: pytest.MonkeyPatch) -> None:
    code = compile_code()
    monkeypatch.setattr(sys, "platform", "darwin")
    assert load_object(code, address_of) is None


def test_llvm_gets_the_code_if_the_system_forbids_running_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(object_file, "_allow_running", lambda *_: False)
    assert load_object(compile_code(), address_of) is None
