"""C05 to C08 and C21: claims about the model itself, judged on the paper's worked examples."""

from __future__ import annotations

import numpy as np

from fuzzybounds.canoe.task import DEADLINE, DEADLINE_STEPS, EDGE, SPEED, STEP, STEP_PIXELS
from fuzzybounds.core.seeds import generator
from fuzzybounds.paper import worked_example
from fuzzybounds.paper.boundaries.boundary import weibull
from fuzzybounds.paper.fuzzy.membership import Memberships, equidistant, labels
from fuzzybounds.paper.fuzzy.network import Network, backward_pass
from fuzzybounds.scorecard.judges.judge import (
    Judged,
    Numbers,
    Tables,
    judge,
    prints,
    supported,
    verdict,
)
from fuzzybounds.scorecard.verdicts import READING


@judge("C05")
def zero_likelihood(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C05: a path that crosses the boundary before the response."""
    at, position = worked_example.RESPONSE
    distance = float(weibull(at, **worked_example.WEIBULL)) - position
    times, path = worked_example.steps_to_path(worked_example.CROSSING_STEPS)
    fine = np.linspace(0, at, 8001)
    above = np.interp(fine, times, path) >= weibull(fine, **worked_example.WEIBULL)
    crossing = fine[above.argmax()] if above.any() else np.nan
    output = worked_example.CONTROLLER.output(times, path)
    likelihood = output[-1] * np.prod(1 - output[:-1])
    steps = np.arange(DEADLINE_STEPS + 1)
    time, place = np.meshgrid(steps * STEP, np.minimum(steps * STEP_PIXELS, EDGE))
    reach = place <= time * SPEED
    everywhere = worked_example.CONTROLLER.output(time[reach], place[reach])
    return Judged(
        verdict(bool(above.any() and crossing < at and likelihood > 0)),
        supported(bool(everywhere.min() > 0 and everywhere.max() < 1)),
        distance=distance,
        crossing=crossing,
        likelihood=likelihood,
        least=everywhere.min(),
        most=everywhere.max(),
    )


@judge("C06", unit=0.01)
def worked_degrees(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C06: degrees of membership at 1.5 s."""
    example, at = worked_example.TIME, worked_example.WORKED_TIME
    short, medium, _ = example.degrees(at, normalised=True)
    place = worked_example.POSITION.degrees(worked_example.WORKED_POSITION, normalised=True)[1]
    ours = {"short": short, "medium": medium, "product": medium * place}
    exact = all(round(ours[name], 2) == value for name, value in printed.items())
    near = all(abs(ours[name] - value) <= tolerance["unit"] for name, value in printed.items())
    other = Memberships(example.labels, example.centers, example.widths, "deviation")
    order = other.degrees(at, normalised=True)
    return Judged(
        verdict(exact, near, printed=READING),
        supported(bool(short > medium > 0 and order[0] > order[1] > 0)),
        ours=ours,
        place=place,
        by_eq2=worked_example.readings("width", printed=printed),
        by_other=worked_example.readings("deviation", printed=printed),
        free=worked_example.readings("width", normalised=False, printed=printed),
    )


@judge("C07", least_width=0.1, largest_width=0.5)
def structure_degrees(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C07: degrees and certainty in structure learning."""
    point = np.array([0.2, 0.4])
    (s2, m2, _), (s4, m4, _) = equidistant(3, convention="width").degrees(point, normalised=True)
    ours = {"s_of_02": s2, "m_of_02": m2, "s_of_04": s4, "m_of_04": m4, "certainty": s2 * m4}
    wins = []
    for width in np.linspace(tolerance["least_width"], tolerance["largest_width"], 50):
        time, position = equidistant(3, width=width, convention="width").degrees(point, True)
        wins.append(np.argmax(np.outer(time, position)) == 1)
    return Judged(verdict(prints(ours, printed), printed=READING), supported(all(wins)), ours=ours)


@judge("C08", relative=1e-6)
def gradients(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C08: the appendix against central differences."""
    worst = largest_gradient_error()
    agree = worst < tolerance["relative"]
    return Judged(verdict(agree), supported(agree), worst=worst)


def largest_gradient_error() -> float:
    """Return the largest error of A1 to A13 on random networks, relative to the largest slope."""
    rng = generator(0, "claims", "gradients")
    worst = 0.0
    for _ in range(20):
        network = Network.grid((3, 3), "width")
        centers, widths = rng.uniform(0, 1, 6), rng.uniform(0.2, 0.6, 6)
        consequents = rng.integers(0, 2, 9).astype(float)
        consequents[:2] = 0.0, 1.0
        x, y = rng.uniform(0, 1, (30, 2)), rng.integers(0, 2, 30)

        def loss(parameters, network=network, consequents=consequents, x=x, y=y):
            centers, widths = np.split(parameters, 2)
            return backward_pass(network, centers, widths, consequents, x, y)[0]

        start = np.concatenate([centers, widths])
        _, *parts = backward_pass(network, centers, widths, consequents, x, y)
        analytic = np.concatenate(parts)
        steps = 1e-6 * np.eye(12)
        numeric = np.array([(loss(start + h) - loss(start - h)) / 2e-6 for h in steps])
        worst = max(worst, float(np.abs(analytic - numeric).max() / np.abs(numeric).max()))
    return worst


@judge("C21", active=0.05)
def active_rules(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C21: which rules are active in the trial of Fig. 16, as it is drawn."""
    trial, printed_at = tables["example_trial"], (printed["time"], printed["position"])
    drawn = np.array([trial["time"] / DEADLINE, trial["position"].abs() / EDGE])
    early, end = drawn[0] < printed["before"], tuple(drawn[:, -1])
    strongest: dict[tuple[float, float], set[str]] = {end: set(), printed_at: set()}
    active = []
    for convention in ("width", "deviation"):
        memberships = Memberships(labels(3), np.array([0.0, 0.5, 1.0]), np.full(3, 0.2), convention)
        for place, rules in strongest.items():
            degrees = memberships.degrees(np.array(place), normalised=True)
            rules.add(",".join(memberships.labels[best] for best in degrees.argmax(axis=1)))
        time, position = memberships.degrees(drawn[:, early], normalised=True)
        active.append(float((time[:, 2] * position[:, 1]).max()))
    holds = strongest[end] == {"L,M"}
    return Judged(
        verdict(holds and min(active) < tolerance["active"], holds),
        supported(holds and strongest[printed_at] == {"L,M"}),
        strongest=strongest,
        before=printed["before"],
        active=active,
    )
