"""Checking documents against a JSON schema, with errors that a person can act on."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

from fuzzybounds.errors import InputError


def check(document: Any, schema: dict[str, Any], source: str) -> None:
    """Raise an :class:`InputError` that lists everything in which a document breaks its schema.

    An unknown key is answered with the nearest known one.

    Parameters
    ----------
    document
        Plain data, as read from YAML or JSON.
    schema : dict
        A JSON schema (draft 2020-12).
    source : str
        Name of the file, for the message.
    """
    import jsonschema

    validator = jsonschema.Draft202012Validator(schema)
    found = sorted(validator.iter_errors(document), key=lambda error: list(map(str, error.path)))
    problems = [problem for error in found for problem in _problems(error)]
    if problems:
        count = f"{len(problems)} problem{'' if len(problems) == 1 else 's'}"
        raise InputError(f"{source}: {count}", problems)


def _problems(error: Any) -> Iterator[str]:
    where = ".".join(map(str, error.absolute_path))
    if error.validator == "additionalProperties" and error.validator_value is False:
        known = list(error.schema.get("properties", {}))
        for key in sorted(set(map(str, error.instance)) - set(known)):
            close = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
            hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"
            yield f"{where + '.' if where else ''}{key}: unknown key; {hint}"
    elif error.validator == "enum":
        allowed = ", ".join(map(str, error.validator_value))
        yield f"{where}: {error.instance!r}; expected one of {allowed}"
    elif error.validator == "type":
        kinds = error.validator_value
        expected = kinds if isinstance(kinds, str) else " or ".join(kinds)
        yield f"{where or 'document'}: {error.instance!r}; expected {expected}"
    else:
        yield f"{where or 'document'}: {error.message}"
