"""Operations of inverse dynamics: as the equations are written, and after exploiting structure."""

import armdyn as ad
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.tree import tree
from armdyn.scalars import Graph, Tally, program

for name in ("lola15", "puma560", "ur5", "panda"):
    arm = tree(ad.load(name), "none")
    tally = Tally()
    state = [[tally.number(0.1 * (k + 1)) for k in range(arm.n)] for _ in range(3)]
    inverse_dynamics(arm.with_numbers(tally.number), *state)

    graph = Graph()
    nodes = [graph.inputs(x, arm.n) for x in ("q", "qd", "qdd")]
    optimised = program(inverse_dynamics(arm, *nodes).torque).counts()
    print(
        f"{name:8s} as written {tally.multiplications:5d} multiplications {tally.additions:5d} additions,"
        f"   optimised {optimised['multiplications']:4d} and {optimised['additions']:4d}"
    )
