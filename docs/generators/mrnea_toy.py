"""The toy model of mRNEA: the spatial disorientation trainer, its torques by two methods and back.

[Kvrgic2020] App. E and Fig. E2 (sec. 5.4 and Fig. A3 of the paper): torques of a motion by
Newton-Euler and by mRNEA are the same, and H qdd = u - u' gives the accelerations back. The
document prints neither the trainer's numbers nor its motion: both are armdyn's own here.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import armdyn as ad
from armdyn.mechanics import modified_newton_euler, newton_euler
from armdyn.mechanics.linear_system import solve
from armdyn.mechanics.tree import tree

DURATION = 12.0
SAMPLES = 161
JOINTS = ("arm", "yaw", "pitch", "roll")
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")  # of Okabe and Ito: told apart by everyone
MARKERS = ("o", "s", "^", "D")


@dataclass(frozen=True)
class Comparison:
    """A motion, and what the two methods make of it; every array has shape (samples, joints)."""

    time: np.ndarray
    acceleration: np.ndarray
    torque: np.ndarray
    """By Newton-Euler."""
    torque_mrnea: np.ndarray
    recovered: np.ndarray
    """Acceleration by H qdd = u - u', from the torques of Newton-Euler."""


def motion(time: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, qd, qdd of a ride: the arm speeds up, turns and slows down, while the cabin swings in its gimbal."""
    q, qd, qdd = (np.zeros((len(time), 4)) for _ in range(3))
    ramp, top = DURATION / 3, 2.2  # s, rad/s
    for start, sign in ((0.0, 1), (2 * ramp, -1)):
        s = np.clip((time - start) / ramp, 0, 1)
        after = np.maximum(time - start - ramp, 0)
        q[:, 0] += sign * top * (ramp * (s**3 - s**4 / 2) + after)
        qd[:, 0] += sign * top * (3 * s**2 - 2 * s**3)
        qdd[:, 0] += sign * top / ramp * (6 * s - 6 * s**2)
    for k, amplitude, swings in ((1, 0.9, 2), (2, 0.5, 3), (3, 0.35, 4)):
        w = 2 * np.pi * swings / DURATION
        q[:, k] = amplitude * (1 - np.cos(w * time)) / 2
        qd[:, k] = amplitude * w * np.sin(w * time) / 2
        qdd[:, k] = amplitude * w**2 * np.cos(w * time) / 2
    return q, qd, qdd


def compared(samples: int = SAMPLES) -> Comparison:
    """Torques of the motion by both methods, and the accelerations from them."""
    arm = tree(ad.load("sdt4"), "none")
    time = np.linspace(0, DURATION, samples)
    q, qd, qdd = motion(time)
    rows: list[tuple[Any, Any, Any]] = []
    for state in zip(q.tolist(), qd.tolist(), qdd.tolist(), strict=True):
        u = newton_euler.inverse_dynamics(arm, *state).torque
        u_mrnea = modified_newton_euler.inverse_dynamics(arm, *state).torque
        H, bias = modified_newton_euler.mass_matrix_and_bias(arm, *state[:2])
        rows.append((u, u_mrnea, solve(H, [a - b for a, b in zip(u, bias, strict=True)])))
    torque, torque_mrnea, recovered = (np.array(column, float) for column in zip(*rows, strict=True))
    return Comparison(time, qdd, torque, torque_mrnea, recovered)


def write(folder: Path) -> None:
    """Write figures/mrnea_toy.svg into a folder of the documentation."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "mrnea_toy", "font.size": 9, "axes.titlesize": 10}):
        figure = Figure(figsize=(9.5, 6.2), layout="constrained")
        grid = figure.add_gridspec(3, 2, height_ratios=(1, 1, 0.75))
        found = compared()
        _draw_torques(found, *(figure.add_subplot(grid[row, 0]) for row in range(3)))
        _draw_accelerations(found, figure.add_subplot(grid[:2, 1]), figure.add_subplot(grid[2, 1]))
        for panel in figure.axes:
            panel.set_xlim(0, DURATION)
            panel.grid(color="0.9", linewidth=0.6)
            panel.spines[["top", "right"]].set_visible(False)
        target = folder / "figures" / "mrnea_toy.svg"
        target.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(target, metadata={"Date": None})


def _draw_torques(found: Comparison, arm: Any, gimbal: Any, apart: Any) -> None:
    """Those of the arm are ten times the others: a panel for each."""
    _compare(arm, found.time, found.torque / 1e3, found.torque_mrnea / 1e3, (0,))
    _compare(gimbal, found.time, found.torque / 1e3, found.torque_mrnea / 1e3, (1, 2, 3))
    arm.set(title="(a) Torques: Newton-Euler (lines), mRNEA (markers)", ylabel="arm [kN m]")
    gimbal.set(ylabel="gimbal [kN m]")
    peak = np.abs(found.torque).max(axis=0)
    _differ(apart, found.time, 1e15 * (found.torque_mrnea - found.torque) / peak)
    apart.set(ylabel="difference\n[10⁻¹⁵ of peak torque]")


def _draw_accelerations(found: Comparison, acceleration: Any, missed: Any) -> None:
    _compare(acceleration, found.time, found.acceleration, found.recovered, (0, 1, 2, 3))
    title = "(b) Accelerations: prescribed (lines), recovered (markers)"
    acceleration.set(title=title, ylabel="acceleration [rad/s²]")
    _differ(missed, found.time, 1e15 * (found.recovered - found.acceleration))
    missed.set(ylabel="difference\n[10⁻¹⁵ rad/s²]")


def _compare(
    panel: Any, time: np.ndarray, line: np.ndarray, marked: np.ndarray, joints: tuple[int, ...]
) -> None:
    """One way as lines; the other as markers, those of every joint at times of its own."""
    for k in joints:
        panel.plot(time, line[:, k], color=COLOURS[k], linewidth=1.4)
        some = slice(2 * k, None, 8)
        style = {"marker": MARKERS[k], "markersize": 4.5, "markerfacecolor": "white", "linestyle": "none"}
        panel.plot(time[some], marked[some, k], color=COLOURS[k], label=JOINTS[k], **style)
    panel.tick_params(labelbottom=False)
    if len(joints) > 1:
        low, high = panel.get_ylim()
        panel.set_ylim(low, high + 0.15 * (high - low))  # room for the legend
        panel.legend(ncols=len(joints), loc="upper center", frameon=False)


def _differ(panel: Any, time: np.ndarray, difference: np.ndarray) -> None:
    for k, (colour, marker) in enumerate(zip(COLOURS, MARKERS, strict=True)):
        panel.plot(time, difference[:, k], marker, color=colour, markersize=2)
    panel.set(xlabel="time [s]")
