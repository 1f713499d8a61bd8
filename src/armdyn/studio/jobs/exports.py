"""Results as files to be downloaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from armdyn.equations.equations import Form
from armdyn.equations.simplified import written_short
from armdyn.errors import InputError
from armdyn.feasibility.report import write_report
from armdyn.formats.motions import write_motion
from armdyn.formats.whole_file import whole_file
from armdyn.retiming.report import write_report as write_retiming_report
from armdyn.studies.loads.report import write_study_report
from armdyn.studies.loads.rows import Study
from armdyn.studio.jobs.derivations import Derived, derived
from armdyn.studio.jobs.studies import study_of
from armdyn.studio.jobs.tasks import Retime, Verified
from armdyn.studio.messages.answers import Download
from armdyn.studio.messages.requests import DeriveTask, DownloadRequest, StudyTask
from armdyn.studio.runs.logs import write_run_log
from armdyn.studio.runs.recorded import Recorded

if TYPE_CHECKING:
    from armdyn.studio.jobs.work import Workshop

SUFFIXES = {
    "csv": ".csv",
    "parquet": ".parquet",
    "mcap": ".mcap",
    "report": ".html",
    "text": ".txt",
    "latex": ".tex",
    "markdown": ".md",
    "python": ".py",
    "c": ".c",
}
Writing = Callable[[Path], None]


def export(shop: Workshop, request: DownloadRequest, target: Path) -> Download:
    """Write the file that is asked for, and say what it should be called."""
    of = request.of
    match of:
        case StudyTask():
            found: Study = shop.kept(of, lambda: study_of(shop, of))
            name, ways = f"{found.robot.name}-{found.kind}", _of_study(found)
        case DeriveTask():
            equations: Derived = shop.kept(of, lambda: derived(shop, of))
            name, ways = f"{of.robot}-{of.quantity}", _of_equations(equations)
        case _:
            result = shop.result(of)
            name, ways = Path(_name(result)).stem, _of_run(result)
    if request.what not in ways:
        raise InputError(f'there is no "{request.what}" of this, expected one of {", ".join(ways)}')
    shop.tell(f"writing {request.what}", 0.9)
    ways[request.what](target)
    suffix = SUFFIXES[request.what]
    return Download(url="", name=f"{Path(name).stem}{suffix}", size=target.stat().st_size)


def _name(result: Verified | Retime | Recorded) -> str:
    return result.file.name if isinstance(result, Recorded) else result.name


def _of_run(result: Verified | Retime | Recorded) -> dict[str, Writing]:
    def log(path: Path) -> None:
        write_run_log(path, result)

    match result:
        case Verified(found=found):
            return {
                "csv": lambda path: write_motion(path, found.time, found.columns()),
                "parquet": lambda path: write_motion(path, found.time, found.columns()),
                "mcap": log,
                "report": lambda path: write_report(found, path, source=found.source, title=result.name),
            }
        case Retime(found=retimed):
            return {
                "csv": lambda path: write_motion(path, retimed.plan.time, retimed.columns()),
                "parquet": lambda path: write_motion(path, retimed.plan.time, retimed.columns()),
                "mcap": log,
                "report": lambda path: write_retiming_report(retimed, path, title=result.name),
            }
        case Recorded(motion=motion):
            columns = {"q": motion.q, "qd": motion.qd, "qdd": motion.qdd, **motion.columns}
            return {
                "csv": lambda path: write_motion(path, motion.time, columns),
                "parquet": lambda path: write_motion(path, motion.time, columns),
                "mcap": log,
            }


def _of_study(found: Study) -> dict[str, Writing]:
    return {"report": lambda path: write_study_report(found, path)}


def _of_equations(found: Derived) -> dict[str, Writing]:
    forms: tuple[Form, ...] = get_args(Form)
    return {form: _writing(found, form) for form in forms if form in SUFFIXES}


def _writing(found: Derived, form: Form) -> Writing:
    def write(path: Path) -> None:
        text = written_short(found.short, form) if found.short else found.equations.written(form)
        with whole_file(path) as file:
            file.write(f"{text.rstrip()}\n".encode())

    return write
