"""C05 to C08: claims about the model itself, judged on the paper's worked example."""

from __future__ import annotations

from fuzzybounds.paper.claims.claim import ANYONE, Claim, Found, Numbers, Tables, verdict


def zero_likelihood(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C05: a path that crosses the boundary before the response."""
    import numpy as np

    from fuzzybounds.paper import worked_example
    from fuzzybounds.weibull.boundary import weibull

    at, position = worked_example.RESPONSE
    distance = float(weibull(at, **worked_example.WEIBULL)) - position
    times, path = worked_example.steps_to_path(worked_example.CROSSING_STEPS)
    fine = np.linspace(0, at, 8001)
    above = np.interp(fine, times, path) >= weibull(fine, **worked_example.WEIBULL)
    crossing = fine[above.argmax()] if above.any() else np.nan
    output = worked_example.CONTROLLER.output(times, path)
    likelihood = output[-1] * np.prod(1 - output[:-1])
    return Found(
        f"d = {distance:.2f} px; crosses at {crossing:.2f} s; fuzzy likelihood {likelihood:.1e}",
        verdict(bool(above.any() and crossing < at and likelihood > 0)),
        "A path that the canoe can take to 8 s and 90 px meets the mean boundary long before.",
    )


def worked_degrees(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C06: degrees of membership at 1.5 s."""
    from fuzzybounds.paper import worked_example

    short, medium, _ = worked_example.TIME.degrees(1.5, normalised=False)
    ours = {"short": short, "medium": medium, "product": short * medium}
    return Found(
        ", ".join(f"{name} {value:.3f}" for name, value in ours.items()),
        verdict(all(near(ours[name], value, tolerance["unit"]) for name, value in printed.items())),
        "With exp(-d²/2σ²) and σ = 2; Eq. 2 as printed would give other values.",
    )


def structure_degrees(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C07: degrees and certainty in structure learning."""
    import numpy as np

    from fuzzybounds.fuzzy.membership import equidistant

    memberships = equidistant(3, convention="width")
    (s2, m2, _), (s4, m4, _) = memberships.degrees(np.array([0.2, 0.4]), normalised=True)
    ours = {"s_of_02": s2, "m_of_02": m2, "s_of_04": s4, "m_of_04": m4, "certainty": s2 * m4}
    return Found(
        f"0.2: S {s2:.3f}, M {m2:.3f}; 0.4: S {s4:.3f}, M {m4:.3f}; certainty {s2 * m4:.3f}",
        verdict(all(near(ours[name], value, tolerance["unit"]) for name, value in printed.items())),
        "With normalised degrees and a width of 3/7 of the distance between centres.",
    )


def near(value: float, printed: float, unit: float) -> bool:
    """Whether a value differs from a printed one by at most one unit, allowing for rounding."""
    return abs(value - printed) <= unit + 1e-12


def gradients(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C08: the appendix against central differences."""
    worst = largest_gradient_error()
    return Found(
        f"largest relative difference {worst:.0e}",
        verdict(worst < tolerance["relative"]),
        "A1 to A13 against central differences on 20 random networks; L is a log-likelihood, so "
        "descending means descending on -L.",
    )


def largest_gradient_error() -> float:
    """Return the largest error of A1 to A13 on random networks, relative to the largest slope."""
    import numpy as np

    from fuzzybounds.fuzzy.backpropagation import backward_pass
    from fuzzybounds.fuzzy.network import Network
    from fuzzybounds.storage.seeds import generator

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


CLAIMS = (
    Claim(
        "C05",
        "the path of Fig. 2 has likelihood zero under the boundary, and never zero under the fuzzy "
        "model",
        where="Accumulated evidence paths with zero-likelihood, Fig. 2",
        about=ANYONE,
        rule="the path crosses before 8 s; its fuzzy likelihood is positive",
        judge=zero_likelihood,
    ),
    Claim(
        "C06",
        "1.5 s is short to 0.76 and medium to 0.22; their product is 0.17",
        where="A fuzzy logic model",
        about=ANYONE,
        rule="{unit:g}, one unit of the last digit",
        judge=worked_degrees,
        printed={"short": 0.76, "medium": 0.22, "product": 0.17},
        tolerance={"unit": 0.01},
    ),
    Claim(
        "C07",
        "0.2 is S 0.75, M 0.25; 0.4 is S 0.04, M 0.96; the rule (S, M) has certainty 0.72",
        where="Structure learning, Fig. 9",
        about=ANYONE,
        rule="{unit:g}, the last digit",
        judge=structure_degrees,
        printed={
            "s_of_02": 0.75,
            "m_of_02": 0.25,
            "s_of_04": 0.04,
            "m_of_04": 0.96,
            "certainty": 0.72,
        },
        tolerance={"unit": 0.005},
    ),
    Claim(
        "C08",
        "the appendix's formulas are the gradients of the cross-entropy",
        where="Appendix",
        about=ANYONE,
        rule="{relative:g} relative to finite differences",
        judge=gradients,
        tolerance={"relative": 1e-6},
    ),
)
