"""Compiled parts of hazards and of their slopes.

Exponentials are the project's own and sums have a fixed order, so hazards have the same bits on
every processor.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.storage.compilation import njit
from fuzzybounds.storage.elementary import exp_all, exp_of


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
def rule_outputs(time, stop_at, given_at, of_moment, of_distance, least):
    """Return O and the certainty of all rules, each of shape (nodes, states).

    Parameters
    ----------
    time : array, shape (moments, labels)
        Shares of the labels of time.
    stop_at, given_at : array, shape (nodes, distances, labels)
        Consequents, and rules that are given, summed over the shares of the labels of position.
    of_moment, of_distance : array of int, shape (states,)
    least : float
        Smallest certainty.
    """
    nodes, states = stop_at.shape[0], of_moment.size
    outputs, certainty = np.empty((nodes, states)), np.empty((nodes, states))
    for node in range(nodes):
        for s in range(states):
            m, d = of_moment[s], of_distance[s]
            stop = given = 0.0
            for i in range(time.shape[1]):
                stop += time[m, i] * stop_at[node, d, i]
                given += time[m, i] * given_at[node, d, i]
            given = max(given, least)
            certainty[node, s] = given
            outputs[node, s] = stop / given
    return outputs, certainty


@njit(nogil=True)
def pull_rules(slopes, outputs, certainty, time, place, at_place, at_time, of_moment, of_distance):
    """Return derivatives by log memberships and by consequents, given those by the output.

    Parameters
    ----------
    slopes, outputs, certainty : array, shape (nodes, states)
    time : array, shape (moments, labels)
    place : array, shape (nodes, distances, labels)
        Shares of the labels of position.
    at_place : pair of arrays, shape (nodes, distances, labels of time)
        As `stop_at` and `given_at` of :func:`rule_outputs`.
    at_time : pair of arrays, shape (moments, labels of position)
        The same summed over the labels of time.

    Returns
    -------
    by_time : array, shape (moments, labels)
    by_place : array, shape (nodes, distances, labels)
    by_consequent : array, shape (labels of time, labels of position)
    """
    nodes, states = slopes.shape
    (stop_at, given_at), (stop_then, given_then) = at_place, at_time
    by_time, by_place = np.zeros_like(time), np.zeros_like(place)
    pairs = np.zeros((nodes, place.shape[1], time.shape[1]))
    for node in range(nodes):
        for s in range(states):
            g = slopes[node, s]
            if g == 0.0:
                continue
            m, d, output = of_moment[s], of_distance[s], outputs[node, s]
            g /= certainty[node, s]
            for i in range(time.shape[1]):
                share = g * time[m, i]
                by_time[m, i] += share * (stop_at[node, d, i] - output * given_at[node, d, i])
                pairs[node, d, i] += share
            for j in range(place.shape[2]):
                by_place[node, d, j] += (
                    g * place[node, d, j] * (stop_then[m, j] - output * given_then[m, j])
                )
    by_consequent = np.zeros((time.shape[1], place.shape[2]))
    for node in range(nodes):
        for d in range(place.shape[1]):
            for i in range(time.shape[1]):
                for j in range(place.shape[2]):
                    by_consequent[i, j] += pairs[node, d, i] * place[node, d, j]
    return by_time, by_place, by_consequent
