"""Running a program: its loops and choices become one row of steps."""

from __future__ import annotations

import math
from typing import Any

from armdyn.motion.moves import ChangePayload, ChangeTool, JointTarget, Step, Target, Wait
from armdyn.program.evaluation import Evaluation
from armdyn.program.operations import fault
from armdyn.program.ranges import outside
from armdyn.program.steps import joint_target, path_move, payload, placement, point_to_point, target
from armdyn.program.tree import (
    Assignment,
    Choice,
    Expression,
    Hold,
    Loop,
    MoveStatement,
    Name,
    Place,
    Release,
    Statement,
    ToolStatement,
    Tree,
    WaitStatement,
)
from armdyn.program.values import Joints, converted
from armdyn.program.words import FLAGS
from armdyn.robot import Robot

MOST_STEPS = 100_000
"""So many steps may a program have."""
MOST_STATEMENTS = 1_000_000
"""So many statements may be run."""
_MOST_WORK = 5 * MOST_STATEMENTS  # operands, so that long expressions count
_KEPT = ("speed", "acc", "acc_ori", "speed_ptp", "acc_ptp")


class Interpreter:
    """Values of names, options that hold, and the steps so far."""

    def __init__(self, tree: Tree, robot: Robot) -> None:
        """Begin with the declarations."""
        self.robot, self.steps = robot, list[Step]()
        self.places: list[Place] = []
        """Where the statement of each step stands"""
        self.notes: dict[str, None] = {}
        self.values: dict[str, Any] = {}
        self.kinds = {d.name.key: d.type.key for d in tree.declarations}
        self.kept: dict[str, float] = {"speed_ptp": 1.0, "acc_ptp": 1.0}
        self.held_since: int | None = None
        self.statements, self.loops = 0, list[Place]()
        self.evaluation = Evaluation(self.values)
        for declaration in tree.declarations:
            if declaration.value is not None:
                self._set(declaration.name, self.evaluation.of(declaration.value))

    def run(self, statements: tuple[Statement, ...]) -> None:
        """Run statements, one after the other."""
        for statement in statements:
            self._spend(statement.at)
            self._statement(statement)

    def _statement(self, statement: Statement) -> None:
        match statement:
            case Assignment():
                self._set(statement.name, self.evaluation.of(statement.value))
            case MoveStatement():
                self._move(statement)
            case Choice():
                self._choice(statement)
            case Loop():
                self._loop(statement)
            case WaitStatement():
                self._add(Wait(statement.at.line, self._number("wait", statement.duration)), statement.at)
            case ToolStatement():
                frame = placement(*map(self.evaluation.of, statement.arguments))
                self._add(ChangeTool(statement.at.line, frame), statement.at)
            case Hold():
                self._hold(statement)
            case Release():
                self.held_since = None
                self._add(ChangePayload(statement.at.line, None), statement.at)

    # Bounds -----------------------------------------------------------------------------------

    def _spend(self, at: Place) -> None:
        self.statements += 1
        if self.statements > MOST_STATEMENTS or self.evaluation.work > _MOST_WORK:
            raise fault(_too_long(f"more than {MOST_STATEMENTS:,} statements are run"), self._blamed(at))

    def _add(self, step: Step, at: Place) -> None:
        if len(self.steps) >= MOST_STEPS:
            raise fault(_too_long(f"more than {MOST_STEPS:,} steps"), self._blamed(at))
        self.steps.append(step)
        self.places.append(at)

    def _blamed(self, at: Place) -> Place:
        return self.loops[-1] if self.loops else at

    # Values -----------------------------------------------------------------------------------

    def _set(self, name: Name, value: Any) -> None:
        self.values[name.key] = converted(value, self.kinds[name.key])

    def _number(self, word: str, expression: Expression) -> float:
        value = float(self.evaluation.of(expression))
        wrong = outside(word, value)
        if wrong:
            raise fault(wrong, expression.at)
        return value

    # Blocks -----------------------------------------------------------------------------------

    def _choice(self, choice: Choice) -> None:
        for condition, statements in choice.branches:
            if self.evaluation.of(condition):
                self.run(statements)
                return
        self.run(choice.otherwise)

    def _loop(self, loop: Loop) -> None:
        first, last = self.evaluation.of(loop.first), self.evaluation.of(loop.last)
        step: float = 1
        if loop.step is not None:
            self._number("step", loop.step)
            step = self.evaluation.of(loop.step)
        turns = ((first - last) if loop.down else (last - first)) / step + 1e-9
        if turns >= MOST_STATEMENTS:
            raise fault(_too_long(f"this loop turns {turns:.3g} times"), loop.at)
        key = loop.name.key
        self.loops.append(loop.at)
        for k in range(math.floor(turns) + 1 if turns >= 0 else 0):
            self._spend(loop.at)
            value = first - k * step if loop.down else first + k * step
            self.values[key] = converted(value, self.kinds.get(key, ""))
            self.run(loop.body)
        self.loops.pop()

    # Steps ------------------------------------------------------------------------------------

    def _move(self, move: MoveStatement) -> None:
        kind, line = move.kind.key, move.at.line
        options = self._options(move)
        goals = [self._goal(expression) for expression in move.targets]
        if kind == "ptp":
            self._add(point_to_point(line, goals[0], options), move.at)
            return
        for word in ("speed", "acc"):
            if word not in options:
                unit = "mm/s" if word == "speed" else "mm/s2"
                raise fault(f"the first path move has no {word}, expected {word}=.. in {unit}", move.at)
        *via, end = (goal for goal in goals if isinstance(goal, Target))
        self._add(path_move(line, end, via[0] if via else None, options), move.at)

    def _options(self, move: MoveStatement) -> dict[str, Any]:
        """What the move says, and what moves before it said of speeds."""
        given: dict[str, Any] = {}
        for option in move.options:
            name = option.name.key
            if name in FLAGS:
                given[name] = True
            elif name == "c_ori" and isinstance(option.value, Name):
                given[name] = option.value.key
            elif name != "act_rob" and option.value is not None:
                given[name] = self._number(name, option.value)
        self.kept |= {name: value for name, value in given.items() if name in _KEPT}
        return self.kept | given

    def _goal(self, expression: Expression) -> Target | JointTarget:
        value = self.evaluation.of(expression)
        name = expression.written if isinstance(expression, Name) else ""
        if not isinstance(value, Joints):
            return target(value, name)
        missing = self.robot.joint_names[len(value.values) :]
        goal = joint_target(value, name, self.robot, expression.at)
        if missing:
            given = f"{len(value.values)} of {self.robot.n} joint values"
            keeps = f"{', '.join(missing)} {'keeps its value' if len(missing) == 1 else 'keep their values'}"
            self.notes[f"line {expression.at.line}: {name or 'joint'} gives {given}; {keeps}"] = None
        return goal

    def _hold(self, statement: Hold) -> None:
        if statement.word == "grasp" and self.held_since is not None:
            since = f"something is held since line {self.held_since}"
            raise fault(f"{since}, expected release before grasp; payload replaces it", statement.at)
        mass, *rest = statement.arguments
        number = self._number("mass", mass)
        com, tensor = (
            (*map(self.evaluation.of, rest), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))[:2] if rest else _POINT
        )
        held = payload(self.robot, statement.at, number, com, tensor)
        self.held_since = statement.at.line
        self._add(ChangePayload(statement.at.line, held), statement.at)


_POINT = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def _too_long(what: str) -> str:
    return (
        f"{what}, expected at most {MOST_STEPS:,} steps and {MOST_STATEMENTS:,} statements; use fewer turns"
    )
