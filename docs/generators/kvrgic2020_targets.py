"""[Kvrgic2020] Fig. 8: reach and branches of the program's targets, for the page about the document."""

from __future__ import annotations

import re

import numpy as np
from kvrgic2020_listing import points, text
from kvrgic2020_runs import listed, lola15, rows, work
from verdicts import Claim, proven, table

from armdyn.motion import InverseKinematics
from armdyn.spatial import Transform

NEAR = 1e-9
"""[rad] how well a posture of the plan is that of a branch."""


def reach() -> float:
    """Of the wrist centre from axis 2, by Table A.1 [mm]."""
    return 600 + float(np.hypot(115, 825))


def from_shoulder(point: np.ndarray) -> float:
    """Distance of a point from axis 2, the arm turned towards it [mm]."""
    return float(np.hypot(np.hypot(point[0], point[1]) - 200, point[2]))


def branches_of_plan() -> dict[int, set[int]]:
    """Which branches, from 1, the samples of each move are on."""
    plan = work().plan
    kinematics = InverseKinematics(plan.robot)
    apart = kinematics.branches(plan.poses()) - plan.q[:, None, :]
    apart = np.abs((apart + np.pi) % (2 * np.pi) - np.pi).max(axis=-1)
    nearest = np.where(np.isnan(apart), np.inf, apart)
    proven("every sample is on a branch", nearest.min(axis=1).max() < NEAR)
    found = nearest.argmin(axis=1) + 1
    return {k: set(found[plan.move == k].tolist()) for k in range(1, len(plan.moves) + 1)}


def reached_without_tool() -> dict[str, bool]:
    """Whether the arm alone reaches a target, whatever the orientation."""
    robot = lola15().with_tool(Transform())
    poses = np.tile(np.eye(4), (len(points("lola15")), 1, 1))
    poses[:, :3, 3] = np.array(list(points("lola15").values())) / 1e3
    missing = np.isnan(InverseKinematics(robot).branches(poses)).reshape(len(poses), -1)
    return {name: not np.all(lost) for name, lost in zip(points("lola15"), missing, strict=True)}


# Claims ---------------------------------------------------------------------------------------


def claims() -> str:
    """What the targets ask for that the arm does not do."""
    printed = text("lola15_as_printed")
    integers = sorted(set(re.findall(r"\)\), (\d+)\)", printed)))
    found = branches_of_plan()
    on_path = set().union(*(found[k] for k in range(2, 11)))
    names = InverseKinematics(lola15()).branch_names
    (branch,) = on_path
    reached = reached_without_tool()
    lost = [name for name, there in reached.items() if not there]
    far = {name: from_shoulder(x) for name, x in points("lola15").items()}
    return table(
        [
            Claim(
                "robtarg integers",
                f"{listed(integers)}, changing from s0 to s2, s4 to s5 and s5 to s6",
                f"all samples of lines 31 to 39, and every target on them, are on branch {branch} of "
                f"{len(names)}: {names[branch - 1]}",
                proven(
                    "no branches of the inverse kinematics: two integers for one branch. armdyn keeps the "
                    "branch in path moves and ignores the integer; `--status branch` lets it choose for PTP",
                    integers == ["4", "8"],
                    found[1] <= {1, branch},
                ),
            ),
            Claim(
                "tool",
                "not given",
                f"with the tool at p_e = (120, 120, 350) mm every target is reached; without a tool "
                f"{listed(lost)} are not: {listed(f'{far[name]:.0f}' for name in lost)} mm from axis 2, "
                f"where the wrist centre gets to {reach():.0f} mm",
                proven(
                    "the program is for a tool; armdyn's lola15 has it at p_e",
                    lost == ["s6", "s10"],
                    not work().plan.problems,
                    all((far[name] > reach()) != there for name, there in reached.items()),
                ),
            ),
        ]
    )


def target_table() -> str:
    """The integer of each target, and the branch on which the arm passes it."""
    found, names = branches_of_plan(), InverseKinematics(lola15()).branch_names
    integers = dict(re.findall(r"robtarg:(\w+)=robtarg\(.*\)\), (\d+)\);", text("lola15")))
    order = ("s0", "s2", "s4", "s5", "s7", "s8_a", "s9", "s11", "s12", "s0")
    body = []
    for k, name in enumerate(order, start=1):
        # a move ends on the branch that all its samples but the start have
        (branch,) = found[k] - ({1} if k == 1 else set())
        body.append([work().plan.moves[k - 1].line, f"`{name}`", integers[name], branch, names[branch - 1]])
    return rows(("line", "target", "integer", "branch", "which is"), body)
