"""``dataset_description.json``: what a data set is, in the Psych-DS form (JSON-LD, schema.org)."""

from __future__ import annotations

from typing import Any

from fuzzybounds.collect.configuration import Study
from fuzzybounds.logs.columns import COLUMNS, PATH_COLUMNS

EVENTS = {
    "run": "number of the page load within the participant; an interruption starts another",
    "message": "number of the message of the page that carried the event",
    "event": "what happened: a phase that was first shown, a response, a frame gap, blur, ...",
    "value": "detail of the event, such as the directions that were drawn for a trial",
}
ANSWERS = {
    "question": "name of an optional question about the participant",
    "answer": "what the participant answered",
}
TASK = "canoe movement detection task"
UNITS = {"time": "s", "position": "px"}


def dataset_description(study: Study) -> dict[str, Any]:
    """Describe the data set of a study, with every column of every file."""
    variables = {column.name: (column.meaning, column.unit) for column in COLUMNS}
    for name, meaning in {**PATH_COLUMNS, **EVENTS, **ANSWERS}.items():
        variables.setdefault(name, (meaning, UNITS.get(name, "")))
    measured = [
        {"@type": "PropertyValue", "name": name, "description": meaning}
        | ({"unitText": unit} if unit else {})
        for name, (meaning, unit) in variables.items()
    ]
    options = study.options
    described = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": study.name,
        "description": options["description"],
        "author": [{"@type": "Person", "name": name} for name in options["authors"]],
        "license": options["license"],
        "keywords": ["decision making", "decision boundary", TASK],
        "measurementTechnique": f"{TASK}, experiment {options['experiment']}",
        "variableMeasured": measured,
    }
    return {key: value for key, value in described.items() if value not in (None, [])}
