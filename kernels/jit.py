"""The one place that compiles: `@kernel` and the bit intrinsics that Numba lacks.

Kernels release the GIL, so serial kernels under a thread pool use all cores; no `parallel=True`
anywhere. With NUMBA_DISABLE_JIT=1 the same sources run as plain Python.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import event as events
from numba.extending import intrinsic

from kernels import cachedir

F = TypeVar("F", bound=Callable[..., Any])

JIT_DISABLED = bool(numba.config.DISABLE_JIT)
CACHE_FOLDER = None if JIT_DISABLED else cachedir.pin()

LOGGER = logging.getLogger(__name__)


class _Compilations(events.Listener):  # type: ignore[misc]
    """Logs the outermost function that Numba compiles, before it does; what it finds in its cache is none."""

    def __init__(self) -> None:
        self._depth = 0  # Numba holds one lock while it compiles, so no two threads count here at once

    def on_start(self, event: events.Event) -> None:
        if self._depth == 0:
            function = event.data["dispatcher"].py_func
            LOGGER.info("compiling %s.%s", function.__module__, function.__qualname__)
        self._depth += 1

    def on_end(self, event: events.Event) -> None:
        self._depth -= 1


events.register("numba:compile", _Compilations())


def kernel(function: F, **options: bool) -> F:
    """Compile `function` for kernels, or leave it plain where the JIT is switched off."""
    if JIT_DISABLED:
        # unsigned words wrap by design; numpy scalars would warn of it
        return np.errstate(over="ignore")(function)  # type: ignore[return-value]
    cache = CACHE_FOLDER is not None
    return numba.njit(nogil=True, error_model="numpy", cache=cache, **options)(function)  # type: ignore[no-any-return]


def inlined(function: F) -> F:
    """Compile `function` into its callers: for steps of every play, whose many values a call would spill."""
    return kernel(function, forceinline=True)


def is_cold() -> bool:
    """Whether no kernel has been compiled yet, or none can be kept."""
    return not JIT_DISABLED and cachedir.is_cold(CACHE_FOLDER)


def _has_fast_pdep() -> bool:
    """Whether the host's parallel bit deposit takes a few cycles; Zen 1 and 2 take hundreds."""
    if numba.config.CPU_NAME or numba.config.CPU_FEATURES:
        return False
    slow = ("znver1", "znver2")
    return binding.get_host_cpu_name() not in slow and binding.get_host_cpu_features().get("bmi2", False)


HAS_FAST_PDEP = not JIT_DISABLED and _has_fast_pdep()

if JIT_DISABLED:

    def popcount(word: int) -> int:
        """Return the number of bits set."""
        return int(word).bit_count()

    def lowest(word: int) -> int:
        """Return the place of the lowest bit set; `word` must not be 0."""
        return (int(word) & -int(word)).bit_length() - 1

else:

    @intrinsic
    def popcount(typingctx, word):  # type: ignore[no-untyped-def]
        """Return the number of bits set in an int64."""

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    @intrinsic
    def lowest(typingctx, word):  # type: ignore[no-untyped-def]
        """Return the place of the lowest bit set in an int64; `word` must not be 0."""

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), generate

    @intrinsic
    def deposit(typingctx, source, mask):  # type: ignore[no-untyped-def]
        """Return the low bits of `source` moved to the places of the bits of `mask` (x86 BMI2 only)."""

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            word = ir.IntType(64)
            pdep = builder.module.declare_intrinsic(
                "llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, (word, word))
            )
            return builder.call(pdep, arguments)

        return types.int64(types.int64, types.int64), generate
