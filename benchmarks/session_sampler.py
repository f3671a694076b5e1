"""Laplace's approximation of session models against a sampler, for some subjects of a data set.

Random-walk Metropolis with the shape of Laplace's approximation as its proposal.
"""

import time

import numpy as np
from cohort_data import trials

from fuzzybounds.core import fitting
from fuzzybounds.core.fitting import log_prior
from fuzzybounds.stopping.sessions import (
    CHANGE,
    Given,
    first_fit,
    read_session,
    session_model,
)

SUBJECTS = 4
DRAWS, WARM = 12000, 2000


def sample(model, data, start, covariance, rng):
    """Return draws of the posterior, and the share of proposals that were accepted."""
    low, high = np.array([(parameter.low, parameter.high) for parameter in model.parameters]).T

    def log_posterior(theta):
        if (theta < low).any() or (theta > high).any():
            return -np.inf
        return model.log_likelihood(theta, data)[0] + log_prior(model.parameters, theta)

    step = np.linalg.cholesky(covariance) * 2.38 / np.sqrt(start.size)
    theta, value, accepted, draws = start, log_posterior(start), 0, []
    for _ in range(DRAWS):
        tried = theta + step @ rng.normal(size=start.size)
        new = log_posterior(tried)
        if np.log(rng.random()) < new - value:
            theta, value, accepted = tried, new, accepted + 1
        draws.append(theta)
    return np.array(draws[WARM:]), accepted / DRAWS


def main():
    name, table = trials()
    for subject in list(table["subject"].unique())[:SUBJECTS]:
        begun = time.process_time()
        session = read_session(table[table["subject"] == subject], "easy", (0.2,))
        model = session_model("boundary", session)
        data = Given(session, 0.2, np.ones_like(session.known))
        best = fitting.fit(model, data, first_fit(model, session, data.used)[1])
        prior = np.diag([parameter.sd**-2.0 for parameter in model.parameters])
        covariance = np.linalg.inv(model.information(best.theta, data) + prior)
        draws, accepted = sample(model, data, best.theta, covariance, np.random.default_rng(1))
        print(f"{name} {subject}: {accepted:.0%} accepted, {time.process_time() - begun:.0f} CPU s")
        for place, parameter in enumerate(CHANGE, start=best.theta.size - len(CHANGE)):
            mode, sd = best.theta[place], np.sqrt(covariance[place, place])
            print(
                f"  {parameter.name:17s} Laplace {mode:6.2f} ± {sd:.2f},"
                f" sampler {draws[:, place].mean():6.2f} ± {draws[:, place].std():.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
