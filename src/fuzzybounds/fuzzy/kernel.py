"""Loss and gradient of many fits at once, compiled, for :mod:`fuzzybounds.fuzzy.tuning`.

The same gradients as :mod:`fuzzybounds.fuzzy.backpropagation`, fused.  Written by classes instead
of by layers, the loss of a point is ``log D - log N``: D sums the premises of all rules, and N
those of the rules that agree with what the subject did.  Its derivative by the log of a membership
is then the difference of two shares, and neither p nor 1 - p is ever formed.

Memberships are taken relative to the largest of their variable, so nothing underflows unless
every rule of one side is about 460 log units away from the nearest premise.  Such points take a
slower path by logs alone, so the result is exact for any parameters.

Points run along the innermost loops, in blocks that stay in the first-level cache, so that the
compiler turns them into vector instructions.  Exponentials and logarithms are the project's own
and sums have a fixed order: a fit has the same bits on every processor.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.storage.compilation import njit
from fuzzybounds.storage.elementary import exp, exp_all, log, log_positive

BLOCK = 64
TINY = 1e-200

LANES = 8

# No NaN to mind, and nothing else: fused multiply-add or sums in another order would give other
# last digits on other processors, and a search that compares losses then takes other steps.
_strict = njit(error_model="numpy", fastmath={"nnan", "nsz"})
_apart = njit(apart=True, fastmath={"nnan", "nsz"})


@_apart
def _dot(a, b, i, size, lanes):
    """Return the sum of products of two rows, in eight sums that are added in this order."""
    for lane in range(LANES):
        lanes[lane] = 0.0
    whole = size // LANES * LANES
    for first in range(0, whole, LANES):
        for lane in range(LANES):
            lanes[lane] += a[i, first + lane] * b[i, first + lane]
    for p in range(whole, size):
        lanes[p - whole] += a[i, p] * b[i, p]
    total = 0.0
    for lane in range(LANES):
        total += lanes[lane]
    return total


@_strict
def _far_point(
    logs, distance, steepness, premises, given, consequents, responded, weight, gradient
):
    """Add one point's gradient by logs alone, and return its loss (inf if no rule allows it)."""
    top, top_done = -np.inf, -np.inf
    for j in range(consequents.size):
        if given[j]:
            z = 0.0
            for i in premises[j]:
                z += logs[i]
            top = max(top, z)
            if (consequents[j] if responded else 1 - consequents[j]) > 0:
                top_done = max(top_done, z)
    if top_done == -np.inf:
        return np.inf
    share = np.zeros((2, logs.size))
    sums = np.zeros(2)
    for j in range(consequents.size):
        if given[j]:
            z = 0.0
            for i in premises[j]:
                z += logs[i]
            c = consequents[j] if responded else 1 - consequents[j]
            everything, done = exp(z - top), 0.0
            if c > 0:
                done = c * exp(z - top_done)
            sums[0] += everything
            sums[1] += done
            for i in premises[j]:
                share[0, i] += everything
                share[1, i] += done
    n_neurons = logs.size
    for i in range(n_neurons):
        slope = weight * (share[0, i] / sums[0] - share[1, i] / sums[1])
        gradient[i] += slope * 2 * steepness[i] * distance[i]
        gradient[n_neurons + i] -= slope * 2 * logs[i]
    return top + log(sums[0]) - top_done - log(sums[1])


@_strict
def loss_and_gradient(
    rows, points, responded, weights, given, consequents, inputs, premises, exponent, parameters
):
    """Evaluate a batch of fits.

    Parameters
    ----------
    rows : array of int, shape (n_rows,)
        Which fits of the batch to evaluate.
    points : array, shape (n_fits, n_inputs, n_points)
    responded : array of bool, shape (n_fits, n_points)
    weights : array, shape (n_fits, n_points)
        Weight of each point in its fit's loss; 0 is padding.
    given : array of bool, shape (n_fits, n_rules)
        Which rules the fit has.
    consequents : array, shape (n_fits, n_rules)
        Of those, within [0, 1].
    inputs, premises, exponent
        The :class:`~fuzzybounds.fuzzy.network.Network`.
    parameters : array, shape (n_rows, 2 * n_neurons)
        Centres, then logs of widths.

    Returns
    -------
    loss : array, shape (n_rows,)
        Weighted sum of -log p(what was done).
    gradient : array, shape (n_rows, 2 * n_neurons)
    worst : array, shape (n_rows,)
        The largest -log p(what was done) among the points.
    """
    n_rows, n_inputs, n_points = rows.size, points.shape[1], points.shape[2]
    n_neurons, n_rules = inputs.size, premises.shape[0]
    loss = np.zeros(n_rows)
    worst = np.zeros(n_rows)
    gradient = np.zeros((n_rows, 2 * n_neurons))
    steepness = np.empty(n_neurons)
    distance = np.empty((n_neurons, BLOCK))
    logs, degree, slope = np.empty_like(distance), np.zeros_like(distance), np.empty_like(distance)
    largest = np.empty((n_inputs, BLOCK))
    premise = np.empty((n_rules, BLOCK))
    stop, go, odds = np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK)
    far = np.empty(BLOCK, dtype=np.bool_)
    bits = np.empty((2, n_neurons * BLOCK), dtype=np.int64)
    lanes = np.empty(LANES)

    for row in range(n_rows):
        fit = rows[row]
        for i in range(n_neurons):
            steepness[i] = exponent * exp(-2 * parameters[row, n_neurons + i])
        for start in range(0, n_points, BLOCK):
            size = min(BLOCK, n_points - start)
            y = responded[fit, start : start + size]
            w = weights[fit, start : start + size]
            if not w.any():
                continue

            # Layer 1: logs of memberships, and memberships relative to the largest.
            largest[:] = -np.inf
            for i in range(n_neurons):
                center, k, variable = parameters[row, i], steepness[i], inputs[i]
                for p in range(size):
                    d = points[fit, variable, start + p] - center
                    distance[i, p] = d
                    logs[i, p] = -k * d * d
                    largest[variable, p] = max(largest[variable, p], logs[i, p])
            for i in range(n_neurons):
                variable = inputs[i]
                for p in range(size):
                    degree[i, p] = logs[i, p] - largest[variable, p]
                    slope[i, p] = 0.0
            # Of whole rows in one call, even where the last block is shorter.
            exp_all(degree.ravel(), bits[0])

            # Layers 2 and 3: premises, and their sums for stop and for continue.
            stop[:] = 0.0
            go[:] = 0.0
            for j in range(n_rules):
                if not given[fit, j]:
                    continue
                c, first = consequents[fit, j], premises[j, 0]
                for p in range(size):
                    premise[j, p] = degree[first, p]
                for place in range(1, n_inputs):
                    i = premises[j, place]
                    for p in range(size):
                        premise[j, p] *= degree[i, p]
                for p in range(size):
                    stop[p] += c * premise[j, p]
                    go[p] += (1 - c) * premise[j, p]

            # Layer 4: the odds D / N, and the derivatives by the two sums (into stop and go).
            for p in range(size):
                everything = stop[p] + go[p]
                done = stop[p] if y[p] else go[p]
                far[p] = done < TINY
                odds[p] = 1.0 if far[p] else everything / done
                by_everything = 0.0 if far[p] else w[p] / everything
                by_done = by_everything * (1 - odds[p])
                stop[p] = by_done if y[p] else by_everything
                go[p] = by_everything if y[p] else by_done
            log_positive(odds[:size], bits)
            total, top = loss[row], worst[row]
            for p in range(size):
                if w[p] > 0:
                    surprise = odds[p]
                    if far[p]:
                        surprise = _far_point(
                            logs[:, p],
                            distance[:, p],
                            steepness,
                            premises,
                            given[fit],
                            consequents[fit],
                            y[p],
                            w[p],
                            gradient[row],
                        )
                    total += w[p] * surprise
                    top = max(top, surprise)
            loss[row], worst[row] = total, top

            # Back again: through the premises to the logs of the memberships.
            for j in range(n_rules):
                if not given[fit, j]:
                    continue
                c = consequents[fit, j]
                for p in range(size):
                    premise[j, p] *= c * stop[p] + (1 - c) * go[p]
                for place in range(n_inputs):
                    i = premises[j, place]
                    for p in range(size):
                        slope[i, p] += premise[j, p]
            for i in range(n_neurons):
                gradient[row, i] += 2 * steepness[i] * _dot(slope, distance, i, size, lanes)
                gradient[row, n_neurons + i] -= 2 * _dot(slope, logs, i, size, lanes)
    return loss, gradient, worst
