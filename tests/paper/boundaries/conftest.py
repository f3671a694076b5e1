import numpy as np
import pytest

from fuzzybounds.canoe.task import CONDITIONS
from fuzzybounds.core.seeds import generator


def made_up_table(n: int, seed: int) -> dict[str, np.ndarray]:
    """Trials with nothing behind them, among them missed deadlines."""
    rng = generator(seed, "made up")
    condition = rng.choice(["easy", "hard"], size=n)
    responded = rng.random(n) > 0.1
    correct = responded & (rng.random(n) < 0.6)
    rt = np.where(responded, rng.gamma(2.0, 1.5, size=n) + 0.02, np.nan)
    # As in the logs, the total time of a missed deadline leaves out its 15 s.
    logged = np.nan_to_num(rt)
    return {
        "rt": rt,
        "total": _each(condition, lambda part, i: part.total_time(logged[i], correct[i])),
        "reward": _each(condition, lambda part, i: part.reward(correct[i])),
        "condition": condition,
        "correct": correct,
        "position": rng.normal(0, 120, size=n).round(),
        "responded": responded,
    }


def _each(condition, value) -> np.ndarray:
    return np.array([float(value(CONDITIONS[name], i)) for i, name in enumerate(condition)])


def some_parameters(model, rng) -> np.ndarray:
    """Parameters within the bounds under which learning is neither absent nor explosive."""
    theta = model.lower + rng.uniform(0.1, 0.9, size=model.k) * (model.upper - model.lower)
    theta = np.where(model.cubic, 0.02 * theta, theta)
    for j, name in enumerate(model.names):
        if name.startswith("beta"):
            theta[j] = rng.uniform(-0.05, 0.1)
        elif name.startswith("kappa"):
            theta[j] = rng.uniform(-1.0, 1.0)
        elif name.split("_")[0] in ("m", "psi") and "prime" not in name:
            theta[j] = rng.uniform(120, 200)
    return theta


@pytest.fixture
def table() -> dict[str, np.ndarray]:
    return made_up_table(90, seed=1)
