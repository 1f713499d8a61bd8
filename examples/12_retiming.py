"""Slow just enough, or as fast as can be: the same path in other times.

A program asks too much of its joints. One multiple of all speeds is the simplest cure and the slowest one;
the fastest motion along the path says what could be had at best, and what holds the arm back where.
"""

import numpy as np

import armdyn as ad

slow = ad.retime("lola15", mode="uniform", turn_acceleration=0.5)
print(f"programmed {slow.before:.2f} s; all of it slower: {slow.duration:.2f} s")
for limit in slow.active_limits:
    print(f"  because of joint {limit.joint}, {limit.quantity}, at {limit.time:.2f} s (line {limit.line})")

fast = ad.retime("lola15", mode="optimal", turn_acceleration=0.5)
print(f"as fast as can be: {fast.duration:.2f} s; no motion is shorter than {fast.lower_bound:.2f} s")
print(f"  checked sample by sample: feasible {fast.verification.feasible}")
lasting: dict[str, float] = {}
for limit in fast.active_limits:
    name = f"{limit.quantity} of joint {limit.joint}"
    lasting[name] = lasting.get(name, 0.0) + limit.until - limit.time
for name, time in sorted(lasting.items(), key=lambda item: -item[1])[:3]:
    print(f"  held back by {name} for {time:.2f} s")

# A path through postures, without any times; the tool no faster than 0.8 m/s
arm = ad.load("ur5")
postures = [[0, -1.2, 1.0, 0, 0.3, 0], [0.6, -0.8, 0.7, 0.4, 0, 0.5], [1, -1.4, 1.5, -0.2, 0.5, 1]]
for kind in ("spline", "straight"):
    found = ad.retime(ad.path_through(arm, postures, kind), tool_speed=0.8)
    motion = found.columns()
    speed = np.linalg.norm(ad.Dynamics(arm).twist(motion["q"], motion["qd"])[:, :3], axis=1).max()
    print(f"{kind}: {found.duration:.3f} s, the tool at up to {speed:.3f} m/s")
