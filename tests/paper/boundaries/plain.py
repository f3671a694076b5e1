"""A subject who follows a boundary model, one trial at a time, in plain Python.

The reference for the compiled recursion: written from the equations, without its arrays.
"""

import math

import numpy as np


def clip(value, low, high):
    return min(max(value, low), high)


def utility(p, past, trial):
    kind = "gain" if trial["reward"] > 0 else "loss"
    alpha, beta = p[f"alpha_{kind}"], p[f"beta_{kind}"]
    if abs(beta) < 1e-9:
        return -alpha * trial["reward"]
    return -alpha * (1 - math.exp(-beta * trial["reward"])) / beta


def accuracy(p, past, trial):
    wins = sum(earlier["correct"] for earlier in past)
    estimate = (p["prior_a"] + wins) / (p["prior_a"] + p["prior_b"] + len(past))
    return -p["alpha"] * (estimate - p["theta"])


def window(p, past, trial):
    wins = np.mean([earlier["correct"] for earlier in past[-int(p["w_r"]) :]])
    times = np.mean([earlier["total"] for earlier in past[-int(p["w_t"]) :]])
    return p["alpha_1"] * wins + p["alpha_2"] * times + p["const"]


class Learner:
    """A boundary model with parameters `theta`."""

    def __init__(self, model, theta):
        self.model = model
        self.p = [model.of_condition(theta, c) for c in range(len(model.conditions))]
        self.start = [p["m" if model.shape == "constant" else "psi"] for p in self.p]
        self.level = list(self.start)
        self.value = [p.get("V", 0.0) for p in self.p]
        self.past = [[] for _ in self.p]

    def left(self, c, t):
        """e = exp(-(t/λ)^φ); a constant boundary never changes."""
        if self.model.shape == "constant":
            return 1.0
        return math.exp(-((t / self.p[c]["lam"]) ** self.p[c]["phi"]))

    def boundary(self, c, t):
        used = clip(self.level[c], 0, 300)
        if self.model.shape == "constant":
            return used
        psi_prime, e = self.p[c]["psi_prime"], self.left(c, t)
        if self.model.learning in ("utility", "accuracy"):
            psi, shift = self.start[c], used - self.start[c]
        else:
            psi, shift = used, 0.0
        return shift + psi - (1 - e) * (psi / 2 - psi_prime)

    def sigma(self, c):
        p = self.p[c]
        return clip(p["sigma"] - p.get("alpha_s", 0.0) * (len(self.past[c]) + 1), 5, 100)

    def learn(self, c, trial):
        self.past[c].append(trial)
        learning, p = self.model.learning, self.p[c]
        if learning in ("utility", "accuracy"):
            rule = utility if learning == "utility" else accuracy
            self.level[c] += rule(p, self.past[c], trial)
            return
        change = 0.0
        if learning == "window":
            change = window(p, self.past[c], trial)
        elif learning == "rl" and trial["next"] is not None:
            delta = trial["reward"] - p["kappa"] * trial["total"]
            delta += self.value[trial["next"]] - self.value[c]
            self.value[c] += p.get("alpha_V", 0.0) * delta
            if trial["size"] is not None:
                g = 1.0 if self.model.shape == "constant" else 1 + self.left(c, trial["t"])
                distance = self.boundary(c, trial["t"]) - trial["size"]
                change = -p["alpha_m"] * delta * distance * g
        self.level[c] = clip(clip(self.level[c], 0, 300) + change, 0, 300)

    def learn_from(self, trials, k):
        self.learn(
            trials.condition[k],
            {
                "reward": float(trials.reward[k]),
                "correct": float(trials.correct[k]),
                "total": float(trials.total[k]),
                "t": float(trials.time[k]),
                "size": float(trials.size[k]) if trials.responded[k] else None,
                "next": trials.condition[k + 1] if k + 1 < len(trials.condition) else None,
            },
        )


def plain_nll(model, theta, trials):
    learner = Learner(model, theta)
    total = 0.0
    for k, c in enumerate(trials.condition):
        if trials.responded[k]:
            sigma = learner.sigma(c)
            z = (trials.size[k] - learner.boundary(c, float(trials.time[k]))) / sigma
            total += 0.5 * z**2 + math.log(sigma) + 0.5 * math.log(2 * math.pi)
        learner.learn_from(trials, k)
    return total
