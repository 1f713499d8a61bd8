"""A study of many points: what gravity asks of a UR5 with any payload, computed, resumed, summed up."""

from pathlib import Path
from tempfile import TemporaryDirectory

import armdyn as ad
from armdyn.sweep.summary import summarised
from armdyn.sweep.summary.report import write_report

STUDY = """
[study]
robot = "ur5"
quantity = "inverse"           # at rest: what gravity asks for

[design]
kind = "sobol"
n = 1024

[axes.q2]
range = ["-180 deg", "0 deg"]

[axes.q3]
range = ["-150 deg", "150 deg"]

[axes."payload.mass"]
range = [0, "5 kg"]

[options]
elements = ["2", "3"]

[output]
folder = "holding"
"""


def main() -> None:
    """Run the study in a folder that does not stay."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "holding.toml"
        file.write_text(STUDY, encoding="utf-8")
        done = ad.sweep(file, workers=1)
        again = ad.sweep(file, workers=1, resume=True)  # nothing is missing: nothing is computed
        print(f"{done.done} of {done.total} rows in {done.chunks} files; again: {again.computed} computed")
        found = summarised(done.output)
        for result in found.results:
            most = result.maximum
            assert most is not None
            where = ", ".join(f"{axis} = {value:.3g}" for axis, value in most.at.items())
            print(f"{result.name}: largest {most.value:.3g} {result.unit} at {where}")
        write_report(found, Path(folder) / "report.html")


if __name__ == "__main__":
    main()
