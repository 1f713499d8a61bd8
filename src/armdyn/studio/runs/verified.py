"""A verification as a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.feasibility import Verification
from armdyn.feasibility.arm import Arm
from armdyn.feasibility.findings import Findings
from armdyn.feasibility.results import MoveResult
from armdyn.feasibility.violations import Violation as Found
from armdyn.formats.plain_data import plain
from armdyn.report.wording import seconds
from armdyn.studio.frames import Frame, places
from armdyn.studio.messages.run import Move, PhaseScene, RetimedScene, RunResult, TermsResult, Violation
from armdyn.studio.messages.scene import RobotScene
from armdyn.studio.poses import as_rows, bodies_and_tool
from armdyn.studio.runs.limits import envelopes, limits
from armdyn.studio.runs.motion import Arrays, channels, thinned, utilisation
from armdyn.studio.runs.suggestions import Remedy, suggestions
from armdyn.studio.runs.verdicts import said
from armdyn.studio.scenes.scene import payload_scene, tool_scene


def run_of(
    found: Verification,
    name: str,
    robot: RobotScene,
    retimed: RetimedScene | None = None,
    remedies: Sequence[Remedy] = (),
    command: str | None = None,
) -> Frame:
    """A verification with all its samples."""
    findings, actuators = Findings(found), found.arms[0].actuators
    arrays, thin = thinned(_arrays(found))
    fastest = np.maximum(np.abs(arrays["motor_speed"]).max(axis=0), np.abs(found.demand.speed).max(axis=0))
    result = RunResult(
        kind="verification",
        name=name,
        robot=robot,
        document=plain(found.document()),
        **said(findings, retimed),
        feasible=found.feasible,
        advice=[findings.speed_advice] if findings.speed_advice else [],
        suggestions=[] if retimed else suggestions(findings, remedies),
        moves=[_move(k, move) for k, move in enumerate(found.moves, 1)],
        violations=[_violation(findings, each) for each in found.violations],
        worst=found.violations.index(findings.worst(found.violations)) if found.violations else None,
        limits=limits(found.plan.robot, actuators),
        envelopes=envelopes(actuators, fastest),
        phases=_phases(found),
        channels=channels(found.plan.robot, _plotted(found, arrays)),
        notes=[*found.notes, *thin],
        text=found.source or None,
        retimed=retimed,
        command=command,
        arrays=places(arrays),
    )
    return Frame(result, arrays)


def _plotted(found: Verification, arrays: Arrays) -> Arrays:
    """Without gears the motors are the joints, whose torques are plotted already."""
    if found.arms[0].actuators.geared:
        return arrays
    return {name: values for name, values in arrays.items() if not name.startswith("motor")}


def _arrays(found: Verification) -> Arrays:
    """Achieved over `time`, programmed over `time_programmed`."""
    run, demand, plan = found.run, found.demand, found.plan
    actuators = found.arms[0].actuators
    last = np.minimum(np.arange(len(run.q)), len(plan.time) - 1)
    speed = _of_parts(found, lambda arm, k: arm.speed(run.q[k], run.qd[k]))
    return {
        "time": found.time,
        "q": run.q,
        "qd": run.qd,
        "qdd": run.qdd,
        "tau": _of_parts(found, lambda arm, k: arm.joint_torque(run.q[k], run.qd[k], run.qdd[k])),
        "motor_torque": run.torque,
        "motor_speed": speed,
        "utilisation": utilisation(actuators, speed, run.torque),
        "poses": _of_parts(found, lambda arm, k: bodies_and_tool(arm.dyn, run.q[k])),
        "line": plan.line[last],
        "move": plan.move[last],
        "time_programmed": plan.time,
        "q_programmed": demand.q,
        "qd_programmed": demand.qd,
        "qdd_programmed": demand.qdd,
        "tau_programmed": demand.joint_torque,
        "motor_torque_programmed": demand.torque,
        "motor_speed_programmed": demand.speed,
        "utilisation_programmed": np.max(demand.share, axis=1),
        "tool_programmed": as_rows(plan.poses()),
    }


def _of_parts(found: Verification, evaluate: Callable[[Arm, slice], NDArray[Any]]) -> NDArray[Any]:
    """What each arm says of its stretch of the run."""
    return np.concatenate([evaluate(arm, part) for arm, part in found.parts(len(found.run.q))])


def terms_of(found: Verification) -> Frame:
    """The joint torques of what the arm does, term by term."""
    run = found.run
    parts = [
        arm.dyn.terms(run.q[k], run.qd[k], run.qdd[k], arm.wrench, at=arm.at)
        for arm, k in found.parts(len(run.q))
    ]
    rows = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    arrays, _ = thinned({"time": found.time, **rows})
    return Frame(TermsResult(channels=channels(found.plan.robot, arrays), arrays=places(arrays)), arrays)


# Moves, violations, phases --------------------------------------------------------------------


def _move(number: int, move: MoveResult) -> Move:
    helps = move.override > 0 and not move.impossible
    return Move(
        line=move.line or None,
        move=number,
        kind=move.kind,
        begin=move.start,
        end=move.end,
        achieved_end=move.achieved_end,
        programmed=move.programmed,
        achieved=move.achieved,
        feasible=move.feasible,
        impossible=move.impossible,
        largest_speed=move.override if helps else None,
    )


def _violation(findings: Findings, found: Found) -> Violation:
    share = findings.share(found)
    where = findings.place(found.line, found.move)
    return Violation(
        line=found.line or None,
        move=found.move or None,
        joint=found.joint,
        time=list(found.time),
        at=found.worst_time,
        quantity=found.quantity,
        subject=findings.subject(found),
        unit=findings.unit(found),
        required=found.required,
        limit=found.limit,
        margin=found.margin,
        share=share if share is None or np.isfinite(share) else None,
        text=f"{where}: {findings.said(found)} at {seconds(found.worst_time)} s",
    )


def _phases(found: Verification) -> list[PhaseScene]:
    plan = found.plan
    ends = [*(phase.last * plan.cycle for phase in plan.phases[:-1]), float(found.time[-1])]
    return [
        PhaseScene(
            begin=phase.first * plan.cycle,
            end=end,
            tool=tool_scene(phase.robot, phase.robot.tool),
            payloads=[payload_scene(phase.robot, payload) for payload in phase.robot.payloads],
        )
        for phase, end in zip(plan.phases, ends, strict=True)
    ]
