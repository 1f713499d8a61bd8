"""[Siciliano2009] Example 7.2: every sentence about its motions, and what armdyn finds."""

from __future__ import annotations

import numpy as np
from siciliano2009_arms import EXAMPLE, G, dynamics
from siciliano2009_motions import (
    ACCELERATING,
    FROM,
    HALF_SECOND,
    QUARTER,
    SPEED,
    TO,
    different_duration,
    equal_duration,
    line,
    motions,
    planar2,
    straight_line,
)
from siciliano2009_tables import shown, span, written
from verdicts import EQUAL, Claim, gap, proven


def claims() -> list[Claim]:
    """Every sentence of Example 7.2 that can be checked."""
    return [
        _claim_data(),
        *_equal_claims(),
        *_different_claims(),
        *_line_claims(),
        _claim_peaks(),
        _claim_reduced(),
    ]


def _claim_data() -> Claim:
    q = np.array([[0.3, -0.8], [1.0, 2.0]])
    home = planar2().robot.home
    elbow = planar2().pose(home, "link1")[:2, 3]
    tip = planar2().pose(home)[:2, 3]
    return Claim(
        "data, start",
        "a = 1 m, l = 0.5 m, m_l = 50 kg, I_l = 10 kg m2, k_r = 100, m_m = 5 kg, I_m = 0.01 kg m2; tip at "
        "(0.2, 0), lower elbow",
        f"q = {written(home, 5)} rad, elbow at {written(elbow)} m",
        proven(
            "planar2 of the catalog and its home; friction is not mentioned, and left out",
            gap(dynamics(EXAMPLE.robot(), "exact").mass_matrix(q), planar2().mass_matrix(q)) < EQUAL,
            gap(tip, (FROM, 0.0)) < EQUAL,
            elbow[1] < 0,
        ),
    )


def _equal_claims() -> list[Claim]:
    motion = equal_duration()
    parts, e1 = motion.contributions, motion.qdd[:, 0]
    b11 = parts["inertia 11"] / e1
    own = parts["inertia 22"]
    there = [parts[name] for name in ("inertia 12", "inertia 21")]
    apart = gap(*there)
    return [
        Claim(
            "Fig. 7.5",
            f"triangular profiles, both joints by pi/2 in {HALF_SECOND:g} s",
            f"largest velocity {shown(motion.qd.max())} rad/s, acceleration {shown(e1.max())} rad/s2",
            proven(
                "the sense of the rotations is not given: equal, since the accelerations are said to be the "
                "same; below both are positive",
                gap(motion.duration, HALF_SECOND) < EQUAL,
                gap(motion.q[-1] - motion.q[0], [QUARTER, QUARTER]) < 1e-6,
            ),
        ),
        Claim(
            "Fig. 7.6, first remark",
            "inertia torque at joint 1 of its own acceleration follows the acceleration",
            f"b_11 from {span(b11)} kg m2",
            proven(
                "in sign and roughly in size: it is not piecewise constant", b11.min() > 0, np.ptp(b11) > 30
            ),
        ),
        Claim(
            "second remark",
            "that at joint 2 of its own acceleration is piecewise constant",
            f"+-{shown(float(own.max()))} N m",
            proven("confirmed", gap(np.abs(own), np.full(len(own), own.max())) < EQUAL),
        ),
        Claim(
            "third remark",
            "those due to the other joint confirm the symmetry of B",
            f"both {span(there[0])} N m",
            proven("confirmed", apart < EQUAL),
        ),
        Claim(
            "fourth remark",
            "Coriolis torque at joint 1 only",
            f"joint 1: {span(parts['Coriolis 1'])} N m, joint 2: {span(parts['Coriolis 2'])}",
            proven("confirmed; of any motion, c_212 = 0", np.abs(parts["Coriolis 2"]).max() < EQUAL),
        ),
        Claim(
            "fifth remark",
            "centrifugal and Coriolis torques reflect the symmetry",
            f"centrifugal at joint 1 {span(parts['centrifugal 1'])} N m, at joint 2 its opposite, "
            "Coriolis its double",
            proven(
                "confirmed",
                gap(parts["centrifugal 1"], -parts["centrifugal 2"]) < EQUAL,
                gap(2 * parts["centrifugal 1"], parts["Coriolis 1"]) < EQUAL,
            ),
        ),
    ]


def _different_claims() -> list[Claim]:
    motion = different_duration()
    parts, time = motion.contributions, motion.time
    opposite = np.abs(motion.qdd.sum(axis=1)) < EQUAL
    speeding = time < ACCELERATING
    first, second = motion.durations
    turns = motion.q[-1] - motion.q[0]
    cruising = first - ACCELERATING
    steady, g2 = time < cruising, parts["gravity 2"]
    centre = parts["gravity 1"] / (G * (EXAMPLE.m_l1 + EXAMPLE.m_m2 + EXAMPLE.m_l2))
    last = [float(time[np.abs(parts[name]) > 1e-3].max()) for name in ("centrifugal 1", "centrifugal 2")]
    return [
        Claim(
            "Fig. 7.7",
            f"trapezoidal profiles, {ACCELERATING:g} s of acceleration, at most {SPEED:g} rad/s, "
            f"tip to ({TO:g}, 0)",
            f"joint 1 turns by {shown(turns[0])} rad in {first:.4f} s, joint 2 by {shown(turns[1])} rad in "
            f"{second:.4f} s",
            proven(
                "durations are not printed: turn / speed + acceleration time",
                gap(planar2().pose(motion.q[-1])[:2, 3], (TO, 0.0)) < 1e-6,
                first < second,
            ),
        ),
        Claim(
            "Fig. 7.8, first remark",
            "inertia torques due to the other joint are opposite while the accelerations are",
            f"until {ACCELERATING:g} s: {span(parts['inertia 12'][speeding])} N m at joint 1, its opposite "
            "at joint 2",
            proven(
                "confirmed; later one joint accelerates at a time, or none",
                gap(parts["inertia 12"][speeding], -parts["inertia 21"][speeding]) < EQUAL,
                opposite[speeding].all(),
                not (motion.qdd[~speeding] != 0).all(axis=1).any(),
            ),
        ),
        Claim(
            "second remark",
            "the centrifugal torque at joint 1 dies out later than that at joint 2",
            f"at {second:.4f} and {first:.4f} s",
            proven(
                "confirmed: with the velocities of joints 2 and 1",
                abs(last[0] - second) < 0.01,
                abs(last[1] - first) < 0.01,
            ),
        ),
        Claim(
            "third remark",
            "gravity torque at joint 2 practically constant at first, link 2 almost keeps its posture",
            f"{shown(float(g2[0]))} N m until {cruising:.4f} s, then up to {shown(float(g2.max()))} N m",
            proven(
                "**exactly** constant: the velocities are opposite until joint 1 slows down",
                np.ptp(g2[steady]) < 1e-9,
                np.abs(motion.qd[steady].sum(axis=1)).max() < EQUAL,
            ),
        ),
        Claim(
            "third remark",
            "the centre of mass moves away from the origin, felt at joint 1",
            f"its x from {span(centre)} m, the torque {span(parts['gravity 1'])} N m",
            proven("confirmed", (np.diff(centre) > -EQUAL).all()),
        ),
    ]


def _line_claims() -> list[Claim]:
    motion, way = straight_line(), line()
    parts, time = motion.contributions, motion.time
    tip = planar2().pose(motion.q)[:, :2, 3]
    velocity = planar2().twist(motion.q, motion.qd)[:, :2]
    steady = (time > ACCELERATING) & (time < way.duration - ACCELERATING)
    both = parts["centrifugal 1"] + parts["Coriolis 1"]
    return [
        Claim(
            "Fig. 7.9",
            f"tip by {TO - FROM:g} m along x, {ACCELERATING:g} s of acceleration, at most {SPEED:g} m/s",
            f"lasts {way.duration:.2f} s, acceleration {shown(way.acceleration)} m/s2",
            proven(
                "the duration is not printed",
                gap(tip[:, 0], FROM + way.at(time)[0]) < EQUAL,
                np.abs(tip[:, 1]).max() < EQUAL,
                gap(velocity, np.stack([way.at(time)[1], 0 * time], axis=-1)) < EQUAL,
            ),
        ),
        Claim(
            "Fig. 7.10",
            "joint motions differ from the tip's, because of the kinematics",
            f"at constant speed of the tip joint 2 accelerates with {span(motion.qdd[steady, 1])} rad/s2, "
            f"over all with {span(motion.qdd[:, 1])}",
            proven("confirmed", np.ptp(motion.qdd[steady, 1]) > 5),
        ),
        Claim(
            "Fig. 7.11",
            "remarks similar to those above",
            f"centrifugal and Coriolis torque at joint 1 reach {shown(parts['Coriolis 1'].max())} N m each, "
            "and cancel",
            proven(
                "not said in the text: links of one length on a line through joint 1 give qd_2 = -2 qd_1, so "
                "that h qd_2^2 + 2 h qd_1 qd_2 = 0",
                np.abs(both).max() < 1e-8,
                gap(motion.qd[:, 1], -2 * motion.qd[:, 0]) < EQUAL,
            ),
        ),
    ]


def _claim_peaks() -> Claim:
    peaks = [shown(float(np.abs(motion.torque).max())) for motion in motions()]
    return Claim(
        "Figs. 7.5 to 7.11",
        "curves; no value of a torque is in the text or in a caption",
        f"largest torques {peaks[0]}, {peaks[1]} and {peaks[2]} N m",
        "cannot be compared: the figures are lost",
    )


def _claim_reduced() -> Claim:
    reduced = dynamics(planar2().robot, "coupled")
    shares = []
    for motion in motions():
        lacking = np.abs(reduced.inverse(motion.q, motion.qd, motion.qdd) - motion.torque).max()
        shares.append(100 * float(lacking / np.abs(motion.torque).max()))
    return Claim(
        "7.3.2, reduced model",
        "k_r2 I_m2 in b_12 could be neglected for high ratios",
        f"torques change by at most {', '.join(shown(x, 2) for x in shares)} % of the largest, in the three "
        "motions",
        proven("confirmed here (`motors=coupled`)", max(shares) < 2),
    )
