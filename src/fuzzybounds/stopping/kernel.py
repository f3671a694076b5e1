"""Compiled sums over all paths of the lattice, forward, and expected decisions, backward.

With q the chance to go on at a state and F(m, r) the sum, over all paths with r of m steps to the
right, of the chance to have gone on at every decision:

    F(m + 1, r) = F(m, r) Q(m, r, left) + F(m, r - 1) Q(m, r - 1, right),

where Q is the product of q over the decisions of a step.  F serves all trials at once: an outcome
on edge (m, r, way) at decision i has the likelihood F(m, r) q_1 ... q_(i-1) h_i over the number of
paths.

Nothing underflows: F is a number times a power of :data:`SMALL`, as whole powers cost no exp or
log.  Tests compare it with the enumeration of all paths.
"""

from __future__ import annotations

from math import exp, log

import numpy as np

from fuzzybounds.canoe.lattice import compiled_edge_row
from fuzzybounds.core.compilation import njit

SMALL = 2.0**-256
"""Numbers smaller than this are multiplied by LARGE, and their power of SMALL is raised by one."""
LARGE = 2.0**256
LOG_SMALL = -256 * 0.6931471805599453


@njit(nogil=True)
def forward(go_on, of_edge, steps):
    """Return F of every node and cell, and the share of it that came by a step to the right.

    F(m, r) is ``cells * SMALL**powers`` at m (m + 1) / 2 + r; `go_on` is q of every node and state.
    """
    nodes, size = go_on.shape[0], (steps + 1) * (steps + 2) // 2
    cells, ways = np.empty((nodes, size)), np.empty((nodes, size))
    powers = np.zeros((nodes, size), np.int64)
    for node in range(nodes):
        q, cell, power, way = go_on[node], cells[node], powers[node], ways[node]
        cell[0], way[0] = 1.0, 0.0
        for m in range(steps):
            here, there = m * (m + 1) // 2, (m + 1) * (m + 2) // 2
            # A walk and its mirror image are equally likely: half of the cells give the others.
            for r in range((m + 2) // 2, m + 2):
                # By a step to the right from r - 1, or to the left from r.
                a, n = cell[here + r - 1], power[here + r - 1]
                edge = compiled_edge_row(m, r - 1, 1)
                for i in range(of_edge.shape[1]):
                    a *= q[of_edge[edge, i]]
                b = 0.0
                if r <= m:
                    b = cell[here + r]
                    edge = compiled_edge_row(m, r, 0)
                    for i in range(of_edge.shape[1]):
                        b *= q[of_edge[edge, i]]
                    apart = power[here + r] - n
                    if apart == 1:
                        b *= SMALL
                    elif apart == -1:
                        a *= SMALL
                        n -= 1
                    elif apart > 1:
                        b = 0.0
                    elif apart < -1:
                        a = 0.0
                        n = power[here + r]
                total = a + b
                share = a / total
                if total < SMALL:
                    total *= LARGE
                    n += 1
                mirror = there + m + 1 - r
                cell[mirror], power[mirror], way[mirror] = total, n, 1.0 - share
                cell[there + r], power[there + r], way[there + r] = total, n, share
    return cells, powers, ways


@njit(nogil=True)
def outcome_logs(go_on, of_edge, cells, powers, edges, decision, responded, log_paths):
    """Return the log-likelihood of every node and outcome, and the share of its first edge."""
    nodes, outcomes = go_on.shape[0], decision.size
    logs, shares = np.empty((nodes, outcomes)), np.empty((nodes, outcomes))
    for node in range(nodes):
        for u in range(outcomes):
            first = _log_outcome(
                node, u, 0, go_on, of_edge, cells, powers, edges, decision, responded
            )
            share = 1.0
            if edges[u, 1] >= 0:
                second = _log_outcome(
                    node, u, 1, go_on, of_edge, cells, powers, edges, decision, responded
                )
                larger = max(first, second)
                ratio = exp(min(first, second) - larger)
                share = (1.0 if first >= second else ratio) / (1.0 + ratio)
                first = larger + log(1.0 + ratio)
            logs[node, u] = first - log_paths[u]
            shares[node, u] = share
    return logs, shares


@njit(nogil=True)
def _log_outcome(node, u, side, go_on, of_edge, cells, powers, edges, decision, responded):
    """Return the log of F q_1 ... q_(i-1) h_i on one edge of an outcome."""
    edge = edges[u, side]
    product = 1.0
    for i in range(decision[u]):
        product *= go_on[node, of_edge[edge, i]]
    if responded[u]:
        product *= 1.0 - go_on[node, of_edge[edge, decision[u]]]
    cell = edge // 2  # The cell (m, r) from which it starts.
    return log(cells[node, cell] * product) + LOG_SMALL * powers[node, cell]


@njit(nogil=True)
def mix(by_node, weights, counts):
    """Return the logs of outcomes over all nodes, the sum of counts times logs, and shares.

    The last, `responsibilities`, is how many trials of each outcome fall to a node: counts times
    the posterior of the node.
    """
    nodes, outcomes = by_node.shape
    logs, responsibilities, total = np.empty(outcomes), np.empty((nodes, outcomes)), 0.0
    for u in range(outcomes):
        if nodes == 1:
            logs[u] = by_node[0, u]
            responsibilities[0, u] = counts[u]
        else:
            largest, mean = -np.inf, 0.0
            for node in range(nodes):
                largest = max(largest, by_node[node, u])
            for node in range(nodes):
                responsibilities[node, u] = weights[node] * exp(by_node[node, u] - largest)
                mean += responsibilities[node, u]
            logs[u] = largest + log(mean)
            for node in range(nodes):
                responsibilities[node, u] *= counts[u] / mean
        total += counts[u] * logs[u]
    return logs, total, responsibilities


@njit(nogil=True)
def backward(go_on, of_edge, steps, ways, edges, decision, responded, weights, shares):
    """Return how often subjects are expected to have gone on, and to have responded, at a state.

    The derivative of the weighted sum of the outcomes' logs by the hazard h of a state is the
    number of responses there over h, less the number of times that they went on over 1 - h.
    """
    gone, stopped = np.zeros_like(go_on), np.zeros_like(go_on)
    arrived = np.zeros((steps + 1) * (steps + 2) // 2)
    for node in range(go_on.shape[0]):
        arrived[:] = 0.0
        on, way = gone[node], ways[node]
        for u in range(decision.size):
            for side in range(2):
                edge = edges[u, side]
                weight = weights[node, u] * (shares[node, u] if side == 0 else 1 - shares[node, u])
                if edge < 0 or weight == 0.0:
                    continue
                arrived[edge // 2] += weight
                for i in range(decision[u]):
                    on[of_edge[edge, i]] += weight
                if responded[u]:
                    stopped[node, of_edge[edge, decision[u]]] += weight
        for m in range(steps - 1, -1, -1):
            here, there = m * (m + 1) // 2, (m + 1) * (m + 2) // 2
            for r in range((m + 2) // 2, m + 2):
                flow = arrived[there + r]
                # States do not tell left from right: a cell stands for its mirror image as well.
                if 2 * r != m + 1:
                    flow += arrived[there + m + 1 - r]
                if flow == 0.0:
                    continue
                right = flow * way[there + r]
                arrived[here + r - 1] += right
                edge = compiled_edge_row(m, r - 1, 1)
                for i in range(of_edge.shape[1]):
                    on[of_edge[edge, i]] += right
                if r <= m:
                    left = flow - right
                    arrived[here + r] += left
                    edge = compiled_edge_row(m, r, 0)
                    for i in range(of_edge.shape[1]):
                        on[of_edge[edge, i]] += left
    return gone, stopped


@njit(nogil=True)
def slopes_of(hazard, sure, go_on, gone, stopped):
    """Return derivatives by the hazard h, from what :func:`backward` returned, and information.

    With n the number of decisions at a state, the information is n / (h (1 - h)).  Both are 0 where
    a hazard is kept from 0 and 1.
    """
    slopes, information = np.zeros_like(go_on), np.zeros_like(go_on)
    for node in range(go_on.shape[0]):
        for s in range(go_on.shape[1]):
            h, q = hazard[node, s], go_on[node, s]
            if sure < h < 1.0 - sure:
                scale = 1.0 / (q * (1.0 - q))
                slopes[node, s] = (stopped[node, s] * q - gone[node, s] * (1.0 - q)) * scale
                information[node, s] = (stopped[node, s] + gone[node, s]) * scale
    return slopes, information
