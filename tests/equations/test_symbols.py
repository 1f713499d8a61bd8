"""Symbols in place of numbers: their names, their values, and what stays structure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.equations import quantities
from armdyn.equations.setting import Setting
from armdyn.spatial import Inertia


def _names(setting: Setting, quantity: str = "mass_matrix") -> set[str]:
    return {name for _, _, h in quantities.of(setting, quantity) for name in h.names}


def test_zeros_are_structure() -> None:
    setting = Setting.of(ad.load("jpl_rrp"), "none", parameters="symbolic")
    assert {"m4", "y4", "z4", "k4xx", "d2", "d6"} <= _names(setting)
    assert not {"x4", "a2", "kk4xy", "d4"} & setting.values.keys()
    assert setting.values["d2"] == 0.162
    assert setting.values["k5zz"] == pytest.approx((0.0004 / 0.63) ** 0.5, rel=1e-12)


def test_two_payloads_have_names_of_their_own() -> None:
    arm = (
        ad.load("planar2").with_payload(2.0, (0.1, 0.0, 0.0)).with_payload(3.0, (0.0, 0.2, 0.0), body="link1")
    )
    setting = Setting.of(arm, "none", parameters="symbolic")
    assert (setting.values["mL1"], setting.values["mL2"]) == (2.0, 3.0)
    assert {"mL1", "mL2", "xL1", "yL2"} <= _names(setting, "gravity")
    more = Setting.of(arm, "none", parameters="symbolic", payload=True)
    assert "mL3" in _names(more, "gravity")


@pytest.mark.parametrize("gravity", [(0.0, 0.0, 9.81), (0.0, -9.81, 0.0), (1.0, 2.0, -9.0), (0.0, 0.0, 0.0)])
def test_gravity_of_any_direction(gravity: Any) -> None:
    arm = ad.load("ur5").with_gravity(gravity)
    setting, q = Setting.of(arm, parameters="symbolic"), np.linspace(-0.4, 0.9, 6)
    values = setting.values | {f"q{i + 1}": x for i, x in enumerate(q)}
    found = [float(h.evaluate(values)) for _, _, h in quantities.of(setting, "gravity")]
    assert found == pytest.approx(ad.Dynamics(arm).gravity(q), rel=1e-12, abs=1e-12)
    along = [x for x in gravity if x]
    assert ("g" in setting.values) == (len(along) == 1)
    assert all(setting.values.get(name, 1.0) > 0 for name in ("g",))


def test_gears_and_rotors() -> None:
    geared = Setting.of(ad.load("planar2"), "augmented", parameters="symbolic")
    assert {"kr1", "kr2", "Im1", "Im2"} <= _names(geared)
    felt = Setting.of(ad.load("jpl_rrp"), parameters="symbolic")
    assert {"Ia1", "Ia6"} <= _names(felt)
    assert not any(name.startswith("kr") for name in felt.values), "an inertia felt at the joint has no gear"
    lola = Setting.of(ad.load("lola15"), parameters="symbolic")
    assert {name for name in lola.values if name.startswith("kr")} >= {"kr5", "kr6"}
    assert lola.values["kr1"] == pytest.approx(ad.load("lola15").drives[0].coupling.weights[0][1])


def test_an_accepted_inertia_that_no_body_has() -> None:
    """A negative radius of gyration squared is a symbol as it is: kk1xx."""
    arm = ad.load("planar2")
    odd = Inertia.about_origin(2.0, (0.0, 0.0, 0.0), ((-0.1, 0.0, 0.0), (0.0, 0.3, 0.0), (0.0, 0.0, 0.4)))
    body = replace(arm.bodies[0], inertia=odd, accept_unphysical="as printed")
    setting = Setting.of(replace(arm, bodies=(body, *arm.bodies[1:])), "none", parameters="symbolic")
    assert setting.values["kk1xx"] == pytest.approx(-0.05)
    assert setting.values["k1zz"] == pytest.approx(0.2**0.5)


def test_every_symbol_has_its_number() -> None:
    for name in ("puma560", "irb6", "scara", "centrifuge3"):
        setting = Setting.of(ad.load(name), parameters="symbolic")
        free = (
            _names(setting) - set(setting.names()) - set(setting.ring.definitions) - set(setting.ring.scaled)
        )
        assert free <= setting.values.keys()
