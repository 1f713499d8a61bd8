"""Quantities of a robot: traced once over graph nodes, compiled, and run over batches of states."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics.model import Model
from armdyn.dynamics.quantities import QUANTITIES
from armdyn.dynamics.quantity import Evaluate, Size
from armdyn.dynamics.running import (
    Run,
    RunAll,
    apart,
    check_count,
    check_run,
    fill_lost,
)
from armdyn.errors import InputError, ShapeError, counted
from armdyn.mechanics.body_parameters import PARAMETERS
from armdyn.mechanics.methods import MethodName
from armdyn.mechanics.rubbing import TERMS
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.native.forking import LOCK
from armdyn.native.recipe import recipe
from armdyn.native.setting import is_native
from armdyn.native.signature import Signature
from armdyn.robot import Robot
from armdyn.scalars import Array, Graph, Program, program
from armdyn.scalars.batch import Losses, Runner, run_all
from armdyn.scalars.factoring import factored

if TYPE_CHECKING:
    from armdyn.native.kernel import Kernel

InputSize = Size | Literal["body parameters", "friction terms"]

INPUTS: Mapping[str, InputSize] = {
    "wrench": 6,
    "at": 3,
    "base": 12,
    "dt": 1,
    "held": "points",
    "ways": "points",
    "current": "drives",
    "motor_torque": "drives",
    "voltage": "drives",
    "added": "body parameters",
    "rubbing": "friction terms",
}
"""Inputs that do not have one element per joint, and their sizes."""

POSE = 6
"""Axes of a whole pose."""

Key = tuple[str, tuple[Any, ...], tuple[str, ...]]
"""Name, options and inputs of what is evaluated."""


class Traced(Model):
    """A robot under one motor model, with the programs traced for it so far."""

    def __init__(
        self,
        robot: Robot,
        motors: MotorModel | None,
        friction: bool | None,
        method: MethodName | None = None,
    ) -> None:
        """Choose motor model and formulation; programs come when they are first asked for."""
        super().__init__(robot, motors, friction, method)
        self._programs: dict[Key, Program] = {}
        self._kernels: dict[Key, Kernel] = {}
        self._signatures: dict[Key, Signature] = {}

    # What there is --------------------------------------------------------------------------

    def signature(self, name: str, options: tuple[Any, ...] = (), given: Collection[str] = ()) -> Signature:
        """Inputs and results of a quantity; of its optional inputs those that are given."""
        return self._signature(self._key(name, options, given))

    def program(self, name: str, options: tuple[Any, ...] = (), given: Collection[str] = ()) -> Program:
        """The operations of a quantity, with as few of them as found; traced if it is new."""
        return self._program(self._key(name, options, given))

    def is_plain(self, name: str, options: tuple[Any, ...], given: Collection[str]) -> bool:
        """Whether a call gives arrays only, as its method takes them by position."""
        quantity = QUANTITIES[name]
        by_default = options == quantity.defaults and len(given) == len(quantity.inputs)
        return by_default and is_native() and quantity.bare

    def inputs(self, name: str, given: Collection[str]) -> tuple[str, ...]:
        """The names of a quantity's inputs, of its optional ones those that are given."""
        return self._key(name, QUANTITIES[name].defaults, given)[2]

    def kernel(self, name: str, given: Collection[str] = ()) -> Kernel:
        """The compiled code of a quantity with its options at their defaults."""
        return self._kernel(self._key(name, QUANTITIES[name].defaults, given))

    def deciding(self, name: str) -> str | None:
        """The quantity that decides what sticks for another one, where anything can."""
        return QUANTITIES[name].from_rest if self.can_stick else None

    def kernel_from_rest(self, name: str) -> Kernel | None:
        """The compiled code that decides what sticks, if it has been needed."""
        deciding = QUANTITIES[name].from_rest
        return None if deciding is None else self._kernels.get(self._key(deciding, (), ()))

    @cached_property
    def _sizes(self) -> Mapping[InputSize, int]:
        n = self.n
        return {
            "n": n,
            "2n": 2 * n,
            "pairs": n * (n + 1) // 2,
            "bodies": len(self.robot.bodies),
            "drives": len(self.robot.drives),
            "points": len(self.points),
            "parameters": len(self.parameters),
            "body parameters": len(self.robot.bodies) * len(PARAMETERS),
            "friction terms": len(self.points) * len(TERMS),
        }

    def _key(self, name: str, options: tuple[Any, ...], given: Collection[str]) -> Key:
        quantity = QUANTITIES[name]
        quantity.check_options(options)
        return name, options, (*quantity.inputs, *(k for k in quantity.optional if k in given))

    def _signature(self, key: Key) -> Signature:
        if key not in self._signatures:
            name, options, inputs = key
            sized = tuple((k, self._input_size(k)) for k in inputs)
            task = dict(zip(QUANTITIES[name].options, options, strict=True)).get("task")
            sizes = {"task": POSE if task is None else len(task.split(","))}
            shapes = (
                tuple(sizes.get(str(axis)) or self._size(axis) for axis in axes)
                for axes in QUANTITIES[name].results
            )
            self._signatures[key] = Signature(sized, tuple(shapes))
        return self._signatures[key]

    def _size(self, axis: InputSize) -> int:
        return axis if isinstance(axis, int) else self._sizes[axis]

    def _input_size(self, name: str) -> int:
        return self._size(INPUTS.get(name, "n"))

    def _program(self, key: Key) -> Program:
        if key not in self._programs:
            (name, options, _), graph = key, Graph()
            nodes = {k: graph.inputs(k, size) for k, size in self._signature(key).inputs}
            self._programs[key] = factored(program(QUANTITIES[name].build(self, nodes, *options)))
        return self._programs[key]

    # Running --------------------------------------------------------------------------------

    def evaluate(self, name: str, options: tuple[Any, ...], run: Run, **given: ArrayLike | None) -> Array:
        """The one result of a quantity over the broadcast inputs."""
        out = run.get("out")
        together: Any = {**run, "out": None if out is None else (out,)}
        return self.results(name, options, together, **given)[0]

    def results(
        self, name: str, options: tuple[Any, ...], run: RunAll, **given: ArrayLike | None
    ) -> tuple[Array, ...]:
        """All results of a quantity over the broadcast inputs."""
        check_run(run)
        key = self._key(name, options, [k for k, value in given.items() if value is not None])
        inputs = {k: self.array(k, given[k]) for k in key[2]}
        out, signature = run.get("out"), self._signature(key)
        check_count(out, signature)
        threads, losses, iterated = run.get("threads"), run.get("losses"), QUANTITIES[name].iterated
        if iterated is None or (QUANTITIES[name].settles_in_motion and not self.can_stick):
            return run_all(self._runner(key), inputs, signature.results, out, threads, losses)
        evaluate, deciding = self.evaluator(threads), QUANTITIES[name].from_rest
        inputs, lost = apart(inputs, out), Losses()
        results = run_all(self._runner(key), inputs, signature.results, out, threads, lost)
        if lost.rows and deciding is not None:  # something rests
            lost.rows = fill_lost(inputs, results, partial(evaluate, deciding))
        if lost.rows:  # something rests, or wants more steps
            lost.rows = fill_lost(inputs, results, partial(iterated, self, evaluate))
        if losses is not None:
            losses.rows += lost.rows
        return results

    def runner(self, name: str, given: Collection[str] = ()) -> Runner:
        """What fills rows of a quantity's results from rows of its inputs, for loops."""
        return self._runner(self._key(name, QUANTITIES[name].defaults, given))

    def _runner(self, key: Key) -> Runner:
        """What evaluates a quantity: the only one who needs its program."""
        return self._kernel(key) if is_native() else self._program(key)

    def _kernel(self, key: Key) -> Kernel:
        """The quantity compiled; its program is traced only if its code is not on disk."""
        if key not in self._kernels:
            with LOCK:
                from armdyn.native.kernel import Kernel

                text = f"{self._recipe} {recipe(key)}"
                self._kernels[key] = Kernel(self._signature(key), partial(self._program, key), text)
        return self._kernels[key]

    @cached_property
    def _recipe(self) -> str:
        """All that a quantity's program depends on besides its name."""
        return recipe((self.robot, self.motors, self.friction, self.asked))

    def evaluator(self, threads: int | None) -> Evaluate:
        """What evaluates the quantities that another one is put together from."""
        return lambda name, inputs: self.results(name, (), {"threads": threads}, **inputs)

    def array(self, name: str, value: ArrayLike | None) -> Array:
        """The value as an array of shape (..., size of the input called `name`)."""
        size = self._input_size(name)
        array = _numbers(value)
        if array is None:
            raise InputError(f"{name} is not an array of real numbers, expected shape (..., {size})")
        if array.ndim == 0 or array.shape[-1] != size:
            of = INPUTS.get(name, "n")
            has = f"{name} has {size} elements"
            if not isinstance(of, int):
                each = {"n": "joint", "drives": "drive", "points": "friction point"}.get(
                    of, of.removesuffix("s")
                )
                has = f'robot "{self.robot.name}" has {counted(size, each)}'
            raise ShapeError(name, array.shape, has, f"(..., {size})")
        return array


def _numbers(value: ArrayLike | None) -> Array | None:
    """The value as floats, or None if it is not made of real numbers."""
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        return None
    return array.astype(np.float64, copy=False) if array.dtype.kind in "biuf" else None
