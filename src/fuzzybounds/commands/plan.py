"""``plan`` and ``register``: what a study would decide, and how it is frozen before its data.

``plan STUDY.yaml`` writes ``STUDY_plan/`` beside the configuration; ``plan --compare`` writes
``results/shared/``, as the workflow does.  ``register`` reads the plan.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzzybounds.collect.configuration import load_study
from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.suggestions import suggestion
from fuzzybounds.core.tables import read_json, read_table, replacing, write_json, write_table
from fuzzybounds.core.thresholds import THRESHOLDS
from fuzzybounds.logs import registration
from fuzzybounds.logs.files import data_set_name, is_table
from fuzzybounds.logs.study_design import StudyDesign, from_document

if TYPE_CHECKING:
    import pandas as pd

TABLE, FIGURE, PLAN = "design_power.csv", "design_power.png", "plan.json"
SHARED = Path("results/shared")


def plan(given: argparse.Namespace) -> int:
    """Simulate cohorts under a design, or rank several; print what would be decided."""
    from fuzzybounds.datasets import SEED
    from fuzzybounds.stopping import design_power, planning

    _check(given, planning.TRUTHS)
    begun = time.process_time()
    options: dict[str, Any] = {"subjects": given.subjects, "seed": given.seed or SEED}
    if given.compare:
        designs = {file.stem: (_study(file)[1], planning.RECORDED) for file in given.studies}
        truths = given.truths or [planning.RULES, planning.MET, planning.DIRECTED]
        designs = designs or design_power.listed_designs()
        power = design_power.measure(designs, truths=truths, **options)
        folder = SHARED
    else:
        (file,) = given.studies
        document, design = _study(file)
        sessions = document["sessions"]
        shares = [share / sessions for share in planning.SHARES] + [1.0] * (sessions > 1)
        truths = given.truths or list(planning.TRUTHS)
        designs = {file.stem: (_all_sessions(design, sessions), planning.RECORDED)}
        power = design_power.measure(designs, truths=truths, shares=shares, **options)
        folder = plan_folder(file)
        write_json({**options, "truths": truths, "design": document}, folder / PLAN)
    write_table(power, folder / TABLE)
    with replacing(folder / FIGURE) as temporary:
        from fuzzybounds.stopping.design_view import draw_power

        draw_power(power).savefig(temporary, format="png", dpi=150)
    print(*(ranking(power) if given.compare else summary(power)), sep="\n")
    print(f"{folder / TABLE}, {FIGURE}: {time.process_time() - begun:.0f} CPU seconds")
    return 0


def _check(given: argparse.Namespace, known: tuple[str, ...]) -> None:
    problems = [f"truth {one!r}: {suggestion(one, known)}" for one in given.truths or ()
                if one not in known]  # fmt: skip
    if not given.compare and len(given.studies) != 1:
        problems.append(f"{len(given.studies)} configurations: expected one, or --compare")
    if given.subjects < 2:
        problems.append("--subjects 1: expected 2 or more")
    if problems:
        raise InputError("plan", problems)


def plan_folder(file: Path) -> Path:
    """Return where the plan of a study is: beside its configuration."""
    return file.with_name(f"{file.stem}_plan")


def _study(file: Path) -> tuple[dict[str, Any], StudyDesign]:
    """Return the design of a configuration, as a document and as the library has it."""
    document = load_study(data_set_name(file.stem), file).design
    return document, from_document(document, str(file))


def _all_sessions(design: StudyDesign, sessions: int) -> StudyDesign:
    from dataclasses import replace

    return replace(design, blocks=design.blocks * sessions)


def summary(power: pd.DataFrame) -> list[str]:
    """Say what a study would decide: by subjects, by minutes, and what a shorter session loses."""
    longest = power["minutes"].max()
    whole = power[power["minutes"] == longest]
    lines = [f"A subject takes {longest:g} minutes in blocks (breaks and instructions apart)."]
    answers = whole[whole["truth"] != "rules"]
    if len(answers):
        table = answers.pivot_table("right", "truth", "subjects", sort=False)
        wrong = answers["wrong"].max()
        lines += [
            "",
            "Chance of the right answer, by subjects (met, or acts outward; of hazard, neither):",
        ]
        lines += table.to_string(float_format="{:.2f}".format).splitlines()
        lines += [f"A wrong answer is clear in at most {wrong:.2f} of the cohorts."]
        effect = answers.drop_duplicates("truth").dropna(subset="gate_px")
        lines += [
            f"With a gate, responses of {row.truth} come nearer by {row.gate_px:.0f} px (over "
            f"subjects, SD {row.gate_sd:.0f} px)."
            for row in effect.itertuples()
        ]
    rules = power[power["truth"] == "rules"]
    if len(rules):
        columns = ["minutes", "trials", "cells_right", "cells_wrong", "p_true_base", "bits"]
        lines += ["", "Rules of one subject that are known (P > 0.95), of nine:"]
        lines += rules[columns].to_string(index=False, float_format="{:.2f}".format).splitlines()
        full = rules.loc[rules["minutes"].idxmax()]
        for row in rules[rules["minutes"] < longest].itertuples():
            lost = full["cells_right"] - row.cells_right
            lines.append(f"{row.minutes:g} instead of {longest:g} minutes lose {lost:.1f} rules.")
    return lines


def ranking(power: pd.DataFrame) -> list[str]:
    """Rank designs by information per minute."""
    from fuzzybounds.stopping.design_power import COHORT, rank

    about = f"tell: chance that {COHORT} subjects tell a boundary that is met from acting outward"
    table = rank(power).to_string(float_format="{:.3g}".format)
    return ["By bits about a subject's rules per minute of its time", about, table]


def register(given: argparse.Namespace) -> int:
    """Freeze design, hypotheses, thresholds, seeds, power and code in one file with a hash."""
    from fuzzybounds.logs.validation import DEFAULT_ACTIONS

    document, _ = _study(given.study)
    planned = plan_folder(given.study)
    target = (given.data or planned) / registration.FILE
    remedy = f"fuzzybounds plan {given.study}"
    if not (planned / PLAN).is_file():
        raise InputError(f"{given.study}: not planned", [f"{remedy} simulates its power"])
    options = read_json(planned / PLAN)
    if options.pop("design") != document:
        raise InputError(f"{given.study}: changed since it was planned", [f"{remedy} again"])
    if target.exists():
        raise InputError(f"{target}: registered before", ["a study is registered once"])
    if given.data and any(map(is_table, given.data.rglob("*"))):
        raise InputError(f"{given.data}: has logs", ["a study is registered before its data"])
    power = read_table(planned / TABLE).astype(object)
    content = {
        "study": given.study.stem,
        "design": document,
        "subjects": given.subjects,
        "hypotheses": read_yaml(Path(__file__).with_name("hypotheses.yaml")),
        "thresholds": THRESHOLDS,
        "exclusions": DEFAULT_ACTIONS,
        "simulation": options,
        "power": power.where(power.notna(), None).to_dict("records"),
        "code": registration.analysis_code(),
    }
    sealed = registration.sealed(content)
    write_json(sealed, target)
    print(f"{target}: sha256 {sealed['sha256']}")
    print("Deposit the file, or its hash, where others can date it, and keep it beside the logs.")
    return 0
