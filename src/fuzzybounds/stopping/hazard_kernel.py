"""Compiled parts of hazards and of their slopes."""

from __future__ import annotations

import numpy as np

from fuzzybounds.storage.compilation import njit


@njit(nogil=True)
def logistic_hazard(position, boundary, shift, tau, lapse, gain):
    """Return p = logistic((position - shift - boundary) / tau) and lapse + (gain - lapse) p.

    Both have the shape (nodes, states).
    """
    shares, hazard = np.empty((shift.size, position.size)), np.empty((shift.size, position.size))
    for node in range(shift.size):
        for s in range(position.size):
            u = (position[s] - shift[node] - boundary[s]) / tau
            p = 1.0 / (1.0 + np.exp(-u))
            shares[node, s] = p
            hazard[node, s] = lapse + (gain - lapse) * p
    return shares, hazard


@njit(nogil=True)
def pull_logistic(slopes, shares, position, boundary, shift, tau):
    """Return sums of slopes g over a logistic p(u), with p' = p (1 - p).

    Returns
    -------
    total, by_share, by_u : float
        Sums of g, of g p and of g p' u.
    by_state, by_node : array
        Sums of g p' over nodes and over states.
    """
    nodes, states = shares.shape
    total = by_share = by_u = 0.0
    by_state, by_node = np.zeros(states), np.zeros(nodes)
    for node in range(nodes):
        for s in range(states):
            g, p = slopes[node, s], shares[node, s]
            steep = g * p * (1.0 - p)
            total += g
            by_share += g * p
            by_u += steep * (position[s] - shift[node] - boundary[s])
            by_state[s] += steep
            by_node[node] += steep
    return total, by_share, by_u / tau, by_state, by_node


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
