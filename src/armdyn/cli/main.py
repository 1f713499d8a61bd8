"""The command line: one verb per file, no mathematics.

Exit codes: 0 success, 1 the answer is no, 2 bad input (one sentence on standard error).
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from armdyn.cli.bench import bench
from armdyn.cli.cache import cache
from armdyn.cli.coefficients import coefficients
from armdyn.cli.counts import counts
from armdyn.cli.demo import demo
from armdyn.cli.derive import derive
from armdyn.cli.dynamics import dynamics
from armdyn.cli.excite import excite
from armdyn.cli.export import export
from armdyn.cli.identify import identify
from armdyn.cli.interrupts import Interrupted
from armdyn.cli.motors import motors
from armdyn.cli.output import printable
from armdyn.cli.retime import retime
from armdyn.cli.robots import robots
from armdyn.cli.show import show
from armdyn.cli.simulate import simulate
from armdyn.cli.studio import studio
from armdyn.cli.study import study
from armdyn.cli.sweep import sweep
from armdyn.cli.telemetry import telemetry
from armdyn.cli.verify import verify
from armdyn.errors import ArmdynError

COMMANDS: dict[str, Callable[..., None]] = {
    command.__name__: command
    for command in (
        robots,
        show,
        dynamics,
        coefficients,
        derive,
        motors,
        verify,
        retime,
        simulate,
        excite,
        identify,
        study,
        sweep,
        export,
        studio,
        telemetry,
        counts,
        bench,
        cache,
        demo,
    )
}
"""By the word that calls them, in the order in which help lists them."""


def application(commands: Iterable[Callable[..., None]]) -> typer.Typer:
    """The command line with some of its commands: to make all their options takes a tenth of a second."""
    app = typer.Typer(
        name="armdyn",
        help="The dynamics of robot arms: what an arm really does.",
        invoke_without_command=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    for command in commands:
        app.command()(command)
    return app


def _options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
) -> None:
    if version:
        from importlib.metadata import version as installed

        print(installed("armdyn"))
        raise typer.Exit(0)
    if context.invoked_subcommand is None:
        print(context.get_help())


BAD_INPUT = 2
INTERRUPTED = 130


def main() -> None:
    """Run the command line; bad input gives one sentence, never a traceback."""
    if sys.stdout is None:  # closed by the caller: `armdyn robots >&-`
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115  open as long as the process lives
    for stream in (sys.stdout, sys.stderr):  # a terminal that knows fewer characters gets \\u escapes
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(_run())


def _called(arguments: Sequence[str]) -> Iterable[Callable[..., None]]:
    """The command that is called, or all where none is: then help lists them, or an error."""
    command = COMMANDS.get(arguments[0]) if arguments else None
    return COMMANDS.values() if command is None else (command,)


def _run() -> int:
    try:
        code = application(_called(sys.argv[1:]))(standalone_mode=False) or 0
        if code == INTERRUPTED:  # what typer makes of it
            return _complain("interrupted", INTERRUPTED)
        sys.stdout.flush()
    except typer.Exit as leave:
        return leave.exit_code
    except (typer.TyperException, ArmdynError) as error:
        message = error.format_message() if isinstance(error, typer.TyperException) else str(error)
        return _complain(message, BAD_INPUT)
    except Interrupted as stopped:
        return _complain(str(stopped), stopped.code)
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", INTERRUPTED)
    except (BrokenPipeError, SystemExit):  # the reader left, as `armdyn robots | head` does
        return _say_no_more(0)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else "standard output: "
        return _say_no_more(_complain(f"{where}{error.strerror or error}", BAD_INPUT))
    except Exception as error:
        if os.environ.get("ARMDYN_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}"
        return _complain(
            f"a fault in armdyn itself, please report it ({what}); ARMDYN_DEBUG=1 shows where", 70
        )
    return code


def _say_no_more(code: int) -> int:
    """What is still buffered cannot be written: let it go, so that leaving does not fail again."""
    with contextlib.suppress(io.UnsupportedOperation):  # a standard output without a file behind it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _complain(message: str, code: int) -> int:
    """One sentence on standard error, if there is one that takes it."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(f"armdyn: {printable(' '.join(message.split()))[:2000]}", file=sys.stderr, flush=True)
    return code
