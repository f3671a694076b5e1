"""All fits of 26 subjects: both windows, 20 draws, 5 labels.  Target: under 60 CPU seconds.

Prints CPU seconds of the whole call (structure learning, tuning, tables), what the fits came to,
and the tuning of a sample of them against one call of SciPy's L-BFGS-B for each fit, on the same
compiled loss and gradient.  Usage: fuzzy_fits.py [published log]
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import time

import numpy as np
from fuzzy_data import easy_points
from scipy.optimize import minimize

from fuzzybounds.fuzzy.fits import Recipe, fit_tables, gather
from fuzzybounds.fuzzy.kernel import loss_and_gradient
from fuzzybounds.fuzzy.network import Network
from fuzzybounds.fuzzy.tuning import PENALTY, tune
from fuzzybounds.fuzzy.wang_mendel import learn_structure

DRAWS, LABELS, COMPARED_DRAWS = 20, 5, 2


def whole(points) -> None:
    for optimiser in ("lbfgs", "gradient_descent"):
        start = time.process_time()
        tables = fit_tables(points, Recipe(labels=LABELS, optimiser=optimiser))
        seconds = time.process_time() - start
        fits = tables.fits
        finite = fits[np.isfinite(fits["loss_after"])]
        print(
            f"{optimiser}: {len(fits)} fits in {seconds:.1f} CPU s; cross-entropy "
            f"{finite['loss_before'].mean():.3f} -> {finite['loss_after'].mean():.3f} (chance "
            f"0.693); {fits['iterations'].mean():.0f} iterations; converged "
            f"{fits['converged'].mean():.1%}; flagged {(fits['flags'] != '').mean():.1%}"
        )


def against_scipy(points) -> None:
    """Tune the same fits one by one with SciPy."""
    recipe = Recipe(labels=LABELS)
    variable = recipe.memberships()
    keys, batch = gather(points[points["draw"] <= COMPARED_DRAWS])
    structure = learn_structure(
        batch.inputs, batch.responded, (variable, variable), weights=batch.weights
    )
    consequents = structure.consequents.reshape(len(keys), -1)
    network = Network.grid((LABELS, LABELS), recipe.convention)
    centers, widths = np.tile(variable.centers, 2), np.tile(variable.widths, 2)
    begin = time.process_time()
    tuned = tune(network, batch, consequents, centers, widths)
    ours = time.process_time() - begin

    start = np.concatenate([centers, np.log(widths)])
    unit = np.concatenate([widths, np.ones(widths.size)])
    fixed = (batch.inputs, batch.responded, batch.weights, ~np.isnan(consequents), consequents)
    connections = (network.inputs, network.premises, network.exponent)

    def objective(deviation, fit):
        loss, gradient, _ = loss_and_gradient(
            np.array([fit]), *fixed, *connections, (start + unit * deviation)[None]
        )
        value = loss[0] + PENALTY * (deviation**2).sum()
        gradient = gradient[0] * unit + 2 * PENALTY * deviation
        return value / batch.total[fit], gradient / batch.total[fit]

    begin = time.process_time()
    tight = {"maxiter": 1000, "maxfun": 5000, "gtol": 1e-5, "ftol": 1e-9}
    values = [
        minimize(objective, 0 * start, (fit,), "L-BFGS-B", jac=True, options=tight).fun
        for fit in range(len(keys))
    ]
    theirs = time.process_time() - begin
    moved = np.concatenate([tuned.centers, np.log(tuned.widths)], axis=1)
    penalty = PENALTY * (((moved - start) / unit) ** 2).sum(axis=1) / batch.total
    gain = np.mean(tuned.loss_after + penalty - values)
    print(
        f"{len(keys)} fits: SciPy {theirs:.2f} CPU s, batched {ours:.2f} CPU s, ratio "
        f"1/{theirs / ours:.0f}; mean difference of the minima {gain:+.1e}"
    )


def main():
    name, points = easy_points(DRAWS, "subject")
    sizes = points.groupby(["subject", "window", "draw"]).size()
    print(f"{name}: {len(sizes)} fits of {sizes.mean():.0f} points on average")
    # Compile (or load) the kernel before the clock starts.
    fit_tables(points[points["draw"] == 1], Recipe(labels=LABELS))
    whole(points)
    against_scipy(points)


if __name__ == "__main__":
    main()
