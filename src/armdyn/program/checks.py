"""Whether a program makes sense before it runs: names, types, options; all that is wrong with it."""

from __future__ import annotations

from armdyn.errors import ProgramError, suggestion
from armdyn.program.evaluation import Evaluation
from armdyn.program.expression_checks import ExpressionChecks, is_constant
from armdyn.program.kinds import Kind, described, fits, is_number
from armdyn.program.lexer import short
from armdyn.program.move_checks import check_move
from armdyn.program.ranges import outside
from armdyn.program.tree import (
    Assignment,
    Choice,
    Declaration,
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
from armdyn.program.words import BUILT_IN, TYPES, UNSUPPORTED


def check(tree: Tree, damaged: frozenset[str] = frozenset()) -> tuple[list[ProgramError], Name | None]:
    """All that is wrong, and the robot that the program names (as `act_rob`), if it names one."""
    checks = Checks(damaged)
    for declaration in tree.declarations:
        checks.declare(declaration)
    checks.block(tree.statements)
    return checks.problems, checks.robot


class Checks:
    """What is known of names so far, and what is wrong."""

    def __init__(self, damaged: frozenset[str]) -> None:
        """Names whose declarations were not understood are known, their types are not."""
        self.names: dict[str, Kind | None] = dict.fromkeys(damaged)
        self.fixed: dict[str, str] = {}
        """Names that cannot be assigned -> what they are"""
        self.problems: list[ProgramError] = []
        self.robot: Name | None = None
        self.expressions = ExpressionChecks(self.names, self.report)

    def report(self, message: str, at: Place) -> None:
        """Note a problem."""
        self.problems.append(ProgramError(message, line=at.line, column=at.column))

    # Expressions ------------------------------------------------------------------------------

    def want(self, expression: Expression, wanted: str, subject: str) -> bool:
        """Whether an expression has the type that is wanted here; report if it has another."""
        kind = self.expressions.kind(expression)
        if kind is None:
            return False
        if not fits(kind, wanted):
            expected = "a number" if wanted == "real" else described(wanted)
            self.report(f"{subject} is {described(kind)}, expected {expected}", expression.at)
            return False
        return True

    def want_number(self, word: str, expression: Expression) -> None:
        """A number in the range of this word, as far as that can be known now."""
        if not self.want(expression, "real", word) or not is_constant(expression):
            return
        try:
            wrong = outside(word, Evaluation({}).of(expression))
        except ProgramError as error:
            self.problems.append(error)
            return
        if wrong:
            self.report(wrong, expression.at)

    # Declarations and assignments -------------------------------------------------------------

    def declare(self, declaration: Declaration) -> None:
        """A name, its type and its first value."""
        kind, name = declaration.type.key, declaration.name
        if kind not in TYPES:
            self.report(_no_type(declaration.type), declaration.type.at)
        if name.key in BUILT_IN:
            self.report(f'"{name.written}" has a meaning already, expected a name of your own', name.at)
            return
        if self.names.get(name.key) is not None:
            self.report(f'"{short(name.written)}" is declared twice, expected once', name.at)
            return
        if declaration.value is not None and kind in TYPES:
            self.want(declaration.value, kind, f'"{short(name.written)}"')
        elif declaration.value is None and declaration.constant:
            self.report(f'the constant "{short(name.written)}" has no value, expected one', name.at)
        self.names[name.key] = kind if kind in TYPES else None
        if declaration.constant:
            self.fixed[name.key] = "a constant"

    def _assign(self, statement: Assignment) -> None:
        name = statement.name
        if name.key not in self.names:
            self.expressions.kind(name)
        elif name.key in self.fixed:
            self.report(f'"{short(name.written)}" is {self.fixed[name.key]} and cannot be assigned', name.at)
        kind = self.names.get(name.key)
        if isinstance(kind, str):
            self.want(statement.value, kind, f'the value of "{short(name.written)}"')
        else:
            self.expressions.kind(statement.value)

    # Statements -------------------------------------------------------------------------------

    def block(self, statements: tuple[Statement, ...]) -> None:
        """Statements, one after the other."""
        for statement in statements:
            self._statement(statement)

    def _statement(self, statement: Statement) -> None:
        match statement:
            case Assignment():
                self._assign(statement)
            case MoveStatement():
                self._move(statement)
            case Choice():
                for condition, statements in statement.branches:
                    self.want(condition, "bool", "the condition")
                    self.block(statements)
                self.block(statement.otherwise)
            case Loop():
                self._loop(statement)
            case WaitStatement():
                self.want_number("wait", statement.duration)
            case ToolStatement():
                self._tool(statement)
            case Hold():
                self._hold(statement)
            case Release():
                pass

    def _move(self, statement: MoveStatement) -> None:
        robot = check_move(statement, self.expressions, self.want_number)
        if robot is None:
            return
        if self.robot is None:
            self.robot = robot
        elif plain(robot.written) != plain(self.robot.written):
            before = f'"{short(self.robot.written)}" in line {self.robot.at.line}'
            self.report(f'act_rob is "{short(robot.written)}", but {before}; expected one robot', robot.at)

    def _loop(self, loop: Loop) -> None:
        bounds = [loop.first, loop.last, *([] if loop.step is None else [loop.step])]
        kinds = [self.expressions.kind(bound) for bound in bounds]
        for kind, bound in zip(kinds, bounds, strict=True):
            if kind is not None and not is_number(kind):
                self.report(f"a bound of for is {described(kind)}, expected a number", bound.at)
        if loop.step is not None and is_constant(loop.step):
            self.want_number("step", loop.step)
        counts = "int" if all(kind == "int" for kind in kinds) else "real"
        key, declared = loop.name.key, loop.name.key in self.names
        self._check_counter(loop.name, counts, kinds)
        before = self.fixed.get(key)
        if not declared:
            self.names[key] = counts
        self.fixed[key] = "the counter of its loop"
        self.block(loop.body)
        del self.fixed[key]
        if before is not None:
            self.fixed[key] = before
        if not declared:
            del self.names[key]

    def _check_counter(self, name: Name, counts: str, kinds: list[Kind | None]) -> None:
        kind, shown = self.names.get(name.key), short(name.written)
        if name.key in BUILT_IN:
            self.report(f'"{shown}" has a meaning already, expected a name of your own', name.at)
        elif name.key in self.fixed:
            self.report(f'"{shown}" is {self.fixed[name.key]}, expected another name', name.at)
        elif kind is not None and None not in kinds and not fits(counts, str(kind)):
            self.report(f'"{shown}" is {described(kind)} but counts {described(counts)}', name.at)

    def _tool(self, statement: ToolStatement) -> None:
        form = "tool (x, y, z), (A, B, C)"
        if len(statement.arguments) > 2:
            self.report(f"tool has {len(statement.arguments)} values, expected {form}", statement.at)
        for argument, wanted in zip(statement.arguments, ("position", "orientation"), strict=False):
            self.want(argument, wanted, f"the {wanted} of the tool")

    def _hold(self, statement: Hold) -> None:
        form = f"{statement.word} MASS, (x, y, z), (Ixx, Iyy, Izz, Ixy, Ixz, Iyz)"
        mass, *rest = statement.arguments
        self.want_number("mass", mass)
        if len(rest) > 2:
            self.report(f"{statement.word} has {len(rest) + 1} values, expected {form}", statement.at)
        if rest:
            self.want(rest[0], "position", "the centre of mass")
        if len(rest) > 1:
            kind = self.expressions.kind(rest[1])
            fine = isinstance(kind, tuple) and len(kind) in (3, 6) and all(map(is_number, kind))
            if kind is not None and not fine:
                self.report(f"the inertia is {described(kind)}, expected 3 or 6 numbers: {form}", rest[1].at)


def plain(robot: str) -> str:
    """The name of a robot without case, underscores and spaces."""
    return "".join(robot.lower().replace("_", " ").split())


def _no_type(name: Name) -> str:
    if name.key in UNSUPPORTED:
        return f'"{name.written}" is not supported; {UNSUPPORTED[name.key]}'
    near = suggestion(name.key, TYPES)
    return f'"{short(name.written)}" is no type; {near}expected type:name=value with {", ".join(TYPES)}'
