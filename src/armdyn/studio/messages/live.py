"""A running robot, watched: what pages ask for, and what they are told."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from armdyn.studio.messages.model import Message, Name, Number, Numbers, Path, Request
from armdyn.studio.messages.run import ArrayPlace
from armdyn.studio.messages.settings import Settings

AS_IT_IS = Settings()


class LiveRequest(Request):
    """A request about a stream: the one that is watched, unless `stream` names another."""

    stream: Name | None = None


class LiveWatchRequest(LiveRequest):
    """Watch a stream, by default the one that was begun last, or no longer."""

    do: Literal["live_watch"] = "live_watch"
    on: bool
    seconds: Annotated[float, Field(ge=0, le=600)] = 30.0
    """Of its past that are told first"""


class LiveRecordRequest(LiveRequest):
    """Begin a recording below the folder, or finish it."""

    do: Literal["live_record"] = "live_record"
    on: bool
    path: Path | None = None
    """A new .mcap file; by default named by robot, day and time"""


class LiveAlarmRequest(LiveRequest):
    """When residuals raise an alarm: a share of the joints' largest torques, or torques."""

    do: Literal["live_alarm"] = "live_alarm"
    share: Number | None = None
    absolute: Numbers | None = None
    """[N m or N] of each joint, or one for all"""
    duration: Number | None = None
    """[s] for which a residual must be beyond"""


class LiveSettingsRequest(LiveRequest):
    """What the torque is predicted with."""

    do: Literal["live_settings"] = "live_settings"
    settings: Settings = AS_IT_IS
    window: Number | None = None
    """[s] of the filter"""
    velocity: Literal["measured", "derived"] | None = None
    """As sent, or from positions; by default as sent where it is"""


# Answers --------------------------------------------------------------------------------------


class LiveStream(Message):
    """A stream that there is."""

    name: str
    robot: str
    """How to ask for it"""
    number: int
    """Another one where another robot sends under the same name: watch it again"""
    connected: bool


class LiveThreshold(Message):
    """Beyond what a residual raises an alarm."""

    limits: list[float | None]
    """[N m or N]; null: no alarm, as the largest torque of the joint is not known"""
    duration: float
    """[s]"""


class LiveScene(Message):
    """A stream that is watched."""

    stream: LiveStream
    joints: list[str]
    units: list[str]
    """Of the torques or forces of each joint"""
    fields: list[str]
    """What its samples have"""
    threshold: LiveThreshold
    settings: Settings
    window: float
    velocity: Literal["measured", "derived"] | None


class LiveWatchResult(Message):
    """What there is to watch, and what is watched."""

    streams: list[LiveStream]
    watching: LiveScene | None


class LiveRecording(Message):
    """How far a recording is."""

    path: str
    samples: int
    bytes: int
    lost: int
    """Things that the disk was too slow for"""
    failure: str | None
    """Why it has stopped by itself"""
    open: bool


# Events ---------------------------------------------------------------------------------------


class LiveEvent(Message):
    """Something worth saying."""

    number: int
    time: float
    """[s] by the controller's clock"""
    kind: Literal["alarm", "over", "gap", "problem", "connection", "recording", "settings"]
    text: str
    joint: int | None
    """From 0"""


class LiveStatus(Message):
    """How a stream is doing."""

    connected: bool
    rate: float
    """[Hz] of the last seconds"""
    behind: float
    """[s] by which the last sample came later than the quickest"""
    silent: float | None
    """[s] since the last sample; null: none has come"""
    delay: float
    """[s] by which torques are told after they were measured"""
    received: int
    lost: int
    gaps: int
    late: int
    refused: int
    alarm: list[bool]
    """Of each joint"""
    peaks: list[float]
    """The largest residuals [N m or N]"""
    recording: LiveRecording | None


class LiveBatch(Message):
    """Samples since the last batch, at most 50 batches a second; one without samples each half second.

    Arrays: time (k) from `begin`; q, qd, measured, predicted, residual (k, n), NaN at a gap and where nothing
    is measured; poses (bodies + 1, 7) of the last one.
    """

    event: Literal["live"] = "live"
    stream: str
    begin: float
    """[s] by the controller's clock, from which `time` counts"""
    skipped: int
    """Samples before these that this page was too slow for"""
    status: LiveStatus | None
    """A few times a second, and with events"""
    events: list[LiveEvent]
    arrays: list[ArrayPlace]


class LiveStreams(Message):
    """A stream has come or gone."""

    event: Literal["live_streams"] = "live_streams"
    streams: list[LiveStream]
