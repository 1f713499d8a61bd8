"""The order of statements: every operation once, after what it needs, in sweeps that say the truth."""

import pytest

import armdyn as ad
from armdyn.dynamics.traced import Traced
from armdyn.exports.c.blocks import blocks
from armdyn.exports.c.function import function_text
from armdyn.exports.c.setting import Setting
from armdyn.scalars.graph import LEAVES


@pytest.mark.parametrize("name", ["ur5", "scara", "irb6"])
@pytest.mark.parametrize(
    "quantity", ["inverse", "forward", "mass_matrix", "linearisation", "friction step", "rk4 step"]
)
def test_every_operation_stands_after_what_it_needs(name: str, quantity: str) -> None:
    setting = Setting(Traced(ad.load(name), None, True), "r")
    program, _ = setting.traced_program(quantity)
    order = [position for block in blocks(program, setting.bodies) for position in block.positions]
    assert sorted(order) == list(range(len(program.operations)))
    met: set[int] = set()
    for position in order:
        kind, *arguments = program.operations[position]
        assert kind in LEAVES or met.issuperset(arguments)
        met.add(position)


def test_nothing_outwards_depends_on_bodies_further_out() -> None:
    setting = Setting(Traced(ad.load("panda"), None, False), "r")
    program, _ = setting.traced_program("inverse")
    rank = {origin: k for k, origin in enumerate(setting.bodies)}
    farthest: list[int] = []
    for position, (kind, *arguments) in enumerate(program.operations):
        own = rank.get(program.origins[position] or "", -1)
        farthest.append(-1 if kind in LEAVES else max(own, *(farthest[a] for a in arguments)))
    titles = {title: k for k, title in enumerate(setting.bodies.values())}
    sweeps = [block for block in blocks(program, setting.bodies) if block.title.endswith(", outwards")]
    assert len(sweeps) >= setting.traced.n - 1
    for block in sweeps:
        body = titles[block.title.removesuffix(", outwards")]
        assert max(farthest[position] for position in block.positions) <= body


def test_without_bodies_there_are_no_comments() -> None:
    traced = Traced(ad.load("planar2"), None, False)
    text = function_text("f", traced.program("inverse"), traced.signature("inverse"))
    assert "/*" not in text
    assert text.startswith(
        "int f(const double q[2], const double qd[2], const double qdd[2], double result[2])\n{"
    )


def test_a_program_is_the_same_whatever_its_operations_stem_from() -> None:
    first, second = (Traced(ad.load("ur5"), None, False).program("forward") for _ in range(2))
    assert first == second
    assert first.origins == second.origins
    assert "linear system" in first.origins
    assert len(first.origins) == len(first.operations)
