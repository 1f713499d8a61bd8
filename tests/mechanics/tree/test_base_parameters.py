"""Base parameters: what a joint feels is kept, however small it is beside what it does not feel."""

from dataclasses import replace

from armdyn.formats import load
from armdyn.mechanics.tree.base_parameters import with_base_parameters
from armdyn.mechanics.tree.builder import tree
from armdyn.spatial import Moments

FAR = 1e3
"""[m] Where the body is on its axis; the origin of a common normal may be as far away."""


def test_a_needle_far_out_on_its_axis_keeps_what_it_has_across():
    built = tree(load("pendulum"), "none")
    needle = Moments(
        1.0,
        (2e-5, 1e-5, FAR),
        ((2e-9, 3e-10, 2e-5 * FAR), (3e-10, 1e-9, 1e-5 * FAR), (2e-5 * FAR, 1e-5 * FAR, FAR**2)),
    )
    (link,) = with_base_parameters(replace(built, links=(replace(built.links[0], inertia=needle),))).links
    assert link.inertia.first == (2e-5, 1e-5, 0.0)
    assert link.inertia.second[0] == needle.second[0]
    assert link.inertia.second[1] == needle.second[1]


def test_rounding_across_the_axis_is_none():
    built = tree(load("pendulum"), "none")
    nearly = Moments(1.0, (1e-17, 0.5, 0.0), ((1.0, 1e-16, 0.0), (1e-16, 1.0 + 1e-15, 0.0), (0.0, 0.0, 0.2)))
    (link,) = with_base_parameters(replace(built, links=(replace(built.links[0], inertia=nearly),))).links
    assert link.inertia.first == (0.0, 0.5, 0.0)
    assert link.inertia.second[0][:2] == (link.inertia.second[1][1], 0.0)
