"""An arm for other simulators: exported as an FMU, run by FMPy, the same as here.

A SCARA under torques that swing: its friction lets joints stick and slip. The FMU has C inside and is stepped
as any tool would step it, torques held over each communication step of 10 ms; `simulate` does the same. Then
the hand takes a payload while the FMU runs.

Needs a C compiler, and fmpy to run it.
"""

import tempfile
from importlib.util import find_spec

import numpy as np

import armdyn as ad
from armdyn.exports.fmu import export_fmu
from armdyn.simulation import sampled

arm, step = ad.load("scara"), 0.01
time = step * np.arange(101)
torques = np.outer(np.sin(9 * time), [15, 8, 12, 0.5]) + ad.Dynamics(arm).gravity(arm.home)

with tempfile.TemporaryDirectory() as folder:
    done = export_fmu(arm, folder, payload=True)
    for sentence in done.lost:
        print(sentence)
    print(f"{done.files[0].name}: {done.files[0].stat().st_size / 1000:.0f} kB")
    if done.lost or find_spec("fmpy") is None:
        raise SystemExit("no binary, or no fmpy: pip install fmpy runs it")

    from fmpy import simulate_fmu

    names = [f"tau[{k}]" for k in range(1, arm.n + 1)]
    steps = np.zeros(2 * len(time) - 1, dtype=[("time", float), *((name, float) for name in names)])
    steps["time"] = np.repeat(time, 2)[1:]  # each held until the next
    for name, values in zip(names, torques.T, strict=True):
        steps[name] = np.repeat(values, 2)[:-1]
    outputs = [f"q[{k}]" for k in range(1, arm.n + 1)]
    options = {"stop_time": 1.0, "output_interval": step, "input": steps, "output": outputs}
    result = simulate_fmu(str(done.files[0]), **options)
    loaded = simulate_fmu(str(done.files[0]), start_values={"payload.mass": 5.0}, **options)

run = ad.simulate(arm, 1.0, torque=sampled(time, torques, "hold"), integrator="rk4", dt=1e-3, sample=step)
q = np.column_stack([result[name] for name in outputs])
print("at the end [rad, m]:", np.round(q[-1], 4))
print(f"from what simulate says: {np.abs(q - run.q).max():.0e}")
print("events:", [(event.joint, event.kind) for event in run.events if event.kind in ("sticks", "slips")])
print("with 5 kg in the hand:", np.round([loaded[name][-1] for name in outputs], 4))
