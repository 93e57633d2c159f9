"""Loops as machine code: numba makes it once, and llvmlite alone loads it.

Numba's own cache needs numba and NumPy, whose import takes half a second. The machine code of a
loop needs neither: it calls only itself and the C library's mathematics. It takes numbers,
tuples of words and `Block`s of memory, as numba lays out its arguments for compiled callers.
"""

import ctypes
import importlib
import mmap
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from math import prod
from typing import Any

INT, TUPLE = "i", "w"
"""Kinds of arguments that are no blocks."""

WORD, INTEGER, REAL = "Q", "q", "d"
"""Types of a block's items, by the codes of `struct`: unsigned, signed, floating point."""

_ITEM = 8
_LARGE = 1 << 22
_TYPES = {WORD: "uint64", INTEGER: "int64", REAL: "float64"}
_SYMBOLS = ("log", "tanh", "pow")
"""Functions of the C library that loops may call; others make a loop fail to load."""

_POINTER, _INT = ctypes.c_void_p, ctypes.c_int64


class Block:
    """Zeroed memory for a loop: an array of 8-byte items in one or two dimensions.

    `items` is a flat view for Python. Memory takes no room before it is used. With `large_pages`,
    a large block is quicker to read at random, and a little slower to begin.
    """

    __slots__ = ("arguments", "items", "kind", "shape")

    def __init__(self, kind: str, *shape: int, large_pages: bool = True) -> None:
        memory = mmap.mmap(-1, max(1, prod(shape)) * _ITEM, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        if large_pages and len(memory) >= _LARGE and hasattr(mmap, "MADV_HUGEPAGE"):
            # A table is read at random: fewer pages, fewer faults and look-ups of pages.
            with suppress(OSError):
                memory.madvise(mmap.MADV_HUGEPAGE)
        self.kind, self.shape = kind, shape
        view: Any = memoryview(memory)
        self.items: Any = view.cast(kind)
        address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        strides = [_ITEM * prod(shape[place + 1 :]) for place in range(len(shape))]
        # No owner: the machine code borrows the memory, and never frees it.
        self.arguments = (None, None, prod(shape), _ITEM, address, *shape, *strides)

    def row(self, index: int) -> list[Any]:
        """Return a row of a block of two dimensions."""
        width = self.shape[1]
        return list(self.items[index * width : (index + 1) * width])

    def set_row(self, index: int, values: Sequence[Any]) -> None:
        """Write the beginning of a row."""
        at = index * self.shape[1]
        for place, value in enumerate(values):
            self.items[at + place] = value

    def grown(self, rows: int) -> "Block":
        """Return a copy with more rows."""
        other = Block(self.kind, rows, *self.shape[1:], large_pages=False)
        other.items[: prod(self.shape)] = self.items[: prod(self.shape)]
        return other


@dataclass(frozen=True, slots=True)
class MachineCode:
    """A compiled loop: an object file, and the name of the loop in it."""

    symbol: str
    image: bytes


class Loop:
    """A compiled loop; call it with numbers, tuples of words and blocks.

    `kinds` says of what kind each argument is: `w4` a tuple of four words, `i` an integer, `Q1` and
    `q2` a block of words in one dimension and of integers in two.
    """

    def __init__(self, code: MachineCode, kinds: Sequence[str]) -> None:
        # The engine owns the code.
        self._engine, address = _loaded(code)
        types = [each for kind in kinds for each in _types_of(kind)]
        self._run = ctypes.CFUNCTYPE(ctypes.c_int32, _POINTER, _POINTER, *types)(address)

    def __call__(self, *arguments: Any) -> int:
        """Run the loop and return its result."""
        return self.bound(*arguments)()

    def bound(self, *arguments: Any) -> Callable[[], int]:
        """Return the loop for always the same arguments, which starts sooner."""
        result, raised = _INT(0), _POINTER()
        run = partial(self._run, ctypes.byref(result), ctypes.byref(raised), *_flat(arguments))

        # The default keeps the code and the blocks' memory for as long.
        def call(_: Any = (self, arguments)) -> int:
            if status := run():
                raise RuntimeError(f"a compiled loop failed with status {status}")
            return result.value

        return call


def _flat(arguments: Sequence[Any]) -> list[Any]:
    """Return the arguments as the machine code takes them."""
    found: list[Any] = []
    for each in arguments:
        if isinstance(each, Block):
            found.extend(each.arguments)
        elif isinstance(each, tuple):
            found.extend(each)
        else:
            found.append(each)
    return found


def _types_of(kind: str) -> list[Any]:
    if kind == INT:
        return [ctypes.c_int64]
    if kind.startswith(TUPLE):
        return [ctypes.c_uint64] * int(kind[1:])
    return [_POINTER, _POINTER, _INT, _INT, _POINTER, *[_INT] * 2 * int(kind[1:])]


def compile_loop(function: Callable[..., Any], kinds: Sequence[str]) -> MachineCode:
    """Compile a function for arguments of some kinds.

    Raises `RuntimeError` if this version of numba passes them in another way than `Loop`.
    """
    numba = importlib.import_module("numba")
    settings = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    made = numba.njit(nogil=True, _nrt=False, **settings)(function)
    signature = tuple(_numba_type(each, numba.types) for each in kinds)
    made.compile(signature)
    found = made.overloads[signature]
    convention = found.target_context.call_conv
    taken = convention.get_function_type(found.signature.return_type, found.signature.args).args
    expected = [each is _POINTER for kind in kinds for each in _types_of(kind)]
    if [each.is_pointer for each in taken[2:]] != expected:
        raise RuntimeError("this version of numba passes arguments in another way")
    return MachineCode(found.fndesc.llvm_func_name, found.library._get_compiled_object())


def _numba_type(kind: str, types: Any) -> Any:
    if kind == INT:
        return types.int64
    if kind.startswith(TUPLE):
        return types.UniTuple(types.uint64, int(kind[1:]))
    return types.Array(getattr(types, _TYPES[kind[0]]), int(kind[1:]), "C")


def _loaded(code: MachineCode) -> tuple[Any, int]:
    """Return what owns the loaded code, and the loop's address."""
    llvm = _llvm()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code.image))
    engine.finalize_object()
    address = engine.get_function_address(code.symbol)
    if not address:
        raise RuntimeError("the machine code has no such loop")
    return engine, address


@cache
def _llvm() -> Any:
    llvm = importlib.import_module("llvmlite.binding")
    with suppress(RuntimeError):
        # Needed by older versions, refused by newer ones.
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    # Python itself is linked with the mathematics of the C library.
    library = ctypes.CDLL(None)
    for name in _SYMBOLS:
        llvm.add_symbol(name, ctypes.cast(getattr(library, name), _POINTER).value)
    return llvm
