"""The words of the language: those that are reserved, that have a meaning, that are not supported."""

from __future__ import annotations

STRUCTURE = ("program", "endprogram", "var", "endvar", "const", "seq", "endseq")
BLOCKS = ("if", "then", "elsif", "else", "endif", "for", "to", "downto", "step", "do", "endfor")
ACTIONS = ("move", "wait", "sec", "tool", "grasp", "payload", "release")
LOGIC = ("or", "and", "not", "true", "false")
RESERVED = {word: word.upper() for word in (*STRUCTURE, *BLOCKS, *ACTIONS, *LOGIC)} | {
    "div": "MULTIPLY",
    "mod": "MULTIPLY",
}
"""Word in small letters -> its kind."""

STATEMENTS = ("move", "if", "for", "wait", "tool", "grasp", "payload", "release")
"""The words that begin a statement."""

TYPES = ("real", "int", "bool", "string", "position", "orientation", "robtarg", "joint")
FUNCTIONS = {"sqrt": 1, "sin": 1, "cos": 1, "tan": 1, "atan2": 2, "abs": 1}
"""Function of numbers -> how many it takes."""

CONSTRUCTORS = ("position", "orientation", "robtarg", "joint", "mainjoint")
BUILT_IN = (*dict.fromkeys((*TYPES, *CONSTRUCTORS)), *FUNCTIONS, "pi")
"""The names that have a meaning and cannot be given to something else."""

MOVES = ("ptp", "lin", "circle")
OPTIONS = {
    "ptp": ("speed_ptp", "acc_ptp", "c_ptp", "act_rob"),
    "lin": ("speed", "acc", "acc_ori", "c_ori", "c_speed", "c_cp", "c_ptp", "act_rob"),
    "circle": ("speed", "acc", "acc_ori", "c_ori", "c_speed", "c_cp", "c_ptp", "act_rob"),
}
"""Kind of move -> the options it takes."""

FLAGS = ("c_ptp", "c_speed")
"""The options that stand alone."""

ORIENTATIONS = ("o_var", "o_pco", "o_pvo")
ALL_OPTIONS = tuple(dict.fromkeys(option for options in OPTIONS.values() for option in options))

_NO_SIGNALS = "signals are left out of a program that is verified"
_NO_TASKS = "a program is one sequence"
_SEQUENCE = "statements stand between seq and endseq"
_ONE_FILE = "a program is one file"
UNSUPPORTED = {
    "while": "use for",
    "repeat": "use for",
    "until": "use for",
    "loop": "use for",
    "endwhile": "use for",
    "exit": "use if",
    "break": "use if",
    "continue": "use if",
    "return": "use if",
    "case": "use if",
    "when": "use if",
    "endcase": "use if",
    "switch": "use if",
    "goto": "use for and if",
    "label": "use for and if",
    "begin": _SEQUENCE,
    "end": "use endif, endfor, endseq or endprogram",
    "procedure": _SEQUENCE,
    "endproc": _SEQUENCE,
    "function": _SEQUENCE,
    "endfct": _SEQUENCE,
    "call": _SEQUENCE,
    "type": "the types are " + ", ".join(TYPES),
    "record": "use names of their own",
    "endrecord": "use names of their own",
    "array": "use names of their own",
    "list": "use names of their own",
    "pose": "use robtarg",
    "vector": "use position",
    "addjoint": "use mainjoint",
    "additional_joint": "use mainjoint",
    "char": "use string",
    "boolean": "use bool",
    "integer": "use int",
    "frame": "use robtarg",
    "import": _ONE_FILE,
    "export": _ONE_FILE,
    "include": _ONE_FILE,
    "module": _ONE_FILE,
    "uses": _ONE_FILE,
    "input": _NO_SIGNALS,
    "output": _NO_SIGNALS,
    "inout": _NO_SIGNALS,
    "channel": _NO_SIGNALS,
    "signal": _NO_SIGNALS,
    "read": _NO_SIGNALS,
    "write": _NO_SIGNALS,
    "writeln": _NO_SIGNALS,
    "print": _NO_SIGNALS,
    "sem": _NO_TASKS,
    "semaphore": _NO_TASKS,
    "parallel": _NO_TASKS,
    "endpar": _NO_TASKS,
    "interrupt": _NO_TASKS,
    "sync": _NO_TASKS,
    "task": _NO_TASKS,
    "timer": "use wait",
    "delay": "use wait",
    "pause": "use wait",
    "halt": "a program ends with endseq",
    "stop": "a program ends with endseq",
    "move_inc": "use move with a shifted target",
    "open": "use release",
    "close": "use grasp",
    "xor": "use and, or, not",
    "exp": "the functions are " + ", ".join(FUNCTIONS),
    "ln": "the functions are " + ", ".join(FUNCTIONS),
}
"""Words of DIN 66312 and its relatives that armdyn does not take -> what to do instead."""

UNSUPPORTED_OPTIONS = {
    "c_pos": "use c_cp for a corner",
    "c_vel": "use c_speed",
    "c_time": "use c_cp for a corner",
    "c_dis": "use c_cp for a corner",
    "c_ori_ptp": "use c_ptp",
    "until": "a move goes to its target",
    "error": "a move goes to its target",
    "when": "a move goes to its target",
    "speed_ori": "speed is that of the tool along its path",
    "speed_rot": "speed is that of the tool along its path",
    "acc_rot": "use acc_ori",
    "time": "use speed and acc",
    "wobble": "a move goes along a line or a circle",
}
"""Options of moves elsewhere that armdyn does not take -> what to do instead."""

UNSUPPORTED_MOVES = {
    "spline": "use lin with c_cp, or circle",
    "joint": "use ptp",
    "linear": "use lin",
    "circular": "use circle",
    "circ": "use circle",
    "arc": "use circle",
}

CLOSERS = frozenset(
    {"end", "endwhile", "until", "endcase", "endproc", "endfct", "endrecord", "endpar", "endloop"}
)
"""Ends of what is not supported: said once, where it began."""
