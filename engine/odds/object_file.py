"""Load an object file into memory, ready to run, without LLVM.

Importing llvmlite and linking with it takes longer than counting most questions. Object files of
kernels need little: their code reaches all data and functions through 64-bit addresses, which are
filled in here. That is so on Linux with x86-64; other files are left to LLVM.

The numbers are those of the System V ABI: ELF-64, and its AMD64 supplement.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from collections.abc import Callable, Iterator
from struct import Struct
from typing import Final, NamedTuple

_HEADER: Final = Struct("<6s10xHH20xQ10xHHH")
_LITTLE_64: Final = b"\x7fELF\x02\x01"  # of words of 64 bits, lowest byte first
_RELOCATABLE: Final = 1
_X86_64: Final = 62
_SECTION: Final = Struct("<4xIQ8xQQIIQ8x")
_DATA, _SYMBOLS, _RELOCATIONS, _ZEROS = 1, 2, 4, 8  # types of sections
_IN_MEMORY, _EXECUTABLE = 2, 4  # flags of sections
_SYMBOL: Final = Struct("<I2xHQQ")
_ELSEWHERE: Final = 0  # the section of a symbol that the file lacks
_COMMON: Final = 0xFFF2  # that of zeros without a section; the symbol's value is their alignment
_RELOCATION: Final = Struct("<QIIq")
_ADDRESS: Final = 1  # a relocation to the address of a symbol, in 64 bits
_WORD: Final = Struct("<Q")


class _Section(NamedTuple):
    type: int
    flags: int
    offset: int
    size: int
    link: int
    info: int
    align: int

    @property
    def is_loaded(self) -> bool:
        """Whether the section is needed to run: not the tables for unwinding, for example."""
        return bool(self.flags & _IN_MEMORY) and self.type in (_DATA, _ZEROS)


class _Symbol(NamedTuple):
    name: str
    section: int
    value: int
    size: int


class LoadedObject:
    """An object file in memory, and the addresses of its symbols; it stays while this exists."""

    def __init__(self, memory: mmap.mmap, addresses: dict[str, int]) -> None:
        self._memory = memory
        self.addresses = addresses


def load_object(code: bytes, address_of: Callable[[str], int | None]) -> LoadedObject | None:
    """Load the content of an object file; return None if only LLVM can.

    `address_of` returns the address of a function that the code calls and the file lacks, or None.
    """
    if sys.platform != "linux" or len(code) < _HEADER.size:
        return None
    magic, kind, processor, table, _, count, _ = _HEADER.unpack_from(code)
    if (magic, kind, processor) != (_LITTLE_64, _RELOCATABLE, _X86_64):
        return None
    content = memoryview(code)
    sections = [
        _Section(*_SECTION.unpack_from(code, table + number * _SECTION.size))
        for number in range(count)
    ]
    places, executable, end = _places(sections)
    symbols = [*_symbols(code, sections)]
    offsets: dict[int, int] = {}
    for number, symbol in enumerate(symbols):
        if symbol.section in places:
            offsets[number] = places[symbol.section] + symbol.value
        elif symbol.section == _COMMON:
            offsets[number] = _round_up(end, symbol.value)
            end = offsets[number] + symbol.size
    memory = mmap.mmap(-1, end, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    addresses = {number: base + offset for number, offset in offsets.items()}
    for number, symbol in enumerate(symbols):
        if symbol.section == _ELSEWHERE and symbol.name:
            address = address_of(symbol.name)
            if address is None:
                return None
            addresses[number] = address
    for number, place in places.items():
        section = sections[number]
        if section.type == _DATA:
            memory[place : place + section.size] = _content(content, section)
    for section in sections:
        if section.type == _RELOCATIONS and section.info in places:
            start = places[section.info]
            for offset, way, number, added in _RELOCATION.iter_unpack(_content(content, section)):
                target = addresses.get(number)
                if way != _ADDRESS or target is None:
                    return None
                _WORD.pack_into(memory, start + offset, target + added)
    if not _allow_running(base, executable):
        return None
    return LoadedObject(memory, {symbols[number].name: addresses[number] for number in offsets})


def _symbols(code: bytes, sections: list[_Section]) -> Iterator[_Symbol]:
    for section in sections:
        if section.type == _SYMBOLS:
            names = sections[section.link].offset
            entries = _SYMBOL.iter_unpack(_content(memoryview(code), section))
            for name_at, home, value, size in entries:
                at = names + name_at
                yield _Symbol(code[at : code.index(0, at)].decode(), home, value, size)


def _places(sections: list[_Section]) -> tuple[dict[int, int], int, int]:
    """Return where each section goes, the end of those with code, and the end of all.

    Code is on pages of its own, at the beginning.
    """
    places: dict[int, int] = {}
    end = executable = 0
    for has_code in (True, False):
        for number, section in enumerate(sections):
            if section.is_loaded and bool(section.flags & _EXECUTABLE) == has_code:
                places[number] = _round_up(end, max(section.align, 1))
                end = places[number] + section.size
        end = _round_up(end, mmap.PAGESIZE)
        executable = executable or end
    return places, executable, end


def _round_up(number: int, unit: int) -> int:
    return -(-number // unit) * unit


def _content(code: memoryview, section: _Section) -> memoryview:
    return code[section.offset : section.offset + section.size]


def _allow_running(base: int, size: int) -> bool:
    """Make memory executable instead of writable; return whether the system allows it."""
    protect = ctypes.CDLL(None).mprotect
    protect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    result: int = protect(base, size, mmap.PROT_READ | mmap.PROT_EXEC)
    return result == 0
