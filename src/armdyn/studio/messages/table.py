"""Every request by name, what it is answered by, and every event."""

from __future__ import annotations

from armdyn.studio.messages import answers, events, live, requests, run, scene
from armdyn.studio.messages.model import Message, Request

REQUESTS: dict[str, type[Request]] = {
    "hello": requests.HelloRequest,
    "cancel": requests.CancelRequest,
    "files": requests.FilesRequest,
    "read": requests.ReadRequest,
    "write": requests.WriteRequest,
    "robot": requests.RobotRequest,
    "state": requests.StateRequest,
    "solve": requests.SolveRequest,
    "check": requests.CheckRequest,
    "slow": requests.SlowRequest,
    "verify": requests.VerifyRequest,
    "retime": requests.RetimeRequest,
    "run_file": requests.RunFileRequest,
    "terms": requests.TermsRequest,
    "study": requests.StudyRequest,
    "derive": requests.DeriveRequest,
    "download": requests.DownloadRequest,
    "live_watch": live.LiveWatchRequest,
    "live_record": live.LiveRecordRequest,
    "live_alarm": live.LiveAlarmRequest,
    "live_settings": live.LiveSettingsRequest,
}

RESULTS: dict[str, type[Message]] = {
    "hello": answers.Hello,
    "cancel": answers.Done,
    "files": answers.Files,
    "read": answers.FileText,
    "write": answers.Written,
    "robot": scene.RobotScene,
    "state": answers.StateResult,
    "solve": answers.SolveResult,
    "check": answers.CheckResult,
    "slow": answers.SlowResult,
    "verify": run.RunResult,
    "retime": run.RunResult,
    "run_file": run.RunResult,
    "terms": run.TermsResult,
    "study": answers.StudyResult,
    "derive": answers.DeriveResult,
    "download": answers.Download,
    "live_watch": live.LiveWatchResult,
    "live_record": live.LiveRecording,
    "live_alarm": live.LiveThreshold,
    "live_settings": live.LiveScene,
}
"""Where a result has `arrays` it comes as a binary frame."""

EVENTS: dict[str, type[Message]] = {
    "files": events.FilesChanged,
    "live": live.LiveBatch,
    "live_streams": live.LiveStreams,
}
