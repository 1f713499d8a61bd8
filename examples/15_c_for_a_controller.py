"""From a robot file to C that a controller runs: exported, compiled, tested, and timed in a loop at 1 kHz."""

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import armdyn as ad
from armdyn.exports.c import export_c

arm = ad.load("ur5")
with TemporaryDirectory() as folder:
    # The payload is an argument: the controller learns at run time what the gripper holds
    exported = export_c(arm, folder, quantities=["inverse", "forward", "gravity"], payload=True)
    for file in exported.files:
        print(f"{file.name:18s} {len(file.read_text().splitlines()):5d} lines")

    # Statements go from body to body, outwards with motion and inwards with forces; comments say where one is
    source = Path(folder, "ur5.c").read_text()
    gravity = source[source.index("int ur5_gravity") :]
    print(gravity[: gravity.index("const double seen")])

    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        print("no C compiler is here; with one, the self-test and the control loop run")
    else:
        for program in ("selftest", "example"):
            command = [compiler, "-std=c99", "-O2", "-o", program, "ur5.c", f"ur5_{program}.c", "-lm"]
            subprocess.run(command, cwd=folder, check=True)  # noqa: S603  what was found above
        for words in (["./selftest"], ["./example", "0.5"]):
            done = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True)  # noqa: S603
            print(done.stdout)
