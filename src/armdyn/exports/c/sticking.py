"""Forward dynamics under dry friction: in motion one program, from rest the iteration of `dynamics.sticking`.

The iteration is the same, step by step, in C of fixed size: the step of Newton's method is a function of its
own, and a small driver decides when it has settled.
"""

from __future__ import annotations

from armdyn.dynamics import sticking
from armdyn.errors import InputError
from armdyn.exports.c.function import Argument, arguments, function_text, prototype, wrapped
from armdyn.exports.c.setting import Setting
from armdyn.exports.c.templates import filled
from armdyn.mechanics.holding import ROUNDING, joint_weights
from armdyn.native.signature import Signature

SETTLED_SINGLE, FOUND_SINGLE = 2e-6, 30.0
"""As SETTLED and FOUND of `dynamics.sticking`, in single precision: 16 units of its rounding."""
STEP, REST, MOVING = "friction_step", "friction_at_rest", "forward_in_motion"


def forward_text(setting: Setting, name: str, description: str) -> tuple[str, Signature]:
    """The function `forward` of a robot that friction can hold, and the functions that it calls."""
    if setting.numbers.single and setting.traced.under_load:
        raise InputError(
            f'robot "{setting.traced.robot.name}": forward with friction that depends on the load is not '
            "found in single precision, rounding hides what it holds; export doubles, or leave friction off"
        )
    _, signature = setting.traced_program("forward")
    parts = [
        _static(setting, "forward", MOVING, ("qdd",)),
        _static(setting, "friction step", STEP, ("following", "asked", "wrong")),
        _static(setting, "friction at rest", REST, ("rubbing", "taken", "running")),
        _driver(setting, signature),
        _whole(setting, name, signature, description),
    ]
    return "\n".join(parts), signature


def _static(setting: Setting, quantity: str, name: str, results: tuple[str, ...]) -> str:
    program, signature = setting.traced_program(quantity)
    return function_text(
        name,
        program,
        signature,
        setting.precision,
        results=results,
        bodies=setting.bodies,
        static=True,
        own_sines=True,
    )


def _more(signature: Signature) -> list[Argument]:
    """The inputs behind q, qd and tau."""
    return [a for a in arguments(signature)[0] if a.name not in ("q", "qd", "tau")]


def _driver(setting: Setting, signature: Signature) -> str:
    numbers, model = setting.numbers, setting.traced
    n, more = numbers.constant, _more(signature)
    state = [Argument("q", (model.n,)), Argument("qd", (model.n,)), *more]
    rows = [
        f"        {{{', '.join(n(float(w)) for w in row)}}}" for row in joint_weights(model.points, model.n)
    ]
    return filled(
        "sticking.c",
        type=numbers.type,
        n=model.n,
        points=len(model.points),
        weights=",\n".join(rows),
        state=", ".join(f"const {a.declared(numbers.type)}" for a in state),
        given="q, qd",
        more="".join(f", {a.name}" for a in more),
        step=STEP,
        rest=REST,
        scale=n(model.torque_scale),
        settled=n(SETTLED_SINGLE if numbers.single else sticking.SETTLED),
        found=n(FOUND_SINGLE if numbers.single else sticking.FOUND),
        full=sticking.FULL,
        pivots=sticking.PIVOTS,
        attempts=sticking.ATTEMPTS,
        noise=n(FOUND_SINGLE if numbers.single else 1.0),
        rounding=n(max(ROUNDING, 64 * numbers.epsilon)),
        shortest=n(sticking.SHORTEST),
        span=n(sticking.SPAN),
        golden=n(sticking.GOLDEN),
        zero=n(0.0),
        one=n(1.0),
        infinity=n(float("inf")),
        fabs=f"fabs{numbers.suffix}",
        fmod=f"fmod{numbers.suffix}",
    )


def _whole(setting: Setting, name: str, signature: Signature, description: str) -> str:
    inputs, (result,) = arguments(signature, ("qdd",))
    size, kind = result.shape[0], setting.numbers.type
    every = " + ".join(element for a in inputs for element in a.elements)
    rest = ", ".join(["q", "qd", *(a.name for a in _more(signature)), "tau", "found"])
    lines = [
        f"{kind} found[{size}];",
        "int status, k;",
        "",
        f"status = {MOVING}({', '.join(a.name for a in inputs)}, found);",
        "if (status != 0) { /* something rests, or nothing is found in a few steps */",
        *(f"    {line}" for line in wrapped(f"const {kind} seen = {every};")),
        f"    status = isfinite(seen) ? from_rest({rest}) : 1;",
        "}",
        f"for (k = 0; k < {size}; k++) {{",
        "    qdd[k] = found[k];",
        "}",
        "return status;",
    ]
    head = prototype(name, signature, setting.precision, results=("qdd",))
    body = [f"    {line}" if line else "" for line in lines]
    return "\n".join([f"/* {description} */", head, "{", *body, "}", ""])
