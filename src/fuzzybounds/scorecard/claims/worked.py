"""C05 to C08 and C21: claims about the model itself, judged on the paper's worked examples."""

from __future__ import annotations

import numpy as np

from fuzzybounds.canoe.task import DEADLINE, DEADLINE_STEPS, EDGE, SPEED, STEP, STEP_PIXELS
from fuzzybounds.core.seeds import generator
from fuzzybounds.paper import worked_example
from fuzzybounds.paper.boundaries.boundary import weibull
from fuzzybounds.paper.fuzzy.membership import Memberships, equidistant, labels
from fuzzybounds.paper.fuzzy.network import Network, backward_pass
from fuzzybounds.paper.printed import printed as numbers_of
from fuzzybounds.scorecard.claims.claim import (
    ANYONE,
    ARITHMETIC,
    READING,
    Found,
    Numbers,
    Tables,
    claim,
    prints,
    supported,
    verdict,
)


@claim(
    "C05",
    "the path of Fig. 2 has likelihood zero under the boundary, and never zero under the fuzzy "
    "model",
    where="Accumulated evidence paths with zero-likelihood, Fig. 2",
    group=ARITHMETIC,
    about=ANYONE,
    paper="likelihood zero for a path to 8 s and 90 px; non-zero at every point",
    rule="the path crosses before 8 s; its fuzzy likelihood is positive",
    control="a fuzzy output of 0 or 1 anywhere that the canoe can reach before the deadline",
)
def zero_likelihood(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
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
    return Found(
        f"d = {distance:.2f} px; crosses at {crossing:.2f} s; fuzzy likelihood {likelihood:.1e}",
        verdict(bool(above.any() and crossing < at and likelihood > 0)),
        "A path that the canoe can take to 8 s and 90 px meets the mean boundary long before. "
        f"Wherever the canoe can be until the deadline, the fuzzy output is between "
        f"{everywhere.min():.1e} and 1 - {1 - everywhere.max():.1e}. A boundary with noise within "
        "trials has no paths of likelihood zero either (B01).",
        conclusion=supported(bool(everywhere.min() > 0 and everywhere.max() < 1)),
    )


@claim(
    "C06",
    "1.5 s is short rather than medium, and certainties multiply",
    where="A fuzzy logic model",
    group=ARITHMETIC,
    about=ANYONE,
    paper="short 0.76, medium 0.22; product 0.17",
    rule="the printed digits, rounded or cut, by Eq. 2 and with degrees that sum to 1, both as "
    "printed, for some short and long; in direction, within {unit:g}",
    control="the other form of the Gaussian (A01) gives another order",
    printed=worked_example.DEGREES,
    tolerance={"unit": 0.01},
)
def worked_degrees(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C06: degrees of membership at 1.5 s."""
    example, at = worked_example.TIME, worked_example.WORKED_TIME
    short, medium, _ = example.degrees(at, normalised=True)
    place = worked_example.POSITION.degrees(worked_example.WORKED_POSITION, normalised=True)[1]
    ours = {"short": short, "medium": medium, "product": medium * place}
    near = all(abs(ours[name] - value) <= tolerance["unit"] for name, value in printed.items())
    other = Memberships(example.labels, example.centers, example.widths, "deviation")
    order = other.degrees(at, normalised=True)
    by_eq2 = worked_example.readings("width", printed=printed)
    free = worked_example.readings("width", normalised=False, printed=printed)
    by_other = worked_example.readings("deviation", printed=printed)
    return Found(
        ", ".join(f"{name} {value:.3f}" for name, value in ours.items()),
        READING if prints(ours, printed) else verdict(False, near),
        f"By Eq. 2, normalised as the text says, with {worked_example.describe_time()}. The "
        f"product is that of 1.5 s as medium and 200 px as medium, {place:.3f}.",
        conclusion=supported(bool(short > medium > 0 and order[0] > order[1] > 0)),
        reason="The paper gives centre and width of medium only. "
        f"Of {by_eq2.tried} settings of short and long, {by_eq2.agree} give the digits by Eq. 2, "
        f"{by_other.agree} with 2σ² and {free.agree} by Eq. 2 without normalisation. By Eq. 2 the "
        f"settings give {by_eq2.pairs} different pairs of degrees, so these digits test little.",
    )


@claim(
    "C07",
    "a response at (0.2, 0.4) gives the rule (S, M) -> stop",
    where="Structure learning, Fig. 9",
    group=ARITHMETIC,
    about=ANYONE,
    paper="0.2 is S 0.75, M 0.25; 0.4 is S 0.04, M 0.96; certainty 0.72",
    rule="the printed digits, rounded or cut",
    control="another rule wins with a width between {least_width:g} and {largest_width:g}, "
    "which the paper does not give (A03)",
    printed={
        "s_of_02": 0.75,
        "m_of_02": 0.25,
        "s_of_04": 0.04,
        "m_of_04": 0.96,
        "certainty": 0.72,
    },
    tolerance={"least_width": 0.1, "largest_width": 0.5},
)
def structure_degrees(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C07: degrees and certainty in structure learning."""
    point = np.array([0.2, 0.4])
    (s2, m2, _), (s4, m4, _) = equidistant(3, convention="width").degrees(point, normalised=True)
    ours = {"s_of_02": s2, "m_of_02": m2, "s_of_04": s4, "m_of_04": m4, "certainty": s2 * m4}
    wins = []
    for width in np.linspace(tolerance["least_width"], tolerance["largest_width"], 50):
        time, position = equidistant(3, width=width, convention="width").degrees(point, True)
        wins.append(np.argmax(np.outer(time, position)) == 1)
    return Found(
        f"0.2: S {s2:.3f}, M {m2:.3f}; 0.4: S {s4:.3f}, M {m4:.3f}; certainty {s2 * m4:.3f}",
        verdict(prints(ours, printed), printed=READING),
        "With normalised degrees and a width of 3/7 of the distance between centres.",
        conclusion=supported(all(wins)),
        reason="The width is left open; 3/7 of the distance between centres was chosen because it "
        "gives the printed digits (A03).",
    )


@claim(
    "C08",
    "the appendix's formulas are the gradients of the cross-entropy",
    where="Appendix",
    group=ARITHMETIC,
    about=ANYONE,
    paper="Eqs. A1 to A13",
    rule="{relative:g} relative to finite differences",
    control="a finite difference that differs",
    tolerance={"relative": 1e-6},
)
def gradients(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C08: the appendix against central differences."""
    worst = largest_gradient_error()
    agree = worst < tolerance["relative"]
    return Found(
        f"largest relative difference {worst:.0e}",
        verdict(agree),
        "A1 to A13 against central differences on 20 random networks; L is a log-likelihood, so "
        "descending means descending on -L.",
        conclusion=supported(agree),
    )


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


@claim(
    "C21",
    "at the response of Fig. 16 the rule (time L, position M) is dominant, and before time 0.6 "
    "it is not active at all",
    where="A reinforcement learning algorithm, Fig. 16",
    group=ARITHMETIC,
    about=ANYONE,
    paper="response at about (0.9, 0.4); variance 0.04",
    rule="dominant where the drawn trial ends, and before 0.6 active to less than {active:g}, with "
    "one of the conventions; in direction, dominant",
    control="another rule is dominant with one of the conventions of the Gaussian",
    tables=("example_trial",),
    printed=numbers_of("C21"),
    tolerance={"active": 0.05},
)
def active_rules(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C21: which rules are active in the trial of Fig. 16, as it is drawn."""
    trial, printed_at = tables["example_trial"], (printed["time"], printed["position"])
    drawn = np.array([trial["time"] / DEADLINE, trial["position"].abs() / EDGE])
    early, end = drawn[0] < printed["before"], tuple(drawn[:, -1])
    strongest: dict[tuple[float, float], set[str]] = {end: set(), printed_at: set()}
    active = []
    for convention in ("width", "deviation"):
        own = Memberships(labels(3), np.array([0.0, 0.5, 1.0]), np.full(3, 0.2), convention)
        for place, rules in strongest.items():
            degrees = own.degrees(np.array(place), normalised=True)
            rules.add(",".join(own.labels[best] for best in degrees.argmax(axis=1)))
        time, position = own.degrees(drawn[:, early], normalised=True)
        active.append(float((time[:, 2] * position[:, 1]).max()))
    holds = strongest[end] == {"L,M"}
    said = "; ".join(
        f"at ({place[0]:.2f}, {place[1]:.2f}) {' or '.join(sorted(rules))}"
        for place, rules in strongest.items()
    )
    return Found(
        f"dominant {said}; before {printed['before']:g} L,M is active to at most "
        f"{min(active):.2f} or {max(active):.2f}",
        verdict(holds and min(active) < tolerance["active"], holds),
        "The trial that is drawn ends at the first point; at the second, which is printed, the "
        "canoe cannot be when decisions are made (A34). "
        "Centres 0, 0.5 and 1, variance 0.04 as σ² of Eq. 2 or with 2σ² (A01), normalised degrees.",
        conclusion=supported(holds and strongest[printed_at] == {"L,M"}),
        reason="the smaller of the two activations is by Eq. 2 as printed",
    )
