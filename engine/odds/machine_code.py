"""Keep kernels as object files, and call them without loading numba.

Loading numba takes a third of a second, llvmlite alone a tenth of that. So the first call of a
kernel compiles it with numba, for the types of its arguments, and stores the machine code in the
kernel's folder. Later calls load this code with llvmlite. Numba itself runs the kernel if numba's
version isn't in `TESTED`, if no folder is writable, or if the arguments or the code aren't
supported.

The code calls functions of numba's runtime, which isn't loaded. `_RUNTIME` replaces those that
allocate arrays, with the same layout. A call of an error function (`_ERRORS`) makes `Kernel` raise
RuntimeError; kernels raise no errors themselves.
"""

from __future__ import annotations

import ctypes
import os
import re
import struct
from collections.abc import Callable, Hashable
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.odds import kernel_folders
from engine.odds.loading import LOADED, np
from engine.patterns import compile_later

if TYPE_CHECKING:
    from llvmlite.binding import ExecutionEngine, ModuleRef, TargetMachine

# LLVM makes calls of these out of plain loops and assignments
_CALLED_ANYHOW: Final = {"memcpy", "memmove", "memset"}
# versions of numba, as (major, minor), whose arrays have the layout that `_RUNTIME` makes
TESTED: Final = ((0, 68),)
_WORD: Final = 8  # bytes of a pointer
_ENTRY: Final = "bluffhouse_kernel"
_FAILED: Final = "bluffhouse_failed"
_OURS: Final = "bluffhouse_"
# functions and variables of numba and Python
_OUTSIDE: Final = compile_later(r"@((?:NRT_|numba_|_?Py)\w*)")
# those among them that only errors need
_ERRORS: Final = compile_later(
    r"_?Py\w+|numba_(gil_\w+|unpickle|do_raise|runtime_build_excinfo_struct)"
)
_DECLARED: Final = compile_later(
    rf"^declare (?P<before>[^@\n]*)@{_OURS}(?P<name>\w+)(?P<parameters>\(.*\)).*$", re.MULTILINE
)
_VARIABLE: Final = compile_later(rf"^(@{_OURS}\w+) = .*\bexternal\b.*$", re.MULTILINE)
_RETURNED: Final = compile_later(r"(void|ptr|i\d+|double) $")

# An array that a kernel makes is described by six words, followed by its data: a reference count, a
# destructor with its argument, the address of the data, its size, and an allocator.
_RUNTIME: Final = {
    "NRT_Allocate": """
define internal ptr @bluffhouse_NRT_Allocate(i64 %size) {
  %place = call ptr @malloc(i64 %size)
  ret ptr %place
}""",
    "NRT_Free": """
define internal void @bluffhouse_NRT_Free(ptr %place) {
  call void @free(ptr %place)
  ret void
}""",
    "NRT_MemInfo_alloc": """
define internal noalias ptr @bluffhouse_NRT_MemInfo_alloc(i64 %size) {
  %info = call ptr @bluffhouse_NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  ret ptr %info
}""",
    "NRT_MemInfo_alloc_aligned": """
define internal noalias ptr @bluffhouse_NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %wide = zext i32 %align to i64
  %extra = add i64 %wide, 48
  %total = add i64 %size, %extra
  %info = call ptr @malloc(i64 %total)
  %missing = icmp eq ptr %info, null
  br i1 %missing, label %end, label %fill
fill:
  call void @llvm.memset.p0.i64(ptr %info, i8 0, i64 48, i1 false)
  store i64 1, ptr %info
  %place = ptrtoint ptr %info to i64
  %after = add i64 %place, %extra
  %mask = sub i64 0, %wide
  %aligned = and i64 %after, %mask
  %data = inttoptr i64 %aligned to ptr
  %data_field = getelementptr i8, ptr %info, i64 24
  store ptr %data, ptr %data_field
  %size_field = getelementptr i8, ptr %info, i64 32
  store i64 %size, ptr %size_field
  br label %end
end:
  ret ptr %info
}""",
    "NRT_MemInfo_call_dtor": """
define internal void @bluffhouse_NRT_MemInfo_call_dtor(ptr %info) {
  call void @free(ptr %info)
  ret void
}""",
}
_LIBRARY: Final = {
    "malloc": "declare ptr @malloc(i64)",
    "free": "declare void @free(ptr)",
    "llvm.memset.p0.i64": "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
}

Run = Callable[..., Any]
Kind = str | tuple["Kind", ...]


class Unsupported(Exception):
    """Machine code can't be kept for a kernel or its arguments, so numba must run the kernel."""


class Kernel:
    """A kernel of a module that is imported only if no machine code is stored."""

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name
        self._runs: dict[tuple[Kind, ...], Run] = {}
        self._latest: dict[Hashable, Run] = {}  # the same by `_key_of`, which is quicker
        self._preparing = Lock()

    @property
    def is_ready(self) -> bool:
        """Whether compiled code is loaded already, or this kernel's machine code is stored.

        The machine code may be for other arguments.
        """
        folder = None if LOADED else self._folder()
        return bool(LOADED) or (folder is not None and any(folder.glob(f"{self._name}-*.o")))

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel and return its result.

        Raises RuntimeError if the kernel fails, which no kernel does.
        """
        key = _key_of(arguments)
        run = self._latest.get(key)
        if run is None:
            kinds = tuple(map(kind_of, arguments))
            with self._preparing:
                run = self._runs.get(kinds) or self._prepare(kinds)
                self._runs[kinds] = self._latest[key] = run
        return run(*arguments)

    def _prepare(self, kinds: tuple[Kind, ...]) -> Run:
        folder = self._folder()
        if folder is None or struct.calcsize("P") != _WORD:
            return self._by_numba()
        key = sha256(repr((self._module, kinds, *_processor())).encode()).hexdigest()[:16]
        file = folder / f"{self._name}-{key}.o"
        code = _read(file)
        try:
            if code is None:
                code = compile_kernel(self._by_numba(), kinds)
                _write(file, code)
            return Linked(code)
        except Unsupported:
            return self._by_numba()

    def _folder(self) -> Path | None:
        source = kernel_folders.ENGINE.parent.joinpath(*self._module.split("."))
        return kernel_folders.folder_for(source.with_suffix(".py"))

    def _by_numba(self) -> Run:
        run: Run = getattr(import_module(self._module), self._name)
        return run


class MachineCode(NamedTuple):
    """The machine code of one kernel, for arguments of certain kinds.

    `results` describes what the kernel returns: a letter for a number ("i", "u", "b" or "f"), or
    several in brackets for a tuple; "" for None. `needs` are the functions of C's library that the
    code calls.
    """

    results: str
    needs: tuple[str, ...]
    code: bytes


class Linked:
    """Linked machine code, called with arguments of the kinds that it was compiled for."""

    def __init__(self, code: MachineCode) -> None:
        """Link the code. Raises `Unsupported` if this process lacks a function it calls."""
        self._results = code.results
        self._engine = _link(code)  # keeps the code in memory
        LOADED.add("kernels")
        address = self._engine.get_function_address(_ENTRY)
        self._run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(address)
        failed = self._engine.get_global_value_address(_FAILED)
        self._failed = ctypes.c_int8.from_address(failed)

    def __call__(self, *arguments: Any) -> Any:
        """Run the code and return the kernel's result. Raises RuntimeError if the kernel fails."""
        words: list[int] = []
        _add_words(arguments, words)
        room = max(len(words), len(self._results))
        packed = (ctypes.c_int64 * room)(*words)  # keeps the lowest 64 bits of each number
        self._run(packed, packed)
        if self._failed.value:
            self._failed.value = 0  # the next call may succeed
            raise RuntimeError("a kernel failed")
        letters = self._results.strip("()")
        numbers = [_number(letter, packed, place) for place, letter in enumerate(letters)]
        if self._results.startswith("("):
            return tuple(numbers)
        return numbers[0] if numbers else None


def kind_of(argument: Any) -> Kind:
    """Return what kind of argument the code is compiled for.

    A number's kind is its type. An array's kind has its item type, its number of dimensions,
    and whether it is contiguous and aligned. A tuple's kind is the tuple of its items' kinds.
    """
    if type(argument) is tuple:
        return tuple(map(kind_of, argument))
    if type(argument) is np.ndarray:
        layout = "" if argument.flags.c_contiguous and argument.flags.aligned else " apart"
        return f"array {argument.dtype.str[1:]} {argument.ndim}{layout}"
    return type(argument).__name__


def compile_kernel(kernel: Any, kinds: tuple[Kind, ...]) -> MachineCode:
    """Compile a kernel of numba's for arguments of these kinds. Raises `Unsupported`."""
    import numba
    import numpy
    from llvmlite import binding as llvm
    from numba import types

    from engine.odds.compiling import as_pointer

    if numba.version_info.short not in TESTED or not hasattr(kernel, "overloads"):
        raise Unsupported
    count = 0

    def unpack(kind: Kind) -> tuple[Any, str]:
        """Return an argument's type, and an expression for it in the wrapper."""
        nonlocal count
        if isinstance(kind, tuple):
            items = [unpack(item) for item in kind]
            inside = "".join(f"{expression}, " for _, expression in items)
            item_types = types.Tuple(tuple(item for item, _ in items))  # type: ignore[no-untyped-call]
            return item_types, f"({inside})"
        word = f"words[{count}]"
        count += 1
        if kind.startswith("array "):
            _, scalar, dimensions = kind.split(" ", 2)
            if not dimensions.isdecimal() or scalar not in _SCALARS:
                raise Unsupported
            shape = "".join(f"words[{count + at}], " for at in range(int(dimensions)))
            count += int(dimensions)
            dtype = numba.from_dtype(numpy.dtype(scalar))
            array = f"carray(as_pointer({word}), ({shape}), numpy.{_SCALARS[scalar]})"
            return types.Array(dtype, int(dimensions), "C"), array
        if kind not in _NUMBERS:
            raise Unsupported
        return getattr(types, _NUMBERS[kind][0]), _NUMBERS[kind][1].format(word)

    unpacked = [unpack(kind) for kind in kinds]
    signature = tuple(numba_type for numba_type, _ in unpacked)
    kernel.compile(signature)
    results = _results_of(kernel.overloads[signature].signature.return_type)
    lines = [f"result = kernel({', '.join(expression for _, expression in unpacked)})"]
    for place, letter in enumerate(results.strip("()")):
        array = "floats" if letter == "f" else "words"
        item = f"result[{place}]" if results.startswith("(") else "result"
        lines.append(f"{array}[{place}] = {item}")
    room = max(count, len(results), 1)
    source = f"def wrapper(at, same):\n    words = carray(at, {room})\n"
    source += f"    floats = carray(same, {room})\n" + "".join(f"    {line}\n" for line in lines)
    names = {
        "kernel": kernel,
        "carray": vars(numba)["carray"],
        "as_pointer": as_pointer,
        "numpy": numpy,
    }
    exec(source, names)  # built from the kinds above alone
    pointers = [types.CPointer(item) for item in (types.int64, types.float64)]  # type: ignore[no-untyped-call]
    wrapper = numba.cfunc(types.void(*pointers))(names["wrapper"])
    text = wrapper.inspect_llvm().replace(f'"{wrapper.native_name}"', wrapper.native_name)
    module = llvm.parse_assembly(without_runtime(text.replace(wrapper.native_name, _ENTRY)))
    module.verify()
    called = {function.name for function in module.functions if function.is_declaration}
    needs = {name for name in called if not name.startswith("llvm.")} | _CALLED_ANYHOW
    return MachineCode(results, tuple(sorted(needs)), _machine().emit_object(module))


# by numpy's codes, the names of the types of arrays
_SCALARS: Final = {
    "u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64",
    "i4": "int32", "i8": "int64", "f4": "float32", "f8": "float64", "b1": "bool_",
}  # fmt: skip
# by Python's names, numba's type of a number, and how it is made from a word
_NUMBERS: Final = {
    "bool": ("boolean", "({} != 0)"),
    "int": ("int64", "{}"),
    "int64": ("int64", "{}"),
    "uint64": ("uint64", "numpy.uint64({})"),
}


def _results_of(returned: Any) -> str:
    from numba import types

    if isinstance(returned, types.UniTuple | types.Tuple):
        return f"({''.join(_letter(item) for item in returned)})"
    return "" if returned is types.none else _letter(returned)


def _letter(number: Any) -> str:
    """Return the letter for one of numba's types. Raises `Unsupported` if it has none."""
    from numba import types

    letters = {
        types.boolean: "b", types.int64: "i", types.uint64: "u", types.float64: "f"
    }  # fmt: skip
    if number not in letters:
        raise Unsupported
    return letters[number]


def without_runtime(text: str) -> str:
    """Return a module's LLVM code with functions of our own in place of numba's and Python's.

    Raises `Unsupported` if the module needs a function that we don't replace.
    """
    text = _VARIABLE.sub(r"\1 = internal global ptr null", _OUTSIDE.sub(rf"@{_OURS}\1", text))
    runtime: set[str] = set()

    def define(declared: re.Match[str]) -> str:
        name, returned = declared["name"], _RETURNED.search(declared["before"])
        if name in _RUNTIME:
            runtime.add(name)
            return ""
        if not _ERRORS.fullmatch(name) or returned is None:
            raise Unsupported
        result = {"void": "void", "ptr": "ptr null", "double": "double 0.0"}
        value = result.get(returned[1], f"{returned[1]} 0")
        return (
            f"define internal {returned[1]} @{_OURS}{name}{declared['parameters']} {{\n"
            f"  store i8 1, ptr @{_FAILED}\n  ret {value}\n}}"
        )

    text = _DECLARED.sub(define, text)
    if "NRT_MemInfo_alloc" in runtime:
        runtime.add("NRT_MemInfo_alloc_aligned")
    library = [line for name, line in _LIBRARY.items() if f" @{name}(" not in text]
    added = [f"@{_FAILED} = global i8 0", *library, *(_RUNTIME[name] for name in sorted(runtime))]
    return "\n".join([text, *added, ""])


def _number(letter: str, packed: Any, place: int) -> int | float | bool:
    word: int = packed[place]
    if letter == "f":
        number: float = struct.unpack("d", struct.pack("q", word))[0]
        return number
    if letter == "b":
        return bool(word)
    return word % (1 << 64) if letter == "u" else word


def _key_of(arguments: tuple[Any, ...]) -> Hashable:
    """Return a key that differs for arguments of different kinds."""
    array = np.ndarray
    return tuple([
        (item.dtype.num, item.ndim, item.flags.num) if type(item) is array
        else _key_of(item) if type(item) is tuple
        else type(item)
        for item in arguments
    ])  # fmt: skip


def _add_words(arguments: tuple[Any, ...], words: list[int]) -> None:
    array = np.ndarray
    for item in arguments:
        if type(item) is array:
            try:
                place = ctypes.addressof(ctypes.c_char.from_buffer(item))  # type: ignore[arg-type]
            except (TypeError, ValueError):  # read-only, or empty
                # for every array, this would take three times longer
                place = item.__array_interface__["data"][0]
            words += place, *item.shape
        elif type(item) is tuple:
            _add_words(item, words)
        else:
            words.append(int(item))


@cache
def _processor() -> tuple[str, str, str]:
    """Return the processor's name and features, and llvmlite's version.

    NUMBA_CPU_NAME and NUMBA_CPU_FEATURES replace the machine's own, as they do for numba.
    """
    import llvmlite
    from llvmlite import binding as llvm

    name = os.environ.get("NUMBA_CPU_NAME") or llvm.get_host_cpu_name()
    features = os.environ.get("NUMBA_CPU_FEATURES")
    if features is None:
        features = "" if name == "generic" else llvm.get_host_cpu_features().flatten()
    return name, features, llvmlite.__version__


def _machine() -> TargetMachine:
    from llvmlite import binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    name, features, _ = _processor()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=name, features=features, opt=3, reloc="static", codemodel="jitdefault"
    )


def _link(code: MachineCode) -> ExecutionEngine:
    from llvmlite import binding as llvm

    try:
        library = ctypes.CDLL(None)
        for name in code.needs:  # LLVM ends the process if it misses one
            function = ctypes.cast(getattr(library, name), ctypes.c_void_p)
            llvm.add_symbol(name, function.value)
    except (AttributeError, TypeError) as error:  # TypeError: on Windows, there is no such library
        raise Unsupported from error
    machine = _machine()
    empty: ModuleRef = llvm.parse_assembly("")
    empty.triple = machine.triple
    engine = llvm.create_mcjit_compiler(empty, machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code.code))
    engine.finalize_object()
    return engine


def _read(file: Path) -> MachineCode | None:
    """Return the machine code in a file; None if it is missing or damaged."""
    try:
        digest, _, content = file.read_bytes().partition(b"\n")
    except OSError:
        return None
    if sha256(content).hexdigest().encode() != digest:
        return None
    results, needs, code = content.split(b"\n", 2)
    return MachineCode(results.decode(), tuple(needs.decode().split()), code)


def _write(file: Path, code: MachineCode) -> None:
    """Store machine code, if possible."""
    content = f"{code.results}\n{' '.join(code.needs)}\n".encode() + code.code
    kernel_folders.write_whole(file, sha256(content).hexdigest().encode() + b"\n" + content)
