"""The graph of rules: traced from jobs, reduced, and laid out without collisions."""

from __future__ import annotations

import itertools
import re

import pytest

from fuzzybounds.report.graph import (
    BEND,
    Job,
    layers_of,
    ordered,
    placed,
    reduced,
    routed,
    rule_edges,
    to_svg,
)
from fuzzybounds.storage.seeds import generator

JOBS = {
    "logs": Job("retrieve", ()),
    "trials": Job("validate", ("logs", "module.py")),
    "a.fit": Job("fit", ("trials",)),
    "b.fit": Job("fit", ("trials", "a.fit")),
    "table": Job("gather", ("a.fit", "b.fit")),
    "figure": Job("draw", ("table", "trials")),
    "unused": Job("other", ("trials",)),
}


def random_edges(number: int) -> set[tuple[str, str]]:
    rng = generator(0, "test_graph", str(number))
    pairs = itertools.combinations([f"n{i:02d}" for i in range(9)], 2)
    return {pair for pair in pairs if rng.random() < 0.3}


def reachable(edges):
    """All pairs with a way from one to the other, by brute force."""
    pairs = set(edges)
    while more := {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs:
        pairs |= more
    return pairs


def test_edges_are_those_on_the_way_to_the_targets():
    assert rule_edges(JOBS.get, ["figure"], "report") == {
        ("draw", "report"),
        ("gather", "draw"),
        ("validate", "draw"),
        ("fit", "gather"),
        ("validate", "fit"),
        ("retrieve", "validate"),
    }


@pytest.mark.parametrize("number", range(20))
def test_reduction_keeps_every_way_and_no_edge_too_many(number):
    edges = random_edges(number)
    kept = reduced(edges)
    assert kept <= edges
    assert reachable(kept) == reachable(edges)
    assert all(reachable(kept - {edge}) != reachable(edges) for edge in kept)


@pytest.mark.parametrize("number", range(5))
def test_no_two_places_of_a_layer_overlap_and_edges_lead_down(number):
    edges = reduced(random_edges(number))
    layers = layers_of(edges)
    depth = {node: n for n, layer in enumerate(layers) for node in layer}
    assert all(depth[start] < depth[end] for start, end in edges)
    ways = routed(edges, layers)
    layers = ordered(layers, ways)
    x = placed(layers, ways)
    for layer in layers:
        boxes = [node for node in layer if BEND not in node]
        assert all(x[b] - x[a] > 150 for a, b in itertools.pairwise(boxes))
        assert all(x[b] > x[a] for a, b in itertools.pairwise(layer))


def test_a_circle_is_refused():
    with pytest.raises(ValueError, match="circle"):
        layers_of({("a", "b"), ("b", "a")})


def test_the_picture_names_every_rule_once_whatever_the_order():
    edges = rule_edges(JOBS.get, ["figure"], "report")
    svg = to_svg(edges, "Rules")
    assert sorted(re.findall(r"<text[^>]*>([^<]+)</text>", svg)) == sorted(
        {"retrieve", "validate", "fit", "gather", "draw", "report"}
    )
    assert svg == to_svg(set().union(*({edge} for edge in sorted(edges))), "Rules")
    # validate to draw is implied by fit and gather.
    assert svg.count("marker-end") == 5
