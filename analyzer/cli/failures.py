"""Failures in one place: every mistake of the user is one line on stderr, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from typer import Abort, TyperException

from analyzer.cli.kernels import unreadable_cache
from analyzer.cli.output import make_output_safe, tell
from analyzer.errors import FivesError, unknown

BAD_INPUT = 2
INTERRUPTED = 130  # 128 + SIGINT, as shells have it
NOBODY_READS = 141  # 128 + SIGPIPE


class Stopped(Exception):
    """Ended by Ctrl-C; its text is one line that says what is kept."""


def run(command: Any, args: Sequence[str] | None) -> int:
    """Run a Typer command and return the exit code, telling any mistake in one line."""
    make_output_safe()
    try:
        code = command.main(args=args, prog_name="fives", standalone_mode=False)
        _flush()
    except FivesError as error:
        return _fail(str(error))
    except Stopped as error:
        code = _fail(str(error), INTERRUPTED)
        _end_at_once(code)
        return code
    except TyperException as error:
        return _fail(usage_sentence(error))
    except (BrokenPipeError, SystemExit):  # Typer makes the one of the other
        return _end_quietly()
    except OSError as error:
        return _fail(_file_sentence(error))
    except (KeyboardInterrupt, Exception) as error:
        return _stopped_or_damaged(error)
    if code == INTERRUPTED:
        return _fail("stopped.", INTERRUPTED)
    return code if isinstance(code, int) else 0


def _stopped_or_damaged(error: BaseException) -> int:
    """Tell of Ctrl-C, or of kept kernels that cannot be read; raise any other error again."""
    is_stop = isinstance(error, KeyboardInterrupt | Abort)
    damage = unreadable_cache(error.__cause__ if is_stop else error)  # Typer makes an Abort of an EOFError
    if damage is not None:
        return _fail(damage)
    if not is_stop:
        raise error
    return _fail("stopped.", INTERRUPTED)


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _fail(sentence: str, code: int = BAD_INPUT) -> int:
    tell(sentence)
    try:
        _flush()
    except OSError:
        _drop_output()
    return code


def _end_at_once(code: int) -> None:
    """End the process here where a thread cannot be stopped, as while it compiles kernels."""
    from analyzer.workers import are_at_work

    if are_at_work():
        os._exit(code)


def _end_quietly() -> int:
    """End as other tools do when their reader has gone, as in `fives rules | head -1`."""
    _drop_output()
    return NOBODY_READS


def _drop_output() -> None:
    """Point stdout at nothing, so that the interpreter's own last flush cannot fail again."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
    os.close(nothing)


def _file_sentence(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename is not None else ""
    return f"{where}{_lowered(error.strerror or str(error))}."


def usage_sentence(error: TyperException) -> str:
    """Return one sentence for a mistake in the options or arguments, with the nearest name where it helps."""
    context = getattr(error, "ctx", None)
    if hasattr(error, "possibilities") and context is not None:
        options = [option for parameter in context.command.get_params(context) for option in parameter.opts]
        names = [option for option in options if option.startswith("--")]
        return str(unknown("option", getattr(error, "option_name", ""), names))
    path = context.command_path if context is not None else "fives"
    return f"{_lowered(_message(error))}; see {path} --help."


def _message(error: TyperException) -> str:
    """Return Typer's own text; for a value that does not fit, with its option in front."""
    parameter = getattr(error, "param", None)
    if error.message and parameter is not None and parameter.opts:
        return f"{parameter.opts[0]} does not fit: {_lowered(error.message)}"
    return error.format_message()


def _lowered(text: str) -> str:
    text = text.strip().rstrip(".")
    return text[:1].lower() + text[1:]
