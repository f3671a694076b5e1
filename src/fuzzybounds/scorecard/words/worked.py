"""C05 to C08 and C21: claims about the model itself, judged on the paper's worked examples."""

from __future__ import annotations

from fuzzybounds.paper.worked_example import describe_time
from fuzzybounds.scorecard.judges.judge import Judged
from fuzzybounds.scorecard.words.words import Words, words


@words("C05")
def zero_likelihood(n: Judged) -> Words:
    """Where the path crosses the boundary, and how small or large the fuzzy output gets."""
    return Words(
        f"d = {n.distance:.2f} px; crosses at {n.crossing:.2f} s; fuzzy likelihood "
        f"{n.likelihood:.1e}",
        "A path that the canoe can take to 8 s and 90 px meets the mean boundary long before. "
        f"Wherever the canoe can be until the deadline, the fuzzy output is between {n.least:.1e} "
        f"and 1 - {1 - n.most:.1e}. A boundary with noise within trials has no paths of likelihood "
        "zero either (B01).",
    )


@words("C06")
def worked_degrees(n: Judged) -> Words:
    """What the degrees are, and how many settings give the printed ones."""
    return Words(
        ", ".join(f"{name} {value:.3f}" for name, value in n.ours.items()),
        f"By Eq. 2, normalised as the text says, with {describe_time()}. The "
        f"product is that of 1.5 s as medium and 200 px as medium, {n.place:.3f}.",
        reason="The paper gives centre and width of medium only. "
        f"Of {n.by_eq2.tried} settings of short and long, {n.by_eq2.agree} give the digits by "
        f"Eq. 2, {n.by_other.agree} with 2σ² and {n.free.agree} by Eq. 2 without normalisation. By "
        f"Eq. 2 the settings give {n.by_eq2.pairs} different pairs of degrees, so these digits "
        "test little.",
    )


@words("C07")
def structure_degrees(n: Judged) -> Words:
    """What the degrees in structure learning are."""
    return Words(
        "0.2: S {s_of_02:.3f}, M {m_of_02:.3f}; 0.4: S {s_of_04:.3f}, M {m_of_04:.3f}; certainty "
        "{certainty:.3f}".format(**n.ours),
        "With normalised degrees and a width of 3/7 of the distance between centres.",
        reason="The width is left open; 3/7 of the distance between centres was chosen because it "
        "gives the printed digits (A03).",
    )


@words("C08")
def gradients(n: Judged) -> Words:
    """How far the appendix is from central differences."""
    return Words(
        f"largest relative difference {n.worst:.0e}",
        "A1 to A13 against central differences on 20 random networks; L is a log-likelihood, so "
        "descending means descending on -L.",
    )


@words("C21")
def active_rules(n: Judged) -> Words:
    """Which rules are dominant at the response, and how active (L, M) was before."""
    said = "; ".join(
        f"at ({place[0]:.2f}, {place[1]:.2f}) {' or '.join(sorted(rules))}"
        for place, rules in n.strongest.items()
    )
    return Words(
        f"dominant {said}; before {n.before:g} L,M is active to at most {min(n.active):.2f} or "
        f"{max(n.active):.2f}",
        "The trial that is drawn ends at the first point; at the second, which is printed, the "
        "canoe cannot be when decisions are made (A34). "
        "Centres 0, 0.5 and 1, variance 0.04 as σ² of Eq. 2 or with 2σ² (A01), normalised degrees.",
        reason="The smaller of the two activations is by Eq. 2 as printed.",
    )
