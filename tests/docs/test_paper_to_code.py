"""Nothing in the paper is missing from the page that leads from it to the code."""

from __future__ import annotations

import re

import pytest

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.report.registry import read_registry
from fuzzybounds.scorecard.claims import CLAIMS
from fuzzybounds.scorecard.errata import ERRATA

EQUATIONS = [
    *("WeibullThresh_01", "GaussianMember", "fuzzy_O", "Fuzzy_likelihood", "cross_entropy"),
    *("q_value", "update_theta", "TDerror", "update_theta_final"),
    *(f"A{number}" for number in range(1, 14)),
]
"""The labels of the paper's equations."""
WITHOUT_LABEL = ["gradient descent", "memory trace"]
FIGURES = {
    "fig01": "Fitted_boundaries",
    "fig02": "zeroLL",
    "fig03": "SumOfGausianThresh",
    "fig04": "MembershipFuncs",
    "fig05": "Fuzzy_RuleBase",
    "fig06": "Fuzzy_Output",
    "fig07": "Fuzzy_NN",
    "fig08": "Sample_data_2class",
    "fig09": "StructureLearning_MemFunc",
    "fig10": "3session_fitted_output",
    "fig11": "3session_fitted_rulebase",
    "fig12": "3session_fitted_membership",
    "fig13": "1session_output",
    "fig14": "1session_rulebase",
    "fig15": "1session_averageboundary",
    "fig16": "simulatedTrial_RL",
    "fig17": "RL_sim",
}
"""The labels of the paper's figures."""


@pytest.fixture(scope="module")
def mapped(builder, project_root):
    import paper_to_code

    return paper_to_code.entries(project_root)


def ids(mapped, kind: str) -> list[str]:
    return [entry.id for entry in mapped if entry.kind == kind]


def test_the_lists_here_are_those_of_the_paper(project_root):
    folder = project_root.parent / "shared/paper"
    if not folder.is_dir():
        pytest.skip(f"the paper is not at {folder}")
    (file,) = folder.glob("*.txt")
    text = file.read_text(encoding="utf-8")
    assert re.findall(r"\\label\{eq:(\w+)\}", text) == EQUATIONS
    assert text.count(r"\begin{equation}") == len(EQUATIONS) + len(WITHOUT_LABEL)
    assert re.findall(r"\\label\{fig:(\w+)\}", text) == list(FIGURES.values())
    assert text.count(r"\begin{figure}") == len(FIGURES)
    for environment in ("align", "eqnarray", "gather", "multline", "table"):
        assert rf"\begin{{{environment}" not in text


def test_every_equation_is_there(mapped):
    listed = ids(mapped, "equation")
    assert [name for name in listed if name in EQUATIONS] == EQUATIONS
    assert set(WITHOUT_LABEL) <= set(listed)
    for entry in mapped:
        assert entry.kind != "equation" or entry.formula, entry.id


def test_every_figure_claim_and_erratum_is_there(mapped, project_root):
    registry = read_registry(project_root / "notebooks")
    assert ids(mapped, "figure") == list(registry)
    labels = {name: entry["label"].removeprefix("fig:") for name, entry in registry.items()}
    assert {name: labels[name] for name in FIGURES} == FIGURES
    assert ids(mapped, "claim") == list(CLAIMS)
    # The paper's claims are numbered with a C; rows of our own may follow.
    of_paper = [name for name in ids(mapped, "claim") if name.startswith("C")]
    assert of_paper == [f"C{number:02d}" for number in range(1, len(of_paper) + 1)]
    assert ids(mapped, "erratum") == list(ERRATA)


def test_whatever_is_named_exists(mapped, builder, project_root):
    import paper_to_code

    figures = read_registry(project_root / "notebooks")
    for entry in mapped:
        assert entry.says, entry.id
        assert entry.implemented, f"{entry.id}: nothing implements it"
        for function in entry.implemented:
            value = paper_to_code.resolve(function)
            assert value.__doc__, f"{entry.id}: {function} says nothing about itself"
        assert entry.tests, f"{entry.id}: no test checks it"
        for thing in entry.shown:
            assert thing in TABLES or thing in figures or thing in CLAIMS, f"{entry.id}: {thing}"
