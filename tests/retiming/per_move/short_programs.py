"""Programs that are too fast, and short enough to be slowed in a second."""

from __future__ import annotations

from pathlib import Path

from armdyn.program import example_program

LINE_AND_ARC = """program short; { größer }
var
robtarg:s4=robtarg(((1019.6465, -571.0567, 669.5612), (-40, -60, -90)));
robtarg:s5=robtarg(((1238.1590, -421.6189, 810.7015), (-20, -30, -90)));
robtarg:s6=robtarg(((1317.2706, -249.063, 873.6763), (-10, -45, -175.03779)));
robtarg:s7=robtarg(((1289.7405, -149.4378, 867.7698), (-5, -40, -175.03779)));
endvar
seq
move ptp s4 speed_ptp=0.5 acc_ptp=0.5 act_rob="lola_15";
move lin s5 speed=460 acc=1000 c_speed;  { runs into the arc }
move circle s6, s7 speed=300;
endseq
endprogram
"""
TURNING = 0.5
"""[rad/s2] Turn acceleration for it."""


def written(folder: Path, text: str) -> Path:
    file = folder / "program.lirl"
    file.write_bytes(text.encode())
    return file


def fast_palletising() -> str:
    """The example with 9 kg in the hand and hard ramps."""
    text = example_program("ur5_palletising").read_text(encoding="utf-8")
    for old, new in (
        ("mass = 2", "mass = 9"),
        ("0 to 1 do", "0 to 0 do"),
        ("speed_ptp=0.6 acc_ptp=0.5", "speed_ptp=1 acc_ptp=1"),
        ("speed=250 acc=800", "speed=800 acc=20000"),
        ("speed=300", "speed=1500"),
    ):
        assert old in text
        text = text.replace(old, new)
    return text
