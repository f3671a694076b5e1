"""Compiled parts of hazards and of their slopes.

Exponentials are the project's own and sums have a fixed order, so hazards have the same bits on
every processor.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.storage.compilation import njit
from fuzzybounds.storage.elementary import exp, exp_all, exp_of


@njit(nogil=True)
def logistic(u):
    """Return 1 / (1 + e^-u) of the elements of an array."""
    return 1.0 / (1.0 + exp_of(-u))


@njit(nogil=True)
def sums_by_row(rows, values):
    """Return the sum of each row times the values, in a fixed order."""
    sums = np.zeros(rows.shape[0])
    for i in range(rows.shape[0]):
        for s in range(rows.shape[1]):
            sums[i] += rows[i, s] * values[s]
    return sums


@njit(nogil=True)
def logistic_hazard(position, boundary, of_moment, shift, tau, lapse, gain):
    """Return p = logistic((position - shift - boundary) / tau) and lapse + (gain - lapse) p.

    Both have the shape (nodes, states); the boundary is that of moments.
    """
    nodes, states = shift.size, position.size
    shares, hazard = np.empty((nodes, states)), np.empty((nodes, states))
    bits = np.empty(states, np.int64)
    for node in range(nodes):
        own = shares[node]
        for s in range(states):
            own[s] = (boundary[of_moment[s]] + shift[node] - position[s]) / tau
        exp_all(own, bits)
        for s in range(states):
            own[s] = 1.0 / (1.0 + own[s])
            hazard[node, s] = lapse + (gain - lapse) * own[s]
    return shares, hazard


@njit(nogil=True)
def pull_logistic(slopes, shares, position, boundary, of_moment, shift, tau):
    """Return sums of slopes g over a logistic p(u), with p' = p (1 - p).

    Returns
    -------
    total, by_share, by_u : float
        Sums of g, of g p and of g p' u.
    by_moment, by_node : array
        Sums of g p' over the states of a moment and over those of a node.
    """
    nodes, states = shares.shape
    total = by_share = by_u = 0.0
    by_moment, by_node = np.zeros(boundary.size), np.zeros(nodes)
    for node in range(nodes):
        for s in range(states):
            g, p, m = slopes[node, s], shares[node, s], of_moment[s]
            steep = g * p * (1.0 - p)
            total += g
            by_share += g * p
            by_u += steep * (position[s] - shift[node] - boundary[m])
            by_moment[m] += steep
            by_node[node] += steep
    return total, by_share, by_u / tau, by_moment, by_node


@njit(nogil=True)
def membership_shares(x, centers, widths):
    """Return memberships exp(-((x - c) / w)^2) over their sum: shape (values, labels)."""
    shares = np.empty((x.size, centers.size))
    for p in range(x.size):
        largest = -np.inf
        for i in range(centers.size):
            shares[p, i] = -(((x[p] - centers[i]) / widths[i]) ** 2)
            largest = max(largest, shares[p, i])
        for i in range(centers.size):
            shares[p, i] -= largest
    flat = shares.reshape(-1)
    exp_all(flat, np.empty(flat.size, np.int64))
    for p in range(x.size):
        total = 0.0
        for i in range(centers.size):
            total += shares[p, i]
        for i in range(centers.size):
            shares[p, i] /= total
    return shares


@njit(nogil=True)
def products(left, right):
    """Return the matrix product of two small matrices, in a fixed order."""
    found = np.zeros((left.shape[0], right.shape[1]))
    for p in range(left.shape[0]):
        for i in range(left.shape[1]):
            for j in range(right.shape[1]):
                found[p, j] += left[p, i] * right[i, j]
    return found


@njit(nogil=True)
def move_labels(start, deviations):
    """Return tuned labels: start has centres and widths of time, then of position, in four rows.

    Deviations of centres are in widths of the start, those of widths are logs.
    """
    moved = start.copy()
    for part in range(0, deviations.size // start.shape[1], 2):
        for i in range(start.shape[1]):
            by = part * start.shape[1] + i
            moved[part, i] += start[part + 1, i] * deviations[by]
            moved[part + 1, i] *= exp(deviations[by + start.shape[1]])
    return moved


@njit(nogil=True)
def rule_outputs(
    moments, distances, of_moment, of_distance, shift, labels, consequents, given, least
):
    """Return O of all rules, and the parts of it that slopes need.

    Parameters
    ----------
    moments, distances : array
        Different times and distances.
    of_moment, of_distance : array of int, shape (states,)
    shift : array, shape (nodes,)
        How far positions are shifted.
    labels : array, shape (4, labels)
        Centres and widths of time, centres and widths of position.
    consequents, given : array, shape (labels, labels)
        Degrees of stop, and 1 where there is a rule, else 0.
    least : float
        Smallest certainty.

    Returns
    -------
    outputs, certainty : array, shape (nodes, states)
    time : array, shape (moments, labels)
        Shares of the labels of time.
    place : array, shape (nodes, distances, labels)
        Shares of the labels of position.
    stop_at, given_at : array, shape (nodes, distances, labels of time)
        Consequents, and rules that are given, summed over the shares of the labels of position.
    stop_then, given_then : array, shape (moments, labels of position)
        The same summed over the shares of the labels of time.
    """
    nodes, number, states = shift.size, labels.shape[1], of_moment.size
    positions = np.empty(nodes * distances.size)
    for node in range(nodes):
        for d in range(distances.size):
            positions[node * distances.size + d] = distances[d] - shift[node]
    time = membership_shares(moments, labels[0], labels[1])
    flat = membership_shares(positions, labels[2], labels[3])
    size = (nodes, distances.size, number)
    stop_at = products(flat, consequents.T).reshape(size)
    given_at = products(flat, given.T).reshape(size)
    stop_then, given_then = products(time, consequents), products(time, given)
    place = flat.reshape(size)
    outputs, certainty = np.empty((nodes, states)), np.empty((nodes, states))
    for node in range(nodes):
        for s in range(states):
            m, d = of_moment[s], of_distance[s]
            stop = rules = 0.0
            for i in range(number):
                stop += time[m, i] * stop_at[node, d, i]
                rules += time[m, i] * given_at[node, d, i]
            rules = max(rules, least)
            certainty[node, s] = rules
            outputs[node, s] = stop / rules
    return outputs, certainty, time, place, stop_at, given_at, stop_then, given_then


@njit(nogil=True)
def pull_rules(slopes, moments, distances, of_moment, of_distance, shift, labels, start, parts):
    """Return derivatives by consequents, labels and shifts, given those by the output.

    Parameters
    ----------
    slopes : array, shape (nodes, states)
    moments, distances, of_moment, of_distance, shift, labels
        As in :func:`rule_outputs`.
    start : array, shape (4, labels)
        Labels before tuning.
    parts : tuple of arrays
        What :func:`rule_outputs` returned.

    Returns
    -------
    by_consequent : array, shape (labels of time, labels of position)
    by_labels : array, shape (4 labels,)
        By deviations of centres in widths, and of widths in logs: time, then position.
    by_shift : array, shape (nodes,)
    total, stopped : float
        Sums of the slopes, and of the slopes times the output.
    """
    outputs, certainty, time, place, stop_at, given_at, stop_then, given_then = parts
    (nodes, states), number = slopes.shape, labels.shape[1]
    by_time, by_place = np.zeros_like(time), np.zeros_like(place)
    pairs, total, stopped = np.zeros_like(stop_at), 0.0, 0.0
    for node in range(nodes):
        for s in range(states):
            g = slopes[node, s]
            if g == 0.0:
                continue
            m, d, output = of_moment[s], of_distance[s], outputs[node, s]
            total += g
            stopped += g * output
            g /= certainty[node, s]
            for i in range(number):
                share = g * time[m, i]
                by_time[m, i] += share * (stop_at[node, d, i] - output * given_at[node, d, i])
                pairs[node, d, i] += share
            for j in range(number):
                by_place[node, d, j] += (
                    g * place[node, d, j] * (stop_then[m, j] - output * given_then[m, j])
                )
    by_consequent, by_labels = np.zeros((number, number)), np.zeros((4, number))
    by_shift = np.zeros(nodes)
    for m in range(moments.size):
        for i in range(number):
            distance = (moments[m] - labels[0, i]) / labels[1, i]
            pulled = 2.0 * by_time[m, i] * distance
            by_labels[0, i] += pulled * start[1, i] / labels[1, i]
            by_labels[1, i] += pulled * distance
    for node in range(nodes):
        for d in range(distances.size):
            for i in range(number):
                for j in range(number):
                    by_consequent[i, j] += pairs[node, d, i] * place[node, d, j]
            for j in range(number):
                distance = (distances[d] - shift[node] - labels[2, j]) / labels[3, j]
                pulled = 2.0 * by_place[node, d, j] * distance
                by_labels[2, j] += pulled * start[3, j] / labels[3, j]
                by_labels[3, j] += pulled * distance
                # Shifting a position is moving all centres.
                by_shift[node] += pulled / labels[3, j]
    return by_consequent, by_labels.reshape(-1), by_shift, total, stopped
