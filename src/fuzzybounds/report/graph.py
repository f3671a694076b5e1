"""The graph of rules: what made what, laid out in layers and drawn as SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup, escape

WIDTH, HEIGHT = 138, 26
"""Size of a rule's box (px)."""
GAP_X, GAP_Y, MARGIN = 22, 34, 6
BEND = ">"
"""Marks the name of a place where an edge passes a layer."""
SWEEPS = 8
"""Number of times the layers are sorted, down and up; more does not help on small graphs."""


class Job(NamedTuple):
    """What a rule made once.

    Attributes
    ----------
    rule : str
    inputs : tuple of str
        The files that it read.
    """

    rule: str
    inputs: tuple[str, ...]


Edges = set[tuple[str, str]]
Ways = dict[tuple[str, str], list[str]]


def rule_edges(job_of: Callable[[str], Job | None], targets: Iterable[str], final: str) -> Edges:
    """Return which rule read which rule's files to produce some files.

    Parameters
    ----------
    job_of : callable
        The job that made a file, given the file's path; None for a file that no job made.
    targets : iterable of str
        Files to trace back.
    final : str
        The rule that reads the targets.
    """
    edges: Edges = set()
    waiting, seen = [(path, final) for path in targets], set()
    while waiting:
        path, reader = waiting.pop()
        job = job_of(path)
        if job is None:
            continue
        if job.rule != reader:
            edges.add((job.rule, reader))
        if path not in seen:
            seen.add(path)
            waiting.extend((source, job.rule) for source in job.inputs)
    return edges


def reduced(edges: Edges) -> Edges:
    """Return the edges that are not implied by others (transitive reduction)."""
    after: dict[str, set[str]] = {}
    for start, end in edges:
        after.setdefault(start, set()).add(end)

    def reachable(start: str) -> set[str]:
        found, waiting = set(), [start]
        while waiting:
            for node in after.get(waiting.pop(), ()):
                if node not in found:
                    found.add(node)
                    waiting.append(node)
        return found

    beyond = {node: reachable(node) for node in after}
    return {
        (start, end)
        for start, end in edges
        if not any(end in beyond.get(other, ()) for other in after[start])
    }


def layers_of(edges: Edges) -> list[list[str]]:
    """Nodes by layer, each one below the lowest of its sources."""
    sources: dict[str, set[str]] = {}
    for start, end in edges:
        sources.setdefault(start, set())
        sources.setdefault(end, set()).add(start)
    depth: dict[str, int] = {}
    while len(depth) < len(sources):
        ready = [n for n in sources if n not in depth and sources[n] <= depth.keys()]
        if not ready:
            raise ValueError("the rules depend on one another in a circle")
        depth |= {n: 1 + max((depth[s] for s in sources[n]), default=-1) for n in ready}
    layers: list[list[str]] = [[] for _ in range(1 + max(depth.values(), default=-1))]
    for node in sorted(depth):
        layers[depth[node]].append(node)
    return layers


def routed(edges: Edges, layers: list[list[str]]) -> Ways:
    """Return the path of each edge: its ends, and a separate place in every layer that it passes.

    The places are added to the layers, so that no edge runs through a box.
    """
    depth = {node: number for number, layer in enumerate(layers) for node in layer}
    ways = {}
    for start, end in sorted(edges):
        between = range(depth[start] + 1, depth[end])
        places = [f"{start}{BEND}{end}{BEND}{number}" for number in between]
        for number, place in zip(between, places, strict=True):
            layers[number].append(place)
        ways[start, end] = [start, *places, end]
    return ways


def neighbours_of(ways: Ways) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return, for each place, the connected places above and below."""
    above: dict[str, list[str]] = {}
    below: dict[str, list[str]] = {}
    for way in ways.values():
        for start, end in pairwise(way):
            below.setdefault(start, []).append(end)
            above.setdefault(end, []).append(start)
    return above, below


def ordered(layers: list[list[str]], ways: Ways) -> list[list[str]]:
    """Put every layer in the order of its neighbours' mean place, so that few edges cross."""
    above, below = neighbours_of(ways)
    layers = [list(layer) for layer in layers]
    for sweep in range(SWEEPS):
        neighbours = above if sweep % 2 == 0 else below
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            place = {node: n / len(other) for other in layers for n, node in enumerate(other)}
            mean = {node: _mean(place, neighbours.get(node) or [node]) for node in layer}
            layer.sort(key=lambda node: (mean[node], node))
    return layers


def _mean(place: Mapping[str, float], nodes: list[str]) -> float:
    return sum(place[node] for node in nodes) / len(nodes)


def _width(node: str) -> float:
    """Return the width of a place: a bend needs less than a box."""
    return GAP_X if BEND in node else WIDTH


def placed(layers: list[list[str]], ways: Ways) -> dict[str, float]:
    """Horizontal centre of every place, near the mean of its neighbours and clear of the next."""
    above, below = neighbours_of(ways)
    x = {node: float(n * (WIDTH + GAP_X)) for layer in layers for n, node in enumerate(layer)}
    for sweep in range(SWEEPS):
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            near = {node: above.get(node, []) + below.get(node, []) or [node] for node in layer}
            x |= _spread(layer, [_mean(x, near[node]) for node in layer])
    left = min(x[node] - _width(node) / 2 for node in x)
    return {node: centre - left + MARGIN for node, centre in x.items()}


def _spread(layer: list[str], wanted: list[float]) -> dict[str, float]:
    """Return positions as near to the desired ones as the widths allow.

    They are pushed apart from the left and from the right; the mean keeps every distance.
    """
    apart = [(_width(a) + _width(b)) / 2 + GAP_X for a, b in pairwise(layer)]
    right, left = list(wanted), list(wanted)
    for n, distance in enumerate(apart):
        right[n + 1] = max(right[n + 1], right[n] + distance)
    for n, distance in reversed(list(enumerate(apart))):
        left[n] = min(left[n], left[n + 1] - distance)
    return {node: (a + b) / 2 for node, a, b in zip(layer, left, right, strict=True)}


def _curve(points: list[tuple[float, float]]) -> str:
    """Path from box to box, straight down through the layers that it passes."""
    x, y = points[0]
    y += HEIGHT / 2
    parts = [f"M{x:.1f} {y:.1f}"]
    for number, (to_x, to_y) in enumerate(points[1:], start=1):
        top = to_y - HEIGHT / 2 - (4 if number == len(points) - 1 else 0)
        middle = (y + top) / 2
        parts.append(f"C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {top:.1f}")
        if number < len(points) - 1:
            y = to_y + HEIGHT / 2
            parts.append(f"V{y:.1f}")
        x = to_x
    return "".join(parts)


def to_svg(edges: Edges, title: str) -> Markup:
    """Draw a graph of rules; an edge that others imply is left out."""
    edges = reduced(edges)
    layers = layers_of(edges)
    ways = routed(edges, layers)
    layers = ordered(layers, ways)
    across = placed(layers, ways)
    down = {
        node: MARGIN + HEIGHT / 2 + number * (HEIGHT + GAP_Y)
        for number, layer in enumerate(layers)
        for node in layer
    }
    positions = {node: (across[node], down[node]) for node in across}
    width = max(x + _width(node) / 2 for node, x in across.items()) + MARGIN
    height = max(down.values()) + HEIGHT / 2 + MARGIN
    curves = [_curve([positions[place] for place in way]) for way in ways.values()]
    boxes = [
        f'<g transform="translate({x - WIDTH / 2:.1f} {y - HEIGHT / 2:.1f})">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="5"/>'
        f'<text x="{WIDTH / 2:g}" y="{HEIGHT / 2 + 4:g}">{escape(node)}</text></g>'
        for node, (x, y) in sorted(positions.items())
        if BEND not in node
    ]
    lines = [f'<path d="{curve}" marker-end="url(#tip)"/>' for curve in curves]
    return Markup(
        f'<svg class="graph" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'style="max-width:{width:.0f}px"><title>{escape(title)}</title>'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="6" '
        'markerHeight="6" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>'
        f"{''.join(lines)}{''.join(boxes)}</svg>"
    )
