"""Compiled output of fuzzy rules at every state, and its slopes.

:class:`fuzzybounds.paper.fuzzy.controller.Controller` is the readable version of the output; tests
compare the two, and the slopes with finite differences.
"""

from __future__ import annotations

from math import exp

import numpy as np

from fuzzybounds.core.compilation import njit


@njit(nogil=True)
def membership_shares(x, centers, widths):
    """Return memberships exp(-((x - c) / w)^2) over their sum: shape (values, labels)."""
    shares = np.empty((x.size, centers.size))
    for p in range(x.size):
        nearest, total = np.inf, 0.0
        for i in range(centers.size):
            shares[p, i] = ((x[p] - centers[i]) / widths[i]) ** 2
            nearest = min(nearest, shares[p, i])
        for i in range(centers.size):
            shares[p, i] = exp(nearest - shares[p, i])
            total += shares[p, i]
        for i in range(centers.size):
            shares[p, i] /= total
    return shares


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
    positions = (distances - shift.reshape(-1, 1)).ravel()
    time = membership_shares(moments, labels[0], labels[1])
    flat = membership_shares(positions, labels[2], labels[3])
    size = (nodes, distances.size, number)
    place = flat.reshape(size)
    stop_at = (flat @ consequents.T.copy()).reshape(size)
    given_at = (flat @ given.T.copy()).reshape(size)
    stop_then, given_then = time @ consequents, time @ given
    outputs, certainty = np.empty((nodes, states)), np.empty((nodes, states))
    for node in range(nodes):
        for s in range(states):
            m, d = of_moment[s], of_distance[s]
            stop = rules = 0.0
            for i in range(number):
                stop += time[m, i] * stop_at[node, d, i]
                rules += time[m, i] * given_at[node, d, i]
            certainty[node, s] = max(rules, least)
            outputs[node, s] = stop / certainty[node, s]
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
