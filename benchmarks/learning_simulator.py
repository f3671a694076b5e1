"""Simulated steps a CPU second: this package's canoe against ssm-simulators, in the same run.

Both simulate a walk until it crosses a boundary that falls with time, on one thread: the canoe at
60 Hz, ssm-simulators at its default 1 ms.  A step is one of these frames.  Needs the package
`ssm-simulators` for the comparison; without it, only the canoe is timed.
"""

import time

import numpy as np

from fuzzybounds.canoe.task import DEADLINE, EDGE
from fuzzybounds.learning.design import PAPER_UNCUED
from fuzzybounds.learning.policy import POSITIONS, TIMES
from fuzzybounds.learning.simulator import simulate

REPEATS = 5


def best_cpu_time(run):
    """Return the result of `run` and the least CPU time of some repeats, after a first call."""
    run()
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        result = run()
        times.append(time.process_time() - start)
    return result, min(times)


def boundary_policy(shape):
    """Stop where the canoe is beyond a boundary like those of ssm-simulators (with some haste)."""
    t = TIMES * DEADLINE
    boundary = {
        "weibull": 200 - (1 - np.exp(-((t / 5) ** 2))) * (200 / 2 - 50),
        "angle": 150 - 12 * t,
    }[shape]
    beyond = POSITIONS * EDGE - boundary[:, None]
    policy = 1 / (1 + np.exp(-np.clip(beyond / 10, -30, 30)))
    policy[0] = 0
    return policy


def canoe(shape, trials):
    policy = boundary_policy(shape)
    simulation, cpu = best_cpu_time(
        lambda: simulate(policy, PAPER_UNCUED, trials, np.random.default_rng(1))
    )
    return trials / cpu, simulation.frame.sum(dtype=float) / cpu


def ssm(shape, trials):
    from ssms.basic_simulators.simulator import simulator

    theta = {"weibull": [0.5, 1.5, 0.5, 0.001, 3.0, 3.0], "angle": [0.5, 1.5, 0.5, 0.001, 0.2]}
    out, cpu = best_cpu_time(
        lambda: simulator(theta[shape], model=shape, n_samples=trials, random_state=1)
    )
    steps = (np.abs(out["rts"]) - 0.001).sum() / 0.001
    return trials / cpu, steps / cpu


def main():
    try:
        import ssms  # noqa: F401

        compared = True
    except ImportError:
        compared = False
        print("ssm-simulators is not installed: the canoe alone")
    for shape in ("weibull", "angle"):
        trials, steps = canoe(shape, 2_000_000)
        print(f"canoe {shape:8} {trials:14,.0f} trials  {steps:16,.0f} steps a CPU s")
        if compared:
            their_trials, their_steps = ssm(shape, 20_000)
            print(
                f"ssms  {shape:8} {their_trials:14,.0f} trials  {their_steps:16,.0f} steps a CPU s"
            )
            print(
                f"ratio {shape:8} {trials / their_trials:14.1f}         {steps / their_steps:16.1f}"
            )


if __name__ == "__main__":
    main()
