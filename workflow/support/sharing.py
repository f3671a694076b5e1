"""What does not depend on a data set: computed once in results/shared/, copied to each data set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fuzzybounds.storage.errors import InputError
from fuzzybounds.storage.registry import file_of

SHARED = "shared"
"""The folder under results/ and logs/; no data set can have this name."""
OPTIMUM = ("optimum", "optimal_boundary")
"""Solved once for the paper's designs; data sets without cues add the design of their logs."""
LEARNING = (
    "learning_curves",
    "learning_consequents",
    "learning_initial",
    "example_trial",
    "learning_reach",
    "learning_sweep",
    "learning_sweep_summary",
    "learning_rule_curves",
    "learning_rules",
)
RECOVERY = ("recovery_rules", "recovery_memberships", "recovery_losses")
"""From subjects who follow fuzzy rules, simulated for this alone; for simulated data sets."""
TABLES = frozenset({*OPTIMUM, *LEARNING, *RECOVERY})


def refuse(dataset: str) -> None:
    """Refuse a data set whose results would lie where the shared ones do."""
    if dataset == SHARED:
        raise InputError(
            f"a data set cannot be called {SHARED!r}",
            [f"results/{SHARED}/ holds what all data sets share; rename its folder or cohort"],
        )


def is_shared(figure: Mapping[str, Any]) -> bool:
    """Whether a figure draws nothing that depends on a data set."""
    return TABLES.issuperset(figure.get("tables", ()))


def folder_of(table: str, dataset: str) -> str:
    """The folder under results/ of the rule that computes a table."""
    return SHARED if table in TABLES else dataset


def files_in(dataset: str, tables: tuple[str, ...] = LEARNING) -> list[str]:
    """Paths of some shared tables in the folder of a data set, or in the shared one."""
    return [f"results/{dataset}/{file_of(table)}" for table in tables]
