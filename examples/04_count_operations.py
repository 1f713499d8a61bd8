"""Operations of several formulations: as their equations are written, and after exploiting structure."""

import armdyn as ad
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.tree import tree
from armdyn.scalars import Tally
from armdyn.studies.counts import operation_counts

# Counting is another kind of scalar: the same equations, over numbers that count what is done with them.
tally = Tally()
arm = tree(ad.load("lola15"), "none").with_numbers(tally.number)
inverse_dynamics(arm, *([tally.number(0.1)] * arm.n for _ in range(3)))
print(f"Newton-Euler for lola15: {tally.multiplications} multiplications, {tally.additions} additions")

# All formulations at once; optimised is the graph that Dynamics runs.
for name in ("lola15", "ur5", "panda"):
    for count in operation_counts(ad.load(name), quantities=["inverse"]):
        how = f"{count.formulation}{', omission rule' if count.variant else ''}, {count.mode}"
        print(f"{name:8s}{how:48s}{count.multiplications:6d} multiplications {count.additions:6d} additions")
