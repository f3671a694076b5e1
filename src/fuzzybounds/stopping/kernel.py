"""Compiled sums over all paths of the lattice, forward, and their derivatives, backward.

With q the chance to go on at a state and F(m, r) the sum, over all paths with r of m steps to the
right, of the chance to have gone on at every decision:

    F(m + 1, r) = F(m, r) Q(m, r, left) + F(m, r - 1) Q(m, r - 1, right),

where Q is the product of q over the decisions of a step.  F serves all trials at once: an outcome
on edge (m, r, way) at decision i has the likelihood F(m, r) q_1 ... q_(i-1) h_i over the number of
paths.  Everything is kept as logs, so that nothing underflows.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.storage.compilation import njit


@njit(nogil=True)
def survival(hazard, sure):
    """Return 1 - h, with h kept so far from 0 and 1."""
    go_on = np.empty_like(hazard)
    for node in range(hazard.shape[0]):
        for s in range(hazard.shape[1]):
            go_on[node, s] = 1.0 - min(max(hazard[node, s], sure), 1.0 - sure)
    return go_on


@njit(nogil=True)
def forward(go_on, of_edge, steps, cells, ways):
    """Fill log F of every cell, and by which way its paths came.

    Parameters
    ----------
    go_on : array, shape (nodes, states)
        q = 1 - h.
    of_edge : array of int, shape (edges, decisions)
    steps : int
    cells : array, shape (nodes, (steps + 1) (steps + 2) / 2)
        Filled: log F(m, r) at m (m + 1) / 2 + r.
    ways : array, shape like `cells`
        Filled: the share of the cell's sum that came from the left, by a step to the right.
    """
    for node in range(go_on.shape[0]):
        cells[node, 0] = 0.0
        ways[node, 0] = 0.0
        for m in range(steps):
            here, there = m * (m + 1) // 2, (m + 1) * (m + 2) // 2
            # A walk and its mirror image are equally likely: half of the cells give the others.
            for r in range((m + 1) // 2, m + 2):
                from_right = from_left = -np.inf
                if r <= m:
                    edge = m * (m + 1) + 2 * r
                    from_right = cells[node, here + r] + _log_product(go_on[node], of_edge[edge])
                if r > 0:
                    edge = m * (m + 1) + 2 * (r - 1) + 1
                    from_left = cells[node, here + r - 1] + _log_product(go_on[node], of_edge[edge])
                if from_left >= from_right:
                    ratio = np.exp(from_right - from_left)
                    cells[node, there + r] = from_left + np.log1p(ratio)
                    ways[node, there + r] = 1.0 / (1.0 + ratio)
                else:
                    ratio = np.exp(from_left - from_right)
                    cells[node, there + r] = from_right + np.log1p(ratio)
                    ways[node, there + r] = ratio / (1.0 + ratio)
                cells[node, there + m + 1 - r] = cells[node, there + r]
                ways[node, there + m + 1 - r] = 1.0 - ways[node, there + r]


@njit(nogil=True)
def _log_product(go_on, decided):
    product = 1.0
    for i in range(decided.size):
        product *= go_on[decided[i]]
    return np.log(product)


@njit(nogil=True)
def _cell(edge):
    """Return the cell (m, r) from which an edge starts: m (m + 1) / 2 + r."""
    return edge // 2


@njit(nogil=True)
def outcome_logs(go_on, of_edge, cells, edges, decision, responded, log_paths, logs, shares):
    """Fill the log-likelihood of every outcome, and the share that its first edge has in it.

    Parameters
    ----------
    go_on, of_edge, cells
        As in :func:`forward`.
    edges, decision, responded, log_paths
        As in :class:`fuzzybounds.stopping.lattice.Outcomes`.
    logs, shares : array, shape (nodes, outcomes)
        Filled.
    """
    for node in range(go_on.shape[0]):
        for u in range(decision.size):
            terms = (-np.inf, -np.inf)
            for side in range(2):
                edge = edges[u, side]
                if edge < 0:
                    continue
                product = 1.0
                for i in range(decision[u]):
                    product *= go_on[node, of_edge[edge, i]]
                if responded[u]:
                    product *= 1.0 - go_on[node, of_edge[edge, decision[u]]]
                term = cells[node, _cell(edge)] + np.log(product)
                terms = (term, terms[1]) if side == 0 else (terms[0], term)
            if terms[0] >= terms[1]:
                ratio = np.exp(terms[1] - terms[0])
                logs[node, u] = terms[0] + np.log1p(ratio) - log_paths[u]
                shares[node, u] = 1.0 / (1.0 + ratio)
            else:
                ratio = np.exp(terms[0] - terms[1])
                logs[node, u] = terms[1] + np.log1p(ratio) - log_paths[u]
                shares[node, u] = ratio / (1.0 + ratio)


@njit(nogil=True)
def backward(go_on, of_edge, steps, ways, edges, decision, responded, weights, shares, slopes):
    """Fill the derivative of the weighted sum of the outcomes' logs by the hazard of every state.

    Parameters
    ----------
    go_on, of_edge, steps, ways, edges, decision, responded, shares
        As :func:`forward` and :func:`outcome_logs` have them.
    weights : array, shape (nodes, outcomes)
    slopes : array, shape (nodes, states)
        Filled.
    """
    passed = np.zeros(of_edge.shape[0])
    arrived = np.zeros((steps + 1) * (steps + 2) // 2)
    for node in range(go_on.shape[0]):
        passed[:] = 0.0
        arrived[:] = 0.0
        slopes[node] = 0.0
        for u in range(decision.size):
            for side in range(2):
                edge = edges[u, side]
                weight = weights[node, u] * (shares[node, u] if side == 0 else 1 - shares[node, u])
                if edge < 0 or weight == 0.0:
                    continue
                arrived[_cell(edge)] += weight
                for i in range(decision[u]):
                    state = of_edge[edge, i]
                    slopes[node, state] -= weight / go_on[node, state]
                if responded[u]:
                    state = of_edge[edge, decision[u]]
                    slopes[node, state] += weight / (1.0 - go_on[node, state])
        for m in range(steps - 1, -1, -1):
            here, there = m * (m + 1) // 2, (m + 1) * (m + 2) // 2
            for r in range(m + 2):
                flow = arrived[there + r]
                if flow == 0.0:
                    continue
                right = flow * ways[node, there + r]
                if r > 0:
                    arrived[here + r - 1] += right
                    passed[m * (m + 1) + 2 * (r - 1) + 1] += right
                if r <= m:
                    arrived[here + r] += flow - right
                    passed[m * (m + 1) + 2 * r] += flow - right
        for edge in range(of_edge.shape[0]):
            if passed[edge] != 0.0:
                for i in range(of_edge.shape[1]):
                    state = of_edge[edge, i]
                    slopes[node, state] -= passed[edge] / go_on[node, state]
