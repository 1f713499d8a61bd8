"""A running robot, watched: a simulated UR5 that picks something up, streamed to the studio at 100 Hz.

    armdyn studio ur5                            # prints a link, and opens the page: look at the tab Live
    python examples/18_live_robot.py LINK        # sends to it, until interrupted

After 8 s the arm takes 4 kg that its model does not know: the residual shows it, and an alarm is raised. Tell
the page of the payload, and the residual is gone. After 16 s the arm lets go, and so on.

    python examples/18_live_robot.py --opcua     # the same arm behind an OPC UA server
    armdyn telemetry examples/live/opcua.toml LINK

Without a link a minute is looked at in this process, as fast as it goes.
"""

import argparse
import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC

import numpy as np

import armdyn as ad
from armdyn.studio.live import Telemetry

RATE, SUBSTEPS = 100, 10
GRASP, PERIOD = 8.0, 16.0
NOISE_Q, NOISE_TAU = 5e-6, 0.15


@dataclass
class Measured:
    """What a controller knows at an instant."""

    time: float
    q: np.ndarray
    tau: np.ndarray


class Robot:
    """An arm under computed torque, simulated step by step; what it holds comes and goes."""

    def __init__(self, name: str = "ur5") -> None:
        """At the begin of its motion, with empty hands."""
        arm = ad.load(name)
        self.model = ad.Dynamics(arm)
        self.loaded = ad.Dynamics(arm.with_payload(4.0, (0.0, 0.0, 0.08)))
        self.random = np.random.default_rng(0)
        self.q, self.qd, _ = self.reference(0.0)

    def reference(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where the arm should be: slow sines about a working posture."""
        middle = np.array([0.0, -1.2, 1.5, -1.0, -1.5, 0.0])
        size = np.array([0.8, 0.35, 0.4, 0.5, 0.5, 0.8])
        w = 2 * np.pi * np.array([0.11, 0.17, 0.23, 0.19, 0.29, 0.13])
        return middle + size * np.sin(w * t), size * w * np.cos(w * t), -size * w**2 * np.sin(w * t)

    def samples(self) -> Iterator[Measured]:
        """A sample each period, for ever."""
        dt = 1 / RATE / SUBSTEPS
        k = 0
        while True:
            t = k / RATE
            held = (t % PERIOD) >= GRASP
            plant = self.loaded if held else self.model
            q, qd, qdd = self.reference(t)
            wanted = qdd + 400 * (q - self.q) + 40 * (qd - self.qd)
            tau = self.model.inverse(self.q, self.qd, wanted)
            yield Measured(
                t,
                self.q + NOISE_Q * self.random.normal(size=6),
                tau + NOISE_TAU * self.random.normal(size=6),
            )
            for _ in range(SUBSTEPS):
                self.qd = self.qd + dt * plant.forward(self.q, self.qd, tau)
                self.q = self.q + dt * self.qd
            k += 1


def in_real_time(samples: Iterator[Measured], seconds: float) -> Iterator[Measured]:
    begun = time.monotonic()
    for sample in samples:
        if sample.time > seconds:
            return
        time.sleep(max(0.0, begun + sample.time - time.monotonic()))
        yield sample


def send(link: str, seconds: float) -> None:
    """To a studio."""
    with Telemetry(link, robot="ur5", name="simulated ur5", on_problem=print) as telemetry:
        for sample in in_real_time(Robot().samples(), seconds):
            telemetry.send(sample.time, sample.q, tau=sample.tau)
    print(telemetry.state)


async def serve_opcua(url: str, seconds: float) -> None:
    """Behind an OPC UA server: one array of positions, one node for the torque of each joint."""
    from asyncua import ua
    from asyncua.server.server import Server

    server = Server()
    await server.init()
    server.set_endpoint(url)
    space = await server.register_namespace("urn:armdyn:example")
    holder = await server.nodes.objects.add_object(space, "Robot")
    q = await holder.add_variable(f"ns={space};s=Robot.Position", "Position", [0.0] * 6)
    tau = [await holder.add_variable(f"ns={space};s=Robot.Torque{k}", f"Torque{k}", 0.0) for k in range(1, 7)]
    async with server:
        print(f"serving {url}; interrupt to stop", flush=True)
        begun = time.time()
        for sample in Robot().samples():
            if sample.time > seconds:
                return
            await asyncio.sleep(max(0.0, begun + sample.time - time.time()))
            stamp = ua.DateTime.fromtimestamp(begun + sample.time, UTC)
            await q.write_value(
                ua.DataValue(ua.Variant(np.degrees(sample.q).tolist()), SourceTimestamp=stamp)
            )
            for node, value in zip(tau, sample.tau.tolist(), strict=True):
                await node.write_value(ua.DataValue(ua.Variant(value), SourceTimestamp=stamp))


def look(seconds: float) -> None:
    """In this process: what the studio would say."""
    from armdyn.studio.live.prediction import Prediction
    from armdyn.studio.live.stream import Stream
    from armdyn.studio.live.telemetry import Sample, layout_of

    stream = Stream("ur5", layout_of(("q", "tau"), 6, 0, "ur5"), Prediction(ad.Dynamics(ad.load("ur5"))))
    for k, sample in enumerate(Robot().samples()):
        if sample.time > seconds:
            break
        stream.take(Sample(k, sample.time, np.concatenate([sample.q, sample.tau])))
    for event in stream.events:
        print(f"{event.time:6.2f} s  {event.text}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("link", nargs="?", help="what `armdyn studio` has printed")
    parser.add_argument("--opcua", nargs="?", const="opc.tcp://127.0.0.1:4840", metavar="URL")
    parser.add_argument("--seconds", type=float, default=None)
    asked = parser.parse_args()
    try:
        if asked.opcua:
            asyncio.run(serve_opcua(asked.opcua, asked.seconds or np.inf))
        elif asked.link:
            send(asked.link, asked.seconds or np.inf)
        else:
            look(asked.seconds or 20.0)
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
