"""Can the motors do it: a robot program verified, and mended until they can.

The program of Lola 15 keeps the tool's speed where one move runs into the next, but there the turning of the
tool jumps: for some cycles the motors are asked for several times what they have. armdyn says where, what
the arm then really does, and which change helps.

Run it with a file name to get the report of the docs: an .html page.
"""

import sys

import armdyn as ad
from armdyn.feasibility.report import write_report
from armdyn.program import example_program

program = example_program("lola15")
force = [100, 100, -150, 0, 0, 0]  # what the tool presses with [N]

found = ad.verify(program, wrench=force)
print(f"as programmed: feasible {found.feasible}, {found.plan.duration:.2f} s")
worst = max(found.utilisation, key=lambda use: use.peak or 0.0)
print(f"  {worst.motor} is asked for {worst.peak:.1f} times what it has")
print(
    f"  achieved in {found.achieved_time:.2f} s, the tool {1e3 * found.deviation.maximum:.1f} mm off its path"
)
for move in found.moves:
    if move.override < 1:
        print(f"  line {move.line}, {move.kind}: at most {move.override:.0%} of its speed")

gradual = ad.verify(ad.planned(program, turn_acceleration=2.0), wrench=force)
peak = max(use.peak or 0.0 for use in gradual.utilisation)
print(f"turning changed gradually: motors up to {peak:.0%}, {gradual.plan.duration:.2f} s")
limits = {violation.quantity for violation in gradual.violations}
print(f"  what is left: {', '.join(sorted(limits)) or 'nothing'}")

if len(sys.argv) > 1:
    write_report(found, sys.argv[1], source=found.source, title=program.name)
