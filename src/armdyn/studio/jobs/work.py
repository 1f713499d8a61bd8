"""The work of a worker: a request in, an answer out."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from armdyn.studio.access import signed
from armdyn.studio.clients import encoded
from armdyn.studio.folder import Folder
from armdyn.studio.frames import Frame
from armdyn.studio.jobs.derivations import derive_answer
from armdyn.studio.jobs.exports import export
from armdyn.studio.jobs.studies import study_answer
from armdyn.studio.jobs.tasks import Retime, Verified, computed
from armdyn.studio.messages.model import Message, Request
from armdyn.studio.messages.requests import (
    DeriveRequest,
    DownloadRequest,
    RetimeRequest,
    RunFileRequest,
    StudyRequest,
    TermsRequest,
    VerifyRequest,
)
from armdyn.studio.messages.scene import RobotScene
from armdyn.studio.messages.table import REQUESTS
from armdyn.studio.robots import Ready, Robots
from armdyn.studio.runs.recorded import Recorded, run_of_recording, terms_of_recording
from armdyn.studio.runs.verified import run_of, terms_of
from armdyn.studio.scenes.meshes import Meshes
from armdyn.studio.scenes.scene import scene

Answered = str | bytes
Tell = Callable[..., None]
KEPT = 4
"""Results that are kept for what is asked about them next."""
OF_REQUESTS = ("id",)
"""What a request has that the task in it has not."""


class Workshop:
    """What jobs need: robots kept ready, the folder, and whom to tell how far they are."""

    def __init__(self, folder: Path, secret: str, tell: Tell) -> None:
        """Warm, but idle."""
        self.folder = Folder(folder)
        self.robots = Robots(self.folder)
        self.tell = tell
        self._secret = secret
        self._kept: OrderedDict[tuple[str, str], Any] = OrderedDict()

    def answer(self, job: dict[str, Any]) -> Answered:
        """Answer a request."""
        request = REQUESTS[job["request"]["do"]].model_validate(job["request"])
        return encoded(request.id, self._answer(request, job.get("target")))

    def _answer(self, request: Request, target: str | None) -> Message | Frame:
        match request:
            case VerifyRequest() | RetimeRequest() | RunFileRequest():
                return self._run(self.result(request))
            case TermsRequest():
                return self._terms(self.result(request.of))
            case StudyRequest():
                return study_answer(self, request)
            case DeriveRequest():
                return derive_answer(self, request)
            case DownloadRequest() if target is not None:
                return export(self, request, Path(target))
            case _:
                raise TypeError(f"no job {type(request).__name__}")

    def kept(self, task: Message, make: Callable[[], Any]) -> Any:
        """The result of a task, computed unless it was among the latest."""
        said = task.model_dump(exclude=set(OF_REQUESTS))
        key = (repr(sorted(said.items())), self._versions(said))
        if key in self._kept:
            self._kept.move_to_end(key)
        else:
            self._kept[key] = make()
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]

    def result(self, task: Message) -> Verified | Retime | Recorded:
        """A verification, a retimed motion or a recording."""
        return self.kept(task, lambda: computed(self, task))

    def _versions(self, said: dict[str, Any]) -> str:
        """What tells files that have changed meanwhile."""
        stamps: list[str] = []
        for name in (said.get("file"), said.get("robot"), said.get("otherwise")):
            path = self.folder.root / name if isinstance(name, str) else None
            if path is not None and path.is_file():
                stamps.append(f"{path.stat().st_mtime_ns}")
        return " ".join(stamps)

    # Runs -----------------------------------------------------------------------------------

    def _run(self, result: Verified | Retime | Recorded) -> Frame:
        self.tell("drawing", 0.9)
        match result:
            case Verified():
                robot = self._scene(result.ready)
                return run_of(
                    result.found, result.name, robot, remedies=result.remedies, command=result.command
                )
            case Retime():
                found = result.found.verification
                robot = self._scene(result.ready)
                return run_of(found, result.name, robot, result.scene, command=result.command)
            case Recorded():
                return run_of_recording(result, result.file.name, self._scene(result.ready))

    def _terms(self, result: Verified | Retime | Recorded) -> Frame:
        match result:
            case Verified():
                return terms_of(result.found)
            case Retime():
                return terms_of(result.found.verification)
            case Recorded():
                return terms_of_recording(result)

    def _scene(self, ready: Ready) -> RobotScene:
        def signature(what: str) -> str:
            return signed(self._secret, what)

        return scene(ready, Meshes(ready.file, self.folder.root, signature))
